"""How function words join a reading: joints, prepositions, comparisons, questions, conditions, what says nothing."""

from __future__ import annotations

from engine.graph.terms import expand
from engine.language.chart.heard.items import COUNTED, INVERTED, Item, Sort
from engine.language.chart.joining.attach import (
    Ways,
    begun,
    closed,
    flushed,
    in_clause,
    last_part,
    new_clause,
    on_settled,
    or_more,
    says,
    took,
    whatever,
)
from engine.language.chart.joining.frames import Before, State
from engine.language.chart.joining.lessening import FROM, is_taken_off, unless_taken_off
from engine.language.chart.joining.nouns import determiner
from engine.language.chart.joining.sentence import Sentence
from engine.language.chart.joining.sparing import excepting
from engine.language.chart.joining.values import valued
from engine.language.phrases.slots import PlaceName
from engine.language.words.lexicon import Entry, Role
from engine.language.words.records import replace
from engine.model.intent import Asks

PLAY = expand("hg:Play")
ROOM = Entry(Role.PLACE_CLASS, expand("hg:Room"))
ROOMS = PlaceName((ROOM,), "rooms", True, (), True)


def unread(state: State, item: Item, sentence: Sentence) -> Ways:
    """What is looked at where a reading is decided on, and is part of none."""
    return iter(())


def boundary(state: State, item: Item, sentence: Sentence) -> Ways:
    """A comma, a full stop, "and": what comes next decides what it joins."""
    kind = {Sort.StopMark: ".", Sort.PauseMark: ","}.get(item.sort, "and")
    if kind == ".":
        settled = closed(state)
        if settled is not None:
            yield took(settled, item, "joint", joint=".")
        return
    if item.length > 1 and state.clause.asks and not state.clause.phrases and kind == "and":
        return  # "tell me if any …": nothing stands there that could be joined
    if item.text == BUT and _is_of_all(state) and sentence.names_or_points_at(item.end):
        yield from excepting(state, item, sentence)
        return
    joint = ",and" if {state.joint, kind} == {",", "and"} else kind if state.joint in ("", ",") else state.joint
    if item.text == "or" and (state.clause.condition or (state.clause.asks is Asks.WHETHER and state.clause.predicate)):
        state = replace(state, clause=in_clause(state, either=True))
    if state.before is not None and state.before.joined:
        state = replace(state, before=replace(state.before, joined=False))
    features = ("joint:double",) if state.joint == "and" and kind == "and" else ()
    yield took(state, item, "joint", *features, joint=joint)


BUT = "but"
"""Leaves out where it stands right behind all of a kind: "all the lamps but the one in the hall"."""


def _is_of_all(state: State) -> bool:
    """Whether the noun that was said last is all of a kind."""
    last = state.clause.phrases[-1] if state.clause.phrases else None
    if last is None or state.joint:
        return False
    return last.pronoun == "everything" or (last.quantity == "all" and state.last == Sort.NOUN.value)


def _is_among(before: Before, state: State, item: Item) -> bool:
    """Whether what follows is what a number or a ranking is of: not in "subtract two from the volume"."""
    changes = item.text == FROM and any(e.role is Role.RELATIVE for e in state.clause.verbs)
    return item.sort is Sort.Of and bool(before.order or (before.count and not changes))


@unless_taken_off
def preposition(state: State, item: Item, sentence: Sentence) -> Ways:
    """ "to", "by", "in", "of", "with": how what follows belongs to what stands before."""
    word = item.sort.value.lower()
    held = state.before
    if item.text == "'s" and held is not None and held.places and not state.joint:
        yield took(state, item, "owner", "owner:place")
        return
    if state.before is not None and _is_among(state.before, state, item):
        among = replace(state.before, among=bool(state.before.order))
        yield took(state, item, "of", "of:among", before=among)  # "two of the lights", "the brightest of"
        return
    settled = flushed(state)
    if settled is None or _is_predicated(settled, item, sentence):
        return
    features = ("prep:two",) if settled.preposition else ()
    changed = replace(settled, preposition=word)
    if not _lacks(settled, item):
        yield took(changed, item, "owner" if item.text == "'s" else "preposition", *features)
    if (
        settled.last == Sort.NOUN.value
        and not settled.joint
        and item.text in _STANDING
        and not settled.open
        and not settled.clause.asks
        and sentence.says_how_at(item.end)
    ):  # "fans on medium", "air purifiers in sleep mode"
        yield took(settled, item, "at", f"at:{item.text}", "at:noun", open="phrase", preposition=word)
    if item.sort is Sort.On:
        return
    if item.sort in (Sort.With, Sort.Without):
        negated = item.sort is Sort.Without
        name = settled.clause.places[-1:] or (settled.clause.phrases[-1].places[-1:] if settled.clause.phrases else ())
        if settled.open == "place" and name:
            yield took(settled, item, "with", "with:room", preposition="with", negated=negated)
        near = settled.last == Sort.NOUN.value or settled.open == "phrase"
        if settled.clause.phrases and not settled.joint and near:
            yield took(settled, item, "with", "with:noun", open="phrase", preposition="with", negated=negated)


