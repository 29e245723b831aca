"""What was found in a text of late is used again: by the words of now, and in the home as it is now."""

from __future__ import annotations

import pytest

from engine.dialogue.requests.request import Consent
from engine.hearthgraph import Hearthgraph
from engine.language.chart.judging import reader
from engine.model.outcome import Outcome
from tests.homes import a_home


def planned(home: Hearthgraph, text: str) -> list[str]:
    """What a request would change, and where; nothing is carried out."""
    outcome: Outcome = home.ask(text, consent=Consent.PLAN)
    return sorted(action.affordance for action in outcome.actions)


def test_a_text_is_searched_once_and_comes_to_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    searched: list[object] = []
    search = reader.readings
    monkeypatch.setattr(reader, "readings", lambda *given: (searched.append(given), search(*given))[1])
    with a_home() as home:
        first = planned(home, "turn on the pantry light")
        assert first
        once = len(searched)
        assert once > 0
        assert planned(home, "turn on the pantry light") == first
        assert len(searched) == once


def test_a_text_that_was_read_is_read_by_a_new_name() -> None:
    with a_home() as home:
        assert planned(home, "turn on the glimmerstone") == []
        home.ask("call the pantry light glimmerstone", consent=True)
        assert any("pantry-light" in one for one in planned(home, "turn on the glimmerstone"))


def test_a_text_that_was_read_means_the_devices_that_are_so_now() -> None:
    with a_home() as home:
        state = next(iri for iri in home.state if "pantry-light#properties/state" in iri)
        home.state.write({iri: "off" for iri in home.state if iri.endswith("light#properties/state")})
        home.state.write({state: "on"})
        assert any("pantry-light" in one for one in planned(home, "turn off the lights that are on"))
        home.state.write({state: "off"})
        assert not any("pantry-light" in one for one in planned(home, "turn off the lights that are on"))
