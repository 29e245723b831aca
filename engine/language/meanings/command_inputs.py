"""Reads inputs of a command: "bake at 200 for forty minutes" starts an oven with a mode, a temperature and a time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.graph.terms import expand
from engine.language.meanings.amounts import Meaning, meanings
from engine.language.meanings.context import Context
from engine.language.meanings.property_kinds import akin
from engine.language.phrases.coordination import Goal
from engine.language.phrases.temporal import SECONDS
from engine.language.words.lexicon import phrase
from engine.language.words.morphology import forms
from engine.model.intent import Amount, Measure
from engine.model.vocabulary import Form

ACTIVITY = expand("hg:Activity")
_SECOND, _FREE = expand("hg:Second"), expand("hg:Degree")
_WARMTH = frozenset({expand("hg:Celsius"), expand("hg:Fahrenheit"), _FREE})

Members = tuple[tuple[str, Amount], ...]


def members(goal: Goal, command: str, context: Context) -> Members | None:
    """The inputs, by kind, that a goal gives a command that puts a machine to work; None where it says something else,
    or nothing, of which the command takes no input."""
    kinds = taken(command, context)
    if not kinds:
        return None
    found: dict[str, Amount] = {}
    for how in goal.amounts:
        kind, amount = _member(meanings(how, context, directed=False), kinds, found, context)
        if kind is None or amount is None:
            return None
        found[kind] = amount
    if goal.when.duration is not None and (time := next(_timed(kinds, context), None)) is not None:
        found.setdefault(time, Amount(Measure.NUMBER, goal.when.duration, _SECOND))
    found.update(_manner(goal, kinds, found, context))
    return tuple(found.items()) or None


def takes_time(command: str | None, context: Context) -> bool:
    """Whether "for ten minutes" is an input of a command, and not the duration of its effect."""
    return command is not None and any(_timed(taken(command, context), context))


def wanting(command: str | None, given: Members, held: Sequence[str], context: Context) -> str | None:
    """The kind of input that a person is asked for, where the device has it and nothing was said of it."""
    wanted = context.dictionary.needs.get(command or "", ())
    return next((kind for kind in wanted if kind in held and not any(akin(kind, k, context) for k, _ in given)), None)


def taken(command: str, context: Context) -> list[str]:
    """The kinds that a command takes as input, if it puts a machine to work."""
    works = working(command, context)
    return [e.kind for e in context.effects(command) if e.form is Form.TO_INPUT] if works else []


def working(command: str, context: Context) -> list[str]:
    """The kinds by which a command puts a machine to work; none for one that only switches it on."""
    is_a = context.vocabulary.is_a
    return [e.kind for e in context.effects(command) if e.form is Form.TO and is_a(e.kind, ACTIVITY)]


def _timed(kinds: Sequence[str], context: Context) -> Iterator[str]:
    known = context.vocabulary.kinds
    return (kind for kind in kinds if kind in known and known[kind].unit in SECONDS)


def _member(
    found: Sequence[Meaning], kinds: Sequence[str], given: dict[str, Amount], context: Context
) -> tuple[str | None, Amount | None]:
    """The first free kind that an amount can be of."""
    for meaning in found:
        for kind in kinds:
            if kind not in given and _fits(meaning, kind, context):
                return kind, meaning.amount
    return None, None


def _fits(meaning: Meaning, kind: str, context: Context) -> bool:
    unit = context.vocabulary.kinds[kind].unit if kind in context.vocabulary.kinds else None
    amount = meaning.amount
    if amount.measure is Measure.NUMBER:
        if amount.unit is None or amount.unit == _FREE:
            return unit in _WARMTH
        return amount.unit == unit or {amount.unit, unit} <= _WARMTH or {amount.unit, unit} <= set(SECONDS)
    return any(akin(kind, own, context) for own in meaning.kinds)


def _manner(goal: Goal, kinds: Sequence[str], given: dict[str, Amount], context: Context) -> dict[str, Amount]:
    """ "Steam the dumplings": where the verb is the name of an option, that is the mode."""
    verbs = {(form,) for form in forms(goal.verb)} if goal.verb else set()
    for option, of_kinds in context.dictionary.options.items():
        kind = next((k for k in kinds if k not in given and any(akin(k, own, context) for own in of_kinds)), None)
        if phrase(option) in verbs and kind is not None:
            return {kind: Amount(Measure.TEXT, option)}
    return {}
