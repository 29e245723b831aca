"""The entities that may be known and called at all: those that people expose, adjusted by patterns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

from engine.origins.home_assistant.snapshot import ASSISTANT, Snapshot


@dataclass(frozen=True, slots=True)
class Exposure:
    """Patterns of entity ids (`light.*`): excluded entities stay out, included ones come in, exposed or not."""

    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()

    def admits(self, entity: str, snapshot: Snapshot) -> bool:
        """Whether an entity may be known."""
        if _matches(entity, self.exclude):
            return False
        return _matches(entity, self.include) or _is_exposed(entity, snapshot)


def _matches(entity: str, patterns: Sequence[str]) -> bool:
    return any(fnmatchcase(entity, pattern) for pattern in patterns)


def _is_exposed(entity: str, snapshot: Snapshot) -> bool:
    """Whether an entity is in Home Assistant's list of exposed ones; without the list, by the entity's options. Hidden
    and disabled ones are not."""
    entry = snapshot.entity_of.get(entity, {})
    if entry.get("hidden_by") or entry.get("disabled_by"):
        return False
    if snapshot.exposed is not None:
        return entity in snapshot.exposed
    spoken = (entry.get("options") or {}).get(ASSISTANT) or {}
    return spoken.get("should_expose") is True
