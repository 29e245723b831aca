"""Things that words leave out, or leave alone: no reading that acts on them may be meant, nor one of several named."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from engine.graph.terms import expand
from engine.language.chart.heard.items import PAUSES, Item, Sort, clauses, includes, longest
from engine.language.chart.judging.confidence import left_out, puts_out
from engine.language.chart.judging.lost import Named, is_of, names_of, parts_of
from engine.language.chart.judging.reader import Candidate, Heard
from engine.language.meanings.context import Context
from engine.language.meanings.names import is_title, words_of
from engine.language.meanings.places import ANY_ROOM
from engine.language.words.lexicon import Role
from engine.language.words.morphology import singular
from engine.language.words.records import replace
from engine.model.intent import Category, Intent, Measure

_BY_WORDS, _TELLING = "words", {Sort.WORD, Sort.VALUE, Sort.GRADABLE}
_NAMING = (Sort.NOUN, Sort.PLACE)
_BOUNDING = (Sort.StopMark, Sort.PauseMark, Sort.And, Sort.Loose, Sort.Fillers, Sort.Alone)
_ORDERED = (*_NAMING, Sort.VERB)
_IS, _BREAKS = (Sort.Only, Sort.Being), (*PAUSES, *_NAMING)
_IS_BY_YOU = (*_IS, Sort.Loose, Sort.Modal, Sort.SpeakerWord)
DETERMINERS = (Sort.Definite, Sort.Possessive, Sort.That, Sort.PronounSeveral)


def touches_the_excepted(candidate: Candidate, found: Heard, context: Context) -> bool:
    """Whether a reading acts on a thing or in a room that the words leave out: "all lights, leaving out the hall"."""
    wished = any(i.category is Category.IMPLICIT for i in candidate.intents)
    if wished and (found.once(_is_spared) or _leaves_a_thing(found.items)):
        return True
    if found.once(_is_elsewhere) and not any(i.selection.minus for i in candidate.intents):
        return True
    less = [frozenset(iri for one in i.selection.minus for iri in one.things) for i in candidate.intents]
    parts = parts_of(candidate.effect, context) - frozenset.intersection(*less or [frozenset()])
    whole = {place for i in candidate.intents if not i.selection.minus for place in i.selection.places}
    excepted = found.once(_left_out)
    return any(one.sort == "place" and one.iris & whole for one in excepted) or any(
        _is_named_so(part, one, context) for one in excepted for part in parts
    )


def _is_elsewhere(found: Heard) -> bool:
    """Whether something is ordered for all other rooms, and nobody said than which."""
    items = found.items
    named = includes(items, Sort.Except, Sort.Excepted, Sort.Sparing, Sort.Leave) or any(spoken_of_before(items))
    return includes(items, Sort.Elsewhere) and not named


def _is_spared(found: Heard) -> bool:
    """Whether words of several say that something is left alone: "is not to be touched"."""
    told = (i for own in found.items for i in own if i.sort in (Sort.Sparing, Sort.Excepted))
    return any(i.sort is Sort.Sparing or i.length > 2 for i in told)


def _left_out(found: Heard) -> list[Named]:
    return list(_excepted(found.items))


def _is_named_so(part: str, one: Named, context: Context) -> bool:
    """Whether a part is the one that is named, with all the words before that in the name of its thing or room: "the
    *baby* washer", "the baby one"."""
    of_it = one.sort == _BY_WORDS or is_of(part, one, context)
    thing = context.registry.thing_of.get(part) if of_it and one.words else None
    return of_it and (not one.words or (thing is not None and one.words <= words_of(thing, context)))


def _leaves_a_thing(items: Sequence[Sequence[Item]]) -> bool:
    """Whether a thing is left as it is, and nobody leaves: "I'm *leaving the light* on"."""
    for place in (i.end for own in items for i in own if i.sort is Sort.Leave):
        behind = past(DETERMINERS, place, items)
        if behind > place and includes(items[behind : behind + 1], Sort.NOUN):
            return True
    return False


