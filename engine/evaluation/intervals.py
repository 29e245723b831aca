"""How sure a share is: Wilson's interval, which also holds for few cases and for shares near 0 and 1."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

Z = 1.96
"""The normal quantile of an interval that holds with 95 %."""


@dataclass(slots=True)
class Tally:
    """How many of how many were right."""

    right: int = 0
    of: int = 0

    def add(self, right: bool) -> None:
        """One more."""
        self.right += right
        self.of += 1

    @property
    def share(self) -> float:
        """The share that was right, 0 where nothing was counted."""
        return self.right / self.of if self.of else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's 95 % interval of the share."""
        return wilson(self.right, self.of)

    def told(self) -> str:
        """As `48/50 96 % (87–99)`."""
        if not self.of:
            return ""
        low, high = self.interval
        return f"{self.right}/{self.of} {self.share:.0%} ({100 * low:.0f}–{100 * high:.0f})"


def wilson(right: int, of: int) -> tuple[float, float]:
    """The 95 % interval of a share (E. B. Wilson, 1927); (0, 0) where nothing was counted."""
    if of == 0:
        return 0.0, 0.0
    share, spread = right / of, Z * Z / of
    middle, half = share + spread / 2, Z * sqrt(share * (1 - share) / of + spread / of / 4)
    return max(0.0, (middle - half) / (1 + spread)), min(1.0, (middle + half) / (1 + spread))
