"""A conversation: requests that follow each other, and the answer to “Shall I?”."""

from __future__ import annotations

import re
from collections.abc import Callable
from enum import Enum

from engine.dialogue.assistant import Assistant
from engine.dialogue.memory import Memory
from engine.language.explanations import is_why
from engine.model.outcome import Outcome, Status


class Answer(Enum):
    """What was said to “Shall I?”."""

    YES = "yes"
    NO = "no"
    OTHER = "other"


_PHRASES = {
    Answer.YES: "y, yes, yeah, yep, yup, ok, okay, sure, certainly, of course, please do, please do it, do it, "
    "go ahead, go for it, fine, all right, alright, absolutely, definitely",
    Answer.NO: "n, no, nope, nah, don't, do not, don't do it, do not do it, not now, better not, cancel, stop, "
    "leave it, never mind, nevermind, forget it",
    Answer.OTHER: "please, thanks, thank you, then, that",
}
_MEANS = {phrase: answer for answer, phrases in _PHRASES.items() for phrase in phrases.split(", ")}
_PHRASE = re.compile(r"(?<!\S)(" + "|".join(sorted(_MEANS, key=len, reverse=True)) + r")(?!\S)")


def answer_of(text: str) -> Answer:
    """What words say to “Shall I?”: yes, no, or something else, such as a new request."""
    words = re.sub(r"[^\w']+", " ", text.casefold().replace("’", "'"))
    found = {_MEANS[phrase] for phrase in _PHRASE.findall(words)}
    if _PHRASE.sub("", words).strip() or not found:
        return Answer.OTHER
    return next(answer for answer in (Answer.NO, Answer.YES, Answer.OTHER) if answer in found)


class Conversation:
    """What one person and the home say to each other. `ask` answers a new request; a plan that is proposed waits for a
    yes or a no, and is given up for any other request but "why?"."""

    def __init__(self, assistant: Assistant, ask: Callable[[str], Outcome]) -> None:
        self._assistant, self._ask = assistant, ask
        self._proposed: str | None = None
        self.memory = Memory()

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
        proposed, self._proposed = self._proposed, None
        if proposed is not None:
            said = answer_of(text)
            if said is Answer.YES:
                return self._assistant.consent(proposed)
            declined = self._assistant.decline(proposed)
            if said is Answer.NO:
                return declined
        elif self.memory.asked is not None and answer_of(text) is Answer.NO:
            return self._assistant.leave_open(self.memory)
        outcome = ask(text)
        if outcome.status is Status.PROPOSED and outcome.plan is not None:
            self._proposed = outcome.plan.iri
        return outcome
