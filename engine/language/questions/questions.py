"""Divides questions into their form, their subject and its restrictions. The question words go, the noun phrase
stays."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from engine.language.phrases.predicates import HOSTS, NOUNS, PLACES, is_person, state_of
from engine.language.phrases.restrictions import ROOM
from engine.language.phrases.segments import Segment, segments
from engine.language.questions.people import about_people
from engine.language.questions.phrasings import is_of_settings, orders_value, reworded
from engine.language.questions.predication import (
    Spans,
    any_device,
    asked,
    predicated,
    rooms_in_which,
    split,
    whole_predicate,
    without,
    without_edges,
)
from engine.language.words import grammar
from engine.language.words.lexicon import Role
from engine.language.words.spans import Inquiry, Restriction, Span
from engine.model.intent import Asks


def asked_segments(spans: Spans) -> list[Segment]:
    """The segments of a text: one for each question, and those of the other sentences."""
    found: list[Segment] = []
    for sentence in _sentences(spans):
        marked = sentence[-1].text == "?"
        for part in _parts([s for s in sentence if s.text not in grammar.BREAKS]):
            question = _question(part, marked=marked) if part else None
            found += [question] if question is not None else segments(part)
    return found


def _sentences(spans: Spans) -> Iterator[list[Span]]:
    """The stretches that end with a full stop or a question mark, which are kept."""
    current: list[Span] = []
    for span in spans:
        current.append(span)
        if span.text in grammar.BREAKS and not span.quoted:
            yield current
            current = []
    if current:
        yield current


def _parts(sentence: list[Span]) -> Iterator[list[Span]]:
    """ "…, and is it running?": a question that is joined to something else."""
    start = 0
    for place in range(1, len(sentence) - 1):
        joint = sentence[place].text in (*grammar.PAUSES, "and", "but")
        if joint and place > start and _starts_question(sentence, place + 1):
            yield sentence[start : place - (sentence[place - 1].text == ",")]
            start = place + 1
    yield sentence[start:]


def _starts_question(spans: Spans, place: int) -> bool:
    word = spans[place].text
    follower = spans[place + 1].text if place + 1 < len(spans) else ""
    asks = word in grammar.WHAT | grammar.WHERE | {"how", "when"} and not _is_relative(spans, place)
    noun_follows = follower in grammar.ARTICLES | grammar.PRONOUNS | {"there", "anybody", "anyone", "someone"}
    return asks or (word in ("is", "are", "does", "has", "did") and noun_follows)


def _is_relative(spans: Spans, place: int) -> bool:
    before = spans[place - 1] if place else None
    return before is not None and before.can_be(*HOSTS)


def _question(spans: list[Span], *, marked: bool) -> Segment | None:
    """The segment of a question, or None for a text that cannot be read as one here."""
    given = [s.text for s in spans[:2]] == ["give", "me"] and orders_value(spans[2:])
    spans, led = _without_lead(spans)
    if not spans or given:
        return None
    spans = reworded(spans, led=led or marked)
    if len(spans) > 2 and spans[0].text in grammar.INSIDE and spans[1].text in grammar.WHAT | {"how"}:
        spans = spans[1:]
    if spans[0].text in _ASKING or (spans[0].text == "when" and len(spans) > 1):
        return _open_question(spans)
    return _listing_or_closed(spans, led=led, marked=marked)


_ASKING = frozenset({"how", "who", "who's"}) | grammar.WHAT | grammar.WHERE


def _open_question(spans: list[Span]) -> Segment | None:
    """The segment of a question that begins with a question word: how, what, who, where, when."""
    first = spans[0].text
    if first == "how":
        return _how(spans[1:])
    if first in grammar.WHAT:
        return _what(spans)
    if first in ("who", "who's"):
        return about_people(spans[0], without_edges(spans[1:], set()))
    return _where(spans) if first in grammar.WHERE else _when(spans[1].text, spans[2:])


def _listing_or_closed(spans: list[Span], *, led: bool, marked: bool) -> Segment | None:
    """The segment of a question without a question word: "list …", "count …", "is …", or a noun with a mark."""
    first = spans[0].text
    if first in grammar.LISTING or (led and _is_listing(spans)):
        return asked(Asks.LIST, spans[1:] if first in grammar.LISTING else spans)
    if first in grammar.COUNTING:
        return asked(Asks.COUNT, spans[1:])
    if first in grammar.TELLING and not marked:
        return None
    if _asks_whether(spans, marked=marked):
        return _yes_or_no(spans)
    return _bare(spans) if (led or marked) and not _orders(spans) else None


def _asks_whether(spans: Spans, *, marked: bool) -> bool:
    """ "Is the lamp on", "have we left …": and not "have the mower start", "is it possible to …"."""
    first, follower = spans[0].text, spans[1].text if len(spans) > 1 else ""
    if first not in grammar.ASKING_VERBS or any(s.text == "possible" for s in spans):
        return False
    if first in ("have", "do", "don't", "had"):
        return follower in grammar.OWNERS or (first != "have" and marked)
    return first != "any" or marked


def _orders(spans: Spans) -> bool:
    """Whether it is an order after all, politely put: "switch it off, would you?"."""
    verbal = (Role.COMMAND, Role.LIGHT_VERB, Role.RELATIVE)
    if spans[0].can_be(*verbal) and not spans[0].can_be(Role.THING, *PLACES) and not spans[0].plural:
        return True
    helps = any(s.text in grammar.AUXILIARIES - grammar.ASKING_VERBS or s.text == "possible" for s in spans)
    return helps or any(s.can_be(*verbal) and not s.can_be(*HOSTS, Role.STATE, Role.PROPERTY) for s in spans)


def _without_lead(spans: list[Span]) -> tuple[list[Span], bool]:
    """Without "tell me" and its like; whether there was any."""
    led = False
    while spans:
        length = next((n for n in (5, 4, 3, 2, 1) if " ".join(s.text for s in spans[:n]) in grammar.LEADS), 0)
        length = length if length < len(spans) else 0
        if spans[0].text == ",":
            length = 1
        if not length:
            break
        led = led or length > 1 or spans[0].text in ("check", "say")
        spans = spans[length:]
    return spans, led


def _is_listing(spans: Spans) -> bool:
    """ "Show me the lights that are on", "tell me the temperature" are no lists unless something restricts a noun."""
    return any(s.can_be(*NOUNS) and s.restrictions for s in spans)


# By the word that it begins with


def _how(spans: list[Span]) -> Segment | None:
    if not spans:
        return None
    first = spans[0]
    compared = _difference(spans)
    if compared is not None:
        return compared
    if first.text == "many":
        return _count(spans[1:])
    if first.text == "long":
        rest = without(spans[1:], {"has", "have", "had", "been", "is", "was", "for", "already", "since", "ago", "did"})
        return predicated(Asks.SINCE, rest)
    if first.text in ("much", "far"):
        return asked(Asks.VALUE, without(spans[1:], grammar.COPULAS | {"left", "of", "does", "do"}))
    if first.can_be(Role.GRADABLE):
        relation = replace(first, entries=first.having(Role.GRADABLE))
        return asked(Asks.VALUE, without(spans[1:], grammar.COPULAS), relation=relation)
    if first.text in grammar.COPULAS:
        return asked(Asks.VALUE, without(spans[1:], {"doing"}))
    return None


def _count(spans: list[Span]) -> Segment | None:
    spans = without(spans, grammar.EXISTING - {"in", "the", "all", "a", "are", "is", "have", "has"})
    return predicated(Asks.COUNT, spans)


def _what(spans: list[Span]) -> Segment | None:
    """ "What is the …", "which lights are …", "what temperature is it …", "what's on?"."""
    rest = spans[1:]
    joined = spans[0].text in ("what's", "whats")
    if not joined and rest and rest[0].text in grammar.COPULAS:
        joined, rest = True, rest[1:]
    if joined:
        return _what_is(rest)
    if not rest:
        return None
    if rest[0].text == "there" or (rest[0].text in grammar.COPULAS and rest[1:2] and rest[1].text == "there"):
        return Segment((any_device(rest[0]), *(s for s in rest if s.can_be(*PLACES))), ".", Inquiry(Asks.LIST))
    if ROOM in rest[0].entries and any(s.can_be(*NOUNS) for s in rest[1:]) and _is_whereabouts(rest[1:]):
        return asked(
            Asks.PLACE, without(rest[1:], grammar.COPULAS | grammar.OWNERS | {"in", "do", "find", "does", "has"})
        )
    in_rooms = rooms_in_which(rest)
    if in_rooms is not None:
        return in_rooms
    of_many = rest[0].plural or any(s.plural and s.can_be(Role.DEVICE) for s in rest[1:2])
    said = predicated(Asks.LIST, rest) if of_many and rest[0].can_be(Role.PROPERTY) else None
    if said is not None and said.inquiry is not None and said.inquiry.predicate:
        return said
    if rest[0].can_be(Role.PROPERTY) and not rest[0].can_be(*HOSTS):
        verbs = grammar.COPULAS | {"does", "do", "set", "at", "in", "on", "to", "have", "has"}
        inquiry = Inquiry(Asks.VALUE, of_settings=is_of_settings(rest))
        return Segment((rest[0], *without_edges(rest[1:], verbs)), ".", inquiry)
    owned = {"have"} if any(s.text in grammar.OWNERS for s in rest) else set()
    return predicated(Asks.LIST, without(rest, {"do", "we", "there"} | owned))


def _when(verb: str, rest: list[Span]) -> Segment | None:
    """ "When did the door open": when it last changed; "when is the next birthday": a date that something tells."""
    if verb in ("did", "was", "were"):
        return asked(Asks.LAST, without(rest, {"last"}))
    return asked(Asks.VALUE, without(rest, {"be"})) if verb in ("is", "are", "will") else None


def _is_whereabouts(rest: Spans) -> bool:
    """ "Which room is the kettle in", "which room do I find it in", "which room has the kettle"."""
    return rest[-1].text in ("in", "find") or rest[0].text in ("do", "has") or any(s.text == "find" for s in rest)


def _which_more(rest: list[Span]) -> Segment | None:
    """ "Which is warmer, the study or the hall?"."""
    place = next((i for i, s in enumerate(rest) if s.can_be(Role.RELATIVE)), None)
    if place is None or place + 3 >= len(rest):
        return None
    pair = split(without(rest[place + 1 :], {",", "in"}), {"or"})
    if not pair:
        return None
    relation = replace(rest[place], entries=rest[place].having(Role.RELATIVE))
    return asked(Asks.WHICH, pair[0], relation=relation, versus=pair[1])


def _what_is(rest: list[Span]) -> Segment | None:
    if [s.text for s in rest[:2]] in (["that", "on"], ["this", "on"]):
        rest = rest[1:]
    said = whole_predicate(rest, 0) if rest and rest[0].text.split()[0] not in grammar.ARTICLES else None
    if said is not None:
        return Segment((any_device(rest[0]), *said[1]), ".", Inquiry(Asks.LIST, tuple(said[0])))
    doing = _doing(rest)
    if doing is not None:
        return doing
    more = _which_more(rest)
    if more is not None:
        return more
    words = {s.text for s in rest}
    if words & grammar.AVERAGE:
        return asked(Asks.MEAN, without(rest, grammar.AVERAGE))
    if words & grammar.TOTAL:
        return asked(Asks.TOTAL, without(rest, grammar.TOTAL))
    if "difference" in words:
        between = split(without(rest, {"difference", "between"}), {"and"})
        return asked(Asks.DIFFERENCE, between[0], versus=between[1]) if between else None
    ranked = _most(rest)
    if ranked is not None:
        return ranked
    return asked(Asks.VALUE, without_edges(rest, {"set", "at", "to", "doing", "reading", "showing", "like", "on"}))


def _doing(rest: list[Span]) -> Segment | None:
    """The segment of a question for an activity: "what's playing on the speaker?", "what's cooking in the oven?"."""
    if not rest or not rest[0].can_be(Role.STATE) or not any(s.can_be(*NOUNS) for s in rest[1:]):
        return None
    state = replace(rest[0], entries=rest[0].having(Role.STATE))
    return asked(Asks.VALUE, without(rest[1:], grammar.NOW), predicate=[Restriction("=", amount=state)])


def _most(rest: list[Span]) -> Segment | None:
    """ "The highest temperature", "the warmest room": the place or thing of which there is most."""
    for place, span in enumerate(rest):
        way = grammar.EXTREMES.get(span.text.split()[-1])
        follower = rest[place + 1] if place + 1 < len(rest) else None
        if way is not None and follower is not None and follower.can_be(Role.PROPERTY) and not follower.can_be(*NOUNS):
            said = Restriction("most" if way > 0 else "least", about=follower, count=1)
            return asked(Asks.VALUE, [follower, *rest[place + 2 :]], predicate=[said])
        if span.can_be(Role.SUPERLATIVE) and follower is not None and follower.text in grammar.ROOMLIKE:
            return _room_of(span, rest[place + 2 :])
    if any(r.comparison in ("most", "least") for s in rest for r in s.restrictions):
        return asked(Asks.LIST, rest)
    return None


def _where(spans: list[Span]) -> Segment | None:
    rest = spans[1:] if spans[0].text == "where's" else without(spans[1:2], grammar.COPULAS) + spans[2:]
    for place, span in enumerate(rest):
        ranked = next((r.relation for r in span.restrictions if r.comparison == "most" and r.relation), None)
        if ranked is not None and span.text in grammar.ROOMLIKE:
            return _room_of(ranked, rest[place + 1 :])
        if span.can_be(Role.SUPERLATIVE):
            follower = place + 1 < len(rest) and rest[place + 1].can_be(*NOUNS)
            return None if follower else _room_of(span, rest[place + 1 :])
    return asked(Asks.PLACE, rest) if rest else None


def _room_of(span: Span, rest: list[Span]) -> Segment:
    """The segment of a question for the room with the most of a superlative's property."""
    said = Restriction("most", relation=replace(span, entries=span.having(Role.SUPERLATIVE)), count=1)
    room = replace(span, text="room", entries=(ROOM,), restrictions=(said,))
    places = [s for s in rest if s.can_be(*PLACES)]
    return Segment((room, *places), ".", Inquiry(Asks.LIST))


