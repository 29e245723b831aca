"""Conversations over three homes: what is said in several turns, and what changes because of each turn."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.resources import folder
from tests.dialogue.talks import BEGAN, Talk
from tests.homes import several

HERE = Path(__file__).resolve().parent
HOUSE = folder("data") / "house.ttl"
HOMES = HERE.parent / "acceptance" / "homes"
CASES = [json.loads(line) for line in (HERE / "conversations.jsonl").read_text(encoding="utf-8").splitlines()]


@pytest.fixture(scope="module")
def homes() -> Iterator[dict[str, Talk]]:
    files = {"house": HOUSE}
    files |= {name: HOMES / f"{name}.ttl" for name in ("flat", "farmhouse")}
    with several(files, now=BEGAN) as engines:
        yield {name: Talk(engine, f"things of {name}") for name, engine in engines.items()}


def key(iri: str) -> str:
    """`http://house.example/things/oven#properties/state` → `oven#state`."""
    document, _, fragment = iri.partition("#")
    return f"{document.rpartition('/')[2]}#{fragment.removeprefix('properties/')}"


def meets(value: Any, wanted: Any) -> bool:
    """Whether a value is as wanted: "*" is any, ">40" and "<40" compare."""
    if isinstance(wanted, str) and wanted[:1] in "<>":
        return bool(value > float(wanted[1:]) if wanted[0] == ">" else value < float(wanted[1:]))
    return wanted == "*" or value == wanted


def faults(turn: dict[str, Any], outcome: Any, properties: Any, settable: Any) -> Iterator[str]:
    """What is wrong with what came of a turn."""
    expected = turn.get("status", ["done", "partial"] if False else "done")
    if outcome.status.value not in ([expected] if isinstance(expected, str) else expected):
        yield f"{outcome.status.value}: {outcome.reply}"
    changed = {key(c.property): c.after for c in outcome.changes if c.before != c.after}
    wanted, may = turn.get("changes", {}), turn.get("may", {})
    for name, value in wanted.items():
        if name not in changed or not meets(changed[name], value):
            yield f"{name} is {changed.get(name, 'unchanged')}, not {value}"
    for name, value in changed.items():
        if name not in wanted and not (name in may and meets(value, may[name])):
            yield f"{name} became {value}"


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_a_conversation_goes_as_a_person_would_expect(homes: dict[str, Talk], case: dict[str, Any]) -> None:
    talk = homes[case["home"]]
    talk.begin()
    wrong = []
    for turn in case["turns"]:
        outcome = talk.ask(turn["say"], conversation=case["id"], location=case.get("location"))
        wrong += [f"{turn['say']!r}: {fault}" for fault in faults(turn, outcome, None, None)]
    assert not wrong, "\n".join(wrong)
