"""Retrieves the affordances for an intent that is stored in the graph, by SPARQL from its IRI."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import product

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
    """The constraints of an intent. `kinds` is that of its property, else those that its command has an effect on.

    `by` is the constraint that narrows its parts down most: thing, place or class.
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
    if asked.property is not None:
        return _sorted(_by_effect(store, parts, asked.kinds, asked.commands))
    # Of a bare command nothing is better than the action of that very class; a property may be reached in other ways.
    found = _by_command(store, parts, asked.commands, asked.commands)
    served = {candidate.part for candidate in found}
    rest = _by_what_they_have(store, [part for part in parts if part.value not in served], asked.kinds)
    return _sorted([*found, *(one for kinds, some in rest.items() for one in _by_effect(store, some, kinds))])


def _by_what_they_have(store: GraphStore, parts: Sequence[NamedNode], kinds: Nodes) -> dict[Nodes, list[NamedNode]]:
    """The parts by those of the kinds that they can have: turning on opens valves, but no blinds."""
    limited, groups = _known(store).limited, defaultdict[Nodes, list[NamedNode]](list)
    for part in parts:
        groups[tuple(kind for kind in kinds if kind not in limited or part in limited[kind])].append(part)
    return groups


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
    commands = _nodes(row[3] for row in rows)
    return _Asked(
        intent=intent,
        by="thing" if thing != ANYTHING else "place" if place != ANYWHERE else "class",
        reads=operation is not None and operation.value == "check",
        property=prop,
        commands=commands,
        kinds=(prop,) if prop is not None else _affected(store, commands),
    )


def _affected(store: GraphStore, commands: Nodes) -> Nodes:
    """The kinds of property that commands have an effect on."""
    return _nodes(row[0] for row in store.select("environment/affected", command=commands)) if commands else ()


def _parts(store: GraphStore, asked: _Asked) -> Nodes:
    """The parts that the intent selects."""
    return _nodes(row[0] for row in store.select(f"environment/scope_by_{asked.by}", intent=asked.intent))


def _readings(store: GraphStore, parts: Nodes, asked: _Asked) -> list[Candidate]:
    """The properties of the kinds that are asked for; of any kind, where none is."""
    return _found(store.select("environment/readable", part_kind=product(parts, asked.kinds or (None,))), exact=True)


def _by_command(store: GraphStore, parts: Sequence[NamedNode], commands: Nodes, exact: Nodes) -> list[Candidate]:
    """Actions of the commands, some of which are the `exact` ones."""
    pairs = list(product(parts, commands))
    rows = store.select("environment/by_command", part_command=pairs) if pairs else []
    return [
        *_found([row for row in rows if row[3] in exact], exact=True),
        *_found([row for row in rows if row[3] not in exact], exact=False),
    ]


def _by_effect(store: GraphStore, parts: Sequence[NamedNode], kinds: Nodes, exact: Nodes = ()) -> list[Candidate]:
    """Actions of the `exact` commands or that have an effect on the kinds, by command or of their own, and properties
    that can be written."""
    pairs = list(product(parts, kinds))
    if not pairs:
        return []
    known = _known(store)
    if kinds not in known.commands:
        known.commands[kinds] = _nodes(row[0] for row in store.select("environment/commands_for", kind=kinds))
    own = [pair for pair in pairs if pair[1] in known.own]
    return [
        *_by_command(store, parts, tuple(dict.fromkeys((*exact, *known.commands[kinds]))), exact),
        *(_found(store.select("environment/by_own_effect", part_kind=own), exact=False) if own else ()),
        *_found(store.select("environment/writable", part_kind=pairs), exact=False),
    ]


@dataclass(frozen=True, slots=True)
class _Known:
    """The results of queries that are made once a generation: the kinds on which things have effects of their own, the
    commands that have an effect on kinds, and the parts that alone can have a kind."""

    own: frozenset[Term | None]
    limited: dict[Term | None, set[Term | None]]
    commands: dict[Nodes, Nodes] = field(default_factory=dict)


def _known(store: GraphStore) -> _Known:
    return store.derived("environment/retrieval", lambda: _read(store), portable=True)


def _read(store: GraphStore) -> _Known:
    limited = defaultdict[Term | None, set[Term | None]](set)
    for kind, part in store.select("environment/limited"):
        limited[kind].add(part)
    return _Known(frozenset(row[0] for row in store.select("environment/own_kinds")), dict(limited))


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
