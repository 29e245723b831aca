"""Who can do what, where: the affordances for an intent that is stored in the graph, found by SPARQL from its IRI."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import product

from engine.graph.store import GraphStore
from engine.graph.terms import NamedNode, Term


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
    """What an intent asks for. `kinds` is that of its property, else those that its command has an effect on."""

    reads: bool
    property: NamedNode | None
    commands: tuple[NamedNode, ...]
    kinds: tuple[NamedNode, ...]


def candidates(store: GraphStore, intent: NamedNode) -> tuple[Candidate, ...]:
    """Every affordance that could serve, by part, the exact ones before the others. None is a refusal: see `present`.

    An intent that checks gets properties; any other gets actions and properties that can be written.
    """
    asked = _asked(store, intent)
    parts = _parts(store, intent)
    if not parts:
        return ()
    if asked.reads:
        return _sorted(_readings(store, parts, asked))
    commands = list(product(parts, asked.commands))
    found = _found(store.select("environment/by_command", part_command=commands), exact=True) if commands else []
    # Of a bare command nothing is better than the action of that very class; a property may be reached in other ways.
    served = set() if asked.property else {candidate.part for candidate in found}
    kinds = list(product((part for part in parts if part.value not in served), asked.kinds))
    if kinds:
        found += _found(store.select("environment/by_effect", part_kind=kinds), exact=False)
        found += _found(store.select("environment/writable", part_kind=kinds), exact=False)
    return _sorted(found)


def present(store: GraphStore, intent: NamedNode) -> str:
    """Why there are no candidates: no_such_room, no_such_device, no_such_property or no_such_command."""
    parts = _parts(store, intent)
    if not parts:
        return "no_such_device" if store.ask("environment/room_exists", intent=intent) else "no_such_room"
    asked = _asked(store, intent)
    if asked.property is not None and not _readings(store, parts, asked):
        return "no_such_property"
    return "no_such_property" if asked.reads else "no_such_command"


def _readings(store: GraphStore, parts: Sequence[NamedNode], asked: _Asked) -> list[Candidate]:
    """The properties of the kinds that are asked for; of any kind, where none is."""
    return _found(store.select("environment/readable", part_kind=product(parts, asked.kinds or (None,))), exact=True)


def _asked(store: GraphStore, intent: NamedNode) -> _Asked:
    rows = store.select("environment/intent", intent=intent)
    prop = next((row[2] for row in rows if isinstance(row[2], NamedNode)), None)
    return _Asked(
        reads=any(row[0] is not None and row[0].value == "check" for row in rows),
        property=prop,
        commands=_nodes(row[1] for row in rows),
        kinds=(prop,) if prop is not None else _nodes(row[3] for row in rows),
    )


def _parts(store: GraphStore, intent: NamedNode) -> tuple[NamedNode, ...]:
    return _nodes(row[0] for row in store.select("environment/scope", intent=intent))


def _nodes(terms: Iterable[Term | None]) -> tuple[NamedNode, ...]:
    return tuple(dict.fromkeys(term for term in terms if isinstance(term, NamedNode)))


def _found(rows: Sequence[tuple[Term | None, ...]], *, exact: bool) -> list[Candidate]:
    return [
        Candidate(part.value, thing.value, affordance.value, more[0].value if more and more[0] else None, exact)
        for part, thing, affordance, *more in rows
        if part is not None and thing is not None and affordance is not None
    ]


def _sorted(found: Iterable[Candidate]) -> tuple[Candidate, ...]:
    """By part, each affordance once, the exact ones first; always in the same order."""
    ordered = sorted(found, key=lambda one: (one.part, not one.exact, one.affordance, one.command or ""))
    return tuple({one.affordance: one for one in reversed(ordered)}.values())[::-1]
