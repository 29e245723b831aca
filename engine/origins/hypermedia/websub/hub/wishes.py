"""Reads a subscriber's request to the hub from the form that it sends (W3C WebSub, section 5.1)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

import httpx

from engine.errors import InputError

SUBSCRIBE, UNSUBSCRIBE = "subscribe", "unsubscribe"
LONGEST = 2_048
"""Characters that an address may have."""
MOST_SECRET = 199
"""Bytes that a secret may have (W3C WebSub, section 5.1: less than 200)."""
_UNRESERVED = re.compile(r"%(2[DdEe]|3[0-9]|4[1-9A-Fa-f]|5[0-9AaFf]|6[1-9A-Fa-f]|7[0-9AaEe])")


@dataclass(frozen=True, slots=True)
class Wish:
    """To hear of a topic at a callback, or to hear no more of it. `lease`: for how many seconds, if that was said."""

    mode: str
    topic: str
    callback: str
    lease: int | None = None
    secret: str | None = None


def read(form: Mapping[str, str]) -> Wish:
    """The request of a form; unknown members are ignored. Raises InputError with the faulty member."""
    mode = form.get("hub.mode", "")
    if mode not in (SUBSCRIBE, UNSUBSCRIBE):
        raise InputError("hub.mode is subscribe or unsubscribe.", remedy="Say which.")
    return Wish(
        mode,
        plain(_address(form, "hub.topic")),
        _callback(form),
        _lease(form) if mode == SUBSCRIBE else None,
        _secret(form) if mode == SUBSCRIBE else None,
    )


def plain(address: str) -> str:
    """An address in which nothing is escaped that need not be."""
    return _UNRESERVED.sub(lambda found: chr(int(found.group(1), 16)), address)


def _address(form: Mapping[str, str], name: str) -> str:
    given = form.get(name, "").strip()
    if not given:
        raise InputError(f"{name} is missing.", remedy="Give an address.")
    if len(given) > LONGEST:
        raise InputError(f"{name} is longer than {LONGEST} characters.", remedy="Give a shorter one.")
    return given


def _callback(form: Mapping[str, str]) -> str:
    given = _address(form, "hub.callback").partition("#")[0]
    try:
        url = httpx.URL(given)
    except (httpx.InvalidURL, ValueError):
        url = httpx.URL("")
    if url.scheme not in ("http", "https") or not url.host:
        raise InputError("hub.callback is no address for HTTP.", remedy="Give one that begins with https or http.")
    return given


def _lease(form: Mapping[str, str]) -> int | None:
    given = form.get("hub.lease_seconds", "").strip()
    if not given:
        return None
    if not (given.isascii() and given.isdigit() and len(given) < 20 and int(given)):
        raise InputError("hub.lease_seconds is no positive number.", remedy="Give seconds, or leave it out.")
    return int(given)


def _secret(form: Mapping[str, str]) -> str | None:
    given = form.get("hub.secret") or None
    if given is not None and len(given.encode("utf-8", "surrogatepass")) > MOST_SECRET:
        raise InputError("hub.secret has 200 bytes or more.", remedy="Give a shorter one.")
    return given
