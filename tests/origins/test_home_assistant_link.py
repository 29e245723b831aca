"""A Home Assistant that is followed: events in, services out, and what is said and done when it misbehaves."""

from __future__ import annotations

import http.server
import json
import logging
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from engine.cli.main import main
from engine.environment.binding import Call, Operation
from engine.errors import BindingError, InputError, SettingError, ValueFault
from engine.graph.terms import STATE, node
from engine.hearthgraph import Hearthgraph
from engine.model.outcome import Status
from engine.origins.home_assistant import link
from engine.origins.home_assistant.access import VARIABLE, Access, token_of
from engine.origins.home_assistant.client import address_of
from engine.settings import Settings
from tests.origins.ha_house import state
from tests.origins.ha_server import TOKEN, Server
from tests.waiting import eventually


@pytest.fixture
def server() -> Iterator[Server]:
    running = Server()
    yield running
    running.close()


@pytest.fixture
def token(tmp_path: Path) -> Path:
    file = tmp_path / "token"
    file.touch(0o600)
    file.write_text(f"{TOKEN}\n")
    return file


def opened(server: Server, token: Path, **more: Any) -> Hearthgraph:
    given = {"settle_seconds": 0.3, "device_seconds": 1.0, "time_zone": "Europe/Berlin", **more}
    return Hearthgraph.open(
        None,
        settings=Settings(live=True, home_assistant_url=server.url, home_assistant_token_file=token, **given),
    )


@pytest.fixture
def home(server: Server, token: Path) -> Iterator[Hearthgraph]:
    with opened(server, token) as found:
        assert linked(found).wait(10)
        yield found


def linked(home: Hearthgraph) -> link.Link:
    assert home.home_assistant is not None
    return home.home_assistant


def value(home: Hearthgraph, entity: str, source: str = "state") -> Any:
    suffix = f"/{entity}/{source}"
    found = [p.iri for p in home.registry.properties.values() if p.forms and p.forms[0].target.endswith(suffix)]
    return home.state.get(found[0]) if found else None


def stale(home: Hearthgraph) -> list[Any]:
    """What the graph says of state that may be out of date."""
    return [quad for quad in home.store.graph(STATE) if quad.predicate == node("hg:staleSince")]


def iri(home: Hearthgraph, ending: str) -> str:
    return next(a.iri for a in home.registry.actions.values() if a.forms[0].target.endswith(ending))


def test_a_request_calls_the_service_for_the_entity(server: Server, home: Hearthgraph) -> None:
    server.effect = lambda _: [server.change("light.desk", "on", brightness=102)]
    outcome = home.ask("set the desk lamp to 40 percent", consent=True)
    assert outcome.status is Status.DONE
    called = server.called[0]
    assert (called["domain"], called["service"]) == ("light", "turn_on")
    assert called["target"] == {"entity_id": "light.desk"}
    assert called["service_data"] == {"brightness": 102}


def test_an_event_is_state_soon(server: Server, home: Hearthgraph) -> None:
    server.tell("state_changed", server.change("switch.left", "on"))
    assert eventually(lambda: value(home, "switch.left") is True)


def test_what_is_silently_ignored_is_noticed(server: Server, home: Hearthgraph) -> None:
    outcome = home.ask("turn on the desk lamp", consent=True)
    assert server.called
    assert [a.reason for a in outcome.actions] == ["no_effect"]


def test_a_value_that_is_clamped_is_noticed(server: Server, home: Hearthgraph) -> None:
    server.effect = lambda _: [server.change("media_player.den", "playing", volume_level=0.5)]
    outcome = home.ask("set the volume of the den speaker to 90 percent", consent=True)
    assert [a.reason for a in outcome.actions] == ["no_effect"]
    assert value(home, "media_player.den", "volume_level") == 0.5


def test_a_blind_that_is_on_its_way_has_been_moved(server: Server, home: Hearthgraph) -> None:
    server.effect = lambda _: [server.change("cover.roof", "opening", current_position=10)]
    outcome = home.ask("open the roof blind", consent=True)
    assert outcome.status is Status.DONE
    assert value(home, "cover.roof") == "opening"


def test_an_entity_that_is_gone_is_not_called(server: Server, home: Hearthgraph) -> None:
    call = Call(Operation.INVOKE, iri(home, "light.desk/turn_on"))
    server.house["states"] = [one for one in server.house["states"] if one["entity_id"] != "light.desk"]
    gone = {"entity_id": "light.desk", "old_state": state("light.desk", "off"), "new_state": None}
    server.tell("state_changed", gone)
    assert eventually(lambda: all("light.desk" not in a.forms[0].target for a in home.registry.actions.values()))
    with pytest.raises(BindingError):
        home.binding.start(call).result(5)
    assert not server.called


