"""One request, all the way: understood, journalled, solved, consented to, run, and told."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from functools import cache, partial
from time import perf_counter
from typing import TYPE_CHECKING
from weakref import WeakValueDictionary

from engine.dialogue.explaining.complaints import changes_since, moved
from engine.dialogue.explaining.explaining import explained, of_deeds
from engine.dialogue.explaining.learning import learn_from
from engine.dialogue.explaining.outcomes import fate
from engine.dialogue.explaining.summary import in_words
from engine.dialogue.last_resort import reconsidered
from engine.dialogue.names import name_intent, naming_outcome
from engine.dialogue.passing_on import passed_on
from engine.dialogue.people.known import tastes_of
from engine.dialogue.people.missing import spoken
from engine.dialogue.people.offering import beside, declined, goals_of, offered, told_with, usual_goals, with_the_usual
from engine.dialogue.people.telling import (
    Telling,
    intent_of,
    outcome_of,
    plain_talk_of_memory,
    talk_of_memory,
)
from engine.dialogue.recalling import (
    from_this_talk,
    note_recalled,
    recalled,
    told_from,
    told_of_company,
    write_diary,
)
from engine.dialogue.requests import journal
from engine.dialogue.requests.carrying_on import Answering, asking, carried_on
from engine.dialogue.requests.consenting import Answer, answer_of, doubt_of
from engine.dialogue.requests.memory import IN_MIND, Memory
from engine.dialogue.requests.outcomes import (
    after_proposal,
    check_text,
    commands,
    faultless,
    left_open,
    planned,
    reason_words,
    together,
    told_anew,
    with_rules,
)
from engine.dialogue.requests.proposals import Proposal, Proposals
from engine.dialogue.requests.request import MODEL, Consent, Request
from engine.dialogue.requests.turns import Turns, calls_of, patient
from engine.dialogue.rules.ruling import Ruling, is_ruling
from engine.dialogue.second_thoughts import as_before, as_heard, is_refused, is_scene, known_of, orders_for_a_reason
from engine.environment.asked import is_never_mind
from engine.environment.binding import Binding
from engine.environment.clock import Clock
from engine.environment.state import State
from engine.errors import InputError
from engine.experience.memory import Memory as Experience
from engine.graph.store import GraphStore
from engine.graph.terms import expand
from engine.language.chart.goals.prepared import prepare
from engine.language.chart.later.completed import completed
from engine.language.chart.spoken import decided, nothing
from engine.language.meanings.context import Context, conventions, setters
from engine.language.meanings.past import Past
from engine.language.meanings.readings import Alternatives
from engine.language.phrases.coordination import Goal
from engine.language.questions.explanations import is_why
from engine.language.replies import replies
from engine.language.talk.naming import Naming, naming_of
from engine.language.understanding import reply
from engine.language.words.dictionary import Dictionary, build
from engine.memory.kept.offers import Offer, decline
from engine.memory.kept.readings import said_of, standing
from engine.memory.said.words import words_of_people
from engine.model.intent import Category, Intent
from engine.model.outcome import Outcome, Status, derive_status
from engine.model.plan import Plan
from engine.model.plan_ir import walk
from engine.planning.model.generation import planner_of
from engine.planning.policies.enforcement import permit
from engine.planning.policies.regret import regretted
from engine.planning.site import Site
from engine.planning.solver import Solution
from engine.planning.wishes.tastes_told import settle
from engine.settings import Settings
from engine.things.naming import add_name
from engine.things.registry import Registry

if TYPE_CHECKING:
    from engine.execution.runner import Execution, NodeEvent, Run

NO_MODEL = "No language model is set up."
SHORTEST_REQUEST = 3
WAITING = frozenset({"wait", "wait_until"})


@dataclass(frozen=True, slots=True)
class _Pending:
    """A request that is decided on: what was said, as it was read, and what would be done about it."""

    request: Request
    readings: tuple[tuple[Intent, ...], ...]
    outcome: Outcome
    site: Site
    choices: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Known:
    """What is derived from the graph for each request in words: its words, and which commands set what."""

    dictionary: Dictionary
    setters: Mapping[str, frozenset[str]]


def _read(store: GraphStore, registry: Registry) -> _Known:
    prepare(store)
    words_of_people(store)
    return _Known(build(store, registry), setters(registry.vocabulary))


class Assistant:
    """The conversation with one home. Several threads may have requests: they are thought about in turn, carried out in
    turn, and wait beside each other, be it for devices, for time or for a language model. `listener` hears of every
    node of every plan that runs, with the plan's IRI."""

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
        self.experience = Experience(store)
        self.planner = planner_of(settings)
        self.ruling = Ruling(store, registry, state, clock, self.intend)
        self.proposals = Proposals(store)
        self._swept: date | None = None
        self._turns, self._hands = Turns(), Turns()
        self._unsaid: set[str] = set()  # requests of whose fate the journal says nothing yet
        self._personal: set[str] = set()  # requests that were filled from facts: nothing is learnt of them
        self._under_way: dict[str, Execution] = {}
        self._memories: WeakValueDictionary[str, Memory] = WeakValueDictionary()
        self.listener: Callable[[str, NodeEvent], object] | None = None
        self.answering: Answering | None = None

    def handle(self, request: Request, consent: Consent = Consent.ASK) -> Outcome:
        """What came of a request. Raises InputError for a text that cannot be read at all."""
        check_text(request.text, self.settings.max_text_length)
        if request.manner.needs_model and self.planner is None:
            raise InputError(NO_MODEL, remedy="Give its address in the setting llm_url.", reason="model_unavailable")
        began, memory = perf_counter(), IN_MIND.get() or Memory()
        if memory.others_ask and self.answering is not None and not self._is_new(request):
            return self._carried_on(request.text, memory, self.answering)
        offer, memory.offered = memory.offered, None
        if offer is not None and (answer := answer_of(request.text)) is not Answer.OTHER:
            return self._answered_offer(offer, request, answer, consent)
        with self._turns.taken(), self.store.gathered():
            if memory.last is not None and offer is None and is_why(request.text):
                return self._explained(request, memory.last)
            context = self._context(request, memory.past)
            self._memories[request.iri] = memory
            heard = as_heard(request, context)
            said = spoken(heard, memory, context, self.clock.now())
            filled = recalled(heard, said, memory, self.state, context, self.clock.now())
            self._personal.update([request.iri] if filled or said else [])
            may_tell = said is None and (filled is None or filled.unknown)
            telling = self._telling(heard, context, memory) if may_tell else None
            if telling is not None:
                memory.offered = offer
                return telling
            usual = with_the_usual(heard, context) if said is None and filled is None else None
            naming = naming_of(heard.text, context) if filled is None and said is None else None
            if naming is not None and consent is not Consent.PLAN:
                return self._named(heard, naming, memory)
            spelt = usual or (said.request if said else heard)
            goals = filled.alternatives if filled else self._understood(spelt, context, memory)
            if not (filled or said) and (known := known_of(heard, goals, context, self.clock.now())) is not None:
                return self._told(heard, known, context, memory)
            together = self._usual(request, goals) if usual is not None else ()
            goals = (*goals, *(((goal,),) for goal in goals_of(together, request.iri)))
            goals, depends = self.ruling.looked_at(goals, heard, consent)
            doubt, consent = doubt_of(context.hearing, depends, consent)
            pending = self._solved(request, goals, began, consent)
            note_recalled(request, filled, said, context, [one for readings in goals for one in readings[0]])
        outcome = told_from(filled, said, self._proceed(pending, consent, doubt, depends))
        return told_with(told_of_company(outcome, filled, request, context, self.clock.now()), together)

    def _usual(self, request: Request, goals: Sequence[Alternatives]) -> tuple[Offer, ...]:
        """What usually follows a request, to be done with it in one plan."""
        intents = [intent for readings in goals for intent in readings[0]]
        return usual_goals(request, intents, self.site(request), self.clock.now())

    def accept(self, offer: Offer, request: Request, consent: Consent = Consent.YES) -> Outcome:
        """Has done what was offered, as any request: what somebody would regret is asked about."""
        return self.intend(replace(request, text=offer.task), goals_of((offer,), request.iri), consent)

    def _explained(self, request: Request, last: str) -> Outcome:
        """Why what was said last came to what it did."""
        asked = (request.text, request.iri, request.user, self.clock.now(), last)
        return self._closed(explained(*asked, self.store, self.registry))

    def _answered_offer(self, offer: Offer, request: Request, answer: Answer, consent: Consent) -> Outcome:
        agreed = consent if request.manner.rules_wait else Consent.YES  # who acts for others is asked first
        return self.accept(offer, request, agreed) if answer is Answer.YES else self._decline_offer(offer, request)

    def _decline_offer(self, offer: Offer, request: Request) -> Outcome:
        """What was offered is not wanted: nothing is done, and it is counted against the next such offer."""
        if request.user:
            decline(self.store, request.user, offer, request.iri, self.clock.now())
        outcome = declined(request)
        intents = [one.intent for one in outcome.intents]
        journal.open_request(self.store, request.iri, request.text, request.user, self.clock.now(), intents)
        return self._closed(outcome)

    def _is_new(self, request: Request) -> bool:
        """Whether words are a request of their own, which is for this home, and not an answer that others wait for.
        One or two are an answer."""
        if len(request.text.split()) < SHORTEST_REQUEST:
            return False
        with self._turns.taken():
            return faultless(decided(request.text, request.iri, self._context(request, Past())))

    def _carried_on(self, text: str, memory: Memory, answering: Answering) -> Outcome:
        """What comes of a request about which others asked, now that there is an answer."""
        asked, began = memory.open, self.clock.now()
        assert asked is not None
        self._memories[asked.request] = memory
        went_on = carried_on(asked, text, answering, self.registry)
        return self._closed(left_open(asked) if is_never_mind(text) else went_on, began)

    def _telling(self, request: Request, context: Context, memory: Memory) -> Outcome | None:
        """What comes of talk of what is remembered; None for any other request, and for what may be an answer."""
        if memory.asked is None and (done := of_deeds(request, context, self.clock.now())) is not None:
            return self._closed(done)
        planner = patient(self.planner, self._turns)
        model = planner.model if planner is not None else None
        about = (request, context, self.experience, self.state, self.clock.now(), model)
        orders = partial(orders_for_a_reason, request, context)
        refused = partial(is_refused, request, context)
        of_before = cache(lambda: "earlier" in from_this_talk(request, memory, self.state, context))
        if memory.asked is None:
            told = talk_of_memory(*about, orders, refused, of_before, partial(is_scene, request, context))
        else:
            told = plain_talk_of_memory(*about, of_before)
        return None if told is None else self._told(request, told, context, memory)

    def _told(self, request: Request, told: Telling, context: Context, memory: Memory) -> Outcome:
        """The outcome of talk of what is remembered."""
        note_recalled(request, None, None, context)
        intent = intent_of(request, told)
        if not told.aside:
            memory.hear(request.iri, {})
        user = None if told.nameless else request.user
        if told.nameless and request.user is not None:
            self.ruling.keeper.disown(request.user)
        journal.open_request(self.store, request.iri, request.text, user, self.clock.now(), [intent], request.called)
        return self._closed(outcome_of(request, intent, told))

    def _named(self, request: Request, naming: Naming, memory: Memory) -> Outcome:
        """A thing gets a further name, which is known from the next request on."""
        intent = name_intent(f"{request.iri}/intent-1", request.text, naming, self.registry)
        memory.hear(request.iri, {intent.iri: Goal(request.text, 0, len(request.text))})
        self._opened(request, [intent])
        if intent.fault is None:
            add_name(self.registry, naming.things[0], naming.name)
        return self._closed(naming_outcome(request.iri, intent, naming, self.registry))

    def hearing(self, request: Request) -> Context:
        """The context in which a request that begins a conversation is read; nothing is done."""
        with self._turns.taken():
            self.refresh()
            return self._context(request, Past())

    def _understood(self, request: Request, context: Context, memory: Memory) -> tuple[Alternatives, ...]:
        """The readings of a request in the light of the conversation that it belongs to, if to any."""
        past = from_this_talk(request, memory, self.state, context)
        read = partial(decided, request=request.iri, context=context, past=past, by_words=request.spelt)
        goals = passed_on(request.text, request.iri, context, read)
        if goals is None and memory.asked is not None:
            goals = completed(request.text, request.iri, memory.ruled, memory.asked, context)
        if goals is None and memory.asked is not None:
            goals = reply(request.text, request.iri, memory.asked, context)
        if goals is None:
            goals = as_before(request, past, read(request.text), context)
        if context.hearing.unsure and self.planner is not None:  # a model may know what is meant
            goals, context.hearing.unsure = nothing(request.text, request.iri), False
        memory.hear(request.iri, {} if any(map(is_ruling, goals)) else context.hearing.goals)
        memory.ruled = goals[0] if len(goals) == 1 and is_ruling(goals[0]) else ()
        return goals

    def intend(
        self,
        request: Request,
        intents: Sequence[Intent],
        consent: Consent = Consent.ASK,
        provided: Callable[[], bool] | None = None,
    ) -> Outcome:
        """What came of intents that nobody needs to read in words: what a person does by hand on a page. They are
        checked, journalled and carried out as those of any request; `request.text` says in words what they are. What
        has to hold for them (`provided`) is asked when nobody else can act any more."""
        began = perf_counter()
        with self._turns.taken(), self.store.gathered():
            pending = self._solved(request, [((intent,),) for intent in intents], began, consent)
        if provided is None:
            return self._proceed(pending, consent)
        with self._hands.taken():
            if not provided():
                return self._given_up(pending.outcome, "precondition_failed", "It has changed since it was read.")
            return self._proceed(pending, consent)

    def _solved(self, request: Request, goals: Sequence[Alternatives], began: float, consent: Consent) -> _Pending:
        """The request journalled, its goals solved, and what would be done about them; rules are made at once."""
        intents = [intent for readings in goals for intent in readings[0]]
        self._forget()
        self._opened(request, intents)
        if faultless(goals):
            self._unsaid.add(request.iri)
        understood = perf_counter()
        site = self.site(request)
        solution = self.ruling.solve(goals, site, request, consent)
        solution = reconsidered(solution, goals, request.text, site, partial(self._context, request, Past()))
        planned = perf_counter()
        outcome = self._decided(request, solution, site)
        taken = {one.intent.iri for one in outcome.intents}
        journal.set_aside(self.store, request.iri, [intent for intent in intents if intent.iri not in taken])
        milliseconds = {"understand": (understood - began) * 1000, "plan": (planned - understood) * 1000, "run": 0.0}
        outcome = replace(outcome, milliseconds=milliseconds, llm_calls=calls_of(site.planner))
        return _Pending(request, solution.taken, outcome, site, solution.choices)

    def _opened(self, request: Request, intents: Sequence[Intent]) -> None:
        said = (request.iri, request.text, request.user, self.clock.now())
        journal.open_request(self.store, *said, intents, request.called)

    def consent(self, plan: str) -> Outcome:
        """Runs a proposed plan by its IRI, after it has been checked again.

        Raises InputError for one that is not waiting (no_such_plan: unknown, carried out, declined), and for one that
        would now do something else than what was consented to (plan_outdated); neither changes anything."""
        pending = self.proposals.take(plan)
        self._said_of(pending, agreed=True)
        self._personal.update([pending.request.iri] if pending.personal else [])
        goals = [(reading,) for reading in pending.readings if not is_ruling((reading,))]
        with self._turns.taken(), self.store.gathered():
            site = self.site(pending.request)
            made = self.ruling.agreed(plan, pending.rules(), pending.request, site)
            if made and not goals:
                return self._closed(with_rules(pending.outcome, made, self.registry))
            solution = self.ruling.solve(goals, site, pending.request, Consent.ALL)
        outcome = replace(self._decided(pending.request, solution, site), milliseconds=pending.outcome.milliseconds)
        if outcome.plan is None or commands(outcome.plan) != commands(pending.outcome.plan):
            fault = InputError("The home has changed since then.", remedy="Ask again.", reason="plan_outdated")
            self._given_up(pending.outcome, fault.reason, str(fault))
            raise fault
        return self._run(outcome, site)

    def decline(self, plan: str) -> Outcome:
        """Gives a proposed plan up. Raises InputError (no_such_plan) for one that is not waiting."""
        pending = self.proposals.take(plan)
        self._said_of(pending, agreed=False)
        return self._given_up(pending.outcome, "not_consented", "Then I leave it as it is.")

    def _said_of(self, pending: Proposal, *, agreed: bool) -> None:
        """Keeps what somebody said of a reading that was not sure; who declines what they would regret says nothing of
        it."""
        if pending.shape and not pending.personal and (agreed or pending.reason == "not_sure"):
            said_of(self.store, pending.request.user, pending.shape, self.clock.now(), agreed=agreed)

    def leave_open(self, memory: Memory) -> Outcome:
        """A question is not answered: what was asked for is left, and there is nothing to go on from."""
        asked = memory.drop()
        assert asked is not None
        return self._closed(left_open(asked))

    def cancel(self, plan: str) -> None:
        """Stops a plan that is under way; what was done stays done. Raises InputError (no_such_plan) for any other."""
        execution = self._under_way.get(plan)
        if execution is None:
            raise InputError("No such plan is under way.", remedy="Ask again.", reason="no_such_plan")
        execution.cancel()

    def cancel_all(self) -> None:
        """Stops whatever is under way."""
        for execution in tuple(self._under_way.values()):
            execution.cancel()

    def _given_up(self, outcome: Outcome, reason: str, reply: str) -> Outcome:
        intents = tuple(after_proposal(one, Status.REFUSED, reason) for one in outcome.intents)
        given_up = replace(outcome, status=Status.REFUSED, reason=reason, intents=intents, question=None, reply=reply)
        return self._closed(given_up)

    def _forget(self) -> None:
        """Once a day of the home's: requests that are older than the setting has it are forgotten."""
        now, days = self.clock.now(), self.settings.request_retention_days
        if days and self._swept != now.date():
            self._swept = now.date()
            journal.forget(self.store, now - timedelta(days=days))

    def _context(self, request: Request, past: Past) -> Context:
        known = self._known()
        before = partial(standing, self.store, request.user)
        home = (self.store, self.registry, known.dictionary)
        return Context(*home, request.location, conventions(self.store), known.setters, past, standing=before)

    def refresh(self) -> None:
        """Rebuilds what is kept of the graph when the graph has changed."""
        self._known()

    def _known(self) -> _Known:
        return self.store.derived("dialogue/known", lambda: _read(self.store, self.registry), portable=True)

    def site(self, request: Request) -> Site:
        """What a request is solved on."""
        relative = expand("hg:RelativeToStart") in conventions(self.store)
        return Site(
            self.store,
            self.registry,
            self.state,
            self.clock,
            request.location,
            relative,
            cache(lambda: tastes_of(request, self._context(request, Past()), self.clock.now())),
            self.experience if self.settings.experience else None,
            patient(self.planner, self._turns, forced=request.manner.path == MODEL),
            request.user,
        )

    def _decided(self, request: Request, solution: Solution, site: Site) -> Outcome:
        """The outcome as it stands before anything runs."""
        status = derive_status(o.status for o in solution.outcomes)
        asked = next((o for o in solution.outcomes if o.status is Status.CLARIFY), None)
        question = None
        if asked is not None:
            question = replies.question(asked, solution.choices.get(asked.intent.iri, ()), self.registry)
        told = [o for o in solution.outcomes if o.intent.category is Category.PREFERENCE]
        settle([one.intent for one in told if one.status is Status.DONE], site, request.iri)
        plan, actions = solution.plan, planned(solution.plan)
        if plan is not None:
            plan = replace(plan, summary=replies.summary(plan, self.registry, solution.outcomes))
        reason = next((o.reason for o in solution.outcomes if o.reason), None)
        return Outcome(
            request=request.iri,
            text=request.text,
            status=status,
            intents=solution.outcomes,
            actions=actions,
            question=question,
            reason=reason if status in (Status.REFUSED, Status.CLARIFY, Status.PARTIAL, Status.FAILED) else None,
            plan=plan,
            answer=together([o.answer for o in solution.outcomes if o.answer is not None]),
            reply=question or replies.report(solution.outcomes, actions, (), self.registry),
        )

    def _proceed(
        self, pending: _Pending, consent: Consent, doubtful: str | None = None, depends: str | None = None
    ) -> Outcome:
        """What comes of what was decided on; `doubtful` is the shape of a reading that is not sure, or that depends on
        how something stands: `depends` is so_now or not_so_now."""
        outcome, plan = pending.outcome, pending.outcome.plan
        if plan is None or outcome.status is Status.CLARIFY:
            return self._closed(outcome, choices=pending.choices)
        waits = self.ruling.regrets(plan)
        if all(step.already for step in plan.steps) and consent is not Consent.ALL and not waits:
            self.ruling.arm(plan.iri)
            return self._closed(outcome)
        regrets = bool(regretted(plan, self.registry)) or self.ruling.regrets(plan)
        if (consent is Consent.ALL and not (regrets and plan.path == "model")) or (
            consent is Consent.YES and not regrets
        ):
            return self._run(outcome, pending.site)
        pending, words = self._worded(pending, plan)
        outcome = pending.outcome
        reply = replies.offer(outcome.intents, plan, words, self.registry, certain=not regrets)
        if consent is Consent.PLAN:
            return self._closed(replace(outcome, reply=reply))
        doubt = depends or ("not_sure" if doubtful is not None else "")
        reason = "needs_consent" if regrets and depends is None else doubt or None
        doubted = reason_words(doubt, self.store) if doubt else ""
        question = f"{doubted} {reply} Shall I?{self._beside(pending)}".strip()
        return self._proposed(pending, question, reason, doubtful or "")

    def _beside(self, pending: _Pending) -> str:
        """What usually goes with a plan that is proposed, in words; "" where nothing does, or nobody could say so."""
        memory, request = IN_MIND.get(), pending.request
        if memory is None or not self.settings.offers or pending.site.experience is None:
            return ""
        intents = [intent for readings in pending.readings for intent in readings]
        several = usual_goals(request, intents, pending.site, self.clock.now())
        memory.beside = request.text if several else None
        return beside(several)

    def _worded(self, pending: _Pending, plan: Plan) -> tuple[_Pending, str | None]:
        """What a language model says of the plan, where it is asked for and holds; its call is counted."""
        planner = pending.site.planner
        if planner is None or (pending.request.manner.summary or self.settings.summary) != MODEL:
            return pending, None
        words = in_words(plan, pending.request.text, pending.outcome.intents, planner, self.registry)
        return replace(pending, outcome=replace(pending.outcome, llm_calls=calls_of(planner))), words

    def _proposed(self, pending: _Pending, question: str, reason: str | None, shape: str) -> Outcome:
        request, outcome = pending.request, pending.outcome
        personal = request.iri in self._personal
        readings, memory = tuple(map(tuple, pending.readings)), self._memories.get(request.iri)
        talk = memory.name if memory is not None else None
        proposal = Proposal(request, readings, outcome, question, reason, personal, shape, talk)
        with self.store.gathered():
            self.proposals.keep(proposal)
            return self._closed(proposal.told())

    def _run(self, outcome: Outcome, site: Site) -> Outcome:
        before, at = self.state.snapshot(), self.clock.now()
        armed = self.ruling.arm(outcome.plan.iri) if outcome.plan is not None else ()
        with self._hands.taken(), self.store.gathered():  # what comes of it goes to a server in one request
            done = self._ran(outcome, site)
            if outcome.request not in self._personal:
                learn_from(done, site, before, at)
            done = self._offered(write_diary(done, site, at), site)
        if done.status is Status.FAILED:
            self.ruling.disarm(armed)
        return done

    def _offered(self, done: Outcome, site: Site) -> Outcome:
        """What was done, with what usually comes next, where that is to be offered."""
        wanted = self.settings.offers and site.experience is not None
        return offered(done, IN_MIND.get(), site, self.clock.now()) if wanted else done

    def _ran(self, outcome: Outcome, site: Site) -> Outcome:
        assert outcome.plan is not None
        began, start = self.clock.now(), perf_counter()
        before = self.state.snapshot()
        result = self._carried_out(outcome.plan, site)
        changes = changes_since(before, self.state, self.registry)
        intents = tuple(fate(o, outcome.intents, result) for o in outcome.intents)
        report = replies.report(intents, result.actions, changes, self.registry)
        told = f"{report} {moved(intents, before, self.state, self.registry)}".strip()
        done = replace(
            told_anew(outcome, intents, told),
            actions=result.actions,
            changes=changes,
            milliseconds={**outcome.milliseconds, "run": (perf_counter() - start) * 1000},
        )
        return self._closed(asking(done, self.registry), began)

    def _carried_out(self, plan: Plan, site: Site) -> Run:
        from engine.execution.runner import run  # late: a question carries nothing out

        listener = self.listener
        try:
            return run(
                plan,
                self.binding,
                self.state,
                self.clock,
                ticks=self.settings.tick_limit,
                seconds=self.settings.run_seconds,
                settle_seconds=self.settings.settle_seconds if self.settings.live else 0.0,
                permit=lambda affordance, payload: permit(affordance, payload, site),
                on_event=None if listener is None else lambda event: listener(plan.iri, event),
                on_start=lambda execution: self._begun(plan, execution),
                resting=self._hands.left,
                ticking=self.state.gathered,
            )
        finally:
            self._under_way.pop(plan.iri, None)

    def _begun(self, plan: Plan, execution: Execution) -> None:
        """A plan is under way; a conversation goes on beside one that waits for something."""
        self._under_way[plan.iri] = execution
        memory = self._memories.get(plan.iri.removesuffix("/plan"))
        if memory is not None and any(node["type"] in WAITING for node in walk(plan.tree)):
            memory.let_go()

    def _closed(
        self, outcome: Outcome, began: datetime | None = None, choices: Mapping[str, tuple[str, ...]] | None = None
    ) -> Outcome:
        now = self.clock.now()
        again = outcome.request not in self._unsaid
        self._unsaid.discard(outcome.request)
        journal.close_request(self.store, outcome, began or now, now, ran=began is not None, again=again)
        memory = self._memories.get(outcome.request)
        if memory is not None:
            memory.note(outcome, choices or {}, self.registry)
        return outcome
