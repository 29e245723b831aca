"""What shall hold in a situation (bedtime, film night): the ontology's goals, met by the parts that are there."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import cast

from engine.environment.influences import Influences
from engine.environment.quantities import truth
from engine.graph.store import GraphStore
from engine.graph.terms import Json, Term, expand, python
from engine.model.intent import Amount, Intent, Measure
from engine.model.outcome import Loss
from engine.model.thing import Part, Thing
from engine.planning.implicit import Goal
from engine.planning.scope import Somewhere, is_of, mentioned, parts_in, somewhere
from engine.planning.site import Site
from engine.planning.tastes import Tastes
from engine.planning.templates import property_of

SOME, WORKING = expand("hg:Some"), expand("hg:Working")
Parts = Sequence[tuple[Part, Thing]]


@dataclass(frozen=True, slots=True)
class Aim:
    """A goal of a situation, on a class of devices."""

    cls: str
    kind: str
    amount: Amount
    quantity: str | None = None
    when: str | None = None
    lacking: str | None = None


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
        aim = Aim(cls.value, kind.value, _amount(to, bound), _iri(quantity), _iri(when), _iri(lacking))
        before = found[name.value].aims if name.value in found else ()
        found[name.value] = Situation(name.value, (*before, aim), _iri(usual))
    return found


def _iri(term: Term | None) -> str | None:
    return None if term is None else term.value


def _amount(to: Term | None, bound: Term | None) -> Amount:
    if bound is not None:
        return Amount(Measure.BOUND, bound.value.rpartition("#")[2])
    value = cast(Json, python(to)) if to is not None else None
    if isinstance(value, bool):
        return Amount(Measure.TRUTH, value)
    if isinstance(value, int | float):
        return Amount(Measure.NUMBER, value)
    return Amount(Measure.NAMED, value)


def goals(
    situation: Situation, intent: Intent, site: Site, influences: Influences, tastes: Tastes
) -> tuple[tuple[Goal, ...], Somewhere]:
    """The goals that parts here can be brought to, and where that is. The class that comes first in the aims is met
    first."""
    where = somewhere(intent, site, situation.usual)
    there = list(parts_in(where, intent, site))
    found: list[Goal] = []
    chosen: dict[str, Parts] = {}
    for aim in situation.aims:
        if aim.when is not None and not influences.is_so(aim.when, site.state, site.clock.now()):
            continue
        some = there
        if aim.quantity == SOME:
            if aim.cls not in chosen:
                chosen[aim.cls] = _best(there, aim.cls, situation, intent, site, tastes)
            some = list(chosen[aim.cls])
        able = [part for part, thing in some if is_of(part, aim.cls, site) and _can(aim, part, thing, site)]
        found += [Goal(part.iri, aim.kind, aim.amount) for part in able]
    return tuple(found), where


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
    """Whether an aim is on a part: it has the property, lacks what must be lacking, and works where that counts."""
    prop = property_of(aim.kind, part.iri, thing, site.vocabulary)
    if prop is None or (aim.lacking and property_of(aim.lacking, part.iri, thing, site.vocabulary) is not None):
        return False
    return aim.quantity != WORKING or truth(site.state.get(prop.iri), prop, site.vocabulary) is True


def _has(kind: str, part: Part, thing: Thing, site: Site) -> bool:
    return property_of(kind, part.iri, thing, site.vocabulary) is not None


def _best(there: Parts, cls: str, situation: Situation, intent: Intent, site: Site, tastes: Tastes) -> Parts:
    """In each room the one part of a class that the words mention, that is liked, that can do most of what is asked."""
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
