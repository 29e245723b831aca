"""Orders, properties and options that the words name, and that nothing of a reading is about."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence, Set
from itertools import pairwise, takewhile

from engine.graph.terms import expand
from engine.language.chart.heard.items import (
    ARTICLES,
    OPERATORS,
    PAUSES,
    Item,
    Sort,
    clauses,
    includes,
    is_command,
    is_only_time,
    is_unknown,
    longest,
)
from engine.language.chart.judging.confidence import puts_on, puts_out
from engine.language.chart.judging.lost import parts_of, told_by
from engine.language.chart.judging.ranking import is_rule, is_timed, is_wish
from engine.language.chart.judging.reader import (
    Candidate,
    Heard,
    only_properties,
    with_strange_parts,
    words_for_properties,
)
from engine.language.chart.judging.spared import loses_which_rooms, narrows_a_plural, takes_an_order_for_a_test
from engine.language.meanings.context import Context
from engine.language.meanings.property_kinds import akin
from engine.language.words.lexicon import Role
from engine.language.words.morphology import is_plural
from engine.model.intent import Category, Measure

_HUES = (expand("hg:LightColour"), expand("hg:ColourTemperature"))
_ACTIVITY = expand("hg:Activity")
_SWITCHED = frozenset({expand("hg:Power"), expand("hg:Activity")})
_POINTING = (Sort.That, Sort.PronounOne, Sort.PronounSeveral)
_LEADING = ("joint", "filler", "request", "added")
_PASSED = ("skipped", "aside", "about")
_UNTAKEN = ("skipped", "aside")
_OTHERWISE = (Sort.VERB, Sort.NOUN, Sort.PLACE, Sort.KIND, Sort.RELATIVE, Sort.GRADABLE, Sort.SUPERLATIVE, Sort.Fillers)


def drops_words(candidate: Candidate, found: Heard, context: Context) -> bool:
    """Whether a reading that acts passes over an order, a property, an option, a degree or a plural."""
    if any(
        i.property in _HUES and i.amount is not None and i.amount.measure is Measure.TRUTH for i in candidate.intents
    ):
        return True  # "I've gone *off* that *colour*"
    of_words = (
        breaks_off, loses_a_degree, loses_an_ordinal, takes_an_order_for_a_name, passes_over_where, ranks_all,
        passes_over_time, puts_all_out, loses_a_side,
        loses_a_clause, loses_an_object, loses_a_complement, puts_all_on, orders_the_strange,
        sets_an_excess, loses_which_rooms, takes_an_order_for_a_test, loses_a_part,
    )  # fmt: skip
    if any(wrong(candidate, found) for wrong in of_words):
        return True
    of_home = (
        loses_a_property, loses_an_order, skips_a_verb, strands_on, sets_to_another, narrows_a_plural,
        loses_a_progressive,
    )  # fmt: skip
    return any(wrong(candidate, found, context) for wrong in of_home)


def passes_over_where(candidate: Candidate, found: Heard) -> bool:
    """Whether a reading passes over the word for rooms that are told by how it is there ("*wherever* it's damp"), or
    over which of two is meant ("I miss *the first of those*, start it up")."""
    passed = [(start, end) for start, end, part in candidate.account if part in _UNTAKEN]
    where = any(i.sort is Sort.Wherever for start, _ in passed for i in found.items[start])
    where = where or any(includes(found.items[start:end], Sort.FormerOne, Sort.LatterOne) for start, end in passed)
    return where or any(_is_room_of(a, b, found) for a, b in pairwise(candidate.account))


def _is_room_of(passed: tuple[int, int, str], then: tuple[int, int, str], found: Heard) -> bool:
    """Whether a word that is passed over says in which room the thing is that is named behind it, be it one that is not
    here: "the *dining* light"."""
    start, end, part = passed
    skipped = part == "skipped" and then[2] == "noun"
    return skipped and any(i.sort is Sort.PLACE and i.end == end for i in found.items[start])


def passes_over_time(candidate: Candidate, found: Heard) -> bool:
    """Whether a reading leaves out a time that stands alone ("*forty-five minutes*, then turn off the lamp"), or takes
    the word for a property behind which something happens ("come on *each time* somebody arrives")."""
    if is_timed(candidate) or is_rule(candidate) or all(i.fault is not None for i in candidate.intents):
        return False
    if _skips_an_open_time(candidate, found) or _takes_times_for_a_kind(candidate, found):
        return True
    left = ((start, end) for start, end, part in candidate.account if part in _UNTAKEN)
    return any(is_only_time(found.items[start:end]) for start, end in left)


def _skips_an_open_time(candidate: Candidate, found: Heard) -> bool:
    """Whether words that are in no aside say that it is for another time: "at that time"."""
    told = [(start, end) for start, end, part in candidate.account if part == "aside"]
    return any(not any(a <= start and end <= b for a, b in told) for start, end in found.once(_open_times))


def _open_times(found: Heard) -> list[tuple[int, int]]:
    return [(i.start, i.end) for own in found.items for i in own if i.sort is Sort.Sometime and i.length > 1]


def _takes_times_for_a_kind(candidate: Candidate, found: Heard) -> bool:
    """Whether "each time" is taken for a property, and something is named behind it."""
    parts = pairwise(candidate.account)
    kinds = ((first, second) for first, second in parts if first[2] == "property" and first[0])
    return any(
        includes(found.items[start - 1 : start], *_EACH) and part in ("before", "skipped", "noun", "place")
        for (start, _, _), (_, _, part) in kinds
    )


_EACH = (Sort.Every, Sort.Any)


def ranks_all(candidate: Candidate, found: Heard) -> bool:
    """Whether a reading picks the first of a ranking where all are named: "*all lights* at 20, with the warmest
    shade", but not "of all lights the warmest"."""
    if not any(i.selection.order for i in candidate.intents):
        return False
    items = found.items
    alls = (i for own in items for i in own if i.sort in (Sort.Everything, Sort.Every) and i.end < len(items))
    return any(
        includes(items[one.end : one.end + 1], Sort.NOUN)
        and not includes(items[max(0, one.start - 1) : one.start], *_OF)
        for one in alls
    )


