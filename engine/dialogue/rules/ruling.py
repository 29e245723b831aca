"""Talk of rules, and what is to be done later: intents that become rules, and rules that become requests again.

What is for later is no plan that waits: it is a rule that fires once, in the graph, and outlives whoever took it up.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import chain

from engine.dialogue.requests import journal
from engine.dialogue.requests.request import Consent, Request
from engine.dialogue.rules.foretelling import Foresee, foretold
from engine.dialogue.rules.managing import managed, meant
from engine.environment.clock import Clock
from engine.environment.selection import Selector
from engine.environment.state import State as Present
from engine.errors import HearthgraphError, InputError
from engine.graph.store import GraphStore
from engine.graph.terms import Json
from engine.language.meanings.readings import Alternatives
from engine.language.replies.rule_words import told
from engine.model.intent import Category, Intent, Moment, Operation, Timing
from engine.model.outcome import IntentOutcome, Kept, Outcome, Status
from engine.model.plan import Plan, Step
from engine.model.rule import After, Becomes, Daytime, Fact, Managing, Match, Next, Rule, Schedule, Trigger
from engine.model.selection import Comparison, Condition, Test
from engine.planning.policies.regret import regretted
from engine.planning.site import Site
from engine.planning.solver import Revert, Solution, solve
from engine.rules.book import Firing, State
from engine.rules.checks import Checker, Finding, Kind
from engine.rules.facts import compiled
from engine.rules.keeper import Keeper
from engine.things.registry import Registry

MOST_RULES = 100_000
MOST_ASKED = 64
_NOTHING: dict[str, Json] = {"type": "sequence", "children": []}
Intend = Callable[[Request, Sequence[Intent], Consent], Outcome]
_WELL = (Status.DONE, Status.ANSWERED, Status.SCHEDULED)
TELLS = (Operation.LIST, Operation.EXPLAIN, Operation.FORETELL)
_HAD = (*_WELL, Status.PROPOSED)
_HOPELESS = (Status.REFUSED, Status.FAILED)


@dataclass(frozen=True, slots=True)
class _Maker:
    """Who makes a rule, in which request and on which home; `keep` is false where nothing is to be kept, `agreed` where
    what may be regretted is asked about. `tried`: it is only to be known whether it can be made."""

    request: Request
    site: Site
    keep: bool
    agreed: bool = True
    tried: bool = False


@dataclass(frozen=True, slots=True)
class _Then:
    """The clock as it will stand when a rule fires next."""

    moment: datetime

    def now(self) -> datetime:
        return self.moment

    def call_later(self, seconds: float, call: Callable[[], object]) -> None:
        """What is only foreseen is never called."""


class Ruling:
    """The rules of one home, as the conversation with it makes and manages them. `intend` has intents carried out."""

    def __init__(self, store: GraphStore, registry: Registry, state: Present, clock: Clock, intend: Intend) -> None:
        self._store, self._registry, self._clock, self._intend = store, registry, clock, intend
        self.keeper = Keeper(store, registry, state, clock, self._fire)
        self._reverts: dict[str, tuple[Request, tuple[Revert, ...]]] = {}
        self._asked: dict[str, list[Intent]] = {}
        self._state = state
        self.checker = Checker(store, registry)
        self._selector = Selector(store, registry)
        self.foresee: Foresee | None = None

    # From words to rules

    def solve(self, goals: Sequence[Alternatives], site: Site, request: Request, consent: Consent) -> Solution:
        """As the solver; what is for later is kept as rules, and talk of rules is answered. A rule that may be
        regretted waits for consent with the plan."""
        maker = _Maker(request, site, consent is not Consent.PLAN, consent in (Consent.ALL, Consent.PLAN))
        split = _joined([_timed(readings) for readings in goals])
        now = [readings for readings in split if not is_ruling(readings)]
        plan = f"{request.iri}/plan"
        solved = solve(now, site, plan) if now else Solution((), None)
        if solved.reverts:
            self._reverts[plan] = (request, solved.reverts)
        rest = iter(solved.taken)
        outcomes = {one.intent.iri: one for one in solved.outcomes}
        taken: list[tuple[Intent, ...]] = []
        found: list[IntentOutcome] = []
        for readings in split:
            if is_ruling(readings):
                own = self._ruled(readings, maker)
                taken.append(tuple(one.intent for one in own))
            else:
                taken.append(next(rest, ()))
                own = [outcomes[intent.iri] for intent in taken[-1]]
            found += own
        found = self._with_siblings(found)
        asked = [one.intent for one in found if one.status is Status.PROPOSED]
        if asked:
            self._asked[plan] = asked
            kept = dict(list(self._asked.items())[-MOST_ASKED:])
            self._asked = kept
            solved = replace(solved, plan=solved.plan or Plan(plan, dict(_NOTHING)))
        return replace(solved, outcomes=tuple(found), taken=tuple(taken))

    def looked_at(
        self, goals: Sequence[Alternatives], request: Request, consent: Consent
    ) -> tuple[tuple[Alternatives, ...], str | None]:
        """The goals, those of rules whose condition is so now replaced by their actions; and the reason for which they
        are asked about first: so_now, not_so_now, or None where no goal has such a condition."""
        present = any(one.operation is Operation.CARRY_OUT for readings in goals for one in readings[0])
        if not present or consent is Consent.PLAN:
            return tuple(goals), None
        found = tuple(self._looked_at(readings, request) for readings in goals)
        waits = any(one.operation is Operation.CARRY_OUT for readings in found for one in readings[0])
        return found, "not_so_now" if waits else "so_now"

    def _looked_at(self, readings: Alternatives, request: Request) -> Alternatives:
        for reading in readings:
            actions = tuple(one for intent in reading if (one := self._present(intent)) is not None)
            if actions and len(actions) == len(reading):
                found = tuple(chain.from_iterable(actions))
                journal.understood_too(self._store, request.iri, found)
                return (found,)
        return readings

    def _present(self, intent: Intent) -> tuple[Intent, ...] | None:
        """The actions of a rule for now whose condition is so; None for any other intent."""
        if intent.operation is not Operation.CARRY_OUT or not isinstance(intent.rule, Rule):
            return None
        values = self._state.snapshot()
        known = [t for t in intent.rule.triggers if isinstance(t, Becomes)]
        for trigger in known:
            told = [compiled(fact, self._store, self._registry).holds(values) is True for fact in trigger.facts]
            if not (all if trigger.match is Match.ALL else any)(told):
                return None
        return tuple(replace(one, iri=f"{intent.iri}/action-{n}") for n, one in enumerate(intent.rule.actions, start=1))

    def agreed(self, plan: str, asked: Sequence[Intent], request: Request, site: Site) -> list[IntentOutcome]:
        """Makes the rules that waited for consent with a plan."""
        self._asked.pop(plan, None)
        maker = _Maker(request, site, keep=True)
        return [self._outcome(_to_be_made(intent), maker) for intent in asked]

    def regrets(self, plan: Plan) -> bool:
        """Whether what waits with a plan may be regretted: a rule, or what puts back what the plan does."""
        _, reverts = self._reverts.get(plan.iri, (None, ()))
        steps = tuple(step for one in reverts for step in one.steps)
        return plan.iri in self._asked or bool(regretted(Plan(plan.iri, {}, steps), self._registry))

    def _ruled(self, readings: Alternatives, maker: _Maker) -> list[IntentOutcome]:
        """The first reading that can be had, else the first that leaves but a question, else the first."""
        dry = replace(maker, keep=False, tried=maker.keep)
        best, outcomes = 0, list[IntentOutcome]()
        for place, reading in enumerate(readings):
            found = [self._outcome(intent, dry) for intent in reading]
            if not outcomes or _rank(found) < _rank(outcomes):
                best, outcomes = place, found
            if not _rank(outcomes):
                break
        return [self._outcome(intent, maker) for intent in readings[best]] if maker.keep else outcomes

    def _outcome(self, intent: Intent, maker: _Maker) -> IntentOutcome:
        try:
            if isinstance(intent.rule, Managing):
                return self._managed(intent, intent.rule, maker)
            if isinstance(intent.rule, Rule):
                return self._made(intent, intent.rule, maker)
        except InputError as fault:
            asked = fault.reason == "missing_time"
            told = intent.text if fault.reason == "no_such_event" else str(fault)
            return IntentOutcome(intent, Status.CLARIFY if asked else Status.REFUSED, fault.reason, told)
        solution = solve([((intent,),)], maker.site, f"{intent.iri}/plan")
        return solution.outcomes[0]

    def _managed(self, intent: Intent, managing: Managing, maker: _Maker) -> IntentOutcome:
        """What comes of talk of rules; where changes of them wait for consent, which rules it is about."""
        if intent.operation is Operation.FORETELL:
            return foretold(intent, managing, self.keeper, self._store, self._registry, self.foresee)
        waits = maker.request.manner.rules_wait and not maker.agreed and intent.operation not in TELLS
        about = (intent, managing, self.keeper, maker.request, self._selector)
        found = managed(*about, keep=maker.keep and not waits)
        if not waits or found.status is Status.CLARIFY:
            return found
        meant_ = meant(managing.which, self.keeper, maker.request, self._selector)
        rules = tuple(Kept(one.rule, one.does) for one in meant_)
        return replace(found, status=Status.PROPOSED, reason="needs_consent", answer=None, rules=rules)

    def _made(self, intent: Intent, rule: Rule, maker: _Maker) -> IntentOutcome:
        """The rule made, where all of it can be had here."""
        for trigger in rule.triggers:
            self._watchable(trigger)
        for fact in rule.conditions:
            self._known(fact)
        actions = tuple(
            replace(action, iri=f"{intent.iri}/action-{n}") for n, action in enumerate(rule.actions, start=1)
        )
        due = self.keeper.following(self.keeper.adopted(replace(rule, actions=actions), intent.iri))
        then = maker.site if due is None else replace(maker.site, clock=_Then(due))
        steps, hindered = self._foreseen(actions, replace(maker, site=then))
        if hindered is not None and (hindered.reason != "policy_violation" or rule.once):
            return hindered
        does = tuple({iri: value for step in steps for iri, value in step.expected}.items())
        waits = maker.request.manner.rules_wait
        regrets = bool(regretted(Plan("", {}, _as_new(steps)), self._registry))
        if not maker.agreed and (waits or regrets or intent.operation is Operation.CARRY_OUT):
            made = self._kept(replace(rule, actions=actions), intent.iri, replace(maker, keep=False))
            rules = (Kept(made, does, regretted=regrets),) if waits else ()
            words = told(made, self.keeper.following(made), self._clock.now())
            return IntentOutcome(intent, Status.PROPOSED, "needs_consent", words, rules=rules)
        owned = replace(rule, actions=actions, owner=rule.owner or maker.request.user, location=maker.request.location)
        kept = self._kept(owned, intent.iri, maker, does)
        warned = () if maker.tried else self._warnings(kept, does, hindered, keep=maker.keep)
        message = told(kept, self.keeper.following(kept), self._clock.now())
        told_ = " ".join([message, *(f"{one.text} {one.mend}" for one in warned)])
        findings = tuple((one.kind.value, one.text) for one in warned)
        return IntentOutcome(intent, Status.SCHEDULED, None, told_, rules=(Kept(kept, does, findings),))

    def _kept(self, rule: Rule, intent: str, maker: _Maker, does: tuple[tuple[str, Json], ...] = ()) -> Rule:
        iri = f"{intent}/rule"
        if not maker.keep:
            return self.keeper.adopted(rule, iri)
        if len(self.keeper.book.entries) >= MOST_RULES:
            raise InputError("There are too many rules.", remedy="Delete some.", reason="too_many")
        return self.keeper.take_up(rule, iri, does)

    def _warnings(
        self, rule: Rule, does: tuple[tuple[str, Json], ...], hindered: IntentOutcome | None, *, keep: bool
    ) -> tuple[Finding, ...]:
        """What is wrong with a rule among the others, told and never held against it."""
        found: list[Finding] = []
        if hindered is not None:
            found.append(
                Finding(Kind.POLICY, (), f"It would break a policy: {hindered.message}", "Then it is not done.")
            )
        if rule.once:
            return tuple(found)
        checker, now, ground = self.checker, self.keeper.now(), self.keeper.ground
        state = self._state.snapshot()
        entries = dict(self.keeper.book.entries)
        for iri in checker.profiles.keys() - entries.keys():
            checker.drop(iri)
        for iri, entry in entries.items():
            known = checker.profiles.get(iri)
            if iri != rule.iri and not entry.rule.once and (known is None or known.rule is not entry.rule):
                checker.add(checker.profile(entry.rule, entry.does, now, ground, state))
        profile = checker.profile(rule, does, now, ground, state)
        found += checker.check(profile)
        if keep:
            checker.add(profile)
        return tuple(found)

    def _with_siblings(self, found: list[IntentOutcome]) -> list[IntentOutcome]:
        """Rules that were made in one breath, told in the light of each other: what one does the next may undo."""
        if sum(one.status is Status.SCHEDULED for one in found) < 2:
            return found
        return [self._told_again(one) for one in found]

    def _told_again(self, one: IntentOutcome) -> IntentOutcome:
        kept = one.rules[0] if len(one.rules) == 1 else None
        said = {kind for kind, _ in kept.findings} if kept is not None else set()
        if kept is None or one.status is not Status.SCHEDULED or Kind.NO_UNDOING.value not in said or len(said) > 1:
            return one
        warned = self._warnings(kept.rule, kept.does, None, keep=True)
        message = told(kept.rule, self.keeper.following(kept.rule), self._clock.now())
        text = " ".join([message, *(f"{each.text} {each.mend}" for each in warned)])
        findings = tuple((each.kind.value, each.text) for each in warned)
        return replace(one, message=text, rules=(replace(kept, findings=findings),))

    def _foreseen(self, actions: tuple[Intent, ...], maker: _Maker) -> tuple[tuple[Step, ...], IntentOutcome | None]:
        """What the actions would do now, and the first of them that cannot be had here or is not clear."""
        if not actions:
            return (), None
        journal.understood_too(self._store, maker.request.iri, actions)
        site = replace(maker.site, planner=None)  # when is never the model's
        solution = solve([((action,),) for action in actions], site, f"{maker.request.iri}/foreseen")
        hindered = next((one for one in solution.outcomes if one.status not in _WELL), None)
        return solution.plan.steps if solution.plan is not None else (), hindered

    def _watchable(self, trigger: Trigger) -> None:
        for fact in trigger.facts if isinstance(trigger, Becomes) else ():
            self._known(fact)

    def _known(self, fact: Fact) -> None:
        """Raises InputError where nothing here can tell whether a fact is so."""
        if not compiled(fact, self._store, self._registry).properties:
            raise InputError(
                "Nothing here can tell that.", remedy="Name a sensor or a device of this home.", reason="no_such_event"
            )

    # What is put back

    def arm(self, plan: str) -> tuple[str, ...]:
        """Keeps, before a plan runs, what puts back what it does for a time; the IRIs of these rules."""
        request, reverts = self._reverts.pop(plan, (None, ()))
        made: list[str] = []
        if request is None:
            return ()
        for end, several in _by_end(reverts):
            back = tuple(intent for one in several for intent in one.back)
            text = several[0].intent.text
            rule = Rule(
                f"the time of “{text}” is over", (end,), back, owner=request.user, location=request.location, once=True
            )
            made.append(self.keeper.take_up(rule, f"{plan}/back-{len(made) + 1}").iri)
        return tuple(made)

    def disarm(self, rules: Sequence[str]) -> None:
        """Forgets what puts back what was not done."""
        self.keeper.remove(rules)

    # From rules to requests

    def _fire(self, rule: Rule, firing: Firing) -> tuple[State, str | None]:
        """Has a firing carried out as a request of its own, which the journal links to the rule."""
        request = Request(rule.text, firing.request, rule.owner, rule.location)
        actions = [replace(one, iri=f"{firing.request}/intent-{n}") for n, one in enumerate(rule.actions, start=1)]
        if rule.notice is not None:
            self.keeper.tell(rule, firing)
        if not actions:
            journal.open_request(self._store, request.iri, rule.text, rule.owner, self._clock.now(), ())
            return State.DONE, None
        try:
            outcome = self._intend(request, actions, Consent.ALL)
        except HearthgraphError as fault:
            return State.FAILED, fault.reason
        return (State.DONE, None) if outcome.status in _WELL else (State.FAILED, outcome.reason)


def _rank(outcomes: Sequence[IntentOutcome]) -> int:
    """How bad outcomes are: 0 for what can be had or is forbidden, 1 for a question, 2 for what cannot be."""
    told = [one for one in outcomes if one.reason != "policy_violation"]
    if any(one.status in _HOPELESS for one in told):
        return 2
    return int(any(one.status not in _HAD for one in told))


def _as_new(steps: tuple[Step, ...]) -> tuple[Step, ...]:
    """The steps as if nothing were so already: it may be otherwise by then."""
    return tuple(replace(step, already=False) for step in steps)


def is_ruling(readings: Alternatives) -> bool:
    """Whether a goal is about rules."""
    return any(intent.category is Category.RULE and intent.fault is None for reading in readings for intent in reading)


def _to_be_made(intent: Intent) -> Intent:
    """An intent that was agreed to: one for now is kept as a rule."""
    return replace(intent, operation=Operation.MAKE) if intent.operation is Operation.CARRY_OUT else intent


def _timed(readings: Alternatives) -> Alternatives:
    """The readings; what starts later is a rule that fires once."""
    return tuple(tuple(_later(reading)) for reading in readings)


def _joined(goals: Sequence[Alternatives]) -> list[Alternatives]:
    """The goals; what is said of the same thing right after what is for later is for then, too."""
    found: list[Alternatives] = []
    for readings in goals:
        before = found[-1][0][-1].rule if found and len(found[-1][0]) == 1 else None
        if isinstance(before, Rule) and before.once and _goes_on(before, readings[0]):
            rule = replace(before, actions=(*before.actions, *readings[0]))
            found[-1] = ((replace(found[-1][0][0], rule=rule),),)
        else:
            found.append(readings)
    return found


def _goes_on(rule: Rule, reading: Sequence[Intent]) -> bool:
    """Whether all that is meant is meant already, and no other time is said."""
    meant = {thing for action in rule.actions for thing in action.selection.things}
    told = [set(intent.selection.things) for intent in reading if intent.timing is None and intent.query is None]
    return len(told) == len(reading) and all(things and things <= meant for things in told)


def _later(reading: Sequence[Intent]) -> Iterator[Intent]:
    """The intents, those side by side that start at the same time as one rule."""
    waiting: list[Intent] = []
    for intent in (*reading, None):
        start = None if intent is None else _start(intent)
        if waiting and (start is None or start != _start(waiting[0])):
            yield _once(waiting)
            waiting = []
        if intent is not None and start is not None:
            waiting.append(intent)
        elif intent is not None:
            yield intent


def _start(intent: Intent) -> Moment | None:
    return intent.timing.start if intent.timing is not None and intent.fault is None else None


def _once(intents: Sequence[Intent]) -> Intent:
    first = intents[0]
    start = _start(first)
    assert start is not None
    actions = tuple(replace(one, timing=_without_start(one.timing)) for one in intents)
    rule = Rule(first.text, (_trigger(start),), actions, once=True)
    return Intent(first.iri, first.text, Category.RULE, Operation.MAKE, rule=rule)


def _without_start(timing: Timing | None) -> Timing | None:
    if timing is None or (timing.duration is None and timing.end is None):
        return None
    return replace(timing, start=None)


def _trigger(moment: Moment) -> Schedule | Becomes:
    if moment.selection is not None:
        condition = Condition(moment.property or "", Comparison.IS, moment.amount)
        return Becomes((Fact(moment.selection, (Test((condition,)),)),))
    return _schedule(moment)


def _schedule(moment: Moment) -> Schedule:
    if moment.at is not None:
        hour, minute, *_ = (int(part) for part in moment.at.split(":"))
        return Next(Daytime(hour, minute))
    return After(moment.after or 0.0)


def _by_end(reverts: Sequence[Revert]) -> Iterator[tuple[Schedule, list[Revert]]]:
    """The reverts by when they are due."""
    found: dict[Moment, list[Revert]] = {}
    for one in reverts:
        found.setdefault(one.after, []).append(one)
    return ((_schedule(end), several) for end, several in found.items())
