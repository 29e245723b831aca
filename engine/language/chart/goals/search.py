"""The readings of a sentence: a beam over its tokens, each of which is taken by an item or skipped at a price."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from heapq import nlargest
from operator import attrgetter

from engine.language.chart.heard.items import Item, Sort, includes, is_unknown
from engine.language.chart.joining.attach import closed
from engine.language.chart.joining.frames import Clause, State, meaning
from engine.language.chart.joining.function import HEADS
from engine.language.chart.joining.rules import RULES
from engine.language.chart.joining.sentence import Sentence
from engine.language.chart.joining.verbs import tail
from engine.language.words.lexicon import Role
from engine.language.words.morphology import is_progressive
from engine.language.words.records import replace
from engine.model.intent import Asks

BEAM = 24
MOST_FINISHED = 20
MOST_ASIDES = 3
FAR = 9.0
LONGEST = 5
"""How many words the name of a thing may have before one of them."""

Weights = Mapping[str, float]

_BREAKS = (Sort.StopMark, Sort.PauseMark, Sort.ReasonWord)
_IN_ASIDES = {
    Sort.VERB: "verb",
    Sort.NOUN: "noun",
    Sort.PLACE: "place",
    Sort.VALUE: "value",
    Sort.NUMBER: "number",
    Sort.SpeakerWord: "speaker",
    Sort.Requesting: "request",
    Sort.If: "condition",
    Sort.When: "condition",
    Sort.ReasonWord: "reason",
    Sort.Copula: "copula",
    Sort.Being: "copula",
    Sort.Modal: "modal",
    Sort.KIND: "kind",
    Sort.HowMany: "question",
    Sort.Which: "question",
    Sort.What: "question",
    Sort.Not: "not",
}


def readings(sentence: Sentence, items: Sequence[Sequence[Item]], weights: Weights, beam: int = BEAM) -> list[State]:
    """The likeliest readings, best first: each takes or skips every token."""
    length = len(sentence.tokens)
    fronts: list[dict[tuple[object, ...], State]] = [{} for _ in range(length + 1)]
    for start in (State(), *_elided(sentence, items, weights)):
        fronts[0][_key(start)] = start
    ends = [place for place in range(length) if includes((items[place],), *_BREAKS)]
    names = [i for own in items for i in own if _is_a_name(i, own)]
    for place in range(length):
        ways = [(i, _of_a_name(i, names)) for i in items[place] if i.sort is not Sort.ReasonWord]
        for state in _kept(fronts[place], beam):
            for item, cut in ways:
                for ahead in RULES[item.sort](state, item, sentence):
                    ahead = replace(ahead, features=(*ahead.features, CUT)) if cut else ahead
                    _add(fronts[item.end], scored(ahead, len(state.features), weights))
            for ahead, end in tail(state, place, sentence):
                if _cuts(place, end, items):
                    continue
                _add(fronts[end], scored(ahead, len(state.features), weights))
            for aside, end in _asides(state, place, items, ends, length):
                _add(fronts[end], scored(aside, len(state.features), weights))
            for comment, end in _comments(state, place, items, ends):
                _add(fronts[end], scored(comment, len(state.features), weights))
    return _finished(fronts[length].values(), weights)


def _is_a_name(item: Item, own: Sequence[Item]) -> bool:
    """Whether words are the name of one thing here, and more than its class and room: not "the kitchen radio"."""
    placed = any(i.having(Role.PLACE, Role.PLACE_CLASS) and i.length < item.length for i in own)
    return item.length > 1 and bool(item.having(Role.THING)) and not (item.plural or placed)


def _of_a_name(item: Item, names: Sequence[Item]) -> bool:
    """Whether words that mean something by themselves are the beginning of the name of a thing here, or lie in it."""
    if item.sort is Sort.WORD or item.having(Role.THING):
        return False
    return any(one.start <= item.start and item.end <= one.end and item.length < one.length for one in names)


CUT = "cuts:name"


def _elided(sentence: Sentence, items: Sequence[Sequence[Item]], weights: Weights) -> Iterator[State]:
    """The beginning of a question whose verb is left unsaid: "anybody in the hall?", "the washing done?"; of one that
    only names a property: "living room temperature"."""
    if sentence.as_asked:
        yield scored(State(clause=Clause(asks=Asks.LIST, head=Sort.Which.value), features=("head:Which",)), 0, weights)
        return
    if sentence.bare:
        yield scored(State(clause=Clause(asks=Asks.VALUE, head=Sort.What.value), features=("head:What",)), 0, weights)
        return
    named = {i.sort for i in items[0]} & _SUBJECTS if sentence.asks else set()
    if named and not any(i.sort in _QUESTIONING for some in items for i in some):
        begun = State(clause=Clause(asks=Asks.WHETHER, head=Sort.Whether.value), features=("head:Whether",))
        yield scored(begun, 0, weights)


_SUBJECTS = frozenset(
    {Sort.NOUN, Sort.PLACE, Sort.Any, Sort.Everything, Sort.Anything, Sort.Somebody, Sort.Nobody, Sort.Definite}
)
_QUESTIONING = frozenset({*HEADS, Sort.Modal, Sort.Requesting})


def _cuts(start: int, end: int, items: Sequence[Sequence[Item]]) -> bool:
    """Whether words that would belong to a verb end within the name of a kind, or lie in that of a thing: "set the
    alarm volume of the front door lock" sets no alarm, and locks nothing."""
    kinds = (i for n in range(start, end) for i in items[n] if i.sort is Sort.KIND)
    names = (i for n in range(max(0, start - LONGEST), start) for i in items[n] if i.having(Role.THING))
    return any(i.end > end for i in kinds) or any(i.end >= end for i in names)


