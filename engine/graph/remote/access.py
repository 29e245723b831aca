"""Where a SPARQL store is, and as whom it is spoken to: addresses, secrets from a file, and how long it may take."""

from __future__ import annotations

import ipaddress
import stat
import tomllib
from collections.abc import Generator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

import httpx

from engine.errors import SettingError

_KEYS = frozenset(("username", "password", "token", "method"))


@dataclass(frozen=True, slots=True)
class Secret:
    """The credentials for a server: a name and a password (HTTP basic or digest), or a bearer token."""

    username: str = ""
    password: str = field(default="", repr=False)
    token: str = field(default="", repr=False)
    method: Literal["basic", "digest"] = "basic"

    def hidden(self, text: str) -> str:
        """The text without the secret, which a server may have repeated."""
        for secret in filter(None, (self.password, self.token)):
            text = text.replace(secret, "…")
        return text

    def auth(self) -> httpx.Auth | None:
        """The httpx authentication for these credentials; None where there are none."""
        if self.token:
            return _Bearer(self.token)
        if not self.username:
            return None
        kind = httpx.DigestAuth if self.method == "digest" else httpx.BasicAuth
        return kind(self.username, self.password)


@dataclass(frozen=True, slots=True)
class Access:
    """The three endpoints of a store (SPARQL 1.1 Protocol: query, update; Graph Store Protocol: graphs).

    `seconds` are for one request; a large one gets one more for each megabyte that is sent. `mirrored`: whether the
    home's data is copied into this process, and read there.
    """

    query: str
    update: str
    graphs: str
    secret: Secret = field(default_factory=Secret, repr=False)
    seconds: float = 30.0
    mirrored: bool = True

    def __post_init__(self) -> None:
        for address in (self.query, self.update, self.graphs):
            url = httpx.URL(address)
            if self.secret.auth() is not None and url.scheme != "https" and not _is_this_machine(url.host):
                raise SettingError(
                    f"The password for the store at {url.host} would travel in the clear.",
                    remedy="Give its address with https.",
                )

    @property
    def place(self) -> str:
        """The store, for a person to read."""
        return str(httpx.URL(self.query).copy_with(query=None))


def at(
    base: str,
    *,
    query: str | None = None,
    update: str | None = None,
    graphs: str | None = None,
    secret: Secret | None = None,
    seconds: float = 30.0,
    mirrored: bool = True,
) -> Access:
    """The access to the store at `base`: its endpoints are below it (query, update, store) where they are not named.

    Raises SettingError for secrets that would travel in the clear."""
    below = base.rstrip("/")
    return Access(
        query or f"{below}/query",
        update or f"{below}/update",
        graphs or f"{below}/store",
        secret or Secret(),
        seconds,
        mirrored,
    )


def read_secret(path: Path | None) -> Secret:
    """The secret in a TOML file of its owner's alone; none for None.

    Raises SettingError where the file cannot be read, is wrong, or can be read by others than its owner.
    """
    if path is None:
        return Secret()
    try:
        if path.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO):
            raise _refused(path, "can be read by others", f"Make it your own: chmod 600 {path}")
        entries = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise _refused(path, "cannot be read", "Make it a readable file, or leave the setting out.") from error
    except ValueError:  # TOML and UTF-8 alike; the cause may quote the secret
        raise _refused(path, "is not valid TOML", "Write it as docs/stores.md shows.") from None
    return _secret(path, entries)


def _secret(path: Path, entries: Mapping[str, object]) -> Secret:
    texts = {name: value for name, value in entries.items() if isinstance(value, str) and value.isprintable()}
    method = texts.get("method", "basic")
    if entries.keys() - _KEYS or len(texts) < len(entries) or method not in ("basic", "digest"):
        raise _refused(
            path, "is wrong", "It has username and password, and perhaps method (basic or digest); or else token."
        )
    return Secret(
        texts.get("username", ""),
        texts.get("password", ""),
        texts.get("token", ""),
        "digest" if method == "digest" else "basic",
    )


def _refused(path: Path, why: str, remedy: str) -> SettingError:
    return SettingError(f"The file that store_credentials_file names, {path}, {why}.", remedy=remedy)


def _is_this_machine(host: str) -> bool:
    try:
        return host == "localhost" or ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


class _Bearer(httpx.Auth):
    """Signs with a token."""

    def __init__(self, token: str) -> None:
        self._token = token

    def auth_flow(self, request: httpx.Request) -> Generator[httpx.Request, httpx.Response, None]:
        """As httpx.Auth has it."""
        request.headers["Authorization"] = f"Bearer {self._token}"
        yield request
