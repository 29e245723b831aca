"""The order in which options and members were written: kept as `hg:order`, for RDF has none."""

from __future__ import annotations

from collections.abc import Iterable

from engine.graph.terms import Term, python


def order_of(said: Iterable[Term], items: Iterable[object]) -> dict[str, int]:
    """The place of each item (by its `repr`), by that one of the orders which knows them all; empty where none does.

    A schema may have two: of its options, and of its members."""
    wanted = {repr(item) for item in items}
    for value in said:
        order = python(value)
        if isinstance(order, list):
            rank = {repr(item): index for index, item in enumerate(order)}
            if wanted <= rank.keys():
                return rank
    return {}
