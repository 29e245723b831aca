"""Shows a person how to talk to a home, and the facts that it keeps of them: by whom told, or counted."""

from __future__ import annotations

from collections import Counter
from datetime import datetime

from engine.dialogue.people.digest_words import in_words
from engine.dialogue.requests.request import Request
from engine.language.meanings.context import Context
from engine.language.replies.replies import MOST_QUOTED, place_name
from engine.llm import Model
from engine.memory.kept import digests, facts
from engine.model.fact import Fact
from engine.model.thing import Thing

MOST_TOLD = 12
"""How many facts are told at once."""
_SAID = "Tell me what you want in your own words"
_ALSO = "Ask me “why?” when something surprises you, say “undo that” to take it back, and tell me what you like."


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


def help_of(context: Context) -> str:
    """Examples of requests that this home serves, in a few sentences: one for each class that is here."""
    shown = []
    for words, cls in context.store.select("dialogue/help"):
        thing = _plainest(cls.value, context) if cls is not None else None
        if words is not None and thing is not None:
            place = place_name(thing.place, context.registry)
            shown.append(f"“{words.value.replace('{name}', thing.title).replace('{place}', place)}”")
    return " ".join([f"{_SAID}: {', '.join(shown)}." if shown else f"{_SAID}.", _ALSO])


def _plainest(cls: str, context: Context) -> Thing | None:
    """The first thing of a class by its name, of those in a room whose name no other has; None where there is none."""
    registry = context.registry
    names = Counter(thing.title.casefold() for thing in registry.things.values())
    own = (thing for thing in registry.things.values() if names[thing.title.casefold()] == 1 and thing.place)
    meant = (t for t in own if any(registry.vocabulary.is_a(c, cls) for c in registry.parts[t.iri].every_class))
    return min(meant, key=lambda thing: (thing.title.casefold(), thing.iri), default=None)
