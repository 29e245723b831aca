"""The right outcomes of the experience scenario (AmI HMAS, Table 4): start and final states by request.

The requests themselves stand in a file that is not ours; this has, by their ids, the state in which each is asked and
the outcomes that count as right. A property is named by thing and property: `light308/on_off`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from engine.graph.terms import Json

Test = Callable[[Json], bool]


@dataclass(frozen=True, slots=True)
class Case:
    """`start` lies over the environment's first state. `final` must hold afterwards; `either` names properties of which
    one at least must have changed, and nothing besides these may. `reasons`: those of a right refusal. `answer`: the
    right answer to a question. `rises`: a reading that must be higher than before. `by`: the affordances that it may
    be done by, each as thing and name, devices with their names after a colon."""

    start: Mapping[str, Json] = field(default_factory=dict)
    final: Mapping[str, Test] = field(default_factory=dict)
    either: tuple[str, ...] = ()
    reasons: frozenset[str] = frozenset()
    answer: Json = None
    rises: str | None = None
    by: str = ""

    def serves(self, thing: str, name: str) -> bool:
        """Whether this affordance of this thing is one that the request may be done by."""
        known = (entry.partition(":")[::2] for entry in self.by.split())
        return any(own == thing and name in names.split(",") for own, names in known)


def _is(value: Json) -> Test:
    return lambda found: found == value


def _is_warm(found: Json) -> bool:
    """Whether a colour has more red than blue."""
    return isinstance(found, list) and len(found) == 3 and _number(found[0]) > _number(found[2])


def _number(value: Json) -> float:
    return float(value) if isinstance(value, int | float) else 0.0


_DARK: dict[str, Json] = {
    "light308/on_off": "off",
    "light308/brightness": 0,
    "blinds308/closedPercentage": 100,
    "lightSensor308/luminosity": 80,
}
_LIT: dict[str, Json] = {
    "light308/on_off": "on",
    "light308/brightness": 60,
    "blinds308/closedPercentage": 0,
    "lightSensor308/luminosity": 400,
}
_NIGHT: dict[str, Json] = {"studyRoomLight/state": "off", "studyRoomLight/color": [255, 255, 255]}
_LAMP_ON: dict[str, Json] = {**_NIGHT, "studyRoomLight/state": "on"}
_LIGHT_OR_BLINDS = ("light308/on_off", "light308/brightness", "blinds308/closedPercentage")
_MISSING = frozenset({"no_such_device", "no_such_property", "no_such_command"})

_BY_LIGHT = "light308:turn_on,toggle,set_brightness"
_BY_ALL = f"{_BY_LIGHT} blinds308:open,set_position"
_BY_LAMP = "studyRoomLight:turn_on,set_color"

CASES: Mapping[str, Case] = {
    "L01": Case(_DARK, {"light308/on_off": _is("on")}, by=_BY_LIGHT),
    "L02": Case(_DARK, either=_LIGHT_OR_BLINDS, rises="lightSensor308/luminosity", by=_BY_ALL),
    "L03": Case(
        _DARK,
        {"light308/brightness": _is(80)},
        either=("light308/brightness", "light308/on_off"),
        by="light308:set_brightness,turn_on",
    ),
    "L04": Case(_DARK, {"blinds308/closedPercentage": _is(0)}, by="blinds308:open,set_position"),
    "L05": Case(_DARK, either=_LIGHT_OR_BLINDS, rises="lightSensor308/luminosity", by=_BY_ALL),
    "L06": Case(
        _LIT,
        {"light308/on_off": _is("off"), "blinds308/closedPercentage": _is(100)},
        by="light308:turn_off,toggle blinds308:close,set_position",
    ),
    "L07": Case(_LIT, {"light308/brightness": _is(40)}, by="light308:set_brightness"),
    "L08": Case(_LIT, answer=True, by="light308:on_off"),
    "L09": Case(_DARK, reasons=_MISSING),
    "L10": Case(_LIT, {"blinds308/closedPercentage": _is(50)}, by="blinds308:set_position"),
    "H01": Case(_NIGHT, {"studyRoomLight/state": _is("on")}, by="studyRoomLight:turn_on"),
    "H02": Case(
        _NIGHT,
        {"studyRoomLight/state": _is("on")},
        either=("studyRoomLight/state", "studyRoomLight/color"),
        by=_BY_LAMP,
    ),
    "H03": Case(
        _NIGHT,
        {"studyRoomLight/color": _is_warm},
        either=("studyRoomLight/state", "studyRoomLight/color"),
        by=_BY_LAMP,
    ),
    "H04": Case(_LAMP_ON, {"studyRoomLight/state": _is("off")}, by="studyRoomLight:turn_off"),
    "H05": Case(
        _NIGHT,
        {"studyRoomLight/state": _is("on"), "studyRoomLight/color": _is_warm},
        either=("studyRoomLight/state", "studyRoomLight/color"),
        by=_BY_LAMP,
    ),
    "H06": Case(_NIGHT, reasons=_MISSING),
    "H07": Case(_NIGHT, reasons=_MISSING),
}