def sets_what_is_denied(candidate: Candidate, found: Heard) -> bool:
    """Whether a reading brings a state about that the words deny: "the lights *shouldn't be on*"; not where it puts out
    something unwanted."""
    denied = [place for place, own in enumerate(found.items) if includes((own,), Sort.Not, Sort.AuxiliaryNot)]
    states = {place: state for place in denied if (state := _denied_state(place, found.items)) is not None}
    if not states or all(i.rule is not None or i.category is Category.IMPLICIT for i in candidate.intents):
        return False  # "it isn't warm" is a wish
    same = [candidate] if candidate.account else found.alike(candidate)
    return all(_sets_denied(one, states, found) for one in same)


def _sets_denied(candidate: Candidate, states: Mapping[int, int], found: Heard) -> bool:
    """Whether an account takes a denied state for one that is wanted."""
    told = {p for start, end, part in candidate.account if part in _TOLD for p in range(start, end)}
    told |= {start - 1 for start, _, part in candidate.account if part == "presence"}  # "ain't showing *no motion*"
    passed = {p for start, end, part in candidate.account if part in _PASSED for p in range(start, end)}
    unwanted = {
        place
        for start, end, part in candidate.account
        if part == "not" and any(i.sort is Sort.Unwanted and i.end == end for i in found.items[start])
        for place in range(start, end)
    }
    sensed = {
        p
        for (start, end, part), (_, _, then) in pairwise([*candidate.account, (0, 0, "")])
        if "sensing" in (part, then if part == "not" else "")
        for p in range(start, end)
    }  # "the sensor can't see anybody"
    left = {place: state for place, state in states.items() if state not in told and place not in sensed}
    return any(
        not _is_on(found.items[state]) if place in unwanted else state not in passed for place, state in left.items()
    )


_TOLD, _PASSED = ("test", "told", "aside"), ("skipped", "filler", "loose")


def _is_on(own: Sequence[Item]) -> bool:
    """Whether a state is the one that something has which is not off."""
    return any(e.iri in _ON for i in own for e in i.entries)


_ON = frozenset(expand(name) for name in ("hg:IsOn", "hg:IsLit", "hg:Running", "hg:IsGoing", "hg:Playing"))


def _denied_state(start: int, items: Sequence[Sequence[Item]]) -> int | None:
    """Where the state stands that a denied auxiliary is of: "*shouldn't* be *on*", "*isn't lit*"; None where none
    does."""
    if includes((items[start],), Sort.Not) and (start == 0 or includes((items[start - 1],), *_BEGINNING)):
        return None  # "and *don't* go turning on any": nothing is said of a subject
    auxiliary = (Sort.Modal, Sort.Copula, Sort.Being)  # "must *not* be"
    shall = any(i.sort in auxiliary and i.end == start for own in items[:start] for i in own)
    place = max(i.end for i in items[start] if i.sort in (Sort.Not, Sort.AuxiliaryNot))
    shall = shall or includes((items[start],), Sort.AuxiliaryNot)
    holds = any(i.sort is Sort.AuxiliaryNot and i.length > 1 for i in items[start])  # "I'm against"
    while place < len(items):
        here = [i for i in items[place] if i.sort in _BEING]
        named = past((Sort.NOUN,), past(_NUMBERING, past(_NUMBERING, place, items), items), items)
        if not here and not (holds and named > place):
            break
        shall = shall or any(i.sort in (Sort.Modal, Sort.To) for i in here)
        holds = holds or includes((items[place],), Sort.Holding)  # "I can't *have* the lights *on*"
        place = max((i.end for i in here), default=named)
    stands = includes(items[place : place + 1], Sort.VALUE, Sort.PARTICLE, Sort.NUMBER)
    return place if shall and stands else None


_BEGINNING = (Sort.StopMark, Sort.PauseMark, Sort.And)
_NUMBERING = (*DETERMINERS, Sort.Every)
_BEING = (Sort.Modal, Sort.Copula, Sort.To, Sort.Being, Sort.Alone, Sort.Still)


def _excepted(items: Sequence[Sequence[Item]]) -> Iterator[Named]:
    """The things, classes and rooms that stand alone behind a word of leaving out."""
    for word in (i for own in items for i in own if i.sort is Sort.Excepted):
        if not includes(items[word.end : word.end + 1], Sort.VALUE):
            yield from _listed(items, _back(word.start, items, _IS))
    for word in (i for own in items for i in own if i.sort is Sort.Leave):
        yield from _left_alone(items, word.end)
    for stretch in spoken_of_before(items):
        yield from _places(items, stretch)
    for word in (i for own in items for i in own if i.sort is Sort.Sparing):
        yield from _named_by_not(items, word.end)
        yield from _named_first(items, word)
    for word in (i for own in items for i in own if i.sort is Sort.Not):
        ordered = includes(items[: word.start], *_ORDERED)
        if ordered and bounds(items[word.start - 1]):
            yield from _named_by_not(items, word.end)
    for word in (i for own in items for i in own if _excepts(i)):
        if not is_in_a_name(word, items):
            yield from _named_behind(items, word)


