"""Which form of an affordance is used for an operation, and the request that it makes of a payload."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from urllib.parse import urljoin, urlsplit

import httpx

from engine.environment.http.addresses import Hosts, place_of
from engine.environment.http.content import rank, write
from engine.environment.http.credentials import NO_SECURITY, Credentials, Scheme, Secrets
from engine.environment.http.exchange import SAFE
from engine.environment.http.requests import HttpRequest
from engine.environment.http.templates import expand_template, variables_of
from engine.environment.values.schemas import validate
from engine.errors import BindingError
from engine.graph.terms import Json, expand
from engine.model.thing import Action, Event, Form, Property, Schema, Thing

METHODS = {
    expand("td:readProperty"): "GET",
    expand("td:writeProperty"): "PUT",
    expand("td:invokeAction"): "POST",
    expand("td:observeProperty"): "GET",
    expand("td:subscribeEvent"): "GET",
    expand("td:readAllProperties"): "GET",
}
"""The operations that are performed, with the method of each where the form names none (TD 1.1, section 8.3.1)."""
READ, WRITE, INVOKE, OBSERVE, SUBSCRIBE, READ_ALL = METHODS

_KNOWN_METHODS = frozenset(("GET", "PUT", "POST", "PATCH", "DELETE"))
# What a description must not set: the engine's own headers, and those that carry secrets.
_OWN = frozenset(
    (
        *("host", "connection", "content-length", "transfer-encoding", "upgrade", "te", "trailer", "accept-encoding"),
        *("authorization", "proxy-authorization", "cookie"),
    )
)


@dataclass(frozen=True, slots=True)
class Variable:
    """A variable of an affordance's addresses, with the value that it has where none is given."""

    name: str
    schema: Schema = field(default_factory=Schema)


@dataclass(frozen=True, slots=True)
class Site:
    """The context of a form: its affordance and thing, the thing's security schemes, the URI variables.

    `reach` are the places (`host:port`) to which the forms of a thing that was found elsewhere may lead.
    """

    thing: Thing
    affordance: Property | Action | Event
    schemes: Mapping[str, Scheme]
    variables: tuple[Variable, ...] = ()
    reach: frozenset[str] | None = None

    @property
    def input(self) -> Schema | None:
        """The schema of the payload."""
        if isinstance(self.affordance, Event):
            return None
        return self.affordance.schema if isinstance(self.affordance, Property) else self.affordance.input


def target_of(form: Form, thing: Thing) -> str:
    """The form's target, a URI template, against the base of its thing."""
    if urlsplit(form.target.partition("{")[0]).scheme or not thing.base:
        return form.target
    return urljoin(thing.base, form.target)


def choose(
    site: Site,
    operation: str,
    hosts: Hosts,
    credentials: Credentials,
    *,
    target: str = "",
    subprotocol: str | None = None,
) -> Form:
    """The form for an operation: the one of that `target` where there is one, else that of the content type that is
    the easiest to read, among those whose host is allowed and whose secrets are there.

    Raises BindingError: no_usable_form, or host_not_allowed or unauthorized where that is all that is wrong.
    """
    usable = [form for form in site.affordance.forms if _serves(form, site, operation, subprotocol)]
    if not usable:
        raise BindingError(f'"{site.affordance.name}" has no form that can be used.', reason="no_usable_form")
    usable.sort(key=lambda form: (bool(target) and form.target != target, rank(form.content_type)))
    refused: BindingError | None = None
    for form in usable:
        try:
            url = _url(_bare(target_of(form, site.thing)))
            hosts.check(url, site.reach)
            _secrets(site, form, url, credentials)
            return form
        except BindingError as error:
            refused = refused or error
    assert refused is not None
    raise refused


def request(site: Site, form: Form, operation: str, payload: Json, credentials: Credentials) -> HttpRequest:
    """The request of a form. Values of URI variables are taken out of the payload by their names.

    Raises ValueFault where the payload is not allowed by the schema, BindingError: missing_value, unauthorized,
    no_usable_form.
    """
    template = target_of(form, site.thing)
    values, rest = _variables(site, template, payload)
    url = _url(expand_template(template, values))
    method = _method(form, operation)
    headers = [header for header in form.headers if header[0].lower() not in _OWN]
    wanted = "text/event-stream" if form.subprotocol == "sse" else f"{form.content_type}, */*;q=0.1"
    headers.append(("Accept", wanted))
    body: bytes | None = None
    if operation in (WRITE, INVOKE):
        validate(rest, site.input, site.affordance.name)
        if site.input is not None and method not in SAFE and (operation == WRITE or rest is not None):
            body = write(rest, form.content_type, site.input, site.affordance.name.rpartition(".")[2])
            headers.append(("Content-Type", form.content_type))
    return HttpRequest(method, url, tuple(headers), body, _secrets(site, form, url, credentials), reach=site.reach)


