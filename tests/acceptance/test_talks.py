"""What people say to four homes over one turn or several: selections, questions, conversation (see README.md)."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from engine.errors import HearthgraphError
from engine.hearthgraph import Hearthgraph
from engine.model.outcome import Outcome
from tests.acceptance.test_rewordings import HOMES as OLDER_HOMES
from tests.acceptance.test_rewordings import STATUSES, key, meets, readings
from tests.homes import a_home

HERE = Path(__file__).resolve().parent
HOMES = {**OLDER_HOMES, "mill": HERE / "homes" / "mill.ttl"}
ENOUGH = {"mill": 0.83, "house": 0.84, "flat": 0.75, "farmhouse": 0.92}
"""What is reached today, rounded down; to be raised, never lowered."""
KINDS = ("selection", "question", "conversation", "noise", "asking", "trap")
WRITTEN = 200
BEGINS = datetime(2026, 3, 14, 18, 0, tzinfo=UTC)
IGNORANCE = re.compile(
    r"(do not|don't|does not|doesn't|cannot|can't|not) (know|tell|see|find|say|have|measure)|unknown|not known|is known"
    r"|no (record|idea|such|reading|sensor|history|information|data)|nothing|never|there is no|there's no|has no"
)

Case = dict[str, Any]
CASES: dict[str, list[Case]] = {
    home: [
        json.loads(line) for line in (HERE / "talks" / f"{home}.jsonl").read_text(encoding="utf-8").splitlines() if line
    ]
    for home in HOMES
}
ALL = [case for cases in CASES.values() for case in cases]


def turn_of(turn: str | Case) -> Case:
    """A turn in full, where it was written as its words alone."""
    return {"say": turn} if isinstance(turn, str) else turn


def fits(value: Any, operator: str, wanted: Any) -> bool:
    """Whether a value is as a condition of a case asks."""
    if operator == "=":
        return meets(value, wanted)
    if operator == "*":
        return True
    if operator == "in":
        return value in wanted
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return {"<": value < wanted, ">": value > wanted, "~": abs(value - wanted) <= 1}[operator]


def named(words: str, text: str) -> int | None:
    """Where a text first has these words, as words of their own; None for nowhere."""
    found = re.search(rf"(?<!\w){re.escape(words.casefold())}(?!\w)", text)
    return found.start() if found else None


def wrong_changes(changed: Mapping[str, Any], expect: Case) -> Iterator[str]:
    """What has changed and should not have, or the other way round."""
    some = expect.get("some", {"count": 0, "of": []})
    wanted = {f"{thing}#{path}": (operator, value) for thing, path, operator, value in expect["changes"]}
    chosen = {f"{thing}#{path}": (operator, value) for thing, path, operator, value in some["of"]}
    also = {f"{thing}#{path}": (operator, value) for thing, path, operator, value in expect.get("also_ok", ())}
    for name, (operator, value) in wanted.items():
        if name not in changed or not fits(changed[name], operator, value):
            yield f"{name} is {changed.get(name, 'unchanged')!r}, not {operator} {value!r}"
    for name, after in changed.items():
        if name not in wanted and not any(name in few and fits(after, *few[name]) for few in (also, chosen)):
            yield f"{name} became {after!r}"
    taken = [name for name in chosen if name in changed]
    if len(taken) != some["count"]:
        yield f"{len(taken)} of those to choose from, not {some['count']}"


def right_value(value: Any, wanted: Any, tolerance: float) -> bool:
    """Whether the value of an answer is the one that a person would give."""
    if isinstance(wanted, bool) or not isinstance(wanted, int | float):
        return type(value) is type(wanted) and bool(value == wanted)
    return not isinstance(value, bool) and isinstance(value, int | float) and abs(value - wanted) <= tolerance


def wrong_answer(outcome: Outcome, answer: Case) -> Iterator[str]:
    """What is wrong with an answer: its value, what it names, does not name, and names first."""
    if outcome.answer is None:
        yield "no answer"
        return
    text = outcome.answer.text.casefold().replace("’", "'")
    if "value" in answer and not right_value(outcome.answer.value, answer["value"], answer.get("tolerance", 0.01)):
        yield f"answers {outcome.answer.value!r}, not {answer['value']!r}"
    for choices in answer.get("must_contain", ()):
        if all(named(choice, text) is None for choice in choices):
            yield f"does not say {' or '.join(choices)}"
    yield from (f"says {words}" for words in answer.get("must_not", ()) if named(words, text) is not None)
    places = [named(words, text) for words in answer.get("leads", ())]
    if places and (places[0] is None or any(place is not None and place < places[0] for place in places[1:])):
        yield f"does not put {answer['leads'][0]} first"


def is_owned_up_to(outcome: Outcome, reasons: set[str]) -> bool:
    """Whether something that the home does not know is said to be unknown: with a reason, or in words."""
    if outcome.answer is None:
        return bool(reasons & {outcome.reason, *(part.reason for part in outcome.intents)})
    return outcome.answer.value is None and bool(IGNORANCE.search(outcome.answer.text.casefold().replace("’", "'")))


def faults(outcome: Outcome, changed: Mapping[str, Any], expect: Case) -> Iterator[str]:
    """What is wrong with what came of one turn, in words."""
    if outcome.status.value not in expect["status"]:
        yield f"status {outcome.status.value} ({outcome.reason})"
    if outcome.status.value == "clarify" and not outcome.question:
        yield "asks nothing"
    yield from wrong_changes(changed, expect)
    yield from wrong_answer(outcome, expect["answer"]) if "answer" in expect else ()
    reasons = set(expect.get("reason", ()))
    if expect.get("unknown"):
        yield from () if is_owned_up_to(outcome, reasons) else ["does not say that this is unknown"]
    elif outcome.status.value in ("refused", "failed") and reasons:
        given = {outcome.reason, *(part.reason for part in outcome.intents)} - {None}
        yield from () if given & reasons else [f"reason {given}"]


def taken(
    home: Hearthgraph,
    turn: Case,
    location: str | None,
    expect: Case | None,
    ignored: set[str],
    conversation: str = "talk",
) -> list[str]:
    """The faults of one turn: time passes, things happen by themselves, then something is said."""
    home.pass_time(60 * turn.get("minutes", 0))
    iris = {key(iri): iri for iri in home.registry.properties}
    home.state.write({iris[f"{thing}#{path}"]: value for thing, path, value in turn.get("happens", ())})
    if "say" not in turn:
        return []
    before = dict(home.state.snapshot())
    outcome = home.ask(turn["say"], consent=True, user="somebody", location=location, conversation=conversation)
    if outcome.reason == "not_sure" and (expect is None or "done" in expect["status"]):  # asked first, and told yes
        outcome = home.ask("yes", consent=True, user="somebody", location=location, conversation=conversation)
    after = {key(iri): value for iri, value in home.state.snapshot().items() if before.get(iri) != value}
    changed = {name: value for name, value in after.items() if name not in ignored}
    return list(faults(outcome, changed, expect)) if expect else []


def result(case: Case) -> list[str]:
    """The faults of a talk, in a home of its own."""
    with a_home(HOMES[case["home"]], now=BEGINS) as home:
        return held(case, home, readings(home))


def held(case: Case, home: Hearthgraph, ignored: set[str], conversation: str = "talk") -> list[str]:
    """The faults of a talk in a home. The person stays where they are until a turn says otherwise."""
    location = case.get("location")
    found: list[str] = []
    turns = [turn_of(turn) for turn in case["turns"]]
    for number, turn in enumerate(turns, 1):
        location = turn.get("location", location)
        expect = case["expect"] if number == len(turns) else turn.get("expect")
        try:
            met = taken(home, turn, location, expect, ignored, conversation)
        except HearthgraphError as error:
            met = [f"error {error}"]
        found += [f"turn {number}: {fault}" if len(turns) > 1 else fault for fault in met]
    return found


@pytest.mark.slow
@pytest.mark.parametrize("home", HOMES)
def test_people_are_understood_over_one_turn_and_several(home: str) -> None:
    wrong = {case["id"]: found for case in CASES[home] if (found := result(case))}
    asked, right = Counter(), Counter()
    for case in CASES[home]:
        for row in (case["kind"], "all"):
            asked[row] += 1
            right[row] += case["id"] not in wrong
    print(f"\n{'talks in the ' + home:<24}{'cases':>7}{'right':>7}{'rate':>8}")
    for row in (*KINDS, "all"):
        print(f"{row:<24}{asked[row]:>7}{right[row]:>7}{right[row] / max(asked[row], 1):>8.1%}")
    turns = {case["id"]: " / ".join(turn_of(turn).get("say", "…") for turn in case["turns"]) for case in CASES[home]}
    listing = "\n".join(f"{id_}: {turns[id_]!r}: {'; '.join(found)}" for id_, found in wrong.items())
    print(listing)
    assert right["all"] / asked["all"] >= ENOUGH[home], listing


def test_there_are_enough_talks_and_each_is_said_once() -> None:
    assert len(ALL) >= WRITTEN
    assert len({case["id"] for case in ALL}) == len(ALL)
    assert len({json.dumps([case["home"], case.get("location"), case["turns"]]) for case in ALL}) == len(ALL)
    assert {case["kind"] for case in ALL} == set(KINDS)


@pytest.mark.parametrize("home", HOMES)
def test_talks_expect_what_their_home_can_have(home: str) -> None:
    with a_home(HOMES[home]) as engine:
        affordances = {key(iri) for iri in engine.registry.properties}
        for case in CASES[home]:
            turns = [turn_of(turn) for turn in case["turns"]]
            for expect in (case["expect"], *(turn["expect"] for turn in turns if "expect" in turn)):
                rows = [*expect["changes"], *expect.get("also_ok", ()), *expect.get("some", {"of": ()})["of"]]
                assert {f"{thing}#{path}" for thing, path, *_ in rows} <= affordances, case["id"]
                assert STATUSES.issuperset(expect["status"]), case["id"]
            happenings = [f"{thing}#{path}" for turn in turns for thing, path, _ in turn.get("happens", ())]
            assert affordances.issuperset(happenings), case["id"]
            places = {case.get("location"), *(turn.get("location") for turn in turns)} - {None}
            assert all(engine.place(place) for place in places), case["id"]
            assert "say" in turns[-1], case["id"]


def test_no_talk_is_a_task_of_the_shared_sets(shared: Path) -> None:
    def bare(text: str) -> str:
        return " ".join(re.findall(r"[a-z0-9]+", text.casefold()))

    def strings(value: Any) -> Iterator[str]:
        if isinstance(value, str):
            yield bare(value)
        for part in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
            yield from strings(part)

    files = [shared / "homebench" / "cases.jsonl", *sorted((shared / "smh").rglob("*.jsonl"))]
    lines = [line for file in files for line in file.read_text(encoding="utf-8").splitlines()]
    known = {text for line in lines for text in strings(json.loads(line))}
    said = {case["id"]: [bare(turn_of(turn).get("say", "")) for turn in case["turns"]] for case in ALL}
    assert not [id_ for id_, texts in said.items() if len(texts) == 1 and texts[0] in known]
