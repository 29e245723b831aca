"""What is excepted may be said with the room where it is; what is denied is done by no word of the denial; a name that
begins with a time is a name; two things that are asked about are compared."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.hearthgraph import Hearthgraph
from engine.model.outcome import Status
from tests.dialogue.talks import BEGAN, Talk
from tests.homes import several

HERE = Path(__file__).resolve().parents[2]
HOMES = {
    "house": HERE / "data/house.ttl",
    "lab308": HERE / "data/lab308.ttl",
    "flat": HERE / "tests/acceptance/homes/flat.ttl",
    "mill": HERE / "tests/acceptance/homes/mill.ttl",
    "farmhouse": HERE / "tests/acceptance/homes/farmhouse.ttl",
}


@pytest.fixture(scope="module")
def homes() -> Iterator[dict[str, Hearthgraph]]:
    with several(HOMES, now=BEGAN) as engines:
        yield engines


def done(engine: Hearthgraph, text: str) -> tuple[Status, set[str]]:
    """What comes of a text, and the things that it changed, by the last part of their names."""
    talk = Talk(engine, "")
    talk.begin()
    outcome = engine.ask(text, consent=True)
    return outcome.status, {str(name).partition("#")[0].rpartition("/")[2] for name in talk.changed()}


@pytest.mark.parametrize("leaving", ["except", "apart from", "but not"])
@pytest.mark.parametrize(
    ("home", "before", "order", "excepted", "kept"),
    [
        ("house", "turn on", "switch off all lights", "the floor lamp in the living room", "floor-lamp"),
        ("flat", "turn on", "switch off all lights", "the bedside lamps in the bedroom", "lamp-right"),
        ("mill", "turn off", "turn on every light", "the bedside lamps in the main bedroom", "his-lamp"),
        ("farmhouse", "turn off", "turn on every light", "the left sconce in the scullery", "sconce-left"),
    ],
)
def test_what_is_excepted_is_that_of_its_room(
    homes: dict[str, Hearthgraph], home: str, before: str, order: str, excepted: str, kept: str, leaving: str
) -> None:
    done(homes[home], f"{before} all lights")
    status, changed = done(homes[home], f"{order} {leaving} {excepted}")
    assert status is Status.DONE
    assert len(changed) > 1
    assert kept not in changed


@pytest.mark.parametrize(
    ("home", "text"),
    [
        ("lab308", "please don't open up the Blinds308"),
        ("house", "don't close up the study blinds"),
        ("farmhouse", "please don't open up the Venetian blinds"),
        ("mill", "don't open up the kitchen blind"),
    ],
)
def test_the_second_word_of_what_is_denied_does_nothing(homes: dict[str, Hearthgraph], home: str, text: str) -> None:
    assert done(homes[home], text)[1] == set()


@pytest.mark.parametrize("home", ["house", "mill"])
@pytest.mark.parametrize("text", ["turn up the night light", "turn up the brightness of the night light by 20 percent"])
def test_a_name_that_begins_with_a_time_is_no_time(homes: dict[str, Hearthgraph], home: str, text: str) -> None:
    assert done(homes[home], text) == (Status.DONE, {"night-light"})


@pytest.mark.parametrize("home", ["house", "flat"])
@pytest.mark.parametrize("other", ["right one", "right bedside lamp"])
def test_of_two_that_are_named_the_one_that_is_more_so_is_told(
    homes: dict[str, Hearthgraph], home: str, other: str
) -> None:
    engine = homes[home]
    assert engine.ask("set the right bedside lamp to 80 percent", consent=True).status is Status.DONE
    assert engine.ask("set the left bedside lamp to 40 percent", consent=True).status is Status.DONE
    reply = engine.ask(f"which is brighter, the left bedside lamp or the {other}?").reply
    assert reply.lower().startswith("right bedside lamp")


@pytest.mark.parametrize(
    ("home", "text", "thing"),
    [
        ("flat", "dim the, um, what do you call it, the floor lamp to 20 percent", "floor-lamp"),
        ("house", "dim the what do you call it, the floor lamp to 20 percent", "floor-lamp"),
        ("mill", "set the, what do you call it, the writing lamp to 20 percent", "writing-lamp"),
        ("house", "set the bedroom air conditioner to heat", "bedroom-ac"),
        ("mill", "set the bedroom air conditioner to heat", "bedroom-ac"),
        ("flat", "set the aircon to dry", "aircon"),
    ],
)
def test_words_that_look_for_a_word_and_modes_are_no_questions(
    homes: dict[str, Hearthgraph], home: str, text: str, thing: str
) -> None:
    assert done(homes[home], text) == (Status.DONE, {thing})


@pytest.mark.parametrize("home", ["flat", "lab308"])
def test_a_question_is_not_answered_without_its_state(homes: dict[str, Hearthgraph], home: str) -> None:
    assert homes[home].ask("which rooms are occupied?").status is Status.REFUSED  # nothing here can tell that


@pytest.mark.parametrize("home", ["house", "mill"])
def test_where_something_tells_of_the_state_it_is_answered(homes: dict[str, Hearthgraph], home: str) -> None:
    assert homes[home].ask("which rooms are occupied?").status is Status.ANSWERED
