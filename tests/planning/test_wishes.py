"""Wishes that do not say by what: preferences, comfort, conditions, rooms, and what users add in Turtle alone."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pytest

from engine.errors import InputError
from engine.hearthgraph import Hearthgraph
from engine.model.outcome import Outcome, Status
from engine.planning.wishes import tastes
from tests.homes import a_home

HOUSE = "http://house.example/things/"
NOON, NIGHT = "2026-03-02T12:00:00+00:00", "2026-03-02T23:00:00+00:00"


@pytest.fixture
def house() -> Iterator[Hearthgraph]:
    with a_home(now=NOON) as home:
        home.state.write({f"{HOUSE}study-blinds#properties/position": 0})
        yield home


def touched(outcome: Outcome) -> set[str]:
    return {change.artifact.removeprefix(HOUSE) for change in outcome.changes}


def dark(home: Hearthgraph, user: str) -> set[str]:
    home.state.write({f"{HOUSE}desk-lamp#properties/state": "off", f"{HOUSE}study-blinds#properties/position": 0})
    return touched(home.ask("it's too dark in here", consent=True, location="study", user=user))


def test_what_is_preferred_is_used_at_once_and_for_that_person_alone(house: Hearthgraph) -> None:
    assert dark(house, "anna") == {"desk-lamp"}
    assert house.ask("I prefer natural light", consent=True, user="anna").status is Status.DONE
    assert dark(house, "anna") == {"study-blinds"}
    assert dark(house, "ben") == {"desk-lamp"}


def test_the_reason_tells_of_the_preference_and_of_what_holds_outside(house: Hearthgraph) -> None:
    house.ask("I prefer natural light", consent=True, user="anna")
    reply = house.ask("it's too dark in here", consent=True, location="study", user="anna").reply
    assert "it is bright outside" in reply
    assert "you prefer that" in reply


def test_blinds_are_of_no_use_at_night_whatever_is_preferred(house: Hearthgraph) -> None:
    house.ask("I prefer natural light", consent=True, user="anna")
    house.set_now(datetime.fromisoformat(NIGHT))
    assert dark(house, "anna") == {"desk-lamp"}


def test_what_is_said_later_goes_before_what_was_said_earlier(house: Hearthgraph) -> None:
    house.ask("I prefer natural light", consent=True, user="anna")
    house.set_now(datetime.fromisoformat("2026-03-02T12:30:00+00:00"))
    house.ask("I prefer lamps to blinds", consent=True, user="anna")
    assert dark(house, "anna") == {"desk-lamp"}


def test_sentences_that_are_known_beforehand_count_for_one_request(house: Hearthgraph) -> None:
    known = house.ask("it's too dark in here", consent=True, location="study", memory=["I prefer natural light."])
    assert touched(known) == {"study-blinds"}
    assert dark(house, "anna") == {"desk-lamp"}


def test_the_temperature_at_which_one_is_comfortable_is_aimed_at(house: Hearthgraph) -> None:
    house.ask("I'm comfortable at 25", consent=True, user="anna")
    house.state.write({f"{HOUSE}living-room-climate#properties/temperature": 28})
    outcome = house.ask("it's too hot in here", consent=True, location="living room", user="anna")
    assert house.state[f"{HOUSE}living-room-ac#properties/target_temperature"] == 25
    assert "comfortable at 25" in outcome.reply
    assert "went from 28" in outcome.reply


def test_what_was_stated_is_listed_and_what_is_forgotten_counts_no_more(house: Hearthgraph) -> None:
    house.ask("I prefer natural light", consent=True, user="anna")
    house.ask("I'm comfortable at 25", consent=True, user="ben")
    [own] = tastes.stated(house.store, "anna")
    assert own.text == "I prefer natural light"
    with pytest.raises(InputError):
        tastes.forget(house.store, [own.iri, "urn:x"])
    assert tastes.forget(house.store, [own.iri]) == 1
    assert [one.user for one in tastes.stated(house.store)] == ["ben"]
    assert dark(house, "anna") == {"desk-lamp"}


def test_who_likes_something_no_longer_says_so(house: Hearthgraph) -> None:
    house.ask("I prefer natural light", consent=True, user="anna")
    house.set_now(datetime.fromisoformat("2026-03-02T12:30:00+00:00"))
    outcome = house.ask("I don't like natural light any more", consent=True, user="anna")
    assert (outcome.status, outcome.changes) == (Status.DONE, ())
    assert dark(house, "anna") == {"desk-lamp"}


def test_how_much_is_never_guessed_to_be_a_mood(house: Hearthgraph) -> None:
    outcome = house.ask("I like it at 19 at night", consent=True, location="living room")
    assert outcome.changes == ()


def test_a_number_that_is_asked_for_is_no_preference(house: Hearthgraph) -> None:
    outcome = house.ask("I'd like the desk lamp at 40", consent=True)
    assert house.state[f"{HOUSE}desk-lamp#properties/brightness"] == 40
    assert outcome.changes


def test_where_several_rooms_could_be_meant_it_is_asked(house: Hearthgraph) -> None:
    outcome = house.ask("it's too cold", consent=True)
    assert (outcome.status, outcome.reason, outcome.changes) == (Status.CLARIFY, "ambiguous_room", ())


def test_a_wish_that_nothing_here_can_meet_is_refused(house: Hearthgraph) -> None:
    outcome = house.ask("it's too humid in here", consent=True, location="garage")
    assert (outcome.status, outcome.changes) == (Status.REFUSED, ())


def test_a_reason_beside_an_order_is_no_second_order(house: Hearthgraph) -> None:
    outcome = house.ask("it's dark, turn on the pantry light", consent=True, location="study")
    assert touched(outcome) == {"pantry-light"}


def test_a_situation_that_a_user_adds_in_turtle_is_met(house: Hearthgraph, tmp_path: Path) -> None:
    file = tmp_path / "siesta.ttl"
    file.write_text(
        """
        @prefix hg: <https://w3id.org/hearthgraph#> . @prefix skos: <http://www.w3.org/2004/02/skos/core#> .
        @prefix js: <https://www.w3.org/2019/wot/json-schema#> . @prefix : <http://house.example/terms#> .
        :Siesta a hg:Situation ; skos:prefLabel "siesta"@en ;
            hg:goal [ hg:of hg:Covering ; hg:kind hg:Position ; hg:toBound js:minimum ] .
        """
    )
    house.load([file])
    house.state.write({f"{HOUSE}study-blinds#properties/position": 60})
    assert touched(house.ask("siesta in the study", consent=True)) == {"study-blinds"}


def test_a_complaint_about_what_nobody_has_foreseen_is_met(repository: Path) -> None:
    with a_home(repository / "tests" / "acceptance" / "homes" / "orangery.ttl") as home:
        outcome = home.ask("it's too parched in here", consent=True)
    assert outcome.status is Status.DONE
    assert "dampness went from 30" in outcome.reply


def feels(home: Hearthgraph, text: str, degrees: float, room: str = "living room") -> tuple[float, float]:
    """What the air conditioning is set to, and what is measured, after a complaint at so many degrees."""
    climate = f"{HOUSE}living-room-climate#properties/temperature"
    own = {p.name: p.iri for p in home.registry.things[f"{HOUSE}living-room-ac"].properties}
    home.state.write({climate: degrees, own["target_temperature"]: 24, own["state"]: "off"})
    outcome = home.ask(text, consent=True, location=room)
    assert outcome.status is Status.DONE
    found = home.state[own["target_temperature"]], home.state[climate]
    assert all(isinstance(one, int | float) for one in found)
    return found  # type: ignore[return-value]


@pytest.mark.parametrize(("degrees", "most"), [(17, 24), (22, 24), (23.5, 24.5), (25, 26)])
def test_who_freezes_gets_it_warmer_whatever_is_measured_and_no_warmer_than_that(
    degrees: float, most: float, house: Hearthgraph
) -> None:
    target, measured = feels(house, "I'm freezing", degrees)
    assert degrees < measured <= target <= most


@pytest.mark.parametrize(("degrees", "least"), [(30, 20), (25, 20), (22, 20), (19, 18)])
def test_who_boils_gets_it_cooler_whatever_is_measured_and_no_cooler_than_that(
    degrees: float, least: float, house: Hearthgraph
) -> None:
    target, measured = feels(house, "I'm boiling", degrees)
    assert degrees > measured >= least
    assert target >= least


def test_what_served_before_is_not_done_again_where_it_would_not_help(house: Hearthgraph) -> None:
    feels(house, "I'm freezing", 25)
    target, measured = feels(house, "I'm freezing", 27)
    assert measured > 27
    assert target > 27


def test_what_is_in_the_very_room_goes_before_what_is_in_one_inside_it(house: Hearthgraph) -> None:
    assert touched(house.ask("I'm freezing", consent=True, location="master bedroom")) >= {"bedroom-ac"}


@pytest.mark.parametrize("text", ["I'm sweating like a pig", "I'm freezing like mad", "this place is a sauna"])
def test_a_likeness_is_no_wish_for_more_of_it(text: str, house: Hearthgraph) -> None:
    intent = house.ask(text, location="living room").intents[0].intent
    assert intent.variable is not None
    assert intent.direction == (1 if "freezing" in text else -1)
