"""The tools of the house for agents: few, and the same whatever devices there are.

Each call goes the way of every request: understood, checked against schemas and policies, journalled. The rooms that an
agent may touch are checked in the plan, and not in its words.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any
from urllib.parse import quote

from engine.dialogue.explaining.why import why
from engine.dialogue.manual import by_hand, by_name
from engine.dialogue.requests.request import Consent, Manner
from engine.dialogue.rules.told import forbidden, listed, switched
from engine.environment.asked import InputRequired
from engine.environment.binding import Call, Operation
from engine.errors import InputError
from engine.exposure.relevance import Judged
from engine.hearthgraph import Hearthgraph, new_iri
from engine.language.replies import replies
from engine.model.exposure import AgentProfile, Exposed
from engine.model.intent import Intent
from engine.model.outcome import IntentOutcome, Outcome, Status
from engine.model.plan import Plan
from engine.model.rule import Managing, Rule
from engine.model.thing import Thing
from engine.planning.policies.regret import regretted
from server.agents.agents import Agents
from server.agents.callers import ACT, ASK, CONSENT, Caller, OutOfScope
from server.talks import Talks, Turn

TOLD = ("id", "text", "told", "owner", "enabled", "next")
"""What an agent is told of a rule."""
CAREFUL = Manner(rules_wait=True)
WAIT = 20.0
"""Seconds that an agent waits for what it asked for."""
MOST = 200
"""How many things one answer lists."""
Arguments = Mapping[str, Any]
Answer = dict[str, Any]


class House:
    """One home, as agents use it."""

    def __init__(self, home: Hearthgraph, talks: Talks, agents: Agents) -> None:
        self.home, self.talks, self.agents = home, talks, agents

    # Signifiers

    def find(self, caller: Caller, given: Arguments) -> Answer:
        """Signifiers for a goal, without a profile."""
        agent = self.agents.profile(caller) or AgentProfile("guest", caller.name)
        context = ". ".join(filter(None, (str(given.get("goal", "")), str(given.get("context", "")))))
        asked = AgentProfile(agent.id, agent.name, context[:2000], agent.abilities)
        return self._shown(caller, asked, given)

    def read(self, caller: Caller, given: Arguments) -> Answer:
        """Signifiers for the profile of an agent, which become its tools."""
        name = str(given.get("profile") or caller.name).rstrip("/").rpartition("/")[2]
        return self._shown(caller, self.agents.mechanism.agent(name), given)

    def _shown(self, caller: Caller, agent: AgentProfile, given: Arguments) -> Answer:
        judged = self.agents.mechanism.exposed(agent, everything=bool(given.get("all")), limit=given.get("limit"))
        self.agents.show(caller, tuple(one.exposed for one in judged))
        return {"signifiers": [told(one) for one in judged], "of": len(self.agents.mechanism.field().signifiers)}

    def use_signifier(self, caller: Caller, given: Arguments) -> Answer:
        """Uses a signifier's affordance: reads it, or invokes it."""
        label = str(given["label"])
        found = self.agents.signifier(label)
        if found is None:
            raise InputError(f"There is no signifier {label[:80]}.", remedy="Ask for the signifiers that there are.")
        return self.signified(caller, found, given.get("arguments"), given.get("answer"))

    def signified(self, caller: Caller, found: Exposed, arguments: Any, answer: Any = None) -> Answer:
        """The result of a signifier's affordance. Reading needs the scope ASK, invoking ACT."""
        registry = self.home.registry
        if found.affordance in registry.properties:
            caller.need(ASK)
            call = Call(Operation.READ, found.affordance)
            return {"status": "answered", "result": self.home.binding.start(call).result(WAIT)}
        caller.need(ACT)
        self._within(caller, registry.thing_of[found.affordance])
        if answer is not None:
            return self._answered(caller, found, str(answer))
        iri = new_iri()
        told = self._done(caller, by_name(found.affordance, arguments, iri, registry), iri)
        if told["status"] == "input_required":
            self.agents.note_question(caller, found.affordance)
        return told

    def _answered(self, caller: Caller, found: Exposed, answer: str) -> Answer:
        """The result of an answer to a question that a signifier's artifact asked this very agent. Raises
        InputError."""
        if self.agents.questioned(found.affordance) != caller.name:
            raise InputError("Nothing was asked there.", remedy="Use it first.", reason="no_such_request")
        try:
            return {"status": "done", "result": self.home.tools.answer(found.affordance, answer).result(WAIT)}
        except InputRequired as again:
            return {"status": "input_required", "question": again.message}

    def register(self, caller: Caller, given: Arguments) -> Answer:
        """The profile of who asks."""
        abilities = tuple(str(one) for one in given.get("abilities") or ())
        profile = AgentProfile(
            caller.name, str(given.get("name") or caller.name), str(given.get("context", "")), abilities
        )
        return told_agent(self.agents.mechanism.register(profile))

    def update(self, caller: Caller, given: Arguments) -> Answer:
        """Another context for who asks."""
        return told_agent(self.agents.mechanism.update(caller.name, str(given["context"])))

    # The house

    def ask(self, caller: Caller, given: Arguments) -> Answer:
        """The outcome of a request in words. A plan is proposed, and waits for consent."""
        return self.said(self.begin(caller, given))

    def begin(self, caller: Caller, given: Arguments) -> Turn:
        """Begins a turn with words; an agent's conversations are its own."""
        caller.need(ASK)
        talk = self.talks.talk(f"agent:{quote(caller.name, safe='')}:{given.get('conversation', '')}")
        location = given.get("room")
        text = str(given["text"])
        # Who may not act has nothing done and nothing written down: a plan is all that comes of it.
        consent = Consent.ASK if ACT in caller.scopes else Consent.PLAN
        where = str(location) if location else None
        may = partial(self._may_consent, caller)
        turn = self.talks.say(
            text, talk=talk, consent=consent, user=caller.name, location=where, manner=CAREFUL, may=may
        )
        self.agents.note(caller, turn.request)
        return turn

    def replied(self, caller: Caller, turn: Turn, text: str) -> Turn:
        """Begins the turn that answers a question of an earlier one."""
        consent = Consent.ASK if ACT in caller.scopes else Consent.PLAN
        may = partial(self._may_consent, caller)
        fresh = self.talks.say(text, talk=turn.talk, consent=consent, user=caller.name, manner=CAREFUL, may=may)
        self.agents.note(caller, fresh.request)
        return fresh

    def said(self, turn: Turn) -> Answer:
        """The outcome of a turn, in short."""
        try:
            outcome = self.talks.awaited(turn, WAIT)
        except TimeoutError:
            return {"status": "under_way", "request": turn.request, "reply": "It is under way."}
        return self.outcome(outcome)

    def outcome(self, outcome: Outcome) -> Answer:
        """An outcome in the few words that an agent needs."""
        told: Answer = {"status": outcome.status.value, "reply": outcome.reply, "request": outcome.request}
        if outcome.status is Status.CLARIFY:
            told["question"] = outcome.question
        if outcome.status is Status.PROPOSED and outcome.plan is not None:
            told["plan_id"] = outcome.plan.iri
            told["regrettable"] = bool(regretted(outcome.plan, self.home.registry))
        if outcome.reason:
            told["reason"] = outcome.reason
        if outcome.answer is not None:
            told["answer"] = {"text": outcome.answer.text, "value": outcome.answer.value, "unit": outcome.answer.unit}
        return told

    def consent(self, caller: Caller, given: Arguments) -> Answer:
        """Consents to a plan that was proposed to this very agent, or declines it."""
        plan, agree = str(given["plan_id"]), given.get("agree", True) is not False
        turn = self._may_consent(caller, plan) if agree else self._proposed_to(caller, plan)[0]
        self.talks.decide(turn, plan, consent=agree)
        return self.said(turn)

    def _proposed_to(self, caller: Caller, plan: str) -> tuple[Turn, Outcome, Plan]:
        """A plan that was proposed to this very agent, with its turn. Raises InputError (no_such_plan)."""
        turn = self.talks.sought(plan.removesuffix("/plan"))
        outcome = turn.outcome if turn is not None else None
        if turn is None or outcome is None or outcome.plan is None or not self._own(caller, turn):
            raise InputError("No such plan is waiting for consent.", remedy="Ask again.", reason="no_such_plan")
        return turn, outcome, outcome.plan

    def _may_consent(self, caller: Caller, plan: str) -> Turn:
        """The turn of a plan that this agent may consent to, by its id as in words. Raises InputError (no_such_plan),
        OutOfScope."""
        caller.need(ACT)
        turn, outcome, proposed = self._proposed_to(caller, plan)
        for step in proposed.steps:
            self._within(caller, self.home.registry.thing_of[step.affordance])
        if regretted(proposed, self.home.registry):
            caller.need(CONSENT)
        for one in outcome.intents:
            self._may_rule(caller, one)
        return turn

    def _may_rule(self, caller: Caller, found: IntentOutcome) -> None:
        """Raises OutOfScope for rules that a caller may not make or change: those that reach out of its rooms, and
        those of others."""
        for kept in found.rules:
            if isinstance(found.intent.rule, Managing) and kept.rule.owner != caller.name:
                caller.need(CONSENT)
            if kept.regretted:
                caller.need(CONSENT)
            for iri, _ in kept.does:
                self._within(caller, self.home.registry.thing_of[iri])
            if caller.rooms is not None:
                self._bounded(caller, kept.rule)

    def _bounded(self, caller: Caller, rule: Rule) -> None:
        """Checks that a rule names things or rooms within the agent's: it selects anew whenever it fires. Raises
        OutOfScope."""
        for action in rule.actions:
            things, places = action.selection.things, action.selection.places
            if not things and not places:
                raise OutOfScope("The rule does not say in which room.", remedy="Name the room, or the thing.")
            for thing in things:
                self._within(caller, self.home.registry.thing_of[thing])
            for place in places:
                if not self._inside(caller, place):
                    raise OutOfScope(
                        "Your token does not reach there.", remedy="Ask who runs the home for another one."
                    )

    def change_rule(self, caller: Caller, given: Arguments) -> Answer:
        """Pauses, resumes or deletes a rule: one's own, within one's rooms; those of others by leave to consent."""
        keeper, iri, how = self.home.rules, str(given["rule"]), str(given["how"])
        entry = keeper.book.entries.get(iri)
        if entry is None:
            raise InputError("There is no such rule.", remedy="Ask for the rules.", reason="no_such_rule")
        if entry.rule.owner != caller.name:
            caller.need(CONSENT)
        for affordance, _ in entry.does:
            self._within(caller, self.home.registry.thing_of[affordance])
        switched(keeper, [iri], how)
        return {"status": "done", "rules": [one for one in listed(keeper) if one["id"] == iri]}

    def control(self, caller: Caller, given: Arguments) -> Answer:
        """Brings a property to a value, or invokes an action, of one thing."""
        thing = self.thing(str(given["thing"]))
        self._within(caller, thing)
        name, iri = str(given["name"]), new_iri()
        prop = next((one for one in thing.properties if one.name == name), None)
        action = next((one for one in thing.actions if one.name == name), None)
        if prop is not None and action is None:
            return self._done(caller, by_hand(prop.iri, given.get("value"), iri, self.home.registry), iri)
        if action is None:
            known = ", ".join([*(one.name for one in thing.actions), *(one.name for one in thing.properties)])
            raise InputError(f"{thing.title} has no {name[:64]}.", remedy=f"It has {known}.", reason="no_such_command")
        value = given.get("value")
        return self._done(caller, by_name(action.iri, value, iri, self.home.registry), iri)

    def query(self, caller: Caller, given: Arguments) -> Answer:  # noqa: ARG002
        """Things of a class, in a place, of a name."""
        registry = self.home.registry
        name, room, kind = (str(given.get(key) or "").casefold() for key in ("name", "room", "class"))
        found = [
            thing
            for thing in registry.things.values()
            if name in thing.title.casefold()
            and (not room or room in replies.place_name(thing.place, registry).casefold())
            and (not kind or any(kind in registry.vocabulary.name(one).casefold() for one in thing.classes))
        ]
        return {"things": [self._row(thing) for thing in found[:MOST]], "of": len(found)}

    def state(self, caller: Caller, given: Arguments) -> Answer:  # noqa: ARG002
        """The state of a thing, and its actions."""
        thing = self.thing(str(given["thing"]))
        values = {prop.name: self.home.state.get(prop.iri) for prop in thing.properties}
        actions = {one.name: one.title or one.name for one in thing.actions}
        return {**self._row(thing), "state": values, "actions": actions}

    def why(self, caller: Caller, given: Arguments) -> Answer:
        """The story of a request of this agent's."""
        name = str(given["request"])
        turn = self.talks.find(name)
        if turn is None or not self._own(caller, turn):
            raise InputError("There was no such request of yours.", remedy="Name one.", reason="no_such_request")
        return {"story": why(self.home.store, self.home.registry, name)}

    def rules(self, caller: Caller, given: Arguments) -> Answer:  # noqa: ARG002
        """The rules and policies of the home."""
        rules = [{key: one[key] for key in TOLD} for one in listed(self.home.rules)[:MOST]]
        return {"rules": rules, "policies": forbidden(self.home.store)}

    # Within

    def thing(self, name: str) -> Thing:
        """The thing by its IRI or title. Raises InputError."""
        registry = self.home.registry
        if name in registry.things:
            return registry.things[name]
        alike = [one for one in registry.things.values() if name.casefold() in (one.title.casefold(), *one.aliases)]
        if len(alike) != 1:
            why_not = "There is no thing" if not alike else "There is more than one"
            raise InputError(f"{why_not} {name[:80]}.", remedy="Name it by its IRI.", reason="no_such_device")
        return alike[0]

    def _row(self, thing: Thing) -> Answer:
        registry = self.home.registry
        classes = sorted(registry.vocabulary.name(one) for one in thing.classes)
        return {
            "iri": thing.iri,
            "title": thing.title,
            "class": ", ".join(classes),
            "room": replies.place_name(thing.place, registry),
        }

    def _done(self, caller: Caller, intent: Intent, iri: str) -> Answer:
        """Carries an intent out; one with regrettable effects is proposed only."""
        turn = self.talks.intend(intent.text, (intent,), iri, caller.name)
        self.agents.note(caller, turn.request)
        try:
            outcome = self.talks.awaited(turn, WAIT)
        except TimeoutError:
            return {"status": "under_way", "request": iri, "reply": "It is under way."}
        told = self.outcome(outcome)
        outputs = [one.output for one in outcome.actions if one.output is not None]
        asks = [one.message for one in outcome.actions if one.reason == "input_required"]
        if asks:
            return {**told, "status": "input_required", "question": asks[0]}
        return {**told, "result": outputs[0]} if outputs else told

    def _own(self, caller: Caller, turn: Turn) -> bool:
        return self.agents.asked_by(turn.request) == caller.name

    def _within(self, caller: Caller, thing: Thing) -> None:
        """Raises OutOfScope for a thing that is not in one of the caller's rooms."""
        if self._inside(caller, thing.place):
            return
        raise OutOfScope(f"Your token does not reach {thing.title}.", remedy="Ask who runs the home for another one.")

    def _inside(self, caller: Caller, place: str | None) -> bool:
        """Whether a place is one of a caller's rooms, or within one."""
        if caller.rooms is None:
            return True
        seen = set[str]()
        while place is not None and place not in seen:
            if place in caller.rooms:
                return True
            seen.add(place)
            known = self.home.registry.places.get(place)
            place = known.parent if known is not None else None
        return False


def told(one: Judged) -> Answer:
    """A signifier as an agent is told of it."""
    exposed = one.exposed
    found: Answer = {
        "label": exposed.label,
        "context": exposed.context,
        "score": one.score,
        "reasons": list(one.reasons),
    }
    if exposed.takes:
        found["takes"] = dict(exposed.takes)
    return found


def told_agent(agent: AgentProfile) -> Answer:
    """A profile as its agent is told of it."""
    return {"id": agent.id, "name": agent.name, "context": agent.context, "abilities": list(agent.abilities)}
