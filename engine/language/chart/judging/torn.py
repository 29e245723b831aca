"""Readings that tear words from those that they belong to: a particle from its verb, a state from "that are", a
number from its comparison."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from itertools import pairwise, takewhile

from engine.language.chart.heard.items import ARTICLES, Item, Sort, includes
from engine.language.chart.judging.confidence import acts
from engine.language.chart.judging.reader import Candidate, Heard
from engine.language.chart.judging.spared import past
from engine.language.times.times import Duration, Length
from engine.language.words.lexicon import Role
from engine.language.words.morphology import is_progressive
from engine.model.intent import Intent, Measure
from engine.model.rule import After

Part = tuple[int, int, str]
"""From which token to which an account takes words, and their part."""
_PASSED = ("aside", "skipped", "loose")
_UNTOLD = (*_PASSED, "before")
_OF_UNWANTED = (*_PASSED, "copula", "before", "modal", "repair")
_SPARED = ("except", "leave")
_MEANING = {Sort.VERB, Sort.VALUE, Sort.NOUN, Sort.KIND, Sort.RELATIVE, Sort.GRADABLE, Sort.PARTICLE, Sort.WORD}
_NOTHING = ("joint", "request", "filler")
_BEGUN = ("", "joint", "skipped", "before", "preposition", "loose")
_TAKEN = ("value", "verb")
_OF_MORE = ("verb", "change", "skipped", "relation", "loose")
_COMPARED = ("", "compare", "test")
_TOLD_BY = ("that", "where", "whose", "with")
_SAID_SO = ("verb", "before", "preposition", "skipped")
_SHARES = ("percent", "%")
_CONDITIONS = {Sort.If, Sort.When}
_STATES = {Sort.VERB, Sort.VALUE}
_COUNTS = {*ARTICLES, Sort.Every, Sort.Any, Sort.Both}
_COMPARISONS = {Sort.Above, Sort.Below, Sort.Within, Sort.AtLeast, Sort.AtMost, Sort.Than}
_DETERMINING = (*ARTICLES, Sort.That, Sort.Every, Sort.Both)
_SHALL = ("verb", "value", "number", "leave", "copula")
_HOW = {Sort.VALUE, Sort.VERB, Sort.GRADABLE, Sort.RELATIVE}
_GOVERNING = {Sort.To, Sort.By}
_ASKED = {Sort.Which, Sort.What, Sort.How, Sort.HowMany, Sort.Where, Sort.Whether, Sort.HowLong}


def is_torn(candidate: Candidate, found: Heard) -> bool:
    """Whether an account of a text passes over words, or takes them by themselves, that belong to those before or
    behind them."""
    last = candidate.account[-1][1]
    account = [(0, 0, ""), *candidate.account, (last, last, "joint")]
    pairs = list(pairwise(account))
    asks = any(i.query is not None for i in candidate.intents)
    passed = [one for one in pairs if not (asks and _is_said_before(one[1], found))]
    if any(_passes_over(*two, found) for two in passed) or any(_divides(*two, found) for two in pairs):
        return True
    if any(_describes_nothing(number, account, found) for number in range(len(account) - 1)):
        return True
    if not asks and (_orders_by_doing(account, found) or _orders_by_a_name(account, found)):
        return True
    if any(tears_a_witness(*two, found.items) for two in pairs):
        return True
    if _passes_over_an_order(candidate, found) or _mistakes_unwanted(candidate, found):
        return True
    if acts(candidate) and _does_amiss(candidate, pairs, found):
        return True
    if _passes_over_a_wait(candidate, found) or _turns_twice(candidate, found) or _parts_a_name(candidate, found):
        return True
    if asks and not _asks_how_much(candidate, found) and any(_drops_a_state(*two, found) for two in pairs):
        return True
    if asks and any(_strands_a_room(*two, found) for two in pairs):
        return True
    numbers = {
        float(i.amount.value)
        for i in candidate.intents
        if i.amount is not None and not i.amount.relative and isinstance(i.amount.value, int | float)
    }
    triples = zip(account, account[1:], account[2:], strict=False)
    told = any(_is_told_of(*three, found) or _is_too_much(*three, numbers, found) for three in triples)
    return told or any(_loses_a_comparison(before, part, numbers, found) for before, part in pairs)


def tears_a_witness(before: Part, part: Part, items: Sequence[Sequence[Item]]) -> bool:
    """Whether the name of a sensor was taken for its reading: "the *motion* sensor says it is empty"."""
    whole = (i for own in items[before[0] : before[1]] for i in own if i.sort is Sort.Witness)
    return (before[2], part[2]) in _OF_SENSORS and any(i.end == part[1] for i in whole)


_OF_SENSORS = {(part, "witness") for part in ("presence", "about", "property", "skipped")}


def _orders_by_a_name(account: Sequence[Part], found: Heard) -> bool:
    """Whether the name of several things was taken for an order, behind another name: "curtains closed, *lights* at
    30"."""
    named = next((n for n, (_, _, part) in enumerate(account) if part == "noun"), len(account))
    verbs = ((start, end) for start, end, part in account[named:] if part == "verb")
    return any((start, end) in _several(start, end, found) for start, end in verbs)


