"""Random trees against a naive evaluator that knows nothing of ticks, time or futures."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import Future
from itertools import count

from hypothesis import given
from hypothesis import strategies as st

from engine.environment.binding import Operation
from engine.errors import BindingError
from engine.execution.runner import run
from engine.model import plan_ir
from engine.model.plan import Plan, Step

GOOD, BAD, SLOW, SLOW_BAD, DEAD = "good", "bad", "slow", "slow-bad", "dead"


class Devices:
    """Devices whose affordance says how they behave: `urn:<number>#<behaviour>`; seconds of delay are the number's."""

    def __init__(self, home) -> None:
        self.clock = home.clock
        self.called: list[str] = []

    def start(self, call):
        number, _, behaviour = call.affordance.removeprefix("urn:").partition("#")
        if call.operation is Operation.INVOKE:
            self.called.append(call.affordance)
        future: Future = Future()
        if behaviour.startswith("slow"):
            self.clock.call_later(int(number) % 7, lambda: None if future.cancelled() else answer(future, behaviour))
        elif behaviour != DEAD:
            answer(future, behaviour)
        return future


def answer(future: Future, behaviour: str) -> None:
    if behaviour.endswith(BAD):
        future.set_exception(BindingError("broken"))
    else:
        future.set_result(1)


def expected(node: dict) -> tuple[bool, list[str]]:
    """What a node comes to, and the actions that it calls, in any order."""
    kind = node["type"]
    if kind in ("action", "condition"):
        good = not node["affordance"].endswith(BAD)
        called = [node["affordance"]] if kind == "action" else []
        return (good if kind == "action" else good and node["value"] == 1), called
    if kind == "wait":
        return True, []
    if kind == "inverter":
        good, called = expected(node["child"])
        return not good, called
    if kind == "retry":
        good, called = expected(node["child"])
        return good, called if good else called * node["attempts"]
    called = []
    results = []
    for child in node["children"]:
        good, more = expected(child)
        results.append(good)
        called += more
        if (kind == "sequence" and not good) or (kind == "selector" and good):
            break
    return (any(results) if kind == "selector" else all(results)), called


def leaves(behaviours: list[str]) -> st.SearchStrategy[dict]:
    affordance = st.builds(lambda behaviour: f"urn:0#{behaviour}", st.sampled_from(behaviours))
    return (
        st.builds(lambda iri: {"type": "action", "affordance": iri, "payload": None}, affordance)
        | st.builds(
            lambda iri, value: {"type": "condition", "affordance": iri, "operator": "=", "value": value},
            affordance,
            st.sampled_from([0, 1]),
        )
        | st.builds(lambda seconds: {"type": "wait", "seconds": seconds}, st.integers(0, 9))
    )


def around(inner: st.SearchStrategy[dict], policies: list[str]) -> st.SearchStrategy[dict]:
    children = st.lists(inner, min_size=1, max_size=4)
    return (
        st.builds(
            lambda kind, below: {"type": kind, "children": below}, st.sampled_from(["sequence", "selector"]), children
        )
        | st.builds(
            lambda policy, below: {"type": "parallel", "policy": policy, "children": below},
            st.sampled_from(policies),
            children,
        )
        | st.builds(lambda below: {"type": "inverter", "child": below}, inner)
        | st.builds(lambda n, below: {"type": "retry", "attempts": n, "child": below}, st.integers(1, 3), inner)
    )


def trees(behaviours: list[str], policies: list[str]) -> st.SearchStrategy[dict]:
    return st.recursive(leaves(behaviours), lambda inner: around(inner, policies), max_leaves=15).map(numbered)


def numbered(tree: dict) -> dict:
    """A copy in which each affordance has its own number."""
    numbers = count()

    def copy(node: dict) -> dict:
        made = dict(node)
        if "affordance" in node:
            made["affordance"] = f"urn:{next(numbers)}#{node['affordance'].partition('#')[2]}"
        if "child" in node:
            made["child"] = copy(node["child"])
        if "children" in node:
            made["children"] = [copy(child) for child in node["children"]]
        return made

    return copy(tree)