def _finished(states: Iterable[State], weights: Weights) -> list[State]:
    """The likeliest states that can be closed, best first, one of each meaning."""
    found = []
    for state in nlargest(2 * MOST_FINISHED, states, key=lambda s: s.score):
        done = closed(state)
        if done is not None:
            dangling = ["end:comparison"] if state.comparison else []
            done = replace(done, features=(*done.features, *dangling))
            found.append(scored(done, len(state.features), weights))
    best: dict[tuple[object, ...], State] = {}
    for state in sorted(found, key=lambda s: -s.score):
        best.setdefault(tuple(map(meaning, state.clauses)), state)
    return list(best.values())[:MOST_FINISHED]


def _kept(front: dict[tuple[object, ...], State], beam: int) -> list[State]:
    """The best states of a front, those that are far behind the best left out."""
    best = nlargest(beam, front.values(), key=lambda s: s.score)
    return [s for s in best if s.score > best[0].score - FAR]


def _add(front: dict[tuple[object, ...], State], state: State) -> None:
    key = _key(state)
    known = front.setdefault(key, state)  # to look up and to enter at once: the hash of a key is dear
    if known.score < state.score:
        front[key] = state


_key = attrgetter(
    "clauses", "clause", "before", "preposition", "comparison", "joint", "open",
    "about", "host", "relation", "negated", "repair", "target",
)  # fmt: skip


def scored(state: State, known: int, weights: Weights) -> State:
    """The state, new as it is, with the price of its features from `known` on added to its score."""
    score = state.score + weights.get("item", 0.0)
    for feature in state.features[known:]:
        score += weights.get(feature, 0.0)
    state.score = score
    return state


_BARE = Clause()


def _comments(
    state: State, place: int, items: Sequence[Sequence[Item]], ends: Sequence[int]
) -> Iterator[tuple[State, int]]:
    """Skips a comment on things that are named by their state, up to the next pause: "rooms above 25 degrees | are
    stuffy, | so put the fan there on high"."""
    end = next((one for one in ends if one > place), None)
    if end is None or state.before is not None or state.comparison or not _only_selects(state.clause):
        return
    copula = includes((items[place],), Sort.Being)
    doing = copula and place + 1 < end and is_progressive(items[place + 1][-1].text)  # "are making a racket"
    inside = items[place + 2 : end] if doing else items[place:end]
    begins = copula or (is_unknown(items[place]) and not includes(items[place:end], *_OF_STATES))
    settled = closed(state) if begins and not includes(inside, *_OF_ORDERS) else None
    if settled is not None:
        told = (*settled.features, "comment", *["comment:word"] * (end - place))
        yield replace(settled, features=told, account=(*settled.account, (place, end, "comment"))), end


_OF_ORDERS = (
    Sort.VERB, Sort.NUMBER, Sort.NOUN, Sort.PLACE, Sort.Modal, Sort.Requesting, Sort.HowMany, Sort.Which, Sort.What,
    Sort.If, Sort.When, Sort.Except, Sort.Leave, Sort.Unwanted, Sort.Not, Sort.No, Sort.Reached, Sort.PronounSeveral,
)  # fmt: skip
"""Sorts of words that no comment has."""
_OF_STATES = (Sort.VALUE, Sort.PARTICLE, Sort.Above, Sort.Below)
"""Sorts of words that no comment has that begins with a verb: "those that are off stay off"."""


def _only_selects(clause: Clause) -> bool:
    """Whether a clause names several things or rooms by how they are, and says nothing else."""
    said = any(p.restrictions for p in clause.phrases) or any(p.restrictions for p in clause.places)
    said = said or bool(clause.predicate)
    bare = not (clause.verbs or clause.amounts or clause.asks or clause.condition or clause.copula or clause.leave)
    return len(clause.phrases) + len(clause.places) == 1 and said and bare


def _asides(
    state: State, place: int, items: Sequence[Sequence[Item]], ends: Sequence[int], length: int
) -> Iterator[tuple[State, int]]:
    """Skips up to the next boundaries: a reason, a remark to somebody else."""
    begins = max((i.end for i in items[place] if i.sort is Sort.ReasonWord), default=place)
    reason = begins > place
    if not (state.joint or reason or (state.clause.empty and not state.clause.condition)) or state.before is not None:
        return
    if state.clause.empty and state.clause != replace(_BARE, joint=state.clause.joint) and not reason:
        return
    later = [end for end in ends if end > place][:MOST_ASIDES]
    for end in [*later, length] if len(later) < MOST_ASIDES else later:
        if any(i.sort is Sort.Except for k in range(place, end) for i in items[k]):
            return  # what is left alone is never left out
        inside = {name for k in range(begins, end) for i in items[k] if (name := _IN_ASIDES.get(i.sort))}
        inside |= {"reason"} if reason else set()
        words = end - place
        features = ["aside", *(f"aside:{name}" for name in sorted(inside)), *["aside:word"] * words]
        if state.clauses or not state.clause.empty:
            features.append("aside:after")
        told = (*state.features, *features)
        account = (*state.account, (place, end, "aside"))
        yield replace(state, features=told, account=account, last="aside"), end
