"""Readings that do not fit their words: a number that a property cannot have, a property that nothing comes of, a
question for those that are so without a word for how."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from engine.environment.values.spelling import PERCENT
from engine.environment.values.units import FREE, canonical, comparable
from engine.graph.terms import Json, expand
from engine.language.chart.heard.items import ARTICLES, PAUSES, Item, Sort, clauses, function_words, includes, longest
from engine.language.chart.heard.targets import targets
from engine.language.chart.judging.confidence import MOST_LEFT_OUT, left_out, puts_out
from engine.language.chart.judging.dropped import drops_words
from engine.language.chart.judging.dropped import loses_an_option as loses_an_option
from engine.language.chart.judging.lost import Named, is_of, lost, names_of, parts_of, values_of
from engine.language.chart.judging.reader import Candidate, Heard
from engine.language.chart.judging.telling import only_tells
from engine.language.chart.judging.torn import is_torn, loses_a_bound
from engine.language.meanings.context import Context
from engine.language.meanings.property_kinds import DEVICE, akin
from engine.language.tastes.wishes import names_situation
from engine.language.words.lexicon import Role
from engine.language.words.morphology import is_progressive
from engine.language.words.records import replace
from engine.language.words.tokens import Token, TokenKind
from engine.model.intent import Amount, Category, Intent, Measure
from engine.model.selection import Quantity, Select

_WHERE = (Sort.In, Sort.PLACE, Sort.Everywhere, Sort.Here)
_NONE = (Sort.No, Sort.Nobody, Sort.Nothing)
_ENDING = (expand("hg:TurnOff"), expand("hg:Stop"))
ENDS = (expand("hg:Minimum"), expand("hg:Maximum"))


def does_not_fit(candidate: Candidate, found: Heard, context: Context) -> bool:
    """Whether a reading that acts does not fit its words: it loses some of them, or does things that cannot be."""
    of_words = (
        loses_the_others,
        loses_a_value,
        loses_the_present,
        steps_by_a_target,
        goes_on_with_what_it_ends,
        does_what_none_shall,
        only_tells,
    )
    if _sets_what_it_puts_out(candidate) or any(wrong(candidate, found) for wrong in of_words):
        return True
    return any(
        wrong(candidate, found, context)
        for wrong in (
            loses_a_count,
            turns_round,
            is_out_of_range,
            is_in_another_unit,
            loses_a_rank,
            loses_what_restricts,
            drops_an_order,
            drops_words,
            cannot_be_opened,
            passes_over_a_denial,
            undoes_itself,
        )
    )


def turns_round(candidate: Candidate, found: Heard, context: Context) -> bool:
    """Whether a reading makes more of a property where every word of direction says less, or less where each says
    more: "move it *downwards* by ten"."""
    changes = (i.amount for i in candidate.intents if i.amount is not None and i.amount.measure is Measure.NUMBER)
    steps = {how.value > 0 for how in changes if how.relative and isinstance(how.value, int | float)}
    if len(steps) != 1:
        return False
    said = {way for own in found.items for i in own for way in _ways(i, context)}
    return said == {-1 if steps == {True} else 1}


def _ways(item: Item, context: Context) -> Iterator[int]:
    """The directions that a word may say."""
    if item.sort in (Sort.Upwards, Sort.Downwards, Sort.Taken):
        yield 1 if item.sort is Sort.Upwards else -1  # "ten more *off* it"
    for entry in item.having(Role.RELATIVE):
        yield from (relation.direction for relation in context.dictionary.relations.get(entry.iri, ()))


def does_what_none_shall(candidate: Candidate, found: Heard) -> bool:
    """Whether a reading puts things on of which none is to be: "*no* lamp stays on", "all out, *no one* shall stay"."""
    if not any(_is_on(intent) for intent in candidate.intents):
        return False
    taken = {start for start, _, part in candidate.account if part == "before"}
    return any(_denies_all(one.start, found) for one in clauses(found.items) if one.start not in taken)


def _past_places(start: int, found: Heard) -> int:
    """Where a clause goes on behind the words for a room with which it begins: "in this flat *no lamp*"."""
    where = [i.end for i in found.items[start] if i.sort in _WHERE and i.end < len(found.items)]
    return _past_places(max(where), found) if where else start


def _denies_all(start: int, found: Heard) -> bool:
    """Whether a clause begins with "no lamp", "nothing", and says how that shall be."""
    start = _past_places(start, found)
    behind = [i.end for i in found.items[start] if i.sort in _NONE]
    if not behind or includes(found.items[max(behind) : max(behind) + 1], *PAUSES, *ARTICLES):
        return False  # "no, the lamp"
    for own in found.items[max(behind) :]:
        if includes((own,), *PAUSES):
            return False
        if includes((own,), Sort.Modal, Sort.Copula):
            return True
    return False


def _is_on(intent: Intent) -> bool:
    """Whether an intent is to put something on."""
    amount = intent.amount
    return intent.rule is None and intent.fault is None and amount is not None and amount.value is True


def goes_on_with_what_it_ends(candidate: Candidate, found: Heard) -> bool:
    """Whether a reading begins an activity that its verb ends: "the fan can stop *running*"."""
    ends = False
    for start, end, part in candidate.account:
        own = [i for i in found.items[start] if i.end == end]
        if part == "verb":
            ends = any(e.iri in _ENDING for i in own for e in i.entries)
        ends = ends and part != "joint"
        state = part == "before" and end == start + 1 and any(i.sort is Sort.VALUE for i in own)
        if ends and state and is_progressive(found.tokens[start].text):
            return not any(i.command in _ENDING for i in candidate.intents)
    return False


def undoes_itself(candidate: Candidate, found: Heard, context: Context) -> bool:
    """Whether a reading sets things one way, and all of them the other way after it: "the lamp back on" after "off" is
    no second "off"; "all out, no one should stay on" puts nothing on."""
    before: list[tuple[frozenset[str], Mapping[tuple[str, str], Json]]] = []
    for intent, effect in zip(candidate.intents, candidate.effect, strict=False):
        parts = parts_of((effect,), context)
        ways = {at: v for at, v in (values_of(intent, effect, context) or {}).items() if isinstance(v, bool)}
        if any(own <= parts and _differ(ways, set_so) for own, set_so in before):
            return True
        before.append((parts, ways))
    return False


def _differ(ways: Mapping[tuple[str, str], Json], others: Mapping[tuple[str, str], Json]) -> bool:
    """Whether two orders leave a kind of a part with different values."""
    return any(at in ways and ways[at] is not value for at, value in others.items())


def loses_a_rank(candidate: Candidate, found: Heard, context: Context) -> bool:
    """Whether a reading acts on several though the words are for the first of a ranking, or for one of them: "of all
    lamps, the *faintest*", "of the lights, *the one* at the bottom"."""
    passed = (start for start, _, part in candidate.account if part == "skipped")
    if any(i.sort in _RANKS for start in passed for i in found.items[start]):
        return True
    ranked = any(i.selection.order for i in candidate.intents)
    if len(parts_of(candidate.effect, context)) < _SEVERAL or ranked:
        return False
    alone = len({i.selection for i in candidate.intents}) == 1
    ends = [end for _, end, part in candidate.account if part in _ONES] or range(len(found.tokens) + 1)
    if alone and any(_says_the_one(end, found) for end in ends):
        return True
    if any(map(_ranks, candidate.intents)):
        return False
    if not candidate.account:
        return includes(found.items, Sort.SUPERLATIVE)
    return any(
        part in _UNUSED and includes(found.items[start:end], Sort.SUPERLATIVE) for start, end, part in candidate.account
    )


