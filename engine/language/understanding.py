"""Words in, intents out: tokens, spans, segments, frames, goals, readings."""

from __future__ import annotations

from engine.language.asides import without_remarks, without_statements
from engine.language.clauses import segments
from engine.language.context import Context
from engine.language.coordination import goals
from engine.language.frames import read_frame
from engine.language.readings import Alternatives, read
from engine.language.restrictions import restrict
from engine.language.spans import read_spans
from engine.language.tokens import MAX_CHARACTERS
from engine.model.intent import Intent


def understand(text: str, request: str, context: Context) -> tuple[Alternatives, ...]:
    """For each goal of a text its readings, likeliest first, each a tuple of intents whose IRIs begin with `request`.

    A text that says nothing has one intent, not understood."""
    spans = restrict(read_spans(text[:MAX_CHARACTERS], context.dictionary.lexicon))
    said = without_statements(segments(spans))
    frames = without_remarks([read_frame(segment, context.dictionary.lexicon) for segment in said])
    if any(frame.when.conditional for frame in frames):
        return (((Intent(f"{request}/intent-1", text, fault="not_supported_yet", subject=text[:200]),),),)
    found = enumerate(goals(frames, text), start=1)
    readings = tuple(read(goal, f"{request}/intent-{number}", context) for number, goal in found)
    return readings or (((Intent(f"{request}/intent-1", text, fault="not_understood", subject=text[:200]),),),)
