"""The prompt and the answer schema for a language model: the retrieved affordances, by short names, and nothing
else."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from engine.errors import ModelError
from engine.graph.terms import Json
from engine.llm import Message, Model
from engine.model.intent import Intent, Operation
from engine.model.signifier import Signifier
from engine.model.thing import Action, Property, Schema, Thing
from engine.things.registry import Registry

MOST_ACTIONS = 6
_TASK = (
    "You plan for a smart home. Answer with a JSON plan: a parallel node whose children are actions to carry out now. "
    "Use only the affordances that are listed, each with the input that it takes. Choose the fewest actions that do "
    "what the person wants, given the present state. Where nothing that is listed can do it, leave the children empty."
)


@dataclass(frozen=True, slots=True)
class Options:
    """Parts of the method that can be left out, to measure their worth: hints from elsewhere, validation, retrieval."""

    hints: bool = True
    validate: bool = True
    retrieve: bool = True


@dataclass(slots=True)
class Record:
    """Counts of calls to the model: all, those after the first of an intent, answers invalid under the answer schema
    (be it in the prompt or not); and names that are none here."""

    calls: int = 0
    retries: int = 0
    malformed: int = 0
    foreign: list[str] = field(default_factory=list)

    def taken(self) -> Record:
        """The counts until now, which are reset."""
        found = replace(self, foreign=list(self.foreign))
        self.calls, self.retries, self.malformed = 0, 0, 0
        self.foreign.clear()
        return found


@dataclass(frozen=True, slots=True)
class Planner:
    """A model, its options, and the record of its calls. `forced`: it plans all that is possible, and not only intents
    that nothing else could plan."""

    model: Model
    options: Options = field(default_factory=Options)
    record: Record = field(default_factory=Record)
    forced: bool = False


def aliases(affordances: Sequence[Action | Property], registry: Registry) -> dict[str, Action | Property]:
    """A short name for each affordance: its thing's last name and its own."""
    found: dict[str, Action | Property] = {}
    for one in affordances:
        thing = registry.thing_of[one.iri]
        name = f"{thing.iri.rpartition('/')[2].rpartition('#')[2] or thing.title}.{one.name}"
        found[name if name not in found else one.iri] = one
    return found


def messages(
    intent: Intent,
    known: Mapping[str, Action | Property],
    state: Mapping[str, Json],
    hints: Sequence[Signifier],
    options: Options,
    wanted: Mapping[str, Json],
) -> list[dict[str, str]]:
    """The messages to the model; `wanted` is the state to be brought about, where that is known."""
    told: dict[str, Any] = {"request": intent.text}
    if intent.variable is not None:
        way = "more" if intent.direction > 0 else "less"
        told["meaning"] = f"they want {way} {intent.variable.rpartition('#')[2]}"
    elif intent.situation is not None:
        told["meaning"] = f"situation: {intent.situation.rpartition('#')[2]}"
    if options.retrieve:
        told["affordances"] = [_described(name, one) for name, one in known.items()]
    told["state"] = dict(state)
    if wanted:
        told["wanted state"] = dict(wanted)
    if options.hints and hints:
        told["worked elsewhere"] = [f"{one.text}: {one.action_name} {json.dumps(one.payload)}" for one in hints]
    return [
        {"role": "system", "content": _TASK},
        {"role": "user", "content": json.dumps(told, ensure_ascii=False)},
    ]


def _described(name: str, one: Action | Property) -> dict[str, Any]:
    found: dict[str, Any] = {"affordance": name}
    if isinstance(one, Action) and one.input is not None:
        found["input"] = _short(one.input)
    if one.description:
        found["note"] = one.description[:120]
    return found


def _short(schema: Schema) -> Json:
    if schema.properties:
        return {name: _short(member) for name, member in schema.properties}
    if schema.enum:
        return list(schema.enum)
    if schema.minimum is not None or schema.maximum is not None:
        return f"{schema.minimum:g} to {schema.maximum:g}" if None not in (schema.minimum, schema.maximum) else "number"
    return schema.type


