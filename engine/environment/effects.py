"""What an action does to the properties of its thing: the one interpreter of effects.

The simulation stores what `assign` says, policies check it, idempotence compares it; `payload_for` runs it backwards.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from engine.environment import inputs, options
from engine.environment.quantities import realise_on, transfer
from engine.environment.scales import Scale, scale_of
from engine.environment.schemas import is_number
from engine.errors import ValueFault
from engine.graph.terms import Json
from engine.model.intent import Amount, Measure
from engine.model.thing import Action, Property, Thing
from engine.model.vocabulary import Effect, Form, Vocabulary


def assign(
    action: Action, payload: Json, thing: Thing, state: Mapping[str, Json], vocabulary: Vocabulary
) -> dict[str, Json]:
    """The values that properties (by IRI) have after the action: only those that it decides, changed or not.

    `payload` is valid for the action's input. What it leaves out, what depends on a value that `state` does not have,
    and what a property cannot spell is not decided. Raises ValueFault when an input does not fit the property it sets,
    or when one of the action's own effects does not.
    """
    after: dict[str, Json] = {}
    for effect in effects_of(action, vocabulary):
        for prop in reached(effect, action, thing, vocabulary):
            if prop.iri not in after:
                decided = _outcome(effect, prop, action, payload, state.get(prop.iri), vocabulary)
                after.update({} if decided is None else {prop.iri: decided})
    return after


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
    return realise_on(scale, _constant(effect.value, scale, own), current)


def _constant(value: Json, scale: Scale, own: bool) -> Amount:
    """What an effect's constant amounts to. The ontology counts in the kind's unit, a thing in its own."""
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
