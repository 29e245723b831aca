"""What usually comes next: offered after what was done, or done with it where that is wanted; either way it teaches."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from engine.dialogue.requests.memory import Memory
from engine.dialogue.requests.request import Request
from engine.language.meanings.context import Context
from engine.memory.kept import diary
from engine.memory.kept.offers import Offer, next_offer, usual_after
from engine.memory.said.words import read
from engine.model.intent import Category, Intent
from engine.model.outcome import IntentOutcome, Outcome, Status
from engine.planning.site import Site


def offered(done: Outcome, memory: Memory | None, site: Site, now: datetime) -> Outcome:
    """An outcome, with what usually comes next offered in its reply, where somebody can say yes to it."""
    if memory is None or not site.user or done.status is not Status.DONE:
        return done
    offer = next_offer(site.store, site.user, diary.today(site.store, site.user, now), site.state, now)
    memory.offered = offer
    if offer is None:
        return done
    question = f"You usually have “{offer.task}” done next ({offer.numbers}). Shall I?"
    return replace(done, reply=f"{done.reply} {question}")


def with_the_usual(request: Request, context: Context) -> Request | None:
    """A request without the words that want what usually follows done with it; None where it has none."""
    sentence = read(request.text, context)
    said = sentence.find("hg:AndTheUsual")
    if said is None or said.start == 0 or not request.user:
        return None
    text = f"{sentence.said(0, said.start)} {sentence.said(said.end, len(sentence.tokens))}".strip(" ,")
    return replace(request, text=text)


def usual_goals(request: Request, intents: Sequence[Intent], site: Site, now: datetime) -> tuple[Offer, ...]:
    """What usually follows what is asked for, the likeliest only, as far as it is not so already."""
    tasks = [task for one in intents if (task := diary.task_of(one, site.registry)) is not None]
    if not request.user or not tasks:
        return ()
    before = [*diary.today(site.store, request.user, now), *tasks]
    return usual_after(site.store, request.user, before, site.state, now)


def goals_of(offers: Sequence[Offer], request: str) -> tuple[Intent, ...]:
    """The intents of offers that are done with a request."""
    return tuple(
        replace(offer.goal, iri=f"{request}/usual-{number}", text=offer.task)
        for number, offer in enumerate(offers, start=1)
    )


def told_with(outcome: Outcome, offers: Sequence[Offer]) -> Outcome:
    """An outcome whose reply says why more was done than was named."""
    if not offers:
        return outcome
    why = "; ".join(f"“{one.task}” follows {one.numbers}" for one in offers)
    return replace(outcome, reply=f"{outcome.reply} With it goes what you usually have done: {why}.")


def beside(offers: Sequence[Offer]) -> str:
    """What usually goes with a plan that is proposed, in words."""
    if not offers:
        return ""
    said = " and ".join(f"“{one.task}” ({one.numbers})" for one in offers)
    return f" You usually have {said} done with it: say “both” for all of it."


def declined(request: Request) -> Outcome:
    """What comes of an offer that is not wanted."""
    intent = Intent(f"{request.iri}/intent-1", request.text, Category.PREFERENCE)
    one = IntentOutcome(intent, Status.REFUSED, "not_consented")
    reply = "Then I leave it as it is."
    return Outcome(request.iri, request.text, Status.REFUSED, (one,), reason="not_consented", reply=reply)
