"""What restricts a noun: "the lights that are above 80 %", "the two brightest lamps", "rooms where nobody is".

The words are taken out of the sentence and stay with the noun, so that the rest is read as if the noun stood alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from engine.graph.terms import expand
from engine.language import grammar
from engine.language.lexicon import Entry, Role
from engine.language.predicates import DESCRIBING, HOSTS, NOUNS, PLACES, clause, predicates
from engine.language.spans import Restriction, Span

ROOM = Entry(Role.PLACE_CLASS, expand("hg:Room"))
ANY_DEVICE = Entry(Role.DEVICE, expand("hg:Device"))


def restrict(spans: Sequence[Span]) -> list[Span]:
    """The spans with what restricts a noun taken out and kept on that noun."""
    spans = _without_conditional(_of_them(_with_rooms(list(spans))))
    found: list[Span] = []
    place = 0
    while place < len(spans):
        span = spans[place]
        if span.text in grammar.INCLUSIONS and place and found[-1:] and found[-1].text == ",":
            place = _exceptions(spans, place + 1)[1]
            continue
        spared = _spared(spans, place, found)
        if spared is not None:
            exception, place = spared
            found.append(exception)
            continue
        if _is_all_of_them(spans, place, found):
            found.pop()
            place += 3
            continue
        only = _only(spans, place, found)
        if only is not None:
            place = only
            continue
        begins = _exception_at(spans, place)
        if begins is not None:
            exceptions, place = _exceptions(spans, begins)
            while found and found[-1].text in (",", "and"):
                found.pop()
            found.append(replace(span, text="except", entries=(), restrictions=tuple(exceptions)))
            continue
        host = _host(spans, place)
        if host is None:
            found.append(_quantifier(spans, place))
            place += 1
            continue
        before = _before(found, host)
        all_such = any(one.text in grammar.WHATEVER for one in spans[max(0, place - 2) : place + 1])
        after, end = _after(spans, place + 1, host, all_such=all_such)
        after = _counted(found, after)
        owner = _owner(found, host, spans[place + 1 : end]) if after else None
        if owner is not None:
            found[owner] = _describe(found[owner], [], after)
            _share_with_neighbour(found, owner, after)
            found.append(span)
            place = end
            continue
        found.append(_describe(host, before, after) if before or after else span)
        _share_with_neighbour(found, len(found) - 1, after)
        place = end
    return found


def _describe(host: Span, before: list[Restriction], after: list[Restriction]) -> Span:
    """A noun with what is said of it; what it is said to be ("everything that is a light") it is."""
    kinds = [one.amount.entries for one in after if one.comparison == "is a" and one.amount is not None]
    said = (*host.restrictions, *before, *(one for one in after if one.comparison != "is a"))
    return replace(host, entries=kinds[0] if kinds else host.entries, restrictions=said)


def _share_with_neighbour(found: list[Span], place: int, after: list[Restriction]) -> None:
    """ "The curtains and blinds that are shut": what stands after a list is said of all in it."""
    shared = [one for one in after if one.comparison in ("=", ">", ">=", "<", "<=", "more")]
    while shared and place >= 2 and found[place].plural and found[place - 1].text in ("and", "or", ","):
        place -= 2
        if not (found[place].can_be(Role.DEVICE) and found[place].plural) or found[place].restrictions:
            return
        found[place] = _describe(found[place], [], shared)


def _owner(found: Sequence[Span], host: Span, said: Sequence[Span]) -> int | None:
    """The noun before a place that a clause after the place is about: "the lights in the kitchen that are on"."""
    if not host.can_be(*PLACES) or said[0].text in ("where", "whose") or ROOM in host.entries:
        return None
    for place in range(len(found) - 1, -1, -1):
        span = found[place]
        if span.can_be(*NOUNS) or span.text in grammar.WHATEVER:
            return place
        if span.text not in grammar.PREPOSITIONS | grammar.ARTICLES:
            return None
    return None


def _quantifier(spans: Sequence[Span], place: int) -> Span:
    """ "Whichever lights …", "whatever two lamps …": all that are so."""
    span = spans[place]
    return replace(span, text="all") if span.text in grammar.WHATEVER else span


def _host(spans: Sequence[Span], place: int) -> Span | None:
    """The span as a noun that can be restricted, or None."""
    span = spans[place]
    if span.can_be(*HOSTS) or (span.text in ("ones", "one") and place and not span.entries):
        follower = spans[place + 1] if place + 1 < len(spans) else None
        compound = follower is not None and follower.can_be(*NOUNS) and not span.can_be(*PLACES)
        return None if compound else span
    if span.text in grammar.WHATEVER and not _determines(spans, place):
        return replace(span, entries=(ANY_DEVICE,), plural=True)
    return None


def _determines(spans: Sequence[Span], place: int) -> bool:
    """ "Whatever lights", "whichever two lamps": the word stands before a noun, and is none itself."""
    rest = spans[place + 1 : place + 3]
    return bool(rest) and (rest[0].can_be(*NOUNS) or (rest[0].number is not None and rest[-1].can_be(*NOUNS)))


# Rooms and conditions that stand first


def _with_persons(spans: list[Span]) -> list[Span]:
    """ "No one" and "not anybody" are nobody."""
    found: list[Span] = []
    for place, span in enumerate(spans):
        follower = spans[place + 1] if place + 1 < len(spans) else None
        nominal = follower is not None and follower.can_be(*HOSTS)
        if span.text == "one" and found and found[-1].text == "no" and not nominal:
            found[-1] = replace(span, text="nobody", number=None, entries=())
        else:
            found.append(span)
    return found


def _with_rooms(spans: list[Span]) -> list[Span]:
    """ "Wherever it is warm, …", "where nobody is, …": in rooms of which that is true."""
    spans = _with_persons(spans)
    found: list[Span] = []
    for place, span in enumerate(spans):
        starts = not found or found[-1].text in (*grammar.BREAKS, *grammar.PAUSES, "and", "then", "but")
        if span.text == "wherever" or (span.text == "where" and starts and not _asks(spans, place)):
            found += [replace(span, text="in"), replace(span, text="rooms", entries=(ROOM,), plural=True)]
            found.append(replace(span, text="where"))
        else:
            found.append(span)
    return found


def _of_them(spans: list[Span]) -> list[Span]:
    """ "The brightest of the lights", "the loudest one among the screen and the speakers": one of these nouns."""
    found: list[Span] = []
    place = 0
    while place < len(spans):
        span = spans[place]
        span = _of_two(spans, place)
        superlative = span.can_be(Role.SUPERLATIVE)
        ranked = superlative or (span.text in ("one", "ones") and found and found[-1].can_be(Role.SUPERLATIVE))
        among = place + 1 < len(spans) and spans[place + 1].text in grammar.AMONG
        nouns, end = _list_of_nouns(spans, place + 2) if ranked and among else ([], place)
        if nouns:
            found += [span] if superlative else []
            entries = tuple(dict.fromkeys(e for noun in nouns for e in noun.entries))
            found.append(replace(nouns[-1], entries=entries))
            place = end
        else:
            found.append(span)
            place += 1
    return found


def _of_two(spans: Sequence[Span], place: int) -> Span:
    """ "The brighter of the two lamps" is the brightest of them."""
    span = spans[place]
    before = place and spans[place - 1].text == "the"
    among = place + 1 < len(spans) and spans[place + 1].text in grammar.AMONG
    if not (before and among and span.can_be(Role.RELATIVE)):
        return span
    return replace(span, entries=tuple(Entry(Role.SUPERLATIVE, e.iri) for e in span.having(Role.RELATIVE)))


def _list_of_nouns(spans: Sequence[Span], place: int) -> tuple[list[Span], int]:
    """The devices named in a list, and where it ends."""
    nouns: list[Span] = []
    end = place
    while place < len(spans):
        span = spans[place]
        if span.can_be(Role.DEVICE):
            nouns.append(replace(span, entries=span.having(Role.DEVICE)))
            end = place + 1
        elif span.text not in grammar.ARTICLES | grammar.UNIVERSAL | {"and", "or", ",", "two"}:
            break
        place += 1
    return nouns, end


def _asks(spans: Sequence[Span], place: int) -> bool:
    """ "Where is the remote?" asks; "where the humidity is high" says."""
    follower = spans[place + 1] if place + 1 < len(spans) else None
    ends = any(s.text == "?" for s in spans[place:])
    return follower is None or ends or follower.text in grammar.COPULAS - {"it's", "there's", "that's"}


def _without_conditional(spans: list[Span]) -> list[Span]:
    """ "If a speaker is louder than 50, bring it down" is said of every speaker that is."""
    for place, span in enumerate(spans):
        if span.text != "if" or place + 3 >= len(spans):
            continue
        host = place + 2
        indefinite = spans[place + 1].text in ("a", "an", "any", "some")
        if indefinite and spans[host].can_be(Role.DEVICE) and spans[host + 1].text in grammar.COPULAS:
            found = predicates(spans, host + 2, spans[host])
            if found is not None and _ends(spans, found[1]):
                restricted = replace(spans[host], restrictions=tuple(found[0]), plural=True)
                return [*spans[:place], replace(span, text="all"), restricted, *spans[found[1] :]]
    return spans


def _ends(spans: Sequence[Span], place: int) -> bool:
    return place >= len(spans) or spans[place].text in (*grammar.BREAKS, *grammar.PAUSES, "then")


# Before the noun


def _before(found: list[Span], host: Span) -> list[Restriction]:
    """What stands before a noun and restricts it; those spans are taken from `found`."""
    restrictions: list[Restriction] = []
    count: int | None = None
    place = len(found) - 1
    while place >= 0:
        span = found[place]
        superlative = _superlative(found, place)
        if superlative is not None and not restrictions:
            restrictions.append(Restriction("most", relation=superlative))
        elif span.number is not None and span.unit is None and float(span.number).is_integer():
            if count is not None or span.text == "one":
                break
            count = int(span.number)
        elif span.text == "single":
            pass
        else:
            break
        place -= 1
    if restrictions:
        count = count or (None if host.plural else 1)
        del found[place + 1 :]
        return [replace(restrictions[0], count=count)]
    return _share_before(found, host) or _state_before(found, host)


def _counted(found: list[Span], after: list[Restriction]) -> list[Restriction]:
    """ "The three speakers with the highest volume": how many are meant stands before the noun."""
    ranks = any(one.comparison in ("most", "least") and one.count is None for one in after)
    if not ranks or not found or found[-1].number is None or found[-1].unit is not None:
        return after
    count = int(found.pop().number or 1)
    return [replace(one, count=count) if one.comparison in ("most", "least") else one for one in after]


def _superlative(found: Sequence[Span], place: int) -> Span | None:
    span = found[place]
    entries = span.having(Role.SUPERLATIVE)
    return replace(span, entries=entries) if entries else None


def _share_before(found: list[Span], host: Span) -> list[Restriction]:
    """ "Half of the lights", "half my lamps"."""
    place = len(found) - 1
    while place >= 0 and found[place].text in grammar.ARTICLES | grammar.OF | {"all"}:
        place -= 1
    if place < 0 or not host.plural or found[place].text not in ("half", "a half"):
        return []
    del found[place:]
    return [Restriction("share")]


def _state_before(found: list[Span], host: Span) -> list[Restriction]:
    """ "All open windows", "any running fan": a state between a determiner and a noun of which there are several."""
    if len(found) < 2 or not host.can_be(Role.DEVICE):
        return []
    state, determiner = found[-1], found[-2].text
    several = host.plural or determiner in ("any", "every", "each", "which", "all")
    determined = determiner in grammar.ARTICLES | grammar.UNIVERSAL | {"which", "what", "many"}
    if not (several and determined and state.can_be(Role.STATE) and not state.can_be(Role.DEVICE)):
        return []
    found.pop()
    return [Restriction("=", amount=replace(state, entries=state.having(*DESCRIBING)))]


# After the noun


def _after(spans: Sequence[Span], place: int, host: Span, *, all_such: bool) -> tuple[list[Restriction], int]:
    """What stands after a noun and restricts it, and where it ends."""
    restrictions: list[Restriction] = []
    while True:
        found = clause(spans, place, host, all_such=all_such)
        if found is None:
            return restrictions, place
        restrictions += found[0]
        place = found[1]


# Afterthoughts


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
    found[hosts[-1]] = _describe(found[hosts[-1]], [], said[0])
    if found[-1].text == ",":
        found.pop()
    return said[1]


def _is_all_of_them(spans: Sequence[Span], place: int, found: Sequence[Span]) -> bool:
    """ "The lights upstairs, all of them": says again what was said."""
    words = [s.text for s in spans[place : place + 3]]
    return bool(found) and found[-1].text == "," and words in (["all", "of", "them"], ["each", "of", "them"])


# What is taken away


def _spared(spans: Sequence[Span], place: int, found: list[Span]) -> tuple[Span, int] | None:
    """ "…, not the night light": what is taken away from an order that went before. "Leave the screen alone": what is
    taken away from all orders."""
    span, begins = spans[place], not found or found[-1].text in (*grammar.PAUSES, *grammar.BREAKS, "and", "but")
    determined = place + 1 < len(spans) and spans[place + 1].text in grammar.ARTICLES
    if not begins or not determined or span.text not in ("not", *grammar.SPARING) or (span.text == "not" and not found):
        return None
    listed, end = _exceptions(spans, place + 1)
    sparing = span.text in grammar.SPARING
    alone = end < len(spans) and spans[end - 1].text not in grammar.ALONE and spans[end].text not in grammar.PAUSES
    if not any(one.host or one.where for one in listed) or (sparing and alone):
        return None
    while found and found[-1].text in (",", "and", "but"):
        found.pop()
    said = "except all" if sparing else "except"
    taken = tuple(replace(one, comparison=said) for one in listed)
    return replace(span, text="except", entries=(), restrictions=taken), end + (
        end < len(spans) and sparing and spans[end].text == ","
    )


def _exception_at(spans: Sequence[Span], place: int) -> int | None:
    """Where what is taken away begins, if words for that stand here: "apart from", "but not"."""
    for length in (4, 3, 2, 1):
        words = " ".join(s.text for s in spans[place : place + length])
        if words in grammar.EXCEPTIONS and place:
            return place + length
    return None


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
        elif span.entries or span.number is not None or (span.text in grammar.ALONE and span.text != "one"):
            break
        elif span.text not in grammar.KNOWN:
            words.append(span.text)
        place += 1
    if place == start:
        return None, start
    named = replace(spans[start], text=" ".join(words), entries=()) if words else None
    return Restriction("except", host=host, where=where, about=named), place
