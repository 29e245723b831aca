"""The words of talk about preferences, and the variables of the environment they are about, from the ontology."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from engine.environment.values.units import FREE, comparable, convert
from engine.graph.store import GraphStore
from engine.graph.terms import python
from engine.model.vocabulary import Vocabulary

_NEVER = "(?!)"


@dataclass(frozen=True, slots=True)
class Liked:
    """A variable of the environment under one of its names; `bare`: a number without a unit is about it."""

    variable: str
    name: str
    unit: str
    bare: bool


@dataclass(frozen=True, slots=True)
class TasteWords:
    """`classes` has a pattern for each class of words (hg:TalkOfTaste), by its name; `liked` the variables."""

    classes: Mapping[str, re.Pattern[str]]
    liked: tuple[Liked, ...]

    @property
    def names(self) -> re.Pattern[str]:
        """Any name of a variable."""
        return _any_of(one.name for one in self.liked)

    def named(self, text: str) -> str | None:
        """The variable that a text names, if any."""
        found = self.names.search(text.casefold())
        return next((one.variable for one in self.liked if found and one.name == found.group()), None)

    def measured(
        self, number: float, unit: str | None, variable: str | None, vocabulary: Vocabulary
    ) -> tuple[str, float] | None:
        """The variable that a number of a unit is about, `variable` where one is named, and the number in its unit."""
        if unit is None or unit in FREE:
            meant = next((o for o in self.liked if o.variable == variable or (variable is None and o.bare)), None)
            return None if meant is None else (meant.variable, number)
        for one in self.liked:
            if variable in (None, one.variable) and comparable(unit, one.unit, vocabulary):
                return one.variable, convert(number, unit, one.unit, vocabulary)
        return None


def taste_words(store: GraphStore) -> TasteWords:
    """Those of a store."""
    return store.of_terms("language/taste_words", lambda: TasteWords(_classes(store), _liked(store)), kept=False)


def _classes(store: GraphStore) -> dict[str, re.Pattern[str]]:
    labels: dict[str, list[str]] = {}
    for term, label in store.select("language/taste_words"):
        if term is not None and label is not None:
            labels.setdefault(term.value.rpartition("#")[2], []).append(label.value.casefold())
    return {name: _any_of(several) for name, several in labels.items()}


def _liked(store: GraphStore) -> tuple[Liked, ...]:
    rows = store.select("language/liked_variables")
    return tuple(
        Liked(variable.value, name.value.casefold(), unit.value, bare is not None and python(bare) is True)
        for variable, name, unit, bare in rows
        if variable is not None and name is not None and unit is not None
    )


def _any_of(labels: Iterable[str]) -> re.Pattern[str]:
    several = "|".join(re.escape(label) for label in sorted(labels, key=len, reverse=True))
    return re.compile(rf"(?<![\w'])(?:{several or _NEVER})(?![\w'])")
