"""How an item that says how much, how or when joins a reading: a goal, a test, an adjective, a time."""

from __future__ import annotations

from collections.abc import Sequence

from engine.graph.terms import expand
from engine.language.chart.heard.items import HEARD, Item, Sort
from engine.language.chart.joining.attach import (
    Ways,
    begun,
    flushed,
    follows_kind,
    has_object,
    in_clause,
    is_order,
    last_part,
    new_clause,
    of_last_kind,
    on_settled,
    ready_for,
    tested,
    took,
    whatever,
)
from engine.language.chart.joining.contents import over, participle, under_way
from engine.language.chart.joining.frames import Clause, State
from engine.language.chart.joining.lessening import is_taken_off
from engine.language.chart.joining.sentence import Sentence
from engine.language.phrases.slots import HowMuch, apart
from engine.language.times.times import Duration, Length
from engine.language.words.lexicon import Entry, Role
from engine.language.words.records import replace
from engine.language.words.spans import Restriction, Span

FORMER = Entry(Role.VALUE, expand("hg:Former"))
MOST_COUNTED = 12
_OF_TARGETS = ("", "of", "at", "on")


def valued(state: State, item: Item, sentence: Sentence, *features: str) -> Ways:
    """A value that something is to have."""
    if item.start in sentence.targets and state.preposition in _OF_TARGETS and _may_step(state.clause):
        state = replace(state, preposition="to")
    if state.joint:
        for ready, feature in ready_for(state, item):
            joined = "value:new" if feature == "new" else "value:joined"
            paused = state.joint == "," and not sentence.compares_at(item.end)  # "the lamp, ten brighter"
            beside = feature != "new" and has_object(state.clause)
            yield from _valued(replace(ready, joint=""), item, (*features, joined), paused=paused, beside=beside)
        return
    settled = flushed(state)
    if settled is not None:
        yield from _valued(settled, item, features)


def _may_step(clause: Clause) -> bool:
    """Whether a number could be one by which something changes: a verb of more or less is said, or may follow."""
    return clause.empty or clause.direction != 0 or any(e.role is Role.RELATIVE for e in clause.verbs)


def _valued(state: State, item: Item, features: Sequence[str], *, paused: bool = False, beside: bool = False) -> Ways:
    clause = state.clause
    if not is_order(clause) and not state.joint:
        return
    preposition = state.preposition
    how = HowMuch(
        {"to": "to", "by": "by", "on": "on", "in": "in", "with": "with", "of": "of"}.get(preposition, ""),
        item.text,
        item.entries,
        item.number,
        item.unit,
        (),
        item.of_current,
        beside,
    )
    how = apart(how) if paused else how
    sort = "number" if item.number is not None else "word"
    same = any((a.number is None) == (how.number is None) for _, a in clause.amounts)
    prices = [*_prices(clause, sort, preposition, features), *([f"goal:second-{sort}"] if same else [])]
    common = {"before": None, "preposition": "", "comparison": "", "repair": False, "open": ""}
    if state.repair and same:
        kept = [(n, a) for n, a in clause.amounts if (a.number is None) != (how.number is None)]
        old = next((a for _, a in reversed(clause.amounts) if (a.number is None) == (how.number is None)), how)
        new = replace(how, preposition=how.preposition or old.preposition, unit=how.unit or old.unit)
        fixed = replace(clause, amounts=(*kept, (len(clause.phrases), new)), repaired=True)
        yield took(state, item, "value", "repair:value", clause=fixed, **common)
    index = len(clause.phrases)
    if follows_kind(state):  # "… to sixty, with the mist on high"
        yield took(state, item, "value", *prices, "goal:of-last-kind", clause=of_last_kind(clause, how), **common)
    yield took(state, item, "value", *prices, clause=replace(clause, amounts=(*clause.amounts, (index, how))), **common)


def _prices(clause: Clause, sort: str, preposition: str, features: Sequence[str]) -> list[str]:
    """What speaks for and against a value being wanted of a clause."""
    first = clause.empty and (sort == "number" or "value:leads" in features)
    prices = [f"goal:{sort}:{preposition or ('first' if first else 'bare')}", *features]
    if clause.asks:
        prices.append("goal:in-question")
    if clause.condition:
        prices.append("goal:in-condition")
    if clause.copula and not clause.modal:
        prices.append("goal:after-copula")
    if not clause.verbs and not clause.modal and not clause.request:
        prices.append("goal:verbless")
    return prices


