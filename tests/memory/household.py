"""A household whose days are like those of the execution traces: seeded, so that every run is the same."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, datetime, timedelta
from random import Random

from engine.memory.kept.habits import Circumstances, Episode

FIRST = date(2026, 1, 5)  # a Monday
BREAKFAST, WEEKEND_BREAKFAST = "Prepare breakfast weekday", "Prepare breakfast weekend"
COFFEE, DESK, LUNCH, BAG = "Prepare coffee", "Prepare home work-station", "Prepare lunch", "Pack bag"
KITCHEN, TABLE, SNACKS = "Clean kitchen", "Prepare table for guests", "Serve snacks"
ACTIVITIES, DISHES = "Prepare activities", "Clean dishes"
KINDS = {
    frozenset({"leaving for office"}): [(BREAKFAST, 1.0), (BAG, 0.95), (LUNCH, 0.9), (KITCHEN, 0.8)],
    frozenset({"working from home", "needs a snack"}): [
        (BREAKFAST, 1.0), (DESK, 1.0), (COFFEE, 0.4), (SNACKS, 0.95), (KITCHEN, 0.05),
    ],
    frozenset({"working from home"}): [(BREAKFAST, 1.0), (DESK, 1.0), (COFFEE, 0.9), (LUNCH, 0.9), (KITCHEN, 0.1)],
    frozenset({"guests for lunch"}): [
        (WEEKEND_BREAKFAST, 1.0), (TABLE, 1.0), (LUNCH, 1.0), (SNACKS, 0.05), (DISHES, 0.9),
    ],
    frozenset({"no guests"}): [(WEEKEND_BREAKFAST, 1.0), (KITCHEN, 0.9), (ACTIVITIES, 0.8), (LUNCH, 0.9)],
}  # fmt: skip


def days(number: int, seed: int = 7) -> Iterator[tuple[Circumstances, list[Episode]]]:
    """Days, one after the other."""
    random = Random(seed)
    for day in (FIRST + timedelta(days=n) for n in range(number)):
        weekend = day.weekday() >= 5
        kinds = [notes for notes in KINDS if weekend == bool(notes & {"guests for lunch", "no guests"})]
        notes = random.choice(kinds)
        circumstances = Circumstances.on("Robin", day, notes)
        tasks = [task for task, likely in KINDS[notes] if random.random() < likely]
        at = datetime.combine(day, datetime.min.time())
        yield circumstances, [Episode(task, at + timedelta(hours=7 + n), circumstances) for n, task in enumerate(tasks)]
