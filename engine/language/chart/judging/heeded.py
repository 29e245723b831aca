"""Whether a reading heeds what a text denies, only tells or asks: no such words are taken apart, or passed over."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from engine.graph.terms import expand
from engine.language.chart.heard.items import PAUSES, FunctionWords, Item, Sort, clauses, includes
from engine.language.chart.heard.statements import deeds_of_speaker
from engine.language.chart.joining.contents import COOKING, heats_food
from engine.language.chart.joining.function import BUT
from engine.language.chart.joining.lessening import FROM, TAKE
from engine.language.chart.judging.confidence import acts, is_switched_off, left_out, puts_out
from engine.language.chart.judging.lost import named, parts_of
from engine.language.chart.judging.reader import Candidate, Heard
from engine.language.chart.judging.spared import DETERMINERS, bounds
from engine.language.chart.judging.telling import only_asks
from engine.language.meanings.context import Context
from engine.language.meanings.names import words_of
from engine.language.words.lexicon import Role
from engine.language.words.morphology import is_progressive, singular
from engine.language.words.tokens import Token
from engine.model.intent import Amount, Asks, Category, Intent, Measure, Operation
from engine.model.selection import Quantity

_OPERATING = (Sort.Not, Sort.Pondering, Sort.Reporting)
_ASKS, _WHETHER = (Sort.What, Sort.Picking), (Sort.Whether, Sort.If)
_COURTEOUS = ("request", "modal", "filler", "loose", "speaker")
_OF_EXCEPTING = {"request", "modal", "speaker", "joint", "not", "except", "preposition", "before", "pronoun", "only",
                 "filler", "leave"}  # fmt: skip
_OF_A_STATE = {"not", "preposition", "test"}
_POWER, _DEVICE, _PRESENT = expand("hg:Power"), expand("hg:Device"), expand("hg:OfThePresent")
_ORDERS = frozenset({Role.COMMAND, Role.LIGHT_VERB})
_DENYING = (Sort.Not, Sort.No, Sort.Without)
_POINTS = (Sort.PronounOne, Sort.PronounSeveral)
_BEFORE = (Sort.PauseMark, Sort.StopMark, Sort.And, Sort.Fillers)
_SET = ("before", "value")
_START = expand("hg:Start")
_LEFT = ("skipped", "aside", "loose", "filler")


def heeds(candidate: Candidate, found: Heard) -> bool:
    """Whether a reading that acts takes each phrase whole that says that something is not ordered, and asks what the
    text tells it to find out. A reading without an account does if one with its effect does."""
    if found.once(_asks_whether) and not any(i.category in (Category.CHECK, Category.RULE) for i in candidate.intents):
        return False
    told = found.once(only_asks) or _is_done_by_speaker(candidate, found)
    if told or _misses(candidate, found) or _orders_nothing(candidate, found):
        return False
    if found.once(_rooms_lack) and not any(r.negated for i in candidate.intents for r in i.selection.rooms):
        return False
    if found.once(_wants_another) and all(i.fault is None for i in candidate.intents):
        return False
    if "old" in candidate.features and _is_of_hosts(candidate, found):
        return False
    if candidate.features.get("lost:class") and _is_taken_by_another(candidate, found):
        return False
    sets_less = found.once(_takes_from) and any(i.operation is Operation.SET for i in candidate.intents)
    sets_less = sets_less or _sets_a_change(candidate, found)
    if sets_less or (heats_food(found.items) and all(i.command != COOKING.iri for i in candidate.intents)):
        return False
    waits = any(i.rule is not None or i.timing is not None for i in candidate.intents)
    if (found.once(_depends) and not waits) or _goes_on(candidate, found) or _undoes_itself(candidate, found):
        return False
    phrases = found.once(_operators)
    alike = [one for one in found.candidates if one.effect == candidate.effect]
    if not _restricts(alike, found):
        return False
    return not phrases or any(_takes(one, phrases) and _has_more(one, phrases) for one in alike)


def _is_done_by_speaker(candidate: Candidate, found: Heard) -> bool:
    """Whether a reading orders a thing that the speaker says to do themselves: "I've already put it on high", "I'll
    open the blinds later". Where no other clause may order anything, it has to be passed over as an aside."""
    if all(i.category is Category.IMPLICIT for i in candidate.intents):
        return False  # "I shiver" is a wish
    done = found.once(_deeds_of_speaker)
    if not done:
        return False
    verbs = {deed.start for deed in done if deed.sort is Sort.VERB}
    if any(start in verbs and part in _ORDERED for start, _, part in candidate.account):
        return True
    deeds = {place for deed in done for place in range(deed.start, deed.end)}
    free = [place for clause in clauses(found.items) for place in clause if deeds.isdisjoint(clause)]
    sorts = [{i.sort for i in found.items[place]} for place in range(len(found.items)) if place not in deeds]
    ordered = any(Sort.VERB in own and own.isdisjoint((Sort.PARTICLE, Sort.NOUN)) for own in sorts)
    return not ordered and not any(i.sort in _TOLD for place in free for i in found.items[place])


