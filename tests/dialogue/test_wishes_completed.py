"""Which room a wish is about is asked for; the reply names it, a device in it, or how much it shall be."""

from __future__ import annotations

import pytest

from engine.model.outcome import Status
from tests.dialogue.talks import Talk


@pytest.mark.parametrize(
    ("wish", "reply", "becomes"),
    [
        ("it's too dark", "the study", {"desk-lamp#state": "on"}),
        ("it's too dark for me", "the one in the study", {"desk-lamp#state": "on"}),
        ("it's too dark for me", "in the study, please", {"desk-lamp#state": "on"}),
        (
            "it's too dark",
            "the one in the study, bring it up to 40",
            {"desk-lamp#state": "on", "desk-lamp#brightness": 40},
        ),
        ("it's too dark", "in the study, to 45", {"desk-lamp#state": "on", "desk-lamp#brightness": 45}),
        (
            "it's too cold",
            "in the study, set it to 23",
            {"study-heater#state": "on", "study-heater#target_temperature": 23},
        ),
        ("it's too cold", "the study heater", {"study-heater#state": "on", "study-heater#target_temperature": 22}),
    ],
)
def test_the_reply_says_where_and_how_much(home: Talk, wish: str, reply: str, becomes: dict[str, object]) -> None:
    home["desk-lamp#state"], home["study-heater#state"] = "off", "off"
    asked = home.ask(wish, conversation=reply)
    assert (asked.status, asked.reason) == (Status.CLARIFY, "ambiguous_room")
    assert home.ask(reply, conversation=reply).status is Status.DONE
    assert {name: home[name] for name in becomes} == becomes


def test_what_names_no_room_is_a_request_of_its_own(home: Talk) -> None:
    home["desk-lamp#state"] = "off"
    home.ask("it's too dark", conversation="another talk")
    assert home.ask("turn off the kitchen light", conversation="another talk").status is Status.DONE
    assert home["desk-lamp#state"] == "off"


def test_a_level_that_nothing_there_has_is_not_set(home: Talk) -> None:
    home["desk-lamp#state"] = "off"
    home.ask("it's too dark", conversation="a third talk")
    home.ask("in the study, to 4000", conversation="a third talk")
    assert (home["desk-lamp#state"], home["desk-lamp#brightness"]) == ("off", 60)
