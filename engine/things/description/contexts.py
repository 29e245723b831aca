"""The JSON-LD contexts of Thing Descriptions: maps JSON keys to RDF terms and back, from files of our own.

`ontology/context/*.jsonld` map the terms of TD 1.0, TD 1.1 and Discovery. A remote context is known by its address or
not at all: nothing is ever fetched. https://www.w3.org/TR/json-ld11/#the-context
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any
from urllib.parse import quote, unquote

from engine.graph.terms import NAMESPACES
from engine.model.thing_rdf import is_iri
from engine.resources import folder

TD_1_0 = "https://www.w3.org/2019/wot/td/v1"
TD_1_1 = "https://www.w3.org/2022/wot/td/v1.1"
KNOWN = {
    TD_1_0: "td",
    TD_1_1: "td",
    "https://www.w3.org/2022/wot/discovery": "discovery",
    "https://w3c.github.io/wot-discovery/context/discovery-core.jsonld": "discovery",
}
"""Remote contexts, by the file of ours that stands for them."""

_UNSAFE = re.compile(r"[^\w.~:/?@!$&'()*+,;=-]")
_LANGUAGE = re.compile(r"[A-Za-z]{1,8}(-[A-Za-z0-9]{1,8})*")
_PREFIX = re.compile(r"[A-Za-z][\w.-]*")


@dataclass(frozen=True, slots=True)
class TermDefinition:
    """The RDF term of a JSON key: its predicate (`@type` for classes) and how its values are written."""

    iri: str
    type: str | None = None
    container: str | None = None
    index: str | None = None
    scope: str | None = None


@dataclass(frozen=True, slots=True)
class JsonLdContext:
    """The terms, prefixes and vocabulary in force at a node. `language` is that of plain texts, `own_terms` are the
    author's names of predicates and classes: they count wherever the words of a TD do not."""

    terms: Mapping[str, TermDefinition] = field(default_factory=dict)
    prefixes: Mapping[str, str] = field(default_factory=dict)
    vocabulary: str = NAMESPACES["td"]
    language: str | None = None
    own_prefixes: frozenset[str] = frozenset()
    own_terms: Mapping[str, str] = field(default_factory=dict)

    def within(self, term: TermDefinition) -> JsonLdContext:
        """The context of the nodes under a key."""
        return self if term.scope is None else _scoped(self, _file(term.scope))

    def aliases(self, iri: str) -> tuple[str, ...]:
        """The keys that mean a predicate."""
        return tuple(key for key, term in self.terms.items() if term.iri == iri)

    def expand(self, name: str) -> str:
        """A key, class or operation as an IRI: a term, a prefixed name, an address, or a word of the vocabulary.

        The prefixes that everybody uses (saref:, sosa:, schema:) need not be declared, for they often are not."""
        term = self.terms.get(name)
        if term is not None and not term.iri.startswith("@"):
            return term.iri
        if term is None and name in self.own_terms:
            return self.own_terms[name]
        prefix, colon, rest = name.partition(":")
        namespace = self.prefixes.get(prefix) or NAMESPACES.get(prefix)
        found = namespace + _escaped(rest) if colon and namespace and not rest.startswith("//") else name
        return found if colon and is_iri(found) else self.vocabulary + quote(name, safe="~")

    def compact(self, iri: str) -> str:
        """The shortest name that `expand` reads as this IRI."""
        for key in self.aliases(iri):
            return key
        for key, own in self.own_terms.items():
            if own == iri and key not in self.terms:
                return key
        if iri.startswith(self.vocabulary):
            word = unquote(iri[len(self.vocabulary) :])
            if word and self.expand(word) == iri:
                return word
        for prefix, namespace in sorted(self.prefixes.items(), key=lambda item: -len(item[1])):
            if iri.startswith(namespace) and len(iri) > len(namespace):
                name = f"{prefix}:{iri[len(namespace) :]}"
                if self.expand(name) == iri:
                    return name
        return iri


