"""The hands of a home: each call goes to the binding of its form's scheme, or to the simulation."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import Future
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from engine.environment.binding import Binding, Call, Moving
from engine.environment.state import State
from engine.errors import BindingError
from engine.graph.terms import Json
from engine.model.thing import Action, Form, Property, Thing
from engine.settings import Settings
from engine.things.registry import Registry

if TYPE_CHECKING:
    from engine.environment.http.binding import HttpBinding

SIMULATED = frozenset(("", "urn"))
"""The schemes of targets behind which there is no device."""
ABOVE = frozenset(("mcp", "a2a", "utcp"))
"""Protocols above HTTP that have a binding of their own; a form names one as its subprotocol."""


class Hands:
    """Sends a call to the first binding of `schemes` that has one of the affordance's forms, in their order.

    An affordance without a form, or with a relative one, or a urn:, is simulated by `otherwise`; a scheme without a
    binding is refused.
    """

    def __init__(self, registry: Registry, schemes: Mapping[str, Binding], otherwise: Binding) -> None:
        self._registry = registry
        self._schemes = dict(schemes)
        self._otherwise = otherwise

    def start(self, call: Call) -> Future[Json]:
        """As `Binding.start`; the future has a BindingError (no_usable_form) where no binding knows the scheme."""
        thing = self._registry.thing_of.get(call.affordance)
        found = self._registry.properties.get(call.affordance) or self._registry.actions.get(call.affordance)
        if thing is None or found is None:
            return self._otherwise.start(call)
        schemes = _schemes(found, thing)
        for scheme in schemes:
            if scheme in self._schemes:
                return self._schemes[scheme].start(call)
        if not schemes or schemes.keys() & (SIMULATED | ABOVE):
            return self._otherwise.start(call)
        return _refused(f'"{found.name}" has no form that can be used, only {", ".join(sorted(schemes))}.')

    def under_way(self, affordance: str) -> bool:
        """As `Moving.under_way`, asked of the binding that has one of the property's forms."""
        thing, found = self._registry.thing_of.get(affordance), self._registry.properties.get(affordance)
        if thing is None or found is None:
            return False
        bindings: list[object] = [self._schemes.get(scheme) for scheme in _schemes(found, thing)]
        return any(isinstance(one, Moving) and one.under_way(affordance) for one in bindings)


def live_binding(registry: Registry, state: State, settings: Settings) -> HttpBinding:
    """The binding for real devices, within the settings. To be closed. Raises SettingError for the credentials file."""
    from engine.environment.http.addresses import Hosts
    from engine.environment.http.binding import HttpBinding
    from engine.environment.http.credentials import Credentials
    from engine.environment.http.exchange import Limits

    return HttpBinding(
        registry,
        state,
        Hosts(settings.allowed_hosts),
        Credentials.load(settings.credentials_file),
        Limits(settings.device_seconds, settings.device_bytes),
    )


def hands(
    registry: Registry,
    simulated: Binding,
    http: HttpBinding | None = None,
    others: Mapping[str, Binding] | None = None,
) -> Binding:
    """The binding of a home: everything simulated, or with `http` (see `live_binding`) affordances with a form for it
    real.

    `others` are bindings for schemes besides.
    """
    return simulated if http is None else Hands(registry, {"http": http, "https": http, **(others or {})}, simulated)


def _schemes(affordance: Property | Action, thing: Thing) -> dict[str, None]:
    return dict.fromkeys(_scheme(form, thing) for form in affordance.forms)


def _scheme(form: Form, thing: Thing) -> str:
    """The scheme by which a form is served: the protocol above HTTP that it names, else the scheme of its target."""
    if form.subprotocol in ABOVE:
        return form.subprotocol
    target = form.target.partition("{")[0]
    return (urlsplit(target).scheme or urlsplit(thing.base or "").scheme).lower()


def _refused(message: str) -> Future[Json]:
    future: Future[Json] = Future()
    future.set_exception(BindingError(message, reason="no_usable_form"))
    return future
