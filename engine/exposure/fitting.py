"""Compares the inputs and outputs of a signifier with those that an agent's act needs.

An act needs types (`hg:wants`): to let know needs a text to give, to find out needs an answer; and a number in the
sentence needs a numeric input.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from engine.exposure.acts import Clause, content
from engine.graph.store import GraphStore
from engine.model.exposure import Exposed

_NUMBER = re.compile(r"(?<![\w.])-?\d+(?:[.,]\d+)?")
_NUMERIC = frozenset(("number", "integer"))
DEEPEST = 4
ANSWER = "answer"


@dataclass(frozen=True, slots=True)
class Types:
    """The types of a signifier: of its inputs, whether it gives output, and the words in names of inputs and outputs.
    `known`: its schemas are described at all."""

    inputs: frozenset[str]
    gives: bool
    words: frozenset[str]
    known: bool


def types_of(one: Exposed) -> Types:
    """The types of a signifier."""
    takes = list(_members(one.takes or {}))
    words = frozenset[str]().union(*(content(text) for _, text in (*takes, *_members(one.gives or {}))))
    known = bool(one.affordance or one.takes or one.gives)
    return Types(frozenset(kind for kind, _ in takes), one.gives is not None, words, known)


def _members(schema: Mapping[str, Any], name: str = "", depth: int = 0) -> Iterator[tuple[str, str]]:
    """The types within a schema that hold one value, each with the words that are said of it."""
    inner = schema.get("properties")
    if isinstance(inner, Mapping) and depth < DEEPEST:
        for key, member in inner.items():
            yield from _members(member, str(key), depth + 1) if isinstance(member, Mapping) else ()
    elif schema and "const" not in schema:
        yield _kind(schema.get("type")), f"{name.replace('_', ' ')} {_said(schema)}"


def _kind(given: Any) -> str:
    """The one type of a value; of several that it may have, a text."""
    return given if isinstance(given, str) else "string"


def _said(schema: Mapping[str, Any]) -> str:
    """The texts of a schema, and its options."""
    return " ".join(str(schema.get(key, "")) for key in ("title", "description", "enum"))


class Wants:
    """The needs of acts, as types of input and output."""

    def __init__(self, store: GraphStore) -> None:
        self._wants: dict[str, set[str]] = {}
        for act, wanted in store.select("exposure/wants"):
            self._wants.setdefault(_name(act), set()).add(_name(wanted))

    def of(self, clause: Clause) -> frozenset[str]:
        """The needs of a clause: types of input, and `ANSWER`."""
        numbers = _NUMERIC if _NUMBER.search(clause.text) else frozenset[str]()
        return numbers.union(*(self._wants.get(act.rpartition("#")[2].lower(), ()) for act in clause.acts))

    def input(self, wanted: frozenset[str], types: Types) -> float:
        """1 where a needed input exists, -1 where there are no inputs; 0 where all are of other types, or unknown."""
        brought = wanted - {ANSWER}
        if not brought or not types.known:
            return 0.0
        return float(bool(brought & types.inputs)) if types.inputs else -1.0

    def output(self, wanted: frozenset[str], types: Types) -> float:
        """1 where an answer is needed, and one is given; 0 else: many signifiers do not describe their output."""
        return float(types.gives and ANSWER in wanted)


def _name(term: Any) -> str:
    return str(term.value).rpartition("#")[2].removesuffix("Schema").lower()
