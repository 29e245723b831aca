"""Readings that take an order from a statement, or answer another question than was asked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import dropwhile, pairwise

from engine.graph.terms import expand
from engine.language.chart.heard.items import PAUSES, Item, Sort, clauses, includes, is_unknown
from engine.language.chart.heard.statements import HOW, Items, clauses_of_things, is_there, supposes, tells, unordered
from engine.language.chart.judging.confidence import left_out
from engine.language.chart.judging.ranking import is_asked
from engine.language.chart.judging.reader import Candidate, Heard, names_things
from engine.language.meanings.context import Context
from engine.language.meanings.property_kinds import at_home
from engine.language.meanings.readings import DEVICE, Alternatives
from engine.language.words.lexicon import Role
from engine.language.words.records import replace
from engine.language.words.tokens import TokenKind
from engine.model.intent import Asks, Category, Intent
from engine.model.selection import Quantity, Rooms, Select


def only_tells(candidate: Candidate, found: Heard) -> bool:
    """Whether a reading takes an order from a clause that only tells; a reading without an account, where each clause
    that names a thing does."""
    explicit = any(i.category is Category.EXPLICIT and i.rule is None for i in candidate.intents)
    if explicit and (_takes_no_order(candidate, found) or found.once(_is_declined)):
        return True
    if not explicit or (found.tokens and found.tokens[-1].text == "?"):
        return False
    naming, telling = found.once(_clauses)
    if found.once(_supposes) or (
        len(naming) == 1 and naming == [*clauses(found.items)] and is_there(naming[0], found.items)
    ):
        return True
    if candidate.account:
        return any(_orders_within(one, candidate, found.items) for one in telling)
    return bool(telling) and len(telling) == len(naming)


def _supposes(found: Heard) -> bool:
    return supposes(found.items)


def _takes_no_order(candidate: Candidate, found: Heard) -> bool:
    """Whether a reading takes a verb for an order that has not the form of one: "the way *to turn off* the lamp"."""
    places, verbs = found.once(_unordered)
    if candidate.account:
        return any(
            start in places and (part in _DOING or (part == "before" and includes((found.items[start],), *HOW)))
            for start, _, part in candidate.account
        )
    return bool(places) and verbs <= places and not includes(found.items, Sort.NUMBER, Sort.KIND, Sort.AsBefore)


def _is_declined(found: Heard) -> bool:
    """Whether a text asks whether to do something, and says no itself: "turn it off? No."."""
    asked = [n for n, token in enumerate(found.tokens) if token.text == "?"]
    behind = [own for own in found.items[asked[-1] + 1 :] if not includes((own,), *PAUSES)] if asked else []
    return bool(behind) and all(includes((own,), Sort.No, Sort.Fillers) for own in behind) and includes(behind, Sort.No)


_DOING = ("verb", "change", "value")


def _unordered(found: Heard) -> tuple[set[int], set[int]]:
    """Where verbs begin that order nothing, and where any verb does."""
    verbs = {n for n, own in enumerate(found.items) if includes((own,), Sort.VERB) and not includes((own,), Sort.NOUN)}
    return unordered(found.items), verbs


def _clauses(found: Heard) -> tuple[list[range], list[range]]:
    """The clauses that name a thing, and those of them that only tell."""
    naming = clauses_of_things(found.items)
    return naming, [one for one in naming if tells(one, found.items)]


def _orders_within(clause: range, candidate: Candidate, items: Items) -> bool:
    """Whether an account takes an order from a clause, and not how something is, or which is meant."""
    own = [(start, part) for start, _, part in candidate.account if start in clause]
    if not _TOLD.isdisjoint(part for _, part in own):
        return False
    elsewhere = any(part in _DONE for start, _, part in candidate.account if start not in clause)
    bare = not elsewhere and any(part == "before" and includes((items[start],), *HOW) for start, part in own)
    return bare or any(part in _DONE for _, part in own)  # "somebody left the oven *on*, turn it off" orders elsewhere


def only_names(found: Heard) -> bool:
    """Whether a text names things or places, and says no more: nothing is wished of them."""
    return names_things(found.tokens, found.items)


def is_nowhere(candidate: Candidate, context: Context) -> bool:
    """Whether a question is about a class of which nothing is here, or about nothing that is named."""
    asked = [i.selection for i in candidate.intents if i.category is Category.CHECK]
    here = context.dictionary.held
    return any(
        not any(one in here for one in s.classes) if s.classes else not (s.things or s.places or s.rooms) for s in asked
    )


def asks_where_all_is(candidate: Candidate, found: Heard, context: Context) -> bool:
    """Whether a reading asks where something is and names nothing, or a class of nothing here: "where is it warm?" is
    about no thing, "where are people?" about no device."""
    if not any(i.sort in (Sort.Where, Sort.Wherever) for own in found.items for i in own):
        return False
    asked = [i.selection for i in candidate.intents if i.query is not None]
    classes = {c for s in asked for room in s.rooms for c in room.has.classes}
    nothing_said = any(not (s.classes or s.things or s.rooms or s.tests or s.order) for s in asked)
    return nothing_said or bool(classes - context.dictionary.held.keys())


def asks_further(candidate: Candidate, earlier: Candidate, found: Heard, context: Context) -> bool:
    """Whether a question asks for a number where another does not, of things that are here where that one knows none,
    ranks where that one does not, is about further things or properties, or about "it" where that one is about all, or
    heeds more that is denied, or said of rooms."""
    asks, asked = _asks_of(candidate), _asks_of(earlier)
    if asks & _OF_NUMBERS and not asks & asked:
        return True
    if ranks(candidate) and not ranks(earlier):
        return True
    if is_nowhere(earlier, context) and not is_nowhere(candidate, context):
        return True
    (tests, denials), (known, denied) = tests_of(candidate), tests_of(earlier)
    if denials > denied or (tests > 0 and not known and is_asked(earlier.goals)):
        return True
    things, others = things_of(candidate), things_of(earlier)
    all_but_it = includes(found.items, Sort.PronounOne, Sort.PronounSeveral) and DEVICE in others - things
    further = things > others or _kinds_of(candidate) > _kinds_of(earlier) > set()
    return all_but_it or further or _said_of_rooms(candidate) > _said_of_rooms(earlier) > 0


_OF_NUMBERS = frozenset({Asks.DIFFERENCE, Asks.MEAN, Asks.COUNT, Asks.REMAINING})


def _asks_of(candidate: Candidate) -> set[Asks]:
    return {i.query.asks for i in candidate.intents if i.query is not None}


def _is_of_doing(candidate: Candidate) -> bool:
    """Whether an activity is asked for: "what is the radio *playing*?"."""
    return any(i.query is not None and i.query.also for i in candidate.intents)


def things_of(candidate: Candidate) -> set[str]:
    """The classes and the things, by IRI, that a reading is about."""
    return {iri for i in candidate.intents for iri in (*i.selection.classes, *i.selection.things)}


def _kinds_of(candidate: Candidate) -> set[str]:
    return {i.property for i in candidate.intents if i.property is not None}


def compares(candidate: Candidate) -> bool:
    """Whether a reading asks of two things which is more so."""
    return any(i.query is not None and i.query.versus is not None for i in candidate.intents)


def ranks(candidate: Candidate) -> bool:
    """Whether a reading is about the first of a ranking."""
    return any(i.selection.order is not None for i in candidate.intents)


def _said_of_rooms(candidate: Candidate) -> int:
    """How much is said of the rooms that a question asks for: that they have something, and how it is."""
    asked = [i.selection.rooms for i in candidate.intents if i.query is not None and i.query.rooms]
    return sum(1 + len(room.has.tests) for several in asked for room in several)


def drops_a_state(best: Candidate) -> bool:
    """Whether a question for those that are so is read without a word for how they are: "occupied", where nothing here
    can tell that."""
    asked = [i for i in best.intents if i.query is not None and i.query.asks in (Asks.LIST, Asks.COUNT)]
    left = best.features.get("skip:value", 0.0) + best.features.get("skip:verb", 0.0)
    behind = any(one[2] == "copula" and then[2] == "skipped" for one, then in pairwise(best.account))
    nowhere = any(room in _NO_ROOMS for i in asked for room in i.selection.rooms)
    lost = _skips_a_strange_state(best) or (left > 0 and (behind or not all(map(_says_which, asked))))
    return nowhere or (bool(asked) and lost)


def _skips_a_strange_state(best: Candidate) -> bool:
    """Whether a word that nobody knows says how those are that are asked for: "how many lights are *awake*"."""
    behind_head = pairwise(dropwhile(lambda one: one[2] != "head", best.account))
    skips = any(one[2] == "copula" and then[2] == "skipped" for one, then in behind_head)
    return skips and best.features.get("skip:word", 0.0) > 0


def _says_which(asked: Intent) -> bool:
    """Whether a question says how those are that it is about."""
    said = asked.selection
    return bool(said.rooms or said.tests or said.order or (asked.query is not None and asked.query.tests))


def asks_too_little(candidate: Candidate, found: Heard, context: Context) -> bool:
    """Whether a reading counts all there is where a measure is asked for ("how many degrees in the bedroom"), or passes
    over how those are that a reading of every word is about, or over a place that is none here, or asks for the same
    twice; an order over that."""
    if any(i.category is not Category.CHECK for i in candidate.intents):
        return bool(candidate.account) and (
            _is_of_unknown_place(candidate, found) or _is_told_by_elsewhere(candidate, found)
        )
    if not candidate.account and (not found.once(may_ask) or _is_of_one_place(candidate, found)):
        return True  # "be so good as to put the light off"
    if any(map(_asks_nothing, candidate.intents)) or _is_of_the_unsaid(candidate, found):
        return True
    if _asks_twice(candidate):
        return True
    of_rooms = any(i.query is not None and i.query.rooms for i in candidate.intents)
    if found.once(_asks_what_room_has) and (not of_rooms or found.once(_counts_in_each)):
        return True
    if any(map(_counts_all, candidate.intents)) and (_asks_a_measure(found.items) or _is_led_in(candidate, found)):
        return True
    if _is_of_no_place_here(candidate, found):
        return True
    return _may_lose(candidate, found.items) and _is_outsaid(candidate, found, context)


def asking_most(candidate: Candidate, found: Heard) -> Candidate:
    """A reading of every word that asks for more of the same than this one ("tell me the temperature *and humidity*"),
    or for an activity in the place of a state ("what is the radio *playing*?"); else this one."""
    asked, selections = _asks_of(candidate), {i.selection for i in candidate.intents}
    measured = includes(found.items, Sort.KIND, Sort.RELATIVE, Sort.GRADABLE, Sort.SUPERLATIVE)
    further = (
        one
        for one in found.candidates
        if one.account
        and is_asked(one.goals)
        and {i.selection for i in one.intents} == selections
        and _asks_of(one) == asked
        and not left_out(one.features)
        and (_has_more(one, candidate) or (_is_of_doing(one) and not (_is_of_doing(candidate) or measured)))
    )
    return next(further, candidate)


def _has_more(one: Candidate, candidate: Candidate) -> bool:
    return len(one.intents) > len(candidate.intents) and _kinds_of(one) > _kinds_of(candidate) > set()


def _asks_twice(candidate: Candidate) -> bool:
    """Whether a reading comes to one question for a value again: "how loud is it and what is it *playing*?"."""
    values = [(i.selection, i.property) for i in candidate.intents if i.query is not None and not i.query.tests]
    return len(set(values)) < len(values)


def _is_of_one_place(candidate: Candidate, found: Heard) -> bool:
    """Whether a reading is of one place where the words are for the whole home: "in the *house*", in a home with a wash
    house."""
    somewhere = any(i.selection.places for i in candidate.intents)
    return somewhere and includes(found.items, Sort.Everywhere) and not includes(found.items, Sort.PLACE)


def _asks_what_room_has(found: Heard) -> bool:
    """Whether rooms are asked for by the things there: "which room has the most light"; things are no answer."""
    heads = {i.end for own in found.items for i in own if i.sort in (Sort.Which, Sort.What)}
    rooms = (i for own in found.items for i in own if i.start in heads and i.sort is Sort.PLACE)
    return any(includes(found.items[i.end : i.end + 1], Sort.Holding) for i in rooms)


def _counts_in_each(found: Heard) -> bool:
    """Whether rooms are compared by how many things they have, which no reading tells: "the most *lights*"."""
    ends = (i.end for own in found.items for i in own if i.sort in (Sort.Most, Sort.Least))
    return any(i.sort is Sort.NOUN and i.plural for end in ends for own in found.items[end : end + 1] for i in own)


def _is_of_the_unsaid(candidate: Candidate, found: Heard) -> bool:
    """Whether a reading without an account is about some thing, and no word is for a thing or its place or quality, or
    points to one: "is anything *still* running?" is about no fan that can stand still."""
    about = any(i.selection.things for i in candidate.intents)
    return about and not candidate.account and not includes(found.items, *_SAYING)


_SAYING = (Sort.NOUN, Sort.KIND, Sort.PLACE, Sort.PronounOne, Sort.PronounSeveral, Sort.One, Sort.Here, Sort.There)


def _is_told_by_elsewhere(candidate: Candidate, found: Heard) -> bool:
    """Whether a reading passes over a place that is none here and tells which thing is meant: "the *porch* light"."""
    passed = [(start, end) for start, end, part in candidate.account if part == "skipped"]
    tells = any(
        includes(found.items[a:b], Sort.PLACE) and includes(found.items[b : b + 1], Sort.NOUN) for a, b in passed
    )
    return tells and _is_elsewhere(candidate, found)


def _is_of_no_place_here(candidate: Candidate, found: Heard) -> bool:
    """Whether a reading passes over a place that is none here, or that nobody knows."""
    passes = bool(candidate.features.get("skip:place")) and _is_elsewhere(candidate, found)
    return passes or _is_of_unknown_place(candidate, found)


def _is_of_unknown_place(candidate: Candidate, found: Heard) -> bool:
    """Whether a reading is of no place, and passes over one that no word of the graph is: "is the light on in the
    boathouse?", but not "in the matter of the cellar"."""
    if any(i.selection.places or i.selection.rooms for i in candidate.intents):
        return False
    return any(_is_a_place(n, found.items) for n in _unknown(candidate, found.items))


