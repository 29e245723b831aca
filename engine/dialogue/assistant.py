"""One request, all the way: understood, journalled, solved, consented to, run, and told."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import Enum
from itertools import count
from time import perf_counter

from engine.dialogue import journal
from engine.environment.binding import Binding
from engine.environment.clock import Clock
from engine.environment.state import State
from engine.errors import InputError
from engine.execution.runner import Run, run
from engine.graph.store import GraphStore
from engine.graph.terms import Json, expand
from engine.language import replies
from engine.language.context import Context, setters
from engine.language.dictionary import Dictionary, build
from engine.language.understanding import understand
from engine.model.outcome import ActionResult, Change, IntentOutcome, Outcome, Status, derive_status
from engine.model.plan import Plan
from engine.planning.regret import regretted
from engine.planning.site import Infeasible, Site
from engine.planning.solver import Solution, solve
from engine.settings import Settings
from engine.things.registry import Registry

MOST_PENDING = 64


class Consent(Enum):
    """What the person has agreed to beforehand."""

    PLAN = "plan"  # nothing runs; a plan is all that is wanted
    ASK = "ask"  # the plan is proposed and waits for consent by its id
    YES = "yes"  # runs, but what a person would regret is asked about
    ALL = "all"  # runs, whatever it is


@dataclass(frozen=True, slots=True)
class Request:
    """What was said, by whom and where. `location` is a place IRI; `iri` names the request in the journal."""

    text: str
    iri: str
    user: str | None = None
    location: str | None = None


class Assistant:
    """The conversation with one home."""

    def __init__(
        self,
        store: GraphStore,
        registry: Registry,
        state: State,
        clock: Clock,
        binding: Binding,
        settings: Settings,
    ) -> None:
        self.settings = settings
        self.store, self.registry, self.state, self.clock, self.binding = store, registry, state, clock, binding
        self._infeasible = Infeasible()
        self._generation = -1
        self._dictionary: Dictionary | None = None
        self._setters: Mapping[str, frozenset[str]] = {}
        self._conventions: frozenset[str] = frozenset()
        self._pending: OrderedDict[str, tuple[Request, Outcome]] = OrderedDict()
        self._numbers = count(1)

    def handle(self, request: Request, consent: Consent = Consent.ASK) -> Outcome:
        """What came of a request. Raises InputError for a text that cannot be read at all."""
        _check(request.text, self.settings.max_text_length)
        began = perf_counter()
        context = self._context(request)
        goals = understand(request.text, request.iri, context)
        intents = [intent for readings in goals for intent in readings[0]]
        journal.open_request(self.store, request.iri, request.text, request.user, self.clock.now(), intents)
        understood = perf_counter()
        solution = solve(goals, self._site(request), f"{request.iri}/plan")
        planned = perf_counter()
        outcome = self._decided(request, solution)
        milliseconds = {"understand": (understood - began) * 1000, "plan": (planned - understood) * 1000, "run": 0.0}
        outcome = replace(outcome, milliseconds=milliseconds)
        return self._proceed(request, outcome, consent)

    def consent(self, plan: str) -> Outcome:
        """Runs a proposed plan by its IRI, after it has been checked again. Raises InputError for an unknown one."""
        pending = self._pending.pop(plan, None)
        if pending is None:
            raise InputError("No such plan is waiting for consent.", remedy="Ask again.", reason="no_such_plan")
        request, outcome = pending
        goals = [((o.intent,),) for o in outcome.intents]
        solution = solve(goals, self._site(request), plan)
        fresh = replace(self._decided(request, solution), milliseconds=outcome.milliseconds)
        if fresh.plan is None or _commands(fresh.plan) != _commands(outcome.plan):
            raise InputError(
                "The home has changed since the plan was made.", remedy="Ask again.", reason="plan_outdated"
            )
        return self._run(request, fresh)

    def _context(self, request: Request) -> Context:
        self._refresh()
        assert self._dictionary is not None
        return Context(self.store, self.registry, self._dictionary, request.location, self._conventions, self._setters)

    def _refresh(self) -> None:
        """Rebuilds what is kept of the graph when the graph has changed."""
        if self._generation == self.store.generation:
            return
        self._generation = self.store.generation
        self._dictionary = build(self.store, self.registry)
        self._setters = setters(self.registry.vocabulary)
        rows = self.store.select("dialogue/conventions")
        self._conventions = frozenset(row[0].value for row in rows if row[0] is not None)

    def _site(self, request: Request) -> Site:
        relative = expand("hg:RelativeToStart") in self._conventions
        return Site(self.store, self.registry, self.state, self.clock, self._infeasible, request.location, relative)

    def _decided(self, request: Request, solution: Solution) -> Outcome:
        """The outcome as it stands before anything runs."""
        status = derive_status(o.status for o in solution.outcomes)
        asked = next((o for o in solution.outcomes if o.status is Status.CLARIFY), None)
        question = None
        if asked is not None:
            question = replies.question(asked, solution.choices.get(asked.intent.iri, ()), self.registry)
        plan = solution.plan
        if plan is not None:
            plan = replace(plan, summary=replies.summary(plan, self.registry))
        reason = next((o.reason for o in solution.outcomes if o.reason), None)
        return Outcome(
            request=request.iri,
            text=request.text,
            status=status,
            intents=solution.outcomes,
            actions=_planned(plan),
            question=question,
            reason=reason if status in (Status.REFUSED, Status.CLARIFY, Status.PARTIAL, Status.FAILED) else None,
            plan=plan,
            answer=next((o.answer for o in solution.outcomes if o.answer), None),
            reply=question or replies.report(solution.outcomes, (), (), self.registry),
        )

    def _proceed(self, request: Request, outcome: Outcome, consent: Consent) -> Outcome:
        plan = outcome.plan
        if plan is None or outcome.status is Status.CLARIFY or consent is Consent.PLAN:
            return self._closed(outcome)
        regrets = regretted(plan, self.registry)
        if consent is Consent.ASK or (consent is Consent.YES and regrets):
            self._remember(request, outcome, plan)
            reason = "needs_consent" if regrets else None
            reply = f"I would do this: {plan.summary}. Shall I?"
            return self._closed(replace(outcome, status=Status.PROPOSED, reason=reason, question=reply, reply=reply))
        return self._run(request, outcome)

    def _remember(self, request: Request, outcome: Outcome, plan: Plan) -> None:
        self._pending[plan.iri] = (request, outcome)
        while len(self._pending) > MOST_PENDING:
            self._pending.popitem(last=False)

    def _run(self, request: Request, outcome: Outcome) -> Outcome:
        assert outcome.plan is not None
        began, start = self.clock.now(), perf_counter()
        before = dict(self.state)
        result = run(
            outcome.plan,
            self.binding,
            self.state,
            self.clock,
            ticks=self.settings.tick_limit,
            seconds=self.settings.run_seconds,
        )
        changes = self._changes(before)
        intents = tuple(_fate(o, result) for o in outcome.intents)
        status = derive_status(o.status for o in intents)
        reason = next((o.reason for o in intents if o.reason), None)
        done = replace(
            outcome,
            status=status,
            reason=reason,
            intents=intents,
            actions=result.actions,
            changes=changes,
            question=None,
            reply=replies.report(intents, result.actions, changes, self.registry),
            milliseconds={**outcome.milliseconds, "run": (perf_counter() - start) * 1000},
        )
        return self._closed(done, began)

    def _changes(self, before: Mapping[str, Json]) -> tuple[Change, ...]:
        """What differs from before; readings that follow (a lux sensor) are observations, not changes of ours."""
        found = []
        for iri, after in self.state.items():
            if before.get(iri) != after and self._settable(iri):
                found.append(Change(self.registry.thing_of[iri].iri, iri, before.get(iri), after))
        return tuple(found)

    def _settable(self, iri: str) -> bool:
        prop = self.registry.properties.get(iri)
        kinds = self.registry.vocabulary.kinds
        return prop is not None and all(kinds[k].settable for k in prop.kinds if k in kinds)

    def _closed(self, outcome: Outcome, began: datetime | None = None) -> Outcome:
        now = self.clock.now()
        journal.close_request(self.store, outcome, began or now, now, ran=began is not None)
        return outcome


def _check(text: str, most: int) -> None:
    if not text.strip():
        raise InputError("There is nothing to understand: the text is empty.", remedy="Say what you want.")
    if len(text) > most:
        raise InputError(
            f"The text has {len(text)} characters; {most} is the most.",
            remedy="Say it in several requests.",
            reason="too_long",
        )


def _commands(plan: Plan | None) -> list[tuple[str, str]]:
    return [(step.affordance, str(step.payload)) for step in plan.steps] if plan else []


def _planned(plan: Plan | None) -> tuple[ActionResult, ...]:
    """The decided actions before they run."""
    if plan is None:
        return ()
    return tuple(
        ActionResult(
            s.intent, s.thing, s.affordance, s.target, s.method, s.payload, "already" if s.already else "skipped"
        )
        for s in plan.steps
    )


def _fate(outcome: IntentOutcome, result: Run) -> IntentOutcome:
    """An intent whose action failed, failed."""
    if outcome.status is not Status.DONE:
        return outcome
    own: Sequence[ActionResult] = [a for a in result.actions if a.intent == outcome.intent.iri]
    failed = [a for a in own if a.outcome in ("failed", "skipped")]
    if not failed:
        return outcome
    message = next((a.message for a in failed if a.message), "")
    status = Status.PARTIAL if len(failed) < len(own) else Status.FAILED
    return replace(outcome, status=status, reason=failed[0].reason or result.reason or "device_failed", message=message)
