"""Turns frames into goals in the light of the conversation: resumptions, corrections and revocations of earlier
turns."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from engine.language.meanings.context import Context
from engine.language.meanings.names import denotations
from engine.language.meanings.past import Item, Undo
from engine.language.meanings.readings import Alternatives, read
from engine.language.phrases.coordination import Goal, goals
from engine.language.phrases.slots import Frame, HowMuch
from engine.language.talk.anaphora import about, resolved, settled
from engine.language.talk.corrections import (
    corrected,
    intents_of,
    is_fragment,
    rejected,
    undo,
    undoes_here,
    without_doubles,
)
from engine.language.talk.ellipsis import asked_on, resumed
from engine.language.talk.references import matched, repeated_from
from engine.language.words.lexicon import Role
from engine.language.words.tokens import tokenize

_ADDING = re.compile(r"\b(too|also|as well)\b", re.IGNORECASE)
"""What is said of one more thing corrects nothing: "actually, the bedroom as well"."""


def in_context(frames: Sequence[Frame], text: str, context: Context) -> list[Item]:
    """The items of a request after the turns before it."""
    hearing = context.hearing
    if not context.past.turns:
        plain = settled(asked_on(_without_denials(goals(frames, text)), context), context)
        return without_doubles([undo(g, context) if undoes_here(g, context) else g for g in plain])
    frames = [_as_value(frame, context) for frame in frames] if hearing.corrects else frames
    refused = [f for f in frames if _is_rejection(f)]
    found: list[Item] = [u for f in refused for g in goals([f], text) for u in rejected(g, context)]
    corrects = (hearing.corrects or bool(refused)) and not _ADDING.search(text)
    said = [f for f in frames if not _is_rejection(f)]
    first = next((i for i, f in enumerate(said) if f.verbs and f.has_object), 0) if corrects else 0
    several = asked_on([*_with_values(said[:first], text), *_with_values(said[first:], text)], context)
    for goal in settled(several, context):
        items = _items(goal, context, corrects=corrects)
        found.extend(_undone_meant(item, found, context) for item in items)
    return without_doubles(found)


def _without_denials(found: Sequence[Goal]) -> list[Goal]:
    """Drops prohibitions on an object named before, where other goals remain: "…, but don't start it"."""
    kept = [g for g in found if not (g.negated and g.refers and g.verbs and not g.amounts)]
    return kept or list(found)


def _undone_meant(item: Item, before: Sequence[Item], context: Context) -> Item:
    """Resolves "one" without a known name to the parts just reverted: "turn the main one back on"."""
    undone = [c.property for one in before if isinstance(one, Undo) for c in one.changes]
    if isinstance(item, Undo) or item.noun is None or item.noun.text not in ("one", "ones") or not undone:
        return item
    if item.noun.entries and any(things or classes for classes, things in denotations(item.noun, "", context)):
        return item
    return about(item, tuple(dict.fromkeys(context.registry.properties[iri].part for iri in undone)), context)


def _with_values(frames: Sequence[Frame], text: str) -> list[Goal]:
    """The goals of frames; a value at the beginning, with nothing beside it, is one of its own ("26")."""
    alone = next((i for i, f in enumerate(frames) if not _is_value_alone(f)), len(frames))
    values = [
        Goal(text[f.start : f.end], f.start, f.end, amounts=tuple(f.amounts), direction=f.direction, slight=f.slight)
        for f in frames[:alone]
        if f.amounts or f.direction
    ]
    return [*values, *goals(frames[alone:], text)]


def _is_value_alone(frame: Frame) -> bool:
    said = frame.amounts or frame.direction or not (frame.unknown or not frame.when.empty)
    return bool(said) and not (frame.verbs or frame.has_object or frame.unknown or frame.question)


def _as_value(frame: Frame, context: Context) -> Frame:
    """ "No, dry": a word that is said instead of a value is a value, though a verb may be called so, too."""
    if not frame.verbs or frame.has_object or frame.amounts or frame.unknown:
        return frame
    matches = context.dictionary.lexicon.at(tokenize(frame.verb), 0)
    entries = tuple(e for e in (matches[0].entries if matches else ()) if e.role in (Role.VALUE, Role.OPTION))
    if not entries:
        return frame
    return replace(frame, verbs=(), verb="", amounts=[HowMuch("", frame.verb, entries)])


def _items(goal: Goal, context: Context, *, corrects: bool) -> Sequence[Item]:
    reference = context.hearing.reference
    if reference is not None and context.past.last is not None:
        like = matched(goal, context)
        if like is not None:
            return [like]
        meant = repeated_from(resolved(goal, context.past.last, context), reference, context)
        if meant is not None:
            return [meant]
    if undoes_here(goal, context):
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
    """The readings of an item of a request."""
    context.hearing.goals[iri] = item
    if isinstance(item, Undo):
        return (intents_of(item, iri, context),)
    return read(item, iri, context)
