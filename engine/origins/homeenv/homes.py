"""A HomeEnv home as things, places and state.

Services declare their effects, which override the ontology's; components become parts, whose properties are addressed
as `component.attribute`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from pyoxigraph import RdfFormat, parse

from engine.errors import InputError, SyntaxFault
from engine.graph.terms import Json, Quad, expand
from engine.model.place import Place
from engine.model.thing import Action, Part, Property, Schema, Thing
from engine.model.vocabulary import Effect, Form, Vocabulary
from engine.things import places as place_rdf
from engine.things.ontology.classify import Classifier

HE = "https://w3id.org/hearthgraph/homeenv#"
TYPES = {"int": "integer", "float": "number", "str": "string", "bool": "boolean"}


@dataclass(frozen=True, slots=True)
class Home:
    """A home ready to be registered: `state` maps property IRIs to values; `now` is its ISO 8601 time, or None."""

    id: str
    things: tuple[Thing, ...]
    quads: tuple[Quad, ...]
    state: dict[str, Json]
    now: str | None


def is_home(data: object) -> bool:
    """Whether JSON is of this schema."""
    return isinstance(data, dict) and isinstance(data.get("rooms"), list) and isinstance(data.get("devices"), list)


def read_home(path: Path, vocabulary: Vocabulary) -> Home:
    """The home of a file. Raises SyntaxFault with the line, InputError for another schema or a broken device."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except json.JSONDecodeError as error:
        raise SyntaxFault(f"not JSON: {error.msg}.", source=str(path), line=error.lineno) from error
    if not is_home(data):
        raise InputError(f"{path}: not a HomeEnv home (rooms and devices are expected).")
    try:
        return convert(data, path.stem, vocabulary)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise InputError(f"{path}: a room or device is not as the schema says: {error!r}.") from error


def convert(data: dict[str, Any], name: str, vocabulary: Vocabulary) -> Home:
    """A home from its JSON; `name` stands in for a missing id."""
    home = str(data.get("id") or name)
    builder = _Builder(f"urn:homeenv:{home}", Classifier(vocabulary), vocabulary)
    builder.rooms(data["rooms"])
    for device in data["devices"]:
        builder.device(device)
    quads = [quad for place in builder.places for quad in place_rdf.describe(place)]
    return Home(home, tuple(builder.things), tuple(quads), builder.state, data.get("now"))


@lru_cache(maxsize=1)
def _classes() -> dict[tuple[str, str], str]:
    """The class of a subcategory or component, by (`subcategory` or `component`, name)."""
    rows: dict[object, dict[str, str]] = {}
    for quad in parse(path=str(Path(__file__).with_name("mapping.ttl")), format=RdfFormat.TURTLE):
        rows.setdefault(quad.subject, {})[quad.predicate.value.removeprefix(HE)] = quad.object.value
    return {
        (key, row[key]): row["class"] for row in rows.values() for key in ("subcategory", "component") if key in row
    }


