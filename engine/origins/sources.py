"""Finds the origin of a path's contents and loads them: Turtle and TDs through the door, the rest through their
origins."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from engine.environment.state import State
from engine.errors import HearthgraphError, InputError, ValueFault
from engine.graph.store import GraphStore
from engine.graph.terms import PLACES, Json, NamedNode, Quad
from engine.model.thing import Thing
from engine.origins.home_assistant import homes as home_assistant
from engine.origins.home_assistant import snapshot
from engine.origins.homebench import homes as homebench
from engine.origins.homeenv import homes as homeenv
from engine.things import door
from engine.things.description import jsonld
from engine.things.registry import Registry

TURTLE = frozenset({".ttl", ".turtle", ".trig", ".nt", ".nq"})
READABLE = TURTLE | {".jsonld", ".json", ".jsonl"}


@dataclass(frozen=True, slots=True)
class Target:
    """Where a home is loaded to. `taken` has the things that came in through it, with the names of their files."""

    store: GraphStore
    registry: Registry
    state: State
    taken: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Source:
    """One home that can be loaded; `id` names it among several."""

    id: str
    load: Callable[[Target], door.LoadReport]


@dataclass(frozen=True, slots=True)
class Attempt:
    """The result of loading one file: a report, or the error for which it was refused."""

    file: Path
    report: door.LoadReport = field(default_factory=door.LoadReport)
    error: HearthgraphError | None = None


def load_each(paths: Sequence[Path], target: Target) -> Iterator[Attempt]:
    """Loads files, and those of folders, one by one; a refused one does not keep the others from coming in."""
    for path in paths:
        try:
            files = readable(path)
        except HearthgraphError as error:
            yield Attempt(path, error=error)
            continue
        for file in files:
            try:
                yield Attempt(file, only(file).load(target))
            except HearthgraphError as error:
                yield Attempt(file, error=error)
            except OSError as error:
                yield Attempt(file, error=InputError(f"{file} cannot be read: {error.strerror}."))


def readable(path: Path) -> list[Path]:
    """The files of a folder that could hold a home; a file is itself, and so is the folder of a Home Assistant.

    Raises InputError for a folder without any."""
    if not path.is_dir() or snapshot.is_one(path):
        return [path]
    files = sorted(p for p in path.iterdir() if p.suffix.lower() in READABLE and p.is_file())
    if not files:
        raise InputError(
            f"{path}: nothing in this folder can be loaded.", remedy="Give Turtle (.ttl) or TDs (.jsonld)."
        )
    return files


def only(path: Path) -> Source:
    """The one home at a path. Raises InputError, also for a file of several homes: they would mix."""
    found = sources(path)
    if len(found) != 1:
        raise InputError(f"{path} holds {len(found)} homes.", remedy="Import one of them: `hearthgraph import`.")
    return found[0]


def sources(path: Path) -> list[Source]:
    """The homes at a path: one for a file of things (Turtle, TD), a folder of them or a snapshot of Home Assistant's,
    else as many as a file has.

    Raises InputError where nothing is there, or nothing that can be read."""
    if not path.exists():
        raise InputError(f"There is no file {path}.", remedy="Check the path.")
    if snapshot.is_one(path):
        return [Source(path.name, lambda target: _home_assistant(path, target))]
    if path.is_dir():
        return [_folder(path)]
    if _is_described(path):
        return [Source(path.stem, lambda target: _described([path], target))]
    if path.suffix.lower() == ".json" and _is_homeenv(path):
        return [Source(path.stem, lambda target: _homeenv(path, target))]
    if path.suffix.lower() in (".jsonl", ".json"):
        return list(_homebench(path))
    raise InputError(
        f"{path}: files that end in {path.suffix or 'nothing'} cannot be read.",
        remedy="Give Turtle (.ttl), a TD (.jsonld) or a HomeBench file (.jsonl).",
    )


def _folder(path: Path) -> Source:
    files = sorted(p for p in path.iterdir() if _is_described(p))
    if not files:
        raise InputError(f"{path}: this folder has no file of things.", remedy="Give one with .ttl or .jsonld files.")
    return Source(path.name, lambda target: _described(files, target))


def _is_described(path: Path) -> bool:
    """Whether a file is one of things: by its name, or JSON that has a context, as every TD has."""
    suffix = path.suffix.lower()
    if suffix in TURTLE or suffix == ".jsonld":
        return True
    return suffix == ".json" and path.is_file() and jsonld.looks_like_one(path)


def _described(paths: Sequence[Path], target: Target) -> door.LoadReport:
    report = door.load(target.store, paths, registry=target.registry, taken=target.taken)
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


def _home_assistant(path: Path, target: Target) -> door.LoadReport:
    return settle(home_assistant.read_home(path, target.registry.vocabulary), target)


def settle(home: home_assistant.Home, target: Target, before: home_assistant.Home | None = None) -> door.LoadReport:
    """Registers the home of a Home Assistant; things and places imported before that are gone are removed at the same
    time.

    Those that are as they were `before`, and still there, are left alone.
    """
    places = {quad.subject.value for quad in home.quads if quad.graph_name == PLACES}  # type: ignore[union-attr]
    kept = {thing.iri for thing in home.things} | places
    known = (*target.registry.things, *target.registry.places)
    gone = [iri for iri in known if iri.startswith(f"{home.iri}:") and iri not in kept]
    same = set(before.things) if before else set()
    things = [thing for thing in home.things if thing not in same or thing.iri not in target.registry.things]
    quads = _about({thing.document for thing in things} | {PLACES.value}, home.quads)
    register(things, quads, home.state, target, gone)
    warnings = tuple(f"{left.what}: {left.reason}." for left in home.left)
    if not home.exposed:
        warnings += ("No entity is exposed. Expose some in Home Assistant, or include them by a pattern.",)
    known_values = sum(value is not None for value in home.state.values())
    return door.LoadReport(tuple(t.iri for t in home.things), tuple(sorted(places)), known_values, warnings=warnings)


def _about(graphs: Collection[str], quads: Sequence[Quad]) -> list[Quad]:
    """The quads of these graphs."""
    return [quad for quad in quads if isinstance(quad.graph_name, NamedNode) and quad.graph_name.value in graphs]


def _homebench(path: Path) -> Iterator[Source]:
    for home in homebench.read_homes(path):
        yield Source(home.id, lambda target, home=home: register(home.things, home.quads, home.state, target))  # type: ignore[misc]


def register(
    things: Sequence[Thing],
    quads: Sequence[Quad],
    state: Mapping[str, Json],
    target: Target,
    without: Collection[str] = (),
) -> door.LoadReport:
    """Registers things that an origin has made, with places and state; all of it or, on a ValueFault, nothing.

    `without` are things and places that go at the same time."""
    replaced = {thing.iri for thing in things} & target.registry.things.keys()
    target.registry.put(things, quads, without=without)
    target.state.refresh()
    try:
        target.state.write(state)
    except ValueFault:
        for thing in things:
            if thing.iri not in replaced:
                target.registry.remove(thing.iri)
        raise
    return door.LoadReport(tuple(t.iri for t in things), states=len(state))
