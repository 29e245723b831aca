"""Computes the effects of an action on the properties of its thing: the one interpreter of effects.

The simulation stores the result of `assign`, policies check it, idempotence compares it; `payload_for` runs it
backwards.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from engine.environment.values import inputs, options
from engine.environment.values.quantities import realise, realise_on, same, transfer
from engine.environment.values.scales import Scale, scale_of
from engine.environment.values.schemas import is_number, validate
from engine.errors import ValueFault
from engine.graph.terms import Json
from engine.model.intent import Amount, Measure
from engine.model.thing import Action, Property, Schema, Thing
from engine.model.vocabulary import Effect, Form, Vocabulary


def assign(
    action: Action, payload: Json, thing: Thing, state: Mapping[str, Json], vocabulary: Vocabulary
) -> dict[str, Json]:
    """The values that properties (by IRI) have after the action: only those that it decides, changed or not.

    `payload` is valid for the action's input. Properties are left out whose input is missing, whose value depends on
    one that `state` does not have, or that cannot spell the value. Raises ValueFault when an input does not fit the
    property it sets, or when one of the action's own effects does not.
    """
    after: dict[str, Json] = {}
    for effect in effects_of(action, vocabulary):
        for prop in reached(effect, action, thing, vocabulary):
            if prop.iri not in after:
                decided = _outcome(effect, prop, action, payload, state.get(prop.iri), vocabulary)
                after.update({} if decided is None else {prop.iri: decided})
    return after


def payload_for(
    action: Action, thing: Thing, goal: Mapping[str, Json | Amount], state: Mapping[str, Json], vocabulary: Vocabulary
) -> Json:
    """The input with which the action brings about `goal`: a value in the property's terms, or an amount, by kind.

    Members that may be left out and that no goal asks for are left out; others come from their constant, default or the
    present state. {} where the action takes, or needs, no input. None when the action cannot bring all of it about.
    Raises ValueFault when a value does not fit, or when a relative amount meets an unknown state.
    """
    filling = _Filling(action, thing, goal, state, vocabulary)
    try:
        payload = {} if action.input is None else filling.fill(action.input, (), True)
    except _CannotFill:
        return None
    payload = {} if payload is None else payload
    validate(payload, action.input)
    return payload if filling.brings_about_the_rest(payload) else None


class _CannotFill(Exception):
    """A member that is needed has no value."""


@dataclass(slots=True)
class _Filling:
    """One input being filled."""

    action: Action
    thing: Thing
    goal: Mapping[str, Json | Amount]
    state: Mapping[str, Json]
    vocabulary: Vocabulary
    used: set[str] = field(default_factory=set)

    def fill(self, schema: Schema, path: inputs.Path, needed: bool) -> Json:
        """The value of an input or of a member; None where it is left out."""
        if not inputs.is_group(schema):
            return self._leaf(schema, path, needed)
        members = {
            name: self.fill(member, (*path, name), needed and name in schema.required)
            for name, member in schema.properties
        }
        return {name: value for name, value in members.items() if value is not None} or None

    def _leaf(self, schema: Schema, path: inputs.Path, needed: bool) -> Json:
        kind, prop = self._wanted_kind(path), self._property_at(path)
        if kind is not None:
            self.used.add(kind)
            return self._value(self.goal[kind], path, prop)
        if not needed:
            return None
        if schema.has_const or schema.has_default:
            return schema.const if schema.has_const else schema.default
        present = None if prop is None else self.state.get(prop.iri)
        if prop is None or present is None:
            raise _CannotFill
        return transfer(present, scale_of(prop, self.vocabulary), self._scale(path, prop))

    def _scale(self, path: inputs.Path, prop: Property | None) -> Scale:
        assert self.action.input is not None
        return inputs.scale_at(self.action.input, path, prop, self.vocabulary)

    def _value(self, wanted: Json | Amount, path: inputs.Path, prop: Property | None) -> Json:
        scale = self._scale(path, prop)
        if isinstance(wanted, Amount) and (prop is None or not _depends(wanted)):
            return realise_on(scale, wanted, None if prop is None else self.state.get(prop.iri))
        if prop is None:
            return wanted if not isinstance(wanted, Amount) else None
        target = scale_of(prop, self.vocabulary)
        value = realise_on(target, wanted, self.state.get(prop.iri)) if isinstance(wanted, Amount) else wanted
        return value if inputs.alike(target, scale) else transfer(value, target, scale)

    def _wanted_kind(self, path: inputs.Path) -> str | None:
        """The goal that the value at `path` is to reach: its own kind first, then kinds above and below it."""
        assert self.action.input is not None
        kinds = inputs.at(self.action.input, path).kinds or self._effect_kinds(path)
        exact = [kind for kind in self.goal if kind in kinds]
        near = [kind for kind in self.goal if any(_related(kind, one, self.vocabulary) for one in kinds)]
        return next(iter([*exact, *near]), None)

    def _effect_kinds(self, path: inputs.Path) -> frozenset[str]:
        return frozenset(effect.kind for effect in self._copying(path))

    def _copying(self, path: inputs.Path) -> list[Effect]:
        """The effects that copy the value at `path`."""
        assert self.action.input is not None
        found = [effect for effect in effects_of(self.action, self.vocabulary) if effect.form is Form.TO_INPUT]
        return [one for one in found if inputs.find(self.action.input, str(one.value), self.vocabulary) == path]

    def _property_at(self, path: inputs.Path) -> Property | None:
        """The property that the value at `path` sets, else the one of the same kind in the action's part."""
        assert self.action.input is not None
        for effect in self._copying(path):
            for prop in reached(effect, self.action, self.thing, self.vocabulary):
                return prop
        kinds = inputs.at(self.action.input, path).kinds
        return next((prop for prop in self.thing.of_part(self.action.part) if prop.kinds & kinds), None)

    def brings_about_the_rest(self, payload: Json) -> bool:
        """Whether the goals that no member took come about by the action's other effects."""
        rest = {kind: wanted for kind, wanted in self.goal.items() if kind not in self.used}
        after = assign(self.action, payload, self.thing, self.state, self.vocabulary) if rest else {}
        return all(self._comes_about(kind, wanted, after) for kind, wanted in rest.items())

    def _comes_about(self, kind: str, wanted: Json | Amount, after: Mapping[str, Json]) -> bool:
        props = [prop for prop in self.thing.properties if prop.iri in after]
        props = [prop for prop in props if inputs.of_kind(prop.kinds, kind, self.vocabulary)]
        return bool(props) and all(self._is(wanted, prop, after[prop.iri]) for prop in props)

    def _is(self, wanted: Json | Amount, prop: Property, value: Json) -> bool:
        if isinstance(wanted, Amount):
            wanted = realise(wanted, prop, self.vocabulary, self.state.get(prop.iri))
        return same(wanted, value, prop, self.vocabulary)


