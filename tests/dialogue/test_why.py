"""The story of a request: from the words to the result, and why the others lost."""

from __future__ import annotations

from datetime import datetime

import pytest

from engine.dialogue.why import why
from engine.errors import InputError
from tests.dialogue.talks import Talk


def story(talk: Talk, node: str | None = None) -> str:
    return why(talk.engine.store, talk.engine.registry, node)


def test_it_tells_of_the_words_the_intent_the_candidates_the_path_and_the_result(new_house: Talk) -> None:
    outcome = new_house.ask("close the study blinds")
    told = story(new_house, outcome.request)
    for part in ("close the study blinds", "set close", "by template", "was done", "went from 60 to 0", "ended: done"):
        assert part in told


def test_the_last_request_is_told_of_where_none_is_named(new_house: Talk) -> None:
    new_house.ask("close the study blinds")
    new_house.ask("turn on the printer plug")
    assert "printer plug" in story(new_house).splitlines()[0]


def test_what_could_not_be_done_is_told_with_the_reason(new_house: Talk) -> None:
    new_house.ask("turn on the heater in the kitchen")
    told = story(new_house)
    assert "There is no such device there." in told
    assert "There was no plan." in told


def test_of_a_wish_it_tells_what_was_not_needed(new_house: Talk) -> None:
    new_house.engine.set_now(datetime.fromisoformat("2026-03-01T12:00:00+01:00"))
    new_house.ask("it's too dark in here", location="study")
    told = story(new_house)
    assert "a wish for more illuminance" in told
    assert "study blinds was not needed" in told
    assert "because it makes it brighter" in told


def test_experience_is_told_as_such(new_house: Talk) -> None:
    new_house.ask("turn on the desk lamp")
    new_house["desk-lamp#state"] = "off"
    new_house.ask("turn on the desk lamp")
    assert "from experience" in story(new_house)


def test_a_run_and_a_plan_lead_to_their_request(new_house: Talk) -> None:
    outcome = new_house.ask("close the study blinds")
    assert outcome.plan is not None
    assert story(new_house, outcome.plan.iri) == story(new_house, f"{outcome.request}/run") == story(new_house)


@pytest.mark.parametrize("node", ["urn:none", "no iri", "<x>"])
def test_what_is_not_in_the_journal_is_said_to_be_unknown(new_house: Talk, node: str) -> None:
    with pytest.raises(InputError):
        story(new_house, node)
