"""The things that a room has, or lacks: "rooms with a lamp", "where there is a blind or shutters"."""

from __future__ import annotations

from engine.language.chart.heard.items import Item, Sort
from engine.language.chart.joining.attach import Ways, is_tested, last_part, says, took, with_test
from engine.language.chart.joining.frames import State
from engine.language.chart.joining.sentence import Sentence
from engine.language.words.records import replace
from engine.language.words.spans import Restriction, Span


def hosted(state: State, item: Item, span: Span) -> Ways:
    """The things in a room, or the thing that a test about a room is of."""
    if state.host is not None and not is_tested(state):
        return
    none = state.before is not None and not state.joint and state.before.quantity == "none"
    negated = state.negated or none
    plain = replace(state, before=None)
    has = with_test(plain, Restriction("has", host=span, negated=negated))
    if has is not None and state.last in _HAVING:
        yield took(has, item, "host", "noun:has", negated=False)
    yield took(plain, item, "host", "noun:host", host=span, preposition="", negated=negated)


_HAVING = frozenset(
    one.value
    for one in (
        Sort.With,
        Sort.Without,
        Sort.Copula,
        Sort.Being,
        Sort.Indefinite,
        Sort.Any,
        Sort.No,
        Sort.Definite,
        Sort.WORD,
    )
)


def is_alternative(state: State, sentence: Sentence) -> bool:
    """Whether the joint that still stands is "or"."""
    start = next((start for start, _, part in reversed(state.account) if part == "joint"), None)
    return start is not None and sentence.tokens[start].text == "or"


def hosted_too(state: State, item: Item, sentence: Sentence) -> Ways:
    """ "A blind or shutters", "drapes and an aircon": one more thing that a room has, or else has."""
    if state.open != "place" or not state.joint or _before_joint(state) != "host":
        return
    clause = state.clause
    name = (clause.places or (clause.phrases[-1].places if clause.phrases else ()))[-1:]
    said = name[0].restrictions if name else ()
    if not said:
        return
    last, had = said[-1], said[-1].host
    if last.comparison != "has" or had is None or (state.held is not None and says(state.held)):
        return
    span = sentence.span(item)
    if is_alternative(state, sentence) or last.negated:
        host = replace(had, entries=(*had.entries, *span.entries), text=f"{had.text} or {span.text}")
        said = (*said[:-1], replace(last, host=host))
    else:
        said = (*said, replace(last, host=span))
    having = replace(name[0], restrictions=said)
    if clause.places:
        changed = replace(clause, places=(*clause.places[:-1], having))
    else:
        phrase = clause.phrases[-1]
        changed = replace(clause, phrases=(*clause.phrases[:-1], replace(phrase, places=(*phrase.places[:-1], having))))
    yield took(state, item, "host", "noun:has-too", clause=changed, joint="", before=None, preposition="")


def _before_joint(state: State) -> str:
    """The part of the words before the joint that still stands."""
    parts = (part for _, _, part in reversed(state.account) if part not in ("before", "joint"))
    return next(parts, "")


def begins_anew(state: State) -> bool:
    """Whether the things that a room has are all named: "in rooms with a blind the lights should be off"."""
    before = state.held
    return before is not None and before.determined and not before.quantity and last_part(state) == "host"
