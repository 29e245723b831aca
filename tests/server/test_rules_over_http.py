"""Rules over HTTP and on their page: shown to everybody, switched by whoever may write."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from engine.rules.notices import Notice
from tests.server.serving import Serving, serving

JSON = {"Accept": "application/json"}


@pytest.fixture
def served(house_store: Path, tmp_path: Path) -> Iterator[Serving]:
    shutil.copytree(house_store, tmp_path / "store")
    with serving(tmp_path / "store") as found:
        yield found


def test_a_rule_is_made_shown_paused_and_deleted(served: Serving) -> None:
    body = {"text": "turn on the pantry light in ten minutes"}
    answer = served.client.post("/requests", json=body)
    assert answer.json()["status"] == "scheduled", answer.text
    [row] = served.stranger.get("/rules", headers=JSON).json()
    assert "pantry light" in row["told"]
    assert [one["text"] for one in served.stranger.get("/rules/week").json()] == [row["text"]]
    assert "hearthgraph#Rule" in served.stranger.get("/rules", headers={"Accept": "text/turtle"}).text
    assert "pantry light" in served.stranger.get("/coming").text
    assert served.stranger.delete("/rules", params={"iri": row["id"]}).status_code == 401
    assert served.client.delete("/rules", params={"iri": row["id"], "how": "pause"}).json() == {"removed": 1}
    assert served.stranger.get("/rules", headers=JSON).json()[0]["enabled"] is False
    assert served.client.delete("/rules", params={"iri": row["id"]}).json() == {"removed": 1}
    assert served.client.delete("/rules", params={"iri": row["id"]}).status_code == 404
    assert served.stranger.get("/rules", headers=JSON).json() == []


def content_of(text: str, served: Serving) -> dict[str, Any]:
    """The rule that a text makes, as programs read it, taken away again."""
    assert served.client.post("/requests", json={"text": text}).json()["status"] == "scheduled"
    [row] = served.stranger.get("/rules", headers=JSON).json()
    assert served.client.delete("/rules", params={"iri": row["id"]}).status_code == 200
    return dict(row["content"])


def test_a_rule_goes_out_as_json_and_comes_in_again(served: Serving) -> None:
    content = content_of("every weekday at seven turn on the hallway light", served)
    assert served.stranger.post("/rules", json=content).status_code == 401
    answer = served.client.post("/rules", json=content)
    assert answer.status_code == 201, answer.text
    assert answer.json()["rule"]["trigger"]["cron"] == "0 7 * * 1,2,3,4,5"
    [row] = served.stranger.get("/rules", headers=JSON).json()
    assert row["next"] is not None
    assert row["content"]["triggers"] == content["triggers"]


def test_a_rule_goes_out_as_turtle_and_comes_in_again(served: Serving) -> None:
    content = content_of("when the fridge is open for two minutes turn on the kitchen light", served)
    assert served.client.post("/rules", json=content).status_code == 201
    turtle = served.stranger.get("/rules", headers={"Accept": "text/turtle"}).text
    [row] = served.stranger.get("/rules", headers=JSON).json()
    served.client.delete("/rules", params={"iri": row["id"]})
    as_turtle = {"Content-Type": "text/turtle"}
    answer = served.client.post("/rules", content=turtle, headers=as_turtle)
    assert answer.status_code == 201, answer.text
    [again] = served.stranger.get("/rules", headers=JSON).json()
    assert again["content"]["triggers"] == row["content"]["triggers"]
    wordless = "\n".join(line for line in turtle.splitlines() if "#text" not in line)
    refused = served.client.post("/rules", content=wordless, headers=as_turtle)
    assert refused.status_code == 400
    assert "in words" in refused.text


@pytest.mark.parametrize(
    "wrong",
    [
        [],
        {"is": "Rule"},
        {"is": "Rule", "text": 5, "triggers": []},
        {"is": "Rule", "text": "x", "triggers": {"is": "tuple", "value": ["soon"]}},
        {"is": "Rule", "text": "x", "triggers": {"is": "tuple", "value": [{"is": "After", "seconds": "ten"}]}},
        {"is": "Rule", "text": "x", "triggers": {"is": "tuple", "value": []}, "notice": ["a"]},
        {"is": "Window", "start": 1, "end": 2},
        {"is": "os.system", "command": "true"},
        "a rule",
    ],
)
def test_what_is_no_rule_is_refused_and_nothing_is_kept(served: Serving, wrong: object) -> None:
    answer = served.client.post("/rules", json=wrong)
    assert answer.status_code == 400, answer.text
    assert "Traceback" not in answer.text
    assert served.stranger.get("/rules", headers=JSON).json() == []


@pytest.mark.parametrize("cron", ["nonsense", "61 * * * *", "* * *", "0 0 31 2 *"])
def test_times_that_never_come_are_refused_or_told(served: Serving, cron: str) -> None:
    trigger = {"is": "tuple", "value": [{"is": "Cron", "expression": cron}]}
    rule = {"is": "Rule", "text": "a rule", "triggers": trigger, "notice": "now"}
    answer = served.client.post("/rules", json=rule)
    assert answer.status_code == 422 or "never fire" in answer.json()["reply"], answer.text


def test_what_a_rule_tells_is_heard_as_it_happens(served: Serving) -> None:
    after = {"is": "tuple", "value": [{"is": "After", "seconds": 0.5}]}
    reminder = {"is": "Rule", "text": "call grandma", "triggers": after, "notice": "call grandma"}
    with served.stranger.stream("GET", "/rules/notices", headers={"Accept": "text/event-stream"}) as stream:
        assert stream.status_code == 200
        assert served.client.post("/rules", json=reminder).status_code == 201
        told = next(line for line in stream.iter_lines() if "grandma" in line)
    assert json.loads(told.removeprefix("data:"))["text"] == "call grandma"


def test_who_was_away_for_a_moment_hears_what_was_told_meanwhile(served: Serving) -> None:
    hub = served.service.home.rules.notices
    before = hub.last
    hub.publish([Notice("urn:rule", text, None, datetime.now(UTC)) for text in ("the first", "the second")])
    first = hub.since(before)[0].number
    for heard, text in ((before, "the first"), ("another life-7", "the first"), (first, "the second")):
        with served.stranger.stream("GET", "/rules/notices", params={"after": heard}) as stream:
            told = next(line for line in stream.iter_lines() if "the " in line)
        assert json.loads(told.removeprefix("data:"))["text"] == text
    assert hub.since(hub.last) == hub.since(None) == []
