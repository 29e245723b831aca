"""A file of requests, a line each: every member of a line counts, and a bad line costs no other."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from engine import settings
from engine.errors import InputError
from engine.evaluation.batch import Batch
from engine.evaluation.requests import read_lines
from engine.resources import folder

HOUSE = folder("data") / "house.ttl"
LAB = folder("data") / "lab308.ttl"
SCHEMA = Draft202012Validator(json.loads((folder("shapes") / "result.schema.json").read_text(encoding="utf-8")))
PLAN = Draft202012Validator(json.loads((folder("shapes") / "plan.schema.json").read_text(encoding="utf-8")))
Results = list[dict[str, Any]]
Answer = Callable[..., Results]


@pytest.fixture
def answer(tmp_path: Path) -> Answer:
    """The results of request lines; each is checked against the schema."""

    def run(lines: list[Any], *homes: Path, execute: bool = True) -> Results:
        path = tmp_path / "requests.jsonl"
        texts = [line if isinstance(line, str) else json.dumps(line) for line in lines]
        path.write_text("\n".join(texts) + "\n", encoding="utf-8")
        with Batch(homes or (LAB,), execute=execute, settings=settings.load()) as batch:
            found = list(batch.run(read_lines(path)))
        for one in found:
            SCHEMA.validate(json.loads(json.dumps(one)))
            if one["plan"] is not None:
                PLAN.validate(one["plan"])
        return found

    return run


def line(text: str, **members: Any) -> dict[str, Any]:
    return {"id": text, "text": text, **members}


VARIED = [
    "turn on the pantry light",
    "set the floor lamp to 30 percent and make it red",
    "dim the floor lamp by 10",
    "turn on the pantry light and the pantry fan",
    "turn on the bedside lamp",
    "what is the volume of the television?",
    "is the front door locked?",
    "turn the study heater on for ten minutes",
    "turn on the range hood after the oven has finished",
    "set the living room air conditioner to 99 degrees",
    "preheat the oven to 180",
    "turn off all the lights except the kitchen light",
    "set the study heater to 70 degrees fahrenheit",
    "flarb the wug",
    "",
]


@pytest.mark.parametrize("execute", [True, False])
def test_every_result_is_as_its_schema_says(answer: Answer, execute: bool) -> None:
    found = answer([{"id": number, "text": text} for number, text in enumerate(VARIED)], HOUSE, execute=execute)
    assert [one["id"] for one in found] == [str(number) for number in range(len(VARIED))]
    assert {one["status"] for one in found} >= {"done", "partial", "clarify", "answered", "refused"}
    assert all(one["reply"] for one in found)
    assert all(one["llm_calls"] == 0 for one in found)


def test_a_result_tells_terms_actions_and_changes_by_iri(answer: Answer) -> None:
    (found,) = answer([line("set the floor lamp to 30 percent")], HOUSE)
    lamp = "http://house.example/things/floor-lamp"
    (intent,), (action,) = found["intents"], found["actions"]
    assert intent["thing"] == {"iri": lamp, "name": "floor lamp (living room)"}
    assert (intent["property"]["name"], intent["value"], intent["unit"]["name"]) == ("brightness", 30, "percent")
    assert (intent["kind"], intent["operation"], intent["status"]) == ("explicit", "set", "done")
    assert (action["artifact"], action["affordance"]) == (lamp, f"{lamp}#actions/set_brightness")
    assert (action["payload"], action["outcome"]) == ({"brightness": 30}, "done")
    assert found["changes"][0] == {
        "artifact": lamp,
        "property": f"{lamp}#properties/brightness",
        "before": 40,
        "after": 30,
    }


def test_the_property_of_a_part_ends_in_its_path(answer: Answer) -> None:
    (found,) = answer([line("set the bedroom fan light fan to high")], HOUSE)
    assert [c["property"].partition("#")[2] for c in found["changes"]] == ["properties/fan.speed"]


def test_without_execution_plans_are_made_and_nothing_changes(answer: Answer) -> None:
    first, second = answer(
        [line("turn on the light", conversation="c"), line("is the light on?", conversation="c")], execute=False
    )
    assert (first["status"], first["changes"], first["actions"][0]["outcome"]) == ("done", [], "skipped")
    assert first["plan"]["type"] == "selector"
    assert second["answer"]["value"] is False


def test_execution_is_consent_to_everything(answer: Answer) -> None:
    (found,) = answer([line("unlock the front door")], HOUSE)
    assert found["status"] == "done"


def test_lines_of_a_conversation_follow_each_other_and_a_new_one_starts_anew(answer: Answer) -> None:
    on, lit = "turn on the light", "is the light on?"
    found = answer([
        line(on, conversation="one"),
        line(lit, conversation="one"),
        line(lit, conversation="two"),
        line(on),
        line(lit),
    ])  # fmt: skip
    assert [one["answer"]["value"] for one in found if one["answer"]] == [True, False, False]


def test_a_line_of_a_conversation_refers_to_the_ones_before_it(answer: Answer) -> None:
    found = answer([
        line("turn on the pantry light", conversation="one"),
        line("turn on the bedside lamp", conversation="two"),
        line("the garage too", conversation="one"),
        line("the left one", conversation="two"),
        line("undo that", conversation="one"),
    ], HOUSE)  # fmt: skip
    changed = [[(c["artifact"].rpartition("/")[2], c["after"]) for c in one["changes"]] for one in found]
    assert changed == [
        [("pantry-light", "on")],
        [],
        [("garage-light", "on")],
        [("bedside-lamp-left", "on")],
        [("garage-light", "off")],
    ]
    assert found[1]["status"] == "clarify"


def test_conversations_may_take_turns(answer: Answer) -> None:
    found = answer([
        line("turn on the light", conversation="one"),
        line("set the light to 20 percent", conversation="two"),
        line("what is the brightness of the light?", conversation="one"),
        line("what is the brightness of the light?", conversation="two"),
        line("what is the brightness of the light?"),
        line("is the light on?", conversation="one"),
    ])  # fmt: skip
    assert [one["answer"]["value"] for one in found if one["answer"]] == [0, 20, 0, True]


def test_an_id_may_be_a_number(answer: Answer) -> None:
    assert [one["id"] for one in answer([{"id": 7, "text": "turn on the light"}])] == ["7"]


def test_each_line_is_on_the_home_that_it_names(answer: Answer) -> None:
    found = answer(
        [
            line("turn on the pantry light", home="house"),
            line("turn on the light", home="lab308"),
            line("turn on the pantry light", home="lab308"),
            line("turn on the pantry light", home="somewhere/house.ttl"),
            line("turn on the light", home="castle"),
            line("turn on the light"),
        ],
        HOUSE,
        LAB,
    )
    assert [one["status"] for one in found] == ["done", "done", "refused", "done", "refused", "refused"]
    assert [one["reason"] for one in found[4:]] == ["no_such_home", "no_such_home"]


def test_homes_of_other_formats_are_told_apart_by_their_ids(answer: Answer, small_homes: Path) -> None:
    found = answer(
        [
            line("turn on the kitchen light", home="7"),
            line("turn off the garage light", home="8"),
            line("turn on the kitchen light", home=7),
            line("turn on the pantry light", home="house"),
            line("turn on the kitchen light", home="small_homes"),
        ],
        small_homes,
        HOUSE,
    )
    assert [one["status"] for one in found] == ["done", "done", "done", "done", "refused"]


def test_a_file_of_one_home_goes_by_its_name_too(answer: Answer, small_homes: Path, tmp_path: Path) -> None:
    cottage = tmp_path / "cottage.jsonl"
    cottage.write_text(small_homes.read_text(encoding="utf-8").splitlines()[0] + "\n", encoding="utf-8")
    lines = [line("turn on the kitchen light", home=name) for name in ("cottage", "7", "house")]
    assert [one["status"] for one in answer(lines, cottage, HOUSE)] == ["done", "done", "done"]


def test_a_location_decides_between_rooms(answer: Answer) -> None:
    found = answer(
        [
            line("turn on the light", location="pantry"),
            line("turn on the light", location="http://house.example/garage"),
            line("turn on the light", location="cellar"),
            line("turn on the light"),
        ],
        HOUSE,
    )
    assert [one["changes"][0]["artifact"].rpartition("/")[2] for one in found[:2]] == ["pantry-light", "garage-light"]
    assert [one["status"] for one in found[2:]] == ["refused", "clarify"]
    assert found[2]["reason"] == "no_such_room"


def test_now_is_the_time_from_which_times_count(answer: Answer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEARTHGRAPH_TIME_ZONE", "Europe/Zurich")
    text = "turn on the light at half past seven"
    found = answer([
        line(text, now="2026-03-01T06:00:00+00:00"),
        line(text, now="2026-03-01T06:00:00"),
        line(text, now="2026-07-01T08:00:00Z"),
    ], execute=False)  # fmt: skip
    waits = [one["rule"]["trigger"]["at"] for one in found]
    assert waits == ["2026-03-01T07:30:00+00:00", "2026-03-01T07:30:00+01:00", "2026-07-01T19:30:00+00:00"]


def test_user_and_memory_are_taken(answer: Answer) -> None:
    (found,) = answer([line("turn on the light", user="Ada", memory=["Ada likes it bright.", "She has a dog."])])
    assert found["status"] == "done"


BAD_LINES: list[tuple[Any, str, str, str]] = [
    ("{oops", "line 2", "bad_syntax", "not JSON"),
    ("[" * 100_000, "line 2", "bad_syntax", "not JSON"),
    ("[1, 2]", "line 2", "bad_input", "no object"),
    ({"text": "turn on the light"}, "line 2", "bad_input", "no id"),
    ({"id": None, "text": "x"}, "line 2", "bad_input", "no id"),
    ({"id": "x"}, "x", "bad_input", "no text"),
    ({"id": "x", "text": ["turn on"]}, "x", "bad_input", "no text"),
    (line("x", now="yesterday"), "x", "bad_input", "ISO 8601"),
    (line("x", now=12), "x", "bad_input", "ISO 8601"),
    (line("x", memory="a dog"), "x", "bad_input", "list of sentences"),
    (line("x", memory=[1]), "x", "bad_input", "list of sentences"),
    (line("x", location=["pantry"]), "x", "bad_input", "location is a text"),
    (line("x", locaton="pantry"), "x", "bad_input", "did you mean 'location'?"),
    (line("x", colour="red"), "x", "bad_input", "no member 'colour'"),
]


@pytest.mark.parametrize(("bad", "name", "reason", "words"), BAD_LINES, ids=[words for *_, words in BAD_LINES])
def test_a_bad_line_has_a_result_that_says_why_and_costs_no_other(
    answer: Answer, bad: Any, name: str, reason: str, words: str
) -> None:
    found = answer([line("turn on the light"), bad, "", line("is the light on?")])
    assert [one["status"] for one in found] == ["done", "refused", "answered"]
    assert (found[1]["id"], found[1]["reason"]) == (name, reason)
    assert words in found[1]["reply"]
    assert "ine 2" in found[1]["reply"]
    assert len(found[1]["reply"]) < 400


def test_text_that_is_none_is_refused_and_its_result_can_be_written(answer: Answer) -> None:
    (found,) = answer(['{"id": "\\ud800", "text": "turn on the \\ud800 light"}'])
    assert found["status"] == "refused"


def test_a_byte_order_mark_is_no_fault(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    path.write_bytes(b'\xef\xbb\xbf{"id": "a", "text": "turn on the light"}\r\n')
    assert [one.id for one in read_lines(path)] == ["a"]


def test_two_homes_of_one_name_are_refused(tmp_path: Path) -> None:
    (tmp_path / "lab308.ttl").write_text("", encoding="utf-8")
    with pytest.raises(InputError, match="Two homes are called lab308"):
        Batch([LAB, tmp_path / "lab308.ttl"], execute=False, settings=settings.load())
