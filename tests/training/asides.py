"""What becomes of requests without some of their segments: from that is learned which segments are only told.

`python -m tests.training.asides [--keep FILE] [--write]` plays requests of the sets below (some minutes each), whole
and without each of their segments, learns how likely a segment is an aside and how likely what comes of the rest is all
that is meant, and says what that gains and costs in tasks that were not learned from. `--keep` keeps what was played.
"""

from __future__ import annotations

import argparse
import base64
import json
import logging
import pickle
import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score

from engine import embedding
from engine.dialogue.recalling import from_this_talk
from engine.dialogue.requests.request import Consent, Request
from engine.dialogue.result import result
from engine.errors import HearthgraphError
from engine.evaluation.batch import Batch
from engine.evaluation.homeenv import COLUMNS, Task, Verdict
from engine.evaluation.homeenv_judge import House, judge
from engine.hearthgraph import Hearthgraph, new_iri
from engine.language.chart import around
from engine.language.chart.around import (
    ACTS,
    ANSWERS,
    is_doubted,
    measures,
    of_odds,
    part_of,
    parts_left,
    read_by_itself,
    uses_all,
)
from engine.language.chart.decide import decided
from engine.language.chart.judging.asides import Segment, segments, with_products
from engine.language.meanings.context import Context
from engine.language.meanings.past import Hearing
from engine.language.meanings.readings import Alternatives
from engine.language.words.records import replace
from engine.resources import folder
from tests.training.__main__ import HOMES, MANY, PARTS, SHARED, VOICES
from tests.training.outcomes import _mind, _remind, _restore, before_the_last_turn, tasks_in, words_of

SETS = (
    "two:stage", "three:postman", "two:", "five:", "eight:",
    "dev:florist", "dev:driver", "dev:surveyor", "dev:landlady", "dev:host", "dev:mother", "dev:chef",
    "dev:grandfather", "many:w23", "many:w26", "many:w29", "many:w30",
)  # fmt: skip
"""Sets whose people tell things beside what they want: a part with who says it, tasks of ../shared with the voice, or
one of `tests/acceptance/many`."""
MOST_TRIED, MOST_OF_GOOD = 8, 2
FOLDS = 5
OF_SENSE, OF_WORDS, OF_PARTS = 3.0, 1.0, 0.05
"""How strongly the weights of a vector (which is stretched by as much), of the sorts of words, and of parts of a text
are held near nothing."""
FEWEST, RAREST = 20, 50
"""How often a measure of a segment has to be met, and one of how many parts has to have one of theirs."""
LEAST = 0.05
"""How likely all segments that are left out have to be asides for a part to be learned from."""
_FILE = folder("ontology") / "asides.json"
Vector = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Tried:
    """What came of a text without the segments `left`: its column, all that tells of it but how likely they are told,
    and whether what they name is spoken of in what comes of the rest."""

    left: tuple[int, ...]
    column: str
    told: Mapping[str, float]
    uses: bool


@dataclass(frozen=True, slots=True)
class Example:
    """A request of several segments, what came of it whole, and without some of them."""

    id: str
    segments: tuple[Segment, ...]
    column: str
    doubted: bool
    tried: tuple[Tried, ...]


def of_tasks(file: Path, folders: Sequence[Path], words: Mapping[str, str]) -> Iterator[Example]:
    """The tasks of a file that are of several segments; of two homes of one name the first counts."""
    around.likely = lambda told: [0.0] * len(told)  # what comes of a text whole
    for task, text, batch, house in tasks_in(file, folders, words):
        found = _of_task(task, text, batch, house)
        if found is not None:
            yield found


def _of_task(task: Task, text: str, batch: Batch, house: House) -> Example | None:
    home, talk, request = before_the_last_turn(task, text, batch)
    context = home.assistant._context(request, talk.memory.past)
    told = segments(text, context)
    if not told:
        return None
    judged = partial(_column, home=home, talk=talk, request=request, task=task, house=house)
    column = judged(None)
    past = from_this_talk(request, talk.memory, home.state, context)

    def read(said: str, inner: Context) -> tuple[Alternatives, ...]:
        return decided(said, request.iri, inner, past)

    own = replace(context, hearing=Hearing())
    goals = read(text, own)
    doubted = is_doubted(goals, own.hearing) or column not in COLUMNS[:2]
    tried = []
    for left in _lefts(len(told), task.id, broad=doubted):
        part = part_of(text, told, left, context)
        if part is not None:
            found, inner = read_by_itself(part, context, read)
            more = measures(part, told, [0.5] * len(told), (goals, own), (found, inner))
            tried.append(Tried(left, judged((found, inner)), dict(more), uses_all(part, found, inner)))
    return Example(task.id, tuple(told), column, doubted, tuple(tried))


def _lefts(several: int, name: str, *, broad: bool) -> list[tuple[int, ...]]:
    """Which segments to leave out: each one, and where it is worth it all but some that stand together."""
    found = [(n,) for n in range(several)] if several > 1 else []
    chance = random.Random(name)
    if not broad:
        return chance.sample(found, min(len(found), MOST_OF_GOOD))
    windows = [(a, b) for a in range(several) for b in range(a + 1, several + 1) if b - a < several]
    more = [tuple(n for n in range(several) if not a <= n < b) for a, b in windows]
    found += [one for one in more if one not in found]
    return found if len(found) <= MOST_TRIED else chance.sample(found, MOST_TRIED)


