"""A batch on one home keeps its speed: the journal of conversations that cannot go on is emptied now and then."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine import settings
from engine.evaluation import batch
from engine.evaluation.requests import Line
from engine.graph.terms import HISTORY, REQUESTS
from engine.resources import folder

HOME = Path("house.ttl")
TEXTS = ("turn on the desk lamp", "is the desk lamp on?", "close the bedroom curtains")


def outcomes(lines: list[Line]) -> tuple[list[str], int]:
    """The statuses of lines that are carried out, and how many quads of requests and history are left."""
    with batch.Batch([folder("data") / HOME], execute=True, settings=settings.load()) as running:
        found = [one["status"] for one in running.run(lines)]
        (home,) = running._homes.values()
        store = home.engine.store
        return found, len(store.graph(REQUESTS)) + len(store.graph(HISTORY))


@pytest.mark.parametrize(("conversation", "forgets"), [(None, True), ("a", False)])
def test_what_was_asked_is_forgotten_unless_its_conversation_may_go_on(
    monkeypatch: pytest.MonkeyPatch, conversation: str | None, forgets: bool
) -> None:
    lines = [Line(str(n), text) for n, text in enumerate(TEXTS * 50)]
    first = [Line("first", TEXTS[0], conversation=conversation)]
    monkeypatch.setattr(batch, "FORGET_AFTER", 1)
    kept, held = outcomes([*first, *lines])
    monkeypatch.setattr(batch, "FORGET_AFTER", 10**6)
    expected, all_held = outcomes([*first, *lines])
    assert kept == expected
    assert (held < all_held) is forgets
