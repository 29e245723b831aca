"""The leaves of a running tree (AmI HMAS, Table 5): they start a call and poll it; `update` never blocks.

The nodes of a run share a `RunContext`, not py_trees' blackboard, which is global to the process.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from threading import Event
from types import MappingProxyType
from typing import Any
from urllib.parse import unquote

from py_trees.behaviour import Behaviour
from py_trees.common import Status

from engine.environment.binding import Binding, Call, Moving, Operation
from engine.environment.clock import Clock, steady
from engine.errors import HearthgraphError
from engine.execution.expressions import compare, evaluate, resolve, same
from engine.graph.terms import Json
from engine.language.replies.replies import value_words
from engine.model.plan import Step

_log = logging.getLogger(__name__)

PROPERTIES = "#properties/"
"""In the IRI of every property affordance (DESIGN, The graph): an action node that names one writes it."""
NEVER = datetime(9999, 1, 1, tzinfo=UTC)
LOOK_AT_CLOCK = timedelta(seconds=30)
"""After which whoever waits for a time of day looks whether the clock was set meanwhile."""

CAUSES: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "cancelled": ("cancelled", "it was cancelled"),
        "sibling_failed": ("cancelled", "a step beside it had failed"),
        "not_needed": ("cancelled", "a step beside it had succeeded"),
        "timeout": ("timeout", "its time was up"),
        "time_limit": ("limit_reached", "the time limit of the plan was reached"),
        "tick_limit": ("limit_reached", "the tick limit of the plan was reached"),
        "internal": ("internal", "the plan could not go on"),
    }
)
"""Why something was stopped half-way: the reason code that is reported, and the words for it."""


@dataclass(slots=True)
class RunContext:
    """The context shared by the nodes of one run.

    `call_seconds`: how long a device may take to answer. `settle_seconds`: how long its effect may take to show.
    `permit` is asked of an affordance and its payload just before it is called; an error that it raises fails the
    action. `clock` measures durations, and goes on evenly where somebody sets the clock of the home, which is
    `time_of_day`. Each tick the waiting nodes enter the reasons for which they wait: futures, deadlines, properties
    with the value that they had (`watched`), or `again` where the next tick can go on at once.
    """

    binding: Binding
    state: Mapping[str, Json]
    clock: Clock
    call_seconds: float = 30.0
    settle_seconds: float = 0.0
    permit: Callable[[str, Json], object] | None = None
    variables: dict[str, Json] = field(default_factory=dict)
    wake: Event = field(default_factory=Event)
    cause: str = "sibling_failed"
    futures: list[Future[Json]] = field(default_factory=list)
    deadlines: list[datetime] = field(default_factory=list)
    watched: dict[str, Json] = field(default_factory=dict)
    again: bool = False
    time_of_day: Clock = field(init=False)

    def __post_init__(self) -> None:
        self.time_of_day, self.clock = self.clock, steady(self.clock)

    def begin_tick(self) -> None:
        """Clears the reasons for waiting; nodes that still wait enter them again."""
        self.futures.clear()
        self.deadlines.clear()
        self.watched.clear()
        self.again = False

    @contextmanager
    def stopping(self, cause: str) -> Iterator[None]:
        """Nodes that are stopped within are stopped for this cause."""
        before, self.cause = self.cause, cause
        try:
            yield
        finally:
            self.cause = before


class Leaf(Behaviour):
    """A node without children. `reason` and `feedback_message` say why it failed or was stopped."""

    def __init__(self, name: str, context: RunContext) -> None:
        super().__init__(name)
        self.context = context
        self.reason: str | None = None

    def initialise(self) -> None:
        self.reason = None
        self.feedback_message = ""

    def terminate(self, new_status: Status) -> None:
        if new_status is Status.INVALID and self.status is Status.RUNNING:
            self.stopped(self.context.cause)

    def stopped(self, cause: str) -> None:
        """Called when the node is stopped before its end."""
        reason, words = CAUSES[cause]
        self.refuse(reason, f"Stopped, because {words}.")

    def refuse(self, reason: str, message: str) -> Status:
        """Keep why, and fail."""
        self.reason, self.feedback_message = reason, message
        return Status.FAILURE


class Calling(Leaf):
    """A leaf that calls the binding: started in `initialise`, polled in `update`, given up after `call_seconds`."""

    def __init__(self, node: dict[str, Any], context: RunContext) -> None:
        super().__init__(str(node.get("name") or node["affordance"]), context)
        self.affordance: str = node["affordance"]
        self.target: str = node.get("target", "")
        self.future: Future[Json] | None = None
        self.deadline = NEVER
        self.fault: HearthgraphError | None = None

    def request(self) -> Call:
        """The call for the binding. A HearthgraphError that is raised fails the node."""
        return Call(operation=Operation.READ, affordance=self.affordance, target=self.target)

    def answered(self, value: Json) -> Status:
        """The status of the node after an answer."""
        raise NotImplementedError

    def initialise(self) -> None:
        super().initialise()
        self.fault = None
        try:
            self.future = self.start(self.request())
        except HearthgraphError as error:
            self.fault = error

    def update(self) -> Status:
        if self.fault is not None:
            return self.refuse(self.fault.reason, str(self.fault))
        assert self.future is not None
        if self.future.done():
            return self.harvest(self.future)
        if self.context.clock.now() >= self.deadline:
            self.future.cancel()
            return self.refuse("timeout", f"No answer within {self.context.call_seconds:g} s.")
        self.await_(self.future)
        return Status.RUNNING

    def start(self, call: Call) -> Future[Json]:
        """Starts a call. Any error that it raises becomes its result: a binding that breaks fails its own node only."""
        self.deadline = self.context.clock.now() + timedelta(seconds=self.context.call_seconds)
        try:
            future = self.context.binding.start(call)
        except Exception as error:  # noqa: BLE001
            future = Future()
            future.set_exception(error)
        if not future.done():
            future.add_done_callback(lambda _: self.context.wake.set())
        return future

    def await_(self, future: Future[Json]) -> None:
        self.context.futures.append(future)
        self.context.deadlines.append(self.deadline)

    def harvest(self, future: Future[Json]) -> Status:
        if future.cancelled():
            return self.refuse("device_failed", "The call was dropped.")
        error = future.exception()
        if error is None:
            return self.answered(future.result())
        if isinstance(error, HearthgraphError):
            return self.refuse(error.reason, str(error))
        _log.error("the binding broke at %s", self.affordance, exc_info=error)
        return self.refuse("device_failed", f"The call failed ({type(error).__name__}).")

    def stopped(self, cause: str) -> None:
        super().stopped(cause)
        if self.future is not None:
            self.future.cancel()


class PropertyLeaf(Calling):
    """`property`: reads into a variable."""

    def __init__(self, node: dict[str, Any], context: RunContext) -> None:
        super().__init__(node, context)
        self.into: str = node["into"]

    def answered(self, value: Json) -> Status:
        self.context.variables[self.into] = value
        return Status.SUCCESS


class ConditionLeaf(Calling):
    """`condition`: reads and compares. Whoever waits for it hears of changes of the property."""

    def __init__(self, node: dict[str, Any], context: RunContext) -> None:
        super().__init__(node, context)
        self.operator: str = node["operator"]
        self.value: Json = node["value"]

    def answered(self, value: Json) -> Status:
        try:
            wanted = resolve(self.value, self.context.variables)
            if compare(value, self.operator, wanted):
                return Status.SUCCESS
        except HearthgraphError as error:
            return self.refuse(error.reason, str(error))
        return self.refuse("condition_false", f"It is {value!r}, not {self.operator} {wanted!r}.")


class ActionLeaf(Calling):
    """`action`: invokes, and reads the effect back.

    `outcome` is None while it was never begun. The effects that are looked for are those of `step`, as long as the
    payload came out as the step foresaw it: of another payload nothing is known.
    """

    def __init__(self, node: dict[str, Any], context: RunContext) -> None:
        super().__init__(node, context)
        self.method: str | None = node.get("method")
        self.template: Json = node["payload"]
        self.payload: Json = node["payload"]
        self.step: Step | None = None
        self.outcome: str | None = None
        self.output: Json = None
        self.reading: dict[str, Future[Json]] | None = None
        self.settled_by: datetime | None = None
        self.seen: tuple[Json, ...] = ()
        self.began = NEVER

    def request(self) -> Call:
        self.outcome, self.reading, self.settled_by, self.seen = "failed", None, None, ()
        self.payload = resolve(self.template, self.context.variables)
        if self.context.permit is not None:
            self.context.permit(self.affordance, self.payload)
        operation = Operation.WRITE if PROPERTIES in self.affordance else Operation.INVOKE
        return Call(
            operation=operation,
            affordance=self.affordance,
            payload=self.payload,
            target=self.target,
            method=self.method,
        )

    def answered(self, value: Json) -> Status:
        self.output = value
        missing = self.missing()
        if missing:
            return self.read_back(missing)
        self.outcome = "done"
        return Status.SUCCESS

    def missing(self) -> tuple[tuple[str, Json], ...]:
        """The expected effects that the state does not show."""
        if self.step is None or not same(self.payload, self.step.payload):
            return ()
        state = self.context.state
        return tuple((iri, value) for iri, value in self.step.expected if not same(state.get(iri), value))

    def read_back(self, missing: tuple[tuple[str, Json], ...]) -> Status:
        """Reads from the device the values that the state does not show, until it shows them or the time to settle is
        over."""
        now = self.context.clock.now()
        if self.settled_by is None:
            self.began = now
            self.settled_by = now + timedelta(seconds=self.context.settle_seconds)
        if self.reading is None:
            self.reading = {iri: self.start(Call(operation=Operation.READ, affordance=iri)) for iri, _ in missing}
        waiting = [future for future in self.reading.values() if not future.done()]
        if waiting and now < self.deadline:
            for future in waiting:
                self.await_(future)
            return Status.RUNNING
        wrong = [(iri, value) for iri, value in missing if not self.shows(iri, value)]
        if wrong and now < self.while_it_moves(wrong, now):
            return self.look_again(wrong, now)
        return self.concluded(wrong)

    def while_it_moves(self, wrong: list[tuple[str, Json]], now: datetime) -> datetime:
        """The deadline for settling: extended while values change from one look to the next, for `call_seconds` at
        most."""
        assert self.settled_by is not None
        seen = tuple(self.context.state.get(iri) for iri, _ in wrong)
        last = now if self.seen and seen != self.seen and not self.under_way(wrong) else None
        self.seen = seen
        if last is not None and now < self.began + timedelta(seconds=self.context.call_seconds):
            self.settled_by = max(self.settled_by, last + timedelta(seconds=self.context.settle_seconds))
        return self.settled_by

    def under_way(self, wrong: list[tuple[str, Json]]) -> bool:
        """Whether the devices themselves say that they are on their way."""
        binding = self.context.binding
        return isinstance(binding, Moving) and all(binding.under_way(iri) for iri, _ in wrong)

    def shows(self, iri: str, wanted: Json) -> bool:
        """Whether the device says so, or else the state; an effect that neither can tell is taken for granted."""
        future = (self.reading or {}).get(iri)
        if future is not None and future.done() and not future.cancelled() and future.exception() is None:
            return same(future.result(), wanted)
        return iri not in self.context.state or same(self.context.state.get(iri), wanted)

    def look_again(self, wrong: list[tuple[str, Json]], now: datetime) -> Status:
        """Wait for the state to change, or for a fifth of the time to settle."""
        assert self.settled_by is not None
        self.reading = None
        self.context.deadlines.append(min(now + timedelta(seconds=self.context.settle_seconds / 5), self.settled_by))
        self.context.watched.update((iri, self.context.state.get(iri)) for iri, _ in wrong)
        return Status.RUNNING

    def concluded(self, wrong: list[tuple[str, Json]]) -> Status:
        if wrong and not self.under_way(wrong):
            lacking = ", ".join(f"{_called(iri)} is not {value_words(value)}" for iri, value in wrong)
            return self.refuse("no_effect", f"It answered, but {lacking}.")
        self.outcome = "done"
        return Status.SUCCESS


def _called(affordance: str) -> str:
    """The name of an affordance for messages to people, from its IRI."""
    return unquote(affordance.rpartition("/")[2]).replace("_", " ")


class ComputeLeaf(Leaf):
    """`compute`: puts the value of an expression into a variable."""

    def __init__(self, node: dict[str, Any], context: RunContext) -> None:
        super().__init__(str(node.get("name") or node["into"]), context)
        self.into: str = node["into"]
        self.expression: Json = node["expression"]

    def update(self) -> Status:
        try:
            self.context.variables[self.into] = evaluate(self.expression, self.context.variables)
        except HearthgraphError as error:
            return self.refuse(error.reason, str(error))
        return Status.SUCCESS


class WaitLeaf(Leaf):
    """`wait` and `wait_until … at`: until so many seconds from its beginning, or until a moment."""

    def __init__(self, name: str, context: RunContext, *, seconds: float = 0.0, at: datetime | None = None) -> None:
        super().__init__(name, context)
        self.seconds = seconds
        self.at = at
        self.deadline = NEVER

    def initialise(self) -> None:
        super().initialise()
        self.deadline = self.context.clock.now() + timedelta(seconds=self.seconds)

    def update(self) -> Status:
        now = self.context.clock.now()
        if self.at is not None:
            self.deadline = now + (self.at - self.context.time_of_day.now())
        if now >= self.deadline:
            return Status.SUCCESS
        self.context.deadlines.append(self.deadline if self.at is None else min(self.deadline, now + LOOK_AT_CLOCK))
        return Status.RUNNING