def _orders_by_doing(account: Sequence[Part], found: Heard) -> bool:
    """Whether a participle behind "and" was taken for the only verb of an order, and the state before it for the thing
    that is meant: "the fan *on high* and *swinging*"."""
    verbs = [n for n, (_, _, part) in enumerate(account) if part == "verb"]
    if len(verbs) != 1 or account[verbs[0] - 1][2] != "joint":
        return False
    doing = is_progressive(found.tokens[account[verbs[0]][0]].text)
    return doing and any(part == "test" for _, _, part in account[: verbs[0]])


def _describes_nothing(number: int, account: Sequence[Part], found: Heard) -> bool:
    """Whether several things were taken for words before a name that does not come: "the lights and *the fans* off",
    "*lights off* and curtains closed"."""
    start, end, part = account[number]
    then = next((behind for _, _, behind in account[number + 1 :] if behind != "before"), "")
    if part != "before" or then in ("noun", "place") or includes(found.items[start : start + 1], Sort.PLACE):
        return False
    own = _several(start, end, found)
    return (start, end) in own or (bool(own) and end - start > 1 and account[number + 1][2] == "joint")


def _several(start: int, end: int, found: Heard) -> set[tuple[int, int]]:
    """Where several things are named among some words."""
    inside = (i for own in found.items[start:end] for i in own if i.end <= end)
    return {(i.start, i.end) for i in inside if i.sort is Sort.NOUN and i.plural}


def _strands_a_room(before: Part, part: Part, found: Heard) -> bool:
    """Whether a whole room was taken for the first words of a name that does not come: "in *the bedroom*?"."""
    rooms = {i.end for i in _at(before[0], found) if i.sort is Sort.PLACE}
    return before[2] == "before" and part[2] == "joint" and before[1] in rooms


def _does_amiss(candidate: Candidate, pairs: Sequence[tuple[Part, Part]], found: Heard) -> bool:
    """Whether a reading that acts ranks beside a room, or passes over a value or a bound."""
    if _ranks_beside_another(candidate) or any(_passes_over_a_value(*two, found) for two in pairs):
        return True
    lost = _compares_with_another(found.items) and not _tells(candidate)
    lost = lost or any(_is_left_so(candidate.account[n:], found) for n in range(len(candidate.account)))
    return lost or _passes_over_a_bound(candidate, found) or _leaves_a_bound_out(candidate, found)


def _is_left_so(account: Sequence[Part], found: Heard) -> bool:
    """Whether the state in which something is left was taken for the order: "off, but leave the hall *on*"."""
    (start, end, part), *behind = account
    if part != "except" or not includes(found.items[start:end], Sort.Leave):
        return False
    named = takewhile(lambda one: one[2] in _OF_THE_LEFT, behind)
    return any({Sort.VALUE, Sort.PARTICLE} & _sorts(one[0], found) and not _names(one, found) for one in named)


def _names(part: Part, found: Heard) -> bool:
    """Whether a part of an account may be a thing or a room."""
    return not {Sort.NOUN, Sort.PLACE}.isdisjoint(_sorts(part[0], found))


_OF_THE_LEFT = (*_TAKEN, "before", "except", "noun", "preposition")


def _leaves_a_bound_out(candidate: Candidate, found: Heard) -> bool:
    """Whether a number that words compare with is left out as said in passing."""
    left = {n for start, end, part in candidate.account if part in _PASSED for n in range(start, end)}
    return not left.isdisjoint(i.start for i in found.once(_bounds))


