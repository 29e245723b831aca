"""How sure a reading is: what is measured of it, and the trees that weigh that."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.language.chart.judging.confidence import MOST_JUDGED, Outcome, Passed, measured
from engine.language.chart.judging.trees import Trees
from tests.training import fitting

NONE = Passed(0, first=False)


def outcomes(scores: list[tuple[str, float]]) -> list[Outcome]:
    return [Outcome(effect, score, True, {"skip:word": 1.0} if effect == "b" else {}, None) for effect, score in scores]


def told(scores: list[tuple[str, float]], alone: object = None) -> dict[object, dict[str, float]]:
    found = measured(outcomes(scores), 5, {}, NONE, lambda one: frozenset({f"is {one.effect}"}), alone)
    return {one.effect: what for one, what in found}


@given(st.lists(st.tuples(st.sampled_from("abcdefg"), st.floats(-30, 30)), min_size=1, max_size=14))
def test_each_outcome_is_measured_once_and_the_likeliest_first(scores: list[tuple[str, float]]) -> None:
    found = told(scores)
    effects = {effect for effect, _ in scores}
    assert len(found) == min(MOST_JUDGED, len(effects))
    shares = [what["p"] for what in found.values()]
    assert shares == sorted(shares, reverse=True)
    assert sum(shares) <= 1 + 1e-9
    if len(effects) <= MOST_JUDGED:
        assert math.isclose(sum(shares), 1, rel_tol=1e-6)
    assert [what["rank"] for what in found.values()] == list(range(len(found)))


def test_readings_of_one_effect_count_together() -> None:
    found = told([("a", 0.0), ("b", -0.1), ("b", -0.1)])
    assert list(found) == ["b", "a"]


def test_what_an_outcome_comes_to_and_in_what_the_likeliest_other_differs_is_told() -> None:
    found = told([("a", 1.0), ("b", 0.0)])
    assert found["a"]["trait is a"] == 1
    assert found["a"]["only is a"] == found["a"]["other is b"] == 1
    assert found["a"]["than skip:word"] == -1
    assert found["b"]["than skip:word"] == found["b"]["left"] == 1
    assert found["b"]["only is b"] == 1


def test_an_unlikely_outcome_is_measured_where_it_is_asked_for() -> None:
    scores = [(effect, -float(place)) for place, effect in enumerate("abcdefg")]
    assert "g" not in told(scores)
    assert told(scores, alone="g")["g"]["rank"] == MOST_JUDGED


@pytest.mark.parametrize("seed", range(3))
def test_trees_say_what_those_say_that_were_grown(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fitting, "TREES", 12)
    chance = np.random.default_rng(seed)
    table = chance.normal(size=(800, 6)).round(2)
    right = (table[:, 0] + table[:, 1] * table[:, 2] + chance.normal(size=800) > 0).tolist()
    names = [f"m{number}" for number in range(6)]
    grown, trees = fitting.grown_from(table, right, [1.0] * 800, names)
    assert max(map(leaves, trees["trees"])) <= fitting.LEAVES
    asked = Trees(trees)
    for row, sure in zip(table[:100], grown.predict_proba(table[:100])[:, 1], strict=True):
        said = dict(zip(names, row.tolist(), strict=True))
        assert asked.likely(said) == pytest.approx(sure, abs=1e-3)


def leaves(tree: object) -> int:
    return leaves(tree[2]) + leaves(tree[3]) if isinstance(tree, list) else 1
