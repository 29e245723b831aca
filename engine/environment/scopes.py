"""Caches for one generation of a store: the scopes of selections, and the scales of values."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from engine.graph.store import GraphStore
from engine.model.thing import Property, scale_key
from engine.things.registry import Registry

MOST_MEMBERS = 50_000
"""How many parts the cached scopes may have together, with one for each scope."""
_Key = tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Scale:
    """Properties whose values count alike: one of them as the example, all by IRI, and those of each part and thing."""

    example: Property
    members: set[str] = field(default_factory=set)
    of: dict[str, list[str]] = field(default_factory=dict)

    def within(self, scope: frozenset[str]) -> list[str]:
        """The properties that are of any of these parts, each once, by the IRI of the part."""
        return list(dict.fromkeys(prop for owner in sorted(self.of.keys() & scope) for prop in self.of[owner]))


@dataclass(frozen=True, slots=True)
class Scopes:
    """The cached scopes and scales of one generation of a store."""

    _scales: dict[str, tuple[Scale, ...]] = field(default_factory=dict)
    _parts: dict[_Key, frozenset[str]] = field(default_factory=dict)

    def scales(self, kind: str, registry: Registry) -> tuple[Scale, ...]:
        """The scales that values of a kind are on in this home."""
        if kind not in self._scales:
            self._scales[kind] = tuple(_scales(kind, registry))
        return self._scales[kind]

    def parts(self, key: _Key, find: Callable[[], Iterable[str]]) -> frozenset[str]:
        """The parts that go by a key, found where they are not known."""
        known = self._parts.get(key)
        if known is None:
            known = frozenset(find())
            if sum(1 + len(parts) for parts in self._parts.values()) + len(known) >= MOST_MEMBERS:
                self._parts.clear()
            self._parts[key] = known
        return known


def scopes_of(store: GraphStore) -> Scopes:
    """The caches of the present generation of a store."""
    return store.derived("environment/scopes", Scopes)


def owners(prop: str, registry: Registry) -> tuple[str, str]:
    """The part that a property is of, and the thing."""
    return registry.properties[prop].part, registry.thing_of[prop].iri


def _scales(kind: str, registry: Registry) -> Iterable[Scale]:
    found: dict[str, Scale] = {}
    for iri, prop in _of_kind(kind, registry).items():
        scale = found.setdefault(scale_key(prop), Scale(prop))
        scale.members.add(iri)
        for owner in dict.fromkeys(owners(iri, registry)):
            scale.of.setdefault(owner, []).append(iri)
    return found.values()


def _of_kind(kind: str, registry: Registry) -> Mapping[str, Property]:
    is_a = registry.vocabulary.is_a
    return {iri: p for iri, p in registry.properties.items() if any(is_a(k, kind) for k in p.kinds)}