def read(given: object) -> tuple[JsonLdContext, list[str]]:
    """The context that a document names, and the addresses in it that are not known (their terms stay as they are).

    `given` is the value of `@context`: an address, or a list of addresses and objects of prefixes.
    """
    context = _scoped(JsonLdContext(), _file("td.jsonld"))
    unknown: list[str] = []
    for entry in given if isinstance(given, list) else [given]:
        if isinstance(entry, str):
            if entry not in KNOWN:
                unknown.append(entry)
            elif KNOWN[entry] != "td":
                context = _scoped(context, _file(f"{KNOWN[entry]}.jsonld"))
        elif isinstance(entry, dict):
            context = _with_prefixes(context, entry)
    return context, unknown


def is_language(tag: str) -> bool:
    """Whether a text can stand as a language tag."""
    return _LANGUAGE.fullmatch(tag) is not None


def _with_prefixes(context: JsonLdContext, given: Mapping[str, Any]) -> JsonLdContext:
    """A context with the prefixes, single terms and language that an author's own object adds to it."""
    plain = {key: value for key, value in given.items() if isinstance(value, str)}
    language = plain.pop("@language", context.language)
    known = {**context.prefixes, **{key: value for key, value in plain.items() if is_iri(value)}}
    given = {key: _absolute(value, known) for key, value in plain.items() if _PREFIX.fullmatch(key)}
    prefixes = {key: value for key, value in given.items() if is_iri(value)}
    return replace(
        context,
        prefixes={**context.prefixes, **prefixes},
        language=language if language is None or is_language(language) else None,
        own_prefixes=context.own_prefixes | prefixes.keys(),
        own_terms={**context.own_terms, **prefixes},
    )


def _absolute(name: str, prefixes: Mapping[str, str]) -> str:
    """A prefixed name as an IRI. Prefixes that are made of others are taken as they stand: each would be longer."""
    prefix, colon, rest = name.partition(":")
    namespace = prefixes.get(prefix, "")
    made = namespace.partition(":")[0] in prefixes
    return namespace + rest if colon and namespace and not made and not rest.startswith("//") else name


def _scoped(outer: JsonLdContext, definitions: Mapping[str, Any]) -> JsonLdContext:
    found = {key: value for key, value in definitions.items() if isinstance(value, str) and not key.startswith("@")}
    given = {key: value for key, value in found.items() if is_iri(value) and key not in outer.own_prefixes}
    prefixes = {**outer.prefixes, **given}
    scoped = replace(outer, prefixes=prefixes, vocabulary=definitions.get("@vocab", outer.vocabulary))
    # What is nearest comes first, so that a predicate is written by the key that means it here.
    terms = {key: _term(value, prefixes) for key, value in definitions.items() if _defines(key, value)}
    return replace(scoped, terms={**terms, **{k: v for k, v in outer.terms.items() if k not in terms}})


def _defines(key: str, value: object) -> bool:
    return not key.startswith("@") and (isinstance(value, dict) or value in ("@id", "@type"))


def _term(value: str | Mapping[str, str], prefixes: Mapping[str, str]) -> TermDefinition:
    if isinstance(value, str):
        return TermDefinition(value)

    def absolute(name: str | None) -> str | None:
        if name is None or name.startswith("@"):
            return name
        prefix, _, rest = name.partition(":")
        return prefixes[prefix] + rest

    return TermDefinition(
        iri=absolute(value["@id"]) or "",
        type=absolute(value.get("@type")),
        container=value.get("@container"),
        index=absolute(value.get("@index")),
        scope=value.get("@context"),
    )


@cache
def _file(name: str) -> Mapping[str, Any]:
    content: Mapping[str, Any] = json.loads((folder("ontology") / "context" / name).read_text(encoding="utf-8"))
    definitions: Mapping[str, Any] = content["@context"]
    return definitions


def _escaped(rest: str) -> str:
    return _UNSAFE.sub(lambda found: quote(found.group(), safe=""), rest.replace("#", "\0")).replace("%00", "#")
