"""A home of dictionary devices, small and real: what it is told it does, unless it was made to fail in a given way."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from datetime import UTC, datetime

import pytest

from engine.environment.binding import Call, Operation
from engine.environment.clock import SimulatedClock
from engine.errors import BindingError
from engine.execution.runner import Run, run
from engine.model.plan import Plan, Step

START = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)


class Home:
    """Properties by IRI, and actions that set them: `set` maps an action to the property that takes its payload."""

    def __init__(self) -> None:
        self.clock = SimulatedClock(START)
        self.state: dict[str, object] = {}
        self.calls: list[Call] = []
        self.open: list[Future] = []
        self.faults: dict[str, str] = {}
        self.seconds: dict[str, float] = {}

    def start(self, call: Call) -> Future:
        self.calls.append(call)
        future: Future = Future()
        fault = self.faults.get(call.affordance)
        if fault == "raises":
            raise KeyError("the binding has a bug")
        if fault == "fails":
            future.set_exception(BindingError("The lamp does not answer.", reason="device_unreachable"))
        elif fault == "hangs":
            self.open.append(future)
        else:
            self._answer(call, future)
        return future

    def _answer(self, call: Call, future: Future) -> None:
        seconds = self.seconds.get(call.affordance)
        if seconds is None:
            future.set_result(self._do(call))
        else:
            self.clock.call_later(seconds, lambda: None if future.cancelled() else future.set_result(self._do(call)))

    def _do(self, call: Call) -> object:
        if call.operation is Operation.READ:
            return self.state.get(call.affordance)
        if self.faults.get(call.affordance) != "does nothing":
            self.state[call.affordance.replace("#actions/", "#properties/")] = call.payload
        return None

    def run(self, tree: dict, *steps: Step, **limits: object) -> Run:
        return run(Plan("urn:plan", tree, steps), self, self.state, self.clock, **limits)

    @property
    def sent(self) -> list[tuple[str, object]]:
        return [(call.affordance, call.payload) for call in self.calls if call.operation is not Operation.READ]


@pytest.fixture
def home() -> Home:
    return Home()


def prop(name: str) -> str:
    return f"urn:home#properties/{name}"


def act(name: str) -> str:
    return f"urn:home#actions/{name}"


def action(name: str, payload: object = True) -> dict:
    return {"type": "action", "affordance": act(name), "payload": payload}


def condition(name: str, value: object, operator: str = "=") -> dict:
    return {"type": "condition", "affordance": prop(name), "operator": operator, "value": value}


def step(name: str, payload: object = True, **more: object) -> Step:
    expected = ((prop(name), payload),)
    return Step(
        f"urn:intent:{name}", f"urn:{name}", act(name), f"http://home/{name}", "POST", payload, expected, **more
    )


class Trees:
    """Short names for nodes; what a test file cannot import it asks for as the fixture `t`."""

    prop = staticmethod(prop)
    act = staticmethod(act)
    action = staticmethod(action)
    condition = staticmethod(condition)
    step = staticmethod(step)
    start = START

    @staticmethod
    def sequence(*children: dict) -> dict:
        return {"type": "sequence", "children": list(children)}

    @staticmethod
    def selector(*children: dict) -> dict:
        return {"type": "selector", "children": list(children)}

    @staticmethod
    def parallel(policy: str, *children: dict) -> dict:
        return {"type": "parallel", "policy": policy, "children": list(children)}

    @staticmethod
    def wait(seconds: float) -> dict:
        return {"type": "wait", "seconds": seconds}

    @classmethod
    def ensure(cls, name: str, payload: object = True) -> dict:
        return cls.selector(condition(name, payload), action(name, payload))


@pytest.fixture(scope="session")
def t() -> type[Trees]:
    return Trees


Outcomes = Callable[[Run], dict[str, str]]


@pytest.fixture(scope="session")
def outcomes() -> Outcomes:
    """The outcome of each action of a run, by the name of its affordance."""
    return lambda done: {result.affordance.rpartition("/")[2]: result.outcome for result in done.actions}


@pytest.fixture(scope="session")
def make_home() -> Callable[[], Home]:
    """A home anew, for tests that need one an example."""
    return Home
