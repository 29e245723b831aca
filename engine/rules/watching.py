"""Which rules a change can wake: an index of the rules of a home by property, by event and by what they wait to see."""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta

from engine.environment.selection import Selector
from engine.environment.state import State as Present
from engine.environment.values.schemas import is_number
from engine.graph.store import GraphStore
from engine.graph.terms import Json
from engine.model.rule import Match, Rule
from engine.rules.facts import OPPOSITE, Values, Watch, compiled
from engine.rules.moments import Ground, utc
from engine.rules.standing import Standing, appearing, standings, told_of
from engine.things.registry import Registry

LAST = "\uffff"
"""Sorts behind every IRI."""


def _bounded(found: Iterable[Standing]) -> dict[str, list[float]]:
    """The properties of which all that is asked is on which side of a number they are, with these numbers."""
    bounds: dict[str, list[float]] = {}
    others: set[str] = set()
    for watch in (watch for one in found for watch in one.watches):
        if watch.slow is not None:
            others |= watch.properties
        for one in (one for part in watch.parts for test in part for one in test.any):
            if one.slot in OPPOSITE and is_number(one.bound):
                bounds.setdefault(one.property, []).append(float(one.bound))  # type: ignore[arg-type]
            else:
                others.add(one.property)
    return {prop: numbers for prop, numbers in bounds.items() if prop not in others}


class Watching:
    """The rules of one home, compiled for it as it is now."""

    def __init__(self, store: GraphStore, registry: Registry, state: Present) -> None:
        self._store, self._registry, self._state = store, registry, state
        self.standing: dict[str, list[Standing]] = {}
        self.seen: dict[str, frozenset[str]] = {}
        self._conditions: dict[str, list[Watch]] = {}
        self._by_property: dict[str, set[str]] = {}
        self._told: dict[str, set[str]] = {}
        self._of: dict[str, frozenset[str]] = {}
        self._bounds: dict[str, list[tuple[float, str]]] = {}

    def add(self, rule: Rule) -> list[Standing]:
        """Compiles a rule and indexes it; how its events stand."""
        found = [one for t in rule.triggers for one in standings(t, rule.windows, self._store, self._registry)]
        self.standing[rule.iri] = found
        self._conditions[rule.iri] = [compiled(fact, self._store, self._registry) for fact in rule.conditions]
        told = frozenset().union(*(told_of(t, self._store, self._registry) for t in rule.triggers))
        watched = frozenset().union(*(one.properties for one in found))
        bounded = _bounded(found)
        for prop, bounds in bounded.items():
            for bound in bounds:
                insort(self._bounds.setdefault(prop, []), (bound, rule.iri))
        for index, keys in ((self._by_property, watched - bounded.keys()), (self._told, told)):
            for key in keys:
                index.setdefault(key, set()).add(rule.iri)
        self._of[rule.iri] = told | watched
        self.seen[rule.iri] = self._appeared(rule)
        return found

    def drop(self, iri: str) -> None:
        """Forgets a rule."""
        for key in self._of.pop(iri, ()):
            for index in (self._by_property, self._told):
                index.get(key, set()).discard(iri)
            if key in self._bounds:
                self._bounds[key] = [one for one in self._bounds[key] if one[1] != iri]
        for kept in (self.standing, self.seen, self._conditions):
            kept.pop(iri, None)

    def woken(self, prop: str, before: Json, after: Json) -> tuple[str, ...]:
        """The rules whose events a change can make true or false: of those that wait for a number to pass a bound, the
        ones whose bound lies between what it was and what it is."""
        bounds = self._bounds.get(prop, [])
        if bounds and is_number(before) and is_number(after):
            low, high = sorted((float(before), float(after)))  # type: ignore[arg-type]
            bounds = bounds[bisect_left(bounds, (low, "")) : bisect_right(bounds, (high, LAST))]
        return tuple(dict.fromkeys((*self._by_property.get(prop, ()), *(iri for _, iri in bounds))))

    def told(self, iri: str) -> tuple[str, ...]:
        """The rules that any change of a property, or any news of an event, sets off."""
        return tuple(self._told.get(iri, ()))

    def since(self, iri: str) -> Mapping[str, datetime]:
        """Since when the properties that a rule watches are as they are, as far as that is known."""
        return {prop: at for prop in self._of.get(iri, ()) if (at := self._state.changed_at(prop)) is not None}

    def conditions_hold(self, rule: Rule, values: Values, at: datetime) -> bool:
        """Whether the conditions of a rule hold at a moment."""
        found = [self._is_so(watch, values, at) for watch in self._conditions.get(rule.iri, ())]
        return not found or (all if rule.match is Match.ALL else any)(found)

    def _is_so(self, watch: Watch, values: Values, at: datetime) -> bool:
        if watch.holds(values) is not True:
            return False
        known = [moment for prop in watch.properties if (moment := self._state.changed_at(prop)) is not None]
        lasting = timedelta(seconds=watch.fact.seconds)
        return not watch.fact.seconds or (bool(known) and utc(at) >= utc(max(known, key=utc)) + lasting)

    def next_looks(self, iri: str, now: datetime, ground: Ground) -> Iterable[datetime | None]:
        """When time alone can change how the events of a rule stand."""
        return [one.next_look(now, ground) for one in self.standing.get(iri, ())]

    def look(self, iri: str, values: Values, now: datetime, ground: Ground) -> tuple[bool, Json]:
        """Whether an event of a rule turns true at this moment, and how its events stand."""
        found = self.standing.get(iri, [])
        turned = [one.look(values, now, ground) for one in found]
        return any(turned), [one.to_json() for one in found] or None

    def _appeared(self, rule: Rule) -> frozenset[str]:
        wanted = [select for t in rule.triggers if (select := appearing(t)) is not None]
        selector = Selector(self._store, self._registry)
        return frozenset(part for select in wanted for part in selector.select(select))
