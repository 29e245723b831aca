"""Goals into ranked readings, each an intent in graph terms; where readings compete, the home decides."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, product

from engine.graph.terms import expand
from engine.language.meanings.amounts import meanings
from engine.language.meanings.command_inputs import takes_time, working
from engine.language.meanings.conditions import exceptions, restricted, rooms
from engine.language.meanings.context import Context, kept_as
from engine.language.meanings.existence import Row, existing
from engine.language.meanings.inquiries import inquiry
from engine.language.meanings.moments import timing
from engine.language.meanings.names import denotations, kinds_said
from engine.language.meanings.places import ANYWHERE, HOME, Whereabouts, is_inside, whereabouts
from engine.language.meanings.tasks import Task, asked, classes_of, having, named_alone, tasks
from engine.language.phrases.coordination import Goal
from engine.language.phrases.slots import Noun
from engine.language.phrases.temporal import When
from engine.language.words.lexicon import Role
from engine.language.words.records import replace
from engine.model.intent import Category, Intent, Measure, Operation
from engine.model.selection import Quantity, Select

ANY_PLACE = expand("hg:Anywhere")
ANYTHING = expand("hg:Anything")
DEVICE = expand("hg:Device")


@dataclass(frozen=True, slots=True)
class Target:
    """The targets of a task: classes or things, in places."""

    classes: tuple[str, ...] = ()
    things: tuple[str, ...] = ()
    where: Whereabouts = ANYWHERE
    noun: Noun | None = None


Reading = tuple[tuple[Task, ...], Target]
Alternatives = tuple[tuple[Intent, ...], ...]
MOST_READINGS = 4


def read(goal: Goal, iri: str, context: Context) -> Alternatives:
    """The readings of one goal that the home allows, likeliest first; where it allows none, the likeliest of all.

    A reading is a tuple of intents: more than one where a verb and a value each say something. `iri` names the first
    intent of the first reading; further ones get `-2`, … appended, those of further readings `/or-2`, …."""
    asked = inquiry(goal, iri, context) if goal.inquiry is not None else None
    if asked is not None:
        return ((asked,),)
    if goal.question:
        return ((_question(goal, iri, context),),)
    if goal.says_nothing and not named_alone(goal, context):
        return ((_not_understood(goal, iri),),)
    chosen = _chosen(goal, context)
    if not chosen:
        return ((_no_such_device(goal, iri) if goal.noun is not None else _not_understood(goal, iri),),)
    return tuple(
        _intents(goal, reading, iri if rank == 0 else f"{iri}/or-{rank + 1}", context)
        for rank, reading in enumerate(chosen)
    )


def _chosen(goal: Goal, context: Context) -> tuple[Reading, ...]:
    """The likeliest readings that the home allows, found once for goals that differ in their words alone."""
    known: dict[object, tuple[Reading, ...]] = kept_as("readings/chosen", context)
    key = (replace(goal, text="", start=0, end=0), context.location, context.conventions)
    found = known.get(key)
    if found is None:
        readings = list(_readings(goal, context))
        places = _choose(readings, context)[:MOST_READINGS] if readings else ()
        found = known[key] = tuple(readings[place] for place in places)
    return found


def _intents(goal: Goal, reading: Reading, iri: str, context: Context) -> tuple[Intent, ...]:
    several, target = reading
    return tuple(
        _intent(goal, task, target, iri if number == 0 else f"{iri}-{number + 1}", context)
        for number, task in enumerate(several)
    )


def _readings(goal: Goal, context: Context) -> Iterator[Reading]:
    """Readings, likeliest first: by noun, then by place, then by task."""
    seen: list[Reading] = []
    places = whereabouts(goal, context.registry, context.location)
    for noun in _nouns(goal, context):
        found = [(_lit(goal, context), ())] if noun is None and _lit(goal, context) else None
        for (classes, things), where in product(found or denotations(noun, goal.quantity, context), places):
            if things and (goal.fronted or not where.given):
                where = _reached(things, where, context)
            for several in tasks(goal, classes, things, context):
                anywhere = several[0].uses_place
                owners = classes if classes or things else _at_work(several, context)
                reading = (several, Target(owners, things, ANYWHERE if anywhere else where, noun))
                if reading not in seen:
                    seen.append(reading)
                    yield reading
        if noun is not None and noun.restrictions and not seen:
            yield from _by_restriction(goal, noun, places[0], context)


def _by_restriction(goal: Goal, noun: Noun, where: Whereabouts, context: Context) -> Iterator[Reading]:
    """ "Whatever is louder than 28, bring it to 20": a number is of the kind that the noun is restricted by."""
    for classes, things in denotations(noun, goal.quantity, context):
        owned = classes or tuple(classes_of(things, context))
        select = restricted(Select(), noun.restrictions, owned, context)
        kinds = dict.fromkeys(c.kind for t in (select.tests if select else ()) for c in t.conditions)
        found = [m for how in goal.amounts for m in meanings(how, context, directed=bool(goal.direction))]
        for kind, meaning in product(kinds, found[:1]):
            amount = meaning.towards(goal.direction or 1)
            yield ((Task(kind=kind, amount=amount),), Target(classes, things, where, noun))


def _lit(goal: Goal, context: Context) -> tuple[str, ...]:
    """The classes that a verb is about which is said of a place alone: "light up the kitchen"; or that a state is said
    of: "the cellar is to be lit", "everything dark"."""
    if not (goal.places or goal.everywhere) or goal.qualities:
        return ()
    confined = context.vocabulary.confined
    commands = [e.iri for e in goal.verbs if e.role is Role.COMMAND]
    if not commands and (goal.everywhere or any(r for name in goal.places for r in name.restrictions)):
        states = [e.iri for how in goal.amounts for e in how.entries if e.role is Role.STATE]
        known = [s for iri in states for s in context.dictionary.states.get(iri, ())]
        kinds = context.vocabulary.kinds
        said = {cls for s in known if s.kind in kinds and kinds[s.kind].settable for cls in s.classes}
        return tuple(sorted(cls for cls in said if context.vocabulary.is_a(cls, DEVICE)))
    if not all(command in confined for command in commands):
        return ()
    found = tuple(sorted({cls for command in commands for cls in confined[command]}))
    more = any(e.role is Role.RELATIVE for e in goal.verbs)  # "warm up the study": no oven stands there
    return () if more and not _stands_there(found, goal, context) else found


def _at_work(several: Sequence[Task], context: Context) -> tuple[str, ...]:
    """The classes of the machines that a command puts to work, where none is named: those that have the property that
    is set ("start a quick wash"), or else the only one that the command is for ("do the dishes")."""
    works = [task.command for task in several if task.command is not None and working(task.command, context)]
    if not works:
        return ()
    found = next((having(task.kind, context) for task in several if task.kind is not None), None)
    if found is not None:
        return found
    only = context.vocabulary.confined.get(works[0], frozenset())
    return tuple(only) if len(only) == 1 else ()


def _stands_there(classes: Sequence[str], goal: Goal, context: Context) -> bool:
    """Whether a device of one of these classes is in a place that a goal names."""
    rooms = [place for where in whereabouts(goal, context.registry, context.location) for place in where.places]
    return any(
        thing.place is not None and is_inside(thing.place, room, context.registry)
        for thing in context.registry.things.values()
        if any(context.vocabulary.is_a(own, cls) for own in thing.classes for cls in classes)
        for room in rooms
    )


def _reached(things: Sequence[str], where: Whereabouts, context: Context) -> Whereabouts:
    """The place of named things: a room set before, or guessed from nearby, where they are in it; else anywhere."""
    homes = {context.registry.things[t].place for t in things if t in context.registry.things}
    inside = any(is_inside(home, place, context.registry) for home in homes if home for place in where.places)
    return where if inside else ANYWHERE


def _nouns(goal: Goal, context: Context) -> list[Noun | None]:
    """The nouns that may be meant: the one said, the owner in a compound, the one spoken of before, none."""
    if goal.noun is not None:
        return [goal.noun]
    owners: list[Noun | None] = [Noun(q.owner, q.text) for q in goal.qualities if q.owner]
    if owners and context.exact_nouns:
        return owners[:1]
    antecedent: list[Noun | None] = [goal.antecedent] if goal.antecedent is not None else []
    if goal.refers and antecedent:
        return antecedent
    return [*owners, None] if goal.unknown else [*owners, *antecedent, None]


def _question(goal: Goal, iri: str, context: Context) -> Intent:
    """The intent of a question about a state, or a property. A question never acts."""
    readings = [
        (several, Target(classes, things, where, noun))
        for noun in _nouns(goal, context)
        for (classes, things), where in product(
            denotations(noun, goal.quantity, context), whereabouts(goal, context.registry, context.location)
        )
        for several in asked(goal, classes, things, context)
    ]
    if not readings:
        return replace(_not_understood(goal, iri), category=Category.CHECK, operation=Operation.CHECK)
    several, target = readings[_choose(readings, context)[0]]
    intent = _intent(goal, several[0], target, iri, context)
    return replace(intent, category=Category.CHECK, operation=Operation.CHECK)


def _choose(readings: Sequence[Reading], context: Context) -> list[int]:
    """The readings that the home could carry out, by one query; the first of all where it could carry out none. Of
    several that set the same, that whose command is offered comes first: "run the fan at low" puts it on."""
    if len(readings) == 1:
        return [0]
    rows = [set(_rows(reading, _main(reading), context)) for reading in readings]
    besides = [
        [set(_rows(one, task, context)) for task in one[0] if task is not _main(one) and task.kind is None]
        for one in readings
    ]
    there = existing((row for some in (*rows, *chain.from_iterable(besides)) for row in some), context.store)
    lacks = [any(not some & there for some in several) for several in besides]
    found = [number for number, some in enumerate(rows) if some & there]
    able = {_set_so(readings[n]): n for n in reversed(found) if besides[n] and not lacks[n]}
    places = [able.pop(_set_so(readings[n]), n) if lacks[n] else n for n in found]
    return sorted(dict.fromkeys((*places, *found)), key=lambda n: readings[n][0][0].missing) or [0]


def _set_so(reading: Reading) -> object:
    """Target, number of tasks and value of a reading: those of another command may share them."""
    several, target = reading
    return target, len(several), replace(_main(reading), command=None)


def _main(reading: Reading) -> Task:
    """The task of a reading that sets a value, or its first."""
    several, _ = reading
    return next((task for task in several if task.kind), several[0])


def _rows(reading: Reading, task: Task, context: Context) -> Iterator[Row]:
    _, target = reading
    if target.where.missing is not None:
        return
    classes, things = target.classes or (DEVICE,), target.things or (ANYTHING,)
    yield from product(_types(task, context), classes, things, target.where.places or (ANY_PLACE,))


def _types(task: Task, context: Context) -> set[str]:
    """The classes of affordance that a task could use: its command, its kinds, and the commands that set them."""
    types = {task.command} if task.command else set()
    kinds = {task.kind} if task.kind else {e.kind for e in context.effects(task.command)}
    for kind in kinds:
        types |= {kind, *context.setters.get(kind, ())}
    return {t for t in types if t}


def _intent(goal: Goal, task: Task, target: Target, iri: str, context: Context) -> Intent:
    fault, subject = _fault(goal, task, target, context)
    select = _selection(goal, target, context)
    if select is None:
        return _not_understood(goal, iri)
    relative = task.amount is not None and task.amount.relative
    operation = Operation.MODIFY if relative else Operation.SET if task.kind or task.command else Operation.INVOKE
    return Intent(
        iri=iri,
        text=goal.text,
        operation=operation,
        selection=select,
        command=task.command,
        property=task.kind,
        amount=task.amount,
        timing=timing(_when(goal, task, context), context),
        inputs=task.members,
        fault=fault,
        subject=subject,
    )


def _when(goal: Goal, task: Task, context: Context) -> When:
    """The time words of a goal, without the duration that is an input of the command."""
    return replace(goal.when, duration=None) if takes_time(task.command, context) else goal.when


def _selection(goal: Goal, target: Target, context: Context) -> Select | None:
    """Which things are meant, with all that restricts them; None where a restriction says nothing here."""
    noun = target.noun
    select = Select(target.classes, target.things, target.where.places, _quantity(goal, noun))
    if context.room_means_all and target.where.given and not target.things:
        select = replace(select, quantity=Quantity.ALL)
    minus = exceptions(goal.exceptions, context)
    if len(minus) < len(goal.exceptions):  # what is to be left alone is not here, or was misread
        return None
    select = _all_but(replace(select, minus=minus), context)
    said_of_rooms = [r for name in goal.places for r in name.restrictions]
    in_rooms = rooms(said_of_rooms, context)
    if in_rooms is None:
        return None
    every = any(room.order is None for room in in_rooms)
    select = replace(select, rooms=in_rooms, quantity=Quantity.ALL if every else select.quantity)
    if noun is None or not noun.restrictions:
        return select
    return restricted(select, noun.restrictions, target.classes or classes_of(target.things, context), context)


def _all_but(select: Select, context: Context) -> Select:
    """A selection of which only the exception is said, as all others of its kind: "turn off all but the hall
    light"."""
    named = select.classes or select.things or select.places or select.quantity is Quantity.ALL
    kinds = tuple(dict.fromkeys(kind for one in select.minus for kind in kinds_said(one, context)))
    return replace(select, classes=kinds, quantity=Quantity.ALL) if kinds and not named else select


