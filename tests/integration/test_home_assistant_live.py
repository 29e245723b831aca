"""A Home Assistant that really runs: what it is asked for happens there, what happens there is known here."""

from __future__ import annotations

import json
import socket
import statistics
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from pyoxigraph import parse

from engine.errors import BindingError
from engine.graph.shacl.door import Door
from engine.graph.terms import NamedNode
from engine.hearthgraph import Hearthgraph
from engine.model.outcome import Status
from engine.model.thing_rdf import published
from engine.origins.home_assistant import access, link, scripts
from engine.origins.home_assistant.homes import addressed, convert
from engine.origins.sources import settle
from engine.settings import Settings
from engine.things.description import emission
from tests.integration.real_home_assistant import RealHomeAssistant, started
from tests.waiting import eventually

pytestmark = [pytest.mark.home_assistant, pytest.mark.slow]

CONFUSING = (
    "number.*",
    "media_player.living_room",
    "media_player.bedroom",
    "media_player.kitchen",
    "media_player.lounge_*",
)
"""Entities of the demo that are called as rooms and properties are."""
State = tuple[str, dict[str, Any]]


@pytest.fixture(scope="module")
def real(shared: Path, repository: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RealHomeAssistant]:
    running = started(shared, repository, tmp_path_factory.mktemp("home-assistant"))
    yield running
    running.stop()


def settings(real: RealHomeAssistant, url: str | None = None, **more: Any) -> Settings:
    return Settings(
        live=True,
        home_assistant_url=url or real.url,
        home_assistant_token_file=real.token_file,
        home_assistant_exclude=CONFUSING,
        time_zone="Europe/Berlin",
        **more,
    )


@pytest.fixture(scope="module")
def home(real: RealHomeAssistant) -> Iterator[Hearthgraph]:
    with Hearthgraph.open(None, settings=settings(real)) as opened:
        assert opened.home_assistant is not None
        assert opened.home_assistant.wait(30), opened.home_assistant.trouble
        yield opened


def the_property(home: Hearthgraph, entity: str, source: str = "state") -> str:
    suffix = f"/{entity}/{source}"
    return next(p.iri for p in home.registry.properties.values() if p.forms and p.forms[0].target.endswith(suffix))


# What comes in


def test_nearly_all_that_is_exposed_becomes_affordances(
    real: RealHomeAssistant, home: Hearthgraph, capsys: pytest.CaptureFixture[str]
) -> None:
    """Home Assistant itself says which services apply to an entity."""
    known = access.of_settings(home.settings)
    began = time.perf_counter()
    snapshot = link.read_now(known)
    read = time.perf_counter()
    made = convert(snapshot, home.registry.vocabulary, known.exposure)
    with Hearthgraph.open(None, now=datetime(2026, 11, 21, tzinfo=UTC)) as fresh:
        opened = time.perf_counter()
        settle(made, fresh.target)
        settled = time.perf_counter()
    names = sorted(made.readings)
    asked = [("get_services_for_target", {"target": {"entity_id": [name]}}) for name in names]
    theirs = {(n, s) for n, found in zip(names, real.told(*asked), strict=True) for s in found}
    ours = {place for action in home.registry.actions.values() if (place := _called(action.forms[0].target))}
    rest = theirs - ours
    with capsys.disabled():
        print(f"\nentities: {len(names)} of {made.exposed} exposed; services: {len(theirs & ours)} of {len(theirs)}")
        print(f"not taken: {dict(Counter(service for _, service in rest))}: they do what a domain's own services do")
        print(f"import: {1000 * (read - began):.0f} ms to ask, {1000 * (settled - opened):.0f} ms into the graph")
    assert made.exposed >= 100
    assert len(names) >= 0.95 * made.exposed, made.left
    own = {(name, service) for name, service in theirs if not service.startswith("homeassistant.")}
    assert len(own & ours) >= 0.9 * len(own), sorted(own - ours)


def _called(target: str) -> tuple[str, str] | None:
    """The entity and the service, by its full name, that a form leads to."""
    place = addressed(target)
    if place is None:
        return None
    entity, name = place
    return entity, name if "." in name else f"{entity.partition('.')[0]}.{name}"


