"""How an item that names a thing, a room or a property joins a reading."""

from __future__ import annotations

from engine.graph.terms import expand
from engine.language.chart.heard.items import OTHER, UTMOST, Item, Sort
from engine.language.chart.joining.attach import (
    DEVICE,
    Ways,
    begun,
    flushed,
    has_object,
    has_place,
    in_clause,
    is_tested,
    last_part,
    new_clause,
    placed,
    ranked,
    ready_for,
    says,
    tested,
    took,
    with_place,
    with_test,
)
from engine.language.chart.joining.frames import ON, Before, Clause, Phrase, State
from engine.language.chart.joining.hosts import begins_anew, hosted, hosted_too, is_alternative
from engine.language.chart.joining.sensed import moving
from engine.language.chart.joining.sentence import Sentence
from engine.language.chart.joining.values import about_last, valued
from engine.language.phrases.slots import HowMuch, PlaceName, Quality
from engine.language.words.lexicon import Role
from engine.language.words.records import replace
from engine.language.words.spans import Restriction, Span
from engine.model.intent import Asks

_GENERIC = frozenset({expand("hg:Room"), expand("hg:Place")})


def determiner(state: State, item: Item, sentence: Sentence) -> Ways:
    """ "the", "any", "all", "both", "its": how many of what follows."""
    quantity = {
        Sort.Any: "any",
        Sort.Indefinite: "any",
        Sort.Different: "any",
        Sort.Every: "all",
        Sort.Both: "all",
        Sort.No: "none",
        Sort.HalfOf: "half",
        Sort.Pair: "all",
    }.get(item.sort, "")
    count = 2 if item.sort in (Sort.Both, Sort.Pair) else None
    before = state.held
    if item.sort is Sort.Pair and item.text.startswith("trio"):
        count = 3
    if before is not None and item.sort is Sort.Definite and _is_settled(before):
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
        article=item.sort is Sort.Indefinite,
        free=item.sort is Sort.Any,
        owned=item.sort is Sort.Possessive,
    )


def is_said(state: State) -> bool:
    """Whether what follows is said of what is named: "two of the lights are …"."""
    clause = state.clause
    return clause.copula and not clause.modal and bool(clause.phrases) and not clause.verbs and not state.joint


def told(state: State, order: Restriction) -> Clause:
    """The clause with a ranking said of its noun."""
    return in_clause(state, predicate=(*state.clause.predicate, order), told=True)


def others(state: State, item: Item, sentence: Sentence) -> Ways:
    """ "… lower than all the others": a comparison with all the rest is a ranking."""
    if state.last not in _COMPARING:
        return
    relation = state.relation
    order = Restriction("most", relation=relation, about=state.about)
    held = replace(state, relation=None, about=None, before=None, comparison="")
    if relation is None and state.comparison:
        order = replace(order, comparison="most" if state.comparison.startswith(">") else "least")
    elif relation is None:
        return
    if held.clause.asks or held.clause.condition or held.open == "place":
        done = ranked(held, order)
        if done is not None:
            yield took(done, item, "order", "others:ranks")
    if held.clause.phrases and not held.clause.asks:
        clause = in_clause(held, predicate=(*held.clause.predicate, order), told=True, verbs=(), verb="", relation=None)
        yield took(held, item, "order", "others:told", clause=clause, open="", joint="")
        done = with_test(replace(held, open="phrase"), order)
        if done is not None:
            yield took(done, item, "order", "others:restricts")


_COMPARING = frozenset(
    one.value for one in (Sort.Above, Sort.Below, Sort.Than, Sort.RELATIVE, Sort.VERB, Sort.GRADABLE, Sort.KIND)
)


def _is_settled(before: Before) -> bool:
    """Whether an article begins something new after this: not in "every one of the", "half the", "two of the"."""
    counted = bool(before.quantity or before.count or before.order) and not before.restricts
    return bool(before.modifiers) or (before.determined and not counted)


