"""The things and places that a store holds, in memory, and the one way in which things get into the store and out."""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace

from engine.errors import InputError, ThingRefused
from engine.graph.knowledge import CONTENT
from engine.graph.knowledge import SUBJECT as ONTOLOGY_IRI
from engine.graph.store import GraphStore
from engine.graph.terms import INFERRED, ONTOLOGY, PLACES, STATE, NamedNode, Quad, expand, graph
from engine.model import thing_rdf as rdf
from engine.model.place import Place
from engine.model.thing import Action, Event, Part, Property, Thing
from engine.model.vocabulary import Vocabulary
from engine.things import places as place_rdf
from engine.things.bulk import uncollected
from engine.things.description import turtle
from engine.things.description.dialects import local_name
from engine.things.index import Change, Index, changes, members
from engine.things.inference import infer
from engine.things.ontology import vocabulary
from engine.things.ontology.classify import Classifier

ADDED_TERMS = graph("vocabulary")
"""What users added to the ontology graph: kept apart, too, so that a new version of the ontology does not lose it."""
INDEX = "things/index"
"""Under which the store keeps the index of its present generation, for every registry of it."""


@dataclass(slots=True)
class _Write:
    """One write in the making."""

    clear: list[NamedNode] = field(default_factory=list)
    delete: list[Quad] = field(default_factory=list)
    insert: list[Quad] = field(default_factory=list)


