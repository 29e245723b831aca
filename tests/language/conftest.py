"""A home whose words are read: the whole house that ships with the project."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from engine.language import dictionary
from engine.language.clauses import segments
from engine.language.context import Context, setters
from engine.language.coordination import Goal, goals
from engine.language.frames import read_frame
from engine.language.spans import read_spans
from engine.things.registry import Registry
from tests.homes import a_store


@pytest.fixture(scope="session")
def context() -> Context:
    store = a_store()
    registry = Registry(store)
    words = dictionary.build(store, registry)
    return Context(store, registry, words, setters=setters(registry.vocabulary))


@pytest.fixture(scope="session")
def goals_of(context: Context) -> Callable[[str], list[Goal]]:
    """The goals of a text."""

    def read(text: str) -> list[Goal]:
        lexicon = context.dictionary.lexicon
        return goals([read_frame(s, lexicon) for s in segments(read_spans(text, lexicon))], text)

    return read