def superlative(state: State, item: Item, sentence: Sentence) -> Ways:
    """ "the brightest": a ranking of what follows, or the end of a scale as a value."""
    span = sentence.span(item)
    if item.said == UTMOST:
        ready = state if state.preposition else replace(state, preposition="to")
        yield from valued(ready, item, sentence)  # "as warm as they'll go" tells none from the others
        if not (state.open or state.clause.asks or state.clause.condition):
            return
    if item.sort in (Sort.Most, Sort.Least):
        comparison, relation = ("most" if item.said == 1 else "least"), None
    else:
        comparison, relation = "most", span
    count = state.held.count if state.held is not None else None
    order = Restriction(comparison, relation=relation, count=count)
    if not _says_how_much(state, item, sentence):
        yield from begun(state, item, "super:order", order=order)
    if relation is not None:
        if state.open or state.clause.asks or state.clause.condition:
            host = ranked(state, order) if state.clause.phrases or not sentence.names_at(item.end) else None
            if host is not None:
                yield took(host, item, "order", "super:predicate")
        elif is_said(state):
            yield took(replace(state, before=None), item, "order", "super:told", clause=told(state, order))
        yield from valued(state, item, sentence, "super:value")


def _says_how_much(state: State, item: Item, sentence: Sentence) -> bool:
    """Whether a superlative is an end of a scale, and ranks nothing: "down to the lowest"."""
    held = state.held
    place = held.start if held is not None else item.start
    to = place > 0 and "to" in (state.preposition, held and held.preposition, sentence.tokens[place - 1].text)
    return to and not (state.clause.asks or state.open or sentence.names_or_points_at(item.end))


def kind(state: State, item: Item, sentence: Sentence) -> Ways:
    """A property: of what is named beside it, or what a test or a ranking is about."""
    span = sentence.span(item)
    before = state.held
    yield from moving(state, item, sentence)
    yield from _kind_of_test(state, before, item, span)
    if before is not None and before.values:
        index, way, of = len(state.clause.phrases), before.preposition, item.entries
        beside = before.joined and has_object(state.clause)
        owned = tuple(
            (index, HowMuch(way, v.text, v.entries, v.number, v.unit, of, v.of_current, beside)) for v in before.values
        )
        clause = in_clause(state, amounts=(*state.clause.amounts, *owned))
        yield took(state, item, "value", "kind:after-value", clause=clause, before=None, preposition="")
        return
    quality = Quality(item.entries, item.text, item.owner, joined=bool(state.joint))
    for ready, feature in ready_for(state, item):
        clause, held = ready.clause, ready.before
        if held is not None and (held.modifiers or held.order or held.restrictions):
            continue
        index = len(clause.phrases)
        if held is not None and held.places:
            clause = replace(clause, places=(*clause.places, *held.places))
        clause = replace(clause, qualities=(*clause.qualities, (index, quality)))
        if item.said == OTHER and not clause.asks:
            clause = replace(clause, other=True)
        tested_of = ["kind:in-test"] if ready.open == "place" and feature == "plain" else []
        yield took(
            ready, item, "property", f"kind:{feature}", *tested_of, clause=clause, before=None, joint="", preposition=""
        )


def _kind_of_test(state: State, before: Before | None, item: Item, span: Span) -> Ways:
    """What a test or a ranking is about."""
    yield from _kind_of_order(state, before, item, span)
    if state.preposition in ("of", "in", "with", "on") and (done := about_last(state, span)) is not None:
        yield took(done, item, "about", "kind:of-test", before=None, preposition="")
    if before is not None and before.values and (state.comparison or state.open or state.clause.asks):
        said = next((v for v in before.values if v.number is not None), before.values[0])  # "not in night mode"
        done = tested(replace(state, before=None, about=span), said)
        if done is not None:
            feature = "kind:tested" if said.number is not None else "kind:tested-word"
            yield took(done, item, "about", feature, about=None, preposition="")
    if state.open in ("phrase", "place") or state.clause.condition or state.clause.asks:
        held = replace(state, before=None) if state.before is not None and not says(state.before) else state
        none = before is not None and before.quantity == "none"  # "where no motion is seen"
        price = f"kind:about:{state.open or 'asked'}"
        yield took(held, item, "about", price, about=span, preposition="", negated=state.negated != none)


