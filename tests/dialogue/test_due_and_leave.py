"""When something outside of the home is due is no time of an order; who puts a machine to work with a programme starts
it; "leave" alone changes nothing; a number is of a property that can have it; no word for a property goes unheeded."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.model.outcome import Status
from tests.dialogue.talks import BEGAN, Talk
from tests.homes import a_home

HERE = Path(__file__).resolve().parents[2]
HOMES = {
    "house": HERE / "data/house.ttl",
    "flat": HERE / "tests/acceptance/homes/flat.ttl",
    "mill": HERE / "tests/acceptance/homes/mill.ttl",
    "farmhouse": HERE / "tests/acceptance/homes/farmhouse.ttl",
}


@pytest.fixture(scope="module")
def homes() -> Iterator[dict[str, Talk]]:
    talks = {name: Talk(a_home(path, now=BEGAN), "") for name, path in HOMES.items()}
    yield talks
    for talk in talks.values():
        talk.engine.close()


def done(talk: Talk, text: str) -> tuple[Status, dict[str, object]]:
    """The outcome of a text and all that changed, by thing and property."""
    talk.begin()
    outcome = talk.engine.ask(text, consent=True)
    changed = {name.rpartition("/")[2]: value for name, value in talk.changed().items()}
    return outcome.status, changed


@pytest.mark.parametrize(
    ("home", "text", "changed"),
    [
        ("house", "desk lamp on, essay due 9am", {"desk-lamp#state": "on"}),
        ("house", "my train leaves at eight, floor lamp on", {"floor-lamp#state": "on"}),
        ("mill", "writing lamp on, essay due 9am", {"writing-lamp#power": True}),
        ("flat", "the film starts at eight so the desk lamp off", {"desk-lamp#power": False}),
    ],
)
def test_when_something_else_is_due_is_no_time_of_an_order(
    homes: dict[str, Talk], home: str, text: str, changed: dict[str, object]
) -> None:
    assert done(homes[home], text) == (Status.DONE, changed)


@pytest.mark.parametrize(
    ("home", "text"),
    [
        ("house", "at eight, desk lamp on"),
        ("flat", "at eight, desk lamp on"),
        ("mill", "at eight, writing lamp on"),
    ],
)
def test_an_hour_before_an_order_is_its_time(homes: dict[str, Talk], home: str, text: str) -> None:
    assert done(homes[home], text) == (Status.SCHEDULED, {})


@pytest.mark.parametrize("home", ["house", "flat", "mill"])
def test_what_shall_be_done_when_something_begins_is_not_done_now(homes: dict[str, Talk], home: str) -> None:
    status, changed = done(homes[home], "when the film starts at 8, desk lamp off")
    assert (status, changed) == (Status.REFUSED, {})


@pytest.mark.parametrize(
    ("home", "text", "changed"),
    [
        ("flat", "start a quick wash", {"dishwasher#program": "quick", "dishwasher#state": "running"}),
        ("flat", "the dishwasher can begin an eco wash", {"dishwasher#state": "running"}),
        ("house", "start an eco wash in the dishwasher", {"dishwasher#work_state": "running"}),
        ("house", "the washing machine may start a cotton load", {"washing-machine#work_state": "washing"}),
    ],
)
def test_a_machine_that_begins_a_programme_is_started(
    homes: dict[str, Talk], home: str, text: str, changed: dict[str, object]
) -> None:
    assert done(homes[home], text) == (Status.DONE, changed)


def test_who_could_have_a_programme_is_asked_about_and_nobody_else(homes: dict[str, Talk]) -> None:
    outcome = homes["house"].engine.ask("put on a cotton wash", consent=True)
    told = f"{outcome.status} {outcome.reply}"
    assert "air conditioner" not in told, told
    assert "fan" not in told, told


@pytest.mark.parametrize("home", ["house", "flat", "mill"])
@pytest.mark.parametrize("text", ["leave the floor lamp", "leave the lamps. They are fine", "leave the lights so"])
def test_what_is_left_is_not_touched(homes: dict[str, Talk], home: str, text: str) -> None:
    assert done(homes[home], text)[1] == {}


@pytest.mark.parametrize(("home", "lamp"), [("house", "desk lamp"), ("flat", "desk lamp"), ("mill", "writing lamp")])
def test_another_ten_off_is_ten_less(homes: dict[str, Talk], home: str, lamp: str) -> None:
    talk = homes[home]
    talk.begin()
    talk.engine.ask(f"set the {lamp} to 90", consent=True, conversation="here")
    talk.engine.ask("another ten off, please", consent=True, conversation="here")
    found = {name.rpartition("#")[2]: value for name, value in talk.changed().items()}
    assert found["brightness"] == 80


@pytest.mark.parametrize(
    ("home", "text"),
    [
        ("house", "all blinds to 40, the thingummy on the terrace too"),
        ("mill", "all lights to 40, the whatnot in the library too"),
        ("flat", "all lights to 40, the gizmo in the hall too"),
    ],
)
def test_who_adds_one_more_does_not_mean_that_alone(homes: dict[str, Talk], home: str, text: str) -> None:
    talk = homes[home]
    talk.begin()
    outcome = talk.engine.ask(text, consent=True)
    changed = {name.partition("#")[0] for name in talk.changed()}
    assert len(changed) != 1, outcome.reply