def _yes_or_no(spans: list[Span]) -> Segment | None:
    rest = without_edges(spans[1:], set()) if spans[0].text != "any" else spans
    exists = any(s.text == "there" for s in rest[:1])
    if spans[0].text in ("do", "does", "did", "has", "have") and rest and rest[0].text in grammar.OWNERS:
        if not any(s.text in grammar.LEAVING for s in rest):
            return None  # what was done is another matter than how it is
        rest, exists = without(rest[1:], grammar.LEAVING), True
    if rest and rest[0].text == "there":
        rest = rest[1:]
    if rest and rest[0].text in ("anything", "something", "everything"):
        every = rest[0].text == "everything"
        return predicated(Asks.EVERY if every else Asks.WHETHER, [any_device(rest[0]), *rest[1:]])
    if exists:
        rest = _of_what_there_may_be(rest)
    person = about_people(rest[0], rest[1:]) or _occupied(rest) if rest else None
    if person is not None:
        return person
    reached = _reached(rest)
    if reached is not None:
        return reached
    compared = _comparison(rest)
    if compared is not None:
        return compared
    every = any(s.text in grammar.UNIVERSAL for s in rest) or _is_definite_plural(rest)
    return predicated(Asks.EVERY if every else Asks.WHETHER, rest, exists=exists)


