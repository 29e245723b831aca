"""Reads, writes and actions through forms, against a real server on loopback."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.environment.binding import Call, Operation
from engine.errors import BindingError, ValueFault
from engine.graph.terms import Json
from tests.environment.http_servers import INTEGER, Server, Setup, action, form, living, prop, serving


@pytest.fixture
def server() -> Iterator[Server]:
    with serving() as one:
        yield one


def read(setup: Setup, name: str) -> Json:
    return setup.binding.start(Call(Operation.READ, setup.property(name))).result(10)


def write(setup: Setup, name: str, value: Json) -> Json:
    return setup.binding.start(Call(Operation.WRITE, setup.property(name), value)).result(10)


def invoke(setup: Setup, name: str, payload: Json = None) -> Json:
    return setup.binding.start(Call(Operation.INVOKE, setup.action(name), payload)).result(10)


def test_a_property_is_read_with_get_and_written_with_put_at_a_relative_target(server: Server, tmp_path: Path) -> None:
    server.route("GET", "/level", 40)
    server.route("PUT", "/level", lambda h: (server.route("GET", "/level", 70), h.answer(status=204)))
    with living(tmp_path, server.url, prop("level", INTEGER, form("level"))) as setup:
        assert read(setup, "level") == 40
        assert setup.state[setup.property("level")] == 40
        write(setup, "level", 70)
        assert setup.state[setup.property("level")] == 70
    assert server.seen[1].body == b"70"
    assert server.seen[1].headers["Content-Type"] == "application/json"
    assert [one.method for one in server.seen] == ["GET", "PUT", "GET"]


def test_an_action_is_posted_and_what_it_changes_is_read_back(server: Server, tmp_path: Path) -> None:
    power = prop("power", "js:BooleanSchema, hg:Power", form("power", operation="readProperty"))
    server.route("GET", "/power", True)
    server.route("POST", "/on", None)
    with living(tmp_path, server.url, power, action("turn_on", "hg:TurnOn", form("on"))) as setup:
        setup.state.write({setup.property("power"): False})
        assert invoke(setup, "turn_on") is None
        assert setup.state[setup.property("power")] is True
    assert server.seen[0].body == b""


def test_a_property_that_cannot_be_read_is_what_the_effect_says(server: Server, tmp_path: Path) -> None:
    power = prop("power", "js:BooleanSchema, hg:Power", form("power", operation="writeProperty"))
    server.route("POST", "/on", {"accepted": True})
    with living(tmp_path, server.url, power, action("turn_on", "hg:TurnOn", form("on"))) as setup:
        invoke(setup, "turn_on")
        assert setup.state[setup.property("power")] is True


def test_methods_and_headers_are_those_of_the_form(server: Server, tmp_path: Path) -> None:
    headers = (
        'htv:headers ( [ htv:fieldName "X-Room" ; htv:fieldValue "attic" ]'
        ' [ htv:fieldName "Authorization" ; htv:fieldValue "Bearer from-the-graph" ] )'
    )
    server.route("PATCH", "/level", None)
    with living(
        tmp_path,
        server.url,
        prop("level", INTEGER, form("level", method="PATCH", operation="writeProperty", more=headers)),
    ) as setup:
        write(setup, "level", 7)
    assert server.seen[0].headers["X-Room"] == "attic"
    assert server.seen[0].headers["Authorization"] is None


@pytest.mark.parametrize(
    ("schema", "kind", "value", "body"),
    [
        ("js:NumberSchema", "application/json", 2.5, b"2.5"),
        ("js:ObjectSchema", "application/senml+json", {"a": [1, None]}, b'{"a": [1, null]}'),
        ("js:StringSchema", "application/json", "aus", b'"aus"'),
        ("js:StringSchema", "text/plain;charset=utf-8", "über", "über".encode()),
        ("js:StringSchema", "text/plain; charset=iso-8859-1", "über", b"\xfcber"),
        ("js:BooleanSchema", "text/plain", True, b"true"),
        ("js:IntegerSchema", "text/plain", 40, b"40"),
        ("js:StringSchema", "application/octet-stream", "raw", b"raw"),
        ('js:StringSchema ; js:contentEncoding "base64"', "application/octet-stream", "AP8=", b"\x00\xff"),
        ("js:IntegerSchema", "application/x-www-form-urlencoded", 40, b"level=40"),
        (
            'js:ObjectSchema ; js:properties [ js:propertyName "on" ; a js:BooleanSchema ],'
            ' [ js:propertyName "by" ; a js:StringSchema ]',
            "application/x-www-form-urlencoded",
            {"on": True, "by": "a&b"},
            b"on=true&by=a%26b",
        ),
    ],
)
def test_a_value_survives_the_way_out_and_back(
    server: Server, tmp_path: Path, schema: str, kind: str, value: Json, body: bytes
) -> None:
    server.route("GET", "/level", lambda h: h.answer(server.seen[0].body, kind=kind))
    server.route("PUT", "/level", None)
    with living(tmp_path, server.url, prop("level", schema, form("level", kind=kind))) as setup:
        write(setup, "level", value)
        assert server.seen[0].body == body
        assert server.seen[0].headers["Content-Type"] == kind
        assert read(setup, "level") == value


def test_the_easiest_of_several_forms_is_taken_and_the_named_one_before_it(server: Server, tmp_path: Path) -> None:
    server.route("GET", "/json", 1)
    server.route("GET", "/text", lambda h: h.answer(b"2", kind="text/plain"))
    forms = (
        form("coap://127.0.0.1/level", operation="readProperty"),
        form("/xml", kind="application/xml", operation="readProperty"),
        form("/text", kind="text/plain", operation="readProperty"),
        form("/events", operation="observeProperty", more='hctl:forSubProtocol "sse"'),
        form("/json", operation="readProperty"),
    )
    with living(tmp_path, server.url, prop("level", INTEGER, *forms)) as setup:
        assert read(setup, "level") == 1
        named = Call(Operation.READ, setup.property("level"), target=f"{server.url}/text")
        assert setup.binding.start(named).result(5) == 2
        foreign = Call(Operation.READ, setup.property("level"), target=f"{server.url}/elsewhere")
        assert setup.binding.start(foreign).result(5) == 1
    assert server.count("GET", "/elsewhere") == 0


def test_variables_of_an_address_come_from_the_payload_and_from_their_defaults(server: Server, tmp_path: Path) -> None:
    variables = (
        'td:hasUriTemplateSchema [ a js:StringSchema ; js:propertyName "room" ; js:default "a b" ],'
        ' [ a js:IntegerSchema ; js:propertyName "seconds" ]'
    )
    server.route("POST", "/rooms/a%20b/on", None)
    server.route("POST", "/rooms/attic/on", None)
    with living(
        tmp_path,
        server.url,
        action("start", "hg:TurnOn", form(f"{server.url}/rooms/{{room}}/on{{?seconds}}"), variables),
    ) as setup:
        invoke(setup, "start")
        invoke(setup, "start", {"room": "attic", "seconds": 5})
        with pytest.raises(ValueFault):
            invoke(setup, "start", {"seconds": "many"})
        with pytest.raises(ValueFault):
            invoke(setup, "start", {"unknown": 1})
    assert [one.path for one in server.seen] == ["/rooms/a%20b/on", "/rooms/attic/on?seconds=5"]
    assert all(one.body == b"" for one in server.seen)


def test_a_payload_that_the_schema_does_not_allow_is_not_sent(server: Server, tmp_path: Path) -> None:
    takes = f"td:hasInputSchema [ a {INTEGER} ]"
    with living(
        tmp_path, server.url, prop("level", INTEGER, form("level")), action("set", "hg:Set", form("set"), takes)
    ) as setup:
        for value in (101, "much", None, float("nan")):
            with pytest.raises(ValueFault):
                write(setup, "level", value)
            with pytest.raises(ValueFault):
                invoke(setup, "set", value)
    assert server.seen == []


def test_the_output_of_an_action_comes_back(server: Server, tmp_path: Path) -> None:
    server.route("POST", "/measure", 21.5)
    gives = "td:hasOutputSchema [ a js:NumberSchema ]"
    with living(tmp_path, server.url, action("measure", "hg:Start", form("measure"), gives)) as setup:
        assert invoke(setup, "measure") == 21.5


@pytest.mark.parametrize("target", ["ftp://127.0.0.1/x", "coap://127.0.0.1/x", "http://{host}/x", "//{x}/", "http://"])
def test_a_target_that_is_not_http_is_no_form_to_use(server: Server, tmp_path: Path, target: str) -> None:
    with living(tmp_path, server.url, prop("level", INTEGER, form(target))) as setup:
        with pytest.raises(BindingError) as caught:
            read(setup, "level")
        assert caught.value.reason in ("no_usable_form", "host_not_allowed")
    assert server.seen == []


@pytest.mark.parametrize(
    ("name", "operation", "reason"),
    [("nothing", Operation.READ, "no_such_property"), ("sensor", Operation.WRITE, "no_such_command")],
)
def test_what_is_not_there_is_refused(
    server: Server, tmp_path: Path, name: str, operation: Operation, reason: str
) -> None:
    with living(tmp_path, server.url, prop("sensor", f"{INTEGER} ; js:readOnly true", form("sensor"))) as setup:
        with pytest.raises(BindingError) as caught:
            setup.binding.start(Call(operation, setup.property(name), 1)).result(5)
        assert caught.value.reason == reason


def test_many_calls_at_once_do_not_drown_a_small_device(server: Server, tmp_path: Path) -> None:
    server.route("GET", "/level", 40)
    with living(tmp_path, server.url, prop("level", INTEGER, form("level"))) as setup:
        calls = [setup.binding.start(Call(Operation.READ, setup.property("level"))) for _ in range(100)]
        assert {call.result(10) for call in calls} == {40}


def test_mozillas_wrapped_values_are_unwrapped(server: Server, tmp_path: Path) -> None:
    server.route("GET", "/level", lambda h: h.answer(json.dumps({"level": 12}).encode()))
    with living(tmp_path, server.url, prop("level", INTEGER, form("level"))) as setup:
        assert read(setup, "level") == 12