def _unknown(candidate: Candidate, items: Items) -> Iterator[int]:
    """The tokens that a reading passes over, and that are no word of the graph."""
    taken = {n for start, end, part in candidate.account if part != "skipped" for n in range(start, end)}
    yield from (n for n, own in enumerate(items) if {i.sort for i in own} == {Sort.WORD} and n not in taken)


def _is_a_place(token: int, items: Items) -> bool:
    """Whether a word stands where a place does, behind "in the", and belongs to no further noun."""
    further = includes(items[token + 1 : token + 2], Sort.Of, Sort.PLACE, Sort.NOUN)
    before = items[max(0, token - 2) : token]
    return len(before) == 2 and includes(before[:1], Sort.In) and includes(before[1:], Sort.Definite) and not further


def _is_elsewhere(candidate: Candidate, found: Heard) -> bool:
    """Whether a reading is of no place, and one of every word of a place that this home has not."""
    if any(i.selection.places for i in candidate.intents):
        return False
    whole = (one for one in found.candidates if one.account and not left_out(one.features))
    return any(i.fault == "no_such_room" for one in whole for i in one.intents)


def _asks_a_measure(items: Items) -> bool:
    """Whether "how many" is said of a property, as in "how many degrees"."""
    counting = [i.end for own in items for i in own if i.sort is Sort.HowMany]
    return any(includes(items[end : end + 1], Sort.KIND) for end in counting)


