"""What bodies and likenesses say of a room: understood as the complaint that it is, by words and by meaning.

`first` were written before the words of `ontology/words/idioms.ttl` (22 of 30 were right then, 15 of them by words
alone), `unseen` after them and are not to be learnt from: they say how far the words reach.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from engine import embedding
from engine.hearthgraph import Hearthgraph
from engine.model.outcome import Status
from tests.homes import a_home

CASES = [json.loads(line) for line in (Path(__file__).parent / "idioms.jsonl").read_text(encoding="utf-8").splitlines()]


@pytest.fixture(scope="module")
def house() -> Iterator[Hearthgraph]:
    with a_home(now="2026-03-02T20:00:00+00:00") as home:
        yield home


def right(case: dict[str, Any], home: Hearthgraph) -> bool:
    """Whether a complaint is taken for what it is, and something is done about it where anything here can."""
    before = home.state.snapshot()
    lamps = {t.iri.rpartition("/")[2]: t for t in home.registry.things.values()}
    for name in case.get("on", ()):
        home.state.write({next(p.iri for p in lamps[name].properties if p.name == "state"): "on"})
    outcome = home.ask(case["text"], location=case["location"], consent=True)
    home.state.write({iri: before.get(iri) for iri in {*home.state, *before}})
    intent = outcome.intents[0].intent
    meant = [(intent.variable or "").rpartition("#")[2], intent.direction] in case["accept"]
    return meant and (outcome.status is Status.DONE or outcome.reason == "no_such_device")


def number(words: str, home: Hearthgraph) -> int:
    return sum(right(case, home) for case in CASES if case["words"] == words)


def test_at_least_28_of_30_are_right_by_words_alone(house: Hearthgraph, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedding, "available", lambda: False)
    assert number("first", house) >= 28


@pytest.mark.skipif(not embedding.available(), reason="unknown words are compared by a model that is not installed")
def test_of_25_that_nobody_has_written_words_for_half_are_right_by_meaning(house: Hearthgraph) -> None:
    assert number("unseen", house) >= 12


@pytest.mark.parametrize("text", [
    "wash the jumpers", "remind me to buy sunglasses", "play Numb by Linkin Park", "is the desk lamp turning blue?",
    "the fridge hums", "where is the sauna?", "set the washing machine to the program for jumpers",
    "turn off the thumping music", "play the song Blinded by the Light",
])  # fmt: skip
def test_orders_and_questions_with_such_words_are_no_complaints(
    text: str, house: Hearthgraph, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embedding, "available", lambda: False)
    assert all(one.intent.variable is None for one in house.ask(text, location="living room").intents)
