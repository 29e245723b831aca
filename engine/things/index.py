"""An immutable snapshot of the registry: things, parts, affordances and places by IRI."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TypeVar

from engine.model.place import Place
from engine.model.thing import Action, Event, Part, Property, Thing
from engine.model.vocabulary import Vocabulary
from engine.things.ontology.classify import Classifier

_Value = TypeVar("_Value")


@dataclass(frozen=True, slots=True)
class Index:
    """Things, their parts and affordances, and places, each by IRI.

    `thing_of` leads from a thing and from each of its parts and affordances to it, `documents` from a graph.
    """

    vocabulary: Vocabulary
    classifier: Classifier
    things: Mapping[str, Thing] = field(default_factory=dict)
    parts: Mapping[str, Part] = field(default_factory=dict)
    properties: Mapping[str, Property] = field(default_factory=dict)
    actions: Mapping[str, Action] = field(default_factory=dict)
    events: Mapping[str, Event] = field(default_factory=dict)
    thing_of: Mapping[str, Thing] = field(default_factory=dict)
    documents: Mapping[str, Thing] = field(default_factory=dict)
    places: Mapping[str, Place] = field(default_factory=dict)

    def changed(self, things: Iterable[Thing] = (), gone: Iterable[Thing] = ()) -> Index:
        """The index without the things that are gone, and with `things`, which are classified."""
        added = list(things)
        removed = list(gone)
        left = {iri for thing in removed for iri in members(thing)}
        return replace(
            self,
            things=_with(self.things, left, ((t.iri, t) for t in added)),
            parts=_with(self.parts, left, ((p.iri, p) for t in added for p in t.parts)),
            properties=_with(self.properties, left, ((p.iri, p) for t in added for p in t.properties)),
            actions=_with(self.actions, left, ((a.iri, a) for t in added for a in t.actions)),
            events=_with(self.events, left, ((e.iri, e) for t in added for e in t.events)),
            thing_of=_with(self.thing_of, left, ((iri, t) for t in added for iri in members(t))),
            documents=_with(self.documents, {t.document for t in removed}, ((t.document, t) for t in added)),
        )


@dataclass(frozen=True, slots=True)
class Change:
    """The IRIs of things that were created, updated and deleted; `anew` where others wrote to the store, so that values
    kept beside the things may have changed, too."""

    created: tuple[str, ...] = ()
    updated: tuple[str, ...] = ()
    deleted: tuple[str, ...] = ()
    anew: bool = False


def changes(before: Index, after: Index) -> Change:
    """The differences between two snapshots. Where the vocabulary has changed, things may be classified otherwise
    without being described otherwise: then only created and deleted things are listed."""
    old, new = before.things, after.things
    same = before.vocabulary == after.vocabulary
    return Change(
        tuple(iri for iri in new if iri not in old),
        tuple(iri for iri, thing in new.items() if same and iri in old and old[iri] != thing),
        tuple(iri for iri in old if iri not in new),
        anew=True,
    )


def members(thing: Thing) -> Iterator[str]:
    """The IRIs of a thing, its parts (the first is the thing itself) and its affordances."""
    for part in thing.parts:
        yield part.iri
    for affordance in affordances(thing):
        yield affordance.iri


def affordances(thing: Thing) -> tuple[Property | Action | Event, ...]:
    """Properties, actions and events, in this order."""
    return (*thing.properties, *thing.actions, *thing.events)


def _with(old: Mapping[str, _Value], left: set[str], new: Iterable[tuple[str, _Value]]) -> Mapping[str, _Value]:
    kept = {iri: value for iri, value in old.items() if iri not in left} if left else dict(old)
    kept.update(new)
    return kept