_STANDING = ("at", "on", "in", "with")


def _lacks(state: State, item: Item) -> bool:
    """Whether "without" says which rooms are meant: it is never taken for "with"."""
    clause = state.clause
    named = clause.places or (clause.phrases[-1].places if clause.phrases else ())
    return item.sort is Sort.Without and state.open == "place" and bool(named)


_VERSUS = {
    Asks.WHETHER: Asks.COMPARE,
    Asks.VALUE: Asks.DIFFERENCE,
    Asks.DIFFERENCE: Asks.DIFFERENCE,
    Asks.LIST: Asks.LIST,
    Asks.COUNT: Asks.COUNT,
}
"""As what a question goes on that compares with one thing: "is it warmer than …", "how much warmer", "which are"."""


@on_settled
def comparing(state: State, item: Item, sentence: Sentence) -> Ways:
    """ "above", "at least", "than": how a number is compared; "or more" after it."""
    if item.sort is Sort.Than:
        if state.relation is not None:
            yield took(state, item, "than", "than")
            clause = state.clause
            if clause.asks is not None:
                asks = _VERSUS.get(clause.asks)
                if asks is not None:
                    yield took(
                        state,
                        item,
                        "than",
                        "than:versus",
                        target="versus",
                        clause=replace(clause, asks=asks, relation=clause.relation or state.relation),
                    )
            elif clause.told and clause.relation is not None:
                yield took(state, item, "than", "than:told", target="versus")
        return
    comparison = str(item.said or "=")
    if item.sort in (Sort.OrMore, Sort.OrLess):
        fixed = or_more(state, comparison, sentence)
        if fixed is not None:
            yield took(fixed, item, "compare", "compare:after")
        return
    opened = state.open or (
        "phrase" if state.clause.phrases and not state.clause.asks and not state.clause.condition else "predicate"
    )
    joined = ("compare:over-joint",) if state.joint else ()
    joint = "" if state.open or state.clause.asks or state.clause.condition else state.joint
    yield took(
        state, item, "compare", "compare", *joined, comparison=comparison, open=opened, joint=joint, preposition=""
    )


def opening(state: State, item: Item, sentence: Sentence) -> Ways:
    """ "that", "whose", "still", "only": what follows is said of the noun before."""
    settled = flushed(state)
    if settled is None or (item.text.startswith(BUT) and _is_of_all(state)):
        return
    clause = settled.clause
    if item.sort is Sort.That and sentence.names_at(item.end):
        yield from determiner(state, replace(item, sort=Sort.Definite), sentence)
        return
    if item.sort is Sort.That:
        yield from _that(settled, item)
    elif item.sort is Sort.Whose and clause.phrases and not clause.phrases[-1].pronoun:
        yield took(settled, item, "whose", "whose", open="phrase", about=None, host=None, joint="")
    elif item.sort is Sort.Whose and clause.places and settled.open == "place":
        yield took(settled, item, "whose", "whose:room", open="place", about=None, host=None, joint="")
    elif item.sort is Sort.Still:
        settled = replace(settled, clause=replace(clause, now=True))
        opened = settled.open or ("phrase" if clause.phrases and settled.last == Sort.NOUN.value else "")
        yield took(settled, item, "still", "still:opens" if opened and not settled.open else "still", open=opened)
        yield took(state, item, "now", "still:now", clause=in_clause(state, now=True))
    elif item.sort is Sort.Only:
        yield took(state, item, "only", "only")
        if not clause.empty:
            fresh = new_clause(settled, item)
            if fresh is not None:
                yield took(fresh, item, "only", "only:clause", clause=replace(fresh.clause, only=True))


