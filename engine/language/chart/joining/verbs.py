"""How a verb, its particle, and a word for more or less join a reading."""

from __future__ import annotations

from collections.abc import Iterator

from engine.graph.terms import expand
from engine.language.chart.heard.items import Item, Sort
from engine.language.chart.joining.attach import (
    Ways,
    flushed,
    in_clause,
    is_order,
    new_clause,
    ranked,
    ready_for,
    says,
    tested,
    took,
)
from engine.language.chart.joining.contents import over, participle, under_way
from engine.language.chart.joining.frames import State
from engine.language.chart.joining.sentence import Sentence
from engine.language.chart.joining.values import place_of
from engine.language.words.lexicon import Entry, Role
from engine.language.words.morphology import superlative_of
from engine.language.words.records import replace
from engine.language.words.spans import Restriction
from engine.model.intent import Asks

_ONE = "one"
MOST_APART = 2
"""Of how many words a verb is at most that takes one more word: "turn … on"."""
TURN_OFF = Entry(Role.COMMAND, expand("hg:TurnOff"))


def relative(state: State, item: Item, sentence: Sentence) -> Ways:
    """ "brighter", "lower", "dim": a change, or a comparison where "than" follows."""
    if _is_before_number(item, sentence) and (_says_one(state) or _ends_in_an_article(state)):
        if _says_one(state):
            yield took(replace(state, before=None), item, "filler", "relative:of-number")
        return
    yield from _ranking(state, item, sentence)
    yield from _compared(state, item, sentence)
    before = state.held
    if before is not None and before.quantity == "none" and state.clause.amounts:
        yield took(replace(state, before=None), item, "filler", "relative:no-more")  # "thirty percent and no brighter"
        return
    if before is not None and before.determined and before.quantity != "all" and not before.places:  # "the warmer one"
        order = Restriction("most", relation=sentence.span(item), count=before.count)
        yield took(state, item, "order", "relative:order", before=replace(before, order=order))
    yield from _changed(state, item)


def _compared(state: State, item: Item, sentence: Sentence) -> Ways:
    """ "Is it warmer", "any lamp brighter than 50", "the lounge is warmer than the hall": a comparison."""
    span, clause = sentence.span(item), state.clause
    which = _compares_noun(state, item, sentence)
    if clause.asks or (state.open and not which) or clause.condition:
        held = replace(state, before=None) if state.before is not None and not says(state.before) else state
        changed = held.clause if held.clause.relation or held.open else replace(held.clause, relation=span)
        yield took(held, item, "relation", "relative:compares", relation=span, clause=changed)
    elif clause.phrases and (not clause.verbs or which):
        yield took(state, item, "relation", "relative:compares-noun", relation=span, open="phrase")
    elif clause.copula and clause.places and not (clause.modal or clause.verbs or state.joint):
        compares = replace(clause, relation=span, told=True)
        held = replace(state, before=None)
        yield took(held, item, "relation", "relative:told", relation=span, clause=compares)


def _changed(state: State, item: Item) -> Ways:
    """ "Make it brighter": a change."""
    options = [one for one, _ in ready_for(state, item)] if state.joint else [state]
    for ready in options:
        settled = flushed(ready)
        if settled is None:
            continue
        own = settled.clause
        features = ["relative:changes"]
        if any(e.role is Role.COMMAND for e in own.verbs):
            features.append("relative:after-command")
        changed = replace(own, verbs=(*own.verbs, *item.entries), verb=own.verb or item.text)
        yield took(settled, item, "change", *features, clause=changed, joint="", preposition="")


def _is_before_number(item: Item, sentence: Sentence) -> bool:
    """Whether a number follows, which it may describe and not be a change by: "a *warmer* 3000 kelvin"."""
    behind = sentence.tokens[item.end] if item.end < len(sentence.tokens) else None
    return behind is not None and behind.number is not None and behind.text != _ONE


def _says_one(state: State) -> bool:
    """Whether an article stands before, alone."""
    return state.before is not None and state.before.article and not state.before.restricts


def _ends_in_an_article(state: State) -> bool:
    """Whether a preposition of several words stands before: "to a", which is read as "to" and "a" as well."""
    start, end, part = state.account[-1] if state.account else (0, 0, "")
    return part == "preposition" and end - start > 1


