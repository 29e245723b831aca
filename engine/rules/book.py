"""Rules and their firings as RDF, in `hg:graph/rules`: written before something is done, and after."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, fields, is_dataclass, replace
from datetime import datetime
from enum import Enum

from engine.errors import InputError
from engine.graph.store import GraphStore
from engine.graph.terms import RDF_TYPE, RULES, Json, Literal, NamedNode, Quad, Term, literal, node, python
from engine.model.record import of_json, to_json
from engine.model.rule import Rule

NEXT, STANDING, STATUS = node("hg:nextFiring"), node("hg:standing"), node("hg:status")
REMEMBERED = 1000
"""How many firings are remembered that are over."""


class State(Enum):
    """What became of a firing."""

    BEGUN = "begun"  # written down, and nothing is known of it yet
    DONE = "done"
    FAILED = "failed"
    MISSED = "missed"  # its time passed while nobody was there
    INTERRUPTED = "interrupted"  # begun, and it is not known how far it came
    ASKED = "asked"  # its time passed, and somebody is asked


@dataclass(frozen=True, slots=True)
class Firing:
    """A rule was set off at `due`. `request` is the request in which it is carried out, `text` the rule's own."""

    iri: str
    rule: str
    due: datetime
    status: State
    text: str
    request: str
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Entry:
    """A rule as it stands in the graph: when time sets it off next, what held of its events, as JSON, and the values
    that it would have set when it was made, by property IRI."""

    rule: Rule
    next: datetime | None = None
    standing: Json = None
    does: tuple[tuple[str, Json], ...] = ()


def firing_of(rule: Rule, due: datetime) -> Firing:
    """The firing of a rule at a moment; its IRI tells it from every other."""
    iri = f"{rule.iri}/firing/{due.isoformat()}"
    return Firing(iri, rule.iri, due, State.BEGUN, rule.text, f"{iri}/request")


class Book:
    """The rules and firings of one store, mirrored in memory."""

    def __init__(self, store: GraphStore) -> None:
        self._store = store
        self.entries: dict[str, Entry] = {}
        self.firings: dict[str, Firing] = {}
        self._quads: dict[str, list[Quad]] = {}
        self._before: dict[str, list[Quad]] | None = None
        self.refresh()

    def refresh(self) -> None:
        """Reads the graph anew. A rule that cannot be read is left in the graph and out of the book."""
        self.entries, self.firings, self._quads = {}, {}, {}
        for quad in self._store.graph(RULES):
            self._quads.setdefault(quad.subject.value, []).append(quad)  # type: ignore[union-attr]
        for iri, quads in self._quads.items():
            values: dict[NamedNode, Term] = {quad.predicate: quad.object for quad in quads}  # type: ignore[misc]
            kinds = {quad.object for quad in quads if quad.predicate == RDF_TYPE}
            if node("hg:Rule") in kinds and (entry := _entry(iri, values)) is not None:
                self.entries[iri] = entry
            if node("hg:Firing") in kinds:
                self.firings[iri] = _firing(iri, values)

    def write(self, *, keep: Iterable[Entry] = (), drop: Iterable[str] = (), firings: Iterable[Firing] = ()) -> None:
        """Writes entries and firings, and takes rules away: all of it at once. Raises StoreError."""
        after: dict[str, list[Quad]] = {}
        kept, dropped, fired = tuple(keep), tuple(drop), tuple(firings)
        after.update({entry.rule.iri: list(_entry_quads(entry)) for entry in kept})
        after.update({one.iri: list(_firing_quads(one)) for one in fired})
        after.update({iri: [] for iri in (*dropped, *self._forgotten(fired))})
        before = {iri: self._quads.get(iri, []) for iri in after}
        if self._before is None:
            self._change(before, after)
        else:
            self._before = {**before, **self._before}
        self._take_over(kept, fired, after)

    @contextmanager
    def gathered(self) -> Iterator[None]:
        """What is written inside goes to the store at once, at its end. Raises StoreError."""
        if self._before is not None:
            yield
            return
        self._before = {}
        try:
            yield
        finally:
            before, self._before = self._before, None
            self._change(before, {iri: self._quads.get(iri, []) for iri in before})

    def _change(self, before: Mapping[str, list[Quad]], after: Mapping[str, list[Quad]]) -> None:
        old = {quad for quads in before.values() for quad in quads}
        new = {quad for quads in after.values() for quad in quads}
        if old != new:
            self._store.write(delete=list(old - new), insert=list(new - old))

    def _take_over(self, kept: Iterable[Entry], fired: Iterable[Firing], after: dict[str, list[Quad]]) -> None:
        for iri, quads in after.items():
            if quads:
                self._quads[iri] = quads
            else:
                self._quads.pop(iri, None)
                self.entries.pop(iri, None)
                self.firings.pop(iri, None)
        self.entries.update({entry.rule.iri: entry for entry in kept})
        self.firings.update({one.iri: one for one in fired})

    def _forgotten(self, new: tuple[Firing, ...]) -> list[str]:
        """The oldest firings that are over, where there are too many."""
        if not new or len(self.firings) < REMEMBERED:
            return []
        over = [one for one in self.firings.values() if one.status not in (State.BEGUN, State.ASKED)]
        coming = {one.iri for one in new}
        return [one.iri for one in sorted(over, key=lambda one: one.due)[: len(new)] if one.iri not in coming]

    def clear(self) -> None:
        """Forgets everything."""
        if self._quads:
            self._store.write(clear=[RULES])
            self.entries, self.firings, self._quads = {}, {}, {}