def _deeds_of_speaker(found: Heard) -> list[Item]:
    return list(deeds_of_speaker(found.items))


_ORDERED = ("verb", "value", "change", "copula")
_TOLD = (Sort.VERB, Sort.VALUE, Sort.NUMBER)


def _takes_from(found: Heard) -> bool:
    """Whether so much less is wanted: "take ten from the lamps", "take ten away from them"."""
    tokens = found.tokens
    numbers = (i for own in found.items[1:] for i in own if i.sort is Sort.NUMBER and i.end < len(tokens))
    verbs = {i.end for own in found.items for i in own if i.sort is Sort.VERB}  # "remove ten from it"
    taken = (i for i in numbers if tokens[i.start - 1].text == TAKE or i.start in verbs)
    return any(
        one.end > i.end and tokens[one.end - 1].text == FROM
        for i in taken
        for one in found.items[i.end]
        if one.sort is Sort.Taken
    )


def _sets_a_change(candidate: Candidate, found: Heard) -> bool:
    """Whether a reading sets something to a number by which it shall change, or changes it by another: "another
    fifteen", "plus ten", "…, down ten", "ten *higher than now*"."""
    by = found.once(_changes)
    numbers = [i.amount for i in candidate.intents if i.amount is not None and _is(i, Measure.NUMBER)]
    if not by or any(not how.relative and how.value in by for how in numbers):
        return bool(by)
    stepped = {abs(how.value) for how in numbers if how.relative and isinstance(how.value, int | float)}
    return bool(stepped) and stepped.isdisjoint(by)


def _changes(found: Heard) -> set[float | None]:
    """The numbers by which something shall change."""
    items = found.items
    ends = {i.end for own in items for i in own if i.sort is Sort.By or _is_sign(i, own)}
    paused = (own for before, own in pairwise(items) if includes((before,), Sort.PauseMark))
    ends |= {i.end for own in paused for i in own if i.sort in (Sort.Upwards, Sort.Downwards)}
    ends |= {i.end for own in items for i in own if i.sort is Sort.Downwards and i.text == "back"}
    relatives = {i.end for own in items for i in own if i.sort is Sort.RELATIVE}  # "an increase *of* ten"
    ends |= {i.end for own in items for i in own if i.sort is Sort.Of and i.start in relatives}
    numbers = (i for own in items if not includes((own,), Sort.DURATION) for i in own if i.sort is Sort.NUMBER)
    return {n.number for n in numbers if n.start in ends or _is_difference(n, items)}


def _is_difference(number: Item, items: Sequence[Sequence[Item]]) -> bool:
    """Whether a comparison follows a number: "ten *lower*", "ten *above what it is now*"."""
    own = items[number.end] if number.end < len(items) else ()
    if includes((own,), Sort.NOUN) or includes((items[number.start],), Sort.One):
        return False  # "at 20 cooler off", "take each *one* down"
    ends = {i.end for i in own if i.sort in (Sort.Above, Sort.Below) and i.end < len(items)}
    present = any(e.iri == _PRESENT for end in ends for i in items[end] for e in i.entries)
    ways = {i.end for i in own if i.sort in (Sort.RELATIVE, Sort.Upwards, Sort.Downwards)}
    return present or any(not includes(items[end : end + 1], Sort.To) for end in ways)  # not "20 up to 25"


