"""Maps Home Assistant's names to our terms, from `mapping.ttl`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path

from pyoxigraph import BlankNode, RdfFormat, parse

from engine.graph.terms import Json, NamedNode, Term, expand, python
from engine.model.vocabulary import Effect, Form
from engine.things.description.dialects import local_name

HA = "https://w3id.org/hearthgraph/home-assistant#"
STATE = "state"
_FORMS = {expand(f"hg:{form.value}"): form for form in Form}
_KIND = expand("hg:kind")

Row = Mapping[str, tuple[Json, ...]]
"""One row of the mapping: values by the name of the predicate."""


@dataclass(frozen=True, slots=True)
class OwnEffect:
    """An effect of a service: on the state or an attribute (`on`), or on a kind of which there is no property."""

    on: str
    kind: str
    form: Form
    value: Json

    def effect(self, kind: str, iri: str | None) -> Effect:
        """As an effect on the property of that IRI."""
        return Effect(kind, self.form, self.value, iri)


@dataclass(frozen=True, slots=True)
class ServiceRule:
    """The commands of a service. `effects` are its own; a `plain` one is not there for its fields."""

    commands: frozenset[str] = frozenset()
    effects: tuple[OwnEffect, ...] = ()
    plain: bool = False


@dataclass(frozen=True, slots=True)
class Meanings:
    """The rows of the mapping: `entities` by (domain, device class), `attributes` by (domain, attribute), services by
    name, fields by (service, field)."""

    entities: dict[tuple[str, str], dict[str, tuple[Json, ...]]] = field(default_factory=dict)
    attributes: dict[tuple[str, str], Row] = field(default_factory=dict)
    services: dict[str, ServiceRule] = field(default_factory=dict)
    fields: dict[tuple[str, str], Row] = field(default_factory=dict)
    general: dict[str, tuple[str, ...]] = field(default_factory=dict)
    towards: dict[str, frozenset[str]] = field(default_factory=dict)

    def entity(self, domain: str, device_class: str) -> Row:
        """The row of a domain, overridden by that of its device class."""
        return {**self.entities.get((domain, ""), {}), **self.entities.get((domain, device_class), {})}

    def listed(self, domain: str) -> bool:
        """Whether anything is known of a domain."""
        return (domain, "") in self.entities

    def of_attributes(self, domain: str) -> Iterator[tuple[str, Row]]:
        """The mapped attributes of a domain, with their rows."""
        return ((name, row) for (of, name), row in self.attributes.items() if of == domain)

    def service(self, domain: str, name: str) -> ServiceRule | None:
        """The rule of a service: by its full name, else by its own."""
        full, plain = self.services.get(f"{domain}.{name}"), self.services.get(name)
        if full is None or full.commands or plain is None:
            return full or plain
        return replace(full, commands=plain.commands)


@lru_cache(maxsize=1)
def load() -> Meanings:
    """The mapping that ships with the origin."""
    rows: dict[Term, dict[str, list[Term]]] = {}
    for quad in parse(path=str(Path(__file__).with_name("mapping.ttl")), format=RdfFormat.TURTLE):
        rows.setdefault(quad.subject, {}).setdefault(quad.predicate.value, []).append(quad.object)
    mapping = Meanings()
    for row in rows.values():
        _add(row, rows, mapping)
    return mapping


def text(row: Row, name: str, default: str = "") -> str:
    """The first value of a row under a name, as a text."""
    values = row.get(name)
    return str(values[0]) if values else default


def texts(row: Row, name: str) -> tuple[str, ...]:
    """The values of a row under a name, as texts."""
    return tuple(str(value) for value in row.get(name, ()))


def number(row: Row, name: str) -> float | None:
    """The number of a row under a name, or None."""
    value = (row.get(name) or (None,))[0]
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None


def _add(terms: Mapping[str, list[Term]], rows: Mapping[Term, Mapping[str, list[Term]]], mapping: Meanings) -> None:
    row = {key.removeprefix(HA): tuple(map(_value, values)) for key, values in terms.items() if key.startswith(HA)}
    if "service" in row:
        _add_service(row, tuple(_effects(terms.get(HA + "effect", []), rows)), mapping)
    elif "attribute" in row:
        for domain in texts(row, "domain"):
            mapping.attributes.update({(domain, name): row for name in texts(row, "attribute")})
    elif "domain" in row:
        for domain in texts(row, "domain"):
            for device_class in texts(row, "deviceClass") or ("",):
                mapping.entities.setdefault((domain, device_class), {}).update(row)
    elif "towards" in row:
        mapping.towards.update({state: frozenset(texts(row, "via")) for state in texts(row, "towards")})
    elif "on" not in row:
        for name in row:
            mapping.general[name] = (*mapping.general.get(name, ()), *texts(row, name))


def _add_service(row: Row, effects: tuple[OwnEffect, ...], mapping: Meanings) -> None:
    for name in texts(row, "service"):
        if "field" in row:
            mapping.fields.update({(name, one): row for one in texts(row, "field")})
            continue
        known = mapping.services.get(name, ServiceRule())
        commands = known.commands | frozenset(texts(row, "command"))
        mapping.services[name] = ServiceRule(commands, (*known.effects, *effects), known.plain or "plain" in row)


def _effects(nodes: list[Term], rows: Mapping[Term, Mapping[str, list[Term]]]) -> Iterator[OwnEffect]:
    for node in nodes:
        about = rows.get(node, {})
        on = about.get(HA + "on")
        kind = about.get(_KIND)
        for predicate, form in _FORMS.items():
            for value in about.get(predicate, ()):
                said = local_name(value.value) if form is Form.TO_BOUND else _value(value)
                yield OwnEffect(on[0].value if on else "", kind[0].value if kind else "", form, said)


def _value(term: Term) -> Json:
    if isinstance(term, NamedNode | BlankNode):
        return term.value
    value = python(term)
    return value if isinstance(value, bool | int | float | str) else str(value)
