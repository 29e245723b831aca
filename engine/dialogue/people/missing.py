"""What a request leaves to be known of somebody: said from what they told, or asked for once, kept, and then done."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime

from engine.dialogue.people.known import known_for
from engine.dialogue.requests.memory import Memory
from engine.dialogue.requests.request import Request
from engine.language.meanings.context import Context
from engine.memory.kept import facts
from engine.memory.recalled.groups import spelt
from engine.memory.recalled.matters import Matter, SpeltOut, answer_in, bare, matters, spelt_out, with_thing
from engine.memory.recalled.recall import is_question
from engine.memory.recalled.rooms import asks_for_rooms, named_rooms, rooms_said, unused_rooms, usual_rooms
from engine.memory.said.statements import fact_of, is_statement
from engine.memory.said.words import Sentence, Stretch, read
from engine.model.fact import Fact, Provenance
from engine.model.intent import Intent

_LETTING_GO = frozenset({"forget", "delete", "erase"})
_OF_MEMORY = ("hg:ForgetWhat", "hg:ForgetAll", "hg:AskKnown", "hg:NotMe", "hg:KeepProposal")
NO_ROOMS = "I have not seen yet which rooms you usually use. Which do you mean?"


@dataclass(frozen=True, slots=True)
class Spoken:
    """A request as it is to be read: in whose words (`request`), from which facts it was completed, or what is to be
    asked first."""

    request: Request
    facts: tuple[Fact, ...] = ()
    question: str | None = None


def spoken(request: Request, memory: Memory, context: Context, now: datetime) -> Spoken | None:
    """A request with what it leaves to be known filled in; None for one that leaves nothing of the kind. An answer to a
    question for such a thing is kept, and the request that it was asked for goes on."""
    waiting, memory.missing = memory.missing, None
    memory.asked = None if waiting is not None else memory.asked
    if waiting is not None and (found := _answered(request, *waiting, memory, context, now)) is not None:
        return found
    sentence = read(request.text, context)
    if is_question(sentence) or is_statement(sentence, context) or any(map(sentence.find, _OF_MEMORY)):
        return None
    if sentence.word(0) in _LETTING_GO:
        return None
    rooms = rooms_said(sentence)
    if rooms is not None and not asks_for_rooms(sentence):
        return _with_rooms(request, sentence, *rooms, context)
    of_speaker = _of_speaker(request, context, now)
    named = spelt(request.text, of_speaker(), context)
    if named is not None:
        return Spoken(replace(request, text=named.text, spelt=True), named.facts)
    left = spelt_out(request.text, of_speaker, context)
    return None if left is None else _completed(request, left, memory)


def _of_speaker(request: Request, context: Context, now: datetime, *more: Fact) -> Callable[[], list[Fact]]:
    """The facts that are about who speaks, once they are asked for."""
    return lambda: [one for one in (*known_for(request, context, now), *more) if one.about(request.user)]


def _with_rooms(request: Request, sentence: Sentence, said: Stretch, used: bool, context: Context) -> Spoken:
    """A request for the rooms that somebody usually uses, or does not, with these rooms in their place."""
    usual = [room for room, _ in usual_rooms(request.user, context)]
    rooms = usual if used else unused_rooms(request.user, context)
    if not rooms:
        return Spoken(request, (), NO_ROOMS)
    before, after = sentence.tokens[said.start].start, sentence.tokens[said.end - 1].end
    text = f"{request.text[:before]}{named_rooms(rooms, context)}{request.text[after:]}"
    return Spoken(replace(request, text=text, spelt=True))


def _completed(request: Request, found: SpeltOut, memory: Memory) -> Spoken:
    if found.missing is None:
        return Spoken(replace(request, text=found.text, spelt=True), found.facts)
    memory.missing = (found.missing.iri, request.text)
    return Spoken(request, found.facts, found.missing.question)


def _answered(
    request: Request, matter: str, text: str, memory: Memory, context: Context, now: datetime
) -> Spoken | None:
    """The request that a question was asked for, now that it is answered; None where this is no answer."""
    said = answer_in(request.text, context)
    about = next((one for one in matters(context.store) if one.iri == matter), None)
    if said is None:
        return None
    if about is None:
        chosen = with_thing(text, said, matter, context)
        left = None if chosen is None else spelt_out(chosen, _of_speaker(request, context, now), context)
        return None if left is None else _completed(request, left, memory)
    kept = _fact(about, said, request, context, now)
    if request.user is not None:
        facts.keep(context.store, [kept])
    found = spelt_out(text, _of_speaker(request, context, now, kept), context)
    if found is None:
        return Spoken(replace(request, text=text), (kept,))
    return replace(
        _completed(replace(request, text=text), found, memory), facts=(*dict.fromkeys((*found.facts, kept)),)
    )


def _fact(matter: Matter, said: str, request: Request, context: Context, now: datetime) -> Fact:
    sentence = matter.kept.format(bare(matter, said))
    source = Provenance(request.user, now, sentence, request.iri)
    fact = fact_of(sentence, source, f"{request.iri}/fact", context, lambda _: ())
    return replace(fact, person=request.user or fact.person)


def asked(request: Request, question: str) -> Intent:
    """The intent of a request that cannot be carried out before a question is answered."""
    return Intent(f"{request.iri}/intent-1", request.text, fault="missing_value", subject=question[:200])