def _goes_on(candidate: Candidate, found: Heard) -> bool:
    """Whether a reading takes the state that tells which things are meant of an order for a further order: "pause the
    speakers playing"."""
    verbs = (max(own, key=lambda i: i.length) for own in found.items if includes((own,), Sort.VERB))
    first = next(verbs, None)
    if first is None or first.sort is not Sort.VERB or {e.role for e in first.entries} != {Role.COMMAND}:
        return False
    if any(e.iri == _START for e in first.entries):  # "start the oven preheating"
        return False
    if not candidate.account:  # the earlier reader's
        return any("test:participle" in c.features and c.effect != candidate.effect for c in found.candidates)
    parts = list(pairwise(candidate.account))
    left = any(start == first.start and part == "skipped" for start, _, part in candidate.account)
    anew = (*_SET, "verb") if left else _SET
    behind = (found.tokens[start].text for (_, _, one), (start, _, part) in parts if one == "noun" and part in anew)
    return any(map(is_progressive, behind))


def _undoes_itself(candidate: Candidate, found: Heard) -> bool:
    """Whether a reading switches off the things that it sets, where a pronoun points to those that are so, and nothing
    before it orders: "no more fans on high, turn those off"."""
    bounds = [n for n, own in enumerate(found.items) if includes((own,), *PAUSES)]
    if not bounds or not found.items[bounds[0] + 1 :]:
        return False
    first, behind = found.items[: bounds[0]], found.items[bounds[0] + 1 :]
    denied = {i.end for own in first for i in own if i.sort in _DENYING}
    verbs = (i for own in first for i in own if i.sort is Sort.VERB and i.start not in denied)
    ordered = any(e.role in _ORDERS for i in verbs for e in i.entries)
    points = includes(behind, *_POINTS)
    if ordered or not points:
        return False
    off = [i.selection for i in candidate.intents if puts_out(i)]
    return any(i.selection in off and i.property not in (None, _POWER) for i in candidate.intents)


def _is_sign(item: Item, own: Sequence[Item]) -> bool:
    """Whether a word for more or less can be nothing else, as before a number that ends the text."""
    return item.sort in (Sort.Upwards, Sort.Downwards) and all(i.sort in (Sort.Upwards, Sort.Downwards) for i in own)


def passes_over_a_name(best: Candidate, found: Heard, context: Context) -> bool:
    """Whether a word of the home's own names is left out, and nothing that is acted on has it in its name: it may have
    been meant."""
    if "skip:name" not in best.features:
        return False
    left = (t.text for start, end, part in best.account if part == "skipped" for t in found.tokens[start:end])
    names = {singular(word) for word in left if context.dictionary.lexicon.names(word)}
    things = {context.registry.thing_of[part] for part in parts_of(best.effect, context)}
    return any(all(name not in words_of(thing, context) for thing in things) for name in names)


_THANKING = {"filler", "repair", "skipped"}


def is_said_of_doing(best: Candidate, found: Heard) -> bool:
    """Whether something is said of doing something: "turning on the oven is dangerous", "thanks for opening it"."""
    verb = next((n for n, (_, _, part) in enumerate(best.account) if part == "verb"), None)
    if verb is None or not is_progressive(found.tokens[best.account[verb][0]].text):
        return False
    before = [part for _, _, part in best.account[:verb]]
    thanks = before[-1:] == ["preposition"] and {*before[:-1]} <= _THANKING and len(before) > 1
    return thanks or (not before and any(part == "copula" for _, _, part in best.account))


def passes_over_its_object(best: Candidate) -> bool:
    """Whether words right behind an article are left out of an order that names nothing else: “start the disco”."""
    behind = any(a[2] == "before" and b[2] == "skipped" and a[1] == b[0] for a, b in pairwise(best.account))
    named = (i.selection.classes or i.selection.things or i.selection.places or i.property for i in best.intents)
    return behind and not all(named)


def _orders_nothing(candidate: Candidate, found: Heard) -> bool:
    """Whether a reading orders of something what is said of nothing: "nothing in the study may stay on"."""
    ordered = any(i.category is Category.EXPLICIT and i.fault is None for i in candidate.intents)
    return ordered and found.once(_begins_with_nothing)


def _begins_with_nothing(found: Heard) -> bool:
    begun = [n for n in range(len(found.items)) if n == 0 or includes((found.items[n - 1],), *_BEFORE)]
    first = (max(found.items[n], key=lambda i: i.length, default=None) for n in begun)
    return any(one is not None and one.sort is Sort.Nothing for one in first)


