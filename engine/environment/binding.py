"""The interface to devices, whatever carries calls to them: a simulation, HTTP, a bus."""

from __future__ import annotations

from concurrent.futures import Future
from dataclasses import dataclass
from enum import Enum
from typing import Protocol, runtime_checkable

from engine.graph.terms import Json


class Operation(Enum):
    """The operations of a Thing Description that the engine performs (TD 1.1, section 5.3.4.2)."""

    INVOKE = "invoke"
    READ = "read"
    WRITE = "write"


@dataclass(frozen=True, slots=True)
class Call:
    """One request to a device. `target` and `method` are those of the chosen form, where one was chosen."""

    operation: Operation
    affordance: str
    payload: Json = None
    target: str = ""
    method: str | None = None


class Binding(Protocol):
    """The way to devices. It never blocks."""

    def start(self, call: Call) -> Future[Json]:
        """Starts a call. The future has the device's answer, or a BindingError or ValueFault with its reason.

        BindingError.reason is device_failed, unavailable, timeout, no_such_command, no_such_property or unknown_state.
        A future that is cancelled need not be carried out any more.
        """


@runtime_checkable
class Moving(Protocol):
    """A way to devices that take their time, and tell that they do."""

    def under_way(self, affordance: str) -> bool:
        """Whether the state behind a property is changing at this moment: a blind that is opening."""
