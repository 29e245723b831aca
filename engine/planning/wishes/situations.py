"""The goals of situations (bedtime, film night), met by the parts that are there."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from engine.environment.simulation.influences import Influences
from engine.environment.values.quantities import truth
from engine.graph.store import GraphStore
from engine.graph.terms import Term, expand
from engine.model.intent import Intent
from engine.model.outcome import Loss
from engine.model.thing import Part, Thing
from engine.planning.orders.amounts import amount_from_term
from engine.planning.orders.templates import property_of
from engine.planning.site import Site
from engine.planning.wishes.aims import SOME, Aim
from engine.planning.wishes.implicit import Goal
from engine.planning.wishes.scope import Somewhere, is_of, mentioned, parts_in, somewhere
from engine.planning.wishes.tastes import Tastes

WORKING = expand("hg:Working")
Parts = Sequence[tuple[Part, Thing]]


@dataclass(frozen=True, slots=True)
class Situation:
    """A situation's aims, and the class of place that is meant where nobody says which."""

    iri: str
    aims: tuple[Aim, ...]
    usual: str | None = None


def situations(store: GraphStore) -> dict[str, Situation]:
    """All that the ontology knows."""
    found: dict[str, Situation] = {}
    for row in store.select("planning/goals"):
        name, usual, cls, kind, to, bound, quantity, when, lacking = row
        if name is None or cls is None or kind is None:
            continue
        aim = Aim(cls.value, kind.value, amount_from_term(to, bound), _iri(quantity), _iri(when), _iri(lacking))
        before = found[name.value].aims if name.value in found else ()
        found[name.value] = Situation(name.value, (*before, aim), _iri(usual))
    return found


def _iri(term: Term | None) -> str | None:
    return None if term is None else term.value


def goals(
    situation: Situation, intent: Intent, site: Site, influences: Influences, tastes: Tastes
) -> tuple[tuple[Goal, ...], Somewhere]:
    """The goals that parts here can be brought to, and where that is. The class that comes first in the aims is met
    first."""
    where = somewhere(intent, site, situation.usual)
    own = _own(situation, intent, where, site, tastes)
    covered = {goal.part for goal in own}
    if own and not where.told:
        where = Somewhere(tuple(dict.fromkeys(rooms(own, site))), told=True)
    there = [one for one in parts_in(where, intent, site) if one[0].iri not in covered]
    met = [site.registry.parts[part] for part in covered]
    found: list[Goal] = list(own)
    chosen: dict[str, Parts] = {}
    for aim in situation.aims:
        if aim.when is not None and not influences.is_so(aim.when, site.state, site.clock.now()):
            continue
        if aim.quantity == SOME and any(is_of(part, aim.cls, site) for part in met):
            continue
        found += _met(aim, there, situation, intent, chosen, site, tastes)
    return tuple(found), where


def _met(
    aim: Aim,
    there: Parts,
    situation: Situation,
    intent: Intent,
    chosen: dict[str, Parts],
    site: Site,
    tastes: Tastes,
) -> list[Goal]:
    """An aim as goals on parts there; of some that would do the same is chosen for all aims on a class."""
    some = there
    if aim.quantity == SOME:
        if aim.cls not in chosen:
            chosen[aim.cls] = _best(there, aim.cls, situation, intent, site, tastes)
        some = list(chosen[aim.cls])
    able = [p for p, thing in some if (not aim.cls or is_of(p, aim.cls, site)) and _can(aim, p, thing, site)]
    return [Goal(part.iri, aim.kind, aim.amount) for part in able]


def _own(situation: Situation, intent: Intent, where: Somewhere, site: Site, tastes: Tastes) -> tuple[Goal, ...]:
    """The speaker's own goals for this situation, on parts here; later statements precede earlier ones."""
    found: dict[tuple[str, str], Goal] = {}
    aims = tastes.wishes.get(situation.iri, ())
    for aim in aims:
        place = Somewhere(aim.places, told=True) if aim.places or aim.things else where
        if intent.selection.places and aim.places and not {*intent.selection.places} & {*aim.places}:
            continue
        there = [
            (part, thing)
            for part, thing in parts_in(place, intent, site)
            if not aim.things or {part.iri, thing.iri} & {*aim.things}
        ]
        wished = Situation(situation.iri, tuple(one for one in aims if one.cls == aim.cls), situation.usual)
        for goal in _met(aim, there, wished, intent, {}, site, tastes):
            found.setdefault((goal.part, goal.kind), goal)
    return tuple(found.values())


def passed_over(
    situation: Situation, intent: Intent, taken: Collection[str], site: Site, influences: Influences
) -> Iterator[Loss]:
    """Why parts that a situation has an aim for are left as they are, where others are taken."""
    told: set[str] = set(taken)
    chosen = [(part, site.registry.parts[part]) for part in taken]
    for aim in situation.aims:
        unmet = aim.when is not None and not influences.is_so(aim.when, site.state, site.clock.now())
        for part, thing in parts_in(somewhere(intent, site, situation.usual), intent, site):
            if part.iri in told or not is_of(part, aim.cls, site) or not _has(aim.kind, part, thing, site):
                continue
            told.add(part.iri)
            other = next((iri for iri, one in chosen if is_of(one, aim.cls, site)), "")
            if unmet:
                yield Loss("ConditionUnmet", part.iri, words=site.vocabulary.otherwise.get(aim.when or "", ""))
            elif aim.quantity == WORKING:
                yield Loss("NotAtWork", part.iri)
            elif aim.quantity == SOME and other:
                yield Loss("OneIsEnough", part.iri, other)


def _can(aim: Aim, part: Part, thing: Thing, site: Site) -> bool:
    """Whether an aim applies to a part: it has the property, not the one that must be lacking, and is on where that
    counts."""
    prop = property_of(aim.kind, part.iri, thing, site.vocabulary)
    if prop is None or (aim.lacking and property_of(aim.lacking, part.iri, thing, site.vocabulary) is not None):
        return False
    return aim.quantity != WORKING or truth(site.state.get(prop.iri), prop, site.vocabulary) is True


def _has(kind: str, part: Part, thing: Thing, site: Site) -> bool:
    return property_of(kind, part.iri, thing, site.vocabulary) is not None


def _best(there: Parts, cls: str, situation: Situation, intent: Intent, site: Site, tastes: Tastes) -> Parts:
    """The best part of a class in each room: mentioned in the request, liked, with the most of the goals'
    properties."""
    by_room: dict[str | None, tuple[tuple[float, ...], tuple[Part, Thing]]] = {}
    for part, thing in there:
        kinds = {a.kind for a in situation.aims if a.cls == cls and _has(a.kind, part, thing, site)}
        if not kinds or not is_of(part, cls, site):
            continue
        near = mentioned((*intent.mentions, *_own_words(situation, site)), part, thing, site)
        rank = (tastes.liking(part.classes, "", site.vocabulary), near, len(kinds))
        if thing.place not in by_room or rank > by_room[thing.place][0]:
            by_room[thing.place] = (rank, (part, thing))
    return [one for _, one in by_room.values()]


def _own_words(situation: Situation, site: Site) -> Iterable[str]:
    return site.vocabulary.name(situation.iri).split()


def rooms(found: Iterable[Goal], site: Site) -> Iterator[str]:
    """The places of goals."""
    yield from dict.fromkeys(site.registry.thing_of[goal.part].place or "" for goal in found)