def mistakes(candidate: Candidate, found: Heard) -> bool:
    """Whether a reading asks what is told not to be done: "do not turn on the lamp"."""
    asks = any(i.category is Category.CHECK for i in candidate.intents)
    if not asks or not candidate.account or found.tokens[-1].text == "?":
        return False
    return not _takes(candidate, found.once(_operators))


def may_tell(candidate: Candidate, found: Heard) -> bool:
    """Whether a reading that does nothing asks no order, and heeds how the things are that it asks for."""
    alike = found.alike(candidate)
    passes = bool(alike) and all(_passes_over_a_state(c, found) for c in alike)
    return not (passes or mistakes(candidate, found))


def _passes_over_a_state(candidate: Candidate, found: Heard) -> bool:
    """Whether a question for things leaves out, behind their noun, how they are: "the lights that aren't on"."""
    listed = any(i.query is not None and i.query.asks in (Asks.LIST, Asks.COUNT) for i in candidate.intents)
    behind = (one for (_, _, part), one in pairwise(candidate.account) if part in ("noun", "not", "copula"))
    left = (start for start, end, part in behind if part == "loose" and end == start + 1)
    return listed and any(_is_state(found.items[start]) for start in left)


def _is_state(own: Sequence[Item]) -> bool:
    return any(i.sort is Sort.VALUE and i.length == 1 and i.having(Role.STATE) for i in own)


def ponders(tokens: Sequence[Token], words: FunctionWords) -> bool:
    """Whether something is only thought about, so that "if" in it is no condition: "if only somebody would …"."""
    begun = (match for place in range(len(tokens)) for match in words.trie.at(tokens, place))
    return any(e.iri == Sort.Pondering.value for match in begun for e in match.entries)


def _has_more(candidate: Candidate, phrases: Sequence[tuple[int, int]]) -> bool:
    """Whether a reading has another clause than the one that is not ordered, or takes that for "none"."""
    parts = {(start, end): part for start, end, part in candidate.account}
    return "joint" in parts.values() or all(parts.get(phrase) == "before" for phrase in phrases)


def _operators(found: Heard) -> list[tuple[int, int]]:
    return operators(found.items)


def operators(items: Sequence[Sequence[Item]], sorts: Sequence[Sort] = _OPERATING) -> list[tuple[int, int]]:
    """Where phrases of several words stand that say of what follows that it is not ordered, the longest of those."""
    found: list[tuple[int, int]] = []
    for own in items:
        end = max((i.end for i in own if i.sort in sorts and i.length > 1 and _orders(i, items)), default=0)
        start = own[0].start if own else 0
        if end > (found[-1][1] if found else 0):
            found.append((start, end))
    return found


def _does_the_denied(candidate: Candidate) -> bool:
    """Whether a reading does with a second verb a thing that is denied with the first: "don't open up the
    blinds"."""
    parts = [part for _, _, part in candidate.account]
    last = max((n for n, part in enumerate(parts) if part == "not"), default=len(parts))
    return parts[last + 1 : last + 3] == ["verb", "verb"] and "joint" not in parts[last:] and acts(candidate)


def _restricts(alike: Sequence[Candidate], found: Heard) -> bool:
    """Whether readings of one effect take words of leaving alone and of comparing whole."""
    left = found.once(_restrictions)
    return not left or any(_takes(one, left) for one in alike)


def _restrictions(found: Heard) -> list[tuple[int, int]]:
    return [*operators(found.items, (Sort.Except,)), *_comparisons(found.items)]


def _wants_another(found: Heard) -> bool:
    """Whether a property shall be another than it is, and nobody said which: "in another colour"."""
    ends = (i.end for own in found.items for i in own if i.sort is Sort.Different and i.end < len(found.items))
    return any(i.sort is Sort.KIND for end in ends for i in found.items[end])


def _comparisons(items: Sequence[Sequence[Item]]) -> list[tuple[int, int]]:
    """Where words of comparing stand that can be nothing else: "than", not "then"."""
    return [(own[0].start, own[0].end) for own in items if {i.sort for i in own} - {Sort.WORD} == {Sort.Than}]


