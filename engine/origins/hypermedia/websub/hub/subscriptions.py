"""The hub's subscriptions and their leases: in memory, and in a file that survives a restart."""

from __future__ import annotations

import json
import logging
import os
import threading
from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from urllib.parse import urlsplit

from engine.errors import HearthgraphError, SettingError

_log = logging.getLogger(__name__)
Key = tuple[str, str]
"""Topic and callback: what makes a subscription one."""


class NoRoom(HearthgraphError):
    """There are as many subscriptions as are allowed: of a topic, at a host, or of all."""

    reason = "too_many"


@dataclass(frozen=True, slots=True)
class Subscription:
    """A subscriber's callback for a topic, `until` when (seconds since 1970), and the secret that signs its content."""

    topic: str
    callback: str
    until: float
    secret: str | None = None

    @property
    def key(self) -> Key:
        """The identity of a subscription: a further request for the same replaces it."""
        return self.topic, self.callback


@dataclass(frozen=True, slots=True)
class Room:
    """How many subscriptions there may be."""

    of_topic: int = 500
    at_host: int = 2_000
    in_all: int = 5_000


class Subscriptions:
    """All subscriptions. Those in the file `kept` are read at the start; only its owner may read it, for it holds
    secrets.

    A broken one is set aside. Raises SettingError where others may read it, or where it cannot be read.
    """

    def __init__(self, kept: Path | None, room: Room) -> None:
        self._kept, self._room = kept, room
        self._lock = threading.Lock()
        self._known: dict[Key, Subscription] = {one.key: one for one in _read(kept)}

    def __len__(self) -> int:
        return len(self._known)

    def find(self, key: Key) -> Subscription | None:
        """The subscription of a callback to a topic."""
        return self._known.get(key)

    def topics(self) -> set[str]:
        """The topics that anybody is subscribed to."""
        with self._lock:
            return {topic for topic, _ in self._known}

    def of(self, topic: str) -> list[Subscription]:
        """Those of a topic."""
        with self._lock:
            return [one for one in self._known.values() if one.topic == topic]

    def check_room(self, key: Key) -> None:
        """Raises NoRoom where one more is too many; one that is renewed never is."""
        with self._lock:
            self._check_room(key)

    def put(self, subscription: Subscription) -> None:
        """Takes one in, in the place of the one with its key. Raises NoRoom."""
        with self._lock:
            self._check_room(subscription.key)
            self._known[subscription.key] = subscription

    def drop(self, key: Key) -> bool:
        """Takes one out; whether it was there."""
        with self._lock:
            return self._known.pop(key, None) is not None

    def drop_expired(self, now: float) -> list[Subscription]:
        """Takes those out whose time is over, and gives them."""
        with self._lock:
            over = [one for one in self._known.values() if one.until <= now]
            for one in over:
                del self._known[one.key]
        return over

    def save(self) -> None:
        """Writes the file."""
        if self._kept is None:
            return
        with self._lock:
            text = json.dumps([asdict(one) for one in self._known.values()])
        partial = self._kept.with_name(f"{self._kept.name}.partial")
        partial.unlink(missing_ok=True)
        with os.fdopen(os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
            file.write(text)
        partial.replace(self._kept)

    def _check_room(self, key: Key) -> None:
        if key in self._known:
            return
        host = host_of(key[1])
        topics = Counter(topic for topic, _ in self._known)
        hosts = Counter(host_of(callback) for _, callback in self._known)
        full = len(self._known) >= self._room.in_all or hosts[host] >= self._room.at_host
        if full or topics[key[0]] >= self._room.of_topic:
            raise NoRoom("There are as many subscriptions as are allowed.", remedy="Let go of another, or ask later.")


def host_of(callback: str) -> str:
    """The host that a callback is at."""
    return (urlsplit(callback).hostname or "").lower()


def _read(kept: Path | None) -> Iterable[Subscription]:
    if kept is None or not kept.exists():
        return []
    if kept.stat().st_mode & 0o077:
        raise SettingError(f"{kept} can be read by others.", remedy=f"chmod 600 {kept}")
    try:
        return [Subscription(**one) for one in json.loads(kept.read_text(encoding="utf-8"))]
    except OSError as error:
        raise SettingError(f"{kept} cannot be read: {error.strerror}.", remedy="Make it readable.") from error
    except (ValueError, TypeError):
        aside = kept.with_name(f"{kept.name}.broken")
        kept.replace(aside)
        _log.warning("%s is broken; it is set aside as %s, and subscribers have to ask again", kept, aside.name)
        return []