class _Builder:
    def __init__(self, home: str, classifier: Classifier, vocabulary: Vocabulary) -> None:
        self.home, self.classifier, self.vocabulary = home, classifier, vocabulary
        self.things: list[Thing] = []
        self.places: list[Place] = [Place(home, "home", (), frozenset((expand("hg:Home"),)), None, None)]
        self.state: dict[str, Json] = {}

    def rooms(self, rooms: list[dict[str, Any]]) -> None:
        """Floors, then rooms, each within the room that is its parent or on its floor."""
        for number in sorted({room["floor"] for room in rooms if room.get("floor") is not None}):
            floor = frozenset((expand("hg:Floor"),))
            self.places.append(Place(f"{self.home}:floor:{number}", f"floor {number}", (), floor, self.home, number))
        for room in rooms:
            number = room.get("floor")
            above = f"{self.home}:floor:{number}" if number is not None else self.home
            parent = self.room(room["parent"]) if room.get("parent") else above
            classes = self._classes(room)
            self.places.append(Place(self.room(room["id"]), room["name"], (), classes, parent, number))

    def room(self, key: str) -> str:
        """The IRI of a room."""
        return f"{self.home}:room:{key}"

    def _classes(self, room: dict[str, Any]) -> frozenset[str]:
        """The class that the room's name tells, and the one of its type."""
        named = self.classifier.place(Place("urn:room", room["name"], (), frozenset(), None, None)).classes
        typed = self.classifier.place(Place("urn:room", room["type"].replace("_", " "), (), frozenset(), None, None))
        return (named | typed.classes) or frozenset((expand("hg:Room"),))

    def device(self, data: dict[str, Any]) -> None:
        """One device with its components, attributes and services."""
        user = data["userdata"]
        doc = f"{self.home}:device:{user['did']}"
        own = _classes().get(("subcategory", user.get("subcategory", "")))
        parts = [Part(doc, "", frozenset((own,)) if own else frozenset())]
        properties, actions = [], []
        for component in ({**data, "name": ""}, *data.get("components", ())):
            path = component["name"]
            part = f"{doc}#parts/{path}" if path else doc
            if path:
                cls = _classes().get(("component", path))
                parts.append(Part(part, path, frozenset((cls,)) if cls else frozenset(), path))
            properties += [self._property(doc, part, path, a) for a in component.get("attributes", ())]
            actions += [_action(doc, part, path, s) for s in component.get("services", ())]
        thing = Thing(
            iri=doc,
            document=doc,
            title=data["name"],
            parts=tuple(parts),
            properties=tuple(properties),
            actions=tuple(actions),
            place=self.room(user["room"]) if user.get("room") else self.home,
            description=data.get("description"),
        )
        self.things.append(self._with_effects(thing, data))

    def _property(self, doc: str, part: str, path: str, attribute: dict[str, Any]) -> Property:
        name = f"{path}.{attribute['name']}" if path else attribute["name"]
        iri = f"{doc}#properties/{name}"
        if attribute.get("value") is not None:
            self.state[iri] = attribute["value"]
        schema = replace(_schema(attribute), read_only=True)
        return Property(iri, name, part, schema, observable=True, title=attribute["name"].replace("_", " "))

    def _with_effects(self, thing: Thing, data: dict[str, Any]) -> Thing:
        """The thing with the effects that its services declare, on the kinds that its properties turn out to be of."""
        known = self.classifier.thing(thing)
        kinds = {p.iri: next(iter(sorted(p.kinds)), expand("hg:Kind")) for p in known.properties}
        declared = {
            (c["name"] if c is not data else "", s["name"]): s.get("effects", [])
            for c in (data, *data.get("components", ()))
            for s in c.get("services", ())
        }
        actions = []
        for action in known.actions:
            path, _, name = action.name.rpartition(".")
            effects = tuple(_effects(thing.iri, path, declared[path, name], kinds))
            actions.append(replace(_typed(action, effects), effects=effects))
        return replace(known, actions=tuple(actions))


def _typed(action: Action, effects: tuple[Effect, ...]) -> Action:
    """The action whose members are of the kinds of the properties that they are copied to."""
    if action.input is None:
        return action
    copied = {str(e.property).rpartition("/")[2].rpartition(".")[2]: e.kind for e in effects if e.form is Form.TO_INPUT}
    members = tuple(
        (name, replace(member, kinds=frozenset((copied[name],))) if name in copied else member)
        for name, member in action.input.properties
    )
    return replace(action, input=replace(action.input, properties=members))


def _effects(doc: str, path: str, declared: list[dict[str, Any]], kinds: dict[str, str]) -> Iterator[Effect]:
    for effect in declared:
        name = f"{path}.{effect['attribute']}" if path else effect["attribute"]
        iri = f"{doc}#properties/{name}"
        if "argument" in effect:
            yield Effect(kinds[iri], Form.TO_INPUT, kinds[iri], iri)
        else:
            yield Effect(kinds[iri], Form.TO, effect["value"], iri)


def _action(doc: str, part: str, path: str, service: dict[str, Any]) -> Action:
    name = f"{path}.{service['name']}" if path else service["name"]
    arguments = service.get("arguments", [])
    members = tuple((a["name"], _schema(a)) for a in arguments)
    required = frozenset(a["name"] for a in arguments if not a.get("optional"))
    schema = Schema("object", properties=members, required=required) if members else None
    return Action(
        f"{doc}#actions/{name}",
        name,
        part,
        input=schema,
        title=service["name"].replace("_", " "),
        description=service.get("description"),
    )


def _schema(attribute: dict[str, Any]) -> Schema:
    low, high = attribute.get("range") or (None, None)
    return Schema(
        TYPES.get(attribute["type"], "string"),
        name=attribute["name"],
        minimum=low,
        maximum=high,
        multiple_of=attribute.get("precision"),
        enum=tuple(attribute.get("options") or ()),
        unit=attribute.get("unit"),
        title=attribute.get("description"),
    )