def _orders(phrase: Item, items: Sequence[Sequence[Item]]) -> bool:
    """Whether what follows a phrase would be an order: "but not the kitchen light" is none."""
    behind = items[phrase.end] if phrase.end < len(items) else ()
    return phrase.sort is not Sort.Not or includes((behind,), Sort.VERB)


def _takes(candidate: Candidate, phrases: Sequence[tuple[int, int]]) -> bool:
    return all(_is_whole(candidate, first, last) for first, last in phrases)


def _is_whole(candidate: Candidate, first: int, last: int) -> bool:
    """Whether a phrase is taken as one, or by a "not" with nothing but courtesy before it; or a joint, where it leaves
    something out."""
    inside = [(start, end, part) for start, end, part in candidate.account if start < last and first < end]
    if len(inside) == 1:
        return inside[0][2] not in _LEFT
    if any(part == "except" for _, _, part in inside):
        return True  # "everything *but* the hall light"
    if not inside:
        return False
    *before, (_, end, part) = inside
    behind = next((then for start, _, then in candidate.account if start == last), "")
    courteous = (*_COURTEOUS, "joint") if behind == "test" else _COURTEOUS  # "that is on but not swinging"
    if end == last and all(one[2] in courteous for one in before):
        return part == "not"
    parts = [one[2] for one in inside]
    if parts[0] == "not" and "test" in (parts[-1], behind) and _OF_A_STATE.issuperset(parts):
        return True  # "any vacuum not in standby"
    return _OF_EXCEPTING.issuperset(parts) and any(i.selection.minus for i in candidate.intents)


def picks_one(found: Heard) -> bool:
    """Whether some one of several is named, and left open which: "one of the lamps"."""
    items = found.items
    every = {i.end for own in items for i in own if i.sort is Sort.Every}  # "every one of them"
    of_some = (i for own in items for i in own if i.sort is Sort.Indefinite and i.start not in every)
    if any(i.length > 2 and i.text.startswith("one ") for i in of_some):
        return True  # "one pair of curtains"
    for place, own in enumerate(items):
        for one in (
            i for i in own if i.number == 1 and i.unit is None and i.end < len(items) - 1 and place not in every
        ):
            several = items[one.end + 1]
            if includes((items[one.end],), Sort.Of) and includes((several,), *DETERMINERS):
                return True
    return False


def _misses(candidate: Candidate, found: Heard) -> bool:
    """Whether a reading takes all of "one of the lamps", does a denied thing, or takes a count of things for a value or
    "ten off" for off at ten."""
    several = (found.once(picks_one) and not _has_one(candidate)) or found.once(_leaves_some)
    several = several or _does_the_denied(candidate) or _leaves_nothing(candidate, found)
    several = several or _counts_one(candidate, found) or _likens(candidate, found)
    several = several or _steps_to_a_level(candidate, found) or _adds_nothing(candidate) or _sets_to_a_bound(candidate)
    return (
        several or _contradicts(candidate, found) or _is_of_counted(candidate, found) or _takes_twice(candidate, found)
    )


def _adds_nothing(candidate: Candidate) -> bool:
    """Whether a reading does only one thing in one place of a text that names more of it behind a value: "all blinds to
    40, the awning on the terrace too"."""
    parts = [part for _, _, part in candidate.account]
    last = max((n for n, part in enumerate(parts) if part == "added"), default=0)
    joint = max((n for n, part in enumerate(parts[:last]) if part == "joint"), default=0)
    more = {"noun", "place", "skipped"} & {*parts[joint + 1 : last]} and {"value", "verb"} & {*parts[:joint]}
    several = [i.selection for i in candidate.intents if i.fault is None]
    one = len(several) == 1 and all(len(names) < 2 for s in several for names in (s.things, s.places, s.classes))
    return bool(joint and more and one)


def _counts_one(candidate: Candidate, found: Heard) -> bool:
    """Whether a reading sets something to 1 where "one" only stands for a thing: "make that one purple"."""
    said = any(one.number == 1 for one in found.named) or not any(t.text == "one" for t in found.tokens)
    return not said and any(_is(i, Measure.NUMBER, value=1) for i in candidate.intents)