def _of_what_there_may_be(rest: list[Span]) -> list[Span]:
    """Reads a mass noun after "any" as a property, though a thing has its name: "is there any gas?"."""
    for place, span in enumerate(rest[1:], start=1):
        mass = span.can_be(Role.PROPERTY) and span.can_be(Role.THING) and not span.plural
        if mass and rest[place - 1].text == "any":
            return [*rest[:place], replace(span, entries=span.having(Role.PROPERTY)), *rest[place + 1 :]]
    return rest


def _is_definite_plural(rest: Spans) -> bool:
    """ "Are the windows closed?" asks about all of them, "are any …", "are there …" about one."""
    host = next((s for s in rest if s.can_be(*NOUNS)), None)
    return host is not None and host.plural and bool(rest) and rest[0].text in ("the", "my", "our", "these", "those")


def _occupied(rest: list[Span]) -> Segment | None:
    """ "Is anybody in the kitchen?", "is there someone home?"."""
    if not rest or not is_person(rest[0]):
        return None
    doing = next((s for s in rest[1:2] if s.can_be(Role.STATE) and not s.can_be(*PLACES)), None)
    if doing is not None and doing.text not in grammar.KNOWN:  # "is somebody ringing": whatever tells of that
        state = Restriction("=", amount=replace(doing, entries=doing.having(Role.STATE)))
        return Segment((any_device(rest[0]),), ".", Inquiry(Asks.WHETHER, (state,)))
    said = Restriction("=", amount=state_of(rest[0]))
    places = [s for s in rest[1:] if s.can_be(*PLACES) and "hg#Home" not in str(s.entries)]
    room = replace(rest[0], text="rooms", entries=(ROOM,), plural=True)
    return Segment(tuple(places) or (room,), ".", Inquiry(Asks.WHETHER, (said,)))


