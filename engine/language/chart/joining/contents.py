"""How music that plays, and food that is heated, join a reading: "rooms with music on", "heat up my lunch"."""

from __future__ import annotations

from collections.abc import Sequence

from engine.graph.terms import expand
from engine.language.chart.heard.items import ARTICLES, Item, Sort, includes
from engine.language.chart.joining.attach import WHEN_WILL, Ways, flushed, in_clause, says, tested, took, with_test
from engine.language.chart.joining.frames import State
from engine.language.chart.joining.sentence import Sentence
from engine.language.phrases.slots import Quality
from engine.language.words.lexicon import Entry, Role
from engine.language.words.records import replace
from engine.language.words.spans import Restriction
from engine.model.intent import Asks

PLAYING = Entry(Role.VALUE, expand("hg:Playing"))
COOKING = Entry(Role.COMMAND, expand("hg:StartCooking"))
LEFT = Entry(Role.PROPERTY, expand("hg:RemainingTime"))
_OVER = frozenset(expand(name) for name in ("hg:Finished", "hg:Stop"))
_HEATING = frozenset(expand(name) for name in ("hg:Preheat", "hg:StartCooking", "hg:TemperatureUp", "hg:WarmUp"))
_BESIDE = frozenset({"before", "copula", "joint"})


def content(state: State, item: Item, sentence: Sentence) -> Ways:
    """ "music", "a video": of a room or a device, that it plays; said beside that, nothing more."""
    if state.before is not None and says(state.before):
        return
    bare = replace(state, before=None)
    none = state.before is not None and state.before.quantity == "none"
    plays = Restriction("=", replace(sentence.span(item), entries=(PLAYING,)), negated=state.negated or none)
    if is_of_content(state) or _plays(state):
        yield took(bare, item, "content", "filler", joint="")
    elif state.open in ("place", "phrase") and not state.joint:
        done = with_test(replace(bare, host=None), plays)
        if done is not None:
            yield took(done, item, "content", f"test:word:{state.open}", open=state.open)
    elif state.clause.asks is Asks.LIST and not state.clause.phrases and not state.joint:
        told = replace(state.clause, predicate=(*state.clause.predicate, plays))
        yield took(bare, item, "content", "test:word:asked", clause=told, negated=False)


def participle(state: State, item: Item, sentence: Sentence) -> Ways:
    """ "Fans running on high", "lights switched on but under 60": how those are that were just named, and no wish."""
    clause, first = state.clause, item.text.split()[0]
    tested_too = (first.endswith("ed") or item.sort in (Sort.PARTICLE, Sort.VALUE)) and item.end + 1 in sentence.bounds
    if state.last != Sort.NOUN.value or state.joint or state.open or not (first.endswith("ing") or tested_too):
        return
    states = (e for c in item.entries for e in sentence.states.get(c.iri, ()))
    told = tuple(dict.fromkeys((*item.having(Role.STATE), *states)))
    several = bool(clause.phrases) and (clause.phrases[-1].plural or clause.phrases[-1].quantity in ("all", "any"))
    ready = flushed(state) if told and several else None
    done = tested(replace(ready, open="phrase"), replace(sentence.span(item), entries=told)) if ready else None
    if done is not None:
        yield took(done, item, "test", "test:participle")


def food(state: State, item: Item, sentence: Sentence) -> Ways:
    """ "Heat up my lunch": food that is heated is cooked."""
    del sentence
    clause = state.clause
    if state.joint or not any(e.iri in _HEATING for e in clause.verbs) or (state.before and says(state.before)):
        return
    cooks = replace(clause, verbs=(COOKING,), verb=clause.verb)
    yield took(replace(state, before=None), item, "noun", "verb:tail", clause=cooks, preposition="")


def over(state: State, item: Item, sentence: Sentence) -> Ways:
    """ "When is the dishwasher done?": how much time is left."""
    if state.clause.head != WHEN_WILL or not any(e.iri in _OVER for e in item.entries):
        return
    settled = flushed(state) if sentence.is_last(item.end) else None
    if settled is not None and not (settled.clause.qualities or settled.joint):
        left = (len(settled.clause.phrases), Quality((LEFT,), item.text))
        yield took(settled, item, "property", "head:Reached", clause=in_clause(settled, qualities=(left,)), open="")


def heats_food(items: Sequence[Sequence[Item]]) -> bool:
    """Whether it is food that something is told to heat, and not the oven."""
    foods = {i.start for own in items for i in own if i.sort is Sort.Food}
    heaters = (i for own in items for i in own if i.sort is Sort.VERB and any(e.iri in _HEATING for e in i.entries))
    return any(_behind(one.end, items) in foods for one in heaters)


def _behind(place: int, items: Sequence[Sequence[Item]]) -> int:
    """Where the articles before a noun end."""
    while place < len(items) and includes((items[place],), *ARTICLES):
        place = max(i.end for i in items[place] if i.sort in ARTICLES)
    return place


def under_way(state: State, item: Item) -> Ways:
    """ "on", "going", "running" after music or the like: that it plays has been said."""
    if not state.joint and is_of_content(state):
        yield took(replace(state, before=None), item, "content", "filler")


def is_of_content(state: State) -> bool:
    """Whether the last words name music or the like, or say that somebody is there."""
    parts = [part for _, _, part in state.account]
    while parts and parts[-1] in _BESIDE:
        parts.pop()
    return bool(parts) and parts[-1] in ("content", "presence")


def _plays(state: State) -> bool:
    """Whether that something plays was said just before: "speakers playing music"."""
    clause = state.clause
    last = clause.phrases[-1].restrictions if clause.phrases else ()
    rooms = clause.places[-1].restrictions if clause.places else ()
    said = (rooms if state.open == "place" else last)[-1:]
    playing = any(e.iri == PLAYING.iri for one in said if one.amount is not None for e in one.amount.entries)
    return playing and state.last in (Sort.VALUE.value, Sort.VERB.value) and not state.joint