def _likens(candidate: Candidate, found: Heard) -> bool:
    """Whether a reading guesses at a wish where it is said that something shall be the same as something else."""
    same = includes(found.items, Sort.Same)
    return same and any(i.category is Category.IMPLICIT and i.fault is None for i in candidate.intents)


def _leaves_some(found: Heard) -> bool:
    """Whether a number of all is left out, and nobody said which: "all the lights but one"."""
    items = found.items
    for n in (n for n in range(1, len(items) - 1) if found.tokens[n].text == BUT):
        behind = any(i.sort is Sort.NOUN and i.end == n for own in items[:n] for i in own)
        ends = (i.end for i in items[n + 1] if i.sort in (Sort.NUMBER, Sort.One))
        if behind and any(e == len(items) or bounds(items[e]) for e in ends):
            return True
    return False


def _sets_to_a_bound(candidate: Candidate) -> bool:
    """Whether a reading sets something to a number that it is only compared with: "those that are brighter than 60"."""
    parts = [part for _, _, part in candidate.account]
    return any(parts[n : n + 4] == ["copula", "relation", "than", "value"] for n in range(len(parts)))


def _steps_to_a_level(candidate: Candidate, found: Heard) -> bool:
    """Whether a reading passes over the "at" or "to" before a number and changes something by that: "down at
    twenty"."""
    told = (i.amount.value for i in candidate.intents if i.amount is not None and _is_step(i.amount))
    stepped = {abs(value) for value in told if isinstance(value, int | float)}
    for (start, _, part), (place, end, then) in pairwise(candidate.account):
        level = part == "loose" and found.tokens[start].text in _LEVELLED and then == "value"
        if level and any(i.number in stepped and i.end == end for i in found.items[place]):
            return True
    return False


_LEVELLED = frozenset({"at", "to"})


def _is_step(amount: Amount) -> bool:
    return amount.relative and amount.measure is Measure.NUMBER


def _leaves_nothing(candidate: Candidate, found: Heard) -> bool:
    """Whether a reading passes over "leave" where nothing says how something shall be left: "leave the lamps.
    …"."""
    for n, (start, _, part) in enumerate(candidate.account):
        if part == "loose" and includes((found.items[start],), Sort.Leave):
            rest = candidate.account[n:]
            end = next((m for m, one in enumerate(rest) if one[2] == "joint"), len(rest))
            if not any(_says_how(*one, found) for one in rest[:end]):
                return True
    return False


def _says_how(start: int, end: int, part: str, found: Heard) -> bool:
    """Whether words are taken as a value, or as a verb, and not as how a thing stands."""
    return part != "test" and any(i.sort in _DOING_OR_SO and i.end == end for i in found.items[start])


_DOING_OR_SO = (Sort.VALUE, Sort.VERB, Sort.NUMBER)


def _takes_twice(candidate: Candidate, found: Heard) -> bool:
    """Whether a word right before a value is a mode for a reading that sets the property, too, which that word is:
    "24 with fan high" asks for no mode in which there is only the fan."""
    set_to = {i.property for i in candidate.intents}
    named = {i.amount.value for i in candidate.intents if i.amount is not None and _is(i, Measure.NAMED)}
    for own in found.items:
        for kind in (i for i in own if i.sort is Sort.KIND and set_to & _terms(i)):
            modes = {iri for i in own if i.sort is Sort.VALUE and i.end == kind.end for iri in _terms(i)}
            behind = found.items[kind.end] if kind.end < len(found.items) else ()
            if modes & named and includes((behind,), Sort.VALUE):
                return True
    return False


def _contradicts(candidate: Candidate, found: Heard) -> bool:
    """Whether a reading switches off something that it sets to a number which was said: "another ten off" is less by
    ten."""
    off = [i.selection for i in candidate.intents if is_switched_off(i)]
    levels = (i.amount for i in candidate.intents if i.selection in off and _is(i, Measure.NUMBER))
    said = {abs(one.number) for one in named(found.items) if one.number is not None} if off else set()
    return any(how is not None and isinstance(how.value, int | float) and abs(how.value) in said for how in levels)


def _is_of_counted(candidate: Candidate, found: Heard) -> bool:
    """Whether a reading sets something to a number that says how many things: "two things: …"."""
    counted = {
        float(one.number)
        for own, behind in pairwise(found.items)
        for one in own
        if one.number is not None and any(i.sort is Sort.NOUN and _DEVICE in _terms(i) for i in behind)
    }
    numbers = (i.amount.value for i in candidate.intents if i.amount is not None and _is(i, Measure.NUMBER))
    return any(value in counted for value in numbers)


