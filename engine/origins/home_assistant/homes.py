"""A Home Assistant as things, places and state: floors and areas hold devices, whose entities are their parts.

The name and place of an entity may change; its IRI is that of its entry in the registry and stays.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote, unquote

from engine.graph.terms import PLACES, RDF_TYPE, Json, Literal, NamedNode, Quad, expand, node
from engine.model import thing_rdf as rdf
from engine.model.place import Place
from engine.model.thing import Action, Part, Property, Thing
from engine.model.vocabulary import Vocabulary
from engine.origins.home_assistant import entities, mapping, services
from engine.origins.home_assistant.entities import Entity, Reading
from engine.origins.home_assistant.exposure import Exposure
from engine.origins.home_assistant.mapping import texts
from engine.origins.home_assistant.snapshot import Record, Snapshot, read
from engine.things import places as place_rdf

SCHEME = "home-assistant"
"""The scheme of forms that lead to Home Assistant."""
HOME = "home"
"""What a Home Assistant is called in IRIs where nothing else is said."""
SECURITY = "home_assistant_sc"


@dataclass(frozen=True, slots=True)
class Left:
    """A service or attribute that did not become an affordance, and the reason."""

    what: str
    reason: str


@dataclass(frozen=True)
class Home:
    """A home ready to be registered: `state` maps property IRIs to values, None to be forgotten; `readings` say by
    entity how they are read.

    `exposed` counts the entities that may be known, `offered` the services that apply to them; `left` are services and
    attributes that became no affordance.
    """

    iri: str
    things: tuple[Thing, ...]
    quads: tuple[Quad, ...]
    state: dict[str, Json]
    readings: dict[str, tuple[Reading, ...]]
    exposed: int
    offered: int
    left: tuple[Left, ...]


@dataclass(slots=True)
class _Made:
    """The components of a thing while it is built."""

    parts: list[Part] = field(default_factory=list)
    properties: list[Property] = field(default_factory=list)
    actions: list[Action] = field(default_factory=list)


def addressed(target: str) -> tuple[str, str] | None:
    """The entity and service or attribute that a form leads to: `light.kitchen`, `turn_on`; None for a target of
    another kind."""
    scheme, _, rest = target.partition("://")
    _, _, place = rest.partition("/")
    entity, _, name = place.partition("/")
    return (unquote(entity), name) if scheme == SCHEME and "." in entity and name else None


def read_home(path: Path, vocabulary: Vocabulary, exposure: Exposure | None = None, name: str = HOME) -> Home:
    """The home of a snapshot's directory. Raises InputError, SyntaxFault."""
    return convert(read(path), vocabulary, exposure or Exposure(), name)


def convert(snapshot: Snapshot, vocabulary: Vocabulary, exposure: Exposure, name: str = HOME) -> Home:
    """A home from a snapshot; `name` stands in all its IRIs."""
    builder = _Builder(
        snapshot, vocabulary, f"urn:{SCHEME}:{quote(name, safe='')}", f"{SCHEME}://{quote(name, safe='')}"
    )
    builder.add_places()
    for group in _groups(builder.admitted(exposure), snapshot):
        builder.add(*group)
    return builder.home()


def _groups(found: Iterable[Entity], snapshot: Snapshot) -> list[tuple[list[Entity], bool]]:
    """Entities by the artifact that they are of: those of a device in one place, and each other for itself; and whether
    others of the device are elsewhere, in its own place."""
    groups: dict[tuple[str, str | None], list[Entity]] = {}
    for entity in found:
        device = str(entity.entry.get("device_id") or "")
        key = (device, _area(entity, snapshot)) if device in snapshot.device_of else (entity.iri, None)
        groups.setdefault(key, []).append(entity)
    places: dict[str, list[str | None]] = {}
    for owner, area in groups:
        places.setdefault(owner, []).append(area)
    return [(group, area != _chief(owner, places[owner], snapshot)) for (owner, area), group in groups.items()]


def _chief(device: str, places: list[str | None], snapshot: Snapshot) -> str | None:
    """Of the places in which entities of a device are, the one in which the device is, or else the first."""
    own = snapshot.device_of.get(device, {}).get("area_id")
    return own if own in places else places[0]


