"""Requests in words over HTTP: asked, consented to by id, watched, stopped, and asked again as a chat."""

from __future__ import annotations

import json
import shutil
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import openai
import pytest
from jsonschema import Draft202012Validator

from engine.resources import folder
from tests.server.serving import Serving, serving
from tests.waiting import eventually

RESULT = Draft202012Validator(json.loads((folder("shapes") / "result.schema.json").read_text(encoding="utf-8")))


def say(house: Serving, text: str, **more: Any) -> dict[str, Any]:
    answer = house.client.post("/requests", json={"text": text, **more}, headers=more.pop("headers", None))
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    RESULT.validate(found)
    return found


def test_a_request_is_answered_with_the_result_object(house: Serving) -> None:
    done = say(house, "turn on the pantry light", consent="all", id="mine")
    assert (done["id"], done["status"]) == ("mine", "done")
    assert house.stranger.get("/requests/mine").json()["status"] == "done"
    asked = say(house, "is the pantry light on?")
    assert asked["answer"]["text"].startswith("Yes")
    assert say(house, "turn on the disco ball")["status"] == "refused"
    assert say(house, "turn off the light", location="pantry", consent="all")["changes"][0]["after"] == "off"


def test_a_plan_waits_for_consent_by_its_id(house: Serving) -> None:
    proposed = say(house, "unlock the front door")
    assert (proposed["status"], proposed["plan_id"]) == ("proposed", f"{proposed['id']}/plan")
    address = f"/requests/{proposed['id']}"
    wrong = house.client.post(f"{address}/consent", json={"plan_id": "urn:other"})
    assert (wrong.status_code, wrong.json()["reason"]) == (409, "no_such_plan")
    done = house.client.post(f"{address}/consent", json={"plan_id": proposed["plan_id"]})
    assert done.json()["status"] == "done"
    again = house.client.post(f"{address}/consent", json={"plan_id": proposed["plan_id"]})
    assert again.status_code == 409
    RESULT.validate(house.stranger.get(address).json())


def test_a_plan_may_be_declined(house: Serving) -> None:
    proposed = say(house, "open the garage door")
    answer = house.client.post(f"/requests/{proposed['id']}/decline", json={"plan_id": proposed["plan_id"]})
    assert (answer.json()["status"], answer.json()["reason"]) == ("refused", "not_consented")


def test_a_question_is_answered_in_its_conversation(house: Serving) -> None:
    proposed = say(house, "open the garage door", conversation="talk-1")
    done = house.client.post(f"/requests/{proposed['id']}/answer", json={"text": "yes"})
    assert done.json()["status"] == "done"
    assert house.stranger.get(f"/requests/{proposed['id']}").json()["status"] == "done"
    say(house, "close the garage door", conversation="talk-2")
    assert say(house, "no", conversation="talk-2")["reason"] == "not_consented"


def test_a_plan_that_was_decided_on_by_id_waits_for_no_answer(house: Serving) -> None:
    proposed = say(house, "open the garage door", conversation="talk-3")
    house.client.post(f"/requests/{proposed['id']}/decline", json={"plan_id": proposed["plan_id"]})
    assert say(house, "is the pantry light on?", conversation="talk-3")["status"] == "answered"


def test_it_is_told_why(house: Serving) -> None:
    done = say(house, "turn on the study heater", consent="all")
    story = house.stranger.get(f"/requests/{done['id']}/why").json()["text"]
    assert "study heater" in story
    assert house.stranger.get("/requests/urn:uuid:none/why").status_code == 404


def test_a_stranger_asks_nothing_and_looks(house: Serving) -> None:
    assert house.stranger.post("/requests", json={"text": "unlock the front door", "consent": "all"}).status_code == 401
    missing = house.stranger.get("/requests/urn:uuid:none")
    assert (missing.status_code, missing.json()["reason"]) == (404, "no_such_request")
    assert house.stranger.get("/requests/no iri at all").status_code == 404


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"text": 1},
        {"text": ""},
        {"text": "x" * 5000},
        {"text": "hi", "txet": "x"},
        {"text": "hi", "consent": "maybe"},
        {"text": "hi", "now": "tomorrow"},
        {"text": "hi", "now": "2026-01-01T00:00:00"},
        {"text": "hi", "memory": ["I like it dark"]},
        {"text": "hi", "home": "elsewhere"},
        {"text": "hi", "location": "the moon"},
        [],
        None,
        "turn on the light",
    ],
)
def test_what_is_no_request_is_refused_with_a_remedy(house: Serving, body: Any) -> None:
    answer = house.client.post("/requests", content=json.dumps(body), headers={"Content-Type": "application/json"})
    assert answer.status_code in (400, 404), answer.text
    assert answer.json()["reason"]


def test_what_was_asked_before_a_restart_is_in_the_journal(house_store: Path, tmp_path: Path) -> None:
    shutil.copytree(house_store, tmp_path / "store")
    with serving(tmp_path / "store") as served:
        done = say(served, "turn on the pantry light", consent="all")
    with serving(tmp_path / "store") as served:
        found = served.stranger.get(f"/requests/{done['id']}").json()
    RESULT.validate(found)
    assert (found["status"], found["changes"]) == ("done", done["changes"])


# A plan under way


@pytest.fixture
def later(house: Serving) -> Iterator[str]:
    """A request whose plan waits for a device that does not answer."""
    lamp = next(iri for iri in house.service.home.registry.actions if iri.endswith("pantry-light#actions/turn_on"))
    house.service.home.faults[lamp] = "hang"
    answer = house.client.post(
        "/requests",
        json={"text": "turn on the pantry light", "consent": "all"},
        headers={"Prefer": "wait=0"},
    )
    assert answer.status_code == 202, answer.text
    assert answer.json()["status"] == "scheduled"
    RESULT.validate(answer.json())
    address = answer.headers["Location"]
    yield address
    house.client.post(f"{address}/cancel")
    house.service.home.faults.clear()


