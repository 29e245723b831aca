"""The secrets that devices ask for: read from a file of their owner alone, put into a request, and never shown."""

from __future__ import annotations

import base64
import json
import stat
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx

from engine.environment.http.addresses import port_of
from engine.errors import BindingError, SettingError

_KEYS = frozenset(("username", "password", "token", "key", "host"))


@dataclass(frozen=True, slots=True)
class Scheme:
    """A security scheme of a Thing Description: `type` is nosec, basic, bearer or apikey, or else cannot be served.

    `place` is header, query or cookie, `field` what the header, parameter or cookie is called.
    """

    name: str
    type: str
    place: str = "header"
    field: str = ""


NO_SECURITY = Scheme("nosec_sc", "nosec")


@dataclass(frozen=True, slots=True)
class Secrets:
    """What is added to a request. `texts` are the secrets as they stand in it, to be taken out of texts."""

    headers: tuple[tuple[str, str], ...] = ()
    query: tuple[tuple[str, str], ...] = ()
    cookies: tuple[tuple[str, str], ...] = ()
    texts: tuple[str, ...] = field(default=(), repr=False)

    def __repr__(self) -> str:
        return f"Secrets({len(self.headers) + len(self.query) + len(self.cookies)} hidden)"

    def __add__(self, other: Secrets) -> Secrets:
        return Secrets(
            self.headers + other.headers,
            self.query + other.query,
            self.cookies + other.cookies,
            self.texts + other.texts,
        )

    @contextmanager
    def kept(self) -> Iterator[None]:
        """What a device says in an error stands in it without the secrets, which it may have repeated."""
        try:
            yield
        except BindingError as error:
            raise BindingError(self.hidden(error.message), remedy=error.remedy, reason=error.reason) from None

    def hidden(self, text: str) -> str:
        """The text without any of the secrets."""
        for secret in sorted(filter(None, self.texts), key=len, reverse=True):
            text = text.replace(secret, "…")
        return text


class Credentials:
    """The entries of the credentials file, by `host`, `host:port` or a thing's IRI."""

    def __init__(self, entries: Mapping[str, Mapping[str, str]] | None = None) -> None:
        self._entries = dict(entries or {})

    def __repr__(self) -> str:
        return f"Credentials({len(self._entries)} hidden)"

    @classmethod
    def load(cls, path: Path | None) -> Credentials:
        """Those of a TOML file, or a JSON one by its suffix; none for None.

        Raises SettingError where the file cannot be read, is wrong, or can be read by others than its owner.
        """
        if path is None:
            return cls()
        try:
            if path.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO):
                raise _refused(path, "can be read by others", f"Make it your own: chmod 600 {path}")
            text = path.read_text(encoding="utf-8")
            entries = json.loads(text) if path.suffix == ".json" else tomllib.loads(text)
        except OSError as error:
            raise _refused(path, "cannot be read", "Make it a readable file, or leave the setting out.") from error
        except ValueError:  # JSON, TOML and UTF-8 alike; the cause may quote a secret
            raise _refused(path, "is neither valid TOML nor JSON", "Write it as docs/http.md shows.") from None
        _check(path, entries)
        return cls({name.lower() if "//" not in name else name: entry for name, entry in entries.items()})

    def secrets(self, scheme: Scheme, thing: str, url: httpx.URL) -> Secrets:
        """What the scheme adds to a request to `url`.

        Raises BindingError: unauthorized where the file has nothing for it, no_usable_form where the scheme is unknown.
        """
        if scheme.type == "nosec":
            return Secrets()
        entry = self._entry(thing, url)
        if scheme.type == "basic":
            return _basic(scheme, entry, url)
        if scheme.type in ("bearer", "apikey"):
            secret = _member(entry, "token" if scheme.type == "bearer" else "key", url)
            bearer = scheme.type == "bearer" and scheme.place == "header"
            return _placed(scheme, f"Bearer {secret}" if bearer else secret, (secret,))
        raise BindingError(f'The security scheme "{scheme.name}" cannot be served.', reason="no_usable_form")

    def _entry(self, thing: str, url: httpx.URL) -> Mapping[str, str]:
        """The thing's own, as long as it is meant for this host; else the host's."""
        host, port = url.host.lower(), port_of(url)
        own = self._entries.get(thing)
        if own is not None and own.get("host", "").lower() in (host, f"{host}:{port}"):
            return own
        return self._entries.get(f"{host}:{port}") or self._entries.get(host) or {}


def _basic(scheme: Scheme, entry: Mapping[str, str], url: httpx.URL) -> Secrets:
    name, password = _member(entry, "username", url), _member(entry, "password", url)
    coded = base64.b64encode(f"{name}:{password}".encode()).decode()
    return _placed(scheme, f"Basic {coded}", (password, coded))


def _placed(scheme: Scheme, value: str, texts: tuple[str, ...]) -> Secrets:
    name = scheme.field or "Authorization"
    if scheme.place == "header":
        return Secrets(headers=((name, value),), texts=texts)
    if scheme.place == "query":
        return Secrets(query=((name, value),), texts=texts)
    if scheme.place == "cookie":
        return Secrets(cookies=((name, value),), texts=texts)
    raise BindingError(f'The security scheme "{scheme.name}" cannot be served.', reason="no_usable_form")


def _member(entry: Mapping[str, str], name: str, url: httpx.URL) -> str:
    if name not in entry:
        raise BindingError(
            f'There is no {name} for the device at "{url.host}".',
            remedy="Put it into the file that the setting credentials_file names.",
            reason="unauthorized",
        )
    return entry[name]


def _check(path: Path, entries: Any) -> None:
    if not isinstance(entries, dict) or not all(isinstance(entry, dict) for entry in entries.values()):
        raise _refused(path, "is not a table of tables", "Write it as docs/http.md shows.")
    for name, entry in entries.items():
        if entry.keys() - _KEYS or not all(isinstance(v, str) and v.isprintable() for v in entry.values()):
            raise _refused(path, f'is wrong at "{name}"', f"An entry has texts only: {', '.join(sorted(_KEYS))}.")
        if ("//" in name or name.startswith("urn:")) and "host" not in entry:
            raise _refused(path, f'says no host at "{name}"', "Say to which host its secrets may go.")


def _refused(path: Path, why: str, remedy: str) -> SettingError:
    return SettingError(f"The file that credentials_file names, {path}, {why}.", remedy=remedy)
