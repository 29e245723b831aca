"""Solves intents to one plan: each is retrieved, chosen and built by template; independent tasks run side by side."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from engine.environment.retrieval import Candidate, candidates
from engine.environment.state import Overlay
from engine.environment.values.quantities import truth
from engine.errors import ModelError, ValueFault
from engine.experience.recall import part_of
from engine.graph.terms import Json, NamedNode
from engine.language.replies.answers import answer
from engine.model.intent import Asks, Category, Intent, Moment, Operation, Query
from engine.model.outcome import IntentOutcome, Status
from engine.model.plan import Plan, Step
from engine.model.request_rdf import intent_quads
from engine.planning.model.generation import generate
from engine.planning.model.prompting import Planner
from engine.planning.orders.feasibility import Chosen, Nothing, Question, Refusal, choose, names_its_property
from engine.planning.orders.merging import Task, merged, switching
from engine.planning.orders.templates import Built, build, invoked
from engine.planning.orders.timing import back, begins, delay, ends
from engine.planning.policies.enforcement import enforce
from engine.planning.questions.check import read
from engine.planning.questions.inquiries import inquire
from engine.planning.recollection import recollection, remembered, served
from engine.planning.site import Site
from engine.planning.wishes.implicit import Goal
from engine.planning.wishes.losses import losses, unrecalled
from engine.planning.wishes.tastes_told import of_taste
from engine.planning.wishes.vague import advise, goal_intent, influences_of, wished_for

ASKED = frozenset({"missing_value", "missing_time", "ambiguous_device", "ambiguous_room"})


@dataclass(frozen=True, slots=True)
class Revert:
    """The way back when the time of an intent is over: intents on single parts, resolved anew then."""

    intent: Intent
    after: Moment
    back: tuple[Intent, ...]
    steps: tuple[Step, ...] = ()


@dataclass(frozen=True, slots=True)
class Solution:
    """The outcome of each intent, in their order, and the plan for the feasible ones (None: nothing). `taken` has the
    reading of each goal that was chosen; `reverts` are kept until the time of an intent is over."""

    outcomes: tuple[IntentOutcome, ...]
    plan: Plan | None
    choices: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    taken: tuple[tuple[Intent, ...], ...] = ()
    reverts: tuple[Revert, ...] = ()


@dataclass(slots=True)
class _Draft:
    """A plan while it grows. `ahead` is the predicted state after the steps so far, as far as they are done at once."""

    start: Mapping[str, Json]
    ahead: dict[str, Json] = field(default_factory=dict)
    tasks: list[Task] = field(default_factory=list)
    choices: dict[str, tuple[str, ...]] = field(default_factory=dict)
    served: dict[str, dict[str, str]] = field(default_factory=dict)  # by intent and part, what served it before
    modelled: set[tuple[str, str]] = field(default_factory=set)  # intents and parts that a language model chose
    recalled: set[tuple[str, str]] = field(default_factory=set)  # intents and parts served as they were before
    unusable: dict[str, dict[Goal, str]] = field(default_factory=dict)  # by intent and goal, why it cannot be met
    reverts: list[Revert] = field(default_factory=list)

    def mark(self) -> tuple[int, dict[str, Json], int]:
        """Where it stands, for `back_to`."""
        return len(self.tasks), dict(self.ahead), len(self.reverts)

    def drop_covered(self, first: int) -> None:
        """Drops steps from `first` on whose whole effect a later one on the same thing has too: a light that is turned
        on by setting its brightness is not turned on before. A later step that has nothing left to do, because of
        the earlier, covers nothing, so that the steps carried out are those consented to."""
        tasks = [(_effect(t), t) for t in self.tasks[first:]]
        self.tasks[first:] = [
            task
            for place, (effect, task) in enumerate(tasks)
            if not effect or not any(effect <= later for later, one in tasks[place + 1 :] if not one.built.step.already)
        ]

    def back_to(self, mark: tuple[int, dict[str, Json], int]) -> None:
        """Drops the tasks after a mark."""
        del self.tasks[mark[0] :]
        self.ahead = dict(mark[1])
        del self.reverts[mark[2] :]


def _effect(task: Task) -> set[tuple[str, str]]:
    """The expected values after a task's step, comparable."""
    return {(iri, repr(value)) for iri, value in task.built.step.expected}


Alternatives = Sequence[Sequence[Intent]]
_HOPELESS = frozenset({"no_such_command", "no_such_property", "no_such_device", "wrong_type", "invalid_value"})
"""Reasons that speak against a reading, and not only against doing what it says."""


