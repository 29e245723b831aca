"""How a word joins a reading that says of something that it is left out, or left alone."""

from __future__ import annotations

from engine.language.chart.heard.items import Item, Sort
from engine.language.chart.joining.attach import Ways, new_clause, on_settled, took
from engine.language.chart.joining.excepted import with_last_excepted
from engine.language.chart.joining.frames import State
from engine.language.chart.joining.sentence import Sentence
from engine.language.words.records import replace


@on_settled
def leaving(state: State, item: Item, sentence: Sentence) -> Ways:
    """ "leave the cellar alone": an exception."""
    if not state.clause.empty:
        yield took(state, item, "except", "leave", target="except", joint="", preposition="")
    fresh = state if state.clause.empty else new_clause(state, item)
    if fresh is not None:
        yield took(fresh, item, "leave", "leave:clause", clause=replace(fresh.clause, leave=True), joint="")


@on_settled
def excepting(state: State, item: Item, sentence: Sentence) -> Ways:
    """ "except", "but not"."""
    yield took(state, item, "except", "except:word", target="except", joint="", preposition="", open="")


@on_settled
def excepted(state: State, item: Item, sentence: Sentence) -> Ways:
    """ "The study and the hall excluded": the last names are left out."""
    parts = [(part, sentence.tokens[start].text) for start, _, part in state.account if part != "before"]
    if parts and parts[-1][0] in ("noun", "place"):
        names = 1
        while parts[-2 * names : 1 - 2 * names] == [("joint", "and")] and parts[-2 * names - 1][0] == parts[-1][0]:
            names += 1
        place = parts[-1][0] == "place"
        clause = with_last_excepted(state.clause, names, places=place)
        if clause is not None:
            yield took(state, item, "except", "except:after", clause=clause, joint="", open="", preposition="")
        within = place and bool(state.clause.phrases) and bool(state.clause.phrases[-1].places)
        clause = with_last_excepted(state.clause, 1, places=False) if within else None
        if clause is not None:  # "…, the lamp in the hall excepted"
            more = {"clause": clause, "joint": "", "open": "", "preposition": ""}
            yield took(state, item, "except", "except:after", "except:after-noun", **more)


@on_settled
def negation(state: State, item: Item, sentence: Sentence) -> Ways:
    """ "not", "don't": of a test, of what was said wrongly, of an order; behind a name, of a thing left out."""
    clause = state.clause
    if sentence.ends_at(item.end) and not (state.open or clause.asks or clause.condition):  # "…, only the hall not"
        yield from excepted(state, item, sentence)
    if state.open or clause.asks or clause.condition or state.last == Sort.Witness.value:
        yield took(state, item, "not", "not:test", negated=not state.negated)
        return
    if state.last == Sort.NOUN.value and not state.joint and not clause.verbs:  # "any fan not on night mode"
        yield took(state, item, "not", "not:noun", open="phrase", negated=True)
    if not clause.verbs and (not clause.phrases or clause.modal):
        yield took(state, item, "not", "not:order", clause=replace(clause, negated=True))
    else:
        fresh = new_clause(state, item)
        if fresh is not None:
            yield took(fresh, item, "not", "not:clause", clause=replace(fresh.clause, negated=True))
