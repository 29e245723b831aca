"""Words of a thing's own for those of its actions that the vocabulary has no command for, by their names and titles."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from engine.graph.terms import ONTOLOGY, NamedNode, Node, Quad, Triple
from engine.model import thing_rdf as rdf
from engine.model.thing import Action, Schema, Thing
from engine.model.vocabulary import Vocabulary
from engine.things.minting import NUMBERS, Minting, is_own
from engine.things.ontology.classify import Classifier
from engine.things.ontology.identifiers import tokens
from engine.things.ontology.vocabulary import WORD_OF
from engine.things.partition import addressed
from engine.things.registry import Registry

Path = tuple[str, ...]
Measure = tuple[str, str | None]


@dataclass(frozen=True, slots=True)
class Minted:
    """The terms (`quads`), and the words for each action by its name: the command, and the kind and the unit of each
    number of the input, by its path."""

    quads: tuple[Quad, ...] = ()
    commands: Mapping[str, str] = field(default_factory=dict)
    numbers: Mapping[str, Mapping[Path, Measure]] = field(default_factory=dict)

    def said_of(self, thing: Thing) -> Thing:
        """The thing with these words for its actions."""
        return replace(thing, actions=tuple(map(self._worded, thing.actions))) if self.commands else thing

    def _worded(self, action: Action) -> Action:
        command = self.commands.get(action.name)
        if command is None:
            return action
        given = action.input
        if given is not None:
            given = _measured(given, (), self.numbers[action.name])
        return replace(action, commands=action.commands | {command}, input=given)


class Wording:
    """Words for the actions of things that come in together, with a vocabulary. `called` is the name that somebody
    registers them under."""

    def __init__(self, things: Sequence[Thing], registry: Registry, words: Vocabulary, called: str = "") -> None:
        self._things, self._registry, self._words, self._called = things, registry, words, called

    def of(self, thing: Thing) -> Minted:
        """The words for those actions of one of the things that the vocabulary has no command for."""
        if all(action.effects or action.commands & self._words.commands.keys() for action in thing.actions):
            return Minted()
        minting = Minting(thing.iri, self._called or " ".join(tokens(thing.title)), self._registry, self._names)
        classified = {action.name: action for action in self._classifier.thing(thing).actions}
        commands: dict[str, str] = {}
        numbers: dict[str, dict[Path, Measure]] = {}
        for action in thing.actions:
            names = tuple(_names(action, minting))
            if not names or not self._new(classified[action.name], thing, minting):
                continue
            numbers[action.name] = dict(_extents(action, minting)) if action.input is not None else {}
            kinds = [kind for kind, _ in numbers[action.name].values()]
            commands[action.name] = minting.command(action.name, names, kinds)
        return Minted(tuple(_quads(thing, minting)), commands, numbers)

    @cached_property
    def _classifier(self) -> Classifier:
        index = self._registry.index
        return index.classifier if self._words is index.vocabulary else Classifier(self._words)

    @cached_property
    def _names(self) -> frozenset[tuple[str, ...]]:
        """The names of all things and places, those that come in, too."""
        index = self._registry.index
        places = (name for place in index.places.values() for name in (place.name, *place.aliases))
        things = (name for thing in (*index.things.values(), *self._things) for name in _called(thing))
        return frozenset(filter(None, map(tokens, (*places, *things))))

    def _new(self, action: Action, thing: Thing, minting: Minting) -> bool:
        """Whether the vocabulary has no command for an action, or one for a part of its name alone: who starts a disco
        does more than to start."""
        if action.effects:
            return False
        if all(map(is_own, action.commands & self._words.commands.keys())):
            return True
        about = {word for name in _called(thing) for word in tokens(name)}
        return any(not minting.names(word) and word not in about for word in tokens(action.name.rpartition(".")[2]))


def _called(thing: Thing) -> tuple[str, ...]:
    """The names of a thing and its parts."""
    return (thing.title, *thing.aliases, *(part.title or "" for part in thing.parts))


def _names(action: Action, minting: Minting) -> Iterator[str]:
    """The names of an action; what leads to a number may follow what is moved: “move the arm by 10 centimetres”."""
    for name, fits in ((action.name, minting.free), (action.title or "", minting.sayable)):
        if name and fits(name):
            yield name
            *words, last = tokens(name)
            short = " ".join(words)
            if minting.joins(last) and minting.sayable(short) and any(_numbers(action.input or Schema(), ())):
                yield short


def _quads(thing: Thing, minting: Minting) -> Iterator[Quad]:
    """The terms as the vocabulary keeps them, each said to be of the thing."""
    names: dict[Node, NamedNode] = {}
    owner, whole = NamedNode(rdf.below(thing.iri, "words")), NamedNode(thing.iri)
    own: dict[NamedNode, None] = {}
    for one in minting.triples:
        assert not isinstance(one.subject, Triple)
        assert not isinstance(one.object, Triple)
        subject, said = addressed(one.subject, owner, names), addressed(one.object, owner, names)
        assert isinstance(subject, NamedNode)
        own[subject] = None
        yield Quad(subject, one.predicate, said, ONTOLOGY)
    for term in own:
        yield Quad(term, WORD_OF, whole, ONTOLOGY)


def _extents(action: Action, minting: Minting) -> Iterator[tuple[Path, Measure]]:
    for path, schema in _numbers(action.input or Schema(), ()):
        said = (schema.unit or "", *path[-1:], schema.description or "")
        yield path, minting.extent(action.name, path[-1] if path else "", said)


def _numbers(schema: Schema, path: Path) -> Iterator[tuple[Path, Schema]]:
    """The numbers within a schema, by where they are."""
    if schema.type in NUMBERS:
        yield path, schema
    for name, member in schema.properties:
        yield from _numbers(member, (*path, name))


def _measured(schema: Schema, path: Path, numbers: Mapping[Path, Measure]) -> Schema:
    """A schema with the kinds and units of its numbers."""
    members = tuple((name, _measured(member, (*path, name), numbers)) for name, member in schema.properties)
    if path not in numbers:
        return replace(schema, properties=members)
    kind, unit = numbers[path]
    return replace(schema, properties=members, kinds=schema.kinds | {kind}, unit=unit or schema.unit)
