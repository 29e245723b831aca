"""What a path can hold, and how it gets into a store: Turtle through the door, other formats through their origin."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from engine.environment.state import State
from engine.errors import InputError, ValueFault
from engine.graph.store import GraphStore
from engine.graph.terms import Json, Quad
from engine.model.thing import Thing
from engine.origins.homebench import homes as homebench
from engine.origins.homeenv import homes as homeenv
from engine.things import door
from engine.things.registry import Registry

TURTLE = frozenset({".ttl", ".turtle", ".trig", ".nt", ".nq"})


@dataclass(frozen=True, slots=True)
class Target:
    """Where a home is loaded to."""

    store: GraphStore
    registry: Registry
    state: State


@dataclass(frozen=True, slots=True)
class Source:
    """One home that can be loaded; `id` names it among several."""

    id: str
    load: Callable[[Target], door.LoadReport]


def sources(path: Path) -> list[Source]:
    """The homes at a path: one for a Turtle file or a folder of them, as many as there are for a file of several.

    Raises InputError where nothing is there, or nothing that can be read."""
    if not path.exists():
        raise InputError(f"There is no file {path}.", remedy="Check the path.")
    if path.is_dir():
        return [_folder(path)]
    if path.suffix.lower() in TURTLE:
        return [Source(path.stem, lambda target: _turtle([path], target))]
    if path.suffix.lower() == ".json" and _is_homeenv(path):
        return [Source(path.stem, lambda target: _homeenv(path, target))]
    if path.suffix.lower() in (".jsonl", ".json"):
        return list(_homebench(path))
    raise InputError(
        f"{path}: files that end in {path.suffix or 'nothing'} cannot be read.",
        remedy="Give Turtle (.ttl) or a HomeBench file (.jsonl).",
    )


def _folder(path: Path) -> Source:
    files = sorted(p for p in path.iterdir() if p.suffix.lower() in TURTLE)
    if not files:
        raise InputError(f"{path}: there is no Turtle file in this folder.", remedy="Give a folder with .ttl files.")
    return Source(path.name, lambda target: _turtle(files, target))


def _turtle(paths: Sequence[Path], target: Target) -> door.LoadReport:
    report = door.load(target.store, paths, registry=target.registry)
    target.state.refresh()
    return report


def _is_homeenv(path: Path) -> bool:
    try:
        return homeenv.is_home(json.loads(path.read_text(encoding="utf-8")))
    except (ValueError, OSError):
        return False


def _homeenv(path: Path, target: Target) -> door.LoadReport:
    home = homeenv.read_home(path, target.registry.vocabulary)
    return register(home.things, home.quads, home.state, target)


def _homebench(path: Path) -> Iterator[Source]:
    for home in homebench.read_homes(path):
        yield Source(home.id, lambda target, home=home: register(home.things, home.quads, home.state, target))  # type: ignore[misc]


def register(
    things: Sequence[Thing], quads: Sequence[Quad], state: Mapping[str, Json], target: Target
) -> door.LoadReport:
    """Registers things that an origin has made, with places and state; all of it or, on a ValueFault, nothing."""
    replaced = {thing.iri for thing in things} & target.registry.things.keys()
    target.registry.put(things, quads)
    target.state.refresh()
    try:
        target.state.write(state)
    except ValueFault:
        for thing in things:
            if thing.iri not in replaced:
                target.registry.remove(thing.iri)
        raise
    return door.LoadReport(tuple(t.iri for t in things), states=len(state))
