"""Weights from outcomes: which reading is likeliest, and how sure that is.

First a log-linear model over the effects of a request's readings, held near the weights before; then boosted trees for
whether the likeliest is right.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import ceil
from typing import Any
from zlib import crc32

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.sparse import csr_matrix, vstack
from sklearn.ensemble import HistGradientBoostingClassifier

from engine.language.chart.judging.confidence import Outcome, Passed, measured
from engine.language.chart.judging.reader import worth
from engine.language.chart.judging.trees import Trees
from tests.training.outcomes import Example, Tried

Vector = NDArray[np.float64]
NEARNESS = 0.001
"""How strongly weights are held near those before."""
TREES, LEAVES, STEP, SHARE, FEWEST, PENALTY, SEED = 400, 31, 0.04, 0.25, 30, 5.0, 1
FOLDS = 5
EXACT = 1e6
"""Bounds are rounded up to one of so many parts: a value that is one goes left."""
RAREST = 150
"""A measure is used where one of so many outcomes has it."""
Spelt = Mapping[str, Any]
PARTS = {"weak": 0.6, "own": 1.0}
"""What an example counts by its group; 1 elsewhere."""


@dataclass(frozen=True)
class Learned:
    """The weights of features, those of confidence, and what they give."""

    weights: Mapping[str, float]
    confidence: Spelt

    @cached_property
    def trees(self) -> Trees:
        """The trees as they are asked."""
        return Trees(self.confidence)


def fitted(examples: Sequence[Example], before: Mapping[str, float]) -> Learned:
    """Weights and confidence for these examples."""
    usable = [one for one in examples if one.tried]
    return Learned(_ranking(usable, before), _confidence(usable, before))


def _part(one: Example) -> float:
    return PARTS.get(one.group, 1.0)


def _ranking(usable: Sequence[Example], before: Mapping[str, float]) -> dict[str, float]:
    examples = [one for one in usable if 0 < sum(t.right for t in one.tried) < len(one.tried)]
    names = sorted({name for one in examples for tried in one.tried for name in tried.features} | set(before))
    place = {name: number for number, name in enumerate(names)}
    start = np.array([before.get(name, 0.0) for name in names])
    rows = vstack([_row(tried.features, place) for one in examples for tried in one.tried]).tocsr()
    right = np.array([tried.right for one in examples for tried in one.tried], dtype=float)
    sizes = [len(one.tried) for one in examples]
    own = np.repeat(np.arange(len(examples)), sizes)
    first = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    part = np.array([_part(one) for one in examples])

    def loss(weights: Vector) -> tuple[float, Vector]:
        score = rows @ weights
        mass = np.exp(score - np.maximum.reduceat(score, first)[own])
        total, good = np.add.reduceat(mass, first), np.add.reduceat(mass * right, first)
        slope = (mass * right / (good[own] + 1e-12) - mass / total[own]) * part[own]
        off = weights - start
        value = -(part * np.log(good / total + 1e-12)).sum() + NEARNESS * len(examples) * (off @ off)
        return value, -(rows.T @ slope) + 2 * NEARNESS * len(examples) * off

    found = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": 80}).x
    return {name: round(float(w), 3) for name, w in zip(names, found, strict=True) if abs(w) > 2e-3}


def _row(features: Mapping[str, float], place: Mapping[str, int]) -> csr_matrix:
    known = [(place[name], count) for name, count in features.items() if name in place]
    columns, counts = [c for c, _ in known], [n for _, n in known]
    return csr_matrix((counts, ([0] * len(known), columns)), shape=(1, len(place)))


def told(one: Example, weights: Mapping[str, float]) -> list[tuple[Tried, dict[str, float]]]:
    """The likeliest readings of an example that may be meant, each with all that tells how sure it is."""
    meant = [t for t in one.tried if not t.barred]
    outcomes = [Outcome(t.effect, worth(t.features, weights), t.acts, t.features, t) for t in meant]
    passed = Passed(len(one.tried) - len(meant), one.tried[0].barred)
    found = measured(outcomes, one.tokens, one.facts, passed, lambda outcome: outcome.source.traits)
    return [(outcome.source, what) for outcome, what in found]


def _confidence(examples: Sequence[Example], before: Mapping[str, float]) -> Spelt:
    """Trees for whether a reading is right; the weights by which each example is seen were learned without its task."""
    rows: list[tuple[Tried, dict[str, float], float]] = []
    for rest, held in _folds(examples):
        weights = _ranking(rest, before)
        rows.extend((tried, what, _part(one)) for one in held for tried, what in told(one, weights))
    seen = Counter(name for _, what, _ in rows for name, value in what.items() if value)
    names = sorted(name for name, count in seen.items() if count >= len(rows) / RAREST)
    place = {name: number for number, name in enumerate(names)}
    table = np.zeros((len(rows), len(names)))
    for number, (_, what, _) in enumerate(rows):
        for name, value in what.items():
            if name in place:
                table[number, place[name]] = value
    right, part = [tried.right for tried, *_ in rows], [part for *_, part in rows]
    return grown_from(table, right, part, names)[1]


def grown_from(
    table: Vector, right: Sequence[bool], part: Sequence[float], names: Sequence[str]
) -> tuple[HistGradientBoostingClassifier, Spelt]:
    """Trees for whether a row of a table is right, and the same as they are spelt; `part`: what each row counts."""
    grown = HistGradientBoostingClassifier(
        max_iter=TREES, learning_rate=STEP, max_leaf_nodes=LEAVES, min_samples_leaf=FEWEST, l2_regularization=PENALTY,
        max_features=SHARE, early_stopping=False, random_state=SEED,
    ).fit(table, right, sample_weight=part)  # fmt: skip
    used = sorted({int(node["feature_idx"]) for tree in _grown(grown) for node in tree if not node["is_leaf"]})
    short = {number: position for position, number in enumerate(used)}
    return grown, {
        "bias": round(float(grown._baseline_prediction.item()), 4),
        "measures": [names[number] for number in used],
        "trees": [_tree(tree, 0, short) for tree in _grown(grown)],
    }


def _grown(grown: HistGradientBoostingClassifier) -> list[Any]:
    return [one.nodes for (one,) in grown._predictors]


def _tree(nodes: Any, number: int, short: Mapping[int, int]) -> Any:
    """A tree as nested lists: the place of a measure, the most that goes left, left, right; a number where it ends."""
    node = nodes[number]
    if node["is_leaf"]:
        return round(float(node["value"]), 4)
    left, right = _tree(nodes, node["left"], short), _tree(nodes, node["right"], short)
    return [short[int(node["feature_idx"])], ceil(node["num_threshold"] * EXACT - 1e-3) / EXACT, left, right]


def _folds(examples: Sequence[Example]) -> Iterator[tuple[list[Example], list[Example]]]:
    """The examples in parts that share no task: what is learned from, and what is held out."""
    part = [crc32(one.id.split()[-1].encode()) % FOLDS for one in examples]
    for number in range(FOLDS):
        rest = [one for one, own in zip(examples, part, strict=True) if own != number]
        held = [one for one, own in zip(examples, part, strict=True) if own == number]
        yield rest, held


@dataclass(frozen=True, slots=True)
class Judged:
    """An example with the reading that is surest, None where there is none, and how sure that is."""

    possible: bool
    best: Tried | None = None
    sure: float = 0.0


def judged(one: Example, learned: Learned) -> Judged:
    """What would be decided of an example."""
    sure = [(learned.trees.likely(what), tried) for tried, what in told(one, learned.weights)] if one.tried else []
    if not sure:
        return Judged(possible=False)
    most, best = max(sure, key=lambda pair: pair[0])
    return Judged(any(t.right for t in one.tried), best, most)


def tallied(found: Sequence[Judged], sure: float) -> Counter[str]:
    """How many of what was decided are possible at all, likeliest, right, and acted wrongly."""
    counted: Counter[str] = Counter()
    for one in found:
        counted["all"] += 1
        counted["possible"] += one.possible
        if one.best is None:
            continue
        does = not one.best.acts or one.sure >= sure
        counted["first"] += one.best.right
        counted["right"] += one.best.right and does
        counted["acted wrongly"] += not one.best.right and one.best.acted and does
    return counted