def loses_a_bound(candidate: Candidate, found: Heard) -> bool:
    """Whether a reading that gives no account does something, and a number that words compare with comes up in nothing
    of it: "lights that are on, *under sixty*, off"."""
    said = {one.number for own in found.items for i in found.once(_bounds) for one in own if one.start == i.end}
    numbers = Counter(float(token.number) for token in found.tokens if token.number is not None)
    used = Counter(n for i in candidate.intents for n in _numbers(i))
    lost = any(n is not None and used[n] < numbers[n] for n in said)
    return acts(candidate) and (lost or (_compares_with_another(found.items) and not _tells(candidate)))


def _compares_with_another(items: Sequence[Sequence[Item]]) -> bool:
    """Whether something is compared with a thing or a room: "lights brighter than the desk lamp"."""
    for than in (i for own in items for i in own if i.sort is Sort.Than):
        place = past(ARTICLES, than.end, items)
        led = any(i.end == than.start and i.sort is Sort.RELATIVE for own in items[: than.start] for i in own)
        if led and includes(items[place : place + 1], Sort.NOUN, Sort.PLACE):
            return True
    return False


def _tells(candidate: Candidate) -> bool:
    """Whether a reading says of which things it is, by how they or their rooms are."""
    return any(i.selection.rooms or i.selection.tests or i.selection.order for i in candidate.intents)


def _numbers(intent: Intent) -> Iterator[float]:
    """The numbers that an intent sets, or compares with."""
    amounts = [c.amount for test in intent.selection.tests for c in test.conditions]
    rooms = [c.amount for r in intent.selection.rooms for test in r.has.tests for c in test.conditions]
    for amount in (intent.amount, *amounts, *rooms):
        if amount is not None and isinstance(amount.value, int | float):
            yield float(amount.value)


def _bounds(found: Heard) -> list[Item]:
    return list(_bounded(found))


def _bounded(found: Heard) -> Iterator[Item]:
    """The comparisons that a number follows: "under sixty"; none where it is to become so, "get it under sixty"."""
    for place, own in enumerate(found.items):
        for item in own:
            counted = item.sort in (Sort.Above, Sort.Below) and Sort.NUMBER in _sorts(item.end, found)
            if counted and not (place and {Sort.VERB, Sort.To, Sort.PronounOne} & _sorts(place - 1, found)):
                yield item


def _passes_over_a_bound(candidate: Candidate, found: Heard) -> bool:
    """Whether words behind a number make it a bound, and are not taken so: "lights at 80 *or more*"."""
    taken = {start for start, _, part in candidate.account if part == "compare"}
    said = (i for own in found.items for i in own if i.sort in (Sort.OrMore, Sort.OrLess))
    numbers = {i.end for own in found.items for i in own if i.sort is Sort.NUMBER}
    return any(i.start in numbers and i.start not in taken for i in said)


def _ranks_beside_another(candidate: Candidate) -> bool:
    """Whether the other of a comparison became the thing or the place of an order: "the fan in rooms that are warmer
    than the nursery", "the lights that are brighter than the desk lamp"."""
    parts = [part for _, _, part in candidate.account]
    for place in range(len(parts)):
        if tuple(parts[place : place + len(_COMPARING)]) == _COMPARING:
            against = next((part for part in parts[place + len(_COMPARING) :] if part != "before"), "")
            return against in ("place", "noun") or (against == "host" and not _tells(candidate))
    return False


_COMPARING = ("relation", "than")


def _passes_over_an_order(candidate: Candidate, found: Heard) -> bool:
    """Whether a reading that acts leaves out a clause that orders as it stands: "*turn the fan on*", "*fan on*"."""
    left = [(start, end) for start, end, part in candidate.account if part == "aside"]
    return acts(candidate) and any(_is_order(start, end, found) for start, end in left)


def _is_order(start: int, end: int, found: Heard) -> bool:
    """Whether a clause begins with a verb and its object, or is a name with a state alone."""
    verbs = [one.end for one in _at(start, found) if one.sort is Sort.VERB]
    if any(_named(_past_determiners(place, found), end, found) for place in verbs):
        return True
    names = _named(_past_determiners(start, found), end, found)
    states = (i.end for name in names for i in _at(name, found) if i.sort in _STATES)
    return any(place == end or (place == end - 1 and Sort.StopMark in _sorts(place, found)) for place in states)


