"""The Flask application without the steps of a call that no route here needs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flask import Flask, Request
from flask.sessions import SecureCookieSession, SecureCookieSessionInterface


class Sessions(SecureCookieSessionInterface):
    """Sessions of browsers. Programs bring no cookie, and nothing is made to read one."""

    def open_session(self, app: Flask, request: Request) -> SecureCookieSession | None:
        """The session that the cookie names, an empty one where there is no cookie."""
        if self.get_cookie_name(app) not in request.cookies:
            return self.session_class()
        return super().open_session(app, request)


class Application(Flask):
    """Flask, with these sessions; none of its functions is a coroutine, so that none has to be looked at for that."""

    session_interface = Sessions()

    def ensure_sync(self, func: Callable[..., Any]) -> Callable[..., Any]:
        """The function itself."""
        return func
