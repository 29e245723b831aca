"""Spans into segments: the stretches between the joints of a sentence (commas, "and", "then", full stops)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.language.words.grammar import BREAKS, BY, JOINTS, PAUSES
from engine.language.words.lexicon import Role
from engine.language.words.spans import Inquiry, Span

VERBS = (Role.COMMAND, Role.LIGHT_VERB, Role.RELATIVE)


@dataclass(frozen=True, slots=True)
class Segment:
    """Spans without joints. `joint` is the one before them: "." a new sentence, "," a pause, or a joint word. For a
    question, `inquiry` is its form, and the spans are its subject."""

    spans: tuple[Span, ...]
    joint: str
    inquiry: Inquiry | None = None


def segments(spans: Sequence[Span]) -> list[Segment]:
    """Splits at every joint. A joint word outranks the comma before it ("…, and …")."""
    found: list[Segment] = []
    current: list[Span] = []
    joint = "."
    for place, span in enumerate(spans):
        mark = _joint(spans, place)
        if mark is None:
            current.append(span)
            continue
        if current:
            found.append(Segment(tuple(current), joint))
            current, joint = [], mark
        else:
            joint = _stronger(joint, mark)
    if current:
        found.append(Segment(tuple(current), joint))
    return found


def _joint(spans: Sequence[Span], place: int) -> str | None:
    """The joint that a span is, or None."""
    span = spans[place]
    if span.number is not None or span.quoted or (span.entries and span.text not in JOINTS):
        return None
    if span.text in BREAKS:
        return "."
    if span.text in PAUSES:
        return None if _is_hyphen(spans, place) else ","
    if span.text in BY and _is_gerund(spans, place + 1):
        return "by"
    return span.text if span.text in JOINTS else None


def _is_hyphen(spans: Sequence[Span], place: int) -> bool:
    """Whether a dash joins two words: "auto-swing"."""
    inside = 0 < place < len(spans) - 1
    return inside and spans[place - 1].end == spans[place].start and spans[place].end == spans[place + 1].start


def _is_gerund(spans: Sequence[Span], place: int) -> bool:
    """Whether a gerund follows "by": the manner of the order before ("by increasing …")."""
    follower = spans[place] if place < len(spans) else None
    return follower is not None and follower.text.split()[0].endswith("ing") and follower.can_be(*VERBS)


def _stronger(one: str, other: str) -> str:
    """Of two joints in a row the one that says more: a full stop, then a word, then a comma."""
    if "." in (one, other):
        return "."
    return other if one == "," else one
