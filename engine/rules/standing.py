"""How the events of a rule stand: what holds now, since when, and when time alone will change that."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from engine.graph.store import GraphStore
from engine.graph.terms import Json, expand
from engine.model.intent import Amount, Measure
from engine.model.rule import Appears, Becomes, Changes, Fact, Happens, Match, Moves, Trigger, Window
from engine.model.selection import Comparison, Condition, Quantity, Select, Test
from engine.rules.facts import Values, Watch, compiled
from engine.rules.moments import Ground, spans, utc, within
from engine.things.registry import Registry

PERSON, WHEREABOUTS = expand("hg:Person"), expand("hg:Whereabouts")


@dataclass(slots=True)
class Standing:
    """Facts of which all, or any, together turn true. `held` is whether they did when it was looked last; `since` when
    each that is to last became so."""

    watches: tuple[Watch, ...]
    match: Match = Match.ALL
    windows: tuple[Window, ...] = ()
    held: bool = False
    since: list[datetime | None] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.since = self.since or [None] * len(self.watches)

    @property
    def properties(self) -> frozenset[str]:
        """What can change it."""
        return frozenset().union(*(watch.properties for watch in self.watches))

    def look(self, values: Values, now: datetime, ground: Ground) -> bool:
        """Whether it turns true at this moment."""
        before = self.held
        found = [self._lasting(place, values, now) for place in range(len(self.watches))]
        so = (all if self.match is Match.ALL else any)(found)
        self.held = bool(so and found and within(self.windows, now, ground))
        return self.held and not before

    def _lasting(self, place: int, values: Values, now: datetime) -> bool:
        watch = self.watches[place]
        if watch.holds(values) is not True:
            self.since[place] = None
            return False
        if not watch.fact.seconds:
            return True
        since = self.since[place] = self.since[place] or now
        return utc(now) >= utc(since) + timedelta(seconds=watch.fact.seconds)

    def next_look(self, now: datetime, ground: Ground) -> datetime | None:
        """When time alone can change how it stands: a state has lasted, a window opens or closes."""
        lasting = [
            utc(since) + timedelta(seconds=watch.fact.seconds)
            for since, watch in zip(self.since, self.watches, strict=True)
            if since is not None
        ]
        edges = [edge for window in self.windows for edge in _edges(window, now, ground)]
        coming = [one for one in (*lasting, *edges) if one > utc(now)]
        return min(coming) if coming else None

    def begin(self, values: Values, changed: Mapping[str, datetime], now: datetime, ground: Ground) -> None:
        """Takes in how it is when the rule is made: what is so already turns true only when it was otherwise."""
        for place, watch in enumerate(self.watches):
            if watch.fact.seconds and watch.holds(values) is True:
                known = [changed[prop] for prop in watch.properties if prop in changed]
                self.since[place] = max(known, key=utc, default=now)
        self.look(values, now, ground)

    def to_json(self) -> Json:
        """What is to be known of it after a restart."""
        return {"held": self.held, "since": [None if one is None else one.isoformat() for one in self.since]}

    def restore(self, data: Json) -> None:
        """Takes over what `to_json` said; what does not fit is left as it is."""
        if not isinstance(data, dict):
            return
        self.held = bool(data.get("held"))
        since = data.get("since")
        if isinstance(since, list) and len(since) == len(self.watches):
            self.since = [datetime.fromisoformat(one) if isinstance(one, str) else None for one in since]


def _edges(window: Window, now: datetime, ground: Ground) -> list[datetime]:
    today = now.astimezone(ground.zone).date()
    days = (today, today + timedelta(days=1), today + timedelta(days=7))
    return [edge for day in days for span in spans(window, day, ground) for edge in span]


def standings(
    trigger: Trigger, windows: Sequence[Window], store: GraphStore, registry: Registry
) -> tuple[Standing, ...]:
    """How an event is watched: a person comes or goes each for themselves. None for times and for what is told."""
    return tuple(
        Standing(tuple(compiled(fact, store, registry) for fact in event.facts), event.match, tuple(windows))
        for event in becoming(trigger, registry)
    )


def becoming(trigger: Trigger, registry: Registry) -> Iterable[Becomes]:
    """What turns true where a trigger sets off: a person comes or goes each for themselves; none for times."""
    if isinstance(trigger, Becomes):
        yield trigger
    if isinstance(trigger, Moves):
        home = Amount(Measure.TRUTH, trigger.comes)
        for person in persons(trigger.person, registry):
            select = Select(things=(person,), quantity=Quantity.ALL)
            yield Becomes((Fact(select, (Test((Condition(WHEREABOUTS, Comparison.IS, home),)),)),))


def persons(name: str | None, registry: Registry) -> list[str]:
    """The people that the home knows, or those of a name or IRI."""
    found = []
    for thing in registry.things.values():
        is_person = any(registry.vocabulary.is_a(c, PERSON) for part in thing.parts for c in part.every_class)
        called = name is None or name == thing.iri or name.casefold() in thing.title.casefold().split()
        found += [thing.iri] if is_person and called else []
    return found


def told_of(trigger: Trigger, store: GraphStore, registry: Registry) -> frozenset[str]:
    """The properties of which any change, or the events of which any news, sets a trigger off."""
    if isinstance(trigger, Changes):
        kinds = (Condition(trigger.kind, Comparison.KNOWN),) if trigger.kind else ()
        return compiled(Fact(trigger.selection, (Test(kinds),) if kinds else ()), store, registry).properties
    if isinstance(trigger, Happens):
        wanted = trigger.event.casefold()
        return frozenset(
            iri for iri in registry.events if wanted in (iri.casefold(), iri.rpartition("/")[2].casefold())
        )
    return frozenset()


def appearing(trigger: Trigger) -> Select | None:
    """What is waited for to become known."""
    return trigger.selection if isinstance(trigger, Appears) else None
