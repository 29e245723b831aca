"""A signifier: for such an intent, in such a context, that affordance was used (AmI HMAS, section 4.1, Appendix E)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, cast

from engine.errors import InputError
from engine.graph.terms import Json

OPERATORS = ("equals", "notEquals", "lessThan", "lessOrEqual", "greaterThan", "greaterOrEqual")
_OWN = "hearthgraph"


@dataclass(frozen=True, slots=True)
class StateCondition:
    """A condition on the state of a property: `property` is its IRI, or its name where the record came from
    elsewhere."""

    artifact: str
    property: str
    operator: str
    value: Json


@dataclass(frozen=True, slots=True)
class Wanted:
    """The intent that was served, in graph terms: the fields that must be equal for the signifier to serve another one.

    `amount` is set only where it is part of the intent (on, off); else the next request says it. `where` is the place
    that was named, or where the speaker was.
    """

    operation: str = "set"
    command: str | None = None
    kind: str | None = None
    classes: tuple[str, ...] = ()
    things: tuple[str, ...] = ()
    where: tuple[str, ...] = ()
    quantity: str = "one"
    polarity: Json = None
    variable: str | None = None
    direction: int = 0
    situation: str | None = None

    @property
    def implicit(self) -> bool:
        """Whether the intent named no device."""
        return self.variable is not None or self.situation is not None


@dataclass(frozen=True, slots=True)
class Signifier:
    """One signifier. `action`, `artifact`, `parameter`, `value`, `text` are the structured intent of the record;
    `wanted` is the same in terms of this graph (None in records from elsewhere without it). `affordance` was invoked
    with `payload`; `conditions` held before. `kind` and `amount` are the intended effect. `taste` keeps apart
    signifiers of people with different tastes. `extra` has the members of a record that are not ours."""

    iri: str
    text: str
    affordance: str
    action: str = "set"
    artifact: str | None = None
    parameter: str | None = None
    value: Json = None
    implicit: bool = False
    action_name: str = ""
    payload: Json = None
    workspace: str | None = None
    successful: bool = True
    source: str = "bt_execution"
    conditions: tuple[StateCondition, ...] = ()
    wanted: Wanted | None = None
    kind: str | None = None
    amount: Json = None
    target: str | None = None
    method: str | None = None
    taste: str = ""
    run: str | None = None
    learnt: str | None = None
    successes: int = 1
    failures: int = 0
    extra: Mapping[str, Json] = field(default_factory=dict, hash=False)

    @property
    def reliable(self) -> bool:
        """Whether it has served more often than it has failed."""
        return self.successful and self.successes > self.failures

    def counted(self, *, success: bool) -> Signifier:
        """The same, after it has served once more, or failed."""
        return replace(self, successes=self.successes + success, failures=self.failures + (not success))


_PLAIN = {
    "signifier_id": "iri",
    "affordance_uri": "affordance",
    "action_name": "action_name",
    "payload_hint": "payload",
    "workspace_id": "workspace",
    "was_successful": "successful",
    "source": "source",
}
_INTENT = {
    "action": "action",
    "artifact": "artifact",
    "parameter": "parameter",
    "value": "value",
    "intent_text": "text",
}
_EXTENSION = ("kind", "amount", "target", "method", "taste", "run", "learnt", "successes", "failures")


_DEFAULTS = {one.name: one.default for one in fields(Signifier)}
_WANTED = {one.name: one.default for one in fields(Wanted)}


def to_json(signifier: Signifier) -> dict[str, Any]:
    """The record of Appendix E; our own members stand under `hearthgraph`, and only where they are not at their
    default."""
    record: dict[str, Any] = {key: getattr(signifier, name) for key, name in _PLAIN.items()}
    record["intent"] = {key: getattr(signifier, name) for key, name in _INTENT.items()}
    record["intent_type"] = "IMPLICIT" if signifier.implicit else "EXPLICIT"
    record["structured_conditions"] = _conditions_json(signifier.conditions)
    own: dict[str, Any] = {name: value for name in _EXTENSION if (value := getattr(signifier, name)) != _DEFAULTS[name]}
    if signifier.wanted is not None:
        own["wanted"] = _plain(signifier.wanted)
    if own:
        record[_OWN] = own
    absent = set(signifier.extra.get("absent", ()) or ())  # type: ignore[arg-type]
    record.update({key: value for key, value in signifier.extra.items() if key != "absent"})
    return {key: value for key, value in record.items() if key not in absent}


def _plain(wanted: Wanted) -> dict[str, Any]:
    found = {name: getattr(wanted, name) for name in _WANTED}
    return {
        name: list(value) if isinstance(value, tuple) else value
        for name, value in found.items()
        if value != _WANTED[name]
    }


def _conditions_json(conditions: tuple[StateCondition, ...]) -> list[dict[str, Any]]:
    """Conditions of one property that follow each other stand together, as they came."""
    found: list[dict[str, Any]] = []
    for one in conditions:
        test = {"operator": one.operator, "value": one.value}
        last = found[-1] if found else None
        if last and (last["artifact"], last["property_affordance"]) == (one.artifact, one.property):
            last["value_conditions"].append(test)
        else:
            found.append({"artifact": one.artifact, "property_affordance": one.property, "value_conditions": [test]})
    return found


def from_json(record: Any) -> Signifier:
    """The signifier that a record says. Raises InputError where it is none."""
    try:
        return _read(record)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise InputError(
            f"This is no signifier: {type(error).__name__} {error}; {json.dumps(record, default=str)[:120]}.",
            remedy="Mend the record, or leave it out.",
        ) from error


def _read(record: dict[str, Any]) -> Signifier:
    intent, own = record["intent"], record.get(_OWN, {})
    given = {name: record[key] for key, name in _PLAIN.items() if key in record}
    given.update({name: intent[key] for key, name in _INTENT.items() if key in intent})
    given.update({name: own[name] for name in _EXTENSION if name in own})
    for name in ("iri", "affordance", "text"):
        if not isinstance(given[name], str) or not given[name]:
            raise ValueError(f"{name} is no text")
    if record["intent_type"] not in ("IMPLICIT", "EXPLICIT"):
        raise ValueError("intent_type is IMPLICIT or EXPLICIT")
    known = {*_PLAIN, "intent", "intent_type", "structured_conditions", _OWN}
    extra: dict[str, Any] = {key: value for key, value in record.items() if key not in known}
    if absent := sorted(key for key in (*_PLAIN, "structured_conditions") if key not in record):
        extra["absent"] = absent
    return Signifier(
        **given,
        implicit=record["intent_type"] == "IMPLICIT",
        conditions=tuple(_conditions(record.get("structured_conditions", []))),
        wanted=_wanted(own["wanted"]) if "wanted" in own else None,
        extra=cast("dict[str, Json]", extra),
    )


def _wanted(data: dict[str, Any]) -> Wanted:
    given: dict[str, Any] = {name: tuple(value) if isinstance(value, list) else value for name, value in data.items()}
    return Wanted(**given)


def _conditions(data: list[dict[str, Any]]) -> list[StateCondition]:
    found = []
    for one in data:
        for test in one["value_conditions"]:
            if test["operator"] not in OPERATORS:
                raise ValueError(f"there is no operator {test['operator']!r}")
            found.append(StateCondition(one["artifact"], one["property_affordance"], test["operator"], test["value"]))
    return found