def _depends(amount: Amount) -> bool:
    """Whether an amount depends on the present value."""
    return amount.relative or amount.of_current or amount.steps


def _related(one: str, other: str, vocabulary: Vocabulary) -> bool:
    return vocabulary.is_a(one, other) or vocabulary.is_a(other, one)


def effects_of(action: Action, vocabulary: Vocabulary) -> tuple[Effect, ...]:
    """The action's own effects, else those of its command classes, the more special commands first."""
    if action.effects:
        return action.effects
    commands = sorted(action.commands, key=lambda name: (-len(vocabulary.ancestors.get(name, ())), name))
    return tuple(dict.fromkeys(effect for command in commands for effect in command_effects(command, vocabulary)))


def command_effects(command: str, vocabulary: Vocabulary) -> tuple[Effect, ...]:
    """The effects of a command class, inherited where it has none of its own."""
    known = vocabulary.commands.get(command)
    if known and known.effects:
        return known.effects
    above = [vocabulary.commands[name] for name in vocabulary.ancestors.get(command, ()) if name in vocabulary.commands]
    above.sort(key=lambda one: (-len(vocabulary.ancestors.get(one.iri, ())), one.iri))
    return next((one.effects for one in above if one.effects), ())


def reached(effect: Effect, action: Action, thing: Thing, vocabulary: Vocabulary) -> tuple[Property, ...]:
    """The properties that an effect meets: the very one it names, else those of its kind in the action's part.

    Where some are of exactly the kind that the effect names (or its input has), those of sub-kinds are not meant.
    """
    if effect.property:
        return tuple(prop for prop in thing.properties if prop.iri == effect.property)
    own = [prop for prop in thing.of_part(action.part) if inputs.of_kind(prop.kinds, effect.kind, vocabulary)]
    wanted = frozenset((effect.kind,))
    if effect.form is Form.TO_INPUT and action.input is not None:
        wanted |= inputs.kinds_at(action.input, inputs.find(action.input, str(effect.value), vocabulary))
    exact = tuple(prop for prop in own if (wanted - {effect.kind} or wanted) & prop.kinds)
    return exact or tuple(prop for prop in own if wanted & prop.kinds) or tuple(own)


