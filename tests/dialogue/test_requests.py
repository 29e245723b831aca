"""A request all the way: what was said, what was done, and how the home is afterwards."""

from __future__ import annotations

from typing import Any

import pytest

from engine.dialogue.assistant import Consent
from engine.errors import InputError
from engine.model.outcome import Status
from engine.resources import folder
from tests.dialogue.talks import Talk, nodes

ORDERS: list[tuple[str, dict[str, Any]]] = [
    ("turn on the pantry light", {"pantry-light#state": "on"}),
    ("please switch the laundry room light on", {"laundry-light#state": "on"}),
    ("set the floor lamp to 30 percent", {"floor-lamp#state": "on", "floor-lamp#brightness": 30}),
    ("turn the TV up by 10", {"television#volume": 35}),
    (
        "close the living room curtains and turn on the garage light",
        {"living-room-curtains#position": 0, "garage-light#state": "on"},
    ),
    (
        "turn on the pantry light, the garage light and the landing light",
        {"pantry-light#state": "on", "garage-light#state": "on", "landing-light#state": "on"},
    ),
    ("set the dining room blind to 30 percent open", {"dining-blind#closed_percentage": 70}),
    ("set the study heater to 21 degrees", {"study-heater#target_temperature": 21}),
]


@pytest.mark.parametrize(("text", "changes"), ORDERS, ids=[text for text, _ in ORDERS])
def test_what_is_ordered_is_done_and_nothing_else(house: Talk, text: str, changes: dict[str, Any]) -> None:
    outcome = house.ask(text)
    assert outcome.status is Status.DONE, outcome.reply
    assert house.changed() == changes
    assert {c.property: c.after for c in outcome.changes} == {
        house.prop(path): value for path, value in changes.items()
    }
    assert {outcome for _, outcome in house.did(outcome)} == {"done"}


def test_the_lab_of_the_paper_does_as_it_is_told(lab: Talk) -> None:
    outcome = lab.ask("turn on the light and set it to 60 percent")
    assert outcome.status is Status.DONE, outcome.reply
    assert (lab["light308#on_off"], lab["light308#brightness"]) == ("on", 60)
    outcome = lab.ask("raise the blinds")
    assert outcome.status is Status.DONE, outcome.reply
    (step,) = outcome.plan.steps if outcome.plan else ()
    assert step.target.startswith("http://localhost:8080/"), "the form's target is what is called"


def test_where_one_part_is_impossible_the_other_is_done(house: Talk) -> None:
    outcome = house.ask("turn on the pantry light and the pantry fan")
    assert (outcome.status, outcome.reason) == (Status.PARTIAL, "no_such_device")
    assert [i.status for i in outcome.intents] == [Status.DONE, Status.REFUSED]
    assert house.changed() == {"pantry-light#state": "on"}
    assert "no fan in the pantry" in outcome.reply


def test_where_something_has_to_be_asked_nothing_is_done_at_all(house: Talk) -> None:
    outcome = house.ask("turn on the bedside lamp and the pantry light")
    assert outcome.status is Status.CLARIFY
    assert outcome.question
    assert "left bedside lamp" in outcome.question
    assert house.changed() == {}
    assert ("pantry-light#turn_on", "skipped") in house.did(outcome)


def test_a_question_is_answered_and_changes_nothing(house: Talk) -> None:
    outcome = house.ask("what is the volume of the television?")
    assert outcome.status is Status.ANSWERED
    assert outcome.answer is not None
    assert (outcome.answer.value, outcome.plan) == (25, None)
    assert house.changed() == {}


def test_a_plan_without_consent_to_run_changes_nothing(house: Talk) -> None:
    outcome = house.ask("turn on the pantry light and close the living room curtains", consent=Consent.PLAN)
    assert outcome.status is Status.DONE, "done means planned"
    assert outcome.plan is not None
    assert {o for _, o in house.did(outcome)} == {"skipped"}
    assert house.changed() == {}
    assert outcome.changes == ()
    assert "pantry light" in outcome.reply


