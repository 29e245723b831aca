"""What rules tell their owners, who did not ask for it then."""

from __future__ import annotations

import secrets
import threading
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import count

from engine.environment.changes import Hub
from engine.graph.terms import Json

KEPT = 100
"""The latest notices are kept, for listeners that were away for a moment."""


@dataclass(frozen=True, slots=True)
class Notice:
    """A text of a rule for its owner, and when it came. `number` is set when it is published."""

    rule: str
    text: str
    owner: str | None
    at: datetime
    number: str = ""

    def to_json(self) -> dict[str, Json]:
        """A notice as programs read it."""
        return {"rule": self.rule, "text": self.text, "owner": self.owner, "at": self.at.isoformat()}


class Notices(Hub[Notice]):
    """Hands notices to every subscription and keeps the latest, numbered, for those that come back."""

    def __init__(self) -> None:
        super().__init__()
        self._order = threading.RLock()
        self._numbers = self._counted(secrets.token_hex(4))
        self._kept: deque[Notice] = deque(maxlen=KEPT)
        self.last = next(self._numbers)

    @staticmethod
    def _counted(life: str) -> Iterator[str]:
        """Numbers that no other life of this home gives."""
        return (f"{life}-{number}" for number in count())

    def publish(self, changes: Iterable[Notice]) -> None:
        """Numbers the notices, keeps them and hands them on, in order."""
        with self._order:
            numbered = [replace(one, number=next(self._numbers)) for one in changes]
            self._kept.extend(numbered)
            self.last = numbered[-1].number if numbered else self.last
            super().publish(numbered)

    def since(self, number: str | None) -> list[Notice]:
        """The notices after this one; none without a number, and all that are kept after one of an earlier life."""
        with self._order:
            if number is None or number == self.last:
                return []
            known = [place for place, one in enumerate(self._kept, 1) if one.number == number]
            return list(self._kept)[known[0] if known else 0 :]
