"""The URL frontier of a crawl: pages still to be fetched, each once, and the limits that end it."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field

from engine.origins.hypermedia.crawl.fetching import Traffic


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of an exploration: pages, steps from the first page, hosts besides those that were named, seconds, and
    bytes of all pages together."""

    documents: int = 20_000
    depth: int = 16
    hosts: int = 4
    seconds: float = 600.0
    bytes: int = 256 * 2**20


@dataclass(frozen=True, slots=True)
class Lead:
    """A page that somebody links to. `source` is the page with the link, `within` the place that contains the target,
    `place` whether the target is said to be a place, `depth` the steps from the first page."""

    url: str
    depth: int = 0
    source: str = ""
    within: str | None = None
    place: bool = False
    introduced: bool = False


@dataclass(slots=True)
class Frontier:
    """The leads that wait, places before their contents. Takes every address once, in its canonical spelling."""

    limits: Limits
    traffic: Traffic
    seen: set[str] = field(default_factory=set)
    reached: dict[str, None] = field(default_factory=dict)
    taken: int = 0
    _places: deque[Lead] = field(default_factory=deque)
    _others: deque[Lead] = field(default_factory=deque)
    _began: float = field(default_factory=time.monotonic)

    def add(self, leads: Iterable[Lead]) -> None:
        """Takes leads in; those to pages that were met before, and those that are too far away, are passed over."""
        for lead in leads:
            if lead.url in self.seen:
                continue
            if lead.depth > self.limits.depth:
                self.reached["depth"] = None
                continue
            self.seen.add(lead.url)
            (self._places if lead.place else self._others).append(lead)

    def meet(self, url: str) -> bool:
        """Notes where a lead ended up; False where that page was met before, under its own address."""
        if url in self.seen:
            return False
        self.seen.add(url)
        return True

    def take(self, *, places: bool) -> Lead | None:
        """The next lead (to a place alone, or any); None where there is none, or where a limit is reached."""
        if (waiting := self._places or (None if places else self._others)) is None or not waiting:
            return None
        if self.exhausted():
            return None
        self.taken += 1
        return waiting.popleft()

    def exhausted(self) -> bool:
        """Whether a limit is reached, which is noted."""
        spent = {
            "documents": self.taken >= self.limits.documents,
            "seconds": time.monotonic() - self._began > self.limits.seconds,
            "bytes": self.traffic.bytes >= self.limits.bytes,
        }
        self.reached.update(dict.fromkeys(name for name, over in spent.items() if over))
        return any(spent.values())

    @property
    def seconds_left(self) -> float:
        """The time that is left, at least one second, so that a page already asked for is finished."""
        return max(1.0, self.limits.seconds - (time.monotonic() - self._began))

    @property
    def waiting(self) -> int:
        """How many leads wait."""
        return len(self._places) + len(self._others)