def _mistakes_unwanted(candidate: Candidate, found: Heard) -> bool:
    """Whether a reading takes an unwanted thing for a mere denial, "*don't want* the lamp any more", or puts it out
    though another state is not wanted, "don't want the lamp *off*", "don't want it *that bright*"."""
    return any(_only_denies(one) or _puts_out(one, found) for one in _unwanted(candidate, found))


@dataclass(frozen=True, slots=True)
class _Unwanted:
    """The parts of a clause behind "don't want", and whether that was taken as a whole."""

    clause: Sequence[Part]
    whole: bool


def _unwanted(candidate: Candidate, found: Heard) -> Iterator[_Unwanted]:
    for number, (start, end, part) in enumerate(candidate.account):
        ends = {i.end for i in _at(start, found) if i.sort is Sort.Unwanted}
        if part == "not" and ends:
            behind = candidate.account[number + 1 :]
            yield _Unwanted(tuple(takewhile(lambda one: one[2] != "joint", behind)), end in ends)


def _only_denies(one: _Unwanted) -> bool:
    parts = {part for _, _, part in one.clause}
    return not one.whole and "noun" in parts and parts.isdisjoint(_SHALL)


def _puts_out(one: _Unwanted, found: Heard) -> bool:
    left = (range(start, end) for start, end, part in one.clause if part in _UNTOLD)
    sorts = (_sorts(place, found) for places in left for place in places)
    return one.whole and any(_HOW & own and Sort.On not in own for own in sorts)


def _past_determiners(place: int, found: Heard) -> int:
    while (after := past(_DETERMINING, place, found.items)) > place:
        place = after
    return place


def _named(place: int, end: int, found: Heard) -> list[int]:
    """Where the names end that begin at a place of a clause."""
    return [i.end for i in _at(place, found) if i.sort in (Sort.NOUN, Sort.PLACE) and i.end <= end]


def _passes_over_a_wait(candidate: Candidate, found: Heard) -> bool:
    """Whether a reading leaves out that it is for later, or how long to wait, and acts now: "off, *later*", "*twenty
    minutes, then* off"."""
    later = any(i.timing is not None or i.rule is not None for i in candidate.intents)
    if later or not acts(candidate):
        return False
    given = any(i.inputs or (i.amount is not None and i.amount.measure is Measure.NUMBER) for i in candidate.intents)
    lost = ("aside", "skipped") if given else ("aside", "skipped", "time")  # a length that nothing is done for
    left = [(start, end) for start, end, part in candidate.account if part in lost]
    if any(Sort.Sometime in _sorts(start, found) for start, _, part in candidate.account if part in _PASSED):
        return True
    spent = [(start, end) for start, end, part in candidate.account if part == "time" and not given]
    if any(isinstance(i.time, Duration) and i.end == end for start, end in spent for i in found.items[start]):
        return True  # "I need it *for half an hour*, turn it off after that"
    return any(
        i.sort is Sort.TIME and i.end <= end and isinstance(i.time, After | Length)
        for start, end in left
        for own in found.items[start:end]
        for i in own
    )


def _is_said_before(here: Part, found: Heard) -> bool:
    """Whether words beside a question tell what comes after it: "*before I go to bed*, is the door locked?"."""
    return here[2] == "aside" and Sort.When in _sorts(here[0], found)


def _passes_over(before: Part, here: Part, found: Heard) -> bool:
    """Whether the words that are passed over say when, or deny: "when I take a nap", "not", "75 percent *closed*",
    "*all* running fans" where these are to run, "*quit* swinging"."""
    (begun, end, last), (start, _, part) = before, here
    sorts = _sorts(start, found)
    if start and part == "loose" and Sort.Leave in sorts:
        return True  # "*leave* the right one off"
    if last == "aside" and part != "joint" and any(Sort.Not in _sorts(place, found) for place in range(begun, end)):
        return True  # "*it's not* so dark"
    if part in _PASSED and sorts & _CONDITIONS and Sort.Fillers not in sorts:
        return True
    if part in _UNTOLD and _leaves_so(before, here, found):
        return True  # "those that are off *stay off*"
    if part == "skipped" and (last == "not" or (last == "skipped" and Sort.Being in sorts)):
        return True
    if part == "skipped" and last == "value" and sorts & _STATES and found.tokens[start - 1].text in _SHARES:
        return True
    counted = last in _PASSED and end == begun + 1 and bool(_sorts(begun, found) & {*_COUNTS, Sort.VERB})
    return counted and part == "verb" and is_progressive(found.tokens[start].text)