def _says_the_one(end: int, found: Heard) -> bool:
    return [t.text for t in found.tokens[max(0, end - 2) : end]] == ["the", "one"]


def _ranks(intent: Intent) -> bool:
    """Whether an intent is about the first of a ranking, or an end of a scale."""
    selects = (intent.selection, *intent.selection.minus)
    ranked = any(s.order or any(room.order for room in s.rooms) for s in selects)
    how = intent.amount
    return ranked or (how is not None and (how.measure is Measure.BOUND or how.value in ENDS))


def cannot_be_opened(candidate: Candidate, found: Heard, context: Context) -> bool:
    """Whether a reading does something else to things that cannot be opened or closed, though a verb of its says so:
    "*open* the lamp to 30" sets no brightness."""
    ends = {0, *(i.end for own in found.items for i in own if i.sort in _LEADING)}
    led = ends & set(range(len(found.items)))  # a text that is too long has none
    anywhere = [(start, i.end) for start in led for i in found.items[start] if i.sort is Sort.VERB]
    spans = [(start, end) for start, end, part in candidate.account if part == "verb"] or anywhere
    sets = any(i.amount is not None and i.amount.measure is Measure.NUMBER for i in candidate.intents)
    if not (sets and any(_moves(span, candidate, found, context) for span in spans)):
        return False
    registry = context.registry
    parts = parts_of(candidate.effect, context)
    return not any(
        akin(POSITION, kind, context)
        for part in parts
        for own in registry.thing_of[part].of_part(part)
        for kind in own.kinds
    )


