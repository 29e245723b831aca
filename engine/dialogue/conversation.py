"""A conversation: requests that follow each other, and the answer to “Shall I?”."""

from __future__ import annotations

from collections.abc import Callable

from engine.dialogue.assistant import Assistant
from engine.dialogue.requests.consenting import Answer, answer_of, wants_both
from engine.dialogue.requests.memory import Memory
from engine.language.questions.explanations import is_why
from engine.model.outcome import Outcome, Status


class Conversation:
    """What one person and the home say to each other. `ask` answers a new request; a plan that is proposed waits for a
    yes or a no, and is given up for any other request but "why?". `may` is asked before a plan is consented to here,
    and raises what keeps whoever speaks from it: the plan waits on then."""

    def __init__(self, assistant: Assistant, ask: Callable[[str], Outcome], name: str | None = None) -> None:
        self._assistant, self._ask = assistant, ask
        self._proposed: str | None = None
        self._begun = name is None
        self.may: Callable[[str], object] | None = None
        self.memory = Memory(name)

    def settle(self, plan: str) -> None:
        """A plan was decided on by its IRI: it waits for no answer here any more."""
        if self._proposed == plan:
            self._proposed = None

    def say(self, text: str, ask: Callable[[str], Outcome] | None = None) -> Outcome:
        """What comes of what is said; `ask` answers this one request in the place of the one that was
        given. Raises InputError as Assistant.handle and Assistant.consent do."""
        with self.memory.in_mind():
            return self._said(text, ask or self._ask)

    def _said(self, text: str, ask: Callable[[str], Outcome]) -> Outcome:
        if self.memory.last is not None and is_why(text):
            return ask(text)
        proposed, self._proposed = self._proposed or self._left(text), None
        if proposed is not None:
            said, beside = answer_of(text), self.memory.beside
            if beside is not None and wants_both(text):
                self._assistant.decline(proposed)
                return self._noted(ask(f"{beside}, and the usual"))
            if said is Answer.YES:
                return self._consented(proposed)
            declined = self._assistant.decline(proposed)
            if said is Answer.NO:
                return declined
        elif self.memory.asked is not None and not self.memory.others_ask and answer_of(text) is Answer.NO:
            return self._assistant.leave_open(self.memory)
        return self._noted(ask(text))

    def _consented(self, proposed: str) -> Outcome:
        if self.may is not None:
            self._proposed = proposed
            self.may(proposed)
            self._proposed = None
        return self._assistant.consent(proposed)

    def _left(self, text: str) -> str | None:
        """The plan that was proposed in this conversation before the home was last started, where its first words now
        are an answer to that."""
        begun, self._begun = self._begun, True
        if begun or self.memory.name is None or answer_of(text) is Answer.OTHER:
            return None
        return self._assistant.proposals.last_of(self.memory.name)

    def _noted(self, outcome: Outcome) -> Outcome:
        if outcome.status is Status.PROPOSED and outcome.plan is not None:
            self._proposed = outcome.plan.iri
        return outcome