class Registry:
    """An index of a store, brought up to date when its generation changed. It may be shared between threads.

    Every mapping that it hands out is a snapshot that does not change any more.
    """

    def __init__(self, store: GraphStore) -> None:
        self.store = store
        self._lock = threading.RLock()
        self._generation = -1
        self._index = Index(Vocabulary(), Classifier(Vocabulary()))
        self._read = False
        self._watchers: list[Callable[[Change], None]] = []

    # Reading

    @property
    def vocabulary(self) -> Vocabulary:
        """The vocabulary of the ontology and of the terms that users added."""
        return self.index.vocabulary

    @property
    def things(self) -> Mapping[str, Thing]:
        """Things by IRI, with their inferred classes, kinds and commands."""
        return self.index.things

    @property
    def parts(self) -> Mapping[str, Part]:
        """Parts by IRI; the thing itself is one."""
        return self.index.parts

    @property
    def properties(self) -> Mapping[str, Property]:
        """Property affordances by IRI."""
        return self.index.properties

    @property
    def actions(self) -> Mapping[str, Action]:
        """Action affordances by IRI."""
        return self.index.actions

    @property
    def events(self) -> Mapping[str, Event]:
        """Event affordances by IRI."""
        return self.index.events

    @property
    def thing_of(self) -> Mapping[str, Thing]:
        """The thing, by its own IRI or that of any of its parts and affordances."""
        return self.index.thing_of

    @property
    def places(self) -> Mapping[str, Place]:
        """Places by IRI."""
        return self.index.places

    @property
    def index(self) -> Index:
        """All of it, of one moment."""
        if self.store.generation != self._generation:
            with self._lock:
                if self.store.generation != self._generation:
                    self._refresh()
        return self._index

    def renamed(self, given: Iterable[NamedNode]) -> dict[str, str]:
        """Property affordances by the addresses that their authors gave them, where these are others than their own."""
        rows = self.store.select("things/renamed", given=list(given))
        return {author.value: own.value for author, own in rows if author is not None and own is not None}

    def watch(self, heard: Callable[[Change], None]) -> None:
        """Calls `heard` with the created, updated and deleted things after each write of this registry, and when it
        meets writes of others. It is called within the write: it must be quick, and must not write."""
        self._watchers.append(heard)

    # Writing

    def alone(self) -> AbstractContextManager[bool]:
        """Within it nobody else writes things: for whoever decides by what is there."""
        return self._lock

    @uncollected()
    def put(
        self,
        things: Sequence[Thing],
        quads: Iterable[Quad] = (),
        *,
        described: Iterable[Quad] | None = None,
        without: Collection[str] = (),
    ) -> None:
        """Registers things, each replacing whole the one of its IRI, in one atomic write with the statements inferred
        from them.

        `quads` go with them: further statements in the things' own graphs, and descriptions of places, values of
        properties and terms of the vocabulary, which replace what their graph says of the same subject. (New terms are
        written just before: everything is inferred again from them.) `described` are the quads that
        `thing_rdf.describe` gives of the things, from a caller who has them at hand. `without` are things and places to
        remove at the same time: properties of theirs that one of the new things has keep their state. Raises
        ThingRefused where two things share a document or an affordance.
        """
        with self._lock:
            sorted_quads = _by_graph(quads)
            unique = list({thing.iri: thing for thing in things}.values())
            _refuse_shared(unique, self.index, without)
            terms = sorted_quads.pop(ONTOLOGY, [])
            self._put_terms(terms)
            if described is None:
                described = (quad for thing in unique for quad in rdf.describe(thing))
            self._put(unique, described, sorted_quads, without)
            self._forget_words({str(quad.subject) for quad in terms}, _reworded(unique, terms))

    def check(self, things: Sequence[Thing]) -> None:
        """Raises ThingRefused where `put` would, because two things share a document or an affordance."""
        _refuse_shared(list({thing.iri: thing for thing in things}.values()), self.index)

    def remove(self, iri: str) -> None:
        """Removes a thing, with its document, its state and its inferred statements. Raises InputError."""
        with self._lock:
            index = self.index
            thing = index.things.get(iri)
            if thing is None:
                raise InputError(f"There is no thing {iri}.", remedy="Ask which things there are.")
            gone = _Write([NamedNode(thing.document)])
            gone.delete += self._inferred([thing])
            gone.delete += self._state(p.iri for p in thing.properties)
            self._commit(gone, index.changed(gone=[thing]))
            self._tell(Change(deleted=(iri,)))
            self._forget_words()

    def infer(self) -> None:
        """Writes hg:graph/inferred anew, for all things and places."""
        with self._lock:
            self._infer(self.index)

    # Within

    def _refresh(self) -> None:
        """Reads the store; where the ontology has changed since, infers anew."""
        generation = self.store.generation
        known: Index | None = self.store.kept(INDEX)
        if known is not None:
            self._became(known, generation)
            return
        self._restore_terms()
        words = vocabulary.load(self.store)
        classifier = Classifier(words)
        places = place_rdf.read(self.store.graph(PLACES))
        places = {iri: classifier.place(place) for iri, place in places.items()}
        documents = (d for d, _ in self.store.select("things/documents") if isinstance(d, NamedNode))
        things = [classifier.thing(turtle.read(d.value, turtle.facts_of(self.store.graph(d)))) for d in documents]
        self._became(replace(Index(words, classifier).changed(things), places=places), generation)
        if (things or places) and self._marks(INFERRED, INFERRED) != self._marks(ONTOLOGY, INFERRED):
            self._infer(self._index)

    def _became(self, index: Index, generation: int) -> None:
        """Takes an index over, and tells watchers how it differs from the one before."""
        before, self._index, self._generation = self._index, index, generation
        self.store.keep(INDEX, index, generation)
        if self._read:
            self._tell(changes(before, index))
        self._read = True

    def _restore_terms(self) -> None:
        """Puts the terms that users added back into the ontology's graph, which a new version of the ontology has
        replaced."""
        lost = [Quad(s, p, o, ONTOLOGY) for s, p, o in self.store.select("things/lost_terms")]  # type: ignore[arg-type]
        if lost:
            self.store.write(insert=lost)

    def _marks(self, said_in: NamedNode, written_to: NamedNode) -> list[Quad]:
        """The version of the ontology's files that one graph goes by, for another."""
        rows = self.store.select("things/digest", graph=said_in)
        return [Quad(ONTOLOGY_IRI, CONTENT, digest, written_to) for (digest,) in rows if digest is not None]

    def _infer(self, index: Index) -> None:
        self._commit(_Write([INFERRED], [], self._all_inferred(index)), index)

    def _put_terms(self, terms: list[Quad]) -> None:
        """Writes terms to the ontology and to the graph of added terms, in place of earlier statements on the same
        subjects."""
        if not terms:
            return
        subjects = {quad.subject for quad in terms}
        old = [quad for quad in self.store.graph(ADDED_TERMS) if quad.subject in subjects]
        if {quad.triple for quad in old} == {quad.triple for quad in terms}:
            return
        both = (ADDED_TERMS, ONTOLOGY)
        self.store.write(
            delete=[Quad(q.subject, q.predicate, q.object, name) for q in old for name in both],
            insert=[Quad(q.subject, q.predicate, q.object, name) for q in terms for name in both],
        )
        self._refresh()
        self._infer(self._index)

    def _forget_words(self, fresh: Collection[str] = frozenset(), replaced: Collection[str] = frozenset()) -> None:
        """Drops the terms of a thing's own where the thing is gone, and those that one which is `replaced` has no more:
        all but the `fresh` ones."""
        rows = self.store.select("things/own_words")
        kept = self._index.things.keys() - set(replaced)
        stale = {str(term) for term, thing in rows if thing is not None and thing.value not in kept} - set(fresh)
        stale |= {str(term) for (term,) in self.store.select("things/outdone_words")} if rows else set()
        if not stale:
            return
        gone = [quad for quad in self.store.graph(ADDED_TERMS) if str(quad.subject) in stale]
        both = (ADDED_TERMS, ONTOLOGY)
        self.store.write(delete=[Quad(q.subject, q.predicate, q.object, name) for q in gone for name in both])

    def _put(
        self,
        things: list[Thing],
        described: Iterable[Quad],
        quads: dict[NamedNode, list[Quad]],
        without: Collection[str],
    ) -> None:
        index = self.index
        replaced = dict.fromkeys((*(thing.iri for thing in things), *without))
        gone = [index.things[iri] for iri in replaced if iri in index.things]
        classified = [index.classifier.thing(thing) for thing in things]
        fresh = _missing_places(things, index.places, quads.get(PLACES, []))
        if fresh:
            quads[PLACES] = [*quads.get(PLACES, []), *fresh]
        write = _Write([NamedNode(thing.document) for thing in gone])
        write.insert += described
        write.insert += [quad for given in quads.values() for quad in given]
        kept = {p.iri for thing in things for p in thing.properties}
        values = {quad.subject.value for quad in quads.get(STATE, ()) if isinstance(quad.subject, NamedNode)}
        dropped = {p.iri for thing in gone for p in thing.properties} - kept
        write.delete += self._state(sorted(dropped | values))
        after = index.changed(classified, gone)
        if PLACES in quads or index.places.keys() & set(without):
            after = replace(after, places=self._places(quads.get(PLACES, []), write, index.classifier, without))
        self._add_inferred(write, after, classified, gone, index)
        self._commit(write, after)
        new = [thing.iri for thing in things]
        self._tell(
            Change(
                created=tuple(iri for iri in new if iri not in index.things),
                updated=tuple(iri for iri in new if iri in index.things),
                deleted=tuple(thing.iri for thing in gone if thing.iri not in after.things),
            )
        )

    def _places(
        self, quads: list[Quad], write: _Write, classifier: Classifier, without: Collection[str]
    ) -> dict[str, Place]:
        """The places after the write; adds the old statements on described and removed places to its deletions."""
        described = {quad.subject for quad in quads} | {NamedNode(iri) for iri in without}
        now = self.store.graph(PLACES)
        write.delete += [quad for quad in now if quad.subject in described]
        kept = (quad for quad in now if quad.subject not in described)
        return {iri: classifier.place(place) for iri, place in place_rdf.read([*kept, *quads]).items()}

    def _add_inferred(self, write: _Write, after: Index, things: list[Thing], gone: list[Thing], before: Index) -> None:
        """Adds inferred statements to a write: on the new things and places alone, or on all where places have
        changed."""
        new = [place for iri, place in after.places.items() if before.places.get(iri) != place]
        moved = {iri for iri in before.places if after.places.get(iri) != before.places[iri]}
        if moved:
            write.clear.append(INFERRED)
            write.insert += self._all_inferred(after)
            return
        write.delete += self._inferred(gone)
        write.insert += infer(things, new, after.places, after.vocabulary)
        if not before.things and not before.places:
            write.insert += self._marks(ONTOLOGY, INFERRED)

    def _all_inferred(self, index: Index) -> list[Quad]:
        inferred = infer(index.things.values(), index.places.values(), index.places, index.vocabulary)
        return inferred + self._marks(ONTOLOGY, INFERRED)

    def _inferred(self, things: Iterable[Thing]) -> list[Quad]:
        bound = [NamedNode(thing.iri) for thing in things]
        rows = self.store.select("things/inferred", thing=bound) if bound else []
        return [Quad(s, p, o, INFERRED) for s, p, o in rows]  # type: ignore[arg-type]

    def _state(self, properties: Iterable[str]) -> list[Quad]:
        bound = [NamedNode(iri) for iri in properties]
        rows = self.store.select("things/state", property=bound) if bound else []
        return [Quad(s, p, o, STATE) for s, p, o in rows]  # type: ignore[arg-type]

    def _tell(self, change: Change) -> None:
        if change != Change():
            for heard in self._watchers:
                heard(change)

    def _commit(self, write: _Write, index: Index) -> None:
        before = self.store.generation
        self.store.write(clear=write.clear, delete=write.delete, insert=write.insert)
        after = self.store.generation
        self._index = index
        self._generation = after if after <= before + 1 else -1  # somebody else wrote in between: read it all again
        self.store.keep(INDEX, index, self._generation)


