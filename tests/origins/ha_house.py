"""A small Home Assistant of our own, as its API would tell of it: two floors, five devices, a domain nobody listed."""

from __future__ import annotations

import json
from copy import deepcopy
from pathlib import Path
from typing import Any

from engine.origins.home_assistant.snapshot import Snapshot, made_of

NUMBER: dict[str, Any] = {"min": 0, "max": 100, "step": 1, "unit_of_measurement": "%"}
COLOURED = ["hs", "xy", "rgb", "rgbw", "rgbww"]
SERVICES: dict[str, Any] = {
    "light": {
        "turn_on": {
            "name": "Turn on",
            "fields": {
                "brightness_pct": {"selector": {"number": NUMBER}},
                "effect": {
                    "filter": {"supported_features": [4]},
                    "selector": {"state": {"attribute": "effect"}},
                },
                "more": {
                    "collapsed": True,
                    "fields": {
                        "brightness": {"selector": {"number": {"min": 0, "max": 255, "step": 1}}},
                        "hs_color": {
                            "filter": {"attribute": {"supported_color_modes": COLOURED}},
                            "selector": {"object": {"multiple": False}},
                        },
                    },
                },
            },
            "target": {"entity": [{"domain": ["light"]}]},
        },
        "turn_off": {"fields": {}, "target": {"entity": [{"domain": ["light"]}]}},
        "toggle": {
            "fields": {"brightness_pct": {"selector": {"number": NUMBER}}},
            "target": {"entity": [{"domain": ["light"]}]},
        },
    },
    "cover": {
        "open_cover": {"fields": {}, "target": {"entity": [{"domain": ["cover"], "supported_features": [1]}]}},
        "close_cover": {"fields": {}, "target": {"entity": [{"domain": ["cover"], "supported_features": [2]}]}},
        "set_cover_position": {
            "fields": {"position": {"required": True, "selector": {"number": NUMBER}}},
            "target": {"entity": [{"domain": ["cover"], "supported_features": [4]}]},
        },
        "toggle": {"fields": {}, "target": {"entity": [{"domain": ["cover"], "supported_features": [3]}]}},
    },
    "media_player": {
        "volume_mute": {
            "fields": {"is_volume_muted": {"required": True, "selector": {"boolean": {}}}},
            "target": {"entity": [{"domain": ["media_player"], "supported_features": [8]}]},
        },
        "volume_set": {
            "fields": {
                "volume_level": {"required": True, "selector": {"number": {"min": 0.0, "max": 1.0, "step": 0.01}}}
            },
            "target": {"entity": [{"domain": ["media_player"], "supported_features": [4]}]},
        },
        "media_next_track": {
            "fields": {},
            "target": {"entity": [{"domain": ["media_player"], "supported_features": [32]}]},
        },
    },
    "switch": {
        "turn_on": {"fields": {}, "target": {"entity": [{"domain": ["switch"]}]}},
        "turn_off": {"fields": {}, "target": {"entity": [{"domain": ["switch"]}]}},
    },
    "beehive": {
        "set_brightness": {
            "fields": {"brightness": {"required": True, "selector": {"number": NUMBER}}},
            "target": {"entity": [{"domain": ["beehive"]}]},
        },
        "turn_on": {"fields": {}, "target": {"entity": [{"domain": ["beehive"]}]}},
        "smoke_bees": {
            "fields": {"minutes": {"selector": {"number": {"min": 1, "max": 10, "step": 1}}}},
            "target": {"entity": [{"domain": ["beehive"], "supported_features": [2]}]},
        },
    },
    "homeassistant": {"restart": {"fields": {}}, "turn_on": {"fields": {}, "target": {}}},
}


def entry(entity: str, key: str, *, area: str | None = None, device: str | None = None, **more: Any) -> dict[str, Any]:
    """An entry of the registry, exposed unless `more` says otherwise."""
    options = {"conversation": {"should_expose": True}}
    own = {"entity_id": entity, "id": key, "area_id": area, "device_id": device, "name": None, "original_name": None}
    return {**own, "options": options, "aliases": [], "platform": "own", "hidden_by": None, "disabled_by": None, **more}


