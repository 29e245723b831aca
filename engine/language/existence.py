"""Whether there is such an affordance in this home: asked of the store once for as long as nothing comes or goes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from weakref import WeakKeyDictionary

from engine.graph.store import GraphStore
from engine.graph.terms import NamedNode, Term, literal

Row = tuple[str, str, str, str]
"""A class of affordance, the class of its part, the thing or part that has it, and the place; each by IRI."""
MOST_KNOWN = 50_000


@dataclass(frozen=True, slots=True)
class _Known:
    generation: int
    rows: dict[Row, bool] = field(default_factory=dict)


_known: WeakKeyDictionary[GraphStore, _Known] = WeakKeyDictionary()


def existing(rows: Iterable[Row], store: GraphStore) -> frozenset[Row]:
    """Those of the rows for which the home has an affordance."""
    known = _known.get(store)
    if known is None or known.generation != store.generation or len(known.rows) > MOST_KNOWN:
        known = _known[store] = _Known(store.generation)
    wanted = list(dict.fromkeys(rows))
    new = [row for row in wanted if row not in known.rows]
    if new:
        asked: list[tuple[Term, ...]]
        asked = [(literal(number), *(NamedNode(iri) for iri in row)) for number, row in enumerate(new)]
        found = store.select("language/exists", reading_type_class_thing_place=asked)
        there = {int(number.value) for (number,) in found if number is not None}
        known.rows.update((row, number in there) for number, row in enumerate(new))
    return frozenset(row for row in wanted if known.rows[row])