def value(state: State, item: Item, sentence: Sentence) -> Ways:
    """A state, a mode, a colour: a goal, a test, or an adjective of the noun that follows."""
    if is_taken_off(state, item, sentence):
        return
    if (again := _said_again(state, item)) is not None:
        yield again
        return
    span = sentence.span(item)
    if (scaled := _scaled(state, item, span)) is not None:
        yield scaled
        return
    yield from under_way(state, item)
    yield from over(state, item, sentence)
    yield from participle(state, item, sentence)
    made = whatever(state) if not sentence.names_at(item.end) else None
    if made is not None and (done := tested(made, span)) is not None:  # "whatever plays"
        yield took(done, item, "test", "copula:whatever", "test:word:phrase")
    done = tested(state, span)
    if done is not None:
        held = state.before
        article = ["test:after-article"] if held is not None and held.determined and not state.joint else []
        article += ["test:noun-word"] if sentence.names_alone(item) else []
        paused = ["test:over-joint"] if state.joint in (",", ".") else []
        yield took(done, item, "test", f"test:word:{place_of(state)}", *article, *paused)
    if _tells_which_way(item, sentence):
        pass  # "down twenty percent" is a change, and no number of what is down
    elif not state.joint and not (state.before and state.before.values and item.sort is not Sort.VALUE):
        kept = state.before.values if state.before is not None else ()
        yield from begun(state, item, "value:adjective", values=(*kept, span))
    elif state.joint:
        yield from begun(state, item, "value:adjective-joined", values=(span,))
    ahead = ("goal:then-noun",) if sentence.names_at(item.end) else ()
    leads = item.having(Role.VALUE, Role.OPTION, Role.COLOUR) and not sentence.acts_at(item)
    yield from valued(state, item, sentence, *ahead, *(("value:leads",) if leads else ()))


def _said_again(state: State, item: Item) -> State | None:
    """The state where a value is said once more in other words: "full power, *top of the scale*"."""
    settled = flushed(state) if state.joint == "," else None
    if settled is None or not settled.clause.amounts:
        return None
    index, last = settled.clause.amounts[-1]
    if not (item.entries and last.entries == item.entries and index == len(settled.clause.phrases)):
        return None
    return took(settled, item, "filler", "filler", joint="")


def _tells_which_way(item: Item, sentence: Sentence) -> bool:
    """Whether a word that may be a direction stands right before a number."""
    ahead = sentence.tokens[item.end : item.end + 1]
    return item.text in _WAYS and any(token.number is not None for token in ahead)


_WAYS, _SWITCHED = ("up", "down"), ("on", "off")


def _scaled(state: State, item: Item, span: Span) -> State | None:
    """The state with the number that was just compared with counted on a scale: "less than 80 percent open"."""
    compared = bool(state.account) and state.account[-1][2] == "test" and state.last == Sort.NUMBER.value
    compared = compared and item.text not in _SWITCHED  # "any lamp over 54 percent off"
    done = about_last(state, span) if compared and item.having(Role.STATE) and not state.joint else None
    return took(done, item, "about", "test:scale", before=None, preposition="") if done is not None else None


def about_last(state: State, span: Span) -> State | None:
    """The state with the last test that compares a number being about a property: "over 65 percent of humidity"."""

    def told(said: tuple[Restriction, ...]) -> tuple[Restriction, ...] | None:
        if not said or said[-1].about is not None or said[-1].amount is None or said[-1].amount.number is None:
            return None
        return (*said[:-1], replace(said[-1], about=span))

    clause = state.clause
    if (found := told(clause.predicate)) is not None:
        return replace(state, clause=replace(clause, predicate=found))
    if clause.places and (found := told(clause.places[-1].restrictions)) is not None:
        name = replace(clause.places[-1], restrictions=found)
        return replace(state, clause=replace(clause, places=(*clause.places[:-1], name)))
    if clause.phrases and (found := told(clause.phrases[-1].restrictions)) is not None:
        phrase = replace(clause.phrases[-1], restrictions=found)
        return replace(state, clause=replace(clause, phrases=(*clause.phrases[:-1], phrase)))
    return None


def place_of(state: State) -> str:
    """Where a test goes, as a word of its feature."""
    return state.open or ("asked" if state.clause.asks else "told")


