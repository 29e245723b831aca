"""What is known of a person: the facts that are kept, and the sentences that came along with a request."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime

from engine.language.context import Context
from engine.language.preferences import stated
from engine.language.standing import standing
from engine.language.understanding import understand
from engine.model.fact import Fact
from engine.planning import tastes
from engine.planning.tastes import Tastes, fact_of


def tastes_of(user: str | None, sentences: Iterable[str], request: str, context: Context, now: datetime) -> Tastes:
    """What a person likes, as it was stated, now or beforehand."""
    told = (fact for sentence in sentences for fact in _told(sentence, user, f"{request}/memory", context, now))
    return tastes.of(context.store, user, list(told), context.vocabulary, now)


def _told(sentence: str, user: str | None, iri: str, context: Context, now: datetime) -> Iterator[Fact]:
    """What a sentence states of a person: a preference, or what they want in a situation."""
    preference = stated(sentence, iri, context)
    wished = standing(sentence, iri, context, understand) if preference is None else None
    if preference is not None:
        yield fact_of([preference], user, now)
    told = [readings[0][0] for readings in wished or () if readings[0][0].fault is None]
    if told:
        yield fact_of(told, user, now)
