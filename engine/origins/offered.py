"""The offers of an artifact as a thing of this graph: affordances like any other's, and the words that name them.

A tool without a command in the vocabulary gets one of its own, under the tool's name; words that mean something here
already are never taken by a stranger's tool.
"""

from __future__ import annotations

from typing import Any

from engine.graph.terms import Triple
from engine.model import thing_rdf as rdf
from engine.model.exposure import RESOURCE, Artifact, Offer
from engine.model.json_schemas import described
from engine.things.description import contexts, jsonld
from engine.things.minting import NUMBERS, Minting
from engine.things.ontology.identifiers import spelled
from engine.things.registry import Registry


def key(offer: Offer) -> str:
    """The name that an offer has as an affordance: a point in it would lead to a part of the thing."""
    return offer.name.replace(".", "_").replace("/", "_")


def name_of(artifact: Artifact) -> str:
    """The name of an artifact for people: the one it was registered under, not its own."""
    return artifact.id.replace("_", " ")


def affordance_iri(artifact: Artifact, offer: Offer) -> str:
    """The IRI that an offer has as an affordance of the thing."""
    kind = "properties" if offer.sort == RESOURCE else "actions"
    return rdf.below(artifact.iri, kind, key(offer))


def below(thing: str) -> str:
    """The beginning of the addresses of a thing's own terms."""
    return rdf.below(thing, "")


def statements(artifact: Artifact, registry: Registry) -> list[Triple]:
    """The thing that an artifact is, and the terms that are called as its tools are."""
    minting = Minting(artifact.iri, artifact.id, registry)
    document = _document(artifact, minting)
    triples, _ = jsonld.statements(document, name=artifact.id, source=artifact.endpoint)
    return [*triples, *minting.triples]


def _document(artifact: Artifact, minting: Minting) -> dict[str, Any]:
    actions = [offer for offer in artifact.offers if offer.sort != RESOURCE]
    readings = [offer for offer in artifact.offers if offer.sort == RESOURCE]
    return {
        "@context": contexts.TD_1_1,
        "id": artifact.iri,
        "@type": minting.device_class(name_of(artifact)),
        "title": name_of(artifact),
        **({"description": artifact.description} if artifact.description else {}),
        "securityDefinitions": {"nosec_sc": {"scheme": "nosec"}},
        "security": "nosec_sc",
        "actions": {key(offer): _action(artifact, offer, minting) for offer in actions},
        "properties": {key(offer): _property(artifact, offer, minting) for offer in readings},
    }


def _form(artifact: Artifact, operation: str) -> dict[str, Any]:
    return {"href": artifact.endpoint, "op": operation, "subprotocol": artifact.kind}


def _action(artifact: Artifact, offer: Offer, minting: Minting) -> dict[str, Any]:
    found: dict[str, Any] = {"title": offer.title, "forms": [_form(artifact, "invokeaction")]}
    if offer.description:
        found["description"] = offer.description
    given = described(offer.input)
    if minting.free(offer.name):
        kinds = [_number(offer, name, member, minting) for name, member in _numbers(given or {})]
        found["@type"] = minting.command(key(offer), (offer.name,), kinds)
    return {**found, "input": given} if given else found


def _property(artifact: Artifact, offer: Offer, minting: Minting) -> dict[str, Any]:
    found: dict[str, Any] = {"title": offer.title, "readOnly": True, "forms": [_form(artifact, "readproperty")]}
    if offer.description:
        found["description"] = offer.description
    if not str(offer.call.get("type", "")).startswith("application/json"):
        found["type"] = "string"
    kind = minting.told(key(offer), offer.name)
    return {**found, "@type": kind, "title": spelled(offer.title)} if kind else found


def _number(offer: Offer, name: str, member: dict[str, Any], minting: Minting) -> str:
    """The kind of a number that a tool takes; the member is told of it, and of its unit."""
    said = (str(member.get("unit", "")), name, str(member.get("description", "")))
    kind, unit = minting.extent(key(offer), name, said)
    member.update({"@type": kind, **({"unit": unit} if unit else {})})
    return kind


def _numbers(given: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    """The numbers that a tool takes, also those within objects, by their names."""
    members = given.get("properties")
    if not isinstance(members, dict):
        return []
    found: list[tuple[str, dict[str, Any]]] = []
    for name, one in members.items():
        found += [(name, one)] if one.get("type") in NUMBERS else _numbers(one)
    return found
