"""So much less: "ten percent off the lamps", "another ten off", "take ten from it"."""

from __future__ import annotations

from functools import wraps

from engine.graph.terms import expand
from engine.language.chart.heard.items import Item, Sort
from engine.language.chart.joining.attach import Rule, Ways, flushed, in_clause, took
from engine.language.chart.joining.frames import State
from engine.language.chart.joining.sentence import Sentence


def is_taken_off(state: State, item: Item, sentence: Sentence) -> bool:
    """Whether an "off" stands between a share and its set, behind one more share, or behind one that a verb takes off
    ("ten percent off the lamps", "another ten off", "knock ten off"), or a "from" behind a share that is taken ("take
    ten from the lamps")."""
    if item.text not in ("off", FROM) or state.last != Sort.NUMBER.value:
        return False
    nearest = [(sentence.tokens[start].text, part) for start, _, part in state.account[-3:-1]]
    if item.text == FROM:
        return any(word == TAKE for word, _ in nearest)  # "take *away* ten"
    before = nearest[-1:]
    more = any(word == _MORE and part in ("preposition", "before") for word, part in before)
    lessens = sentence.ends_at(item.end) and any(
        e.iri == DECREASE for word, _ in before for e in sentence.phrasal(word, item.text)
    )
    bare = not (state.clause.phrases or state.clause.places or state.clause.verbs or state.clause.qualities)
    alone = bare and sentence.ends_at(item.end)  # "and again, ten percent off"
    return more or lessens or alone or sentence.opens_at(item.end)


DECREASE = expand("hg:Decrease")
_MORE, TAKE, FROM = "another", "take", "from"


def unless_taken_off(rule: Rule) -> Rule:
    """A rule for words that are not themselves where they say that so much is taken off."""

    @wraps(rule)
    def other(state: State, item: Item, sentence: Sentence) -> Ways:
        if not is_taken_off(state, item, sentence):
            yield from rule(state, item, sentence)

    return other


def taken(state: State, item: Item, sentence: Sentence) -> Ways:
    """ "Ten percent off it", "ten percent off the lamps": so much less."""
    if item.length == 1 and not is_taken_off(state, item, sentence):
        return
    settled = flushed(state)
    if settled is None or not any(how.number is not None for _, how in settled.clause.amounts) or settled.clause.asks:
        return
    yield took(settled, item, "change", "direction:down", clause=in_clause(settled, direction=-1), preposition="")
