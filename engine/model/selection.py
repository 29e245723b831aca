"""Which things are meant: a frozen algebra over classes, places and names (DESIGN, Selections)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Quantity(Enum):
    """How many of the matching things are meant."""

    ONE = "one"  # "the light": one thing; where the graph knows several, ask
    ALL = "all"  # "all lights", "the lights"
    ANY = "any"  # "a light", "some light"


@dataclass(frozen=True, slots=True)
class Select:
    """Parts of things that satisfy every given condition; an empty tuple is no condition.

    `classes`: any of these device classes. `things`: any of these things or parts. `places`: inside any of these
    places, nested ones included. `minus`: selections that are taken away. `order` is the IRI of a kind to rank by
    (`descending` first the highest), `limit` how many of the ranked are kept.
    """

    classes: tuple[str, ...] = ()
    things: tuple[str, ...] = ()
    places: tuple[str, ...] = ()
    quantity: Quantity = Quantity.ONE
    minus: tuple[Select, ...] = ()
    order: str | None = None
    descending: bool = True
    limit: int | None = None
