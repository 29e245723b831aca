"""Degrees told by comparison: "half of what it is now", "half as bright", "half its volume", "as warm as it gets"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from engine.graph.terms import expand
from engine.language.words.grammar import ARTICLES
from engine.language.words.lexicon import Entry, Role
from engine.language.words.span import Span

_PRESENT, _UTMOST = expand("hg:OfThePresent"), expand("hg:Utmost")
_PERCENT = expand("hg:Percent")
_COUNTED = frozenset({"current", "present"})


def told_by_comparison(spans: Sequence[Span]) -> list[Span]:
    """The spans with such phrases taken in: a share that is of the present value says so, and "as … as it gets" is the
    superlative."""
    found: list[Span] = []
    place = 0
    while place < len(spans):
        span = spans[place]
        basis = _past_basis(spans, place + 1) if _is_share(spans, place) else None
        end = place + 1
        if basis is not None:
            found.append(replace(span, of_current=True))
            end = basis
        elif span.text == "as" and _is_utmost(spans, place):
            adjective = spans[place + 1]
            entries = tuple(Entry(Role.SUPERLATIVE, e.iri) for e in adjective.having(Role.GRADABLE))
            found.append(replace(adjective, entries=entries))
            end = place + 3
        else:
            found.append(span)
        place = end
    return found


def _is_share(spans: Sequence[Span], place: int) -> bool:
    span = spans[place]
    return span.can_be(Role.VALUE) or (span.number is not None and span.unit in (None, _PERCENT))


def _past_basis(spans: Sequence[Span], place: int) -> int | None:
    """The index after 'of the current value' in a share; None where a share is of something else. The property that it
    is of stays."""
    if _is(spans, place, _PRESENT):
        return place + 1
    if _text(spans, place) == "as" and _can_be(spans, place + 1, Role.GRADABLE):
        return place + 3 if _is(spans, place + 2, _PRESENT) else place + 2
    if spans[place - 1].number is not None:
        return None
    start = place + 1 if _text(spans, place) == "of" else place
    if _text(spans, start) not in ARTICLES:
        return None
    noun = start + 2 if _text(spans, start + 1) in _COUNTED else start + 1
    return noun if _can_be(spans, noun, Role.PROPERTY) else None


def _is_utmost(spans: Sequence[Span], place: int) -> bool:
    return _can_be(spans, place + 1, Role.GRADABLE) and _is(spans, place + 2, _UTMOST)


def _is(spans: Sequence[Span], place: int, iri: str) -> bool:
    return place < len(spans) and any(e.role is Role.DEGREE and e.iri == iri for e in spans[place].entries)


def _can_be(spans: Sequence[Span], place: int, role: Role) -> bool:
    return place < len(spans) and spans[place].can_be(role)


def _text(spans: Sequence[Span], place: int) -> str:
    return spans[place].text if place < len(spans) else ""
