"""What a measurement hands back: figures with the bounds that DESIGN sets, and how samples become figures."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Figure:
    """One number of a table. `bound` is the most that it may be (the least where `at_least`); None: none is set."""

    what: str
    value: float
    unit: str
    bound: float | None = None
    at_least: bool = False

    @property
    def kept(self) -> bool:
        """Whether the bound is kept."""
        if self.bound is None:
            return True
        return self.value >= self.bound if self.at_least else self.value <= self.bound


def percentile(samples: Sequence[float], share: float) -> float:
    """The sample that `share` (0 to 1) of the samples do not exceed."""
    ordered = sorted(samples)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))]


def samples(call: Callable[[], object], times: int) -> list[float]:
    """How long so many calls took, each in milliseconds."""
    return [seconds(call) * 1000 for _ in range(times)]


def seconds(call: Callable[[], object]) -> float:
    """How long a call took, in seconds."""
    start = time.perf_counter()
    call()
    return time.perf_counter() - start
