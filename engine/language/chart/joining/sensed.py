"""How it is said that somebody is in a room or nobody: by a person, by movement, by a sensor."""

from __future__ import annotations

from engine.graph.terms import expand
from engine.language.chart.heard.items import Item, Sort
from engine.language.chart.joining.attach import Ways, flushed, says, took, with_test
from engine.language.chart.joining.contents import is_of_content
from engine.language.chart.joining.frames import Clause, State
from engine.language.chart.joining.sentence import Sentence
from engine.language.phrases.slots import PlaceName
from engine.language.words.lexicon import Entry, Role
from engine.language.words.records import replace
from engine.language.words.spans import Restriction
from engine.model.intent import Asks

OCCUPIED = Entry(Role.STATE, expand("hg:IsOccupied"))
UNOCCUPIED = Entry(Role.STATE, expand("hg:IsUnoccupied"))
ROOM = Entry(Role.PLACE_CLASS, expand("hg:Room"))
_MOVING = frozenset({expand("hg:Motion"), expand("hg:Occupancy")})


def person(state: State, item: Item, sentence: Sentence) -> Ways:
    """ "nobody is there": a room that is empty or not."""
    if state.before is not None and says(state.before):
        return
    bare = replace(state, before=None)
    empty = item.sort is Sort.Nobody
    yield from _present(bare, item, sentence, empty=empty, negated=state.negated and not empty)  # "ain't seeing nobody"
    if state.clause.empty and not (state.clause.condition or state.negated or state.open):
        yield took(bare, item, "filler", "filler")  # "somebody closed the blind"


def moving(state: State, item: Item, sentence: Sentence) -> Ways:
    """ "No motion in a room", "where there's movement": somebody is there, or nobody."""
    before = state.before
    if not {e.iri for e in item.entries} <= _MOVING or (before is not None and says(before)):
        return
    empty = before is not None and before.quantity == "none"
    yield from _present(replace(state, before=None), item, sentence, empty=empty, negated=state.negated and not empty)


def _present(state: State, item: Item, sentence: Sentence, *, empty: bool, negated: bool) -> Ways:
    """The state with a room that is said to be empty or not."""
    span = replace(sentence.span(item), entries=(UNOCCUPIED if empty else OCCUPIED,))
    one, clause = Restriction("=", span, negated=negated), state.clause
    if state.open == "place":
        done = with_test(replace(state, host=None), one)
        if done is not None:
            yield took(done, item, "presence", "person:room", open="place")
    elif clause.asks is Asks.PLACE and not clause.phrases:
        rooms = PlaceName((ROOM,), "rooms", True, (), True, (one,))
        asked = replace(clause, asks=Asks.LIST, head=Sort.Which.value, places=(rooms,))
        yield took(state, item, "presence", "person:asked", clause=asked, negated=False)
    elif clause.asks or clause.condition:
        told = replace(clause, predicate=(*clause.predicate, one))
        yield took(state, item, "presence", "person:asked", clause=told, negated=False)
    elif _may_tell(clause) and not state.joint:  # "nobody in a room: lights off there"
        told = replace(clause, predicate=(*clause.predicate, one), told=True)
        yield took(state, item, "presence", "person:room", clause=told, negated=False)


def _may_tell(clause: Clause) -> bool:
    """Whether no more has been said than where."""
    return not (clause.phrases or clause.verbs or clause.amounts or clause.request or clause.modal or clause.predicate)


def witness(state: State, item: Item, sentence: Sentence) -> Ways:
    """ "The motion sensor" that sees nobody: it counts only whom it sees."""
    del sentence
    held, clause = state.before, state.clause
    if held is not None and held.places and not (held.modifiers or held.values or held.order):
        bare = flushed(state) or state  # "a room's motion sensor"
    elif held is not None and says(held):
        return
    else:
        bare = replace(state, before=None)
    if is_of_content(state) and state.last != Sort.And.value:
        yield took(bare, item, "witness", "filler", preposition="", joint="")
    elif not bare.joint and not bare.preposition and (_may_tell(clause) or state.open == "place"):
        yield took(bare, item, "witness", "filler")


def sensing(state: State, item: Item, sentence: Sentence) -> Ways:
    """ "Sees", "reports": the work of a sensor."""
    del sentence
    if _is_of_witness(state):
        yield took(state, item, "sensing", "copula:test", preposition="")


def unsensing(state: State, item: Item, sentence: Sentence) -> Ways:
    """ "Can't see": a sensor at work that finds nobody."""
    del sentence
    if _is_of_witness(state):
        yield took(state, item, "sensing", "not:test", preposition="", negated=not state.negated)


def _is_of_witness(state: State) -> bool:
    """Whether a sensor has been named, and no more said of it than where."""
    parts = [part for _, _, part in state.account if part not in ("preposition", "before", "place", "copula")]
    return bool(parts) and parts[-1] in ("witness", "modal", "not") and "witness" in parts[-2:]
