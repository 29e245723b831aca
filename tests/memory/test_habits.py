"""What comes next is counted from days like this one: expected, validated, offered with its numbers, and taught."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime
from typing import Any

import jsonschema
import pytest

from engine.llm import Message
from engine.memory.kept.anticipation import anticipated
from engine.memory.kept.habits import Circumstances, Episode, Habits
from tests.memory.household import (
    ACTIVITIES,
    BAG,
    BREAKFAST,
    COFFEE,
    DESK,
    DISHES,
    KITCHEN,
    LUNCH,
    SNACKS,
    TABLE,
    WEEKEND_BREAKFAST,
    days,
)
from tests.memory.prediction import calibration, calibration_error, scores

HOME = Circumstances.on("Robin", date(2026, 2, 4), ["working from home", "needs a snack"])
GUESTS = Circumstances.on("Robin", date(2026, 2, 7), ["guests for lunch"])
OFFICE = Circumstances.on("Robin", date(2026, 2, 5), ["leaving for office"])
ALONE = Circumstances.on("Robin", date(2026, 2, 8), ["no guests"])


@pytest.fixture(scope="module")
def habits() -> Habits:
    """Thirty days of the household."""
    found = Habits()
    for _, episodes in days(30):
        found.learn(episodes)
    return found


EVERY_TASK = [
    BREAKFAST, COFFEE, DESK, LUNCH, BAG, KITCHEN, WEEKEND_BREAKFAST, TABLE, SNACKS, ACTIVITIES, DISHES,
]  # fmt: skip
PRINTED = [
    (HOME, [BREAKFAST, DESK, SNACKS, KITCHEN], [BREAKFAST, DESK, SNACKS], [KITCHEN]),
    (GUESTS, [WEEKEND_BREAKFAST, TABLE, LUNCH, SNACKS], [WEEKEND_BREAKFAST, TABLE, LUNCH], [SNACKS]),
    (
        GUESTS,
        [WEEKEND_BREAKFAST, TABLE, LUNCH, SNACKS, DISHES],
        [WEEKEND_BREAKFAST, TABLE, LUNCH, DISHES],
        [SNACKS],
    ),
    (OFFICE, [BREAKFAST, BAG, LUNCH, KITCHEN], [BREAKFAST, BAG, LUNCH, KITCHEN], []),
    (ALONE, [WEEKEND_BREAKFAST, KITCHEN, ACTIVITIES, LUNCH], [WEEKEND_BREAKFAST, KITCHEN, ACTIVITIES, LUNCH], []),
]


@pytest.mark.parametrize(("circumstances", "expected", "kept", "removed"), PRINTED)
def test_experience_removes_what_is_rare_on_such_a_day_and_keeps_the_rest(
    circumstances: Circumstances, expected: list[str], kept: list[str], removed: list[str], habits: Habits
) -> None:
    found, against = habits.validate(expected, circumstances)
    assert found == kept
    assert [one.task for one in against] == removed
    assert all(one.times < one.days / 4 for one in against), "and it says how rare"


@pytest.mark.parametrize(
    ("circumstances", "wanted"),
    [
        (HOME, [BREAKFAST, DESK, SNACKS]),
        (GUESTS, [WEEKEND_BREAKFAST, TABLE, LUNCH, DISHES]),
        (OFFICE, [BREAKFAST, BAG, LUNCH, KITCHEN]),
        (ALONE, [WEEKEND_BREAKFAST, KITCHEN, ACTIVITIES, LUNCH]),
    ],
)
def test_the_tasks_of_such_a_day_are_expected_without_a_model(
    circumstances: Circumstances, wanted: list[str], habits: Habits
) -> None:
    found = [one.task for one in habits.anticipate(circumstances)]
    assert [task for task in found if task != COFFEE] == wanted or sorted(found) == sorted(wanted)


def test_the_next_task_is_told_better_than_by_habit_or_by_last_week() -> None:
    found = scores()
    for baseline in ("most frequent", "last week"):
        assert found["ours"][0] > found[baseline][0] + 0.2
        assert found["ours"][1] > found[baseline][1]
    assert found["ours"][0] > 0.8


def test_what_is_said_to_be_likely_is_as_likely_as_is_said() -> None:
    bins = calibration()
    assert sum(one.number for one in bins) > 500
    assert calibration_error(bins) < 0.05


def test_what_is_declined_is_offered_less(habits: Habits) -> None:
    taught = Habits()
    for _, episodes in days(30):
        taught.learn(episodes)
    before = taught.next(HOME, [BREAKFAST])[0]
    for _ in range(20):
        taught.declined(before.task, HOME)
    after = next(one for one in taught.next(HOME, [BREAKFAST]) if one.task == before.task)
    assert after.confidence < before.confidence / 2
    assert habits.next(HOME, [BREAKFAST])[0] == before


def test_nothing_is_expected_of_a_person_of_whom_nothing_is_known() -> None:
    assert Habits().anticipate(HOME) == []
    assert Habits().next(HOME, []) == []
    assert Habits().validate([LUNCH], HOME) == ([LUNCH], [])


class _Printed:
    """Answers what the traces print that a model answered; keeps what it was asked."""

    def __init__(self, tasks: list[str]) -> None:
        self.tasks, self.asked = tasks, ""

    def complete(self, messages: Sequence[Message], schema: Mapping[str, Any]) -> dict[str, Any]:
        self.asked = "\n".join(message["content"] for message in messages)
        jsonschema.validate({"tasks": self.tasks}, schema)
        return {"tasks": self.tasks}


@pytest.mark.parametrize(("circumstances", "expected", "kept", "removed"), PRINTED)
def test_what_a_model_answered_passes_the_same_validator(
    circumstances: Circumstances, expected: list[str], kept: list[str], removed: list[str], habits: Habits
) -> None:
    model = _Printed(expected)
    found = anticipated(habits, circumstances, [], model, EVERY_TASK)
    assert list(found.kept) == kept
    assert [one.task for one in found.removed] == removed
    assert f"Task list: {', '.join(EVERY_TASK)}" in model.asked
    assert model.asked.count("Example ") == 2
    assert all(note in model.asked for note in circumstances.notes)


def test_the_examples_and_the_list_are_of_the_person_alone() -> None:
    found = Habits()
    for person, task in (("robin", "turn on lamp"), ("kim", "open the safe")):
        own = Circumstances.on(person, date(2026, 2, 4))
        found.learn([Episode(task, datetime(2026, 2, 4, 8, tzinfo=UTC), own)])
    model = _Printed(["turn on lamp"])
    anticipated(found, Circumstances.on("robin", date(2026, 2, 5)), [], model)
    assert "turn on lamp" in model.asked
    assert "safe" not in model.asked
    assert "kim" not in model.asked.casefold()


def test_what_is_not_on_the_list_or_done_already_is_not_expected(habits: Habits) -> None:
    foreign = _Loose(["Fly to the moon", BREAKFAST, DESK, DESK])
    assert anticipated(habits, HOME, [BREAKFAST], foreign, EVERY_TASK).kept == (DESK,)


class _Loose(_Printed):
    """A model that does not keep to its schema."""

    def complete(self, messages: Sequence[Message], schema: Mapping[str, Any]) -> dict[str, Any]:
        assert messages
        assert schema
        return {"tasks": self.tasks}