def _reached(rest: list[Span]) -> Segment | None:
    """ "Has the water reached its target temperature?"."""
    for place, span in enumerate(rest):
        if span.text in grammar.REACHING and any("target" in s.text for s in rest[place + 1 :]):
            noun = [s for s in rest[:place] if s.text not in grammar.NOW | {"yet", "already"}]
            return asked(Asks.REACHED, noun or rest[place + 1 :])
    return None


def _comparison(rest: list[Span]) -> Segment | None:
    """ "Is the study warmer than the hall?"."""
    than = next((i for i, s in enumerate(rest) if s.text == "than"), len(rest))
    other = rest[than + 1 :]
    place = next((i for i, s in enumerate(rest[:than]) if s.can_be(Role.RELATIVE)), None)
    if place is None or not other or other[0].number is not None:
        return None
    relation = replace(rest[place], entries=rest[place].having(Role.RELATIVE))
    noun = without([*rest[:place], *rest[place + 1 : than]], {"it", "it's"})
    return asked(Asks.COMPARE, noun, relation=relation, versus=other)


def _difference(spans: list[Span]) -> Segment | None:
    """ "How many degrees warmer is the lounge than the study?"."""
    relative = next((i for i, s in enumerate(spans[:4]) if s.can_be(Role.RELATIVE)), None)
    if relative is None or relative + 2 >= len(spans):
        return None
    pair = split(without(spans[relative + 1 :], grammar.COPULAS), {"than"})
    if not pair:
        return None
    relation = replace(spans[relative], entries=spans[relative].having(Role.RELATIVE))
    return asked(Asks.DIFFERENCE, pair[0], relation=relation, versus=pair[1])


def _bare(spans: list[Span]) -> Segment | None:
    """ "Kitchen light on?", "tell me the temperature in the study"."""
    told = without_edges(spans, set())
    told = told[1:] if told and told[0].text == "there" else told
    told = without_edges(told, set())
    person = about_people(told[0], told[1:]) if told else None
    if person is not None:
        return person
    every = any(s.text in grammar.UNIVERSAL for s in told) or _is_definite_plural(told)
    found = predicated(Asks.EVERY if every else Asks.WHETHER, told)
    if found is not None and found.inquiry is not None and found.inquiry.predicate:
        return found
    return asked(Asks.VALUE, spans) if any(s.can_be(*NOUNS, Role.PROPERTY) for s in spans) else None
