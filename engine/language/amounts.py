"""How much: what the words for an amount can mean, as amounts of the model."""

from __future__ import annotations

from dataclasses import dataclass

from engine.graph.terms import expand
from engine.language.context import Context
from engine.language.frames import HowMuch
from engine.language.grammar import TO
from engine.language.lexicon import Role
from engine.model.intent import Amount, Measure

STEPS = frozenset({expand("hg:LevelUnit")})


@dataclass(frozen=True, slots=True)
class Meaning:
    """An amount, and the kinds of property that it can be an amount of (empty: any)."""

    amount: Amount
    kinds: frozenset[str] = frozenset()


def meanings(how: HowMuch, direction: int, context: Context, *, named: bool = False) -> list[Meaning]:
    """All meanings of one amount, likeliest first. `direction` is that of the verb (0: none); `named`: so is its property."""
    if how.number is not None:
        return [Meaning(_number(how, direction, context))]
    found: list[Meaning] = []
    for entry in how.entries:
        found.extend(_named(entry.role, entry.iri, how.text, context, named=named))
    if not found and not how.entries:
        found.append(Meaning(Amount(Measure.TEXT, how.text)))
    return found


def _number(how: HowMuch, direction: int, context: Context) -> Amount:
    """A number is added where "by" says so, or a verb of more or less without "to"."""
    relative = how.preposition == "by" or (direction != 0 and how.preposition not in TO)
    number = how.number or 0.0
    sign = (direction or 1) if relative else 1
    steps = relative and how.unit in STEPS
    unit = None if context.bare_numbers or steps else how.unit
    return Amount(Measure.NUMBER, sign * number, unit, relative=relative, steps=steps)


def _named(role: Role, iri: str, words: str, context: Context, *, named: bool) -> list[Meaning]:
    if role is Role.VALUE:
        value = context.vocabulary.values.get(iri)
        spelt = context.dictionary.spelt.get(iri, frozenset())
        numeric = value is not None and (value.level is not None or value.number is not None)
        kinds = value.kinds | spelt if value and value.kinds else frozenset() if numeric else spelt
        return [Meaning(Amount(Measure.NAMED, iri), kinds if named else _modes(kinds, words, context))]
    if role is Role.OPTION:
        return [Meaning(Amount(Measure.TEXT, iri), context.dictionary.options.get(iri, frozenset()))]
    if role is Role.STATE:
        return [_state(s.kind, s.to, s.bound) for s in context.dictionary.states.get(iri, ())]
    return []


def _modes(kinds: frozenset[str], words: str, context: Context) -> frozenset[str]:
    """ "Auto mode" is a value of a mode, whatever else has an option "auto"."""
    general = expand("hg:WorkMode")
    if words.split()[-1] not in context.vocabulary.labels.get(general, ()):
        return kinds
    return frozenset(k for k in kinds if context.vocabulary.is_a(k, general)) or frozenset((general,))


def _state(kind: str, to: object, bound: str | None) -> Meaning:
    if bound is not None:
        return Meaning(Amount(Measure.BOUND, bound), frozenset((kind,)))
    if isinstance(to, bool):
        return Meaning(Amount(Measure.TRUTH, to), frozenset((kind,)))
    measure = Measure.NAMED if isinstance(to, str) and to.startswith("http") else Measure.TEXT
    return Meaning(Amount(measure, to if isinstance(to, str | int | float) else str(to)), frozenset((kind,)))