_OF = (Sort.Of, Sort.In, Sort.SUPERLATIVE, Sort.Most, Sort.Least)


def loses_a_property(candidate: Candidate, found: Heard, context: Context) -> bool:
    """Whether a reading takes a word as the name of a property, or passes over one that is nothing else, and nothing
    that it does is about that: “start playing, sound on” is no order to play only."""
    orders = [i.selection for i in candidate.intents if i.category is Category.EXPLICIT and i.fault is None]
    of_any = any(not (of.classes or of.things) for of in orders)  # "turn the *volume* on", of nothing that is named
    named = [*_properties(candidate, found), *(found.once(words_for_properties) if of_any else ())]
    if not named:
        return False
    told, about, had = told_by(candidate.goals), _about(candidate, context), _had(candidate, context)
    unused = (m for m in named if not any(f"'{k}'" in told or any(akin(k, o, context) for o in about) for k in m))
    nothing_else = [kinds for _, kinds in found.once(only_properties)]
    return any(
        of_any or meant in nothing_else or any(akin(k, own, context) for k in meant for own in had) for meant in unused
    )


def _about(candidate: Candidate, context: Context) -> set[str]:
    """The kinds of property that the orders of a reading are about."""
    return {k for i in candidate.intents for k in (i.property, *(e.kind for e in context.effects(i.command))) if k}


def _had(candidate: Candidate, context: Context) -> set[str]:
    """The kinds of property of the things that a reading acts on; where one is of things that are only described,
    those of all."""
    registry = context.registry
    named = all(parts_of((effect,), context) for effect in candidate.effect)
    things = {registry.thing_of[part].iri: registry.thing_of[part] for part in parts_of(candidate.effect, context)}
    if candidate.account or named:
        return {k for thing in things.values() for p in thing.properties for k in p.kinds}
    return set(context.dictionary.held) | {k for p in registry.properties.values() for k in p.kinds}


