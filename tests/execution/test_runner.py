"""Plans are carried out on a home of dictionary devices."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest

from engine.environment.binding import Operation
from engine.environment.clock import SystemClock
from engine.errors import PlanError
from engine.execution.behaviours import CAUSES, RunContext
from engine.execution.runner import Execution, Runner, run
from engine.model.plan import Plan, Step


def test_an_action_is_sent_and_reported_done(home, t) -> None:
    done = home.run(t.action("lamp", 40), t.step("lamp", 40))
    assert done.success
    assert done.error is None
    assert home.sent == [(t.act("lamp"), 40)]
    [result] = done.actions
    assert (result.intent, result.artifact, result.outcome) == ("urn:intent:lamp", "urn:lamp", "done")
    assert (result.target, result.method, result.payload) == ("http://home/lamp", "POST", 40)


def test_what_is_already_so_is_not_sent_again(home, t) -> None:
    home.state[t.prop("lamp")] = True
    done = home.run(t.ensure("lamp"), t.step("lamp"))
    assert done.success
    assert home.sent == []
    assert done.actions[0].outcome == "already"


def test_a_step_that_the_planner_found_already_so_needs_no_node(home, t) -> None:
    done = home.run(t.action("lamp"), t.step("lamp"), t.step("fan", already=True))
    assert [result.outcome for result in done.actions] == ["done", "already"]


def test_what_a_sequence_did_not_reach_is_skipped(home, t, outcomes) -> None:
    home.faults[t.act("b")] = "fails"
    done = home.run(t.sequence(t.action("a"), t.action("b"), t.action("c")), t.step("a"), t.step("b"), t.step("c"))
    assert not done.success
    assert outcomes(done) == {"a": "done", "b": "failed", "c": "skipped"}
    assert done.reason == "device_unreachable"
    assert done.error == "The lamp does not answer."


def test_a_second_choice_is_tried_when_the_first_fails_and_not_otherwise(home, t, outcomes) -> None:
    tree = t.selector(t.action("a"), t.action("b"))
    assert outcomes(home.run(tree)) == {"a": "done", "b": "skipped"}
    home.faults[t.act("a")] = "fails"
    done = home.run(tree)
    assert done.success
    assert outcomes(done) == {"a": "failed", "b": "done"}


def test_a_selector_does_not_ask_its_condition_again_while_its_action_is_under_way(home, t) -> None:
    home.seconds = {t.act("blind"): 20, t.prop("blind"): 1}
    home.state[t.prop("blind")] = False
    done = home.run(t.ensure("blind"), t.step("blind"))
    assert done.success
    assert len(home.calls) == 2
    assert done.seconds == 21


@pytest.mark.parametrize("failing", ["a", "b", "c"])
def test_complete_all_runs_every_child_to_its_end_whichever_fails(home, t, outcomes, failing: str) -> None:
    home.faults[t.act(failing)] = "fails"
    home.seconds = {t.act("a"): 5, t.act("b"): 1}
    done = home.run(t.parallel("complete_all", t.action("a"), t.action("b"), t.action("c")))
    assert not done.success
    assert outcomes(done) == {name: "failed" if name == failing else "done" for name in "abc"}


def test_success_on_one_ends_with_the_first_success_and_stops_the_others(home, t) -> None:
    home.seconds = {t.act("slow"): 60}
    home.faults[t.act("broken")] = "fails"
    tree = t.parallel("success_on_one", t.action("broken"), t.action("slow"), t.sequence(t.wait(2), t.action("quick")))
    done = home.run(tree)
    assert done.success
    assert done.seconds == 2
    assert [(r.outcome, r.reason) for r in done.actions][1:] == [("failed", "cancelled"), ("done", None)]


def test_success_on_one_fails_only_when_all_have_failed(home, t) -> None:
    home.faults = {t.act("a"): "fails", t.act("b"): "fails"}
    done = home.run(t.parallel("success_on_one", t.action("a"), t.action("b")))
    assert (done.success, done.reason) == (False, "device_unreachable")


def test_success_on_all_gives_up_the_others_at_the_first_failure_and_says_so(home, t) -> None:
    home.seconds = {t.act("slow"): 60}
    home.faults[t.act("broken")] = "fails"
    done = home.run(t.parallel("success_on_all", t.action("slow"), t.action("broken")))
    assert not done.success
    assert [(r.outcome, r.reason) for r in done.actions] == [
        ("failed", "cancelled"),
        ("failed", "device_unreachable"),
    ]
    assert done.seconds == 0


def test_modify_reads_computes_and_sets(home, t) -> None:
    home.state[t.prop("lamp")] = 70
    tree = t.sequence(
        {"type": "property", "affordance": t.prop("lamp"), "into": "now"},
        {"type": "compute", "into": "next", "expression": ["clamp", ["+", "now", 50], 0, 100]},
        t.action("lamp", {"$": "next"}),
    )
    done = home.run(tree)
    assert done.success
    assert home.state[t.prop("lamp")] == 100
    assert done.variables == {"now": 70, "next": 100}
    assert done.actions[0].payload == 100


def test_variables_reach_the_depth_of_a_payload_and_conditions(home, t) -> None:
    home.state[t.prop("a")] = 3
    tree = t.sequence(
        {"type": "property", "affordance": t.prop("a"), "into": "x"},
        t.condition("a", {"$": "x"}),
        t.action("b", {"list": [{"$": "x"}, 1], "$": "x"}),
    )
    assert home.run(tree).success
    assert home.sent == [(t.act("b"), {"list": [3, 1], "$": "x"})]


def test_an_action_on_a_property_writes_it(home, t) -> None:
    plan = {"type": "action", "affordance": t.prop("lamp"), "method": "PUT", "payload": 7}
    done = home.run(plan, Step("urn:i", "urn:lamp", t.prop("lamp"), "", "PUT", 7, ((t.prop("lamp"), 7),)))
    assert done.success
    assert [call.operation for call in home.calls] == [Operation.WRITE]
    assert done.actions[0].method == "PUT"


def test_arithmetic_on_a_value_of_another_type_fails_the_node_with_its_reason(home, t) -> None:
    home.state[t.prop("a")] = "warm"
    tree = t.sequence(
        {"type": "property", "affordance": t.prop("a"), "into": "x"},
        {"type": "compute", "into": "y", "expression": ["+", "x", 1]},
    )
    done = home.run(tree)
    assert (done.success, done.reason) == (False, "wrong_type")


def test_a_binding_that_raises_fails_its_own_node_only(home, t, outcomes, caplog) -> None:
    home.faults[t.act("a")] = "raises"
    done = home.run(t.parallel("complete_all", t.action("a"), t.action("b")))
    assert outcomes(done) == {"a": "failed", "b": "done"}
    assert done.reason == "device_failed"
    assert "binding has a bug" in caplog.text


def test_a_call_that_is_never_answered_is_given_up_after_its_time(home, t, outcomes) -> None:
    home.faults[t.act("a")] = "hangs"
    done = home.run(t.parallel("complete_all", t.action("a"), t.action("b")), call_seconds=10)
    assert outcomes(done) == {"a": "failed", "b": "done"}
    assert done.actions[0].reason == "timeout"
    assert done.seconds == 10
    assert home.open[0].cancelled()


def test_an_action_that_answers_without_its_effect_has_failed(home, t) -> None:
    home.state[t.prop("lamp")] = False
    home.faults[t.act("lamp")] = "does nothing"
    done = home.run(t.action("lamp"), t.step("lamp"))
    assert not done.success
    assert done.actions[0].outcome == "failed"
    assert done.actions[0].reason == done.reason == "no_effect"


def test_the_device_itself_is_asked_when_the_state_does_not_show_the_effect(home, t) -> None:
    stale = {t.prop("lamp"): False}
    plan = Plan("urn:plan", t.action("lamp"), (t.step("lamp"),))
    assert run(plan, home, stale, home.clock).success


def test_an_effect_may_take_its_time_to_show(home, t) -> None:
    home.state[t.prop("blind")] = 0
    home.faults[t.act("blind")] = "does nothing"
    home.clock.call_later(4, lambda: home.state.update({t.prop("blind"): 80}))
    plan = t.action("blind", 80), t.step("blind", 80)
    assert home.run(*plan, settle_seconds=3).reason == "no_effect"
    assert home.run(*plan, settle_seconds=3).success


def test_of_a_payload_that_came_out_otherwise_no_effect_is_expected(home, t) -> None:
    home.state[t.prop("a")] = 5
    read = {"type": "property", "affordance": t.prop("a"), "into": "x"}
    done = home.run(t.sequence(read, t.action("lamp", {"$": "x"})), t.step("lamp", 7))
    assert done.success
    assert done.actions[0].payload == 5


def test_an_effect_that_nobody_can_tell_is_taken_for_granted(home, t) -> None:
    home.faults = {t.act("gate"): "does nothing", t.prop("gate"): "fails"}
    assert home.run(t.action("gate"), t.step("gate")).success


def test_waiting_moves_the_simulated_clock_and_does_not_sleep(home, t) -> None:
    done = home.run(t.sequence(t.action("fan"), t.wait(600), t.action("fan", False)))
    assert done.success
    assert home.clock.now() == t.start + timedelta(minutes=10)
    assert [payload for _, payload in home.sent] == [True, False]


def test_waiting_for_a_moment_ends_then_and_at_once_when_it_is_past(home, t) -> None:
    assert home.run({"type": "wait_until", "at": "2026-11-21T12:30:00Z"}).seconds == 1800
    assert home.run({"type": "wait_until", "at": "2026-11-21T13:15:00+01:00"}).seconds == 0


def test_waiting_for_a_condition_ends_when_the_state_turns_so(home, t) -> None:
    home.state[t.prop("oven")] = "baking"
    home.clock.call_later(1234, lambda: home.state.update({t.prop("oven"): "finished"}))
    done = home.run(t.sequence({"type": "wait_until", "child": t.condition("oven", "finished")}, t.action("fan")))
    assert done.success
    assert done.seconds == 1234


def test_waiting_for_what_never_comes_ends_at_the_time_limit(home, t) -> None:
    home.state[t.prop("oven")] = "off"
    tree = t.sequence({"type": "wait_until", "child": t.condition("oven", "finished")}, t.action("fan"))
    done = home.run(tree, t.step("fan"), seconds=3600)
    assert (done.success, done.reason, done.seconds) == (False, "limit_reached", 3600)
    assert "time limit" in done.error
    assert done.actions[0].outcome == "skipped"
    assert done.ticks < 100


def test_a_device_that_does_not_tell_of_changes_is_asked_now_and_then(home, t) -> None:
    home.state[t.prop("oven")] = "baking"
    home.clock.call_later(100, lambda: home.state.update({t.prop("oven"): "finished"}))
    tree = {"type": "wait_until", "child": t.condition("oven", "finished")}
    done = run(Plan("urn:plan", tree), home, {}, home.clock)
    assert done.success
    assert 100 <= done.seconds <= 160


def test_a_timeout_stops_its_child_and_the_selector_goes_on(home, t, outcomes) -> None:
    home.seconds = {t.act("slow"): 60}
    tree = t.selector({"type": "timeout", "seconds": 5, "child": t.action("slow")}, t.action("other"))
    done = home.run(tree)
    assert done.success
    assert done.seconds == 5
    assert outcomes(done) == {"slow": "failed", "other": "done"}
    assert done.actions[0].reason == "timeout"


def test_retry_begins_anew_as_often_as_it_may(home, t) -> None:
    home.faults[t.act("a")] = "fails"
    done = home.run({"type": "retry", "attempts": 3, "child": t.sequence(t.wait(1), t.action("a"))})
    assert not done.success
    assert (len(home.sent), done.seconds) == (3, 3)
    home.clock.call_later(5, home.faults.clear)
    done = home.run({"type": "retry", "attempts": 100, "child": t.sequence(t.wait(1), t.action("a"))})
    assert done.success
    assert done.actions[0].outcome == "done"


def test_an_inverter_turns_the_result(home, t) -> None:
    home.state[t.prop("a")] = 1
    assert not home.run({"type": "inverter", "child": t.condition("a", 1)}).success
    assert home.run({"type": "inverter", "child": t.condition("a", 2)}).success


def test_the_tick_limit_stops_a_plan(home, t) -> None:
    done = home.run(t.sequence(*(t.wait(1) for _ in range(20)), t.action("a")), ticks=5)
    assert (done.success, done.reason, done.ticks) == (False, "limit_reached", 5)
    assert "tick limit" in done.error
    assert done.actions[0].outcome == "skipped"


def test_a_plan_cancelled_half_way_tells_what_was_done_and_what_was_not(home, t, outcomes) -> None:
    home.seconds = {t.act("b"): 60}
    tree = t.sequence(t.action("a"), t.action("b"), t.action("c"))
    context = RunContext(home, home.state, home.clock)
    execution = Execution(Plan("urn:plan", tree), context, ticks=100, seconds=3600)
    assert not execution.tick()
    execution.cancel()
    done = execution.run()
    assert (done.success, done.reason) == (False, "cancelled")
    assert outcomes(done) == {"a": "done", "b": "failed", "c": "skipped"}
    assert done.actions[1].reason == "cancelled"
    assert execution.tick()


def test_an_invalid_plan_does_nothing_at_all(home, t) -> None:
    with pytest.raises(PlanError, match=r"\$\.children\[1\]\.payload"):
        home.run(t.sequence(t.action("a"), t.action("b", {"$": "x"})))
    assert home.calls == []


def test_the_history_has_what_changed_in_which_tick(home, t) -> None:
    heard = []
    done = home.run(t.sequence(t.action("a"), t.wait(5), t.action("b")), on_event=heard.append)
    assert [(event.tick, event.path, event.status) for event in done.nodes] == [
        (1, "$.children[0]", "success"),
        (1, "$.children[1]", "running"),
        (1, "$", "running"),
        (2, "$.children[1]", "success"),
        (2, "$.children[2]", "success"),
        (2, "$", "success"),
    ]
    assert heard == list(done.nodes)
    assert {event.type for event in heard} == {"sequence", "action", "wait"}


def test_a_listener_that_breaks_does_not_stop_the_plan(home, t, caplog) -> None:
    def broken(event: object) -> None:
        raise RuntimeError("deaf")

    assert home.run(t.action("a"), on_event=broken).success
    assert "deaf" in caplog.text


def test_steps_find_their_actions_by_payload_and_are_reported_in_their_own_order(home, t) -> None:
    off, on = t.step("lamp", False), t.step("lamp", True)
    done = home.run(t.sequence(t.action("lamp", True), t.action("other"), t.action("lamp", False)), off, on)
    assert [result.payload for result in done.actions] == [False, True, True]
    assert [result.intent for result in done.actions] == ["urn:intent:lamp", "urn:intent:lamp", ""]


def test_real_calls_are_waited_for_on_the_system_clock(home, t) -> None:
    class Slow:
        def start(self, call):  # noqa: ARG002
            return pool.submit(time.sleep, 0.05)

    with ThreadPoolExecutor() as pool:
        done = run(Plan("urn:plan", t.sequence(t.action("a"), t.action("b"))), Slow(), {}, SystemClock())
    assert done.success
    assert 0.1 <= done.seconds < 0.5
    assert done.ticks == 3


def test_one_runner_ticks_several_plans_at_the_same_time(home, t) -> None:
    clock, runner = SystemClock(), Runner()
    tree = t.sequence({"type": "wait_until", "child": t.condition("door", "open")}, t.action("lamp"))
    home.state[t.prop("door")] = "closed"
    waiting = Execution(Plan("urn:a", tree), RunContext(home, home.state, clock), ticks=100, seconds=60)
    short = Execution(Plan("urn:b", t.action("fan")), RunContext(home, home.state, clock), ticks=100, seconds=60)
    never = Execution(Plan("urn:c", t.wait(1000)), RunContext(home, home.state, clock), ticks=100, seconds=6000)
    first, second, third = runner.submit(waiting), runner.submit(short), runner.submit(never)
    assert second.result(timeout=2).success
    home.state[t.prop("door")] = "open"
    assert first.result(timeout=2).success
    never.cancel()
    assert third.result(timeout=2).reason == "cancelled"
    runner.close()


def test_a_runner_that_is_closed_reports_what_was_under_way(home, t) -> None:
    runner = Runner()
    execution = Execution(Plan("urn:a", t.wait(1000)), RunContext(home, {}, SystemClock()), ticks=100, seconds=6000)
    future = runner.submit(execution)
    runner.close()
    assert future.result(timeout=1).reason == "cancelled"
    with pytest.raises(RuntimeError):
        runner.submit(execution)


def test_every_reason_of_a_stopped_plan_is_in_the_scheme(repository) -> None:
    scheme = (repository / "ontology" / "reasons.ttl").read_text(encoding="utf-8")
    codes = {reason for reason, _ in CAUSES.values()} | {"no_effect", "condition_false", "device_failed"}
    assert [code for code in codes if f'skos:notation "{code}"' not in scheme] == []


def test_a_step_of_a_plan_may_be_missing_from_its_tree(home, t) -> None:
    done = home.run(t.action("a"), Step("urn:i", "urn:b", t.act("b"), "", "POST", None))
    assert [result.outcome for result in done.actions] == ["skipped", "done"]
