"""What is to be done: the commands, or the kinds of property with their amounts, that the words of a goal allow."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from engine.graph.terms import expand
from engine.language.amounts import Meaning, meanings
from engine.language.context import Context
from engine.language.coordination import Goal
from engine.language.lexicon import Role
from engine.language.places import whereabouts
from engine.model.intent import Amount, Measure
from engine.model.vocabulary import Form

_FREE_UNITS = frozenset({expand("hg:Degree"), expand("hg:LevelUnit")})


@dataclass(frozen=True, slots=True)
class Task:
    """What is to be done, apart from whereto: a command, or a kind of property with an amount.

    `missing`: the words leave open how much. `uses_place`, `uses_words`: the place, the unknown words, are the value.
    """

    command: str | None = None
    kind: str | None = None
    amount: Amount | None = None
    missing: bool = False
    uses_place: bool = False
    uses_words: bool = False


@dataclass(frozen=True, slots=True)
class _Words:
    """The words of a goal, sorted."""

    commands: tuple[str, ...]
    relatives: tuple[str, ...]
    kinds: tuple[str, ...]
    classes: tuple[str, ...]
    direction: int


def tasks(goal: Goal, classes: Sequence[str], things: Sequence[str], context: Context) -> Iterator[tuple[Task, ...]]:
    """The tasks that a goal may mean, likeliest first; several at once where a verb and a value each say something."""
    words = _sorted(goal, classes, things, context)
    held = [meanings(a, words.direction, context, named=bool(words.kinds)) for a in goal.amounts]
    held = [found for found in _without_overridden(held) if found]
    if held:
        yield from _with_amounts(words, held, context)
    else:
        yield from _with_words(goal, words, context)
        yield from _without_amount(words, context)


def _place_text(goal: Goal, context: Context) -> str:
    """The name that the home has for the place that is said, or the words themselves."""
    places = whereabouts(goal, context.registry, None)[0].places
    known = context.registry.places.get(places[0]) if len(places) == 1 else None
    return known.name if known else " ".join(place.text for place in goal.places)


def _without_overridden(held: Sequence[Sequence[Meaning]]) -> list[Sequence[Meaning]]:
    """ "By 50 to 100": where it ends outweighs how far it goes."""
    relative = [bool(found) and found[0].amount.relative for found in held]
    numbers = [bool(found) and found[0].amount.measure is Measure.NUMBER for found in held]
    if any(relative) and any(n and not r for n, r in zip(numbers, relative, strict=True)):
        return [found for found, is_relative in zip(held, relative, strict=True) if not is_relative]
    return list(held)


def _with_words(goal: Goal, words: _Words, context: Context) -> Iterator[tuple[Task, ...]]:
    """Where the verb or the property takes a place or any words, those are what it takes: "play jazz"."""
    kinds = [*words.kinds, *_kinds_of_verbs(words, context)]
    if goal.places and not goal.question:
        text = _place_text(goal, context)
        yield from ((Task(kind=k, amount=Amount(Measure.TEXT, text), uses_place=True),) for k in kinds if k in context.dictionary.placed)
    if goal.unknown:
        text = " ".join(goal.unknown)
        yield from ((Task(kind=k, amount=Amount(Measure.TEXT, text), uses_words=True),) for k in kinds if k in context.dictionary.textual)


def _sorted(goal: Goal, classes: Sequence[str], things: Sequence[str], context: Context) -> _Words:
    commands = tuple(e.iri for e in goal.verbs if e.role is Role.COMMAND)
    said = [e.iri for e in goal.verbs if e.role is Role.RELATIVE]
    said += [e.iri for a in goal.amounts for e in a.entries if e.role is Role.RELATIVE]
    direction = _direction(goal, said, commands, context)
    owned = tuple(classes) or tuple(_classes_of(things, context))
    return _Words(commands, tuple(said), _kinds(goal, context), owned, direction)


def _classes_of(things: Iterable[str], context: Context) -> list[str]:
    found = [c for t in things if t in context.registry.things for p in context.registry.things[t].parts for c in p.classes]
    return list(dict.fromkeys(sorted(found)))


def _kinds(goal: Goal, context: Context) -> tuple[str, ...]:
    """The kinds that are named; "mode" beside a more telling word ("auto swing mode") counts for nothing."""
    named = [[e.iri for e in q.entries] for q in goal.qualities]
    if len(named) > 1:
        general = {k for k in context.vocabulary.kinds if _is_general(k, context)}
        named = [kinds for kinds in named if not set(kinds) <= general] or named
    return tuple(named[0]) if named else ()


def _is_general(kind: str, context: Context) -> bool:
    return kind == expand("hg:WorkMode")


def _direction(goal: Goal, relatives: Sequence[str], commands: Sequence[str], context: Context) -> int:
    """Which way the verb goes: a relative's own; with "by", that of a command towards a bound; a particle's."""
    for relative in relatives:
        for relation in context.dictionary.relations.get(relative, ()):
            return relation.direction
    if any(a.preposition == "by" for a in goal.amounts):
        for command in commands:
            for effect in context.effects(command):
                if effect.form is Form.TO_BOUND:
                    return 1 if effect.value == "maximum" else -1
    return goal.direction


def _with_amounts(words: _Words, held: Sequence[Sequence[Meaning]], context: Context) -> Iterator[tuple[Task, ...]]:
    """Each meaning of the first amount, with the kinds that it may be of; the other amounts beside it."""
    for task in _one_amount(words, held[0], context):
        before = _command_before(words, task, context)
        yield (*before, task, *_beside(task, words, held[1:], context))


def _beside(
    first: Task, words: _Words, held: Sequence[Sequence[Meaning]], context: Context
) -> tuple[Task, ...]:
    """What further values say of other properties; one that says the same property again says nothing new."""
    found: list[Task] = []
    said = [first]
    for meaning in (further[0] for further in held if further and not _is_bare(further[0])):
        for task in _one_amount(words, (meaning,), context, further=True):
            known = any(_is_either(task.kind or "", other.kind or "", context) for other in said)
            if not known and _at_home(task.kind or "", words, context):
                found.append(task)
                said.append(task)
                break
    return tuple(found)


def _is_bare(meaning: Meaning) -> bool:
    """A number without a unit says of what it is only beside its own noun."""
    return meaning.amount.measure is Measure.NUMBER and meaning.amount.unit is None


def _at_home(kind: str, words: _Words, context: Context) -> bool:
    """Whether something of these classes has a property of this kind."""
    vocabulary = context.vocabulary
    return any(
        any(vocabulary.is_a(k, kind) for k in p.kinds)
        and any(vocabulary.is_a(c, cls) for c in context.registry.parts[p.part].classes for cls in words.classes)
        for p in context.registry.properties.values()
    )


def _command_before(words: _Words, task: Task, context: Context) -> tuple[Task, ...]:
    """ "Turn the AC on at 24": the command itself, unless setting the value does as much."""
    for command in words.commands:
        effects = context.effects(command)
        said = {e.kind for e in effects}
        if not effects or task.kind in said or any(e.form is not Form.TO for e in effects):
            return ()
        if any(said <= {e.kind for e in context.effects(c)} for c in context.setters.get(task.kind or "", ())):
            return ()
        return (Task(command=command),)
    return ()


def _one_amount(
    words: _Words, found: Sequence[Meaning], context: Context, *, further: bool = False
) -> Iterator[Task]:
    for meaning in found:
        for kind in _kinds_for(words, meaning, context, further=further):
            yield Task(kind=kind, amount=meaning.amount)


def _kinds_for(words: _Words, meaning: Meaning, context: Context, *, further: bool) -> Iterable[str]:
    """The kinds that an amount may be of: those named, those of the verb, its own, those meant by the device."""
    if words.kinds and not further:
        fitting = [k for k in words.kinds if _fits(k, meaning, context)]
        return [*(fitting or sorted(meaning.kinds) or words.kinds), *_wider(words, meaning, context)]
    verbal = [*_kinds_of_verbs(words, context)]
    fitting = [k for k in verbal if _fits(k, meaning, context)]
    if fitting and not further:
        return fitting
    if meaning.kinds:
        return sorted(meaning.kinds, key=lambda k: _rank(k, words, context))
    return _main_kinds(words, meaning, context)


def _wider(words: _Words, meaning: Meaning, context: Context) -> list[str]:
    """What else the name of a mode may mean: any mode; and "mode" or "setting" alone, whatever the device has."""
    general = [k for k in context.vocabulary.kinds if _is_general(k, context)]
    if all(k in general for k in words.kinds):
        return _main_kinds(words, meaning, context)
    return [g for g in general if any(context.vocabulary.is_a(k, g) for k in words.kinds)]


def _fits(kind: str, meaning: Meaning, context: Context) -> bool:
    vocabulary = context.vocabulary
    return not meaning.kinds or any(vocabulary.is_a(kind, k) or vocabulary.is_a(k, kind) for k in meaning.kinds)


def _rank(kind: str, words: _Words, context: Context) -> tuple[bool, int]:
    """Modes before all else, then the main kinds of the device in their order."""
    main = [k for cls in words.classes for k in context.vocabulary.main_kinds.get(cls, ())]
    is_mode = context.vocabulary.is_a(kind, expand("hg:WorkMode"))
    return not is_mode, main.index(kind) if kind in main else len(main)


def _kinds_of_verbs(words: _Words, context: Context) -> Iterator[str]:
    for relative in words.relatives:
        for relation in context.dictionary.relations.get(relative, ()):
            if relation.about is not None:
                yield relation.about
    for command in words.commands:
        for effect in context.effects(command):
            if effect.form in (Form.TO_INPUT, Form.TO_BOUND, Form.BY):
                yield effect.kind


def _main_kinds(words: _Words, meaning: Meaning, context: Context) -> list[str]:
    """What a number means when said of such a device: its main kinds, those with the unit first."""
    main = list(dict.fromkeys(k for cls in words.classes for k in context.vocabulary.main_kinds.get(cls, ())))
    unit = meaning.amount.unit
    if not main:
        return _kinds_with_unit(unit, context)
    numeric = [k for k in main if context.vocabulary.kinds[k].unit is not None] or main
    if meaning.amount.measure is not Measure.NUMBER:
        return main
    fitting = [k for k in numeric if _unit_fits(unit, k, context)]
    return fitting or _kinds_with_unit(unit, context) or numeric


def _unit_fits(unit: str | None, kind: str, context: Context) -> bool:
    if unit is None or unit in _FREE_UNITS:
        return True
    own = context.vocabulary.kinds[kind].unit
    return own == unit or frozenset((own, unit)) <= _TEMPERATURES or frozenset((own, unit)) <= _DURATIONS


_TEMPERATURES = frozenset({expand("hg:Celsius"), expand("hg:Fahrenheit")})
_DURATIONS = frozenset({expand("hg:Second"), expand("hg:Minute"), expand("hg:Hour")})


def _kinds_with_unit(unit: str | None, context: Context) -> list[str]:
    """The settable kinds of this unit that something in the home has."""
    if unit is None:
        return []
    present = {k for p in context.registry.properties.values() for k in p.kinds}
    kinds = context.vocabulary.kinds
    return sorted(k for k in present if k in kinds and kinds[k].settable and _unit_fits(unit, k, context))


def _without_amount(words: _Words, context: Context) -> Iterator[tuple[Task, ...]]:
    for command in words.commands:
        truth = _truth_of(command, context)
        if truth is not None:
            yield from ((Task(kind=k, amount=Amount(Measure.TRUTH, truth)),) for k in words.kinds)
        yield (Task(command=command),)
    if words.direction and (words.relatives or not words.commands):
        kinds = words.kinds or tuple(_kinds_of_verbs(words, context)) or tuple(_relative_kinds(words, context))
        yield from ((Task(kind=k, amount=_ahead(k, words.direction, context)),) for k in kinds)
    if not words.commands and not words.direction:
        kinds = words.kinds or tuple(_relative_kinds(words, context))
        yield from ((Task(kind=k, missing=True),) for k in kinds)


def _truth_of(command: str, context: Context) -> bool | None:
    """True or false where on and off is what the command brings about."""
    effects = context.effects(command)
    switches = len(effects) == 1 and effects[0].form is Form.TO and effects[0].kind == expand("hg:Power")
    value = effects[0].value if switches else None
    return value if isinstance(value, bool) else None


def _relative_kinds(words: _Words, context: Context) -> list[str]:
    return list(dict.fromkeys(k for cls in words.classes for k in context.vocabulary.main_kinds.get(cls, ())))


def _ahead(kind: str, direction: int, context: Context) -> Amount:
    """One step that way; or that very option, where the home has options called up and down."""
    word = "up" if direction > 0 else "down"
    if any(_is_either(kind, k, context) for k in context.dictionary.options.get(word, ())):
        return Amount(Measure.TEXT, word)
    return _step(kind, direction, context)


def _is_either(one: str, other: str, context: Context) -> bool:
    return context.vocabulary.is_a(one, other) or context.vocabulary.is_a(other, one)


def _step(kind: str, direction: int, context: Context) -> Amount:
    """A step of the kind's own size; one option on, where it has none."""
    step = context.vocabulary.kinds[kind].default_step if kind in context.vocabulary.kinds else None
    if step is None:
        return Amount(Measure.NUMBER, direction, relative=True, steps=True)
    return Amount(Measure.NUMBER, direction * step, context.vocabulary.kinds[kind].unit, relative=True)
