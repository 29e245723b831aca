"""How a word joins a reading that says of something that it is left out, or left alone."""

from __future__ import annotations

from engine.language.chart.attach import Sentence, Ways, new_clause, on_settled, took
from engine.language.chart.excepted import with_last_excepted
from engine.language.chart.frames import State
from engine.language.chart.items import Item
from engine.language.records import replace


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
        clause = with_last_excepted(state.clause, names, places=parts[-1][0] == "place")
        if clause is not None:
            yield took(state, item, "except", "except:after", clause=clause, joint="", open="", preposition="")
