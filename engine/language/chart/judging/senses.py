"""The sense of a sentence as a whole, beside the readings of its words: how likely each trait of an outcome is by the
sentence's vector. A reading that comes to something else than such sentences do ranks lower and is less sure.

One logistic regression for each trait, on all-MiniLM-L6-v2 (https://www.sbert.net); learned with the other weights.
"""

from __future__ import annotations

import base64
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any

from engine import embedding
from engine.language.chart.judging.reader import model

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vector = NDArray[np.float32]

SMOOTHING = 0.01
"""What is added to a share, so that nothing is impossible."""


@dataclass(frozen=True, slots=True)
class Sense:
    """For each trait the logarithm of how much likelier than usual it is that an outcome has it, and has it not."""

    with_it: Mapping[str, float]
    without: Mapping[str, float]
    nothing: float
    """What it says for an outcome without any of the traits."""

    def features(self, traits: frozenset[str]) -> dict[str, float]:
        """How well a reading of these traits goes with the sentence: in all, at its weakest, and for each kind of
        trait; and how many of them are too rare to tell."""
        known = sorted(name for name in traits if name in self.with_it)
        found = {
            "sense:present": sum(self.with_it[name] for name in known),
            "sense:least": min((self.with_it[name] for name in known), default=-2.0),
            "sense:absent": self.nothing - sum(self.without[name] for name in known),
            "sense:rare": min(MOST_RARE, float(len(traits) - len(known))),
        }
        for name in known:
            kind = f"sense:{name.partition(' ')[0]}"
            found[kind] = found.get(kind, 0.0) + self.with_it[name]
        return found


MOST_RARE = 3.0
"""Of how many traits it counts that they are too rare to tell: an outcome in a big home has many."""


def sense(names: Iterable[str], likely: Vector, common: Vector) -> Sense:
    """The sense of a sentence for which the named traits are so likely, each of which is so common."""
    import numpy as np

    gains = np.log((likely + SMOOTHING) / (common + SMOOTHING)).tolist()
    losses = np.log((1 - likely + SMOOTHING) / (1 - common + SMOOTHING)).tolist()
    names = tuple(names)
    return Sense(dict(zip(names, gains, strict=True)), dict(zip(names, losses, strict=True)), sum(losses))


def sense_of(text: str) -> Sense | None:
    """The sense of a text; None where no encoder is installed. Loads the encoder at the first text (some .1 s)."""
    return _sense_of(text) if embedding.available() else None


@lru_cache(maxsize=256)
def _sense_of(text: str) -> Sense:
    learned = _learned()
    return sense(learned.names, learned.likely(embedding.encode([text]))[0], learned.common)


@dataclass(frozen=True, slots=True)
class Learned:
    """For each trait a column of weights, the last of which is the constant, and how common it is."""

    names: tuple[str, ...]
    weights: Vector
    common: Vector

    @classmethod
    def of(cls, said: Mapping[str, Any]) -> Learned:
        """What is spelt in JSON."""
        import numpy as np

        numbers = np.frombuffer(base64.b64decode(said["weights"]), dtype=np.float16).astype(np.float32)
        common = np.array(list(said["traits"].values()), dtype=np.float32)
        return cls(tuple(said["traits"]), numbers.reshape(-1, len(common)), common)

    def likely(self, vectors: Vector) -> Vector:
        """How likely each trait (column) is for each vector (row)."""
        import numpy as np

        found: Vector = 1 / (1 + np.exp(-(vectors @ self.weights[:-1] + self.weights[-1])))
        return found

    def spelt(self) -> dict[str, Any]:
        """As JSON; the weights at half precision in base 64, row by row."""
        import numpy as np

        weights = base64.b64encode(self.weights.astype(np.float16).tobytes()).decode()
        return {"traits": dict(zip(self.names, self.common.round(4).tolist(), strict=True)), "weights": weights}


@cache
def _learned() -> Learned:
    return Learned.of(model()["sense"])
