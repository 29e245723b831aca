"""Verbs with their object inside: "send the vacuum home" is "send home", "return it to base" is "return to base"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from engine.language.phrases.segments import VERBS
from engine.language.words import grammar
from engine.language.words.lexicon import PARTICLES, Lexicon, Role
from engine.language.words.spans import Span

_NAMING = (Role.DEVICE, Role.THING)
_FURTHEST = 8  # spans between a verb and its other half


def joined(spans: Sequence[Span], lexicon: Lexicon) -> list[Span]:
    """The spans with the second half of such verbs put beside the first."""
    found = list(spans)
    for place, span in enumerate(spans):
        begins = place == 0 or spans[place - 1].text in (
            *grammar.PAUSES,
            *grammar.BREAKS,
            *grammar.JOINTS,
            "to",
            "please",
        )
        begins = begins or (place + 1 < len(spans) and spans[place + 1].text in ("it", "them"))
        if begins and span.number is None and span in found:
            _join(found, found.index(span), lexicon)
    return found


def _join(found: list[Span], place: int, lexicon: Lexicon) -> None:
    _join_particle(found, place, lexicon)
    particle = _after_number(found, place)
    entries = lexicon.phrasal(found[place].text, found[particle].text) if particle is not None else ()
    if particle is not None and entries:  # "knock ten percent off the lamp"
        found[place] = replace(found[place], text=f"{found[place].text} {found[particle].text}", entries=entries)
        del found[particle]
        return
    near = {word for span in found[place + 2 :] for word in span.text.split()}
    for rest, entries in lexicon.halves(found[place].text):
        if not near.issuperset(rest):
            continue
        end = _second_half(found, place, rest)
        if end is None:
            continue
        start, stop = end
        verb = replace(found[place], text=f"{found[place].text} {' '.join(rest)}", entries=entries)
        del found[start:stop]
        found[place] = verb
        return


def _join_particle(found: list[Span], place: int, lexicon: Lexicon) -> None:
    """Joins a particle to its verb, for words that are verbs only with it: "tone it down", "fire the boiler up"."""
    span = found[place]
    if span.can_be(*VERBS) and not span.can_be(Role.PROPERTY):
        return
    for particle in range(place + 2, min(len(found), place + _FURTHEST + 1)):
        word = found[particle].text
        if word in (*grammar.BREAKS, *grammar.PAUSES):
            return
        entries = lexicon.phrasal(span.text, word) if word in PARTICLES else ()
        if entries and _is_object(found[place + 1 : particle]) and _ends(found, particle + 1):
            found[place] = replace(span, text=f"{span.text} {word}", entries=entries)
            del found[particle]
            return


def _is_object(spans: Sequence[Span]) -> bool:
    """Whether a determined noun or a pronoun is all that stands between."""
    determined = spans[0].text in grammar.ARTICLES | grammar.PRONOUNS | grammar.UNIVERSAL or spans[0].can_be(*_NAMING)
    return determined and all(s.can_be(*_NAMING) or s.text in grammar.KNOWN or not s.entries for s in spans)


def _ends(found: Sequence[Span], place: int) -> bool:
    """Whether a verb's last word may stand before this place."""
    if place >= len(found):
        return True
    follower = found[place]
    return follower.text in grammar.KNOWN or not follower.text.isalpha() or follower.number is not None


def _after_number(found: Sequence[Span], place: int) -> int | None:
    """Where a particle stands right after an amount."""
    if place + 3 >= len(found) or found[place + 1].number is None:
        return None
    return place + 2 if found[place + 2].text in ("off", "from", "onto", "on") else None


def _second_half(found: Sequence[Span], place: int, rest: tuple[str, ...]) -> tuple[int, int] | None:
    """Where the other words of the verb stand, after a noun and before the end of the clause."""
    for start in range(place + 2, min(len(found), place + _FURTHEST + 1)):
        if found[start - 1].text in (*grammar.BREAKS, ",", *grammar.JOINTS):
            return None
        if not any(s.can_be(*_NAMING) or s.text in grammar.PRONOUNS for s in found[place + 1 : start]):
            continue
        if found[start - 1].can_be(Role.VALUE) and not found[start - 1].can_be(*_NAMING):
            continue  # "to automatic swing mode" names a mode, and no half of a verb
        words: list[str] = []
        stop = start
        while stop < len(found) and len(words) < len(rest):
            words += [w for w in found[stop].text.split() if w not in grammar.ARTICLES]
            stop += 1
        ends = stop >= len(found) or found[stop].text in (
            *grammar.BREAKS,
            *grammar.PAUSES,
            *grammar.JOINTS,
            "please",
            "now",
        )
        if tuple(words) == rest and ends:
            return start, stop
    return None