def number(state: State, item: Item, sentence: Sentence) -> Ways:
    """A number: how much something is to be, what something is compared with, how many, or how long."""
    span = sentence.span(item)
    done = tested(state, span)
    if done is not None:
        introduced = ["test:number:to"] if state.preposition in ("to", "by") and not state.comparison else []
        yield took(done, item, "test", f"test:number:{place_of(state)}:{state.comparison or 'bare'}", *introduced)
    whole = item.number is not None and item.number == int(item.number) and 1 <= item.number <= MOST_COUNTED
    if whole and item.unit is None and state.preposition != "to":
        yield from begun(state, item, "number:count", count=int(item.number or 0))
    if not state.joint and item.unit is not None:
        yield from begun(state, item, "number:before", values=(span,))
    before = state.before if not state.joint else None
    counted = whole and before is not None and before.determined and sentence.names_at(item.end)  # "the two curtains"
    if not state.comparison and not counted and last_part(state) != "than":
        ahead = ("goal:then-noun",) if sentence.names_at(item.end) else ()
        bare = ("goal:one",) if item.text == "one" else ()
        heard = ("number:heard",) if item.said == HEARD else ()
        yield from valued(state, item, sentence, *ahead, *bare, *heard)


def duration(state: State, item: Item, sentence: Sentence) -> Ways:
    """ "for ten minutes": how long."""
    settled = flushed(state)
    if settled is None or item.number is None:
        return
    seconds = item.number * _SECONDS.get(item.unit or "", 1.0)
    if settled.clause.asks or settled.open:
        done = tested(settled, sentence.span(item))
        if done is not None:
            yield took(done, item, "test", "test:duration")
    yield took(settled, item, "time", "duration", clause=in_clause(settled, duration=seconds), preposition="")


_SECONDS = {expand("hg:Second"): 1.0, expand("hg:Minute"): 60.0, expand("hg:Hour"): 3600.0, expand("hg:Day"): 86400.0}


@on_settled
def time(state: State, item: Item, sentence: Sentence) -> Ways:
    """ "Every weekday at seven", "in ten minutes", "for an hour": when, how often, how long."""
    clause = state.clause
    if isinstance(item.time, Duration | Length) and not clause.condition:
        if isinstance(item.time, Duration):
            held = replace(clause, duration=item.time.seconds)
            yield took(state, item, "time", "time:duration", clause=held, preposition="")
        return
    name = type(item.time).__name__.lower()
    yield took(
        state,
        item,
        "time",
        f"time:{item.said}",
        f"time:{name}",
        clause=replace(clause, times=(*clause.times, item.time)),
        preposition="",
        joint="" if clause.empty else state.joint,
    )
    if clause.condition and not clause.empty and not isinstance(item.time, Duration | Length):
        fresh = new_clause(state, item)
        if fresh is not None:
            again = replace(fresh.clause, times=(item.time,))
            yield took(fresh, item, "time", f"time:{item.said}", f"time:{name}", clause=again)


def sometime(state: State, item: Item, sentence: Sentence) -> Ways:
    """ "Later today", "at some point": for another time, and nobody said which."""
    clause = state.clause
    if not clause.condition and not clause.asks:
        yield took(state, item, "time", "time:open", clause=replace(clause, later=True), preposition="")


def as_before(state: State, item: Item, sentence: Sentence) -> Ways:
    """ "How it was": the value before it was changed."""
    former = replace(item, entries=(FORMER,), sort=Sort.VALUE)
    settled = flushed(state)
    if settled is not None:
        yield from _valued(replace(settled, joint="", preposition=""), former, ("value:former",))


@on_settled
def unwanted(state: State, item: Item, sentence: Sentence) -> Ways:
    """ "We don't need the light": it is to be off."""
    fresh = state if state.clause.empty else new_clause(state, item) if state.joint else None
    if fresh is not None:
        yield took(fresh, item, "not", "unwanted", clause=replace(fresh.clause, unwanted=True))
    if state.clause.places and not (state.clause.phrases or state.clause.verbs or state.joint):
        bare = replace(state.clause, unwanted=True)
        yield took(state, item, "not", "unwanted:room", clause=bare, open="", preposition="")
    if state.clause.phrases and not state.clause.verbs:
        yield took(state, item, "not", "unwanted:after", clause=replace(state.clause, unwanted=True))


def text(state: State, item: Item, sentence: Sentence) -> Ways:
    """Words in quotes: a value."""
    yield from valued(state, item, sentence, "value:quote")
