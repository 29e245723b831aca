"""What somebody wants of the home, as goals: clause after clause, each read by the reader of requests."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from engine.graph.terms import expand
from engine.language.meanings.context import Context
from engine.language.words.lexicon import Role
from engine.language.words.tokens import TokenKind
from engine.memory.said.words import Sentence, read
from engine.model.intent import Amount, Category, Intent, Measure, Operation
from engine.model.thing import Thing

Reader = Callable[[str], tuple[Intent, ...]]
"""Reads a text as an order: its intents, faulty ones among them; whoever reads requests can be put in its place."""

_JOINTS = frozenset({",", ";", "and", "with", "plus", "but", "while", "then", "also"})
_DETERMINERS = frozenset(
    {"the", "a", "an", "my", "our", "his", "her", "their", "its", "all", "every", "both", "any", "no"}
)
_OWNERS = frozenset({"his", "her", "their", "its"})
_POWER = expand("hg:Power")
_TARGET, _MODE = expand("hg:TargetTemperature"), expand("hg:AcMode")
_MODES = (expand("hg:HeatMode"), expand("hg:CoolMode"))
_OPENINGS = ("", "make ", "set ", "turn ")


def goals_of(
    text: str,
    reader: Reader,
    context: Context,
    owner: str = "",
    about: str = "",
    places: tuple[str, ...] = (),
    *,
    used: bool = False,
) -> tuple[Intent, ...]:
    """The goals that a text says shall hold; none where it says none that can be kept. `owner` is the word for those
    whose things "their" things are, `about` what is spoken of before anything is said of it, `places` where it is meant
    until another place is named; what is `used` is on."""
    found: list[Intent] = []
    near = places
    for clause in _clauses(read(text, context), owner, about):
        own = _read(clause, reader, context) or (_read(f"turn on {clause}", reader, context) if used else [])
        places = next((one.selection.places for one in own if one.selection.places), places)
        near = next((where for one in own if (where := _where(one, context))), places or near)
        for goal in own:
            found += _with_mode(_there(goal, places, near, context), clause, context)
    grounded = _of_the_same([_grounded(goal, context) for goal in _needed(found)], context)
    grounded = [one for one in grounded if _is_of_something(one)]
    heating = [one for one in grounded if one.property == _MODE and one.selection.things]
    on = [
        replace(one, property=_POWER, amount=Amount(Measure.TRUTH, True))
        for one in heating
        if "heat" in text or "cool" in text
    ]
    return (*on, *grounded)


def _where(goal: Intent, context: Context) -> tuple[str, ...]:
    """The places that a goal names, or where the one thing stands that it is about."""
    select = goal.selection
    thing = context.registry.things.get(select.things[0]) if len(select.things) == 1 else None
    return select.places or ((thing.place,) if thing is not None and thing.place else ())


def _there(goal: Intent, places: tuple[str, ...], near: tuple[str, ...], context: Context) -> Intent:
    """A goal that is about no thing alone in the places that are meant, or near the thing that was named before: "the
    table light in the den, and its radio"."""
    select, known = goal.selection, context.registry.things
    if not select.places and not select.things and select.classes and places:
        return replace(goal, selection=replace(select, places=places))
    here = [iri for iri in select.things if iri in known and _within(known[iri].place, near, context)]
    narrowed = len(select.things) > 1 and not select.places and here
    return replace(goal, selection=replace(select, things=tuple(here))) if narrowed else goal


def _of_the_same(goals: Sequence[Intent], context: Context) -> list[Intent]:
    """The goals; one without a thing is on the thing of the others, where that alone can have it: "the quick programme
    at 800 rpm" is of one machine."""
    things = dict.fromkeys(iri for goal in goals for iri in goal.selection.things)
    known = [thing for iri in things if (thing := context.registry.thing_of.get(iri)) is not None]
    found = []
    for goal in goals:
        able = dict.fromkeys(thing.iri for thing in known if not _is_of_something(goal) and _can(goal, thing))
        select = replace(goal.selection, things=tuple(able)) if len(able) == 1 else goal.selection
        found.append(replace(goal, selection=select))
    return found


def _is_of_something(goal: Intent) -> bool:
    """Whether it is said, or clear, of what a goal is: "natural light" alone is a taste."""
    select = goal.selection
    return bool(select.classes or select.things or select.places)


def _needed(goals: Sequence[Intent]) -> list[Intent]:
    """The goals, without those on what is to be off anyway: what is off is silent, too."""
    off = [one.selection for one in goals if _is_off(one)]
    return [one for one in goals if one.selection not in off or _is_off(one)]


def _is_off(goal: Intent) -> bool:
    return goal.property == _POWER and goal.amount is not None and goal.amount.value is False


