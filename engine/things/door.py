"""The door: files of things, places, state and terms into the store, each file whole or not at all."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path

from engine.errors import InputError, ThingRefused
from engine.graph.store import GraphStore
from engine.graph.terms import (
    ONTOLOGY,
    STATE,
    Json,
    Literal,
    NamedNode,
    Node,
    Quad,
    Term,
    Triple,
    compact,
    expand,
    literal,
    python,
)
from engine.model import thing_rdf as rdf
from engine.model.thing import Property, Thing
from engine.things import checks, places, reserved
from engine.things.bulk import uncollected
from engine.things.description import dialects, jsonld, targets, turtle
from engine.things.description.jsonld_reader import CONTEXT
from engine.things.description.turtle import Facts
from engine.things.ontology import vocabulary
from engine.things.partition import addressed, closure, declares_terms, partition
from engine.things.registry import Registry
from engine.things.wording import Wording

VALUE, OBSERVED_AT, CHANGED_AT = dialects.STATE_TERMS


@dataclass(frozen=True, slots=True)
class LoadReport:
    """The result of a load: IRIs of things and places, the numbers of values and terms, and warnings on small
    faults."""

    things: tuple[str, ...] = ()
    places: tuple[str, ...] = ()
    states: int = 0
    terms: int = 0
    warnings: tuple[str, ...] = ()

    def __add__(self, other: LoadReport) -> LoadReport:
        return LoadReport(
            tuple(dict.fromkeys(self.things + other.things)),
            tuple(dict.fromkeys(self.places + other.places)),
            self.states + other.states,
            self.terms + other.terms,
            self.warnings + other.warnings,
        )


def load(
    store: GraphStore,
    paths: Iterable[Path],
    *,
    registry: Registry | None = None,
    now: datetime | None = None,
    taken: dict[str, str] | None = None,
) -> LoadReport:
    """Reads Turtle and JSON-LD files into the store, each in one atomic write, and reports on what was added.

    `taken` maps the IRIs of things to their files from call to call, where files are loaded one by one: of two TDs with
    one id, the second gets an address of its own. `registry` is the one that is kept of this store, if there is one;
    `now` is when the state was observed. Raises SyntaxFault (file and line), ThingRefused (node, shape, remedy) or
    another InputError; the file that it is about has then changed nothing, those before it are loaded.
    """
    registry = registry or Registry(store)
    report = LoadReport()
    taken = {} if taken is None else taken
    for path in paths:
        triples, warnings = parse(path, taken)
        admitted = admit(registry, triples, source=path.name, now=now)
        taken.update(dict.fromkeys(admitted.things, path.name))
        report += LoadReport(warnings=tuple(f"{path.name}: {warning}" for warning in warnings)) + admitted
    return report


def parse(path: Path, taken: dict[str, str] | None = None) -> tuple[list[Triple], list[str]]:
    """The statements of one file, and its warnings. Raises SyntaxFault, ThingRefused or another InputError."""
    if path.suffix.lower() in jsonld.SUFFIXES:
        triples, warnings = jsonld.parse_file(path, taken)
        return triples, [*warnings, *targets.warnings(triples)]
    return turtle.parse_file(path), []


@uncollected()
def admit(
    registry: Registry,
    triples: Sequence[Triple],
    *,
    source: str = "",
    now: datetime | None = None,
    only: str | None = None,
    words: bool = True,
    called: str = "",
) -> LoadReport:
    """Takes in the statements of one file, or refuses them all; where `only` names a thing, also those that describe
    another one or declare terms. With `words`, actions that the vocabulary has no command for are called by their
    names; `called` is the name that a thing is registered under, if not its title. Raises InputError and its kinds."""
    return _Admission(registry, turtle.facts_of(triples), source, now or datetime.now(UTC), words, called).run(only)


def preview(
    registry: Registry, triples: Sequence[Triple], *, source: str = "", now: datetime | None = None
) -> tuple[LoadReport, tuple[Thing, ...]]:
    """The report that `admit` would give, and the things among the triples; writes nothing. Raises as `admit` does."""
    admission = _Admission(registry, turtle.facts_of(triples), source, now or datetime.now(UTC))
    report, found = admission.read(), admission.found
    registry.check(found.things)
    return report, tuple(found.things)


@dataclass(slots=True)
class _Found:
    """The contents of a file, ready for the registry."""

    things: list[Thing] = field(default_factory=list)
    described: list[Quad] = field(default_factory=list)
    quads: list[Quad] = field(default_factory=list)
    state: dict[NamedNode, dict[str, Term]] = field(default_factory=dict)
    names: dict[Node, NamedNode] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)


class _Admission:
    def __init__(
        self,
        registry: Registry,
        facts: Facts,
        source: str,
        now: datetime,
        words: bool = False,
        called: str = "",
    ) -> None:
        self._registry = registry
        self._facts = facts
        self._source = source
        self._now = now
        self._wanted, self._called = words, called
        known = registry.vocabulary
        if declares_terms(facts):
            known = vocabulary.read([*registry.store.graph(ONTOLOGY), *_quads(facts)])
        self._parts = partition(facts, known)
        self._words = known
        self._reserved = reserved.reserved(registry.store)
        self._found = _Found()

    @property
    def found(self) -> _Found:
        """The contents read so far."""
        return self._found

    def run(self, only: str | None = None) -> LoadReport:
        """The whole of it: nothing is written before all is known to be right."""
        report, found = self.read(), self._found
        if only is not None and (report.things != (only,) or report.terms):
            raise ThingRefused(
                f"It does not describe {only} alone.",
                node="$",
                shape=expand("hg:OneThingShape"),
                remedy="Send one thing at a time, and terms by themselves.",
            )
        self._registry.put(found.things, found.quads, described=found.described)
        return report

    def read(self) -> LoadReport:
        """All but the writing."""
        self._things()
        self._places()
        states = self._state()
        self._terms()
        self._rest()
        found = self._found
        prefix = f"{self._source}: " if self._source else ""
        return LoadReport(
            things=tuple(thing.iri for thing in found.things),
            places=tuple(place.value for place in self._parts.places),
            states=states,
            terms=len(self._parts.terms),
            warnings=tuple(prefix + warning for warning in dict.fromkeys(found.warnings)),
        )

    # Things

    def _things(self) -> None:
        claimed = self._parts.claimed
        units = self._units()
        read: list[tuple[Thing, dialects.Description]] = []
        for n in self._parts.things:
            place = self._parts.within.get(n)
            described = dialects.normalise(self._facts, n, place.value if place else None, claimed)
            violations = checks.check_shapes(described.quads)
            if violations:
                raise checks.refusal(violations)
            thing = turtle.read(described.document, described.facts)
            if CONTEXT in self._facts[n]:
                self._found.warnings += checks.bounds_warnings(thing)
            else:
                checks.check_bounds(thing)
            targets.check(described.quads)
            self._found.warnings += [*described.warnings, *checks.unknown_units(thing, units)]
            called = (thing.title, *thing.aliases, *(part.title for part in thing.parts[1:]))
            self._found.warnings += reserved.warnings(filter(None, called), self._reserved)
            read.append((thing, described))
        self._carry(read)

    def _carry(self, read: Sequence[tuple[Thing, dialects.Description]]) -> None:
        wording = Wording([thing for thing, _ in read], self._registry, self._words, self._called)
        for thing, described in read:
            if self._wanted:
                minted = wording.of(thing)
                thing = minted.said_of(thing)
                self._found.quads += minted.quads
            carried = rdf.describe(thing)
            self._found.things.append(thing)
            self._found.described += carried
            self._found.quads += rdf.extension(thing, carried, described.quads)
            self._found.state.update(described.state)
            self._found.names.update(described.names)

    def _units(self) -> frozenset[str]:
        words = self._words
        spelt = {label for unit in words.units for label in words.labels.get(unit, ())}
        return frozenset(words.units | spelt | {label.lower() for label in spelt})

    # Places

    def _places(self) -> None:
        known = self._registry.places
        for n in self._parts.places:
            place, extra = places.normalise(self._facts, n, self._parts.within.get(n), self._parts.claimed)
            bare = n not in self._facts or not any(p in self._facts[n] for p in places.NAMED)
            if bare and place.iri in known:
                held = known[place.iri]
                if place.parent in (None, held.parent):
                    continue  # only named here; it is described in another file
                place = replace(held, parent=place.parent)
            elif bare:
                self._found.warnings.append(f"{compact(place.iri)} has no name; it is called '{place.name}'.")
            self._found.warnings += reserved.warnings((place.name, *place.aliases), self._reserved)
            self._found.quads += [*places.describe(place), *extra]

    # State

    def _state(self) -> int:
        state = self._found.state
        for n in self._parts.state:
            address = self._found.names.get(n, n)
            state[address] = {p.value: values[0] for p, values in self._facts[n].items() if p in dialects.STATE_TERMS}
        new = {prop.iri: prop for thing in self._found.things for prop in thing.properties}
        given = self._given_addresses([n for n in state if n.value not in new])
        for n, said in state.items():
            iri = n.value if n.value in new else given.get(n.value, n.value)
            prop = new.get(iri) or self._registry.properties.get(iri)
            if prop is None:
                raise InputError(
                    f"There is a state for {compact(iri)}, but no such property.",
                    remedy="Name a property affordance of this file or of a thing that is loaded.",
                )
            self._found.quads += self._value(prop, said)
        return len(state)

    def _given_addresses(self, unknown: list[NamedNode]) -> dict[str, str]:
        """Properties by the address that their author gave them."""
        known = self._registry.properties
        missing = [n for n in unknown if n.value not in known]
        return self._registry.renamed(missing) if missing else {}

    def _value(self, prop: Property, said: dict[str, Term]) -> list[Quad]:
        value: Json = python(said[VALUE.value]) if VALUE.value in said else None  # type: ignore[assignment]
        warning = checks.check_value(prop, value)
        if warning:
            self._found.warnings.append(warning)
        if prop.schema.type == "integer" and isinstance(value, float):
            value = int(value)
        subject, now = NamedNode(prop.iri), literal(self._now)
        return [
            Quad(subject, VALUE, literal(value), STATE),
            Quad(subject, OBSERVED_AT, said.get(OBSERVED_AT.value, now), STATE),
            Quad(subject, CHANGED_AT, said.get(CHANGED_AT.value, now), STATE),
        ]

    # Terms, and what belongs to nobody

    def _terms(self) -> None:
        for term in self._parts.terms:
            self._found.quads += self._closure(term, term, {}, ONTOLOGY)

    def _rest(self) -> None:
        names = self._found.names
        graphs = {thing.iri: NamedNode(thing.document) for thing in self._found.things}
        for n, thing in self._parts.attached.items():
            owner = None if isinstance(thing, Literal) else names.get(thing)
            if owner is not None:
                self._found.quads += self._closure(n, owner, names, graphs[owner.value])
        rest = self._parts.rest
        if rest:
            some = ", ".join(sorted(compact(n.value) for n in rest if isinstance(n, NamedNode))[:5]) or "blank nodes"
            self._found.warnings.append(f"Left out, for they are said of no thing, place or term: {some}.")
        if not self._found.quads and not self._found.things:
            self._found.warnings.append("There is nothing in it that could be loaded.")

    def _closure(self, n: Node, owner: NamedNode, names: dict[Node, NamedNode], graph: NamedNode) -> list[Quad]:
        """The statements on a node and on the nodes below it, as quads of a graph."""
        return [
            Quad(addressed(s, owner, names), p, addressed(o, owner, names), graph)  # type: ignore[arg-type]
            for s, p, o in closure(self._facts, n, self._parts.claimed)
        ]


def _quads(facts: Facts) -> list[Quad]:
    return [Quad(s, p, o, ONTOLOGY) for s, about in facts.items() for p, values in about.items() for o in values]
