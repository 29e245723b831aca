"""A grid of sentences whose meaning is known by how they were made: of what they order nothing is lost and nothing
turned round, and what they deny, tell, ask, or leave for later is not done now.

Every sentence is put together of verbs, properties, signs, values, shares, sets, exceptions, times, conditions,
questions and negations over all devices of a home (`grid/`), and judged by what became of the home and by the rules
that were made. What is not understood, or asked about, is no fault; how much of it there may be is counted apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.acceptance.grid.judge import Verdict, judged
from tests.acceptance.grid.sentences import NOW, sentences
from tests.acceptance.grid.world import World, world
from tests.homes import a_home

SEED = 7
HOMES = {"house": 0.6, "lab308": 0.12, "willow": 0.28}
"""The homes, each with its share of the sentences."""

QUICK = 0.08
ENOUGH = 2000
FULLY = {"house": 0.90, "lab308": 0.88, "willow": 0.89}
"""Of how many sentences all comes to pass that they mean; to be raised, never lowered."""


def grid_of(name: str, file: Path, share: float) -> list[Verdict]:
    """What comes of the sentences of a home."""
    with a_home(file, now=NOW.isoformat()) as home:
        there: World = world(home)
        several = sentences(there, SEED, share * HOMES[name])
        return [judged(one, there, f"{name} {number}") for number, one in enumerate(several)]


def files(repository: Path) -> Iterator[tuple[str, Path]]:
    """The homes, with the one that lies beside the checkout where it does."""
    data = repository / "data"
    yield from (("house", data / "house.ttl"), ("lab308", data / "lab308.ttl"))
    other = repository.parent / "shared" / "smh" / "dev" / "homes" / "willow.json"
    if other.exists():
        yield "willow", other


def faults(several: list[Verdict]) -> list[str]:
    """The faults, each with its sentence."""
    wrong = [(one.sentence, one.faults) for one in several if one.faults]
    return [f"{sentence.family}: {sentence.text!r}: {'; '.join(found)}" for sentence, found in wrong]


def test_of_a_sample_of_the_grid_nothing_is_done_that_was_not_meant(repository: Path) -> None:
    data = repository / "data"
    several = [v for name in ("house", "lab308") for v in grid_of(name, data / f"{name}.ttl", QUICK)]
    assert len(several) > 100
    assert not faults(several), "\n".join(faults(several))


@pytest.mark.slow
def test_of_the_whole_grid_nothing_is_done_that_was_not_meant(repository: Path) -> None:
    found = {name: grid_of(name, file, 1.0) for name, file in files(repository)}
    if len(found) == len(HOMES):
        assert sum(map(len, found.values())) >= ENOUGH
    for name, several in found.items():
        told = Counter(one.sentence.family for one in several)
        done = Counter(one.sentence.family for one in several if one.done)
        print(f"\n{name}: {done.total()} of {told.total()}", {k: f"{done[k]}/{n}" for k, n in told.items()})
    wrong = [f"{name}: {fault}" for name, several in found.items() for fault in faults(several)]
    assert not wrong, "\n".join(wrong)
    short = {name: sum(one.done for one in several) / len(several) for name, several in found.items()}
    assert all(short[name] >= FULLY[name] for name in short), short