def test_what_is_not_exposed_is_not_known_and_never_called(server: Server, home: Hearthgraph) -> None:
    assert all("sensor.hidden" not in str(p.forms) for p in home.registry.properties.values())
    server.tell(
        "state_changed", {"entity_id": "sensor.hidden", "old_state": {}, "new_state": state("sensor.hidden", "2")}
    )
    home.ask("turn on everything", consent=True)
    assert all(one["target"]["entity_id"] != "sensor.hidden" for one in server.called)


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        ({"code": "unknown_error", "message": "Unknown error"}, "device_failed"),
        ({"code": "home_assistant_error", "message": "It is jammed\n<b>"}, "device_failed"),
        ({"code": "not_found", "message": "Service light.turn_on not found."}, "no_such_command"),
        ({"code": "invalid_format", "message": "expected int"}, "invalid_value"),
        ({"code": "unauthorized", "message": "Unauthorized"}, "unauthorized"),
        (None, "device_failed"),
        ("odd", "device_failed"),
    ],
)
def test_a_service_that_fails_fails_with_its_reason(server: Server, home: Hearthgraph, error: Any, reason: str) -> None:
    server.answers["call_service"] = (False, error)
    outcome = home.ask("turn on the desk lamp", consent=True)
    assert [a.reason for a in outcome.actions] == [reason]
    assert "\n" not in outcome.reply


def test_a_service_that_never_answers_times_out(server: Server, home: Hearthgraph) -> None:
    server.silent.add("call_service")
    with pytest.raises(BindingError) as caught:
        home.binding.start(Call(Operation.INVOKE, iri(home, "light.desk/turn_on"), {})).result(5)
    assert caught.value.reason == "timeout"


def test_a_payload_that_the_schema_does_not_allow_is_never_sent(server: Server, home: Hearthgraph) -> None:
    with pytest.raises(ValueFault):
        home.binding.start(Call(Operation.INVOKE, iri(home, "light.desk/turn_on"), {"brightness": 999})).result(5)
    assert not server.called


def test_a_lost_connection_makes_what_is_known_stale_until_it_is_back(server: Server, home: Hearthgraph) -> None:
    server.started = False
    server.drop()
    assert eventually(lambda: not linked(home).online)
    server.change("switch.left", "on")
    reply = home.ask("is the pantry bulb on?").reply
    assert "Yes" in reply
    assert "cannot be reached since" in reply
    assert len(stale(home)) == 1
    outcome = home.ask("turn off the pantry bulb", consent=True)
    assert [a.reason for a in outcome.actions] == ["unavailable"]
    server.started = True
    assert eventually(lambda: linked(home).online)
    assert value(home, "switch.left") is True
    assert "cannot be reached" not in home.ask("is the pantry bulb on?").reply
    assert not stale(home)


def test_one_that_never_becomes_ready_is_told_and_nothing_is_imported(server: Server, token: Path) -> None:
    server.started = False
    with opened(server, token) as home:
        outcome = home.ask("turn on the desk lamp", consent=True)
        assert outcome.status is Status.REFUSED
        assert "Home Assistant is still starting." in outcome.reply
        trouble = linked(home).trouble
        assert trouble is not None
        assert "still starting" in str(trouble)
        assert not home.registry.things
        server.started = True
        assert eventually(lambda: linked(home).online)
        assert home.registry.things


def test_what_was_known_stays_while_home_assistant_starts(server: Server, home: Hearthgraph) -> None:
    before = set(home.registry.things)
    server.started, kept = False, server.house["states"]
    server.house["states"] = []
    server.drop()
    assert eventually(lambda: not linked(home).online)
    time.sleep(0.8)
    assert set(home.registry.things) == before
    server.house["states"], server.started = kept, True
    assert eventually(lambda: linked(home).online)
    assert set(home.registry.things) == before


def test_a_refused_token_is_told_without_showing_it(server: Server, token: Path) -> None:
    token.write_text("another")
    with opened(server, token) as home:
        assert not linked(home).wait(5)
        trouble = linked(home).trouble
        assert trouble is not None
        assert trouble.reason == "unauthorized"
        assert "another" not in str(trouble)
        assert "another" not in repr(linked(home)._access)


def test_a_flood_of_events_is_gathered_and_ends_in_the_right_state(server: Server, home: Hearthgraph) -> None:
    events = [server.change("switch.left", "on" if n % 2 else "off") for n in range(1999)]
    writes = home.store.generation
    server.tell("state_changed", *events, server.change("switch.left", "on"))
    assert eventually(lambda: value(home, "switch.left") is True and not linked(home)._pending)
    assert linked(home).online
    assert home.store.generation == writes  # state is not structure: nothing was built anew


def test_a_new_area_and_a_new_name_are_known_a_moment_later(server: Server, home: Hearthgraph) -> None:
    server.house["area_registry"].append({"area_id": "attic", "name": "Attic", "aliases": [], "floor_id": "up"})
    server.house["entity_registry"][3]["area_id"] = "attic"
    server.house["states"][3]["attributes"]["friendly_name"] = "Loft hatch"
    server.tell("area_registry_updated", {"action": "create", "area_id": "attic"})
    assert eventually(lambda: any(t.title == "Loft hatch" for t in home.registry.things.values()))
    found = next(t for t in home.registry.things.values() if t.title == "Loft hatch")
    assert home.registry.places[found.place or ""].name == "Attic"