def _terms(item: Item) -> set[str]:
    return {entry.iri for entry in item.entries}


def _is(intent: Intent, measure: Measure, *, value: object = None) -> bool:
    amount = intent.amount
    return amount is not None and amount.measure is measure and (value is None or amount.value == value)


def _has_one(candidate: Candidate) -> bool:
    """Whether some goal of a reading is about one thing, or about those that something is so of."""
    return any(
        i.selection.quantity is Quantity.ONE or i.selection.tests or i.selection.order is not None
        for i in candidate.intents
    )


def _asks_whether(found: Heard) -> bool:
    """Whether the text says to find out whether something is so: "… and tell me whether the door is locked"."""
    told = {i.end for own in found.items for i in own if i.sort is Sort.NOUN}  # "the lamps *which* aren't on"
    ends = (end for end in _asked(found.items) if end < len(found.items) and end - 1 not in told)
    return any(_is_whether({i.sort for i in found.items[end]}) for end in ends)


def _rooms_lack(found: Heard) -> bool:
    """Whether rooms are meant that have no such thing: "in rooms without a blind"."""
    items = found.items
    ends = {i.end for own in items for i in own if i.sort is Sort.PLACE}
    return any(i.sort is Sort.Without and i.start in ends for own in items for i in own)


def _is_of_hosts(candidate: Candidate, found: Heard) -> bool:
    """Whether a reading without an account acts on a thing that only tells which rooms are meant, by the likeliest
    reading that takes every word: "in rooms with a television or a washer turn on the light"."""
    acted = {iri for i in candidate.intents for iri in (*i.selection.classes, *i.selection.things)}
    for other in found.candidates:
        if other.account and not left_out(other.features) and "aside" not in other.features:
            spans = [(start, end) for start, end, part in other.account if part == "host"]
            meant = (i for s, end in spans for i in found.items[s] if i.end == end and i.sort is Sort.NOUN)
            hosts = {e.iri for i in meant for e in i.entries}
            own = {iri for i in other.intents for iri in (*i.selection.classes, *i.selection.things)}
            return bool(acted & hosts - own)
    return False


def _is_taken_by_another(candidate: Candidate, found: Heard, much: float = 3.0) -> bool:
    """Whether a reading that loses a device stands beside one of the same things that loses nothing that was said, and
    is not so `much` less likely: of "aircon fan to high", the one that sets the aircon's warmth."""
    acted = {i.selection for i in candidate.intents}
    return any(
        other.account
        and other.intents
        and all(i.fault is None for i in other.intents)
        and not any(name.startswith(("lost:", "aside", "home:no", "home:act:lacks")) for name in other.features)
        and not left_out(other.features)
        and {i.selection for i in other.intents} == acted
        and other.score > candidate.score - much
        for other in found.candidates
    )


def _depends(found: Heard) -> bool:
    """Whether it shall be done as long as some thing of the home is so: "… while the window is open"."""
    items = found.items
    for own in items:
        for end in (i.end for i in own if i.sort is Sort.AtTheTime):
            while end < len(items) and any(i.sort in (Sort.Definite, Sort.Every, Sort.PLACE) for i in items[end]):
                end = max(i.end for i in items[end] if i.sort in (Sort.Definite, Sort.Every, Sort.PLACE))
            named = any(i.sort in (Sort.NOUN, Sort.KIND) for i in items[end]) if end < len(items) else False
            if named and any(i.sort is Sort.Being for some in items[end:] for i in some):
                return True
    return False


def _is_whether(sorts: set[Sort]) -> bool:
    """Whether a word only introduces what is asked, and is no verb."""
    return bool(sorts & set(_WHETHER)) and Sort.Being not in sorts


def _asked(items: Sequence[Sequence[Item]]) -> Iterator[int]:
    """Where words of asking end that are no part of a longer filler: "what do you call it" asks for nothing."""
    for own in items:
        said = max((i.end for i in own if i.sort is Sort.Fillers), default=0)
        yield from (i.end for i in own if i.sort in _ASKS and i.end >= said)
