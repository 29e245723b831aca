"""The story of a request: from the words to the result, and why the others lost."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

import pytest

from engine.dialogue.explaining.why import why
from engine.dialogue.requests import journal
from engine.errors import InputError
from engine.graph.terms import REQUESTS
from engine.hearthgraph import Hearthgraph
from engine.planning.policies import store as policy_store
from engine.resources import folder
from tests.dialogue.talks import Talk
from tests.homes import a_home


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


NOON, NIGHT = "2026-03-01T12:00:00+01:00", "2026-03-01T23:00:00+01:00"
LAB = "http://localhost:8080/workspaces/lab308/artifacts/"
POLICY = """@prefix sh: <http://www.w3.org/ns/shacl#> . @prefix hg: <https://w3id.org/hearthgraph#> .
<urn:dim> a sh:NodeShape ; sh:targetClass hg:Light ; sh:message "No light while the beamer runs." ;
    sh:property [ sh:path hg:Brightness ; sh:maxInclusive 10 ] ."""


def test_of_a_wish_it_tells_what_was_not_needed(new_house: Talk) -> None:
    new_house.engine.set_now(datetime.fromisoformat(NOON))
    new_house.ask("it's too dark in here", location="study")
    told = story(new_house)
    assert "a wish for more illuminance" in told
    assert "because it makes it brighter" in told
    assert "study blinds was not needed after" in told
    assert "no signifier" in told


@contextmanager
def opened(data: str, at: str, **state: object) -> Iterator[Hearthgraph]:
    with a_home(folder("data") / data, now=at) as home:
        home.state.write({f"{LAB}{name.replace('__', '#properties/')}": value for name, value in state.items()})  # type: ignore[misc]
        yield home


def told(home: Hearthgraph, text: str, **more: object) -> str:
    outcome = home.ask(text, consent=True, **more)  # type: ignore[arg-type]
    return why(home.store, home.registry, outcome.request)


def test_a_condition_that_does_not_hold_is_said_in_words() -> None:
    with opened("lab308.ttl", NIGHT) as lab:
        assert "Blinds308 (Lab308) was not taken, because it is dark outside." in told(lab, "it's too dark in here")
    with opened("lab308.ttl", NOON) as lab:
        assert "dark outside" not in told(lab, "it's too dark in here")


def test_what_is_preferred_comes_first_and_the_story_says_so() -> None:
    with opened("lab308.ttl", NOON, lightSensor308__luminosity=200) as lab:
        lab.ask("I prefer natural light", user="Alex")
        story = told(lab, "it's too dark in here", user="Alex")
        assert "Light308 (Lab308) was not needed after Blinds308 (Lab308), which you prefer." in story
        assert "which you prefer" not in told(lab, "it's too dark in here", user="Kim")


def test_what_is_at_its_limit_and_what_does_the_opposite_are_told() -> None:
    with opened("lab308.ttl", NOON) as lab:
        told(lab, "it's too dark in here")
        story = told(lab, "it's too dark in here")
        assert "Blinds308 (Lab308) was not taken, for it goes no further that way: closedPercentage is 0." in story
        assert "“turn off” of Light308 (Lab308) was not taken, for it would do the opposite." in story
        assert "“toggle” of Light308 (Lab308) was not taken, for it only goes on to the next state" in story


def test_a_context_that_holds_no_more_is_told_by_what_differs() -> None:
    with opened("lab308.ttl", NOON) as lab:
        told(lab, "it's too dark in here")
        story = told(lab, "it's too dark in here")
        assert (
            "served before, and was not recalled for it, because the luminosity of LightSensor308 is not below" in story
        )


def test_what_a_policy_forbids_is_told_with_its_words(tmp_path: Path) -> None:
    (tmp_path / "policy.ttl").write_text(POLICY)
    with opened("lab308.ttl", NOON) as lab:
        policy_store.add(lab.registry, tmp_path / "policy.ttl")
        assert "“brightness” of Light308 (Lab308) could not be used: No light while the beamer runs." in told(
            lab, "it's too dark in here"
        )


def test_where_nothing_helps_it_is_told_why_what_is_there_does_not() -> None:
    with opened("lab308.ttl", NIGHT, light308__on_off="on", light308__brightness=100) as lab:
        story = told(lab, "it's too dark in here")
        assert "Blinds308 (Lab308) was not taken, because it is dark outside." in story
        assert "Light308 (Lab308) was not taken, for it goes no further that way: " in story
        assert "There was no plan." in story


def test_of_the_study_room_alone_it_tells_of_the_light_and_its_other_affordances() -> None:
    with opened("home17.ttl", NIGHT) as home:
        story = told(home, "it's too dark")
        assert "“set color” of study room light was not taken, for it would come to the same as “turn on”" in story
        assert "“turn off” of study room light was not taken, for it would not bring that about." in story
        assert "“turn on” of study room light was done." in story


def test_of_an_order_it_tells_why_another_affordance_was_not_taken(new_house: Talk) -> None:
    told = story(new_house, new_house.ask("close the study blinds").request)
    assert "was not needed." not in told
    assert "fits better" not in told


def test_where_it_was_asked_which_one_is_meant_that_is_why_nothing_was_used_yet(new_house: Talk) -> None:
    outcome = new_house.engine.ask("turn on the bedside lamp")
    told = story(new_house, outcome.request)
    assert outcome.reason == "ambiguous_device"
    assert "was not used yet, for it was asked which one is meant" in told


def test_a_plan_that_waits_tells_what_it_would_do_and_not_that_it_was_not_used() -> None:
    with opened("lab308.ttl", NOON) as lab:
        outcome = lab.ask("it's too dark in here")
        story = why(lab.store, lab.registry, outcome.request)
        assert "was not used" not in story
        assert "“set brightness” of Light308" not in story


def test_losses_are_forgotten_with_their_request_and_are_not_told_twice() -> None:
    with opened("lab308.ttl", NOON) as lab:
        outcome = lab.ask("it's too dark in here")
        assert outcome.plan is not None
        lab.assistant.consent(outcome.plan.iri)
        story = why(lab.store, lab.registry, outcome.request)
        assert story.count("no signifier") == 1
        journal.forget(lab.store, datetime.fromisoformat("2027-01-01T00:00:00+00:00"))
        assert not [quad for quad in lab.store.graph(REQUESTS) if "loss-" in str(quad.subject)]


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
