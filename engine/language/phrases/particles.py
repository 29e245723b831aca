"""Particles that stand apart from their verb: "turn the light on", "bring it down"."""

from __future__ import annotations

from collections.abc import Sequence

from engine.language.phrases.slots import Frame
from engine.language.words.lexicon import Lexicon
from engine.language.words.spans import Span


def with_particle(frame: Frame, spans: Sequence[Span], lexicon: Lexicon) -> None:
    """Gives the verb of a frame the particle that was read as a value, or that says which way."""
    if not frame.verb:
        return
    head = frame.verb.split()[0]
    for amount in list(frame.amounts):
        entries = lexicon.phrasal(head, amount.text) if amount.preposition == "" else ()
        if entries and " " not in frame.verb:
            frame.verbs, frame.verb = entries, f"{frame.verb} {amount.text}"
            frame.amounts.remove(amount)
            return
    _with_direction(frame, spans, lexicon, head)


def _with_direction(frame: Frame, spans: Sequence[Span], lexicon: Lexicon, head: str) -> None:
    for word in ("up", "down"):
        if any(s.text == word for s in spans) and " " not in frame.verb:
            entries = lexicon.phrasal(head, word)
            if entries:
                frame.verbs, frame.verb = entries, f"{head} {word}"
                return