def _sets_what_it_puts_out(candidate: Candidate) -> bool:
    """Whether a reading switches off a thing that it sets: "*cut* it to half" puts nothing out."""
    read = bool(candidate.account) or "old" in candidate.features
    if not read or "talk:undo" in candidate.features:  # a thing may have been off, and set
        return False
    now = [i for i in candidate.intents if i.timing is None and i.rule is None and i.fault is None]
    off = [i.selection for i in now if puts_out(i)]
    set_to = [i.selection for i in now if i.property is not None and not puts_out(i)]
    return any(one == other or set(one.things) & set(other.things) for one in off for other in set_to)


def drops_an_order(candidate: Candidate, found: Heard, context: Context) -> bool:
    """Whether a reading gives several orders for the same, of which one cannot be carried out: "get it *going on* heat"
    resumes nothing that is not paused."""
    given = Counter(i.selection for i in candidate.intents)
    orders = [i.command for i in candidate.intents if i.command is not None and given[i.selection] > 1]
    if not orders:
        return False
    things = [context.registry.thing_of[part] for part in parts_of(candidate.effect, context)]
    offered = {command for thing in things for action in thing.actions for command in action.commands}
    kinds = {kind for thing in things for prop in thing.properties for kind in prop.kinds}
    return bool(things) and any(
        one not in offered
        and not any(akin(effect.kind, kind, context) for effect in context.effects(one) for kind in kinds)
        for one in orders
    )


def loses_what_restricts(candidate: Candidate, found: Heard, context: Context) -> bool:
    """Whether a reading loses a device by which rooms are told: "in the rooms that are equipped *with an air
    conditioner*"."""
    items = found.items
    rooms = min((i.end for own in items for i in own if i.sort is Sort.PLACE and i.plural), default=len(items))
    ends = (i.end for own in items[rooms:] for i in own if i.sort is Sort.With and i.end < len(items))
    for end in ends:
        start = max((i.end for i in items[end] if i.sort in ARTICLES), default=end)
        nouns = [i for i in items[start] if i.sort is Sort.NOUN] if start < len(items) else []
        if nouns and lost(list(names_of(nouns)), candidate.goals, candidate.effect, context):
            return True
    return False


def loses_the_present(candidate: Candidate, found: Heard) -> bool:
    """Whether a reading takes a share of the present value for one of the whole range: "half of what it is now"."""
    items = found.items
    phrases = (i for own in items for i in own if any(e.iri == _OF_NOW for e in i.entries))
    before = [{one.sort for own in items[: i.start] for one in own if one.end == i.start} for i in phrases]
    shares = any(sorts & _SHARES and Sort.SUPERLATIVE not in sorts for sorts in before)
    if not shares or includes(items, Sort.Leave):
        return False
    amounts = [i.amount for i in candidate.intents if i.amount is not None]
    return not any(amount.of_current or amount.relative for amount in amounts)


