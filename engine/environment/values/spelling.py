"""How a vocabulary spells units, values and kinds: indexes that are made once for each vocabulary."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from engine.graph.terms import Json, expand
from engine.model.vocabulary import Value, Vocabulary

PERCENT = expand("hg:Percent")
_SEPARATORS = re.compile(r"[\s_\-]+")
_KEPT = 4


def fold(option: Json) -> str:
    """An option's spelling without case and separators: `Fan_only` → `fanonly`."""
    return _folded(str(option).lower() if isinstance(option, bool) else str(option))


@lru_cache(maxsize=4096)
def _folded(text: str) -> str:
    return _SEPARATORS.sub("", text).casefold()


@dataclass(frozen=True, slots=True)
class Sense:
    """The merged properties of the kinds of one value, inherited from their ancestors: folded words, unit, step."""

    high: frozenset[str] = frozenset()
    low: frozenset[str] = frozenset()
    unit: str | None = None
    step: float | None = None


class Spellings:
    """The indexes of one vocabulary. `units` and `codes` lead to unit IRIs, `values` from folded words to values."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.vocabulary = vocabulary
        self.codes: dict[str, str] = {}
        self.units: dict[str, str] = {}
        self.values: dict[str, tuple[Value, ...]] = {}
        self._senses: dict[frozenset[str], Sense] = {}
        for unit in sorted(_units(vocabulary)):
            self._add_unit(unit)
        for iri in sorted(vocabulary.values):
            self._add_value(vocabulary.values[iri])

    def _add_unit(self, unit: str) -> None:
        for text in (unit, unit.rpartition("#")[2], *self.vocabulary.labels.get(unit, ())):
            self.codes.setdefault(text, unit)
            self.units.setdefault(fold(text), unit)

    def _add_value(self, value: Value) -> None:
        for word in self.words(value):
            self.values[word] = (*self.values.get(word, ()), value)

    def words(self, value: Value) -> list[str]:
        """The folded words that spell a value, the best first: notations, then the label to speak, then others."""
        texts = [*sorted(value.notations), *self.vocabulary.labels.get(value.iri, ()), self.vocabulary.name(value.iri)]
        return list(dict.fromkeys(fold(text) for text in texts))

    def sense(self, kinds: frozenset[str]) -> Sense:
        """The merged sense of `kinds`."""
        if kinds not in self._senses:
            self._senses[kinds] = self._merge(kinds)
        return self._senses[kinds]

    def _merge(self, kinds: frozenset[str]) -> Sense:
        own = [self.vocabulary.kinds[kind] for kind in sorted(kinds) if kind in self.vocabulary.kinds]
        above = {name for kind in kinds for name in self.vocabulary.ancestors.get(kind, ())} - kinds
        line = [*own, *(self.vocabulary.kinds[name] for name in sorted(above) if name in self.vocabulary.kinds)]
        return Sense(
            high=frozenset(fold(word) for kind in line for word in kind.high),
            low=frozenset(fold(word) for kind in line for word in kind.low),
            unit=next((kind.unit for kind in line if kind.unit), None),
            step=next((kind.default_step for kind in line if kind.default_step is not None), None),
        )


def _units(vocabulary: Vocabulary) -> Iterable[str]:
    used = {kind.unit for kind in vocabulary.kinds.values()} | {value.unit for value in vocabulary.values.values()}
    return {unit for unit in used if unit} | set(vocabulary.units) | {PERCENT}


_recent: list[Spellings] = []


def spellings(vocabulary: Vocabulary) -> Spellings:
    """The indexes of `vocabulary`, kept for the few that were asked for last."""
    for known in _recent:
        if known.vocabulary is vocabulary:
            return known
    made = Spellings(vocabulary)
    _recent.insert(0, made)
    del _recent[_KEPT:]
    return made