def _that(settled: State, item: Item) -> Ways:
    """ "Lamps that …", "the room that …"."""
    clause = settled.clause
    if settled.target == "except" and not settled.joint and clause.exceptions and clause.exceptions[-1].host:
        yield took(settled, item, "that", "that", open="except", about=None, host=None)
        return
    if clause.phrases:
        joint = {"joint": ""} if settled.joint == "," else {}
        yield took(settled, item, "that", "that", open="phrase", about=None, host=None, **joint)
        name = clause.places[-1:] or clause.phrases[-1].places[-1:]
        if name and settled.open == "place":
            yield took(settled, item, "that", "that:room", open="place", **joint)
    elif clause.places:
        yield took(settled, item, "that", "that:room", open="place")


@on_settled
def wherever(state: State, item: Item, sentence: Sentence) -> Ways:
    """ "wherever it's above 26", "rooms where nobody is"."""
    clause = state.clause
    joint = {"joint": ""} if state.joint else {}
    if state.open == "place":
        yield took(state, item, "where", "where:room", **joint)
        return
    yield took(
        state,
        item,
        "where",
        "where:any",
        open="place",
        target="",
        clause=replace(clause, places=(*clause.places, ROOMS)),
        **joint,
    )
    if clause.empty and sentence.asks and not clause.condition:
        asking_rooms = replace(clause, places=(ROOMS,), asks=Asks.LIST, head=Sort.Which.value)
        yield took(state, item, "head", "where:asks", open="place", clause=asking_rooms, **joint)
    if not clause.empty and state.joint:
        fresh = new_clause(state, item)
        if fresh is not None:
            yield took(fresh, item, "where", "where:any", open="place", clause=replace(fresh.clause, places=(ROOMS,)))


def copula(state: State, item: Item, sentence: Sentence) -> Ways:
    """ "is", "are", "has": how something is, unless it should be so."""
    settled = flushed(state)
    if settled is None:
        return
    clause = settled.clause
    made = whatever(state)
    if made is not None:
        yield took(made, item, "copula", "copula:whatever")
    if settled.joint and clause.condition and item.sort is Sort.Copula:
        fresh = new_clause(settled, item)  # "if it is dark, have the lamp on"
        if fresh is not None:
            yield took(fresh, item, "copula", "copula:new")
    if settled.open or clause.condition:
        yield took(settled, item, "copula", "copula:test", preposition="")
        if clause.modal and not clause.condition:  # "could the rooms that have a sensor be lit"
            yield took(settled, item, "copula", "copula:goal", preposition="", open="")
    elif item.said == INVERTED and (settled.joint or not clause.asks):
        return  # "the washer, is it running" asks, and tells nothing
    elif clause.asks and settled.joint and sentence.asks and item.sort is Sort.Being:
        return  # "…, and is it running?" asks anew
    elif clause.asks:
        yield took(
            settled,
            item,
            "copula",
            "copula:asked",
            *(["copula:over-joint"] if settled.joint else []),
            preposition="",
            open="predicate" if clause.phrases or clause.qualities or clause.places else "",
        )
    else:
        yield from _told(settled, item, sentence)


def _told(settled: State, item: Item, sentence: Sentence) -> Ways:
    """ "The lamp is …": told of what stands before it; or, of any or all such things, a restriction."""
    clause, being = settled.clause, item.sort is Sort.Being
    if not (being or item.start or sentence.asks) and sentence.acts_at(item):
        return  # "set the lamp to red and …" orders: nothing stands before it that would be so
    first = sentence.asks and not (clause.phrases or clause.places or clause.qualities)
    told = replace(clause, copula=True, being=being or clause.being)
    features = ["copula:being" if being else "copula:told", *(["copula:first-asked"] if first else [])]
    yield took(settled, item, "copula", *features, clause=told, preposition="")
    every = clause.phrases and (
        clause.phrases[-1].quantity in ("any", "all") or (not being and sentence.ranks_at(item.end))
    )
    if every and settled.last == Sort.NOUN.value:
        yield took(settled, item, "copula", "copula:restricts", open="phrase", preposition="")


def cleft(state: State, item: Item, sentence: Sentence) -> Ways:
    """ "Put that back it's the hall one I wanted": a clause that begins without a joint, in a talk."""
    fresh = new_clause(state, item) if sentence.talking and not state.clause.empty and not state.joint else None
    if fresh is not None:
        told = replace(fresh.clause, copula=True, being=True)
        yield took(fresh, item, "copula", "copula:new", "copula:being", clause=told)


