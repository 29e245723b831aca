"""Drops phrases without content, with the pauses around them, and reads their effect on a question mark."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from engine.graph.terms import expand
from engine.language.words.grammar import ARTICLES, BREAKS, PREPOSITIONS
from engine.language.words.lexicon import Role
from engine.language.words.span import Span

_REQUEST, _SUGGESTION = expand("hg:Request"), expand("hg:Suggestion")
_BRIEFLY = expand("hg:Briefly")
_STOPPING = frozenset(expand(f"hg:{command}") for command in ("Pause", "Mute", "Silence"))
_VERBS = (Role.COMMAND, Role.LIGHT_VERB, Role.RELATIVE)
_VALUES = (Role.VALUE, Role.OPTION, Role.COLOUR)
_NOUNS = (Role.DEVICE, Role.THING, Role.PLACE, Role.PLACE_CLASS, Role.PROPERTY)


def without_fillers(spans: Sequence[Span]) -> list[Span]:
    """The spans without fillers. "How about blue for the lamp?", "mind closing the blind?" ask for something to be
    done: their question mark is a full stop."""
    kept: list[Span] = []
    requested = False
    for place, span in enumerate(spans):
        if _is_filler(span) or _opens(spans, place) or _is_idle(spans, place):
            requested = requested or _asks_to_do(spans, place)
        elif span.text == "," and _is_parenthesis(spans, place):
            continue
        else:
            kept.append(replace(span, text=".") if requested and span.text == "?" and not span.entries else span)
            requested = requested and not (span.text in BREAKS and not span.entries)
    return kept


def _is_filler(span: Span) -> bool:
    told = bool(span.entries) and all(e.role is Role.FILLER for e in span.entries)
    return told and not any(e.iri == _BRIEFLY for e in span.entries)


def _opens(spans: Sequence[Span], place: int) -> bool:
    """Whether a word that may say something opens a sentence, and says nothing there: "okay, …"."""
    opening = place == 0 or spans[place - 1].text in BREAKS or (place == 1 and _is_filler(spans[0]))
    return opening and place + 1 < len(spans) and spans[place].can_be(Role.FILLER)


def _is_idle(spans: Sequence[Span], place: int) -> bool:
    """Whether "for a minute" is no more than a manner of speaking, after verbs that only stop or hush: "pause it for a
    minute"."""
    if not any(e.iri == _BRIEFLY for e in spans[place].entries):
        return False
    return any(e.iri in _STOPPING for s in spans for e in s.entries)


def _asks_to_do(spans: Sequence[Span], place: int) -> bool:
    """Whether a filler marks an order; a suggestion does where an order follows."""
    iris = {e.iri for e in spans[place].entries}
    if _SUGGESTION not in iris:
        return _REQUEST in iris
    end = next((i for i in range(place + 1, len(spans)) if spans[i].text in BREAKS), len(spans))
    return any(_says_what(spans, one) for one in range(place + 1, end))


def _says_what(spans: Sequence[Span], place: int) -> bool:
    """Whether a span is a verb, a number or a value, and no word of a name ("the left one")."""
    span = spans[place]
    follower = spans[place + 1] if place + 1 < len(spans) else None
    named = follower is not None and (follower.can_be(*_NOUNS) or follower.text in ("one", "ones"))
    if span.number is not None:
        return span.text != "one"
    valued = span.can_be(*_VALUES) and not (named and spans[place - 1].text in ("the", "this", "that"))
    return not span.can_be(*_NOUNS) and (valued or span.can_be(*_VERBS))


def _is_parenthesis(spans: Sequence[Span], place: int) -> bool:
    """Whether a pause is one of two around a filler, with the sentence going on behind: "to, you know, forty". Of the
    two around "turn the TV on, you know, the telly" the second stays."""
    if 0 < place < len(spans) - 1 and _is_filler(spans[place + 1]):
        after = place + 2
        return after < len(spans) and spans[after].text == "," and not _begins(spans, after + 1)
    before = place >= 3 and _is_filler(spans[place - 1]) and spans[place - 2].text == ","
    return before and not _begins(spans, place + 1) and not _names_again(spans, place + 1, spans[place - 3])


def _names_again(spans: Sequence[Span], place: int, before: Span) -> bool:
    """Whether an article begins a noun for which nothing before the pause waits."""
    waits = before.text in PREPOSITIONS | ARTICLES and not before.can_be(Role.STATE)
    return place < len(spans) and spans[place].text in ARTICLES and not waits and not before.can_be(*_VERBS)


def _begins(spans: Sequence[Span], place: int) -> bool:
    return place < len(spans) and spans[place].can_be(*_VERBS) and not spans[place].can_be(*_NOUNS)
