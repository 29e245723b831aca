"""Reads predicates after a noun: relative clauses, comparisons, levels, and contents of a room."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from engine.graph.terms import expand
from engine.language.words import grammar
from engine.language.words.lexicon import Entry, Role
from engine.language.words.spans import Restriction, Span

NOUNS = (Role.DEVICE, Role.THING)
PLACES = (Role.PLACE, Role.PLACE_CLASS)
HOSTS = (*NOUNS, *PLACES)
DESCRIBING = (Role.STATE, Role.VALUE, Role.OPTION, Role.COLOUR)
OCCUPIED, UNOCCUPIED = (Entry(Role.STATE, expand(f"hg:{state}")) for state in ("IsOccupied", "IsUnoccupied"))
Found = tuple[list[Restriction], int]


def clause(spans: Sequence[Span], place: int, host: Span, *, all_such: bool = False) -> Found | None:
    """One relative clause or phrase after a noun, and where it ends; `all_such`: "whichever" stands before it."""
    start, place = place, _skip(spans, place, grammar.NOW)
    if place >= len(spans):
        return None
    if spans[place].of_current:
        return None
    if place > start and spans[place].can_be(*DESCRIBING):
        return _predicates_alone(spans, place, host)
    if (found := _introduced(spans, place, host, all_such=all_such)) is not _UNSAID:
        return found
    at_level = _at_level(spans, place, host)
    if at_level is not None:
        return at_level
    if _comparator(spans, place)[0] is None:
        place = _skip(spans, place, {"at", "set"})
    return _comparison(spans, place, bare=True) if place < len(spans) else None


_UNSAID: Found = ([], -1)
"""No word says which clause it is."""


def _introduced(spans: Sequence[Span], place: int, host: Span, *, all_such: bool) -> Found | None:
    """The clause that a word opens (that, whose, where, with, reading), and where it ends; `_UNSAID` without one."""
    word = spans[place].text
    if word in grammar.RELATIVE_PRONOUNS:
        return _relative_clause(spans, place + 1, host)
    if word == "that's" or (all_such and word in grammar.COPULAS):
        return predicates(spans, place + 1, host)
    if word == "whose" or (word in ("with", "having") and _tells_of_parts(spans, place + 1, host)):
        return _of_parts(spans, place + 1, host)
    if word == "where" and host.can_be(*PLACES):
        return about_clause(spans, place + 1, host)
    if word in ("with", "without", "having"):
        return _with(spans, place + 1, host, negated=word == "without")
    if word in grammar.MEASURING and place + 1 < len(spans) and spans[place + 1].can_be(Role.PROPERTY):
        return _with(spans, place + 1, host, negated=False)  # "any purifier reading PM2.5 above 50"
    return _UNSAID


def _at_level(spans: Sequence[Span], place: int, host: Span) -> Found | None:
    """ "Fans at high speed drop to low", "lights on full should …": a level before the verb is how they are now."""
    place = _skip(spans, place, {"running", "set", "turned", "spinning", "going", "shining", "burning"})
    level = place < len(spans) and spans[place].text in ("at", "on")
    if not (level and host.plural and host.can_be(Role.DEVICE)):
        return None
    found = _description(spans, place)
    if found is None or found[1] >= len(spans):
        return None
    verb = spans[found[1]]
    verbal = verb.can_be(Role.COMMAND, Role.LIGHT_VERB, Role.RELATIVE) and not verb.can_be(*HOSTS, *DESCRIBING)
    return found if verbal else None


def _tells_of_parts(spans: Sequence[Span], place: int, host: Span) -> bool:
    """ "Fan-lights with the fan on", "… with the lamp lit": of several things, a part and a state of it."""
    noun = _skip(spans, place, {"the", "its", "their"})
    several = host.plural and host.can_be(Role.DEVICE) and noun + 1 < len(spans) and spans[noun].can_be(Role.DEVICE)
    return several and not spans[noun].plural and spans[noun + 1].can_be(Role.STATE)


def _of_parts(spans: Sequence[Span], place: int, host: Span) -> Found | None:
    """The predicates on one part after the other: "whose light is on but whose fan is off"."""
    found = about_clause(spans, place, host)
    while found is not None and host.can_be(Role.DEVICE):
        start = _skip(spans, found[1], {"and", "but", "while", "whose", "with", "the", "its", "their", "which"})
        noun = start < len(spans) and start > found[1] and spans[start].can_be(Role.DEVICE)
        more = _noun_clause(spans, start) if noun else None
        if more is None or not any(r.amount is not None and r.amount.can_be(Role.STATE) for r in more[0]):
            return found
        found = [*found[0], *more[0]], more[1]
    return found


def _predicates_alone(spans: Sequence[Span], place: int, host: Span) -> Found | None:
    """ "The air conditioners currently cooling": a state that nothing introduces but a word for now."""
    found = predicates(spans, place, host)
    return found if found is not None and _free(spans, found[1]) else None


def _relative_clause(spans: Sequence[Span], place: int, host: Span) -> Found | None:
    """The predicate after "that": "are on", "runs", "have the window open"."""
    place = _skip(spans, place, grammar.NOW)
    if place >= len(spans):
        return None
    word = spans[place].text
    if word in grammar.HAVING:
        return _with(spans, place + 1, host, negated=False)
    negated = word in grammar.NEGATED_COPULAS
    if word in grammar.COPULAS or negated:
        found = predicates(spans, place + 1, host)
        return ([_negated(r) for r in found[0]], found[1]) if found and negated else found
    return predicates(spans, place, host) if spans[place].can_be(Role.STATE) else None


def predicates(spans: Sequence[Span], place: int, host: Span) -> Found | None:
    """Predicates joined by "and": "on and dimmer than 60 %"."""
    found = _predicate(spans, place, host)
    if found is None:
        return None
    restrictions, end = found
    while end + 1 < len(spans) and _continues(spans, end):
        start = _skip(spans, end + 1, {"and", "but", "also", "that", "which", "are", "is"})
        more = _predicate(spans, start, host)
        if more is None or not _free(spans, more[1]):
            break
        restrictions, end = [*restrictions, *more[0]], more[1]
    return _further(spans, restrictions, end, host)


def _continues(spans: Sequence[Span], place: int) -> bool:
    """Whether a joint stands there after which more may be said of the noun: "and", ", and", ", which"."""
    word, follower = spans[place].text, spans[place + 1].text
    return word in ("and", "but") or (word == "," and follower in ("and", "but", "that", "which"))


def _further(spans: Sequence[Span], said: list[Restriction], end: int, host: Span) -> Found:
    """ "On at 65 or more", "on above 80": one more predicate without a joint."""
    if end < len(spans) and said and spans[end].can_be(Role.SUPERLATIVE):  # "shining brightest"
        ranked = replace(spans[end], entries=spans[end].having(Role.SUPERLATIVE))
        return [*said, Restriction("most", relation=ranked)], _skip(spans, end + 1, grammar.NOW)
    if end + 1 < len(spans) and spans[end].text in ("at", "above", "below", "over", "under", "between"):
        more = _predicate(spans, end, host)
        if more is not None and any(r.amount is not None and r.amount.number is not None for r in more[0]):
            bounded = any(r.comparison != "=" for r in more[0])
            if bounded:
                return [*said, *more[0]], _skip(spans, more[1], grammar.NOW)
    return said, _skip(spans, end, grammar.NOW)


def _free(spans: Sequence[Span], place: int) -> bool:
    """Whether the word at a place does not begin a further noun phrase."""
    if place >= len(spans):
        return True
    return spans[place].text not in grammar.ARTICLES | grammar.UNIVERSAL and not spans[place].can_be(*HOSTS)


def _predicate(spans: Sequence[Span], place: int, host: Span) -> Found | None:
    """One predicate: a state, a comparison, a level, a class."""
    place = _skip(spans, place, grammar.NOW)
    if place >= len(spans):
        return None
    span = spans[place]
    if span.text in grammar.NEGATIONS:
        found = _predicate(spans, place + 1, host)
        return ([_negated(r) for r in found[0]], found[1]) if found else None
    if span.text in ("a", "an") and place + 1 < len(spans) and spans[place + 1].can_be(Role.DEVICE):
        return [Restriction("is a", amount=spans[place + 1])], place + 2
    compared = _comparison(spans, place, bare=False)
    if compared is not None:
        return compared
    return _description(spans, place)


def _negated(one: Restriction) -> Restriction:
    return replace(one, negated=not one.negated)


def _description(spans: Sequence[Span], place: int) -> Found | None:
    """ "On", "playing", "at high speed", "set to cool", "in dry mode", "at 40 %"."""
    start = place
    while place < len(spans) and (spans[place].text in grammar.PREPOSITIONS or spans[place].text in grammar.SET):
        if spans[place].can_be(Role.STATE):
            break
        place += 1
    introduced = place > start
    if place >= len(spans):
        return None
    span = spans[place]
    if introduced and span.number is not None:
        return _or_more(spans, place, bare=False) or ([Restriction("=", amount=span)], place + 1)
    described = state_of(span)
    entries = described.entries
    if not entries or (described.can_be(*HOSTS, Role.PROPERTY) and not described.can_be(Role.STATE)):
        return None
    about = spans[place + 1] if place + 1 < len(spans) and spans[place + 1].can_be(Role.PROPERTY) else None
    return [Restriction("=", amount=replace(span, entries=entries), about=about)], place + (2 if about else 1)


def _comparison(spans: Sequence[Span], place: int, *, bare: bool) -> Found | None:
    """ "Above 80 %", "warmer than 26", "less than 30 % battery", "80 or more", "brightest"; `bare`: nothing introduces
    it."""
    if not bare and place < len(spans) and _comparator(spans, place)[0] is None:
        place = _skip(spans, place, grammar.MEASURING | {"at"})
    if place >= len(spans):
        return None
    between = _between(spans, place)
    if between is not None:
        return between
    how, end, relation = _comparator(spans, place)
    if how is not None:
        amount, about, stop = _measure(spans, end)
        if amount is not None:
            return [Restriction(how, amount=amount, about=about, relation=relation)], stop
        return None
    most = _skip(spans, place, {"the"})
    superlative = spans[most].having(Role.SUPERLATIVE) if most < len(spans) else ()
    if superlative and not bare:
        return [Restriction("most", relation=replace(spans[most], entries=superlative))], most + 1
    return _or_more(spans, place, bare=bare)


def _between(spans: Sequence[Span], place: int) -> Found | None:
    """ "Between 15 and 45 percent"."""
    words = [s.text for s in spans[place : place + 4]]
    if len(words) < 4 or words[0] != "between" or words[2] not in ("and", "to"):
        return None
    low, high = spans[place + 1], spans[place + 3]
    if low.number is None or high.number is None:
        return None
    low = replace(low, unit=low.unit or high.unit)
    return [Restriction(">=", amount=low), Restriction("<=", amount=high)], place + 4


def _comparator(spans: Sequence[Span], place: int) -> tuple[str | None, int, Span | None]:
    """The comparison that begins here, its end, and the word for its property."""
    for length in (3, 2, 1):
        words = " ".join(s.text for s in spans[place : place + length])
        if words in grammar.COMPARATORS and len(words.split()) >= length:
            return grammar.COMPARATORS[words], place + length, None
    span = spans[place]
    than = place + 1 < len(spans) and spans[place + 1].text == "than"
    if span.can_be(Role.RELATIVE) and than:
        return "more", place + 2, replace(span, entries=span.having(Role.RELATIVE))
    return None, place, None


def _measure(spans: Sequence[Span], place: int) -> tuple[Span | None, Span | None, int]:
    """A number or a word for how much, the property that is named beside it, and where both end."""
    place = _skip(spans, place, {"a", "an", "the", "of"})
    if place >= len(spans):
        return None, None, place
    span = spans[place]
    word = replace(span, entries=span.having(*DESCRIBING))
    if span.number is None and not word.entries:
        return None, None, place
    end = place + 1
    if span.number is None and end < len(spans) and spans[end].having(Role.STATE) and span.can_be(Role.VALUE):
        end += 1  # "half open", "fully open"
    about = spans[end] if end < len(spans) and spans[end].can_be(Role.PROPERTY) else None
    if about is None and end < len(spans) and spans[end].can_be(Role.GRADABLE) and not spans[end].can_be(*HOSTS):
        end += 1  # "at least 60 percent bright"
    return (span if span.number is not None else word), about, end + (1 if about else 0)


def _or_more(spans: Sequence[Span], place: int, *, bare: bool) -> Found | None:
    """ "80 or more", "60 % or below"."""
    if bare or spans[place].number is None or place + 2 >= len(spans) or spans[place + 1].text != "or":
        return None
    how = grammar.OR_MORE.get(spans[place + 2].text)
    return None if how is None else ([Restriction(how, amount=spans[place])], place + 3)


def had_by(spans: Sequence[Span], place: int, host: Span) -> Found | None:
    """The predicate after "have": "the lowest battery", "less than 10 % battery left"; None for other objects."""
    if host.can_be(*PLACES) and not host.can_be(*NOUNS):
        return about_clause(spans, place, host) or _with(spans, place, host, negated=False)
    if host.can_be(Role.DEVICE) and _tells_of_parts(spans, place, replace(host, plural=True)):
        return _of_parts(spans, place, host)
    start = _skip(spans, place, {"a", "an", "the"})
    if start >= len(spans) or (_comparator(spans, start)[0] is None and _ranked(spans, start) is None):
        return None
    return _with(spans, place, host, negated=False)


def _with(spans: Sequence[Span], place: int, host: Span, *, negated: bool) -> Found | None:
    """ "With less than 30 % battery", "with the highest volume", "with a brightness of 80 or more", "with an AC"."""
    place = _skip(spans, place, {"a", "an", "the", "any", "its", "their"})
    if place >= len(spans):
        return None
    if spans[place].text == "no":
        return _with(spans, place + 1, host, negated=not negated)
    how, end, relation = _comparator(spans, place)
    if how is not None:
        amount, about, stop = _measure(spans, end)
        found = [Restriction(how, amount=amount, about=about, relation=relation, negated=negated)]
        return (found, _skip(spans, stop, {"left", "remaining", "of", "its", "their"})) if amount is not None else None
    ranked = _ranked(spans, place)
    if ranked is not None:
        return ranked
    if spans[place].can_be(Role.PROPERTY):
        return _about(spans, place, host, negated=negated)
    if host.can_be(*PLACES) and spans[place].can_be(*NOUNS):
        return [Restriction("has", host=spans[place], negated=negated)], place + 1
    if host.can_be(*PLACES) and state_of(spans[place]).can_be(Role.STATE):
        return [Restriction("=", amount=state_of(spans[place]), negated=negated)], _skip(spans, place + 1, {"in", "it"})
    return None


def is_person(span: Span) -> bool:
    """Whether it is a word for somebody or nobody."""
    return span.text in grammar.PERSONS and span.text != "empty"


def state_of(span: Span) -> Span:
    """The span with its descriptive entries alone: "nobody" is a state of a room."""
    if span.text in grammar.PERSONS:
        return replace(span, entries=(OCCUPIED if grammar.PERSONS[span.text] else UNOCCUPIED,))
    return replace(span, entries=span.having(*DESCRIBING))


def _ranked(spans: Sequence[Span], place: int) -> Found | None:
    """ "The highest volume setting", "the lowest target temperature"."""
    way = grammar.EXTREMES.get(spans[place].text.split()[-1])
    if way is None and spans[place - 1].text == "the":  # "with the lower target": of two
        way = {"lower": -1, "higher": 1, "smaller": -1, "larger": 1}.get(spans[place].text)
    follower = place + 1
    if way is None or follower >= len(spans) or not spans[follower].can_be(Role.PROPERTY):
        return None
    return [Restriction("most" if way > 0 else "least", about=spans[follower])], _skip(
        spans, follower + 1, {"setting", "value", "level", "reading", "settings", "readings"}
    )


def _about(spans: Sequence[Span], place: int, host: Span, *, negated: bool) -> Found | None:
    """A property with its predicate: "a brightness of 80 or more", "humidity over 60", "volume at 20"."""
    about = spans[place]
    start = _skip(spans, place + 1, {"of", "is", "at", "are", "set", "to", "currently", "level", "value", "reading"})
    found = _predicate(spans, start, host)
    if found is None:
        return None
    first = replace(found[0][0], about=about, negated=found[0][0].negated != negated)
    return [first, *found[0][1:]], found[1]


def about_clause(spans: Sequence[Span], place: int, host: Span) -> Found | None:
    """The clause after "whose" and "where": a noun with its predicate; and its end."""
    place = _skip(spans, place, {"the", "a", "an", "there", "it", "it's", "there's", "is", "are", *grammar.NOW})
    if place >= len(spans):
        return None
    span = spans[place]
    if span.text == "no" and place + 1 < len(spans) and spans[place + 1].can_be(Role.PROPERTY):
        end = _skip(spans, place + 2, grammar.DETECTED)
        return [Restriction("=", about=spans[place + 1], negated=True)], end
    if span.can_be(Role.PROPERTY) and not span.can_be(*NOUNS):
        return _about(spans, place, host, negated=False) or _detected(spans, place)
    if state_of(span).can_be(Role.STATE) and not span.can_be(Role.DEVICE):
        return [Restriction("=", amount=state_of(span))], _skip(
            spans, place + 1, grammar.DETECTED | {"in", "home", "around", "about"}
        )
    said = _noun_clause(spans, place) if span.can_be(*NOUNS) else predicates(spans, place, host)
    return said or _whoever_clause(spans, place, host)


def _whoever_clause(spans: Sequence[Span], place: int, host: Span) -> Found | None:
    """The predicate after any subject: "music or video is playing"."""
    for copula in range(place + 1, min(place + 5, len(spans))):
        if spans[copula].text in grammar.COPULAS:
            return predicates(spans, copula + 1, host)
    return None


def _detected(spans: Sequence[Span], place: int) -> Found | None:
    """ "Motion is detected"."""
    end = _skip(spans, place + 1, grammar.DETECTED)
    return ([Restriction("=", about=spans[place])], end) if end > place + 1 else None


def _noun_clause(spans: Sequence[Span], place: int) -> Found | None:
    """ "The motion sensor sees nobody", "a window is open", "the light is above 80 %"."""
    start = _skip(spans, place + 1, grammar.DETECTED)
    found = _predicate(spans, start, spans[place])
    if found is None:
        return None
    return [replace(one, host=spans[place]) for one in found[0]], found[1]


def _skip(spans: Sequence[Span], place: int, words: frozenset[str] | set[str]) -> int:
    """The first place from `place` on whose word is none of these."""
    while place < len(spans) and spans[place].text in words:
        place += 1
    return place
