"""A home and cases in the format of HomeBench, made up here; none of its text is the benchmark's."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any


def _switch(room: str, device: str) -> list[dict[str, Any]]:
    return [_method(room, device, name) for name in ("turn_on", "turn_off")]


def _method(room: str, device: str, operation: str, **parameters: str) -> dict[str, Any]:
    listed = [{"name": name, "type": kind} for name, kind in parameters.items()]
    return {"room_name": room, "device_name": device, "operation": operation, "parameters": listed}


HOME: dict[str, Any] = {
    "home_id": 7,
    "home_status": {
        "kitchen": {
            "room_name": "kitchen",
            "light": {
                "state": "off",
                "attributes": {
                    "brightness": {"value": 55, "lowest": 0, "highest": 100},
                    "color": {"value": [255, 255, 255], "lowest": [0, 0, 0], "highest": [255, 255, 255]},
                },
            },
            "curtain": {"state": "open", "attributes": {" degree": {"value": 0, "lowest": 0, "highest": 100}}},
        },
        "ding_room": {
            "room_name": "ding_room",
            "air_conditioner": {
                "state": "on",
                "attributes": {
                    "temperature": {"value": 21, "lowest": 30, "highest": 100},
                    "mode": {"value": "cool", "options": ["cool", "heat", "dry"]},
                    "fan_speed": {"value": "low", "options": ["auto", "low", "medium", "high"]},
                },
            },
            "light": {"state": "off", "attributes": {}},
        },
        "VacuumRobot": {"state": "off", "attributes": {"battery": {"value": 80, "lowest": 0, "highest": 100}}},
    },
    "method": [
        *_switch("kitchen", "light"),
        _method("kitchen", "light", "set_brightness", brightness="int"),
        _method("kitchen", "light", "set_color", color="typing.Tuple[int, int, int]"),
        _method("kitchen", "curtain", "open"),
        _method("kitchen", "curtain", "close"),
        _method("kitchen", "curtain", "set_degree", degree="int"),
        *_switch("ding_room", "air_conditioner"),
        _method("ding_room", "air_conditioner", "set_temperature", temperature="int"),
        _method("ding_room", "air_conditioner", "set_mode", mode="str"),
        _method("ding_room", "air_conditioner", "set_fan_speed", fan_speed="str"),
        *_switch("ding_room", "light"),
        *_switch("None", "vacuum_robot"),
    ],
}
OTHER: dict[str, Any] = {
    "home_id": 8,
    "home_status": {"garage": {"room_name": "garage", "light": {"state": "on", "attributes": {}}}},
    "method": _switch("garage", "light"),
}


def _case(number: int, text: str, calls: str, kind: str, home: int = 7) -> dict[str, Any]:
    return {"id": f"own_{number}", "input": text, "output": f"'''{calls}'''", "home_id": home, "type": kind}


CASES = [
    _case(1, "Could you light up the kitchen lamp?", "kitchen.light.turn_on()", "normal"),
    _case(2, "Put the kitchen light at 30.", "error_input", "unexist_attribute"),
    _case(3, "Close the curtain in the kitchen.", "kitchen.curtain.close()", "normal"),
    _case(
        4,
        "Raise the air conditioner temperature in the dining room by 3.",
        "ding_room.air_conditioner.set_temperature(24)",
        "normal",
    ),
    _case(5, "Switch on the fan in the kitchen.", "error_input", "unexist_device"),
    _case(6, "Set the brightness of the light in the dining room to 40.", "error_input", "unexist_attribute"),
    _case(
        7,
        "Turn on the kitchen light, and set the mode of the air conditioner in the dining room to heat.",
        "kitchen.light.turn_on(),ding_room.air_conditioner.set_mode(heat)",
        "multi2_normal",
    ),
    _case(
        8,
        "Turn off the garage light, and turn on the garage heating.",
        "garage.light.turn_off(),error_input",
        "multi2_mix",
        8,
    ),
    _case(9, "Make the kitchen light 10 brighter.", "kitchen.light.set_brightness(65)", "normal"),
    _case(10, "Charge the vacuum robot.", "vacuum_robot.charge()", "normal"),
    _case(11, "Turn the kitchen light blue.", "kitchen.light.set_color((0,0,255))", "normal"),
    _case(12, "Set the brightness of the light in the kitchen to 35.", "error_input", "unexist_attribute"),
]


def write(path: Path, rows: list[dict[str, Any]]) -> Path:
    """The rows as a file of JSON lines."""
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path
