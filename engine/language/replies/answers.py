"""Answers to questions, in words and with their value and unit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from engine.graph.terms import Json
from engine.language.replies.replies import place_name, property_name, thing_name, value_words
from engine.model.intent import Asks, Intent
from engine.model.outcome import Answer, Reading
from engine.things.registry import Registry

MOST_NAMED = 12


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of a query: matching parts and `others`, places, readings; `asked` is the number of parts in question.
    `levels` are the two compared values, `names` the part or place with the higher one and the other, `moment` is
    when it changed. `asides` are further readings to tell."""

    parts: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    places: tuple[str, ...] = ()
    readings: tuple[Reading, ...] = ()
    asked: int = 0
    value: float | None = None
    holds: bool | None = None
    levels: tuple[float, ...] = ()
    names: tuple[str, ...] = ()
    kind: str | None = None
    moment: datetime | None = None
    asides: tuple[Reading, ...] = ()


def answer(intent: Intent, readings: Sequence[Reading], registry: Registry) -> Answer:
    """The answer: yes or no to a question about a state, else the value, or the values with the names."""
    if intent.amount is not None:
        return _yes_or_no(readings, registry)
    sentences = [_sentence(r, registry) for r in readings]
    value: Json = readings[0].value if len(readings) == 1 else [r.value for r in readings]
    return Answer(" ".join(sentences), value, readings[0].property.schema.unit)


def _yes_or_no(readings: Sequence[Reading], registry: Registry) -> Answer:
    holding = [r for r in readings if r.holds]
    sentences = " ".join(_sentence(r, registry) for r in (holding or readings)[:8])
    return Answer(f"{'Yes' if holding else 'No'}. {sentences}", bool(holding))


def _sentence(read: Reading, registry: Registry) -> str:
    name = thing_name(read.thing.iri, registry)
    return f"{name}: {property_name(read.property.iri, registry)} {_with_unit(read, registry)}."


def _with_unit(read: Reading, registry: Registry) -> str:
    unit = read.property.schema.unit
    suffix = f" {registry.vocabulary.name(unit)}" if unit and "://" in unit else f" {unit}" if unit else ""
    return f"{value_words(read.value)}{suffix}"


# What selections give


def said(intent: Intent, found: Finding, registry: Registry) -> Answer:
    """The answer to a query, from its result."""
    assert intent.query is not None
    asks = intent.query.asks
    if intent.query.rooms or (found.places and asks in (Asks.COUNT, Asks.LIST)):
        return _rooms(asks, found, registry)
    if asks in (Asks.COUNT, Asks.LIST, Asks.WHETHER, Asks.EVERY):
        return _set(intent, asks, found, registry)
    if asks in (Asks.MEAN, Asks.TOTAL):
        number = _rounded(found.value or 0.0)
        word = "On average" if asks is Asks.MEAN else "Together"
        word += f", {registry.vocabulary.name(found.kind)}" if found.kind is not None else ""
        return Answer(
            f"{word} {number:g}{_unit_words(found.kind, registry)}, of {found.asked}.", number, _unit(found, registry)
        )
    if asks in (Asks.DIFFERENCE, Asks.COMPARE, Asks.WHICH):
        return _difference(asks, found, registry)
    if asks is Asks.PLACE:
        return _place(found, registry)
    if asks is Asks.REMAINING:
        left = _rounded(found.value or 0.0)
        both = " ".join(_sentence(r, registry) for r in found.readings)
        return Answer(f"{left:g}{_unit_words(found.kind, registry)}. {both}", left, _unit(found, registry))
    if asks in (Asks.SINCE, Asks.LAST):
        return _time(asks, found, registry)
    if found.holds is not None:
        both = " ".join(_sentence(r, registry) for r in found.readings)
        return Answer(f"{'Yes' if found.holds else 'No'}. {both}", found.holds)
    return _value(found, registry)


def _rooms(asks: Asks, found: Finding, registry: Registry) -> Answer:
    names = [place_name(place, registry) for place in found.places]
    if asks is Asks.COUNT:
        return Answer(f"{len(names)}: {_listed(names)}." if names else "None: 0.", len(names))
    if asks in (Asks.WHETHER, Asks.EVERY):
        holds = bool(names) if asks is Asks.WHETHER else len(names) == found.asked
        return Answer(f"Yes: {_listed(names)}." if holds else "No.", holds)
    if not names:
        return Answer("None.", [])
    level = f": {_rounded(found.value):g}{_unit_words(found.kind, registry)}" if found.value is not None else ""
    return Answer(f"{_listed(names)}{level}.", names[0] if len(names) == 1 and level else list(names))


