"""Rules of agents: listed, made after consent alone, within their rooms, and theirs to pause."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from server.agents import tools
from server.agents.callers import Caller, OutOfScope
from server.agents.house import House
from tests.homes import filled
from tests.server.serving import serving

LAB = "http://localhost:8080/workspaces/lab308"
RULE = "every day at 7 pm turn on the light"


@pytest.fixture
def house(tmp_path: Any) -> Iterator[House]:
    with serving(filled(tmp_path / "store", "lab308.ttl")) as served:
        yield House(served.service.home, served.service.talks, served.service.agents)


def agent(*rooms: str, scopes: tuple[str, ...] = ("read", "ask", "act"), name: str = "porter") -> Caller:
    return Caller(name, frozenset(scopes), frozenset(rooms) if rooms else None)


def used(house: House, caller: Caller, name: str, **given: Any) -> Any:
    return tools.use(house, caller, name, given)


def rules(house: House) -> list[Any]:
    return list(used(house, agent(), "rules")["rules"])


def made(house: House, caller: Caller, text: str = RULE) -> Any:
    proposed = used(house, caller, "ask", text=text)
    assert proposed["status"] == "proposed", proposed
    assert rules(house) == []
    return used(house, caller, "consent", plan_id=proposed["plan_id"])


def test_a_rule_is_made_after_consent_alone(house: House) -> None:
    assert made(house, agent())["status"] == "scheduled"
    [rule] = rules(house)
    assert (rule["text"], rule["owner"], rule["enabled"]) == (RULE, "porter", True)
    assert used(house, agent(), "rules")["policies"] == []


@pytest.mark.parametrize("text", [RULE, "turn on the light in 10 minutes", "turn on the light at 7 pm"])
def test_a_rule_does_not_reach_out_of_its_makers_rooms(house: House, text: str) -> None:
    with pytest.raises(OutOfScope):
        made(house, agent("urn:elsewhere"), text)
    assert rules(house) == []


def test_who_may_not_act_makes_none(house: House) -> None:
    used(house, agent(scopes=("read", "ask")), "ask", text=RULE)
    assert rules(house) == []


def test_ones_own_rules_are_paused_and_those_of_others_left(house: House) -> None:
    made(house, agent())
    [rule] = rules(house)
    with pytest.raises(OutOfScope):
        used(house, agent(name="thief"), "change_rule", rule=rule["id"], how="pause")
    used(house, agent(), "change_rule", rule=rule["id"], how="pause")
    assert [one["enabled"] for one in rules(house)] == [False]
    used(house, agent(), "change_rule", rule=rule["id"], how="resume")
    assert [one["enabled"] for one in rules(house)] == [True]
    used(house, agent(), "change_rule", rule=rule["id"], how="delete")
    assert rules(house) == []


def test_rules_of_the_house_are_not_deleted_by_words(house: House) -> None:
    house.home.ask(RULE, consent=True)
    asked = used(house, agent(), "ask", text="delete all rules")
    assert len(rules(house)) == 1
    if asked["status"] == "proposed":
        with pytest.raises(OutOfScope):
            used(house, agent(), "consent", plan_id=asked["plan_id"])
    assert len(rules(house)) == 1
