"""What a request leaves to memory: filled from facts and from what was done, and said with what came of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from engine.dialogue.people.known import known_for, reader_of
from engine.dialogue.people.missing import Spoken, asked
from engine.dialogue.requests.memory import Memory
from engine.dialogue.requests.request import Request
from engine.dialogue.second_thoughts import is_sure
from engine.environment.state import State
from engine.graph.terms import REQUESTS, Json, NamedNode, Quad, node
from engine.language.meanings.context import Context
from engine.language.phrases.coordination import Goal
from engine.language.replies.replies import MOST_QUOTED
from engine.language.tastes.tastes import taste_talk
from engine.language.understanding import understand
from engine.memory.bygone.alike import alike
from engine.memory.bygone.bygone import bygone
from engine.memory.bygone.earlier import earlier
from engine.memory.bygone.mistaken import mistaken
from engine.memory.bygone.spans import tells_of, told_quads
from engine.memory.kept import diary, facts
from engine.memory.kept.company import wishes_beside
from engine.memory.kept.offers import Done, circumstances_of, learn_how
from engine.memory.recalled.corrections import proposal
from engine.memory.recalled.recall import Recollection, recall
from engine.memory.said.words import read
from engine.model.intent import Intent
from engine.model.outcome import IntentOutcome, Outcome, Status
from engine.planning.site import Site

UNKNOWN = "I have not been told how it is liked. How shall I set it?"
UNTOLD = "I do not know when that was: nobody told me (“{}”). How shall I set it?"


def recalled(
    request: Request, said: Spoken | None, memory: Memory, state: State, context: Context, now: datetime
) -> Recollection | None:
    """What a request leaves to memory; None for any other request, and for the answer to a question."""
    if said is not None:
        memory.asked = None
        if memory.missing is not None:
            memory.hear(request.iri, {f"{request.iri}/intent-1": Goal(request.text, 0, len(request.text))})
        return None if said.question is None else Recollection((), (asked(request, said.question),), said.question)
    if memory.asked is not None or taste_talk(request.text, request.iri, context) is not None:
        return None
    known = known_for(request, context, now)
    found = recall(request.text, request.user, known, request.iri, now, context)
    if found is not None and found.loose and is_sure(request, context):
        found = None
    if found is None or not found.facts:
        then = bygone(request.text, request.user, state, request.iri, now, context)
        untold = bool(then) and all(one.fault is not None for one in then or ())
        if then and not untold:
            found = Recollection((), then)
        elif (untold or found is not None) and from_this_talk(request, memory, state, context):
            return None
        elif then:
            found = Recollection((), then, UNTOLD.format(then[0].subject))
    if found is not None:
        understand(request.text, request.iri, context)  # as it will be referred to
        words = {goal.iri: Goal(request.text, 0, len(request.text)) for goal in found.goals[:1]}
        memory.hear(request.iri, context.hearing.goals or words)
    return found


def from_this_talk(request: Request, memory: Memory, state: State, context: Context) -> dict[str, tuple[Intent, ...]]:
    """What a request comes to if it is for how something was earlier in this conversation, by the feature's name."""
    turns = memory.past.turns
    found = earlier(request.text, turns, state, request.iri, context, reader_of(context))
    mended = mistaken(request.text, turns, state, request.iri, context)
    several = {"earlier": found, "alike": alike(request.text, state, request.iri, context)}
    several |= {f"mistaken:{name}": own for name, own in mended.items()}
    return {name: own for name, own in several.items() if own}


def told_from(found: Recollection | None, said: Spoken | None, outcome: Outcome) -> Outcome:
    """An outcome whose reply says from which facts it was filled, or that there was none to fill it from."""
    if found is None and said is not None and said.facts:
        found = Recollection(said.facts, ())
    if found is None:
        return outcome
    if not found.facts and not found.unknown:
        return outcome
    if found.unknown:
        question = found.question or UNKNOWN
        return replace(outcome, question=question, reply=question)
    if outcome.status is Status.REFUSED:
        return outcome
    words = dict.fromkeys(one.text.strip().rstrip(".") for one in found.facts)
    quoted = " and ".join(f"“{text[:MOST_QUOTED]}”" for text in words)
    return replace(outcome, reply=f"{outcome.reply} That is what I was told: {quoted}.")


def told_of_company(
    outcome: Outcome, found: Recollection | None, request: Request, context: Context, now: datetime
) -> Outcome:
    """An outcome whose reply says who else is in the room and has a wish for what was filled from the speaker's own:
    who asks decides."""
    if request.location is None or request.user is None or outcome.status not in (Status.DONE, Status.PROPOSED):
        return outcome
    goals = found.goals if found is not None and found.facts else ()
    felt = {one.intent.variable for one in outcome.intents if one.intent.variable is not None}
    own = {one.variable for one in facts.about(context.store, request.user, now) if one.number is not None}
    variables = [iri for iri in sorted(felt) if iri in own]
    if not goals and not variables:
        return outcome
    others = wishes_beside(request.user, request.location, goals, variables, now, context)
    if not others:
        return outcome
    who = " and ".join(others)
    here = "is here, too, and has" if len(others) == 1 else "are here, too, and have"
    return replace(outcome, reply=f"{outcome.reply} {who} {here} told how it is liked: who asks decides.")


def note_recalled(
    request: Request,
    found: Recollection | None,
    said: Spoken | None,
    context: Context,
    intents: Sequence[Intent] = (),
) -> None:
    """Writes from which facts a request was filled, so that it is forgotten with them; which occasions it tells of, by
    its words or by the scene that it was understood to want, and where it was said."""
    known = (*(found.facts if found is not None else ()), *(said.facts if said is not None else ()))
    quads = [Quad(NamedNode(request.iri), node("hg:recalled"), NamedNode(one.iri), REQUESTS) for one in known]
    scenes = () if context.hearing.unsure else [one.situation for one in intents]
    told = dict.fromkeys((*tells_of(read(request.text, context), context), *(iri for iri in scenes if iri)))
    quads += told_quads(request.iri, told, request.location)
    if quads:
        context.store.write(insert=quads)


def _left(one: IntentOutcome, done: Outcome) -> dict[str, Json]:
    """The values that an intent left, of what it was bound to."""
    own = set(one.things)
    return {change.property: change.after for change in done.changes if change.artifact in own}


def write_diary(done: Outcome, site: Site, at: datetime) -> Outcome:
    """Writes what a person had done, by its abstract tasks; the outcome, with what is proposed because of it."""
    finished = [one for one in done.intents if one.status is Status.DONE]
    tasks = {task: one for one in finished if (task := diary.task_of(one.intent, site.registry)) is not None}
    if not tasks or not site.user or site.experience is None:
        return done
    notes = circumstances_of(site.store, site.user, at).notes
    diary.record(site.store, site.user, at, tasks, done.request, notes)
    learn_how(site.store, site.user, {task: Done(one.intent, _left(one, done)) for task, one in tasks.items()})
    proposed = proposal(site.store, site.registry, site.user, done.changes, at, done.request)
    return done if proposed is None else replace(done, reply=f"{done.reply} {proposed}")
