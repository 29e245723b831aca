"""Instantiates a Thing Model: with a filling, one Thing Description for each device and for each of its parts.

A filling is a JSON object, for several devices a list of them: `placeholders` gives values for `{{NAME}}`, `thing` is
merged into the TD (RFC 7396: id, base, security, forms), `simulated` stands in for forms that a device would have, and
`submodels` are the fillings of its parts by name. An object with none of these members is one of placeholders alone.
https://www.w3.org/TR/wot-thing-description11/#thing-model-td-generation
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from engine.errors import InputError
from engine.model import thing_rdf as rdf
from engine.things.description import jsonld, thing_models
from engine.things.description.thing_parts import Beside, submodels, whole, without_parts
from engine.things.description.turtle import ORIGIN
from engine.things.directory.patch import merged

Document = dict[str, Any]

MEMBERS = ("placeholders", "thing", "simulated", "submodels")
_PLACEHOLDER = re.compile(r"\{\{([^{}]*)\}\}")
_IRIS = {"properties": rdf.property_iri, "actions": rdf.action_iri, "events": rdf.event_iri}


def filled(model: Path, filling: Path) -> list[Document]:
    """The Thing Descriptions of a model and a filling: those of a device before those of its parts.

    Raises InputError for a file that is no model and for a filling that does not fit it, SyntaxFault for a file that is
    no JSON, ThingRefused for a model that needs another one that is not there.
    """
    document, given = _parsed(model), _parsed(filling)
    if not isinstance(document, dict) or not thing_models.is_model(document):
        raise InputError(f"{model.name} is no Thing Model.", remedy="Load it without --fill.")
    beside = Beside(model.parent, _parsed, (model.resolve(),))
    taken = whole(document, beside)
    several = isinstance(given, list)
    found: list[Document] = []
    for index, one in enumerate(given if several else [given]):
        one = _filling(one, filling.name)
        _refuse_unknown(_names_in(taken, beside), one, filling.name)
        found += _devices(taken, one, _stem(model) + (f"-{index + 1}" if several else ""), beside, filling.name)
    return found


def _parsed(path: Path) -> Any:
    return jsonld.parse_text(jsonld.read_file(path), source=path.name)


def _stem(path: Path) -> str:
    return re.split(r"\.(?:tm|td|json)", path.name)[0]


def _filling(given: Any, source: str) -> Document:
    """A filling with all its members. Raises InputError for a value that is no filling."""
    if not isinstance(given, dict):
        raise InputError(f"{source}: a filling is a JSON object.", remedy='Give {"placeholders": {…}, "thing": {…}}.')
    named = any(member in given for member in MEMBERS)
    found = given if named else {"placeholders": given}
    for member in ("placeholders", "thing", "submodels"):
        if not isinstance(found.get(member, {}), dict):
            raise InputError(f"{source}: {member} is a JSON object.", remedy="Mend the filling.")
    if odd := sorted(set(found) - set(MEMBERS)):
        raise InputError(f"{source}: a filling has no member {odd[0][:80]}.", remedy=f"Use {', '.join(MEMBERS)}.")
    return found


def _names_in(model: Document, beside: Beside) -> set[str]:
    """The placeholders of a model and of those that it is made of."""
    found = set(_placeholders(model))
    for _, href in submodels(model):
        found |= _names_in(beside.model(href), beside.below(beside.find(href)))
    return found


def _placeholders(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield from _PLACEHOLDER.findall(value)
    elif isinstance(value, dict | list):
        for one in value.values() if isinstance(value, dict) else value:
            yield from _placeholders(one)


def _refuse_unknown(names: set[str], filling: Document, source: str) -> None:
    unknown = sorted(set(filling.get("placeholders", {})) - names)
    if unknown:
        known = f"Its placeholders are {', '.join(sorted(names))}." if names else "It has none."
        raise InputError(f"{source}: the model has no placeholder {unknown[0][:80]}.", remedy=known)


def _devices(model: Document, filling: Document, name: str, beside: Beside, source: str) -> Iterator[Document]:
    """The TD of a device, and then those of its parts, which know each other as W3C's collection and items."""
    parts = submodels(model)
    unknown = sorted(set(filling.get("submodels", {})) - {part for part, _ in parts})
    if unknown:
        raise InputError(f"{source}: the model has no part {unknown[0][:80]}.", remedy="Use the names of its links.")
    device = _instance(without_parts(model), filling, name)
    made: list[Document] = []
    for part, href in parts:
        own = _filling(filling.get("submodels", {}).get(part, {}) or {"placeholders": {}}, source)
        placeholders = {**filling.get("placeholders", {}), **own.get("placeholders", {})}
        more = {"simulated": filling.get("simulated", False), **own, "placeholders": placeholders}
        more["thing"] = merged({"id": rdf.below(device["id"], part)} | _shared(device), own.get("thing", {}))
        within = list(_devices(beside.model(href), more, f"{name}-{part}", beside.below(beside.find(href)), source))
        within[0] = _linked(within[0], "collection", device["id"])
        device = _linked(device, "item", within[0]["id"])
        made += within
    yield device
    yield from made


def _shared(device: Document) -> Document:
    """The members that a part takes over from its device unless its filling gives others: base and security."""
    return {key: device[key] for key in ("base", "security", "securityDefinitions") if key in device}


def _linked(document: Document, relation: str, target: str) -> Document:
    link = {"rel": relation, "href": target, "type": "application/td+json"}
    return {**document, "links": [*document.get("links", []), link]}


def _instance(model: Document, filling: Document, name: str) -> Document:
    """The TD of one device: placeholders replaced, the filling's members merged in, an id given."""
    document: Document = merged(_replaced(model, filling.get("placeholders", {})), filling.get("thing", {}))
    document.setdefault("id", ORIGIN + rdf.below(ORIGIN, name)[len(ORIGIN) + 1 :])
    found = _simulated(document) if filling.get("simulated") is True else document
    thing_models.refuse_incomplete(found)
    return thing_models.instance(found)[0]


def _replaced(value: Any, given: Mapping[str, Any]) -> Any:
    """A value with its placeholders replaced: a text that is nothing but one becomes a value of any type."""
    if isinstance(value, dict):
        return {key: _replaced(one, given) for key, one in value.items()}
    if isinstance(value, list):
        return [_replaced(one, given) for one in value]
    if not isinstance(value, str):
        return value
    alone = _PLACEHOLDER.fullmatch(value)
    if alone is not None and alone[1] in given:
        return given[alone[1]]
    return _PLACEHOLDER.sub(lambda found: str(given.get(found[1], found[0])), value)


def _simulated(document: Document) -> Document:
    """A document whose affordances without forms lead to themselves: the simulator stands in for the device."""
    iri = rdf.document_iri(str(document["id"]))
    found: Document = {"security": "nosec_sc", "securityDefinitions": {"nosec_sc": {"scheme": "nosec"}}, **document}
    for group, address in _IRIS.items():
        affordances = document.get(group)
        if isinstance(affordances, dict):
            found[group] = {key: _with_form(one, address(iri, key)) for key, one in affordances.items()}
    return found


def _with_form(affordance: Any, target: str) -> Any:
    bare = isinstance(affordance, dict) and not affordance.get("forms")
    return {**affordance, "forms": [{"href": target}]} if bare else affordance
