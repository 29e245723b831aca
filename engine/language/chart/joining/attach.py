"""What all rules share: how an item is taken, where a clause ends, what becomes of words that no noun followed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import wraps

from engine.graph.terms import expand
from engine.language.chart.heard.items import Item, Sort
from engine.language.chart.joining.excepted import excepts_all, so_excepted, with_kind_excepted
from engine.language.chart.joining.frames import Before, Clause, Phrase, State
from engine.language.chart.joining.sentence import Sentence
from engine.language.phrases.slots import HowMuch, PlaceName
from engine.language.words.lexicon import Entry, Role
from engine.language.words.records import replace
from engine.language.words.spans import Restriction, Span

Ways = Iterator[State]
WHEN_WILL = Sort.WhenWill.value
DEVICE = Entry(Role.DEVICE, expand("hg:Device"))
Rule = Callable[[State, Item, Sentence], Ways]


def took(state: State, item: Item, part: str, *features: str, **changes: object) -> State:
    """The state after an item has been taken as `part` of the reading."""
    return replace(
        state,
        last=item.sort.value,
        features=(*state.features, *features) if features else state.features,
        account=(*state.account, (item.start, item.end, part)),
        **changes,  # type: ignore[arg-type]
    )


def in_clause(state: State, **changes: object) -> Clause:
    """The clause that grows, with changes."""
    return replace(state.clause, **changes)  # type: ignore[arg-type]


def closed(state: State) -> State | None:
    """The state with its clause finished."""
    settled = flushed(state)
    if settled is None or (settled.target == "except" and not settled.clause.exceptions):
        return None  # what is left alone is never left unsaid
    if excepts_all(settled.clause):
        return None
    if settled.clause.head == WHEN_WILL and not settled.clause.qualities:
        return None  # nobody said what is waited for
    dropped = [f"dropped:{name}" for name in ("about", "comparison", "preposition", "repair") if getattr(settled, name)]
    dropped += ["dropped:host"] if settled.host is not None and not is_tested(settled) else []
    if dropped:
        settled = replace(settled, features=(*settled.features, *dropped))
    kept = (
        settled.clauses if settled.clause.empty and not settled.clause.condition else (*settled.clauses, settled.clause)
    )
    return replace(
        settled,
        clauses=kept,
        clause=_BARE,
        preposition="",
        comparison="",
        open="",
        about=None,
        host=None,
        relation=None,
        negated=False,
        target="",
    )


_BARE = Clause()


def is_tested(state: State) -> bool:
    """Whether the part that a test is about has had one: "whose lamp is on though the fan is off" tells of another."""
    clause = state.clause
    said = clause.phrases[-1].restrictions if clause.phrases else ()
    rooms = (*clause.places[-1:], *(clause.phrases[-1].places[-1:] if clause.phrases else ()))
    said = (*said, *(r for name in rooms for r in name.restrictions[-1:]))
    return any(one.host is not None and one.host == state.host for one in said)


def new_clause(state: State, item: Item, *features: str) -> State | None:
    """A further clause, which begins with an item; none while it names the thing asked for: "which lamp or fan"."""
    done = None if state.joint.endswith("and") and _asks_for_more(state.clause) else closed(state)
    if done is None:
        return None
    joint = state.joint or ""
    told_before = bool(done.clauses) and done.clauses[-1].told  # what somebody says goes on to the next pause
    price = {".": "clause:.", ",": "clause:,", "and": "clause:and", ",and": "clause:,and"}.get(joint, "clause:bare")
    feature = (price,) if done.clauses else ()
    return replace(
        done,
        clause=replace(done.clause, joint=joint or ".", start=item.start, told=not joint and told_before),
        joint="",
        features=(*done.features, *feature, *features),
    )


def _asks_for_more(clause: Clause) -> bool:
    """Whether a question has named its things, and says nothing of them yet."""
    asks = clause.head == Sort.Which.value and bool(clause.phrases) and not clause.phrases[-1].restrictions
    return asks and not (clause.predicate or clause.relation or clause.qualities or clause.copula or clause.places)


def says(before: Before) -> bool:
    """Whether what stands before a noun says anything but which article."""
    return bool(
        before.modifiers or before.places or before.restrictions or before.order or before.values or before.count
    )


def ready_for(state: State, item: Item) -> Iterator[tuple[State, str]]:
    """The states that a noun may join: the clause as it is, or a new one after a joint."""
    if state.joint:
        held = state.held
        settled = flushed(state) if held is None else replace(state, before=None)
        if settled is None:
            return
        yield (settled if held is None else replace(settled, before=held)), settled.joint
        if not settled.clause.empty or settled.clause.condition:
            fresh = new_clause(settled, item, "clause:noun")
            if fresh is not None:
                yield (fresh if held is None else replace(fresh, before=held)), "new"
    else:
        yield state, "plain"


def prefix(state: State, item: Item, **changes: object) -> Before | None:
    """What stands before a noun, with changes; None where a joint stands between."""
    if state.held is not None:
        return replace(state.held, **changes)  # type: ignore[arg-type]
    joined = bool(state.joint)
    return Before(preposition=state.preposition, joined=joined, start=item.start, **changes)  # type: ignore[arg-type]


def begun(state: State, item: Item, *features: str, **changes: object) -> Ways:
    """The state with something before a noun; what stood before another is settled first."""
    if state.before is not None and state.held is None:
        settled = flushed(state)
        if settled is None:
            return
        state = settled
    before = prefix(state, item, **changes)
    assert before is not None
    yield took(state, item, "before", *features, before=before)


def is_order(clause: Clause) -> bool:
    """Whether what a clause says may be an order: not where it says how something is."""
    return not clause.being or clause.modal or clause.request or not (clause.phrases or clause.places)


def placed(clause: Clause, name: PlaceName) -> tuple[Phrase, ...]:
    """The phrases of a clause, the last in one room more."""
    last = clause.phrases[-1]
    return (*clause.phrases[:-1], replace(last, places=(*last.places, name)))


def whatever(state: State) -> State | None:
    """The state with "whatever" as anything, of which a test follows: "whatever plays", "whichever is loudest"; an
    article alone is none ("down to a third"), but where words of being follow ("a film on")."""
    held = state.held
    if held is None or held.quantity != "any" or says(held) or held.owned or (held.article and not state.open):
        return None
    phrase = Phrase(entries=(DEVICE,), text="anything", plural=True, quantity="any", start=held.start)
    clause = replace(state.clause, phrases=(*state.clause.phrases, phrase))
    return replace(state, before=None, clause=clause, open="phrase", preposition="", joint="")


RANGE = "<>"
"""The comparison of "between": more than a first number, less than a second."""


def tested(state: State, span: Span) -> State | None:
    """The state with a test added where tests go; None where none can."""
    if state.comparison != RANGE:
        return _with_one(state, span)
    more = _with_one(replace(state, comparison=">"), span)
    return None if more is None else replace(more, comparison="<")


def _with_one(state: State, span: Span) -> State | None:
    if state.before is not None and says(state.before):
        return None
    comparison = state.comparison or "="
    if state.relation is not None and not state.comparison and (span.number is not None or _follows_than(state)):
        comparison = "more"
    one = Restriction(comparison, span, state.about, state.relation, state.host, negated=state.negated)
    clause = state.clause
    if state.open in _OPEN or (state.target == "except" and _compares(state)):
        return with_test(state, one)
    if state.open == "predicate" or clause.asks or clause.condition:
        joined = replace(state, joint="", before=None) if state.joint else replace(state, before=None)
        told = replace(clause, predicate=(*clause.predicate, replace(one, host=None) if clause.asks else one))
        return replace(joined, clause=told, comparison="", relation=None, negated=False, preposition="")
    if state.comparison and clause.phrases and not state.joint:
        return with_test(replace(state, open="phrase", before=None), one)
    named = clause.phrases or clause.places
    tells = clause.copula and not clause.modal and not clause.request
    if tells and named and not clause.verbs and not state.joint:
        told = replace(clause, predicate=(*clause.predicate, one), told=True)
        return replace(state, clause=told, comparison="", relation=None, negated=False, preposition="", before=None)
    return None


_OPEN = ("phrase", "place", "except")


def or_more(state: State, comparison: str, sentence: Sentence) -> State | None:
    """The state with the number that was last compared with, or said of a noun, being a bound: "80 percent or more"."""
    clause = state.clause

    def bounded(said: tuple[Restriction, ...]) -> tuple[Restriction, ...] | None:
        if not said or said[-1].amount is None or said[-1].amount.number is None:
            return None
        return (*said[:-1], replace(said[-1], comparison=comparison))

    if (found := bounded(clause.predicate)) is not None:
        return replace(state, clause=replace(clause, predicate=found))
    if clause.phrases and (found := bounded(clause.phrases[-1].restrictions)) is not None:
        phrase = replace(clause.phrases[-1], restrictions=found)
        return replace(state, clause=replace(clause, phrases=(*clause.phrases[:-1], phrase)))
    return _of_value(state, comparison, sentence)


def _of_value(state: State, comparison: str, sentence: Sentence) -> State | None:
    """The state with the number that was last said of a noun being a bound: "the lights at 80 percent *or more*"."""
    clause = state.clause
    start, end, part = state.account[-1] if state.account else (0, 0, "")
    if part != "value" or not clause.phrases or not clause.amounts or state.joint:
        return None
    index, how = clause.amounts[-1]
    if how.number is None or index != len(clause.phrases):
        return None
    told = Span(how.text, sentence.tokens[start].start, sentence.tokens[end - 1].end, how.entries, how.number, how.unit)
    bare = replace(state, clause=replace(clause, amounts=clause.amounts[:-1]), open="phrase")
    account = (*state.account[:-1], (start, end, "test"))
    return with_test(replace(bare, account=account), Restriction(comparison, told))


def _compares(state: State) -> bool:
    """Whether a number or a word for how something is is compared, and not only named."""
    return state.relation is not None or bool(state.comparison)


def _follows_than(state: State) -> bool:
    """Whether the next words are a bound that something is compared with: "less than a quarter"."""
    return last_part(state) == "than"


def last_part(state: State) -> str:
    """The part of the last words that are settled; parts before a noun that is still to come are passed over."""
    return next((part for _, _, part in reversed(state.account) if part != "before"), "")


def with_test(state: State, one: Restriction) -> State | None:
    """The test, on the noun or the room that was said last."""
    clause = state.clause
    if state.target == "except" and state.open in ("", "except") and clause.exceptions:
        told = so_excepted(clause, one)
        return _tested(state, told) if told is not None else None
    if state.open == "place":
        owner = clause.phrases[-1] if clause.phrases and clause.phrases[-1].places and not clause.places else None
        if owner is not None:
            name = owner.places[-1]
            named = replace(name, restrictions=(*name.restrictions, one))
            phrase = replace(owner, places=(*owner.places[:-1], named))
            changed = replace(clause, phrases=(*clause.phrases[:-1], phrase))
        elif clause.places:
            name = clause.places[-1]
            named = replace(name, restrictions=(*name.restrictions, one))
            changed = replace(clause, places=(*clause.places[:-1], named))
        else:
            return None
        return _tested(replace(state, host=None, negated=False), changed)
    if not clause.phrases:
        return None
    last = clause.phrases[-1]
    phrase = replace(last, restrictions=(*last.restrictions, one))
    changed = replace(clause, phrases=(*clause.phrases[:-1], phrase))
    return _tested(replace(state, negated=False), changed)


def _tested(state: State, clause: Clause) -> State:
    """The state after a test has found its place."""
    return replace(state, clause=clause, comparison="", relation=None, preposition="", before=None, joint="")


def ranked(state: State, order: Restriction) -> State | None:
    """ "Which light is brightest", "the fan that goes fastest": a ranking after its noun."""
    clause = state.clause
    if state.open == "predicate" or (clause.asks and not state.open):
        return replace(state, clause=replace(clause, predicate=(*clause.predicate, order)))
    return with_test(state, order)


def flushed(state: State) -> State | None:
    """The state without what stands before a noun that did not come: values become goals or tests, places places.

    None where what stood there needs a noun."""
    held = state.before
    if held is None:
        return state
    bare = replace(state, before=None)
    if held.order is not None or (held.restrictions and not held.modifiers):
        return _flushed_order(bare, held)
    if held.modifiers:
        bare = _flushed_name(bare, held)
    elif held.places:
        bare = _flushed_places(bare, held)
    elif held.quantity == "all":
        bare = _flushed_all(bare, held)
    elif held.count is not None:
        if not held.determined or held.values or held.quantity == "none":
            return None  # "no one"
        bare = _flushed_count(bare, held)
    found = _flushed_values(bare, held) if held.values else bare
    return replace(found, preposition="") if found is not None and held.preposition else found


def on_settled(rule: Rule) -> Rule:
    """A rule for words that no noun can follow any more: it is given the state without what stood before one, and has
    no way where that needs its noun."""

    @wraps(rule)
    def settled(state: State, item: Item, sentence: Sentence) -> Ways:
        ready = flushed(state)
        if ready is not None:
            yield from rule(ready, item, sentence)

    return settled


def _with(state: State, clause: Clause, *features: str) -> State:
    return replace(state, clause=clause, features=(*state.features, *features))


def _flushed_order(state: State, held: Before) -> State:
    """ "The brightest": a phrase without a noun, or what a question says of its noun."""
    clause, restrictions = state.clause, held.restrictions
    if held.order is not None:
        restrictions = (*restrictions, replace(held.order, count=held.order.count or held.count))
    if state.target == "except" and clause.phrases and clause.phrases[-1].entries:  # "all but the brightest"
        return _with(state, with_kind_excepted(clause, restrictions), "except")
    of_rooms = bool(clause.places) and any(e.role is Role.PLACE_CLASS for e in clause.places[-1].entries)
    said_of = clause.phrases or of_rooms
    if clause.asks and said_of and not clause.predicate and held.order is not None:
        clause = replace(clause, predicate=(*clause.predicate, restrictions[-1]))
    else:
        phrase = Phrase(
            restrictions=restrictions,
            places=held.places,
            quantity=_quantity(held),
            determined=held.determined,
            start=held.start,
            text="one",
        )
        clause = replace(clause, phrases=(*clause.phrases, phrase))
    return replace(_with(state, clause, "flush:order"), preposition="")


def _quantity(held: Before) -> str:
    return held.quantity if held.quantity in ("all", "any") else ""


def _flushed_name(state: State, held: Before) -> State:
    """Words of a name alone: "the main"; after a noun, which one it is: "the curtain on the right"."""
    clause = state.clause
    if state.target == "except" and held.other:  # "…, leaving the others": they are left anyway
        return _with(replace(state, target=""), clause, "except")
    if state.target == "except" and clause.phrases and clause.phrases[-1].entries:  # "all the lamps except the reading"
        last, about = clause.phrases[-1], Span(" ".join(held.modifiers), 0, 0)
        left = Restriction("except", None, about, None, Span(last.text, 0, 0, last.head or last.entries))
        return _with(state, replace(clause, exceptions=(*clause.exceptions, left)), "except")
    if (
        held.preposition in _BESIDE
        and clause.phrases
        and clause.phrases[-1].entries
        and not (held.places or held.other)
    ):
        last = clause.phrases[-1]
        kept = () if state.repair else last.modifiers
        told = replace(last, modifiers=(*kept, *held.modifiers))
        mended = replace(clause, phrases=(*clause.phrases[:-1], told), repaired=clause.repaired or state.repair)
        feature = "repair:name" if state.repair else "flush:name-of-noun"
        return replace(_with(state, mended, feature), repair=False)
    if held.preposition == "of" and state.open == "place" and clause.places and not clause.phrases:
        name = replace(clause.places[-1], modifiers=held.modifiers, plural=False)
        owned = replace(clause, places=(*clause.places[:-1], name))
        return replace(_with(state, owned, "flush:name-of-place"), open="")
    phrase = Phrase(
        text=held.modifiers[-1],
        modifiers=held.modifiers[:-1],
        places=held.places,
        quantity=_quantity(held),
        other=held.other,
        determined=held.determined,
        start=held.start,
    )
    clause = in_clause(state, phrases=(*state.clause.phrases, phrase))
    return _with(state, clause, "flush:other" if held.other else "flush:name")


_BESIDE = ("on", "in", "by", "with", "of")


def _flushed_places(state: State, held: Before) -> State:
    """Rooms alone: of the noun before them, or of the clause."""
    clause, names = state.clause, held.places
    if state.target == "except":  # "…, except the hall"
        left = tuple(Restriction("except", where=Span(n.text, 0, 0, n.entries, plural=n.plural)) for n in names)
        return _with(state, replace(clause, exceptions=(*clause.exceptions, *left)), "except")
    if state.repair and has_place(clause):
        mended = replace(with_place(clause, names), repaired=True)
        return replace(_with(state, mended, "repair:place"), repair=False)
    if clause.phrases and not clause.phrases[-1].pronoun and held.preposition:
        last = clause.phrases[-1]
        phrase = replace(last, places=(*last.places, *names))
        clause, feature = replace(clause, phrases=(*clause.phrases[:-1], phrase)), "flush:place-noun"
    else:
        near = held.preposition or clause.phrases
        clause = replace(clause, places=(*clause.places, *names))
        feature = "flush:place-clause" if near else "flush:place-bare"
    return _with(state, clause, feature, *(("flush:quantity",) if _quantity(held) else ()))


def has_place(clause: Clause) -> bool:
    """Whether a clause says where."""
    return bool(clause.places or (clause.phrases and clause.phrases[-1].places))


def with_place(clause: Clause, names: tuple[PlaceName, ...]) -> Clause:
    """A clause with other rooms in the place of the last that it named."""
    if clause.phrases and clause.phrases[-1].places:
        last = replace(clause.phrases[-1], places=names)
        return replace(clause, phrases=(*clause.phrases[:-1], last), repaired=True)
    return replace(clause, places=names, repaired=True)


def _flushed_all(state: State, held: Before) -> State:
    """ "All" alone: all that was spoken of, or of what was just named."""
    clause = state.clause
    if not clause.phrases:
        phrase = Phrase(pronoun="them", quantity="all", count=held.count, text="all", start=held.start)
        return _with(state, replace(clause, phrases=(phrase,)), "flush:all")
    last = replace(clause.phrases[-1], quantity="all")
    return _with(state, replace(clause, phrases=(*clause.phrases[:-1], last)), "flush:all-after")


def _flushed_values(state: State, held: Before) -> State | None:
    """Adjectives without a noun: what something is to be, or how it is."""
    found: State | None = state
    index = len(state.clause.phrases)
    beside = held.joined and has_object(state.clause)
    for value in held.values:
        if found is None:
            return None
        if found.clause.asks or found.clause.condition or found.open or not is_order(found.clause):
            done = tested(found, value)
            found = None if done is None else _with(done, done.clause, "flush:test")
        else:
            how = HowMuch(
                _INTRODUCED.get(held.preposition, ""), value.text, value.entries, value.number, value.unit, (),
                value.of_current, beside,
            )  # fmt: skip
            if follows_kind(found):  # "… to sixty, mist high"
                found = _with(found, of_last_kind(found.clause, how), "flush:value", "goal:of-last-kind")
                continue
            clause = in_clause(found, amounts=(*found.clause.amounts, (index, how)))
            found = _with(found, clause, "flush:value")
    return found


def has_object(clause: Clause) -> bool:
    """Whether a clause has a verb and its object, so that a value joined to it is one beside these: "turn the fan on,
    *natural wind*"."""
    return bool(clause.phrases and clause.verbs)


def follows_kind(state: State) -> bool:
    """Whether a property has been named since the last of several values."""
    if not (state.clause.amounts and state.clause.qualities):
        return False
    return next((part for _, _, part in reversed(state.account) if part in ("property", "value")), "") == "property"


def of_last_kind(clause: Clause, how: HowMuch) -> Clause:
    """The clause with a value of the property that it named last."""
    (at, kind), others = clause.qualities[-1], clause.qualities[:-1]
    return replace(clause, qualities=others, amounts=(*clause.amounts, (at, replace(how, about=kind.entries))))


def _flushed_count(state: State, held: Before) -> State:
    """ "Those two", "the three that …": as many of what was spoken of."""
    phrase = Phrase(pronoun="them", quantity="plural", count=held.count, text="those", start=held.start)
    return _with(state, in_clause(state, phrases=(*state.clause.phrases, phrase)), "flush:count")


_INTRODUCED = {word: word for word in ("to", "by", "on", "in", "with")}
