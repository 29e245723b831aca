"""What a run teaches: handed to experience with the home, and the state and moment before it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from engine.experience.learning import Lesson, learn
from engine.graph.terms import Json
from engine.model.outcome import Outcome
from engine.planning.recollection import taste_of
from engine.planning.site import Site
from engine.planning.wishes.vague import comfort_of, influences_of


def learn_from(outcome: Outcome, site: Site, before: Mapping[str, Json], at: datetime) -> None:
    """Keeps one signifier for each action that was carried out, and counts those that failed."""
    if site.experience is None or outcome.plan is None:
        return
    lesson = Lesson(
        site.store,
        site.registry,
        influences_of(site),
        before,
        at,
        site.location,
        lambda: taste_of(site.tastes),
        lambda variable: comfort_of(site, variable),
    )
    learn(outcome.request, {one.intent.iri: one.intent for one in outcome.intents}, site.experience, lesson)
