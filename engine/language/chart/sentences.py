"""Several sentences, each read by itself: where the whole is in doubt, and each of them is sure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from engine.language.chart.goals.prepared import heard_items, tokens_of
from engine.language.chart.halves import MARKS, Read, is_for_now, is_settled, ordered, taken
from engine.language.chart.heard.items import PAUSES, Sort, clauses, includes
from engine.language.meanings.context import Context
from engine.language.meanings.past import Hearing
from engine.language.meanings.readings import Alternatives
from engine.language.words.records import replace

MOST_SENTENCES = 4
SURE = 0.8
"""How sure each sentence has to be."""


def with_each_sentence(
    text: str, request: str, context: Context, goals: tuple[Alternatives, ...], read: Read
) -> tuple[Alternatives, ...]:
    """The goals of a text; where it is in doubt as a whole, those of its sentences, where each is a sure order that
    points to nothing before it; or those of the orders that "and" joins, each of which names its own things."""
    if is_settled(goals, context) or not is_for_now(text, context) or "?" in text:
        return goals
    said = list(_sentences(text, context))
    if len(said) == 1:
        said = _joined(text, context)
    if not 1 < len(said) <= MOST_SENTENCES:
        return goals
    return _each(said, request, context, read) or goals


def _each(said: Sequence[str], request: str, context: Context, read: Read) -> tuple[Alternatives, ...]:
    """The goals of orders, each read by itself; none where not each is one, and sure."""
    found: list[Alternatives] = []
    heard = replace(context, hearing=Hearing(sure=1.0))
    for number, one in enumerate(said):
        if number and includes(heard_items(one, context), *_POINTING):
            return ()
        order = ordered(one, context, read)
        if order is None or order[1].hearing.sure < SURE:
            return ()
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


def _joined(text: str, context: Context) -> list[str]:
    """The words between each "and" or comma of a text: where all of them name things, and all or none say where."""
    tokens, items = tokens_of(text, context), heard_items(text, context)
    if any(own[0].sort is Sort.PauseMark and tokens[n].text != "," for n, own in enumerate(items) if own):
        return []
    stretches = list(clauses(items, (*PAUSES, Sort.And)))
    found = [items[one.start : one.stop] for one in stretches]
    placed = {includes(one, Sort.PLACE, Sort.Everywhere) for one in found}
    named = len(placed) == 1 and all(includes(one, Sort.NOUN) for one in found)
    return list(_words(text, stretches, context)) if named else []


_POINTING = (
    Sort.PronounOne, Sort.PronounSeveral, Sort.There, Sort.One, Sort.Other, Sort.Others, Sort.Same, Sort.Except,
    Sort.Excepted, Sort.Sparing, Sort.Leave, Sort.Alone, Sort.Only, Sort.Not, Sort.Repair,
)  # fmt: skip


def _sentences(text: str, context: Context) -> Iterator[str]:
    """The words between the stops of a text."""
    return _words(text, clauses(heard_items(text, context), (Sort.StopMark,)), context)


def _words(text: str, stretches: Iterable[range], context: Context) -> Iterator[str]:
    """The words of each of some stretches of tokens."""
    tokens = tokens_of(text, context)
    return (text[tokens[one.start].start : tokens[one.stop - 1].end].strip(MARKS) for one in stretches)
