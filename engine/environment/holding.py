"""Which parts have values that are as is said: SPARQL compares them with a bound for each scale that they are on."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from engine.environment.comparisons import comparisons
from engine.environment.scopes import Scale, owners, scopes_of
from engine.graph.store import GraphStore
from engine.graph.terms import Json, Literal, NamedNode, Term, literal
from engine.model.selection import Condition
from engine.things.registry import Registry

FEW = 32
"""Where less than one in so many properties of the home is asked about, each is looked up, which costs
four times as much as to read one of all values; else these are read."""
FEW_KNOWN = 4
"""The same where every value passes, so that all of those read come back."""
SLOTS = ("above", "at_least", "below", "at_most", "equal", "value", "known")
_Rows = dict[str, list[tuple[Term, ...]]]


def holding(
    alternatives: Sequence[Sequence[Condition]], scope: frozenset[str], store: GraphStore, registry: Registry
) -> list[set[str]]:
    """For each of the alternatives the parts of the scope of which any of its conditions holds."""
    asked = _Asked(len(registry.properties), [set() for _ in alternatives])
    whole = frozenset(registry.thing_of[part].iri for part in scope) if _of_parts(alternatives) else scope
    for number, conditions in enumerate(alternatives):
        for one in conditions:
            for scale in scopes_of(store).scales(one.kind, registry):
                own = scale.within(whole if one.of else scope)
                asked.add(number, scale, own, comparisons(one, scale.example, registry))
    asked.answer(store)
    return [
        _of_things(found, conditions[0].of, scope, registry)
        if conditions and conditions[0].of
        else {owner for prop in found for owner in owners(prop, registry)} & scope
        for found, conditions in zip(asked.found, alternatives, strict=True)
    ]


def _of_parts(alternatives: Sequence[Sequence[Condition]]) -> bool:
    return any(one.of for conditions in alternatives for one in conditions)


def _of_things(found: Iterable[str], classes: Sequence[str], scope: frozenset[str], registry: Registry) -> set[str]:
    """The parts of the scope that are of things in which a part of these classes has one of the properties found."""
    is_a = registry.vocabulary.is_a
    things = {
        registry.thing_of[prop].iri
        for prop in found
        if any(is_a(c, cls) for c in registry.parts[registry.properties[prop].part].every_class for cls in classes)
    }
    return {part for part in scope if registry.thing_of[part].iri in things}


@dataclass(frozen=True, slots=True)
class _Asked:
    """The tests to put to a store that has `known` properties: `few` by property, `all` whatever the property, with the
    alternatives and scales for which that counts. `found` are the properties, for each alternative."""

    known: int
    found: list[set[str]]
    few: _Rows = field(default_factory=lambda: {slot: [] for slot in SLOTS})
    all: dict[tuple[str, tuple[Literal, ...]], list[tuple[int, Scale]]] = field(default_factory=dict)

    def add(self, number: int, scale: Scale, own: Sequence[str], wanted: Iterable[tuple[str, Json]]) -> None:
        """Asks which of these properties, all on one scale, are as is wanted."""
        for slot, value in wanted if own else ():
            bound = () if value is None else (literal(value),)
            if len(own) * (FEW_KNOWN if slot == "known" else FEW) < self.known:
                self.few[slot] += [(_label(number), NamedNode(prop), *bound) for prop in own]
            else:
                self.all.setdefault((slot, bound), []).append((number, scale))

    def answer(self, store: GraphStore) -> None:
        """Asks the store."""
        if any(self.few.values()):
            rows = {"test_property" if slot == "known" else f"test_property_{slot}": self.few[slot] for slot in SLOTS}
            for number, prop in store.select("selection/held_by", **rows):
                self.found[int(number.value)].add(prop.value)  # type: ignore[union-attr]
        if not self.all:
            return
        counted = list(self.all.values())
        passed: list[set[str]] = [set() for _ in counted]
        for number, prop in store.select("selection/held", **self._rows()):
            passed[int(number.value)].add(prop.value)  # type: ignore[union-attr]
        for properties, uses in zip(passed, counted, strict=True):
            for alternative, scale in uses:
                self.found[alternative].update(properties & scale.members)

    def _rows(self) -> dict[str, list[tuple[Term, ...]] | list[Literal]]:
        rows: _Rows = {f"test_{slot}": [] for slot in SLOTS if slot != "known"}
        known = []
        for number, (slot, bound) in enumerate(self.all):
            if slot == "known":
                known.append(_label(number))
            else:
                rows[f"test_{slot}"].append((_label(number), *bound))
        return {**rows, "test": known}


def _label(number: int) -> Literal:
    return Literal(str(number))
