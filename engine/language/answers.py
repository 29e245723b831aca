"""Answers to questions, in words and with their value and unit."""

from __future__ import annotations

from collections.abc import Sequence

from engine.graph.terms import Json
from engine.language.replies import property_name, thing_name, value_words
from engine.model.intent import Intent
from engine.model.outcome import Answer, Reading
from engine.things.registry import Registry


def answer(intent: Intent, readings: Sequence[Reading], registry: Registry) -> Answer:
    """The answer: yes or no to what is asked about a state, else the value, or the values with the names."""
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
    unit = read.property.schema.unit
    suffix = f" {registry.vocabulary.name(unit)}" if unit and "://" in unit else f" {unit}" if unit else ""
    name = thing_name(read.thing.iri, registry)
    return f"{name}: {property_name(read.property.iri, registry)} {value_words(read.value)}{suffix}."