def state(entity: str, value: str, **attributes: Any) -> dict[str, Any]:
    """A state with its attributes."""
    return {"entity_id": entity, "state": value, "attributes": attributes}


HOUSE: dict[str, Any] = {
    "states": [
        state(
            "light.desk",
            "off",
            friendly_name="Desk lamp",
            supported_color_modes=["hs"],
            brightness=None,
            hs_color=None,
            supported_features=0,
            access_token="abc",
        ),
        state("light.plain", "on", friendly_name="Pantry bulb", supported_color_modes=["onoff"], supported_features=0),
        state(
            "cover.roof",
            "closed",
            friendly_name="Roof blind",
            device_class="blind",
            current_position=0,
            supported_features=7,
        ),
        state("cover.gate", "open", friendly_name="Yard gate", device_class="gate", supported_features=3),
        state(
            "media_player.den",
            "playing",
            friendly_name="Den speaker",
            volume_level=0.4,
            is_volume_muted=False,
            supported_features=44,
            entity_picture="/api/x?token=abc",
        ),
        state("switch.left", "off", friendly_name="Twin relay Left"),
        state("switch.right", "off", friendly_name="Twin relay Right"),
        state(
            "sensor.relay_power",
            "12.5",
            friendly_name="Twin relay Power",
            device_class="power",
            unit_of_measurement="W",
        ),
        state("binary_sensor.hatch", "on", friendly_name="Hatch lock", device_class="lock"),
        state(
            "beehive.north", "on", friendly_name="North hive", brightness=40, temperament="calm", supported_features=0
        ),
        state("sensor.hidden", "1", friendly_name="Hidden"),
    ],
    "services": SERVICES,
    "area_registry": [
        {"area_id": "study", "name": "Study", "aliases": ["Bureau"], "floor_id": "up"},
        {"area_id": "den", "name": "Den", "aliases": [], "floor_id": "down"},
    ],
    "floor_registry": [
        {"floor_id": "up", "name": "Upstairs", "aliases": ["First floor"], "level": 1},
        {"floor_id": "down", "name": "Downstairs", "aliases": [], "level": 0},
    ],
    "device_registry": [
        {
            "id": "twin",
            "name": "Twin relay",
            "name_by_user": None,
            "area_id": "den",
            "manufacturer": "Acme",
            "model": "T2",
        },
        {
            "id": "lamp",
            "name": "Desk lamp",
            "name_by_user": None,
            "area_id": "study",
            "manufacturer": None,
            "model": None,
        },
    ],
    "entity_registry": [
        entry("light.desk", "e1", device="lamp", aliases=["reading lamp"]),
        entry("light.plain", "e2", area="den"),
        entry("cover.roof", "e3", area="study"),
        entry("cover.gate", "e4"),
        entry("media_player.den", "e5", area="den"),
        entry("switch.left", "e6", device="twin", original_name="Left"),
        entry("switch.right", "e7", device="twin", original_name="Right"),
        entry("sensor.relay_power", "e8", device="twin", original_name="Power"),
        entry("binary_sensor.hatch", "e9", area="den"),
        entry("beehive.north", "e10"),
        entry("sensor.hidden", "e11", options={"conversation": {"should_expose": False}}),
    ],
    "config": {"location_name": "Mill", "unit_system": {"temperature": "°C"}},
}


def house() -> dict[str, Any]:
    """The house's answers, to be changed at will."""
    return deepcopy(HOUSE)


def snapshot(found: dict[str, Any]) -> Snapshot:
    """The same as a snapshot."""
    return made_of(found, "test")


def written(found: dict[str, Any], folder: Path) -> Path:
    """The same as files in a folder."""
    folder.mkdir(exist_ok=True)
    for name, value in found.items():
        (folder / f"{name}.json").write_text(json.dumps(value), encoding="utf-8")
    return folder