def _kind_of_order(state: State, before: Before | None, item: Item, span: Span) -> Ways:
    """What is ranked by: "the lowest battery", "the one with the most brightness"."""
    if before is None or before.order is None or before.order.about is not None:
        return
    if state.clause.phrases and not state.clause.asks and last_part(state) == "verb":
        return  # "put the fan on the highest speed"
    if state.clause.phrases or (state.clause.places and state.clause.asks):
        order = replace(before.order, about=span)
        bare = replace(state, before=None)
        done = ranked(bare, order) if state.clause.asks else with_test(replace(bare, open="phrase"), order)
        if done is not None:
            yield took(done, item, "order", "kind:ranks", open="")
    if before.order.relation is None:
        yield took(state, item, "order", "kind:order", before=replace(before, order=replace(before.order, about=span)))


def called(state: State, item: Item, sentence: Sentence) -> Ways:
    """The name of what was just named by what it is: "the lamp called rosie"."""
    clause = state.clause
    if not item.said or not clause.phrases or state.before is not None or state.joint or state.last != Sort.NOUN.value:
        return
    last = clause.phrases[-1]
    known = replace(last, modifiers=(*last.modifiers, *str(item.said).split()))
    yield took(state, item, "called", "called", clause=replace(clause, phrases=(*clause.phrases[:-1], known)))


def noun(state: State, item: Item, sentence: Sentence) -> Ways:
    """A device or thing: of a phrase, of a test about a room, of an exception, of a comparison."""
    span = sentence.span(item)
    if state.target in ("except", "versus"):
        yield from _elsewhere(state, item, span)
        if not _is_past_exception(state) or (state.joint == "and" and sentence.ends_at(item.end)):
            return
        state = replace(state, target="")
    if state.open == "place" and not state.joint:
        yield from hosted(state, item, span)
        if (state.last != Sort.PLACE.value or state.preposition) and not begins_anew(state):
            return
    more = list(hosted_too(state, item, sentence))
    yield from more
    if more and is_alternative(state, sentence):
        return  # what else a room may have is not what is to be done
    yield from _of_what_is_open(state, item, span)
    for ready, feature in ready_for(state, item):
        held = ready.before or Before(start=item.start)
        if ready.joint == "" and ready.clause.phrases:
            if held == Before(start=item.start) and ready.last == Sort.NOUN.value:
                yield from _compound(ready, item)
            owning = ready.preposition or held.preposition
            if owning in _OWNING and (owning == "of" or item.having(Role.THING)):
                yield from _part(ready, held, item, owning)
        yield from _named(ready, held, item, feature, sentence)


_OWNING = ("of", "on", "in", "from")
"""What stands between a part and the thing that it is of: "the light on the fan lamp"."""


def _of_what_is_open(state: State, item: Item, span: Span) -> Ways:
    """The noun as a part of what a test is open about, or as what "anything" is."""
    if state.open == "phrase" and state.about is None and (state.host is None or is_tested(state)):
        part = "noun:part" if state.host is None else "noun:part-other"
        yield took(replace(state, before=None), item, "host", part, host=span, joint="")
    if state.open in ("phrase", "place") and state.host is None and not state.joint and _is_anything(state):
        yield took(state, item, "noun", "noun:is-a", before=None, clause=_specific(state, item), preposition="")
    if state.open == "predicate" and state.clause.asks and state.clause.phrases and state.last == Sort.Copula.value:
        yield took(replace(state, before=None, open="phrase"), item, "host", "noun:part-asked", host=span, joint="")


def _is_anything(state: State) -> bool:
    """Whether the noun is no more than "anything": "everything upstairs that is a light"."""
    last = state.clause.phrases[-1] if state.clause.phrases else None
    indefinite = state.before is not None and state.before.quantity == "any" and not says(state.before)
    return last is not None and indefinite and (last.entries == (DEVICE,) or last.pronoun == "everything")


def _specific(state: State, item: Item) -> Clause:
    """The clause with "anything" as a thing of a kind."""
    last = replace(state.clause.phrases[-1], entries=item.entries, text=item.text, plural=True, pronoun="")
    return in_clause(state, phrases=(*state.clause.phrases[:-1], replace(last, quantity="all")))


_SETTLED: dict[str, object] = {
    "before": None,
    "joint": "",
    "preposition": "",
    "repair": False,
    "open": "",
    "negated": False,
}


