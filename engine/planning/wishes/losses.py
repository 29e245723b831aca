"""Explains why candidates for a wish were not taken: outranked, at their limit, the wrong way, forbidden, not
recalled."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import islice

from engine.environment import effects
from engine.environment.values.quantities import same
from engine.errors import ValueFault
from engine.experience import recall
from engine.graph.terms import Json
from engine.language.replies.replies import property_name, value_words
from engine.model.intent import Amount, Intent
from engine.model.outcome import Loss
from engine.model.signifier import StateCondition
from engine.model.thing import Action, Thing
from engine.model.vocabulary import Form
from engine.planning.orders.merging import Task
from engine.planning.orders.templates import property_of
from engine.planning.recollection import checker_of, taste_of
from engine.planning.site import Site
from engine.planning.wishes.implicit import Goal, Remedy
from engine.planning.wishes.vague import Advice, influences_of

MOST = 16
"""Of how many candidates of one wish the journal says why they were not taken."""
MOST_RUNS = 3
_RANKS = ("LessPreferred", "LessNamed", "FurtherAway", "SideEffects", "OtherAtWork", "LessEffect")
_SAYS = {
    "equals": "is not {value} any more",
    "notEquals": "is {value} now",
    "lessThan": "is not below {value} any more",
    "lessOrEqual": "is above {value} now",
    "greaterThan": "is not above {value} any more",
    "greaterOrEqual": "is below {value} now",
}


def losses(advice: Advice, tasks: Sequence[Task], faults: Mapping[Goal, str], site: Site) -> tuple[Loss, ...]:
    """The reasons why other candidates lost, given the tasks for a wish; `faults` has the goals that could not be met,
    each with its message."""
    taken = {task.part: task.built.step.affordance for task in tasks}
    found = [Loss("NotPossible", _at_fault(goal, taken, site), words=words) for goal, words in faults.items()]
    found += list(_outranked(advice, taken, {goal.part for goal in faults}, site))
    found += [one for one in advice.missed if one.lost not in taken]
    return tuple(islice((*found, *islice(_beside(advice, tasks, site), MOST)), MOST))


def _at_fault(goal: Goal, taken: Mapping[str, str], site: Site) -> str:
    """The part of a goal; where something else is done with it, the property alone."""
    prop = property_of(goal.kind, goal.part, site.registry.thing_of[goal.part], site.vocabulary)
    return prop.iri if prop is not None and goal.part in taken else goal.part


def _outranked(advice: Advice, taken: Mapping[str, str], faults: Collection[str], site: Site) -> Iterator[Loss]:
    best = next((one for one in advice.ranked if one.part.iri in taken), None)
    for one in advice.ranked:
        if best is not None and one.part.iri not in taken and one.part.iri not in faults:
            yield _compared(one, best, advice, site)


def _compared(one: Remedy, best: Remedy, advice: Advice, site: Site) -> Loss:
    """The first rank (preference, mention, nearness, side effects, work, effect) in which one is behind another."""
    rank = next((n for n, (a, b) in enumerate(zip(one.rank, best.rank, strict=True)) if a < b), None)
    reason = "OneIsEnough" if rank is None else _RANKS[rank]
    if reason == "LessPreferred" and one.rank[0] < 0:
        reason = "Avoided"
    words = ""
    if reason == "SideEffects":
        others = influences_of(site).other_variables(advice.variable or "", one.part, one.thing)
        words = ", ".join(sorted(site.vocabulary.name(variable).lower() for variable in others))
    return Loss(reason, one.part.iri, best.part.iri, words)


def _beside(advice: Advice, tasks: Sequence[Task], site: Site) -> Iterator[Loss]:
    """The other affordances of the parts that are taken."""
    used = {task.built.step.affordance for task in tasks}
    for part in dict.fromkeys(task.part for task in tasks):
        own = [task for task in tasks if task.part == part]
        thing = site.registry.thing_of[part]
        wanted = {iri: value for task in own for iri, value in task.built.step.expected}
        full = _moved(wanted, advice, site)
        for action in thing.actions:
            if action.part == part and action.iri not in used:
                reason = _other(_after(action, own, thing, site), wanted, full, advice, site)
                turns = any(one.form is Form.TO_NEXT for one in effects.effects_of(action, site.vocabulary))
                yield Loss("NextStateOnly" if turns else reason, action.iri, own[0].built.step.affordance)


def _moved(changes: Mapping[str, Json], advice: Advice, site: Site) -> float:
    """By how much changes move the variable of the wish, the wanted way."""
    if advice.variable is None or not changes:
        return 0.0
    return influences_of(site).moves(site.state, changes, site.clock.now()).get(advice.variable, 0.0) * advice.direction


def _other(after: Mapping[str, Json], wanted: Mapping[str, Json], full: float, advice: Advice, site: Site) -> str:
    """Why another affordance of the same part lost to the one taken, as a class of losses."""
    if advice.variable is not None:
        moved = _moved(after, advice, site)
        if moved <= 0:
            return "WrongWay" if moved < 0 else "NoBearing"
        return "SmallerResult" if moved < full * 0.99 else "SameResult"
    known = [(site.registry.properties[iri], value) for iri, value in wanted.items() if iri in site.registry.properties]
    reached = all(same(after.get(prop.iri), value, prop, site.vocabulary) for prop, value in known)
    return "SameResult" if reached and wanted else "NoBearing"


def _after(action: Action, own: Sequence[Task], thing: Thing, site: Site) -> dict[str, Json]:
    """The state after an action, with the wanted values where it takes any."""
    goals: dict[str, Json | Amount] = {
        task.intent.property: task.intent.amount
        for task in own
        if task.intent.property is not None and task.intent.amount is not None
    }
    for goal in (goals, {}):
        try:
            payload = effects.payload_for(action, thing, goal, site.state, site.vocabulary)
            if payload is not None:
                return effects.assign(action, payload, thing, site.state, site.vocabulary)
        except ValueFault:
            continue
    return {}


def unrecalled(intent: Intent, site: Site) -> tuple[Loss, ...]:
    """Why experience had nothing to go by for a wish: no such run, or a context that does not hold any more."""
    if site.experience is None:
        return ()
    checker, taste, found = checker_of(site), taste_of(site.tastes), list[Loss]()
    runs: set[str] = set()
    for one in site.experience.matching(recall.wanted_of(intent, site.location)):
        run = one.run or one.iri
        if run in runs or recall.part_of(one.affordance, site.registry) is None:
            continue
        changed = next((c for c in one.conditions if not checker.holds([c])), None)
        if one.taste != taste:
            found.append(Loss("OtherTaste", one.affordance))
        elif changed is not None:
            found.append(Loss("ContextChanged", one.affordance, words=_told(changed, site)))
        else:
            continue
        runs.add(run)
        if len(runs) == MOST_RUNS:
            break
    return tuple(found) or (Loss("NoSignifier"),)


def _told(condition: StateCondition, site: Site) -> str:
    """A condition that does not hold, in words."""
    thing, prop = site.registry.thing_of.get(condition.property), site.registry.properties.get(condition.property)
    if thing is None or prop is None:
        name, other = site.vocabulary.name(condition.property), site.vocabulary.otherwise.get(condition.property)
        return other or f"not: {name}" if condition.value is True else name
    says = _SAYS.get(condition.operator, "is different").format(value=value_words(condition.value))
    now = site.state.get(condition.property)
    present = f" (it is {value_words(now)})" if now is not None else ""
    return f"the {property_name(prop.iri, site.registry)} of {thing.title} {says}{present}"
