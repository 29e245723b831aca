"""How likely something is by boosted trees (Friedman, 2001), all of them asked at once.

As QuickScorer does (Lucchese et al., 2015): a bit for each end of each tree, and for each measure and bound the ends
that are left where the measure is above it. All of them leave one number, whose lowest bit of each tree is its end.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Mapping
from struct import Struct
from typing import Any

_BITS = 32
"""How many ends a tree may have."""
_MOST_KEPT = 64


class Trees:
    """Trees as they are spelt: a node is the place of a measure, the most that goes left, left, right."""

    __slots__ = ("_absent", "_all", "_at_least", "_bias", "_bounds", "_first", "_left", "_values", "_words")

    def __init__(self, spelt: Mapping[str, Any]) -> None:
        """Reads `spelt`: `bias`, `measures`, `trees`."""
        self._bias = float(spelt["bias"])
        self._values: list[dict[int, float]] = []
        gone: dict[str, dict[float, int]] = defaultdict(lambda: defaultdict(int))
        for number, tree in enumerate(spelt["trees"]):
            values: list[float] = []
            for place, bound, ends in _nodes(tree, values):
                gone[spelt["measures"][place]][bound] |= ends << (number * _BITS)
            self._values.append({1 << end: value for end, value in enumerate(values)})
        self._words = Struct(f"<{len(self._values)}I")
        self._first = sum(1 << (number * _BITS) for number in range(len(self._values)))
        self._all = (1 << (len(self._values) * _BITS)) - 1
        self._bounds = {name: sorted(own) for name, own in gone.items()}
        self._left = {name: list(self._kept(own)) for name, own in gone.items()}
        self._absent = {name: self._ends(name, 0.0) for name in self._bounds}
        self._at_least: dict[frozenset[str], int] = {}

    def _kept(self, gone: Mapping[float, int]) -> Iterator[int]:
        """The ends that are left of a measure that is above none of its bounds, above the first, the first two …"""
        left = self._all
        yield left
        for bound in sorted(gone):
            left &= ~gone[bound]
            yield left

    def _ends(self, name: str, value: float) -> int:
        return self._left[name][bisect_left(self._bounds[name], value)]

    def _left_by_none(self, below: frozenset[str]) -> int:
        """The ends that are left where no measure is told but those that are `below` 0: a measure above 0 leaves none
        that 0 does not leave."""
        known = self._at_least.get(below)
        if known is None:
            known = self._all
            for name, absent in self._absent.items():
                known &= self._all if name in below else absent
            if len(self._at_least) >= _MOST_KEPT:
                self._at_least.clear()
            self._at_least[below] = known
        return known

    def likely(self, told: Mapping[str, float]) -> float:
        """How likely these measures are those of a right reading, from 0 to 1; one that is not told is 0."""
        bounds, own = self._bounds, [(name, value) for name, value in told.items() if value and name in self._bounds]
        ends = self._left_by_none(frozenset([name for name, value in own if value < 0]))
        for name, value in own:
            ends &= self._left[name][bisect_left(bounds[name], value)]
        lowest = ends & ~(ends - self._first)  # of each tree, which has at least one left
        each: tuple[int, ...] = self._words.unpack(lowest.to_bytes(self._words.size, "little"))
        odds = sum(map(dict.__getitem__, self._values, each), self._bias)
        return 1 / (1 + math.exp(-odds))


def _nodes(tree: Any, values: list[float]) -> Iterator[tuple[int, float, int]]:
    """Each node of a tree with its bound and the ends to its left, as bits; the ends' values are added in order."""
    if not isinstance(tree, list):
        values.append(tree)
        return
    place, bound, left, right = tree
    first = len(values)
    yield from _nodes(left, values)
    yield place, bound, (1 << len(values)) - (1 << first)
    yield from _nodes(right, values)