def solve(goals: Sequence[Alternatives], site: Site, plan_iri: str) -> Solution:
    """The solution for goals, each with its readings, likeliest first; the first of each is stored in the graph."""
    draft = _Draft(site.state)
    solved = [_solve_goal(readings, site, draft) for readings in goals]
    outcomes = tuple(outcome for goal in solved for outcome in goal)
    taken = tuple(tuple(outcome.intent for outcome in goal) for goal in solved)
    if not draft.tasks:
        return Solution(outcomes, None, draft.choices, taken)
    steps = tuple(task.built.step for task in draft.tasks)
    by = [(task.intent.iri, task.part) for task in draft.tasks]
    recalled, modelled = all(one in draft.recalled for one in by), any(one in draft.modelled for one in by)
    path = "model" if modelled else "signifier" if recalled else "template"
    plan = Plan(plan_iri, merged(draft.tasks), steps, path)
    return Solution(outcomes, plan, draft.choices, taken, tuple(draft.reverts))


def _solve_goal(readings: Alternatives, site: Site, draft: _Draft) -> tuple[IntentOutcome, ...]:
    """The first reading that can be carried out; the first of all where none can."""
    mark = draft.mark()
    first: tuple[IntentOutcome, ...] = ()
    for rank, intents in enumerate(readings):
        if rank:
            likeliest = readings[0][0].iri
            site.store.write(insert=[quad for intent in intents for quad in intent_quads(intent, likeliest)])
        found = tuple(_solve(intent, site, draft) for intent in intents)
        if not any(o.status is Status.REFUSED and o.reason in _HOPELESS for o in found):
            draft.drop_covered(mark[0])
            return found
        first = first or found
        if len(readings) > 1:
            draft.back_to(mark)
    return first if len(readings) == 1 else tuple(_solve(intent, site, draft) for intent in readings[0])


def _solve(intent: Intent, site: Site, draft: _Draft) -> IntentOutcome:
    planner = site.planner
    if intent.fault is not None:
        return _faulty(intent)
    if intent.affordance is not None:
        return _invoked(intent, intent.affordance, site, draft)
    if planner is not None and planner.forced and (found := _choice(intent, site)) is not None:
        return _by_model(intent, found, planner, site, draft)
    if intent.category is Category.PREFERENCE:
        return of_taste(intent, site)
    if intent.category is Category.IMPLICIT:
        return _advised(intent, site, draft)
    if intent.query is not None:
        return inquire(intent, site)
    return _explicit(intent, site, draft)


def _explicit(intent: Intent, site: Site, draft: _Draft) -> IntentOutcome:
    """The outcome of an intent that names its command or question and its things."""
    chosen = choose(intent, site)
    if isinstance(chosen, Nothing):
        if intent.operation is Operation.CHECK:  # of nothing that is so
            return replace(inquire(replace(intent, query=Query(Asks.LIST)), site), intent=intent)
        return IntentOutcome(intent, Status.DONE)
    if intent.operation is Operation.CHECK and not isinstance(chosen, Refusal):
        return _checked(intent, chosen, site)
    if isinstance(chosen, Refusal):
        return IntentOutcome(intent, Status.REFUSED, _told(chosen.reason, intent, site), chosen.subject)
    if isinstance(chosen, Question):
        draft.choices[intent.iri] = chosen.choices
        return IntentOutcome(intent, Status.CLARIFY, chosen.reason, candidates=chosen.found)
    if (wish := wished_for(intent, [part for part, _ in chosen.parts], site)) is not None:
        return replace(_advised(wish, site, draft), intent=intent)
    draft.served[intent.iri] = served(intent, site)
    return replace(_build_all(intent, chosen.parts, site, draft), candidates=chosen.found)


def _told(reason: str, intent: Intent, site: Site) -> str:
    """Why not, in the person's terms: a property that nobody named is no property that is missed."""
    unnamed = bool(site.vocabulary.labels.get(intent.property or "")) and not names_its_property(intent, site)
    return "no_such_command" if reason == "no_such_property" and unnamed else reason


def _invoked(intent: Intent, affordance: str, site: Site, draft: _Draft) -> IntentOutcome:
    """The very action that was named, with the payload that was given, checked like anything else."""
    action, thing = site.registry.actions[affordance], site.registry.thing_of[affordance]
    ahead = _Ahead(draft)
    try:
        built = invoked(intent, thing, action, intent.payload, site, ahead)
        enforce(built.step, ahead, site.clock.now(), site.registry, influences_of(site))
    except ValueFault as fault:
        return IntentOutcome(intent, Status.REFUSED, fault.reason, str(fault))
    return _carried_out(intent, [Task(intent, action.part, built, switches=_switches_on(built, site))], "", draft)


