"""A HomeBench home as things, places and state.

Conventions of the benchmark, all of them here: declared ranges are not checked, so they are left out; the actions of a
device are its list of methods, and those that `mapping.ttl` calls unlisted; numbers are added to the state before the
request.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from engine.errors import InputError, SyntaxFault
from engine.graph.terms import PLACES, RDF_TYPE, Json, Literal, NamedNode, Quad, expand, node
from engine.model.thing import Action, Part, Property, Schema, Thing
from engine.origins.homebench.mapping import Mapping, load

CONVENTIONS = ("hg:ExactNouns", "hg:RelativeToStart", "hg:BareNumbers")
STATES = {
    expand("hg:Power"): ("on", "off"),
    expand("hg:Position"): ("closed", "open"),
    expand("hg:Playback"): ("stopped", "paused", "playing"),
    expand("hg:TrashLevel"): ("empty", "not_full", "full"),
    expand("hg:CleaningState"): ("on", "off", "paused", "stopped", "cleaning", "charging"),
}


@dataclass(frozen=True, slots=True)
class Home:
    """A home ready to be registered: `state` maps property IRIs to values."""

    id: str
    things: tuple[Thing, ...]
    quads: tuple[Quad, ...]
    state: dict[str, Json]


def read_homes(path: Path) -> Iterator[Home]:
    """The homes of a file, a JSON object a line. Raises SyntaxFault with the line, InputError for another format."""
    for number, data in read_json_lines(path):
        if not isinstance(data, dict) or not {"home_id", "home_status", "method"} <= data.keys():
            expected = "home_id, home_status and method are expected"
            raise InputError(f"{path}:{number}: not a HomeBench home ({expected}).", remedy="Give a file of homes.")
        try:
            yield read_home(data)
        except (LookupError, TypeError, AttributeError) as error:
            raise InputError(f"{path}:{number}: not a HomeBench home ({error!r}).") from error


def read_json_lines(path: Path) -> Iterator[tuple[int, Any]]:
    """The JSON values in the lines of a file, with their numbers. Raises SyntaxFault with the line, InputError for a
    file that cannot be read."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path} cannot be read: {error}.", remedy="Give a file of JSON lines.") from error
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            try:
                yield number, json.loads(line)
            except (ValueError, RecursionError) as error:
                raise SyntaxFault(f"not JSON: {error}", source=str(path), line=number) from error


def read_home(data: dict[str, Any]) -> Home:
    """One home from its JSON."""
    home = f"urn:homebench:home{data['home_id']}"
    builder = _Builder(home, load(), _methods(data))
    for room, devices in data["home_status"].items():
        if "room_name" in devices:
            builder.room(room, {k: v for k, v in devices.items() if k != "room_name"})
        else:
            builder.device("None", "vacuum_robot" if room == "VacuumRobot" else room, devices)
    return Home(str(data["home_id"]), tuple(builder.things), tuple(builder.quads), builder.state)


def _methods(data: dict[str, Any]) -> dict[tuple[str, str], dict[str, list[dict[str, str]]]]:
    methods: dict[tuple[str, str], dict[str, list[dict[str, str]]]] = {}
    for method in data["method"]:
        own = methods.setdefault((method["room_name"], method["device_name"]), {})
        own[method["operation"]] = method["parameters"]
    return methods


