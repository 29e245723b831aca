"""What rules tell their owners, who did not ask for it then."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from engine.graph.terms import Json


@dataclass(frozen=True, slots=True)
class Notice:
    """What a rule tells its owner, and when it came."""

    rule: str
    text: str
    owner: str | None
    at: datetime

    def to_json(self) -> dict[str, Json]:
        """A notice as programs read it."""
        return {"rule": self.rule, "text": self.text, "owner": self.owner, "at": self.at.isoformat()}
