"""A Home Assistant that really runs, installed by the scripts of the shared folder, with areas of our own."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import signal
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from engine.errors import BindingError
from engine.origins.home_assistant.client import Client
from tests.agents.running import free_port

NEEDED = 3 * 1024**3
"""Bytes that must be free to install it."""
INSTALL_SECONDS, START_SECONDS = 420, 120
AREAS = {
    "Bedroom": ["light.bed_light"],
    "Kitchen": ["light.kitchen_lights", "cover.kitchen_window"],
    "Living Room": ["light.ceiling_lights", "cover.living_room_window", "fan.living_room_fan"],
    "Office": [
        "light.office_rgbw_lights",
        "climate.hvac",
        "sensor.office_illuminance",
        "binary_sensor.office_occupied",
    ],
    "Hallway": ["vacuum.demo_vacuum_0_ground_floor"],
    "Garden": ["lawn_mower.my_lawn_mower", "valve.front_garden"],
}


@dataclass
class RealHomeAssistant:
    """Where it is, and how it is spoken to behind the engine's back."""

    url: str
    token_file: Path
    venv: Path
    config: Path
    pid: int

    def told(self, *commands: tuple[str, dict[str, Any]]) -> list[Any]:
        """The answers to commands, over a connection of their own."""
        return asyncio.run(_told(self.url, self.token_file.read_text(), commands))

    def call(self, service: str, entity: str, **data: Any) -> None:
        """Calls a service, as somebody else would."""
        domain, _, name = service.partition(".")
        target = {"entity_id": entity}
        self.told(("call_service", {"domain": domain, "service": name, "target": target, "service_data": data}))

    def state(self, entity: str) -> tuple[str, dict[str, Any]]:
        """The state of an entity and its attributes, as Home Assistant has them now."""
        (states,) = self.told(("get_states", {}))
        found = next(one for one in states if one["entity_id"] == entity)
        return found["state"], found["attributes"]

    def stop(self) -> None:
        """Ends it, as a restart does."""
        os.kill(self.pid, signal.SIGTERM)
        for _ in range(300):
            if not _alive(self.pid):
                return
            time.sleep(0.1)
        os.kill(self.pid, signal.SIGKILL)

    def start_again(self) -> None:
        """Starts it with the configuration that it has."""
        with (self.config / "stdout.log").open("ab") as log:
            process = subprocess.Popen(
                [str(self.venv / "bin" / "hass"), "-c", str(self.config), "--skip-pip"],
                stdout=log,
                stderr=log,
                stdin=subprocess.DEVNULL,
                env={**os.environ, "PATH": f"{self.venv}/bin:{os.environ['PATH']}"},
                start_new_session=True,
            )
        self.pid = process.pid
        _children[process.pid] = process
        self.wait()

    def wait(self) -> None:
        """Waits until it has started."""
        until = time.monotonic() + START_SECONDS
        while time.monotonic() < until:
            try:
                (config,) = self.told(("get_config", {}))
            except BindingError:
                config = {}
            if config.get("state") == "RUNNING":
                return
            time.sleep(0.25)
        raise AssertionError("Home Assistant did not start again")


_children: dict[int, subprocess.Popen[bytes]] = {}


def _alive(pid: int) -> bool:
    if pid in _children:
        return _children[pid].poll() is None
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    status = Path(f"/proc/{pid}/stat")
    return not (status.is_file() and status.read_text().rpartition(")")[2].split()[0] == "Z")


async def _told(url: str, token: str, commands: tuple[tuple[str, dict[str, Any]], ...]) -> list[Any]:
    client = await Client.connect(url, token, 20)
    try:
        return [await client.ask(kind, **fields) for kind, fields in commands]
    finally:
        await client.close()


def installed(shared: Path, repository: Path) -> Path:
    """The folder of the virtual environment that has Home Assistant; installs it once. Skips where it cannot be had."""
    script = shared / "home-assistant" / "install"
    if not script.is_file():
        pytest.skip("no home-assistant/install in ../shared")
    place = repository / "build" / "home-assistant"
    if not (place / "ready").is_file():
        if shutil.disk_usage(repository).free < NEEDED:
            pytest.skip("too little disk is free to install Home Assistant (3 GB)")
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir(parents=True)
        try:
            done = subprocess.run(
                [str(script), str(place)],
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                timeout=INSTALL_SECONDS,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            pytest.skip(f"Home Assistant cannot be installed here ({type(error).__name__})")
        if done.returncode:
            pytest.skip(f"Home Assistant cannot be installed here: {done.stderr.strip()[-300:]}")
        shutil.rmtree(place / "uvcache", ignore_errors=True)
        (place / "ready").touch()
    return place / "venv"


def started(shared: Path, repository: Path, folder: Path) -> RealHomeAssistant:
    """One that has started, with an owner, areas and everything exposed."""
    venv, config = installed(shared, repository), folder / "config"
    config.mkdir()
    (config / "configuration.yaml").write_text((shared / "home-assistant" / "configuration.yaml").read_text())
    (config / "automations.yaml").write_text("[]")
    script = [str(venv / "bin" / "python"), str(shared / "home-assistant" / "start.py"), str(venv), str(config)]
    done = subprocess.run(
        [*script, str(free_port())],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=START_SECONDS,
        check=False,
    )
    if done.returncode:
        pytest.skip(f"Home Assistant does not start here: {done.stderr.strip()[-300:]}")
    access = json.loads((config / "token.json").read_text())
    token_file = folder / "token"
    token_file.touch(0o600)
    token_file.write_text(access["token"])
    home = RealHomeAssistant(access["url"], token_file, venv, config, access["pid"])
    asyncio.run(_furnish(home))
    return home


async def _furnish(home: RealHomeAssistant) -> None:
    client = await Client.connect(home.url, home.token_file.read_text(), 20)
    try:
        level = await client.ask("config/floor_registry/create", name="Ground floor", level=0, aliases=["downstairs"])
        areas = {area["name"]: area["area_id"] for area in await client.ask("config/area_registry/list")}
        for name in AREAS:
            if name not in areas:
                made = await client.ask("config/area_registry/create", name=name, aliases=[f"the {name} room"])
                areas[name] = made["area_id"]
            await client.ask("config/area_registry/update", area_id=areas[name], floor_id=level["floor_id"])
        entries = {entry["entity_id"]: entry for entry in await client.ask("config/entity_registry/list")}
        for name, entities in AREAS.items():
            for entity in entities:
                await _put(client, entries[entity], areas[name])
        await client.ask("config/entity_registry/update", entity_id="light.kitchen_lights", aliases=["cooking light"])
        names = [state["entity_id"] for state in await client.ask("get_states")]
        await client.ask(
            "homeassistant/expose_entity", assistants=["conversation"], entity_ids=names, should_expose=True
        )
    finally:
        await client.close()


async def _put(client: Client, entry: dict[str, Any], area: str) -> None:
    """A device goes to an area as a whole; an entity without one goes alone."""
    if entry["device_id"]:
        await client.ask("config/device_registry/update", device_id=entry["device_id"], area_id=area)
    else:
        await client.ask("config/entity_registry/update", entity_id=entry["entity_id"], area_id=area)