def _leaves_so(before: Part, here: Part, found: Heard) -> bool:
    """Whether words that are passed over say that something is to stay in a state; not that nothing is."""
    (begun, _, _), (start, end, part) = before, here
    if any(Sort.No in _sorts(place, found) for place in range(start)):
        return False
    if Sort.Excepted in _sorts(begun, found) and Sort.VALUE in _sorts(start, found):
        return True
    left = range(start, end) if part in _PASSED else ()
    stays = (i.end for place in left for i in _at(place, found) if i.sort is Sort.Excepted and i.end <= end)
    return any(Sort.VALUE in _sorts(place, found) for place in stays)


def _divides(before: Part, here: Part, found: Heard) -> bool:
    """Whether words that are one are taken as two: "*leave* out", "turn *off*", "I *mean* the lamp"; or "on" before a
    room is no preposition."""
    (begun, end, last), (start, ended, part) = before, here
    if part in _SPARED and any(
        i.sort in (Sort.Except, Sort.Leave) and i.end > ended
        for place in range(start, ended)
        for i in _at(place, found)
    ):
        return True
    if part in _OF_UNWANTED and any(i.sort is Sort.Unwanted and i.end > ended + 1 for i in _at(start, found)):
        return True  # "*no need* for the lamp"
    if (last, part) == ("before", "compare") and Sort.KIND in _sorts(begun, found):
        return True  # "*humidity* over 60 percent" is of no other property
    if (last, part) == ("copula", "test") and Sort.SUPERLATIVE in _sorts(start, found):
        return True  # "whichever is set *lowest*" is one of them
    if last == "head" and part == "noun" and end == begun + 1 and Sort.How in _sorts(begun, found):
        return True  # "how *light* is it"
    if part == "head" and any(_is_inside(start, item) for own in found.items[:start] for item in own):
        return True
    parted = last in ("verb", *_UNTOLD) and part in (*_UNTOLD, "preposition") and ended == start + 1 == end + 1
    parted = parted and not (part == "preposition" and _sorts(start, found) & _GOVERNING)  # "dim *to* minimum"
    if parted and any(i.sort is Sort.VERB and i.end == ended == i.start + 2 for i in _at(begun, found)):
        return True
    if last == part == "before" and Sort.Definite in _sorts(start, found) and _sorts(begun, found) <= _MEANING:
        return True  # "*turn* the floor lamp off"
    where = last in _TAKEN and part == "before" and Sort.Definite in _sorts(start, found) and end == begun + 1
    return where and Sort.On in _sorts(begun, found) and any(i.sort is Sort.PLACE for i in _at(ended, found))


def _passes_over_a_value(before: Part, here: Part, found: Heard) -> bool:
    """Whether a state that goes on with an order is taken for an aside: "white and *half bright*", "let's have *that
    half open*"."""
    (begun, _, last), (start, end, part) = before, here
    goes_on = last == "request" or (last == "joint" and Sort.And in _sorts(begun, found))
    if part != "aside" or not goes_on:
        return False
    sorts = set[Sort]().union(*(_sorts(place, found) for place in range(start, end)))
    return Sort.VALUE in sorts and sorts.isdisjoint(_TELLING)


_TELLING = {Sort.SpeakerWord, Sort.Somebody, Sort.Nobody, Sort.Copula, Sort.Being, Sort.NOUN, Sort.Modal}


def _turns_twice(candidate: Candidate, found: Heard) -> bool:
    """Whether one verb has two particles: "turn one *on* and leave the other *off*"."""
    verbs = [(start, end) for start, end, part in candidate.account if part == "verb"]
    ways = [_sorts(start, found) if end == start + 1 else set() for start, end in verbs]
    return any(Sort.PARTICLE in one & other and (Sort.On in one) != (Sort.On in other) for one, other in pairwise(ways))


def _parts_a_name(candidate: Candidate, found: Heard) -> bool:
    """Whether a word behind a name is taken for a second verb of its clause that may as well be what the thing is: "set
    the volume on the front door *lock*"."""
    ordered = False
    for (_, _, last), (start, _, part) in pairwise([(0, 0, ""), *candidate.account]):
        if ordered and (last, part) == ("noun", "verb") and Sort.NOUN in _sorts(start, found):
            return True
        ordered = part != "joint" and (ordered or part == "verb")
    return False


