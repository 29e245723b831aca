"""Forty longer dialogues of three people over several days are played through, each in a home of its own."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.memory.playing import BEGINS, Played, playing

ENOUGH = 1.0
"""All of them are held."""
TURN = re.compile(r"(?P<when>\S+ \d\d:\d\d) (?P<who>\w+)(?: @(?P<where>[^:]+))?: (?P<say>.+) => (?P<expect>.+)")
EXPECTED = re.compile(
    r"(?P<thing>[\w:-]+)\.(?P<kind>\w+)=(?P<value>\w+)|(?P<sign>[+-])(?P<words>[^+=-]+?)(?= [+-]|$| same| \S+=)"
)


@dataclass(frozen=True, slots=True)
class Dialogue:
    name: str
    home: str
    turns: tuple[re.Match[str], ...]


def dialogues() -> Iterator[Dialogue]:
    text = (Path(__file__).resolve().parent / "dialogues.txt").read_text(encoding="utf-8")
    for block in text.split("\n\n")[1:]:
        title, *lines = block.strip().splitlines()
        matches = [TURN.fullmatch(line) for line in lines]
        assert all(matches), [line for line, found in zip(lines, matches, strict=True) if found is None]
        name, _, home = title.rstrip(")").rpartition(" (")
        yield Dialogue(name, home, tuple(found for found in matches if found is not None))


ALL = list(dialogues())


def faults(turn: re.Match[str], played: Played) -> Iterator[str]:
    """What is wrong with what came of a turn."""
    played.at(turn["when"])
    before = played.home.state.snapshot()
    outcome = played.say(turn["say"], turn["who"], turn["where"])
    expect = turn["expect"]
    if expect.split()[0] not in ("any", outcome.status.value):
        yield f"{outcome.status.value}: {outcome.reply}"
    if expect.endswith("same") and played.home.state.snapshot() != before:
        yield f"it acted: {outcome.reply}"
    for one in EXPECTED.finditer(expect.partition(" ")[2]):
        if one["thing"] is not None:
            value = played.value(one["thing"], one["kind"])
            if str(value).removesuffix(".0") != one["value"]:
                yield f"{one['thing']} is {value!r}, not {one['value']}"
        elif has_words(outcome.reply, one["words"].strip()) != (one["sign"] == "+"):
            yield f"{one['sign']}{one['words'].strip()}: {outcome.reply}"


def has_words(reply: str, words: str) -> bool:
    """Whether a reply has these words, and not only as part of others."""
    return re.search(rf"\b{re.escape(words)}\b", reply, re.IGNORECASE) is not None


def result(dialogue: Dialogue) -> list[str]:
    with playing(dialogue.home, BEGINS.replace(hour=6)) as played:
        return [f"{turn['say']!r}: {fault}" for turn in dialogue.turns for fault in faults(turn, played)]


def test_there_are_forty_of_three_people_over_days() -> None:
    assert len(ALL) >= 40
    assert len({one.name for one in ALL}) == len(ALL)
    assert {turn["who"] for one in ALL for turn in one.turns} >= {"Ada", "Bo", "Cy"}
    assert sum(len({turn["when"].split()[0] for turn in one.turns}) > 1 for one in ALL) > len(ALL) / 2


@pytest.mark.slow
def test_dialogues_over_days_are_held() -> None:
    wrong = {one.name: found for one in ALL if (found := result(one))}
    listing = "\n".join(f"{name}: {'; '.join(found)}" for name, found in wrong.items())
    print(f"\n{len(ALL) - len(wrong)} of {len(ALL)} dialogues\n{listing}")
    assert len(ALL) - len(wrong) >= ENOUGH * len(ALL), listing