def loses_an_order(candidate: Candidate, found: Heard, context: Context) -> bool:
    """Whether a reading without an account does fewer things than verbs order that are nothing else, and nothing
    that one of them does: "… be locked, its defence mode be engaged" is no order for the mode alone."""
    ordered = _ordered(candidate, found)
    if not ordered:
        return False
    told, about = told_by(candidate.goals), _about(candidate, context)
    for commands in ordered:
        kinds = {e.kind for command in commands for e in context.effects(command)}
        if not kinds or kinds & _SWITCHED or any(f"'{c}'" in told for c in commands):
            continue
        if not any(f"'{k}'" in told or any(akin(k, own, context) for own in about) for k in kinds):
            return True
    return False


def _ordered(candidate: Candidate, found: Heard) -> list[set[str]]:
    """The commands of the verbs of which a reading may have dropped some."""
    named = [] if is_wish(candidate) else found.once(_only_verbs)
    if candidate.account:
        return [of for place, of in named if _is_skipped(place, candidate, found)]
    return [of for _, of in named] if len(named) > len(candidate.intents) else []


def _is_skipped(place: int, candidate: Candidate, found: Heard) -> bool:
    """Whether an account skips the verb with which an order begins that another one is joined to by "and"."""
    first = next((one for one in candidate.account if one[2] not in _LEADING), None)
    joints = (start for start, _, part in candidate.account if part == "joint" and start > place)
    return (
        first is not None
        and first[2] == "skipped"
        and first[0] == place
        and includes(found.items[(after := next(joints, place)) : after + 1], Sort.And)
    )


def _only_verbs(found: Heard) -> list[tuple[int, set[str]]]:
    """Where each word stands, with its commands, that is a verb and nothing else, or stands behind "be"; none where one
    is told not to be done, or taken back."""
    if includes(found.items, *OPERATORS, Sort.Repair):
        return []
    named: list[tuple[int, set[str]]] = []
    for place, own in enumerate(found.items):
        end = max((i.end for i in own), default=0)
        longest = [i for i in own if i.end == end and i.sort is not Sort.WORD]
        commands = {e.iri for i in longest if i.sort is Sort.VERB for e in i.having(Role.COMMAND)}
        only = all(i.sort is Sort.VERB for i in longest) and all(
            e.role is Role.COMMAND for i in longest for e in i.entries
        )
        named += (
            [(place, commands)] if commands and (only or includes(found.items[place - 1 : place], Sort.Copula)) else []
        )
    return named


def skips_a_verb(candidate: Candidate, found: Heard, context: Context) -> bool:
    """Whether an account skips the verb with which an order behind "and" begins: "…, and *cool* the room"; not one that
    is said of nothing that it acts on ("*shut* the fan")."""
    for (before, _, joint), (start, end, part) in pairwise(candidate.account):
        joined = joint == "joint" and part == "skipped" and includes(found.items[before : before + 1], Sort.And)
        verbs = [i for i in found.items[start] if i.sort is Sort.VERB] if joined else []
        if verbs and includes(found.items[end : end + 1], *ARTICLES):
            kinds = {e.kind for i in verbs for entry in i.entries for e in context.effects(entry.iri)}
            had = _had(candidate, context) if kinds else set()
            return not kinds or any(akin(k, own, context) for k in kinds for own in had)
    return False


def loses_a_clause(candidate: Candidate, found: Heard) -> bool:
    """Whether an account passes over a clause that begins with an order to a machine: "*play jazz*, dim the lamp"."""
    if is_wish(candidate) or not candidate.account or includes(found.items, *OPERATORS, Sort.Repair):
        return False
    parts = {place: part for start, end, part in candidate.account for place in range(start, end)}
    passed = (
        own for own in found.once(_commanding) if all(parts.get(p) in _EMPTY for p in own) and len(own) < len(parts) - 1
    )
    return any(parts[own.start] in _DROPPED for own in passed)


_DROPPED = ("skipped", "aside", "before")
_EMPTY = (*_DROPPED, "preposition", "place", "loose", "degree", "filler", "request")
_COURTEOUS = (Sort.Requesting, Sort.Fillers, Sort.Modal, Sort.Added, Sort.Loose)


