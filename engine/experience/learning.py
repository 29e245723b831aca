"""Learns signifiers from a run: one for each invocation in the journal and its intent."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from typing import cast
from uuid import NAMESPACE_URL, uuid5

from engine.environment import effects
from engine.environment.simulation.influences import Influences
from engine.environment.values.quantities import amount_of
from engine.environment.values.scales import scale_of
from engine.errors import ValueFault
from engine.experience.context import Comfort, chosen, is_switch
from engine.experience.memory import Memory, key_of
from engine.experience.recall import part_of, wanted_of
from engine.graph.store import GraphStore
from engine.graph.terms import Json, NamedNode, python
from engine.model.intent import Category, Intent, Operation
from engine.model.request_rdf import amount_json
from engine.model.signifier import Signifier, StateCondition
from engine.model.thing import Property, Thing
from engine.things.registry import Registry

_LEARNT = "done"


@dataclass(frozen=True, slots=True)
class Lesson:
    """The circumstances of a run: the home, the state and moment before it, who asked from where, and their taste
    (`taste`, `comfort`)."""

    store: GraphStore
    registry: Registry
    influences: Influences
    before: Mapping[str, Json]
    at: datetime
    location: str | None
    taste: Callable[[], str]
    comfort: Comfort


def learn(request: str, intents: Mapping[str, Intent], memory: Memory, lesson: Lesson) -> int:
    """Stores the signifiers of a request's run; returns their number. `intents` are those of the request, by IRI."""
    found: list[Signifier] = []
    run = NamedNode(f"{request}/run")
    for affordance, payload, status, intent in lesson.store.select("experience/executed", run=run):
        if affordance is None or status is None or intent is None:
            continue
        served = intents.get(intent.value)
        if served is None or not _teaches(served):
            continue
        sent = cast(Json, python(payload)) if payload is not None else None
        made = _signifier(served, run.value, affordance.value, sent, lesson, successful=status.value == _LEARNT)
        found += [made] if made is not None else []
    memory.keep(*found)
    return len(found)


def _teaches(intent: Intent) -> bool:
    """Whether an intent can be met again in the same way: it sets something, at once, of plainly named things."""
    kinds = intent.category in (Category.EXPLICIT, Category.IMPLICIT)
    level = intent.category is Category.IMPLICIT and intent.amount is not None  # is of that time alone
    plain = intent.timing is None and intent.selection.plain and not level
    return kinds and plain and intent.operation in (Operation.SET, Operation.INVOKE)


def _signifier(
    intent: Intent, run: str, affordance: str, payload: Json, lesson: Lesson, *, successful: bool
) -> Signifier | None:
    registry = lesson.registry
    thing, part = registry.thing_of.get(affordance), part_of(affordance, registry)
    named = registry.actions.get(affordance) or registry.properties.get(affordance)
    if thing is None or part is None or named is None:
        return None
    after = _brought_about(affordance, payload, thing, lesson)
    implicit = intent.category is Category.IMPLICIT
    form = named.forms[0] if named.forms else None
    bare = Signifier(
        iri="",
        text=intent.text,
        affordance=affordance,
        action=intent.operation.value,
        artifact=thing.iri,
        implicit=implicit,
        action_name=named.name,
        payload=payload,
        workspace=thing.place,
        successful=successful,
        conditions=_context(intent, thing, part, after, lesson) if implicit else (),
        wanted=wanted_of(intent, lesson.location),
        target=form.target if form is not None else None,
        method=form.method if form is not None else None,
        taste=lesson.taste() if implicit else "",
        run=run,
        learnt=lesson.at.isoformat(),
        successes=int(successful),
        failures=int(not successful),
    )
    return _identified(_aimed(bare, after, registry))


def _aimed(signifier: Signifier, after: Mapping[str, Json], registry: Registry) -> Signifier:
    """The signifier with the property that the action is about, and its value afterwards."""
    aim = _aim(after, registry)
    if aim is None:
        return signifier
    return replace(
        signifier,
        parameter=aim.name,
        value=after[aim.iri],
        kind=min(aim.kinds, default=None),
        amount=_amount(aim, after, registry),
    )


def _identified(signifier: Signifier) -> Signifier:
    """The signifier under its identity: one for the same intent, context and affordance, whatever number was said of an
    explicit one."""
    assert signifier.wanted is not None
    conditions = [asdict(condition) for condition in signifier.conditions]
    amount = signifier.amount if signifier.implicit else None
    identity = [*map(str, key_of(signifier.wanted)), signifier.affordance, signifier.taste, amount, conditions]
    return replace(signifier, iri=f"urn:uuid:{uuid5(NAMESPACE_URL, json.dumps(identity, sort_keys=True))}")


def _brought_about(affordance: str, payload: Json, thing: Thing, lesson: Lesson) -> dict[str, Json]:
    action = lesson.registry.actions.get(affordance)
    if action is None:
        return {affordance: payload}
    try:
        return effects.assign(action, payload, thing, lesson.before, lesson.registry.vocabulary)
    except ValueFault:
        return {}


def _aim(after: Mapping[str, Json], registry: Registry) -> Property | None:
    """The property that the action is about: the level rather than the switch that comes with it."""
    props = [registry.properties[iri] for iri in after if iri in registry.properties]
    return min(props, key=lambda p: (is_switch(p, registry.vocabulary), p.name), default=None)


def _amount(aim: Property, after: Mapping[str, Json], registry: Registry) -> Json:
    try:
        return cast(Json, amount_json(amount_of(after[aim.iri], scale_of(aim, registry.vocabulary))))
    except ValueFault:
        return None


def _context(
    intent: Intent, thing: Thing, part: str, after: Mapping[str, Json], lesson: Lesson
) -> tuple[StateCondition, ...]:
    registry, influences = lesson.registry, lesson.influences
    own = thing.of_part(part)
    acted = [prop for prop in own if prop.iri in after or is_switch(prop, registry.vocabulary)]
    if intent.variable is None:
        return chosen(acted, (), lesson.before, influences.outside(lesson.before, lesson.at), lesson.comfort, registry)
    outside = influences.outside(lesson.before, lesson.at)
    bearing = influences.on_variable(intent.variable, registry.parts[part], thing)
    counted = {inf.when: outside[inf.when] for _, inf in bearing if inf.when is not None and inf.when in outside}
    sensors = influences.sensors(intent.variable, thing.place)
    return chosen(acted, sensors, lesson.before, counted, lesson.comfort, registry)