def test_what_is_so_already_is_not_sent_again(house: Talk) -> None:
    house.engine.faults[house.action("pantry-light#turn_off")] = "fail"
    outcome = house.ask("turn off the pantry light")
    assert outcome.status is Status.DONE
    assert house.did(outcome) == [("pantry-light#turn_off", "already")]
    assert outcome.reply == "It is so already."


def test_a_relative_change_at_the_end_of_its_range_is_not_sent(house: Talk) -> None:
    house["television#volume"] = 100
    house.engine.faults[house.action("television#set_volume")] = "fail"
    outcome = house.ask("turn the TV up by 10")
    assert (outcome.status, house.did(outcome)) == (Status.DONE, [("television#set_volume", "already")])


def test_the_second_of_two_relative_changes_starts_where_the_first_ends(house: Talk) -> None:
    outcome = house.ask("turn the TV up by 10 and then turn the TV up by 20")
    assert outcome.status is Status.DONE
    assert house["television#volume"] == 55
    assert len(outcome.actions) == 2


def test_a_modification_is_read_computed_and_set(house: Talk) -> None:
    outcome = house.ask("dim the floor lamp by 10", consent=Consent.PLAN)
    assert outcome.plan is not None
    tree = outcome.plan.tree
    assert [child["type"] for child in tree["children"]] == ["property", "compute", "selector"]
    (read,), (compute,), (act,) = (nodes(tree, kind) for kind in ("property", "compute", "action"))
    assert read["affordance"] == house.prop("floor-lamp#brightness")
    assert act["payload"] == {"brightness": {"$": compute["into"]}}
    assert {"$": compute["into"]} in [check["value"] for check in nodes(tree, "condition")]


def test_what_counts_for_a_modification_is_the_value_when_it_runs(house: Talk) -> None:
    outcome = house.ask("in five minutes dim the floor lamp by 10")
    assert outcome.status is Status.SCHEDULED
    house["floor-lamp#brightness"] = 80
    house.engine.pass_time(300)
    assert house["floor-lamp#brightness"] == 70


def test_what_was_impossible_is_possible_when_its_thing_has_been_loaded(new_house: Talk, tmp_path: Any) -> None:
    assert new_house.ask("turn on the pantry fan").reason == "no_such_device"
    assert new_house.ask("turn on the pantry fan").reason == "no_such_device"
    known = (folder("data") / "house.ttl").read_text(encoding="utf-8").splitlines()
    head = "\n".join(line for line in known if line.startswith("@"))
    (tmp_path / "fan.ttl").write_text(
        head
        + """
        <things/pantry-fan> a td:Thing, hg:Fan ; td:title "pantry fan"@en ; hmas:isContainedIn <pantry> ;
          td:definesSecurityScheme [ a <https://www.w3.org/2019/wot/security#NoSecurityScheme> ] ;
          td:hasSecurityConfiguration "nosec_sc" ;
          td:hasPropertyAffordance [ a hg:Power, js:BooleanSchema ; td:name "power" ; hg:value false ;
            td:hasForm [ <https://www.w3.org/2019/wot/hypermedia#hasTarget> "pantry-fan/power" ;
              <https://www.w3.org/2019/wot/hypermedia#hasOperationType> td:readProperty, td:writeProperty ] ] .
        """,
        encoding="utf-8",
    )
    new_house.engine.load([tmp_path / "fan.ttl"])
    outcome = new_house.ask("turn on the pantry fan")
    assert outcome.status is Status.DONE, outcome.reply
    assert new_house["pantry-fan#power"] is True


def test_a_location_decides_between_rooms_and_must_be_known(house: Talk) -> None:
    outcome = house.ask("turn on the light", location="pantry")
    assert (outcome.status, house.changed()) == (Status.DONE, {"pantry-light#state": "on"})
    with pytest.raises(InputError, match="no place cellar") as caught:
        house.ask("turn on the light", location="cellar")
    assert caught.value.reason == "no_such_room"


def test_bytes_that_are_no_text_are_refused(house: Talk) -> None:
    with pytest.raises(InputError, match="UTF-8"):
        house.ask("turn on the \udcff light")
