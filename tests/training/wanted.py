"""`python -m tests.training.wanted OUT --homes DIR [--number N] [--seed S] [--said FILE]`: things to want.

Many tasks teach more than many voices: of homes' files this makes meanings at random (single devices, sets by state,
rank and room, exceptions, lists, questions, what follows on something said, what is to be done later, what cannot be,
what is not clear, what is only told), each with its outcome by code and in a notation that lends no words. Writers who
know neither rules nor engine put them into words; with `--said` these words and the tasks are joined.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from statistics import mean
from typing import Any

from cronsim import CronSim

MOST_WANTED = 12
"""Sets of more units than this are told apart by little."""
_CLASSES = {
    "light": ("light", "color_light", "color_temperature_light", "light_strip", "fan_light.light"),
    "fan": ("smart_fan", "fan_light.fan"),
    "air conditioner": ("air_conditioner",),
    "curtain": ("curtain",),
    "speaker": ("universal_speaker",),
    "screen": ("smart_screen",),
    "media player": ("universal_speaker", "smart_screen"),
    "lock": ("smart_lock",),
    "water heater": ("electric_water_heater",),
    "air purifier": ("air_purifier",),
    "humidifier": ("humidifier",),
    "robot vacuum": ("robot_cleaner",),
    "washing machine": ("compound_washer",),
    "oven": ("built_in_oven",),
}
_SENSED = {"current_temperature": 0.3, "current_humidity": 1.0, "illuminance": 20}
_SET = ("brightness", "color_temperature", "color", "position", "speed_level", "preset_mode", "oscillation_enabled",
        "target_temperature", "ac_mode", "fan_speed", "volume_level", "volume_muted_enabled", "screen_brightness",
        "alarm_volume", "defend_enabled", "target_water_temperature", "work_mode", "purifier_mode", "target_humidity",
        "mist_level", "suction", "program", "spin_speed")  # fmt: skip
_RANKED = ("brightness", "color_temperature", "position", "target_temperature", "volume_level", "alarm_volume",
           "battery_level", "target_water_temperature", "pm25", "filter_life", "target_humidity",
           "water_level")  # fmt: skip
_STATES = {
    "light": (("state", "on"), ("state", "off")),
    "fan": (("state", "on"), ("state", "off")),
    "air conditioner": (("state", "on"), ("state", "off")),
    "curtain": (("position", 100), ("position", 0)),
    "speaker": (("work_state", "playing"), ("work_state", "paused")),
    "screen": (("work_state", "playing"), ("work_state", "paused")),
    "media player": (("work_state", "playing"), ("work_state", "paused")),
    "lock": (("state", "locked"), ("state", "unlocked")),
    "water heater": (("state", "on"), ("state", "off")),
    "air purifier": (("state", "on"), ("state", "off")),
    "humidifier": (("state", "on"), ("state", "off")),
    "robot vacuum": (("work_state", "cleaning"), ("work_state", "returning"), ("work_state", "paused")),
    "washing machine": (("state", "washing"), ("state", "paused")),
    "oven": (("state", "paused"),),
}


@dataclass(frozen=True)
class Unit:
    """A device, or a component of one, that belongs to a class of units."""

    did: str
    pre: str
    cls: str
    name: str
    room: str
    values: Mapping[str, Any]
    schemas: Mapping[str, Mapping[str, Any]]


class Home:
    """A home's file, as units and rooms."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        self.data, self.id = data, data["id"]
        self.rooms = {room["id"]: room for room in data["rooms"]}
        self.units = [unit for device in data["devices"] for unit in self._units(device)]
        self.sensors = [d for d in data["devices"] if d["userdata"]["category"] == "sensor"]
        names = [unit.name for unit in self.units]
        self.below = any(room.get("floor", 1) < 1 for room in data["rooms"])
        self.twice = {name for name in names if names.count(name) > 1}

    def _units(self, device: Mapping[str, Any]) -> Iterator[Unit]:
        own = device["userdata"]
        for pre, part in (("", device), *((f"{c['name']}.", c) for c in device["components"])):
            kind = f"{own['subcategory']}.{part['name']}" if pre else own["subcategory"]
            cls = next((name for name, kinds in _CLASSES.items() if kind in kinds), None)
            if cls is not None and part["attributes"]:
                schemas = {a["name"]: a for a in part["attributes"]}
                values = {name: a["value"] for name, a in schemas.items()}
                yield Unit(str(own["did"]), pre, cls, device["name"], own["room"], values, schemas)

    def of(self, cls: str) -> list[Unit]:
        """The units of a class."""
        return [u for u in self.units if u.cls == cls or (cls == "media player" and u.cls in ("speaker", "screen"))]

    def within(self, room: str) -> set[str]:
        """A room with the rooms inside it."""
        found = {room}
        while more := {r for r, one in self.rooms.items() if one.get("parent") in found} - found:
            found |= more
        return found

    def called(self, unit: Unit) -> str:
        """The name by which a unit is known."""
        part = f", its {unit.pre[:-1]} part" if unit.pre else ""
        where = f" in {self.rooms[unit.room]['name']}"
        return f"“{unit.name}”{part}{where}"

    def sensed(self, room: str, path: str) -> Any:
        """What the sensor of a room reports; None where it has none, or several that differ."""
        values = {value for _, value in self.reports(room, path)}
        return values.pop() if len(values) == 1 else None

    def reports(self, room: str, path: str) -> list[tuple[str, Any]]:
        """Each sensor of a room that reports a property, with its report."""
        return [
            (str(d["userdata"]["did"]), a["value"])
            for d in self.sensors
            if d["userdata"]["room"] == room
            for a in d["attributes"]
            if a["name"] == path
        ]