def loses_an_object(candidate: Candidate, found: Heard) -> bool:
    """Whether an account passes over the object of an order: "play *Coltrane* on the speaker"; not over
    a word beside a name ("the *stupid* lamp"), or a remark."""
    begun = {own.start for own in found.once(_commanding)}
    chosen = [i.selection for i in candidate.intents if i.fault is None]
    if not any(one.things or one.classes or one.places for one in chosen):
        return False  # nothing is named: that is said of the object
    for number, (start, _, part) in enumerate(candidate.account):
        if start not in begun or part not in ("verb", "before", "skipped"):
            continue
        behind = [one for one in candidate.account[number + 1 :] if one[2] not in ("before", "degree")]
        object_ = list(
            takewhile(lambda one: one[2] == "skipped" and all(map(is_unknown, found.items[one[0] : one[1]])), behind)
        )
        after = behind[len(object_)][2] if len(object_) < len(behind) else "joint"
        if object_ and after in ("preposition", "loose", "joint", "property"):
            return True
    return False


def orders_the_strange(candidate: Candidate, found: Heard) -> bool:
    """Whether the object is unknown of which a property is to change: "brighten *my day*", "raise *the bar*"."""
    if not any(i.category is Category.EXPLICIT and i.fault is None and i.property for i in candidate.intents):
        return False
    chosen = [i.selection for i in candidate.intents]
    return not any(one.things or one.classes or one.places for one in chosen) and found.once(_orders_strange)


def _orders_strange(found: Heard) -> bool:
    for clause in clauses(found.items, (*PAUSES, Sort.And)):
        own = [found.items[n] for n in clause if not includes((found.items[n],), *_COURTEOUS)]
        led = includes(own[:1], Sort.VERB) and includes(own[1:_LED], *ARTICLES)
        if led and len(own) > _LED and all(map(is_unknown, own[_LED:])):
            return True
    return False


_LED = 2
"""Of how many words an order and the article of its object are."""


def loses_a_complement(candidate: Candidate, found: Heard) -> bool:
    """Whether words of an order are about something strange: "take the lamp off *the wall*", "the lamp, 50 *euros*"."""
    ordered = any(i.category is Category.EXPLICIT and i.fault is None for i in candidate.intents)
    return ordered and not is_rule(candidate) and found.once(_complemented)


def _complemented(found: Heard) -> bool:
    items = found.items
    return any(
        _is_somewhere_strange(place, items) or _counts_the_strange(place, items) for place in range(1, len(items) - 1)
    )


def _is_somewhere_strange(place: int, items: Sequence[Sequence[Item]]) -> bool:
    """Whether a clause that names a thing ends with where that is, or shall be, in words that nobody here knows."""
    if place + 2 >= len(items) or not is_unknown(items[place + 2]):
        return False
    ends = includes(items[place + 3 : place + 4], *PAUSES, Sort.And) or place + 3 == len(items)
    led = includes((items[place],), Sort.PARTICLE) and not includes((items[place],), Sort.In)
    known = any(i.end > place + 2 for own in items[: place + 2] for i in own)  # "on the double"
    determined = includes((items[place + 1],), Sort.Definite) and not known
    return ends and led and determined and includes(items[:place], Sort.NOUN)


def _counts_the_strange(place: int, items: Sequence[Sequence[Item]]) -> bool:
    """Whether so many of something are named that nobody here knows: "50 *euros*"."""
    counts = any(i.sort is Sort.NUMBER and i.unit is None and i.end == place + 1 for i in items[place])
    behind = items[place + 1]
    return counts and is_unknown(behind) and is_plural(behind[0].text)


def _commanding(found: Heard) -> list[range]:
    """Each clause of two words or more that begins with a command that is nothing else, behind courtesies."""
    commanding: list[range] = []
    for clause in clauses(found.items, (*PAUSES, Sort.And)):
        own = longest(found.items, clause, lambda item: item.sort is not Sort.WORD)
        start = next((i.start for i in own if not includes((found.items[i.start],), *_COURTEOUS)), clause.stop)
        if start < clause.stop - 1 and is_command(found.items[start]):
            commanding.append(range(start, clause.stop))
    return commanding