def steps_by_a_target(candidate: Candidate, found: Heard) -> bool:
    """Whether a reading changes by a number that something is to come to: "up *to* a target *of 60*"."""
    changed = (i.amount.value for i in candidate.intents if i.amount is not None and i.amount.relative)
    steps = {abs(step) for step in changed if isinstance(step, int | float)}
    if not steps:
        return False
    return not steps.isdisjoint(found.once(_targets))


def _targets(found: Heard) -> set[float | None]:
    """The numbers that something is to come to."""
    return {i.number for place in targets(found.items) for i in found.items[place] if i.sort is Sort.NUMBER}


_OF_NOW = expand("hg:OfThePresent")
_SHARES = {Sort.VALUE, Sort.NUMBER, Sort.GRADABLE}


def loses_a_value(candidate: Candidate, found: Heard) -> bool:
    """Whether a reading takes a word that tells which one for the wanted value, and nothing that it does has it: "the
    *right-hand* one to 75" of two curtains."""
    spans = [(a, b) for a, b, part in candidate.account if part == "value" and b < len(found.items)]
    spans = [(a, b) for a, b in spans if includes((found.items[b],), *_WHICH_ONE)]
    named = ([e for i in found.items[a] if i.end == b and i.sort is Sort.VALUE for e in i.entries] for a, b in spans)
    return any(
        {e.role for e in entries} == {Role.VALUE} and not any(e.iri in repr(candidate.intents) for e in entries)
        for entries in named
    )


_WHICH_ONE = (Sort.One, Sort.NOUN, Sort.PronounOne)


def loses_a_count(candidate: Candidate, found: Heard, context: Context) -> bool:
    """Whether a reading does something to more things than words count: "the *two* fiercest lights to 30"."""
    for count, counted in _counted(found.items):
        for intent, effect in zip(candidate.intents, candidate.effect, strict=False):
            meant = [part for part in parts_of((effect,), context) if is_of(part, counted, context)]
            if intent.selection.limit is None and intent.selection.order is None and len(meant) > count:
                return True
    return False


def _counted(items: Sequence[Sequence[Item]]) -> Iterator[tuple[int, Named]]:
    """How many things of a class words count, with one word between at most."""
    for number in (
        i for own in items for i in own if i.sort is Sort.NUMBER and i.unit is None and i.number is not None
    ):
        for place in (number.end, number.end + 1):
            between = items[number.end : place]
            nouns = items[place] if place < len(items) and not includes(between, *PAUSES, Sort.And) else ()
            for name in names_of(nouns):
                if name.sort == "class" and 1 < (number.number or 0) <= MOST_COUNTED and any(n.plural for n in nouns):
                    yield int(number.number or 0), name


def loses_the_others(candidate: Candidate, found: Heard) -> bool:
    """Whether a reading does only one thing to one set where the words tell of others beside it: "the desk lamp to 40,
    the others off"."""
    items = found.items
    sorts = {i.sort for own in items for i in own}
    within = {n for own in items for i in own if i.sort in (Sort.VERB, Sort.VALUE) for n in range(i.start + 1, i.end)}
    led = (n for n in range(1, len(items)) if n not in within and includes((items[n],), *_OF_OTHERS))
    beside = any(any(i.sort is Sort.NOUN and i.end <= n for own in items[:n] for i in own) for n in led)
    if not beside or not sorts.isdisjoint(_COMPARING) or any(i.selection.minus for i in candidate.intents):
        return False
    return len({i.selection for i in candidate.intents}) == 1


MOST_COUNTED = 12
_OF_OTHERS = (Sort.Other, Sort.Others)
_COMPARING = {Sort.Than, Sort.Leave, Sort.Except, Sort.Excepted, Sort.Not, Sort.SUPERLATIVE, Sort.RELATIVE}