def test_every_description_passes_what_w3c_asks(shared: Path, home: Hearthgraph) -> None:
    schema = json.loads((shared / "w3c" / "td-json-schema-validation.json").read_text(encoding="utf-8"))
    validator = jsonschema.Draft7Validator(schema)
    shapes = Door(quad.triple for quad in parse(path=str(shared / "w3c" / "td-validation.ttl")))
    for thing in home.registry.things.values():
        assert [error.message for error in validator.iter_errors(emission.as_jsonld(home.store, thing))] == []
        quads = published(home.store.graph(NamedNode(thing.document)))
        assert [f"{v.node} {v.path} {v.message}" for v in shapes.check(quads)] == [], thing.title


def test_floors_and_areas_are_there_with_their_names(home: Hearthgraph) -> None:
    office = next(place for place in home.registry.places.values() if place.name == "Office")
    assert home.registry.places[office.parent or ""].name == "Ground floor"
    assert office.floor == 0


# What is asked for


def is_(wanted: str, **attributes: Any) -> Callable[[State], bool]:
    def holds(state: State) -> bool:
        return state[0] == wanted and all(state[1].get(name) == value for name, value in attributes.items())

    return holds


def has(**attributes: Any) -> Callable[[State], bool]:
    return lambda state: all(state[1].get(name) == value for name, value in attributes.items())


SPOKEN: list[tuple[str, str, Callable[[State], bool]]] = [
    ("turn off the bed light", "light.bed_light", is_("off")),
    ("turn on the bed light", "light.bed_light", is_("on")),
    ("make the bed light green", "light.bed_light", is_("on", hs_color=(120, 100))),
    ("set the bed light to 30 percent", "light.bed_light", is_("on", brightness=77)),
    ("set the bed light to 4000 kelvin", "light.bed_light", has(color_temp_kelvin=4000)),
    ("make the office rgbw lights blue", "light.office_rgbw_lights", has(rgb_color=(0, 0, 255))),
    ("set the cooking light to 60 percent", "light.kitchen_lights", is_("on", brightness=153)),
    ("set the living room window to 40 percent", "cover.living_room_window", has(current_position=40)),
    ("tilt the living room window to 80 percent", "cover.living_room_window", has(current_tilt_position=80)),
    ("set the hvac to heat", "climate.hvac", is_("heat")),
    ("set the hvac to 23 degrees", "climate.hvac", has(temperature=23)),
    ("set the target humidity of the hvac to 50 percent", "climate.hvac", has(humidity=50)),
    ("set the living room fan to 66 percent", "fan.living_room_fan", is_("on", percentage=66)),
    ("make the living room fan oscillate", "fan.living_room_fan", has(oscillating=True)),
    ("unlock the front door", "lock.front_door", is_("unlocked")),
    ("lock the front door", "lock.front_door", is_("locked")),
    ("set the volume of the walkman to 30 percent", "media_player.walkman", has(volume_level=0.3)),
    ("mute the walkman", "media_player.walkman", has(is_volume_muted=True)),
    ("pause the walkman", "media_player.walkman", is_("paused")),
    ("set the dehumidifier to 50 percent", "humidifier.dehumidifier", has(humidity=50)),
    ("start the vacuum in the hallway", "vacuum.demo_vacuum_0_ground_floor", is_("cleaning")),
    ("set the demo water heater to 50 degrees", "water_heater.demo_water_heater", has(temperature=50)),
    ("close the front garden valve", "valve.front_garden", is_("closed")),
    ("start the lawn mower", "lawn_mower.my_lawn_mower", is_("mowing")),
    ("turn on guest mode", "input_boolean.guest_mode", is_("on")),
    ("set target brightness to 40", "input_number.target_brightness", is_("40.0")),
    ("set the house mode to night", "input_select.house_mode", is_("Night")),
    ("start the laundry timer", "timer.laundry", is_("active")),
    ("activate the movie scene", "light.kitchen_lights", is_("on", brightness=40)),
    ("run the good night script", "light.kitchen_lights", is_("off")),
    ("turn off everything in the living room", "light.ceiling_lights", is_("off")),
    ("turn on all the lights downstairs", "light.ceiling_lights", is_("on")),
]


def _plain(value: Any) -> Any:
    """Lists of numbers as tuples, which compare."""
    return tuple(value) if isinstance(value, list) else value