def breaks_off(candidate: Candidate, found: Heard) -> bool:
    """Whether an account takes a "that" with which nothing begins: "the front door, lock *that* and …"."""
    pairs = pairwise(candidate.account)
    return any(one[2] == "that" and includes(found.items[one[1] : other[1]], Sort.And) for one, other in pairs)


def loses_a_part(candidate: Candidate, found: Heard) -> bool:
    """Whether a reading acts on a thing where an unknown word names a part of it: "turn on the *wick* of the oven"."""
    done = [i.selection for i in candidate.intents if i.fault is None]
    return any(one.things or {*one.classes, *one.places} & of for of in found.once(with_strange_parts) for one in done)


def loses_a_side(candidate: Candidate, found: Heard) -> bool:
    """Whether a reading only puts on, or only puts out, where its account takes words for both for orders: "have the
    fan turned *off* and the lights turned *on*". A state that a pronoun comes back to was only told."""
    done = {puts_out(intent) for intent in candidate.intents if intent.fault is None}
    if len(done) != 1 or includes(found.items, *_LEAVING):
        return False
    told = [
        (start, end)
        for start, end, part in candidate.account
        if part in _ORDERED and includes((found.items[start],), Sort.PARTICLE, Sort.VERB)
    ]
    said = {
        _SIDES[e.iri]
        for start, end in told
        for i in found.items[start]
        if i.end == end
        for e in i.entries
        if e.iri in _SIDES
    }
    return len(said) > 1


_LEAVING = (
    Sort.Leave, Sort.Still, Sort.Excepted, Sort.Sparing, Sort.Not, Sort.Unwanted, Sort.PronounOne, Sort.PronounSeveral
)  # fmt: skip
_ORDERED = ("verb", "before", "value", "change")
_SIDES = {
    **dict.fromkeys((expand("hg:TurnOn"), expand("hg:IsOn")), True),
    **dict.fromkeys((expand("hg:TurnOff"), expand("hg:IsOff")), False),
}


def puts_all_on(candidate: Candidate, found: Heard) -> bool:
    """Whether a reading only puts on, and takes an "off" that tells of nothing for no order: "lights on at eighty or
    over, *off*"."""
    done = [intent for intent in candidate.intents if intent.fault is None]
    if not done or not all(map(puts_on, done)) or includes(found.items, *_LEAVING, *OPERATORS, Sort.Repair):
        return False
    return not found.once(_orders_off).isdisjoint(_untold(candidate, found))


def _untold(candidate: Candidate, found: Heard) -> set[int]:
    """Where words begin that a reading takes for no order, and for nothing that tells which things are meant."""
    if not candidate.account:
        return set() if any(i.selection.tests for i in candidate.intents) else set(range(len(found.items)))
    parts = pairwise([(0, 0, ""), *candidate.account])
    return {start for (_, _, last), (start, _, part) in parts if part in _UNSAID or last == "joint"}


def _orders_off(found: Heard) -> set[int]:
    """Where "off" stands that no "is" or "was" leads."""
    offs = [n for n, own in enumerate(found.items) if any(e.iri == _OFF for i in own for e in i.entries)]
    return {n for n in offs if not includes(found.items[max(0, n - 2) : n], Sort.Being, Sort.Copula, Sort.PastBeing)}


_UNSAID = ("skipped", "preposition", "loose", "filler", "aside")
_OFF = expand("hg:IsOff")


def puts_all_out(candidate: Candidate, found: Heard) -> bool:
    """Whether a reading only puts out, and takes for no order an "on" that nothing follows in its clause or that "in"
    does ("all lights in the hall *on* and the lamp off"), one behind a joint ("and *on* all fans"), or a clause behind
    "and that"."""
    if not candidate.intents or not all(i.fault is not None or puts_out(i) for i in candidate.intents):
        return False
    if includes(found.items, Sort.PronounOne, Sort.PronounSeveral):
        return False  # what they come back to was only told to be on
    account = [(0, 0, "joint"), *candidate.account, (len(found.items), len(found.items), "joint")]
    return any(
        _leaves_on(last, here, after, found) or (last[2] == "joint" and here[2] == "that" and after[2] == "before")
        for last, here, after in zip(account, account[1:], account[2:], strict=False)
    )


