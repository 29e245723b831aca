"""The scope of a wish that names no device: the parts in its place, and the rooms that could be meant."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from engine.graph.terms import expand
from engine.language.words.lexicon import phrase
from engine.language.words.morphology import forms
from engine.model.intent import Intent
from engine.model.thing import Part, Thing
from engine.planning.site import Site

LARGE = tuple(expand(f"hg:{name}") for name in ("Home", "Building", "Floor"))
HOME = expand("hg:Home")


@dataclass(frozen=True, slots=True)
class Somewhere:
    """Places, any of them; none: anywhere. `told`: it was said, or is where the speaker is."""

    places: tuple[str, ...] = ()
    told: bool = False


def somewhere(intent: Intent, site: Site, usual: str | None = None) -> Somewhere:
    """Where an intent is about: the place that it names, the usual place of its situation where that is all the home,
    the place of the speaker, the one place here of the usual class; else anywhere."""
    if intent.selection.places:
        return Somewhere(intent.selection.places, told=True)
    if usual == HOME:
        return Somewhere(told=True)
    if site.location:
        return Somewhere((site.location,), told=True)
    known = [p.iri for p in site.registry.places.values() if usual and _is_of(p.classes, usual, site)]
    return Somewhere(tuple(known), told=True) if len(known) == 1 else Somewhere()


def parts_in(where: Somewhere, intent: Intent, site: Site) -> Iterator[tuple[Part, Thing]]:
    """The parts there that the intent may be about."""
    wanted, select = frozenset(where.places), intent.selection
    for thing in site.registry.things.values():
        if wanted and not wanted & site.enclosing(thing.place):
            continue
        for part in thing.parts:
            named = not select.things or bool({part.iri, thing.iri} & {*select.things})
            classed = not select.classes or any(is_of(part, cls, site) for cls in select.classes)
            if named and classed:
                yield part, thing


def around(where: Somewhere, site: Site) -> Somewhere | None:
    """The room around a place; None where there is none, for floors and homes are too large."""
    parents = [site.registry.places[p].parent for p in where.places if p in site.registry.places]
    rooms = [p for p in parents if p and not is_large(p, site)]
    return Somewhere(tuple(dict.fromkeys(rooms)), told=where.told) if rooms else None


def is_large(place: str, site: Site) -> bool:
    """Whether a place is a home, a building or a floor: too large to be one room."""
    known = site.registry.places.get(place)
    return known is not None and any(_is_of(known.classes, cls, site) for cls in LARGE)


def is_of(part: Part, cls: str, site: Site) -> bool:
    """Whether a part is of a class of devices."""
    return _is_of(part.classes, cls, site)


def _is_of(classes: Iterable[str], cls: str, site: Site) -> bool:
    return any(site.vocabulary.is_a(own, cls) for own in classes)


def mentioned(words: Sequence[str], part: Part, thing: Thing, site: Site) -> int:
    """How many of the words stand in the names of a part, its thing and its classes."""
    names = [thing.title, *thing.aliases, part.title, *(site.vocabulary.name(cls) for cls in part.classes)]
    said = {word for name in names for word in phrase(name)}
    stems = {form for word in said for form in forms(word)}
    return sum(bool(stems & set(forms(word))) for word in {word for one in words for word in phrase(one)})
