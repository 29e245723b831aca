"""Access control: tokens and sessions, rates of calls, and the names of the server."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Mapping
from functools import lru_cache, wraps
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import Any, TypeVar, cast
from urllib.parse import urlsplit

from flask import Flask, request, session
from flask_wtf.csrf import CSRFError, CSRFProtect, generate_csrf
from werkzeug.datastructures import Authorization
from werkzeug.wrappers import Response

from engine.errors import HearthgraphError
from engine.settings import Settings
from server.listener import Connection, came_by
from server.rates import Window
from server.service import EXTENSION, Service, service

SIGNED_IN = "signed_in"
CYTOSCAPE = "'sha256-pgvDUBa4IjFA2yuSJ2cqcyxmNYJMborsd0ORcRv9vw8='"
"""The one style sheet that the drawing of graphs puts into its page."""
POLICY = (
    f"default-src 'none'; script-src 'self'; style-src 'self' {CYTOSCAPE}; img-src 'self' data:; connect-src 'self'; "
    "font-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
EDITOR_POLICY = POLICY.replace(CYTOSCAPE, "'unsafe-inline'")
"""That of the page with the SPARQL editor, which sets styles on its elements; scripts stay this server's own."""
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
SIGN_INS = 10
"""How often an address may try to sign in, a minute."""
FOR_ALL = frozenset(
    ("static", "status.health", "status.ready", "pages_signing.sign_in", "callbacks.verify", "callbacks.deliver")
)
"""What strangers may call where reading is the household's: who calls the last two has been given a secret address."""
WHOLE = ("PUT", "/dump")
"""The call that brings a whole home."""
AGENTS = "agents_"
"""What agents call with tokens of their own, which is asked for there: strangers get nothing of it either."""
_View = TypeVar("_View", bound=Callable[..., Any])


class NotAllowed(HearthgraphError):
    """Writing without the token."""

    reason = "no_token"


class Forged(HearthgraphError):
    """A form that this server did not make, or not for this session."""

    reason = "forged"


class TooMany(HearthgraphError):
    """More calls, or more open streams, than the settings allow."""

    reason = "too_many"


class WrongName(HearthgraphError):
    """A name that this server is not called by."""

    reason = "wrong_host"


csrf = CSRFProtect()


def authorised() -> bool:
    """Whether the present call may write: it has the token, or comes from a page that is signed in (whose form this
    server made: raises Forged otherwise)."""
    given = shown()
    if given is not None and given.type == "bearer":
        return service().keys.opens(given.token)
    if not session.get(SIGNED_IN):
        return False
    if request.method in ("GET", "HEAD"):
        return True
    try:
        csrf.protect()
    except CSRFError as error:
        raise _forged() from error
    return True


def shown() -> Authorization | None:
    """The credentials of the call; None where they cannot be read."""
    try:
        return request.authorization
    except ValueError:
        return None


def household() -> bool:
    """Whether whoever calls has the token or is signed in, which is all that reading asks."""
    given = shown()
    if given is not None and given.type == "bearer":
        return service().keys.opens(given.token)
    return bool(session.get(SIGNED_IN))


def recognising(app: Flask) -> Callable[[Mapping[str, str]], bool]:
    """What says of the headers of a call, before it is answered, whether they are the household's, or an agent's."""
    served: Service = app.extensions[EXTENSION]

    @lru_cache(maxsize=64)
    def signed_in(cookie: str) -> bool:
        found = app.session_interface.open_session(app, app.request_class({"HTTP_COOKIE": cookie}))
        return bool(found and found.get(SIGNED_IN))

    def recognised(headers: Mapping[str, str]) -> bool:
        kind, _, token = headers.get("AUTHORIZATION", "").partition(" ")
        if kind:
            token = token.strip()
            return kind.lower() == "bearer" and (served.keys.opens(token) or served.agents.tokens.knows(token))
        cookie = headers.get("COOKIE")
        return cookie is not None and signed_in(cookie)

    return recognised


def admitting(app: Flask) -> Callable[[str, str, Mapping[str, str]], int]:
    """What says how large the body of a call may be by its head, before any of it is here: a home as a whole for
    whoever has the token, 0 where nothing is said."""
    served: Service = app.extensions[EXTENSION]

    def admitted(method: str, path: str, headers: Mapping[str, str]) -> int:
        if (method, path) != WHOLE:
            return 0
        kind, _, token = headers.get("AUTHORIZATION", "").partition(" ")
        return served.settings.dump_bytes if kind.lower() == "bearer" and served.keys.opens(token.strip()) else 0

    return admitted


def _forged() -> Forged:
    return Forged("This form is not valid any more.", remedy="Load the page again.")


def writing(view: _View) -> _View:
    """Lets a view be called only by whoever may write. Raises NotAllowed, Forged."""

    @wraps(view)
    def guarded(*args: Any, **values: Any) -> Any:
        if not authorised():
            raise NotAllowed("This needs the token for writing.", remedy="Send it as Authorization: Bearer <token>.")
        return view(*args, **values)

    return cast(_View, guarded)