def _choice(intent: Intent, site: Site) -> tuple[Candidate, ...] | None:
    """The candidates that a model may choose from; () for a wish, for which it chooses among all that bears on
    it; None where there is no choice: nothing is found, the meaning is open, or it is about time, which is
    never the model's."""
    if intent.timing is not None:
        return None
    if intent.category is Category.IMPLICIT:
        return None if isinstance(advise(intent, site), Refusal | Question) else ()
    if intent.category is Category.PREFERENCE or intent.query is not None:
        return None
    chosen = choose(intent, site)
    return tuple(c for _, several in chosen.parts for c in several) if isinstance(chosen, Chosen) else None


def _by_model(
    intent: Intent, found: tuple[Candidate, ...], planner: Planner, site: Site, draft: _Draft
) -> IntentOutcome:
    """The outcome of a language model's proposal, checked like anything else."""
    try:
        built = generate(intent, found, site, planner)
    except (ModelError, ValueFault) as fault:
        status = Status.FAILED if isinstance(fault, ModelError) else Status.REFUSED
        return IntentOutcome(intent, status, fault.reason, str(fault))
    if intent.operation is Operation.CHECK:
        chosen = choose(intent, site)
        return _checked(intent, chosen, site) if isinstance(chosen, Chosen) else _faulty(intent)
    tasks = [
        Task(intent, part_of(one.step.affordance, site.registry) or "", one, switches=_switches_on(one, site))
        for one in built
    ]
    for task in tasks:
        draft.ahead.update(task.built.step.expected)
        draft.modelled.add((intent.iri, task.part))
    return _carried_out(intent, tasks, "", draft)


def _advised(intent: Intent, site: Site, draft: _Draft) -> IntentOutcome:
    """The outcome of a wish that names no device: goal after goal, until it is enough."""
    advice = advise(intent, site)
    if isinstance(advice, Question):
        draft.choices[intent.iri] = advice.choices
        return IntentOutcome(intent, Status.CLARIFY, advice.reason)
    if isinstance(advice, Refusal):
        return IntentOutcome(intent, Status.REFUSED, advice.reason, advice.subject, losses=advice.losses)
    done = _remembered(intent, site, draft)
    idle: list[Task] = []
    if done:
        return _carried_out(intent, done, recollection(), draft)
    for number, goals in enumerate(advice.rounds, start=1):
        for place, goal in enumerate(goals, start=1):
            task = _goal_task(goal, goal_intent(intent, goal, 100 * number + place), intent, site, draft)
            if task is not None:
                (idle if task.built.step.already else done).append(task)
        if done and advice.enough(draft.ahead):
            break
    lost = losses(advice, done or idle, draft.unusable.get(intent.iri, {}), site)
    if not (done or idle):
        return IntentOutcome(intent, Status.REFUSED, "no_such_command", losses=lost)
    outcome = _carried_out(intent, done or idle, advice.because, draft)
    parts = {goal.part for goals in advice.rounds for goal in goals}
    things = {site.registry.thing_of[part].iri: site.registry.thing_of[part] for part in parts}
    found = (action.iri for thing in things.values() for action in thing.actions if action.part in parts)
    return replace(outcome, candidates=tuple(found), losses=(*unrecalled(intent, site), *lost))


def _carried_out(intent: Intent, tasks: Sequence[Task], because: str, draft: _Draft) -> IntentOutcome:
    draft.tasks.extend(tasks)
    steps = [task.built.step for task in tasks]
    return IntentOutcome(
        intent,
        Status.DONE,
        things=tuple(dict.fromkeys(step.thing for step in steps)),
        affordances=tuple(step.affordance for step in steps),
        because=because,
    )


def _remembered(intent: Intent, site: Site, draft: _Draft) -> list[Task]:
    """The tasks that met such a wish before, in a context that holds now: all of them, or none."""
    tasks: list[Task] = []
    mark = draft.mark()
    for number, (goal, affordance) in enumerate(remembered(intent, site), start=1):
        task = _goal_task(goal, goal_intent(intent, goal, number), intent, site, draft, affordance)
        if task is None or task.built.step.already:
            draft.back_to(mark)
            return []
        draft.recalled.add((task.intent.iri, task.part))
        tasks.append(task)
    return tasks


def _goal_task(
    goal: Goal, wanted: Intent, source: Intent, site: Site, draft: _Draft, affordance: str | None = None
) -> Task | None:
    """The task for a goal, retrieved like any intent, by the one affordance where it is named; None where none
    serves."""
    site.store.write(insert=list(intent_quads(wanted, source.iri)))
    found = [c for c in candidates(site.store, NamedNode(wanted.iri)) if c.part == goal.part]
    found = [c for c in found if affordance in (None, c.affordance)]
    try:
        built = build(wanted, goal.part, found, site, _Ahead(draft))
        enforce(built.step, _Ahead(draft), site.clock.now(), site.registry, influences_of(site))
    except ValueFault as fault:
        draft.unusable.setdefault(source.iri, {})[goal] = str(fault)
        return None
    if not built.step.already:
        draft.ahead.update(built.step.expected)
    built = replace(built, step=replace(built.step, intent=source.iri))
    return Task(wanted, goal.part, built, switches=_switches_on(built, site))


