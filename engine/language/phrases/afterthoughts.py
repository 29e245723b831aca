"""Reads afterthoughts: exceptions from a noun before, or further conditions on it: "but not the hall", "only those that
are lit"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from engine.language.phrases.predicates import HOSTS, NOUNS, PLACES, clause
from engine.language.words import grammar
from engine.language.words.lexicon import Role
from engine.language.words.spans import Restriction, Span


def afterthought(spans: Sequence[Span], place: int, found: list[Span]) -> int | None:
    """Takes in an afterthought that stands at a place; where to go on, or None where there is none."""
    if spans[place].text in grammar.INCLUSIONS and found and found[-1].text == ",":
        return _exceptions(spans, place + 1)[1]
    included = _included(spans, place, found)
    if included is not None:
        found.pop()
        return included
    spared = _spared(spans, place, found)
    if spared is not None:
        found.append(spared[0])
        return spared[1]
    if _is_all_of_them(spans, place, found):
        found.pop()
        return place + 3
    begins = _exception_at(spans, place) or _all_but(spans, place, found)
    return _only(spans, place, found) if begins is None else _taken_away(spans, place, begins, found)


def _taken_away(spans: Sequence[Span], place: int, begins: int, found: list[Span]) -> int:
    """Adds one span with the exceptions; returns the place after them."""
    listed, end = _exceptions(spans, begins)
    while found and found[-1].text in (",", "and"):
        found.pop()
    found.append(replace(spans[place], text="except", entries=(), restrictions=tuple(listed)))
    return end


def describe(host: Span, before: list[Restriction], after: list[Restriction]) -> Span:
    """A noun with its restrictions; a predicate nominal replaces its entries ("everything that is a light")."""
    kinds = [one.amount.entries for one in after if one.comparison == "is a" and one.amount is not None]
    said = (*host.restrictions, *before, *(one for one in after if one.comparison != "is a"))
    return replace(host, entries=kinds[0] if kinds else host.entries, restrictions=said)


def _only(spans: Sequence[Span], place: int, found: list[Span]) -> int | None:
    """ "…, only those that are lit": restricts the noun before; where it ends."""
    if spans[place].text != "only":
        return None
    start = place + 1
    while start < len(spans) and spans[start].text in grammar.ONLY:
        start += 1
    hosts = [number for number, span in enumerate(found) if span.can_be(*NOUNS)]
    said = clause(spans, start, found[hosts[-1]]) if hosts and start > place + 1 else None
    if said is None:
        return None
    found[hosts[-1]] = describe(found[hosts[-1]], [], said[0])
    if found[-1].text == ",":
        found.pop()
    return said[1]


def _is_all_of_them(spans: Sequence[Span], place: int, found: Sequence[Span]) -> bool:
    """Whether a phrase only repeats the noun before: "the lights upstairs, all of them"."""
    words = [s.text for s in spans[place : place + 3]]
    return bool(found) and found[-1].text == "," and words in (["all", "of", "them"], ["each", "of", "them"])


def _included(spans: Sequence[Span], place: int, found: Sequence[Span]) -> int | None:
    """ "The bedroom, bathroom and balcony included, …": rooms of a place belong to it; where it ends."""
    if not found or found[-1].text != "," or not spans[place].can_be(*PLACES):
        return None
    end = place
    while end < len(spans) and (spans[end].can_be(*PLACES) or spans[end].text in {"and", ",", *grammar.ARTICLES}):
        end += 1
    if end == len(spans) or spans[end].text not in grammar.INCLUDED:
        return None
    return end + 2 if end + 1 < len(spans) and spans[end + 1].text == "," else end + 1


# What is taken away


def _spared(spans: Sequence[Span], place: int, found: list[Span]) -> tuple[Span, int] | None:
    """Reads an exception from an order before ("…, not the night light"), or from all orders ("leave the screen
    alone"); None for other words."""
    span, begins = spans[place], not found or found[-1].text in (*grammar.PAUSES, *grammar.BREAKS, "and", "but")
    determined = place + 1 < len(spans) and spans[place + 1].text in grammar.ARTICLES
    if not begins or not determined or span.text not in ("not", *grammar.SPARING) or (span.text == "not" and not found):
        return None
    listed, end = _exceptions(spans, place + 1)
    sparing = span.text in grammar.SPARING
    if sparing and found and listed and end < len(spans) and spans[end].can_be(Role.STATE):
        end += 1  # "leave the lamp on"
    alone = end < len(spans) and spans[end - 1].text not in grammar.ALONE and spans[end].text not in grammar.PAUSES
    told = any(one.host or one.where or (one.about and not sparing) for one in listed)
    if not told or (sparing and alone):
        return None
    while found and found[-1].text in (",", "and", "but"):
        found.pop()
    said = "except all" if sparing else "except"
    taken = tuple(replace(one, comparison=said) for one in listed)
    return replace(span, text="except", entries=(), restrictions=taken), end + (
        end < len(spans) and sparing and spans[end].text == ","
    )


def _exception_at(spans: Sequence[Span], place: int) -> int | None:
    """The place after words of exception, if such stand here: "apart from", "but not"."""
    for length in (4, 3, 2, 1):
        words = " ".join(s.text for s in spans[place : place + length])
        if words in grammar.EXCEPTIONS and place:
            return place + length
    return None


def _all_but(spans: Sequence[Span], place: int, found: Sequence[Span]) -> int | None:
    """ "Everywhere but the hall", "all rooms but the den": after a word for all, and before no more than a noun."""
    if spans[place].text != "but" or place + 1 >= len(spans):
        return None
    said = list(found)
    for number in range(len(found) - 1, -1, -1):
        if found[number].text in (*grammar.BREAKS, *grammar.PAUSES):
            said = list(found[number + 1 :])
            break
    every = grammar.UNIVERSAL | grammar.EVERYWHERE | grammar.WHATEVER
    if not any(span.text in every for span in said) or _starts_order(spans, place + 1):
        return None
    listed, end = _exceptions(spans, place + 1)
    ends = end >= len(spans) or spans[end].text in (*grammar.BREAKS, *grammar.PAUSES, *grammar.TO, "and", "please")
    return place + 1 if ends and any(one.host or one.where for one in listed) else None


def _exceptions(spans: Sequence[Span], place: int) -> tuple[list[Restriction], int]:
    """A list of nouns and places, and where it ends."""
    found: list[Restriction] = []
    while place < len(spans):
        one, end = _exception(spans, place)
        if one is None:
            break
        found.append(one)
        place = end
        joined = place + 1 < len(spans) and spans[place].text in ("and", "or", ",")
        joined = joined and spans[place + 1].text not in grammar.ONLY_THAT
        if not joined or _exception(spans, place + 1)[0] is None or _starts_order(spans, place + 1):
            break
        place += 1
    while place < len(spans) and spans[place].text in grammar.ALONE:
        place += 1
    return found, place


def _starts_order(spans: Sequence[Span], place: int) -> bool:
    first = spans[place]
    return first.can_be(Role.COMMAND, Role.LIGHT_VERB, Role.RELATIVE) and not first.can_be(*HOSTS)


def _exception(spans: Sequence[Span], place: int) -> tuple[Restriction | None, int]:
    """One noun or place, with the place that it is in; words that nobody knows may stand with it."""
    host: Span | None = None
    where: Span | None = None
    words: list[str] = []
    start = place
    while place < len(spans) and spans[place].text not in (*grammar.BREAKS, *grammar.PAUSES, "and", "or", "then"):
        span = spans[place]
        if span.text in ("one", "ones"):
            pass
        elif span.can_be(*NOUNS) and host is None:
            host = span
        elif span.can_be(*PLACES):
            where = span
        elif _is_of_a_name(spans, place):
            words.append(span.text)
        elif span.entries or span.number is not None or (span.text in grammar.ALONE and span.text != "one"):
            break
        elif span.text not in grammar.KNOWN:
            words.append(span.text)
        place += 1
    if place == start:
        return None, start
    named = replace(spans[start], text=" ".join(words), entries=()) if words else None
    return Restriction("except", host=host, where=where, about=named), place


def _is_of_a_name(spans: Sequence[Span], place: int) -> bool:
    """ "The baby one": a word that may be a value is of a name before a noun or "one", after an article."""
    follower = spans[place + 1] if place + 1 < len(spans) else None
    valued = spans[place].can_be(Role.VALUE, Role.OPTION, Role.COLOUR) and spans[place].number is None
    named = follower is not None and (follower.can_be(*NOUNS) or follower.text in ("one", "ones"))
    return valued and named and spans[place - 1].text in grammar.ARTICLES
