"""Planning with a language model: it chooses among what was found, is checked, and is not asked for the impossible."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from engine import llm
from engine.errors import ModelError
from engine.evaluation.experience import Scenario, planner_for, read_requests
from engine.hearthgraph import Hearthgraph
from engine.llm import Client, Recorder, Replay
from engine.model.outcome import Status
from engine.planning.model.prompting import Planner
from engine.planning.policies import store as policy_store
from engine.settings import Settings, load
from tests.homes import a_home

LAB = "http://localhost:8080/workspaces/lab308/artifacts/"
ANSWERS = Path(__file__).parent / "answers" / "forced.json"


class Scripted:
    """A model that gives prepared answers, and keeps what it was asked."""

    def __init__(self, *answers: Any) -> None:
        self.answers, self.asked = list(answers), list[Any]()

    def complete(self, messages: Sequence[Mapping[str, str]], schema: Mapping[str, Any]) -> dict[str, Any]:
        self.asked.append((messages, schema))
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return dict(answer)


def plan(*children: tuple[str, Any]) -> dict[str, Any]:
    leaves = [{"type": "action", "affordance": name, "payload": payload} for name, payload in children]
    return {"type": "parallel", "policy": "complete_all", "children": leaves}


@pytest.fixture
def lab() -> Iterator[Hearthgraph]:
    with a_home("lab308.ttl", now="2026-03-02T10:00:00+00:00") as home:
        yield home


def with_model(home: Hearthgraph, *answers: Any, forced: bool = True) -> Scripted:
    model = Scripted(*answers)
    home.assistant.planner = Planner(model, forced=forced)
    return model


def test_what_it_chooses_is_done_and_counted(lab: Hearthgraph) -> None:
    model = with_model(lab, plan(("light308.set_brightness", {"brightness": 90}), ("blinds308.open", {})))
    outcome = lab.ask("it's too dark in here", consent=True)
    assert (outcome.status, outcome.llm_calls) == (Status.DONE, 1)
    assert outcome.plan is not None
    assert outcome.plan.path == "model"
    assert lab.state[f"{LAB}light308#properties/brightness"] == 90
    told = json.loads(model.asked[0][0][1]["content"])
    assert {"light308.turn_on", "blinds308.open"} <= {one["affordance"] for one in told["affordances"]}


def test_it_is_told_what_was_wrong_and_tries_again(lab: Hearthgraph) -> None:
    model = with_model(lab, plan(("light308.turn_off", {})), plan(("light308.turn_on", {})))
    outcome = lab.ask("turn on the light", consent=True)
    assert (outcome.status, outcome.llm_calls) == (Status.DONE, 2)
    assert "does not hold" in model.asked[1][0][-1]["content"]


@pytest.mark.parametrize(
    "answer",
    [
        plan(("light308.explode", {})),
        plan(("http://evil.example/actions/open", {})),
        plan(("light308.set_brightness", {"brightness": 900})),
        plan(),
        {"type": "parallel"},
        {"type": "sequence", "policy": "complete_all", "children": [7]},
    ],
)
def test_after_three_tries_it_is_given_up_and_nothing_is_done(lab: Hearthgraph, answer: Any) -> None:
    model = with_model(lab, answer, answer, answer)
    outcome = lab.ask("it's too dark in here", consent=True)
    assert (outcome.status, outcome.reason) == (Status.FAILED, "model_refused")
    assert (len(model.asked), outcome.changes) == (3, ())


def test_what_goes_the_wrong_way_does_not_hold(lab: Hearthgraph) -> None:
    lab.state.write({f"{LAB}light308#properties/on_off": "on", f"{LAB}light308#properties/brightness": 50})
    down = plan(("light308.set_brightness", {"brightness": 10}))
    up = plan(("light308.set_brightness", {"brightness": 100}))
    with_model(lab, down, up)
    outcome = lab.ask("it's too dark in here", consent=True)
    assert outcome.llm_calls == 2
    assert lab.state[f"{LAB}light308#properties/brightness"] == 100


def test_the_impossible_is_refused_without_asking(lab: Hearthgraph) -> None:
    model = with_model(lab)
    assert lab.ask("turn on the heater", consent=True).reason == "no_such_device"
    assert model.asked == []


def test_how_much_is_never_the_models(lab: Hearthgraph) -> None:
    lab.state.write({f"{LAB}light308#properties/on_off": "on", f"{LAB}light308#properties/brightness": 60})
    model = with_model(lab, plan(("light308.set_brightness", {})))
    lab.ask("dim the light by 20", consent=True)
    assert lab.state[f"{LAB}light308#properties/brightness"] == 40
    payloads = [leaf["properties"]["payload"] for leaf in _leaves(model.asked[0][1])]
    assert all("properties" not in payload for payload in payloads)


def test_when_is_never_the_models(lab: Hearthgraph) -> None:
    model = with_model(lab)
    outcome = lab.ask("turn on the light in ten minutes", consent=True)
    assert (outcome.status, model.asked) == (Status.SCHEDULED, [])
    assert len(lab.rules.rules()) == 1


def test_of_several_things_none_may_be_left_out() -> None:
    with a_home() as home:
        off = ("floor-lamp.turn_off", {}), ("living-room-light.turn_off", {})
        model = with_model(home, plan(off[0]), plan(*off))
        outcome = home.ask("turn off all the lights in the living room", consent=True)
        assert (outcome.status, outcome.llm_calls) == (Status.DONE, 2)
        assert "nothing is done about it" in model.asked[1][0][-1]["content"]


def test_what_it_chooses_is_bound_by_policies_also_where_the_value_is_not_its_own(
    lab: Hearthgraph, tmp_path: Path
) -> None:
    file = tmp_path / "policies.ttl"
    file.write_text(
        "@prefix sh: <http://www.w3.org/ns/shacl#> . @prefix hg: <https://w3id.org/hearthgraph#> . "
        '<urn:glare> a sh:NodeShape ; sh:targetClass hg:Light ; sh:message "No glare." ; '
        "sh:property [ sh:path hg:Brightness ; sh:maxInclusive 50 ] ."
    )
    policy_store.add(lab.registry, file)
    with_model(lab, *[plan(("light308.set_brightness", {}))] * 3)
    outcome = lab.ask("set brightness to 80", consent=True)
    assert (outcome.status, outcome.actions) == (Status.FAILED, ())
    assert "No glare." in outcome.intents[0].message


def _leaves(schema: Mapping[str, Any]) -> list[Any]:
    items = schema["properties"]["children"]["items"]
    return list(items.get("anyOf", [items]))


def test_without_force_it_is_asked_only_what_nothing_else_understands(lab: Hearthgraph) -> None:
    model = with_model(lab, plan(("light308.turn_on", {})), forced=False)
    assert lab.ask("turn on the light", consent=True).llm_calls == 0
    lab.state.write({f"{LAB}light308#properties/on_off": "off"})
    outcome = lab.ask("frobnicate quux zzyzx", consent=True)
    assert (outcome.llm_calls, len(model.asked)) == (1, 1)


def test_a_model_that_does_not_answer_is_said_so(lab: Hearthgraph) -> None:
    with_model(lab, ModelError("The language model does not answer."))
    outcome = lab.ask("turn on the light", consent=True)
    assert (outcome.status, outcome.reason) == (Status.FAILED, "model_unavailable")


def test_no_model_is_asked_by_default() -> None:
    assert llm.from_settings(Settings()) is None


class _Endpoint(BaseHTTPRequestHandler):
    """An OpenAI-compatible endpoint that answers what its server was given."""

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.heard.append(json.loads(body))  # type: ignore[attr-defined]
        status, content = self.server.answer  # type: ignore[attr-defined]
        answer = {"id": "1", "object": "chat.completion", "created": 1, "model": "m", "choices": [
            {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": content}}]}  # fmt: skip
        data = json.dumps(answer).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_: Any) -> None:
        """Nothing."""


@pytest.fixture
def endpoint() -> Iterator[HTTPServer]:
    server = HTTPServer(("127.0.0.1", 0), _Endpoint)
    server.heard, server.answer = [], (200, '{"a": 1}')  # type: ignore[attr-defined]
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield server
    server.shutdown()
    server.server_close()
    thread.join()


def test_a_call_asks_for_json_under_a_schema_is_counted_and_kept(endpoint: HTTPServer) -> None:
    client = Client(f"http://127.0.0.1:{endpoint.server_port}/v1", "m")
    schema = {"type": "object", "properties": {"a": {"type": "integer"}}}
    asked = [{"role": "user", "content": "hello"}]
    assert client.complete(asked, schema) == client.complete(asked, schema) == {"a": 1}
    assert (client.usage.calls, client.usage.failed) == (1, 0)
    heard = endpoint.heard[0]  # type: ignore[attr-defined]
    assert heard["response_format"]["json_schema"]["schema"] == schema
    assert heard["temperature"] == 0


@pytest.mark.parametrize(("status", "content", "reason"), [
    (500, "", "model_unavailable"), (401, "", "model_unavailable"), (200, "no json", "model_refused"),
    (200, "[1]", "model_refused"), (200, "", "model_refused"),
])  # fmt: skip
def test_what_is_no_answer_is_a_typed_error_that_tells_no_secret(
    endpoint: HTTPServer, status: int, content: str, reason: str
) -> None:
    endpoint.answer = (status, content)  # type: ignore[attr-defined]
    client = Client(f"http://127.0.0.1:{endpoint.server_port}/v1", "m", key="sk-secret")
    with pytest.raises(ModelError) as error:
        client.complete([{"role": "user", "content": "private words"}], {})
    assert error.value.reason == reason
    assert "secret" not in str(error.value)
    assert "private" not in str(error.value)
    assert client.usage.calls == 1


def test_a_model_that_is_not_there_is_a_typed_error() -> None:
    with pytest.raises(ModelError):
        Client("http://127.0.0.1:9/v1", "m", seconds=2).complete([{"role": "user", "content": "x"}], {})


def test_answers_are_written_down_and_replayed(tmp_path: Path) -> None:
    recorder = Recorder(Scripted({"a": 1}))
    recorder.complete([{"role": "user", "content": "x"}], {})
    recorder.write(tmp_path / "answers.json")
    replay = Replay.read(tmp_path / "answers.json")
    assert replay.complete([{"role": "user", "content": "x"}], {}) == {"a": 1}
    with pytest.raises(ModelError):
        replay.complete([{"role": "user", "content": "y"}], {})


def test_from_recorded_answers_of_a_real_model_all_is_right_and_nothing_foreign(shared: Path) -> None:
    requests, _ = read_requests(shared / "experience" / "requests.json")
    planner = planner_for(load(), "forced", (), recorded=ANSWERS, recording=False)
    with Scenario(requests, load(), planner, "AC") as scenario:
        verdicts = list(scenario.play())
    assert [v.asked.id for v in verdicts if not v.right] == []
    assert not any(v.foreign for v in verdicts)
    assert sum(v.path == "model" or v.asked.category == "check" for v in verdicts if v.phase == "A") == 14


def test_without_retrieval_the_same_model_makes_names_up_and_nothing_of_that_is_done(shared: Path) -> None:
    """Its recorded answers: the ablation that shows what retrieval is worth."""
    requests, _ = read_requests(shared / "experience" / "requests.json")
    answers = ANSWERS.with_name("no_retrieval.json")
    planner = planner_for(load(), "forced", ("retrieval",), recorded=answers, recording=False)
    with Scenario(requests, load(), planner, "A") as scenario:
        verdicts = list(scenario.play())
    assert sum(v.malformed for v in verdicts) == sum(v.calls for v in verdicts) == 42
    assert sum(len(v.foreign) for v in verdicts) > 40
    assert [v.asked.category for v in verdicts if v.right and v.asked.feasible] == ["check"]


@pytest.mark.llm
@pytest.mark.skipif("HEARTHGRAPH_LLM_URL" not in os.environ, reason="no language model in HEARTHGRAPH_LLM_URL")
def test_a_live_model_gives_plans_that_hold_with_local_affordances_alone(lab: Hearthgraph) -> None:
    planner = planner_for(load(), "forced", (), recorded=None, recording=False)
    assert planner is not None
    lab.assistant.planner = planner
    outcome = lab.ask("it's too dark in here", consent=True)
    assert outcome.status is Status.DONE
    assert planner.record.foreign == []
    assert all(action.affordance in lab.registry.actions for action in outcome.actions)
