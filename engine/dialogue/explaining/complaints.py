"""Whether a variable that somebody complained of has moved, by what the sensors of the room read before and after."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from engine.environment.state import State
from engine.graph.terms import Json
from engine.language.replies.replies import value_words
from engine.model.outcome import Change, IntentOutcome, Status
from engine.model.thing import Property
from engine.things.registry import Registry


def moved(
    outcomes: Sequence[IntentOutcome], before: Mapping[str, Json], after: Mapping[str, Json], registry: Registry
) -> str:
    """A sentence for each implicit intent that was carried out: from where to where the reading went, or that nothing
    here measures it."""
    return " ".join(
        dict.fromkeys(
            _sentence(one, before, after, registry)
            for one in outcomes
            if one.intent.variable is not None and one.status in (Status.DONE, Status.PARTIAL) and one.things
        )
    )


def _sentence(outcome: IntentOutcome, before: Mapping[str, Json], after: Mapping[str, Json], registry: Registry) -> str:
    variable = outcome.intent.variable or ""
    name = registry.vocabulary.name(variable).lower()
    for prop in _sensors(variable, outcome, registry):
        first, last = before.get(prop.iri), after.get(prop.iri)
        if first is None or last is None:
            continue
        unit = f" {prop.schema.unit}" if prop.schema.unit else ""
        if first == last:
            return f"The {name} is still {value_words(last)}{unit}."
        return f"The {name} went from {value_words(first)} to {value_words(last)}{unit}."
    return f"Nothing here measures the {name}."


def _sensors(variable: str, outcome: IntentOutcome, registry: Registry) -> Iterator[Property]:
    """The readings of a variable in the rooms of what was acted on."""
    kinds = registry.vocabulary.kinds
    places = {registry.things[iri].place for iri in outcome.things if iri in registry.things}
    around = places | {registry.places[p].parent for p in places if p is not None and p in registry.places}
    for prop in registry.properties.values():
        if any(kinds[k].measures == variable for k in prop.kinds if k in kinds):
            place = registry.thing_of[prop.iri].place
            if place is not None and place in around:
                yield prop


def changes_since(before: Mapping[str, Json], state: State, registry: Registry) -> tuple[Change, ...]:
    """What differs from before; readings that follow (a lux sensor) are observations, not changes of ours."""
    return tuple(
        Change(registry.thing_of[iri].iri, iri, before.get(iri), after)
        for iri, after in state.snapshot().items()
        if before.get(iri) != after and _settable(iri, registry)
    )


def _settable(iri: str, registry: Registry) -> bool:
    prop, kinds = registry.properties.get(iri), registry.vocabulary.kinds
    return prop is not None and all(kinds[k].settable for k in prop.kinds if k in kinds)