def _column(
    read: tuple[Any, Context] | None, *, home: Hearthgraph, talk: Any, request: Request, task: Task, house: House
) -> str:
    """What comes of a request, read as always or as told."""
    iri, before, mind = new_iri(), home.state.snapshot(), _mind(talk)
    kept = home.assistant._understood, home.assistant._telling

    def understood(_: Request, context: Context, memory: Any) -> Any:
        goals, own = read  # type: ignore[misc]
        context.hearing.unsure = own.hearing.unsure
        memory.hear(iri, {k.replace(request.iri, iri): v for k, v in own.hearing.goals.items()})
        return tuple(
            tuple(tuple(replace(i, iri=i.iri.replace(request.iri, iri)) for i in way) for way in ways) for ways in goals
        )

    if read is not None:
        home.assistant._understood = understood  # type: ignore[method-assign]
        home.assistant._telling = lambda *_: None  # type: ignore[method-assign]
    try:
        outcome = talk.say(request.text, lambda _: home.assistant.handle(replace(request, iri=iri), Consent.ALL))
        came = result(outcome, home.registry, task.id, home.store)
        fault = judge(task.expected, came, house.after(task.turns, task.now))
        return Verdict(task, came, fault).column
    except (HearthgraphError, LookupError, ValueError, AssertionError):
        return COLUMNS[-1]
    finally:
        home.assistant._understood, home.assistant._telling = kept  # type: ignore[method-assign]
        _restore(home, before)
        _remind(talk, mind)
        home.rules.clear()


def _played(name: str) -> list[Example]:
    """The examples of a set."""
    logging.disable(logging.CRITICAL)
    kind, _, who = name.partition(":")
    if kind == "many":
        return list(of_tasks(MANY / f"{who}.jsonl", HOMES, {}))
    files = [
        *(file for one in VOICES if (file := one / f"{who}.jsonl").exists()),
        PARTS / kind / "voices" / f"{who}.jsonl",
    ]
    words = words_of(files[0]) if who else {}
    at = SHARED / "smh" / "dev" if kind == "dev" else PARTS / kind
    return list(of_tasks(at / "tasks.jsonl", [at / "homes"], words))


def _collected(keep: Path | None, processes: int) -> list[Example]:
    known = dict(pickle.loads(keep.read_bytes())) if keep is not None and keep.exists() else {}
    with ProcessPoolExecutor(processes) as pool:
        under_way = {pool.submit(_played, name): name for name in SETS if name not in known}
        for done in as_completed(under_way):
            known[under_way[done]] = done.result()
            print(f"{under_way[done]}: {len(done.result())} requests", flush=True)
            if keep is not None:
                keep.write_bytes(pickle.dumps(known))
    return [one for name in sorted(known) for one in known[name]]


def asides_of(example: Example) -> Iterator[tuple[int, bool]]:
    """The segments of an example of which it is known whether they are asides: those without which all is right."""
    if example.column == COLUMNS[0]:
        yield from ((one.left[0], one.column == COLUMNS[0]) for one in example.tried if len(one.left) == 1)
        return
    right = [set(one.left) for one in example.tried if one.column == COLUMNS[0]]
    for number in range(len(example.segments)) if right else ():
        if not any(number in left for left in right):
            yield number, False
        elif all(number in left for left in right):
            yield number, True


class _Table:
    """The segments of examples as rows: their vectors, and their measures that are met often enough."""

    def __init__(self, examples: Sequence[Example]) -> None:
        texts = list(dict.fromkeys(one.text for e in examples for one in e.segments))
        self.vectors = dict(zip(texts, embedding.encode(texts), strict=True))
        met = Counter(name for e in examples for one in e.segments for name in one.measures)
        self.names = sorted(name for name, count in met.items() if count >= FEWEST)

    def row(self, one: Segment) -> Vector:
        """A segment as a row."""
        measured = [one.measures.get(name, 0.0) for name in self.names]
        return np.concatenate([self.vectors[one.text] * OF_SENSE, measured, [1.0]])


def _of_segments(rows: Vector, aside: Vector, part: Vector, width: int) -> Vector:
    """The weights of a logistic regression for whether segments are asides."""
    held = np.concatenate([np.full(rows.shape[1] - 1, OF_WORDS), [0.0]])
    held[:width] = OF_SENSE

    def loss(weights: Vector) -> tuple[float, Vector]:
        odds = rows @ weights
        missed = 1 / (1 + np.exp(-odds)) - aside
        price = float((part * (np.logaddexp(0, odds) - aside * odds)).sum() + 0.5 * (held * weights * weights).sum())
        return price, rows.T @ (part * missed) + held * weights

    found: Vector = minimize(loss, np.zeros(rows.shape[1]), jac=True, method="L-BFGS-B", options={"maxiter": 200}).x
    return found