def _area(entity: Entity, snapshot: Snapshot) -> str | None:
    device = snapshot.device_of.get(str(entity.entry.get("device_id") or ""), {})
    found = entity.entry.get("area_id") or device.get("area_id")
    return str(found) if found else None


class _Builder:
    def __init__(self, snapshot: Snapshot, vocabulary: Vocabulary, home: str, target: str) -> None:
        self._snapshot, self._home, self._target = snapshot, home, target
        self._meanings = mapping.load()
        self._known = (self._meanings, vocabulary)
        self._places: dict[str, Place] = {}
        self._things: list[Thing] = []
        self._state: dict[str, Json] = {}
        self._readings: dict[str, tuple[Reading, ...]] = {}
        self._left: list[Left] = []
        self._exposed = self._offered = 0

    def home(self) -> Home:
        """The home built so far."""
        quads = [quad for place in self._places.values() for quad in place_rdf.describe(place)]
        quads += [quad for thing in self._things for quad in _security(thing)]
        quads.append(Quad(NamedNode(self._home), node("hg:convention"), node("hg:RoomMeansAll"), PLACES))
        return Home(
            self._home,
            tuple(self._things),
            tuple(quads),
            self._state,
            self._readings,
            self._exposed,
            self._offered,
            tuple(self._left),
        )

    # Places

    def add_places(self) -> None:
        """The home, its floors, and its areas, each on its floor."""
        title = str(self._snapshot.config.get("location_name") or "home")
        self._add(Place(self._home, title, ("home",) if title != "home" else (), frozenset((expand("hg:Home"),))))
        for floor in self._snapshot.floors:
            level = floor.get("level")
            iri = f"{self._home}:floor:{quote(str(floor['floor_id']), safe='')}"
            number = level if isinstance(level, int) else None
            classes = frozenset((expand("hg:Floor"),))
            self._add(Place(iri, _record_name(floor, "floor_id"), _aliases(floor), classes, self._home, number))
        for area in self._snapshot.areas:
            floor_iri = f"{self._home}:floor:{quote(str(area.get('floor_id')), safe='')}"
            parent = floor_iri if floor_iri in self._places else self._home
            self._add(
                Place(
                    self._area_iri(area["area_id"]), _record_name(area, "area_id"), _aliases(area), frozenset(), parent
                )
            )

    def _area_iri(self, area: str) -> str:
        return f"{self._home}:area:{quote(area, safe='')}"

    def _add(self, place: Place) -> None:
        self._places[place.iri] = place

    # Entities

    def admitted(self, exposure: Exposure) -> Iterator[Entity]:
        """The entities that may be known."""
        for state in self._snapshot.states:
            name = str(state["entity_id"])
            if not exposure.admits(name, self._snapshot):
                continue
            self._exposed += 1
            if "." not in name:
                self._left.append(Left(name, "it is no name of an entity"))
                continue
            entry = self._snapshot.entity_of.get(name, {})
            iri = f"{self._home}:entity:{quote(str(entry.get('id') or name), safe='')}"
            target = f"{self._target}/{quote(name, safe='')}"
            yield Entity(name, iri, target, state, entry, self._snapshot.temperature_unit)

    def add(self, group: list[Entity], elsewhere: bool) -> None:
        """One artifact: an entity that stands for itself, or a device whose entities are its parts; or those of them
        that are elsewhere."""
        device = self._snapshot.device_of.get(str(group[0].entry.get("device_id") or ""))
        alone = group[0] if len(group) == 1 else None
        main = alone or self._main(group)
        area = _area(group[0], self._snapshot)
        iri = alone.iri if device is None and alone else self._device_iri(device or {}, area if elsewhere else None)
        made = _Made()
        self._part(main, iri, made) if main else made.parts.append(Part(iri, "", frozenset()))
        paths = _paths([entity for entity in group if entity is not main])
        for entity, path in paths:
            self._part(entity, iri, made, path)
        title, aliases = _names(main, device if alone is None else None, group)
        place = self._area_iri(area) if area and self._area_iri(area) in self._places else self._home
        self._things.append(
            Thing(
                iri=iri,
                document=iri,
                title=title,
                parts=tuple(made.parts),
                properties=tuple(made.properties),
                actions=tuple(made.actions),
                place=place,
                aliases=aliases,
                description=_model(device),
                security=(SECURITY,),
            )
        )

    def _device_iri(self, device: Record, elsewhere: str | None) -> str:
        """That of the device; with that of an area behind it for entities that are elsewhere than the others."""
        iri = f"{self._home}:device:{quote(str(device['id']), safe='')}"
        return f"{iri}:{quote(elsewhere, safe='')}" if elsewhere else iri

    def _main(self, group: list[Entity]) -> Entity | None:
        """The one entity that has no name beside its device's, and can be operated; none where several could be it."""
        unnamed = [e for e in group if not (e.entry.get("name") or e.entry.get("original_name"))]
        acting = [e for e in unnamed if any(services.applicable(e, self._snapshot.services))]
        found = acting or unnamed
        return found[0] if len(found) == 1 else None

    def _part(self, entity: Entity, thing: str, made: _Made, path: str = "") -> None:
        row = self._meanings.entity(entity.domain, entity.device_class)
        iri, prefix = (entity.iri, f"{path}.") if path else (thing, "")
        made.parts.append(Part(iri, path, frozenset(texts(row, "class")[-1:]), entity.name if path else ""))
        try:
            own, readings = entities.properties(entity, iri, prefix, self._meanings)
            done = services.actions(entity, iri, prefix, own, self._snapshot.services, self._known)
        except (AttributeError, KeyError, OverflowError, TypeError, ValueError) as error:
            self._left.append(Left(entity.id, f"it is not as Home Assistant writes it ({type(error).__name__})"))
            return
        made.properties += own
        made.actions += done
        self._offered += len(done)
        if not own and not done:
            self._left.append(Left(entity.id, "it has a password for a value, and no service"))
        self._readings[entity.id] = tuple(readings)
        self._state.update(entities.values(readings, entity.state))


