"""What people like: which devices they would rather have used, where they are comfortable; stored for each user."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from engine.graph.store import GraphStore
from engine.model.vocabulary import Vocabulary

ANYTHING = (0.0, 100.0)


@dataclass(frozen=True, slots=True)
class Tastes:
    """One person's. `liked` and `disliked` are classes of devices, by the variable that they are liked for ("": any);
    `values` what a person is comfortable at, by variable; `comforts` where people in general are."""

    liked: tuple[tuple[str, str], ...] = ()
    disliked: tuple[tuple[str, str], ...] = ()
    values: Mapping[str, float] = field(default_factory=dict)
    comforts: Mapping[str, tuple[float, float]] = field(default_factory=dict)

    def liking(self, classes: Iterable[str], variable: str, vocabulary: Vocabulary) -> float:
        """1 for what is liked for this variable, -1 for what is not, else 0."""
        own = tuple(classes)

        def named(among: Iterable[tuple[str, str]]) -> bool:
            return any(v in ("", variable) and any(vocabulary.is_a(c, cls) for c in own) for cls, v in among)

        return float(named(self.liked)) - float(named(self.disliked))

    def comfort(self, variable: str) -> tuple[float, float]:
        """From where to where a person is comfortable, in the unit of the variable's reading."""
        chosen = self.values.get(variable)
        return (chosen, chosen) if chosen is not None else self.comforts.get(variable, ANYTHING)

    def chosen(self, variable: str) -> float | None:
        """The very value that a person has stated."""
        return self.values.get(variable)


def comforts(store: GraphStore) -> dict[str, tuple[float, float]]:
    """Where people in general are comfortable, by variable."""
    return {
        variable.value: (float(low.value), float(high.value))
        for variable, low, high in store.select("planning/comforts")
        if variable is not None and low is not None and high is not None
    }
