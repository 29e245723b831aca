"""Words of a thing's own for those of its actions that the vocabulary has no command for, by their names and titles."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from engine.graph.terms import Triple
from engine.model.thing import Action, Schema, Thing
from engine.origins.minting import NUMBERS, Minting
from engine.things.ontology.identifiers import tokens
from engine.things.registry import Registry

Path = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Minted:
    """The terms (`triples`), and the words for each action by its name: the command, and the kind and the unit
    of each number of the input, by its path."""

    triples: tuple[Triple, ...]
    commands: Mapping[str, str]
    numbers: Mapping[str, Mapping[Path, tuple[str, str | None]]]

    def said_of(self, thing: Thing) -> Thing:
        """The thing with these words for its actions."""
        return replace(thing, actions=tuple(map(self._worded, thing.actions)))

    def _worded(self, action: Action) -> Action:
        command = self.commands.get(action.name)
        if command is None:
            return action
        given = action.input
        if given is not None:
            given = _measured(given, (), self.numbers[action.name])
        return replace(action, commands=action.commands | {command}, input=given)


def of_actions(thing: Thing, called: str, registry: Registry) -> Minted:
    """The words for the actions of a thing that is registered under a name."""
    minting = Minting(thing.iri, called, registry)
    classified = {action.name: action for action in registry.index.classifier.thing(thing).actions}
    commands: dict[str, str] = {}
    numbers: dict[str, dict[Path, tuple[str, str | None]]] = {}
    for action in thing.actions:
        names = tuple(_names(action, minting))
        if not names or not _new(classified[action.name], thing, minting, registry):
            continue
        numbers[action.name] = dict(_extents(action, minting)) if action.input is not None else {}
        kinds = [kind for kind, _ in numbers[action.name].values()]
        commands[action.name] = minting.command(action.name, names, kinds)
    return Minted(tuple(minting.triples), commands, numbers)


def _names(action: Action, minting: Minting) -> Iterator[str]:
    if minting.free(action.name):
        yield action.name
    if action.title and minting.sayable(action.title):
        yield action.title


def _new(action: Action, thing: Thing, minting: Minting, registry: Registry) -> bool:
    """Whether the vocabulary has no command for an action, or one for a part of its name alone: who starts a disco does
    more than to start."""
    if action.effects:
        return False
    if not any("commands/" not in iri for iri in action.commands & registry.vocabulary.commands.keys()):
        return True
    about = {
        word for name in (thing.title, *thing.aliases, *(p.title or "" for p in thing.parts)) for word in tokens(name)
    }
    return any(not minting.names(word) and word not in about for word in tokens(action.name.rpartition(".")[2]))


def _extents(action: Action, minting: Minting) -> Iterator[tuple[Path, tuple[str, str | None]]]:
    for path, schema in _numbers(action.input or Schema(), ()):
        said = (schema.unit or "", *path[-1:], schema.description or "")
        yield path, minting.extent(action.name, path[-1] if path else "", said)


def _numbers(schema: Schema, path: Path) -> Iterator[tuple[Path, Schema]]:
    """The numbers within a schema, by where they are."""
    if schema.type in NUMBERS:
        yield path, schema
    for name, member in schema.properties:
        yield from _numbers(member, (*path, name))


def _measured(schema: Schema, path: Path, numbers: Mapping[Path, tuple[str, str | None]]) -> Schema:
    """A schema with the kinds and units of its numbers."""
    members = tuple((name, _measured(member, (*path, name), numbers)) for name, member in schema.properties)
    if path not in numbers:
        return replace(schema, properties=members)
    kind, unit = numbers[path]
    return replace(schema, properties=members, kinds=schema.kinds | {kind}, unit=unit or schema.unit)