@on_settled
def past(state: State, item: Item, sentence: Sentence) -> Ways:
    """ "Yesterday", "I heard that": the clause tells of something, and orders nothing."""
    if item.sort in (Sort.Reporting, Sort.Pondering) and not state.clause.empty:
        fresh = new_clause(state, item)
        if fresh is None:
            return
        state = fresh
    yield took(state, item, "told", "told:past", clause=in_clause(state, told=True))


@on_settled
def modal(state: State, item: Item, sentence: Sentence) -> Ways:
    """ "should", "has to be", "can go": how something is to be."""
    if _is_somebody_else(state):  # "the butler should turn on the light"
        yield took(state, item, "told", "told:verb", clause=in_clause(state, told=True))
        return
    yield took(
        state,
        item,
        "modal",
        "modal:in-question" if state.clause.asks else "modal",
        clause=in_clause(state, modal=True),
        open="",
        target="",
    )
    if not state.clause.empty and state.joint:
        fresh = new_clause(state, item)
        if fresh is not None:
            yield took(fresh, item, "modal", "modal", clause=replace(fresh.clause, modal=True))


def _is_somebody_else(state: State) -> bool:
    """Whether only somebody or something has been named that nobody here knows."""
    clause = state.clause
    named = clause.phrases or clause.places or clause.qualities or clause.amounts or clause.request or clause.verbs
    return not (named or clause.asks) and [part for _, _, part in state.account[-2:]] == ["before", "skipped"]


@on_settled
def requesting(state: State, item: Item, sentence: Sentence) -> Ways:
    """ "please", "could you", "I'd like": what follows is to be done."""
    cleft = state.clause.copula and not state.clause.asks
    changes = {"request": True, "copula": False, "modal": True} if cleft else {"request": True}
    yield took(
        state, item, "request", "request:cleft" if cleft else "request", clause=in_clause(state, **changes), open=""
    )
    if not state.clause.empty:
        fresh = new_clause(state, item)
        if fresh is not None:
            yield took(fresh, item, "request", "request:new", clause=replace(fresh.clause, request=True))


@on_settled
def picking(state: State, item: Item, sentence: Sentence) -> Ways:
    """ "Find the loudest one and …", "pick the two dimmest, and …": what is named is meant by what follows."""
    if state.clause.empty:
        yield took(state, item, "pick", "pick", joint="")
    elif state.joint:
        fresh = new_clause(state, item)
        if fresh is not None:
            yield took(fresh, item, "pick", "pick")
    elif not state.clause.verbs:
        yield took(state, item, "pick", "pick:late")


def alone(state: State, item: Item, sentence: Sentence) -> Ways:
    """ "As they are", "the way it is": what is named is left so."""
    clause = state.clause
    if clause.modal and state.open:  # "could the rooms with a sensor be lit": no more is said of the rooms
        yield took(state, item, "filler", "filler", open="")
    else:
        yield from filler(state, item, sentence)
    light = all(e.role is Role.LIGHT_VERB for e in clause.verbs)  # "keep the lamp as it is"
    if clause.phrases and light and not (clause.amounts or clause.asks or clause.condition or state.before):
        spared = replace(clause, leave=True, verbs=(), verb="")
        yield took(state, item, "leave", "leave:after", clause=spared, open="")


@on_settled
def repairing(state: State, item: Item, sentence: Sentence) -> Ways:
    """ "no, wait", "I mean": what follows takes the place of what was said."""
    if item.length == 1 and (last_part(state) == "copula" or state.preposition == "with") and not state.joint:
        return  # "rooms that have no blinds", "where there is no motion"
    own = in_clause(state, corrects=True) if state.clause.empty else state.clause
    yield took(state, item, "repair", "repair", clause=own, repair=True, joint="", open="", preposition="")


@on_settled
def condition(state: State, item: Item, sentence: Sentence) -> Ways:
    """ "if", "when": a clause that says when, and orders nothing."""
    word = "when" if item.sort is Sort.When else "if"
    fresh = state if state.clause.empty else new_clause(state, item)
    if fresh is not None:
        clause = replace(fresh.clause, condition=word, start=item.start)
        yield took(fresh, item, "condition", f"condition:{word}", clause=clause, joint="")


def same(state: State, item: Item, sentence: Sentence) -> Ways:
    """ "the same": what was done before."""
    settled = flushed(state)
    if settled is not None:
        yield took(settled, item, "same", "same", clause=in_clause(settled, same=True))


def slightly(state: State, item: Item, sentence: Sentence) -> Ways:
    """ "a bit": a small change."""
    yield took(state, item, "degree", "slightly", clause=in_clause(state, slight=True))


