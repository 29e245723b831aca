"""What is asked of a device, and what comes back."""

from __future__ import annotations

from dataclasses import dataclass, field

import httpx

from engine.environment.http.credentials import Secrets


@dataclass(frozen=True, slots=True)
class Request:
    """What is asked. The secrets are added when it is sent, and only as long as it goes where they belong."""

    method: str
    url: httpx.URL
    headers: tuple[tuple[str, str], ...] = ()
    body: bytes | None = None
    secrets: Secrets = field(default_factory=Secrets)


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back: always a success, with its status, the content type that it claims ("" for none) and its body."""

    status: int
    content_type: str
    body: bytes
