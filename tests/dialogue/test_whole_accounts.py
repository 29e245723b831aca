"""A reading that takes every word and loses no name is done unasked; no reading acts on what is left out."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from engine.model.outcome import Status
from tests.dialogue.talks import BEGAN, Talk
from tests.dialogue.test_signs_and_denials import HOMES
from tests.homes import several


@pytest.fixture(scope="module")
def homes() -> Iterator[dict[str, Talk]]:
    with several(HOMES, now=BEGAN) as engines:
        yield {name: Talk(engine, "") for name, engine in engines.items()}


def changes(homes: dict[str, Talk], home: str, text: str) -> tuple[Status, dict[str, object]]:
    """What comes of a text, and the values that it changed by the last parts of their names."""
    talk = homes[home]
    talk.begin()
    outcome = talk.engine.ask(text, consent=True)
    return outcome.status, {str(name).rpartition("#")[2].rpartition("/")[2]: v for name, v in talk.changed().items()}


@pytest.mark.parametrize(
    ("home", "text", "changed"),
    [
        ("cape", "Smeg at one ninety", {"target_temperature": 190}),
        ("farm", "wall oven to one eighty", {"target_temperature": 180}),
        ("farm", "kitchen radio volume one five", {"volume_level": 15}),
        ("castle", "And a warmer white on the antler chandelier, 2700", {"color_temperature": 2700}),
        ("cape", "beam light on, but softly, 10 percent", {"brightness": 10}),
        ("castle", "Ruark to 20, long landing lights off", {"volume_level": 20, "state": "off"}),
    ],
)
def test_whoever_takes_every_word_is_not_asked(
    homes: dict[str, Talk], home: str, text: str, changed: dict[str, object]
) -> None:
    status, found = changes(homes, home, text)
    assert status is Status.DONE
    assert changed.items() <= found.items()


@pytest.mark.parametrize(
    ("home", "text", "kept"),
    [
        ("cape", "Leaving the sitkamer out of it, all lights off", "sitkamer"),
        ("castle", "Leaving the great hall aside, turn on every light", "great hall"),
        ("farm", "leaving the dining room aside, close all blinds", "dining room"),
        ("cape", "all lights at 40, sparing the sitkamer", "sitkamer"),
    ],
)
def test_nothing_is_done_where_the_words_leave_a_room_out(
    homes: dict[str, Talk], home: str, text: str, kept: str
) -> None:
    talk = homes[home]
    talk.begin()
    talk.engine.ask(text, consent=True)
    registry = talk.engine.registry
    touched = {registry.thing_of[str(name).rpartition("#")[0]].place for name in talk.changed()}
    names = {registry.places[place].name for place in touched if place is not None}
    assert names
    assert kept not in names


@pytest.mark.parametrize(
    ("home", "text"),
    [
        ("cape", "Kindly put the Smeg in steam mode, but don't start it."),
        ("castle", "set the Speed Queen to cotton, but don't start it yet"),
        ("farm", "put the wall oven in bake mode, but do not start it"),
    ],
)
def test_what_is_not_to_be_started_is_not(homes: dict[str, Talk], home: str, text: str) -> None:
    status, found = changes(homes, home, text)
    assert status is Status.DONE
    assert "state" not in found


@pytest.mark.parametrize("home", ["farm", "castle", "cape"])
@pytest.mark.parametrize("text", ["where is somebody?", "Where are people now?", "Where in the house are people now?"])
def test_where_somebody_is_names_the_rooms_that_are_not_empty(homes: dict[str, Talk], home: str, text: str) -> None:
    homes[home].begin()
    ask = homes[home].engine.ask
    wanted = ask("which rooms are occupied?")
    assert wanted.status is Status.ANSWERED
    assert ask(text).reply == wanted.reply


@pytest.mark.parametrize("home", ["farm", "castle", "cape"])
def test_where_nothing_that_is_here_is_asked_for_lists_no_things(homes: dict[str, Talk], home: str) -> None:
    homes[home].begin()
    assert homes[home].engine.ask("where is it?").status is Status.REFUSED
    warm = homes[home].engine.ask("where is it warmest?")
    assert warm.status is Status.ANSWERED
    assert len(warm.reply) < 60