@pytest.mark.parametrize(("words", "entity", "holds"), SPOKEN, ids=[words for words, _, _ in SPOKEN])
def test_what_is_said_happens_to_the_right_entity(
    real: RealHomeAssistant, home: Hearthgraph, words: str, entity: str, holds: Callable[[State], bool]
) -> None:
    outcome = home.ask(words, consent=True)
    if outcome.reason == "not_sure" and outcome.plan is not None:  # asked first, and told yes
        outcome = home.assistant.consent(outcome.plan.iri)
    assert outcome.status is Status.DONE, outcome.reply

    def shows() -> bool:
        state, attributes = real.state(entity)
        return holds((state, {name: _plain(value) for name, value in attributes.items()}))

    assert eventually(shows), (outcome.reply, real.state(entity))


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("what is the office illuminance", "340"),  # a template over the number that was set above
        ("is the office occupied?", "occupancy on"),  # a template over the guest mode
        ("is the front door locked?", "Yes"),
        ("what is the brightness of the bed light?", "77"),
    ],
)
def test_what_is_asked_is_answered_from_the_home(home: Hearthgraph, words: str, said: str) -> None:
    outcome = home.ask(words)
    assert said in outcome.reply
    assert not outcome.actions


def test_what_is_not_there_is_refused_and_nothing_is_called(home: Hearthgraph) -> None:
    outcome = home.ask("turn on the dishwasher", consent=True)
    assert outcome.status is Status.REFUSED
    assert outcome.intents[0].reason == "no_such_device"


def test_a_change_made_there_is_answered_a_moment_later(real: RealHomeAssistant, home: Hearthgraph) -> None:
    for state in ("lock", "unlock", "lock"):
        real.call(f"lock.{state}", "lock.kitchen_door")
        assert eventually(lambda now=f"{state}ed": home.state[the_property(home, "lock.kitchen_door")] == now)  # type: ignore[misc]
        assert home.ask("is the kitchen door locked?").reply.startswith("Yes" if state == "lock" else "No")
    real.call("input_boolean.turn_off", "input_boolean.guest_mode")
    time.sleep(0.1)
    assert home.ask("is guest mode on?").reply.startswith("No")


def test_a_plan_is_exported_as_a_script_that_home_assistant_takes(real: RealHomeAssistant, home: Hearthgraph) -> None:
    for words in (
        "set the bed light to 20 percent and close the hall window",
        "make the bed light 10 percent brighter",
    ):
        plan = home.ask(words).plan
        assert plan is not None
        home.assistant.decline(plan.iri)
        actions = scripts.script(plan, home.registry, "evening")["evening"]["sequence"]
        (verdict,) = real.told(("validate_config", {"actions": actions}))
        assert verdict["actions"]["valid"], verdict
        real.told(("execute_script", {"sequence": actions}))
        bright = {iri: value for step in plan.steps for iri, value in step.expected if iri.endswith("/brightness")}
        assert bright
        assert eventually(lambda aim=bright: all(home.state[iri] == value for iri, value in aim.items())), words  # type: ignore[misc]


def test_a_plan_is_exported_as_a_scene_that_home_assistant_applies(real: RealHomeAssistant, home: Hearthgraph) -> None:
    plan = home.ask("set the bed light to 80 percent").plan
    assert plan is not None
    home.assistant.decline(plan.iri)
    entities = scripts.scene(plan, home.registry, "Bright")["entities"]
    real.told(("call_service", {"domain": "scene", "service": "apply", "service_data": {"entities": entities}}))
    assert eventually(lambda: real.state("light.bed_light")[1].get("brightness") == 204)


# Faults


def test_a_wrong_token_is_told_and_nothing_is_imported(real: RealHomeAssistant, tmp_path: Path) -> None:
    file = tmp_path / "token"
    file.touch(0o600)
    file.write_text("wrong")
    with pytest.raises(BindingError) as caught:
        link.read_now(access.Access(real.url, "wrong"))
    assert caught.value.reason == "unauthorized"
    changed = settings(real).model_copy(update={"home_assistant_token_file": file})
    with Hearthgraph.open(None, settings=changed) as home:
        assert home.home_assistant is not None
        assert not home.home_assistant.wait(10)
        assert home.home_assistant.trouble is not None
        assert home.home_assistant.trouble.reason == "unauthorized"
        assert "wrong" not in str(home.home_assistant.trouble)


def test_a_service_that_fails_there_fails_here_with_what_it_says(real: RealHomeAssistant, home: Hearthgraph) -> None:
    iri = next(a.iri for a in home.registry.actions.values() if a.forms[0].target.endswith("security/alarm_disarm"))
    real.call("alarm_control_panel.alarm_arm_night", "alarm_control_panel.security", code="1234")
    from engine.environment.binding import Call, Operation

    with pytest.raises(BindingError) as caught:
        home.binding.start(Call(Operation.INVOKE, iri, {"code": "9"})).result(10)
    assert caught.value.reason in ("device_failed", "invalid_value")
    assert "Home Assistant says" in str(caught.value)


