"""Rules at a Home Assistant that really runs: on its events, over its restart and ours, and as its automations."""

from __future__ import annotations

import json
import statistics
import time
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from engine.hearthgraph import Hearthgraph
from engine.model.outcome import Status
from tests.integration.real_home_assistant import RealHomeAssistant, started
from tests.integration.test_home_assistant_live import settings, the_property
from tests.waiting import eventually

pytestmark = [pytest.mark.home_assistant, pytest.mark.slow]

LED, LEADS = "light.kitchen_lights", "light.bed_light"
RULE = "when the bed light is on, turn on the kitchen lights"
NOTIFY = "notify.persistent_notification"


@pytest.fixture(scope="module")
def real(shared: Path, repository: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RealHomeAssistant]:
    running = started(shared, repository, tmp_path_factory.mktemp("home-assistant"))
    yield running
    running.stop()


@pytest.fixture
def opened(real: RealHomeAssistant, tmp_path: Path) -> Iterator[Callable[[], Hearthgraph]]:
    """Opens the home that is kept in a folder, and watches it; what was opened before is closed first."""
    homes: list[Hearthgraph] = []

    def begin() -> Hearthgraph:
        for one in homes:
            one.close()
        homes[:] = [Hearthgraph.open(tmp_path / "store", settings=settings(real, home_assistant_notify=NOTIFY))]
        known = homes[0].home_assistant
        assert known is not None
        assert known.wait(30), known.trouble
        homes[0].watch()
        return homes[0]

    yield begin
    for one in homes:
        one.close()


def calm(real: RealHomeAssistant, home: Hearthgraph) -> None:
    """Both lights are off, and the home knows it."""
    for entity in (LED, LEADS):
        real.call("light.turn_off", entity)
        assert eventually(lambda e=entity: home.state.get(the_property(home, e)) is False)  # type: ignore[misc]


def fires(real: RealHomeAssistant, home: Hearthgraph) -> bool:
    """Whether the second light goes on when the first does, by one firing more."""
    calm(real, home)
    before = len(home.rules.book.firings)
    real.call("light.turn_on", LEADS)
    lit = eventually(lambda: real.state(LED)[0] == "on", pause=0.2)
    return lit and len(home.rules.book.firings) == before + 1


def changed(real: RealHomeAssistant, entity: str) -> float:
    """When a state there changed last, in seconds since 1970."""
    (states,) = real.told(("get_states", {}))
    return datetime.fromisoformat(next(s for s in states if s["entity_id"] == entity)["last_changed"]).timestamp()


def test_a_rule_fires_on_what_happens_there_also_after_a_restart_there_and_here(
    real: RealHomeAssistant, opened: Callable[[], Hearthgraph]
) -> None:
    home = opened()
    made = home.ask(RULE, consent=True)
    assert made.status is Status.SCHEDULED, made.reply
    assert fires(real, home)
    known = home.home_assistant
    assert known is not None
    real.stop()
    assert eventually(lambda: not known.online)
    real.start_again()
    assert eventually(lambda: known.online)
    assert fires(real, home)
    home = opened()
    assert len(home.rules.rules()) == 1
    assert fires(real, home)


def test_a_reminder_is_a_notification_there(real: RealHomeAssistant, opened: Callable[[], Hearthgraph]) -> None:
    opened().ask("remind me in one second to call mum", consent=True)

    def told() -> bool:
        (found,) = real.told(("persistent_notification/get", {}))
        return any("call mum" in str(one.get("message")) for one in found)

    assert eventually(told, pause=0.2)


def test_an_exported_automation_does_there_what_the_rule_does_here(
    real: RealHomeAssistant, opened: Callable[[], Hearthgraph]
) -> None:
    home = opened()
    home.ask(RULE, consent=True)
    (automation,), left = home.automations()
    assert not left
    home.rules.clear()
    calm(real, home)
    real.call("light.turn_on", LEADS)
    assert not eventually(lambda: real.state(LED)[0] == "on", 1)
    give(real, automation)
    calm(real, home)
    real.call("light.turn_on", LEADS)
    assert eventually(lambda: real.state(LED)[0] == "on", pause=0.2)
    calm(real, home)
    real.call("light.turn_off", LEADS)
    assert real.state(LED)[0] == "off"


def give(real: RealHomeAssistant, automation: dict[str, Any]) -> None:
    """Home Assistant takes an automation over from its file, as somebody's own configuration."""
    (real.config / "automations.yaml").write_text(json.dumps([automation]), encoding="utf-8")
    real.told(("call_service", {"domain": "automation", "service": "reload", "service_data": {}}))
    assert eventually(lambda: any(e.startswith("automation.") for e in entities(real)))


def entities(real: RealHomeAssistant) -> list[str]:
    (states,) = real.told(("get_states", {}))
    return [one["entity_id"] for one in states]


def test_it_is_told_how_long_a_rule_takes_from_an_event_there(
    real: RealHomeAssistant, opened: Callable[[], Hearthgraph], capsys: pytest.CaptureFixture[str]
) -> None:
    home = opened()
    (real.config / "automations.yaml").write_text("[]", encoding="utf-8")
    real.told(("call_service", {"domain": "automation", "service": "reload", "service_data": {}}))
    home.ask(RULE, consent=True)
    decided, seen = [], []
    for _ in range(12):
        assert fires(real, home)
        began = changed(real, LEADS)
        decided.append(1000 * (max(one.due.timestamp() for one in home.rules.book.firings.values()) - began))
        seen.append(1000 * (changed(real, LED) - began))
        time.sleep(0.05)
    with capsys.disabled():
        print(f"\nevent there to firing: median {statistics.median(decided):.0f} ms, worst {max(decided):.0f} ms")
        print(f"event there to the effect there: median {statistics.median(seen):.0f} ms, worst {max(seen):.0f} ms")
    assert all(one > 0 for one in seen)