def _is_led_in(candidate: Candidate, found: Heard) -> bool:
    """Whether counting all is but the first of several questions: "count them for me: how many …"."""
    if len(candidate.intents) < 2:
        return False
    whole = (one for one in found.candidates if one.account and not left_out(one.features))
    return any(not any(map(_counts_all, one.intents)) for one in whole)


def _may_lose(candidate: Candidate, items: Items) -> bool:
    """Whether a reading may have lost a state: it gives no account of its words, or leaves some out."""
    return ("old" in candidate.features or _skips(candidate)) and not includes(items, Sort.EitherState)


def _is_outsaid(candidate: Candidate, found: Heard, context: Context) -> bool:
    """Whether a likely reading of every word says more of those that it asks about."""
    unnamed = not includes(found.items, Sort.KIND, Sort.RELATIVE, Sort.GRADABLE)
    return any(_asks_more(one, candidate, context, unnamed=unnamed) for one in found.candidates[:MOST_ASKED])


def _asks_nothing(asked: Intent) -> bool:
    """Whether a question is whether there is anything at all, or which things are those that it names."""
    said, query = asked.selection, asked.query
    if query is None or query.tests or asked.property or said.tests or said.rooms:
        return False
    if query.asks is Asks.LIST:  # "what the brightness of the desk lamp is"
        return bool(said.things) and not (said.classes or said.order or query.rooms)
    return query.asks is Asks.WHETHER and not (said.classes or said.things or said.places)


