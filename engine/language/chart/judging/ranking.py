"""All readings of a text, likeliest first: of the chart, of the earlier reader, of wishes and of what is remembered.

Where the words leave doubt, the sense of the whole is weighed, too."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence, Set
from types import MappingProxyType

from engine.environment.selection import Selector
from engine.language.chart.heard.items import Sort, function_words
from engine.language.chart.judging.apart import apart, to_its_aim
from engine.language.chart.judging.confidence import MOST_LEFT_OUT, acts, confidence, left_out
from engine.language.chart.judging.lost import lost, parts_of, values_of
from engine.language.chart.judging.reader import (
    Candidate,
    Heard,
    effect_of,
    grouped,
    heard,
    intents_of,
    model,
    worth,
)
from engine.language.chart.judging.senses import sense_of
from engine.language.chart.judging.traits import traits
from engine.language.chart.judging.wished import wishes
from engine.language.meanings.context import Context
from engine.language.meanings.past import Hearing
from engine.language.meanings.readings import Alternatives
from engine.language.phrases.coordination import Goal
from engine.language.phrases.temporal import SECONDS
from engine.language.understanding import is_in_words, understand
from engine.language.words.records import replace
from engine.language.words.tokens import Token, TokenKind
from engine.model.intent import Category, Intent

Past = Mapping[str, Sequence[Intent]]
"""What a text comes to if it is for how something was, by where that is remembered."""
_LONG = 12
ASKS = "asks"
"""The mood of a text that has the mark of a question and no word of a request."""
_REQUESTING = {Sort.Modal.value, Sort.Requesting.value}
_COUNTING = {one.value for one in (Sort.Which, Sort.HowMany)}
_ASKING = {Sort.What.value, *_COUNTING}


def ranked(
    text: str,
    request: str,
    context: Context,
    past: Past = MappingProxyType({}),
    *,
    by_words: bool = False,
) -> Heard:
    """All readings of a text, likeliest first; among them those of the earlier reader, and of what is remembered.

    Where the words leave doubt, the sense of the whole text is weighed, too, except with `by_words`."""
    weights = model()["weights"]
    found = heard(text, request, context, weights)
    earlier = _earlier(text, request, context, found, weights)
    agreed = [_agreeing(c, earlier, weights) for c in found.candidates if not is_rule(c)]  # rules are read in parts
    most = max((len(c.goals) for c in found.candidates[:1]), default=0)
    recalled = [_made(name, intents, text, context, weights, most) for name, intents in past.items()]
    unknown = earlier.features.get("old:unknown", 0.0)
    likeliest = sorted(agreed, key=lambda c: -c.score)[:2]
    certain = _is_wished_in_words(earlier) or any(_is_plain(c, unknown) for c in likeliest)
    wished = wishes(text, request, context, found, weights, certain=certain)
    wished = [_agreeing(c, earlier, weights) for c in wished]
    mood = mood_of(found, context)
    asked = to_its_aim(text, f"{request}/aim", context, found) or apart(text, f"{request}/apart", context, found)
    between = [] if asked is None else [_made("apart", [asked], text, context, weights, 1)]
    everyone = _losing((*agreed, earlier, *between, *recalled, *wished), found, context, mood, weights)
    found = replace(found, candidates=tuple(grouped(everyone)), first=next(iter(found.candidates), None))
    return found if by_words else _sensed(found, text, context)


def _sensed(found: Heard, text: str, context: Context) -> Heard:
    """The readings of a text weighed with its sense as a whole, where the likeliest is in doubt."""
    best, earlier = found.candidates[0], of_earlier_reader(found)
    if is_of_old(earlier) or confidence(best, found.candidates, found, context) >= model()["thresholds"]["sense"]:
        return found
    sense = sense_of(text)
    if sense is None:
        return found
    weights = model()["sensed"]["weights"]
    known: dict[tuple[str, ...], dict[str, float]] = {}
    weighed = []
    for one in found.candidates:
        if one.effect not in known:
            known[one.effect] = sense.features(traits(one.intents, parts_of(one.effect, context), context))
        features = {**one.features, **known[one.effect]}
        weighed.append(replace(one, features=features, score=worth(features, weights)))
    return replace(found, candidates=tuple(grouped(weighed)), sensed=True)


def of_earlier_reader(found: Heard) -> Candidate:
    """The reading of the earlier reader."""
    return next(c for c in found.candidates if "old" in c.features)


def _is_plain(candidate: Candidate, unknown: float) -> bool:
    """Whether a reading does something by all that is said; `unknown`: how many words nobody knows."""
    left = left_out(candidate.features) + candidate.features.get("aside:word", 0.0)
    left += 0 if "agrees" in candidate.features else unknown
    understood = bool(candidate.intents) and all(i.fault in (None, "missing_value") for i in candidate.intents)
    most = MOST_LEFT_OUT if "agrees" in candidate.features else 0
    return understood and acts(candidate) and left <= most


def _is_wished_in_words(earlier: Candidate) -> bool:
    """Whether the earlier reader knows the words of a wish, and did not guess by what is near in meaning."""
    return is_wish(earlier) and any(is_in_words(i) for i in earlier.intents)


def _losing(
    candidates: Sequence[Candidate], found: Heard, context: Context, mood: str, weights: Mapping[str, float]
) -> list[Candidate]:
    """Readings with the price of what is named and lost, and of acting or answering in a text of this mood."""
    known: dict[int, dict[str, float]] = {}  # of goals that several readings share
    priced = []
    for one in candidates:
        more = known.get(id(one.goals))
        if more is None:
            more = known[id(one.goals)] = lost(found.named, one.goals, one.effect, context)
            if acts(one) or is_asked(one.goals):
                more[f"{mood}:{'acts' if acts(one) else 'answers'}"] = 1.0
        priced.append(_with(one, more, weights))
    return priced


def mood_of(found: Heard, context: Context) -> str:
    """How a text is meant by its mark and its words for asking: as a question, a request in that form, or plainly."""
    tokens = found.tokens
    if found.bare:
        return ASKS
    sorts = function_words(context.store).sorts_in(tokens)
    if Sort.YesOrNo.value in sorts:
        return ASKS
    if not tokens or tokens[-1].text != "?":
        return _unmarked_mood(tokens, sorts, context)
    return "begs" if sorts & _REQUESTING and not sorts & _COUNTING else ASKS


def _unmarked_mood(tokens: Sequence[Token], sorts: Set[str], context: Context) -> str:
    """The mood of a text without the mark of a question; one clause that begins with "which" or the like asks."""
    first = function_words(context.store).trie.at(tokens, 0) if tokens else ()
    begun = {e.iri for match in first if match.end == 1 for e in match.entries}  # "give me" may order
    one = all(token.kind is not TokenKind.PUNCTUATION for token in tokens[:-1])
    if one and not _ASKING.isdisjoint(begun) and not sorts & _REQUESTING:
        return ASKS
    return "questions" if sorts & _ASKING else "plain"


def counts(tokens: Sequence[Token], context: Context) -> bool:
    """Whether a text asks how many, or which: "if I put out the lamp, how many would be left?"."""
    return bool(tokens) and tokens[-1].text == "?" and bool(function_words(context.store).sorts_in(tokens) & _COUNTING)


def _with(candidate: Candidate, more: Mapping[str, float], weights: Mapping[str, float]) -> Candidate:
    """A reading with further features, and their price."""
    if not more:
        return candidate
    return replace(candidate, features={**candidate.features, **more}, score=candidate.score + worth(more, weights))


def _made(
    name: str, intents: Sequence[Intent], text: str, context: Context, weights: Mapping[str, float], goals: int
) -> Candidate:
    """Intents that are read of no clause, as one more reading by a name: how something was, how far two are apart;
    `goals`: how many the likeliest other has."""
    selector, noted = Selector(context.store, context.registry), Counter({name: 1})
    noted[f"{name}:fewer"] = max(0, goals - len(intents))
    effects = [effect_of(i, context, selector, noted) for i in intents]
    features = {feature: float(count) for feature, count in noted.items() if count}
    score = worth(features, weights)
    hearing = Hearing(goals={i.iri: Goal(text, 0, len(text)) for i in intents[:1]})
    return Candidate(tuple(((i,),) for i in intents), (), features, score, tuple(map(repr, effects)), hearing=hearing)


def _agreeing(candidate: Candidate, earlier: Candidate, weights: Mapping[str, float]) -> Candidate:
    return _with(candidate, {"agrees": 1.0} if candidate.effect == earlier.effect else {}, weights)


def _earlier(text: str, request: str, context: Context, found: Heard, weights: Mapping[str, float]) -> Candidate:
    """What the earlier reader makes of a text, as one more reading: it gives no account of its words, so what tells of
    it is what it would do, and how many of the words the home and the language know."""
    hearing = Hearing()
    goals = understand(text, request, replace(context, hearing=hearing))
    features: Counter[str] = Counter({"old": 1})
    noted: Counter[str] = Counter()
    selector = Selector(context.store, context.registry)
    intents = intents_of(goals)
    effects = [effect_of(i, context, selector, noted) for i in intents]
    features.update({f"old:{name}": count for name, count in noted.items()})
    features.update({f"old:{sort}": 1 for sort in {i.category.value for i in intents if i.fault is None}})
    features.update(_of_words(found, context))
    if len(goals) > 1:
        features["old:several"] += 1
    score = worth(features, weights)
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


def that_goes_on(best: Candidate, found: Heard, context: Context) -> Candidate:
    """A reading; of what is remembered ("same for the pantry") rather one of the words that comes to the same, by
    which the talk can go on."""
    comes_to = _comes_to(best, context)
    if best.account or "old" in best.features or not comes_to:
        return best
    parts = parts_of(best.effect, context)
    heard_too = (c for c in found.candidates if c.account or "old" in c.features)
    alike = (c for c in heard_too if parts_of(c.effect, context) == parts)
    return next((c for c in alike if comes_to.items() <= _comes_to(c, context).items()), best)


def _comes_to(candidate: Candidate, context: Context) -> Mapping[tuple[str, str], object]:
    """The value that a reading leaves each part of the home with, by its kind; none where it does anything else."""
    found: dict[tuple[str, str], object] = {}
    for intent, effect in zip(candidate.intents, candidate.effect, strict=True):
        values = values_of(intent, effect, context)
        if values is None:
            return {}
        found.update(values)
    return found


def is_rule(candidate: Candidate) -> bool:
    """Whether a reading is for another time, or for where something is so."""
    return any(i.category is Category.RULE for i in candidate.intents)


def is_timed(candidate: Candidate) -> bool:
    """Whether a reading waits for something, or works as long as was said."""
    sound = [i for i in candidate.intents if i.fault is None]
    timings = [i.timing for i in sound if i.timing is not None]
    waits = any(timing.start or timing.end or timing.duration for timing in timings)
    return waits or any(amount.unit in SECONDS for i in sound for _, amount in i.inputs)


def is_wish(candidate: Candidate) -> bool:
    """Whether a reading says what is wished, and not by what."""
    return any(i.category is Category.IMPLICIT and i.fault is None for i in candidate.intents)


def is_asked(goals: Sequence[Alternatives]) -> bool:
    """Whether all of it is a question that can be answered: "tell me if any switches are on"."""
    intents = intents_of(goals)
    return bool(intents) and all(i.category is Category.CHECK and i.fault is None for i in intents)


def is_of_old(earlier: Candidate) -> bool:
    """Whether the earlier reader reads what it reads best: what somebody likes; a question in words that it knows."""
    if any(i.category is Category.PREFERENCE for i in earlier.intents):
        return True
    return is_asked(earlier.goals) and earlier.features.get("old:clean", 0.0) > 0
