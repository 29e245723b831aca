"""Who may do what, how often, and under which name the server is called."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import lru_cache, wraps
from ipaddress import ip_address
from typing import Any, TypeVar, cast
from urllib.parse import urlsplit

from flask import Flask, request, session
from flask_wtf.csrf import CSRFError, CSRFProtect, generate_csrf
from werkzeug.wrappers import Response

from engine.errors import HearthgraphError
from engine.settings import Settings
from server.rates import Window
from server.service import service

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
    given = request.authorization
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


def household() -> bool:
    """Whether whoever calls has the token or is signed in, which is all that reading asks."""
    given = request.authorization
    if given is not None and given.type == "bearer":
        return service().keys.opens(given.token)
    return bool(session.get(SIGNED_IN))


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
    """Counts the streams of events that are open. Raises TooMany for one too many."""

    def __init__(self, most: int) -> None:
        self._free = threading.Semaphore(most)

    def enter(self) -> None:
        """A stream begins."""
        if not self._free.acquire(blocking=False):
            raise TooMany("Too many streams are open.", remedy="Close one, or ask without a stream.")

    def leave(self) -> None:
        """A stream has ended."""
        self._free.release()


class Rates:
    """How often one address may call."""

    def __init__(self, settings: Settings) -> None:
        self._calls = Window(settings.calls_per_second, 1.0)
        self._sign_ins = Window(SIGN_INS, 60.0)

    def check(self) -> None:
        """Counts the present call. Raises TooMany."""
        if not self._calls.hit(request.remote_addr or ""):
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
        _check_name(names)
        rates.check()
        _check_site()
        if not reading_open:
            _check_reader()

    @app.after_request
    def _sealed(response: Response) -> Response:
        own = {name.lower() for name, _ in response.headers}
        response.headers.extend([(name, value) for name, value in HEADERS.items() if name.lower() not in own])
        return response

    app.jinja_env.globals["csrf_token"] = generate_csrf


def _check_name(names: set[str]) -> None:
    """Other names lead here only where somebody has bent them, to read what the home says (DNS rebinding)."""
    host = _host(request.host)
    if host is None or not (host in names or _is_address(host)):
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
    given = request.authorization
    return given is not None and given.type == "bearer" and service().keys.opens(given.token)


def _check_reader() -> None:
    """Raises NotAllowed for whoever may not read, where that is not everybody."""
    if request.endpoint in FOR_ALL or household():
        return
    raise NotAllowed("This home is read by its household alone.", remedy="Sign in, or send the token.")


@lru_cache(maxsize=64)
def _host(given: str) -> str | None:
    try:
        return (urlsplit(f"//{given}").hostname or "").lower()
    except ValueError:
        return None


@lru_cache(maxsize=64)
def _is_address(host: str) -> bool:
    try:
        return bool(ip_address(host))
    except ValueError:
        return False