class Streams:
    """Counts the streams of events that are open; strangers may have all but a quarter of them."""

    def __init__(self, most: int) -> None:
        self._lock = threading.Lock()
        self._most, self._of_strangers = most, most - max(1, most // 4) if most > 1 else most
        self._open: Counter[bool] = Counter()

    def enter(self, *, known: bool) -> None:
        """A stream begins. Raises TooMany for one too many."""
        with self._lock:
            if self._open.total() >= self._most or not (known or self._open[False] < self._of_strangers):
                raise TooMany("Too many streams are open.", remedy="Close one, or ask without a stream.")
            self._open[known] += 1

    def leave(self, *, known: bool) -> None:
        """A stream has ended."""
        with self._lock:
            self._open[known] -= 1


class Rates:
    """How often one address may call."""

    def __init__(self, settings: Settings) -> None:
        self._calls = Window(settings.calls_per_second, 1.0)
        self._sign_ins = Window(SIGN_INS, 60.0)

    def check(self) -> None:
        """Counts the present call; strangers use up nothing of the household's. Raises TooMany."""
        connection = came_by()
        whose = "known" if connection is not None and connection.turn.known else "strangers"
        if not self._calls.hit(f"{whose} {request.remote_addr or ''}"):
            raise TooMany("Too many calls.", remedy="Wait a second.")

    def check_sign_in(self) -> None:
        """Counts an attempt to sign in. Raises TooMany."""
        if not self._sign_ins.hit(request.remote_addr or ""):
            raise TooMany("Too many attempts.", remedy="Wait a minute.")


def install(app: Flask, settings: Settings) -> None:
    """Has every call checked and every answer sent with the headers that keep pages apart."""
    csrf.init_app(app)
    rates = Rates(settings)
    app.extensions["hearthgraph-rates"] = rates
    app.extensions["hearthgraph-streams"] = Streams(settings.open_streams)
    reading_open = settings.reading_open
    names = {"localhost", settings.host.lower(), *(name.lower() for name in settings.server_names)}
    names |= {urlsplit(settings.public_url).hostname or ""} if settings.public_url else set()

    @app.before_request
    def _checked() -> None:
        connection = came_by()
        _check_name(names, connection)
        rates.check()
        if connection is not None and not connection.known and ("Authorization" in request.headers or request.cookies):
            connection.known = household()
        _check_site()
        if not reading_open:
            _check_reader()

    @app.after_request
    def _sealed(response: Response) -> Response:
        own = {name.lower() for name, _ in response.headers}
        response.headers.extend([(name, value) for name, value in HEADERS.items() if name.lower() not in own])
        return response

    app.jinja_env.globals["csrf_token"] = generate_csrf


def _check_name(names: set[str], connection: Connection | None) -> None:
    """Raises WrongName for another host name than the server's: such names lead here only where somebody has rebound
    them, to read the home's data (DNS rebinding). An address is a name of this server where the call came to it."""
    host = _host(request.host)
    if host in names or (host is not None and connection is not None and _same_address(host, connection.local)):
        return
    raise WrongName("This server is not called by that name.", remedy="Put the name into HEARTHGRAPH_SERVER_NAMES.")


def _check_site() -> None:
    """A browser says whether a page of another site has it call. Such a page may lead people to our pages, and nothing
    else: it could have the home work for it, even where it cannot read the answer. Raises Forged."""
    if request.headers.get("Sec-Fetch-Site", "none") in ("none", "same-origin") or _bearer():
        return
    leads = request.method == "GET" and request.headers.get("Sec-Fetch-Mode") == "navigate"
    if not (leads and (request.blueprint or "").startswith("pages")):
        raise Forged("Pages of other sites may not call this server.", remedy="Send the token.")


def _bearer() -> bool:
    given = shown()
    return given is not None and given.type == "bearer" and service().keys.opens(given.token)


def _check_reader() -> None:
    """Raises NotAllowed for whoever may not read, where that is not everybody."""
    if request.endpoint in FOR_ALL or (request.blueprint or "").startswith(AGENTS) or household():
        return
    raise NotAllowed("This home is read by its household alone.", remedy="Sign in, or send the token.")


@lru_cache(maxsize=64)
def _host(given: str) -> str | None:
    try:
        return (urlsplit(f"//{given}").hostname or "").lower()
    except ValueError:
        return None


@lru_cache(maxsize=64)
def _same_address(host: str, other: str) -> bool:
    """Whether both are one address; all of this machine's own to itself are."""
    try:
        found, own = ip_address(host), _plain(other)
    except ValueError:
        return False
    return found == own or (found.is_loopback and own.is_loopback)


def _plain(address: str) -> IPv4Address | IPv6Address:
    """An address without its scope; an IPv4 address mapped into IPv6 as IPv4."""
    found = ip_address(address.partition("%")[0])
    return (found.ipv4_mapped or found) if isinstance(found, IPv6Address) else found
