"""Validates a submitted Thing Description and lists all of its faults, each with its place and a sentence."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote

from engine.errors import InputError, ThingRefused
from engine.model import thing_rdf as rdf
from engine.things.description import jsonld

REMEDY = "Mend what validationErrors names, and send it again."
MOST = 100
"""How many faults are told; whoever has more has other worries."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault: the JSON path of the member, and a sentence on it."""

    field: str
    description: str


class Invalid(ThingRefused):
    """A Thing Description that is refused, with all its faults."""

    def __init__(self, faults: Sequence[Fault]) -> None:
        first = faults[0]
        more = f" ({len(faults) - 1} more)" if len(faults) > 1 else ""
        super().__init__(f"{first.field}: {first.description}{more}", node=first.field, remedy=REMEDY)
        self.faults = tuple(faults)


class Unsupported(InputError):
    """Something that a directory may offer, and this one does not."""

    reason = "not_supported_yet"


def refuse(found: Iterable[Fault]) -> None:
    """Raises Invalid where there is any fault."""
    faults = list(found)
    if faults:
        raise Invalid(faults)


def check_object(document: Any) -> None:
    """Raises Invalid for a value that is no JSON object."""
    if not isinstance(document, dict):
        check(document)


def check(document: Any) -> None:
    """Raises Invalid for a document that W3C's JSON Schema of TDs would not let pass."""
    refuse(Fault(path, message) for path, message in jsonld.faults(document, most=MOST))


def of(error: ThingRefused, iri: str) -> Invalid:
    """A refusal by the shapes of RDF, told of the JSON that it is about."""
    return Invalid([Fault(_path(error.node, rdf.document_iri(iri)), f"{error.message} {error.remedy}".strip())])


def _path(node: str, document: str) -> str:
    """The JSON path of a node within a description: its address is made of the steps that lead to it."""
    if node.startswith("$"):
        return node
    fragment = node.removeprefix(f"{document}#") if node.startswith(f"{document}#") else ""
    return "".join(["$", *(_step(unquote(step)) for step in fragment.split("/") if step)])


def _step(step: str) -> str:
    return f"[{step}]" if step.isdecimal() else f".{step}" if step.isidentifier() else f"['{step}']"
