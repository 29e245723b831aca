"""Recognises Thing Models: one with nothing left open is taken as a thing, others are refused with a list of the open
values.

`things.description.thing_parts` resolves the models that they refer to, `things.description.filling` makes things of
them. https://www.w3.org/TR/wot-thing-description11/#thing-model
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from engine.errors import ThingRefused
from engine.graph.terms import expand

MODEL = "tm:ThingModel"
_PLACEHOLDER = re.compile(r"\{\{[^{}]*\}\}")
_OPEN_KEYS = {"tm:ref": "refers to another model", "tm:extends": "extends another model"}
_OPEN_RELATIONS = {"tm:extends": "extends another model", "tm:submodel": "is made of other models"}
_NEEDED = ("title", "security", "securityDefinitions")


def is_model(document: Mapping[str, Any]) -> bool:
    """Whether a document says that it is a Thing Model."""
    said = document.get("@type")
    return MODEL in said if isinstance(said, list) else said == MODEL


def refuse_incomplete(document: Mapping[str, Any]) -> None:
    """Raises ThingRefused for a Thing Model that leaves something open: it describes no thing yet."""
    if not is_model(document):
        return
    found = [*dict.fromkeys(_open(document))]
    if found:
        more = f", and {len(found) - 3} more" if len(found) > 3 else ""
        raise ThingRefused(
            f"It is a Thing Model, not a thing, and not complete: {'; '.join(found[:3])}{more}.",
            node="$['@type']",
            shape=expand("hg:ThingModelShape"),
            remedy="Fill in what it leaves open: hearthgraph load MODEL --fill FILE.",
        )


def instance(document: dict[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """The TD that a complete Thing Model amounts to, with a sentence that says so; a TD is given back as it is."""
    if not is_model(document):
        return document, []
    said = document["@type"]
    types = [name for name in said if name != MODEL] if isinstance(said, list) else []
    kept = {key: value for key, value in document.items() if key not in ("@type", "tm:optional", "tm:required")}
    kept["links"] = [link for link in kept.get("links", []) if not _is_model_link(link)]
    if not kept["links"]:
        del kept["links"]
    if types:
        kept["@type"] = types
    return kept, [f"'{document.get('title')}' is a Thing Model in which nothing is open; it is taken as a thing."]


def _is_model_link(link: object) -> bool:
    return isinstance(link, dict) and link.get("rel") == "tm:extends"


def _open(document: Mapping[str, Any]) -> Iterator[str]:
    """The members that a thing needs and the model leaves open, each in a few words with its place."""
    for key in _NEEDED:
        if key not in document:
            yield f"there is no {key}"
    version = document.get("version")
    if isinstance(version, dict) and "instance" not in version:
        yield "version has no instance"
    for link in document.get("links") or ():
        relation = link.get("rel") if isinstance(link, dict) else None
        if isinstance(relation, str) and relation in _OPEN_RELATIONS:
            yield f"it {_OPEN_RELATIONS[relation]} ({str(link.get('href'))[:80]})"
    for group in ("properties", "actions", "events"):
        affordances = document.get(group)
        for name, affordance in affordances.items() if isinstance(affordances, dict) else ():
            if isinstance(affordance, dict) and not affordance.get("forms"):
                yield f"{group}/{name[:80]} has no forms"
    yield from _open_values(document, "$")


def _open_values(value: Any, place: str) -> Iterator[str]:
    if isinstance(value, str):
        found = _PLACEHOLDER.search(value)
        if found:
            yield f"{place} has the placeholder {found.group()[:80]}"
    elif isinstance(value, dict):
        for key, item in value.items():
            if key in _OPEN_KEYS:
                yield f"{place} {_OPEN_KEYS[key]}"
            yield from _open_values(item, f"{place}.{key[:80]}")
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _open_values(item, f"{place}[{index}]")