def _named_behind(items: Sequence[Sequence[Item]], word: Item) -> Iterator[Named]:
    """The name that stands alone behind a word of leaving out: "except the hall one", "exclusion: the hall"."""
    heads = word.start == 0 or bounds(items[word.start - 1])
    behind = past((Sort.PauseMark,), word.end, items) if heads else word.end
    start = past(DETERMINERS, behind, items)
    start = past(DETERMINERS, past((Sort.In,), start, items), items) if start > behind else start
    last = past(_NAMING, start, items)
    if start < last and (last == len(items) or bounds(items[last])):
        yield from _names(items[start], last)


def _names(own: Sequence[Item], end: int) -> Iterator[Named]:
    """The name that items at one place give which end at another."""
    return names_of([i for i in own if i.end == end and i.sort in _NAMING])


def spoken_of_before(items: Sequence[Sequence[Item]]) -> Iterator[range]:
    """The stretches that order nothing and name a room, where something is ordered for all others: "*we're in the
    study*, lights off everywhere else"."""
    if includes(items, Sort.Elsewhere):
        for stretch in clauses(items):
            own = items[stretch.start : stretch.stop]
            if includes(own, Sort.PLACE) and not includes(own, Sort.Elsewhere) and not _orders(own):
                yield stretch


def _orders(own: Sequence[Sequence[Item]]) -> bool:
    """Whether a stretch says how something is to be, or begins with a verb."""
    begun = next(
        (some for some in own if not includes((some,), Sort.Fillers, Sort.And, Sort.Requesting, Sort.Loose)), ()
    )
    told = includes(own, Sort.NOUN) and includes(own, Sort.VALUE)
    return told or includes((begun,), Sort.VERB) or includes(own, Sort.NUMBER)


def _places(items: Sequence[Sequence[Item]], stretch: range) -> Iterator[Named]:
    """The rooms that a stretch names."""
    for place in longest(items, stretch, lambda item: item.sort is Sort.PLACE):
        yield from names_of([place])


def is_in_a_name(word: Item, items: Sequence[Sequence[Item]]) -> bool:
    """Whether a word belongs to the name of a thing or a place: "breakfast *bar*"."""
    names = (i for own in items[: word.end] for i in own if i.sort in _NAMING and i.end >= word.end)
    return any(i.end > word.end or i.start < word.start for i in names)


def _named_by_not(items: Sequence[Sequence[Item]], start: int) -> Iterator[Named]:
    """The name that stands alone behind a "not" with which a clause begins, with its room: "all lights off. Not the
    hall one", "hands off the fan in the study"."""
    start = past(DETERMINERS, past((Sort.In,), past(DETERMINERS, start, items), items), items)
    room = past((Sort.PLACE,), start, items)
    led = includes(items[room : room + 1], Sort.NOUN) and not includes(items[start : start + 1], Sort.NOUN)
    start = room if led else start
    last = past(_NAMING, start, items)
    into = past((Sort.In,), last, items)
    within = past(DETERMINERS, into, items) if into > last else last
    ends = past((Sort.One,), past((Sort.PLACE,), within, items) if within > last else last, items)
    if start < last and (ends == len(items) or bounds(items[ends])):
        named = _names(items[start], last)
        yield from (one for one in named if within == last or one.sort == "thing")  # of a class, those of the room


def past(sorts: Collection[Sort], start: int, items: Sequence[Sequence[Item]]) -> int:
    """Where the longest word of these sorts ends that begins at a place; the place itself where none does: "except
    *those in the* hall"."""
    return max((i.end for own in items[start : start + 1] for i in own if i.sort in sorts), default=start)


def _before_determiners(end: int, items: Sequence[Sequence[Item]]) -> int:
    """Where the determiners begin that end at a place; the place itself where none does."""
    while end > 0 and any(i.sort in DETERMINERS and i.end == end for i in items[end - 1]):
        end -= 1
    return end


