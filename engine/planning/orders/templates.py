"""Plans by template: `set` is an idempotent selector, `modify` is read, compute, set (AmI HMAS, section 4.2)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from zlib import crc32

from engine.environment import effects
from engine.environment.retrieval import Candidate
from engine.environment.values import inputs, quantities
from engine.environment.values.scales import scale_of
from engine.environment.values.schemas import validate
from engine.errors import ValueFault
from engine.graph.terms import Json, expand
from engine.model.intent import Amount, Intent, Measure
from engine.model.plan import Step
from engine.model.thing import Action, Form, Property, Thing
from engine.model.vocabulary import Form as EffectForm
from engine.model.vocabulary import Vocabulary
from engine.planning.orders.amounts import amount_of
from engine.planning.orders.change import computation
from engine.planning.site import Site

INVOKE = expand("td:invokeAction")
WRITE = expand("td:writeProperty")
EXTENT = expand("hg:Extent")


@dataclass(frozen=True, slots=True)
class Built:
    """The subtree and the step for one part. `goals` maps the properties that matter to the values they shall have."""

    node: dict[str, Json]
    step: Step
    goals: Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class _Aim:
    """The goal of one part: its property of a kind at an amount. `target` is the value, where there is one."""

    kind: str
    amount: Amount
    property: Property | None
    target: Json = None


def build(intent: Intent, part: str, candidates: Sequence[Candidate], site: Site, state: Mapping[str, Json]) -> Built:
    """The first candidate that meets the intent, as a subtree. Raises ValueFault with the reason where none does."""
    thing = site.registry.thing_of[part]
    fault: ValueFault | None = None
    for candidate in sorted(candidates, key=lambda c: _distance(intent, c, site)):
        try:
            built = _attempt(intent, part, thing, candidate, site, state)
        except ValueFault as error:
            fault = fault or error
            continue
        if built is not None:
            return built
    raise fault or ValueFault("nothing here brings that about.", reason="no_such_command")


def _distance(intent: Intent, candidate: Candidate, site: Site) -> tuple[bool, int, bool, int]:
    """The distance of a candidate from the request, by which candidates are sorted: another command than the one said;
    of those first a property whose form can be written, for the meaning of an action of another name is guessed,
    then actions, then any property and steps to the next state; a setter where an end was said, or the other way
    round; the number of other effects."""
    action = site.registry.actions.get(candidate.affordance)
    if action is None:
        forms = site.registry.properties[candidate.affordance].forms
        return not candidate.exact, 0 if any(WRITE in form.operations for form in forms) else 2, False, 1
    does = effects.effects_of(action, site.vocabulary)
    turns = any(e.form is EffectForm.TO_NEXT for e in does)
    sets = any(e.form is EffectForm.TO_INPUT for e in does)
    explicit = intent.amount is not None and intent.amount.measure is not Measure.TRUTH
    return not candidate.exact, 2 if turns and not candidate.exact else 1, sets != explicit, len(does)


def _attempt(
    intent: Intent, part: str, thing: Thing, candidate: Candidate, site: Site, state: Mapping[str, Json]
) -> Built | None:
    action = site.registry.actions.get(candidate.affordance)
    own = action is not None and action.effects and candidate.exact and intent.amount is None
    # What an action says of itself goes before what its command does elsewhere.
    aims = () if own else tuple(_aims(intent, part, thing, site.vocabulary, state))
    if action is None:
        return _written(intent, thing, site.registry.properties[candidate.affordance], aims, site, state)
    wanted: dict[str, Json | Amount] = {aim.kind: aim.amount if aim.property is None else aim.target for aim in aims}
    goal = {**(wanted if intent.amount or not candidate.exact else {}), **dict(intent.inputs)}
    payload = effects.payload_for(action, thing, goal, state, site.vocabulary)
    if payload is None:
        return None
    after = effects.assign(action, payload, thing, state, site.vocabulary)
    goals = {aim.property.iri: aim.target for aim in aims if aim.property is not None}
    if not candidate.exact and not goals and not payload:
        return None
    if any(
        not quantities.same(after.get(p, state.get(p)), v, site.registry.properties[p], site.vocabulary)
        for p, v in goals.items()
    ):
        return None
    return _acted(intent, thing, action, payload, after, goals or after, aims, site, state)


def _aims(intent: Intent, part: str, thing: Thing, vocabulary: Vocabulary, state: Mapping[str, Json]) -> list[_Aim]:
    """The goals of the intent for this part: its amount of its kind, or the effects of its command."""
    if intent.property is not None and intent.amount is not None:
        found = [(intent.property, intent.amount)]
    else:
        command = vocabulary.commands.get(intent.command or "")
        found = [(e.kind, a) for e in (command.effects if command else ()) if (a := amount_of(e)) is not None]
    aims = [
        _round_corner(_aim(kind, a, part, thing, vocabulary, state), intent, vocabulary, state) for kind, a in found
    ]
    met = [aim for aim in aims if aim.property is not None]
    return met or aims


def _round_corner(aim: _Aim, intent: Intent, vocabulary: Vocabulary, state: Mapping[str, Json]) -> _Aim:
    """The aim of a step to the next option, which wraps around from the last to the first: the opposite bound where the
    target is already reached."""
    command = vocabulary.commands.get(intent.command or "")
    turns = command is not None and any(e.form is EffectForm.TO_NEXT and e.kind == aim.kind for e in command.effects)
    prop = aim.property
    if not turns or prop is None or aim.target != state.get(prop.iri):
        return aim
    first = Amount(
        Measure.BOUND, "minimum" if isinstance(aim.amount.value, int | float) and aim.amount.value > 0 else "maximum"
    )
    return _Aim(aim.kind, first, prop, quantities.realise(first, prop, vocabulary, state.get(prop.iri)))


def _aim(kind: str, amount: Amount, part: str, thing: Thing, vocabulary: Vocabulary, state: Mapping[str, Json]) -> _Aim:
    prop = property_of(kind, part, thing, vocabulary)
    if prop is None:
        return _Aim(kind, _whole(kind, amount, vocabulary), None)
    return _Aim(kind, amount, prop, quantities.realise(amount, prop, vocabulary, state.get(prop.iri)))


def _whole(kind: str, amount: Amount, vocabulary: Vocabulary) -> Amount:
    """How much is to be done: of an extent "by ten" says all of it; of anything else it is so much more than now."""
    extent = amount.relative and vocabulary.is_a(kind, EXTENT)
    return replace(amount, relative=False) if extent else amount


def property_of(kind: str, part: str, thing: Thing, vocabulary: Vocabulary) -> Property | None:
    """The property of this kind, of this part; the nearest kind where several are."""
    fitting = [p for p in thing.of_part(part) if any(vocabulary.is_a(k, kind) for k in p.kinds)]
    return min(fitting, key=lambda p: (kind not in p.kinds, p.schema.read_only, p.name), default=None)


def _acted(
    intent: Intent,
    thing: Thing,
    action: Action,
    payload: Json,
    after: Mapping[str, Json],
    goals: Mapping[str, Json],
    aims: Sequence[_Aim],
    site: Site,
    state: Mapping[str, Json],
) -> Built:
    form = _form(action.forms, INVOKE)
    step = Step(
        intent=intent.iri,
        thing=thing.iri,
        affordance=action.iri,
        target=form.target if form else action.iri,
        method=(form.method if form else None) or "POST",
        payload=payload,
        expected=tuple(after.items()),
        already=bool(after) and _holds(after, state, site),
    )
    relative = [aim for aim in aims if aim.amount.relative and aim.property is not None]
    node = _modify(step, relative[0], action, intent, site, state) if relative else None
    return Built(node or _set(step, step.payload, after, intent.text), step, goals)


def invoked(
    intent: Intent, thing: Thing, action: Action, payload: Json, site: Site, state: Mapping[str, Json]
) -> Built:
    """An action with a payload that somebody else has chosen: checked against its schema, its effects predicted, done
    unless it is so already. Raises ValueFault."""
    validate(payload, action.input, action.name)
    after = effects.assign(action, payload, thing, state, site.vocabulary)
    return _acted(intent, thing, action, payload, after, after, (), site, state)


def _written(
    intent: Intent, thing: Thing, prop: Property, aims: Sequence[_Aim], site: Site, state: Mapping[str, Json]
) -> Built | None:
    """A writable property is set by writing it."""
    aim = next((a for a in aims if a.property is not None and a.property.iri == prop.iri), None)
    if aim is None:
        return None
    validate(aim.target, prop.schema)
    form = _form(prop.forms, WRITE)
    step = Step(
        intent=intent.iri,
        thing=thing.iri,
        affordance=prop.iri,
        target=form.target if form else prop.iri,
        method=(form.method if form else None) or "PUT",
        payload=aim.target,
        expected=((prop.iri, aim.target),),
        already=_holds({prop.iri: aim.target}, state, site),
    )
    after = {prop.iri: aim.target}
    return Built(_set(step, aim.target, after, intent.text), step, after)


def _form(forms: Sequence[Form], operation: str) -> Form | None:
    return next((f for f in forms if operation in f.operations), forms[0] if forms else None)


def _holds(wanted: Mapping[str, Json], state: Mapping[str, Json], site: Site) -> bool:
    return all(
        iri in state and quantities.same(state[iri], value, site.registry.properties.get(iri), site.vocabulary)
        for iri, value in wanted.items()
    )


def _action_node(step: Step, payload: Json) -> dict[str, Json]:
    return {
        "type": "action",
        "affordance": step.affordance,
        "target": step.target,
        "method": step.method,
        "payload": payload,
    }


def _set(step: Step, payload: Json, after: Mapping[str, Json], name: str) -> dict[str, Json]:
    """Do it, unless it is so: a selector of conditions and the action."""
    act = _action_node(step, payload)
    checks: list[Json] = [
        {"type": "condition", "affordance": iri, "operator": "=", "value": value} for iri, value in after.items()
    ]
    if not checks:
        return act
    check: Json = checks[0] if len(checks) == 1 else {"type": "sequence", "children": checks}
    return {"type": "selector", "name": name, "children": [check, act]}


def _modify(
    step: Step, aim: _Aim, action: Action, intent: Intent, site: Site, state: Mapping[str, Json]
) -> dict[str, Json] | None:
    """Read, compute, set; the payload has a variable where it would hold the value computed now. None where that cannot
    be: then the value at planning time counts."""
    assert aim.property is not None
    own = crc32(f"{intent.iri.partition('/intent-')[2]} {aim.property.iri}".encode())
    present, wanted = f"present_{own:x}", f"wanted_{own:x}"
    expression = computation(aim.amount, aim.property, site.vocabulary, state.get(aim.property.iri), present)
    payload = _with_variable(step.payload, _taken_over(aim, action, site), wanted)
    if payload is None or expression is None:
        return None
    after: dict[str, Json] = {**dict(step.expected), aim.property.iri: {"$": wanted}}
    return {
        "type": "sequence",
        "name": f"change {aim.property.name}",
        "children": [
            {"type": "property", "affordance": aim.property.iri, "into": present},
            {"type": "compute", "into": wanted, "expression": expression},
            _set(step, payload, after, intent.text),
        ],
    }


def _taken_over(aim: _Aim, action: Action, site: Site) -> inputs.Path | None:
    """Where the input takes the property's value as it stands: not where it counts otherwise than the property."""
    path = inputs.find(action.input, aim.kind, site.vocabulary) if action.input else None
    if path is None or aim.property is None or action.input is None:
        return None
    member = inputs.scale_at(action.input, path, aim.property, site.vocabulary)
    return path if inputs.alike(scale_of(aim.property, site.vocabulary), member) else None


def _with_variable(payload: Json, path: inputs.Path | None, variable: str) -> Json:
    """The payload with a variable in the place of one member; the whole of it where the path is empty."""
    if path is None:
        return None
    if not path:
        return {"$": variable}
    if not isinstance(payload, dict):
        return None
    return {**payload, path[0]: _with_variable(payload.get(path[0]), path[1:], variable)}
