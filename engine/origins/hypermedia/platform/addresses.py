"""The addresses of a home on the web: of its platform, of each workspace and artifact and of their affordances.

The layout is that of the HMAS papers: `/workspaces/lab308/artifacts/light308`, with `#workspace` and `#artifact` for
the place and the device themselves, of which the page is the profile.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2s
from urllib.parse import quote

from engine.model.place import Place
from engine.model.thing import Action, Event, Property, Thing
from engine.things.description.dialects import local_name

ROOT = "/workspaces"
NOWHERE = "elsewhere"
"""The workspace of things that are in no place."""
LONGEST = 80
_ODD = re.compile(r"[^A-Za-z0-9._~-]+")

Affordance = Property | Action | Event


@dataclass(frozen=True)
class Names:
    """The path segments of places and things, made of their IRIs, else of their labels.

    A name is unique, of places in the home and of things in their place; where several would have the same, each has a
    few letters more, made of its IRI: no name depends on the order in which things came.
    """

    places: Mapping[str, Place]
    things: Mapping[str, Thing]

    def within(self, thing: Thing) -> str | None:
        """The place that a thing is in, by IRI; None where that is none of these."""
        return thing.place if thing.place in self.places else None

    @cached_property
    def workspaces(self) -> Mapping[str, str | None]:
        """The IRI of the place by name; None for the workspace of things without a place, if there are any."""
        found: dict[str, str | None] = dict(
            _unique_names((iri, place.name) for iri, place in self.places.items()).items()
        )
        if any(self.within(thing) is None for thing in self.things.values()):
            name = NOWHERE
            while name in found:
                name += "-"
            found[name] = None
        return dict(sorted(found.items()))

    @cached_property
    def artifacts(self) -> Mapping[str | None, Mapping[str, str]]:
        """By place, the IRIs of the things in it by name."""
        within: dict[str | None, list[tuple[str, str]]] = {place: [] for place in self.workspaces.values()}
        for iri, thing in self.things.items():
            within[self.within(thing)].append((iri, thing.title))
        return {place: dict(sorted(_unique_names(things).items())) for place, things in within.items()}

    @cached_property
    def of(self) -> Mapping[str | None, str]:
        """The name by the IRI of a place or thing; that of the workspace of things without a place by None."""
        found: dict[str | None, str] = {iri: name for name, iri in self.workspaces.items()}
        for things in self.artifacts.values():
            found.update({iri: name for name, iri in things.items()})
        return found


@dataclass(frozen=True, slots=True)
class Addresses:
    """Addresses below `base`, such as `http://127.0.0.1:8008`, which has no slash at its end."""

    base: str
    names: Names

    @property
    def platform(self) -> str:
        """The page of the platform."""
        return self.base + ROOT

    @property
    def hub(self) -> str:
        """Where subscriptions are asked for."""
        return f"{self.base}/hub"

    def workspace(self, place: str | None) -> str:
        """The address of a place's page, by IRI; for None that of the workspace for things in no place."""
        return f"{self.platform}/{self.names.of[place]}"

    def artifact(self, thing: Thing) -> str:
        """The page of a thing."""
        return f"{self.workspace(self.names.within(thing))}/artifacts/{self.names.of[thing.iri]}"

    def of_affordance(self, thing: Thing, affordance: Affordance) -> str:
        """Where a property is read, an action invoked, an event heard of."""
        return f"{self.artifact(thing)}/{step_of(affordance)}/{quote(step_name(affordance), safe='')}"


def step_of(affordance: Affordance) -> str:
    """The step of an address under which affordances of such a sort stand: `properties`, `actions` or `events`."""
    if isinstance(affordance, Property):
        return "properties"
    return "actions" if isinstance(affordance, Action) else "events"


def step_name(affordance: Affordance) -> str:
    """The name of an affordance as one step of an address: no slash is in it (as in JSON Pointer, RFC 6901)."""
    return affordance.name.replace("~", "~0").replace("/", "~1")


def slug(iri: str, title: str) -> str:
    """A name for an address: the end of the IRI where a person may have given it, else the title in plain letters."""
    return _plain(local_name(iri)) or _plain(title) or _mark(iri)


def _plain(text: str) -> str:
    letters = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    return _ODD.sub("-", letters).strip("-.")[:LONGEST]


def _unique_names(found: Iterable[tuple[str, str]]) -> dict[str, str]:
    """IRIs by name, of IRIs with titles."""
    alike: dict[str, list[tuple[str, str]]] = {}
    for iri, title in found:
        alike.setdefault(slug(iri, title), []).append((iri, title))
    named: dict[str, str] = {}
    for name, several in alike.items():
        for iri, _ in several:
            named[name if len(several) == 1 else f"{name}-{_mark(iri)}"] = iri
    return named


def _mark(iri: str) -> str:
    return blake2s(iri.encode(), digest_size=4).hexdigest()
