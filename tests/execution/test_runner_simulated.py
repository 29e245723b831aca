"""Plans on the simulated home: real effects, a real state in a real store, and devices that are broken in every way."""

from __future__ import annotations

from datetime import timedelta

import pytest

from engine.environment.clock import SimulatedClock
from engine.environment.simulation.simulated import SLOW, SimulatedBinding
from engine.environment.state import State
from engine.execution.runner import Run, run
from engine.graph.embedded import EmbeddedStore
from engine.graph.terms import expand
from engine.model.plan import Plan, Step
from engine.model.thing import Action, Part, Property, Schema, Thing
from engine.things.registry import Registry

LAMPS = 10
DOCUMENT = "https://home.example/lamp{}"
PERCENT = Schema(type="integer", kinds=frozenset((expand("hg:Brightness"),)), minimum=0, maximum=100)


def lamp(number: int) -> Thing:
    iri = DOCUMENT.format(number)
    power = Property(f"{iri}#properties/power", "power", iri, Schema(type="boolean"), frozenset((expand("hg:Power"),)))
    level = Property(f"{iri}#properties/level", "level", iri, PERCENT, PERCENT.kinds)
    payload = Schema(type="object", properties=(("level", PERCENT),), required=frozenset(("level",)))
    actions = (
        Action(f"{iri}#actions/set", "set", iri, frozenset((expand("hg:SetBrightness"),)), payload),
        Action(f"{iri}#actions/on", "on", iri, frozenset((expand("hg:TurnOn"),))),
        Action(f"{iri}#actions/off", "off", iri, frozenset((expand("hg:TurnOff"),))),
    )
    part = Part(iri, "", frozenset((expand("hg:Light"),)))
    return Thing(iri, iri, f"lamp {number}", (part,), (power, level), actions)


class Simulation:
    def __init__(self, start) -> None:
        self.store = EmbeddedStore.open(None)
        self.registry = Registry(self.store)
        self.registry.put([lamp(number) for number in range(LAMPS)])
        self.clock = SimulatedClock(start)
        self.state = State(self.store, self.registry, self.clock)
        self.faults: dict[str, str] = {}
        self.binding = SimulatedBinding(self.registry, self.state, self.clock, self.faults)
        self.reset()

    def reset(self) -> None:
        self.state.write({self.prop(n, name): v for n in range(LAMPS) for name, v in (("power", False), ("level", 10))})

    def run(self, tree: dict, *steps: Step, **limits: object) -> Run:
        return run(Plan("urn:plan", tree, steps), self.binding, self.state, self.clock, **limits)

    def prop(self, number: int, name: str) -> str:
        return f"{DOCUMENT.format(number)}#properties/{name}"

    def node(self, number: int, name: str, payload: object = None) -> dict:
        return {"type": "action", "affordance": f"{DOCUMENT.format(number)}#actions/{name}", "payload": payload}

    def ensure(self, number: int, level: int) -> dict:
        check = {"type": "condition", "affordance": self.prop(number, "level"), "operator": "=", "value": level}
        return {"type": "selector", "children": [check, self.node(number, "set", {"level": level})]}

    def step(self, number: int, level: int) -> Step:
        expected = ((self.prop(number, "level"), level), (self.prop(number, "power"), True))
        iri = DOCUMENT.format(number)
        return Step(f"urn:intent:{number}", iri, f"{iri}#actions/set", "", "POST", {"level": level}, expected)


@pytest.fixture(scope="module")
def made(t) -> Simulation:
    return Simulation(t.start)


@pytest.fixture
def simulation(made: Simulation) -> Simulation:
    made.faults.clear()
    made.reset()
    return made


def test_what_was_done_is_so_in_the_store(simulation) -> None:
    done = simulation.run(simulation.ensure(3, 40), simulation.step(3, 40))
    assert done.success
    assert done.actions[0].outcome == "done"
    assert simulation.state[simulation.prop(3, "level")] == 40
    assert simulation.state[simulation.prop(3, "power")] is True
    assert simulation.run(simulation.ensure(3, 40), simulation.step(3, 40)).actions[0].outcome == "already"


@pytest.mark.parametrize(
    ("fault", "outcome", "reason", "seconds"),
    [
        ("fail", "failed", "device_failed", 0),
        ("unavailable", "failed", "unavailable", 0),
        ("ignore", "failed", "no_effect", 0),
        ("slow", "done", None, SLOW),
        ("hang", "failed", "timeout", 30),
    ],
)
def test_a_broken_device_fails_alone_and_both_state_and_report_are_true(
    simulation, t, fault: str, outcome: str, reason: str | None, seconds: float
) -> None:
    simulation.faults[simulation.step(4, 60).affordance] = fault
    tree = t.parallel("complete_all", *(simulation.ensure(number, 60) for number in range(LAMPS)))
    done = simulation.run(tree, *(simulation.step(number, 60) for number in range(LAMPS)))
    assert done.success is (outcome == "done")
    assert done.seconds == seconds
    assert [r.outcome for r in done.actions] == [outcome if n == 4 else "done" for n in range(LAMPS)]
    assert (done.actions[4].reason, done.reason) == (reason, reason)
    levels = [simulation.state[simulation.prop(number, "level")] for number in range(LAMPS)]
    assert levels == [10 if n == 4 and outcome == "failed" else 60 for n in range(LAMPS)]


def test_a_payload_that_the_schema_does_not_allow_is_refused_by_the_device(simulation) -> None:
    done = simulation.run(simulation.node(1, "set", {"level": 400}))
    assert (done.success, done.reason) == (False, "value_out_of_range")


def test_a_property_without_a_value_makes_its_condition_fail_with_the_reason(simulation) -> None:
    simulation.state.write({simulation.prop(2, "level"): None})
    check = {"type": "condition", "affordance": simulation.prop(2, "level"), "operator": "<", "value": 5}
    assert simulation.run(check).reason == "unknown_state"
    assert simulation.run(simulation.ensure(2, 5), simulation.step(2, 5)).success


def test_on_for_ten_minutes_and_off_again(simulation, t) -> None:
    began = simulation.clock.now()
    done = simulation.run(t.sequence(simulation.node(0, "on"), t.wait(600), simulation.node(0, "off")))
    assert done.success
    assert simulation.clock.now() == began + timedelta(minutes=10)
    changes = simulation.state.history(simulation.prop(0, "power"))[-2:]
    assert [(change.after, change.at - began) for change in changes] == [
        (True, timedelta(0)),
        (False, timedelta(minutes=10)),
    ]


def test_a_property_is_written_by_an_action_node(simulation) -> None:
    writes = {"type": "action", "affordance": simulation.prop(5, "level"), "method": "PUT", "payload": 33}
    assert simulation.run(writes).success
    assert simulation.state[simulation.prop(5, "level")] == 33


def test_ten_actions_on_the_simulated_home(benchmark, simulation, t) -> None:
    trees = [t.parallel("complete_all", *(simulation.ensure(n, level) for n in range(LAMPS))) for level in (20, 80)]
    steps = [[simulation.step(n, level) for n in range(LAMPS)] for level in (20, 80)]
    turns = iter(range(10**9))

    def both() -> Run:
        turn = next(turns) % 2
        return simulation.run(trees[turn], *steps[turn])

    assert [result.outcome for result in benchmark(both).actions] == ["done"] * LAMPS
