"""Commands, kinds of property, values and classes of the ontology, as flat records.

The Turtle under `ontology/` is the source; `things.ontology.vocabulary` reads it. Nothing here is a list of devices.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum

from engine.graph.terms import Json
from engine.model.definition import Definition


class Form(Enum):
    """The five forms of effect, closed by `shapes/effect.ttl`."""

    TO = "to"
    TO_INPUT = "toInput"
    TO_BOUND = "toBound"
    BY = "by"
    TO_NEXT = "toNext"


@dataclass(frozen=True, slots=True)
class Effect:
    """The effect of an action on the property of `kind` of its own part.

    `value` depends on `form`: TO a JSON value or the IRI of a `hg:Value`; TO_INPUT the kind of the input member that is
    copied; TO_BOUND "minimum" or "maximum"; BY a number in the unit of the property; TO_NEXT +1 or -1 among options.
    `property` names one property by IRI, in effects of a thing's own.
    """

    kind: str
    form: Form
    value: Json = None
    property: str | None = None


@dataclass(frozen=True, slots=True)
class Influence:
    """How a property of this kind bears on an environment variable: `direction` +1 or -1, `gain` per full range.

    `when` is the IRI of a condition (`hg:DaylightOutside`) that must hold, `of` a device class to which it is confined
    (the power of a light), or None.
    """

    variable: str
    direction: int
    gain: float = 1.0
    when: str | None = None
    of: str | None = None


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of property (`hg:Brightness`). `unit` is assumed where a schema names none.

    `high` and `low` are the option words that stand for the upper and lower end, or for true and false ("locked");
    `measures` is the environment variable of a sensor's reading; `settable` is False for readings alone.
    """

    iri: str
    unit: str | None = None
    high: frozenset[str] = frozenset()
    low: frozenset[str] = frozenset()
    influences: tuple[Influence, ...] = ()
    measures: str | None = None
    settable: bool = True
    default_step: float | None = None


@dataclass(frozen=True, slots=True)
class Command:
    """A command class (`hg:SetBrightness`) and its effects. `regrettable`: asked about even under consent to all;
    `usually`: the classes of device that are meant where none is named."""

    iri: str
    effects: tuple[Effect, ...] = ()
    regrettable: bool = False
    usually: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Value:
    """A named value (`hg:Medium`): the options that spell it, its place in a range (0 to 1), its number, its colour."""

    iri: str
    notations: frozenset[str] = frozenset()
    level: float | None = None
    number: float | None = None
    unit: str | None = None
    rgb: tuple[int, int, int] | None = None
    kinds: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The whole vocabulary. `ancestors` maps a class to itself and all its superclasses.

    `units` are the IRIs of the units of measure, `labels` has their words, signs and codes too. `confined` maps a kind
    or command to the device classes on which an ambiguous name has this meaning (hg:of). `definitions` are class
    expressions, `main_commands` the commands implied by naming a device of a class alone. `otherwise` has the words for
    a condition that does not hold, `stand_ins` the classes that are meant by another's name where it has no device.
    """

    kinds: Mapping[str, Kind] = field(default_factory=dict)
    commands: Mapping[str, Command] = field(default_factory=dict)
    values: Mapping[str, Value] = field(default_factory=dict)
    ancestors: Mapping[str, frozenset[str]] = field(default_factory=dict)
    main_kinds: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    labels: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    regrettable: frozenset[str] = frozenset()
    units: frozenset[str] = frozenset()
    confined: Mapping[str, frozenset[str]] = field(default_factory=dict)
    regrets: Mapping[str, tuple[Effect, ...]] = field(default_factory=dict)
    definitions: tuple[Definition, ...] = ()
    main_commands: Mapping[str, str] = field(default_factory=dict)
    otherwise: Mapping[str, str] = field(default_factory=dict)
    stand_ins: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def is_a(self, cls: str, ancestor: str) -> bool:
        """Whether `cls` is `ancestor` or one of its subclasses."""
        return ancestor in self.ancestors.get(cls, frozenset((cls,)))

    def name(self, iri: str) -> str:
        """The preferred English label of a term, or the end of its IRI."""
        names = self.labels.get(iri)
        return names[0] if names else iri.rpartition("#")[2].rpartition("/")[2]
