"""Machines that are put to work by what they work on, with a programme beside the order, or are to stop."""

from __future__ import annotations

import pytest

from engine.model.outcome import Status
from tests.dialogue.talks import Talk

MACHINES = {"dishwasher": "dishwasher#work_state", "washing machine": "washing-machine#work_state"}


@pytest.mark.parametrize(
    ("text", "works"),
    [
        ("do the dishes", "dishwasher"),
        ("wash the dishes", "dishwasher"),
        ("please wash up", "dishwasher"),
        ("do the laundry", "washing machine"),
        ("wash my clothes", "washing machine"),
    ],
)
def test_what_is_washed_says_by_what(house: Talk, text: str, works: str) -> None:
    before = {name: house[path] for name, path in MACHINES.items()}
    outcome = house.ask(text)
    assert outcome.status is Status.DONE, outcome.reply
    assert {name for name, path in MACHINES.items() if house[path] != before[name]} == {works}


@pytest.mark.parametrize(
    "text", ["washing machine on, wool", "turn the washing machine on, wool", "put the washing machine on and wool"]
)
def test_a_programme_beside_on_leaves_it_on(house: Talk, text: str) -> None:
    outcome = house.ask(text)
    assert house["washing-machine#state"] == "on", outcome.reply
    assert house["washing-machine#program"] == "wool"


@pytest.mark.parametrize("text", ["stop all playback", "stop all the music", "stop the playback everywhere"])
def test_what_rests_is_not_stopped(house: Talk, text: str) -> None:
    house["living-room-speaker#playback"], house["oven#state"] = "playing", "on"
    outcome = house.ask(text)
    assert house["living-room-speaker#playback"] == "stopped", outcome.reply
    assert set(house.changed()) <= {"living-room-speaker#playback", "oven#state"}, outcome.reply
