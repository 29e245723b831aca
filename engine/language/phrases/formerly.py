"""Words for how something was before: "as it was", "the way I had it", "to what it was set to earlier"."""

from __future__ import annotations

from collections.abc import Sequence

from engine.graph.terms import expand
from engine.language.words import grammar
from engine.language.words.lexicon import Entry, Role
from engine.language.words.spans import Span

FORMER = expand("hg:Former")
_HOW = frozenset({"as", "how", "where", "what", "way", "like", "whatever", "that", "which"})
_WHO = frozenset({"it", "that", "they", "i", "we", "you", "things", "everything", "this", "she", "he"})
_WAS = frozenset({"was", "were", "had", "has"})
_BEFORE = frozenset({"before", "earlier", "previously", "originally", "ago", "first", "initially", "formerly"})
_INSIDE = (
    _WAS | _WHO | {"been", "set", "a", "moment", "minute", "while", "just", "to", "at", "on", "originally", "second"}
)


def formerly(spans: Sequence[Span]) -> list[Span]:
    """The spans, each such clause as one value that stands for the state before."""
    found: list[Span] = []
    place = 0
    while place < len(spans):
        end = _clause(spans, place, found)
        if end == place:
            found.append(spans[place])
            place += 1
        else:
            first, last = spans[place], spans[end - 1]
            found.append(Span("as before", first.start, last.end, (Entry(Role.VALUE, FORMER),)))
            place = end
    return found


def _clause(spans: Sequence[Span], place: int, before: Sequence[Span]) -> int:
    """Past the clause that begins here; `place` where none does."""
    how = place + 1 if spans[place].text in _HOW and _text(spans, place + 1) in _WHO else place
    if _text(spans, how) not in _WHO or _text(spans, how + 1) not in _WAS:
        return place
    end = how + 2
    while end < len(spans) and _text(spans, end) in _INSIDE:
        end += 1
    told = end < len(spans) and _text(spans, end) in _BEFORE
    if how == place and not (told and before and before[-1].can_be(Role.PROPERTY, Role.DEVICE, Role.THING)):
        return place
    return _rest(spans, end) if told else end


def _rest(spans: Sequence[Span], place: int) -> int:
    """The end of words for a former time: with "before" up to a pause ("before my call")."""
    if spans[place].text != "before":
        return place + 1
    stops = grammar.PAUSES | grammar.BREAKS | grammar.JOINTS
    return next((i for i in range(place, len(spans)) if spans[i].text in stops), len(spans))


def _text(spans: Sequence[Span], place: int) -> str:
    return spans[place].text if place < len(spans) else ""
