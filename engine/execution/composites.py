"""The inner nodes of a tree that go beyond py_trees: parallels that let the others finish, waits on the run's clock."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

from py_trees.behaviour import Behaviour
from py_trees.common import Status
from py_trees.composites import Composite
from py_trees.decorators import Decorator

from engine.execution.behaviours import NEVER, Calling, RunContext
from engine.graph.terms import Json

ENDED = (Status.SUCCESS, Status.FAILURE)


class WaitUntil(Decorator):
    """`wait_until … child`: asks its child again until it succeeds.

    It asks when a property that the child compares changes in the state, and, for devices that do not tell of changes,
    also by itself: after a second, then after ever longer pauses up to a minute.
    """

    LONGEST_PAUSE = 60.0

    def __init__(self, name: str, child: Behaviour, context: RunContext) -> None:
        super().__init__(name, child)
        self.context = context
        self.compared = tuple(n.affordance for n in child.iterate() if isinstance(n, Calling))
        self.pause = 0.5
        self.ask_at = NEVER
        self.seen: dict[str, Json] = {}

    def tick(self) -> Iterator[Behaviour]:
        """As a decorator ticks, but the child is left alone until there is a reason to ask."""
        if self.decorated.status is not Status.RUNNING or self.status is not Status.RUNNING:
            present = {iri: self.context.state.get(iri) for iri in self.compared}
            changed, self.seen = present != self.seen, present
            if self.status is Status.RUNNING and not changed and self.context.clock.now() < self.ask_at:
                self.enter()
                yield self
                return
            self.pause = 1.0 if changed else min(self.pause * 2, self.LONGEST_PAUSE)
        yield from super().tick()

    def update(self) -> Status:
        if self.decorated.status is not Status.FAILURE:
            return self.decorated.status
        self.ask_at = self.context.clock.now() + timedelta(seconds=self.pause)
        self.enter()
        return Status.RUNNING

    def enter(self) -> None:
        self.context.deadlines.append(self.ask_at)
        self.context.watched.update(self.seen)


class Retry(Decorator):
    """`retry`: begins the child anew when it fails, so many times in all."""

    def __init__(self, name: str, child: Behaviour, attempts: int, context: RunContext) -> None:
        super().__init__(name, child)
        self.context = context
        self.attempts = attempts
        self.failures = 0

    def initialise(self) -> None:
        self.failures = 0

    def update(self) -> Status:
        if self.decorated.status is not Status.FAILURE:
            return self.decorated.status
        self.failures += 1
        if self.failures >= self.attempts:
            return Status.FAILURE
        self.context.again = True
        return Status.RUNNING


class Timeout(Decorator):
    """`timeout`: stops the child and fails when its time is up, by the clock of the run."""

    def __init__(self, name: str, child: Behaviour, seconds: float, context: RunContext) -> None:
        super().__init__(name, child)
        self.context = context
        self.seconds = seconds
        self.deadline = NEVER

    def initialise(self) -> None:
        self.deadline = self.context.clock.now() + timedelta(seconds=self.seconds)

    def update(self) -> Status:
        if self.decorated.status is not Status.RUNNING:
            return self.decorated.status
        if self.context.clock.now() < self.deadline:
            self.context.deadlines.append(self.deadline)
            return Status.RUNNING
        with self.context.stopping("timeout"):
            self.decorated.stop(Status.INVALID)
        return Status.FAILURE


class Together(Composite):
    """`parallel` where a child that fails does not stop the others, as it would in py_trees' Parallel.

    With `first` the first success ends it (`success_on_one`); without, every child runs to its end, and it succeeds if
    all did (`complete_all`).
    """

    def __init__(self, name: str, children: list[Behaviour], context: RunContext, *, first: bool) -> None:
        super().__init__(name, children)
        self.context = context
        self.first = first

    def tick(self) -> Iterator[Behaviour]:
        if self.status is not Status.RUNNING:
            for child in self.children:
                if child.status is not Status.INVALID:
                    child.stop(Status.INVALID)
            self.initialise()
        for child in self.children:
            if child.status not in ENDED:
                yield from child.tick()
        self.current_child = self.children[-1]
        status = self.verdict()
        if status is Status.RUNNING:
            self.status = status
        else:
            self.end(status)
        yield self

    def verdict(self) -> Status:
        found = [child.status for child in self.children]
        if self.first and Status.SUCCESS in found:
            return Status.SUCCESS
        if any(status not in ENDED for status in found):
            return Status.RUNNING
        return Status.FAILURE if Status.FAILURE in found else Status.SUCCESS

    def end(self, status: Status) -> None:
        with self.context.stopping("not_needed"):
            for child in self.children:
                if child.status is Status.RUNNING:
                    child.stop(Status.INVALID)
        self.stop(status)
