"""Requests to devices, and their answers."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

import httpx

from engine.environment.http.credentials import Secrets

_AGE = re.compile(r"\bmax-age=(\d{1,9})\b")


@dataclass(frozen=True, slots=True)
class HttpRequest:
    """A request. The secrets are added when it is sent, and only as long as it goes where they belong.

    `statuses` are answers, too, besides successes. `reach` are the only places (`host:port`) to which it may lead, a
    redirect included, besides the hosts that the settings allow; None: this machine, too.
    """

    method: str
    url: httpx.URL
    headers: tuple[tuple[str, str], ...] = ()
    body: bytes | None = None
    secrets: Secrets = field(default_factory=Secrets)
    statuses: frozenset[int] = frozenset()
    reach: frozenset[str] | None = None


@dataclass(frozen=True, slots=True)
class HttpResponse:
    """An answer: a success or one of the request's `statuses`, the content type that it claims ("" for none), its body,
    its headers by name in lower case, and the address that it came from at the end of all redirects."""

    status: int
    content_type: str
    body: bytes
    headers: Mapping[str, str] = field(default_factory=dict)
    url: str = ""

    @property
    def fresh(self) -> float:
        """For how many seconds it is good, as its author says; nought where nothing is said."""
        said = _AGE.search(self.headers.get("cache-control", "").lower())
        return float(said.group(1)) if said is not None else 0.0
