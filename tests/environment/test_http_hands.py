"""A home that is partly real: orders in words reach devices over HTTP where the settings say so, and only there."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from engine import settings as configuration
from engine.environment.binding import Call, Operation
from engine.errors import BindingError, SettingError
from engine.hearthgraph import Hearthgraph
from engine.model.outcome import Status
from tests.environment.http_servers import DOCUMENT, PREFIXES, Handler, Server, action, form, prop, serving

POWER = f"{DOCUMENT}#properties/power"


@pytest.fixture
def server() -> Iterator[Server]:
    """A lamp: what is put or posted is what is read."""
    with serving() as one:

        def switched(value: bool) -> Callable[[Handler], None]:
            def answer(handler: Handler) -> None:
                one.route("GET", "/power", value)
                handler.answer(status=204)

            return answer

        one.route("GET", "/power", False)
        one.route("POST", "/on", switched(True))
        one.route("POST", "/off", switched(False))
        yield one


def lamp(folder: Path, base: str) -> Path:
    """A file with a kitchen, and in it a lamp with forms and a fan without."""
    power = prop("power", "js:BooleanSchema, hg:Power", form("power", operation="readProperty"))
    actions = (action("turn_on", "hg:TurnOn", form("on")), action("turn_off", "hg:TurnOff", form("off")))
    path = folder / "home.ttl"
    path.write_text(
        f"""{PREFIXES}
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix hmas: <https://purl.org/hmas/> .
<http://device.example/kitchen> a hg:Kitchen ; rdfs:label "kitchen" ;
  hmas:contains <{DOCUMENT}>, <http://device.example/fan> .
<{DOCUMENT}> a td:Thing, hg:Light ; td:title "Lamp" ; td:baseURI <{base}/> ; {" ; ".join((power, *actions))} .
<http://device.example/fan> a td:Thing, hg:Fan ; td:title "Fan" ;
  {prop("power", "js:BooleanSchema, hg:Power")} ; {action("turn_on", "hg:TurnOn")} ;
  {action("spin", "hg:TurnOff", form("mqtt://127.0.0.1/spin"))} .
