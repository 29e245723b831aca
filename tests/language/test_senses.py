"""The sense of a whole sentence is a second opinion: where words leave doubt, and only there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from engine import embedding
from engine.dialogue.requests.request import Request
from engine.hearthgraph import Hearthgraph
from engine.language.chart.judging.lost import parts_of
from engine.language.chart.judging.ranking import ranked
from engine.language.chart.judging.reader import Heard
from engine.language.chart.judging.senses import Learned, sense, sense_of
from engine.language.chart.judging.traits import traits
from engine.language.meanings.past import Past

DOUBTFUL = "would somebody kindly see to it that the gloom in the kitchen gets banished"


def heard(text: str, home: Hearthgraph) -> tuple[Heard, Any]:
    context = home.assistant._context(Request(text, "urn:x", None, None), Past())
    return ranked(text, "urn:x", context), context


def test_what_is_plain_is_not_encoded(home: Hearthgraph, monkeypatch: pytest.MonkeyPatch) -> None:
    def never(_: Sequence[str]) -> Any:
        raise AssertionError("encoded")

    monkeypatch.setattr(embedding, "encode", never)
    room = "living room" if any(p.name == "Living room" for p in home.registry.places.values()) else "kitchen"
    found, _ = heard(f"turn off the lights in the {room}", home)
    assert not found.sensed


def test_what_is_in_doubt_is_weighed_with_its_sense(home: Hearthgraph) -> None:
    found, _ = heard(DOUBTFUL, home)
    assert found.sensed
    assert all("sense:absent" in c.features for c in found.candidates)


def test_without_an_encoder_words_alone_count(home: Hearthgraph, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedding, "available", lambda: False)
    found, _ = heard(DOUBTFUL, home)
    assert not found.sensed
    assert not any(name.startswith("sense:") for c in found.candidates for name in c.features)


def test_traits_say_what_a_reading_comes_to_and_not_in_which_home(home: Hearthgraph) -> None:
    found, context = heard("turn off the lights in the kitchen", home)
    best = found.candidates[0]
    told = traits(best.intents, parts_of(best.effect, context), context)
    assert {"is explicit", "goals 1", "command hg:TurnOff", "of hg:Light", "in hg:Kitchen"} <= told
    assert not any("://" in trait for trait in told)


@pytest.mark.parametrize(
    ("text", "likelier", "than"),
    [
        ("it is pitch black in here, do something", "change up", "change down"),
        ("what is the temperature in the attic?", "is check", "is explicit"),
        ("put the volume of the radio at thirty", "property hg:Volume", "property hg:Brightness"),
        ("pull the curtains of the nursery halfway", "property hg:Position", "property hg:Power"),
    ],
)
def test_a_sentence_tells_what_its_outcome_is_like(text: str, likelier: str, than: str) -> None:
    told = sense_of(text)
    assert told is not None
    assert told.with_it[likelier] > told.with_it[than]


def test_a_reading_with_what_is_likely_gains_and_one_without_it_loses() -> None:
    told = sense(["is check", "is explicit"], np.array([0.9, 0.1], np.float32), np.array([0.5, 0.5], np.float32))
    asks, acts = told.features(frozenset({"is check"})), told.features(frozenset({"is explicit", "unheard of"}))
    assert asks["sense:present"] > 0 > acts["sense:present"]
    assert asks["sense:absent"] > 0 > acts["sense:absent"]
    assert (asks["sense:rare"], acts["sense:rare"]) == (0.0, 1.0)


def test_what_was_learned_comes_back_from_its_spelling() -> None:
    rng = np.random.default_rng(3)
    learned = Learned(("a", "b"), rng.normal(size=(385, 2)).astype(np.float32), np.array([0.25, 0.5], np.float32))
    again = Learned.of(learned.spelt())
    assert again.names == learned.names
    vectors = rng.normal(size=(4, 384)).astype(np.float32) / 20
    assert np.allclose(again.likely(vectors), learned.likely(vectors), atol=1e-3)