def _counts_all(asked: Intent) -> bool:
    """Whether a question counts, or lists, whatever there is."""
    said = asked.selection
    every = asked.query is not None and asked.query.asks in (Asks.COUNT, Asks.LIST)
    return every and not (said.classes or said.things or said.tests or said.rooms)


def _asks_more(one: Candidate, other: Candidate, context: Context, *, unnamed: bool) -> bool:
    """Whether a reading of every word asks about things of the same classes, and says more of how they are, or names
    a property that such things have here, as the title of a song; `unnamed`: no word names a property."""
    if not _is_alike(one, other):
        return False
    if (tests_of(one)[0] and not tests_of(other)[0]) or (_has_none(other, context) and not _has_none(one, context)):
        return True
    if _places(one) > _places(other) or (_kinds(one) and not (unnamed or _kinds(other))):
        return True
    told = unnamed and any(part == "test" for _, _, part in one.account) and _values(one) and _values(other)
    return told and {i.property for i in one.intents} != {i.property for i in other.intents}  # "what is it playing"


def _is_alike(one: Candidate, other: Candidate) -> bool:
    """Whether both ask, the first by every word, about things of the same classes, or the other skips a word."""
    own, both = _classes(one), (*one.intents, *other.intents)
    whole = bool(one.account and own) and not left_out(one.features)
    return whole and all(i.query for i in both) and (own == _classes(other) or _skips(other))


