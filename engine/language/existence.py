"""Whether there is such an affordance in this home: asked of the store once for as long as nothing comes or goes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from engine.graph.store import GraphStore
from engine.graph.terms import NamedNode, Term, literal

Row = tuple[str, str, str, str]
"""A class of affordance, the class of its part, the thing or part that has it, and the place; each by IRI."""
MOST_KNOWN = 50_000


@dataclass(slots=True)
class _Known:
    """The rows that were asked for. A full dictionary is replaced, not cleared: another thread may be reading it."""

    rows: dict[Row, bool] = field(default_factory=dict)


def existing(rows: Iterable[Row], store: GraphStore) -> frozenset[Row]:
    """Those of the rows for which the home has an affordance."""
    held = store.derived("language/exists", _Known)
    if len(held.rows) > MOST_KNOWN:
        held.rows = {}
    known = held.rows
    wanted = list(dict.fromkeys(rows))
    new = [row for row in wanted if row not in known]
    if new:
        asked: list[tuple[Term, ...]]
        asked = [(literal(number), *(NamedNode(iri) for iri in row)) for number, row in enumerate(new)]
        found = store.select("language/exists", reading_type_class_thing_place=asked)
        there = {int(number.value) for (number,) in found if number is not None}
        known.update((row, number in there) for number, row in enumerate(new))
    return frozenset(row for row in wanted if known[row])
