"""Who can do what, where: the affordances for an intent that is stored in the graph, found by SPARQL from its IRI."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import product
from weakref import WeakKeyDictionary

from engine.graph.store import GraphStore
from engine.graph.terms import NamedNode, Term, node

Nodes = tuple[NamedNode, ...]
Rows = Sequence[tuple[Term | None, ...]]

ANYWHERE, ANYTHING = node("hg:Anywhere"), node("hg:Anything")


@dataclass(frozen=True, slots=True)
class Candidate:
    """An affordance that could serve an intent, and the part and thing that it belongs to, all by IRI.

    `command` is the class by which an action was found. `exact`: it is of the intent's own command, or a reading of its
    kind; else it is an action, or a property to be written, that bears on the same kind of property.
    """

    part: str
    thing: str
    affordance: str
    command: str | None
    exact: bool


@dataclass(frozen=True, slots=True)
class _Asked:
    """What an intent asks for. `kinds` is that of its property, else those that its command has an effect on.

    `by` is what narrows its parts down most: thing, place or class.
    """

    intent: NamedNode
    by: str
    reads: bool
    property: NamedNode | None
    commands: Nodes
    kinds: Nodes


def candidates(store: GraphStore, intent: NamedNode) -> tuple[Candidate, ...]:
    """Every affordance that could serve, by part, the exact ones before the others. None is a refusal: see `present`.

    An intent that checks gets properties; any other gets actions and properties that can be written.
    """
    asked = _asked(store, intent)
    parts = _parts(store, asked) if asked else ()
    if asked is None or not parts:
        return ()
    if asked.reads:
        return _sorted(_readings(store, parts, asked))
    found = _by_command(store, parts, asked.commands, exact=True)
    # Of a bare command nothing is better than the action of that very class; a property may be reached in other ways.
    served = set() if asked.property else {candidate.part for candidate in found}
    return _sorted([*found, *_by_effect(store, [part for part in parts if part.value not in served], asked.kinds)])


def present(store: GraphStore, intent: NamedNode) -> str:
    """Why there are no candidates: no_such_room, no_such_device, no_such_property or no_such_command."""
    asked = _asked(store, intent)
    parts = _parts(store, asked) if asked else ()
    if asked is None or not parts:
        return "no_such_device" if store.ask("environment/room_exists", intent=intent) else "no_such_room"
    if asked.reads or (asked.property is not None and not _readings(store, parts, asked)):
        return "no_such_property"
    return "no_such_command"


def _asked(store: GraphStore, intent: NamedNode) -> _Asked | None:
    rows = store.select("environment/intent", intent=intent)
    if not rows:
        return None
    operation, thing, place = rows[0][:3]
    prop = next(iter(_nodes(row[4] for row in rows)), None)
    return _Asked(
        intent=intent,
        by="thing" if thing != ANYTHING else "place" if place != ANYWHERE else "class",
        reads=operation is not None and operation.value == "check",
        property=prop,
        commands=_nodes(row[3] for row in rows),
        kinds=(prop,) if prop is not None else _nodes(row[5] for row in rows),
    )


def _parts(store: GraphStore, asked: _Asked) -> Nodes:
    """The parts that the intent selects."""
    return _nodes(row[0] for row in store.select(f"environment/scope_by_{asked.by}", intent=asked.intent))


def _readings(store: GraphStore, parts: Nodes, asked: _Asked) -> list[Candidate]:
    """The properties of the kinds that are asked for; of any kind, where none is."""
    return _found(store.select("environment/readable", part_kind=product(parts, asked.kinds or (None,))), exact=True)


def _by_command(store: GraphStore, parts: Sequence[NamedNode], commands: Nodes, *, exact: bool) -> list[Candidate]:
    pairs = list(product(parts, commands))
    return _found(store.select("environment/by_command", part_command=pairs), exact=exact) if pairs else []


def _by_effect(store: GraphStore, parts: Sequence[NamedNode], kinds: Nodes) -> list[Candidate]:
    """Actions that have an effect on the kinds, by command or of their own, and properties that can be written."""
    pairs = list(product(parts, kinds))
    if not pairs:
        return []
    return [
        *_by_command(store, parts, _commands_for(store, kinds), exact=False),
        *_found(store.select("environment/by_own_effect", part_kind=pairs), exact=False),
        *_found(store.select("environment/writable", part_kind=pairs), exact=False),
    ]


_reach: WeakKeyDictionary[GraphStore, tuple[int, dict[Nodes, Nodes]]] = WeakKeyDictionary()


def _commands_for(store: GraphStore, kinds: Nodes) -> Nodes:
    """The commands that have an effect on the kinds: a question to the ontology alone, so asked once a generation."""
    generation, known = _reach.get(store, (-1, {}))
    if generation != store.generation:
        generation, known = store.generation, {}
        _reach[store] = (generation, known)
    if kinds not in known:
        known[kinds] = _nodes(row[0] for row in store.select("environment/commands_for", kind=kinds))
    return known[kinds]


def _nodes(terms: Iterable[Term | None]) -> Nodes:
    return tuple(dict.fromkeys(term for term in terms if isinstance(term, NamedNode)))


def _found(rows: Rows, *, exact: bool) -> list[Candidate]:
    return [
        Candidate(part.value, thing.value, affordance.value, more[0].value if more and more[0] else None, exact)
        for part, thing, affordance, *more in rows
        if part is not None and thing is not None and affordance is not None
    ]


def _sorted(found: Iterable[Candidate]) -> tuple[Candidate, ...]:
    """By part, each affordance once, the exact ones first; always in the same order."""
    ordered = sorted(found, key=lambda one: (one.part, not one.exact, one.affordance, one.command or ""))
    return tuple({one.affordance: one for one in reversed(ordered)}.values())[::-1]
