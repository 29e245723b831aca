"""Questions: what is asked, of what, and what is said of it. The words of the question go, the noun phrase stays."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from engine.language import grammar
from engine.language.clauses import Segment, segments
from engine.language.lexicon import Role
from engine.language.predicates import HOSTS, NOUNS, PLACES, about_clause, is_person, predicates, state_of
from engine.language.restrictions import ANY_DEVICE, ROOM
from engine.language.spans import Inquiry, Restriction, Span
from engine.model.intent import Asks

Spans = Sequence[Span]


def asked_segments(spans: Spans) -> list[Segment]:
    """The segments of a text: one for each question, and those of what is no question."""
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
    """The segment of a question, or None for what is none that can be read here."""
    spans, led = _without_lead(spans)
    if not spans:
        return None
    if len(spans) > 2 and spans[0].text in grammar.INSIDE and spans[1].text in grammar.WHAT | {"how"}:
        spans = spans[1:]
    first = spans[0].text
    if first == "how":
        return _how(spans[1:])
    if first in grammar.WHAT:
        return _what(spans)
    if first in grammar.WHERE:
        return _where(spans)
    if first == "when" and len(spans) > 1 and spans[1].text in ("did", "was", "were"):
        return _asked(Asks.LAST, _without(spans[2:], {"last"}))
    if first in grammar.LISTING or (led and _is_listing(spans)):
        return _asked(Asks.LIST, spans[1:] if first in grammar.LISTING else spans)
    if first in grammar.COUNTING:
        return _asked(Asks.COUNT, spans[1:])
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
        rest = _without(spans[1:], {"has", "have", "had", "been", "is", "was", "for", "already", "since", "ago", "did"})
        return _predicated(Asks.SINCE, rest)
    if first.text in ("much", "far"):
        return _asked(Asks.VALUE, _without(spans[1:], grammar.COPULAS | {"left", "of", "does", "do"}))
    if first.can_be(Role.GRADABLE):
        relation = replace(first, entries=first.having(Role.GRADABLE))
        return _asked(Asks.VALUE, _without(spans[1:], grammar.COPULAS), relation=relation)
    if first.text in grammar.COPULAS:
        return _asked(Asks.VALUE, _without(spans[1:], {"doing"}))
    return None


def _count(spans: list[Span]) -> Segment | None:
    spans = _without(spans, grammar.EXISTING - {"in", "the", "all", "a", "are", "is", "have", "has"})
    return _predicated(Asks.COUNT, spans)


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
        return Segment((_any_device(rest[0]), *(s for s in rest if s.can_be(*PLACES))), ".", Inquiry(Asks.LIST))
    if ROOM in rest[0].entries and any(s.can_be(*NOUNS) for s in rest[1:]) and _is_whereabouts(rest[1:]):
        return _asked(
            Asks.PLACE, _without(rest[1:], grammar.COPULAS | grammar.OWNERS | {"in", "do", "find", "does", "has"})
        )
    said = _predicated(Asks.LIST, rest) if rest[0].plural and rest[0].can_be(Role.PROPERTY) else None
    if said is not None and said.inquiry is not None and said.inquiry.predicate:
        return said
    if rest[0].can_be(Role.PROPERTY) and not rest[0].can_be(*HOSTS):
        verbs = grammar.COPULAS | {"does", "do", "set", "at", "in", "on", "to", "have", "has"}
        return _asked(Asks.VALUE, [rest[0], *_without_edges(rest[1:], verbs)])
    return _predicated(Asks.LIST, _without(rest, {"do", "we", "have", "there"}))


def _is_whereabouts(rest: Spans) -> bool:
    """ "Which room is the kettle in", "which room do I find it in", "which room has the kettle"."""
    return rest[-1].text in ("in", "find") or rest[0].text in ("do", "has") or any(s.text == "find" for s in rest)


def _which_more(rest: list[Span]) -> Segment | None:
    """ "Which is warmer, the study or the hall?"."""
    place = next((i for i, s in enumerate(rest) if s.can_be(Role.RELATIVE)), None)
    if place is None or place + 3 >= len(rest):
        return None
    pair = _split(_without(rest[place + 1 :], {",", "in"}), {"or"})
    if not pair:
        return None
    relation = replace(rest[place], entries=rest[place].having(Role.RELATIVE))
    return _asked(Asks.WHICH, pair[0], relation=relation, versus=pair[1])


def _what_is(rest: list[Span]) -> Segment | None:
    said = _whole_predicate(rest, 0) if rest and rest[0].text not in grammar.ARTICLES else None
    if said is not None:
        return Segment((_any_device(rest[0]), *said[1]), ".", Inquiry(Asks.LIST, tuple(said[0])))
    doing = _doing(rest)
    if doing is not None:
        return doing
    more = _which_more(rest)
    if more is not None:
        return more
    words = {s.text for s in rest}
    if words & grammar.AVERAGE:
        return _asked(Asks.MEAN, _without(rest, grammar.AVERAGE))
    if words & grammar.TOTAL:
        return _asked(Asks.TOTAL, _without(rest, grammar.TOTAL))
    if "difference" in words:
        between = _split(_without(rest, {"difference", "between"}), {"and"})
        return _asked(Asks.DIFFERENCE, between[0], versus=between[1]) if between else None
    ranked = _most(rest)
    if ranked is not None:
        return ranked
    return _asked(Asks.VALUE, _without_edges(rest, {"set", "at", "to", "doing", "reading", "showing", "like", "on"}))


def _doing(rest: list[Span]) -> Segment | None:
    """ "What's playing on the speaker?", "what's cooking in the oven?": what a thing is at."""
    if not rest or not rest[0].can_be(Role.STATE) or not any(s.can_be(*NOUNS) for s in rest[1:]):
        return None
    state = replace(rest[0], entries=rest[0].having(Role.STATE))
    return _asked(Asks.VALUE, _without(rest[1:], grammar.NOW), predicate=[Restriction("=", amount=state)])


def _most(rest: list[Span]) -> Segment | None:
    """ "The highest temperature", "the warmest room": the place or thing of which there is most."""
    for place, span in enumerate(rest):
        way = grammar.EXTREMES.get(span.text.split()[-1])
        follower = rest[place + 1] if place + 1 < len(rest) else None
        if way is not None and follower is not None and follower.can_be(Role.PROPERTY) and not follower.can_be(*NOUNS):
            said = Restriction("most" if way > 0 else "least", about=follower, count=1)
            return _asked(Asks.VALUE, [follower, *rest[place + 2 :]], predicate=[said])
        if span.can_be(Role.SUPERLATIVE) and follower is not None and follower.text in grammar.ROOMLIKE:
            return _room_of(span, rest[place + 2 :])
    if any(r.comparison in ("most", "least") for s in rest for r in s.restrictions):
        return _asked(Asks.LIST, rest)
    return None


def _where(spans: list[Span]) -> Segment | None:
    rest = spans[1:] if spans[0].text == "where's" else _without(spans[1:2], grammar.COPULAS) + spans[2:]
    for place, span in enumerate(rest):
        ranked = next((r.relation for r in span.restrictions if r.comparison == "most" and r.relation), None)
        if ranked is not None and span.text in grammar.ROOMLIKE:
            return _room_of(ranked, rest[place + 1 :])
        if span.can_be(Role.SUPERLATIVE):
            follower = place + 1 < len(rest) and rest[place + 1].can_be(*NOUNS)
            return None if follower else _room_of(span, rest[place + 1 :])
    return _asked(Asks.PLACE, rest) if rest else None


def _room_of(span: Span, rest: list[Span]) -> Segment:
    """Which room has most of what a superlative tells of."""
    said = Restriction("most", relation=replace(span, entries=span.having(Role.SUPERLATIVE)), count=1)
    room = replace(span, text="room", entries=(ROOM,), restrictions=(said,))
    places = [s for s in rest if s.can_be(*PLACES)]
    return Segment((room, *places), ".", Inquiry(Asks.LIST))


def _yes_or_no(spans: list[Span]) -> Segment | None:
    rest = _without_edges(spans[1:], set()) if spans[0].text != "any" else spans
    exists = any(s.text == "there" for s in rest[:1])
    if spans[0].text in ("do", "does", "did", "has", "have") and rest and rest[0].text in grammar.OWNERS:
        rest, exists = _without(rest[1:], grammar.LEAVING), True
    if rest and rest[0].text == "there":
        rest = rest[1:]
    person = _occupied(rest)
    if person is not None:
        return person
    reached = _reached(rest)
    if reached is not None:
        return reached
    compared = _comparison(rest)
    if compared is not None:
        return compared
    every = any(s.text in grammar.UNIVERSAL for s in rest) or _is_definite_plural(rest)
    return _predicated(Asks.EVERY if every else Asks.WHETHER, rest, exists=exists)


def _is_definite_plural(rest: Spans) -> bool:
    """ "Are the windows closed?" asks about all of them, "are any …", "are there …" about one."""
    host = next((s for s in rest if s.can_be(*NOUNS)), None)
    return host is not None and host.plural and bool(rest) and rest[0].text in ("the", "my", "our", "these", "those")


def _occupied(rest: list[Span]) -> Segment | None:
    """ "Is anybody in the kitchen?", "is there someone home?"."""
    if not rest or not is_person(rest[0]):
        return None
    said = Restriction("=", amount=state_of(rest[0]))
    places = [s for s in rest[1:] if s.can_be(*PLACES) and "hg#Home" not in str(s.entries)]
    room = replace(rest[0], text="rooms", entries=(ROOM,), plural=True)
    return Segment(tuple(places) or (room,), ".", Inquiry(Asks.WHETHER, (said,)))


def _reached(rest: list[Span]) -> Segment | None:
    """ "Has the water reached its target temperature?"."""
    for place, span in enumerate(rest):
        if span.text in grammar.REACHING and any("target" in s.text for s in rest[place + 1 :]):
            noun = [s for s in rest[:place] if s.text not in grammar.NOW | {"yet", "already"}]
            return _asked(Asks.REACHED, noun or rest[place + 1 :])
    return None


def _comparison(rest: list[Span]) -> Segment | None:
    """ "Is the study warmer than the hall?"."""
    for place in range(1, len(rest) - 1):
        span, other = rest[place], rest[place + 2 :]
        if span.can_be(Role.RELATIVE) and rest[place + 1].text == "than" and other and other[0].number is None:
            relation = replace(span, entries=span.having(Role.RELATIVE))
            return _asked(Asks.COMPARE, rest[:place], relation=relation, versus=other)
    return None


def _difference(spans: list[Span]) -> Segment | None:
    """ "How many degrees warmer is the lounge than the study?"."""
    relative = next((i for i, s in enumerate(spans[:4]) if s.can_be(Role.RELATIVE)), None)
    if relative is None or relative + 2 >= len(spans):
        return None
    split = _split(_without(spans[relative + 1 :], grammar.COPULAS), {"than"})
    if not split:
        return None
    relation = replace(spans[relative], entries=spans[relative].having(Role.RELATIVE))
    return _asked(Asks.DIFFERENCE, split[0], relation=relation, versus=split[1])


def _bare(spans: list[Span]) -> Segment | None:
    """ "Kitchen light on?", "tell me the temperature in the study"."""
    found = _predicated(Asks.WHETHER, spans)
    if found is not None and found.inquiry is not None and found.inquiry.predicate:
        return found
    return _asked(Asks.VALUE, spans) if any(s.can_be(*NOUNS, Role.PROPERTY) for s in spans) else None


# The noun phrase and what is said of it


def _predicated(asks: Asks, spans: list[Span], *, exists: bool = False) -> Segment | None:
    """A noun phrase and its predicate, which may be followed by a place: "lights are on in the kitchen"."""
    for place in range(1, len(spans)):
        said = _whole_predicate(spans, place)
        if said is None or not any(_is_subject(s) for s in spans[:place]):
            continue
        restrictions, tail = said
        noun = _without_edges(spans[:place], grammar.COPULAS | {"has", "have"})
        return Segment((*noun, *tail), ".", Inquiry(asks, tuple(restrictions)))
    if spans and not any(s.can_be(*HOSTS) for s in spans):
        said = _whole_predicate(_without_edges(spans, {"it", "it's", "there"}), 0)
        if said is not None:  # "is it warmer than 25 in the kitchen?"
            first = spans[0]
            room = replace(first, text="room", entries=(ROOM,), restrictions=())
            return Segment(tuple(said[1]) or (room,), ".", Inquiry(asks, tuple(said[0])))
    rest = _without_edges(spans, grammar.COPULAS | grammar.EXISTING | {"has"})
    whether = asks in (Asks.WHETHER, Asks.EVERY) and not exists
    return _asked(asks, rest) if not whether and _is_all_read(rest) else None


def _is_subject(span: Span) -> bool:
    """Whether something can be said of it: a noun, a pronoun, or batteries."""
    return span.can_be(*HOSTS) or span.text in grammar.PRONOUNS or (span.plural and span.can_be(Role.PROPERTY))


def _is_all_read(spans: Spans) -> bool:
    """Whether nothing is left that says more of a noun than is understood: then a question could be answered wrongly."""
    nominal = (*HOSTS, Role.PROPERTY, Role.STATE)
    return all(s.can_be(*nominal) or s.text in grammar.KNOWN or not s.text.isalpha() or s.restrictions for s in spans)


def _whole_predicate(spans: Spans, place: int) -> tuple[list[Restriction], list[Span]] | None:
    """The predicate at a place if nothing but places and words for now follow it: what it says, and those places."""
    start = place
    while start < len(spans) and spans[start].text in grammar.COPULAS | grammar.NOW | {"there", "has", "have"}:
        start += 1
    if start >= len(spans):
        return None
    negated = any(s.text in grammar.NEGATIONS | grammar.NEGATED_COPULAS for s in spans[place:start])
    found = predicates(spans, start, spans[0])
    if found is None and place and spans[place - 1].can_be(*PLACES) and spans[start].text in grammar.ARTICLES:
        found = about_clause(spans, start, spans[place - 1])  # "in which rooms are the windows open"
    if found is None:
        return None
    tail = [
        s for s in spans[found[1] :] if s.text not in grammar.NOW | {"yet", "today", "already", "at", "moment", ","}
    ]
    simple = grammar.PREPOSITIONS | grammar.ARTICLES | grammar.PRONOUNS | {"anywhere", "here", "whole", "about"}
    if not all(s.can_be(*PLACES) or s.text in simple for s in tail):
        return None
    said = [replace(r, negated=not r.negated) for r in found[0]] if negated else found[0]
    return said, tail


def _asked(
    asks: Asks,
    spans: Spans,
    *,
    predicate: Sequence[Restriction] = (),
    relation: Span | None = None,
    versus: Spans = (),
) -> Segment | None:
    if not spans:
        return None
    return Segment(tuple(spans), ".", Inquiry(asks, tuple(predicate), relation, tuple(versus)))


def _any_device(span: Span) -> Span:
    return replace(span, text="devices", entries=(ANY_DEVICE,), plural=True, restrictions=())


def _without(spans: Spans, words: frozenset[str] | set[str]) -> list[Span]:
    return [s for s in spans if s.text not in words]


def _without_edges(spans: Spans, words: frozenset[str] | set[str]) -> list[Span]:
    """Without words at the end, and copulas at the beginning."""
    found = list(spans)
    while found and found[-1].text in words | grammar.NOW | {"?", ","}:
        found.pop()
    while found and found[0].text in grammar.COPULAS:
        found.pop(0)
    return found


def _split(spans: Spans, words: set[str]) -> tuple[list[Span], list[Span]] | None:
    place = next((i for i, s in enumerate(spans) if s.text in words), None)
    if not place or place + 1 >= len(spans):
        return None
    return list(spans[:place]), list(spans[place + 1 :])