def _ranking(state: State, item: Item, sentence: Sentence) -> Ways:
    """ "Whichever room is warmer": behind its noun, and with nothing to compare with, the first of a ranking."""
    compares = bool(state.open) and superlative_of(item.text) is not None
    host = ranked(state, Restriction("most", relation=sentence.span(item))) if compares else None
    if host is not None and not _is_before_than(item, sentence):
        yield took(host, item, "order", "relative:ranks")


def _compares_noun(state: State, item: Item, sentence: Sentence) -> bool:
    """Whether a comparison with "than" says which of the things just named are meant: "any lamp brighter than 50"."""
    return state.last == Sort.NOUN.value and not state.joint and _is_before_than(item, sentence)


def _is_before_than(item: Item, sentence: Sentence) -> bool:
    return item.end < len(sentence.tokens) and sentence.tokens[item.end].text == "than"


def gradable(state: State, item: Item, sentence: Sentence) -> Ways:
    """ "bright", "warm": of what a question asks, or how something is."""
    if state.clause.head == "How" or state.clause.asks is Asks.VALUE:
        yield took(state, item, "relation", "gradable:asked", clause=in_clause(state, relation=sentence.span(item)))


_PARTICLES = {"up": 1, "down": -1}


def direction(state: State, item: Item, sentence: Sentence) -> Ways:
    """ "up", "down": which way; with a verb before it that has such a particle, the verb."""
    verbal = verb_with(state, item, sentence)
    if verbal is not None:
        yield verbal
    way = item.said if item.sort in (Sort.Upwards, Sort.Downwards) else _PARTICLES.get(item.text)
    if isinstance(way, int):
        settled = flushed(state)
        if settled is not None and not settled.clause.asks:
            way = way if item.text in _PARTICLES else settled.clause.direction or way  # "down by ten *more*"
            yield took(
                settled,
                item,
                "change",
                f"direction:{item.text}",
                clause=in_clause(settled, direction=way),
                joint="" if settled.joint == "" else settled.joint,
                preposition="",
            )


def verb_with(state: State, item: Item, sentence: Sentence) -> State | None:
    """The state with the verb that the clause's verb makes together with a particle that stands apart."""
    clause = state.clause
    if not clause.verb or state.joint or len(clause.verb.split()) > MOST_APART:
        return None  # "turn *down the volume* on two speakers"
    entries = sentence.phrasal(clause.verb, item.text)
    if not entries or set(entries) <= set(clause.verbs):
        return None
    settled = flushed(state)
    if settled is None:
        return None
    clause = replace(settled.clause, verbs=entries, verb=f"{clause.verb.split()[0]} {item.text}")
    return took(settled, item, "verb", "verb:particle", clause=clause)


def tail(state: State, place: int, sentence: Sentence) -> Iterator[tuple[State, int]]:
    """The words that the verb of the clause makes a command with, apart from it."""
    if not state.clause.verb or state.clause.asks:
        return
    for end, entries in sentence.tails(state.clause.verb, place):
        if end == place + 1 and sentence.opens_at(end):
            continue  # "turn up the brightness of the lamp": a word before a name is a preposition, and no particle
        settled = flushed(state)
        if settled is None or set(entries) <= set(settled.clause.verbs):
            continue
        words = " ".join(t.text for t in sentence.tokens[place:end])
        item = Item(place, end, Sort.PARTICLE, words)
        clause = replace(settled.clause, verbs=entries, verb=f"{settled.clause.verb} {words}")
        yield took(settled, item, "verb", "verb:tail", clause=clause, joint="", preposition=""), end


def particle(state: State, item: Item, sentence: Sentence) -> Ways:
    """ "on", "off", "down" after a verb: part of it; "off all the fans": a verb by itself."""
    verbal = verb_with(state, item, sentence)
    if verbal is not None:
        yield verbal
    yield from participle(state, item, sentence)
    if state.before is None and not state.preposition and sentence.opens_at(item.end) and sentence.puts_out(item):
        fresh = state if state.clause.empty else new_clause(state, item) if state.joint else None
        if fresh is not None and not (fresh.clause.asks or fresh.clause.condition):
            leads = replace(fresh.clause, verbs=(TURN_OFF,), verb=item.text)
            yield took(fresh, item, "verb", "verb:command", clause=leads, joint="")
    if item.text in ("up", "down"):
        yield from direction(state, item, sentence)


