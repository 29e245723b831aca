"""Advice on an implicit intent: goals for parts that are here, round after round until it is enough, and why."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from engine.environment.simulation.influences import Influences
from engine.graph.store import GraphStore
from engine.graph.terms import Json
from engine.language.words.tokens import TokenKind, tokenize, words_in
from engine.model.intent import Category, Intent
from engine.model.outcome import Loss
from engine.model.selection import Quantity, Select
from engine.model.thing import Part, Thing
from engine.planning.orders.feasibility import Question, Refusal
from engine.planning.site import Site
from engine.planning.wishes.implicit import Goal, Remedies, Remedy, predicted, remedies
from engine.planning.wishes.reasons import because_of_remedies, because_of_situation
from engine.planning.wishes.scope import is_large
from engine.planning.wishes.situations import Situation, goals, passed_over, rooms, situations
from engine.planning.wishes.tastes import comforts

Enough = Callable[[Mapping[str, Json]], bool]
_NOTHING = "no_such_device"
MOST_MISSED = 16


@dataclass(frozen=True, slots=True)
class Advice:
    """Rounds of goals, the best first. `enough` decides from the changes so far whether no further round is needed;
    `because` is the reason in words, `variable` and `direction` the expected movement. `ranked` are the remedies,
    `missed` why others are none."""

    rounds: tuple[tuple[Goal, ...], ...]
    enough: Enough
    because: str = ""
    variable: str | None = None
    direction: int = 0
    ranked: tuple[Remedy, ...] = ()
    missed: tuple[Loss, ...] = ()


@dataclass(slots=True)
class _Known:
    """Values derived from a store."""

    influences: Influences
    situations: dict[str, Situation]
    comforts: dict[str, tuple[float, float]]


def _known(site: Site) -> _Known:
    store, registry = site.store, site.registry
    return store.derived(
        "planning/vague", lambda: _Known(Influences(store, registry), situations(store), comforts(store))
    )


def influences_of(site: Site) -> Influences:
    """How the devices of a home bear on the variables of its rooms."""
    return _known(site).influences


def comfort_of(site: Site, variable: str) -> tuple[float, float]:
    """From where to where the speaker is comfortable."""
    return replace(site.tastes, comforts=_known(site).comforts).comfort(variable)


def goals_of(intent: Intent, site: Site) -> tuple[Goal, ...]:
    """The goals of a situation for the parts here."""
    known = _known(site)
    situation = known.situations.get(intent.situation or "")
    if situation is None:
        return ()
    return goals(situation, intent, site, known.influences, replace(site.tastes, comforts=known.comforts))[0]


def bearing_on(intent: Intent, site: Site) -> list[tuple[Part, Thing]]:
    """The parts here that could have to do with an implicit intent: those with a remedy, or a goal, at all."""
    known = _known(site)
    tastes = replace(site.tastes, comforts=known.comforts)
    if intent.situation is not None:
        situation = known.situations.get(intent.situation)
        found, _ = goals(situation, intent, site, known.influences, tastes) if situation is not None else ((), None)
        parts = dict.fromkeys(goal.part for goal in found)
    else:
        parts = dict.fromkeys(one.part.iri for one in remedies(intent, site, known.influences, tastes).found)
    return [(site.registry.parts[part], site.registry.thing_of[part]) for part in parts]


def advise(intent: Intent, site: Site) -> Advice | Refusal | Question:
    """Advice for an implicit intent, the rooms that could be meant, or the reason why nothing can be done."""
    known = _known(site)
    tastes = replace(site.tastes, comforts=known.comforts)
    site = replace(site, likes=lambda: tastes)
    if intent.situation is not None:
        situation = known.situations.get(intent.situation)
        return Refusal("not_understood", intent.text) if situation is None else _ready(intent, situation, site, known)
    found = remedies(intent, site, known.influences, tastes)
    if not found.found:
        return Refusal(_NOTHING, losses=found.missed[:MOST_MISSED])
    if question := _which_room(found.rooms, told=found.where.told, places=found.where.places, site=site):
        return question
    return _remedied(found, site, known.influences)


def _ready(intent: Intent, situation: Situation, site: Site, known: _Known) -> Advice | Refusal | Question:
    found, where = goals(situation, intent, site, known.influences, site.tastes)
    if not found:
        return Refusal(_NOTHING)
    if not where.told and (question := _which_room(tuple(rooms(found, site)), told=False, places=(), site=site)):
        return question
    missed = tuple(passed_over(situation, intent, {goal.part for goal in found}, site, known.influences))
    because = because_of_situation(situation.iri, site)
    return Advice((found,), lambda _: True, because, missed=missed)


def _which_room(found: Sequence[str], *, told: bool, places: Sequence[str], site: Site) -> Question | None:
    """Where nobody said where, and several rooms come into question: which is meant?"""
    large = any(is_large(place, site) for place in places)
    if (told and not large) or len(found) < 2:
        return None
    return Question("ambiguous_room", tuple(place for place in found if place))


def _remedied(found: Remedies, site: Site, influences: Influences) -> Advice:
    best = found.found[0]
    chosen = [best, *_alike(best, found.found[1:])] if not best.starts else list(found.found)

    def enough(changes: Mapping[str, Json]) -> bool:
        return _is_enough(found, changes, site, influences)

    first = (tuple(goal for remedy in chosen for goal in remedy.goals),)
    one_by_one = tuple(remedy.goals for remedy in chosen if remedy.starts)
    because = because_of_remedies(best, found.variable, found.direction, site)
    rounds = one_by_one if best.starts else first
    return Advice(rounds, enough, because, found.variable, found.direction, found.found, found.missed)


def _alike(best: Remedy, others: Sequence[Remedy]) -> list[Remedy]:
    """The remedies that reduce the same kinds: all the lights that dazzle, and not the curtains."""
    kinds = {goal.kind for goal in best.goals}
    return [one for one in others if not one.starts and kinds == {goal.kind for goal in one.goals}]


def _is_enough(found: Remedies, changes: Mapping[str, Json], site: Site, influences: Influences) -> bool:
    """Whether the predicted readings are comfortable; without a sensor, the first try is enough."""
    readings = predicted(found, changes, site, influences)
    if readings is None:
        return True
    low, high = site.tastes.comfort(found.variable)
    return readings[1] >= low if found.direction > 0 else readings[1] <= high


def wished_for(intent: Intent, parts: Sequence[str], site: Site) -> Intent | None:
    """The wish that a step of a setpoint comes to where a room is named, or what shall become of it, no device is, and
    none of these parts is at work for it: "cool the bedroom", with the air conditioner off or heating. None where the
    step does it."""
    select, amount = intent.selection, intent.amount
    kind = site.vocabulary.kinds.get(intent.property or "")
    if kind is None or amount is None or not amount.relative or not _is_of_the_room(intent, site):
        return None
    if not isinstance(amount.value, int | float) or abs(amount.value) != kind.default_step:
        return None
    select = _of_parts(parts, site) if select.things or select.classes else select
    for one in kind.influences:
        if not any(k.measures == one.variable and k.unit == kind.unit for k in site.vocabulary.kinds.values()):
            continue
        direction = one.direction if amount.value > 0 else -one.direction
        wish = replace(
            intent, category=Category.IMPLICIT, command=None, property=None, amount=None, variable=one.variable,
            direction=direction, selection=replace(select, quantity=Quantity.ALL),
        )  # fmt: skip
        advice = advise(wish, site)
        goals = [goal for some in advice.rounds for goal in some] if isinstance(advice, Advice) else []
        if any(goal.part in parts and goal.kind != intent.property for goal in goals):
            return wish
    return None


def _of_parts(parts: Sequence[str], site: Site) -> Select:
    """The things that are to do it, where they are: "turn on the air conditioner and cool the room"."""
    here = dict.fromkeys(site.registry.thing_of[part].place for part in parts)
    return Select(quantity=Quantity.ALL, things=tuple(parts), places=tuple(place for place in here if place))


def _is_of_the_room(intent: Intent, site: Site) -> bool:
    """Whether a step is said of a room, and of no device or setpoint: "cool the bedroom", "heat", of what was named
    before."""
    select = intent.selection
    if not (select.things or select.classes):
        return True
    if any(token.kind is TokenKind.NUMBER for token in tokenize(intent.text)):
        return False  # "one degree warmer"
    said = frozenset(words_in(intent.text.casefold()))
    names = _names(select, intent.property or "", site)
    of_it = site.store.of_terms("planning/ways_of_a_property", lambda: _ways(site.store)).get(intent.property or "", ())
    return any(said >= set(way) for way in of_it) and not any(said >= set(words_in(name)) for name in names if name)


def _names(select: Select, kind: str, site: Site) -> set[str]:
    """The names of a property, and of the things of a selection and their classes."""
    things = [site.registry.thing_of[iri] for iri in select.things if iri in site.registry.thing_of]
    classes = {*select.classes, *(cls for thing in things for part in thing.parts for cls in part.every_class)}
    own = {thing.title.casefold() for thing in things}
    return own | {label for cls in (*classes, kind) for label in site.vocabulary.labels.get(cls, ())}


def _ways(store: GraphStore) -> dict[str, tuple[tuple[str, ...], ...]]:
    """The words for more or less of one kind of property alone, by the kind."""
    found: dict[str, list[tuple[str, ...]]] = {}
    for kind, label in store.select("planning/ways_of_a_property"):
        if kind is not None and label is not None:
            found.setdefault(kind.value, []).append(words_in(label.value))
    return {kind: tuple(ways) for kind, ways in found.items()}


def goal_intent(intent: Intent, goal: Goal, number: int) -> Intent:
    """The explicit intent that a goal is, derived from the implicit one."""
    return replace(
        intent,
        iri=f"{intent.iri}/goal-{number}",
        category=Category.EXPLICIT,
        selection=Select(things=(goal.part,), quantity=Quantity.ALL),
        property=goal.kind,
        amount=goal.amount,
        variable=None,
        direction=0,
        situation=None,
        mentions=(),
    )
