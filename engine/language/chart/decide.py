"""What is done with a request: the likeliest reading where it is sure enough for what it does, else a question."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from engine.environment.selection import Selector
from engine.graph.terms import expand
from engine.language.chart.items import Sort, function_words
from engine.language.chart.parted import ruled
from engine.language.chart.reader import Candidate, Heard, effect_of, grouped, heard, model
from engine.language.chart.rule_talk import rule_talk
from engine.language.context import Context
from engine.language.lexicon import Role
from engine.language.past import Hearing
from engine.language.readings import Alternatives
from engine.language.tokens import Token, TokenKind
from engine.language.understanding import understand
from engine.model.intent import Category, Intent
from engine.model.selection import Quantity, Select

_LONG = 12
_TELLS = ("tell", "told:past", "told:verb", "condition:if", "condition:when")
_SELECTS = ("selects:if", "selects:room-if", "selects:told", "selects:asked", "selects:room-told", "selects:room-asked")
MOST_ORDERS = 6
MOST_LEFT_OUT = 1
"""How many words that mean something may be left out of a reading that acts."""
DEVICE = expand("hg:Device")


def decided(text: str, request: str, context: Context) -> tuple[Alternatives, ...]:
    """For each goal of a text its readings; one that says so where no reading is sure enough for what it would do.

    What the earlier reader understands is left to it for now, unless what it would do is told, is for another time, or
    names nothing; what it does not understand is read anew, and done where that is sure enough."""
    talk = rule_talk(text, request, context)
    if talk is not None:
        return (((talk,),),)
    made = ruled(text, request, context, _orders, understand)
    return (made,) if made else _picked(ranked(text, request, context), text, request, context)


def _orders(text: str, request: str, context: Context) -> tuple[tuple[Alternatives, ...], ...]:
    """What a rule may be to do: what would be decided of it as an order, and what else it may mean."""
    found = ranked(text, request, context)
    first = _picked(found, text, request, context)
    return (first, *(c.goals for c in found.candidates[:MOST_ORDERS] if c.goals and c.goals != first))


def _picked(found: Heard, text: str, request: str, context: Context) -> tuple[Alternatives, ...]:
    """What is decided of a text that is no rule, of all that it may mean."""
    earlier = next(c for c in found.candidates if "old" in c.features)
    fresh = next((c for c in found.candidates if "old" not in c.features and not _is_rule(c)), None)
    told = fresh is not None and _is_told(earlier, fresh)
    if acts(earlier) and (told or _is_unfounded(earlier, found, context)):
        return _unsure(text, request)
    best = earlier
    if fresh is not None and _is_lost(earlier) and not _is_unfounded(fresh, found, context):
        sure = confidence(found, fresh, earlier) >= model()["thresholds"]["act"]
        says = fresh.goals and all(i.fault is None for readings in fresh.goals for i in readings[0])
        best = fresh if says and (not acts(fresh) or (sure and _left_out(fresh) <= MOST_LEFT_OUT)) else earlier
    _take(best.hearing, context.hearing)
    return best.goals


def _is_rule(candidate: Candidate) -> bool:
    """Whether a reading is for another time, or for where something is so."""
    return any(i.category is Category.RULE for readings in candidate.goals for i in readings[0])


def _is_told(earlier: Candidate, fresh: Candidate) -> bool:
    """Whether what would be done now is told, is for another time, or holds only where something is so."""
    if not acts(earlier) or _is_timed(earlier) or _is_rule(earlier):
        return False
    if _is_wish(earlier):  # how things are is a wish, what somebody did is none
        return any(name in fresh.features for name in ("told:past", "told:verb"))
    return not any(name in fresh.features for name in _SELECTS) and any(name in fresh.features for name in _TELLS)


def _is_wish(candidate: Candidate) -> bool:
    """Whether a reading says what is wished, and not by what."""
    return any(i.category is Category.IMPLICIT and i.fault is None for readings in candidate.goals for i in readings[0])


def _is_lost(candidate: Candidate) -> bool:
    """Whether a reading understands nothing at all."""
    return all(i.fault == "not_understood" for readings in candidate.goals for i in readings[0])


def _left_out(candidate: Candidate) -> float:
    """How many words that mean something a reading leaves out."""
    return sum(candidate.features.get(name, 0.0) for name in ("skip:word", "skip:known", "skip:number"))


def _is_timed(candidate: Candidate) -> bool:
    """Whether what a reading does waits for something."""
    intents = [i for readings in candidate.goals for i in readings[0] if i.fault is None]
    return any(i.timing is not None and (i.timing.start or i.timing.end or i.timing.duration) for i in intents)


def _is_unfounded(candidate: Candidate, found: Heard, context: Context) -> bool:
    """Whether a reading acts on everything, or on nothing that anybody named."""
    words = function_words(context.store)
    sorts = {e.iri for place in range(len(found.tokens)) for m in words.trie.at(found.tokens, place) for e in m.entries}
    named = bool(sorts & {Sort.Everything.value, Sort.Everywhere.value, Sort.Here.value, Sort.There.value})
    says = any(
        t.kind is TokenKind.WORD and not words.trie.at([t], 0) and not _is_light(t, context) for t in found.tokens
    )
    if not says:
        return not context.past.turns and any(i.category is Category.IMPLICIT for r in candidate.goals for i in r[0])
    intents = [i for readings in candidate.goals for i in readings[0] if i.category is Category.EXPLICIT]
    every = [
        i
        for i in intents
        if i.affordance is None
        and i.fault is None
        and replace(i.selection, classes=()) == Select(quantity=i.selection.quantity)
        and i.selection.classes in ((), (DEVICE,))
    ]
    return bool(every) and not named and _is_all(every)


def _is_light(token: Token, context: Context) -> bool:
    """Whether a word is a verb that says nothing by itself: "make", "set"."""
    entries = {e.role for m in context.dictionary.lexicon.at([token], 0) for e in m.entries}
    return Role.LIGHT_VERB in entries


def _is_all(intents: Sequence[Intent]) -> bool:
    """Whether any of these is about all there is."""
    return any(i.selection.quantity is Quantity.ALL for i in intents)


def confidence(found: Heard, best: Candidate, earlier: Candidate) -> float:
    """How likely it is that a reading is what was meant: learned from what came of readings like it."""
    learned = model()["confidence"]
    masses = _masses(found.candidates)
    mass = masses.pop(best.effect)
    likely = mass / (mass + sum(masses.values()))
    told = {
        "bias": 1.0,
        "p": likely,
        "logit": math.log(likely / (1 - likely + 1e-3)),
        "gap": math.log(mass / max(masses.values(), default=1e-3)),
        "per_token": best.score / max(1, len(found.tokens)),
        "score": best.score / 10,
        "candidates": len(found.candidates) / 10,
        "acts": float(acts(best)),
        "with_old": float(best.effect == earlier.effect),
        **best.features,
        **_null_features(earlier),
    }
    return 1 / (1 + math.exp(-sum(weight * told.get(name, 0.0) for name, weight in learned.items())))


def _null_features(earlier: Candidate) -> dict[str, float]:
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


def _unsure(text: str, request: str) -> tuple[Alternatives, ...]:
    return (((Intent(f"{request}/intent-1", text, fault="not_understood", subject=text[:200]),),),)


def _take(chosen: Hearing, into: Hearing) -> None:
    into.corrects, into.shifted, into.reference = chosen.corrects, chosen.shifted, chosen.reference
    into.retracted, into.goals = chosen.retracted, chosen.goals


def acts(candidate: Candidate) -> bool:
    """Whether a reading would do something."""
    return any(
        intent.fault is None and intent.category in (Category.EXPLICIT, Category.IMPLICIT, Category.RULE)
        for readings in candidate.goals
        for intent in readings[0]
    )


def ranked(text: str, request: str, context: Context, weights: Mapping[str, float] | None = None) -> Heard:
    """All readings of a text, those of the earlier reader among them, likeliest first."""
    weights = model()["weights"] if weights is None else weights
    found = heard(text, request, context, weights)
    earlier = _earlier(text, request, context, found, weights)
    agreed = [_agreeing(c, earlier, weights) for c in found.candidates]
    return replace(found, candidates=tuple(grouped([*agreed, earlier])))


def _agreeing(candidate: Candidate, earlier: Candidate, weights: Mapping[str, float]) -> Candidate:
    if candidate.effect != earlier.effect:
        return candidate
    features = {**candidate.features, "agrees": 1.0}
    return replace(candidate, features=features, score=candidate.score + weights.get("agrees", 0.0))


def _earlier(text: str, request: str, context: Context, found: Heard, weights: Mapping[str, float]) -> Candidate:
    """What the earlier reader makes of a text, as one more reading: it gives no account of its words, so what tells of
    it is what it would do, and how many of the words the home and the language know."""
    hearing = Hearing()
    goals = understand(text, request, replace(context, hearing=hearing))
    features: Counter[str] = Counter({"old": 1})
    noted: Counter[str] = Counter()
    selector = Selector(context.store, context.registry)
    effects = [effect_of(i, context, selector, noted) for readings in goals for i in readings[0]]
    features.update({f"old:{name}": count for name, count in noted.items()})
    intents: Sequence[Intent] = [i for readings in goals for i in readings[0]]
    features.update({f"old:{sort}": 1 for sort in {i.category.value for i in intents if i.fault is None}})
    features.update(_of_words(found, context))
    if len(goals) > 1:
        features["old:several"] += 1
    score = sum(weights.get(name, 0.0) * count for name, count in features.items())
    return Candidate(goals, (), dict(features), score, tuple(map(repr, effects)), (), hearing=hearing)


def _of_words(found: Heard, context: Context) -> dict[str, float]:
    """What the words themselves say of how far the earlier reader may be trusted."""
    words, lexicon = function_words(context.store), context.dictionary.lexicon
    unknown = conditional = 0
    for token in found.tokens:
        if token.kind is TokenKind.WORD:
            known = lexicon.knows(token.text) or words.knows(token.text)
            unknown += not known
            entries = {e.iri for m in words.trie.at([token], 0) for e in m.entries}
            conditional += bool(entries & {Sort.If.value, Sort.When.value})
    length = len(found.tokens)
    breaks = sum(t.text in (",", ";", ".") for t in found.tokens[:-1])
    told = {
        "old:unknown": float(min(unknown, 4)),
        "old:when": float(min(conditional, 2)),
        "old:long": max(0.0, math.log(max(1, length) / _LONG)),
        "old:breaks": float(breaks),
        f"old:unknown={min(unknown, 3)}": 1.0,
        f"old:breaks={min(breaks, 3)}": 1.0,
        f"old:long={sum(length > most for most in (12, 16, 22))}": 1.0,
    }
    if not (unknown or breaks or conditional):
        told["old:clean"] = 1.0
    if not (unknown or conditional) and breaks <= 1 and length <= 16:
        told["old:simple"] = 1.0
    return told
