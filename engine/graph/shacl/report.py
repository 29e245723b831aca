"""Violations of shapes, in one form for both validators: pyshacl at the door, and a compiled shape on the hot path."""

from __future__ import annotations

from dataclasses import dataclass

from engine.graph.terms import Literal, Term, compact

# What is said where the shape itself has no sh:message, and what can be done where it has no hg:remedy.
_TEXTS: dict[str, tuple[str, str]] = {
    "MinCount": ("{path} has fewer values than {parameter}", "Give {path} a value."),
    "MaxCount": ("{path} has more values than {parameter}", "Leave {parameter} of them."),
    "Datatype": ("{value} is not a literal of {parameter}", "Write it as a {parameter}."),
    "NodeKind": ("{value} is not {parameter}", "Write it as {parameter}."),
    "Class": ("{value} is not a {parameter}", "Say that it is a {parameter}, or name another."),
    "MinInclusive": ("{value} is less than {parameter}", "Use {parameter} or more."),
    "MaxInclusive": ("{value} is more than {parameter}", "Use {parameter} or less."),
    "MinExclusive": ("{value} is not more than {parameter}", "Use more than {parameter}."),
    "MaxExclusive": ("{value} is not less than {parameter}", "Use less than {parameter}."),
    "MinLength": ("{value} is shorter than {parameter} characters", "Use {parameter} characters or more."),
    "MaxLength": ("{value} is longer than {parameter} characters", "Use {parameter} characters or fewer."),
    "Pattern": ("{value} does not match '{parameter}'", "Write it so that it matches."),
    "In": ("{value} is none of {parameter}", "Use one of {parameter}."),
    "HasValue": ("{path} has not the value {parameter}", "Add the value {parameter}."),
    "Equals": ("{path} and {parameter} differ in {value}", "Make their values the same."),
    "Disjoint": ("{path} and {parameter} share {value}", "Take it from one of them."),
    "UniqueLang": ("{path} has two values in one language", "Leave one value a language."),
    "Not": ("{value} is what it must not be", ""),
    "And": ("{value} is not all that it must be", ""),
    "Or": ("{value} is none of what it may be", ""),
    "Xone": ("{value} is not exactly one of what it may be", ""),
    "Node": ("{value} has not the shape {parameter}", ""),
    "Closed": ("{path} is not allowed here", "Remove it."),
}


@dataclass(frozen=True, slots=True)
class Violation:
    """One result of a validation (https://www.w3.org/TR/shacl/#results-validation-result).

    `node` is the focus node (an IRI, or `_:` and the label of a blank node), `path` the IRI of a property or a path as
    text, empty for the node itself; `shape` the IRI of the shape that is broken, or of the one that holds it where it
    has none; `component` the constraint, as "MinCount"; `severity` "Violation", "Warning" or "Info"; `value` the
    offending value, None where a value is missing.
    """

    node: str
    path: str
    shape: str
    component: str
    message: str
    severity: str = "Violation"
    remedy: str = ""
    value: Term | None = None


def explain(component: str, path: str, value: Term | None, parameter: str) -> tuple[str, str]:
    """The sentence and the remedy for a broken constraint, where its shape gives none of its own."""
    message, remedy = _TEXTS.get(component, ("{value} breaks " + component, ""))
    words = {"path": compact(path) or "The node", "value": shown(value), "parameter": parameter}
    return message.format(**words) + ".", remedy.format(**words)


def shown(term: object) -> str:
    """A term, or several, as a person reads them: the text of a literal, the short name of an IRI."""
    if isinstance(term, (tuple, list, frozenset)):
        return ", ".join(sorted(map(shown, term)) if isinstance(term, frozenset) else map(shown, term))
    if isinstance(term, Literal):
        return f"'{term.value}'"
    return "The value" if term is None else compact(str(getattr(term, "value", term)))