def well_formed(answer: Mapping[str, Any], schema: Mapping[str, Any]) -> bool:
    """Whether an answer is valid under a schema."""
    from jsonschema import Draft202012Validator  # late: only an answer of a model is worth its import

    return bool(Draft202012Validator(schema).is_valid(answer))


def one_text(model: Model, told: Sequence[Message], name: str, most: int) -> str | None:
    """A text of so many letters at most in a model's words, under a schema of nothing else; None where it does not
    answer, or otherwise."""
    schema = text_schema(name, most)
    try:
        answer = model.complete(told, schema)
    except ModelError:
        return None
    return " ".join(answer[name].split()) if well_formed(answer, schema) else None


def text_schema(name: str, most: int) -> dict[str, Any]:
    """The schema of an answer that is one text."""
    return {
        "type": "object",
        "required": [name],
        "properties": {name: {"type": "string", "minLength": 1, "maxLength": most}},
        "additionalProperties": False,
    }


def answer_schema(
    intent: Intent, known: Mapping[str, Action | Property], options: Options, parts: int = 1
) -> dict[str, Any]:
    """The schema of the answer: the IR, with these affordances and their bounds, for so many parts of things. Amounts
    that were said, computed values and readings are not the model's: then it chooses the affordance alone, one a
    part."""
    bare = intent.operation in (Operation.MODIFY, Operation.CHECK) or intent.amount is not None
    kind = "property" if intent.operation is Operation.CHECK else "action"
    if options.retrieve:
        leaves: list[Json] = [_leaf(kind, {"const": name}, None if bare else one) for name, one in known.items()]
        item: Json = {"anyOf": leaves} if len(leaves) != 1 else leaves[0]
    else:
        item = _leaf(kind, {"type": "string", "maxLength": 200}, None)
        assert isinstance(item, dict)
        item["properties"]["payload"] = {"type": "object"}  # type: ignore[index, call-overload]
    children = {"type": "array", "items": item, "maxItems": max(1, parts) if bare else max(MOST_ACTIONS, parts)}
    return {
        "type": "object",
        "required": ["type", "policy", "children"],
        "properties": {"type": {"const": "parallel"}, "policy": {"const": "complete_all"}, "children": children},
        "additionalProperties": False,
    }


def _leaf(kind: str, affordance: Json, one: Action | Property | None) -> dict[str, Any]:
    payload = json_schema(one.input) if isinstance(one, Action) else {"type": "object", "additionalProperties": False}
    return {
        "type": "object",
        "required": ["type", "affordance", "payload"],
        "properties": {"type": {"const": kind}, "affordance": affordance, "payload": payload},
        "additionalProperties": False,
    }


def json_schema(schema: Schema | None) -> dict[str, Any]:
    """An input as JSON Schema, with its bounds; no input is an empty object."""
    if schema is None:
        return {"type": "object", "properties": {}, "additionalProperties": False}
    found: dict[str, Any] = {} if schema.type is None else {"type": schema.type}
    if schema.properties:
        found["properties"] = {name: json_schema(member) for name, member in schema.properties}
        found["required"] = sorted(schema.required) or [name for name, _ in schema.properties][:1]
        found["additionalProperties"] = False
    for key, value in (("minimum", schema.minimum), ("maximum", schema.maximum)):
        if value is not None:
            found[key] = int(value) if float(value).is_integer() else value
    if schema.enum:
        found["enum"] = list(schema.enum)
    if schema.items:
        found["items"] = json_schema(schema.items[0])
    counts = {"minItems": schema.min_items, "maxItems": schema.max_items}
    return {**found, **{key: count for key, count in counts.items() if count is not None}}


def present(
    things: Sequence[Thing], registry: Registry, state: Mapping[str, Json], extra: Sequence[Property] = ()
) -> dict[str, Json]:
    """The state that matters: of the things that could act, and the readings named."""
    props = [prop for thing in things for prop in thing.properties] + list(extra)
    return {name: state[prop.iri] for name, prop in aliases(props, registry).items() if prop.iri in state}