def _set(intent: Intent, asks: Asks, found: Finding, registry: Registry) -> Answer:
    names = part_names(found.parts, registry)
    if asks is Asks.COUNT:
        return Answer(f"{len(names)}: {_listed(names)}." if names else "None: 0.", len(names))
    if asks is Asks.LIST:
        nothing = "None." if intent.selection.classes or intent.selection.things else "Nothing."
        return Answer(f"{_listed(names, every=True)}." if names else nothing, list(names))
    if asks is Asks.EVERY and found.others:
        others = part_names(found.others, registry)
        some = f" So is {_listed(names)}." if names else ""
        denied = intent.query is not None and all(test.negated for test in intent.query.tests)
        return Answer(f"No: {_listed(others)}." if denied else f"No, not {_listed(others)}.{some}", False)
    told = " ".join(dict.fromkeys(_sentence(r, registry) for r in found.readings))
    if told and intent.query is not None and intent.query.either:
        return Answer(told, bool(names))  # "is it locked or unlocked?"
    if told and len(found.parts) <= 1:
        return Answer(f"{'Yes' if names else 'No'}. {told}", bool(names))
    return Answer(f"Yes: {_listed(names)}." if names else f"No{_none_of(found, registry)}.", bool(names))


def _none_of(found: Finding, registry: Registry) -> str:
    others = part_names(found.others, registry)
    return f", not {_listed(others)}" if 0 < len(others) <= 3 else ", none"


def _value(found: Finding, registry: Registry) -> Answer:
    if found.value is not None and len(found.readings) != 1:
        number = _rounded(found.value)
        place = place_name(found.readings[0].thing.place, registry)
        return Answer(f"{place}: {number:g}{_unit_words(found.kind, registry)}.", number, _unit(found, registry))
    sentences = " ".join(_sentence(r, registry) for r in (*found.readings, *found.asides)[:MOST_NAMED])
    values = [r.value for r in found.readings]
    return Answer(sentences, values[0] if len(values) == 1 else values, found.readings[0].property.schema.unit)


def _difference(asks: Asks, found: Finding, registry: Registry) -> Answer:
    one, other = (f"{_rounded(level):g}{_unit_words(found.kind, registry)}" for level in found.levels)
    more = _rounded(found.value or 0.0)
    if asks is Asks.WHICH:
        first, second = (one, other) if more >= 0 else (other, one)
        return Answer(f"{found.names[0]}: {first}, against {second} ({found.names[1]}).", found.names[0])
    if asks is Asks.COMPARE:
        return Answer(f"{'Yes' if more > 0 else 'No'}: {one}, against {other}.", more > 0)
    return Answer(f"{more:g}{_unit_words(found.kind, registry)}: {one}, against {other}.", more, _unit(found, registry))


def _place(found: Finding, registry: Registry) -> Answer:
    if found.readings:
        return _value(found, registry)
    names = [place_name(place, registry) for place in found.places]
    things = part_names(found.parts, registry)
    return Answer(f"{_listed(things)}: {_listed(names)}.", names[0] if len(names) == 1 else list(names))


def _time(asks: Asks, found: Finding, registry: Registry) -> Answer:
    now = _sentence(found.readings[0], registry)
    if found.value is None or found.moment is None:
        return Answer(f"It is not so now. {now}", None)
    if asks is Asks.LAST:
        return Answer(f"{now} It changed at {found.moment:%H:%M on %d %B}.", found.moment.isoformat())
    return Answer(f"For {duration_words(found.value)}. {now}", round(found.value / 60, 1), "minute")


def duration_words(seconds: float) -> str:
    """How long, in the two largest units."""
    parts = []
    for unit, size in (("day", 86400), ("hour", 3600), ("minute", 60), ("second", 1)):
        count, seconds = divmod(seconds, size)
        if count:
            parts.append(f"{count:g} {unit}{'s' if count != 1 else ''}")
    return " and ".join(parts[:2]) or "less than a second"


def part_names(parts: Sequence[str], registry: Registry) -> list[str]:
    """The labels of parts: the title alone where it is unique, else with the room; a component with its path."""
    titles = Counter(thing.title.casefold() for thing in registry.things.values())
    names = []
    for iri in parts:
        thing, part = registry.thing_of[iri], registry.parts[iri]
        name = thing.title if titles[thing.title.casefold()] == 1 else thing_name(thing.iri, registry)
        names.append(f"{name} {part.title or part.path}".strip() if part.path else name)
    return names


def _listed(names: Sequence[str], *, every: bool = False) -> str:
    shown = (
        list(names) if every or len(names) <= MOST_NAMED else [*names[:MOST_NAMED], f"{len(names) - MOST_NAMED} more"]
    )
    return f"{', '.join(shown[:-1])} and {shown[-1]}" if len(shown) > 1 else "".join(shown)


def _rounded(number: float) -> float:
    return round(number, 2)


def _unit(found: Finding, registry: Registry) -> str | None:
    if found.readings:
        return found.readings[0].property.schema.unit
    known = registry.vocabulary.kinds.get(found.kind or "")
    return known.unit.rpartition("#")[2].lower() if known is not None and known.unit else None


def _unit_words(kind: str | None, registry: Registry) -> str:
    known = registry.vocabulary.kinds.get(kind or "")
    return f" {registry.vocabulary.name(known.unit)}" if known is not None and known.unit else ""
