"""Which segments of a text are only told, and which may be left out. The homes are those of the dialogue's tests."""

from __future__ import annotations

import json

import pytest

from engine.dialogue.requests.request import Request
from engine.language.chart.around import is_so_in_parts
from engine.language.chart.judging.asides import likely, may_be_left, meant, segments
from engine.language.meanings.context import Context
from engine.language.meanings.readings import Alternatives
from engine.language.words.records import replace
from engine.model.intent import Intent
from engine.model.outcome import Status
from engine.resources import folder
from tests.dialogue.talks import BEGAN
from tests.dialogue.test_left_out_by_state import HOMES, Lamps
from tests.homes import a_home


def context(text: str, home: str) -> Context:
    """The context in which a text is read in a home."""
    with a_home(HOMES[home], now=BEGAN) as engine:
        return engine.assistant.hearing(Request(text, "urn:request"))


@pytest.mark.parametrize("home", sorted(HOMES))
def test_segments_are_the_text_in_order(home: str) -> None:
    text = "Oh well, I can't see a thing: all lights on, because I'm reading."
    found = segments(text, context(text, home))
    assert [one.text for one in found] == [
        "Oh well,", "I can't see a thing:", "all lights on,", "because I'm reading.",
    ]  # fmt: skip


def test_a_hyphen_parts_no_word() -> None:
    text = "It's mid-day, lights off"
    assert [one.text for one in segments(text, context(text, "house"))] == ["It's mid-day,", "lights off"]


@pytest.mark.parametrize("home", sorted(HOMES))
def test_an_order_is_less_likely_told_than_a_story(home: str) -> None:
    text = "My back is killing me today, so turn all the lights off."
    told, order = likely(segments(text, context(text, home)))
    assert told > order


@pytest.mark.parametrize(
    "bounding",
    [
        "If I am asleep,",
        "When it rains,",
        "In the sauna,",
        "Except the lamp,",
        "Only the lamp,",
        "And the lamp too,",
        "Kitchen,",
        "Among those that burn,",
    ],
)
def test_what_bounds_an_order_is_never_left_out(bounding: str) -> None:
    text = f"{bounding} all lights off."
    first, *_ = segments(text, context(text, "house"))
    assert not may_be_left(first)


def test_weights_are_of_measures_that_are_made() -> None:
    said = json.loads((folder("ontology") / "asides.json").read_text(encoding="utf-8"))
    assert 0 < meant({}) < 1
    kinds = {name.split(" ")[0] for name in said["segment"]["weights"]}
    assert kinds <= {"has", "first", "second", "says", "then", "ends", "after", "place", "length", "share", "several"}


@pytest.mark.parametrize("home", sorted(HOMES))
def test_a_list_behind_its_heading_is_done(home: str) -> None:
    with a_home(HOMES[home], now=BEGAN) as engine:
        lamps = Lamps(engine)
        lamps.begin()
        outcome = lamps.ask("Never mind my troubles, I have to tell you one thing: turn all the lights off.")
        assert outcome.status in (Status.DONE, Status.PROPOSED), outcome.reply
        assert lamps.on() in (set(), set(lamps.of))


@pytest.mark.parametrize(
    ("sure", "command", "so"), [(0.9, "urn:off", True), (0.4, "urn:off", False), (0.9, "urn:on", False)]
)
def test_a_text_is_so_in_parts_where_each_is_sure_and_comes_to_the_same(sure: float, command: str, so: bool) -> None:
    text = "turn the desk lamp off, lock the front door"
    own = context(text, "house")
    off, lock = Intent("urn:1", "", command="urn:off"), Intent("urn:2", "", command="urn:lock")
    alone = {"turn the desk lamp off": replace(off, command=command), "lock the front door": lock}

    def read(part: str, inner: Context) -> tuple[Alternatives, ...]:
        inner.hearing.sure = sure
        return (((alone[part],),),)

    assert is_so_in_parts(text, own, (((off,),), ((lock,),)), read) is so