def passes_over_a_denial(candidate: Candidate, found: Heard, context: Context) -> bool:
    """Whether a reading leaves out a word that denies ("it shows *no* presence"), or does not turn a denied deed
    round ("and without swinging")."""
    left = (start for start, end, part in candidate.account if end == start + 1 and part in _UNSAID)
    behind = [(start, found.items[start + 1] if start + 1 < len(found.items) else ()) for start in left]
    said = (start for start, own in behind if not includes((own,), *PAUSES))  # "no, the lamp"
    if any(i.sort in _DENYING and i.length == 1 for start in said for i in found.items[start]):
        return True
    alike = [one for one in found.candidates if one.effect == candidate.effect]
    return not all(any(_denies(one, place, found, context) for one in alike) for place in _denied(found.items))


def _denied(items: Sequence[Sequence[Item]]) -> list[int]:
    """Where a word stands that says that nobody does the thing that follows: "and without swinging", "no swinging"."""
    ends = {i.end for own in items for i in own if i.sort in _DENYING and i.end < len(items)}
    spoken = {i.end for end in ends for i in items[end] if i.sort is Sort.PronounOne and i.end < len(items)}
    return [end - 1 for end in ends | spoken if any(i.sort in _DOING and is_progressive(i.text) for i in items[end])]


def _denies(candidate: Candidate, place: int, found: Heard, context: Context) -> bool:
    """Whether a reading takes a word of denying with all that it denies, or sets that to its opposite or to another of
    its kind: "on heating, not cooling"."""
    denied = {e.iri for i in found.items[place + 1] if i.sort is Sort.VALUE for e in i.entries}
    chosen = {i.amount.value for i in candidate.intents if i.amount is not None and i.amount.measure is Measure.NAMED}
    spelt = context.dictionary.spelt
    kinds = {kind for value in chosen for kind in spelt.get(str(value), ())}
    of_kind = chosen.isdisjoint(denied) and any(kinds & spelt.get(value, frozenset()) for value in denied)
    if of_kind and not candidate.account:
        return True
    for (start, end, part), (_, _, then) in pairwise([*candidate.account, (0, 0, "")]):
        if start <= place < end:
            if of_kind and (part == "aside" or then == "verb"):
                return True
            undone = part == "not" and then in ("value", "test", "sensing") and chosen.isdisjoint(denied)
            return part not in _LEFT if end > place + 1 else undone
    return False


_RANKS = (Sort.Most, Sort.Least, Sort.SUPERLATIVE)
_UNSAID = ("skipped", "loose")
_LEFT = ("skipped", "aside", "loose", "filler")
_DENYING = (Sort.No, Sort.Not, Sort.Without)
_DOING = (Sort.VERB, Sort.VALUE)


def _moves(span: tuple[int, int], candidate: Candidate, found: Heard, context: Context) -> bool:
    """Whether a verb is that something is opened or closed, and nothing that the reading does."""
    verbs = [i for i in found.items[span[0]] if i.end == span[1] and i.sort is Sort.VERB]
    entries = {e for i in verbs for e in i.entries}
    told = bool(entries) and all(e.role is Role.COMMAND for e in entries)
    done = {i.command for i in candidate.intents} & {e.iri for e in entries}
    return told and not done and all(any(x.kind == POSITION for x in context.effects(e.iri)) for e in entries)


POSITION = expand("hg:Position")
_LEADING = (Sort.PauseMark, Sort.StopMark, Sort.And, Sort.Fillers, Sort.Requesting, Sort.Modal, Sort.SpeakerWord)
_NEARLY = 0.5
_SEVERAL = 2
_UNUSED = ("skipped", "aside", "before", "loose")
_ONES = ("pronoun", "before")


