"""Learns the weights of a signifier's relevance from lessons: `python -m engine.evaluation.exposure`."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Mapping, Sequence, Set
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from engine.exposure.acts import Acts
from engine.exposure.fitting import Wants
from engine.exposure.relevance import FEATURES, Field, Weights
from engine.graph.embedded import EmbeddedStore
from engine.graph.terms import Json
from engine.model.exposure import Exposed
from engine.resources import folder

ROUNDS, RATE, DECAY = 1_200, 0.2, 0.02
FOLDS = 5
START = Weights(1.0, 1.0, 1.0, 1.0, -1.0, 1.0, 1.0, 1.0, 1.0, 0.5, 0.5, 0.5)


@dataclass(frozen=True, slots=True)
class Lessons:
    """Signifiers, and contexts with the labels of those that matter in them, in the order of the clauses."""

    signifiers: tuple[Exposed, ...]
    profiles: tuple[tuple[str, tuple[str, ...]], ...]


Scored = tuple[frozenset[str], Sequence[tuple[str, float]]]
"""The labels that are meant in a context, and the score of each label."""


def read(data: Mapping[str, Any]) -> Lessons:
    """Lessons out of JSON: artifacts with their tools, and contexts with the tools that are meant."""
    signifiers = tuple(
        _exposed(f"{artifact}_{tool}", said)
        for artifact, tools in data["artifacts"].items()
        for tool, said in tools.items()
    )
    return Lessons(signifiers, tuple((text, tuple(meant)) for text, meant in data["profiles"]))


def _exposed(label: str, said: Mapping[str, Any]) -> Exposed:
    """A tool of a lesson as a signifier: its description, its inputs (the type of each, or its options), its output."""
    members: dict[str, Json] = {
        name: {"enum": kind} if isinstance(kind, list) else {"type": kind}
        for name, kind in said.get("takes", {}).items()
    }
    takes: dict[str, Json] | None = {"type": "object", "properties": members} if members else None
    gives = {"type": said["gives"]} if "gives" in said else None
    return Exposed(label, said["about"], "http://localhost/", takes=takes, gives=gives, affordance=f"urn:{label}")


def ready(lessons: Lessons, store: EmbeddedStore) -> Field:
    """The signifiers of lessons, made ready."""
    return Field(lessons.signifiers, Acts(store), Wants(store))


def learn(lessons: Lessons, field: Field, acts: Acts) -> Weights:
    """Weights by which relevant signifiers score above the rest, and the share of the best score for relevance.

    The shares are those of contexts from which the weights were not learned: each fifth in turn is left out.
    """
    found = _weights(lessons, field, acts)
    scored: dict[bool, list[Scored]] = {True: [], False: []}
    for fold in range(FOLDS):
        kept = tuple(one for number, one in enumerate(lessons.profiles) if number % FOLDS != fold)
        weights = _weights(replace(lessons, profiles=kept), field, acts)
        for text, meant in lessons.profiles[fold::FOLDS]:
            says = any(clause.acts for clause in acts.clauses(text))
            scores = [(one.exposed.label, one.score) for one in field.judge(text, weights)]
            scored[says].append((frozenset(meant), scores))
    return replace(found, share=_share(scored[True]), loose=_share(scored[False]))


def _weights(lessons: Lessons, field: Field, acts: Acts) -> Weights:
    """The weights alone."""
    labels = [one.label for one in lessons.signifiers]
    cases = []
    for text, meant in lessons.profiles:
        clauses = acts.clauses(text)
        if len(clauses) == len(meant):
            each = zip(clauses, meant, strict=True)
            cases += [(np.array(field.features(clause)), labels.index(one)) for clause, one in each]
    weights = np.array([getattr(START, name) for name in FEATURES])
    for _ in range(ROUNDS):
        gradient = -DECAY * weights
        for features, right in cases:
            scores = features @ weights
            chances = np.exp(scores - scores.max())
            gradient += (features[right] - (chances / chances.sum()) @ features) / len(cases)
        weights += RATE * gradient
    return Weights(
        **{name: round(float(one), 3) for name, one in zip(FEATURES, weights, strict=True)}, share=0.5, loose=0.5
    )


def _share(scored: Sequence[Scored]) -> float:
    """The middle of the shares with the best result, where precision counts as much as recall."""
    tried = [round(0.02 * step, 2) for step in range(5, 50)]
    worth = []
    for share in tried:
        told = [_compared({label for label, score in scores if score >= share}, meant) for meant, scores in scored]
        worth.append(math.fsum(precision + recall for precision, recall in told))
    best = [share for share, one in zip(tried, worth, strict=True) if one >= max(worth) - 1e-9]
    return best[len(best) // 2]


def _compared(shown: Set[str], meant: Set[str]) -> tuple[float, float]:
    """Precision and recall of one context."""
    return (len(shown & meant) / len(shown) if shown else 0.0), len(shown & meant) / len(meant)


def measure(lessons: Lessons, field: Field, weights: Weights | None = None) -> tuple[float, float, list[str]]:
    """Precision and recall, the mean over the contexts, and the errors in words."""
    precision, recall, wrong = [], [], []
    for text, labels in lessons.profiles:
        meant = frozenset(labels)
        shown = {one.exposed.label for one in field.judge(text, weights) if one.relevant}
        told = _compared(shown, meant)
        precision.append(told[0])
        recall.append(told[1])
        if shown != meant:
            wrong.append(f"{text} missed {sorted(meant - shown)}, too much {sorted(shown - meant)}")
    return math.fsum(precision) / len(precision), math.fsum(recall) / len(recall), wrong


def main(arguments: Sequence[str]) -> None:
    """Learns from the lessons, writes the weights, and tells how they do on the files that are named."""
    lessons = read(json.loads((folder("data") / "exposure_lessons.json").read_text(encoding="utf-8")))
    with EmbeddedStore.open(None) as store:
        acts = Acts(store)
        weights = learn(lessons, ready(lessons, store), acts)
        text = json.dumps(asdict(weights), indent=2) + "\n"
        (folder("data") / "exposure.json").write_text(text, encoding="utf-8")
        named = {Path(name).name: read(json.loads(Path(name).read_text(encoding="utf-8"))) for name in arguments}
        for name, found in {"the lessons themselves": lessons, **named}.items():
            precision, recall, wrong = measure(found, ready(found, store), weights)
            sys.stdout.write(f"{name}: P {precision:.3f} R {recall:.3f}, {len(wrong)} wrong\n")
            sys.stdout.writelines(f"  {line}\n" for line in wrong)


if __name__ == "__main__":
    main(sys.argv[1:])
