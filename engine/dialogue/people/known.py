"""What is known of a person: the facts that are kept, and the sentences that came along with a request."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from engine.dialogue.requests.request import Request
from engine.language.meanings.context import Context
from engine.language.meanings.past import NOTHING_SAID, Hearing
from engine.language.tastes.preferences import stated
from engine.language.tastes.standing import standing
from engine.language.understanding import understand
from engine.memory.kept import facts
from engine.memory.recalled.groups import group_of, spelt
from engine.memory.said.contradictions import as_usual, comforts, contradicts_itself, pieces
from engine.memory.said.goals import Reader
from engine.memory.said.personal import announces, tells_plainly
from engine.memory.said.resaid import habit_of
from engine.memory.said.statements import MOST_CHARACTERS, fact_of, is_statement
from engine.memory.said.words import read, without_remark
from engine.model.fact import Fact, Provenance, Statement
from engine.model.intent import Intent
from engine.planning.wishes import tastes
from engine.planning.wishes.tastes import Tastes
from engine.planning.wishes.tastes import fact_of as liking_of

MOST_SENTENCES = 400
"""How many sentences are read of what comes along with one request."""


def reader_of(context: Context) -> Reader:
    """What reads goals as it reads requests, apart from any conversation."""

    def read(text: str) -> tuple[Intent, ...]:
        alone = replace(context, past=NOTHING_SAID, hearing=Hearing(), location=None)
        return tuple(intent for readings in understand(text, "urn:goal", alone) for intent in readings[0])

    return read


def told_along(request: Request, context: Context, now: datetime) -> tuple[Fact, ...]:
    """The facts of the sentences that came along with a request."""
    several = [text for text in request.memory[:MOST_SENTENCES] if text.strip()]
    found = [
        told(text, Provenance(request.user, now, text[:MOST_CHARACTERS]), f"{request.iri}/memory-{number}", context)
        for number, text in enumerate(several, start=1)
    ]
    return tuple(one for one in found if not contradicts_itself([one], context))


def source_of(request: Request, now: datetime) -> Provenance:
    """Where what a request tells comes from."""
    return Provenance(request.user, now, request.text[:MOST_CHARACTERS].strip(), request.iri)


def told(text: str, source: Provenance, iri: str, context: Context) -> Fact:
    """The fact that a sentence tells: a preference, what somebody wants on an occasion, or the sentence as it is."""
    preference = stated(text, iri, context)
    if preference is not None:
        fact = fact_of(text, source, iri, context, lambda _: ())
        return replace(liking_of([preference], fact.person or source.teller, source.at), iri=iri, source=source)
    said = says_usual(text, context) or text
    fact = fact_of(said, source, iri, context, reader_of(context))
    if not fact.goals and (shorter := without_remark(said, context)) is not None:
        fact = replace(fact_of(shorter, source, iri, context, reader_of(context)), topics=fact.topics)
    if fact.goals:
        return fact
    wished = standing(text, iri, context, understand)
    found = [readings[0][0] for readings in wished or () if readings[0][0].fault is None]
    return replace(liking_of(found, source.teller, source.at), iri=iri, source=source) if found else fact


def says_usual(text: str, context: Context) -> str | None:
    """A statement of how somebody always has something, in the construction that is read; None for any other text."""
    return as_usual(text, context) or habit_of(text, context)


def told_in(text: str, source: Provenance, iri: str, context: Context) -> tuple[Fact, ...]:
    """The facts of a statement: one for each of several that stand in one sentence, each in words of its own; none of
    what is no statement. What follows a statement and is none itself belongs to it."""
    several: list[str] = []
    for piece in comforts(pieces(text, context), context):
        if not several or _is_told(piece, context):
            several.append(piece)
        else:
            several[-1] = text[text.index(several[-1]) : text.rindex(piece) + len(piece)]
    if len(several) > 1 and _is_told(several[0], context):
        return tuple(
            told(piece, replace(source, text=piece), f"{iri}-{n}", context) for n, piece in enumerate(several, start=1)
        )
    return (told(text, source, iri, context),) if _is_statement(text, context) else ()


def _is_told(text: str, context: Context) -> bool:
    """Whether words are a statement by themselves."""
    return stated(text, "urn:piece", context) is not None or _is_statement(text, context)


def _is_statement(text: str, context: Context) -> bool:
    """Whether words tell something that is kept in so many words; what is liked in a scene is read as a wish."""
    sentence = read(text, context)
    plain = is_statement(sentence, context) or announces(sentence, context) is not None
    if plain or says_usual(text, context) is not None:
        return True
    if not tells_plainly(sentence, context) or stated(text, "urn:piece", context) is not None:
        return False
    wished = standing(text, "urn:piece", context, understand)
    return wished is None or any(readings[0][0].fault is not None for readings in wished)


def known_for(request: Request, context: Context, now: datetime) -> tuple[Fact, ...]:
    """All facts that count for a request."""
    return (*facts.heard_by(context.store, request.user, now), *told_along(request, context, now))


def tastes_of(request: Request, context: Context, now: datetime) -> Tastes:
    """What the speaker likes, as it was stated, now or beforehand."""
    return tastes.of(context.store, request.user, told_along(request, context, now), context.vocabulary, now)


def group_told(request: Request, context: Context, now: datetime) -> Fact | None:
    """The fact that several things have a name: everybody's, unless somebody says "I"; None for no such name."""
    if group_of(request.text, context) is None:
        return None
    source = source_of(request, now)
    fact = fact_of(source.text, source, f"{request.iri}/fact", context, lambda _: ())
    own = read(request.text, context).word(0) in ("i", "my")
    return replace(fact, person=request.user or "" if own else "", statement=Statement.FREE)


def group_asked(text: str, known: Sequence[Fact], context: Context) -> tuple[Fact, ...]:
    """The facts that tell of the groups that a text names."""
    found = spelt(text, known, context)
    return found.facts if found is not None else ()
