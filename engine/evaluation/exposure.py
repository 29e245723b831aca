"""Learns the weights of a signifier's relevance from lessons: `python -m engine.evaluation.exposure`."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Mapping, Sequence
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

ROUNDS, RATE, DECAY = 4_000, 0.05, 0.02
START = Weights(1.0, 1.0, 1.0, 1.0, -1.0, 1.0, 1.0, 1.0, 0.5)


@dataclass(frozen=True, slots=True)
class Lessons:
    """Signifiers, and contexts with the labels of those that matter in them."""

    signifiers: tuple[Exposed, ...]
    profiles: tuple[tuple[str, frozenset[str]], ...]


def read(data: Mapping[str, Any]) -> Lessons:
    """Lessons out of JSON: artifacts with their tools, and contexts with the tools that are meant."""
    signifiers = tuple(
        _exposed(f"{artifact}_{tool}", said)
        for artifact, tools in data["artifacts"].items()
        for tool, said in tools.items()
    )
    return Lessons(signifiers, tuple((text, frozenset(meant)) for text, meant in data["profiles"]))


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
    """Weights by which relevant signifiers score above the rest, and the share of the best score for relevance."""
    labels = [one.label for one in lessons.signifiers]
    cases = []
    for text, meant in lessons.profiles:
        clauses = acts.clauses(text)
        if len(clauses) == len(meant) == 1:
            cases.append((np.array(field.features(clauses[0])), labels.index(next(iter(meant)))))
    weights = np.array([getattr(START, name) for name in FEATURES])
    for _ in range(ROUNDS):
        gradient = -DECAY * weights
        for features, right in cases:
            scores = features @ weights
            chances = np.exp(scores - scores.max())
            gradient += (features[right] - (chances / chances.sum()) @ features) / len(cases)
        weights += RATE * gradient
    found = Weights(**{name: round(float(one), 3) for name, one in zip(FEATURES, weights, strict=True)}, share=0.5)
    return replace(found, share=_share(lessons, field, found))


def _share(lessons: Lessons, field: Field, weights: Weights) -> float:
    """The middle of the shares with the best result, where a missed signifier counts twice a superfluous one."""
    tried = [round(0.02 * step, 2) for step in range(5, 50)]
    worth = []
    for share in tried:
        measured = measure(lessons, field, replace(weights, share=share))
        worth.append(measured[0] + 2 * measured[1])
    best = [share for share, one in zip(tried, worth, strict=True) if one >= max(worth) - 1e-9]
    return best[len(best) // 2]


def measure(lessons: Lessons, field: Field, weights: Weights | None = None) -> tuple[float, float, list[str]]:
    """Precision and recall, the mean over the contexts, and the errors in words."""
    precision, recall, wrong = [], [], []
    for text, meant in lessons.profiles:
        shown = {one.exposed.label for one in field.judge(text, weights) if one.relevant}
        precision.append(len(shown & meant) / len(shown) if shown else 0.0)
        recall.append(len(shown & meant) / len(meant))
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
