"""What is done with a request: the likeliest reading where it is sure enough for what it does, else a question."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from engine.environment.selection import Selector
from engine.language.chart.items import Sort, function_words
from engine.language.chart.reader import Candidate, Heard, effect_of, grouped, heard, model
from engine.language.context import Context
from engine.language.past import Hearing
from engine.language.readings import Alternatives
from engine.language.tokens import TokenKind
from engine.language.understanding import understand
from engine.model.intent import Category, Intent

_LONG = 12


def decided(text: str, request: str, context: Context) -> tuple[Alternatives, ...]:
    """For each goal of a text its readings; one that says so where no reading is sure enough for what it would do."""
    all_of_it = ranked(text, request, context)
    if not all_of_it.candidates:
        return _unsure(text, request, context)
    best = all_of_it.candidates[0]
    if acts(best) and all_of_it.likelihood() < model()["thresholds"]["act"]:
        return _unsure(text, request, context)
    _take(best.hearing, context.hearing)
    return best.goals


def _unsure(text: str, request: str, context: Context) -> tuple[Alternatives, ...]:
    return (((Intent(f"{request}/intent-1", text, fault="not_understood", subject=text[:200]),),),)


def _take(chosen: Hearing, into: Hearing) -> None:
    into.corrects, into.shifted, into.reference = chosen.corrects, chosen.shifted, chosen.reference
    into.retracted, into.goals = chosen.retracted, chosen.goals


def acts(candidate: Candidate) -> bool:
    """Whether a reading would do something."""
    return any(
        intent.fault is None and intent.category in (Category.EXPLICIT, Category.IMPLICIT)
        for readings in candidate.goals
        for intent in readings[0]
    )


def ranked(text: str, request: str, context: Context, weights: Mapping[str, float] | None = None) -> Heard:
    """All readings of a text, those of the earlier reader among them, likeliest first."""
    weights = model()["weights"] if weights is None else weights
    found = heard(text, request, context, weights)
    earlier = _earlier(text, request, context, found, weights)
    agreed = [_agreeing(c, earlier, weights) for c in found.candidates]
    none = _nothing(text, request, context, found, weights)
    return replace(found, candidates=tuple(grouped([*agreed, earlier, none])))


def _nothing(text: str, request: str, context: Context, found: Heard, weights: Mapping[str, float]) -> Candidate:
    """That none of the readings is what was meant, as one more reading: it is likelier where words are unknown."""
    features = {"null": 1.0, **{f"null{name[3:]}": value for name, value in _of_words(found, context).items()}}
    if context.past.turns:
        features["null:talk"] = 1.0
    if len(found.candidates) < 2:
        features["null:few"] = 1.0
    score = sum(weights.get(name, 0.0) * value for name, value in features.items())
    return Candidate(_unsure(text, request, context), (), features, score, ("nothing",))


def _agreeing(candidate: Candidate, earlier: Candidate, weights: Mapping[str, float]) -> Candidate:
    if candidate.effect != earlier.effect:
        return candidate
    features = {**candidate.features, "agrees": 1.0}
    return replace(candidate, features=features, score=candidate.score + weights.get("agrees", 0.0))


def _earlier(
    text: str, request: str, context: Context, found: Heard, weights: Mapping[str, float]
) -> Candidate:
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
    return {
        "old:unknown": float(min(unknown, 4)),
        "old:when": float(min(conditional, 2)),
        "old:long": max(0.0, math.log(max(1, length) / _LONG)),
        "old:breaks": float(sum(t.text in (",", ";", ".") for t in found.tokens[:-1])),
    }
