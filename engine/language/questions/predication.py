"""Divides a question into its noun phrase, its predicate, and the places that follow."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from engine.language.phrases.predicates import HOSTS, NOUNS, PLACES, about_clause, had_by, predicates
from engine.language.phrases.restrictions import ANY_DEVICE, ROOM
from engine.language.phrases.segments import Segment
from engine.language.words import grammar
from engine.language.words.lexicon import Role
from engine.language.words.spans import Inquiry, Restriction, Span
from engine.model.intent import Asks

Spans = Sequence[Span]


def predicated(asks: Asks, spans: list[Span], *, exists: bool = False) -> Segment | None:
    """A noun phrase and its predicate, which may be followed by a place: "lights are on in the kitchen"."""
    for place in range(1, len(spans)):
        said = whole_predicate(spans, place)
        if said is None or not any(_is_subject(s) for s in spans[:place]):
            continue
        restrictions, tail = said
        noun = without_edges(spans[:place], grammar.COPULAS | {"has", "have"})
        return Segment((*noun, *tail), ".", Inquiry(asks, tuple(restrictions)))
    if spans and not any(s.can_be(*HOSTS) for s in spans):
        said = whole_predicate(without_edges(spans, {"it", "it's", "there"}), 0)
        if said is not None:  # "is it warmer than 25 in the kitchen?"
            first = spans[0]
            room = replace(first, text="room", entries=(ROOM,), restrictions=())
            return Segment(tuple(said[1]) or (room,), ".", Inquiry(asks, tuple(said[0])))
    own = next((s for s in spans if s.restrictions and s.can_be(*NOUNS)), None)
    if own is not None and asks in (Asks.WHETHER, Asks.EVERY) and not exists:  # "is the door currently locked?"
        plain = [replace(s, restrictions=()) if s is own else s for s in spans]
        return Segment(tuple(plain), ".", Inquiry(asks, own.restrictions))
    rest = without_edges(spans, grammar.COPULAS | grammar.EXISTING | {"has"})
    whether = asks in (Asks.WHETHER, Asks.EVERY) and not exists
    return asked(asks, rest) if not whether and _is_all_read(rest) else None


def _is_subject(span: Span) -> bool:
    """Whether something can be said of it: a noun, a pronoun, or batteries."""
    return span.can_be(*HOSTS) or span.text in grammar.PRONOUNS or (span.plural and span.can_be(Role.PROPERTY))


def _is_all_read(spans: Spans) -> bool:
    """Whether nothing is left that says more of a noun than is understood: it could be answered wrongly."""
    nominal = (*HOSTS, Role.PROPERTY, Role.STATE)
    return all(s.can_be(*nominal) or s.text in grammar.KNOWN or not s.text.isalpha() or s.restrictions for s in spans)


def whole_predicate(spans: Spans, place: int) -> tuple[list[Restriction], list[Span]] | None:
    """The predicate at a place if nothing but places and words for now follow it: its restrictions, and those
    places."""
    start = place
    while start < len(spans) and spans[start].text in grammar.COPULAS | grammar.NOW | {"there", "has", "have"}:
        start += 1
    if start >= len(spans):
        return None
    negated = any(s.text in grammar.NEGATIONS | grammar.NEGATED_COPULAS for s in spans[place:start])
    had = start > place and spans[start - 1].text in grammar.HAVING
    found = (had_by(spans, start, spans[0]) if had else None) or predicates(spans, start, spans[0])
    if found is None and place and spans[place - 1].can_be(*PLACES) and spans[start].text in grammar.ARTICLES:
        found = about_clause(spans, start, spans[place - 1])  # "in which rooms are the windows open"
    if found is None:
        return None
    tail = [
        s for s in spans[found[1] :] if s.text not in grammar.NOW | {"yet", "today", "already", "at", "moment", ","}
    ]
    simple = grammar.PREPOSITIONS | grammar.ARTICLES | grammar.PRONOUNS | {"anywhere", "here", "whole", "about"}
    if not all(s.can_be(*PLACES) or s.text in simple for s in tail):
        return None
    said = [replace(r, negated=not r.negated) for r in found[0]] if negated else found[0]
    return said, tail


def asked(
    asks: Asks,
    spans: Spans,
    *,
    predicate: Sequence[Restriction] = (),
    relation: Span | None = None,
    versus: Spans = (),
) -> Segment | None:
    """The segment of a question on the spans' subject; None without spans."""
    if not spans:
        return None
    return Segment(tuple(spans), ".", Inquiry(asks, tuple(predicate), relation, tuple(versus)))


def rooms_in_which(rest: list[Span]) -> Segment | None:
    """ "In which rooms is there a fan running", "in which rooms is a light on": rooms in which something is so."""
    if ROOM not in rest[0].entries or len(rest) < 3 or rest[1].text not in grammar.COPULAS:
        return None
    if not any(s.can_be(Role.DEVICE) for s in rest[2:]) or not any(s.can_be(Role.STATE) for s in rest[3:]):
        return None
    found = about_clause(rest, 1, rest[0])
    if found is None or any(s.text not in grammar.NOW for s in rest[found[1] :]):
        return None
    return Segment((rest[0],), ".", Inquiry(Asks.LIST, tuple(found[0])))


def any_device(span: Span) -> Span:
    """A span for any device, at the place of another."""
    return replace(span, text="devices", entries=(ANY_DEVICE,), plural=True, restrictions=())


def without(spans: Spans, words: frozenset[str] | set[str]) -> list[Span]:
    """The spans but for these words."""
    return [s for s in spans if s.text not in words]


def without_edges(spans: Spans, words: frozenset[str] | set[str]) -> list[Span]:
    """Without words at the end, and copulas at the beginning."""
    found = list(spans)
    while found and found[-1].text in words | grammar.NOW | {"?", ","}:
        found.pop()
    while found and found[0].text in grammar.COPULAS:
        found.pop(0)
    return found


def split(spans: Spans, words: set[str]) -> tuple[list[Span], list[Span]] | None:
    """The spans before and after the first of these words; None where it does not stand between."""
    place = next((i for i, s in enumerate(spans) if s.text in words), None)
    if not place or place + 1 >= len(spans):
        return None
    return list(spans[:place]), list(spans[place + 1 :])
