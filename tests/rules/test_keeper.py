"""Rules fire when they are to, once each, whatever happens in between; and what is not to be is not done."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from pathlib import Path

import pytest

from engine import settings
from engine.dialogue.requests.request import Consent, Request
from engine.environment.clock import SimulatedClock
from engine.graph.embedded import EmbeddedStore
from engine.graph.shacl.door import Door
from engine.graph.store import GraphStore
from engine.graph.terms import RULES, NamedNode, expand, node
from engine.hearthgraph import Hearthgraph
from engine.model.intent import Category, Intent, Operation
from engine.model.outcome import Status
from engine.model.rule import (
    After,
    At,
    Becomes,
    CatchUp,
    Change,
    Changes,
    Cron,
    Day,
    Daytime,
    Fact,
    Holds,
    Managing,
    Match,
    Next,
    Recurrence,
    Rule,
    Trigger,
    Which,
    Window,
)
from engine.model.selection import Quantity, Rooms, Select
from engine.resources import folder
from engine.rules.book import State
from tests.rules.homes import (
    BEGAN,
    PLACES,
    THINGS,
    above,
    firings,
    house,
    is_on,
    make,
    put,
    truth,
    turn,
    value,
    when,
)

DAILY = Recurrence((Daytime(7),))


def dues(engine: Hearthgraph) -> list[str]:
    return [f"{one.due:%a %H:%M}" for one in firings(engine)]


def test_a_repetition_fires_at_each_of_its_times() -> None:
    engine = house()
    make(engine, Recurrence((Daytime(7), Daytime(19, 30)), weekdays=(0, 2)))
    engine.pass_time(7 * 86400)
    assert dues(engine) == ["Mon 07:00", "Mon 19:30", "Wed 07:00", "Wed 19:30"]


def test_what_fires_once_is_gone_and_what_it_did_stays_on_record() -> None:
    engine = house()
    make(engine, After(1200))
    engine.pass_time(3600)
    assert value(engine, "desk-lamp#state") == "on"
    assert engine.rules.rules() == ()
    (firing,) = firings(engine)
    assert (firing.due, firing.status) == (BEGAN + timedelta(minutes=20), State.DONE)
    story = engine.store.select("dialogue/why_request", request=NamedNode(firing.request))
    assert story, "the journal has a request for it"


def test_an_event_fires_when_it_turns_true_and_not_while_it_stays_so() -> None:
    engine = house()
    put(engine, "study-heater#state", "on")
    make(engine, when(is_on("study-heater")))
    engine.pass_time(60)
    assert firings(engine) == [], "it was so when the rule was made"
    put(engine, "study-heater#state", "off")
    put(engine, "study-heater#state", "on")
    put(engine, "pantry-light#state", "on")
    assert len(firings(engine)) == 1


def test_a_state_has_to_last_on_end() -> None:
    engine = house()
    make(engine, when(is_on("study-heater", 600)), turn("study-heater", False))
    put(engine, "study-heater#state", "on")
    engine.pass_time(400)
    put(engine, "study-heater#state", "off")
    put(engine, "study-heater#state", "on")
    engine.pass_time(599)
    assert firings(engine) == []
    engine.pass_time(1)
    assert value(engine, "study-heater#state") == "off"


def test_nobody_being_there_is_about_a_room_whatever_sensor_it_has() -> None:
    engine = house()
    gone = Fact(Select(places=(f"{PLACES}study",)), (truth("hg:Occupancy"),), Holds.NONE, 300)
    outcome = make(engine, when(gone), turn("study-heater", False))
    assert outcome.status is Status.SCHEDULED, outcome.reply
    put(engine, "study-heater#state", "on")
    put(engine, "study-presence#occupancy", False)
    engine.pass_time(299)
    assert firings(engine) == []
    engine.pass_time(1)
    assert value(engine, "study-heater#state") == "off"


def test_conditions_are_asked_when_it_fires() -> None:
    engine = house()
    make(engine, DAILY, conditions=(is_on("study-heater"),))
    engine.pass_time(86400)
    assert firings(engine) == []
    put(engine, "study-heater#state", "on")
    engine.pass_time(86400)
    assert dues(engine) == ["Tue 07:00"]


def test_any_of_several_conditions_is_enough_where_that_is_said() -> None:
    engine = house()
    two = (is_on("study-heater"), is_on("pantry-light"))
    make(engine, Becomes(two, Match.ANY))
    put(engine, "pantry-light#state", "on")
    assert len(firings(engine)) == 1


def test_a_window_over_midnight_opens_and_closes() -> None:
    engine = house(now=BEGAN.replace(hour=20))
    make(engine, when(is_on("study-heater")), windows=(Window(Daytime(22), Daytime(6)),))
    put(engine, "study-heater#state", "on")
    engine.pass_time(3600)
    assert firings(engine) == [], "it is nine"
    engine.pass_time(3600)
    assert dues(engine) == ["Mon 22:00"], "it is so when the window opens"
    put(engine, "study-heater#state", "off")
    engine.pass_time(3 * 3600)
    put(engine, "study-heater#state", "on")
    assert len(firings(engine)) == 2
    put(engine, "study-heater#state", "off")
    engine.pass_time(6 * 3600)
    put(engine, "study-heater#state", "on")
    assert len(firings(engine)) == 2, "it is seven in the morning"


def test_any_change_fires_where_any_change_is_meant() -> None:
    engine = house()
    make(engine, Changes(Select(things=(f"{THINGS}television",)), expand("hg:Channel")))
    put(engine, "television#channel", 7)
    put(engine, "television#channel", 8)
    assert len(firings(engine)) == 2


def test_rooms_where_nobody_is_are_looked_up_each_time() -> None:
    engine = house()
    lit = Fact(
        Select(
            classes=(expand("hg:Light"),),
            quantity=Quantity.ANY,
            rooms=(Rooms(Select(tests=(truth("hg:Occupancy"),)), negated=True),),
        ),
        (truth("hg:Power"),),
    )
    outcome = make(engine, when(lit), turn("guest-lamp", False))
    assert outcome.status is Status.SCHEDULED, outcome.reply
    put(engine, "guest-lamp#state", "on")
    assert len(firings(engine)) == 0, "no room tells that nobody is in it but the study"


def test_an_exception_a_pause_and_an_end_are_kept_to() -> None:
    engine = house()
    make(engine, DAILY, exceptions=(date(2026, 3, 3),), valid_until=BEGAN + timedelta(days=4))
    engine.pass_time(7 * 86400)
    assert dues(engine) == ["Mon 07:00", "Wed 07:00", "Thu 07:00"]


def test_a_rule_that_sets_itself_off_is_switched_off_and_told() -> None:
    engine = house()
    lamp = Select(things=(f"{THINGS}desk-lamp",))
    make(engine, when(Fact(lamp, (truth("hg:Power"),))), turn("desk-lamp", False))
    make(engine, when(Fact(lamp, (truth("hg:Power"),), Holds.NONE)), turn("desk-lamp"))
    put(engine, "desk-lamp#state", "on")
    ended = [one for one in firings(engine) if one.reason == "endless"]
    assert ended
    assert not all(entry.rule.enabled for entry in engine.rules.rules())


def test_a_reminder_is_told_and_nothing_is_done() -> None:
    engine = house()
    with engine.rules.notices.subscribe() as told:
        rule = Rule("remind me of the fridge", (when(is_on("study-heater", 120)),), notice="the heater is still on")
        intent = Intent("urn:n/intent-1", rule.text, Category.RULE, Operation.MAKE, rule=rule)
        assert engine.assistant.intend(Request(rule.text, "urn:n", user="Ada"), [intent]).status is Status.SCHEDULED
        put(engine, "study-heater#state", "on")
        engine.pass_time(120)
        notice = told.take(0)
    assert notice is not None
    assert (notice.text, notice.owner) == ("the heater is still on", "Ada")


# What cannot be


@pytest.mark.parametrize(
    ("trigger", "status", "reason"),
    [
        (Cron("61 * * * *"), Status.REFUSED, "invalid_value"),
        (Cron("nonsense"), Status.REFUSED, "invalid_value"),
        (Recurrence(()), Status.CLARIFY, "missing_time"),
        (Next(Daytime(5), Day(ahead=0)), Status.REFUSED, "past_time"),
        (Next(Daytime(7), Day(day=30, month=2)), Status.REFUSED, "past_time"),
        (Recurrence(period=0.0), Status.REFUSED, "invalid_value"),
        (After(1e12), Status.REFUSED, "invalid_value"),
        (At(BEGAN - timedelta(days=1)), Status.REFUSED, "past_time"),
        (when(Fact(Select(places=(f"{PLACES}pantry",)), (truth("hg:Occupancy"),))), Status.REFUSED, "no_such_event"),
        (when(Fact(Select(), (above("hg:NoSuchKind", 1),))), Status.REFUSED, "no_such_event"),
    ],
)
def test_what_cannot_be_is_refused_or_asked_about(trigger: Trigger, status: Status, reason: str) -> None:
    engine = house()
    outcome = make(engine, trigger)
    assert (outcome.status, outcome.intents[0].reason) == (status, reason)
    assert engine.rules.rules() == ()


def test_what_is_not_here_is_refused_when_the_rule_is_made() -> None:
    engine = house()
    pool = Intent("urn:x", "pump on", selection=Select((expand("hg:Sprinkler"),)), command=expand("hg:TurnOn"))
    outcome = make(engine, DAILY, pool)
    assert outcome.status is Status.REFUSED
    assert engine.rules.rules() == ()


def test_a_rule_whose_device_is_gone_is_kept_told_and_silent() -> None:
    engine = house()
    make(engine, DAILY)
    engine.registry.remove(f"{THINGS}desk-lamp")
    engine.pass_time(2 * 86400)
    assert {one.status for one in firings(engine)} == {State.FAILED}
    assert len(engine.rules.rules()) == 1


def test_a_plan_that_is_only_looked_at_makes_no_rule() -> None:
    engine = house()
    rule = Rule("x", (DAILY,), (turn("desk-lamp"),))
    intent = Intent("urn:p/intent-1", "x", Category.RULE, Operation.MAKE, rule=rule)
    outcome = engine.assistant.intend(Request("x", "urn:p"), [intent], Consent.PLAN)
    assert outcome.status is Status.SCHEDULED
    assert engine.rules.rules() == ()


# Restarts


def again(store: GraphStore, now: datetime) -> Hearthgraph:
    """The engine, started anew on what is in the store."""
    engine = Hearthgraph(store, SimulatedClock(now), settings.load())
    engine.rules.attend()
    return engine


@pytest.mark.parametrize(
    ("policy", "status", "lit"),
    [(CatchUp.ONCE, State.DONE, "on"), (CatchUp.SKIP, State.MISSED, "off"), (CatchUp.ASK, State.ASKED, "off")],
)
def test_what_was_missed_is_made_up_for_told_or_asked_about(policy: CatchUp, status: State, lit: str) -> None:
    first = house()
    make(first, DAILY, catch_up=policy)
    then = again(first.store, BEGAN + timedelta(days=3))
    assert [one.status for one in firings(then)] == [status], "once, however many were missed"
    assert value(then, "desk-lamp#state") == lit
    (entry,) = then.rules.rules()
    assert entry.next == datetime.fromisoformat("2026-03-05T07:00:00+01:00")


def test_what_is_asked_about_is_done_on_consent() -> None:
    first = house()
    make(first, DAILY, catch_up=CatchUp.ASK)
    then = again(first.store, BEGAN + timedelta(days=1, hours=12))
    (asked,) = firings(then)
    then.rules.answer(asked.iri, consent=True)
    assert value(then, "desk-lamp#state") == "on"
    assert firings(then)[0].status is State.DONE


def test_a_state_that_lasts_goes_on_lasting_while_nobody_looks() -> None:
    first = house()
    make(first, when(is_on("study-heater", 7200)), turn("study-heater", False))
    put(first, "study-heater#state", "on")
    then = again(first.store, BEGAN + timedelta(hours=1))
    assert firings(then) == []
    then.pass_time(3599)
    assert firings(then) == []
    then.pass_time(1)
    assert value(then, "study-heater#state") == "off"


def test_what_is_done_for_a_time_is_put_back_after_a_restart() -> None:
    first = house()
    first.ask("turn the study heater on for ten minutes", consent=True)
    then = again(first.store, BEGAN + timedelta(minutes=5))
    assert value(then, "study-heater#state") == "on"
    then.pass_time(300)
    assert value(then, "study-heater#state") == "off"


def test_a_clock_set_back_fires_nothing_twice() -> None:
    engine = house()
    make(engine, DAILY)
    engine.pass_time(2 * 3600)
    assert dues(engine) == ["Mon 07:00"]
    engine.set_now(BEGAN)
    engine.pass_time(2 * 3600)
    assert dues(engine) == ["Mon 07:00"]
    engine.pass_time(86400)
    assert dues(engine) == ["Mon 07:00", "Tue 07:00"]


def test_the_graph_of_rules_conforms_to_its_shapes() -> None:
    engine = house()
    make(engine, DAILY)
    make(engine, when(is_on("study-heater", 60)))
    put(engine, "study-heater#state", "on")
    engine.pass_time(86400)
    shapes = (folder("shapes") / "rule.ttl").read_bytes()
    from engine.graph.knowledge import turtle

    door = Door(turtle(shapes, "rule.ttl", RULES))
    quads = engine.store.graph(RULES)
    assert any(quad.object == node("hg:Firing") for quad in quads)
    assert door.check(quads) == ()


# Managing


def manage(engine: Hearthgraph, operation: Operation, which: Which | None = None, change: Change | None = None) -> str:
    managing = Managing(which or Which(), change or Change())
    intent = Intent("urn:m/intent-1", operation.value, Category.RULE, operation, rule=managing)
    return engine.assistant.intend(Request(operation.value, "urn:m"), [intent]).reply


def test_rules_are_listed_changed_paused_resumed_and_deleted() -> None:
    engine = house()
    make(engine, DAILY, text="lamp in the morning")
    make(engine, Recurrence((Daytime(22),)), turn("desk-lamp", False), text="lamp off at night")
    assert "lamp in the morning" in manage(engine, Operation.LIST)
    at_night = Which(window=Window(Daytime(20), Daytime(6)))
    assert "lamp in the morning" not in manage(engine, Operation.LIST, at_night)
    lamp = Which(words=("morning",))
    assert "07:30" in manage(engine, Operation.CHANGE, lamp, Change(time=Daytime(7, 30, sure=False)))
    manage(engine, Operation.CHANGE, lamp, Change(without=(5, 6)))
    assert "every weekday at 07:30" in manage(engine, Operation.LIST, lamp)
    manage(engine, Operation.EXCEPT, lamp, Change(days=(Day(ahead=1),)))
    manage(engine, Operation.PAUSE, Which(words=("night",)))
    engine.pass_time(3 * 86400)
    assert dues(engine) == ["Mon 07:30", "Wed 07:30"]
    manage(engine, Operation.RESUME, Which(words=("night",)))
    engine.pass_time(86400)
    assert "Thu 22:00" in dues(engine)
    assert "Deleted" in manage(engine, Operation.DELETE, lamp)
    assert [entry.rule.text for entry in engine.rules.rules()] == ["lamp off at night"]
    assert "no such rule" in manage(engine, Operation.DELETE, lamp).casefold()


def test_rules_on_a_disk_are_there_in_the_next_process(tmp_path: Path) -> None:
    with EmbeddedStore.open(tmp_path / "store") as store:
        first = house(store)
        make(first, DAILY)
    with EmbeddedStore.open(tmp_path / "store") as store:
        then = again(store, BEGAN + timedelta(minutes=30))
        assert [entry.next for entry in then.rules.rules()] == [BEGAN + timedelta(hours=1)]
