"""Explorations under way and done: their progress, and their results."""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import dataclass, field
from secrets import token_urlsafe
from typing import Any

from engine.errors import HearthgraphError
from engine.hearthgraph import Hearthgraph
from engine.origins.hypermedia.crawl.frontier import Limits
from engine.origins.hypermedia.crawl.result import Progress
from server.faults import about
from server.talks import TooBusy

REMEMBERED, AT_ONCE = 50, 4


@dataclass(slots=True)
class Run:
    """One exploration. `told` is its result, once it is done."""

    id: str
    start: str
    follow: bool
    phases: dict[str, tuple[int, int]] = field(default_factory=dict)
    told: dict[str, Any] | None = None
    failed: dict[str, Any] | None = None

    @property
    def done(self) -> bool:
        """Whether it has ended."""
        return self.told is not None or self.failed is not None

    def as_json(self) -> dict[str, Any]:
        """The progress of an exploration, or its result or error, as JSON."""
        state = "failed" if self.failed else "done" if self.told else "running"
        phases = {phase: {"done": done, "total": total} for phase, (done, total) in self.phases.items()}
        found = {"result": self.told} if self.told else {"error": self.failed} if self.failed else {}
        return {"id": self.id, "url": self.start, "follow": self.follow, "status": state, "phases": phases, **found}


class Runs:
    """The explorations of a home, each in a thread of its own; of those that are done the last are remembered."""

    def __init__(self, home: Hearthgraph) -> None:
        self._home = home
        self._lock = threading.Lock()
        self._runs: OrderedDict[str, Run] = OrderedDict()

    def begin(self, start: str, limits: Limits, follow: bool) -> Run:
        """Begins an exploration. Raises TooBusy where several are under way."""
        run = Run(token_urlsafe(9), start, follow)
        with self._lock:
            if sum(not one.done for one in self._runs.values()) >= AT_ONCE:
                raise TooBusy("Several explorations are under way.", remedy="Wait for one of them to end.")
            self._runs[run.id] = run
            while len(self._runs) > REMEMBERED:
                self._runs.popitem(last=False)
        threading.Thread(target=self._explore, args=(run, limits), name="hearthgraph-exploring", daemon=True).start()
        return run

    def find(self, name: str) -> Run | None:
        """The exploration of that id; None where it is not known any more."""
        return self._runs.get(name)

    def all(self) -> list[Run]:
        """Those that are remembered, the oldest first."""
        return list(self._runs.values())

    def _explore(self, run: Run, limits: Limits) -> None:
        def listen(progress: Progress) -> None:
            run.phases = {**run.phases, progress.phase: (progress.done, progress.total)}

        try:
            found = self._home.explorer.explore(run.start, limits, listen)
            if run.follow:
                self._home.explorer.follow(run.start)
            run.told = found.as_json()
        except HearthgraphError as error:
            run.failed = about(error)
        except BaseException as error:  # noqa: BLE001 - cancelled as the home is closed, or broken: it has ended
            run.failed = {"reason": "cancelled", "message": type(error).__name__, "remedy": "Explore it again."}