def events(client: httpx.Client, address: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """The events of a stream, by name and data."""
    with client.stream("GET", address) as stream:
        name = ""
        for line in stream.iter_lines():
            if line.startswith("event: "):
                name = line.removeprefix("event: ")
            elif line.startswith("data: "):
                yield name, json.loads(line.removeprefix("data: "))


def test_a_plan_is_watched_node_by_node_and_stopped(house: Serving, later: str) -> None:
    heard: list[tuple[str, dict[str, Any]]] = []
    for name, told in events(house.stranger, f"{later}/events"):
        heard.append((name, told))
        if len(heard) == 1:
            assert house.client.get(later).status_code == 202
            assert say(house, "is the front door locked?")["status"] == "answered", "others are heard meanwhile"
            stopped = house.client.post(f"{later}/cancel")
            assert (stopped.status_code, stopped.json()["reason"]) == (200, "cancelled"), stopped.text
    assert [name for name, _ in heard][-1] == "result"
    assert {"running", "stopped"} <= {told["status"] for name, told in heard if name == "node"}
    assert heard[-1][1]["status"] == "failed"
    assert house.client.post(f"{later}/cancel").status_code == 409


def test_no_more_streams_are_open_than_the_settings_allow(house: Serving, later: str) -> None:
    most = house.service.settings.open_streams
    allowed = {"Authorization": f"Bearer {house.token}"}
    clients = [httpx.Client(base_url=house.url, headers=allowed, timeout=20) for _ in range(most)]
    try:
        streams = [client.send(client.build_request("GET", f"{later}/events"), stream=True) for client in clients]
        assert [stream.status_code for stream in streams] == [200] * most
        one_more = house.stranger.get(f"{later}/events")
        assert (one_more.status_code, one_more.json()["reason"]) == (429, "too_many")
        house.client.post(f"{later}/cancel")
        for stream in streams:
            stream.read()
    finally:
        for client in clients:
            client.close()
    assert eventually(lambda: house.stranger.get(f"{later}/events").status_code != 429)


def test_many_ask_at_the_same_time(house: Serving) -> None:
    rooms = ["pantry", "study", "hallway", "kitchen"]
    found: list[str] = []

    def ask(room: str) -> None:
        for value in ("on", "off"):
            answer = house.client.post("/requests", json={"text": f"turn {value} the {room} light", "consent": "all"})
            found.append(answer.json()["status"])

    threads = [threading.Thread(target=ask, args=(room,)) for room in rooms]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == ["done"] * 8


# The same as a chat


@pytest.fixture
def chat(house: Serving) -> Iterator[openai.OpenAI]:
    house.service.home.ask("lock the front door and close the garage door", consent=True)
    with openai.OpenAI(base_url=f"{house.url}/v1", api_key=house.token, max_retries=0) as client:
        yield client


def test_the_openai_package_talks_to_the_home(chat: openai.OpenAI) -> None:
    messages: list[Any] = [
        {"role": "system", "content": "You are a home."},
        {"role": "user", "content": "unlock the front door"},
    ]
    first = chat.chat.completions.create(model="hearthgraph", messages=messages)
    question = first.choices[0].message.content
    assert question is not None
    assert question.endswith("Shall I?")
    messages += [{"role": "assistant", "content": question}, {"role": "user", "content": "yes"}]
    second = chat.chat.completions.create(model="hearthgraph", messages=messages)
    assert (second.choices[0].message.content or "").startswith("Done")
    assert second.choices[0].finish_reason == "stop"
    assert [model.id for model in chat.models.list()] == ["hearthgraph", "hearthgraph-yes"]


def test_a_chat_is_streamed(chat: openai.OpenAI) -> None:
    messages: list[Any] = [{"role": "user", "content": [{"type": "text", "text": "is the front door locked?"}]}]
    pieces = list(chat.chat.completions.create(model="hearthgraph", messages=messages, stream=True))
    said = "".join(piece.choices[0].delta.content or "" for piece in pieces)
    assert said.startswith(("Yes", "No"))
    assert pieces[-1].choices[0].finish_reason == "stop"


def test_two_chats_that_begin_alike_are_two(chat: openai.OpenAI) -> None:
    begun: list[Any] = [{"role": "user", "content": "open the garage door"}]
    first = chat.chat.completions.create(model="hearthgraph", messages=begun).choices[0].message.content
    chat.chat.completions.create(model="hearthgraph", messages=begun)
    ended = [*begun, {"role": "assistant", "content": first}, {"role": "user", "content": "no"}]
    said = chat.chat.completions.create(model="hearthgraph", messages=ended).choices[0].message.content
    assert said == "Then I leave it as it is."


def test_faults_of_a_chat_are_those_that_its_clients_know(house: Serving, chat: openai.OpenAI) -> None:
    message: list[Any] = [{"role": "user", "content": "hello"}]
    with pytest.raises(openai.NotFoundError, match="no model"):
        chat.chat.completions.create(model="gpt", messages=message)
    with pytest.raises(openai.BadRequestError, match="last word"):
        chat.chat.completions.create(model="hearthgraph", messages=[])
    with (
        openai.OpenAI(base_url=f"{house.url}/v1", api_key="wrong", max_retries=0) as stranger,
        pytest.raises(openai.AuthenticationError),
    ):
        stranger.chat.completions.create(model="hearthgraph", messages=message)
