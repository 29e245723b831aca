"""Agents' tokens: one for each agent, with its scopes and rooms."""

from __future__ import annotations

import json
import secrets
import threading
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256
from hmac import compare_digest
from pathlib import Path
from typing import Any

from engine.errors import HearthgraphError, InputError
from server.keys import Keys, write_secret
from server.rates import Window

READ, ASK, ACT, CONSENT = "read", "ask", "act", "consent"
SCOPES = (READ, ASK, ACT, CONSENT)
"""What an agent may do: see the home, ask in words, have them done, consent to what people would regret."""
CALLS = 20
"""How many calls a second an agent may make."""
MOST = 200
TAKEN = frozenset(("owner", "stranger"))
"""What those are called who have no token of their own: an agent of such a name would have what is theirs."""


class NoToken(HearthgraphError):
    """A stranger where a token is asked for, or a token that is nobody's."""

    reason = "no_token"


class TooManyCalls(HearthgraphError):
    """More calls of one agent than it may make."""

    reason = "too_many"


class OutOfScope(HearthgraphError):
    """An agent that may not do that."""

    reason = "out_of_scope"


@dataclass(frozen=True, slots=True)
class Caller:
    """Who calls. `rooms` are the places within which it may act; None is everywhere."""

    name: str
    scopes: frozenset[str]
    rooms: frozenset[str] | None = None
    stranger: bool = False

    def need(self, scope: str) -> None:
        """Raises NoToken, OutOfScope where this may not be done."""
        if scope in self.scopes:
            return
        if self.stranger:
            raise NoToken("This needs a token.", remedy="Send it as Authorization: Bearer <token>.")
        raise OutOfScope(f"Your token does not let you {scope}.", remedy="Ask who runs the home for another one.")


STRANGER = Caller("stranger", frozenset((READ,)), frozenset(), stranger=True)
NOBODY = Caller("stranger", frozenset(), frozenset(), stranger=True)


def owner(name: str = "owner") -> Caller:
    """Who has the token of the house: may do everything."""
    return Caller(name, frozenset(SCOPES))


class Tokens:
    """The tokens of agents, kept as hashes in a file of the server's own. It may be shared between threads."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._calls = Window(CALLS, 1.0)
        self._known: dict[str, dict[str, Any]] = _read(path)

    def issue(self, name: str, scopes: Iterable[str], rooms: Iterable[str] | None = None) -> str:
        """A new token for an agent, told this once; its former one is no longer valid. Raises InputError."""
        wanted = list(dict.fromkeys(scopes))
        if name.strip().casefold() in TAKEN:
            raise InputError(f"{name} is who has no name here.", remedy="Take another name.", reason="name_taken")
        if not wanted or set(wanted) - set(SCOPES):
            raise InputError(f"Scopes are some of {', '.join(SCOPES)}.", remedy="Name at least one.")
        token = secrets.token_urlsafe(32)
        about = {"hash": _hash(token), "scopes": wanted, "rooms": None if rooms is None else sorted(rooms)}
        with self._lock:
            if name not in self._known and len(self._known) >= MOST:
                raise InputError("There are too many tokens.", remedy="Revoke one.", reason="limit_reached")
            self._write({**self._known, name: about})
        return token

    def revoke(self, name: str) -> None:
        """The token of an agent is good no more. Raises InputError (no_such_agent)."""
        with self._lock:
            if name not in self._known:
                raise InputError(f"{name[:64]} has no token.", remedy="Ask who has.", reason="no_such_agent")
            self._write({key: about for key, about in self._known.items() if key != name})

    def of(self, token: str) -> Caller | None:
        """Whose token this is; None where it is nobody's. Raises TooManyCalls for more calls than an agent may make."""
        found = self._whose(token)
        if found is None:
            return None
        if not self._calls.hit(found[0]):
            raise TooManyCalls("Too many calls.", remedy="Wait a second.")
        rooms = found[1]["rooms"]
        return Caller(found[0], frozenset(found[1]["scopes"]), None if rooms is None else frozenset(rooms))

    def knows(self, token: str) -> bool:
        """Whether this is anybody's token."""
        return self._whose(token) is not None

    def _whose(self, token: str) -> tuple[str, dict[str, Any]] | None:
        given = _hash(token)
        found = None
        for name, about in self._known.items():
            if compare_digest(given, str(about["hash"])):
                found = (name, about)
        return found

    def all(self) -> dict[str, dict[str, Any]]:
        """The scopes and rooms of each agent that has a token; never the tokens."""
        return {name: {"scopes": one["scopes"], "rooms": one["rooms"]} for name, one in self._known.items()}

    def _write(self, known: dict[str, dict[str, Any]]) -> None:
        write_secret(self._path, json.dumps(known))
        self._known = known


def caller(token: str | None, keys: Keys, tokens: Tokens, *, open_to_read: bool) -> Caller:
    """Whose token this is. One that is nobody's is refused, so that nobody takes it for a good one.

    Raises NoToken, TooManyCalls."""
    if token is None:
        return STRANGER if open_to_read else NOBODY
    if keys.opens(token):
        return owner()
    found = tokens.of(token)
    if found is None:
        raise NoToken("That token is not good here.", remedy="Ask who runs the home for one.")
    return found


def _hash(token: str) -> str:
    return sha256(token.encode("utf-8", "replace")).hexdigest()


def _read(path: Path) -> dict[str, dict[str, Any]]:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}
