"""Class expressions: what a class is, said by what it consists of and offers, so that it can be recognised.

The part of OWL 2 that rules can follow from facts to classes: named classes, intersections, unions and existential
restrictions on hg:offers and hg:hasPart. https://www.w3.org/TR/owl2-syntax/#Class_Expressions
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Named:
    """What is of the class `iri`."""

    iri: str


@dataclass(frozen=True, slots=True)
class AllOf:
    """What all the members describe (owl:intersectionOf)."""

    members: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class AnyOf:
    """What at least one member describes (owl:unionOf)."""

    members: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Some:
    """What has, by the property `predicate`, something that `filler` describes (owl:someValuesFrom)."""

    predicate: str
    filler: Expression


Expression: TypeAlias = Named | AllOf | AnyOf | Some


@dataclass(frozen=True, slots=True)
class Definition:
    """Whatever `expression` describes is of the class `cls`."""

    cls: str
    expression: Expression