def tests_for_an_end(candidate: Candidate, context: Context) -> bool:
    """Whether a reading tests whether something measured is at its lowest or highest, which nothing here has: a room
    "with the lowest temperature" is the first of a ranking."""
    selects = [i.selection for i in candidate.intents]
    tests = [t for s in selects for t in (*s.tests, *(t for room in s.rooms for t in room.has.tests))]
    named = {
        one.kind
        for test in tests
        for one in test.conditions
        if one.amount is not None and one.amount.value in ENDS and one.amount.measure is Measure.NAMED
    }
    if not named:
        return False
    known = [p for t in context.registry.things.values() for p in t.properties]
    ended = {k for p in known if p.schema.minimum is not None or p.schema.enum for k in p.kinds}
    return any(not any(akin(kind, k, context) for k in ended) for kind in named)


def is_out_of_range(candidate: Candidate, found: Heard, context: Context) -> bool:
    """Whether a reading sets a thing to a bare number that it cannot have, and another has the number for a property
    that can be so."""
    wrong = [i for i in candidate.intents if _fits(i, context) is False]
    return any(
        other.account and any(_fits(i, context) and i.amount == one.amount and _same(i, one) for i in other.intents)
        for one in wrong
        for other in found.candidates
    )


def _same(first: Intent, second: Intent) -> bool:
    return first.selection == second.selection


def _fits(intent: Intent, context: Context) -> bool | None:
    """Whether some thing that is named can have a property at a bare number; None where that is not said."""
    amount = intent.amount
    bare = amount is not None and amount.measure is Measure.NUMBER and amount.unit is None and not amount.relative
    if amount is None or not bare or intent.property is None or not isinstance(amount.value, int | float):
        return None
    ends = list(_ends(intent, context))
    return any(low <= amount.value <= high for low, high in ends) if ends else None


def _ends(intent: Intent, context: Context) -> Iterator[tuple[float, float]]:
    """From where to where the things that are named can have a property."""
    known, is_a = context.registry.things, context.vocabulary.is_a
    for thing in (known[iri] for iri in intent.selection.things if iri in known):
        for one in thing.properties:
            low, high = one.schema.minimum, one.schema.maximum
            if low is not None and high is not None and any(is_a(k, intent.property or "") for k in one.kinds):
                yield low, high


def is_misread(candidate: Candidate, found: Heard) -> bool:
    """Whether an account of a text passes over the time or the end that something is for, breaks a mark of repair, ends
    with a word that something follows, or would have one thing two ways at once. A reading without an account does if
    all do that come to the same."""
    if not candidate.account:
        alike = found.alike(candidate)
        return loses_a_bound(candidate, found) or (bool(alike) and all(is_misread(one, found) for one in alike))
    parts = [part for _, _, part in candidate.account if part not in ("joint", "filler")]
    return parts[-1:] == ["that"] or is_torn(candidate, found) or _contradicts(candidate)


def _contradicts(candidate: Candidate) -> bool:
    """Whether a reading would set the same of the same to two values at once."""
    set_to: dict[object, Amount] = {}
    for intent in candidate.intents:
        amount = intent.amount
        if intent.fault or intent.timing or intent.rule or intent.query or amount is None or amount.relative:
            continue
        if set_to.setdefault((intent.selection.things or intent.selection, intent.property), amount) != amount:
            return True
    return False


def is_in_another_unit(candidate: Candidate, found: Heard, context: Context) -> bool:
    """Whether a reading changes a property without such a unit, and one that is likelier, or nearly as likely, has the
    same amount for another: ten centimetres are for the arm, not for the suction."""
    wrong = [i.amount for i in candidate.intents if _has_unit(i, candidate, context) is False]
    others = [one for one in found.candidates if one.score > candidate.score - _NEARLY] if wrong else []
    return any(
        any(i.amount == amount and _has_unit(i, other, context) is not False for i in other.intents)
        for amount in wrong
        for other in others
    )


def _has_unit(intent: Intent, candidate: Candidate, context: Context) -> bool | None:
    """Whether some part that is meant has the property in a unit like that of the amount; None where none is said."""
    amount, vocabulary = intent.amount, context.vocabulary
    unit = canonical(amount.unit, vocabulary) if amount is not None and not amount.steps else None
    if unit is None or unit in FREE or unit == PERCENT or intent.property is None:
        return None
    own = [
        canonical(one.schema.unit, vocabulary)
        for part in parts_of(candidate.effect, context)
        for one in context.registry.thing_of[part].properties
        if any(vocabulary.is_a(kind, intent.property) for kind in one.kinds)
    ]
    return any(one is not None and comparable(unit, one, vocabulary) for one in own) if own else None


