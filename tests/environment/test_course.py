"""A simulated day: what runs comes to its end, rooms follow the air outside and what heats them, and the sun moves."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from engine.hearthgraph import Hearthgraph
from tests.homes import a_home

HOUSE = "http://house.example/things/"
HOUR = 3600.0


@pytest.fixture
def home() -> Iterator[Hearthgraph]:
    with a_home("house.ttl", now="2026-03-01T06:00:00+01:00") as found:
        yield found


def prop(path: str) -> str:
    thing, _, name = path.partition("#")
    return f"{HOUSE}{thing}#properties/{name}"


def goes_on(home: Hearthgraph, hours: float) -> list[tuple[str, str]]:
    """Lets time pass with all that happens by itself; what ended, and at which minute."""
    return [
        (row["at"][11:16], f"{row['text']}: {row['status']}") for row in home.pass_time(hours * HOUR, by_itself=True)
    ]


def test_a_washing_machine_runs_out_and_a_rule_that_waits_for_it_fires(home: Hearthgraph) -> None:
    home.ask("when the washing machine is done, turn on the hallway light", consent=True)
    home.state.write({prop("washing-machine#work_state"): "washing", prop("hallway-light#state"): "off"})
    assert goes_on(home, 1) == []
    assert goes_on(home, 1) == [("07:30", "washing machine: finished")]
    assert home.state[prop("hallway-light#state")] == "on"


def test_an_oven_is_finished_when_its_own_time_is_over(home: Hearthgraph) -> None:
    home.state.write({prop("oven#cooking_time"): 1200, prop("oven#work_state"): "cooking"})
    assert goes_on(home, 1) == [("06:20", "oven: finished")]


def test_a_room_cools_down_towards_the_air_outside(home: Hearthgraph) -> None:
    thermometer = prop("living-room-climate#temperature")
    home.state.write({thermometer: 22.5, prop("living-room-ac#state"): "off"})
    goes_on(home, 3)
    first = home.state[thermometer]
    goes_on(home, 3)
    second = home.state[thermometer]
    assert isinstance(first, float)
    assert isinstance(second, float)
    assert 5 < second < first < 22.5


def test_nothing_goes_by_itself_where_nobody_asks_for_it(home: Hearthgraph) -> None:
    before = home.state.snapshot()
    home.pass_time(6 * HOUR)
    assert home.state.snapshot() == before


def test_a_day_ahead_has_what_would_end_and_leaves_the_home_as_it_is(home: Hearthgraph) -> None:
    home.state.write({prop("dishwasher#work_state"): "running"})
    before = home.state.snapshot()
    rows = home.foresee(24 * HOUR)
    assert [(row["at"][11:16], row["text"], row["status"]) for row in rows] == [("08:00", "dishwasher", "finished")]
    assert home.state.snapshot() == before
