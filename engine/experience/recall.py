"""Recalls signifiers for an intent: own ones by a hard match, then by context; those of others as hints.

Symbols decide (operation, kinds, polarity, devices, places, variable, direction); sentences are compared by meaning
only to rank the remaining ones, and not at all where that is one.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine import embedding
from engine.experience.context import Checker
from engine.experience.memory import Memory
from engine.model.intent import Category, Intent, Measure, Operation
from engine.model.signifier import Signifier, Wanted
from engine.things.registry import Registry

MOST_HINTS = 5


def wanted_of(intent: Intent, location: str | None) -> Wanted:
    """An intent as a signifier keeps it."""
    select = intent.selection
    amount = intent.amount
    switched = amount is not None and amount.measure in (Measure.TRUTH, Measure.BOUND)
    return Wanted(
        operation=intent.operation.value,
        command=intent.command,
        kind=intent.property,
        classes=select.classes,
        things=select.things,
        where=select.places or ((location,) if location and not select.things else ()),
        quantity=select.quantity.value,
        polarity=amount.value if amount is not None and switched else None,
        variable=intent.variable,
        direction=intent.direction,
        situation=intent.situation,
    )


def explicit(intent: Intent, location: str | None, memory: Memory, registry: Registry) -> dict[str, str]:
    """The affordance that served such an intent before, by its part. Only intents that set or invoke are recalled
    (Algorithm 1), and only affordances that are still there."""
    if intent.category is not Category.EXPLICIT or not intent.selection.plain or intent.timing is not None:
        return {}
    if intent.operation not in (Operation.SET, Operation.INVOKE):
        return {}
    found = memory.matching(wanted_of(intent, location))
    parts = ((part_of(one.affordance, registry), one.affordance) for one in found)
    return {part: affordance for part, affordance in parts if part is not None}


def implicit(
    intent: Intent,
    location: str | None,
    memory: Memory,
    registry: Registry,
    checker: Checker,
    taste: str,
) -> tuple[Signifier, ...]:
    """The signifiers of the one run that served such an intent before, in a context that holds now, on affordances that
    are all still there; none where there is no such run."""
    by_run: dict[str, list[Signifier]] = {}
    out: set[str] = set()
    here: dict[str, bool] = {}
    for one in memory.matching(wanted_of(intent, location)):
        run = one.run or one.iri
        if one.taste != taste or run in out:
            continue
        affordance = one.affordance
        if affordance not in here:
            here[affordance] = part_of(affordance, registry) is not None
        if here[affordance] and checker.holds(one.conditions):
            by_run.setdefault(run, []).append(one)
        else:
            out.add(run)
    fitting = [group for run, group in by_run.items() if run not in out]
    return tuple(_nearest(intent.text, fitting))


def _nearest(text: str, groups: Sequence[list[Signifier]]) -> list[Signifier]:
    if len(groups) < 2:
        return groups[0] if groups else []
    said = text.casefold()
    near = {text for text in {one.text for group in groups for one in group} if text.casefold() == said}
    same = [group for group in groups if group[0].text in near] if near else []
    if same or not embedding.available():
        return max(same or groups, key=_experience)
    likeness = embedding.kept([group[0].text for group in groups]) @ embedding.encode([text])[0]
    return max(zip(likeness.tolist(), groups, strict=True), key=lambda one: (round(one[0], 3), _experience(one[1])))[1]


def _experience(group: Sequence[Signifier]) -> tuple[int, str]:
    return min(one.successes - one.failures for one in group), group[0].learnt or ""


def hints(intent: Intent, memory: Memory) -> tuple[Signifier, ...]:
    """The signifiers of peers for such an intent, the most similar first. Never carried out: their affordances are not
    here."""
    wanted = wanted_of(intent, None)
    found = [one for one in memory.of_peers() if _related(one, intent, wanted)]
    return tuple(found[:MOST_HINTS])


def _related(signifier: Signifier, intent: Intent, wanted: Wanted) -> bool:
    other = signifier.wanted
    if other is None:
        return signifier.text.casefold() == intent.text.casefold()
    if wanted.implicit:
        about = (other.variable, other.direction, other.situation)
        return about == (wanted.variable, wanted.direction, wanted.situation)
    return (other.command, other.kind, other.classes) == (wanted.command, wanted.kind, wanted.classes)


def part_of(affordance: str, registry: Registry) -> str | None:
    """The part that an affordance belongs to; None for one that is not here (any more)."""
    action = registry.actions.get(affordance)
    if action is not None:
        return action.part
    prop = registry.properties.get(affordance)
    return prop.part if prop is not None else None