def _outcome(
    effect: Effect, prop: Property, action: Action, payload: Json, current: Json, vocabulary: Vocabulary
) -> Json:
    """The value of `prop` after the effect, or None where it is not decided."""
    scale = scale_of(prop, vocabulary)
    if effect.form is Form.TO_INPUT:
        return _copied(effect, prop, action, payload, vocabulary)
    try:
        return _FORMS[effect.form](effect, scale, current, bool(action.effects))
    except ValueFault as fault:
        if action.effects and fault.reason != "unknown_state":
            raise
        return None


def _copied(effect: Effect, prop: Property, action: Action, payload: Json, vocabulary: Vocabulary) -> Json:
    if action.input is None:
        return None
    path = inputs.find(action.input, str(effect.value), vocabulary)
    given = None if path is None else inputs.value_at(payload, path)
    if path is None or given is None:
        return None
    source = inputs.scale_at(action.input, path, prop, vocabulary)
    target = scale_of(prop, vocabulary)
    return given if inputs.alike(source, target) else transfer(given, source, target)


def _to(effect: Effect, scale: Scale, current: Json, own: bool) -> Json:
    return realise_on(scale, constant(effect.value, scale, own), current)


def constant(value: Json, scale: Scale, own: bool) -> Amount:
    """The amount of an effect's constant. The ontology counts in the kind's unit, a thing in its own."""
    if isinstance(value, bool):
        return Amount(Measure.TRUTH, value)
    if isinstance(value, int | float):
        return Amount(Measure.NUMBER, value, None if own else scale.sense.unit)
    if isinstance(value, list):
        return Amount(Measure.COLOUR, value)
    return Amount(Measure.NAMED if value in scale.vocabulary.values else Measure.TEXT, value)


def _to_bound(effect: Effect, scale: Scale, current: Json, _: bool) -> Json:
    return realise_on(scale, Amount(Measure.BOUND, effect.value), current)


def _by(effect: Effect, scale: Scale, current: Json, own: bool) -> Json:
    if current is None:
        return None
    return realise_on(scale, Amount(Measure.NUMBER, effect.value, None if own else scale.sense.unit, True), current)


def _to_next(effect: Effect, scale: Scale, current: Json, _: bool) -> Json:
    """The next option round the corner, the other truth, or the next step of a range, from its end to its start."""
    steps = int(effect.value) if isinstance(effect.value, int | float) else 1
    if isinstance(current, bool):
        return current != (steps % 2 == 1)
    if scale.schema.enum:
        return options.next_option(scale, current, steps)
    if not is_number(current):
        return None
    moved = realise_on(scale, Amount(Measure.NUMBER, steps, relative=True, steps=True), current)
    if moved != current or not scale.range.complete:
        return moved
    return realise_on(scale, Amount(Measure.BOUND, "minimum" if steps > 0 else "maximum"))


_FORMS: dict[Form, Callable[[Effect, Scale, Json, bool], Json]] = {
    Form.TO: _to,
    Form.TO_BOUND: _to_bound,
    Form.BY: _by,
    Form.TO_NEXT: _to_next,
}