@dataclass(frozen=True)
class Deed:
    """What is done with a unit: its notation, the values after, and what may change besides."""

    told: str
    after: Callable[[Unit], dict[str, Any] | None]


def _clamped(unit: Unit, path: str, value: float) -> Any:
    low, high = unit.schemas[path]["range"]
    return max(low, min(high, value))


def _rounded(chance: random.Random, schema: Mapping[str, Any]) -> Any:
    """A value of a schema as people name them."""
    if schema.get("options"):
        return chance.choice(schema["options"])
    if schema["type"] == "bool":
        return chance.random() < 0.5
    low, high = schema["range"]
    step = 500 if high > 2000 else 1 if high - low < 60 else 5
    return chance.randrange(-(-low // step) * step, high + 1, step)


def deed(chance: random.Random, cls: str, units: Sequence[Unit]) -> Deed | None:
    """Something that can be done with all of these units."""
    if chance.random() < 0.42:
        path, value = chance.choice(_STATES[cls])
        return Deed(f"{path} := {value}", lambda _: {path: value})
    paths = [p for p in _SET if all(p in u.schemas for u in units)]
    if not paths:
        return None
    path = chance.choice(paths)
    schema = units[0].schemas[path]
    if schema.get("range") and chance.random() < 0.4:
        step = (
            500
            if schema["range"][1] > 2000
            else chance.choice((1, 2, 3))
            if schema["range"][1] < 80
            else chance.choice((5, 10, 15, 20, 25))
        )
        by = step * chance.choice((-1, 1))
        return Deed(f"{path} := {path} {by:+d}", lambda u: {path: _clamped(u, path, u.values[path] + by)})
    if schema.get("range") and chance.random() < 0.15:
        end = chance.choice((0, 1))
        return Deed(f"{path} := {('minimum', 'maximum')[end]}", lambda u: {path: u.schemas[path]["range"][end]})
    value = _rounded(chance, schema)
    if schema.get("range") and not all(
        u.schemas[path]["range"][0] <= value <= u.schemas[path]["range"][1] for u in units
    ):
        return None
    return Deed(f"{path} := {str(value).lower() if isinstance(value, bool) else value}", lambda _: {path: value})


def expected(pairs: Sequence[tuple[Unit, dict[str, Any]]]) -> dict[str, Any] | None:
    """The expectation of these outcomes; None where nothing would change."""
    final, besides, changes = [], [], False
    for unit, values in pairs:
        for path, value in values.items():
            op, want = ("in", ["paused", "standby"]) if value == "paused" and path == "work_state" else ("==", value)
            op, want = ("in", ["returning", "charging"]) if value == "returning" else (op, want)
            op, want = ("in", ["paused", "idle"]) if value == "paused" and path == "state" else (op, want)
            final.append({"did": unit.did, "path": unit.pre + path, "op": op, "value": want})
            now = unit.values[path]
            changes |= now not in want if isinstance(want, list) else now != want
        if "state" in unit.values and "state" not in values and unit.cls not in ("washing machine", "oven", "lock"):
            besides.append({"did": unit.did, "path": f"{unit.pre}state", "op": "==", "value": "on"})
        if "volume_level" in values:
            besides.append({"did": unit.did, "path": "volume_muted_enabled", "op": "==", "value": False})
    return {"kind": "state", "final": final, "also_ok": besides} if changes else None


Test = tuple[str, Callable[[Unit], bool]]


def test(chance: random.Random, units: Sequence[Unit]) -> Test | None:
    """A test of how units are that some meet and some do not."""
    paths = [
        p
        for p in ("state", "work_state", *_SET, "battery_level", "pm25", "filter_life", "water_level")
        if all(p in u.values for u in units)
    ]
    path = chance.choice([*paths[:1] * 3, *paths])
    values = sorted({u.values[path] for u in units}, key=str)
    if len(values) < 2:
        return None
    if units[0].schemas[path].get("options") or isinstance(values[0], bool | str):
        value = chance.choice(values)
        if chance.random() < 0.15:
            return f"{path} ≠ {value}", lambda u: u.values[path] != value
        return f"{path} = {str(value).lower()}", lambda u: u.values[path] == value
    numbers = sorted({float(u.values[path]) for u in units})
    place = chance.randrange(len(numbers) - 1)
    bound = round((numbers[place] + numbers[place + 1]) / 2)
    if not numbers[place] < bound < numbers[place + 1]:
        return None
    if chance.random() < 0.5:
        return f"{path} > {bound}", lambda u: u.values[path] > bound
    return f"{path} < {bound}", lambda u: u.values[path] < bound


def _is_lit(unit: Unit) -> bool:
    """Whether a unit is on; one that cannot be off is."""
    return unit.values.get("state", "on") == "on"


def _either(found: Wish | None, other: Wish | None) -> Wish | None:
    """A wish that two outcomes fulfil: "lights below 40" may or may not mean those that are off."""
    if found is not None and other is not None and found[1] != other[1]:
        found[1]["alternatives"] = [other[1]]
    return found


def _discerns(units: Sequence[Unit], met: Callable[[Unit], bool]) -> list[Unit]:
    found = [u for u in units if met(u)]
    return found if 0 < len(found) < len(units) and len(found) <= MOST_WANTED else []


Wish = tuple[str, dict[str, Any]]


def _class(chance: random.Random, home: Home, least: int = 1) -> tuple[str, list[Unit]] | None:
    among = [cls for cls in _CLASSES for _ in range({"light": 4, "fan": 2}.get(cls, 1)) if len(home.of(cls)) >= least]
    if not among:
        return None
    cls = chance.choice(among)
    return cls, home.of(cls)


def _wanted(units: Sequence[Unit], done: Deed, told: str) -> Wish | None:
    pairs = []
    for unit in units:
        try:
            values = done.after(unit)
        except KeyError:
            return None
        if values is None or not values.keys() <= unit.values.keys():
            return None  # it has no such property
        pairs.append((unit, values))
    found = expected(pairs)
    return None if found is None else (told, found)


def single(chance: random.Random, home: Home) -> Wish | None:
    """One device."""
    unit = chance.choice(home.units)
    done = deed(chance, unit.cls, [unit])
    return None if done is None else _wanted([unit], done, f"{home.called(unit)} ({unit.cls}): {done.told}")


def batch(chance: random.Random, home: Home) -> Wish | None:
    """All of a class: everywhere, on a floor, in a kind of room or a room, some excepted."""
    if (found := _class(chance, home, 2)) is None:
        return None
    cls, units = found
    where, way = "", chance.random()
    if way < 0.3:
        floor = chance.choice([r.get("floor") for r in home.rooms.values()])
        units, where = (
            [u for u in units if home.rooms[u.room].get("floor") == floor],
            f" ON FLOOR {floor} (floor 1 is the ground floor; 0 below it)",
        )
    elif way < 0.6:
        room = chance.choice(list(home.rooms))
        units, where = [u for u in units if u.room in home.within(room)], f" IN “{home.rooms[room]['name']}”"
    if way > 0.5 and len(units) > 2:
        spared = chance.choice(units)
        if chance.random() < 0.5:
            units, where = [u for u in units if u.did != spared.did], f"{where} EXCEPT {home.called(spared)}"
        else:
            inside = home.within(spared.room)
            units, where = (
                [u for u in units if u.room not in inside],
                f"{where} EXCEPT THOSE IN “{home.rooms[spared.room]['name']}”",
            )
    if len(units) < 2 or len(units) > MOST_WANTED:
        return None
    done = deed(chance, cls, units)
    return None if done is None else _wanted(units, done, f"EVERY {cls}{where}: {done.told}")


def by_state(chance: random.Random, home: Home) -> Wish | None:
    """Those of a class that are in some state."""
    if (found := _class(chance, home, 3)) is None or (one := test(chance, found[1])) is None:
        return None
    cls, units = found
    told = one[0]
    chosen = _discerns(units, one[1])
    if (
        chosen
        and chance.random() < 0.25
        and (more := test(chance, chosen)) is not None
        and (fewer := _discerns(chosen, more[1]))
    ):
        chosen, told = fewer, f"{told} AND {more[0]}"
    if not chosen or (done := deed(chance, cls, chosen)) is None:
        return None
    lit = [u for u in chosen if _is_lit(u)] if "state" not in told else []
    told = f"EVERY {cls} WHERE {told}: {done.told}"
    return _either(_wanted(chosen, done, told), _wanted(lit, done, told) if lit else None)


def by_rank(chance: random.Random, home: Home) -> Wish | None:
    """The first few of a class by some value, perhaps only of those that are on."""
    if (found := _class(chance, home, 2)) is None:
        return None
    cls, units = found
    told = ""
    on = [u for u in units if u.values.get("state", u.values.get("work_state")) in ("on", "playing")]
    if len(on) > 1 and chance.random() < 0.5:
        units, told = on, " AMONG THOSE THAT ARE ON OR PLAYING"
    paths = [p for p in _RANKED if all(p in u.values for u in units)]
    if not paths:
        return None
    path, most = chance.choice(paths), chance.random() < 0.5
    order = sorted(units, key=lambda u: u.values[path], reverse=most)
    count = chance.choice((1, 1, 1, 2, 2, 3))
    if count >= len(order) or order[count - 1].values[path] == order[count].values[path]:
        return None
    done = deed(chance, cls, order[:count])
    if done is None:
        return None
    told = f"THE {count} {cls} WITH {'HIGHEST' if most else 'LOWEST'} {path}{told}: {done.told}"
    lit = [u for u in order if _is_lit(u)]
    clear = len(lit) > count and lit[count - 1].values[path] != lit[count].values[path]
    return _either(_wanted(order[:count], done, told), _wanted(lit[:count], done, told) if clear else None)


def _rooms(chance: random.Random, home: Home) -> tuple[str, set[str]] | None:
    """Rooms of which something is true, by their sensors or by what is in them."""
    way = chance.random()
    if way < 0.35:
        state = chance.choice(("yes", "no"))
        known = {r for r in home.rooms if home.sensed(r, "human_detected") is not None}
        return f"A SENSOR DETECTS {'A HUMAN' if state == 'yes' else 'NO HUMAN'}", {
            r for r in known if home.sensed(r, "human_detected") == state
        }
    if way < 0.75:
        path = chance.choice(list(_SENSED))
        known = {r: home.sensed(r, path) for r in home.rooms if home.sensed(r, path) is not None}
        values = sorted(set(known.values()))
        if len(values) < 2:
            return None
        if chance.random() < 0.3:
            most = chance.random() < 0.5
            end = values[-1] if most else values[0]
            chosen = {r for r, v in known.items() if v == end}
            return (
                (f"{path} IS THE {'HIGHEST' if most else 'LOWEST'} OF ALL ROOMS", chosen) if len(chosen) == 1 else None
            )
        place = chance.randrange(len(values) - 1)
        bound = round((values[place] + values[place + 1]) / 2)
        if not values[place] < bound < values[place + 1]:
            return None
        more = chance.random() < 0.5
        return f"{path} {'>' if more else '<'} {bound}", {r for r, v in known.items() if (v > bound) == more}
    cls = chance.choice(list(_CLASSES))
    units = home.of(cls)
    if way < 0.88:
        return f"THERE IS A {cls}", {u.room for u in units}
    if not units or (one := test(chance, units)) is None:
        return None
    return f"THERE IS A {cls} WITH {one[0]}", {u.room for u in units if one[1](u)}


def by_room(chance: random.Random, home: Home) -> Wish | None:
    """Those of a class in rooms of which something is true."""
    if (where := _rooms(chance, home)) is None or not where[1] or len(where[1]) == len(home.rooms):
        return None
    told, rooms = where
    if any(home.within(r) - rooms for r in rooms) or any(
        home.rooms[r].get("parent") in rooms for r in home.rooms if r not in rooms
    ):
        return None  # whether the rooms inside count would be a matter of taste
    cls = chance.choice(list(_CLASSES))
    units = home.of(cls)
    chosen = _discerns(units, lambda u: u.room in rooms)
    if not chosen or f" {cls}" in told or (done := deed(chance, cls, chosen)) is None:
        return None
    return _wanted(chosen, done, f"IN EACH ROOM WHERE {told}: EVERY {cls} THERE: {done.told}")


def several(chance: random.Random, home: Home) -> Wish | None:
    """Two or three devices, each with something of its own."""
    picked = chance.sample(home.units, min(len(home.units), chance.choice((2, 2, 3))))
    if len({u.did for u in picked}) < len(picked):
        return None
    told, pairs = [], []
    for unit in picked:
        done = deed(chance, unit.cls, [unit])
        values = done.after(unit) if done is not None else None
        if done is None or values is None or expected([(unit, values)]) is None:
            return None
        told.append(f"{home.called(unit)} ({unit.cls}): {done.told}")
        pairs.append((unit, values))
    found = expected(pairs)
    return None if found is None else ("; ".join(told), found)


def two(chance: random.Random, home: Home) -> Wish | None:
    """Two orders of any kind in one breath."""
    made = [chance.choice((single, batch, by_state, by_rank, by_room))(chance, home) for _ in range(2)]
    if made[0] is None or made[1] is None:
        return None
    keys = [{(f["did"], f["path"].partition(".")[0]) for f in one[1]["final"]} for one in made if one is not None]
    if keys[0] & keys[1]:
        return None
    both = {key: [*made[0][1][key], *made[1][1][key]] for key in ("final", "also_ok")}
    return f"{made[0][0]}; AND ALSO {made[1][0]}", {"kind": "state", **both}


def followed(chance: random.Random, home: Home) -> tuple[str, dict[str, Any], list[dict[str, Any]]] | None:
    """Something said before, and what follows on it."""
    unit = chance.choice([u for u in home.units if not u.pre])
    path, value = chance.choice(_STATES[unit.cls])
    paths = [p for p in _SET if p in unit.schemas and unit.schemas[p].get("range")]
    before = {"light": {"on": "turn on", "off": "turn off"}, "curtain": {100: "open", 0: "close"}}
    words = (
        before.get(unit.cls, {}).get(value)
        if unit.cls in before
        else {
            "on": "turn on",
            "off": "turn off",
            "playing": "play",
            "paused": "pause",
            "locked": "lock",
            "unlocked": "unlock",
        }.get(value)
    )
    if words is None:
        return None
    effects = [{"did": unit.did, "path": path, "value": value}]
    first = f"{words} the {unit.name} in the {home.rooms[unit.room]['name']}"
    others = [u for u in home.of(unit.cls) if u.did != unit.did and not u.pre]
    way = chance.random()
    now = Unit(unit.did, unit.pre, unit.cls, unit.name, unit.room, {**unit.values, path: value}, unit.schemas)
    if way < 0.2:
        if unit.values[path] == value or value in ("paused", "playing"):
            return None
        wish = expected([(now, {path: unit.values[path]})])
        told = "UNDO WHAT WAS JUST DONE"
    elif way < 0.45 and others:
        other = chance.choice(others)
        wish, told = expected([(other, {path: value})]), f"THE SAME FOR {home.called(other)}"
    elif way < 0.6 and others:
        other = chance.choice(others)
        if unit.values[path] == value or value in ("paused", "playing"):
            return None
        wish, told = (
            expected([(now, {path: unit.values[path]}), (other, {path: value})]),
            f"WRONG ONE: IT GOES BACK TO HOW IT WAS; {home.called(other)} GETS IT INSTEAD",
        )
    elif paths:
        own = chance.choice(paths)
        by = chance.choice((-10, 10, 20, -20)) if unit.schemas[own]["range"][1] >= 80 else chance.choice((-2, 2, 1))
        if unit.schemas[own]["range"][1] > 2000 or value in ("off", 0):
            return None
        if chance.random() < 0.5:
            wish, told = expected([(now, {own: _clamped(now, own, now.values[own] + by)})]), f"ON IT: {own} {by:+d}"
        else:
            to = _rounded(chance, unit.schemas[own])
            wish, told = expected([(now, {own: to})]), f"ON IT: {own} := {to}"
    else:
        return None
    return None if wish is None else (told, wish, [{"text": first, "effects": effects}])


def _answer(
    value: Any, unit: str | None = None, groups: Sequence[Sequence[str]] = (), not_: Sequence[str] = ()
) -> dict[str, Any]:
    shown = [[str(value)]] if not groups else [list(g) for g in groups]
    return {"kind": "answer", "value": value, "unit": unit, "must_contain": shown, "must_not_contain": list(not_)}


def asked(chance: random.Random, home: Home) -> Wish | None:
    """A question: how many, which, how much, the most, the mean, the difference, whether."""
    if (found := _class(chance, home, 2)) is None:
        return None
    cls, units = found
    way = chance.random()
    one = test(chance, units)
    if one is not None and way < 0.45:
        return (_counted if way < 0.3 else _listed)(home, cls, units, one)
    paths = [p for p in _RANKED if all(p in u.values for u in units)]
    if paths and way < 0.55:
        return _most(chance, home, cls, units, paths)
    if paths and way < 0.62 and 1 < len(units) < 7:
        path = chance.choice(paths)
        value = round(mean(u.values[path] for u in units), 2)
        return f"ASK: THE MEAN {path} OF ALL {cls}?", {**_answer(value), "tolerance": 0.51}
    if paths and way < 0.7:
        path = chance.choice(paths)
        a, b = chance.sample(units, 2)
        value = abs(a.values[path] - b.values[path])
        return f"ASK: HOW FAR APART ARE {home.called(a)} AND {home.called(b)} IN {path}?", _answer(value)
    return _of_one(chance, home, cls, chance.choice(units), way)


def _counted(home: Home, cls: str, units: Sequence[Unit], one: Test) -> Wish | None:
    """How many of a class are so."""
    lit = _answer(sum(one[1](u) for u in units if _is_lit(u) or "state" in one[0]))
    return _either((f"ASK: HOW MANY {cls} WHERE {one[0]}?", _answer(sum(map(one[1], units)))), ("", lit))


def _listed(home: Home, cls: str, units: Sequence[Unit], one: Test) -> Wish | None:
    """Which of a class are so."""
    names = [u.name for u in _discerns(units, one[1])]
    if not 0 < len(names) < 5 or len(set(names)) < len(names) or set(names) & home.twice:
        return None
    value: Any = names[0] if len(names) == 1 else names
    return f"ASK: WHICH {cls} WHERE {one[0]}?", _answer(value, None, [[n] for n in names])


def _most(chance: random.Random, home: Home, cls: str, units: Sequence[Unit], paths: Sequence[str]) -> Wish | None:
    """Which of a class has the most or least of something."""
    path, most = chance.choice(paths), chance.random() < 0.5
    order = sorted(units, key=lambda u: u.values[path], reverse=most)
    if order[0].values[path] == order[1].values[path] or order[0].name in home.twice:
        return None
    return f"ASK: WHICH {cls} HAS THE {'HIGHEST' if most else 'LOWEST'} {path}?", _answer(order[0].name)


_READ = (*_SET, *_RANKED, "current_water_temperature", "state", "work_state", "media_name")


def _of_one(chance: random.Random, home: Home, cls: str, unit: Unit, way: float) -> Wish | None:
    """How one thing is, or whether it is so."""
    path = chance.choice([p for p in unit.values if p in _READ])
    value, options = unit.values[path], unit.schemas[path].get("options")
    of = f"{home.called(unit)} ({cls})"
    if isinstance(value, str | bool) and (way < 0.85 or path == "state"):
        if options and len(options) == 2:
            other = chance.choice(options)
            right = "yes" if value == other else "no"
            return f"ASK: IS {of} {path} = {other}?", _answer(value == other, None, [[right, str(value)]])
        if isinstance(value, bool):
            return f"ASK: IS {of} {path} = true?", _answer(value, None, [["yes" if value else "no"]])
        return f"ASK: WHAT IS {path} OF {of}?", _answer(value)
    if isinstance(value, int | float) and not isinstance(value, bool):
        return f"ASK: WHAT IS {path} OF {of}?", _answer(value)
    return None


def asked_of_rooms(chance: random.Random, home: Home) -> Wish | None:
    """A question about rooms and what is sensed there."""
    path = chance.choice(("human_detected", "current_temperature", "current_humidity", "illuminance"))
    known = {r: home.sensed(r, path) for r in home.rooms if home.sensed(r, path) is not None}
    if not known:
        return None
    names = {r: home.rooms[r]["name"] for r in known}
    room = chance.choice(sorted(known))
    if path == "human_detected":
        if chance.random() < 0.5:
            right = known[room] == "yes"
            return f"ASK: IS ANYBODY IN “{names[room]}”?", _answer(right, None, [["yes" if right else "no"]])
        return "ASK: IN HOW MANY ROOMS IS SOMEBODY?", _answer(sum(v == "yes" for v in known.values()))
    if chance.random() < 0.4:
        return f"ASK: WHAT IS {path} IN “{names[room]}”?", {**_answer(known[room]), "tolerance": 0.1}
    order = sorted(known, key=lambda r: known[r], reverse=(most := chance.random() < 0.5))
    if len(order) < 2 or known[order[0]] == known[order[1]]:
        return None
    return f"ASK: IN WHICH ROOM IS {path} THE {'HIGHEST' if most else 'LOWEST'}?", _answer(names[order[0]])


def _refused(told: str, reason: str, *also: str) -> Wish:
    return told, {"kind": "refuse", "reason": reason, "also_reasons": list(also)}


def lacking(chance: random.Random, home: Home) -> Wish | None:
    """Something that is not there, cannot do that, or not so far: it is to be refused."""
    unit = chance.choice(home.units)
    done = deed(chance, unit.cls, [unit])
    if done is None or done.after(unit) is None:
        return None
    way = chance.random()
    if way < 0.6:
        room = chance.choice(list(home.rooms))
        around = home.within(room) | {room, home.rooms[room].get("parent")}
        if any(u.room in around for u in home.of(unit.cls)) or unit.cls == "media player":
            return None
        where = f"IN “{home.rooms[room]['name']}” (where none is; the speaker believes there is one)"
        return _refused(f"THE {unit.cls} {where}: {done.told}", "no_such_device", "no_such_room")
    if way < 0.8:
        path, words = chance.choice((("color", "red"), ("color_temperature", "4000 kelvin"), ("brightness", "40"),
                                     ("oscillation_enabled", "swinging"), ("position", "30")))  # fmt: skip
        if path in unit.schemas or (path == "color" and "color_temperature" in unit.schemas):
            return None
        told = f"{home.called(unit)} ({unit.cls}): {path} := {words} (it cannot; the speaker does not know that)"
        return _refused(told, "no_such_command", "no_such_device")
    paths = [p for p in _SET if unit.schemas.get(p, {}).get("range")]
    if not paths:
        return None
    path = chance.choice(paths)
    beyond = unit.schemas[path]["range"][1] + (1000 if unit.schemas[path]["range"][1] > 2000 else 30)
    told = f"{home.called(unit)} ({unit.cls}): {path} := {beyond:g} (too much; the speaker does not know that)"
    return _refused(told, "value_out_of_range")


def unclear(chance: random.Random, home: Home) -> Wish | None:
    """One of several, and it is not said which: to be asked about."""
    if (found := _class(chance, home, 3)) is None:
        return None
    cls, units = found
    if chance.random() < 0.5:
        room = chance.choice(list(home.rooms))
        units = [u for u in units if u.room in home.within(room)]
        where = f"IN “{home.rooms[room]['name']}” "
    else:
        where = ""
    rooms = {u.room for u in units}
    if len(units) < 2 or (not where and len(rooms) < 2) or (done := deed(chance, cls, units)) is None:
        return None
    if any(cls in u.name.lower() and len(u.name.split()) == len(cls.split()) for u in units):
        return None  # one of them is called just that
    told = f"ONE {cls} {where}(there are {len(units)}; the speaker does not say which one): {done.told}"
    return told, {"kind": "clarify", "about": "device"}


def told(chance: random.Random, home: Home) -> Wish | None:
    """What is only told: nothing may happen."""
    unit = chance.choice(home.units)
    if (done := deed(chance, unit.cls, [unit])) is None:
        return None
    manner = chance.choice((
        "THE SPEAKER ONLY TELLS A STORY OF SOME OTHER TIME, WITH",
        "THE SPEAKER TELLS WHAT SOMEBODY ELSE DID, WITH",
        "THE SPEAKER SAYS THAT THIS IS NOT WANTED AT PRESENT:",
        "THE SPEAKER SAYS THAT THEY DID THIS THEMSELVES ALREADY, BY HAND:",
        "THE SPEAKER SAYS THAT THEY WILL DO THIS THEMSELVES:",
        "THE SPEAKER PRAISES OR GRUMBLES ABOUT HOW THIS WENT LAST WEEK:",
    ))  # fmt: skip
    others = ["no_such_device", "no_such_room", "value_out_of_range", "not_understood", "nothing_to_do"]
    nothing = [
        {"kind": "refuse", "reason": "no_such_command", "also_reasons": others},
        {"kind": "clarify", "about": "device"},
    ]
    wish = f"NO ORDER, NOTHING MAY HAPPEN. {manner} {home.called(unit)} ({unit.cls}): {done.told}"
    return wish, {"kind": "state", "final": [], "also_ok": [], "alternatives": nothing}


def _time(chance: random.Random, now: datetime) -> tuple[str, dict[str, Any], list[dict[str, Any]]]:
    """A time to come: how it is noted, as a trigger, and when a rule for it fires."""
    way = chance.random()
    if way < 0.3:
        minutes = chance.choice((2, 5, 10, 15, 20, 30, 45, 60, 90, 120))
        return f"{minutes} MINUTES FROM NOW", {"after_seconds": minutes * 60}, _near(minutes * 60)
    hour, minute = chance.randrange(24), chance.choice((0, 0, 15, 30, 40, 45))
    if way < 0.6:
        moment = now.replace(hour=hour, minute=minute, second=0)
        moment += timedelta(days=0 if moment > now + timedelta(minutes=10) else 1)
        day = "TODAY" if moment.date() == now.date() else "TOMORROW"
        away = int((moment - now).total_seconds())
        return f"{day} AT {hour:02}:{minute:02}, ONCE", {"at": moment.isoformat()}, _near(away)
    days, word = chance.choice((("*", "EVERY DAY"), ("1-5", "EVERY WEEKDAY (MONDAY TO FRIDAY)"),
                                ("0,6", "EVERY WEEKEND DAY"), ("1", "EVERY MONDAY"), ("3", "EVERY WEDNESDAY"),
                                ("5", "EVERY FRIDAY")))  # fmt: skip
    cron = f"{minute} {hour} * * {days}"
    away = int((next(CronSim(cron, now)) - now).total_seconds())
    return f"{word} AT {hour:02}:{minute:02}", {"cron": cron}, _near(away)


def _near(away: int) -> list[dict[str, Any]]:
    early = {"note": "before", "events": [], "until": max(away - 60, 20), "fires": False}
    return [early, {"note": "then", "events": [], "until": away + 90, "fires": True}]


def later(chance: random.Random, home: Home) -> Wish | None:
    """Something to be done at a time, or when something becomes so."""
    made = chance.choice((single, single, batch))(chance, home)
    if made is None:
        return None
    final = made[1]
    if chance.random() < 0.55:
        word, trigger, scenarios = _time(chance, datetime.fromisoformat(home.data["now"]))
        expect = {"kind": "rule", "trigger": {"conditions": [], **trigger}, "final": final["final"]}
        return f"{word}: {made[0]}", {**expect, "also_ok": final["also_ok"], "fires": scenarios}
    unit = chance.choice(home.units)
    path = _STATES[unit.cls][0][0]
    value = chance.choice([v for p, v in _STATES[unit.cls] if p == path])
    did, key, word = unit.did, unit.pre + path, f"{home.called(unit)} ({unit.cls}) BECOMES {path} = {value}"
    now, other = unit.values[path], next((v for p, v in _STATES[unit.cls] if p == path and v != value), None)
    if chance.random() < 0.5:
        room = chance.choice(list(home.rooms))
        if len(found := home.reports(room, "human_detected")) != 1:
            return None
        value = chance.choice(("yes", "no"))
        (did, now), key = found[0], "human_detected"
        other = "no" if value == "yes" else "yes"
        word = f"{'SOMEBODY COMES INTO' if value == 'yes' else 'THE LAST PERSON LEAVES'} “{home.rooms[room]['name']}”"
    if other is None or any(f["did"] == did for f in final["final"]):
        return None
    events = [{"after": 60, "set": [{"did": did, "path": key, "value": value}]}]
    if now == value:
        events = [{"after": 30, "set": [{"did": did, "path": key, "value": other}]}, *events]
    never = [{"after": 60, "set": [{"did": did, "path": key, "value": other}]}]
    expect = {"kind": "rule", "trigger": {"conditions": [{"did": did, "path": key, "op": "==", "value": value}]}}
    scenarios = [{"note": "so", "events": events, "until": 300, "fires": True},
                 {"note": "not so", "events": never, "until": 300, "fires": False}]  # fmt: skip
    rest = {"final": final["final"], "also_ok": final["also_ok"], "fires": scenarios}
    return f"WHENEVER {word}: {made[0]}", {**expect, **rest}


_WAYS: Mapping[str, tuple[int, str, Callable[[random.Random, Home], Any]]] = {
    "single": (15, "TC1", single),
    "batch": (13, "TC2", batch),
    "by state": (16, "TC2", by_state),
    "by rank": (13, "TC2", by_rank),
    "by room": (14, "TC2", by_room),
    "several": (7, "TC2", several),
    "two": (5, "TC2", two),
    "followed": (7, "TC5", followed),
    "asked": (14, "TC7", asked),
    "asked of rooms": (4, "TC7", asked_of_rooms),
    "lacking": (6, "TC1", lacking),
    "unclear": (4, "TC3", unclear),
    "told": (5, "TC3", told),
    "later": (10, "TC4", later),
}


def wishes(homes: Sequence[Home], number: int, seed: int) -> Iterator[dict[str, Any]]:
    """Tasks without words, and their notation under `wish`."""
    chance = random.Random(seed)
    seen: set[tuple[str, str]] = set()
    names, shares = list(_WAYS), [share for share, *_ in _WAYS.values()]
    while len(seen) < number:
        way = chance.choices(names, shares)[0]
        home = chance.choice(homes)
        _, category, make = _WAYS[way]
        made = make(chance, home)
        if made is None or (home.id, made[0]) in seen:
            continue
        seen.add((home.id, made[0]))
        wish, expect, *turns = made
        if " ON FLOOR " in wish and home.below:
            continue  # which floor is the ground floor there would be a matter of taste
        yield {
            "id": f"w{seed}-{len(seen):04d}", "category": category, "subcategory": way, "home": home.id,
            "complexity": "simple", "now": home.data["now"], "user": None, "location": None, "memory": [],
            "turns": [*(turns[0] if turns else ()), {"text": ""}], "expect": expect, "wish": wish,
        }  # fmt: skip


def said(rows: Sequence[dict[str, Any]], words: Path) -> Iterator[dict[str, Any]]:
    """Tasks with the words of a file, those that have some."""
    known = {one["id"]: one["text"] for one in map(json.loads, words.read_text(encoding="utf-8").splitlines())}
    for row in rows:
        if row["id"] in known:
            row["turns"][-1]["text"] = known[row["id"]]
            yield row


def main() -> None:
    """Writes things to want."""
    parser = argparse.ArgumentParser(prog="python -m tests.training.wanted", description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--said", type=Path, help="lines of id and text: the words that others found")
    parser.add_argument("--homes", type=Path, action="append", required=True)
    parser.add_argument("--number", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    files = {file.stem: file for folder in reversed(given.homes) for file in folder.glob("*.json")}
    homes = [Home(json.loads(files[name].read_text(encoding="utf-8"))) for name in sorted(files)]
    rows = list(wishes(homes, given.number, given.seed))
    if given.said is not None:
        rows = list(said(rows, given.said))
    given.out.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")


if __name__ == "__main__":
    main()
