"""What must not happen does not happen, whoever asks; what nobody can check is refused by name."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pytest

from engine.errors import InputError, UnsupportedShape
from engine.graph.terms import POLICIES
from engine.hearthgraph import Hearthgraph
from engine.model.outcome import Status
from engine.planning.policies import enforcement as policies
from engine.planning.policies import store as policy_store
from tests.homes import a_home

HOUSE = "http://house.example/things/"
PREFIXES = """
@prefix hg: <https://w3id.org/hearthgraph#> .
@prefix sh: <http://www.w3.org/ns/shacl#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
@prefix : <http://house.example/policies#> .
"""
OVEN = """
:oven a sh:NodeShape ; sh:targetClass hg:Oven ; sh:message "The oven stays off while nobody is home." ;
    sh:or ( [ sh:property [ sh:path hg:Power ; sh:hasValue false ] ]
            [ sh:property [ sh:path hg:occupied ; sh:hasValue true ] ] ) .
"""
QUIET = """
:quiet a sh:NodeShape ; sh:targetClass hg:MediaPlayer ; sh:message "After ten it is 20 at most." ;
    sh:or ( [ sh:property [ sh:path hg:Volume ; sh:maxInclusive 20 ] ]
            [ sh:property [ sh:path hg:timeOfDay ; sh:minInclusive "06:00:00"^^xsd:time ;
                sh:maxExclusive "22:00:00"^^xsd:time ] ] ) .