def _reworded(things: Iterable[Thing], terms: Iterable[Quad]) -> set[str]:
    """The things that come with words of their own, or need none; of others the words stay that they have."""
    fresh = {quad.object for quad in terms if quad.predicate == vocabulary.WORD_OF}
    return {thing.iri for thing in things if NamedNode(thing.iri) in fresh or not _has_own(thing)}


def _has_own(thing: Thing) -> bool:
    own = rdf.below(thing.iri, "commands", "")
    return any(command.startswith(own) for action in thing.actions for command in action.commands)


def _by_graph(quads: Iterable[Quad]) -> dict[NamedNode, list[Quad]]:
    found: dict[NamedNode, list[Quad]] = {}
    for quad in quads:
        if not isinstance(quad.graph_name, NamedNode):
            raise InputError(f"A statement is in no named graph: {quad}.")
        found.setdefault(quad.graph_name, []).append(quad)
    return found


def _refuse_shared(things: list[Thing], index: Index, without: Collection[str] = ()) -> None:
    """Raises ThingRefused where a document or an affordance belongs to another thing."""
    documents: dict[str, str] = {}
    owners: dict[str, str] = {}
    replaced = {thing.iri for thing in things} | set(without)
    for thing in things:
        held = index.documents.get(thing.document)
        other = documents.setdefault(thing.document, thing.iri)
        if held is not None and held.iri not in replaced:
            other = held.iri
        if other != thing.iri:
            raise _shared(thing, other, thing.document, "hg:OneThingShape")
        for iri in members(thing):
            known = index.thing_of.get(iri)
            owner = owners.setdefault(iri, thing.iri)
            if known is not None and known.iri not in replaced:
                owner = known.iri
            if owner != thing.iri:
                raise _shared(thing, owner, iri, "hg:OneOwnerShape")


def _shared(thing: Thing, other: str, node: str, shape: str) -> ThingRefused:
    return ThingRefused(
        f"{thing.iri} and {other} share {node}.",
        node=node,
        shape=expand(shape),
        remedy="Give each thing and each affordance an address of its own.",
    )


def _missing_places(things: list[Thing], places: Mapping[str, Place], described: list[Quad]) -> list[Quad]:
    """Places that nobody describes, called by the end of their address."""
    known = {quad.subject.value for quad in described if isinstance(quad.subject, NamedNode)}
    missing = dict.fromkeys(t.place for t in things if t.place and t.place not in places and t.place not in known)
    return [quad for iri in missing for quad in place_rdf.describe(Place(iri, local_name(iri) or iri))]