HEADS = {
    Sort.HowMany: Asks.COUNT,
    Sort.Which: Asks.LIST,
    Sort.What: Asks.VALUE,
    Sort.How: Asks.VALUE,
    Sort.Where: Asks.PLACE,
    Sort.HowLong: Asks.SINCE,
    Sort.WhenDid: Asks.LAST,
    Sort.WhenWill: Asks.VALUE,
    Sort.Whether: Asks.WHETHER,
    Sort.Mean: Asks.MEAN,
    Sort.Total: Asks.TOTAL,
    Sort.Difference: Asks.DIFFERENCE,
}


def asking(state: State, item: Item, sentence: Sentence) -> Ways:
    """ "how many", "which", "is": a question and what it asks for."""
    settled = flushed(state)
    if settled is None:
        return
    clause = settled.clause
    if clause.asks is not None:
        if not settled.joint:
            yield from _sharper(settled, item, clause.asks)
        elif clause.asks in (Asks.MEAN, Asks.TOTAL) and not (clause.phrases or clause.places):
            held = replace(clause, head=item.sort.value)  # "on average, how bright are they?"
            yield took(settled, item, "head", "head:sharper", clause=held, joint="")
        elif (further := new_clause(settled, item)) is not None:
            head = {"asks": HEADS[item.sort], "head": item.sort.value}
            yield took(further, item, "head", f"head:{item.sort.value}", clause=in_clause(further, **head))
        return
    at_start = clause.empty and not clause.request
    whether = item.sort is Sort.Whether
    named = clause.phrases or (bool(state.account) and state.account[-1][2] in _NAMED)
    if whether and named and not (sentence.asks or settled.joint or item.said == INVERTED):
        return  # "the front door is unlocked" tells
    features = [f"head:{item.sort.value}"]
    features += [] if at_start else ["head:late"]
    features += ["head:no-mark"] if whether and not sentence.asks else []
    features += ["head:whether-late"] if whether and not at_start else []
    features += ["head:after-order"] if clause.verbs or clause.amounts else []
    head = {"asks": HEADS[item.sort], "head": item.sort.value}
    yield took(settled, item, "head", *features, clause=in_clause(settled, **head), joint="")
    fresh = new_clause(settled, item) if not clause.empty and settled.joint else None
    if fresh is not None:
        yield took(fresh, item, "head", features[0], clause=in_clause(fresh, **head))


_NAMED = ("noun", "before", "skipped", "place", "property", "loose")


def _sharper(state: State, item: Item, asks: Asks) -> Ways:
    """A second word of a question: "what's the average", "of these, how many", "which lights are on"."""
    clause = state.clause
    if item.sort is Sort.Whether and item.text.endswith("n't"):
        return  # "how many lamps aren't off" denies
    if clause.head in _NAMING and item.sort is Sort.Whether:  # "which mode did you leave that on"
        yield took(state, item, "copula", "copula:asked", open="predicate" if clause.phrases or clause.places else "")
        return
    stronger = item.sort in (Sort.Mean, Sort.Total, Sort.Difference, Sort.HowMany)
    if stronger or (asks is Asks.WHETHER and item.sort is not Sort.Whether) or clause.head == "What":
        sharp = replace(clause, asks=HEADS[item.sort], head=item.sort.value)
        yield took(state, item, "head", "head:sharper", clause=sharp)
    elif item.sort is Sort.Whether:
        opened = "predicate" if clause.phrases or clause.places else ""
        yield took(state, item, "copula", "copula:asked", open=opened)


_NAMING = frozenset({Sort.What.value, Sort.Which.value, Sort.How.value, Sort.Where.value, Sort.HowMany.value})


def reached(state: State, item: Item, sentence: Sentence) -> Ways:
    """ "Up to temperature", "as hot as it should be": whether what is wanted has been reached."""
    settled = flushed(state)
    if settled is not None and settled.clause.asks is Asks.WHETHER:
        yield took(settled, item, "head", "head:Reached", clause=in_clause(settled, asks=Asks.REACHED), open="")


def filler(state: State, item: Item, sentence: Sentence) -> Ways:
    """Words that say nothing. An aside stands between pauses: "and what is it playing?" asks."""
    if not (state.joint == "and" and item.having(Role.ASIDE) and not sentence.ends_at(item.end)):
        yield took(state, item, "filler", "filler")


