"""The subscriber's side of W3C WebSub: confirms subscriptions that we asked for, and takes content signed with their
secret.

https://www.w3.org/TR/websub/ . Nothing is fetched here: requests are made for others to send, calls are answered.
"""

from __future__ import annotations

import hashlib
import hmac
import logging
import secrets
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from time import monotonic
from urllib.parse import urlencode

import httpx

from engine.environment.http.requests import HttpRequest
from engine.origins.hypermedia import links

_log = logging.getLogger(__name__)

FORM = "application/x-www-form-urlencoded"
METHODS = ("sha512", "sha384", "sha256", "sha1")
"""What a hub may sign with (section 7.1)."""
LONGEST_LEASE, SHORTEST_LEASE = 864_000.0, 1.0
ASKED_LEASE = 86_400
REMEMBERED = 1_000
"""How many subscriptions that have ended are told that they have, before they are forgotten."""


class Standing(Enum):
    """How a subscription stands."""

    ASKED = "asked"
    ACTIVE = "active"
    DENIED = "denied"
    ENDED = "ended"


@dataclass(slots=True)
class Subscription:
    """One topic at one hub. `key` is the end of the callback's address, which nobody can guess; the hub signs with
    `secret`; both are kept in memory alone. `until` is when the lease ends, in seconds of `time.monotonic`."""

    topic: str
    hub: str
    key: str = field(default_factory=lambda: secrets.token_urlsafe(32), repr=False)
    secret: str = field(default_factory=lambda: secrets.token_urlsafe(32), repr=False)
    standing: Standing = Standing.ASKED
    wish: str = ""
    lease: float = 0.0
    until: float = 0.0
    reason: str = ""

    @property
    def active(self) -> bool:
        """Whether the hub tells of changes now."""
        return self.standing is Standing.ACTIVE and monotonic() < self.until


@dataclass(frozen=True, slots=True)
class News:
    """The new content of a topic, as a hub pushed it."""

    subscription: Subscription
    type: str
    body: bytes


@dataclass(slots=True)
class Counts:
    """Counts of calls to the callbacks. Forged, unknown and mistaken calls changed nothing."""

    heard: int = 0
    forged: int = 0
    unknown: int = 0
    mistaken: int = 0
    verified: int = 0


class Subscriber:
    """The subscriptions of one home. `heard` takes pushed content, `changed` takes subscriptions whose standing has
    changed; both are called from the thread of the call and must not wait. It may be shared between threads."""

    def __init__(self, heard: Callable[[News], None], changed: Callable[[Subscription], None] = lambda _: None) -> None:
        self.counts = Counts()
        self._heard, self._changed = heard, changed
        self._lock = threading.Lock()
        self._known: dict[str, Subscription] = {}

    def open(self, topic: str, hub: str) -> Subscription:
        """A new subscription, which nobody has asked for yet."""
        made = Subscription(topic, hub)
        with self._lock:
            self._known[made.key] = made
        return made

    def request(self, subscription: Subscription, callbacks: str, mode: str = "subscribe") -> HttpRequest:
        """The request that subscribes, or unsubscribes, at the hub (section 5.1). `callbacks` is the address below
        which they are."""
        subscription.wish = mode
        said = {
            "hub.mode": mode,
            "hub.topic": subscription.topic,
            "hub.callback": f"{callbacks.rstrip('/')}/{subscription.key}",
        }
        if mode == "subscribe":
            said |= {"hub.secret": subscription.secret, "hub.lease_seconds": str(ASKED_LEASE)}
        headers = (("Content-Type", FORM), ("Accept", "*/*"))
        return HttpRequest("POST", httpx.URL(subscription.hub), headers, urlencode(said).encode())

    def end(self, subscription: Subscription) -> None:
        """Ends a subscription: further calls are answered with "gone"."""
        subscription.standing = Standing.ENDED
        with self._lock:
            ended = [key for key, one in self._known.items() if one.standing is Standing.ENDED]
            for key in ended[:-REMEMBERED]:
                del self._known[key]

    # What hubs call

    def verify(self, key: str, said: Mapping[str, str]) -> str | None:
        """The challenge to be repeated, where we asked for this; "" for a call that is only noted; None where we did
        not ask (section 5.3)."""
        subscription, mode = self._known.get(key), said.get("hub.mode", "")
        if subscription is None or said.get("hub.topic") != subscription.topic:
            self.counts.unknown += 1
            return None
        if mode == "denied":
            return self._denied(subscription, said.get("hub.reason", ""))
        challenge = said.get("hub.challenge", "")
        if mode != subscription.wish or not challenge:
            self.counts.mistaken += 1
            return None
        if mode == "unsubscribe":
            self.end(subscription)
            return challenge
        return challenge if self._granted(subscription, said.get("hub.lease_seconds", "")) else None

    def deliver(self, key: str, headers: Mapping[str, str], body: bytes) -> int:
        """The status with which news are answered: 202 where they are taken, also where they are forged, so that nobody
        learns which signature is right (section 7.1); 404 and 410 where nobody waits for them."""
        subscription = self._known.get(key)
        if subscription is None:
            self.counts.unknown += 1
            return 404
        if subscription.standing in (Standing.ENDED, Standing.DENIED):
            return 410
        if not signed(subscription.secret, headers.get("x-hub-signature", ""), body):
            self.counts.forged += 1
            _log.warning("news of %s that are not signed as they should be were left out", subscription.topic)
            return 202
        told = links.of(links.read(headers.get("link", ""), subscription.topic), "self")
        if not subscription.active or (told and links.canonical(told[0]) != links.canonical(subscription.topic)):
            self.counts.mistaken += 1
            return 202
        self.counts.heard += 1
        self._heard(News(subscription, headers.get("content-type", ""), body))
        return 202

    def _denied(self, subscription: Subscription, reason: str) -> str:
        subscription.standing, subscription.reason = Standing.DENIED, reason[:200]
        self._changed(subscription)
        return ""

    def _granted(self, subscription: Subscription, lease: str) -> bool:
        try:
            seconds = min(max(float(int(lease)), SHORTEST_LEASE), LONGEST_LEASE)
        except ValueError:
            self.counts.mistaken += 1
            return False
        if subscription.standing is Standing.ENDED:
            return False
        subscription.lease, subscription.until = seconds, monotonic() + seconds
        subscription.standing, subscription.wish = Standing.ACTIVE, ""
        self.counts.verified += 1
        self._changed(subscription)
        return True


def signed(secret: str, signature: str, body: bytes) -> bool:
    """Whether a `X-Hub-Signature` is that of whoever has the secret, for this very body."""
    method, _, given = signature.partition("=")
    if method.lower() not in METHODS:
        return False
    right = hmac.new(secret.encode(), body, getattr(hashlib, method.lower())).hexdigest()
    return hmac.compare_digest(right.encode(), given.strip().lower().encode("utf-8", "replace"))
