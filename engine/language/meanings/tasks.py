"""Derives tasks from the words of a goal: commands, or kinds of property with their amounts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from engine.graph.terms import expand
from engine.language.meanings import property_kinds as kinds_of
from engine.language.meanings.amounts import Meaning, meanings
from engine.language.meanings.command_inputs import Members, members, wanting, working
from engine.language.meanings.context import Context
from engine.language.meanings.places import whereabouts
from engine.language.meanings.property_kinds import Words
from engine.language.phrases.coordination import Goal
from engine.language.phrases.slots import HowMuch
from engine.language.words.dictionary import Relation
from engine.language.words.grammar import TO
from engine.language.words.lexicon import Role
from engine.language.words.records import replace
from engine.model.intent import Amount, Measure
from engine.model.vocabulary import Form

_WAYS = frozenset({expand("hg:Up"), expand("hg:Down")})
_MORE = expand("hg:More")
"""Beside another word for which way, it says no more than that it goes on: "down by ten per cent more"."""
ON, MAXIMUM, COLOUR_TEMPERATURE = expand("hg:IsOn"), expand("hg:Maximum"), expand("hg:ColourTemperature")


@dataclass(frozen=True, slots=True)
class Task:
    """A task apart from its targets: a command, or a kind of property with an amount.

    `members` are inputs of the command, `wants` one that a person has to be asked for. `missing`: the amount is left
    open. `uses_place`, `uses_words`: the place, the unknown words, are the value.
    """

    command: str | None = None
    kind: str | None = None
    amount: Amount | None = None
    missing: bool = False
    uses_place: bool = False
    uses_words: bool = False
    members: Members = ()
    wants: str | None = None


Held = list[tuple[HowMuch, list[Meaning]]]


def tasks(goal: Goal, classes: Sequence[str], things: Sequence[str], context: Context) -> Iterator[tuple[Task, ...]]:
    """The tasks that a goal may mean, likeliest first; several at once where a verb and a value each say something."""
    words = _sorted(goal, classes, things, context)
    yield from _at_work(goal, words, context)
    directed = bool(words.relations or words.direction)
    named = bool(words.kinds)
    held = [(a, meanings(a, context, directed=directed, named=named)) for a in goal.amounts]
    held = _shut_by(_unclosed([(a, found) for a, found in held if found], context), goal, words, context)
    held = _telling(_without_degrees(held, words, context), words, context, slight=goal.slight)
    if held:
        first, meant = held[0]
        inserted = first.preposition == "" and not first.beside and meant[0].amount.measure is Measure.NAMED
        yield from _with_amounts(words, [found for _, found in held], context, alone=inserted)
    else:
        yield from _with_words(goal, words, context)
        yield from _part_of_the_way(goal, words, context)
        yield from _to_an_end(goal, words, context)
        yield from _without_amount(words, context)
    if things and not classes:
        yield from _by_name_alone(goal, words, context)


def named_alone(goal: Goal, context: Context) -> bool:
    """Whether a goal is nothing but the name of a thing with a main command: a scene."""
    named = [e.iri for e in goal.noun.entries if e.role is Role.THING] if goal.noun is not None else []
    owned = [context.registry.things[t].classes for t in named if t in context.registry.things]
    return bool(owned) and all(any(c in context.vocabulary.main_commands for c in classes) for classes in owned)


def having(kind: str, context: Context) -> tuple[str, ...]:
    """The narrowest classes of the devices here that have a kind of property."""
    found = {cls for cls, own in context.dictionary.held.items() if kind in own}
    is_a = context.vocabulary.is_a
    return tuple(sorted(cls for cls in found if not any(own != cls and is_a(own, cls) for own in found)))


def _by_name_alone(goal: Goal, words: Words, context: Context) -> Iterator[tuple[Task, ...]]:
    """Tasks of a named scene: "party mode", "party mode on", "change to party mode"."""
    commands = {context.vocabulary.main_commands.get(cls) for cls in words.classes}
    full = any(e.role is not Role.LIGHT_VERB for e in goal.verbs)
    on = [a for a in goal.amounts if not any(e.iri == ON for e in a.entries)]
    if len(commands) == 1 and not (full or on or goal.qualities or goal.question):
        yield from ((Task(command=command),) for command in commands if command is not None)


def _at_work(goal: Goal, words: Words, context: Context) -> Iterator[tuple[Task, ...]]:
    """Tasks that start a machine with inputs of the command: in one step, or set first and started then."""
    known = context.dictionary.held
    held = [kind for cls in words.classes or known for kind in known.get(cls, ())]
    for command in words.commands if not words.kinds else ():
        given = members(goal, command, context)
        if given is None and goal.amounts:
            continue
        wants = wanting(command, given or (), held, context)
        if given or wants:
            yield (Task(command=command, members=given or (), wants=wants),)
            yield (*(Task(kind=k, amount=a, wants=wants) for k, a in given or ()), Task(command=command))


def asked(goal: Goal, classes: Sequence[str], things: Sequence[str], context: Context) -> Iterator[tuple[Task, ...]]:
    """Tasks for a question: a described state, a named property (readings before settings)."""
    words = _sorted(goal, classes, things, context)
    for how in goal.amounts:
        for meaning in meanings(how, context, directed=False):
            yield from ((Task(kind=k, amount=meaning.amount),) for k in kinds_of.candidates(words, meaning, context))
    vocabulary = context.vocabulary
    known = [k for k in words.kinds if k in vocabulary.kinds]
    yield from ((Task(kind=k),) for k in sorted(known, key=lambda k: vocabulary.kinds[k].settable))
    if not goal.amounts and not words.kinds:
        yield from ((Task(kind=k),) for k in kinds_of.main(words.classes, context))


def _sorted(goal: Goal, classes: Sequence[str], things: Sequence[str], context: Context) -> Words:
    owned = tuple(classes) or tuple(classes_of(things, context))
    commands = tuple(e.iri for e in goal.verbs if e.role is Role.COMMAND and kinds_of.concerns(e.iri, owned, context))
    said = [e.iri for e in goal.verbs if e.role is Role.RELATIVE and not (goal.direction and e.iri == _MORE)]
    said += [e.iri for a in goal.amounts for e in a.entries if e.role is Role.RELATIVE and not _is_value(a)]
    found = tuple(r for iri in said for r in context.dictionary.relations.get(iri, ()))
    relations = found if owned else tuple(r for r in found if not r.yields) or found  # no light for a warmer hall
    direction = _direction(goal, commands, context)
    return Words(commands, relations, kinds_of.named(goal.qualities, owned, context), owned, direction)


def _is_value(how: HowMuch) -> bool:
    """Whether a word for more or less is a value, too: "on cool"."""
    return how.preposition in ("on", "to", "at", "in") and any(
        e.role in (Role.VALUE, Role.OPTION, Role.STATE) for e in how.entries
    )


def classes_of(things: Iterable[str], context: Context) -> list[str]:
    """The classes of things, by IRI."""
    known, parts = context.registry.things, context.registry.parts
    owned = (known[t].parts if t in known else (parts[t],) for t in things if t in known or t in parts)
    return list(dict.fromkeys(sorted(c for several in owned for p in several for c in p.classes)))


def _direction(goal: Goal, commands: Sequence[str], context: Context) -> int:
    """Which way a particle points; or a command by steps, with a number that is no level ("ten more brightness"); or,
    with "by", a command towards a bound."""
    by = any(a.preposition == "by" for a in goal.amounts)
    counted = by or any(a.number is not None and a.preposition not in TO for a in goal.amounts)
    for effect in (e for command in commands for e in context.effects(command)):
        if by and effect.form is Form.TO_BOUND:
            return 1 if effect.value == "maximum" else -1
        if counted and effect.form in (Form.BY, Form.TO_NEXT) and isinstance(effect.value, int | float):
            return 1 if effect.value > 0 else -1
    return goal.direction


def _unclosed(held: Held, context: Context) -> Held:
    """ "Three quarters closed" is a quarter open: a share before a word for the low end counts from there."""
    found: Held = []
    for how, meant in held:
        before = found[-1][1][0].amount if found else None
        low = [m for m in meant if m.amount.value in (False, "minimum") and len(m.kinds) == 1]
        share = _share(before, context) if before is not None and low and how.preposition == "" else None
        if share is not None:
            found[-1] = (found[-1][0], [Meaning(Amount(Measure.FRACTION, 1 - share), low[0].kinds)])
        else:
            found.append((how, meant))
    return found


def _shut_by(held: Held, goal: Goal, words: Words, context: Context) -> Held:
    """ "Close the blind three quarters", "75 percent closed": a share beside a verb that goes to the low end counts
    from there; "close it to 30" does not."""
    effects = (e for command in words.commands for e in context.effects(command))
    ends = frozenset(e.kind for e in effects if e.form is Form.TO_BOUND and e.value == "minimum")
    found: Held = []
    for how, meant in held:
        share = _share(meant[0].amount, context) if ends and (how.preposition == "" or _is_done(goal.verb)) else None
        counted = [Meaning(Amount(Measure.FRACTION, 1 - share), ends)] if share is not None else meant
        found.append((how, counted))
    return found


def _is_done(verb: str) -> bool:
    """Whether a verb names the state of something once it is done: "to 75 percent closed"."""
    return verb.endswith("ed")


def _share(amount: Amount, context: Context) -> float | None:
    """A percentage, a fraction or a named level between the ends as a share of the whole."""
    if amount.measure is Measure.NAMED:
        named = context.vocabulary.values.get(str(amount.value))
        return named.level if named is not None and named.level is not None and 0 < named.level < 1 else None
    if amount.measure is Measure.FRACTION and not amount.relative and not amount.of_current:
        return float(amount.value) if isinstance(amount.value, int | float) else None
    percent = amount.measure is Measure.NUMBER and amount.unit == expand("hg:Percent") and not amount.relative
    return float(amount.value) / 100 if percent and isinstance(amount.value, int | float) else None


def _without_degrees(held: Held, words: Words, context: Context) -> Held:
    """ "Shut it all the way", "all the way to 80": how far says nothing beside a command that goes to an end, or beside
    where it ends."""
    forms = {effect.form for command in words.commands for effect in context.effects(command)}
    ends = Form.TO_BOUND in forms or any(how.preposition in TO for how, _ in held)
    return [one for one in held if not (ends and _is_degree(*one))]


def _is_degree(how: HowMuch, found: Sequence[Meaning]) -> bool:
    return how.preposition == "" and how.number is None and any(m.amount.value == MAXIMUM for m in found)


def _telling(held: Held, words: Words, context: Context, *, slight: bool) -> Held:
    """The amounts that count: "up" only where something here has such an option; absolute before relative ones; and
    amounts that nothing here can have only where there are no others."""
    if slight and (words.relations or words.direction):
        held = [(a, found) for a, found in held if a.number is not None]
    held = [(a, found) for a, found in held if not _points(a) or _is_option(a, found, words, context)]
    absolute = [not found[0].amount.relative for _, found in held]
    numbers = [found[0].amount.measure is Measure.NUMBER for _, found in held]
    if any(n and a for n, a in zip(numbers, absolute, strict=True)):
        held = [one for one, keep in zip(held, absolute, strict=True) if keep]
    held = _without_white(held)
    likely = [one for one in held if _plausible(one[1], words, context)]
    return likely or held


def _points(how: HowMuch) -> bool:
    """Whether an amount is a direction, which may also be an end: "up", "lower"."""
    named = {e.iri for e in how.entries if e.role is Role.VALUE}
    return how.text in ("up", "down") or (how.preposition == "" and bool(named & _WAYS))


def _without_white(held: Held) -> Held:
    """ "The warmest white": how warm it is says which white."""
    warmth = any(COLOUR_TEMPERATURE in m.kinds for how, found in held for m in found if how.number is None)
    return [one for one in held if not (warmth and one[0].text == "white")]


def _is_option(how: HowMuch, found: Sequence[Meaning], words: Words, context: Context) -> bool:
    """Whether something here is up or down, or has options of that name."""
    named = [e.iri for e in how.entries if e.role is Role.VALUE]
    spelt = any(
        kinds_of.at_home(k, words.classes, context) for iri in named for k in context.dictionary.spelt.get(iri, ())
    )
    states = [m for m in found if m.amount.measure is Measure.TRUTH]
    return spelt or (bool(states) and _plausible(states, words, context))


def _plausible(found: Sequence[Meaning], words: Words, context: Context) -> bool:
    return any(not m.kinds or any(kinds_of.at_home(k, words.classes, context) for k in m.kinds) for m in found)


def _with_amounts(
    words: Words, held: Sequence[Sequence[Meaning]], context: Context, *, alone: bool
) -> Iterator[tuple[Task, ...]]:
    """Tasks for each meaning of the first amount and its kinds; the other amounts beside it.

    `alone`: the amount is the object of the verb ("activate sleep mode"), and not a manner of turning the thing on; a
    machine that is put to work does both ("start a quick wash").
    """
    for meaning in held[0]:
        for kind in kinds_of.candidates(words, meaning, context):
            task = _task(kind, meaning, words, context)
            others = _beside(task, words, held[1:], context)
            for command in _commands_before(words, task, context):
                if not alone or _works_with(command, kind, words, context):
                    yield (Task(command=command), task, *others)
            yield (task, *others)


def _task(kind: str, meaning: Meaning, words: Words, context: Context) -> Task:
    amount = meaning.towards(words.way(kind, context))
    return Task(kind=kind, amount=amount if meaning.to else _less(amount, kind, context))


def _less(amount: Amount, kind: str, context: Context) -> Amount:
    """ "Minus ten": ten less of a property that nothing here has below zero."""
    if amount.measure is not Measure.NUMBER or not isinstance(amount.value, int | float) or amount.value >= 0:
        return amount
    if amount.relative or amount.of_current or amount.steps:
        return amount
    known = (p for t in context.registry.things.values() for p in t.properties)
    low = (p for p in known if p.schema.minimum is not None and p.schema.minimum < 0)
    below = any(kinds_of.akin(kind, k, context) for p in low for k in p.kinds)
    return amount if below else replace(amount, relative=True)


def _beside(first: Task, words: Words, held: Sequence[Sequence[Meaning]], context: Context) -> tuple[Task, ...]:
    """Tasks with further amounts of other properties; one for the same property again adds nothing."""
    found = [first]
    for meanings_of_one in held:
        told = _is_switch(first) or (first.amount is not None and first.amount.measure is Measure.NAMED)
        several = [m for m in meanings_of_one if told or m.kinds or not _is_bare(m)]
        fresh = (
            _task(kind, meaning, words, context)
            for meaning in several
            for kind in kinds_of.further(words, meaning, context)
            if kinds_of.at_home(kind, words.classes, context)
            and not any(kinds_of.akin(kind, other.kind or "", context) for other in found)
        )
        found.extend(list(fresh)[:1])
    return tuple(found[1:])


def _is_bare(meaning: Meaning) -> bool:
    """Whether an amount is a number without a unit, whose property only its own noun tells."""
    return meaning.amount.measure is Measure.NUMBER and meaning.amount.unit is None


def _is_switch(task: Task) -> bool:
    """Whether a task only switches on or off, so that further amounts can be set: "on at 40"."""
    return task.amount is not None and task.amount.measure is Measure.TRUTH


def _commands_before(words: Words, task: Task, context: Context) -> Iterator[str]:
    """ "Turn the AC on at 24": the command itself comes first, unless it is about the very property that is set."""
    for command in words.commands:
        effects = context.effects(command)
        states = [e for e in effects if e.form is Form.TO]
        copied = any(e.form is Form.TO_INPUT and e.kind == task.kind for e in effects)
        if copied and _set_by(command, context) is not None:
            continue
        if states and (copied or not any(kinds_of.akin(task.kind or "", e.kind, context) for e in effects)):
            yield command


def _works_with(command: str, kind: str, words: Words, context: Context) -> bool:
    """Whether a command puts the machines meant to work, or where none is named, all those here that have a kind."""
    owned = words.classes or having(kind, context)
    works = [
        kind for kind in working(command, context) if any(kinds_of.at_home(kind, (cls,), context) for cls in owned)
    ]
    return bool(works) and kinds_of.concerns(command, owned, context)


def _with_words(goal: Goal, words: Words, context: Context) -> Iterator[tuple[Task, ...]]:
    """Tasks with a place or any words as value, where the verb or the property takes these: "play jazz"."""
    takes = [*words.kinds, *kinds_of.of_verbs(words, context)]
    if goal.places and not goal.question:
        amount = Amount(Measure.TEXT, _place_text(goal, context))
        yield from ((Task(kind=k, amount=amount, uses_place=True),) for k in takes if k in context.dictionary.placed)
    ours = sum(context.dictionary.lexicon.names(word) for word in goal.unknown)
    if goal.unknown and 2 * ours < len(goal.unknown):  # "play the Bose" is about a speaker of this home, and no title
        amount = Amount(Measure.TEXT, " ".join(goal.unknown))
        yield from ((Task(kind=k, amount=amount, uses_words=True),) for k in takes if k in context.dictionary.textual)


def _place_text(goal: Goal, context: Context) -> str:
    """The name that the home has for the place that is said, or the words themselves."""
    places = whereabouts(goal, context.registry, None)[0].places
    known = context.registry.places.get(places[0]) if len(places) == 1 else None
    return known.name if known else " ".join(place.text for place in goal.places)


def _part_of_the_way(goal: Goal, words: Words, context: Context) -> Iterator[tuple[Task, ...]]:
    """Tasks of a command that goes to an end, a step that way: "open the blinds a bit"."""
    known = context.vocabulary.kinds
    for command in words.commands if goal.slight else ():
        ends = [e for e in context.effects(command) if e.form is Form.TO_BOUND and e.kind in known]
        if len(ends) == 1 and (step := known[ends[0].kind].default_step) is not None:
            way = -step if ends[0].value == "minimum" else step
            amount = Amount(Measure.NUMBER, way, known[ends[0].kind].unit, relative=True)
            yield (Task(kind=ends[0].kind, amount=amount),)


def _to_an_end(goal: Goal, words: Words, context: Context) -> Iterator[tuple[Task, ...]]:
    """Tasks of a direction that is the name of an end: "blinds up"; not "blinds up a bit", nor "volume up"."""
    known = context.vocabulary.kinds
    for kind in (words.kinds or kinds_of.main(words.classes, context)) if words.relations and not goal.slight else ():
        if kind in known and goal.verb in known[kind].high | known[kind].low:
            yield (Task(kind=kind, amount=Amount(Measure.TRUTH, goal.verb in known[kind].high)),)


def _without_amount(words: Words, context: Context) -> Iterator[tuple[Task, ...]]:
    for command in words.commands:
        wanting_value = _set_by(command, context)
        if wanting_value is not None:  # "set the brightness of the lamp": to what?
            yield (Task(kind=wanting_value, missing=True),)
            continue
        truth = _truth_of(command, context)
        if truth is not None:
            yield from ((Task(kind=k, amount=Amount(Measure.TRUTH, truth)),) for k in words.kinds)
        yield (Task(command=command),)
    if words.relations or (words.direction and not words.commands):
        found = words.kinds or (*kinds_of.of_verbs(words, context), *kinds_of.of_relations(words, context))
        yield from ((Task(kind=k, amount=_ahead(k, words, context)),) for k in dict.fromkeys(found))
    elif not words.commands:
        switched = [k for k in words.kinds if k not in context.dictionary.graded and kinds_of.at_home(k, (), context)]
        yield from ((Task(kind=k, amount=Amount(Measure.TRUTH, True)),) for k in switched)
        yield from ((Task(kind=k, missing=True),) for k in words.kinds or kinds_of.main(words.classes, context))


def _set_by(command: str, context: Context) -> str | None:
    """The kind that a command sets to its input, with at most the power beside it; None for any other command."""
    effects = context.effects(command)
    copied = [e.kind for e in effects if e.form is Form.TO_INPUT]
    others = [e for e in effects if e.form is not Form.TO_INPUT and e.kind != expand("hg:Power")]
    return copied[0] if len(copied) == 1 and not others else None


def _truth_of(command: str, context: Context) -> bool | None:
    """The power state that a command brings about; None where it has no such effect."""
    switches = (e.value for e in context.effects(command) if e.form is Form.TO and e.kind == expand("hg:Power"))
    value = next(switches, None)
    return value if isinstance(value, bool) else None


def _ahead(kind: str, words: Words, context: Context) -> Amount:
    """The amount of a direction: one step; a factor of the present value; or the option itself, where the home has one
    named up or down."""
    relation: Relation | None = words.relation(kind, context)
    if relation is not None and relation.factor is not None:
        return Amount(Measure.FRACTION, relation.factor, of_current=True)
    way = words.way(kind, context)
    word = "up" if way > 0 else "down"
    if any(kinds_of.akin(kind, k, context) for k in context.dictionary.options.get(word, ())):
        return Amount(Measure.TEXT, word)
    known = context.vocabulary.kinds.get(kind)
    if known is None or known.default_step is None:
        return Amount(Measure.NUMBER, way, relative=True, steps=True)
    return Amount(Measure.NUMBER, way * known.default_step, known.unit, relative=True)
