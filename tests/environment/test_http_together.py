"""Where a device gives all of its properties at once, it is asked once."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.environment.binding import Call, Operation
from engine.environment.http.addresses import Hosts
from engine.environment.http.credentials import Credentials
from engine.graph.terms import Json
from tests.environment.http_servers import INTEGER, Server, Setup, action, form, living, prop, serving

NAMES = ("level", "other", "third")
PROPERTIES = tuple(prop(name, INTEGER, form(name)) for name in NAMES)
ALL = form("all", operation="readAllProperties")


@pytest.fixture
def server() -> Iterator[Server]:
    with serving() as one:
        for index, name in enumerate(NAMES):
            one.route("GET", f"/{name}", index)
        yield one


def values(setup: Setup) -> list[Json]:
    setup.binding.refresh().result(10)
    return [setup.state.get(setup.property(name)) for name in NAMES]


def test_all_properties_are_read_by_one_call(server: Server, tmp_path: Path) -> None:
    server.route("GET", "/all", {"level": 11, "other": 12, "third": 13, "more": {"a": 1}})
    with living(tmp_path, server.url, *PROPERTIES, ALL) as setup:
        assert values(setup) == [11, 12, 13]
    assert [one.path for one in server.seen] == ["/all"]


def test_what_is_missing_or_wrong_is_read_by_itself(server: Server, tmp_path: Path) -> None:
    server.route("GET", "/all", {"level": 11, "other": "much"})
    with living(tmp_path, server.url, *PROPERTIES, ALL) as setup:
        assert values(setup) == [11, 1, 2]
    assert sorted(one.path for one in server.seen) == ["/all", "/other", "/third"]


@pytest.mark.parametrize("answer", [[1, 2], "x", 5, None, {"error": "busy"}, {}])
def test_a_device_that_does_not_do_so_is_asked_one_by_one(server: Server, tmp_path: Path, answer: object) -> None:
    server.route("GET", "/all", answer)
    with living(tmp_path, server.url, *PROPERTIES, ALL) as setup:
        assert values(setup) == [0, 1, 2]


def test_one_property_is_read_by_its_own_form(server: Server, tmp_path: Path) -> None:
    with living(tmp_path, server.url, *PROPERTIES, ALL) as setup:
        assert setup.binding.start(Call(Operation.READ, setup.property("other"))).result(10) == 1
    assert [one.path for one in server.seen] == ["/other"]


def test_after_an_action_the_properties_are_read_together(server: Server, tmp_path: Path) -> None:
    server.route("POST", "/go", None)
    server.route("GET", "/all", {"level": 11, "other": 12, "third": 13})
    with living(tmp_path, server.url, *PROPERTIES, ALL, action("go", "hg:Restart", form("go"))) as setup:
        setup.binding.start(Call(Operation.INVOKE, setup.action("go"))).result(10)
        assert setup.state.get(setup.property("third")) == 13
    assert [one.path for one in server.seen] == ["/go", "/all"]


def test_the_form_of_all_has_its_security_and_its_host_is_checked(server: Server, tmp_path: Path) -> None:
    server.route("GET", "/all", {"level": 11, "other": 12, "third": 13})
    lock = 'td:definesSecurityScheme [ a wotsec:BearerSecurityScheme ; td:hasInstanceConfiguration "lock" ]'
    secured = form("all", operation="readAllProperties", more='td:hasSecurityConfiguration "lock"')
    credentials = Credentials({"127.0.0.1": {"token": "open"}})
    with living(tmp_path, server.url, *PROPERTIES, secured, lock, credentials=credentials) as setup:
        assert values(setup) == [11, 12, 13]
    assert server.seen[-1].headers["Authorization"] == "Bearer open"
    elsewhere = form("http://192.168.9.9/all", operation="readAllProperties")
    with living(tmp_path, server.url, *PROPERTIES, elsewhere, hosts=Hosts()) as setup:
        assert values(setup) == [0, 1, 2]