def _leaves_on(last: Part, here: Part, after: Part, found: Heard) -> bool:
    """Whether an "on" between two parts of an account can only be an order, and is taken for none."""
    (_, _, before), (start, end, part), (then, _, behind) = last, here, after
    if part == "aside" and end - start <= _FEW:  # "…, back on"
        return any(_is_on(found.items[n], n + 1) for n in range(start, end))
    if part not in _UNORDERED or not _is_on(found.items[start] if start < len(found.items) else (), end):
        return False
    ends = behind == "joint" or (behind in ("loose", "preposition") and includes(found.items[then : then + 1], Sort.In))
    led = before == "joint" and part == "preposition" and start > 0
    return led or (ends and before in ("noun", "place", "modal", "filler"))


Part = tuple[int, int, str]
_UNORDERED, _FEW = ("test", "preposition"), 3
_ON = expand("hg:IsOn")


def _is_on(own: Sequence[Item], end: int) -> bool:
    return any(i.end == end and e.iri == _ON for i in own for e in i.entries)


def strands_on(candidate: Candidate, found: Heard, context: Context) -> bool:
    """Whether an "on" with nothing behind it, or one that makes a verb with the word before, is taken for no order:
    "washer *on*, cotton", "*turn on* the fan, natural wind"."""
    ends = [end for start, end, part in candidate.account if part == "preposition" and _is_on(found.items[start], end)]
    works = any(context.vocabulary.is_a(kind, _ACTIVITY) for kind in _had(candidate, context))
    if works and any(includes(found.items[end : end + 1], Sort.PauseMark) for end in ends):
        return True
    stranded = any(includes(found.items[end : end + 1], *_ENDING) or _ends_a_command(end, found) for end in ends)
    return stranded and _is_less(candidate, found)


def _ends_a_command(end: int, found: Heard) -> bool:
    """Whether a verb of two words that is a command ends there."""
    before = found.items[end - 2] if end > 1 else ()
    return any(i.end == end and i.sort is Sort.VERB and bool(i.having(Role.COMMAND)) for i in before)


def _is_less(candidate: Candidate, found: Heard) -> bool:
    """Whether another reading, nearly as likely, does the same and switches on besides."""
    own, least = set(candidate.effect), candidate.score - FAR
    near = (one for one in found.candidates if one.account and one.score > least and own < set(one.effect))
    return any(any(map(puts_on, one.intents)) and not loses_a_side(one, found) for one in near)


FAR = 2.5
"""How much less likely a reading is at most that is no less than another."""
_ENDING = (Sort.PauseMark, Sort.And, Sort.To, Sort.With)


def loses_a_degree(candidate: Candidate, found: Heard) -> bool:
    """Whether a reading skips a word by which only a little is meant: "open the blinds *a crack*"."""
    skipped = _passed(candidate, ("skipped",))
    slight = (i for own in found.items for i in own if i.sort is Sort.Slightly)
    return any(not skipped.isdisjoint(range(i.start, i.end)) for i in slight)


def sets_an_excess(candidate: Candidate, found: Heard) -> bool:
    """Whether a reading sets something to a degree that is too much: "22, it's too *hot*" is no order to heat."""
    words = [token.text for token in found.tokens]
    return any(
        part in ("before", "value")
        and words[start - 1 : start] == ["too"]
        and includes((found.items[start],), Sort.GRADABLE)
        for start, _, part in candidate.account
    )


def loses_an_ordinal(candidate: Candidate, found: Heard) -> bool:
    """Whether a reading without an account leaves out which of two that were spoken of is meant: "the first one"."""
    return not candidate.account and includes(found.items, Sort.FormerOne, Sort.LatterOne)


