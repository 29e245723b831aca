"""Affordances with odd names, as descriptions in the wild have them, are found under the addresses of their forms."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.model.thing import Action, Property, Schema
from engine.origins.hypermedia.platform.addresses import step_name
from tests.homes import filled
from tests.server.serving import Serving, serving

NAMES = ("a/b", "~1", "ü x", "100%", "%2F", "<b>", "light.level", "a?b#c", "two  spaces")


@given(st.lists(st.text(min_size=1), min_size=2, max_size=2, unique=True))
def test_two_names_are_two_steps_and_none_has_a_slash(names: list[str]) -> None:
    steps = {step_name(Property(f"urn:{number}", name, "urn:x", Schema())) for number, name in enumerate(names)}
    assert len(steps) == 2
    assert not any("/" in step for step in steps)


@pytest.fixture
def odd(tmp_path: Path) -> Serving:  # type: ignore[misc]
    """A home with a thing whose affordances have odd names."""
    td = {
        "@context": "https://www.w3.org/2022/wot/td/v1.1",
        "id": "urn:odd:thing",
        "title": 'Odd "thing" <script>',
        "security": "none",
        "securityDefinitions": {"none": {"scheme": "nosec"}},
        "properties": {name: {"type": "integer", "forms": [{"href": "urn:x"}]} for name in NAMES},
        "actions": {name: {"forms": [{"href": "urn:x"}]} for name in NAMES},
    }
    (tmp_path / "odd.td.json").write_text(json.dumps(td), encoding="utf-8")
    with serving(filled(tmp_path / "store", "lab308.ttl")) as served:
        served.service.home.load([tmp_path / "odd.td.json"])
        yield served  # type: ignore[misc]


def test_odd_names_are_read_and_called_where_the_forms_say(odd: Serving) -> None:
    home = odd.service.home
    thing = home.registry.things["urn:odd:thing"]
    home.state.write({prop.iri: number for number, prop in enumerate(thing.properties)})
    page = odd.service.webs.at(odd.url).at.artifact(thing)
    td = odd.stranger.get(page, headers={"Accept": "application/td+json"}).json()
    assert td["properties"].keys() == set(NAMES) == td["actions"].keys()
    for number, prop in enumerate(thing.properties):
        assert odd.stranger.get(td["properties"][prop.name]["forms"][0]["href"]).json() == number, prop.name
    for action in thing.actions:
        assert isinstance(action, Action)
        answer = odd.client.post(td["actions"][action.name]["forms"][0]["href"])
        assert answer.status_code == 204, (action.name, answer.text)
    assert odd.stranger.get(page, headers={"Accept": "application/ld+json"}).status_code == 200
    assert odd.stranger.get("/workspaces").text.count("elsewhere") >= 1
