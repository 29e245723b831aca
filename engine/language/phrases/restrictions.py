"""Reads restrictions of a noun: "the lights that are above 80 %", "the two brightest lamps", "rooms where nobody is".

The words are taken out of the sentence and stay with the noun, so that the rest is read as if the noun stood alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from engine.graph.terms import expand
from engine.language.phrases.afterthoughts import afterthought, describe
from engine.language.phrases.predicates import (
    DESCRIBING,
    HOSTS,
    NOUNS,
    OCCUPIED,
    PLACES,
    UNOCCUPIED,
    clause,
    predicates,
)
from engine.language.words import grammar
from engine.language.words.lexicon import Entry, Role
from engine.language.words.spans import Restriction, Span

_AFTER_A_PART = ("of", "on", "off", "in", "please", "can", "should")
ROOM = Entry(Role.PLACE_CLASS, expand("hg:Room"))
ANY_DEVICE = Entry(Role.DEVICE, expand("hg:Device"))


def restrict(spans: Sequence[Span]) -> list[Span]:
    """The spans with restrictions taken out and kept on their nouns."""
    spans = _without_conditional(_of_them(_with_rooms(_without_parts(_with_pauses(spans)))))
    found: list[Span] = []
    place = 0
    while place < len(spans):
        place = afterthought(spans, place, found) or _noun(spans, place, found)
    return found


def _noun(spans: Sequence[Span], place: int, found: list[Span]) -> int:
    """Adds a span, for a noun with its restrictions before and after it; returns the place to go on."""
    host = _host(spans, place)
    if host is None:
        found.append(_quantifier(spans, place))
        return place + 1
    before = _before(found, host)
    all_such = any(one.text in grammar.WHATEVER for one in spans[max(0, place - 2) : place + 1])
    after, end = _after(spans, place + 1, host, all_such=all_such)
    after = _counted(found, after)
    owner = _owner(found, host, spans[place + 1 : end]) if after else None
    if owner is None:
        found.append(describe(host, before, after) if before or after else spans[place])
    else:
        whole = found[owner]
        if whole.text in grammar.WHATEVER:
            whole = replace(whole, entries=(ANY_DEVICE,), plural=True)
        found[owner] = describe(whole, [], after)
        found.append(spans[place])
    _share_with_neighbour(found, len(found) - 1 if owner is None else owner, after)
    return end


def _share_with_neighbour(found: list[Span], place: int, after: list[Restriction]) -> None:
    """Applies restrictions after a list to all nouns in it: "the curtains and blinds that are shut"."""
    shared = [one for one in after if one.comparison in ("=", ">", ">=", "<", "<=", "more")]
    while shared and place >= 2 and found[place].plural and found[place - 1].text in ("and", "or", ","):
        place -= 2
        if not (found[place].can_be(Role.DEVICE) and found[place].plural) or found[place].restrictions:
            return
        found[place] = describe(found[place], [], shared)


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
    if _is_order(spans, place):
        return None
    if span.can_be(*HOSTS) or (span.text in ("ones", "one", grammar.THOSE) and place and not span.entries):
        follower = spans[place + 1] if place + 1 < len(spans) else None
        compound = follower is not None and follower.can_be(*NOUNS) and not span.can_be(*PLACES)
        return None if compound else span
    if span.text in grammar.WHATEVER and not _determines(spans, place):
        return replace(span, entries=(ANY_DEVICE,), plural=True)
    return None


def _is_order(spans: Sequence[Span], place: int) -> bool:
    """ "…, switch that on": a verb before a pronoun, and no device."""
    verb = spans[place].can_be(Role.LIGHT_VERB, Role.COMMAND) and not spans[place].plural
    begins = place == 0 or spans[place - 1].text in (*grammar.PAUSES, *grammar.BREAKS, "and", "then", "please")
    pointed = place + 1 < len(spans) and spans[place + 1].text in ("it", "that", "them", "those", "these", "this")
    return verb and begins and pointed


def _determines(spans: Sequence[Span], place: int) -> bool:
    """ "Whatever lights", "whichever two lamps": the word stands before a noun, and is none itself."""
    rest = spans[place + 1 : place + 3]
    return bool(rest) and (rest[0].can_be(*NOUNS) or (rest[0].number is not None and rest[-1].can_be(*NOUNS)))


def _with_pauses(spans: Sequence[Span]) -> list[Span]:
    """ "Fan-light off just the fan", "… not the lamp": an afterthought that no pause was heard before."""
    found: list[Span] = []
    for place, span in enumerate(spans):
        words = [s.text for s in spans[place : place + 2]]
        limits = words[0] in ("not", "just", "only") and len(words) == 2 and words[1] in ("the", "my", "our")
        named = place + 2 < len(spans) and spans[place + 2].can_be(Role.DEVICE)
        before = found[-1] if found else None
        if limits and named and before is not None and _may_end(before) and any(s.can_be(*NOUNS) for s in found):
            found.append(Span(",", span.start, span.start))
        found.append(span)
    return found


def _may_end(span: Span) -> bool:
    """Whether an order may end with this word."""
    return span.can_be(*HOSTS, Role.STATE, Role.VALUE) or span.number is not None or span.text in ("please", "it")


def _without_parts(spans: list[Span]) -> list[Span]:
    """ "The fan part", "only the lamp bit of it": the word after the noun says no more."""
    found: list[Span] = []
    place = 0
    while place < len(spans):
        span = spans[place]
        follower = spans[place + 1] if place + 1 < len(spans) else None
        ends = follower is None or follower.text in (*grammar.PAUSES, *grammar.BREAKS, *_AFTER_A_PART)
        if found and found[-1].can_be(Role.DEVICE) and span.text in grammar.PART_OF and ends:
            owned = [s.text for s in spans[place + 1 : place + 3]] in (["of", "it"], ["of", "that"], ["of", "them"])
            place += 3 if owned else 1
        else:
            found.append(span)
            place += 1
    return found


# Rooms and conditions that stand first


def with_persons(spans: list[Span]) -> list[Span]:
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
    found: list[Span] = []
    for place, span in enumerate(spans):
        starts = not found or found[-1].text in (*grammar.BREAKS, *grammar.PAUSES, "and", "then", "but")
        if span.text == "wherever" or (span.text == "where" and starts and not _asks(spans, place)):
            found += [replace(span, text="in"), replace(span, text="rooms", entries=(ROOM,), plural=True)]
            found.append(replace(span, text="where"))
        else:
            if _says_who(spans, place):
                found.append(Span("where", span.start, span.start))
            found.append(span)
    return found


def _says_who(spans: Sequence[Span], place: int) -> bool:
    """ "The rooms nobody is in", "every room someone is in"."""
    copula = place + 1 < len(spans) and spans[place + 1].text in grammar.COPULAS
    return place > 0 and ROOM in spans[place - 1].entries and spans[place].text in grammar.PERSONS and copula


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
        those = _those(spans, place + 2) if superlative and among and not nouns else None
        if those is not None:
            found += [span, Span(grammar.THOSE, spans[place + 1].start, spans[those - 1].end)]
            place = those
        elif nouns:
            found += [span] if superlative else []
            entries = tuple(dict.fromkeys(e for noun in nouns for e in noun.entries))
            found.append(replace(nouns[-1], entries=entries))
            place = end
        else:
            found.append(span)
            place += 1
    return found


def _those(spans: Sequence[Span], place: int) -> int | None:
    """Past "those two", "the two", "them"; None where something else stands."""
    end = place
    while end < len(spans) and spans[end].text in grammar.PLURAL_PRONOUNS | {"the", "both", "two", "three", "four"}:
        end += 1
    return end if end > place and spans[end - 1].text != "the" else None


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
    """ "If a speaker is louder than 50, bring it down" is said of every speaker that is, "if the oven is idle, heat it"
    of the oven, if it is."""
    for place, span in enumerate(spans):
        host = _conditional_host(spans, place) if span.text == "if" else None
        found = predicates(spans, host + 2, spans[host]) if host is not None else None
        if host is None or found is None or not _ends(spans, found[1]):
            continue
        every = spans[place + 1].text in grammar.INDEFINITE
        restricted = replace(spans[host], restrictions=tuple(found[0]), plural=every or spans[host].plural)
        first = replace(span, text="all" if every else "the")
        return [*spans[:place], first, *spans[place + 2 : host], restricted, *spans[found[1] :]]
    return spans


def _conditional_host(spans: Sequence[Span], place: int) -> int | None:
    """Where the device stands of which a condition is: any of its kind, or the very one that "it" is later."""
    article = spans[place + 1].text if place + 3 < len(spans) else ""
    definite = article in ("the", "my", "our") and any(s.text == "it" for s in spans[place:])
    if article not in grammar.INDEFINITE and not definite:
        return None
    host = place + 2
    while host < len(spans) and not spans[host].entries and spans[host].text not in grammar.KNOWN:
        host += 1  # "the front door"
    named = host + 1 < len(spans) and spans[host].can_be(*NOUNS) and spans[host + 1].text in grammar.COPULAS
    return host if named else None


def _ends(spans: Sequence[Span], place: int) -> bool:
    return place >= len(spans) or spans[place].text in (*grammar.BREAKS, *grammar.PAUSES, "then")


# Before the noun


def _before(found: list[Span], host: Span) -> list[Restriction]:
    """The restrictions before a noun; their spans are taken from `found`."""
    stated = _state_between(found, host) or _occupied(found, host)
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
        return [*stated, replace(restrictions[0], count=count)]
    if stated and count is not None:
        found.pop()
    return stated or _share_before(found, host) or _state_before(found, host)


def _occupied(found: list[Span], host: Span) -> list[Restriction]:
    """ "Every empty room", "the occupied bedrooms"."""
    if not (found and host.can_be(Role.PLACE_CLASS) and found[-1].text in grammar.OCCUPIED):
        return []
    state = found.pop()
    entry = OCCUPIED if grammar.OCCUPIED[state.text] else UNOCCUPIED
    return [Restriction("=", amount=replace(state, entries=(entry,)))]


def _state_between(found: list[Span], host: Span) -> list[Restriction]:
    """ "The two brightest lit lamps", "the two open blinds", "set running fans to …": a state right before a noun."""
    if len(found) < 2 or not host.can_be(Role.DEVICE) or not found[-1].can_be(Role.STATE):
        return []
    state, before = found[-1], found[-2]
    ordered = before.can_be(Role.COMMAND, Role.LIGHT_VERB) and host.plural and " " not in before.text
    counted = before.number is not None and before.unit is None and len(found) > 2 and found[-3].text == "the"
    if state.can_be(Role.DEVICE) or not (before.can_be(Role.SUPERLATIVE) or counted or ordered):
        return []
    if ordered and not state.text.endswith(("ing", "ed", "lit")):
        return []
    found.pop()
    return [Restriction("=", amount=replace(state, entries=state.having(*DESCRIBING)))]


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
    """The restrictions after a noun, and their end."""
    restrictions: list[Restriction] = []
    while True:
        found = clause(spans, place, host, all_such=all_such)
        if found is None:
            return restrictions, place
        restrictions += found[0]
        place = found[1]
