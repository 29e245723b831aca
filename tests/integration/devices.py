"""Ten kinds of things that other hands serve, what is said to them, and a home that they are in."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from engine.hearthgraph import Hearthgraph
from engine.settings import load

PERCENT = {"type": "integer", "minimum": 0, "maximum": 100, "observable": True}
SWITCH = {"type": "boolean", "observable": True}
FADE = {"input": {"type": "object", "properties": {"brightness": PERCENT, "duration": {"type": "integer"}}}}
THINGS: list[dict[str, Any]] = [
    {
        "title": "desk lamp",
        "properties": {"power": SWITCH, "brightness": PERCENT},
        "actions": {"fade": FADE, "toggle": {}},
        "state": {"power": False, "brightness": 20},
    },
    {"title": "coffee maker", "properties": {"power": SWITCH}, "actions": {"brew": {}}, "state": {"power": False}},
    {"title": "patio plug", "properties": {"on": SWITCH}, "state": {"on": True}},
    {
        "title": "hall thermostat",
        "properties": {
            "targetTemperature": {"type": "number", "minimum": 5, "maximum": 30, "unit": "celsius"},
            "temperature": {"type": "number", "unit": "celsius", "readOnly": True},
        },
        "state": {"targetTemperature": 20, "temperature": 19.5},
    },
    {
        "title": "study blinds",
        "properties": {"position": PERCENT},
        "actions": {"open": {}, "close": {}},
        "state": {"position": 30},
    },
    {"title": "ceiling fan", "properties": {"power": SWITCH, "speed": PERCENT}, "state": {"power": False, "speed": 10}},
    {"title": "kitchen speaker", "properties": {"volume": PERCENT}, "state": {"volume": 30}},
    {
        "title": "cellar sensor",
        "properties": {"humidity": {"type": "number", "unit": "percent", "readOnly": True, "observable": True}},
        "state": {"humidity": 61.5},
    },
    {"title": "robot vacuum", "properties": {"battery": {**PERCENT, "readOnly": True}}, "actions": {"dock": {}},
     "state": {"battery": 80}},
    {"title": "air purifier", "properties": {"power": SWITCH}, "state": {"power": True}},
]  # fmt: skip


SAID = [
    ("turn on the desk lamp", {"thing": "desk lamp", "write": "power", "value": True}),
    ("set the desk lamp to 40 percent", {"thing": "desk lamp", "write": "brightness", "value": 40}),
    ("toggle the desk lamp", {"thing": "desk lamp", "invoke": "toggle", "input": None}),
    ("turn on the coffee maker", {"thing": "coffee maker", "write": "power", "value": True}),
    ("turn off the patio plug", {"thing": "patio plug", "write": "on", "value": False}),
    ("set the thermostat to 22.5 degrees", {"thing": "hall thermostat", "write": "targetTemperature", "value": 22.5}),
    ("set the study blinds to 75 percent", {"thing": "study blinds", "write": "position", "value": 75}),
    ("turn on the ceiling fan", {"thing": "ceiling fan", "write": "power", "value": True}),
    ("set the volume of the kitchen speaker to 45", {"thing": "kitchen speaker", "write": "volume", "value": 45}),
    ("turn off the air purifier", {"thing": "air purifier", "write": "power", "value": False}),
]


class Served:
    """Things that node-wot serves: their descriptions, and what it said was done to them."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process
        self.descriptions: list[dict[str, Any]] = []
        assert process.stdout is not None
        for line in process.stdout:
            told = json.loads(line) if line.startswith("{") else {}
            if "description" in told:
                self.descriptions.append(told["description"])
            if "ready" in told:
                break

    def next(self) -> dict[str, Any]:
        """The next thing that was done."""
        assert self.process.stdout is not None
        return next(json.loads(line) for line in self.process.stdout if line.startswith('{"thing"'))


@contextmanager
def living(folder: Path, files: list[Path]) -> Iterator[Hearthgraph]:
    """A live home with these things, whose devices are really called."""
    settings = load(store=folder / "store", live=True, settle_seconds=1.0, poll_seconds=600)
    with Hearthgraph.open(folder / "store", settings=settings) as home:
        home.load(files)
        yield home
