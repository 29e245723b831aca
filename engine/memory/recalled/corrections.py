"""Corrections that come again become a proposed preference: with their count as the reason, kept only after leave."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from weakref import WeakKeyDictionary

from engine.environment.values.quantities import amount_of
from engine.environment.values.scales import scale_of
from engine.errors import ValueFault
from engine.graph.store import GraphStore
from engine.graph.terms import Literal, NamedNode, python
from engine.language.replies.replies import value_words
from engine.memory.kept import facts
from engine.memory.recalled.recall import is_hour
from engine.model.fact import Daytime, Fact, Occasion, Provenance, Statement
from engine.model.intent import Intent
from engine.model.outcome import Change
from engine.model.selection import Quantity, Select
from engine.things.registry import Registry

RUNNING = 3
"""On how many days running something is corrected before it is proposed."""

_proposed: WeakKeyDictionary[GraphStore, dict[str, Fact]] = WeakKeyDictionary()


def proposal(
    store: GraphStore, registry: Registry, user: str, changes: Iterable[Change], now: datetime, request: str
) -> str | None:
    """What is proposed to a person after these changes, in words: where each of the last days, at this part of the day,
    they moved the same thing the same way. None where there is nothing to propose."""
    part = next((one for one in Daytime if is_hour(one, now, store)), None)
    for change in changes:
        way = _way(change.before, change.after)
        if part is None or not way or not _is_running(store, user, change.property, way, part, now):
            continue
        fact = _fact(registry, user, change, part, now, request)
        if fact is not None and not any(one.text == fact.text for one in facts.about(store, user)):
            _proposed.setdefault(store, {})[user.casefold()] = fact
            return f"You have done so {RUNNING} days running: say “keep that”, and I keep in mind: {fact.text}."
    return None


def agreed(store: GraphStore, user: str) -> Fact | None:
    """Keeps what was proposed to a person last; None where nothing was."""
    fact = _proposed.get(store, {}).pop(user.casefold(), None)
    if fact is not None:
        facts.keep(store, [fact])
    return fact


def _way(before: object, after: object) -> int:
    numbers = [x for x in (before, after) if isinstance(x, int | float) and not isinstance(x, bool)]
    return (numbers[1] > numbers[0]) - (numbers[1] < numbers[0]) if len(numbers) == 2 else 0


def _is_running(store: GraphStore, user: str, prop: str, way: int, part: Daytime, now: datetime) -> bool:
    """Whether it went this way at this part of each of the last days."""
    days = set()
    for at, before, after in store.select("memory/corrections", user=Literal(user), property=NamedNode(prop)):
        if at is None or before is None or after is None:
            continue
        moment = datetime.fromisoformat(at.value).astimezone(now.tzinfo)
        if _way(python(before), python(after)) == way and is_hour(part, moment, store):
            days.add(moment.date())
    return all((now - timedelta(days=ago)).date() in days for ago in range(RUNNING))


def _fact(registry: Registry, user: str, change: Change, part: Daytime, now: datetime, request: str) -> Fact | None:
    """The preference that a change would be, for this part of the day."""
    prop, thing = registry.properties.get(change.property), registry.thing_of.get(change.property)
    if prop is None or thing is None:
        return None
    try:
        amount = amount_of(change.after, scale_of(prop, registry.vocabulary))
    except ValueFault:
        return None
    kind = min(prop.kinds, default=None)
    name = registry.vocabulary.name(kind or "").lower()
    said = f"the {thing.title} at {name} {value_words(change.after)} in the {part.value}"
    goal = Intent(
        "urn:goal", said, selection=Select(things=(prop.part,), quantity=Quantity.ALL), property=kind, amount=amount
    )
    source = Provenance(user, now, said, request)
    return Fact(f"{request}/proposal", user, Statement.SETTING, source, Occasion(daytimes=(part,)), (goal,))