def _left_alone(items: Sequence[Sequence[Item]], start: int) -> Iterator[Named]:
    """The names between "leave" and "alone" or "be", with the words before them that tell which."""
    end = next((n for n in range(start, len(items)) if bounds(items[n])), len(items))
    words: frozenset[str] = frozenset()
    if end < len(items) and includes((items[end],), Sort.Alone):
        while start < end:
            named = [i for i in items[start] if i.sort in _NAMING and i.end <= end]
            if not named:
                words |= {singular(i.text) for i in items[start] if {j.sort for j in items[start]} <= _TELLING}
            if words and includes((items[start],), Sort.One):
                yield Named(_BY_WORDS, words=words)
            start = max((i.end for i in named), default=start + 1)
            yield from (replace(one, words=words) for one in names_of([i for i in named if i.end == start]))


def _back(place: int, items: Sequence[Sequence[Item]], over: Collection[Sort]) -> int:
    """Where the words begin that stand between a name and the words that leave it out: "the hall *only is* exempt"."""
    while place > 0 and includes((items[place - 1],), *over) and not includes((items[place - 1],), *_BREAKS):
        place -= 1
    return place


def _named_first(items: Sequence[Sequence[Item]], word: Item) -> Iterator[Named]:
    """The name with which a clause begins that ends with leaving it alone: "the hall you don't touch"."""
    begun = next(clause.start for clause in clauses(items) if clause.start <= word.start < clause.stop)
    start = past(DETERMINERS, past((Sort.Only,), begun, items), items)
    end = _back(word.start, items, _IS_BY_YOU)
    if start < end and (word.end == len(items) or bounds(items[word.end])):
        yield from _names(items[start], end)


def _listed(items: Sequence[Sequence[Item]], end: int) -> Iterator[Named]:
    """The names that end at a place, be it with "one", and those that "and" joins to them."""
    while end > 0:
        end = min((i.start for own in items[:end] for i in own if i.sort is Sort.One and i.end == end), default=end)
        named = [i for own in items[:end] for i in own if i.end == end and i.sort in _NAMING]
        start = min((i.start for i in named), default=0)
        behind, words = _described(items, start)
        if not _is_qualified(items, start):
            yield from (replace(one, words=words) for one in names_of([i for i in named if i.start == start]))
        start = _before_determiners(behind, items)
        joined = start > 0 and any(i.sort is Sort.And and i.end == start for i in items[start - 1])
        end = start - 1 if joined else 0


def _described(items: Sequence[Sequence[Item]], start: int) -> tuple[int, frozenset[str]]:
    """The words before a name that tell which, behind an article, and where they begin: "the *baby* machine"."""
    begun = start
    while begun > 0 and {i.sort for i in items[begun - 1]} <= _TELLING:
        begun -= 1
    if begun == start or _before_determiners(begun, items) == begun:
        return start, frozenset()
    return begun, frozenset(singular(i.text) for own in items[begun:start] for i in own)


def _is_qualified(items: Sequence[Sequence[Item]], start: int) -> bool:
    """Whether a name is told more closely by a room before it, or tells where a thing is: "the *hall* lights", "the
    lamp *in* the hall"."""
    start = _before_determiners(start, items)
    ends = [i for own in items[:start] for i in own if i.end == start]
    within = {i.start for i in ends if i.sort is Sort.In}
    said = any(i.sort is Sort.NOUN and i.end in within for own in items[:start] for i in own)
    return said or includes((ends,), Sort.PLACE)


def bounds(own: Sequence[Item]) -> bool:
    """Whether a name ends before these words: not before "in", which says where it is."""
    sorts = {i.sort for i in own}
    return not sorts.isdisjoint(_BOUNDING) and Sort.In not in sorts


def _excepts(item: Item) -> bool:
    """Whether a word leaves out, and does not order that something be left alone."""
    return item.sort is Sort.Except or (item.sort is Sort.Leave and item.text.endswith("ing"))


_SAYING_NOTHING = (Sort.Loose, Sort.Fillers, Sort.Requesting, Sort.Repair, Sort.No, Sort.SpeakerWord)
_DENIED_POINTING = (Sort.PronounOne, Sort.PronounSeveral, Sort.That, Sort.Oneself)
_CLAUSE = (*PAUSES, Sort.And)
_OFF_TERMS = frozenset(expand(name) for name in ("hg:IsOff", "hg:TurnOff"))
_ON_TERMS = frozenset(expand(name) for name in ("hg:IsOn", "hg:TurnOn"))
_TURN_ON, _POWER = expand("hg:TurnOn"), expand("hg:Power")


