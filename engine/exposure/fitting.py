"""Whether what a signifier takes and gives fits what an agent is about to do: types of input and output.

An act wants something (`hg:wants`): to let know wants to give a text, to find out wants an answer; and a number that is
said wants to go somewhere.
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
    """What a signifier takes and gives: the types of its inputs, whether it gives something, and the words by which its
    inputs and outputs are called. `known`: something is said of them at all."""

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
    """What is said of a value, and its options."""
    return " ".join(str(schema.get(key, "")) for key in ("title", "description", "enum"))


class Wants:
    """What acts want of who does them, and of what is used."""

    def __init__(self, store: GraphStore) -> None:
        self._wants: dict[str, set[str]] = {}
        for act, wanted in store.select("exposure/wants"):
            self._wants.setdefault(_name(act), set()).add(_name(wanted))

    def of(self, clause: Clause) -> frozenset[str]:
        """What a clause wants: types that go in, and `ANSWER`."""
        numbers = _NUMERIC if _NUMBER.search(clause.text) else frozenset[str]()
        return numbers.union(*(self._wants.get(act.rpartition("#")[2].lower(), ()) for act in clause.acts))

    def input(self, wanted: frozenset[str], types: Types) -> float:
        """1 where what is brought can be given, -1 where nothing can be; 0 where that says nothing."""
        brought = wanted - {ANSWER}
        if not brought or not types.known:
            return 0.0
        return float(bool(brought & types.inputs)) if types.inputs else -1.0

    def output(self, wanted: frozenset[str], types: Types) -> float:
        """1 where an answer is wanted, and one is given; 0 else: many do not tell what they give."""
        return float(types.gives and ANSWER in wanted)


def _name(term: Any) -> str:
    return str(term.value).rpartition("#")[2].removesuffix("Schema").lower()
