"""What is known of a person: the preferences that are kept, and the sentences that came along with a request."""

from __future__ import annotations

from collections.abc import Iterable

from engine.language.context import Context
from engine.language.preferences import stated
from engine.planning import tastes
from engine.planning.tastes import Tastes


def tastes_of(user: str | None, sentences: Iterable[str], request: str, context: Context) -> Tastes:
    """What a person likes, as it was stated, now or beforehand."""
    told = (stated(sentence, f"{request}/memory", context) for sentence in sentences)
    return tastes.of(context.store, user, [intent for intent in told if intent is not None])
