"""What usually comes next is offered with its numbers, done only when it is wanted, joined with a request where that is
asked for, and taught by what becomes of it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from engine.dialogue.requests.request import Consent
from engine.graph.terms import MEMORY
from engine.memory.kept import diary, digests
from engine.model.outcome import Status
from tests.memory.playing import Played, playing

DAYS = ("Mon", "Tue", "Wed")


@pytest.fixture(params=["farmhouse", "house", "mill"])
def played(request: pytest.FixtureRequest) -> Iterator[Played]:
    """A home in which on three days the light was followed by the lamp; on the fourth the light is on again."""
    with playing(request.param) as found:
        for day in DAYS:
            found.at(f"{day} 16:00")
            as_before(found)
            found.say("turn on the {light}")
            found.say("set the {lamp} to 30")
        found.at("Thu 16:00")
        as_before(found)
        yield found


def as_before(played: Played) -> None:
    """Others put things back, each in a talk of their own, so that nothing is offered to them."""
    for number, text in enumerate(("turn off the {light}", "set the {lamp} to 90")):
        played.say(text, f"Kim {number} {played.home.clock.now():%d}", conversation=None)


def test_it_is_offered_with_its_numbers_and_not_done(played: Played) -> None:
    offered = played.say("turn on the {light}")
    assert "done next (3 of 3 times). Shall I?" in offered.reply
    assert played.value("{lamp_key}", "Brightness") == 90
    assert "3 of 3 times" in played.say("why do you suggest that?").reply
    assert played.say("yes please").status is Status.DONE
    assert played.value("{lamp_key}", "Brightness") == 30
    assert [line.times for line in digests.of_all(played.home.store, "Robin") if "bright" in line.task] == [4]


def test_it_is_offered_to_whose_habit_it_is_alone_and_not_where_it_is_so_already(played: Played) -> None:
    assert "Shall I" not in played.say("turn on the {light}", "Ida").reply
    played.say("turn off the {light}", "Ida")
    played.say("set the {lamp} to 30", "Ida")
    assert "Shall I" not in played.say("turn on the {light}").reply


def test_declined_offers_teach(played: Played) -> None:
    refused = 0
    while "Shall I" in played.say("turn on the {light}").reply:
        assert played.say("no thanks").status is Status.REFUSED
        assert played.value("{lamp_key}", "Brightness") == 90
        refused += 1
        played.at("+1 16:00")
        as_before(played)
        assert refused < 6, "it goes on offering what nobody wants"
    assert refused >= 1
    diary.refresh(played.home.store)
    as_before(played)
    assert "Shall I" not in played.say("turn on the {light}").reply, "and that is kept"


def test_something_else_is_neither_yes_nor_no(played: Played) -> None:
    played.say("turn on the {light}")
    played.say("turn off the {light}")
    assert played.say("yes").status is not Status.DONE
    assert played.value("{lamp_key}", "Brightness") == 90


def test_it_is_done_with_a_request_that_wants_it_in_one_plan(played: Played) -> None:
    outcome = played.say("turn on the {light} and the usual")
    assert outcome.status is Status.DONE
    assert played.is_on("{light_key}")
    assert played.value("{lamp_key}", "Brightness") == 30
    assert outcome.plan is not None
    assert len({step.thing for step in outcome.plan.steps}) == 2
    assert "3 of 3 times" in outcome.reply, "and it says why"


def test_a_plan_that_waits_can_be_had_with_what_goes_with_it(played: Played) -> None:
    asked = played.say("turn on the {light}", consent=Consent.ASK)
    assert asked.status is Status.PROPOSED
    assert "say “both”" in asked.reply
    both = played.say("both please", consent=Consent.ASK)
    assert both.status is Status.PROPOSED
    assert not played.is_on("{light_key}")
    assert played.say("yes", consent=Consent.ASK).status is Status.DONE
    assert played.is_on("{light_key}")
    assert played.value("{lamp_key}", "Brightness") == 30


def test_what_is_forgotten_is_offered_no_more(played: Played) -> None:
    played.say("forget everything about me")
    assert "robin" not in "".join(str(quad) for quad in played.home.store.graph(MEMORY)).casefold()
    assert "Shall I" not in played.say("turn on the {light}").reply
