"""Whether there is such an affordance in this home: the parts that each term is about are asked of the store once, for
as long as nothing comes or goes, and kept as the bits of a number, so that terms are met by one operation."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import count

from engine.graph.store import GraphStore
from engine.graph.terms import NamedNode, expand

Row = tuple[str, str, str, str]
"""A class of affordance, the class of its part, the thing or part that has it, and the place; each by IRI."""
ANYTHING, ANYWHERE = expand("hg:Anything"), expand("hg:Anywhere")
_SORTS = ("type", "class", "thing", "place")
_ALL = -1
"""Every bit: the parts of a term that narrows nothing down."""
_Term = tuple[int, str]


@dataclass(frozen=True, slots=True)
class _Known:
    """The bit of each part that was met (`free` gives the next), and for each term those of the parts that it is
    about."""

    free: count[int] = field(default_factory=count)
    bits: dict[str, int] = field(default_factory=dict)
    parts: dict[_Term, int] = field(default_factory=lambda: {(2, ANYTHING): _ALL, (3, ANYWHERE): _ALL})

    def bit(self, part: str) -> int:
        """The bit of a part: one that no other has, whichever threads ask."""
        found = self.bits.get(part)
        return self.bits.setdefault(part, next(self.free)) if found is None else found


def existing(rows: Iterable[Row], store: GraphStore) -> frozenset[Row]:
    """Those of the rows for which the home has an affordance."""
    known, wanted = store.derived("language/exists", _Known), list(dict.fromkeys(rows))
    new = {term for row in wanted for term in enumerate(row)} - known.parts.keys()
    if new:
        known.parts.update(_asked(new, known, store))
    return frozenset(row for row in wanted if _meet(row, known.parts))


def _meet(row: Row, parts: dict[_Term, int]) -> bool:
    """Whether a part is one of all the terms of a row."""
    found = _ALL
    for term in enumerate(row):
        found &= parts[term]
    return found != 0


def _asked(terms: Iterable[_Term], known: _Known, store: GraphStore) -> dict[_Term, int]:
    """The parts that terms are about, as the store has them; those that are met for the first time get a bit."""
    found = {term: bytearray() for term in terms}
    wanted = {name: [NamedNode(iri) for sort, iri in found if sort == number] for number, name in enumerate(_SORTS)}
    for *term, part in store.select("language/exists", **wanted):
        sort = next(number for number, one in enumerate(term) if one is not None)
        place, bit = divmod(known.bit(part.value), 8)  # type: ignore[union-attr]
        held = found[sort, term[sort].value]  # type: ignore[union-attr]
        held.extend(bytes(max(0, place + 1 - len(held))))
        held[place] |= 1 << bit
    return {term: int.from_bytes(held, "little") for term, held in found.items()}