@dataclass(frozen=True, slots=True)
class Denied:
    """Deed that is denied, in a clause that begins at a place: by its commands and states, and its objects; all deeds
    where `every`."""

    start: int
    terms: frozenset[str] = frozenset()
    names: tuple[Named, ...] = ()
    every: bool = False

    def is_done_by(self, intent: Intent) -> bool:
        """Whether an intent does it to something."""
        if self.every or (intent.command is not None and intent.command in self.terms):
            return True
        return bool((self.terms & _OFF_TERMS and puts_out(intent)) or (self.terms & _ON_TERMS and _puts_on(intent)))


def does_what_is_denied(candidate: Candidate, found: Heard, context: Context) -> bool:
    """Whether a reading does at once a deed that the words deny: "they need it, so *please don't switch it off*"."""
    denied = found.once(_denied)
    pairs = zip(candidate.intents, candidate.effect, strict=False) if denied else ()
    now = ((i, effect) for i, effect in pairs if i.rule is None and i.query is None and i.fault is None)
    return any(_does(deed, intent, parts_of((effect,), context), context) for intent, effect in now for deed in denied)


def _does(deed: Denied, intent: Intent, parts: Collection[str], context: Context) -> bool:
    """Whether an intent that is about these parts does a deed to one of its objects."""
    about = any(all(is_of(part, one, context) for one in deed.names) for part in parts)
    return deed.is_done_by(intent) and (about or not deed.names)


def _puts_on(intent: Intent) -> bool:
    amount = intent.amount
    sets = intent.property == _POWER and amount is not None and amount.measure is Measure.TRUTH and amount.value is True
    return intent.command == _TURN_ON or sets


def _denied(found: Heard) -> list[Denied]:
    return list(denied_deeds(found.items))


def denied_deeds(items: Sequence[Sequence[Item]]) -> Iterator[Denied]:
    """The deeds that a clause denies that an operator leads, or has before its verb."""
    for clause in clauses(_whole(items), _CLAUSE):
        own = list(longest(items, clause, lambda item: item.sort is not Sort.WORD))
        place = next((n for n, item in enumerate(own) if item.sort is Sort.Not), None)
        if place is not None:
            yield from _denied_behind(own[:place], own[place + 1 :], clause, items)


def _whole(items: Sequence[Sequence[Item]]) -> list[list[Item]]:
    """Items without joints that belong to an operator or a name: "don't you go *and* …", "en*-*suite"."""
    long = (i for own in items for i in own if i.length > 1 and i.sort in (Sort.Not, *_NAMING))
    inside = {n for i in long for n in range(i.start + 1, i.end)}
    return [[i for i in own if i.sort not in _CLAUSE or i.start not in inside] for own in items]


def _denied_behind(
    before: Sequence[Item], after: Sequence[Item], clause: range, items: Sequence[Sequence[Item]]
) -> Iterator[Denied]:
    """The deed that is denied by an operator between these items of a clause."""
    behind = [item for item in after if not _says_nothing(item, items)]
    if not behind and all(_says_nothing(item, items) for item in before):
        if not includes(items[clause.stop :], Sort.VERB):
            yield Denied(clause.start, every=True)  # "the lamp off? no, don't do that"
    elif behind and includes((items[behind[0].start],), Sort.VERB):
        places = range(behind[0].start, clause.stop)
        if not includes(items[places.start : places.stop], Sort.Every):  # "don't turn off all of them"
            yield _deed(clause.start, places, items)


def _deed(start: int, places: range, items: Sequence[Sequence[Item]]) -> Denied:
    """The deed of a verb, with the particles and states beside it, and its objects."""
    told = (e for n in places for i in items[n] if i.end <= places.stop for e in i.entries)
    terms = frozenset(e.iri for e in told if e.role in (Role.COMMAND, Role.STATE))
    nouns = longest(items, places[1:], lambda item: item.sort in _NAMING)
    ends = ([i for i in items[noun.start] if i.end == noun.end and i.sort in _NAMING] for noun in nouns)
    names = (one for named in ends for one in names_of(named))
    return Denied(start, terms, tuple(names))