def _entry_quads(entry: Entry) -> Iterator[Quad]:
    rule, subject = entry.rule, NamedNode(entry.rule.iri)
    facts: list[tuple[str, Term]] = [
        ("rdf:type", node("hg:Rule")),
        ("hg:text", Literal(rule.text)),
        ("hg:content", literal(to_json(rule))),
        ("hg:enabled", literal(rule.enabled)),
        ("hg:catchUp", Literal(rule.catch_up.value)),
    ]
    facts += [("hg:user", Literal(rule.owner))] if rule.owner else []
    facts += [("hg:conversation", Literal(rule.conversation))] if rule.conversation else []
    facts += [("prov:generatedAtTime", literal(rule.made_at))] if rule.made_at else []
    facts += [("hg:nextFiring", literal(entry.next))] if entry.next else []
    facts += [("hg:standing", literal(entry.standing))] if entry.standing is not None else []
    facts += [("hg:sets", literal(dict(entry.does)))] if entry.does else []
    facts += [("hg:speaksOf", NamedNode(iri)) for iri in sorted(spoken_of(rule))]
    return (Quad(subject, node(predicate), term, RULES) for predicate, term in facts)


def spoken_of(rule: Rule) -> set[str]:
    """The IRIs that a rule names: classes, kinds, places, things, commands."""
    found: set[str] = set()

    def look(value: object) -> None:
        if isinstance(value, str):
            if value.startswith(("http://", "https://", "urn:")) and " " not in value:
                found.add(value)
        elif is_dataclass(value) and not isinstance(value, Enum):
            for one in fields(value):
                if one.name not in ("iri", "text", "mentions", "owner", "conversation"):
                    look(getattr(value, one.name))
        elif isinstance(value, tuple | list):
            for one_ in value:
                look(one_)

    look(rule)
    return found


def _firing_quads(one: Firing) -> Iterator[Quad]:
    subject = NamedNode(one.iri)
    facts: list[tuple[str, Term]] = [
        ("rdf:type", node("hg:Firing")),
        ("hg:ofRule", NamedNode(one.rule)),
        ("hg:due", literal(one.due)),
        ("hg:status", Literal(one.status.value)),
        ("hg:text", Literal(one.text)),
        ("hg:request", NamedNode(one.request)),
    ]
    facts += [("hg:reason", Literal(one.reason))] if one.reason else []
    return (Quad(subject, node(predicate), term, RULES) for predicate, term in facts)


def _entry(iri: str, values: dict[NamedNode, Term]) -> Entry | None:
    try:
        rule = of_json(python(values[node("hg:content")]))  # type: ignore[arg-type]
    except (InputError, KeyError):
        return None
    if not isinstance(rule, Rule):
        return None
    standing = values.get(STANDING)
    held = json.loads(standing.value) if standing is not None else None
    following, sets = values.get(NEXT), values.get(node("hg:sets"))
    does = tuple(json.loads(sets.value).items()) if sets is not None else ()
    return Entry(replace(rule, iri=iri), _moment(following) if following is not None else None, held, does)


def _moment(term: Term) -> datetime:
    return datetime.fromisoformat(term.value)


def _firing(iri: str, values: dict[NamedNode, Term]) -> Firing:
    def text(name: str) -> str:
        term = values.get(node(name))
        return "" if term is None else term.value

    due = datetime.fromisoformat(text("hg:due"))
    return Firing(
        iri,
        text("hg:ofRule"),
        due,
        State(text("hg:status")),
        text("hg:text"),
        text("hg:request"),
        text("hg:reason") or None,
    )