def _kinds(asked: Candidate) -> set[str]:
    """The kinds of property that a reading asks for, or asks about."""
    tested = (test for i in asked.intents for test in (*i.selection.tests, *(i.query.tests if i.query else ())))
    kinds = {condition.kind for test in tested for condition in test.conditions}
    return kinds | {i.property for i in asked.intents if i.property is not None}


def _skips(asked: Candidate) -> bool:
    return any(name.startswith("skip:") for name in asked.features)


def _classes(asked: Candidate) -> set[str]:
    return {cls for i in asked.intents for cls in i.selection.classes}


def _places(asked: Candidate) -> set[str]:
    return {place for i in asked.intents for place in i.selection.places}


def _values(asked: Candidate) -> bool:
    """Whether a reading asks for values alone."""
    return all(i.query is not None and i.query.asks is Asks.VALUE for i in asked.intents)


def _has_none(asked: Candidate, context: Context) -> bool:
    """Whether a reading asks for a kind of property that no such thing has here."""
    return any(i.property is not None and not at_home(i.property, i.selection.classes, context) for i in asked.intents)


def of_either(goals: tuple[Alternatives, ...], found: Heard) -> tuple[Alternatives, ...]:
    """The goals of a text; where it ends with two states, "locked or unlocked?", it is asked which is so."""
    last = len(found.tokens) - (bool(found.tokens) and found.tokens[-1].text == "?")
    either = [i for own in found.items for i in own if i.sort is Sort.EitherState and i.end == last]
    ends = any(not i.text.endswith("not") for i in either)  # "locked or not?" is answered by yes or no
    return tuple(tuple(tuple(map(_of_either, way)) for way in goal) for goal in goals) if ends else goals


