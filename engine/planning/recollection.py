"""Recalls affordances that served an intent before, where their context holds (Algorithm 1)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from hashlib import blake2s
from typing import cast

from engine.experience import recall
from engine.experience.context import Checker
from engine.experience.recall import part_of
from engine.graph.terms import Json
from engine.model.intent import Intent
from engine.planning.orders.amounts import amount_from_json
from engine.planning.site import Site
from engine.planning.wishes.implicit import Goal
from engine.planning.wishes.tastes import Tastes
from engine.planning.wishes.vague import influences_of


def served(intent: Intent, site: Site) -> dict[str, str]:
    """The affordance that served such an explicit intent before, by part."""
    if site.experience is None:
        return {}
    return recall.explicit(intent, site.location, site.experience, site.registry)


def remembered(intent: Intent, site: Site) -> Iterable[tuple[Goal, str]]:
    """The goals that met such a wish before, in a context that holds now, with the affordance for each; none where it
    was said how much it shall be."""
    if site.experience is None or intent.amount is not None:
        return ()
    taste = taste_of(site.tastes)
    found = recall.implicit(intent, site.location, site.experience, site.registry, checker_of(site), taste)
    goals = []
    for one in found:
        part = part_of(one.affordance, site.registry)
        if part is None or one.kind is None or not isinstance(one.amount, dict):
            return ()
        goal = Goal(part, one.kind, amount_from_json(one.amount))
        if _is_past(goal, intent, site):
            return ()
        goals.append((goal, one.affordance))
    return goals


def _is_past(goal: Goal, intent: Intent, site: Site) -> bool:
    """Whether the measured value is already past the recalled setpoint: warmer than the heating was set."""
    kinds, value = site.vocabulary.kinds, goal.amount.value
    known, own = kinds.get(intent.variable or ""), kinds.get(goal.kind)
    if known is None or own is None or known.unit is None or known.unit != own.unit:
        return False
    place = site.registry.thing_of[goal.part].place
    told = [site.state.get(sensor.iri) for sensor in influences_of(site).sensors(known.iri, place)]
    measured = next((one for one in told if isinstance(one, int | float) and not isinstance(one, bool)), None)
    if measured is None or not isinstance(value, int | float):
        return False
    return (value - measured) * intent.direction <= 0


def checker_of(site: Site) -> Checker:
    """The checker of contexts against the present state."""
    outside = influences_of(site).outside(site.state, site.clock.now())
    return Checker(site.state, cast("Mapping[str, Json]", outside))


def recollection() -> str:
    """The reason for an act that is repeated from experience."""
    return "because that worked before when it was like this"


def taste_of(tastes: Tastes) -> str:
    """A hash of a person's tastes, which tells tastes apart without disclosing them: habits of one who prefers daylight
    are none of one who does not."""
    told = [*map("+".join, sorted(tastes.liked)), *map("-".join, sorted(tastes.disliked))]
    told += [f"{variable}={value:g}" for variable, value in sorted(tastes.values.items())]
    told += [f"{situation}:{aim!r}" for situation, aims in sorted(tastes.wishes.items()) for aim in aims]
    return blake2s(" ".join(told).encode(), digest_size=12).hexdigest() if told else ""
