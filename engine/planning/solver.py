"""Intents into one plan: each is retrieved, chosen, built by template; what is independent runs side by side."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from engine.environment.retrieval import Candidate, candidates
from engine.errors import ValueFault
from engine.graph.terms import Json, NamedNode
from engine.language.answers import answer
from engine.model.intent import Intent, Operation
from engine.model.outcome import IntentOutcome, Status
from engine.model.plan import Plan, Step
from engine.model.request_rdf import intent_quads
from engine.planning.check import read
from engine.planning.feasibility import Chosen, Question, Refusal, choose
from engine.planning.site import Site
from engine.planning.templates import Built, build
from engine.planning.timing import back, timed

ASKED = frozenset({"missing_value", "ambiguous_device", "ambiguous_room"})


@dataclass(frozen=True, slots=True)
class Solution:
    """What is to be done about each intent, in their order, and the plan for what can be done (None: nothing)."""

    outcomes: tuple[IntentOutcome, ...]
    plan: Plan | None
    choices: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(slots=True)
class _Draft:
    """A plan while it grows. `state` is what is predicted after the steps so far."""

    start: Mapping[str, Json]
    ahead: dict[str, Json] = field(default_factory=dict)
    built: list[Built] = field(default_factory=list)
    choices: dict[str, tuple[str, ...]] = field(default_factory=dict)
    undone: list[Step] = field(default_factory=list)

    def mark(self) -> tuple[int, dict[str, Json], int]:
        """Where it stands, for `back_to`."""
        return len(self.built), dict(self.ahead), len(self.undone)

    def back_to(self, mark: tuple[int, dict[str, Json], int]) -> None:
        """Forgets what came after a mark."""
        del self.built[mark[0] :], self.undone[mark[2] :]
        self.ahead = dict(mark[1])


Alternatives = Sequence[Sequence[Intent]]
_HOPELESS = frozenset({"no_such_command", "no_such_property", "no_such_device", "wrong_type", "invalid_value"})
"""Reasons that speak against a reading, and not only against doing what it says."""


def solve(goals: Sequence[Alternatives], site: Site, plan_iri: str) -> Solution:
    """The solution for goals, each with its readings, likeliest first; the first of each is stored in the graph."""
    draft = _Draft(site.state)
    outcomes = tuple(outcome for readings in goals for outcome in _solve_goal(readings, site, draft))
    if not draft.built:
        return Solution(outcomes, None, draft.choices)
    steps = (*(built.step for built in draft.built), *draft.undone)
    return Solution(outcomes, Plan(plan_iri, _merged(draft.built), steps), draft.choices)


def _solve_goal(readings: Alternatives, site: Site, draft: _Draft) -> tuple[IntentOutcome, ...]:
    """The first reading that can be carried out; the first of all where none can."""
    mark = draft.mark()
    first: tuple[IntentOutcome, ...] = ()
    for rank, intents in enumerate(readings):
        if rank:
            site.store.write(insert=[quad for intent in intents for quad in intent_quads(intent)])
        found = tuple(_solve(intent, site, draft) for intent in intents)
        if not any(o.status is Status.REFUSED and o.reason in _HOPELESS for o in found):
            return found
        first = first or found
        if len(readings) > 1:
            draft.back_to(mark)
    return first if len(readings) == 1 else tuple(_solve(intent, site, draft) for intent in readings[0])


def _solve(intent: Intent, site: Site, draft: _Draft) -> IntentOutcome:
    if intent.fault is not None:
        return _faulty(intent)
    chosen = choose(intent, site)
    if intent.operation is Operation.CHECK and not isinstance(chosen, Refusal):
        return _checked(intent, chosen, site)
    if isinstance(chosen, Refusal):
        return IntentOutcome(intent, Status.REFUSED, chosen.reason, chosen.subject)
    if isinstance(chosen, Question):
        draft.choices[intent.iri] = chosen.choices
        return IntentOutcome(intent, Status.CLARIFY, chosen.reason)
    return _build_all(intent, chosen.parts, site, draft)


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
        return IntentOutcome(intent, Status.REFUSED, faults[0].reason, faults[0].message)
    return IntentOutcome(
        intent,
        Status.DONE,
        things=tuple(dict.fromkeys(b.step.thing for b in built)),
        affordances=tuple(b.step.affordance for b in built),
    )


def _build(intent: Intent, part: str, several: Sequence[Candidate], site: Site, draft: _Draft) -> Built:
    present = draft.start if site.relative_to_start else _Ahead(draft)
    built = build(intent, part, several, site, present)
    draft.ahead.update(built.step.expected)
    undo = _undo(intent, built, part, site, present)
    built = replace(built, node=timed(built.node, undo.node if undo else None, intent, site))
    draft.built.append(built)
    if undo is not None:
        draft.ahead.update(undo.step.expected)
        draft.undone.append(undo.step)
    return built


def _undo(intent: Intent, built: Built, part: str, site: Site, before: Mapping[str, Json]) -> Built | None:
    """The way back when the time of an intent is over, retrieved like any intent."""
    reverse = back(intent, built, site, before)
    if reverse is None:
        return None
    site.store.write(insert=list(intent_quads(reverse)))
    found = [c for c in candidates(site.store, NamedNode(reverse.iri)) if c.part == part]
    return build(reverse, part, found, site, {**before, **dict(built.step.expected)})


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


def _merged(built: Sequence[Built]) -> dict[str, Json]:
    """One tree: steps on the same thing follow each other, all else runs side by side to its end."""
    lanes: dict[str, list[Built]] = {}
    for one in built:
        lanes.setdefault(one.step.thing, []).append(one)
    nodes = [_lane(several) for several in lanes.values()]
    if len(nodes) == 1:
        return nodes[0]
    children: list[Json] = list(nodes)
    return {"type": "parallel", "name": "request", "policy": "complete_all", "children": children}


def _lane(several: Sequence[Built]) -> dict[str, Json]:
    if len(several) == 1:
        return several[0].node
    children: list[Json] = [one.node for one in several]
    return {"type": "sequence", "name": "one after the other", "children": children}


def steps_of(plan: Plan | None) -> tuple[Step, ...]:
    """The steps of a plan that may be none."""
    return plan.steps if plan else ()
