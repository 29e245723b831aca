"""The offers of an artifact as a thing of this graph: affordances like any other's, and the words that name them.

A tool without a command in the vocabulary gets one of its own, under the tool's name; words that mean something here
already are never taken by a stranger's tool.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from engine.graph.terms import RDF_TYPE, BlankNode, Json, Literal, NamedNode, Triple, expand, node
from engine.model import thing_rdf as rdf
from engine.model.exposure import RESOURCE, Artifact, Offer
from engine.model.json_schemas import described
from engine.model.vocabulary import Vocabulary
from engine.things.description import contexts, jsonld
from engine.things.ontology.identifiers import spelled, tokens
from engine.things.registry import Registry

NUMBERS = ("number", "integer")
MOST_WORDS = 4
LABEL = node("skos:prefLabel")


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


def statements(artifact: Artifact, registry: Registry) -> list[Triple]:
    """The thing that an artifact is, and the terms that are called as its tools are."""
    taken = {tokens(str(label.value)) for (label,) in registry.store.select("origins/taken_words") if label is not None}
    minting = _Minting(artifact, registry.vocabulary, taken)
    document = _document(artifact, minting)
    triples, _ = jsonld.statements(document, name=artifact.id, source=artifact.endpoint)
    return [*triples, *minting.triples]


def _document(artifact: Artifact, minting: _Minting) -> dict[str, Any]:
    actions = [offer for offer in artifact.offers if offer.sort != RESOURCE]
    readings = [offer for offer in artifact.offers if offer.sort == RESOURCE]
    return {
        "@context": contexts.TD_1_1,
        "id": artifact.iri,
        "@type": minting.device_class(),
        "title": name_of(artifact),
        **({"description": artifact.description} if artifact.description else {}),
        "securityDefinitions": {"nosec_sc": {"scheme": "nosec"}},
        "security": "nosec_sc",
        "actions": {key(offer): _action(artifact, offer, minting) for offer in actions},
        "properties": {key(offer): _property(artifact, offer, minting) for offer in readings},
    }


def _form(artifact: Artifact, operation: str) -> dict[str, Any]:
    return {"href": artifact.endpoint, "op": operation, "subprotocol": artifact.kind}


def _action(artifact: Artifact, offer: Offer, minting: _Minting) -> dict[str, Any]:
    found: dict[str, Any] = {"title": offer.title, "forms": [_form(artifact, "invokeaction")]}
    if offer.description:
        found["description"] = offer.description
    given = described(offer.input)
    command = minting.command(offer, given or {})
    if command:
        found["@type"] = command
    return {**found, "input": given} if given else found


def _property(artifact: Artifact, offer: Offer, minting: _Minting) -> dict[str, Any]:
    found: dict[str, Any] = {"title": offer.title, "readOnly": True, "forms": [_form(artifact, "readproperty")]}
    if offer.description:
        found["description"] = offer.description
    if not str(offer.call.get("type", "")).startswith("application/json"):
        found["type"] = "string"
    kind = minting.told(offer)
    return {**found, "@type": kind, "title": spelled(offer.title)} if kind else found


class _Minting:
    """The terms for tools that nobody has words for yet."""

    def __init__(self, artifact: Artifact, vocabulary: Vocabulary, known: set[tuple[str, ...]]) -> None:
        self.triples: list[Triple] = []
        self._artifact, self._vocabulary, self._known = artifact, vocabulary, known
        self._units = {label.lower(): unit for unit in vocabulary.units for label in vocabulary.labels.get(unit, ())}

    def device_class(self) -> str:
        """The class that the artifact alone is of, so that its name is known as that of a device."""
        iri = rdf.below(self._artifact.iri, "class")
        cls = NamedNode(iri)
        self.triples += [
            Triple(cls, RDF_TYPE, node("owl:Class")),
            Triple(cls, RDF_TYPE, node("hg:DeviceClass")),
            Triple(cls, node("rdfs:subClassOf"), NamedNode(expand("hg:Device"))),
            Triple(cls, LABEL, Literal(name_of(self._artifact), language="en")),
        ]
        return iri

    def command(self, offer: Offer, given: dict[str, Any]) -> str | None:
        """The command of a tool, with kinds for the numbers that it takes; None where its name is no plain words, or
        means something here already."""
        words = self._free(offer)
        if not words:
            return None
        iri = rdf.below(self._artifact.iri, "commands", key(offer))
        kinds = [self._kind(offer, name, member) for name, member in _numbers(given)]
        self.triples += self._command_triples(NamedNode(iri), " ".join(words), kinds)
        return iri

    def told(self, offer: Offer) -> str | None:
        """The kind of what a resource tells, so that it can be asked for by its name; None as for commands."""
        words = self._free(offer)
        if all((word,) in self._known for word in words):  # "bedroom temperature" is not for a stranger to tell
            return None
        iri = rdf.below(self._artifact.iri, "kinds", key(offer))
        kind = NamedNode(iri)
        self.triples += [
            Triple(kind, RDF_TYPE, node("hg:Kind")),
            Triple(kind, RDF_TYPE, node("owl:Class")),
            Triple(kind, LABEL, Literal(spelled(offer.name), language="en")),
        ]
        return iri

    def _free(self, offer: Offer) -> tuple[str, ...]:
        """The words that an offer is called by; none where these are no plain words, or mean something here already."""
        words = tokens(offer.name)
        plain = 0 < len(words) <= MOST_WORDS and all(word.isalpha() and word.isascii() for word in words)
        return words if plain and words not in self._known else ()

    def _command_triples(self, command: NamedNode, label: str, kinds: list[str]) -> Iterator[Triple]:
        yield Triple(command, RDF_TYPE, node("hg:Command"))
        yield Triple(command, RDF_TYPE, node("owl:Class"))
        yield Triple(command, LABEL, Literal(label, language="en"))
        for kind in kinds:
            effect = BlankNode()
            yield Triple(command, node("hg:effect"), effect)
            yield Triple(effect, node("hg:kind"), NamedNode(kind))
            yield Triple(effect, node("hg:toInput"), NamedNode(kind))

    def _kind(self, offer: Offer, name: str, member: dict[str, Any]) -> str:
        """The kind of a number that a tool takes; the member is told of it, and of its unit."""
        iri = rdf.below(self._artifact.iri, "kinds", f"{key(offer)}-{name}")
        kind = NamedNode(iri)
        label = " ".join(tokens(name)) or name
        self.triples += [
            Triple(kind, RDF_TYPE, node("hg:Kind")),
            Triple(kind, RDF_TYPE, node("owl:Class")),
            Triple(kind, node("rdfs:subClassOf"), node("hg:Extent")),
            Triple(kind, LABEL, Literal(f"{self._artifact.id} {key(offer)} {label}", language="en")),
        ]
        unit = self._unit(name, member)
        if unit:
            self.triples.append(Triple(kind, node("hg:unit"), NamedNode(unit)))
            member["unit"] = unit
        member["@type"] = iri
        return iri

    def _unit(self, name: str, member: Mapping[str, Json]) -> str | None:
        """The unit that a schema names, or of which its name or description speaks."""
        said = [str(member.get("unit", "")), *_words(name), *_words(str(member.get("description", "")))]
        return next((self._units[word.lower()] for word in said if word and word.lower() in self._units), None)


def _words(text: str) -> list[str]:
    """The words of a text of which one may be a unit; a single letter is seldom one."""
    found = "".join(c if c.isalpha() or c in "°%/³²" else " " for c in text.replace("_", " ")).split()
    said = [word for word in found if len(word) > 1 and word.lower() != "in"]  # which is seldom an inch
    return [one for word in said for one in (word, word.rstrip("s"))]


def _numbers(given: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    """The numbers that a tool takes, also those within objects, by their names."""
    members = given.get("properties")
    if not isinstance(members, dict):
        return []
    found: list[tuple[str, dict[str, Any]]] = []
    for name, one in members.items():
        found += [(name, one)] if one.get("type") in NUMBERS else _numbers(one)
    return found
