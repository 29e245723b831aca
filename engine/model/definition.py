"""Class expressions: define a class by its parts and affordances, so that it can be recognised.

The part of OWL 2 that rules can follow from facts to classes: named classes, intersections, unions and existential
restrictions on hg:offers and hg:hasPart. https://www.w3.org/TR/owl2-syntax/#Class_Expressions
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Named:
    """The members of the class `iri`."""

    iri: str


@dataclass(frozen=True, slots=True)
class AllOf:
    """The intersection of expressions (owl:intersectionOf)."""

    members: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class AnyOf:
    """The union of expressions (owl:unionOf)."""

    members: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Some:
    """An existential restriction (owl:someValuesFrom): anything related by `predicate` to a member of `filler`."""

    predicate: str
    filler: Expression


Expression: TypeAlias = Named | AllOf | AnyOf | Some


@dataclass(frozen=True, slots=True)
class Definition:
    """A class definition: every member of `expression` is of the class `cls`."""

    cls: str
    expression: Expression
