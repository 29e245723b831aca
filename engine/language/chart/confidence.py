"""How sure a reading is: how likely it is what was meant, by what came of readings like it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from engine.language.chart.reader import Candidate, Heard, model
from engine.language.records import replace
from engine.model.intent import Category

MOST_LEFT_OUT = 1
"""How many words that mean something may be left out of a reading that acts."""
_SKIPS = ("skip:known", "skip:word", "skip:number")


def acts(candidate: Candidate) -> bool:
    """Whether a reading would do something."""
    does = (Category.EXPLICIT, Category.IMPLICIT, Category.RULE)
    return any(intent.fault is None and intent.category in does for intent in candidate.intents)


def left_out(features: Mapping[str, float]) -> float:
    """How many words that mean something a reading leaves out."""
    return sum(features.get(name, 0.0) for name in _SKIPS)


def confidence(found: Heard, best: Candidate, earlier: Candidate) -> float:
    """How likely it is that a reading is what was meant: learned from what came of readings like it, by the
    words alone or with the sense of the whole."""
    told = measures(
        _masses(found.candidates), best.effect, best.score, len(found.tokens), len(found.candidates), acts(best),
        best.effect == earlier.effect, best.features, facts_of(found),
    )  # fmt: skip
    return likely(told, (model()["sensed"] if found.sensed else model())["confidence"])


def confidence_from(first: Candidate, best: Candidate, earlier: Candidate, found: Heard) -> float:
    """How likely it is that a reading is meant, where none likelier than the first may be: those take no share."""
    meant = found.candidates[found.candidates.index(first) :]
    meant += tuple(one for one in (earlier, best) if not any(one is other for other in meant))
    return confidence(replace(found, candidates=meant), best, earlier)


def likely(told: Mapping[str, float], learned: Mapping[str, Any]) -> float:
    """How likely a reading is right, by boosted trees: a node is a measure, the most that goes left, left, right."""
    odds = float(learned["bias"])
    for tree in learned["trees"]:
        while isinstance(tree, list):
            name, most, left, right = tree
            tree = left if told.get(name, 0.0) <= most else right
        odds += tree
    return 1 / (1 + math.exp(-odds))


def measures(
    masses: Mapping[Any, float],
    effect: object,
    score: float,
    tokens: int,
    candidates: int,
    does: bool,
    with_old: bool,
    features: Mapping[str, float],
    facts: Mapping[str, float],
) -> dict[str, float]:
    """What tells how sure a reading is: its weight beside that of others, what it leaves out, what it rests on."""
    others = [mass for one, mass in masses.items() if one != effect]
    mass = masses[effect]
    share = mass / (mass + sum(others))
    left = left_out(features)
    told = {
        "p": share,
        "logit": math.log(share / (1 - share + 1e-3)),
        "gap": min(8.0, math.log(mass / max(others, default=1e-3))),
        "per_token": score / max(1, tokens),
        "score": score / 10,
        "candidates": candidates / 10,
        "acts": float(does),
        "with_old": float(with_old),
        "left": min(left, 4.0),
        "lost": sum(n for name, n in features.items() if name.startswith("lost:")),
        "left:some": float(left > 0),
        "left:several": float(left > 1),
        "covers": 1 - min(1.0, (left + features.get("aside:word", 0.0)) / max(1, tokens)),
        **features,
        **facts,
    }
    if does:
        told.update({f"acts*{name}": told[name] for name in ("p", "left", "lost", "with_old", "covers")})
    return told


def facts_of(found: Heard) -> dict[str, float]:
    """What the words alone say of how far a request can be trusted."""
    earlier = next((c for c in found.candidates if "old" in c.features), None)
    if earlier is None:
        return {}
    return {
        f"null{name[3:]}": value
        for name, value in earlier.features.items()
        if name.startswith(("old:unknown", "old:breaks", "old:long", "old:when", "old:clean", "old:simple"))
    }


def _masses(candidates: Sequence[Candidate]) -> dict[tuple[str, ...], float]:
    """The weight of each effect, next to the likeliest reading of all."""
    highest = max(c.score for c in candidates)
    found: dict[tuple[str, ...], float] = {}
    for one in candidates:
        found[one.effect] = found.get(one.effect, 0.0) + math.exp(one.score - highest)
    return found
