"""How an item joins a reading: a rule for each sort of item, each giving every way in which it may be meant there."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from engine.graph.terms import expand
from engine.language.chart.frames import Before, Clause, Phrase, State
from engine.language.chart.items import Item, Sort, span_of
from engine.language.lexicon import Entry, Lexicon, Role
from engine.language.morphology import singular
from engine.language.slots import HowMuch, PlaceName, Quality
from engine.language.spans import Restriction, Span
from engine.language.times import Duration, Length
from engine.language.tokens import Token
from engine.model.intent import Asks

ROOM = Entry(Role.PLACE_CLASS, expand("hg:Room"))
OCCUPIED = Entry(Role.STATE, expand("hg:IsOccupied"))
UNOCCUPIED = Entry(Role.STATE, expand("hg:IsUnoccupied"))
FORMER = Entry(Role.VALUE, expand("hg:Former"))
DEVICE = Entry(Role.DEVICE, expand("hg:Device"))
_GENERIC = frozenset({expand("hg:Room"), expand("hg:Place")})
MOST_COUNTED = 12


@dataclass(frozen=True)
class Sentence:
    """What a reading is read from: tokens, the lexicon for verbs whose particle stands apart, and whether it asks."""

    tokens: Sequence[Token]
    lexicon: Lexicon
    heard: Lexicon
    states: Mapping[str, tuple[Entry, ...]]
    talking: bool = False

    @cached_property
    def asks(self) -> bool:
        return bool(self.tokens) and self.tokens[-1].text == "?"

    def span(self, item: Item) -> Span:
        return span_of(item, self.tokens)

    def names_at(self, place: int) -> bool:
        """Whether a device or thing is named from this token on."""
        if place >= len(self.tokens):
            return False
        found = (*self.lexicon.at(self.tokens, place), *self.heard.at(self.tokens, place))
        return any(e.role in (Role.DEVICE, Role.THING) for m in found for e in m.entries)

    def phrasal(self, verb: str, particle: str) -> tuple[Entry, ...]:
        """What a verb and a particle mean together."""
        first = verb.split()[0]
        return tuple(dict.fromkeys((*self.lexicon.phrasal(first, particle), *self.heard.phrasal(first, particle))))

    @cached_property
    def _tails(self) -> dict[str, dict[int, list[tuple[int, tuple[Entry, ...]]]]]:
        return {}

    def tails(self, verb: str, place: int) -> list[tuple[int, tuple[Entry, ...]]]:
        """What words from this token on make with a verb that stands apart from them ("send … home"): where they end,
        and what both mean."""
        first = verb.split()[0]
        if first not in self._tails:
            found: dict[int, list[tuple[int, tuple[Entry, ...]]]] = {}
            words = [singular(t.text) for t in self.tokens]
            for rest, entries in (*self.lexicon.halves(first), *self.heard.halves(first)):
                for start in range(len(words)):
                    end = start
                    for one in rest:
                        while end < len(words) and end > start and words[end] in ("the", "it", "its", "a"):
                            end += 1
                        if end >= len(words) or words[end] != one:
                            break
                        end += 1
                    else:
                        found.setdefault(start, []).append((end, entries))
            self._tails[first] = found
        return self._tails[first].get(place, [])


Ways = Iterator[State]
Rule = Callable[[State, Item, Sentence], Ways]


def took(state: State, item: Item, part: str, *features: str, **changes: object) -> State:
    """The state after an item has been taken as `part` of the reading."""
    changes["last"] = item.sort.value
    changes["features"] = (*state.features, *features) if features else state.features
    changes["account"] = (*state.account, (item.start, item.end, part))
    return state.but(changes)


def in_clause(state: State, **changes: object) -> Clause:
    """The clause that grows, with changes."""
    return replace(state.clause, **changes)  # type: ignore[arg-type]


# Boundaries


def closed(state: State) -> State | None:
    """The state with its clause finished."""
    settled = flushed(state)
    if settled is None:
        return None
    dropped = [f"dropped:{name}" for name in ("about", "host", "comparison") if getattr(settled, name)]
    if dropped:
        settled = replace(settled, features=(*settled.features, *dropped))
    kept = (
        settled.clauses if settled.clause.empty and not settled.clause.condition else (*settled.clauses, settled.clause)
    )
    return replace(
        settled,
        clauses=kept,
        clause=Clause(),
        preposition="",
        comparison="",
        open="",
        about=None,
        host=None,
        relation=None,
        negated=False,
        target="",
    )


def new_clause(state: State, item: Item, *features: str) -> State | None:
    """A further clause, which begins with an item."""
    done = closed(state)
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


def boundary(state: State, item: Item, sentence: Sentence) -> Ways:
    """A comma, a full stop, "and": what comes next decides what it joins."""
    kind = {Sort.StopMark: ".", Sort.PauseMark: ","}.get(item.sort, "and")
    if kind == ".":
        settled = closed(state)
        if settled is not None:
            yield took(settled, item, "joint", joint=".")
        return
    joint = ",and" if {state.joint, kind} == {",", "and"} else kind if state.joint in ("", ",") else state.joint
    if item.text == "or" and state.clause.condition:
        state = replace(state, clause=in_clause(state, either=True))
    features = ("joint:double",) if state.joint == "and" and kind == "and" else ()
    yield took(state, item, "joint", *features, joint=joint)


# Noun phrases


def prefix(state: State, item: Item, **changes: object) -> Before | None:
    """What stands before a noun, with changes; None where a joint stands between."""
    if state.before is not None and not state.joint:
        return replace(state.before, **changes)  # type: ignore[arg-type]
    return Before(preposition=state.preposition, start=item.start, **changes)  # type: ignore[arg-type]


def begun(state: State, item: Item, *features: str, **changes: object) -> Ways:
    """The state with something before a noun; what stood before another is settled first."""
    if state.before is not None and state.joint:
        settled = flushed(state)
        if settled is None:
            return
        state = settled
    before = prefix(state, item, **changes)
    assert before is not None
    yield took(state, item, "before", *features, before=before)


def determiner(state: State, item: Item, sentence: Sentence) -> Ways:
    """ "the", "any", "all", "both", "its": how many of what follows."""
    quantity = {
        Sort.Any: "any",
        Sort.Indefinite: "any",
        Sort.Every: "all",
        Sort.Both: "all",
        Sort.No: "none",
        Sort.HalfOf: "half",
        Sort.Pair: "all",
    }.get(item.sort, "")
    count = 2 if item.sort in (Sort.Both, Sort.Pair) else None
    before = state.before if not state.joint else None
    if item.sort is Sort.Pair and item.text.startswith("trio"):
        count = 3
    if before is not None and (before.determined or before.modifiers) and item.sort is Sort.Definite:
        settled = flushed(state)
        if settled is None:
            return
        state, before = settled, None
    yield from begun(
        state,
        item,
        quantity=quantity or (before.quantity if before else ""),
        count=count or (before.count if before else None),
        determined=True,
        owned=item.sort is Sort.Possessive,
    )


def superlative(state: State, item: Item, sentence: Sentence) -> Ways:
    """ "the brightest": a ranking of what follows, or the end of a scale as a value."""
    span = sentence.span(item)
    if item.sort in (Sort.Most, Sort.Least):
        comparison, relation = ("most" if item.said == 1 else "least"), None
    else:
        comparison, relation = "most", span
    count = state.before.count if state.before is not None and not state.joint else None
    order = Restriction(comparison, relation=relation, count=count)
    yield from begun(state, item, "super:order", order=order)
    if relation is not None:
        if state.open or state.clause.asks or state.clause.condition:
            host = _ranked(state, order)
            if host is not None:
                yield took(host, item, "order", "super:predicate")
        yield from valued(state, item, sentence, "super:value")


def _ranked(state: State, order: Restriction) -> State | None:
    """ "Which light is brightest", "the fan that goes fastest": a ranking after its noun."""
    clause = state.clause
    if state.open == "predicate" or (clause.asks and not state.open):
        return replace(state, clause=replace(clause, predicate=(*clause.predicate, order)))
    return with_test(state, order)


def kind(state: State, item: Item, sentence: Sentence) -> Ways:
    """A property: of what is named beside it, or what a test or a ranking is about."""
    span, quality = sentence.span(item), Quality(item.entries, item.text, item.owner)
    before = state.before if not state.joint else None
    if before is not None and before.order is not None and before.order.about is None and state.clause.phrases:
        ranked = replace(before.order, about=span, relation=None)
        done = (
            _ranked(replace(state, before=None), ranked)
            if state.clause.asks
            else with_test(replace(state, before=None, open="phrase"), ranked)
        )
        if done is not None:
            yield took(done, item, "order", "kind:ranks", open="")
    if before is not None and before.order is not None and before.order.about is None and before.order.relation is None:
        yield took(state, item, "order", "kind:order", before=replace(before, order=replace(before.order, about=span)))
    if state.preposition in ("of", "in", "with", "on") and (done := _about_last(state, span)) is not None:
        yield took(done, item, "about", "kind:of-test", before=None, preposition="")
    if before is not None and before.values and (state.comparison or state.open or state.clause.asks):
        numbered = next((v for v in before.values if v.number is not None), None)
        tested = _tested(replace(state, before=None, about=span), numbered) if numbered is not None else None
        if tested is not None:
            yield took(tested, item, "about", "kind:tested", about=None, preposition="")
    if state.open in ("phrase", "place") or state.clause.condition or state.clause.asks:
        yield took(_unopened(state), item, "about", "kind:about", about=span, preposition="")
    if before is not None and before.values:
        owned = tuple(
            HowMuch(before.preposition or "", v.text, v.entries, v.number, v.unit, item.entries, v.of_current)
            for v in before.values
        )
        index = len(state.clause.phrases)
        clause = in_clause(state, amounts=(*state.clause.amounts, *((index, how) for how in owned)))
        yield took(state, item, "value", "kind:after-value", clause=clause, before=None, preposition="")
        return
    for ready, feature in _ready(state, item):
        clause = ready.clause
        index = len(clause.phrases)
        held = ready.before
        if held is not None and (held.places or held.modifiers or held.order or held.restrictions):
            phrase = Phrase(places=held.places, modifiers=(), start=held.start, end=item.end)
            if held.modifiers or held.order or held.restrictions:
                continue
            clause = replace(clause, places=(*clause.places, *phrase.places))
        clause = replace(clause, qualities=(*clause.qualities, (index, quality)))
        yield took(ready, item, "property", f"kind:{feature}", clause=clause, before=None, joint="", preposition="")


def _about_last(state: State, span: Span) -> State | None:
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


def _unopened(state: State) -> State:
    return replace(state, before=None) if state.before is not None and not _says(state.before) else state


def _says(before: Before) -> bool:
    return bool(
        before.modifiers or before.places or before.restrictions or before.order or before.values or before.count
    )


def _ready(state: State, item: Item) -> Iterator[tuple[State, str]]:
    """The states that a noun may join: the clause as it is, or a new one after a joint."""
    if state.joint:
        settled = flushed(state)
        if settled is None:
            return
        yield settled, settled.joint
        if not settled.clause.empty or settled.clause.condition:
            fresh = new_clause(settled, item, "clause:noun")
            if fresh is not None:
                yield fresh, "new"
    else:
        yield state, "plain"


def noun(state: State, item: Item, sentence: Sentence) -> Ways:
    """A device or thing: of a phrase, of a test about a room, of an exception, of a comparison."""
    span = sentence.span(item)
    before = state.before if not state.joint else None
    if state.target == "except" or state.target == "versus":
        yield from _elsewhere(state, item, span)
        return
    if state.open == "place" and not state.joint:
        held = before or Before()
        host = replace(span, entries=item.entries)
        if state.host is None:
            negated = state.negated or held.quantity == "none"
            plain = replace(state, before=None)
            has = with_test(plain, Restriction("has", host=host, negated=negated))
            if has is not None and state.last in _HAVING:
                yield took(has, item, "host", "noun:has", negated=False)
            yield took(plain, item, "host", "noun:host", host=host, preposition="", negated=negated)
        if state.last != Sort.PLACE.value or state.preposition:
            return
    if state.open == "phrase" and state.host is None and state.about is None and not state.joint:
        yield took(replace(state, before=None), item, "host", "noun:part", host=span)
    for ready, feature in _ready(state, item):
        held = ready.before or Before(start=item.start)
        clause = ready.clause
        if ready.joint == "" and held == Before(start=item.start) and ready.last == Sort.NOUN.value and clause.phrases:
            yield from _compound(ready, item)
        if ready.joint == "" and ready.preposition == "of" and clause.phrases and item.having(Role.DEVICE, Role.THING):
            yield from _part(ready, held, item)
        phrase, kept = _phrase(held, item)
        exceeds = _is_second(ready, feature)
        named = ("noun:name",) if item.having(Role.THING) else ("noun:class",)
        joined = f"noun:{feature}" if clause.phrases else "noun:first"
        prices = (*named, joined, *(("noun:conflict",) if exceeds else ()), *kept)
        opened = ""
        yield took(
            ready,
            item,
            "noun",
            *prices,
            clause=replace(clause, phrases=(*clause.phrases, phrase)),
            before=None,
            joint="",
            preposition="",
            repair=False,
            open=opened,
            about=None,
            host=None,
            relation=None,
            negated=False,
        )
        if ready.repair and clause.phrases:
            replaced = (*clause.phrases[:-1], _instead(clause.phrases[-1], phrase))
            yield took(
                ready, item, "noun", "repair:noun", *named, clause=replace(clause, phrases=replaced, repaired=True),
                before=None, joint="", preposition="", repair=False, open="", negated=False,
            )  # fmt: skip
        if clause.phrases and not clause.phrases[-1].entries and not clause.phrases[-1].pronoun:
            last = clause.phrases[-1]
            merged = replace(
                phrase,
                places=(*last.places, *phrase.places),
                modifiers=(*last.modifiers, *phrase.modifiers),
                restrictions=(*last.restrictions, *phrase.restrictions),
            )
            yield took(
                ready, item, "noun", "noun:merge", *named, clause=replace(clause, phrases=(*clause.phrases[:-1], merged)),
                before=None, joint="", preposition="", repair=False, open="", negated=False,
            )  # fmt: skip


_HAVING = frozenset(
    one.value
    for one in (
        Sort.With,
        Sort.Without,
        Sort.Copula,
        Sort.Being,
        Sort.Indefinite,
        Sort.Any,
        Sort.No,
        Sort.Definite,
        Sort.WORD,
    )
)


def _is_second(state: State, feature: str) -> bool:
    """Whether a noun without a joint comes where there is one already."""
    return bool(state.clause.phrases) and feature == "plain"


def _instead(old: Phrase, new: Phrase) -> Phrase:
    return replace(new, places=new.places or old.places, quantity=new.quantity or old.quantity)


def _phrase(held: Before, item: Item) -> tuple[Phrase, tuple[str, ...]]:
    """The phrase that a noun makes with what stands before it, and what that costs."""
    restrictions = held.restrictions
    features: list[str] = []
    for value in held.values:
        if value.number is None:
            restrictions = (*restrictions, Restriction("=", amount=value))
            features.append("noun:adjective")
        else:
            features.append("noun:lost-number")
    count = held.count
    if held.order is not None:
        restrictions = (*restrictions, replace(held.order, count=held.order.count or count))
    if held.quantity == "half":
        restrictions = (*restrictions, Restriction("share"))
    plural = item.plural
    quantity = held.quantity if held.quantity in ("all", "any") else "plural" if plural and not held.quantity else ""
    if count is not None and held.order is None and quantity != "all":
        quantity = "plural"
    if held.modifiers:
        features.append("noun:modified")
    phrase = Phrase(
        entries=item.entries,
        text=item.text,
        plural=plural,
        head=item.head,
        quantity=quantity,
        count=count,
        modifiers=held.modifiers,
        places=held.places,
        restrictions=restrictions,
        none=held.quantity == "none",
        pronoun="its" if held.owned else "",
        other=held.other,
        determined=held.determined,
        start=held.start,
        end=item.end,
    )  # fmt: skip
    return phrase, tuple(features)


def _part(state: State, held: Before, item: Item) -> Ways:
    """ "The light of the fan-light", "the fan-light's lamp": a part of a thing."""
    clause = state.clause
    other = clause.phrases[-1]
    phrase, _ = _phrase(held, item)
    if not other.entries or other.pronoun or other.whole is not None:
        return
    if state.account and state.account[-1][2] == "owner":
        part = replace(phrase, whole=other, places=other.places, quantity=other.quantity or phrase.quantity)
    else:
        part = replace(other, whole=phrase, places=(*other.places, *phrase.places))
    yield took(
        state, item, "noun", "noun:whole", clause=replace(clause, phrases=(*clause.phrases[:-1], part)), before=None,
        preposition="",
    )  # fmt: skip


def _compound(state: State, item: Item) -> Ways:
    """Two nouns in a row: "printer plug", "front door lock"."""
    clause = state.clause
    first = clause.phrases[-1]
    if first.pronoun:
        return
    if any(e.role is Role.THING for e in first.entries):
        phrase = replace(first, text=f"{first.text} {item.text}", plural=item.plural, end=item.end)
    else:
        words = (*first.modifiers, *first.text.split())
        phrase = replace(
            first, entries=item.entries, text=item.text, plural=item.plural, modifiers=words, end=item.end,
            quantity=first.quantity or ("plural" if item.plural else ""),
        )  # fmt: skip
    yield took(state, item, "noun", "noun:compound", clause=replace(clause, phrases=(*clause.phrases[:-1], phrase)))


def _elsewhere(state: State, item: Item, span: Span) -> Ways:
    """A noun or place after "except" or "than"."""
    clause = state.clause
    held = state.before
    if state.target == "except":
        where = held.places[0] if held and held.places else None
        place = Span(where.text, 0, 0, where.entries) if where else None
        words = " ".join(held.modifiers) if held and held.modifiers else ""
        about = Span(words, 0, 0) if words else None
        one = (
            Restriction("except", where=span)
            if item.sort is Sort.PLACE
            else Restriction("except", host=span, where=place, about=about)
        )
        # the place of a noun that is excepted replaces the place read just before
        clause = replace(clause, exceptions=(*clause.exceptions, one))
        yield took(state, item, "except", "except", clause=clause, before=None, joint="", preposition="")
        return
    spans = (*clause.versus, span)
    if held is not None and held.places:
        spans = (*clause.versus, *(Span(p.text, 0, 0, p.entries) for p in held.places), span)
    yield took(
        state, item, "versus", "versus", clause=replace(clause, versus=spans), before=None, joint="", preposition=""
    )


def place(state: State, item: Item, sentence: Sentence) -> Ways:
    """A room: of the phrase before it, of what comes, or of the whole clause."""
    before = state.before if not state.joint else None
    introduced = bool(state.preposition or (before and before.preposition))
    modifiers = before.modifiers if before else ()
    generic = any(e.iri in _GENERIC for e in item.entries) and not modifiers
    every = bool(before and before.quantity in ("all", "any"))
    name = PlaceName(item.entries, item.text, item.plural or every, modifiers, introduced)
    if state.target in ("except", "versus") and not (before and before.places):
        yield from _elsewhere(state, item, sentence.span(item))
        if state.target == "versus":
            return
    if state.open == "place" and not generic and before is None and not introduced:
        return
    restrictions: tuple[Restriction, ...] = ()
    if before is not None and before.order is not None:
        restrictions = (replace(before.order, count=before.order.count or before.count),)
    if before is not None and before.values:
        restrictions = (*restrictions, *(Restriction("=", amount=v) for v in before.values))
    name = replace(name, restrictions=restrictions)
    clause = state.clause
    if not generic and not restrictions and not every:
        kept = () if before is None else before.places
        yield from begun(state, item, "place:before", places=(*kept, name), modifiers=())
        if (
            state.joint
            and state.before is not None
            and state.before.places
            and not _says(replace(state.before, places=()))
        ):
            held = replace(state.before, places=(*state.before.places, name))
            yield took(state, item, "before", "place:before-list", before=held, joint="")
    if before is not None and _says(replace(before, modifiers=(), order=None, values=(), count=None)):
        settled = flushed(state)
        if settled is None:
            return
        state, clause = settled, settled.clause
    opened = "place" if (generic or restrictions or every or item.plural) else state.open
    if state.joint:
        settled = flushed(state)
        if settled is not None and settled.last != "":
            if settled.clause.places and not settled.clause.phrases and settled.clause.places[-1].restrictions == ():
                yield took(
                    settled,
                    item,
                    "place",
                    "place:list",
                    clause=replace(settled.clause, places=(*settled.clause.places, name)),
                    before=None,
                    joint="",
                    preposition="",
                    open=opened,
                )
            if clause.phrases and clause.phrases[-1].places:
                phrases = _placed(settled.clause, name)
                yield took(
                    settled,
                    item,
                    "place",
                    "place:and",
                    clause=replace(settled.clause, phrases=phrases),
                    before=None,
                    joint="",
                    preposition="",
                    open=opened,
                )
            if not settled.clause.empty:
                fresh = new_clause(settled, item, "clause:place")
                if fresh is not None:
                    yield took(
                        fresh,
                        item,
                        "place",
                        "place:front",
                        clause=replace(fresh.clause, places=(name,)),
                        before=None,
                        joint="",
                        preposition="",
                        open=opened,
                    )
            yield took(
                settled,
                item,
                "place",
                "place:late",
                clause=replace(settled.clause, places=(*settled.clause.places, name)),
                before=None,
                joint="",
                preposition="",
                open=opened,
            )
        return
    common = {"before": None, "joint": "", "preposition": "", "open": opened}
    if state.repair and (clause.places or (clause.phrases and clause.phrases[-1].places)):
        if clause.phrases and clause.phrases[-1].places:
            last = replace(clause.phrases[-1], places=(name,))
            fixed = replace(clause, phrases=(*clause.phrases[:-1], last), repaired=True)
        else:
            fixed = replace(clause, places=(name,), repaired=True)
        yield took(state, item, "place", "repair:place", clause=fixed, repair=False, **common)
    if clause.phrases and introduced and not clause.phrases[-1].pronoun:
        near = "place:of-noun" if state.last == Sort.NOUN.value or not clause.amounts else "place:of-noun-far"
        yield took(state, item, "place", near, clause=replace(clause, phrases=_placed(clause, name)), **common)
    where = "place:clause" if introduced else "place:bare"
    yield took(state, item, "place", where, clause=replace(clause, places=(*clause.places, name)), **common)


def _placed(clause: Clause, name: PlaceName) -> tuple[Phrase, ...]:
    last = clause.phrases[-1]
    return (*clause.phrases[:-1], replace(last, places=(*last.places, name)))


def pronoun(state: State, item: Item, sentence: Sentence) -> Ways:
    """ "it", "them", "the lot", "one", "the other": what was spoken of."""
    if state.joint:
        options = [one for one, _ in _ready(state, item)]
    else:
        options = [state]
    for ready in options:
        clause, held = ready.clause, ready.before
        if ready.preposition == "to" and item.sort is Sort.PronounOne and (bound := _bound(ready)) is not None:
            how = HowMuch("to", bound.text, bound.entries, bound.number, bound.unit)
            amounts = (*clause.amounts, (len(clause.phrases), how))
            yield took(
                ready, item, "value", "value:refers", clause=replace(clause, amounts=amounts), preposition="", joint=""
            )
        text = {Sort.PronounOne: "it", Sort.PronounSeveral: "them", Sort.Everything: "them"}.get(item.sort, item.text)
        if item.sort is Sort.One and held is not None:
            phrase, kept = _phrase(held, replace_entries(item))
            phrase = replace(phrase, text=item.text, pronoun="")
            if (
                clause.phrases
                and (clause.phrases[-1].entries or clause.phrases[-1].text)
                and (phrase.places or phrase.modifiers or phrase.restrictions)
            ):
                last = clause.phrases[-1]
                told = replace(
                    last, places=phrase.places or last.places, modifiers=(*last.modifiers, *phrase.modifiers),
                    restrictions=(*last.restrictions, *phrase.restrictions),
                )  # fmt: skip
                feature = "repair:one" if ready.repair else "one:respecifies"
                yield took(
                    ready, item, "noun", feature, *kept, clause=replace(clause, phrases=(*clause.phrases[:-1], told)),
                    before=None, joint="", preposition="", repair=False,
                )  # fmt: skip
            yield took(
                ready, item, "noun", "noun:one", *kept, clause=replace(clause, phrases=(*clause.phrases, phrase)),
                before=None, joint="", preposition="",
            )  # fmt: skip
            continue
        quantity = "all" if item.sort is Sort.Everything else "plural" if text == "them" else ""
        phrase = Phrase(pronoun=text, quantity=quantity, text=item.text, start=item.start, end=item.end)
        if item.sort is Sort.Everything and not clause.phrases:
            thing = Phrase(entries=(DEVICE,), text="anything", plural=True, quantity="all", start=item.start)
            yield took(
                ready, item, "noun", "pronoun:anything", clause=replace(clause, phrases=(thing,)), before=None, joint="",
                preposition="", open="phrase",
            )  # fmt: skip
        if item.sort is Sort.Everything:
            yield took(
                ready, item, "noun", "pronoun:everything",
                clause=replace(clause, phrases=(*clause.phrases, replace(phrase, pronoun="everything"))),
                before=None, joint="", preposition="",
            )  # fmt: skip
        if any(p.entries or p.places or p.modifiers for p in clause.phrases):  # "the curtain, close it"
            yield took(ready, item, "pronoun", "pronoun:resumes", before=None, joint="", preposition="")
            continue
        yield took(
            ready, item, "pronoun", "pronoun", clause=replace(clause, phrases=(*clause.phrases, phrase)),
            before=None, joint="", preposition="",
        )  # fmt: skip


def _bound(state: State) -> Span | None:
    """The number that was last compared with: "any above fifty should come down to it"."""
    for clause in (state.clause, *reversed(state.clauses)):
        said = (*clause.predicate, *(r for p in clause.phrases for r in p.restrictions))
        said = (
            *said,
            *(r for n in (*clause.places, *(x for p in clause.phrases for x in p.places)) for r in n.restrictions),
        )
        for one in reversed(said):
            if one.amount is not None and one.amount.number is not None:
                return one.amount
    return None


def replace_entries(item: Item) -> Item:
    return replace(item, entries=())


def other(state: State, item: Item, sentence: Sentence) -> Ways:
    """ "the other", "the other lamp"."""
    yield from begun(state, item, other=True, modifiers=("other",), determined=True)


def here(state: State, item: Item, sentence: Sentence) -> Ways:
    """ "here", "there", "everywhere"."""
    settled = flushed(state) if state.joint or state.before is not None else state
    if settled is None:
        return
    changes = {Sort.Here: "here", Sort.There: "there", Sort.Everywhere: "everywhere"}[item.sort]
    clause = replace(settled.clause, **{changes: True})  # type: ignore[arg-type]
    yield took(settled, item, "place", f"where:{changes}", clause=clause, preposition="")


# Values and tests


def valued(state: State, item: Item, sentence: Sentence, *features: str) -> Ways:
    """A value that something is to have."""
    if state.joint:
        for ready, feature in _ready(state, item):
            joined = "value:new" if feature == "new" else "value:joined"
            yield from _valued(replace(ready, joint=""), item, (*features, joined))
        return
    settled = flushed(state) if state.before is not None else state
    if settled is not None:
        yield from _valued(settled, item, features)


def _valued(state: State, item: Item, features: Sequence[str]) -> Ways:
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
    )
    sort = "number" if item.number is not None else "word"
    said = [a for _, a in clause.amounts]
    same = any((a.number is None) == (how.number is None) for a in said)
    prices = [f"goal:{sort}:{preposition or 'bare'}", *features]
    if clause.asks:
        prices.append("goal:in-question")
    if clause.condition:
        prices.append("goal:in-condition")
    if clause.copula and not clause.modal:
        prices.append("goal:after-copula")
    if not clause.verbs and not clause.modal and not clause.request:
        prices.append("goal:verbless")
    if same:
        prices.append(f"goal:second-{sort}")
    common = {"before": None, "preposition": "", "comparison": "", "repair": False, "open": ""}
    if state.repair and same:
        kept = [(n, a) for n, a in clause.amounts if (a.number is None) != (how.number is None)]
        old = next((a for _, a in reversed(clause.amounts) if (a.number is None) == (how.number is None)), how)
        new = replace(how, preposition=how.preposition or old.preposition, unit=how.unit or old.unit)
        fixed = replace(clause, amounts=(*kept, (len(clause.phrases), new)), repaired=True)
        yield took(state, item, "value", "repair:value", clause=fixed, **common)
    index = len(clause.phrases)
    yield took(state, item, "value", *prices, clause=replace(clause, amounts=(*clause.amounts, (index, how))), **common)


def value(state: State, item: Item, sentence: Sentence) -> Ways:
    """A state, a mode, a colour: a goal, a test, or an adjective of the noun that follows."""
    span = sentence.span(item)
    tested = _tested(state, span)
    if tested is not None:
        yield took(tested, item, "test", f"test:word:{_place_of(state)}")
    if not state.joint and not (state.before and state.before.values and item.sort is not Sort.VALUE):
        kept = state.before.values if state.before is not None else ()
        yield from begun(state, item, "value:adjective", values=(*kept, span))
    elif state.joint:
        yield from begun(state, item, "value:adjective-joined", values=(span,))
    ahead = ("goal:then-noun",) if sentence.names_at(item.end) else ()
    yield from valued(state, item, sentence, *ahead)


def _place_of(state: State) -> str:
    return state.open or ("asked" if state.clause.asks else "told")


def number(state: State, item: Item, sentence: Sentence) -> Ways:
    """A number: how much something is to be, what something is compared with, how many, or how long."""
    span = sentence.span(item)
    tested = _tested(state, span)
    if tested is not None:
        yield took(tested, item, "test", f"test:number:{_place_of(state)}:{state.comparison or 'bare'}")
    whole = item.number is not None and item.number == int(item.number) and 1 <= item.number <= MOST_COUNTED
    if whole and item.unit is None and not state.preposition == "to":
        yield from begun(state, item, "number:count", count=int(item.number or 0))
    if not state.joint and item.unit is not None:
        yield from begun(state, item, "number:before", values=(span,))
    if not state.comparison:
        ahead = ("goal:then-noun",) if sentence.names_at(item.end) else ()
        bare = ("goal:one",) if item.text == "one" else ()
        yield from valued(state, item, sentence, *ahead, *bare)


def _tested(state: State, span: Span) -> State | None:
    """The state with a test added where tests go; None where none can."""
    if state.before is not None and _says(state.before):
        return None
    comparison = state.comparison or "="
    if state.relation is not None and span.number is not None and not state.comparison:
        comparison = "more"
    one = Restriction(comparison, span, state.about, state.relation, state.host, negated=state.negated)
    clause = state.clause
    if state.open in ("phrase", "place"):
        return with_test(state, one)
    if state.open == "predicate" or clause.asks or clause.condition:
        joined = replace(state, joint="", before=None) if state.joint else replace(state, before=None)
        told = replace(clause, predicate=(*clause.predicate, replace(one, host=None) if clause.asks else one))
        return replace(joined, clause=told, comparison="", relation=None, negated=False, preposition="")
    if state.comparison and clause.phrases and not state.joint:
        return with_test(replace(state, open="phrase", before=None), one)
    if clause.copula and not clause.modal and clause.phrases and not clause.verbs and not state.joint:
        told = replace(clause, predicate=(*clause.predicate, one), told=True)
        return replace(state, clause=told, comparison="", relation=None, negated=False, preposition="", before=None)
    return None


def with_test(state: State, one: Restriction) -> State | None:
    """The test, on the noun or the room that was said last."""
    clause = state.clause
    common = {"comparison": "", "relation": None, "preposition": "", "before": None, "joint": ""}
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
        return replace(state, clause=changed, host=None, negated=False, **common)
    if not clause.phrases:
        return None
    last = clause.phrases[-1]
    phrase = replace(last, restrictions=(*last.restrictions, one))
    changed = replace(clause, phrases=(*clause.phrases[:-1], phrase))
    return replace(state, clause=changed, **common)


def relative(state: State, item: Item, sentence: Sentence) -> Ways:
    """ "brighter", "lower", "dim": a change, or a comparison where "than" follows."""
    span = sentence.span(item)
    clause = state.clause
    if clause.asks or state.open or clause.condition:
        held = replace(state, before=None) if state.before is not None and not _says(state.before) else state
        changed = held.clause if held.clause.relation or held.open else replace(held.clause, relation=span)
        yield took(held, item, "relation", "relative:compares", relation=span, clause=changed)
    elif clause.phrases and not clause.verbs:
        yield took(state, item, "relation", "relative:compares-noun", relation=span, open="phrase")
    before = state.before if not state.joint else None
    if before is not None and before.determined and not before.places:  # "the warmer of those two"
        order = Restriction("most", relation=span, count=before.count)
        yield took(state, item, "order", "relative:order", before=replace(before, order=order))
    options = [state]
    if state.joint:
        options = [one for one, _ in _ready(state, item)]
    for ready in options:
        settled = flushed(ready) if ready.before is not None else ready
        if settled is None:
            continue
        own = settled.clause
        features = ["relative:changes"]
        if any(e.role is Role.COMMAND for e in own.verbs):
            features.append("relative:after-command")
        changed = replace(own, verbs=(*own.verbs, *item.entries), verb=own.verb or item.text)
        yield took(settled, item, "change", *features, clause=changed, joint="", preposition="")


def gradable(state: State, item: Item, sentence: Sentence) -> Ways:
    """ "bright", "warm": of what a question asks, or how something is."""
    if state.clause.head == "How" or state.clause.asks is Asks.VALUE:
        yield took(state, item, "relation", "gradable:asked", clause=in_clause(state, relation=sentence.span(item)))


def direction(state: State, item: Item, sentence: Sentence) -> Ways:
    """ "up", "down": which way; with a verb before it that has such a particle, the verb."""
    verbal = verb_with(state, item, sentence)
    if verbal is not None:
        yield verbal
    way = {"up": 1, "down": -1, "upwards": 1, "downwards": -1, "higher": 1, "lower": -1, "more": 1, "less": -1}.get(
        item.text, 0
    )
    if way:
        settled = flushed(state) if state.joint or state.before is not None else state
        if settled is not None and not settled.clause.asks:
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
    if not clause.verb or state.joint:
        return None
    entries = sentence.phrasal(clause.verb, item.text)
    if not entries or set(entries) <= set(clause.verbs):
        return None
    settled = flushed(state) if state.before is not None else state
    if settled is None:
        return None
    clause = replace(settled.clause, verbs=entries, verb=f"{clause.verb.split()[0]} {item.text}")
    return took(settled, item, "verb", "verb:particle", clause=clause)


def tail(state: State, place: int, sentence: Sentence) -> Iterator[tuple[State, int]]:
    """The words that the verb of the clause makes a command with, apart from it."""
    if not state.clause.verb or state.clause.asks:
        return
    for end, entries in sentence.tails(state.clause.verb, place):
        settled = flushed(state) if state.before is not None else state
        if settled is None or set(entries) <= set(settled.clause.verbs):
            continue
        words = " ".join(t.text for t in sentence.tokens[place:end])
        item = Item(place, end, Sort.PARTICLE, words)
        clause = replace(settled.clause, verbs=entries, verb=f"{settled.clause.verb} {words}")
        yield took(settled, item, "verb", "verb:tail", clause=clause, joint="", preposition=""), end


def particle(state: State, item: Item, sentence: Sentence) -> Ways:
    """ "on", "off", "down" after a verb: part of it."""
    verbal = verb_with(state, item, sentence)
    if verbal is not None:
        yield verbal
    if item.text in ("up", "down"):
        yield from direction(state, item, sentence)


# Verbs


def verb(state: State, item: Item, sentence: Sentence) -> Ways:
    """A verb: of this clause, or of a new one."""
    clause = state.clause
    light = all(e.role is Role.LIGHT_VERB for e in item.entries)
    kinds = "light" if light else "relative" if all(e.role is Role.RELATIVE for e in item.entries) else "command"
    before = state.before if not state.joint else None
    if before is not None and before.determined and not _says(before):
        return  # no verb after an article
    told = tuple(dict.fromkeys(e for c in item.entries for e in sentence.states.get(c.iri, ())))
    if told and (state.open or clause.asks or clause.condition):
        ready = flushed(state)
        tested = _tested(ready, replace(sentence.span(item), entries=told)) if ready is not None else None
        if tested is not None:
            yield took(tested, item, "test", f"test:verb:{_place_of(state)}")
    settled = flushed(state)
    if settled is None:
        return
    own = settled.clause
    if not is_order(own) and not settled.joint and not own.verbs:
        if item.text.split()[0].endswith(("ed", "ing")):  # "the door is being opened"
            yield took(settled, item, "told", "told:verb", clause=replace(own, told=True))
        return
    if not settled.joint or own.empty or not own.verbs:
        if not own.verbs:
            features = [f"verb:{kinds}"]
            if own.asks:
                features.append(f"verb:{kinds}-in-question")
            if own.condition:
                features.append(f"verb:{kinds}-in-condition")
            if own.phrases and not own.modal:
                features.append("verb:after-noun")
            if own.copula and not own.modal:
                features.append("verb:after-copula")
            if _narrates(settled, item):
                yield took(settled, item, "told", "told:verb", clause=replace(own, told=True, verbs=()), joint="")
                return
            if settled.joint and not own.empty:
                features.append(f"verb:over-joint{settled.joint}")
            if settled.open and settled.last in _OPENERS:
                features.append("verb:where-test")
            yield took(
                settled,
                item,
                "verb",
                *features,
                clause=replace(own, verbs=item.entries, verb=item.text),
                joint="",
                preposition="",
                open="",
            )
        elif all(e.role is Role.LIGHT_VERB for e in own.verbs) and not light:
            yield took(
                settled,
                item,
                "verb",
                f"verb:light+{kinds}",
                clause=replace(own, verbs=item.entries, verb=item.text),
                joint="",
                preposition="",
                open="",
            )
        elif light:
            yield took(settled, item, "verb", "verb:second-light", joint="", preposition="")
    if settled.repair and own.verbs:
        yield took(
            settled,
            item,
            "verb",
            "repair:verb",
            clause=replace(own, verbs=item.entries, verb=item.text, repaired=True),
            repair=False,
            joint="",
            preposition="",
        )
    if not own.empty:
        fresh = new_clause(settled, item)
        if fresh is not None:
            yield took(
                fresh,
                item,
                "verb",
                f"verb:{kinds}",
                clause=replace(fresh.clause, verbs=item.entries, verb=item.text),
                joint="",
                preposition="",
            )


def _narrates(state: State, item: Item) -> bool:
    """ "My sister turned on the light": somebody who is no thing of the home did something."""
    finite = item.text.split()[0].endswith("ed")
    return finite and state.last in (Sort.SpeakerWord.value, Sort.Somebody.value, Sort.Nobody.value, Sort.WORD.value)


_OPENERS = frozenset(one.value for one in (Sort.That, Sort.Whose, Sort.Still, Sort.Copula, Sort.Being, Sort.Wherever))


# Function words


def preposition(state: State, item: Item, sentence: Sentence) -> Ways:
    """ "to", "by", "in", "of", "with": how what follows belongs to what stands before."""
    word = item.sort.value.lower()
    held = state.before
    if item.text == "'s" and held is not None and held.places and not state.joint:
        yield took(state, item, "owner", "owner:place")
        return
    if item.sort is Sort.Of and state.before is not None and (state.before.count or state.before.order):
        yield took(state, item, "of", "of:among")  # "two of the lights", "the brightest of"
        return
    settled = flushed(state) if state.before is not None else state
    if settled is None:
        return
    features = ("prep:two",) if settled.preposition else ()
    changed = replace(settled, preposition=word)
    yield took(changed, item, "owner" if item.text == "'s" else "preposition", *features)
    if (
        settled.last == Sort.NOUN.value
        and not settled.joint
        and item.text in ("at", "on")
        and not settled.open
        and not settled.clause.asks
    ):
        yield took(settled, item, "at", "at:noun", open="phrase")
    if item.sort is Sort.On:
        return
    if item.sort in (Sort.With, Sort.Without):
        negated = item.sort is Sort.Without
        name = settled.clause.places[-1:] or (settled.clause.phrases[-1].places[-1:] if settled.clause.phrases else ())
        if settled.open == "place" and name:
            yield took(settled, item, "with", "with:room", preposition="with", negated=negated)
        if settled.clause.phrases and not settled.joint and settled.last == Sort.NOUN.value:
            yield took(settled, item, "with", "with:noun", open="phrase", preposition="with", negated=negated)


def comparing(state: State, item: Item, sentence: Sentence) -> Ways:
    """ "above", "at least", "than": how a number is compared; "or more" after it."""
    settled = flushed(state) if state.before is not None else state
    if settled is None:
        return
    if item.sort is Sort.Than:
        if settled.relation is not None:
            yield took(settled, item, "than", "than")
            clause = settled.clause
            if clause.asks is not None:
                asks = {Asks.WHETHER: Asks.COMPARE, Asks.VALUE: Asks.DIFFERENCE, Asks.DIFFERENCE: Asks.DIFFERENCE}.get(
                    clause.asks
                )
                if asks is not None:
                    yield took(settled, item, "than", "than:versus", target="versus", clause=replace(clause, asks=asks))
        return
    comparison = str(item.said or "=")
    if item.sort in (Sort.OrMore, Sort.OrLess):
        fixed = _or_more(settled, comparison)
        if fixed is not None:
            yield took(fixed, item, "compare", "compare:after")
        return
    opened = settled.open or (
        "phrase" if settled.clause.phrases and not settled.clause.asks and not settled.clause.condition else "predicate"
    )
    joined = ("compare:over-joint",) if settled.joint else ()
    joint = "" if settled.open or settled.clause.asks or settled.clause.condition else settled.joint
    yield took(
        settled, item, "compare", "compare", *joined, comparison=comparison, open=opened, joint=joint, preposition=""
    )


def _or_more(state: State, comparison: str) -> State | None:
    clause = state.clause
    if clause.predicate:
        last = replace(clause.predicate[-1], comparison=comparison)
        return replace(state, clause=replace(clause, predicate=(*clause.predicate[:-1], last)))
    if clause.phrases and clause.phrases[-1].restrictions:
        phrase = clause.phrases[-1]
        last = replace(phrase.restrictions[-1], comparison=comparison)
        changed = replace(phrase, restrictions=(*phrase.restrictions[:-1], last))
        return replace(state, clause=replace(clause, phrases=(*clause.phrases[:-1], changed)))
    return None


def opening(state: State, item: Item, sentence: Sentence) -> Ways:
    """ "that", "whose", "still", "only": what follows is said of the noun before."""
    settled = flushed(state) if state.before is not None else state
    if settled is None:
        return
    clause = settled.clause
    if item.sort is Sort.That and sentence.names_at(item.end):
        yield from determiner(state, replace(item, sort=Sort.Definite), sentence)
        return
    if item.sort is Sort.That and clause.phrases:
        joint = {"joint": ""} if settled.joint == "," else {}
        yield took(settled, item, "that", "that", open="phrase", about=None, host=None, **joint)
        name = clause.places[-1:] or clause.phrases[-1].places[-1:]
        if name and settled.open == "place":
            yield took(settled, item, "that", "that:room", open="place", **joint)
    elif item.sort is Sort.That and clause.places:
        yield took(settled, item, "that", "that:room", open="place")
    elif item.sort is Sort.Whose and clause.phrases and not clause.phrases[-1].pronoun:
        yield took(settled, item, "whose", "whose", open="phrase", about=None, host=None, joint="")
    elif item.sort is Sort.Still:
        opened = settled.open or ("phrase" if clause.phrases and settled.last == Sort.NOUN.value else "")
        yield took(settled, item, "still", "still:opens" if opened and not settled.open else "still", open=opened)
        yield took(state, item, "now", "still:now")
    elif item.sort is Sort.Only:
        yield took(state, item, "only", "only")
        if not clause.empty:
            fresh = new_clause(settled, item)
            if fresh is not None:
                yield took(fresh, item, "only", "only:clause", clause=replace(fresh.clause, only=True))


def wherever(state: State, item: Item, sentence: Sentence) -> Ways:
    """ "wherever it's above 26", "rooms where nobody is"."""
    settled = flushed(state) if state.before is not None else state
    if settled is None:
        return
    clause = settled.clause
    joint = {"joint": ""} if settled.joint else {}
    if settled.open == "place":
        yield took(settled, item, "where", "where:room", **joint)
        return
    name = PlaceName((ROOM,), "rooms", True, (), True)
    yield took(
        settled,
        item,
        "where",
        "where:any",
        open="place",
        clause=replace(clause, places=(*clause.places, name)),
        **joint,
    )
    if not clause.empty and settled.joint:
        fresh = new_clause(settled, item)
        if fresh is not None:
            yield took(fresh, item, "where", "where:any", open="place", clause=replace(fresh.clause, places=(name,)))


def copula(state: State, item: Item, sentence: Sentence) -> Ways:
    """ "is", "are", "has": how something is, unless it should be so."""
    settled = flushed(state) if state.before is not None else state
    if settled is None:
        return
    clause = settled.clause
    held = state.before if not state.joint else None
    if held is not None and held.quantity == "any" and not _says(replace(held, quantity="")):
        phrase = Phrase(entries=(DEVICE,), text="anything", plural=True, quantity="any", start=held.start)
        made = replace(state, before=None, clause=replace(state.clause, phrases=(*state.clause.phrases, phrase)))
        yield took(made, item, "copula", "copula:whatever", open="phrase", preposition="")
    if settled.open or clause.condition:
        yield took(settled, item, "copula", "copula:test", preposition="")
    elif clause.asks:
        yield took(
            settled,
            item,
            "copula",
            "copula:asked",
            preposition="",
            open="predicate" if clause.phrases or clause.qualities or clause.places else "",
        )
    else:
        being = item.sort is Sort.Being
        told = replace(clause, copula=True, being=being or clause.being)
        yield took(settled, item, "copula", "copula:being" if being else "copula:told", clause=told, preposition="")
        if clause.phrases and clause.phrases[-1].quantity in ("any", "all") and settled.last == Sort.NOUN.value:
            yield took(settled, item, "copula", "copula:restricts", open="phrase", preposition="")


def past(state: State, item: Item, sentence: Sentence) -> Ways:
    """ "Yesterday", "I heard that": the clause tells of something, and orders nothing."""
    settled = flushed(state) if state.before is not None else state
    if settled is None:
        return
    if item.sort is Sort.Reporting and not settled.clause.empty:
        fresh = new_clause(settled, item)
        if fresh is None:
            return
        settled = fresh
    yield took(settled, item, "told", "told:past", clause=in_clause(settled, told=True))


def is_order(clause: Clause) -> bool:
    """Whether what a clause says may be an order: not where it says how something is."""
    return not clause.being or clause.modal or clause.request or not (clause.phrases or clause.places)


def modal(state: State, item: Item, sentence: Sentence) -> Ways:
    """ "should", "has to be", "can go": how something is to be."""
    settled = flushed(state) if state.before is not None else state
    if settled is None:
        return
    yield took(
        settled,
        item,
        "modal",
        "modal:in-question" if settled.clause.asks else "modal",
        clause=in_clause(settled, modal=True),
        open="",
    )
    if not settled.clause.empty and settled.joint:
        fresh = new_clause(settled, item)
        if fresh is not None:
            yield took(fresh, item, "modal", "modal", clause=replace(fresh.clause, modal=True))


def requesting(state: State, item: Item, sentence: Sentence) -> Ways:
    """ "please", "could you", "I'd like": what follows is to be done."""
    settled = flushed(state) if state.before is not None else state
    if settled is None:
        return
    cleft = settled.clause.copula and not settled.clause.asks
    changes = {"request": True, "copula": False, "modal": True} if cleft else {"request": True}
    yield took(
        settled, item, "request", "request:cleft" if cleft else "request", clause=in_clause(settled, **changes), open=""
    )
    if not settled.clause.empty:
        fresh = new_clause(settled, item)
        if fresh is not None:
            yield took(fresh, item, "request", "request:new", clause=replace(fresh.clause, request=True))


def negation(state: State, item: Item, sentence: Sentence) -> Ways:
    """ "not", "don't": of a test, of what was said wrongly, of an order."""
    settled = flushed(state) if state.before is not None else state
    if settled is None:
        return
    clause = settled.clause
    if settled.open or clause.asks or clause.condition:
        yield took(settled, item, "not", "not:test", negated=not settled.negated)
        return
    if not clause.verbs and (not clause.phrases or clause.modal):
        yield took(settled, item, "not", "not:order", clause=replace(clause, negated=True))
    else:
        fresh = new_clause(settled, item)
        if fresh is not None:
            yield took(fresh, item, "not", "not:clause", clause=replace(fresh.clause, negated=True))


def leaving(state: State, item: Item, sentence: Sentence) -> Ways:
    """ "leave the cellar alone": an exception."""
    settled = flushed(state) if state.before is not None else state
    if settled is None:
        return
    if not settled.clause.empty:
        yield took(settled, item, "except", "leave", target="except", joint="", preposition="")
    fresh = settled if settled.clause.empty else new_clause(settled, item)
    if fresh is not None:
        yield took(fresh, item, "leave", "leave:clause", clause=replace(fresh.clause, leave=True), joint="")


def excepting(state: State, item: Item, sentence: Sentence) -> Ways:
    """ "except", "but not"."""
    settled = flushed(state) if state.before is not None else state
    if settled is None:
        return
    yield took(settled, item, "except", "except:word", target="except", joint="", preposition="", open="")


def person(state: State, item: Item, sentence: Sentence) -> Ways:
    """ "nobody is there": a room that is empty or not."""
    entry = UNOCCUPIED if item.sort is Sort.Nobody else OCCUPIED
    span = replace(sentence.span(item), entries=(entry,))
    one = Restriction("=", span, negated=state.negated)
    clause = state.clause
    held = replace(state, before=None)
    if state.open == "place":
        done = with_test(replace(held, host=None), one)
        if done is not None:
            yield took(done, item, "test", "person:room", open="")
    elif clause.asks or clause.condition:
        told = replace(clause, predicate=(*clause.predicate, one))
        yield took(held, item, "test", "person:asked", clause=told, negated=False)


def repairing(state: State, item: Item, sentence: Sentence) -> Ways:
    """ "no, wait", "I mean": what follows takes the place of what was said."""
    settled = flushed(state) if state.before is not None else state
    if settled is None:
        return
    yield took(settled, item, "repair", "repair", repair=True, joint="", open="", preposition="")


def condition(state: State, item: Item, sentence: Sentence) -> Ways:
    """ "if", "when": a clause that says when, and orders nothing."""
    settled = flushed(state) if state.before is not None else state
    if settled is None:
        return
    word = "when" if item.sort is Sort.When else "if"
    fresh = settled if settled.clause.empty else new_clause(settled, item)
    if fresh is not None:
        clause = replace(fresh.clause, condition=word, start=item.start)
        yield took(fresh, item, "condition", f"condition:{word}", clause=clause, joint="")


def same(state: State, item: Item, sentence: Sentence) -> Ways:
    """ "the same": what was done before."""
    settled = flushed(state) if state.before is not None else state
    if settled is not None:
        yield took(settled, item, "same", "same", clause=in_clause(settled, same=True))


def slightly(state: State, item: Item, sentence: Sentence) -> Ways:
    """ "a bit": a small change."""
    yield took(state, item, "degree", "slightly", clause=in_clause(state, slight=True))


def duration(state: State, item: Item, sentence: Sentence) -> Ways:
    """ "for ten minutes": how long."""
    settled = flushed(state) if state.before is not None else state
    if settled is None or item.number is None:
        return
    seconds = item.number * _SECONDS.get(item.unit or "", 1.0)
    if settled.clause.asks or settled.open:
        tested = _tested(settled, sentence.span(item))
        if tested is not None:
            yield took(tested, item, "test", "test:duration")
    yield took(settled, item, "time", "duration", clause=in_clause(settled, duration=seconds), preposition="")


def time(state: State, item: Item, sentence: Sentence) -> Ways:
    """ "Every weekday at seven", "in ten minutes", "for an hour": when, how often, how long."""
    settled = flushed(state) if state.before is not None else state
    if settled is None:
        return
    clause = settled.clause
    if isinstance(item.time, Duration | Length) and not clause.condition:
        if isinstance(item.time, Duration):
            held = replace(clause, duration=item.time.seconds)
            yield took(settled, item, "time", "time:duration", clause=held, preposition="")
        return
    name = type(item.time).__name__.lower()
    yield took(
        settled, item, "time", f"time:{item.said}", f"time:{name}", clause=replace(clause, times=(*clause.times, item.time)),
        preposition="", joint="" if clause.empty else settled.joint,
    )  # fmt: skip
    if clause.condition and not clause.empty and not isinstance(item.time, Duration | Length):
        fresh = new_clause(settled, item)
        if fresh is not None:
            yield took(
                fresh, item, "time", f"time:{item.said}", f"time:{name}", clause=replace(fresh.clause, times=(item.time,))
            )  # fmt: skip


_SECONDS = {expand("hg:Second"): 1.0, expand("hg:Minute"): 60.0, expand("hg:Hour"): 3600.0, expand("hg:Day"): 86400.0}

_HEADS = {
    Sort.HowMany: Asks.COUNT,
    Sort.Which: Asks.LIST,
    Sort.What: Asks.VALUE,
    Sort.How: Asks.VALUE,
    Sort.Where: Asks.PLACE,
    Sort.HowLong: Asks.SINCE,
    Sort.WhenDid: Asks.LAST,
    Sort.Whether: Asks.WHETHER,
    Sort.Mean: Asks.MEAN,
    Sort.Total: Asks.TOTAL,
    Sort.Difference: Asks.DIFFERENCE,
}


def asking(state: State, item: Item, sentence: Sentence) -> Ways:
    """ "how many", "which", "is": a question and what it asks for."""
    settled = flushed(state) if state.before is not None else state
    if settled is None:
        return
    asks = _HEADS[item.sort]
    clause = settled.clause
    if clause.asks is not None and not settled.joint:
        stronger = item.sort in (Sort.Mean, Sort.Total, Sort.Difference, Sort.HowMany)
        if stronger or (clause.asks is Asks.WHETHER and item.sort is not Sort.Whether) or clause.head == "What":
            yield took(settled, item, "head", "head:sharper", clause=replace(clause, asks=asks, head=item.sort.value))
        elif item.sort is Sort.Whether:
            yield took(
                settled, item, "copula", "copula:asked", open="predicate" if clause.phrases or clause.places else ""
            )
        return
    at_start = clause.empty and not clause.request
    late = () if at_start else ("head:late",)
    if item.sort is Sort.Whether and not sentence.asks:
        late = (*late, "head:no-mark")
    if item.sort is Sort.Whether and not at_start:
        late = (*late, "head:whether-late")
    if clause.verbs or clause.amounts:
        late = (*late, "head:after-order")
    yield took(
        settled,
        item,
        "head",
        f"head:{item.sort.value}",
        *late,
        clause=replace(clause, asks=asks, head=item.sort.value),
        joint="" if clause.empty else settled.joint and "",
    )
    if not clause.empty and settled.joint:
        fresh = new_clause(settled, item)
        if fresh is not None:
            yield took(
                fresh,
                item,
                "head",
                f"head:{item.sort.value}",
                clause=replace(fresh.clause, asks=asks, head=item.sort.value),
            )


def as_before(state: State, item: Item, sentence: Sentence) -> Ways:
    """ "How it was": the value before it was changed."""
    former = replace(item, entries=(FORMER,), sort=Sort.VALUE)
    settled = flushed(state) if state.before is not None else state
    if settled is not None:
        yield from _valued(replace(settled, joint="", preposition=""), former, ("value:former",))


def unwanted(state: State, item: Item, sentence: Sentence) -> Ways:
    """ "We don't need the light": it is to be off."""
    settled = flushed(state) if state.before is not None else state
    if settled is None:
        return
    fresh = settled if settled.clause.empty else new_clause(settled, item) if settled.joint else None
    if fresh is not None:
        yield took(fresh, item, "not", "unwanted", clause=replace(fresh.clause, unwanted=True))
    if settled.clause.phrases and not settled.clause.verbs:
        yield took(settled, item, "not", "unwanted:after", clause=replace(settled.clause, unwanted=True))


# Words that say nothing


def filler(state: State, item: Item, sentence: Sentence) -> Ways:
    """What says nothing."""
    yield took(state, item, "filler", "filler")


def loose(state: State, item: Item, sentence: Sentence) -> Ways:
    """A small word that is left out."""
    yield took(state, item, "loose", "loose", f"loose:{item.text}")


def speaker(state: State, item: Item, sentence: Sentence) -> Ways:
    """ "I", "we": who speaks."""
    yield took(state, item, "speaker", "speaker")


def word(state: State, item: Item, sentence: Sentence) -> Ways:
    """A word that nothing here is known by: of a name, or left out."""
    if item.number is not None:
        yield took(state, item, "skipped", "skip:number")
        return
    known = sentence.lexicon.knows(item.text)
    if sentence.lexicon.names(item.text):
        before = state.before if not state.joint else None
        words = before.modifiers if before is not None else ()
        yield from begun(state, item, "word:modifier", modifiers=(*words, item.text))
    yield took(state, item, "skipped", "skip:known" if known else "skip:word")


def text(state: State, item: Item, sentence: Sentence) -> Ways:
    """Words in quotes: a value."""
    yield from valued(state, item, sentence, "value:quote")


def flushed(state: State) -> State | None:
    """The state without what stands before a noun that did not come: values become goals or tests, places places.

    None where what stood there needs a noun."""
    held = state.before
    if held is None:
        return state
    clause = replace(state.clause)
    features: list[str] = []
    preposition = held.preposition
    state = replace(state, before=None)
    if held.order is not None or (held.restrictions and not held.modifiers):
        restrictions = held.restrictions
        if held.order is not None:
            restrictions = (*restrictions, replace(held.order, count=held.order.count or held.count))
        if clause.asks and clause.phrases and not clause.predicate and held.order is not None:
            clause = replace(clause, predicate=(*clause.predicate, restrictions[-1]))
        else:
            phrase = Phrase(
                restrictions=restrictions,
                places=held.places,
                quantity=held.quantity if held.quantity in ("all", "any") else "",
                determined=held.determined,
                start=held.start,
                text="one",
                pronoun="",
            )
            clause = replace(clause, phrases=(*clause.phrases, phrase))
        features.append("flush:order")
        return replace(state, clause=clause, features=(*state.features, *features), preposition="")
    if held.modifiers:
        phrase = Phrase(
            text=held.modifiers[-1], modifiers=held.modifiers[:-1], places=held.places, quantity=held.quantity if held.quantity in ("all", "any") else "",
            other=held.other, determined=held.determined, start=held.start,
        )  # fmt: skip
        clause = replace(clause, phrases=(*clause.phrases, phrase))
        features.append("flush:other" if held.other else "flush:name")
    elif held.places and state.repair and (clause.places or (clause.phrases and clause.phrases[-1].places)):
        if clause.phrases and clause.phrases[-1].places:
            clause = replace(clause, phrases=(*clause.phrases[:-1], replace(clause.phrases[-1], places=held.places)))
        else:
            clause = replace(clause, places=held.places)
        clause, state = replace(clause, repaired=True), replace(state, repair=False)
        features.append("repair:place")
    elif held.places:
        names = held.places
        if preposition or clause.phrases:
            if clause.phrases and not clause.phrases[-1].pronoun and preposition:
                last = clause.phrases[-1]
                phrase = replace(last, places=(*last.places, *names))
                clause = replace(clause, phrases=(*clause.phrases[:-1], phrase))
                features.append("flush:place-noun")
            else:
                clause = replace(clause, places=(*clause.places, *names))
                features.append("flush:place-clause")
        else:
            clause = replace(clause, places=(*clause.places, *names))
            features.append("flush:place-bare")
        if held.quantity in ("all", "any"):
            features.append("flush:quantity")
    elif held.quantity == "all":
        phrase = Phrase(pronoun="them", quantity="all", count=held.count, text="all", start=held.start)
        if not clause.phrases:
            clause = replace(clause, phrases=(phrase,))
            features.append("flush:all")
        else:
            last = replace(clause.phrases[-1], quantity="all")
            clause = replace(clause, phrases=(*clause.phrases[:-1], last))
            features.append("flush:all-after")
    elif held.count is not None:
        return None
    if held.values:
        index = len(clause.phrases)
        state = replace(state, clause=clause)
        for value in held.values:
            if clause.asks or clause.condition or state.open:
                tested = _tested(replace(state, clause=clause), value)
                if tested is None:
                    return None
                state, clause = tested, tested.clause
                features.append("flush:test")
            else:
                how = HowMuch(
                    {"to": "to", "by": "by", "on": "on", "in": "in", "with": "with"}.get(preposition, ""),
                    value.text,
                    value.entries,
                    value.number,
                    value.unit,
                    (),
                    value.of_current,
                )
                clause = replace(clause, amounts=(*clause.amounts, (index, how)))
                features.append("flush:value")
    return replace(
        state,
        clause=clause,
        features=(*state.features, *features),
        preposition="" if preposition else state.preposition,
    )


RULES: dict[Sort, Rule] = {
    Sort.StopMark: boundary,
    Sort.PauseMark: boundary,
    Sort.And: boundary,
    Sort.Definite: determiner,
    Sort.Possessive: determiner,
    Sort.Indefinite: determiner,
    Sort.Any: determiner,
    Sort.Every: determiner,
    Sort.Both: determiner,
    Sort.No: determiner,
    Sort.HalfOf: determiner,
    Sort.Pair: determiner,
    Sort.Most: superlative,
    Sort.Least: superlative,
    Sort.SUPERLATIVE: superlative,
    Sort.KIND: kind,
    Sort.NOUN: noun,
    Sort.PLACE: place,
    Sort.PronounOne: pronoun,
    Sort.PronounSeveral: pronoun,
    Sort.Everything: pronoun,
    Sort.One: pronoun,
    Sort.Other: other,
    Sort.Here: here,
    Sort.There: here,
    Sort.Everywhere: here,
    Sort.VALUE: value,
    Sort.NUMBER: number,
    Sort.DURATION: duration,
    Sort.TIME: time,
    Sort.RELATIVE: relative,
    Sort.GRADABLE: gradable,
    Sort.Upwards: direction,
    Sort.Downwards: direction,
    Sort.PARTICLE: particle,
    Sort.VERB: verb,
    Sort.To: preposition,
    Sort.By: preposition,
    Sort.On: preposition,
    Sort.In: preposition,
    Sort.Of: preposition,
    Sort.With: preposition,
    Sort.Without: preposition,
    Sort.From: preposition,
    Sort.Above: comparing,
    Sort.Below: comparing,
    Sort.AtLeast: comparing,
    Sort.AtMost: comparing,
    Sort.OrMore: comparing,
    Sort.OrLess: comparing,
    Sort.Than: comparing,
    Sort.That: opening,
    Sort.Whose: opening,
    Sort.Still: opening,
    Sort.Only: opening,
    Sort.Wherever: wherever,
    Sort.Copula: copula,
    Sort.Being: copula,
    Sort.PastMark: past,
    Sort.Reporting: past,
    Sort.Modal: modal,
    Sort.Requesting: requesting,
    Sort.Not: negation,
    Sort.Leave: leaving,
    Sort.Alone: filler,
    Sort.Except: excepting,
    Sort.Including: filler,
    Sort.Somebody: person,
    Sort.Nobody: person,
    Sort.SpeakerWord: speaker,
    Sort.If: condition,
    Sort.When: condition,
    Sort.Repair: repairing,
    Sort.Fillers: filler,
    Sort.Loose: loose,
    Sort.Same: same,
    Sort.Slightly: slightly,
    Sort.AsBefore: as_before,
    Sort.Unwanted: unwanted,
    Sort.TEXT: text,
    Sort.WORD: word,
    **dict.fromkeys(_HEADS, asking),
}
