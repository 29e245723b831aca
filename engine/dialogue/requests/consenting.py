"""Yes and no: what was said to “Shall I?”."""

from __future__ import annotations

import re
from enum import Enum

from engine.dialogue.requests.request import Consent
from engine.language.meanings.past import Hearing


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


_BOTH = frozenset(
    {"both", "yes both", "both please", "yes both please", "do both", "both of them", "that too", "yes that too"}
)


def wants_both(text: str) -> bool:
    """Whether what is offered with a plan is wanted, too."""
    return " ".join(re.sub(r"[^\w']+", " ", text.casefold()).split()) in _BOTH


def doubt_of(hearing: Hearing, depends: str | None, consent: Consent) -> tuple[str | None, Consent]:
    """The shape of a reading that is asked about first though consent was given, as it is not sure or depends on how
    something stands (None where none is), and the consent that is left."""
    doubtful = (hearing.unsure or depends is not None) and consent in (Consent.YES, Consent.ALL)
    return (hearing.shape, Consent.ASK) if doubtful else (None, consent)