def _fault(goal: Goal, task: Task, target: Target, context: Context) -> tuple[str | None, str | None]:
    """The fault that the words alone imply: an unknown room or device, a missing value, a "don't"."""
    noun = goal.noun
    if target.where.missing is not None:
        return "no_such_room", target.where.missing
    if noun is None and goal.unknown and not task.uses_words:
        return "no_such_device", " ".join(goal.unknown)
    if goal.when.conditional:
        return "not_supported_yet", goal.text
    if goal.when.is_open:
        return "missing_time", goal.text
    if goal.negated:
        return "nothing_to_do", goal.text
    if task.wants is not None:
        return "missing_value", task.wants
    return ("missing_value", None) if task.missing or _puts_a_number_on(task, context) else (None, None)


def _puts_a_number_on(task: Task, context: Context) -> bool:
    """Whether a property that is a number, and not open or shut, is to be on: "turn the volume on" says no number."""
    kind = context.vocabulary.kinds.get(task.kind or "")
    on = task.amount is not None and task.amount.measure is Measure.TRUTH and task.amount.value is True
    return on and kind is not None and kind.default_step is not None and not kind.high


def _quantity(goal: Goal, noun: Noun | None) -> Quantity:
    described = noun is not None and bool(noun.restrictions)
    every = described and (goal.quantity == "any" or (noun is not None and noun.plural))
    whole = noun is None and any(e.iri == HOME for place in goal.places for e in place.entries)  # "lock up the house"
    plural = (goal.quantity == "plural" or goal.counted) and goal.refers and noun is None
    if (plural or goal.there) and not (goal.places or goal.exceptions or whole):
        return Quantity.ONE  # nobody knows which: "turn them off", "the lights in there", at the beginning of a talk
    if goal.quantity in ("all", "plural") or goal.everywhere or every or whole:
        return Quantity.ALL
    return Quantity.ANY if goal.quantity == "any" else Quantity.ONE


def _no_such_device(goal: Goal, iri: str) -> Intent:
    """The words before a noun, or beside it, fit nothing here: "the disco light"."""
    assert goal.noun is not None
    words = dict.fromkeys((*goal.noun.modifiers, *goal.noun.text.split()))
    return Intent(iri=iri, text=goal.text, fault="no_such_device", subject=" ".join(words))


def _not_understood(goal: Goal, iri: str) -> Intent:
    words = " ".join(goal.unknown) or goal.text
    return Intent(iri=iri, text=goal.text, fault="not_understood", subject=words)