def _says_nothing(item: Item, items: Sequence[Sequence[Item]]) -> bool:
    """Whether an item is courtesy, filling or a pronoun, or may be: "don't *do that*", "don't *you*"; no state."""
    own = [i for i in items[item.start] if i.end == item.end]
    return includes((own,), *_SAYING_NOTHING, *_DENIED_POINTING) and not includes((own,), Sort.VALUE)


def loses_which_rooms(candidate: Candidate, found: Heard) -> bool:
    """Whether a reading acts in all rooms where words tell which they are: "in the rooms *where it's wobbly*"."""
    return found.once(_tells_which_rooms) and any(map(_is_everywhere, candidate.intents))


def takes_an_order_for_a_test(candidate: Candidate, found: Heard) -> bool:
    """Whether a clause about "it" only tells which thing is meant, and orders nothing: "and *have it on* the wind that
    is for sleeping"."""
    parts = [*(part for _, _, part in candidate.account), "joint"]
    for place, (one, then) in enumerate(pairwise(parts)):
        clause = parts[place : parts.index("joint", place)]
        if one == "pronoun" and then in ("preposition", "request") and "joint" in parts[max(0, place - 2) : place]:
            pointed = includes((found.items[candidate.account[place][0]],), Sort.PronounOne)
            if pointed and "test" in clause and _ORDERS.isdisjoint(clause):
                return True
    return False


_ORDERS = frozenset({"value", "change", "verb"})


def _is_everywhere(intent: Intent) -> bool:
    """Whether an order for now is about all of a kind, wherever they are."""
    some = intent.selection
    told = some.rooms or some.tests or some.places or some.things or some.minus or some.order
    waits = intent.rule is not None or intent.timing is not None
    return intent.category is Category.EXPLICIT and not (told or waits or intent.fault)


def _tells_which_rooms(found: Heard) -> bool:
    """Whether a clause tells rooms by how they are, with no thing in them, or points to them: "in *those rooms*"."""
    items = [i for own in found.items for i in own]
    if any(i.sort is Sort.There and i.text.endswith("rooms") for i in items):
        return True
    return any(_tells_how(i.end, found.items) for i in items if _leads_to_rooms(i, found.items))


def _leads_to_rooms(item: Item, items: Sequence[Sequence[Item]]) -> bool:
    """Whether how it is in some rooms follows: "in the rooms where", "rooms" before "with"."""
    if item.sort is Sort.Wherever:
        return item.length > 1
    some = item.sort is Sort.PLACE and item.plural and all(e.iri in ANY_ROOM for e in item.entries)
    return some and includes(items[item.end : item.end + 1], Sort.With, Sort.Without, Sort.Whose, Sort.That)


def _tells_how(start: int, items: Sequence[Sequence[Item]]) -> bool:
    """Whether the clause that begins there names nothing that is in a room."""
    clause = next((one for one in clauses(items) if start in one), range(0))
    return clause.stop > start + 1 and not includes(items[start : clause.stop], *_IN_ROOMS)


_IN_ROOMS = (Sort.NOUN, Sort.PronounSeveral, Sort.PronounOne, Sort.KIND)


def narrows_a_plural(candidate: Candidate, found: Heard, context: Context) -> bool:
    """Whether a reading takes a plural for the name of one thing, where its words are of several: "the kitchen lights"
    are all of the kitchen, though one is called "kitchen light"."""
    parts = parts_of(candidate.effect, context)
    names = {(start, end) for one in found.alike(candidate) for start, end, part in one.account if part == "noun"}
    narrow = [
        name for name in names if any(_is_one_of_many(i, context) for i in found.items[name[0]] if i.end == name[1])
    ]
    return any(
        parts < parts_of(other.effect, context)
        and len(other.intents) == len(candidate.intents)
        and any(part == "noun" and start < begun and ended == end for begun, ended, part in other.account)
        and not left_out(other.features)
        for start, end in narrow
        for other in found.candidates
    )


def _is_one_of_many(name: Item, context: Context) -> bool:
    """Whether the plural of one thing's name, which is none itself, stands for it."""
    things = [entry.iri for entry in name.having(Role.THING)]
    return name.plural and name.length > 1 and len(things) == 1 and not is_title(name.text, things[0], context)
