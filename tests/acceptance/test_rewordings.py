"""What people say to three homes, in their own words, and what they expect of it (see README.md beside this file)."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from engine.resources import folder
from tests.homes import a_home

HERE = Path(__file__).resolve().parent
HOMES = {"flat": HERE / "homes" / "flat.ttl", "farmhouse": HERE / "homes" / "farmhouse.ttl"}
HOMES["house"] = folder("data") / "house.ttl"
STATUSES = {"done", "partial", "answered", "clarify", "proposed", "scheduled", "refused", "failed"}
ENOUGH = 0.925
"""Within three points of what is reached on HomeBench (full success, class A corrected); what is proposed counts as not
reached."""
WRITTEN = 300

Case = dict[str, Any]
CASES: list[Case] = [
    json.loads(line)
    for path in sorted((HERE / "rewordings").glob("*.jsonl"))
    for line in path.read_text(encoding="utf-8").splitlines()
]


def key(iri: str) -> str:
    """`https://flat.example/things/tv#properties/volume` → `tv#volume`."""
    document, _, fragment = iri.partition("#")
    return f"{document.rstrip('/').rpartition('/')[2]}#{fragment.removeprefix('properties/')}"


def meets(value: Any, expected: Any) -> bool:
    """Whether a value is as expected: equal, above, below, or within a half of a number that is not whole."""
    if isinstance(expected, Mapping) and "above" in expected:
        return bool(value > expected["above"])
    if isinstance(expected, Mapping) and "below" in expected:
        return bool(value < expected["below"])
    if isinstance(expected, float) and isinstance(value, int | float):
        return abs(value - expected) <= 0.5
    if isinstance(expected, list | dict):
        return bool(value == expected)
    if isinstance(expected, str) and isinstance(value, str):
        return value.casefold() == expected.casefold()
    return type(value) in (type(expected), float) and value == expected


def pairs_off(reasons: list[str], expected: list[list[str]]) -> bool:
    """Whether each given reason is right for one refused part, and each part has one."""
    if len(reasons) != len(expected):
        return False
    if not reasons:
        return True
    first, *rest = expected
    return any(pairs_off(reasons[:i] + reasons[i + 1 :], rest) for i, r in enumerate(reasons) if r in first)


def readings(home: Any) -> set[str]:
    """The properties that measure the environment: they follow what is done, and nobody expects a number of them."""
    kinds = home.registry.vocabulary.kinds
    properties = home.registry.properties.values()
    return {key(p.iri) for p in properties if any(k in kinds and kinds[k].measures for k in p.kinds)}


def faults(outcome: Any, expect: Case, ignored: set[str]) -> Iterator[str]:
    """What is wrong with an outcome, in words."""
    statuses = [expect["status"]] if isinstance(expect["status"], str) else expect["status"]
    if outcome.status.value not in statuses:
        yield f"status {outcome.status.value}"
    changes = {
        key(c.property): c.after for c in outcome.changes if c.before != c.after and key(c.property) not in ignored
    }
    wanted, allowed = expect["changes"], expect.get("may", {})
    for name, value in wanted.items():
        if name not in changes or not meets(changes[name], value):
            yield f"{name} is {changes.get(name, 'unchanged')!r}"
    for name, value in changes.items():
        about_time = name.partition("#")[0] in expect.get("touched", ())
        may = name in allowed and meets(value, allowed[name])
        if name not in wanted and not may and not about_time:
            yield f"{name} became {value!r}"
    touched = {key(action.artifact).partition("#")[0] for action in outcome.actions}
    later = (iri for part in outcome.intents for kept in part.rules for iri, _ in kept.does)
    touched |= {key(iri).partition("#")[0] for iri in later}
    yield from (f"{thing} untouched" for thing in expect.get("touched", ()) if thing not in touched)
    reasons = [part.reason for part in outcome.intents if part.status.value in ("refused", "failed")]
    if "refused" in statuses or "partial" in statuses:
        expected = expect.get("refused", [])
        if expected and not pairs_off([reason or "" for reason in reasons], expected):
            yield f"reasons {reasons}"


def result(case: Case) -> list[str]:
    """The faults of the engine's answer to a case, in a home of its own."""
    with a_home(HOMES[case["home"]]) as home:
        outcome = home.ask(case["text"], consent=True, location=case.get("location"))
        return list(faults(outcome, case["expect"], readings(home)))


def kind(case: Case) -> str:
    """The row of the table that a case belongs to."""
    expect = case["expect"]
    if expect.get("refused"):
        return "partly possible" if expect["changes"] else "impossible"
    if expect.get("touched"):
        return "in time"
    if expect["status"] != "done":
        return "to be asked"
    things = {name.partition("#")[0] for name in expect["changes"]}
    return "several things" if len(things) > 1 else "one thing"


@pytest.mark.slow
def test_people_are_understood_in_their_own_words() -> None:
    wrong = {case["id"]: found for case in CASES if (found := result(case))}
    asked, right = Counter(), Counter()
    for case in CASES:
        for row in (case["home"], kind(case), "all"):
            asked[row] += 1
            right[row] += case["id"] not in wrong
    print(f"\n{'rewordings':<16}{'cases':>7}{'right':>7}{'rate':>8}")
    for row in [*HOMES, *sorted({kind(case) for case in CASES}), "all"]:
        print(f"{row:<16}{asked[row]:>7}{right[row]:>7}{right[row] / max(asked[row], 1):>8.1%}")
    texts = {case["id"]: case["text"] for case in CASES}
    listing = "\n".join(f"{id_}: {texts[id_]!r}: {'; '.join(found)}" for id_, found in wrong.items())
    print(listing)
    assert right["all"] / asked["all"] >= ENOUGH, listing


def test_there_are_enough_cases_and_each_has_its_own_id_and_text() -> None:
    assert len(CASES) >= WRITTEN
    assert len({case["id"] for case in CASES}) == len(CASES)
    assert len({(case["home"], case.get("location"), case["text"]) for case in CASES}) == len(CASES)


@pytest.mark.parametrize("home", HOMES)
def test_cases_speak_of_properties_that_their_home_has(home: str) -> None:
    with a_home(HOMES[home]) as engine:
        affordances = {key(iri) for iri in engine.registry.properties}
    for case in (case for case in CASES if case["home"] == home):
        expect = case["expect"]
        named = {*expect["changes"], *expect.get("may", ())}
        assert named <= affordances, (case["id"], named - affordances)
        statuses = [expect["status"]] if isinstance(expect["status"], str) else expect["status"]
        assert STATUSES.issuperset(statuses)


def test_no_case_is_a_sentence_of_the_benchmark(shared: Path) -> None:
    def bare(text: str) -> str:
        return " ".join(re.findall(r"[a-z0-9]+", text.casefold()))

    lines = (shared / "homebench" / "cases.jsonl").read_text(encoding="utf-8").splitlines()
    known = {bare(json.loads(line)["input"]) for line in lines}
    assert not [case["id"] for case in CASES if bare(case["text"]) in known]