def _of_either(asked: Intent) -> Intent:
    return replace(asked, query=replace(asked.query, either=True)) if asked.query is not None else asked


def tests_of(candidate: Candidate) -> tuple[int, int]:
    """How often a reading tests that something is so or not so, and how often that it is not."""
    asked = (test for i in candidate.intents if i.query is not None for test in i.query.tests)
    told = [test.negated for test in (*asked, *(t for i in candidate.intents for t in i.selection.tests))]
    return len(told), sum(told)


def is_requested(best: Candidate, found: Heard) -> bool:
    """Whether a reading begins with words of several that ask for something to be done: "it would be perfect if …"."""
    start, end, part = best.account[0] if best.account else (0, 0, "")
    asks = any(
        i.end == end and e.iri == _REQUEST for own in found.items[start : start + 1] for i in own for e in i.entries
    )
    return end > start + 1 and (part == "request" or (part == "filler" and asks))


def is_nameless(best: Candidate, found: Heard) -> bool:
    """Whether a thing is said to be called something, and the reading heeds it in no way."""
    nouns = {item.end for items in found.items for item in items if item.sort is Sort.NOUN}
    if not any(item.sort is Sort.Called and item.start in nouns for items in found.items for item in items):
        return False
    heeds = any(part == "called" for _, _, part in best.account)
    return not heeds and not any(i.command == _RENAME for i in best.intents)


_RENAME, _REQUEST = expand("hg:Rename"), expand("hg:Request")
MOST_ASKED = 8
"""Among how many readings one is looked for that says more."""
_NO_ROOMS = (Rooms(), Rooms(Select(quantity=Quantity.ALL)))
_DONE = {"verb", "value", "change", "at"}
_TOLD = {"told", "test", "witness", "where", "whose", "head", "condition", "comment"}


EMPTY = (Sort.StopMark, Sort.PauseMark, Sort.Fillers, Sort.Loose)
_TELLING = (Sort.VERB, Sort.NUMBER, Sort.Requesting, Sort.Modal)
_ASKING = (Sort.What, Sort.Whether)


def only_asks(found: Heard) -> bool:
    """Whether a text that may seem to order asks: for a tag, for which state, for a mean, by the words that lead it."""
    ways = (_is_tagged, _asks_which_state, _is_mean, _is_led_by_asking, _presumes, _asks_of_work)
    return any(asks(found) for asks in ways)


def may_ask(found: Heard) -> bool:
    """Whether a text has a word that asks, or the mark of a question, or nothing but the name of a property."""
    if found.bare or includes(found.items, *_OF_QUESTIONS) or any(token.text == "?" for token in found.tokens):
        return True
    return any(i.length > 1 or _leads(i, found) for own in found.items for i in own if i.sort in _INVERTING)


def _leads(item: Item, found: Heard) -> bool:
    """Whether an item begins a clause, but for filling and courtesy."""
    clause = next(one for one in clauses(found.items) if item.start in one)
    before = found.items[clause.start : item.start]
    return all(includes((own,), *EMPTY, Sort.And, Sort.Requesting) for own in before)


_INVERTING = (Sort.Whether, Sort.PastBeing)
_OF_QUESTIONS = (
    Sort.What, Sort.Which, Sort.How, Sort.HowMany, Sort.HowLong, Sort.Where, Sort.WhenDid, Sort.WhenWill, Sort.Picking,
    Sort.Mean, Sort.Total, Sort.Difference, Sort.Reaching, Sort.Reached, Sort.EitherState, Sort.YesOrNo,
    Sort.TagQuestion, Sort.Inverted,
)  # fmt: skip


def _is_mean(found: Heard) -> bool:
    """Whether a text begins with a mean of a property, and no verb: "average brightness of the lamps, please"."""
    kept = [own for own in found.items if not includes((own,), *EMPTY)]
    verb = includes(kept[:1], Sort.VERB)
    mean = kept and not verb and includes((kept[0],), Sort.Mean)
    return bool(mean) and includes(kept[1:4], Sort.KIND)