class Cable:
    """A way to Home Assistant that can be cut."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._open: list[socket.socket] = []
        self.intact = True
        threading.Thread(target=self._serve, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._listener.getsockname()[1]}"

    def cut(self) -> None:
        self.intact = False
        for one in self._open:
            _end(one)
        self._open.clear()

    def close(self) -> None:
        self.cut()
        self._listener.close()

    def _serve(self) -> None:
        while True:
            try:
                near, _ = self._listener.accept()
            except OSError:
                return
            if not self.intact:
                near.close()
                continue
            far = socket.create_connection(("127.0.0.1", self._port))
            self._open += [near, far]
            for source, sink in ((near, far), (far, near)):
                threading.Thread(target=_carry, args=(source, sink), daemon=True).start()


def _end(one: socket.socket) -> None:
    with suppress(OSError):
        one.shutdown(socket.SHUT_RDWR)
    one.close()


def _carry(source: socket.socket, sink: socket.socket) -> None:
    with suppress(OSError):
        while data := source.recv(65536):
            sink.sendall(data)
    _end(sink)


def test_a_lost_connection_is_told_and_made_up_for(real: RealHomeAssistant) -> None:
    cable = Cable(int(real.url.rpartition(":")[2]))
    try:
        with Hearthgraph.open(None, settings=settings(real, cable.url)) as home:
            known = home.home_assistant
            assert known is not None
            assert known.wait(30)
            real.call("input_boolean.turn_off", "input_boolean.guest_mode")
            assert eventually(lambda: home.state[the_property(home, "input_boolean.guest_mode")] is False)
            cable.cut()
            assert eventually(lambda: not known.online)
            real.call("input_boolean.turn_on", "input_boolean.guest_mode")
            assert "cannot be reached since" in home.ask("is guest mode on?").reply
            failed = home.ask("turn on guest mode", consent=True)
            assert [a.reason for a in failed.actions] == ["unavailable"]
            cable.intact = True
            assert eventually(lambda: known.online)
            assert home.state[the_property(home, "input_boolean.guest_mode")] is True
            assert "cannot be reached" not in home.ask("is guest mode on?").reply
    finally:
        cable.close()


def test_a_flood_of_events_ends_in_the_right_state(real: RealHomeAssistant, home: Hearthgraph) -> None:
    iri = the_property(home, "counter.visits")
    real.call("counter.reset", "counter.visits")
    many = [
        ("call_service", {"domain": "counter", "service": "increment", "target": {"entity_id": "counter.visits"}})
    ] * 2000
    real.told(*many)
    assert eventually(lambda: home.state[iri] == 2000)
    assert home.home_assistant is not None
    assert home.home_assistant.online


def test_two_engines_see_what_each_other_does(real: RealHomeAssistant, home: Hearthgraph) -> None:
    with Hearthgraph.open(None, settings=settings(real)) as other:
        assert other.home_assistant is not None
        assert other.home_assistant.wait(30)
        for on in (False, True):
            teller, listener = (home, other) if on else (other, home)
            teller.ask(f"turn {'on' if on else 'off'} guest mode", consent=True)
            iri = the_property(listener, "input_boolean.guest_mode")
            assert eventually(lambda i=iri, h=listener, v=on: h.state[i] is v)  # type: ignore[misc]


def test_a_renamed_entity_is_known_by_its_new_name_at_its_old_address(
    real: RealHomeAssistant, home: Hearthgraph
) -> None:
    before = the_property(home, "light.bed_light")
    renamed = {"entity_id": "light.bed_light", "new_entity_id": "light.comet", "name": "Comet"}
    real.told(("config/entity_registry/update", renamed))
    assert eventually(lambda: any("Comet" in thing.title for thing in home.registry.things.values()))
    assert the_property(home, "light.comet") == before
    assert home.ask("turn off the comet", consent=True).status is Status.DONE
    assert real.state("light.comet")[0] == "off"
    back = {"entity_id": "light.comet", "new_entity_id": "light.bed_light", "name": None}
    real.told(("config/entity_registry/update", back))
    assert eventually(lambda: any(t.title == "Bed Light" for t in home.registry.things.values()))


def test_a_deleted_area_is_gone_and_its_devices_are_not(real: RealHomeAssistant, home: Hearthgraph) -> None:
    garden = next(area for area in real.told(("config/area_registry/list", {}))[0] if area["name"] == "Garden")
    real.told(("config/area_registry/delete", {"area_id": garden["area_id"]}))
    assert eventually(lambda: all(place.name != "Garden" for place in home.registry.places.values()))
    valve = next(t for t in home.registry.things.values() if t.title == "Front Garden")
    assert valve.place == "urn:home-assistant:home"
    assert home.ask("open the front garden valve", consent=True).status is Status.DONE


def test_an_event_is_in_the_graph_within_fifty_milliseconds(
    real: RealHomeAssistant, home: Hearthgraph, capsys: pytest.CaptureFixture[str]
) -> None:
    calm, _ = _delays(real, home, 60, 0.03)
    crowd, rate = _delays(real, home, 1500, 0.0, 500)
    with capsys.disabled():
        for name, delays in (("one at a time", calm), (f"{rate:.0f} a second", crowd)):
            ranked = statistics.quantiles(delays, n=100)
            print(f"\nevent to graph, {name}: p50 {ranked[49]:.1f} ms, p99 {ranked[98]:.1f} ms ({len(delays)} events)")
    assert statistics.median(calm) <= 50
    assert statistics.median(crowd) <= 50


def _delays(
    real: RealHomeAssistant, home: Hearthgraph, count: int, pause: float, rate: float = 0.0
) -> tuple[list[float], float]:
    """Milliseconds from when Home Assistant stamped a change until the graph had it, and how many came a second."""
    subscription = home.state.hub.subscribe(100_000)
    iri = the_property(home, "counter.visits")
    heard: dict[float, float] = {}

    def listen() -> None:
        while (change := subscription.take(2)) is not None:
            if change.property == iri and isinstance(change.after, int | float):
                heard[float(change.after)] = time.time()

    listener = threading.Thread(target=listen)
    listener.start()
    stamped = _increments(real, count, pause, rate)
    listener.join()
    subscription.close()
    came = len(stamped) / max(max(stamped.values()) - min(stamped.values()), 0.001)
    return [1000 * (heard[value] - at) for value, at in stamped.items() if value in heard], came


def _increments(real: RealHomeAssistant, count: int, pause: float, rate: float) -> dict[float, float]:
    """Counts up, and says when Home Assistant changed to each number."""
    import asyncio

    from engine.origins.home_assistant.client import Client

    stamped: dict[float, float] = {}

    def hear(event: dict[str, Any]) -> None:
        new = event["data"]["new_state"]
        if new is not None and new["entity_id"] == "counter.visits":
            stamped[float(new["state"])] = datetime.fromisoformat(new["last_updated"]).timestamp()

    async def run() -> None:
        client = await Client.connect(real.url, real.token_file.read_text(), 20, hear)
        await client.ask("subscribe_events", event_type="state_changed")
        called = {"domain": "counter", "service": "increment", "target": {"entity_id": "counter.visits"}}
        began = time.monotonic()
        at_once = 1 if pause else 10
        for begun in range(count // at_once):
            due = began + begun * at_once / rate if rate else 0.0
            await asyncio.sleep(max(pause, due - time.monotonic()))
            await asyncio.gather(*(client.ask("call_service", **called) for _ in range(at_once)))
        await client.close()

    asyncio.run(run())
    return stamped


def test_after_a_restart_nothing_is_lost(real: RealHomeAssistant, home: Hearthgraph) -> None:
    known = home.home_assistant
    assert known is not None
    things, actions = set(home.registry.things), set(home.registry.actions)
    real.stop()
    assert eventually(lambda: not known.online)
    assert known.stale_since is not None
    assert "cannot be reached" in home.ask("is the front door locked?").reply
    real.start_again()
    assert eventually(lambda: known.online)
    fleeting = {iri for iri in things if "geo_location" in iri}  # fires that the demo makes up
    assert set(home.registry.things) >= things - fleeting
    assert set(home.registry.actions) >= actions
    assert home.ask("turn on the bed light", consent=True).status is Status.DONE
    assert real.state("light.bed_light")[0] == "on"


def test_the_token_is_nowhere_in_the_store(real: RealHomeAssistant, home: Hearthgraph, tmp_path: Path) -> None:
    home.store.dump(tmp_path / "dump.nq")
    text = (tmp_path / "dump.nq").read_text(encoding="utf-8")
    assert real.token_file.read_text() not in text
    assert "access_token" not in text
    assert "token=" not in text
