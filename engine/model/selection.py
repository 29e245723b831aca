"""Selections of things: a frozen algebra over classes, places, names and states."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum

from engine.model.amount import Amount


class Quantity(Enum):
    """How many of the matching things are meant."""

    ONE = "one"  # "the light": one thing; where the graph knows several, ask
    ALL = "all"  # "all lights", "the lights"
    ANY = "any"  # "a light", "some light"


class Comparison(Enum):
    """How a value is compared with an amount; `IS` is also said of states."""

    IS = "="
    ABOVE = ">"
    AT_LEAST = ">="
    BELOW = "<"
    AT_MOST = "<="
    KNOWN = "known"  # whatever it is, as long as it is known

    @property
    def turned(self) -> Comparison:
        """The comparison with less for that with more, and the other way round; any other is itself."""
        return _TURNED.get(self, self)


_TURNED = {
    Comparison.ABOVE: Comparison.BELOW,
    Comparison.AT_LEAST: Comparison.AT_MOST,
    Comparison.BELOW: Comparison.ABOVE,
    Comparison.AT_MOST: Comparison.AT_LEAST,
}


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition on a property of kind `kind`; without an amount where the comparison is KNOWN. `of`: the property is
    of a part of these classes, whichever part of the same thing is selected: "fan-lights whose fan is off"."""

    kind: str
    comparison: Comparison
    amount: Amount | None = None
    of: tuple[str, ...] = ()

    @property
    def known(self) -> Condition:
        """That such a property has a value at all."""
        return replace(self, comparison=Comparison.KNOWN, amount=None)


@dataclass(frozen=True, slots=True)
class Test:
    """Any of the conditions holds of a part; `negated`: it has such a property whose value is known, and none holds."""

    __test__ = False  # not one of pytest's

    conditions: tuple[Condition, ...]
    negated: bool = False


@dataclass(frozen=True, slots=True)
class Select:
    """Parts of things that satisfy every given condition; an empty tuple is no condition.

    `classes`: any of these device classes. `things`: any of these things or parts. `places`: inside any of these
    places, nested ones included. `tests` must all hold. `rooms` are conditions on the room around. `minus`: selections
    that are taken away. `order` is the IRI of a kind to rank by (`descending` first the highest), `limit` how many of
    the ranked are kept, `share` which part of all.
    """

    classes: tuple[str, ...] = ()
    things: tuple[str, ...] = ()
    places: tuple[str, ...] = ()
    quantity: Quantity = Quantity.ONE
    tests: tuple[Test, ...] = ()
    rooms: tuple[Rooms, ...] = ()
    minus: tuple[Select, ...] = ()
    order: str | None = None
    descending: bool = True
    limit: int | None = None
    share: float | None = None

    @property
    def plain(self) -> bool:
        """Whether it is said by classes, things and places alone."""
        return not (self.tests or self.rooms or self.minus or self.order or self.limit or self.share)


@dataclass(frozen=True, slots=True)
class Rooms:
    """Rooms with anything selected by `has`; the nearest room around a part counts that has anything to which the tests
    apply. `negated`: rooms without any.

    With `order` those rooms are ranked by the measurements of that kind in them, and `limit` of them are kept.
    """

    has: Select = Select()
    negated: bool = False
    order: str | None = None
    descending: bool = True
    limit: int | None = None
