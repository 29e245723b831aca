"""Ticks the tree of a plan to its end and reports the result of each action (AmI HMAS, section 3.4: ExecutionResult).

`run` does so in the calling thread; a `Runner` is one thread that ticks all plans that are handed to it.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from threading import Event, Lock, Thread
from typing import TypeAlias

from py_trees.behaviour import Behaviour
from py_trees.common import Status

from engine.environment.binding import Binding
from engine.environment.clock import Clock, SimulatedClock
from engine.execution.behaviours import CAUSES, ActionLeaf, Leaf, RunContext
from engine.execution.compiler import compile_plan
from engine.graph.terms import Json
from engine.model.outcome import ActionResult
from engine.model.plan import Plan, Step

_log = logging.getLogger(__name__)

GRACE = 0.25
"""Seconds of real time that a call may take while the clock is simulated, before that clock moves on without it."""
LOOK = 0.05
"""Seconds of real time between two looks at the properties that a plan waits for."""


@dataclass(frozen=True, slots=True)
class NodeEvent:
    """A node that changed in a tick: `status` is running, success, failure or stopped; `path` its JSON path."""

    tick: int
    path: str
    type: str
    name: str
    status: str
    message: str = ""


@dataclass(frozen=True, slots=True)
class Run:
    """The result of a plan. `actions` has one result for each step of the plan, in its order, then those without a
    step.

    `nodes` is the history: the changes of nodes by tick. `reason` (a code) and `error` (a sentence) say why it did not
    succeed. `variables` holds read and computed values, `seconds` its duration by the clock of the run.
    """

    success: bool
    ticks: int
    nodes: tuple[NodeEvent, ...]
    actions: tuple[ActionResult, ...]
    error: str | None = None
    reason: str | None = None
    variables: Mapping[str, Json] = field(default_factory=dict)
    seconds: float = 0.0


Listener: TypeAlias = "Callable[[NodeEvent], object]"
Within: TypeAlias = "Callable[[], AbstractContextManager[object]]"


def run(
    plan: Plan,
    binding: Binding,
    state: Mapping[str, Json],
    clock: Clock,
    *,
    ticks: int = 10_000,
    seconds: float = 86_400.0,
    call_seconds: float = 30.0,
    settle_seconds: float = 0.0,
    permit: Callable[[str, Json], object] | None = None,
    on_event: Listener | None = None,
    on_start: Callable[[Execution], object] | None = None,
    resting: Within = nullcontext,
    ticking: Within = nullcontext,
) -> Run:
    """Carries a plan out, and returns when it has ended.

    `ticks` and `seconds` (by `clock`) limit the whole, `call_seconds` each call; `settle_seconds` is how long an effect
    may take to show after the device has answered. `permit` is asked of each affordance and payload just before it is
    called; an error that it raises fails that action. With a SimulatedClock time is not slept but moved. `on_event`
    hears of every change of a node, `on_start` gets the execution, to cancel it; each tick happens within `ticking`,
    and waits happen within `resting`. Faults of devices stand in the Run. Raises PlanError for a plan that is not
    valid: then nothing has been done.
    """
    context = RunContext(binding, state, clock, call_seconds=call_seconds, settle_seconds=settle_seconds, permit=permit)
    execution = Execution(plan, context, ticks=ticks, seconds=seconds, on_event=on_event, ticking=ticking)
    if on_start is not None:
        on_start(execution)
    return execution.run(resting)


class Execution:
    """One plan under way. Not to be ticked by two threads; `cancel` may be called from any."""

    def __init__(
        self,
        plan: Plan,
        context: RunContext,
        *,
        ticks: int,
        seconds: float,
        on_event: Listener | None = None,
        ticking: Within = nullcontext,
    ) -> None:
        self.plan = plan
        self.context = context
        self.compiled = compile_plan(plan, context)
        self.ended = False
        self._most_ticks = ticks
        self._ticks = 0
        self._began = context.clock.now()
        self._until = self._began + timedelta(seconds=seconds)
        self._on_event, self._ticking = on_event, ticking
        self._nodes: list[NodeEvent] = []
        self._running: set[Behaviour] = set()
        self._succeeded: set[str] = set()
        self._cause: str | None = None
        self._cancelled = False

    def run(self, resting: Within = nullcontext) -> Run:
        """Ticks to the end, `resting` while there is only to wait."""
        wake = self.context.wake
        while not self.tick():
            if not self.ready():
                with resting():
                    rest((self,), wake)
            wake.clear()
        return self.result()

    def cancel(self) -> None:
        """Stops it at the next tick, which comes at once: calls under way are given up, effects so far stay."""
        self._cancelled = True
        self.context.wake.set()

    def tick(self) -> bool:
        """One tick. Returns whether the plan has ended, be it that a limit stopped it."""
        if self.ended:
            return True
        cause = self._exceeded()
        if cause is None:
            self._ticks += 1
            self.context.begin_tick()
            try:
                with self._ticking():
                    for node in self.compiled.root.tick():
                        self._note(node)
            except Exception:  # noqa: BLE001 - whatever broke, the plan is stopped and reported
                _log.exception("plan %s broke in tick %d", self.plan.iri, self._ticks)
                cause = "internal"
        if cause is not None:
            self._stop(cause)
        self._note_stopped()
        self.ended = cause is not None or self.compiled.root.status is not Status.RUNNING
        return self.ended

    def ready(self) -> bool:
        """Whether the next tick can change anything already."""
        context = self.context
        if self.ended or self._cancelled or context.again or any(future.done() for future in context.futures):
            return True
        return any(context.state.get(iri) != seen for iri, seen in context.watched.items())

    def deadline(self) -> datetime:
        """When to tick again if nothing happens before."""
        return min((*self.context.deadlines, self._until))

    def result(self) -> Run:
        """The report; complete once it has ended."""
        success = self._cause is None and self.compiled.root.status is Status.SUCCESS
        reason, error = (None, None) if success else self._failure()
        elapsed = (self.context.clock.now() - self._began).total_seconds()
        variables = dict(self.context.variables)
        actions = tuple(self._results())
        return Run(success, self._ticks, tuple(self._nodes), actions, error, reason, variables, elapsed)

    def _exceeded(self) -> str | None:
        if self._cancelled:
            return "cancelled"
        if self._ticks >= self._most_ticks:
            return "tick_limit"
        return "time_limit" if self._ticks and self.context.clock.now() >= self._until else None

    def _stop(self, cause: str) -> None:
        self._cause = cause
        with self.context.stopping(cause):
            self.compiled.root.stop(Status.INVALID)

    def _note(self, node: Behaviour) -> None:
        """Records changes of a node: that it starts to run, and each time that it ends."""
        if node.status is Status.RUNNING:
            if node in self._running:
                return
            self._running.add(node)
        else:
            self._running.discard(node)
            path = self.compiled.places[node][0]
            (self._succeeded.add if node.status is Status.SUCCESS else self._succeeded.discard)(path)
        self._tell(node, node.status.value.lower())

    def _note_stopped(self) -> None:
        for node in [node for node in self._running if node.status is not Status.RUNNING]:
            self._running.discard(node)
            self._tell(node, "stopped")

    def _tell(self, node: Behaviour, status: str) -> None:
        path, kind = self.compiled.places[node]
        event = NodeEvent(self._ticks, path, kind, node.name, status, node.feedback_message)
        self._nodes.append(event)
        if self._on_event is not None:
            try:
                self._on_event(event)
            except Exception:  # noqa: BLE001 - a listener does not stop a plan half-way
                _log.exception("a listener to plan %s broke", self.plan.iri)

    def _failure(self) -> tuple[str, str]:
        """The reason and sentence of a failure: the cause of a stop, else the first action that failed, else the last
        leaf that did."""
        if self._cause is not None:
            reason, words = CAUSES[self._cause]
            return reason, f"The plan was stopped, because {words}."
        leaves = [node for node in self.compiled.places if isinstance(node, Leaf) and node.reason is not None]
        actions = [leaf for leaf in leaves if isinstance(leaf, ActionLeaf) and leaf.outcome == "failed"]
        told = actions[0] if actions else leaves[-1] if leaves else None
        if told is None or told.reason is None:
            return "condition_false", "A condition of the plan does not hold."
        return told.reason, told.feedback_message

    def _results(self) -> Iterator[ActionResult]:
        leaves = {id(leaf.step): (path, leaf) for path, leaf in self.compiled.actions.items() if leaf.step is not None}
        for step in self.plan.steps:
            path, leaf = leaves.get(id(step), ("", None))
            yield self._of_leaf(path, leaf) if leaf is not None else _of_loose(step)
        for path, leaf in self.compiled.actions.items():
            if leaf.step is None:
                yield self._of_leaf(path, leaf)

    def _of_leaf(self, path: str, leaf: ActionLeaf) -> ActionResult:
        step = leaf.step or Step("", "", leaf.affordance, "", "POST", leaf.template)
        outcome, message = leaf.outcome, leaf.feedback_message
        if outcome is None:
            so = step.already or any(check in self._succeeded for check in self.compiled.passed_by[path])
            outcome, message = ("already", "") if so else ("skipped", "It was not reached.")
        payload = leaf.payload if leaf.outcome is not None else step.payload
        target, method = leaf.target or step.target, leaf.method or step.method
        reason = leaf.reason if outcome == "failed" else None
        about = (step.intent, step.thing, leaf.affordance, target, method, payload)
        return ActionResult(*about, outcome, message, reason, leaf.output)


def _of_loose(step: Step) -> ActionResult:
    outcome, message = ("already", "") if step.already else ("skipped", "The plan has no node for it.")
    return ActionResult(
        step.intent, step.thing, step.affordance, step.target, step.method, step.payload, outcome, message
    )


def rest(executions: Sequence[Execution], wake: Event) -> None:
    """Returns when at least one of `executions` has a reason to be ticked. They share `wake` and a clock.

    Clear `wake` before the tick and not after it, or events in between are missed.
    """
    if any(execution.ready() for execution in executions):
        return
    clock = executions[0].context.clock
    deadline = min(execution.deadline() for execution in executions)
    if isinstance(clock, SimulatedClock):
        _move(clock, deadline, wake, called=any(execution.context.futures for execution in executions))
    else:
        _sleep(clock, deadline, wake, executions)


def _move(clock: SimulatedClock, deadline: datetime, wake: Event, *, called: bool) -> None:
    """Moves the clock to the earlier of its next pending call and the deadline.

    Where the clock has nothing to do, a call under way is not a simulated one, or hangs: it gets its grace.
    """
    due = clock.next_deadline()
    if due is None and called and wake.wait(GRACE):
        return
    clock.advance_to(deadline if due is None else min(due, deadline))


def _sleep(clock: Clock, deadline: datetime, wake: Event, executions: Sequence[Execution]) -> None:
    watching = any(execution.context.watched for execution in executions)
    while (left := (deadline - clock.now()).total_seconds()) > 0:
        if wake.wait(min(left, LOOK) if watching else left):
            return
        if watching and any(execution.ready() for execution in executions):
            return


class Runner:
    """One thread that ticks all plans handed to it; it is started with the first and ends with `close`."""

    def __init__(self) -> None:
        self._wake = Event()
        self._lock = Lock()
        self._waiting: list[tuple[Execution, Future[Run]]] = []
        self._under_way: list[tuple[Execution, Future[Run]]] = []
        self._thread: Thread | None = None
        self._closed = False

    def submit(self, execution: Execution) -> Future[Run]:
        """Hands a plan over; the future has its Run. `execution.cancel()` stops it. RuntimeError after `close`."""
        future: Future[Run] = Future()
        future.set_running_or_notify_cancel()
        execution.context.wake = self._wake
        with self._lock:
            if self._closed:
                raise RuntimeError("the runner is closed")
            self._waiting.append((execution, future))
            if self._thread is None:
                self._thread = Thread(target=self._loop, name="hearthgraph-runner", daemon=True)
                self._thread.start()
        self._wake.set()
        return future

    def close(self) -> None:
        """Cancels running plans, reports them, and ends the thread."""
        with self._lock:
            self._closed = True
            thread = self._thread
        self._wake.set()
        if thread is not None:
            thread.join()

    def _loop(self) -> None:
        while True:
            self._wake.clear()
            with self._lock:
                closed, new, self._waiting = self._closed, self._waiting, []
            self._under_way += new
            for execution, _ in self._under_way if closed else ():
                execution.cancel()
            self._under_way = [pair for pair in self._under_way if not _tick(*pair)]
            if closed and not self._under_way:
                return
            if self._under_way:
                rest([execution for execution, _ in self._under_way], self._wake)
            else:
                self._wake.wait()


def _tick(execution: Execution, future: Future[Run]) -> bool:
    if not execution.tick():
        return False
    with suppress(Exception):
        future.set_result(execution.result())
    return True
