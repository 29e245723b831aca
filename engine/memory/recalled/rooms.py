"""The rooms that somebody usually uses: counted from what they had done there, by days."""

from __future__ import annotations

from collections.abc import Sequence

from engine.graph.terms import Literal
from engine.language.meanings.context import Context
from engine.memory.recalled.recall import is_question
from engine.memory.said.words import Sentence, Stretch
from engine.model.outcome import Answer

_ASKING = frozenset({"which", "what", "where"})
ENOUGH = 3
"""On how many days somebody must have had something done for there to be a habit."""
OFTEN = 3
"""A room is used usually on one of so many days at least."""


def usual_rooms(user: str | None, context: Context) -> tuple[tuple[str, int], ...]:
    """The rooms that somebody usually uses, by IRI, each with on how many days; the most used first. None where there
    is too little experience."""
    days, everything = _days(user, context)
    if len(everything) < ENOUGH:
        return ()
    often = [(room, len(own)) for room, own in days.items() if len(own) * OFTEN >= len(everything)]
    return tuple(sorted(often, key=lambda one: (-one[1], one[0])))


def unused_rooms(user: str | None, context: Context) -> tuple[str, ...]:
    """The rooms with devices in which somebody had nothing, or hardly anything, done; by IRI."""
    used = {room for room, _ in usual_rooms(user, context)}
    held = dict.fromkeys(thing.place for thing in context.registry.things.values() if thing.place is not None)
    return tuple(room for room in held if used and room not in used and room in context.registry.places)


def _days(user: str | None, context: Context) -> tuple[dict[str, set[str]], set[str]]:
    found: dict[str, set[str]] = {}
    everything: set[str] = set()
    if not user:
        return found, everything
    for prop, day in context.store.select("memory/rooms", user=Literal(user)):
        thing = context.registry.thing_of.get(prop.value) if prop is not None else None
        if thing is not None and thing.place is not None and day is not None:
            found.setdefault(thing.place, set()).add(day.value)
            everything.add(day.value)
    return found, everything


def rooms_said(sentence: Sentence) -> tuple[Stretch, bool] | None:
    """The words for the rooms that somebody uses, or (False) hardly uses; None where none are said."""
    unused = sentence.find("hg:UnusedRooms")
    used = sentence.find("hg:UsualRooms")
    if unused is not None:
        return unused, False
    return (used, True) if used is not None else None


def asks_for_rooms(sentence: Sentence) -> bool:
    """Whether these rooms are what is asked for, and not where something shall be done."""
    return is_question(sentence) or sentence.word(0) in _ASKING


def named_rooms(iris: Sequence[str], context: Context) -> str:
    """Rooms as they are said in a request: "the kitchen, the study and the hall"."""
    names = [f"the {context.registry.places[iri].name}" for iri in iris]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def rooms_told(user: str | None, context: Context, *, used: bool) -> Answer:
    """The answer to which rooms somebody uses, with its counts."""
    found = usual_rooms(user, context)
    if not found:
        return Answer("I have not seen yet which rooms you usually use.")
    if not used:
        iris = unused_rooms(user, context)
        return Answer(f"You hardly use {named_rooms(iris, context)}." if iris else "You use all of them.", list(iris))
    names = [context.registry.places[iri].name for iri, _ in found]
    said = ", ".join(
        f"{name} (on {days} {'day' if days == 1 else 'days'})" for name, (_, days) in zip(names, found, strict=True)
    )
    return Answer(f"You usually use {said}.", list(names))
