"""Weights from outcomes: which reading is likeliest, and how sure that is.

First a log-linear model over the effects of a request's readings, held near the weights before; then boosted trees for
whether the likeliest is right.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.sparse import csr_matrix, vstack
from sklearn.ensemble import GradientBoostingClassifier

from engine.language.chart.confidence import likely, measures
from tests.training.outcomes import Example

Vector = NDArray[np.float64]
NEARNESS = 0.004
"""How strongly weights are held near those before."""
TREES, DEPTH, STEP, SEED = 150, 3, 0.06, 1
Trees = Mapping[str, Any]
PARTS = {"weak": 0.6, "own": 1.0}
"""What an example counts by its group; 1 elsewhere."""


@dataclass(frozen=True, slots=True)
class Learned:
    """The weights of features, those of confidence, and what they give."""

    weights: Mapping[str, float]
    confidence: Trees


def fitted(examples: Sequence[Example], before: Mapping[str, float]) -> Learned:
    """Weights and confidence for these examples."""
    usable = [one for one in examples if one.tried]
    weights = _ranking([one for one in usable if 0 < sum(t.right for t in one.tried) < len(one.tried)], before)
    return Learned(weights, _confidence(usable, weights))


def _part(one: Example) -> float:
    return PARTS.get(one.group, 1.0)


def _ranking(examples: Sequence[Example], before: Mapping[str, float]) -> dict[str, float]:
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


@dataclass(frozen=True, slots=True)
class Chosen:
    """The likeliest reading of a request, and what tells whether it is right."""

    right: bool
    acts: bool
    acted: bool
    told: Mapping[str, float]


def chosen(one: Example, weights: Mapping[str, float]) -> Chosen:
    """The likeliest reading of an example."""
    scores = [sum(weights.get(n, 0.0) * c for n, c in t.features.items()) for t in one.tried]
    highest = max(scores)
    mass: dict[str, float] = {}
    for tried, score in zip(one.tried, scores, strict=True):
        mass[tried.effect] = mass.get(tried.effect, 0.0) + float(np.exp(score - highest))
    likeliest = max(mass, key=lambda effect: mass[effect])
    among = [(s, t) for s, t in zip(scores, one.tried, strict=True) if t.effect == likeliest]
    score, best = max(among, key=lambda pair: pair[0])
    old = any("old" in t.features for _, t in among)
    told = measures(mass, likeliest, score, one.tokens, len(one.tried), best.acts, old, best.features, one.facts)
    return Chosen(best.right, best.acts, best.acted, told)


def _confidence(examples: Sequence[Example], weights: Mapping[str, float]) -> Trees:
    picked = [(chosen(one, weights), _part(one)) for one in examples]
    seen = Counter(name for one, _ in picked for name, value in one.told.items() if value)
    names = sorted(name for name, count in seen.items() if count >= len(picked) / 100)
    table = np.array([[one.told.get(name, 0.0) for name in names] for one, _ in picked])
    right, part = [one.right for one, _ in picked], [p for _, p in picked]
    grown = GradientBoostingClassifier(
        n_estimators=TREES, max_depth=DEPTH, learning_rate=STEP, subsample=0.7, min_samples_leaf=8, random_state=SEED
    ).fit(table, right, sample_weight=part)
    share = float(np.average(right, weights=part))
    trees = [_tree(one.tree_, 0, names) for one in grown.estimators_[:, 0]]
    return {"bias": round(float(np.log(share / (1 - share))), 4), "trees": trees}


def _tree(tree: Any, place: int, names: Sequence[str]) -> Any:
    """A tree as nested lists: the name of a measure, the most that goes left, left, right; a number where it ends."""
    if tree.children_left[place] < 0:
        return round(float(tree.value[place][0][0]) * STEP, 4)
    left, right = tree.children_left[place], tree.children_right[place]
    name, most = names[tree.feature[place]], round(float(tree.threshold[place]), 4)
    return [name, most, _tree(tree, left, names), _tree(tree, right, names)]


@dataclass(frozen=True, slots=True)
class Judged:
    """An example with its likeliest reading, None where there is none, and how sure that is."""

    possible: bool
    best: Chosen | None = None
    sure: float = 0.0


def judged(one: Example, learned: Learned) -> Judged:
    """What would be decided of an example."""
    if not one.tried:
        return Judged(possible=False)
    best = chosen(one, learned.weights)
    return Judged(any(t.right for t in one.tried), best, likely(best.told, learned.confidence))


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


def stepped(before: Learned, learned: Learned, step: float) -> Learned:
    """What was learned, not all the way: each weight goes a step (0 to 1) from where it stood to where it would be, and
    how sure a reading is is the mean of what the trees of both say. What held before holds on more often so."""
    names = sorted({*before.weights, *learned.weights})
    stood = {name: before.weights.get(name, 0.0) for name in names}
    weights = {name: round(stood[name] + step * (learned.weights.get(name, 0.0) - stood[name]), 3) for name in names}
    both = (before.confidence, learned.confidence)
    trees = [_halved(tree) for one in both for tree in one["trees"]]
    return Learned(weights, {"bias": round(sum(one["bias"] for one in both) / 2, 4), "trees": trees})


def _halved(tree: Any) -> Any:
    """A tree with half of what its leaves say."""
    if isinstance(tree, list):
        name, most, left, right = tree
        return [name, most, _halved(left), _halved(right)]
    return round(tree / 2, 4)