def verb(state: State, item: Item, sentence: Sentence) -> Ways:
    """A verb: of this clause, or of a new one; in a question or a condition, how something is."""
    yield from under_way(state, item)
    yield from over(state, item, sentence)
    before = state.held
    if before is not None and before.determined and not says(before):
        return  # no verb after an article
    if _is_before_number(item, sentence) and _ends_in_an_article(state):
        return  # "to a louder 40"
    yield from _verb_as_test(state, item, sentence)
    yield from participle(state, item, sentence)
    settled = flushed(state)
    if settled is None:
        return
    own = settled.clause
    if not is_order(own) and not settled.joint and not own.verbs:
        if item.text.split()[0].endswith(("ed", "ing")):  # "the door is being opened"
            yield took(settled, item, "told", "told:verb", clause=replace(own, told=True))
        return
    named = replace(own, verbs=item.entries, verb=item.text)
    if not own.verbs:
        yield from _first_verb(settled, item)
    elif not settled.joint and not (settled.preposition and own.qualities):  # "set its mode to grill"
        yield from _second_verb(settled, item)
    if settled.repair and own.verbs:
        mended = replace(named, repaired=True)
        yield took(settled, item, "verb", "repair:verb", clause=mended, repair=False, joint="", preposition="")
    told = own.asks is not None and not settled.joint and item.text.split()[0].endswith(("ed", "ing"))
    fresh = None if own.empty or told else new_clause(settled, item)  # "has it finished" orders nothing
    if fresh is not None:
        denied = settled.negated or fresh.clause.negated  # "…, but do not start it"
        begun = replace(fresh.clause, verbs=item.entries, verb=item.text, negated=denied)
        yield took(fresh, item, "verb", f"verb:{_sort_of(item)}", clause=begun, joint="", preposition="")


def _sort_of(item: Item) -> str:
    roles = {e.role for e in item.entries}
    return "light" if roles == {Role.LIGHT_VERB} else "relative" if roles == {Role.RELATIVE} else "command"


def _verb_as_test(state: State, item: Item, sentence: Sentence) -> Ways:
    """ "Which speakers play", "when the door opens"."""
    told = tuple(dict.fromkeys(e for c in item.entries for e in sentence.states.get(c.iri, ())))
    if told and (state.open or state.clause.asks or state.clause.condition):
        ready = flushed(state)
        done = tested(ready, replace(sentence.span(item), entries=told)) if ready is not None else None
        if done is not None:
            yield took(done, item, "test", f"test:verb:{place_of(state)}")


def _first_verb(state: State, item: Item) -> Ways:
    """The verb of a clause that has none yet."""
    own, sort = state.clause, _sort_of(item)
    if _narrates(state, item):
        yield took(state, item, "told", "told:verb", clause=replace(own, told=True, verbs=()), joint="")
        return
    features = [f"verb:{sort}"]
    features += [f"verb:{sort}-in-question"] if own.asks else []
    features += [f"verb:{sort}-in-condition"] if own.condition else []
    features += ["verb:after-noun"] if own.phrases and not own.modal else []
    features += ["verb:after-copula"] if own.copula and not own.modal else []
    features += [f"verb:over-joint{state.joint}"] if state.joint and not own.empty else []
    features += ["verb:where-test"] if state.open and state.last in _OPENERS else []
    clause = replace(own, verbs=item.entries, verb=item.text)
    yield took(state, item, "verb", *features, clause=clause, joint="", preposition="", open="")


def _second_verb(state: State, item: Item) -> Ways:
    """ "Have it turned off", "get the fan going": a verb after one that says only "bring about"."""
    own, sort = state.clause, _sort_of(item)
    if sort == "light":
        yield took(state, item, "verb", "verb:second-light", joint="", preposition="")
    elif all(e.role is Role.LIGHT_VERB for e in own.verbs):
        clause = replace(own, verbs=item.entries, verb=item.text)
        yield took(state, item, "verb", f"verb:light+{sort}", clause=clause, joint="", preposition="", open="")


def _narrates(state: State, item: Item) -> bool:
    """ "My sister turned on the light": somebody who is no thing of the home did something."""
    if state.last == Sort.SpeakerWord.value and item.text.split()[0].endswith("ing"):
        return True  # "we're running late"
    finite = item.text.split()[0].endswith("ed") and not state.clause.asks
    return finite and state.last in (Sort.SpeakerWord.value, Sort.Somebody.value, Sort.Nobody.value, Sort.WORD.value)


_OPENERS = frozenset(one.value for one in (Sort.That, Sort.Whose, Sort.Still, Sort.Copula, Sort.Being, Sort.Wherever))
