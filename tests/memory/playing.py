"""Homes to remember in: how the tests of the memory speak to a home, let time go on, and look what is so."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from engine.graph.terms import expand
from engine.hearthgraph import Hearthgraph
from engine.model.outcome import Outcome
from tests.homes import a_home

BEGINS = datetime.fromisoformat("2026-03-02T15:00:00+00:00")  # a Monday
_HERE = Path(__file__).resolve().parent
_MORE = Path(__file__).resolve().parents[1] / "acceptance" / "homes"


@dataclass(frozen=True, slots=True)
class Place:
    """A home with what the tests name in it: a lamp that can be dimmed and a plain light, in two rooms."""

    file: str | Path
    lamp: str
    lamp_room: str
    light: str
    light_room: str

    @property
    def lamp_key(self) -> str:
        return self.lamp.lower().replace(" ", "-")

    @property
    def light_key(self) -> str:
        return self.light.lower().replace(" ", "-")


PLACES = {
    "house": Place("house.ttl", "desk lamp", "study", "pantry light", "pantry"),
    "mill": Place(_MORE / "mill.ttl", "writing lamp", "library", "landing light", "landing"),
    "gull": Place(_HERE / "homes" / "gull.json", "hearth lamp", "lounge", "nightstand lamp", "back bedroom"),
    "farmhouse": Place(_MORE / "farmhouse.ttl", "Moonbeam", "blue room", "attic light", "attic"),
}


class Played:
    """A home that is spoken to, each person in a conversation of their own."""

    def __init__(self, home: Hearthgraph, place: Place) -> None:
        self.home, self.place = home, place

    def say(self, text: str, user: str | None = "Robin", location: str | None = None, **more: Any) -> Outcome:
        """What came of a request, which is consented to; two seconds later than what was before."""
        self.home.pass_time(2)
        more = {"consent": True, "conversation": user or "nobody", **more}
        return self.home.ask(text.format(**self.words), user=user, location=location, **more)

    def at(self, moment: str) -> None:
        """It is that time: "Tue 08:30" of the first week, "+2 14:00" two days later, or "14:00" on the same day."""
        day, _, clock = moment.rpartition(" ")
        hour, minute = map(int, clock.split(":"))
        now = self.home.clock.now()
        names = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
        start = BEGINS + timedelta(days=names.index(day)) if day in names else now + timedelta(days=int(day or 0))
        then = start.replace(hour=hour, minute=minute, second=0, microsecond=0)
        assert then >= now, f"{then} is over"
        self.home.pass_time((then - now).total_seconds())

    def value(self, thing: str, kind: str) -> Any:
        """What a property of a kind of a thing has; `thing` is how its IRI ends."""
        registry = self.home.registry
        found = [
            prop.iri
            for one in registry.things.values()
            if one.iri.endswith((f"/{thing.format(**self.words)}", f":{thing.format(**self.words)}"))
            for prop in one.properties
            if expand(f"hg:{kind}") in prop.kinds
        ]
        assert len(found) == 1, f"{thing} {kind}: {found}"
        return self.home.state[found[0]]

    def is_on(self, thing: str) -> bool:
        """Whether a thing is on, however its home says so."""
        return self.value(thing, "Power") in (True, "on")

    @property
    def words(self) -> dict[str, str]:
        """What tests call the things of the home by."""
        place = self.place
        named = {"lamp": place.lamp, "lamp_room": place.lamp_room, "light": place.light, "light_room": place.light_room}
        return {**named, "lamp_key": place.lamp_key, "light_key": place.light_key}


@contextmanager
def playing(name: str, now: datetime = BEGINS) -> Iterator[Played]:
    """A home of its own to play in."""
    place = PLACES[name]
    with a_home(place.file, now=now) as home:
        yield Played(home, place)
