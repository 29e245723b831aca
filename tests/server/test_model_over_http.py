"""A language model that plans and tells for a server: asked for by a field of the request, also by the command line."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from engine.cli.main import main
from engine.planning.model.prompting import Planner
from tests.server.serving import Serving, serving

ON = {
    "type": "parallel",
    "policy": "complete_all",
    "children": [{"type": "action", "affordance": "pantry-light.turn_on", "payload": {}}],
}
WORDS = "I would turn on the pantry light for you."


class Answering:
    """A model that plans what is wanted of it here, and says it; it keeps what it was asked."""

    def __init__(self) -> None:
        self.asked: list[Any] = []

    def complete(self, messages: Sequence[Mapping[str, str]], schema: Mapping[str, Any]) -> dict[str, Any]:
        self.asked.append((messages, schema))
        return {"summary": WORDS} if "summary" in schema["properties"] else dict(ON)


def printed(command: list[str], **more: str) -> list[str]:
    """What a command prints, without the log of the server, which is in the same process here."""
    lines = CliRunner().invoke(main, command, **more).output.splitlines()
    return [line for line in lines if "] call  " not in line]


@pytest.fixture
def house(house_store: Path, tmp_path: Path) -> Iterator[Serving]:
    shutil.copytree(house_store, tmp_path / "store")
    with serving(tmp_path / "store") as served:
        served.service.keys.announce(served.url)
        yield served


@pytest.fixture
def model(house: Serving) -> Answering:
    found = Answering()
    house.service.home.assistant.planner = Planner(found)
    return found


def test_a_request_may_have_the_model_plan_it_and_tell_it(house: Serving, model: Answering) -> None:
    said = {"text": "turn on the pantry light", "path": "model", "summary": "model"}
    proposed = house.client.post("/requests", json=said).json()
    assert (proposed["path"], proposed["llm_calls"], proposed["reply"]) == ("model", 2, f"{WORDS} Shall I?")
    given = {"plan_id": proposed["plan_id"]}
    assert house.client.post(f"/requests/{proposed['id']}/consent", json=given).json()["status"] == "done"
    said["text"] = "turn off the pantry light"
    plain = house.client.post("/requests", json={**said, "path": None, "summary": None}).json()
    assert (plain["path"], plain["llm_calls"]) == ("template", 0)


@pytest.mark.parametrize("wrong", [{"path": "magic"}, {"path": 7}, {"summary": "poem"}, {"summary": ["model"]}])
def test_another_manner_is_refused_and_nothing_is_done(house: Serving, model: Answering, wrong: dict[str, Any]) -> None:
    answer = house.client.post("/requests", json={"text": "turn on the pantry light", "consent": "all", **wrong})
    assert (answer.status_code, answer.json()["reason"]) == (400, "bad_input")
    assert model.asked == []


@pytest.mark.parametrize("wanted", [{"path": "model"}, {"summary": "model"}])
def test_where_no_model_is_set_up_that_is_said(house: Serving, wanted: dict[str, str]) -> None:
    answer = house.client.post("/requests", json={"text": "turn on the pantry light", **wanted})
    assert (answer.status_code, answer.json()["reason"]) == (400, "model_unavailable")


def test_the_command_line_goes_through_the_server_for_it(house: Serving, model: Answering, tmp_path: Path) -> None:
    command = ["--store", str(tmp_path / "store"), "ask", "turn on the pantry light", "--path", "model"]
    assert printed([*command, "--summary", "model"], input="yes\n") == [
        f"{WORDS} Shall I?",
        "Done: pantry light state on.",
    ]
    again = json.loads(printed([*command, "--json"])[0])
    assert (again["path"], again["llm_calls"]) == ("model", 1)
    assert len(model.asked) >= 3


def test_the_fields_are_described(house: Serving) -> None:
    described = house.stranger.get("/openapi.json").json()["paths"]["/requests"]["post"]
    fields = described["requestBody"]["content"]["application/json"]["schema"]["properties"]
    assert set(fields["path"]["enum"]) == {"model", None}
    assert set(fields["summary"]["enum"]) == {"template", "model", None}
