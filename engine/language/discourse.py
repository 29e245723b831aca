"""Frames into goals in the light of the conversation: what they resume, correct, or take back of what was said."""

from __future__ import annotations

from collections.abc import Sequence

from engine.language.context import Context
from engine.language.coordination import Goal, goals
from engine.language.ellipsis import resumed
from engine.language.mending import (
    corrected,
    intents_of,
    is_fragment,
    rejected,
    undo,
    undoes,
    without_doubles,
)
from engine.language.past import Item, Undo
from engine.language.readings import Alternatives, read
from engine.language.slots import Frame


def in_context(frames: Sequence[Frame], text: str, context: Context) -> list[Item]:
    """What a request comes to after what was said before it."""
    hearing = context.hearing
    if not context.past.turns:
        return without_doubles([undo(g, context) if undoes(g) else g for g in goals(frames, text)])
    refused = [f for f in frames if _is_rejection(f)]
    found: list[Item] = [u for f in refused for g in goals([f], text) for u in rejected(g, context)]
    corrects = hearing.corrects or bool(refused)
    for goal in goals([f for f in frames if not _is_rejection(f)], text):
        found.extend(_items(goal, context, corrects=corrects))
    return without_doubles(found)


def _items(goal: Goal, context: Context, *, corrects: bool) -> Sequence[Item]:
    if undoes(goal):
        return [undo(goal, context)]
    if context.hearing.shifted is not None and goal.start >= context.hearing.shifted:
        return [goal]
    if corrects and is_fragment(goal):
        return corrected(goal, context)
    return resumed(goal, context)


def _is_rejection(frame: Frame) -> bool:
    """ "Not the kitchen": a negation without a verb."""
    return frame.negated and not frame.verbs and not frame.question


def interpreted(item: Item, iri: str, context: Context) -> Alternatives:
    """The readings of what a request comes to."""
    context.hearing.goals[iri] = item
    if isinstance(item, Undo):
        return (intents_of(item, iri, context),)
    return read(item, iri, context)
