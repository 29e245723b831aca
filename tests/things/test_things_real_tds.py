"""The TDs of W3C's plugfests: what W3C accepts comes in and goes out valid; the others are refused with the reason."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

import pytest
from jsonschema import Draft7Validator
from pyoxigraph import parse

from engine.environment.clock import SystemClock
from engine.environment.state import State
from engine.graph.shacl.door import Door
from engine.graph.terms import NamedNode
from engine.origins.sources import Attempt, Target, load_each
from engine.things import door
from engine.things.description import emission, jsonld, turtle
from engine.things.description.emission import Profile
from engine.things.registry import Registry
from tests.things.descriptions import open_registry
from tests.things.documents import need_w3c, normal


@dataclass(frozen=True)
class Loaded:
    """The folder of TDs in a store: what came of each file, and the thing that each brought in."""

    registry: Registry
    attempts: tuple[Attempt, ...]
    validator: Draft7Validator
    files: dict[str, Path]


@pytest.fixture(scope="module")
def real() -> Loaded:
    """All 60, loaded as a folder, in a process that cannot reach any network."""
    folder = need_w3c()
    registry = open_registry()
    target = Target(registry.store, registry, State(registry.store, registry, SystemClock()))
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(socket, "socket", _no_network)
        patched.setattr(socket, "getaddrinfo", _no_network)
        attempts = tuple(load_each([folder / "things"], target))
    validator = Draft7Validator(json.loads((folder / "td-json-schema-validation.json").read_text(encoding="utf-8")))
    return Loaded(registry, attempts, validator, {iri: a.file for a in attempts for iri in a.report.things})


def _no_network(*_: Any, **__: Any) -> NoReturn:
    raise AssertionError("something was fetched")


def source(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def test_what_the_schema_of_w3c_accepts_is_loaded_and_nothing_else(real: Loaded) -> None:
    accepted = {a.file.name for a in real.attempts if real.validator.is_valid(source(a.file))}
    assert {a.file.name for a in real.attempts if a.error is None} == accepted
    assert (len(real.attempts), len(accepted)) == (60, 44)


def test_a_refusal_tells_the_place_and_the_reason(real: Loaded) -> None:
    refused = {a.file.name: a.error for a in real.attempts if a.error is not None}
    models = {name for name in refused if name.endswith(".tm.jsonld")}
    assert len(models) == 15
    assert all(str(refused[name]).startswith("It is a Thing Model, not a thing, and ") for name in models)
    said = [str(refused[name]).partition(", and ")[2].partition(":")[0] for name in models]
    assert all(one == "not complete" or one.startswith("it needs the model https") for one in said)
    (other,) = refused.keys() - models
    assert "$['@context'][0]: 'http://www.w3.org/ns/td'" in str(refused[other])


def test_two_devices_with_one_id_are_both_there(real: Loaded) -> None:
    warnings = [w for a in real.attempts for w in a.report.warnings if "has the id" in w]
    assert len(warnings) == 3
    assert len(real.registry.things) == 44


def test_every_affordance_of_a_file_is_in_the_store(real: Loaded) -> None:
    for iri, file in real.files.items():
        thing, document = real.registry.things[iri], source(file)
        found = {"properties": thing.properties, "actions": thing.actions, "events": thing.events}
        for group, affordances in found.items():
            assert {a.name for a in affordances} == set(document.get(group, {})), file.name
            forms = {a.name: len(a.forms) for a in affordances}
            assert forms == {name: len(a["forms"]) for name, a in document.get(group, {}).items()}, file.name


def test_affordances_are_found_by_the_classes_that_their_names_tell(real: Loaded) -> None:
    rows = real.registry.store.query_text(
        "PREFIX hg: <https://w3id.org/hearthgraph#> SELECT DISTINCT ?affordance ?kind WHERE "
        "{ GRAPH hg:graph/inferred { ?affordance a ?kind ; hg:part ?part . ?part a ?class } VALUES ?kind "
        "{ hg:Power hg:Brightness hg:Temperature hg:TurnOn hg:TurnOff } }".replace("hg:graph/inferred", f"<{INFERRED}>")
    )
    found: dict[str, int] = {}
    for row in rows:  # type: ignore[union-attr]
        kind = row["kind"].value.rpartition("#")[2]  # type: ignore[index]
        found[kind] = found.get(kind, 0) + 1
    # Lamps, switches and sensors of Intel, ECHONET, Hue and Ditto.
    assert found.keys() == {"Power", "Brightness", "Temperature", "TurnOn", "TurnOff"}
    assert found["TurnOn"] >= 8
    assert found["TurnOff"] >= 8


def test_a_light_is_one_by_the_class_that_its_author_gave_it(real: Loaded) -> None:
    light = "https://w3id.org/hearthgraph#Light"
    named = [iri for iri, file in real.files.items() if "Light" in source(file).get("@type", ())]
    assert len(named) == 8
    assert all(light in real.registry.things[iri].classes for iri in named)


INFERRED = "https://w3id.org/hearthgraph#graph/inferred"


def test_what_is_emitted_passes_the_schema_of_w3c(real: Loaded) -> None:
    for thing in real.registry.things.values():
        faults = [error.message for error in real.validator.iter_errors(emission.as_jsonld(real.registry.store, thing))]
        assert faults == [], thing.iri


@pytest.mark.filterwarnings("ignore::pyshacl.errors.ShapeRecursionWarning")
def test_what_is_emitted_passes_the_shapes_of_w3c(real: Loaded) -> None:
    shapes = Door(quad.triple for quad in parse(path=str(need_w3c() / "td-validation.ttl")))
    for thing in real.registry.things.values():
        faults = [f"{v.node} {v.path} {v.message}" for v in shapes.check(emission.quads(real.registry.store, thing))]
        assert faults == [], thing.iri


def test_what_is_emitted_says_all_that_the_file_said(real: Loaded) -> None:
    for iri, file in real.files.items():
        written = normal(emission.as_jsonld(real.registry.store, real.registry.things[iri]))
        lost = list(_lost(normal(source(file)), written, ""))
        assert [line for line in lost if not _is_another_way_of_saying(line)] == [], file.name


def test_what_is_emitted_comes_back_as_the_same_thing(real: Loaded) -> None:
    second = open_registry()
    for thing in real.registry.things.values():
        text = json.dumps(emission.as_jsonld(real.registry.store, thing))
        door.admit(second, jsonld.statements(jsonld.parse_text(text))[0])
        assert second.things[thing.iri] == thing
        document = NamedNode(thing.document)
        assert set(second.store.graph(document)) == set(real.registry.store.graph(document))


@pytest.mark.parametrize("profile", list(Profile))
def test_turtle_of_both_dialects_comes_back_as_the_same_thing(real: Loaded, profile: Profile) -> None:
    second = open_registry()
    for thing in real.registry.things.values():
        text = emission.as_turtle(real.registry.store, thing, profile)
        door.admit(second, turtle.parse_text(text.encode()))
        found = second.things[thing.iri]
        assert (found.properties, found.actions, found.events) == (thing.properties, thing.actions, thing.events)


def _lost(given: Any, written: Any, place: str) -> Iterator[str]:
    """What stands in one document and not, or otherwise, in the other."""
    if isinstance(given, dict) and isinstance(written, dict):
        for key, value in given.items():
            if key in written:
                yield from _lost(value, written[key], f"{place}/{key}")
            else:
                yield f"{place}/{key} is lost"
    elif isinstance(given, list) and isinstance(written, list) and len(given) == len(written):
        for index, (one, other) in enumerate(zip(given, written, strict=True)):
            yield from _lost(one, other, f"{place}/{index}")
    elif given != written:
        yield f"{place}: {given!r} is {written!r}"


def _is_another_way_of_saying(difference: str) -> bool:
    """Relative targets are resolved, times lose zeros at their end, a second device of one id has another."""
    place = difference.partition(":")[0]
    return place.endswith(("/href", "/modified", "/created")) or place in ("/id", "/@type")
