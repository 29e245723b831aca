"""The same said in many ways: colloquially, politely, with noise (see README.md)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.acceptance.test_rewordings import key, meets, readings
from tests.acceptance.test_talks import BEGINS, held, turn_of
from tests.acceptance.test_talks import HOMES as TALKING_HOMES
from tests.homes import a_home

HERE = Path(__file__).resolve().parent
HOMES = {**TALKING_HOMES, "ferry": HERE / "homes" / "ferry.json"}
ENOUGH = {"ferry": 0.84, "house": 0.84, "mill": 0.84}
"""What is reached today, rounded down; to be raised, never lowered."""

BLIND = {"ferry": 0.87, "house": 0.88, "mill": 0.84}
"""The same for what was written before any of it was run. The ferry's was .91 while what is not sure was
done, and .89 before the sense of the whole was weighed, which does ten in a hundred more of what strangers say."""

Case = dict[str, Any]
CASES: list[Case] = [json.loads(line) for line in (HERE / "paraphrases.jsonl").read_text(encoding="utf-8").splitlines()]


def is_met(value: Any, wanted: Any) -> bool:
    """Whether a value is the one that is wanted, or one of those that will do."""
    return value in wanted if isinstance(wanted, list) else meets(value, wanted)


def short(name: str) -> str:
    """`urn:homeenv:ferry:device:1205#volume_level` → `1205#volume_level`."""
    return name.rpartition(":")[2]


def is_right(case: Case, status: str, changed: Mapping[str, Any]) -> bool:
    """Whether just what is wanted has changed, and besides only what may."""
    wanted, allowed = case["changes"], case["may"]
    done = all(name in changed and is_met(changed[name], value) for name, value in wanted.items())
    return (
        status == "done"
        and done
        and all(n in wanted or (n in allowed and is_met(v, allowed[n])) for n, v in changed.items())
    )


@pytest.mark.slow
@pytest.mark.parametrize("name", ENOUGH)
def test_the_same_is_done_however_it_is_said(name: str) -> None:
    wrong: list[str] = []
    said = 0
    with a_home(HOMES[name], now=BEGINS) as home:
        initial, ignored = dict(home.state.snapshot()), readings(home)
        for case in (case for case in CASES if case["home"] == name):
            for words in case["said"]:
                said += 1
                home.state.write({k: v for k, v in initial.items() if home.state.snapshot().get(k) != v})
                outcome = home.ask(words, consent=True, conversation=f"talk {said}")
                after = {key(k): v for k, v in home.state.snapshot().items() if initial.get(k) != v}
                changed = {short(k): v for k, v in after.items() if k not in ignored}
                if not is_right(case, outcome.status.value, changed):
                    wrong.append(f"{case['id']}: {words!r}: {outcome.status.value} {changed}")
    print(f"\n{name}: {said - len(wrong)} of {said}")
    assert (said - len(wrong)) / said >= ENOUGH[name], "\n".join(wrong)


@pytest.mark.slow
@pytest.mark.parametrize("name", BLIND)
def test_what_nobody_had_tried_before_it_was_written_is_understood(name: str) -> None:
    text = (HERE / "paraphrases2.jsonl").read_text(encoding="utf-8")
    cases = [case for case in map(json.loads, text.splitlines()) if case["home"] == name]
    wrong: list[str] = []
    with a_home(HOMES[name], now=BEGINS) as home:
        initial, ignored = dict(home.state.snapshot()), readings(home)
        for case in cases:
            home.state.write({k: v for k, v in initial.items() if home.state.snapshot().get(k) != v})
            found = held(case, home, ignored, case["id"])
            said = " / ".join(turn_of(turn)["say"] for turn in case["turns"])
            wrong += [f"{case['id']}: {said!r}: {'; '.join(found)}"] if found else []
    print(f"\nblind, {name}: {len(cases) - len(wrong)} of {len(cases)}")
    print("\n".join(wrong))
    assert len(cases) - len(wrong) >= BLIND[name] * len(cases), "\n".join(wrong)