def _of_parts(rows: Vector, right: Vector) -> tuple[Vector, float]:
    """The weights of a logistic regression for whether what comes of a part is right, and the constant."""
    mean, spread = rows.mean(axis=0), rows.std(axis=0) + 1e-6
    learned = LogisticRegression(C=OF_PARTS, max_iter=1000).fit((rows - mean) / spread, right)
    weights = learned.coef_[0] / spread
    return weights, float(learned.intercept_[0] - weights @ mean)


def _fold(example: Example) -> int:
    return crc32(example.id.encode()) % FOLDS


def learned(examples: Sequence[Example]) -> dict[str, Any]:
    """What is learned of examples, as it is spelt; prints what it gains in tasks that were not learned from."""
    table, width = _Table(examples), embedding.WIDTH
    rows = [[table.row(one) for one in e.segments] for e in examples]
    known = [(k, n, told) for k, e in enumerate(examples) for n, told in asides_of(e)]
    matrix = np.array([rows[k][n] for k, n, _ in known])
    aside = np.array([float(told) for *_, told in known])
    part = np.array([0.5 if examples[k].column == COLUMNS[0] else 1.0 for k, *_ in known])
    fold = np.array([_fold(examples[k]) for k, *_ in known])
    by_fold = [_of_segments(matrix[fold != f], aside[fold != f], part[fold != f], width) for f in range(FOLDS)]
    odds = [
        [1 / (1 + np.exp(-float(row @ by_fold[_fold(e)]))) for row in own]
        for e, own in zip(examples, rows, strict=True)
    ]
    print(f"{len(known)} segments, area {roc_auc_score(aside, [odds[k][n] for k, n, _ in known]):.3f}")
    spelt = _parts_learned(examples, odds)
    whole = _of_segments(matrix, aside, part, width)
    measured = zip(table.names, whole[width:-1].tolist(), strict=True)
    return {
        "segment": {"constant": round(float(whole[-1]), 4), "weights": {n: round(w, 4) for n, w in measured}},
        "part": spelt,
        "sense": base64.b64encode((whole[:width] * OF_SENSE).astype(np.float16).tobytes()).decode(),
    }


def _parts_learned(examples: Sequence[Example], odds: Sequence[Sequence[float]]) -> dict[str, Any]:
    own, told = [], []
    for k, e in enumerate(examples):
        for one in e.tried if e.doubted else ():
            if min(odds[k][n] for n in one.left) >= LEAST:
                own.append((k, one))
                told.append(with_products({**one.told, **of_odds(one.left, odds[k])}))
    met = Counter(name for row in told for name, value in row.items() if value)
    names = sorted(name for name, count in met.items() if count >= len(told) / RAREST)
    rows = np.array([[row.get(name, 0.0) for name in names] for row in told])
    right = np.array([float(one.column == COLUMNS[0]) for _, one in own])
    fold = np.array([_fold(examples[k]) for k, _ in own])
    sure = np.zeros(len(own))
    for f in range(FOLDS):
        weights, constant = _of_parts(rows[fold != f], right[fold != f])
        sure[fold == f] = 1 / (1 + np.exp(-(rows[fold == f] @ weights + constant)))
    print(f"{len(own)} parts, area {roc_auc_score(right, sure):.3f}")
    _show(examples, odds, {(k, one.left): (one, float(how)) for (k, one), how in zip(own, sure, strict=True)})
    weights, constant = _of_parts(rows, right)
    spelt = {name: round(float(weight), 4) for name, weight in zip(names, weights, strict=True)}
    return {"constant": round(constant, 4), "weights": spelt}


def _show(
    examples: Sequence[Example], odds: Sequence[Sequence[float]], tried: Mapping[tuple[int, Any], tuple[Tried, float]]
) -> None:
    """Prints what parts would gain and cost, by how sure they have to be."""
    for less in (0.2, 0.1, 0.0, -0.1):
        came: Counter[tuple[str, str]] = Counter()
        for k, e in enumerate(examples):
            for left in parts_left(e.segments, odds[k]) if e.doubted else ():
                one, sure = tried.get((k, left), (None, 0.0))
                acts = one is not None and not one.told.get("rest check")
                if one is not None and one.uses and sure >= (ACTS if acts else ANSWERS) - less:
                    came[e.column, one.column] += 1
                    break
        gained = sum(n for (old, new), n in came.items() if new == COLUMNS[0] != old)
        lost = sum(n for (old, new), n in came.items() if old == COLUMNS[0] != new)
        wrong = [sum(n for (old, new), n in came.items() if new == column != old) for column in COLUMNS[1:3]]
        print(f"{ACTS - less:.1f}: {gained} gained, {lost} lost, acted wrongly {wrong[0]}, answered wrongly {wrong[1]}")


def main() -> None:
    """Learns which segments are asides."""
    parser = argparse.ArgumentParser(prog="python -m tests.training.asides", description=__doc__)
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    found = learned(_collected(given.keep, given.processes))
    if given.write:
        made = {"made by": "python -m tests.training.asides --write", **found}
        _FILE.write_text(json.dumps(made, indent=0) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