class _Builder:
    def __init__(
        self, home: str, mapping: Mapping, methods: dict[tuple[str, str], dict[str, list[dict[str, str]]]]
    ) -> None:
        self.home, self.mapping, self.methods = home, mapping, methods
        self.things: list[Thing] = []
        self.state: dict[str, Json] = {}
        self.quads: list[Quad] = []
        self._place(home, expand("hg:Home"), "home", None)
        for convention in CONVENTIONS:
            self.quads.append(Quad(NamedNode(home), node("hg:convention"), node(convention), PLACES))

    def _place(self, iri: str, cls: str, name: str, parent: str | None) -> None:
        place = NamedNode(iri)
        self.quads += [
            Quad(place, RDF_TYPE, NamedNode(cls), PLACES),
            Quad(place, RDF_TYPE, node("hmas:Workspace"), PLACES),
            Quad(place, node("rdfs:label"), Literal(name), PLACES),
        ]
        if parent:
            self.quads.append(Quad(place, node("hmas:isContainedIn"), NamedNode(parent), PLACES))

    def room(self, key: str, devices: dict[str, Any]) -> None:
        """Adds a room and its devices."""
        cls, name = self.mapping.rooms.get(key, (expand("hg:Room"), key.replace("_", " ")))
        self._place(f"{self.home}:{key}", cls, name, self.home)
        for device, status in devices.items():
            self.device(key, device, status)

    def device(self, room: str, name: str, status: dict[str, Any]) -> None:
        """One device with its attributes, its state and its methods."""
        doc = f"{self.home}:{room}:{name}" if room != "None" else f"{self.home}:{name}"
        cls = self.mapping.classes.get(name, expand("hg:Device"))
        properties = tuple(self._properties(doc, name, status))
        self.things.append(
            Thing(
                iri=doc,
                document=doc,
                title=name.replace("_", " "),
                parts=(Part(doc, "", frozenset((cls,))),),
                properties=properties,
                actions=tuple(self._actions(doc, room, name)),
                place=f"{self.home}:{room}" if room != "None" else self.home,
            )
        )

    def _properties(self, doc: str, device: str, status: dict[str, Any]) -> Iterator[Property]:
        kind = self.mapping.states.get(device) or self.mapping.states[""]
        if device != "curtain":
            schema = Schema("string", name="state", enum=_with(STATES[kind], status.get("state")))
            yield self._property(doc, "state", kind, schema, status.get("state"))
        for key, attribute in status.get("attributes", {}).items():
            name = key.strip()
            found = self.mapping.kind(name, device)
            if found is not None:
                yield self._property(doc, name, found, _schema(name, attribute), attribute.get("value"))

    def _property(self, doc: str, name: str, kind: str, schema: Schema, value: Json) -> Property:
        iri = f"{doc}#properties/{name}"
        if value is not None:
            self.state[iri] = value
        return Property(iri, name, doc, replace(schema, read_only=True), frozenset((kind,)), observable=True)

    def _actions(self, doc: str, room: str, device: str) -> Iterator[Action]:
        methods = dict(self.methods.get((room, device), {}))
        methods.update({name: [] for name in self.mapping.unlisted.get(device, ()) if name not in methods})
        for name, parameters in methods.items():
            command = self.mapping.command(name, device)
            yield Action(
                iri=f"{doc}#actions/{name}",
                name=name,
                part=doc,
                commands=frozenset((command,)) if command else frozenset(),
                input=self._input(device, parameters) if parameters else None,
            )

    def _input(self, device: str, parameters: list[dict[str, str]]) -> Schema:
        members = tuple((p["name"], self._member(device, p)) for p in parameters)
        return Schema("object", properties=members, required=frozenset(name for name, _ in members))

    def _member(self, device: str, parameter: dict[str, str]) -> Schema:
        kind = self.mapping.kind(parameter["name"], device)
        kinds = frozenset((kind,)) if kind else frozenset()
        if parameter["type"].startswith("typing.Tuple"):
            return Schema(
                "array", name=parameter["name"], kinds=kinds, items=(Schema("integer"),), min_items=3, max_items=3
            )
        return Schema({"int": "number"}.get(parameter["type"], "string"), name=parameter["name"], kinds=kinds)


def _schema(name: str, attribute: dict[str, Any]) -> Schema:
    if "options" in attribute:
        return Schema("string", name=name, enum=tuple(attribute["options"]))
    if isinstance(attribute.get("value"), list):
        return Schema("array", name=name, items=(Schema("integer"),), min_items=3, max_items=3)
    return Schema("number", name=name)


def _with(options: tuple[str, ...], value: Json) -> tuple[Json, ...]:
    return options if value is None or value in options else (*options, value)