def _serves(form: Form, site: Site, operation: str, subprotocol: str | None) -> bool:
    if form.operations:
        serves = operation in form.operations
    else:  # as TD 1.1, section 5.3.4.2 has it
        defaults = {Property: (READ, WRITE), Action: (INVOKE,), Event: (SUBSCRIBE,)}
        serves = operation in defaults[type(site.affordance)]
    method = _method(form, operation)
    return (
        serves
        and urlsplit(target_of(form, site.thing).partition("{")[0]).scheme.lower() in ("http", "https")
        and form.subprotocol == subprotocol
        and rank(form.content_type) is not None
        and method in _KNOWN_METHODS
        and (operation != WRITE or method not in SAFE)
        and (operation in (WRITE, INVOKE) or method in SAFE)
    )


def _method(form: Form, operation: str) -> str:
    return form.method.upper() if form.method else METHODS[operation]


def _bare(template: str) -> str:
    """A template up to its first variable; a host or port that is a variable is none."""
    bare, brace, _ = template.partition("{")
    if brace and bare.count("/") < 3 and not bare.endswith("?"):
        # `http://hub{/path}` and `http://hub{?query}` name their host before the brace, `http://{host}/` does not.
        following = template[len(bare) + 1 : len(bare) + 2]
        if following not in "/?#":
            raise BindingError("The device's host must not be a variable.", reason="host_not_allowed")
    return bare


def _url(text: str) -> httpx.URL:
    try:
        url = httpx.URL(text)
    except (httpx.InvalidURL, ValueError) as error:
        raise BindingError("The address of the device is not one.", reason="no_usable_form") from error
    if url.scheme not in ("http", "https") or not url.host:
        raise BindingError("The address of the device is not one of HTTP.", reason="no_usable_form")
    return url


def _variables(site: Site, template: str, payload: Json) -> tuple[dict[str, Json], Json]:
    """The values of the variables of a template, and the rest of the payload for the body."""
    declared = {variable.name: variable.schema for variable in site.variables}
    values: dict[str, Json] = {}
    rest = payload
    for name in variables_of(template):
        schema = declared.get(name, Schema())
        if isinstance(payload, dict) and name in payload:
            values[name] = payload[name]
            validate(values[name], schema, name)
            if site.input is None or site.input.member(name) is None:
                assert isinstance(rest, dict)
                rest = {key: value for key, value in rest.items() if key != name}
        else:
            values[name] = schema.const if schema.has_const else schema.default
    if rest == {} and site.input is None:
        rest = None
    return values, rest


def _secrets(site: Site, form: Form, url: httpx.URL, credentials: Credentials) -> Secrets:
    names: Iterable[str] = form.security or site.thing.security
    return _of_all(site, names, url, credentials, ())


def _of_all(
    site: Site, names: Iterable[str], url: httpx.URL, credentials: Credentials, within: tuple[str, ...]
) -> Secrets:
    """The secrets of all of these schemes together. `within` are the combos that they are parts of."""
    secrets = Secrets()
    for name in names:
        scheme = site.schemes.get(name, NO_SECURITY if name == NO_SECURITY.name else Scheme(name, "unknown"))
        if name in within or not (scheme.all_of or scheme.one_of):
            known = site.reach is None or place_of(url) in site.reach
            secrets = secrets + credentials.secrets(scheme, site.thing.iri, url, own=not known)
        elif scheme.all_of:
            secrets = secrets + _of_all(site, scheme.all_of, url, credentials, (*within, name))
        else:
            secrets = secrets + _of_one(site, scheme.one_of, url, credentials, (*within, name))
    return secrets


def _of_one(
    site: Site, names: tuple[str, ...], url: httpx.URL, credentials: Credentials, within: tuple[str, ...]
) -> Secrets:
    """The secrets of the first of these schemes for which there are any."""
    refused: BindingError | None = None
    for name in names:
        try:
            return _of_all(site, (name,), url, credentials, within)
        except BindingError as error:
            refused = refused or error
    assert refused is not None
    raise refused
