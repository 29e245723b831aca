"""What the sense of a whole sentence tells of its outcome: traits by its vector, learned from what was right."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from engine import embedding
from engine.language.chart.judging.senses import Learned, sense
from tests.training.outcomes import Example

Matrix = NDArray[np.float32]
FEWEST = 25
"""How often a trait has to be met."""
PENALTY, STEPS = 0.3, 60
FOLDS_OF_GROUPS, FOLDS_OF_TASKS = 4, 6
SEED = 0
ALONE = ("own", "weak")
"""Groups that share no task with another."""


@dataclass(frozen=True, slots=True)
class _Table:
    """Examples as vectors, and the traits of what is right of each, where anything is."""

    vectors: Matrix
    names: tuple[str, ...]
    has: Matrix
    known: NDArray[np.bool_]


def with_sense(examples: Sequence[Example]) -> list[Example]:
    """The examples with what the sense of each tells of its readings, learned from other voices and other tasks."""
    table = _table(examples)
    common = table.has[table.known].mean(axis=0)
    likely = np.zeros_like(table.has)
    for rest, held in _folds(examples):
        learned = _fitted(table.vectors[rest & table.known], table.has[rest & table.known], table.names)
        likely[held] = learned.likely(table.vectors[held])
    return [_sensed(one, table.names, row, common) for one, row in zip(examples, likely, strict=True)]


def learned_of(examples: Sequence[Example]) -> Learned:
    """What all examples teach."""
    table = _table(examples)
    return _fitted(table.vectors[table.known], table.has[table.known], table.names)


def _table(examples: Sequence[Example]) -> _Table:
    texts = [one.text for one in examples]
    vectors = np.concatenate([embedding.encode(texts[n : n + 200]) for n in range(0, len(texts), 200)])
    right = [next((t.traits for t in one.tried if t.right), None) for one in examples]
    counted = Counter(name for traits in right for name in traits or ())
    names = tuple(sorted(name for name, times in counted.items() if times >= FEWEST))
    has = np.array([[name in (traits or ()) for name in names] for traits in right], dtype=np.float32)
    return _Table(vectors, names, has, np.array([traits is not None for traits in right]))


def _folds(examples: Sequence[Example]) -> Iterator[tuple[NDArray[np.bool_], NDArray[np.bool_]]]:
    """What is learned from, and what is held out: other groups, and none of the same tasks in other words."""
    groups = sorted({one.group for one in examples} - set(ALONE))
    group = np.array([groups.index(one.group) % FOLDS_OF_GROUPS if one.group in groups else -1 for one in examples])
    tasks = sorted({_task(one) for one in examples})
    np.random.default_rng(SEED).shuffle(tasks)
    fold = {name: number % FOLDS_OF_TASKS for number, name in enumerate(tasks)}
    task = np.array([fold[_task(one)] for one in examples])
    for number in range(-1, FOLDS_OF_GROUPS):
        for part in range(FOLDS_OF_TASKS):
            held = (group == number) & (task == part)
            if held.any():
                yield (task != part) & ((group != number) | (group == -1)), held


def _task(one: Example) -> str:
    return one.id.split()[-1]


def _fitted(vectors: Matrix, has: Matrix, names: tuple[str, ...]) -> Learned:
    """A logistic regression for each trait, all at once."""
    rows, columns = np.hstack([vectors, np.ones((len(vectors), 1), dtype=np.float32)]), has.shape[1]

    def loss(flat: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        weights = flat.reshape(-1, columns).astype(np.float32)
        scores = rows @ weights
        value = float((np.logaddexp(0, scores) - has * scores).sum() + PENALTY * (weights[:-1] ** 2).sum())
        slope = rows.T @ (1 / (1 + np.exp(-scores)) - has)
        slope[:-1] += 2 * PENALTY * weights[:-1]
        return value, slope.ravel().astype(np.float64)

    share = has.mean(axis=0)
    start = np.zeros((rows.shape[1], columns))
    start[-1] = np.log((share + 1e-3) / (1 - share + 1e-3))
    found = minimize(loss, start.ravel(), jac=True, method="L-BFGS-B", options={"maxiter": STEPS}).x
    return Learned(names, found.reshape(-1, columns).astype(np.float32), share)


def _sensed(one: Example, names: tuple[str, ...], likely: Matrix, common: Matrix) -> Example:
    told = sense(names, likely, common)
    known = {traits: told.features(traits) for traits in {t.traits for t in one.tried}}
    tried = tuple(replace(t, features={**t.features, **known[t.traits]}) for t in one.tried)
    return replace(one, tried=tried)
