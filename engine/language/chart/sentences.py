"""Several sentences, each read by itself: where the whole is in doubt, and each of them is sure."""

from __future__ import annotations

from collections.abc import Iterator

from engine.language.chart.goals.prepared import heard_items, tokens_of
from engine.language.chart.halves import MARKS, Read, is_for_now, is_settled, ordered, taken
from engine.language.chart.heard.items import Sort, clauses, includes
from engine.language.meanings.context import Context
from engine.language.meanings.past import Hearing
from engine.language.meanings.readings import Alternatives
from engine.language.words.records import replace

MOST_SENTENCES = 4
SURE = 0.9
"""How sure each sentence has to be."""


def with_each_sentence(
    text: str, request: str, context: Context, goals: tuple[Alternatives, ...], read: Read
) -> tuple[Alternatives, ...]:
    """The goals of a text; where it is in doubt as a whole, those of its sentences, where each is a sure order that
    points to nothing before it."""
    if is_settled(goals, context) or not is_for_now(text, context) or "?" in text:
        return goals
    said = list(_sentences(text, context))
    if not 1 < len(said) <= MOST_SENTENCES:
        return goals
    found: list[Alternatives] = []
    heard = replace(context, hearing=Hearing(sure=1.0))
    for number, one in enumerate(said):
        if number and includes(heard_items(one, context), *_POINTING):
            return goals
        order = ordered(one, context, read)
        if order is None or order[1].hearing.sure < SURE:
            return goals
        heard.hearing.sure = min(heard.hearing.sure, order[1].hearing.sure)
        for goal in order[0]:
            iri = f"{request}/intent-{len(found) + 1}"
            item = order[1].hearing.goals.get(goal[0][0].iri)
            if item is not None:
                heard.hearing.goals[iri] = item
            found.append(
                tuple(tuple(replace(i, iri=f"{iri}-{m}-{n}") for n, i in enumerate(way)) for m, way in enumerate(goal))
            )
    taken(context, heard)
    return tuple(found)


_POINTING = (
    Sort.PronounOne, Sort.PronounSeveral, Sort.There, Sort.One, Sort.Other, Sort.Others, Sort.Same, Sort.Except,
    Sort.Excepted, Sort.Sparing, Sort.Leave, Sort.Alone, Sort.Only, Sort.Not, Sort.Repair,
)  # fmt: skip


def _sentences(text: str, context: Context) -> Iterator[str]:
    """The words between the stops of a text."""
    tokens = tokens_of(text, context)
    for one in clauses(heard_items(text, context), (Sort.StopMark,)):
        yield text[tokens[one.start].start : tokens[one.stop - 1].end].strip(MARKS)