def _checked(intent: Intent, chosen: Chosen | Question, site: Site) -> IntentOutcome:
    """A question is answered from the state, of everything that it may be about."""
    parts = [part for part, _ in chosen.parts] if isinstance(chosen, Chosen) else list(chosen.choices)
    readings = read(intent, parts, site)
    known = [r for r in readings if r.value is not None]
    if not known:
        return IntentOutcome(intent, Status.REFUSED, "unknown_state")
    return IntentOutcome(
        intent,
        Status.ANSWERED,
        things=tuple(dict.fromkeys(r.thing.iri for r in known)),
        affordances=tuple(r.property.iri for r in known),
        candidates=chosen.found,
        answer=answer(intent, known, site.registry),
    )


def _faulty(intent: Intent) -> IntentOutcome:
    asked = intent.fault in ASKED
    return IntentOutcome(intent, Status.CLARIFY if asked else Status.REFUSED, intent.fault, intent.subject or "")


def _build_all(
    intent: Intent, parts: Sequence[tuple[str, Sequence[Candidate]]], site: Site, draft: _Draft
) -> IntentOutcome:
    """Builds for every part; one that cannot is left out where others can."""
    faults: list[ValueFault] = []
    built: list[Built] = []
    for part, several in parts:
        try:
            built.append(_build(intent, part, several, site, draft))
        except ValueFault as fault:
            faults.append(fault)
    if not built:
        return IntentOutcome(intent, Status.REFUSED, faults[0].reason, str(faults[0]))
    return IntentOutcome(
        intent,
        Status.DONE,
        things=tuple(dict.fromkeys(b.step.thing for b in built)),
        affordances=tuple(b.step.affordance for b in built),
    )


def _build(intent: Intent, part: str, several: Sequence[Candidate], site: Site, draft: _Draft) -> Built:
    """Builds the step for one part, with its delay and its way back, and adds it to the draft."""
    present = draft.start if site.relative_to_start else _Ahead(draft)
    before = [one for one in several if one.affordance == draft.served.get(intent.iri, {}).get(part)]
    try:
        built = build(intent, part, before or several, site, present)
        draft.recalled.update([(intent.iri, part)] if before else [])
    except ValueFault:
        if not before:
            raise
        built = build(intent, part, several, site, present)
    enforce(built.step, present, begins(intent.timing, site.clock.now()), site.registry, influences_of(site))
    if intent.timing is not None and (backwards := tuple(_undo(intent, built, part, site, present))):
        backs, steps = zip(*backwards, strict=True)
        draft.reverts.append(Revert(intent, ends(intent.timing), backs, steps))
    later = delay(intent.timing, site)
    if later is None:
        draft.ahead.update(built.step.expected)
    else:  # how it will be then is not known now
        built = replace(built, step=replace(built.step, already=False))
    draft.tasks.append(Task(intent, part, built, later, switches=_switches_on(built, site)))
    return built


def _switches_on(built: Built, site: Site) -> bool:
    props = [(site.registry.properties[iri], value) for iri, value in built.goals.items()]
    return any(switching(p.kinds, site.vocabulary) and truth(v, p, site.vocabulary) is not False for p, v in props)


def _undo(
    intent: Intent, built: Built, part: str, site: Site, before: Mapping[str, Json]
) -> Iterator[tuple[Intent, Step]]:
    """The way back when the time of an intent is over, as far as there is one: it is retrieved like any intent. Side
    effects stay where nothing can put them back."""
    then = dict(built.step.expected)
    for number, reverse in enumerate(back(intent, built, part, site, before)):
        site.store.write(insert=list(intent_quads(reverse, intent.iri)))
        found = [c for c in candidates(site.store, NamedNode(reverse.iri)) if c.part == part]
        try:
            undone = build(reverse, part, found, site, Overlay(then, before)).step
        except ValueFault:
            if number == 0:
                raise
            continue
        then.update(undone.expected)
        yield reverse, undone


class _Ahead(Mapping[str, Json]):
    """The state as it will be when the steps so far have run."""

    def __init__(self, draft: _Draft) -> None:
        self._draft = draft

    def __getitem__(self, key: str) -> Json:
        ahead = self._draft.ahead
        return ahead[key] if key in ahead else self._draft.start[key]

    def __iter__(self) -> Iterator[str]:
        return iter({**self._draft.start, **self._draft.ahead})

    def __len__(self) -> int:
        return len({**self._draft.start, **self._draft.ahead})
