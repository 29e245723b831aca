"""A binding without devices: effects take place at once, and the sensors of the room follow."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from typing import Literal

from engine.environment.binding import Call, Operation
from engine.environment.clock import Clock
from engine.environment.effects import assign
from engine.environment.simulation.course import Course, Elevation
from engine.environment.simulation.influences import Influences
from engine.environment.state import State
from engine.environment.values.schemas import validate
from engine.errors import BindingError, HearthgraphError
from engine.graph.terms import Json
from engine.things.registry import Registry

Fault = Literal["fail", "unavailable", "ignore", "slow", "hang"]
"""What can be wrong with an affordance: it reports a failure, cannot be reached, answers but does nothing, answers
after SLOW seconds, never answers."""

SLOW = 5.0


class SimulatedBinding:
    """Devices that change by `effects.assign`. `faults` maps affordances, by IRI, to simulated faults.

    A table that is changed later counts from then on. The change of a variable shows in its sensors in the same write,
    but for those (by IRI) that are `gradual`: they follow in time (`environment.simulation.course`).
    """

    def __init__(
        self,
        registry: Registry,
        state: State,
        clock: Clock,
        faults: Mapping[str, Fault] | None = None,
    ) -> None:
        self._registry = registry
        self._state = state
        self._clock = clock
        self._faults = {} if faults is None else faults
        self._lock = threading.Lock()
        self._influences = Influences(state.store, registry)
        self.gradual: frozenset[str] = frozenset()
        self._operations: dict[Operation, Callable[[Call], Json]] = {
            Operation.INVOKE: self._invoke,
            Operation.READ: self._read,
            Operation.WRITE: self._write,
        }

    def course(self, elevation: Elevation | None) -> Course | None:
        """The course of time from now on, by how high the sun stands; None turns it off."""
        found = None if elevation is None else Course(self._registry, self._state, self._clock.now(), elevation)
        self.gradual = frozenset() if found is None else found.gradual
        return found

    def start(self, call: Call) -> Future[Json]:
        """Carries a call out at once, unless a fault has it otherwise. The future has the answer that a device would
        give.

        ValueFault for an input that the schema does not allow, BindingError for all else: `binding.Binding.start`.
        """
        future: Future[Json] = Future()
        fault = self._faults.get(call.affordance)
        if fault == "slow":
            self._clock.call_later(SLOW, lambda: self._finish(future, call))
        elif fault != "hang":
            self._finish(future, call)
        return future

    def _finish(self, future: Future[Json], call: Call) -> None:
        if not future.set_running_or_notify_cancel():
            return
        try:
            future.set_result(self._answer(call))
        except HearthgraphError as error:
            future.set_exception(error)

    def _answer(self, call: Call) -> Json:
        fault = self._faults.get(call.affordance)
        if fault == "fail":
            raise BindingError("The device reported a failure.")
        if fault == "unavailable":
            raise BindingError("The device cannot be reached.", reason="unavailable")
        if fault == "ignore":
            return None
        with self._lock:
            return self._operations[call.operation](call)

    def _invoke(self, call: Call) -> Json:
        action = self._registry.actions.get(call.affordance)
        if action is None:
            raise BindingError(f"There is no action <{call.affordance}>.", reason="no_such_command")
        validate(call.payload, action.input, action.name)
        thing = self._registry.thing_of[action.iri]
        self._store_all(assign(action, call.payload, thing, self._state, self._registry.vocabulary))
        return None

    def _read(self, call: Call) -> Json:
        if call.affordance not in self._registry.properties:
            raise BindingError(f"There is no property <{call.affordance}>.", reason="no_such_property")
        if call.affordance not in self._state:
            raise BindingError("Its value is not known.", reason="unknown_state")
        return self._state[call.affordance]

    def _write(self, call: Call) -> Json:
        prop = self._registry.properties.get(call.affordance)
        if prop is None:
            raise BindingError(f"There is no property <{call.affordance}>.", reason="no_such_property")
        if prop.schema.read_only:
            raise BindingError(f'"{prop.name}" can only be read.', reason="no_such_command")
        validate(call.payload, prop.schema, prop.name)
        self._store_all({prop.iri: call.payload})
        return None

    def _store_all(self, changes: Mapping[str, Json]) -> None:
        felt = self._influences.consequences(self._state, changes, self._clock.now())
        at_once = {iri: value for iri, value in felt.items() if iri not in self.gradual}
        self._state.write({**at_once, **changes})