def carried_out(home, tree: dict, **limits: object):
    devices = Devices(home)
    actions = [node["affordance"] for node in plan_ir.walk(tree) if node["type"] == "action"]
    steps = tuple(Step(f"urn:intent:{iri}", "urn:thing", iri, "", "POST", None) for iri in actions)
    return run(Plan("urn:plan", tree, steps), devices, {}, home.clock, **limits), devices.called, actions


@given(tree=trees([GOOD, BAD, SLOW, SLOW_BAD], ["complete_all"]))
def test_a_tree_comes_to_what_it_says(make_home, tree: dict) -> None:
    good, called = expected(tree)
    done, really_called, actions = carried_out(make_home(), tree)
    assert done.success is good
    assert Counter(really_called) == Counter(called)
    assert [result.affordance for result in done.actions] == actions
    for result in done.actions:
        if result.affordance not in called:
            assert result.outcome in ("skipped", "already")
        else:
            assert result.outcome == ("failed" if result.affordance.endswith(BAD) else "done")


@given(tree=trees([GOOD, BAD, SLOW, SLOW_BAD], ["success_on_one", "success_on_all", "complete_all"]))
def test_the_policy_of_a_parallel_decides_whatever_comes_first(make_home, tree: dict) -> None:
    done, _, actions = carried_out(make_home(), tree)
    assert done.success is by_policy(tree)
    assert [result.affordance for result in done.actions] == actions


def by_policy(node: dict) -> bool:
    if node["type"] == "parallel" and node["policy"] == "success_on_one":
        return any(by_policy(child) for child in node["children"])
    if "children" in node:
        return (any if node["type"] == "selector" else all)(by_policy(child) for child in node["children"])
    if "child" in node:
        return by_policy(node["child"]) is not (node["type"] == "inverter")
    return expected(node)[0]


@given(children=st.lists(trees([GOOD, BAD, SLOW, SLOW_BAD], ["complete_all"]), min_size=1, max_size=5))
def test_complete_all_brings_every_child_to_its_end_exactly_once(make_home, children: list[dict]) -> None:
    tree = numbered({"type": "parallel", "policy": "complete_all", "children": children})
    done, _, _ = carried_out(make_home(), tree)
    ends = Counter(event.path for event in done.nodes if event.status in ("success", "failure"))
    assert all(ends[f"$.children[{index}]"] == 1 for index in range(len(children)))
    assert not [event for event in done.nodes if event.status == "stopped"]
    assert done.success is all(expected(child)[0] for child in children)


@given(children=st.lists(leaves([GOOD, BAD, SLOW, SLOW_BAD, DEAD]), min_size=1, max_size=8))
def test_each_leaf_of_complete_all_is_reported_once_even_when_some_never_answer(
    make_home, children: list[dict]
) -> None:
    tree = numbered({"type": "parallel", "policy": "complete_all", "children": children})
    home = make_home()
    for node in plan_ir.walk(tree):  # a call that nobody answers is awaited in real time: here the clock has a reason
        if node.get("affordance", "").endswith(DEAD):
            home.clock.call_later(30, lambda: None)
    done, _, actions = carried_out(home, tree)
    ends = Counter(event.path for event in done.nodes if event.status in ("success", "failure"))
    assert ends == {"$": 1, **{f"$.children[{index}]": 1 for index in range(len(children))}}
    outcomes = {result.affordance: (result.outcome, result.reason) for result in done.actions}
    assert list(outcomes) == actions
    for iri, outcome in outcomes.items():
        wanted = ("failed", "timeout") if iri.endswith(DEAD) else ("failed", "device_failed")
        assert outcome == (wanted if iri.endswith((BAD, DEAD)) else ("done", None))


@given(tree=trees([GOOD, BAD, SLOW], ["success_on_one", "success_on_all", "complete_all"]), ticks=st.integers(1, 4))
def test_a_tree_ends_within_its_limits_and_stopped_actions_say_so(make_home, tree: dict, ticks: int) -> None:
    done, _, actions = carried_out(make_home(), tree, ticks=ticks, seconds=5)
    assert done.ticks <= ticks
    assert done.seconds <= 5
    assert [result.affordance for result in done.actions] == actions
    assert done.success or done.reason
    running = Counter(event.path for event in done.nodes if event.status == "running")
    assert all(running[event.path] for event in done.nodes if event.status == "stopped")
