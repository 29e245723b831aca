"""How sure a reading is: how likely it is what was meant, by what came of readings like it.

Boosted trees look at the likeliest few outcomes of a text: the weight of each beside the others, the words left out,
the traits of the outcome, and the differences to the likeliest other. `python -m tests.training` grows them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from engine.graph.terms import expand
from engine.language.chart.judging.lost import parts_of
from engine.language.chart.judging.reader import Candidate, Heard, model
from engine.language.chart.judging.traits import traits
from engine.language.chart.judging.trees import Trees
from engine.language.meanings.context import Context
from engine.model.intent import Category, Intent, Measure

MOST_LEFT_OUT = 1
"""How many words that mean something may be left out of a reading that acts."""
MOST_HEARD = 14
"""How many readings are looked at."""
MOST_JUDGED = 4
"""How many outcomes of a text are told apart."""
_ON, _OFF, _POWER = expand("hg:TurnOn"), expand("hg:TurnOff"), expand("hg:Power")
_BY_IF = ("selects:if", "selects:room-if")
_SKIPS = ("skip:known", "skip:word", "skip:number")


def acts(candidate: Candidate) -> bool:
    """Whether a reading would do something."""
    does = (Category.EXPLICIT, Category.IMPLICIT, Category.RULE)
    return any(intent.fault is None and intent.category in does for intent in candidate.intents)


def puts_out(intent: Intent) -> bool:
    """Whether an intent is to switch something off."""
    return intent.command == _OFF or is_switched_off(intent)


def puts_on(intent: Intent) -> bool:
    """Whether an intent is to switch something on."""
    return intent.command == _ON or _sets_power(intent, to=True)


def is_switched_off(intent: Intent) -> bool:
    """Whether an intent sets the power of something to off."""
    return _sets_power(intent, to=False)


def _sets_power(intent: Intent, *, to: bool) -> bool:
    amount = intent.amount if intent.property == _POWER else None
    return amount is not None and amount.measure is Measure.TRUTH and amount.value is to


def tells_which(candidate: Candidate) -> bool:
    """Whether a reading that leaves nothing out takes a condition to say which: "if a room is empty, its …"."""
    return any(name in candidate.features for name in _BY_IF) and not left_out(candidate.features)


def doable(meant: list[Candidate]) -> list[Candidate]:
    """The readings without those that give up, where another tells which things are meant."""
    tells = any(acts(c) and tells_which(c) for c in meant)
    return [c for c in meant if not _gives_up(c)] if tells else meant


def _gives_up(candidate: Candidate) -> bool:
    """Whether a reading says no more than that such a thing is not done yet."""
    return bool(candidate.intents) and all(i.fault == "not_supported_yet" for i in candidate.intents)


def left_out(features: Mapping[str, float]) -> float:
    """How many words that mean something a reading leaves out."""
    return sum(features.get(name, 0.0) for name in _SKIPS)


def confidence(best: Candidate, meant: Sequence[Candidate], found: Heard, context: Context) -> float:
    """How likely it is, from 0 to 1, that a reading is what was meant, of all that may be meant."""
    among = meant[:MOST_HEARD]
    if not any(one.effect == best.effect for one in among):
        among = (*among, best)
    return judged(among, found, context, alone=best.effect)[0][1]


def judged(
    meant: Sequence[Candidate], found: Heard, context: Context, *, alone: object = None
) -> list[tuple[Candidate, float]]:
    """Of the likeliest few outcomes (or of one `alone`, be it likely or not) the likeliest reading, with how likely it
    is, from 0 to 1, that this was meant; the surest first."""
    trees = _trees(sensed=found.sensed)
    outcomes = [Outcome(one.effect, one.score, acts(one), one.features, one) for one in meant]

    def of(one: Outcome) -> frozenset[str]:
        return traits(one.source.intents, parts_of(one.source.effect, context), context)

    several = max(0, len(found.candidates[:MOST_HEARD]) - len(meant))
    passed = Passed(several, meant[0] is not found.candidates[0])
    told = measured(outcomes, len(found.tokens), facts_of(found), passed, of, alone)
    return sorted(((one.source, trees.likely(what)) for one, what in told), key=lambda pair: -pair[1])


@cache
def _trees(*, sensed: bool) -> Trees:
    """The trees that were grown, with or without the sense of the whole text."""
    return Trees((model()["sensed"] if sensed else model())["confidence"])


@dataclass(frozen=True, slots=True)
class Outcome:
    """A reading as it is judged; `source` is the candidate, or the like, that it was made of."""

    effect: object
    score: float
    acts: bool
    features: Mapping[str, float]
    source: Any


@dataclass(frozen=True, slots=True)
class Passed:
    """How many readings may not be meant, and whether the likeliest of all is one of them."""

    several: int
    first: bool


def measured(
    meant: Sequence[Outcome],
    tokens: int,
    facts: Mapping[str, float],
    passed: Passed,
    traits_of: Callable[[Outcome], frozenset[str]],
    alone: object = None,
) -> Iterator[tuple[Outcome, dict[str, float]]]:
    """For the likeliest reading of each of the likeliest outcomes, or of one `alone`, all that tells how sure it is."""
    highest = max((one.score for one in meant), default=0.0)
    mass: dict[object, float] = {}
    best: dict[object, Outcome] = {}
    for one in meant:
        mass[one.effect] = mass.get(one.effect, 0.0) + math.exp(one.score - highest)
        if one.effect not in best or one.score > best[one.effect].score:
            best[one.effect] = one
    order = sorted(mass, key=lambda effect: -mass[effect])
    looked = [*order[:MOST_JUDGED], *(effect for effect in order[MOST_JUDGED:] if effect == alone)]
    known = cache(lambda effect: traits_of(best[effect]))
    of_old = {one.effect for one in meant if "old" in one.features}
    for place, effect in enumerate(looked):
        if alone not in (None, effect):
            continue
        one, other = best[effect], next((e for e in looked if e != effect), None)
        told = _of_weight(one, mass, tokens, len(meant), with_old=effect in of_old)
        told.update({**one.features, **facts, **{f"trait {name}": 1.0 for name in known(effect)}})
        told.update(rank=place, outcomes=len(mass), passed=passed.several, passed_first=float(passed.first))
        if other is not None:
            told.update(_beside(one, best[other], known(effect), known(other)))
        yield one, told


def _of_weight(
    one: Outcome, masses: Mapping[object, float], tokens: int, readings: int, *, with_old: bool
) -> dict[str, float]:
    """Measures of the weight of a reading, and of how much it leaves out."""
    mass = masses[one.effect]
    share, others = mass / sum(masses.values()), [m for effect, m in masses.items() if effect != one.effect]
    left = left_out(one.features)
    told = {
        "p": share,
        "logit": math.log(max(share, 1e-9) / (1 - share + 1e-3)),
        "gap": max(-8.0, min(8.0, math.log(max(mass, 1e-9) / max(others, default=1e-3)))),
        "per_token": one.score / max(1, tokens),
        "score": one.score / 10,
        "readings": readings / 10,
        "acts": float(one.acts),
        "with_old": float(with_old),
        "left": min(left, 4.0),
        "lost": sum(n for name, n in one.features.items() if name.startswith("lost:")),
        "left:some": float(left > 0),
        "left:several": float(left > 1),
        "covers": 1 - min(1.0, (left + one.features.get("aside:word", 0.0)) / max(1, tokens)),
    }
    if one.acts:
        told.update({f"acts*{name}": told[name] for name in ("p", "left", "lost", "with_old", "covers")})
    return told


def _beside(one: Outcome, other: Outcome, own: frozenset[str], its: frozenset[str]) -> dict[str, float]:
    """The differences of a reading from the likeliest other: in features and in traits."""
    told = {"other acts": float(other.acts)}
    for name in {*one.features, *other.features}:
        told[f"than {name}"] = one.features.get(name, 0.0) - other.features.get(name, 0.0)
    told.update({f"only {name}": 1.0 for name in own - its})
    told.update({f"other {name}": 1.0 for name in its - own})
    return told


def facts_of(found: Heard) -> dict[str, float]:
    """What the words alone say of how far a request can be trusted."""
    earlier = next((c for c in found.candidates if "old" in c.features), None)
    if earlier is None:
        return {}
    told = ("old:unknown", "old:breaks", "old:long", "old:when", "old:clean", "old:simple")
    return {f"null{name[3:]}": value for name, value in earlier.features.items() if name.startswith(told)}