def _properties(candidate: Candidate, found: Heard) -> list[set[str]]:
    """The kinds of property that an account takes words for, or passes over; without an account, those of the names
    that are nothing else."""
    if is_wish(candidate):
        return []
    only = found.once(only_properties)
    if not candidate.account:
        return [kinds for _, kinds in only]
    named = [(start, end) for start, end, part in candidate.account if part == "property"]
    passed = _passed(candidate, _PASSED)
    taken = [
        {e.iri for i in found.items[start] if i.sort is Sort.KIND and i.end == end for e in i.entries}
        for start, end in named
    ]
    return [*taken, *(kinds for place, kinds in only if place in passed)]


def takes_an_order_for_a_name(candidate: Candidate, found: Heard) -> bool:
    """Whether a reading takes the verb that begins an order for the name of a device: "lock the front and arm it" says
    of no lock that it be armed."""
    for start, end, part in candidate.account:
        behind = found.items[end : end + 1]
        if part != "noun" or not includes(behind, *ARTICLES) or includes(behind, *_POINTING):
            continue
        verbs = any(i.sort is Sort.VERB and i.end == end for i in found.items[start])
        if verbs and (start == 0 or _leads(found.items, start, candidate.account)):
            return True
    return False


def _leads(items: Sequence[Sequence[Item]], place: int, account: Sequence[tuple[int, int, str]]) -> bool:
    """Whether an order may begin at a place: behind a joint, a pause or a word that asks for one."""
    return any(end == place and part in _LEADING for _, end, part in account) or includes(
        items[place - 1 : place], *PAUSES
    )


def loses_an_option(candidate: Candidate, found: Heard, context: Context) -> bool:
    """Whether a reading passes over something that the thing can be set to that it acts on: "put quick wash and start
    it" is no order to start only."""
    passed = _passed(candidate)
    return any(place in passed for place in _unused_options(candidate, found, context))


def loses_a_progressive(candidate: Candidate, found: Heard, context: Context) -> bool:
    """Whether a reading passes over the state that something is to begin with: "start it *preheating*"."""
    told = {place for place in _passed(candidate) if found.tokens[place].text.endswith("ing")}
    return bool(told) and any(place in told for place in _unused_options(candidate, found, context, told))


def _passed(candidate: Candidate, parts: Collection[str] = _UNTAKEN) -> set[int]:
    """The places of the tokens that an account leaves out, or takes for one of these parts."""
    return {place for start, end, part in candidate.account if part in parts for place in range(start, end)}


def sets_to_another(candidate: Candidate, found: Heard, context: Context) -> bool:
    """Whether a reading without an account passes over an option behind "to": "any fan that's on low up *to high*" is
    no order to set all fans to low."""
    ends = {i.end for own in found.items for i in own if i.sort is Sort.To}
    if candidate.account or not ends:
        return False
    return any(place in ends for place in _unused_options(candidate, found, context, ends))


def _unused_options(
    candidate: Candidate, found: Heard, context: Context, surely: Set[int] = frozenset()
) -> Iterator[int]:
    """Where the words name an option that the things can be set to that a reading acts on, and that it has nowhere."""
    named = list(_options(found, context, surely))
    if not named:
        return
    told = told_by(candidate.goals)
    things = (context.registry.thing_of[part] for part in parts_of(candidate.effect, context))
    had = {k for thing in things for p in thing.properties for k in p.kinds}
    for place, meant in named:
        if not any(f"'{one}'" in told for one in meant) and any(_kinds_of(one, context) & had for one in meant):
            yield place


def _kinds_of(option: str, context: Context) -> frozenset[str]:
    known = context.dictionary
    return known.options.get(option, frozenset()) | known.spelt.get(option, frozenset())


def _options(found: Heard, context: Context, surely: Set[int]) -> Iterator[tuple[int, set[str]]]:
    """The options and values that the words name, and that are nothing else, or stand where they surely are."""
    spelt = context.dictionary.spelt
    for place, own in enumerate(found.items):
        options = [i for i in own if i.having(Role.OPTION) or any(e.iri in spelt for e in i.having(Role.VALUE))]
        end = max((i.end for i in options), default=0)
        other = place not in surely and any(i.sort in _OTHERWISE and i.end >= end for i in own)
        if options and not other and not any(i.having(Role.COLOUR) for i in options):
            yield place, {e.iri for i in options if i.end == end for e in i.having(Role.OPTION, Role.VALUE)}
