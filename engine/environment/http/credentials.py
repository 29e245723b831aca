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
from urllib.parse import quote

import httpx

from engine.environment.http.addresses import port_of
from engine.errors import BindingError, SettingError

_KEYS = frozenset(("username", "password", "token", "key", "host", "client_id", "client_secret", "issuer", "key_file"))
_NOT_OF_HTTP = {
    "psk": "keys that are shared beforehand belong to DTLS, and not to HTTP",
    "auto": "which security there is, the device would have to tell",
    "combo": "it is made of nothing, or of itself",
}


@dataclass(frozen=True, slots=True)
class Scheme:
    """A security scheme of a Thing Description: `type` is nosec, basic, digest, bearer, apikey or oauth2; others cannot
    be served.

    `place` is header, query or cookie, `field` the name of the header, parameter or cookie. Of OAuth 2.0: the flow, the
    token endpoint, and the scopes. Of a combo: the names of the schemes that it is made of.
    """

    name: str
    type: str
    place: str = "header"
    field: str = ""
    flow: str = ""
    token: str = ""
    scopes: tuple[str, ...] = ()
    all_of: tuple[str, ...] = ()
    one_of: tuple[str, ...] = ()


NO_SECURITY = Scheme("nosec_sc", "nosec")


@dataclass(frozen=True, slots=True)
class Grant:
    """The client credentials for a token (RFC 6749, section 4.4). `issued` are the tokens that a request was sent
    with."""

    url: str
    client_id: str
    client_secret: str = field(repr=False)
    scopes: tuple[str, ...] = ()
    issued: list[str] = field(default_factory=list, compare=False, repr=False)

    def basic(self) -> Secrets:
        """The client's own name and password, as the address that gives tokens wants them."""
        pair = f"{quote(self.client_id, safe='')}:{quote(self.client_secret, safe='')}"
        coded = base64.b64encode(pair.encode()).decode()
        return Secrets(headers=(("Authorization", f"Basic {coded}"),), texts=(self.client_secret, coded))


@dataclass(frozen=True, slots=True)
class Registered:
    """A client that its owner registered by hand, with a secret or the file of a key."""

    client_id: str
    client_secret: str = field(default="", repr=False)
    key_file: str = ""


@dataclass(frozen=True, slots=True)
class Secrets:
    """The headers, parameters and cookies added to a request. `texts` are the secrets as they stand in it, to be taken
    out of texts.

    `digest` is a name and a password that are never sent as they are, `grant` the client credentials for a token.
    """

    headers: tuple[tuple[str, str], ...] = ()
    query: tuple[tuple[str, str], ...] = ()
    cookies: tuple[tuple[str, str], ...] = ()
    texts: tuple[str, ...] = field(default=(), repr=False)
    digest: tuple[str, str] | None = field(default=None, repr=False)
    grant: Grant | None = None

    def __repr__(self) -> str:
        return f"Secrets({len(self.headers) + len(self.query) + len(self.cookies)} hidden)"

    def __add__(self, other: Secrets) -> Secrets:
        return Secrets(
            self.headers + other.headers,
            self.query + other.query,
            self.cookies + other.cookies,
            self.texts + other.texts,
            self.digest or other.digest,
            self.grant or other.grant,
        )

    @contextmanager
    def kept(self) -> Iterator[None]:
        """Takes the secrets out of the message of a device's error, in which it may have repeated them."""
        try:
            yield
        except BindingError as error:
            raise BindingError(self.hidden(error.message), remedy=error.remedy, reason=error.reason) from None

    def hidden(self, text: str) -> str:
        """The text without any of the secrets."""
        issued = self.grant.issued if self.grant is not None else []
        for secret in sorted(filter(None, (*self.texts, *issued)), key=len, reverse=True):
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

    def secrets(self, scheme: Scheme, thing: str, url: httpx.URL, *, own: bool = False) -> Secrets:
        """The secrets of the scheme for a request to `url`. `own`: only those that the file has for this very thing, as
        its description comes from elsewhere and must not be able to use those that the host trusts others with.

        Raises BindingError: unauthorized where the file has nothing for it, no_usable_form where the scheme is unknown.
        """
        if scheme.type == "nosec":
            return Secrets()
        entry = self._entry(thing, url, own)
        if scheme.type == "basic":
            return _basic(scheme, entry, url)
        if scheme.type == "digest":
            name, password = _member(entry, "username", url), _member(entry, "password", url)
            return Secrets(digest=(name, password), texts=(password,))
        if scheme.type == "oauth2" and "token" not in entry:
            return Secrets(grant=_grant(scheme, entry, url))
        if scheme.type in ("bearer", "apikey", "oauth2"):
            secret = _member(entry, "key" if scheme.type == "apikey" else "token", url)
            bearer = scheme.type != "apikey" and scheme.place == "header"
            return _placed(scheme, f"Bearer {secret}" if bearer else secret, (secret,))
        raise _unserved(scheme)

    def of_host(self, url: httpx.URL) -> Secrets | None:
        """The token, or name and password, for a host that asks for them; None where the file has neither."""
        entry = self._entry("", url, False)
        if "token" in entry:
            return _placed(Scheme("", "bearer"), f"Bearer {entry['token']}", (entry["token"],))
        return _basic(Scheme("", "basic"), entry, url) if "password" in entry else None

    def registered(self, url: httpx.URL, issuer: str) -> Registered | None:
        """The client by which a host's tokens are asked for at an issuer: that of the host's entry where the issuer is
        the one that it names or, if it names none, of the host's own origin; else that of the issuer's entry. So no
        host can have the secrets of another, or its own, sent elsewhere."""
        given = httpx.URL(issuer)
        own, other = self._entry("", url, False), self._entry("", given, False)
        near = (given.scheme, given.host, port_of(given)) == (url.scheme, url.host, port_of(url))
        for entry, right in ((own, near), (other, True)):
            if "client_id" in entry and (entry["issuer"] == issuer if "issuer" in entry else right):
                return Registered(entry["client_id"], entry.get("client_secret", ""), entry.get("key_file", ""))
        return None

    def _entry(self, thing: str, url: httpx.URL, own_alone: bool) -> Mapping[str, str]:
        """The thing's own, as long as it is meant for this host; else the host's."""
        host, port = url.host.lower(), port_of(url)
        own = self._entries.get(thing)
        if own is not None and own.get("host", "").lower() in (host, f"{host}:{port}"):
            return own
        if own_alone:
            return {}
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
    raise _unserved(scheme)


def _grant(scheme: Scheme, entry: Mapping[str, str], url: httpx.URL) -> Grant:
    if scheme.flow != "client" or not scheme.token:
        raise BindingError(
            f'The security scheme "{scheme.name}" needs a person, or an address that gives tokens.',
            remedy="Get a token from its service and put it into the file that the setting credentials_file names.",
            reason="unauthorized",
        )
    return Grant(scheme.token, _member(entry, "client_id", url), _member(entry, "client_secret", url), scheme.scopes)


def _unserved(scheme: Scheme) -> BindingError:
    why = _NOT_OF_HTTP.get(scheme.type)
    return BindingError(
        f'The security scheme "{scheme.name}" cannot be served{f": {why}" if why else ""}.', reason="no_usable_form"
    )


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
