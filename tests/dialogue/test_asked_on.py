"""A question of its subject alone takes on the one before it, in one breath as in two. Each in four homes."""

from __future__ import annotations

import pytest

from engine.model.outcome import Status
from tests.dialogue.test_left_out_by_state import Lamps


def two(lamps: Lamps) -> tuple[tuple[str, str], tuple[str, str]]:
    """Two lamps whose titles are nobody else's, with these."""
    registry = lamps.talk.engine.registry
    titles = [(lamp, str(registry.thing_of[lamp].title)) for lamp in sorted(lamps.of)]
    all_titles = [thing.title for thing in registry.things.values()]
    first, *_, last = [one for one in titles if all_titles.count(one[1]) == 1]
    return first, last


@pytest.mark.parametrize("text", ["Is the {one} on? And the {other}?", "Is the {one} on? The {other}?"])
def test_the_second_is_asked_whether_it_is_so_too(lamps: Lamps, text: str) -> None:
    (first, one), (_, other) = two(lamps)
    lamps.begin()
    lamps.switch({first})
    outcome = lamps.ask(text.format(one=one, other=other))
    assert outcome.status is Status.ANSWERED
    assert outcome.reply.startswith("Yes."), outcome.reply
    assert "No." in outcome.reply, outcome.reply


def test_an_order_behind_a_question_takes_nothing_on(lamps: Lamps) -> None:
    (first, one), (_, other) = two(lamps)
    lamps.begin()
    lamps.switch({first})
    outcome = lamps.ask(f"Is the {one} on? What about the {other}? Turn the {one} off.")
    assert lamps.on() in ({first}, set()), outcome.reply
