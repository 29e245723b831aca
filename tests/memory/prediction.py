"""How well the next task is told of a household's held-back days, and whether what is said to be likely is so."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from engine.memory.kept.habits import Habits
from tests.memory.household import days

BINS = 10


@dataclass(frozen=True, slots=True)
class Bin:
    """Expectations of about one confidence: how many, how sure they said they were, how many came true."""

    number: int
    said: float
    came_true: float


def scores(train: int = 30, held_back: int = 60) -> dict[str, tuple[float, float]]:
    """Top-1 and top-3 accuracy of next-task prediction on held-back days, ours and two baselines'."""
    played = list(days(train + held_back))
    habits, everything = Habits(), Counter[str]()
    for _, episodes in played[:train]:
        habits.learn(episodes)
        everything.update(one.task for one in episodes)
    right: dict[str, list[tuple[bool, bool]]] = {"ours": [], "most frequent": [], "last week": []}
    for number, (circumstances, episodes) in enumerate(played[train:], start=train):
        week = [one.task for one in played[number - 7][1]]
        for place, one in enumerate(episodes):
            done = [e.task for e in episodes[:place]]
            ranked = [e.task for e in habits.next(circumstances, done)]
            often = [task for task, _ in everything.most_common() if task not in done]
            last = week[place : place + 3]
            for name, guess in (("ours", ranked), ("most frequent", often), ("last week", last)):
                right[name].append((guess[:1] == [one.task], one.task in guess[:3]))
        habits.learn(episodes)
        everything.update(one.task for one in episodes)
    return {n: (sum(a for a, _ in all_) / len(all_), sum(b for _, b in all_) / len(all_)) for n, all_ in right.items()}


def calibration(train: int = 30, held_back: int = 90) -> list[Bin]:
    """The first three expectations of each task of the held-back days, by their confidence."""
    habits, found = Habits(), list[tuple[float, bool]]()
    for number, (circumstances, episodes) in enumerate(days(train + held_back)):
        for place, one in enumerate(episodes if number >= train else []):
            for expected in habits.next(circumstances, [e.task for e in episodes[:place]])[:3]:
                found.append((expected.confidence, expected.task == one.task))
        habits.learn(episodes)
    grouped: dict[int, list[tuple[float, bool]]] = {}
    for confidence, hit in found:
        grouped.setdefault(min(int(confidence * BINS), BINS - 1), []).append((confidence, hit))
    return [
        Bin(len(several), sum(c for c, _ in several) / len(several), sum(hit for _, hit in several) / len(several))
        for _, several in sorted(grouped.items())
    ]


def calibration_error(bins: list[Bin]) -> float:
    """The expected calibration error: how far what is said is from what comes true, on average."""
    return sum(one.number * abs(one.said - one.came_true) for one in bins) / sum(one.number for one in bins)