def _named(state: State, held: Before, item: Item, feature: str, sentence: Sentence) -> Ways:
    """A noun as a phrase of the clause: one more, in the place of the last, or what the last was still without."""
    clause = state.clause
    phrase, kept = phrase_of(held, item)
    named = ("noun:names" if item.plural else "noun:name") if item.having(Role.THING) else "noun:class"
    conflict = ("noun:conflict",) if clause.phrases and feature == "plain" else ()
    joined = f"noun:{feature}" if clause.phrases else "noun:first"
    more = replace(clause, phrases=(*clause.phrases, phrase), predicate=(*clause.predicate, *on_it(state, sentence)))
    fresh = {**_SETTLED, "about": None, "host": None, "relation": None, "clause": more}
    yield took(state, item, "noun", named, joined, *conflict, *kept, **fresh)
    if not clause.phrases:
        return
    last, others = clause.phrases[-1], clause.phrases[:-1]
    if state.repair:
        instead = replace(phrase, places=phrase.places or last.places, quantity=phrase.quantity or last.quantity)
        mended = replace(clause, phrases=(*others, instead), repaired=True)
        yield took(state, item, "noun", "repair:noun", named, **{**_SETTLED, "clause": mended})
    if not last.entries and not last.pronoun:
        merged = replace(
            phrase,
            places=(*last.places, *phrase.places),
            modifiers=(*last.modifiers, *phrase.modifiers),
            restrictions=(*last.restrictions, *phrase.restrictions),
        )
        joined_up = replace(clause, phrases=(*others, merged))
        yield took(state, item, "noun", "noun:merge", named, **{**_SETTLED, "clause": joined_up})


def on_it(state: State, sentence: Sentence) -> tuple[Restriction, ...]:
    """ "What is that *on* the speaker", "the speaker: what's *on* it": a question for its activity, as "what's on"."""
    clause = state.clause
    topic = [phrase for phrase in clause.phrases if phrase.start >= _head_of(state)]
    bare = not (topic or clause.qualities or clause.predicate or clause.relation)
    if not bare or clause.asks is not Asks.VALUE or clause.head != Sort.What.value:
        return ()
    led = next((start for start, _, part in reversed(state.account) if part not in ("before", "place")), None)
    on = led is not None and sentence.tokens[led].text == "on"
    return (Restriction("=", amount=Span("on", 0, 0, (ON,))),) if on else ()


def _head_of(state: State) -> int:
    """The place of the last word that asks."""
    return next((start for start, _, part in reversed(state.account) if part == "head"), 0)


def phrase_of(held: Before, item: Item) -> tuple[Phrase, tuple[str, ...]]:
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
    own = "" if held.quantity or not item.plural else "plural"
    quantity = held.quantity if held.quantity in ("all", "any") else own
    if count is not None and held.order is None and quantity != "all":
        quantity = "plural" if count > 1 else ""
    if held.modifiers:
        features.append("noun:modified")
    phrase = Phrase(
        entries=item.entries,
        text=item.text,
        plural=item.plural,
        head=item.head,
        quantity=quantity,
        count=count,
        modifiers=held.modifiers,
        places=held.places,
        restrictions=restrictions,
        none=held.quantity == "none",
        free=held.free,
        pronoun="its" if held.owned else "",
        other=held.other,
        determined=held.determined,
        among=held.among,
        plain=held.plain,
        start=held.start, end=item.end,
    )  # fmt: skip
    return phrase, tuple(features)


def _part(state: State, held: Before, item: Item, owning: str) -> Ways:
    """ "The light of the fan-light", "the fan-light's lamp": a part of a thing."""
    clause = state.clause
    other = clause.phrases[-1]
    phrase, _ = phrase_of(held, item)
    if not other.entries or other.pronoun or other.whole is not None:
        return
    if state.account and state.account[-1][2] == "owner":
        part = replace(phrase, whole=other, places=other.places, quantity=other.quantity or phrase.quantity)
    else:
        part = replace(other, whole=phrase, places=(*other.places, *phrase.places))
    feature = "noun:whole" if owning == "of" else "noun:whole-on"
    yield took(
        state, item, "noun", feature, clause=replace(clause, phrases=(*clause.phrases[:-1], part)), before=None,
        preposition="",
    )  # fmt: skip


