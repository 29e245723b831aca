"""Scores the relevance of signifiers to an agent in its present context, with reasons and without a language model.

A score is a weighted sum of common features; the weights were learned from lessons of their own (`data/exposure.json`,
by `engine.evaluation.exposure`). Signifiers near the best of a clause are relevant.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from engine import embedding
from engine.exposure.acts import Acts, Clause, content
from engine.exposure.fitting import Wants, types_of
from engine.model.exposure import Exposed
from engine.resources import folder

if TYPE_CHECKING:
    from engine.embedding import Vectors

_TOLD = (
    (3, 1, "both do the same kind of thing"),
    (4, 1, "they do different kinds of things"),
    (5, 1, "it takes what is given"),
    (5, -1, "it takes nothing"),
    (6, 1, "it gives an answer"),
    (9, 1, "something is as it should not be, and it changes something"),
)
"""What is said of a feature by its place, where it speaks for a signifier, or against it."""
FEATURES = ("meaning", "name", "words", "act", "other_act", "input", "output", "members", "whole", "change")


@dataclass(frozen=True, slots=True)
class Weights:
    """The weight of each feature, and the share of the best score of its clause that a relevant signifier must reach:
    `share` where the clause says an act, `loose` where it only tells how things stand, and less tells offers apart."""

    meaning: float
    name: float
    words: float
    act: float
    other_act: float
    input: float
    output: float
    members: float
    whole: float
    change: float
    share: float
    loose: float

    def score(self, features: Sequence[float]) -> float:
        """The weighted sum."""
        own: tuple[float, ...] = tuple(getattr(self, name) for name in FEATURES)
        return sum(weight * value for weight, value in zip(own, features, strict=True))


@cache
def learned() -> Weights:
    """The weights that were learned."""
    return Weights(**json.loads((folder("data") / "exposure.json").read_text(encoding="utf-8")))


@dataclass(frozen=True, slots=True)
class Judged:
    """A signifier with its score, between 0 and 1, whether it matters, and why (in words)."""

    exposed: Exposed
    score: float
    relevant: bool
    reasons: tuple[str, ...] = ()


class Field:
    """The signifiers to choose from, with their features; made once, used for many contexts."""

    def __init__(self, signifiers: Sequence[Exposed], acts: Acts, wants: Wants) -> None:
        self.signifiers = list(signifiers)
        self._acts, self._wants = acts, wants
        self._types = [types_of(one) for one in signifiers]
        self._words = [content(f"{plain(one.label)} {one.context}") for one in signifiers]
        self._senses = [
            acts.offered(one.context, plain(one.label), tells=types.gives and not types.inputs)
            for one, types in zip(signifiers, self._types, strict=True)
        ]
        known = Counter(word for words in self._words for word in words)
        self._rare = {word: math.log(1 + len(self._words) / number) for word, number in known.items()}
        self._vectors = _vectors([one.context for one in signifiers])
        self._names = _vectors([plain(one.label) for one in signifiers])

    def features(self, clause: Clause) -> list[tuple[float, ...]]:
        """The features of each signifier in common with a clause."""
        return self._features(clause, _encoded([clause]))

    def _features(self, clause: Clause, encoded: Mapping[str, Vectors]) -> list[tuple[float, ...]]:
        meaning, name = self._near(encoded.get(clause.text))
        whole = self._near(encoded.get(clause.whole or clause.text)).sum(axis=0)
        weight = sum(self._rarity(word) for word in clause.words) or 1.0
        wanted = self._wants.of(clause)
        found: list[tuple[float, ...]] = []
        for number, (words, senses) in enumerate(zip(self._words, self._senses, strict=True)):
            shared = sum(self._rarity(word) for word in words & clause.words) / weight
            same = bool(senses & clause.acts)
            other = bool(senses and clause.acts and not same)
            types = self._types[number]
            members = sum(self._rarity(word) for word in (types.words - words) & clause.words) / weight
            fits = (self._wants.input(wanted, types), self._wants.output(wanted, types), members)
            change = float(bool(senses) and not clause.acts and not senses & self._acts.asking)
            near = (float(meaning[number]), float(name[number]), shared)
            found.append((*near, float(same), float(other), *fits, float(whole[number]), change))
        return found

    def _near(self, vector: Vectors | None) -> Vectors:
        """The cosines of a vector with each signifier's context, and with its label; nil without the encoder."""
        if self._vectors is None or self._names is None or vector is None:
            return np.zeros((2, len(self.signifiers)), dtype=np.float32)
        return np.stack([self._vectors @ vector, self._names @ vector])

    def judge(self, context: str, weights: Weights | None = None, *, every: bool = True) -> list[Judged]:
        """Each signifier with its score and reasons, the best first; without `every`, irrelevant ones have no
        reasons."""
        weights = weights or learned()
        clauses = self._acts.clauses(context)
        if not clauses:
            return [Judged(one, 1.0, True, ("the agent has no context",)) for one in self.signifiers]
        best: list[tuple[float, Clause, tuple[float, ...]]] = [(-math.inf, clauses[0], ())] * len(self.signifiers)
        encoded = _encoded(clauses)
        for clause in clauses:
            features = self._features(clause, encoded)
            scores = [weights.score(one) for one in features]
            top = max(scores, default=0.0)
            for number, score in enumerate(scores):
                if score - top > best[number][0]:
                    best[number] = (score - top, clause, features[number])
        judged = [self._judged(number, *found, weights, every=every) for number, found in enumerate(best)]
        return sorted(judged, key=lambda one: (-one.score, one.exposed.label))

    def _judged(
        self, number: int, behind: float, clause: Clause, features: tuple[float, ...], weights: Weights, *, every: bool
    ) -> Judged:
        share = math.exp(min(behind, 0.0))
        relevant = share >= (weights.share if clause.acts else weights.loose)
        reasons = self._reasons(number, clause, features) if every or relevant else ()
        return Judged(self.signifiers[number], round(share, 4), relevant, reasons)

    def _reasons(self, number: int, clause: Clause, features: tuple[float, ...]) -> tuple[str, ...]:
        shared = sorted(self._words[number] & clause.words)
        told = [f"of “{clause.text}”: nearness {features[0]:.2f}"]
        told += [f"both speak of {', '.join(shared)}"] if shared else []
        told += [text for place, sign, text in _TOLD if features[place] * sign > 0]
        members = sorted((self._types[number].words - self._words[number]) & clause.words)
        told += [f"it takes or gives {', '.join(members)}"] if members else []
        return tuple(told)

    def _rarity(self, word: str) -> float:
        return self._rare.get(word, 1.0)


def plain(label: str) -> str:
    """The words of a label."""
    return label.replace("_", " ").replace("-", " ")


def _vectors(texts: Sequence[str]) -> Vectors | None:
    return embedding.kept(list(texts)) if texts and embedding.available() else None


def _encoded(clauses: Sequence[Clause]) -> dict[str, Vectors]:
    """Each clause as a vector, and what they stand in, once; empty without the encoder."""
    texts = list(dict.fromkeys(text for one in clauses for text in (one.text, one.whole or one.text)))
    return dict(zip(texts, embedding.encode(texts), strict=True)) if embedding.available() else {}


def able(exposed: Exposed, abilities: Sequence[str]) -> list[str]:
    """The abilities that a signifier recommends, and an agent does not have."""
    return [one for one in exposed.abilities if one not in abilities]


Profiles = Mapping[str, Sequence[Exposed]]