_ALL_THERE_IS = (Sort.Everything, Sort.Anything, Sort.Everywhere, Sort.Here, Sort.There)


def is_unfounded(candidate: Candidate, found: Heard, context: Context) -> bool:
    """Whether a reading acts on everything, or on nothing that anybody named."""
    words = function_words(context.store)
    empty = {t.text for t in found.tokens if {e.iri for m in words.trie.at([t], 0) for e in m.entries} - _TELLING}
    says = any(t.kind is TokenKind.WORD and t.text not in empty and not _is_light(t, context) for t in found.tokens)
    if not says or found.once(_says_only_where):
        guessed = any(i.category is Category.IMPLICIT for i in candidate.intents)
        return guessed and not context.past.turns and not names_situation(found.tokens, context)
    every = [
        i
        for i in candidate.intents
        if i.category is Category.EXPLICIT
        and i.affordance is None
        and i.fault is None
        and replace(i.selection, classes=(), minus=()) == Select(quantity=i.selection.quantity)
        and i.selection.classes in ((), (DEVICE,))
    ]
    return any(i.selection.quantity is Quantity.ALL for i in every) and not found.once(_names_all)


def _names_all(found: Heard) -> bool:
    """Whether words are for all there is, here or there; "all of *them*" are those that were spoken of."""
    several = {n + 1 for n, own in enumerate(found.items) if includes((own,), Sort.PronounSeveral)}
    return any(i.sort in _ALL_THERE_IS and i.end not in several for own in found.items for i in own)


_TELLING = {Sort.Nothing.value}
_BESIDE_PLACES = (
    Sort.And, Sort.In, Sort.Of, Sort.Definite, Sort.Added, Sort.Requesting, Sort.Fillers, Sort.PauseMark, Sort.StopMark
)  # fmt: skip


def _says_only_where(found: Heard) -> bool:
    """Whether words name a room, and say nothing else: "and in the kitchen", "bedroom please"."""
    own = list(longest(found.items, range(len(found.items)), lambda item: item.sort in (Sort.PLACE, *_BESIDE_PLACES)))
    return sum(i.length for i in own) == len(found.items) and includes(found.items, Sort.PLACE)


def is_guessed(candidate: Candidate, found: Heard, context: Context) -> bool:
    """Whether a text that names a thing, or a command of several words, is only near in meaning to a wish, of which no
    word tells: "photograph the lamp", "let's do the dishes"."""
    wishes = [i.selection for i in candidate.intents if i.category is Category.IMPLICIT]
    told = candidate.features.get("wish:told", 0.0) or names_situation(found.tokens, context)
    if told or not wishes:
        return False
    named = includes(found.items, Sort.NOUN) and any(one.things or one.classes for one in wishes)
    said = (i for own in found.items for i in own if i.sort is Sort.VERB and i.length > 1)
    return named or any(i.having(Role.COMMAND) for i in said)


def _is_light(token: Token, context: Context) -> bool:
    """Whether a word is a verb that says nothing by itself: "make", "set"."""
    entries = {e.role for m in context.dictionary.lexicon.at([token], 0) for e in m.entries}
    return Role.LIGHT_VERB in entries


def leaves_most(best: Candidate, earlier: Candidate, found: Heard, context: Context) -> bool:
    """Whether a reading leaves out the thing, of which the earlier reader says that there is none, the programme among
    other words, or most words."""
    left = left_out(best.features)
    none_such = any(i.fault == "no_such_device" for i in earlier.intents) or loses_an_option(best, found, context)
    return (left > MOST_LEFT_OUT and none_such) or left > len(
        found.tokens
    ) / 2  # "colourless green ideas sleep furiously"