def _compound(state: State, item: Item) -> Ways:
    """Two nouns in a row: "printer plug", "front door lock"."""
    clause = state.clause
    first = clause.phrases[-1]
    if first.pronoun:
        return
    if any(e.role is Role.THING for e in first.entries):
        if first.whole is None and item.having(Role.DEVICE):
            part, _ = phrase_of(Before(quantity=first.quantity), item)  # "the fan lamp light", "the Orient fan"
            owned = replace(part, whole=first, places=first.places, determined=first.determined, start=first.start)
            phrases = (*clause.phrases[:-1], owned)
            yield took(state, item, "noun", "noun:part-of-name", clause=replace(clause, phrases=phrases))
        phrase = replace(first, text=f"{first.text} {item.text}", plural=item.plural, end=item.end)
    else:
        words = (*first.modifiers, *first.text.split())
        phrase = replace(
            first, entries=item.entries, text=item.text, plural=item.plural, modifiers=words, end=item.end,
            quantity=first.quantity or ("plural" if item.plural else ""),
        )  # fmt: skip
    yield took(state, item, "noun", "noun:compound", clause=replace(clause, phrases=(*clause.phrases[:-1], phrase)))


def _is_past_exception(state: State) -> bool:
    """Whether what is excepted has been named, and a pause or a word for an order has come since."""
    named = bool(state.clause.exceptions) and state.target == "except"
    return named and (bool(state.joint) or state.last not in (Sort.Except.value, Sort.Leave.value))


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
    """A room: of an exception, of a phrase before or behind it, or of the whole clause."""
    if _is_of_exception(state, state.held):
        yield _of_exception(state, item, sentence.span(item))
    else:
        yield from _placed(state, item, sentence)


def _placed(state: State, item: Item, sentence: Sentence) -> Ways:
    """A room of a phrase before or behind it, or of the whole clause."""
    before = state.held
    name, every = _place_name(state, before, item)
    if state.negated and _is_left_out(state, before):
        state = replace(state, target="except", negated=False)
    if state.target in ("except", "versus") and not (before and before.places):
        yield from _elsewhere(state, item, sentence.span(item))
        if state.target == "except" and not _is_past_exception(state):
            yield from _place_before(state, before, item, name)
        if not _is_past_exception(state) or (state.joint == "and" and sentence.ends_at(item.end)):
            return
        state = replace(state, target="")
    generic = any(e.iri in _GENERIC for e in item.entries) and not name.modifiers
    if generic and item.plural and state.last == Sort.NOUN.value and not state.joint:
        yield from _place_having(state, item)
    if state.open == "place" and not generic and before is None and not name.introduced:
        return
    if not (generic or name.restrictions or every):
        yield from _place_before(state, before, item, name)
    if before is not None and says(replace(before, modifiers=(), order=None, values=(), count=None)):
        settled = flushed(state)
        if settled is None:
            return
        state = settled
    opened = "place" if (generic or name.restrictions or every or item.plural) else state.open
    common: dict[str, object] = {"before": None, "joint": "", "preposition": "", "open": opened}
    yield from (_place_joined if state.joint else _place_plain)(state, item, name, common)


def _is_of_exception(state: State, before: Before | None) -> bool:
    """Whether an exception was named right before, and not where it is: "except the lamp in the study"."""
    last = state.clause.exceptions[-1] if state.clause.exceptions else None
    named = last is not None and last.host is not None and last.where is None
    since = next((part for _, _, part in reversed(state.account) if part not in ("preposition", "before")), "")
    bare = not says(replace(before or Before(), places=(), preposition=""))
    introduced = bool(state.preposition or (before and before.preposition))
    return bare and named and introduced and state.target == "except" and not state.joint and since == "except"


def _of_exception(state: State, item: Item, where: Span) -> State:
    """What is excepted is in a room."""
    *others, last = state.clause.exceptions
    clause = in_clause(state, exceptions=(*others, replace(last, where=where)))
    return took(state, item, "except", "except:where", clause=clause, before=None, preposition="")


def _is_left_out(state: State, before: Before | None) -> bool:
    """ "…, not the hall", "lights that aren't in the hall": the room is no test."""
    bare = before is None or not (before.restricts or before.order or before.count)
    return bool(bare and state.open and not (state.clause.asks or state.clause.condition))


