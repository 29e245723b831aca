"""Machines that are put to work by what they work on, with a programme beside the order, or are to stop."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.graph.terms import expand
from engine.model.outcome import Status
from tests.dialogue.talks import Talk
from tests.homes import a_home

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


HOMES = Path(__file__).resolve().parents[1] / "acceptance"
WITH_OVENS = ("homes/ferry", "many/homes/naranjo", "many/homes/umberlane")


def _set(home: str, text: str, *kinds: str) -> list[list[object]]:
    """For each kind of property the values other than before, once a text is said in a home."""
    with a_home(HOMES / f"{home}.json") as engine:
        things = engine.registry.things.values()
        own = {kind: [p.iri for t in things for p in t.properties if expand(f"hg:{kind}") in p.kinds] for kind in kinds}
        before = engine.state.snapshot()
        engine.ask(text, consent=True)
        after = engine.state.snapshot()
        return [[after[iri] for iri in own[kind] if after.get(iri) != before.get(iri)] for kind in kinds]


@pytest.mark.parametrize("home", WITH_OVENS)
@pytest.mark.parametrize("text", ["start the oven preheating, 190", "oven, start it preheating, one ninety"])
def test_an_oven_begins_with_what_is_said(home: str, text: str) -> None:
    assert _set(home, text, "CookingState", "OvenTemperature") == [["preheating"], [190]]


@pytest.mark.parametrize("home", WITH_OVENS)
@pytest.mark.parametrize("text", ["set the display of the smart screen to 31", "smart screen display at 31"])
def test_the_display_of_a_screen_is_how_bright_it_is(home: str, text: str) -> None:
    assert _set(home, text, "ScreenBrightness", "Volume") == [[31], []]