def _paths(group: list[Entity]) -> list[tuple[Entity, str]]:
    """The parts' paths within their device: by the entity's own name, else its domain; told apart where alike."""
    found: list[tuple[Entity, str]] = []
    taken: set[str] = set()
    for entity in group:
        own = str(entity.entry.get("name") or entity.entry.get("original_name") or "")
        path = entities.slug(own) or entity.domain
        for candidate in (path, f"{entity.domain}_{path}", entities.slug(entity.id)):
            if candidate not in taken:
                path = candidate
                break
        taken.add(path)
        found.append((entity, path))
    return found


def _names(main: Entity | None, device: Record | None, group: list[Entity]) -> tuple[str, tuple[str, ...]]:
    """The title of an artifact, and its further names: also the one that people gave the entity beside its device's."""
    if device is None:
        entity = main or group[0]
        own = (*entity.aliases, *([str(entity.entry["name"])] if entity.entry.get("name") else []))
        return entity.name, tuple(dict.fromkeys(name for name in own if name != entity.name))
    title = str(device.get("name_by_user") or device.get("name") or (main or group[0]).name)
    names = [main.name, *main.aliases] if main else []
    return title, tuple(dict.fromkeys(name for name in names if name != title))


def _record_name(record: Record, key: str) -> str:
    return str(record.get("name") or record[key]).strip() or str(record[key])


def _aliases(record: Record) -> tuple[str, ...]:
    found = (str(alias).strip() for alias in record.get("aliases") or () if isinstance(alias, str))
    return tuple(dict.fromkeys(alias for alias in found if alias and alias != record.get("name")))


def _model(device: Record | None) -> str | None:
    found = [str(device[name]) for name in ("manufacturer", "model") if device.get(name)] if device else []
    return " ".join(found) or None


def _security(thing: Thing) -> Iterator[Quad]:
    """A bearer's token is needed; which one is nobody's business but the client's."""
    scheme, graph = NamedNode(rdf.below(thing.document, "security", SECURITY)), NamedNode(thing.document)
    yield Quad(scheme, RDF_TYPE, node("wotsec:BearerSecurityScheme"), graph)
    yield Quad(scheme, node("wotsec:in"), Literal("header"), graph)
