"""The choices offered to a language model for an utterance: a few things of this home, likeliest first, with their
rooms, actions, and values.

Names, aliases and options of a home are data: cut short, on one line, and never more than a name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from engine.language.meanings.context import Context
from engine.language.words.morphology import singular
from engine.language.words.tokens import tokenize
from engine.model.thing import Thing
from engine.model.vocabulary import Form

MOST_THINGS = 16
MOST_CLASSES = 12
MOST_PLACES = 16
MOST_OPERATIONS = 24
MOST_KINDS = 24
MOST_OPTIONS = 24
MOST_LETTERS = 56
"""How long a name may be that a model is told."""


@dataclass(frozen=True, slots=True)
class Offer:
    """Names in the prompt with their IRIs: things and classes, places, commands, kinds of property, variables of the
    environment, and options as they are."""

    things: Mapping[str, str]
    classes: Mapping[str, str]
    places: Mapping[str, str]
    commands: Mapping[str, str]
    kinds: Mapping[str, str]
    variables: Mapping[str, str]
    options: tuple[str, ...]


def offer(text: str, context: Context) -> Offer:
    """The choices for an utterance: things that share words with it come first, then those in the speaker's place, then
    one thing of each class."""
    things = _likely(text, context)
    vocabulary = context.vocabulary
    classes = dict.fromkeys(cls for thing in things for part in thing.parts for cls in sorted(part.classes))
    actions = [action for thing in things for action in thing.actions]
    commands = dict.fromkeys(c for a in actions for c in sorted(a.commands) if not _takes(c, context))
    kinds = dict.fromkeys(k for thing in things for p in thing.properties for k in sorted(p.kinds))
    variables = {i.variable for kind in vocabulary.kinds.values() for i in kind.influences}
    options = dict.fromkeys(o for t in things for p in t.properties for o in p.schema.enum if isinstance(o, str))
    return Offer(
        _unique_names(((_thing_name(thing, context), thing.iri) for thing in things), MOST_THINGS),
        _unique_names(((vocabulary.name(cls), cls) for cls in classes), MOST_CLASSES),
        _unique_names(_place_names(things, context), MOST_PLACES),
        _unique_names(((vocabulary.name(command), command) for command in commands), MOST_OPERATIONS),
        _unique_names(((vocabulary.name(kind), kind) for kind in kinds), MOST_KINDS),
        _unique_names(((vocabulary.name(one), one) for one in sorted(variables)), MOST_KINDS),
        tuple(o for o in options if tame(o) == o)[:MOST_OPTIONS],
    )


def tame(name: str) -> str:
    """A name as a model is told it: printable, on one line, cut short, without quotes and brackets of any kind."""
    plain = "".join(c if c.isalnum() or c in " '’.,/%°&+-_()" else " " for c in name)
    return re.sub(r"\s+", " ", plain).strip()[:MOST_LETTERS].strip()


def _unique_names(pairs: Iterable[tuple[str, str]], most: int) -> dict[str, str]:
    """IRIs by name; of several of one name the later ones get a number."""
    found: dict[str, str] = {}
    for name, iri in pairs:
        told, number = tame(name) or "unnamed", 2
        while told in found:
            told, number = f"{tame(name) or 'unnamed'} {number}", number + 1
        if len(found) < most:
            found[told] = iri
    return found


def _takes(command: str, context: Context) -> bool:
    """Whether a command copies an input: that is said by the property and the value instead."""
    return any(effect.form is Form.TO_INPUT for effect in context.effects(command))


def _thing_name(thing: Thing, context: Context) -> str:
    room = context.registry.places.get(thing.place or "")
    return f"{tame(thing.title)[:30]} ({tame(room.name)[:22]})" if room is not None else thing.title


def _place_names(things: Iterable[Thing], context: Context) -> list[tuple[str, str]]:
    known = context.registry.places
    rooms = [thing.place for thing in things if thing.place in known]
    nested = [place.iri for place in known.values() if place.parent]
    return [(known[room].name, room) for room in dict.fromkeys((*rooms, *nested)) if room]


def _likely(text: str, context: Context) -> list[Thing]:
    """The things that are offered."""
    said = {singular(token.text) for token in tokenize(text)}
    known = sorted(context.registry.things.values(), key=lambda thing: thing.iri)
    ranked = sorted(known, key=lambda thing: -_overlap(thing, said, context))
    likely = [thing for thing in ranked if _overlap(thing, said, context) > 0][: MOST_THINGS * 3 // 4]
    seen: set[frozenset[str]] = {thing.parts[0].classes for thing in likely}
    for thing in ranked:
        if thing not in likely and thing.actions and thing.parts[0].classes not in seen:
            seen.add(thing.parts[0].classes)
            likely.append(thing)
    return likely[:MOST_THINGS]


def _overlap(thing: Thing, said: set[str], context: Context) -> float:
    """How much of an utterance names a thing, its room, its classes; being where the person is counts a little."""
    room = context.registry.places.get(thing.place or "")
    labels = [label for part in thing.parts for c in part.every_class for label in context.vocabulary.labels.get(c, ())]
    own = 2 * len(said & _words((thing.title, *thing.aliases)))
    near = 0.5 if context.location is not None and thing.place == context.location else 0.0
    return own + 2 * len(said & _words((room.name, *room.aliases) if room else ())) + len(said & _words(labels)) + near


def _words(names: Iterable[str]) -> set[str]:
    return {
        singular(word)
        for name in names
        for word in re.split(r"[\W_]+", name.casefold())
        if len(word) > 2 or word.isdigit()
    }