def _place_having(state: State, item: Item) -> Ways:
    """ "The motion sensor rooms": those in which such a thing is."""
    clause = state.clause
    last = clause.phrases[-1] if clause.phrases else None
    if last is None or not last.entries or last.restrictions or last.places:
        return
    has = Restriction("has", host=Span(last.text, 0, 0, last.entries, plural=last.plural))
    name = PlaceName(item.entries, item.text, True, (), True, (has,))
    changed = replace(clause, phrases=clause.phrases[:-1], places=(*clause.places, name))
    yield took(state, item, "place", "noun:has", clause=changed, open="place", preposition="")


def _place_name(state: State, before: Before | None, item: Item) -> tuple[PlaceName, bool]:
    """The name of a place with what stands before it, and whether every such place is meant."""
    every = bool(before and before.quantity in ("all", "any"))
    introduced = bool(state.preposition or (before and before.preposition))
    restrictions: tuple[Restriction, ...] = ()
    if before is not None and before.order is not None:
        restrictions = (replace(before.order, count=before.order.count or before.count),)
    if before is not None and before.values:
        restrictions = (*restrictions, *(Restriction("=", amount=v) for v in before.values))
    modifiers = tuple(one for one in before.modifiers if one != "other") if before else ()
    added = bool(before and before.owned and before.preposition == "with")  # "the bedroom with its bathroom"
    return PlaceName(item.entries, item.text, item.plural or every, modifiers, introduced, restrictions, added), every


def _place_before(state: State, before: Before | None, item: Item, name: PlaceName) -> Ways:
    """A room before its noun: "the bedroom curtain", "the hall and landing lights"."""
    kept = () if before is None else before.places
    if state.joint:
        name = replace(name, added=True)
    yield from begun(state, item, "place:before", places=(*kept, name), modifiers=())
    held = state.before
    if state.joint and held is not None and held.places and not says(replace(held, places=())):
        listed = replace(held, places=(*held.places, name))
        yield took(state, item, "before", "place:before-list", before=listed, joint="")


def _place_joined(state: State, item: Item, name: PlaceName, common: dict[str, object]) -> Ways:
    """A room after a joint: one more of a list, or the first word of another clause."""
    settled = flushed(state) if state.held is None else replace(state, before=None)
    if settled is None or settled.last == "":
        return
    clause = settled.clause
    front, name = name, replace(name, added=True, last=state.joint in ("and", ",and"))
    late = replace(clause, places=(*clause.places, name))
    if clause.places and not clause.phrases and not clause.places[-1].restrictions:
        compared = clause.asks is Asks.DIFFERENCE and clause.relation is None
        yield took(
            settled, item, "place", "place:list-asked" if compared else "place:list", **{**common, "clause": late}
        )
    if state.clause.phrases and state.clause.phrases[-1].places:
        wider = replace(clause, phrases=placed(clause, name))
        yield took(settled, item, "place", "place:and", **{**common, "clause": wider})
    fresh = None if clause.empty else new_clause(settled, item, "clause:place")
    if fresh is not None:
        first = replace(fresh.clause, places=(front,))
        yield took(fresh, item, "place", "place:front", **{**common, "clause": first})
    yield took(settled, item, "place", "place:late", **{**common, "clause": late})


def _place_plain(state: State, item: Item, name: PlaceName, common: dict[str, object]) -> Ways:
    """A room of the noun before it, or of the clause; or in the place of the one that was said wrongly."""
    clause = state.clause
    if state.repair and has_place(clause):
        mended = with_place(clause, (name,))
        yield took(state, item, "place", "repair:place", **{**common, "repair": False, "clause": mended})
    if clause.phrases and name.introduced and not clause.phrases[-1].pronoun:
        near = "place:of-noun" if state.last == Sort.NOUN.value or not clause.amounts else "place:of-noun-far"
        yield took(state, item, "place", near, **{**common, "clause": replace(clause, phrases=placed(clause, name))})
    where = "place:clause" if name.introduced else "place:bare"
    yield took(state, item, "place", where, **{**common, "clause": replace(clause, places=(*clause.places, name))})
