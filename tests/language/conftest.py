"""A home whose words are read: the whole house that ships with the project."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from engine import settings as configuration
from engine.hearthgraph import Hearthgraph
from engine.language.meanings.context import Context, setters
from engine.language.phrases.coordination import Goal, goals
from engine.language.phrases.frames import read_frame
from engine.language.phrases.segments import segments
from engine.language.words import dictionary
from engine.language.words.spans import read_spans
from engine.things.registry import Registry
from tests.homes import a_store

ROOT = Path(__file__).resolve().parents[2]
HOMES = (ROOT / "data" / "house.ttl", *(ROOT / "tests/acceptance/homes" / f"{one}.ttl" for one in ("mill", "flat")))


@pytest.fixture(scope="module", params=HOMES, ids=lambda one: one.stem)
def home(request: pytest.FixtureRequest) -> Iterator[Hearthgraph]:
    """Each of three homes that have little in common, without devices behind it."""
    settings = configuration.load(live=False, experience=False)
    with Hearthgraph.open(None, settings=settings) as engine:
        engine.load([request.param])
        engine.assistant.refresh()
        yield engine


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