""",
        encoding="utf-8",
    )
    return path


def live(**more: object) -> configuration.Settings:
    return configuration.load(live=True, device_seconds=2.0, settle_seconds=0.2, **more)


def test_an_order_reaches_the_device_and_what_it_does_is_read_back(server: Server, tmp_path: Path) -> None:
    with Hearthgraph.open(None, settings=live()) as home:
        home.load([lamp(tmp_path, server.url)])
        outcome = home.ask("turn on the light in the kitchen", consent=True)
        assert outcome.status is Status.DONE
        assert home.state[POWER] is True
        assert server.count("POST", "/on") == 1
        again = home.ask("turn on the fan in the kitchen", consent=True)  # simulated: it has no forms
        assert again.status is Status.DONE


def test_what_is_asked_is_what_the_device_says_now(server: Server, tmp_path: Path) -> None:
    with Hearthgraph.open(None, settings=live(poll_seconds=0.1)) as home:
        home.load([lamp(tmp_path, server.url)])
        answer = home.ask("is the light in the kitchen on?").intents[0].answer
        assert answer is not None
        assert answer.value is False
        with home.state.hub.subscribe() as news:
            server.route("GET", "/power", True)
            assert news.take(3) is not None
        answer = home.ask("is the light in the kitchen on?").intents[0].answer
        assert answer is not None
        assert answer.value is True


def test_a_device_that_does_not_do_what_it_says_is_found_out(server: Server, tmp_path: Path) -> None:
    server.route("POST", "/on", {"success": True})
    with Hearthgraph.open(None, settings=live()) as home:
        home.load([lamp(tmp_path, server.url)])
        outcome = home.ask("turn on the light in the kitchen", consent=True)
        assert (outcome.status, outcome.intents[0].reason) == (Status.FAILED, "no_effect")


def test_a_device_whose_host_is_not_allowed_is_not_called(tmp_path: Path) -> None:
    with Hearthgraph.open(None, settings=live()) as home:
        home.load([lamp(tmp_path, "http://192.168.77.1")])
        outcome = home.ask("turn on the light in the kitchen", consent=True)
        assert (outcome.status, outcome.intents[0].reason) == (Status.FAILED, "host_not_allowed")


def test_a_scheme_that_nobody_speaks_is_refused_and_not_simulated(server: Server, tmp_path: Path) -> None:
    with Hearthgraph.open(None, settings=live()) as home:
        home.load([lamp(tmp_path, server.url)])
        with pytest.raises(BindingError) as caught:
            home.binding.start(Call(Operation.INVOKE, "http://device.example/fan#actions/spin")).result(1)
        assert caught.value.reason == "no_usable_form"
        with pytest.raises(BindingError) as caught:
            home.binding.start(Call(Operation.INVOKE, "urn:nothing")).result(1)
        assert caught.value.reason == "no_such_command"


@pytest.mark.parametrize("given", [False, True])
def test_a_home_is_simulated_unless_the_settings_say_otherwise_or_when_its_time_is(
    server: Server, tmp_path: Path, given: bool
) -> None:
    now = datetime(2026, 5, 14, 12, 0, tzinfo=UTC)
    settings, began = (live(), now) if given else (configuration.load(), None)
    with Hearthgraph.open(None, now=began, settings=settings) as home:
        home.load([lamp(tmp_path, server.url)])
        assert home.ask("turn on the light in the kitchen", consent=True).status is Status.DONE
        assert home.follow() is None
    assert server.seen == []


def test_a_live_home_follows_its_devices(server: Server, tmp_path: Path) -> None:
    with Hearthgraph.open(None, settings=live(poll_seconds=0.1)) as home:
        home.load([lamp(tmp_path, server.url)])
        following = home.follow()
        assert following is not None
        with following, home.state.hub.subscribe() as news:
            server.route("GET", "/power", True)
            found = news.take(3)
            while found is not None and found.after is not True:
                found = news.take(3)
            assert found is not None
            assert found.property == POWER


def test_a_thing_that_came_as_json_ld_is_reached_as_it_says(server: Server, tmp_path: Path) -> None:
    description = {
        "@context": "https://www.w3.org/2022/wot/td/v1.1",
        "id": "urn:dev:lamp",
        "title": "Lamp",
        "base": server.url,
        "securityDefinitions": {
            "basic_sc": {"scheme": "basic", "in": "header"},
            "key_sc": {"scheme": "apikey", "in": "query", "name": "k"},
            "none": {"scheme": "nosec"},
        },
        "security": ["basic_sc", "key_sc"],
        "properties": {
            "level": {
                "type": "integer",
                "uriVariables": {"room": {"type": "string", "default": "attic"}},
                "forms": [{"href": "/rooms/{room}/level", "htv:methodName": "GET", "op": "readproperty"}],
            }
        },
        "actions": {
            "fade": {
                "input": {"type": "object", "properties": {"level": {"type": "integer"}}},
                "forms": [{"href": "/fade", "security": "none", "contentType": "application/x-www-form-urlencoded"}],
            }
        },
    }
    path, secrets = tmp_path / "lamp.td.json", tmp_path / "secrets.toml"
    path.write_text(json.dumps(description), encoding="utf-8")
    secrets.write_text('["127.0.0.1"]\nusername = "ann"\npassword = "pw"\nkey = "kk"\n', encoding="utf-8")
    secrets.chmod(0o600)
    server.route("GET", "/rooms/attic/level", 41)
    server.route("POST", "/fade", None)
    with Hearthgraph.open(None, settings=live(credentials_file=secrets)) as home:
        home.load([path])
        read = Call(Operation.READ, "urn:dev:lamp#properties/level")
        assert home.binding.start(read).result(5) == 41
        home.binding.start(Call(Operation.INVOKE, "urn:dev:lamp#actions/fade", {"level": 5})).result(5)
    first, second = server.seen[:2]
    assert first.path == "/rooms/attic/level?k=kk"
    assert first.headers["Authorization"].startswith("Basic ")
    assert second.headers["Authorization"] is None
    assert (second.path, second.body) == ("/fade", b"level=5")


def test_a_wrong_credentials_file_is_said_at_once(tmp_path: Path) -> None:
    with pytest.raises(SettingError, match="credentials_file"):
        Hearthgraph.open(None, settings=live(credentials_file=tmp_path / "none.toml"))


def test_a_simulated_home_does_not_import_httpx(repository: Path) -> None:
    text = "import sys, engine.hearthgraph; sys.exit('httpx' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", text], cwd=repository, check=False).returncode == 0
