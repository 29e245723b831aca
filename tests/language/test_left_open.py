"""What a request leaves open stays open: another value than now, another time than now, and nobody said which."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.dialogue.requests.request import Request
from engine.hearthgraph import Hearthgraph
from engine.language.chart.judging.ranking import ranked
from engine.language.meanings.past import Past
from engine.model.intent import Intent

ROOT = Path(__file__).resolve().parents[2]


def meant(text: str, home: Hearthgraph) -> list[Intent]:
    """All that the chart makes of a text."""
    context = home.assistant._context(Request(text, "urn:x", None, None), Past())
    found = ranked(text, "urn:x", context).candidates
    return [i for c in found if c.account for i in c.intents]


@pytest.mark.parametrize(
    "text",
    [
        "could the lights have another brightness",
        "I would rather see a different brightness on the lights",
        "some other brightness for the lights, please",
    ],
)
def test_another_value_than_now_is_asked_for(home: Hearthgraph, text: str) -> None:
    assert "missing_value" in [i.fault for i in meant(text, home)]


def test_another_value_that_is_said_is_no_hole(home: Hearthgraph) -> None:
    found = meant("set the lights to a different brightness, 40 percent", home)
    assert any(i.amount is not None and i.amount.value == 40 for i in found)


@pytest.mark.parametrize(
    "text",
    ["turn on the lights at some point", "the lights should go on later tonight", "later on, switch the lights off"],
)
def test_nothing_for_another_time_is_done_now(home: Hearthgraph, text: str) -> None:
    assert "missing_time" in [i.fault for i in meant(text, home)]
    assert home.ask(text).actions == ()
