"""Where: which places of this home the names and classes of places in a goal denote."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from engine.graph.terms import expand
from engine.language.phrases.coordination import Goal
from engine.language.phrases.slots import PlaceName
from engine.language.words.lexicon import Entry, Role, phrase
from engine.language.words.morphology import singular
from engine.model.place import Place
from engine.things.registry import Registry


@dataclass(frozen=True, slots=True)
class Whereabouts:
    """Places, any of them; none: anywhere. `missing` are the words for a place that this home does not have.

    `given`: the speaker said it of this goal, or it is shared with it; else it is a guess from nearby.
    """

    places: tuple[str, ...] = ()
    missing: str | None = None
    given: bool = False


ANYWHERE = Whereabouts()
ROOM, HOME, FLOOR = expand("hg:Room"), expand("hg:Home"), expand("hg:Floor")
ANY_ROOM = frozenset({ROOM, expand("hg:Place")})


def whereabouts(goal: Goal, registry: Registry, location: str | None) -> list[Whereabouts]:
    """The places that may be meant, likeliest first. Given places are final; without one, it may be nearby, or here."""
    if goal.places:
        return [_denoted([name for name in goal.places if not is_any_room(name)], registry)]
    if goal.here and location:
        return [Whereabouts((location,), given=True)]
    if goal.everywhere or goal.quantity == "all":
        return [ANYWHERE]
    near = [_denoted(names, registry) for names in goal.nearby]
    here = [Whereabouts((location,))] if location else []
    return [*(Whereabouts(n.places) for n in near if n.places), *here, ANYWHERE]


def is_any_room(name: PlaceName) -> bool:
    """Whether it is any room at all: "rooms where nobody is", "every room"."""
    generic = bool(name.restrictions) or (name.plural and not name.modifiers)
    return generic and any(e.iri == ROOM for e in name.entries)


def _denoted(names: Sequence[PlaceName], registry: Registry) -> Whereabouts:
    """Several names narrow each other where one lies within another ("the bathroom of the master suite")."""
    found: list[tuple[str, ...]] = []
    listed = len(names) > 2 and names[-1].last and all(name.added for name in names[2:])
    for number, name in enumerate(names):
        places = places_named(name, registry)
        added = name.added or (listed and number == 1 and not name.introduced)  # "the bedroom, bathroom and balcony"
        if added and found and places:
            found[-1] = _with_more(found[-1], places, registry)
            continue
        if not places and any(e.iri == HOME for e in name.entries):
            continue
        if not places:
            return Whereabouts(missing=" ".join((*name.modifiers, name.text)), given=True)
        found.append(places)
    return Whereabouts(_narrowed(found, registry) if found else (), given=True)


def places_named(name: PlaceName, registry: Registry) -> tuple[str, ...]:
    """The places with this very name; else those of this class."""
    named = tuple(e.iri for e in name.entries if e.role is Role.PLACE)
    classes = [e.iri for e in name.entries if e.role is Role.PLACE_CLASS]
    if named and not ((name.plural or name.restrictions) and classes) and not name.modifiers:
        return named
    of_class = tuple(
        place.iri
        for place in registry.places.values()
        if any(registry.vocabulary.is_a(own, cls) for own in place.classes for cls in classes)
    )
    of_class = of_class or _floors(classes, registry)
    telling = tuple(p for p in of_class if _is_called(registry.places[p], name.text.split()))
    called = (
        () if of_class or named else tuple(p.iri for p in registry.places.values() if _is_called(p, name.text.split()))
    )
    several = (name.plural or name.restrictions) and not name.modifiers
    found = tuple(dict.fromkeys((*named, *((of_class if several else telling) or of_class or called))))
    return tuple(p for p in found if _is_called(registry.places[p], name.modifiers))


def rooms_of(classes: Collection[str], text: str, registry: Registry) -> tuple[str, ...]:
    """The places of classes, or else those that are called so: the wine cellar is a "cellar"; none of any room."""
    entries = tuple(Entry(Role.PLACE_CLASS, cls) for cls in classes if cls not in ANY_ROOM)
    return places_named(PlaceName(entries, text), registry) if entries else ()


def _floors(classes: Sequence[str], registry: Registry) -> tuple[str, ...]:
    """The floors that "upstairs" or "the ground floor" are, where only their numbers are known."""
    is_a = registry.vocabulary.is_a
    floors = (p for p in registry.places.values() if p.floor is not None and any(is_a(c, FLOOR) for c in p.classes))
    numbered = {p.iri: p.floor for p in floors if p.floor is not None}
    if not numbered or not classes:
        return ()
    ground = min((n for n in numbered.values() if n >= 0), default=0)
    top = max(numbered.values())
    wanted = {
        expand("hg:GroundFloor"): lambda n: n == ground,
        expand("hg:UpperFloor"): lambda n: n > ground,
        expand("hg:FirstFloor"): lambda n: n == 1,
        expand("hg:SecondFloor"): lambda n: n == min(2, top) and n > ground,
        expand("hg:TopFloor"): lambda n: n == top,
        expand("hg:Basement"): lambda n: n < 0,
    }
    return tuple(iri for iri, n in numbered.items() if any(cls in wanted and wanted[cls](n) for cls in classes))


def _is_called(place: Place, words: Sequence[str]) -> bool:
    """Whether all the words stand in one of a place's names."""
    wanted = {singular(w) for w in words}
    return not wanted or any(wanted <= set(phrase(name)) for name in (place.name, *place.aliases))


def _with_more(places: tuple[str, ...], more: tuple[str, ...], registry: Registry) -> tuple[str, ...]:
    """Places, and those of a list that are named after them: what lies within those before, where anything does ("the
    master bedroom, bathroom and balcony")."""
    inner = tuple(p for p in more if any(is_inside(p, o, registry) for o in places))
    return tuple(dict.fromkeys((*places, *(inner or more))))


def _narrowed(found: Sequence[tuple[str, ...]], registry: Registry) -> tuple[str, ...]:
    places = found[0]
    for others in found[1:]:
        inner = tuple(p for p in places if any(is_inside(p, o, registry) for o in others))
        outer = tuple(o for o in others if any(is_inside(o, p, registry) for p in places))
        places = inner or outer or tuple(dict.fromkeys((*places, *others)))
    return places


def is_inside(place: str, outer: str, registry: Registry) -> bool:
    """Whether a place is another, or lies within it."""
    seen = set()
    current: str | None = place
    while current and current not in seen:
        if current == outer:
            return True
        seen.add(current)
        current = registry.places[current].parent if current in registry.places else None
    return False