def including(state: State, item: Item, sentence: Sentence) -> Ways:
    """ "Counting also the bath": what follows belongs to it, too."""
    if not sentence.opens_at(item.end):
        if _points_to_some(state):
            state = replace(state, clause=in_clause(state, more=True))  # "…, the ones that are off included"
        yield from filler(state, item, sentence)
    fresh = new_clause(state, item) if not state.clause.empty else None
    if fresh is not None:
        yield took(fresh, item, "including", "including", clause=replace(fresh.clause, including=True))


def _points_to_some(state: State) -> bool:
    """Whether the last noun is a pronoun of which something is said: "the ones that are off"."""
    last = state.clause.phrases[-1] if state.clause.phrases else None
    return last is not None and bool(last.pronoun and last.restrictions)


def added(state: State, item: Item, sentence: Sentence) -> Ways:
    """ "As well", "too": one more, and no correction."""
    counts = state.last == Sort.NOUN.value or _points_to_some(state)
    more = {"clause": in_clause(state, more=True)} if counts else {}
    yield took(state, item, "added", "filler", **more)


def loose(state: State, item: Item, sentence: Sentence) -> Ways:
    """A small word that is left out; not one that says how something asked about is: "how many are off, please"."""
    if is_taken_off(state, item, sentence) or _is_predicated(state, item, sentence):
        return
    yield took(state, item, "loose", "loose", f"loose:{item.text}")


def _is_predicated(state: State, item: Item, sentence: Sentence) -> bool:
    """Whether a small word says how something is, for nothing follows that it could belong to: "how many are on,
    please?", "those that are on should …"."""
    said = bool(state.account) and state.account[-1][2] == "copula"  # "a light that is on"
    asked = bool(state.clause.asks) and (state.open == "predicate" or said)
    told = said and sentence.says_nothing_at(item.end)
    return (asked or told) and sentence.meant_at(item.start) == "value" and not sentence.opens_at(item.end)


def speaker(state: State, item: Item, sentence: Sentence) -> Ways:
    """ "I", "we": who speaks."""
    yield took(state, item, "speaker", "speaker")


def _is_played(state: State, item: Item) -> bool:
    """Whether an unknown word right after "play" names the music."""
    clause = state.clause
    plays = state.last == Sort.VERB.value and any(e.iri == PLAY for e in clause.verbs)
    return plays and item.said is None and not (clause.phrases or clause.asks or clause.condition or state.joint)


def _would_tell(state: State, sentence: Sentence) -> bool:
    """Whether a finite verb of being would make a clause tell how something is: it is never left out of that."""
    clause = state.clause
    orders = clause.verbs or clause.request or clause.modal or clause.asks or state.joint
    return bool(clause.phrases) and not (orders or sentence.asks)


def _is_unnamed(state: State) -> bool:
    """Whether a question has not yet said of what it asks."""
    return not (state.clause.phrases or state.joint) and (state.before is None or not says(state.before))


@unless_taken_off
def word(state: State, item: Item, sentence: Sentence) -> Ways:
    """A word that nothing here is known by: of a name, or left out."""
    if item.number is not None:
        yield took(state, item, "skipped", "skip:number")
        return
    if item.said == Sort.Being.value and _would_tell(state, sentence):
        return
    if item.said == COUNTED and sentence.opens_at(item.end):
        return  # "every lamp", "including the lamp": how many are meant is never left out
    if _is_played(state, item):  # "play jazz"
        yield from valued(state, replace(item, sort=Sort.TEXT), sentence)
        return
    if sentence.lexicon.names(item.text):
        before = state.held
        words = before.modifiers if before is not None else ()
        yield from begun(state, item, "word:modifier", modifiers=(*words, item.text))
    elif state.clause.asks and _is_unnamed(state) and item.said in _PLAIN:
        yield from begun(state, item, "word:asked-of", modifiers=(item.text,))
    if item.said in ("name", INVERTED):  # what is left out costs what every such word costs; what asks never is
        return
    if item.said == "fragment":
        yield took(state, item, "skipped", "skip:fragment")
        return
    told = item.said if item.said not in (*_PLAIN, COUNTED) else ""
    finite = "asks" if told and sentence.asks else told if told != "asks" else ""
    meant = finite or sentence.meant_at(item.start)
    sort = "function" if item.said is not None else "known" if sentence.lexicon.knows(item.text) else "word"
    named = ("skip:name",) if item.said is None and sentence.lexicon.names(item.text) else ()
    yield took(state, item, "skipped", f"skip:{sort}", *((f"skip:{meant}",) if meant else ()), *named)


_PLAIN = (None, "function")