def _grounded(goal: Intent, context: Context) -> Intent:
    """A goal of which nobody said on what, on the one thing here that it can be of."""
    select, registry = goal.selection, context.registry
    if select.classes or select.things:
        return goal
    inside = {iri for iri in registry.places if not select.places or _within(iri, select.places, context)}
    able = [
        thing.iri
        for thing in registry.things.values()
        if (not select.places or thing.place in inside) and _can(goal, thing)
    ]
    return replace(goal, selection=replace(select, things=tuple(able))) if len(able) == 1 else goal


def _can(goal: Intent, thing: Thing) -> bool:
    if goal.property is not None:
        return any(goal.property in one.kinds for one in thing.properties)
    return any(goal.command in one.commands for one in thing.actions)


def _within(place: str | None, places: tuple[str, ...], context: Context) -> bool:
    here = place
    while here is not None:
        if here in places:
            return True
        known = context.registry.places.get(here)
        here = known.parent if known else None
    return False


def _read(clause: str, reader: Reader, context: Context) -> list[Intent]:
    """The goals of one clause, by the first way to say it that is understood whole."""
    for said in (*_resaid(clause, context), *(f"{opening}{clause}" for opening in _OPENINGS)):
        intents = reader(said)
        if intents and all(_is_goal(one) for one in intents):
            return [_bare(one) for one in intents]
    return []


def _resaid(clause: str, context: Context) -> Iterator[str]:
    """A room, a mode and a number in any order, in the order in which they are read: "heating for the den, with 24"."""
    sentence = read(clause, context)
    place = next((one for one in sentence.stretches() if any(role is Role.PLACE for role, _ in one.named)), None)
    number = next((token for token in sentence.tokens if token.kind is TokenKind.NUMBER), None)
    if place is not None and number is not None and _mode(sentence, context) is not None:
        yield f"the {sentence.said(place.start, place.end)} heated to {number.number:g} degrees"


def _mode(sentence: Sentence, context: Context) -> str | None:
    """The way of making a room warmer or cooler that words name."""
    matches = (m for n in range(len(sentence.tokens)) for m in context.dictionary.lexicon.at(sentence.tokens, n))
    named = {e.iri for match in matches for e in match.entries if e.role is Role.VALUE}
    return next((mode for mode in _MODES if mode in named), None)


def _is_goal(intent: Intent) -> bool:
    """Whether it is something that can be kept for another time."""
    if intent.fault is not None or intent.query is not None or intent.timing is not None:
        return False
    if intent.category is not Category.EXPLICIT or intent.operation is Operation.CHECK:
        return False
    amount = intent.amount
    return intent.command is not None or (intent.property is not None and amount is not None and not amount.relative)


def _bare(intent: Intent) -> Intent:
    return replace(intent, mentions=(), subject=None)


def _with_mode(goal: Intent, clause: str, context: Context) -> Iterator[Intent]:
    """A goal, and the mode that the way of putting it implies: a room that is heated to 24 is not cooled to it."""
    yield goal
    if goal.property != _TARGET or goal.selection.classes or goal.selection.things:
        return
    mode, kinds = _mode(read(clause, context), context), context.vocabulary.kinds
    if mode is None or _MODE not in kinds:
        return
    moded = replace(goal, property=_MODE, amount=Amount(Measure.NAMED, mode))
    if _grounded(moded, context).selection.things:  # a heater that has no modes heats
        yield moded


def _clauses(sentence: Sentence, owner: str, about: str) -> Iterator[str]:
    """One clause for each thing that is spoken of: what follows a joint and names nothing is more of the same."""
    pieces: list[str] = []
    begin = place = 0
    last = len(sentence.tokens)
    while place <= last:
        more = bool(pieces) and sentence.word(place) == "at" and not _names_next(sentence, begin)
        if place == last or sentence.word(place) in _JOINTS or more:
            if said := sentence.said(begin, place):
                fresh = _names_next(sentence, begin)
                said = _owned(said, sentence.word(begin), owner)
                if fresh or not pieces:
                    pieces.append(said if fresh or not about else f"{about} {said}")
                else:
                    pieces[-1] = f"{pieces[-1]}, {said}"
            begin = place + 1
        place += 1
    yield from pieces


def _names_next(sentence: Sentence, place: int) -> bool:
    """Whether what begins here names something: "the curtain", "bedroom light", and not "medium speed"."""
    start = place
    while sentence.word(place) in _DETERMINERS:
        place += 1
    if place >= len(sentence.tokens) or sentence.tokens[place].kind is TokenKind.NUMBER:
        return False
    near = sentence.at[place : place + 3] if place > start else sentence.at[place : place + 1]
    return any(one.names for several in near for one in several)


def _owned(said: str, word: str, owner: str) -> str:
    """ "Their speaker" is the speaker of those who were spoken of."""
    return f"the {owner} {said[len(word) :].strip()}" if owner and word in _OWNERS else said