def _is_tagged(found: Heard) -> bool:
    """Whether what is told ends in a question: "the door is locked, isn't it?"."""
    last = len(found.tokens) - (bool(found.tokens) and found.tokens[-1].kind is TokenKind.PUNCTUATION)
    ends = any(i.sort is Sort.TagQuestion and i.end == last for own in found.items for i in own)
    return ends and found.tokens[-1].text == "?"


def _asks_which_state(found: Heard) -> bool:
    """Whether a text without a verb or a number ends in two states: "aircon in the study on or off"."""
    last = max((i for own in found.items for i in own if i.sort is Sort.EitherState), key=_end, default=None)
    if last is None or includes(found.items[: last.start], *_TELLING):
        return False
    behind = found.items[last.end :]
    return all(includes((own,), *EMPTY) or is_unknown(own) for own in behind)


def _end(item: Item) -> int:
    return item.end


def _is_led_by_asking(found: Heard) -> bool:
    """Whether a text begins with a phrase of several words that can only ask, and no clause behind a pause orders:
    "*find out* the brightness of the lamp, will you"."""
    led = _leading_question(found.items)
    if led is None or any(i.sort is Sort.Requesting or i.having(Role.LIGHT_VERB) for i in found.items[led.start]):
        return False  # "give me"
    return not _orders_later([one for one in clauses(found.items) if one.start > led.start], found.items)


def _leading_question(items: Sequence[Sequence[Item]]) -> Item | None:
    """The phrase of several words for asking that a text begins with, but for filling and courtesy."""
    leading = (*EMPTY, Sort.Requesting, Sort.SpeakerWord)
    last = next((n for n, own in enumerate(items) if not includes((own,), *leading)), len(items))
    return next((i for own in items[: last + 1] for i in own if i.sort in _ASKING and i.length > 1), None)


def _orders_later(stretches: Sequence[range], items: Sequence[Sequence[Item]]) -> bool:
    """Whether one of these stretches has a command, a particle or a number."""
    own = [items[place] for stretch in stretches for place in stretch]
    ordered = any(i.having(Role.COMMAND) for some in own for i in some if i.sort is Sort.VERB)
    return ordered or includes(own, Sort.PARTICLE, Sort.NUMBER)


def _presumes(found: Heard) -> bool:
    """Whether it is asked how something would be now: "*would* the heater be on?"."""
    kept = [own for own in found.items if not includes((own,), *PAUSES, Sort.Fillers)]
    asks = bool(found.tokens) and found.tokens[-1].text == "?"
    if not (asks and includes(kept[:1], Sort.Presuming)) or includes(kept[:1], Sort.Requesting):
        return False
    ordering = (own for own in kept if includes((own,), Sort.NUMBER) or _is_only(own, Sort.VERB))
    return includes(kept[1:4], Sort.NOUN, Sort.PLACE) and not any(ordering)


def _asks_of_work(found: Heard) -> bool:
    """Whether a text begins with a word that may only ask for more, and a thing has a verb of its own behind it:
    "*do* the lamps *work*"."""
    kept = [own for own in found.items if not includes((own,), *PAUSES, Sort.Fillers)]
    if not includes(kept[:1], Sort.Whether) or includes(kept[:2], Sort.VERB) or includes(kept, Sort.NUMBER):
        return False  # "have the screen pause", "do lock up"
    named = next((n for n, own in enumerate(kept[1:], 1) if includes((own,), Sort.NOUN)), len(kept))
    return not includes(kept[2:named], Sort.VERB) and _ends_in_work(kept[named:])  # "do please turn the lamps on"


def _ends_in_work(items: Items) -> bool:
    """Whether the first verb behind the name of a thing tells of its work: "the lamps *work*", not "the fan on
    *dry*"."""
    verb = next((n for n, own in enumerate(items) if n and includes((own,), Sort.VERB)), 0)
    led = includes(items[verb - 1 : verb], Sort.On, Sort.To) if verb else True
    return not led and any(i.having(Role.STATE) for i in items[verb] if i.sort is Sort.VALUE)


def _is_only(own: Sequence[Item], sort: Sort) -> bool:
    return {i.sort for i in own} - {Sort.WORD, Sort.Loose} == {sort}
