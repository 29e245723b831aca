"""What is known of a person, shown to them: what was told, by whom, and what they had done, counted."""

from __future__ import annotations

from datetime import datetime

from engine.dialogue.people.digest_words import in_words
from engine.dialogue.requests.request import Request
from engine.language.meanings.context import Context
from engine.language.replies.replies import MOST_QUOTED
from engine.llm import Model
from engine.memory.kept import digests, facts
from engine.model.fact import Fact

MOST_TOLD = 12
"""How many facts are told at once."""


def own_facts(request: Request, context: Context, now: datetime) -> list[Fact]:
    """What is about the speaker or was told by them."""
    own = set(facts.of_person(context.store, request.user or ""))
    return [one for one in facts.heard_by(context.store, request.user, now) if one.iri in own]


def as_told(fact: Fact, user: str | None) -> str:
    """A fact with whether who hears it told it."""
    own = (fact.source.teller or "").casefold() == (user or "").casefold()
    return f"You told me {quoted(fact)}" if own else f"I was told {quoted(fact)}"


def of_other(person: str, request: Request, context: Context, now: datetime) -> str:
    """What somebody may hear of another: what they told of them themselves, and what is about everybody; nothing else,
    nor whether there is anything else."""
    several = [one for one in own_facts(request, context, now) if one.person.casefold() == person.casefold()]
    said = [f"{as_told(one, request.user)}." for one in several[-MOST_TOLD:]]
    return " ".join(said) or f"You have told me nothing of {person}, and what others told is theirs."


def profile_told(request: Request, context: Context, now: datetime) -> list[str]:
    """All that is known of the speaker: what was told, and what they usually do, with its counts."""
    known = own_facts(request, context, now)
    said = [f"{as_told(one, request.user)}." for one in known[-MOST_TOLD:]]
    lines = digests.of_all(context.store, request.user)[:3] if request.user is not None else ()
    said += [f"You had “{line.task}” done {count(line.times, 'time')} on {count(line.days, 'day')}." for line in lines]
    return said


def count(number: int, word: str) -> str:
    """A number with its noun, in the plural where there are several."""
    return f"{number} {word}{'' if number == 1 else 's'}"


def quoted(fact: Fact) -> str:
    """The words of a fact between quotes, cut short where they are long."""
    text = fact.text if len(fact.text) <= MOST_QUOTED else f"{fact.text[:MOST_QUOTED]}…"
    return f"“{text.strip().rstrip('.')}”"


def shown(request: Request, context: Context, now: datetime, model: Model | None) -> str:
    """All that is known of the speaker, in a model's words where there is one and they hold."""
    statements = profile_told(request, context, now)
    digest = in_words(statements, model, context) if model is not None else None
    return digest or " ".join(statements) or "I know nothing of you."
