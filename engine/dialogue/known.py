"""What is known of a person: the preferences that are kept, and the sentences that came along with a request."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from engine.language.context import Context
from engine.language.preferences import stated
from engine.language.standing import standing
from engine.language.understanding import understand
from engine.model.intent import Intent
from engine.planning import tastes
from engine.planning.tastes import Tastes


def tastes_of(user: str | None, sentences: Iterable[str], request: str, context: Context) -> Tastes:
    """What a person likes, as it was stated, now or beforehand."""
    told = (intent for sentence in sentences for intent in _told(sentence, user, f"{request}/memory", context))
    return tastes.of(context.store, user, list(told), context.vocabulary)


def _told(sentence: str, user: str | None, iri: str, context: Context) -> Iterator[Intent]:
    """What a sentence states of a person: a preference, or what they want in a situation."""
    preference = stated(sentence, iri, context)
    wished = standing(sentence, iri, context, understand) if preference is None else None
    if preference is not None:
        yield preference
    for readings in wished or ():
        for intent in readings[0]:
            theirs = intent.subject is None or user is None or intent.subject.casefold() == user.casefold()
            if intent.fault is None and theirs:
                yield intent