def test_a_deleted_area_leaves_its_devices_to_the_home(server: Server, home: Hearthgraph) -> None:
    server.house["area_registry"] = server.house["area_registry"][:1]
    server.tell("area_registry_updated", {"action": "remove", "area_id": "den"})
    assert eventually(lambda: all(place.name != "Den" for place in home.registry.places.values()))
    speaker = next(t for t in home.registry.things.values() if t.title == "Den speaker")
    assert home.registry.places[speaker.place or ""].name == "Mill"


def test_two_engines_follow_one_home(server: Server, token: Path, home: Hearthgraph) -> None:
    server.effect = lambda _: [server.change("light.desk", "on")]
    with opened(server, token) as other:
        assert linked(other).wait(10)
        assert home.ask("turn on the desk lamp", consent=True).status is Status.DONE
        assert eventually(lambda: value(other, "light.desk") is True)


def test_odd_messages_do_no_harm(server: Server, home: Hearthgraph) -> None:
    server.tell(
        "state_changed",
        {},
        {"entity_id": None, "new_state": 3},
        {"entity_id": "switch.left", "old_state": {}, "new_state": {"state": ["?"], "attributes": None}},
        {
            "entity_id": "cover.roof",
            "old_state": {},
            "new_state": {"state": "open", "attributes": {"current_position": "x"}},
        },
        server.change("switch.right", "on"),
    )
    assert eventually(lambda: value(home, "switch.right") is True)
    assert linked(home).online


def test_a_redirection_is_not_followed() -> None:
    class Elsewhere(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            self.send_response(302)
            self.send_header("Location", "http://127.0.0.1:1/api/websocket")
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: Any) -> None:
            pass

    with http.server.HTTPServer(("127.0.0.1", 0), Elsewhere) as found:
        thread = threading.Thread(target=found.serve_forever)
        thread.start()
        try:
            with pytest.raises(BindingError) as caught:
                link.read_now(Access(f"http://127.0.0.1:{found.server_address[1]}", "t", seconds=5))
            assert caught.value.reason == "unavailable"
            assert "InvalidStatus" in str(caught.value)
        finally:
            found.shutdown()
            thread.join()


@pytest.mark.parametrize("url", ["ftp://host", "http://", "http://user:word@host", "home", "file:///etc/passwd"])
def test_an_address_that_is_none_is_refused_without_repeating_secrets(url: str) -> None:
    with pytest.raises(InputError) as caught:
        address_of(url)
    assert "word" not in str(caught.value).replace("password", "")


def test_an_address_leads_to_the_api() -> None:
    assert address_of("https://home.example:8123/") == "wss://home.example:8123/api/websocket"
    assert address_of("http://host/ha") == "ws://host/ha/api/websocket"


def test_a_token_comes_from_a_file_of_its_owner_or_the_environment(
    token: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert token_of(token) == TOKEN
    monkeypatch.setenv(VARIABLE, "from there")
    with pytest.raises(SettingError):
        token_of(None)
    monkeypatch.setenv(VARIABLE, "from-there")
    assert token_of(None) == "from-there"
    token.chmod(0o644)
    with pytest.raises(SettingError, match="Others can read"):
        token_of(token)
    monkeypatch.delenv(VARIABLE)
    with pytest.raises(SettingError, match="no token"):
        token_of(None)


def test_the_token_is_in_no_log_however_much_is_logged(
    server: Server, token: Path, caplog: pytest.LogCaptureFixture
) -> None:
    logging.getLogger("websockets.server").setLevel(logging.INFO)  # the other side of the wire is in this process, too
    with caplog.at_level(logging.DEBUG), opened(server, token) as home:
        assert linked(home).wait(10)
    assert TOKEN not in caplog.text


def test_the_token_is_in_no_graph(home: Hearthgraph, tmp_path: Path) -> None:
    home.store.dump(tmp_path / "dump.nq")
    assert TOKEN not in (tmp_path / "dump.nq").read_text(encoding="utf-8")
    assert json.dumps(dict(home.state))


def test_the_command_line_imports_and_asks_a_live_home(server: Server, token: Path, tmp_path: Path) -> None:
    server.effect = lambda _: [server.change("light.desk", "on")]
    start = ["--store", str(tmp_path / "store")]
    reach = ["import", "home-assistant", "--url", server.url, "--token-file", str(token)]
    imported = CliRunner().invoke(main, [*start, *reach])
    assert "8 things of 10 exposed entities" in imported.output
    live = {
        "HEARTHGRAPH_LIVE": "true",
        "HEARTHGRAPH_HOME_ASSISTANT_URL": server.url,
        "HEARTHGRAPH_HOME_ASSISTANT_TOKEN_FILE": str(token),
        "HEARTHGRAPH_HOME_ASSISTANT_EXCLUDE": "cover.*, beehive.*",
    }
    asked = CliRunner().invoke(main, [*start, "ask", "--yes", "turn on the desk lamp"], env=live)
    assert asked.exit_code == 0, asked.output
    assert "Desk lamp" in asked.output
    assert [one["service"] for one in server.called] == ["turn_on"]
    excluded = CliRunner().invoke(main, [*start, "ask", "--yes", "open the roof blind"], env=live)
    assert excluded.exit_code == 3
    assert len(server.called) == 1
