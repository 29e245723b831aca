"""Questions about what detectors notice, who is at home and what gauges tell, over a home that is full of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.hearthgraph import Hearthgraph
from engine.model.outcome import Outcome, Status
from tests.homes import a_home

HOME = Path(__file__).parents[1] / "acceptance" / "homes" / "harbour.ttl"


@pytest.fixture(scope="module")
def harbour() -> Hearthgraph:
    engine = a_home(HOME)
    return engine


def answered(text: str, engine: Hearthgraph) -> Outcome:
    before = dict(engine.state)
    outcome = engine.ask(text, consent=True)
    assert dict(engine.state) == before, "A question never acts."
    return outcome


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Is the tablet battery low?", False),
        ("is the tablet battery normal", True),
        ("Is the tablet battery charged?", True),
        ("are any carbon monoxide sensors on?", False),
        ("is there any gas in the galley?", True),
        ("Is the rack server hot?", True),
        ("is the bilge pipe cold", False),
        ("are all noise sensors triggered?", True),
        ("is the key tag gone?", True),
        ("Is anyone home?", True),
        ("is everyone at home", False),
        ("Is nobody at home?", False),
        ("is Piet away?", True),
        ("is anything vibrating?", True),
        ("are all switches on?", False),
        ("tell me if any switches are on in the workshop", True),
        ("is the harbour door currently locked?", True),
        ("tell me whether the harbour door is locked", True),
        ("are any blinds open in the workshop?", False),
    ],
)
def test_yes_or_no(harbour: Hearthgraph, text: str, value: bool) -> None:
    outcome = answered(text, harbour)
    assert outcome.answer is not None, outcome.reply
    assert outcome.answer.value is value


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("which batteries are charging?", ["tablet"]),
        ("which carbon monoxide sensors are on?", []),
        ("which things are hot?", ["rack server"]),
        ("which devices are running?", ["loom washer"]),
        ("who is home?", ["Ines"]),
        ("who's away?", ["Piet"]),
    ],
)
def test_which(harbour: Hearthgraph, text: str, names: list[str]) -> None:
    outcome = answered(text, harbour)
    assert outcome.answer is not None, outcome.reply
    assert outcome.answer.value == names


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("what is Boreas's speed?", 21),
        ("what is the rain barrel volume?", 180),
        ("what is the amount of current shown by the quay meter?", 7),
        ("when is the next regatta?", "2027-05-01"),
        ("when will the next regatta be?", "2027-05-01"),
        ("how many switches are off?", 1),
    ],
)
def test_what_is_told(harbour: Hearthgraph, text: str, value: object) -> None:
    outcome = answered(text, harbour)
    assert outcome.answer is not None, outcome.reply
    assert outcome.answer.value == value


def test_a_blind_says_in_words_what_it_says_in_numbers(harbour: Hearthgraph) -> None:
    outcome = answered("what is the state of the porthole blind?", harbour)
    assert outcome.answer is not None
    assert "40" in outcome.answer.text
    assert "open" in outcome.answer.text


@pytest.mark.parametrize("text", ["is everyone in bed", "does it feel stuffy in the galley?", "are we having guests"])
def test_a_question_that_nobody_understands_acts_no_more_than_others(harbour: Hearthgraph, text: str) -> None:
    assert answered(text, harbour).status in (Status.REFUSED, Status.ANSWERED)


@pytest.mark.parametrize(
    "text", ["party lights", "Party Lights on", "change to party lights", "transition to party lights"]
)
def test_a_scene_is_meant_by_its_name(harbour: Hearthgraph, text: str) -> None:
    outcome = harbour.ask(text, consent=True)
    assert outcome.status is Status.DONE
    assert [action.affordance.rpartition("/")[2] for action in outcome.actions] == ["activate"]


def test_a_scene_that_cannot_be_ended_is_not_begun_instead(harbour: Hearthgraph) -> None:
    outcome = harbour.ask("turn off party lights", consent=True)
    assert outcome.status is Status.REFUSED
    assert not outcome.actions