def _drops_a_state(before: Part, here: Part, found: Heard) -> bool:
    """Whether the state that is asked about is taken for a preposition before nothing: "which lamps aren't *on*?"."""
    (begun, end, last), (_, _, part) = before, here
    alone = last == "preposition" and part in _NOTHING and end == begun + 1
    return alone and bool(_sorts(begun, found) & {Sort.VALUE, Sort.PARTICLE})


def _asks_how_much(candidate: Candidate, found: Heard) -> bool:
    """Whether a property is asked for, so that an "on" at the end governs it: "what mode is the fan *on*?"."""
    return any(
        part == "head" and then in ("property", "skipped") and Sort.What in _sorts(start, found)
        for (start, _, part), (_, _, then) in pairwise(candidate.account)
    )


def _is_inside(place: int, item: Item) -> bool:
    """Whether a word belongs to a mark of repair that begins before it."""
    return item.sort is Sort.Repair and item.start < place < item.end


def _is_told_of(first: Part, second: Part, third: Part, found: Heard) -> bool:
    """Whether the state of those "that are …" is taken for the wanted one, or passed over: "all
    *burning* lamps"."""
    if second[2] == "verb" and third[2] == "noun" and first[2] in _BEGUN:  # "*running* fans swing"
        return found.tokens[second[0]].text.endswith(("ing", "sed", "ked", "ned", "ted"))
    if second[2] == "joint" and third[2] == "compare" and first[2] in _SAID_SO:  # "lights *on* but under 60"
        pauses = Sort.PauseMark in _sorts(second[0], found)
        return not pauses and bool(_sorts(first[0], found) & {*_STATES, Sort.PARTICLE})
    if second[2] == "skipped" and third[2] == "noun" and second[1] == third[0]:
        shown = first[2] == "before" and bool(_sorts(first[0], found) & _COUNTS)
        shown = shown or found.tokens[second[0]].text.endswith(("ing", "ed"))
        return shown and bool(_sorts(second[0], found) & _STATES)
    if third[2] == "aside" and (second[2] in _TOLD_BY or (second[2] == "copula" and first[2] in _TOLD_BY)):
        return True  # "in those rooms that are *fitted with an air conditioner*"
    if third[2] == "value" and found.tokens[third[0]].number is not None:
        return "relation" in (second[2], first[2] if second[2] == "preposition" else "")  # "let it *sink* by ten"
    return first[2] == "that" and second[2] == "copula" and third[2] in _TAKEN


def _is_too_much(first: Part, second: Part, third: Part, numbers: Set[float], found: Heard) -> bool:
    """Whether something is set to one of the `numbers` that says how much it is too much: "20 percent *too* bright"."""
    return found.tokens[first[0]].number in numbers and second[2] == "added" and third[2] != "joint"


def _loses_a_comparison(before: Part, here: Part, numbers: Set[float], found: Heard) -> bool:
    """Whether something is set to one of the `numbers` though that is compared with, or is so much more or less: "the
    volume *under* 62", "20 percent *less* light"; or a question that somebody is to be told of is an order."""
    (begun, end, last), (start, _, part) = before, here
    taken = last not in _COMPARED and part == "value" and found.tokens[start].number in numbers
    own = [i for i in found.items[begun] if i.end == end]
    compares = any(i.sort in _COMPARISONS for i in own) and not any(i.sort is Sort.And for i in own)  # "then sixty"
    if taken and compares:
        return True
    if part in ("before", "skipped") and _sorts(start, found) & _ASKED:
        return any(i.sort is Sort.Fillers and i.end == end for i in found.items[begun])
    more = any(e.role is Role.RELATIVE for item in _at(start, found) for e in item.entries)
    return last == "value" and more and part in _OF_MORE and found.tokens[begun].number in numbers


def _sorts(place: int, found: Heard) -> frozenset[Sort]:
    own = found.once(_all_sorts)
    return own[place] if place < len(own) else _NO_SORT


_NO_SORT = frozenset[Sort]()


def _all_sorts(found: Heard) -> list[frozenset[Sort]]:
    return [frozenset(item.sort for item in own) for own in found.items]


def _at(place: int, found: Heard) -> Sequence[Item]:
    return found.items[place] if place < len(found.items) else ()