"""


@pytest.fixture
def house() -> Iterator[Hearthgraph]:
    with a_home(now="2026-03-02T12:00:00+00:00") as home:
        yield home


def forbid(home: Hearthgraph, where: Path, text: str) -> None:
    file = where / "policies.ttl"
    file.write_text(PREFIXES + text)
    assert len(policy_store.add(home.registry, file)) == 1


def statements(home: Hearthgraph) -> list[tuple[str, str]]:
    """What is said in the policies, whatever blank nodes are called."""
    return sorted((str(q.predicate), re.sub(r"^_:.*", "_", str(q.object))) for q in home.store.graph(POLICIES))


def away(home: Hearthgraph) -> None:
    home.state.write({f"{HOUSE}study-presence#properties/occupancy": False})


def test_the_oven_stays_off_while_nobody_is_home(house: Hearthgraph, tmp_path: Path) -> None:
    forbid(house, tmp_path, OVEN)
    away(house)
    outcome = house.ask("turn on the oven", consent=True)
    assert (outcome.status, outcome.reason) == (Status.REFUSED, "policy_violation")
    assert "while nobody is home" in outcome.reply
    assert house.state[f"{HOUSE}oven#properties/state"] == "off"
    house.state.write({f"{HOUSE}study-presence#properties/occupancy": True})
    assert house.ask("turn on the oven", consent=True).status is Status.DONE


def test_what_a_policy_forbids_is_stopped_and_the_rest_is_done(house: Hearthgraph, tmp_path: Path) -> None:
    forbid(house, tmp_path, OVEN)
    away(house)
    outcome = house.ask("turn on the oven and turn off the kitchen light", consent=True)
    assert outcome.status is Status.PARTIAL
    assert house.state[f"{HOUSE}kitchen-light#properties/state"] == "off"
    assert house.state[f"{HOUSE}oven#properties/state"] == "off"


def test_turning_off_is_never_forbidden_by_it(house: Hearthgraph, tmp_path: Path) -> None:
    house.state.write({f"{HOUSE}oven#properties/state": "on"})
    forbid(house, tmp_path, OVEN)
    away(house)
    assert house.ask("turn off the oven", consent=True).status is Status.DONE


@pytest.mark.parametrize(
    ("at", "volume", "status"),
    [
        ("21:59", 60, Status.DONE),
        ("22:01", 60, Status.REFUSED),
        ("22:01", 20, Status.DONE),
        ("05:59", 21, Status.REFUSED),
    ],
)
def test_the_time_of_day_counts(house: Hearthgraph, tmp_path: Path, at: str, volume: int, status: Status) -> None:
    forbid(house, tmp_path, QUIET)
    house.set_now(datetime.fromisoformat(f"2026-03-02T{at}:00+00:00"))
    assert house.ask(f"set the television volume to {volume}", consent=True).status is status


def test_what_the_policy_is_not_about_goes_on(house: Hearthgraph, tmp_path: Path) -> None:
    """The volume is 25 at night; that it broke the policy before does not forbid muting."""
    forbid(house, tmp_path, QUIET)
    house.set_now(datetime.fromisoformat("2026-03-02T23:00:00+00:00"))
    assert house.ask("mute the television", consent=True).status is Status.DONE


def test_wishes_and_experience_are_bound_by_policies_too(house: Hearthgraph, tmp_path: Path) -> None:
    dark = {f"{HOUSE}living-room-light#properties/state": "off", f"{HOUSE}floor-lamp#properties/state": "off"}
    house.state.write(dark)
    first = house.ask("it's dark in here", consent=True, location="living room")
    assert first.changes
    text = ':dark a sh:NodeShape ; sh:targetClass hg:Light ; sh:message "No lights today." ; '
    forbid(house, tmp_path, text + "sh:property [ sh:path hg:Power ; sh:hasValue false ] .")
    house.state.write(dark)
    second = house.ask("it's dark in here", consent=True, location="living room")
    assert not any("light#" in c.property or "lamp#" in c.property for c in second.changes)


@pytest.mark.parametrize(
    ("text", "named"),
    [
        (':p a sh:NodeShape ; sh:targetClass hg:Oven ; sh:sparql [ sh:select "SELECT 1" ] .', "sparql"),
        (":p a sh:NodeShape ; sh:targetClass hg:Oven ; sh:qualifiedMinCount 1 .", "qualified"),
        (":p a sh:NodeShape ; sh:targetClass hg:Oven ; sh:closed true .", "sh:closed"),
        (
            ":p sh:targetClass hg:Oven ; sh:property [ sh:path [ sh:inversePath hg:Power ] ; sh:minCount 1 ] .",
            "inverse",
        ),
    ],
)
def test_what_cannot_be_checked_is_refused_by_name(house: Hearthgraph, tmp_path: Path, text: str, named: str) -> None:
    file = tmp_path / "policies.ttl"
    file.write_text(PREFIXES + text)
    with pytest.raises(UnsupportedShape) as refusal:
        policy_store.add(house.registry, file)
    assert named in str(refusal.value)
    assert policies.of(house.store, house.registry.vocabulary) == ()


@pytest.mark.parametrize(
    "text",
    [
        ":p a hg:Oven .",
        "[] sh:targetClass hg:Oven ; sh:property [ sh:path hg:Power ; sh:hasValue false ] .",
        ":p sh:targetClass hg:Ovne ; sh:property [ sh:path hg:Power ; sh:hasValue false ] .",
        ":p sh:targetClass hg:Oven ; sh:property [ sh:path hg:Pwoer ; sh:hasValue false ] .",
        ":p sh:targetClass hg:Oven ; sh:property [",
    ],
)
def test_what_would_hold_nobody_back_is_refused(house: Hearthgraph, tmp_path: Path, text: str) -> None:
    file = tmp_path / "policies.ttl"
    file.write_text(PREFIXES + text)
    with pytest.raises(InputError):
        policy_store.add(house.registry, file)


@pytest.mark.parametrize(
    ("at", "text", "status"),
    [
        ("21:55", "in ten minutes set the television volume to 60", Status.REFUSED),
        ("22:05", "in eight hours set the television volume to 60", Status.SCHEDULED),
    ],
)
def test_what_waits_is_checked_against_the_time_at_which_it_will_be(
    house: Hearthgraph, tmp_path: Path, at: str, text: str, status: Status
) -> None:
    forbid(house, tmp_path, QUIET)
    house.set_now(datetime.fromisoformat(f"2026-03-02T{at}:00+00:00"))
    assert house.ask(text, consent=True).status is status


def fired(home: Hearthgraph) -> list[tuple[str, str | None]]:
    """What became of what was to be done later, ten minutes from now."""
    home.pass_time(600)
    return [(one.status.value, one.reason) for one in home.rules.book.firings.values()]


def test_what_has_changed_meanwhile_counts(house: Hearthgraph, tmp_path: Path) -> None:
    """Somebody is at home when it is planned, and nobody when it is due: the oven stays off, the rest is done."""
    forbid(house, tmp_path, OVEN)
    house.state.write({f"{HOUSE}study-presence#properties/occupancy": True})
    outcome = house.ask("turn on the oven in ten minutes and turn off the kitchen light", consent=True)
    assert outcome.status in (Status.DONE, Status.SCHEDULED)
    away(house)
    assert fired(house)[0] == ("failed", "policy_violation")
    assert house.state[f"{HOUSE}oven#properties/state"] == "off"
    assert house.state[f"{HOUSE}kitchen-light#properties/state"] == "off"


def test_a_policy_that_was_added_meanwhile_counts(house: Hearthgraph, tmp_path: Path) -> None:
    away(house)
    assert house.ask("turn on the oven in ten minutes", consent=True).status is Status.SCHEDULED
    forbid(house, tmp_path, OVEN)
    assert fired(house) == [("failed", "policy_violation")]
    assert house.state[f"{HOUSE}oven#properties/state"] == "off"


def test_what_is_computed_when_it_runs_is_checked_then(house: Hearthgraph, tmp_path: Path) -> None:
    """By 10 louder than 5 is 15; somebody turns it up to 15 meanwhile, and 25 is too much."""
    forbid(house, tmp_path, QUIET)
    house.set_now(datetime.fromisoformat("2026-03-02T23:00:00+00:00"))
    volume = f"{HOUSE}television#properties/volume"
    house.state.write({volume: 5})
    assert house.ask("increase the television volume by 10 in ten minutes", consent=True).status is Status.SCHEDULED
    house.state.write({volume: 15})
    assert fired(house) == [("failed", "policy_violation")]
    assert house.state[volume] == 15


@pytest.mark.parametrize("inner", ["[ sh:path hg:Volume ; sh:maxInclusive 20 ]", ":loud"])
def test_what_it_says_is_said_whichever_of_its_shapes_is_broken(house: Hearthgraph, tmp_path: Path, inner: str) -> None:
    text = f':p a sh:NodeShape ; sh:targetClass hg:MediaPlayer ; sh:message "Not so loud." ; sh:property {inner} . '
    forbid(house, tmp_path, text + (":loud sh:path hg:Volume ; sh:maxInclusive 20 ." if inner == ":loud" else ""))
    outcome = house.ask("set the television volume to 60", consent=True)
    assert (outcome.status, outcome.reason) == (Status.REFUSED, "policy_violation")
    assert "Not so loud." in outcome.reply


def test_a_policy_that_comes_again_takes_the_place_of_what_it_was(house: Hearthgraph, tmp_path: Path) -> None:
    forbid(house, tmp_path, QUIET)
    forbid(house, tmp_path, QUIET.replace("sh:maxInclusive 20", "sh:maxInclusive 40"))
    house.set_now(datetime.fromisoformat("2026-03-02T23:00:00+00:00"))
    assert house.ask("set the television volume to 35", consent=True).status is Status.DONE


def test_one_policy_goes_whole_and_the_others_stay(house: Hearthgraph, tmp_path: Path) -> None:
    forbid(house, tmp_path, QUIET)
    alone = statements(house)
    forbid(house, tmp_path, OVEN)
    assert [one.message for one in policy_store.listed(house.store)] == [
        "The oven stays off while nobody is home.",
        "After ten it is 20 at most.",
    ]
    with pytest.raises(InputError):
        policy_store.remove(house.store, ["http://house.example/policies#oven", "http://house.example/policies#no"])
    assert policy_store.remove(house.store, ["http://house.example/policies#oven"]) == 1
    assert statements(house) == alone
    assert policy_store.remove(house.store) == 1
    assert house.store.graph(POLICIES) == []


def test_what_two_policies_share_stays_while_one_of_them_does(house: Hearthgraph, tmp_path: Path) -> None:
    file = tmp_path / "policies.ttl"
    both = ":a sh:targetClass hg:Oven ; sh:property :off . :b sh:targetClass hg:Light ; sh:property :off . "
    file.write_text(PREFIXES + both + ":off sh:path hg:Power ; sh:hasValue false .")
    policy_store.add(house.registry, file)
    policy_store.remove(house.store, ["http://house.example/policies#a"])
    assert house.ask("turn on the pantry light", consent=True).reason == "policy_violation"
    assert house.ask("turn on the oven", consent=True).status is Status.DONE
