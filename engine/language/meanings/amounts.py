"""Translates words for amounts to the amounts that they can mean."""

from __future__ import annotations

from dataclasses import dataclass, replace

from engine.graph.terms import expand
from engine.language.meanings.context import Context
from engine.language.phrases.slots import HowMuch
from engine.language.words.dictionary import Relation
from engine.language.words.grammar import BY, TO
from engine.language.words.lexicon import Role
from engine.model.intent import Amount, Measure

STEPS = expand("hg:LevelUnit")
_GENERAL = frozenset({expand("hg:WorkMode")})
_MAXIMUM, _MINIMUM = expand("hg:Maximum"), expand("hg:Minimum")
COLOURS = frozenset({expand("hg:LightColour")})


@dataclass(frozen=True, slots=True)
class Meaning:
    """An amount, the kinds of property that it can be an amount of (empty: any), and the classes of which it is said
    (empty: any).

    A relative amount is without its sign: which way it goes depends on the kind that it meets. So does one that is
    `far`, as far as it goes. `to`: it was said as where something shall be.
    """

    amount: Amount
    kinds: frozenset[str] = frozenset()
    classes: frozenset[str] = frozenset()
    far: bool = False
    to: bool = False

    def towards(self, way: int) -> Amount:
        """The amount, in the direction of the verb."""
        value = self.amount.value
        if self.far and way < 0:
            return replace(self.amount, value=_MINIMUM)
        if not self.amount.relative or not isinstance(value, int | float):
            return self.amount
        return replace(self.amount, value=way * value)


def meanings(how: HowMuch, context: Context, *, directed: bool, named: bool = False) -> list[Meaning]:
    """All meanings of one amount, likeliest first. `directed`: the verb says more or less; `named`: a property is
    named beside it."""
    if how.about:
        own = frozenset(entry.iri for entry in how.about)
        found = meanings(replace(how, about=()), context, directed=directed)
        near = [m for m in found if m.kinds & own]
        if not near and own <= _GENERAL and all(m.kinds for m in found):
            return found  # "the warmest setting"
        others = [m for m in found if not m.kinds or m.amount.measure is not Measure.TRUTH]
        return [replace(m, kinds=own) for m in near or others]  # that a battery is not low is no brightness
    if how.number is not None:
        return [Meaning(_number(how, how.number, context, directed=directed), to=how.preposition in TO)]
    found = [m for e in how.entries for m in _meanings_of_role(e.role, e.iri, how, context, named=named)]
    return found or ([] if how.entries else [Meaning(Amount(Measure.TEXT, how.text))])


def _number(how: HowMuch, number: float, context: Context, *, directed: bool) -> Amount:
    """A number is added where "by" says so, or a verb of more or less without "to"."""
    if how.of_current:
        return Amount(Measure.FRACTION, number / 100, of_current=True)
    relative = how.preposition in BY or (directed and how.preposition not in TO)
    steps = relative and how.unit == STEPS
    unit = None if context.bare_numbers or steps else how.unit
    return Amount(Measure.NUMBER, number, unit, relative=relative, steps=steps)


def _meanings_of_role(role: Role, iri: str, how: HowMuch, context: Context, *, named: bool) -> list[Meaning]:
    if role is Role.VALUE:
        return [_value(iri, how, context, named=named)]
    if role is Role.COLOUR:
        rgb = [int(iri[i : i + 2], 16) for i in (1, 3, 5)]
        return [Meaning(Amount(Measure.COLOUR, list(rgb)), COLOURS)]
    if role is Role.OPTION:
        return [Meaning(Amount(Measure.TEXT, iri), context.dictionary.options.get(iri, frozenset()))]
    if role is Role.SUPERLATIVE:
        return [
            Meaning(Amount(Measure.BOUND, "maximum" if r.direction > 0 else "minimum"), _about(r))
            for r in context.dictionary.relations.get(iri, ())
        ]
    if role is Role.STATE:
        return [
            replace(of_state(s.kind, s.to, s.bound), classes=s.classes) for s in context.dictionary.states.get(iri, ())
        ]
    return []


def _about(relation: Relation) -> frozenset[str]:
    """The kind that a relation compares: none of its own for "high" and "low", which are of any."""
    return frozenset((relation.about,)) if relation.about is not None else frozenset()


def _value(iri: str, how: HowMuch, context: Context, *, named: bool) -> Meaning:
    """The meaning of a named value; "by half" is a share of the present value."""
    value = context.vocabulary.values.get(iri)
    level = value.level if value is not None else None
    if level is not None and 0 < level < 1 and how.of_current and how.preposition not in BY:
        return Meaning(Amount(Measure.FRACTION, level, of_current=True))
    if level is not None and how.preposition in BY:
        return Meaning(Amount(Measure.FRACTION, level, relative=True, of_current=True))
    spelt = context.dictionary.spelt.get(iri, frozenset())
    numeric = value is not None and (value.level is not None or value.number is not None)
    kinds = value.kinds | spelt if value and value.kinds else frozenset() if numeric else spelt
    far = iri == _MAXIMUM and not how.preposition  # "dim it all the way", and not "to the maximum"
    return Meaning(Amount(Measure.NAMED, iri), kinds if named else _modes(kinds, how.text, context), far=far)


def _modes(kinds: frozenset[str], words: str, context: Context) -> frozenset[str]:
    """The kinds of an option named as a mode: with "auto mode" modes alone, whatever else has an option "auto"."""
    general = expand("hg:WorkMode")
    if words.split()[-1] not in context.vocabulary.labels.get(general, ()):
        return kinds
    return frozenset(k for k in kinds if context.vocabulary.is_a(k, general)) or frozenset((general,))


def of_state(kind: str, to: object, bound: str | None) -> Meaning:
    """The meaning of a state: a property of a kind is at the value `to`, or at its bound."""
    if bound is not None:
        return Meaning(Amount(Measure.BOUND, bound), frozenset((kind,)))
    if isinstance(to, bool):
        return Meaning(Amount(Measure.TRUTH, to), frozenset((kind,)))
    measure = Measure.NAMED if isinstance(to, str) and to.startswith("http") else Measure.TEXT
    return Meaning(Amount(measure, to if isinstance(to, str | int | float) else str(to)), frozenset((kind,)))
