"""The engine, wired: a store, the registry of its things, its state, its bindings, and the conversation with it."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from random import getrandbits
from tempfile import TemporaryDirectory
from time import time_ns
from typing import TYPE_CHECKING, Any
from uuid import UUID

from astral.sun import elevation

from engine import settings as configuration
from engine.dialogue.assistant import Assistant
from engine.dialogue.conversation import Conversation
from engine.dialogue.requests import journal
from engine.dialogue.requests.request import AS_SET, Consent, Manner, Request
from engine.dialogue.rules.exported import exported
from engine.dialogue.rules_given import give
from engine.environment.binding import Binding
from engine.environment.clock import Clock, SimulatedClock, SystemClock
from engine.environment.hands import ABOVE, hands, live_binding
from engine.environment.simulation.simulated import Fault, SimulatedBinding
from engine.environment.state import State
from engine.errors import HearthgraphError, InputError
from engine.graph.embedded import EmbeddedStore
from engine.graph.store import GraphStore
from engine.graph.terms import Json, Quad
from engine.memory.kept import diary, facts
from engine.model.outcome import Outcome, Status
from engine.model.thing import Thing
from engine.origins.home_assistant.automations_read import rules_of
from engine.origins.home_assistant.homes import SCHEME
from engine.origins.sources import Target, only, register, settle
from engine.rules.keeper import Keeper
from engine.rules.messenger import Messenger
from engine.rules.moments import later, utc
from engine.rules.notices import Notice
from engine.rules.watchman import Watchman
from engine.settings import Settings
from engine.things.door import LoadReport
from engine.things.registry import Registry

if TYPE_CHECKING:
    from engine.environment.http.observe import Observation
    from engine.origins.artifacts import Artifacts
    from engine.origins.calls import ArtifactBinding
    from engine.origins.home_assistant.link import Link
    from engine.origins.hypermedia.explorer import Explorer
    from engine.origins.upkeep import Upkeep


MOST_CONVERSATIONS = 256
"""How many conversations are kept in mind."""


class Hearthgraph:
    """One home. Use it as a context manager; `open(None)` keeps it in memory.

    `tokens_file` keeps the tokens that other hosts gave, else they are kept in memory. `faults` maps simulated
    affordances, by IRI, to their faults (`environment.simulation.simulated.Fault`).
    """

    def __init__(
        self, store: GraphStore, clock: Clock, settings: Settings | None = None, tokens_file: Path | None = None
    ) -> None:
        self.settings = settings or configuration.load()
        self.store = store
        self.clock = clock
        self.registry = Registry(store)
        kept = {"history_length": self.settings.history_length, "history_days": self.settings.history_days}
        self.state = State(store, self.registry, clock, **kept)
        self.faults: dict[str, Fault] = {}
        simulated = self.simulated = SimulatedBinding(self.registry, self.state, clock, self.faults)
        live = self.settings.live and not isinstance(clock, SimulatedClock)
        self.http = live_binding(self.registry, self.state, self.settings) if live else None
        self._following: Observation | None = None
        self._followed = -1
        self.home_assistant = self._linked() if live and self.settings.home_assistant_url else None
        self._artifacts: Artifacts | None = None
        self.tokens_file = tokens_file
        self._tools: ArtifactBinding | None = None
        others: dict[str, Binding] = {SCHEME: self.home_assistant} if self.home_assistant else {}
        others |= dict.fromkeys(ABOVE, self.tools) if live else {}
        self.binding = hands(self.registry, simulated, self.http, others)
        self.assistant = Assistant(store, self.registry, self.state, clock, self.binding, self.settings)
        self.assistant.ruling.foresee = self.foresee
        if live:
            self.assistant.answering = self.tools.answer
        self._conversations: OrderedDict[str, Conversation] = OrderedDict()
        self._watchman: Watchman | None = None
        self._messenger: Messenger | None = None
        self._upkeep: Upkeep | None = None
        self._explorer: Explorer | None = None

    @classmethod
    def open(
        cls, path: Path | str | None = None, *, now: datetime | None = None, settings: Settings | None = None
    ) -> Hearthgraph:
        """Opens the store in a directory, at the address of a server (a string), or in memory. The home is simulated,
        and so is its time, which begins at `now` (else at the setting of that name, else now). Where the setting `live`
        says so, and no `now` is given, devices and time are real. Raises StoreError, SettingError."""
        settings = settings or configuration.load()
        began = now or settings.now or datetime.now(settings.zone)
        real = settings.live and now is None
        store = open_store(path, settings)
        try:
            return cls(store, SystemClock(settings.zone) if real else SimulatedClock(began), settings)
        except BaseException:
            store.close()
            raise

    def _linked(self) -> Link:
        """The Home Assistant that the settings name, followed from now on. Raises SettingError, InputError."""
        from engine.origins.home_assistant.access import of_settings
        from engine.origins.home_assistant.link import Link

        access = of_settings(self.settings)
        return Link(
            access, self.registry, self.state, lambda home, before: settle(home, self.target, before), self.clock.now
        )

    def _attend(self) -> None:
        """Before a request: reads writes of others from the store. Before one to a live home: reads the state of its
        devices, once, and follows them from then on."""
        if self.store.freshen():
            self.state.refresh()
            facts.refresh(self.store)
            diary.refresh(self.store)
            self.assistant.experience.refresh()
            self.rules.reopen()
        self.watch()
        if self.home_assistant is not None:
            self.home_assistant.begin(self.settings.device_seconds)
        if self.http is None or self._followed == self.store.generation:
            return
        self._followed = self.store.generation
        if self._following is not None:
            self._following.close()
        looks = self.http.refresh(self._unexplored()), self.tools.refresh()
        for look in looks:
            look.result()
        self._following = self.follow()

    def watch(self) -> None:
        """Attends to the rules from now on, where time is real, and in a live home to registered artifacts."""
        if self._watchman is None and not isinstance(self.clock, SimulatedClock):
            self._watchman = Watchman(self.rules, self.state)
            self._watchman.start()
            carriers = list(self._carriers())
            self._messenger = Messenger(self.rules.notices, carriers) if carriers else None
        if self._upkeep is None and self.http is not None:
            from engine.origins.upkeep import Upkeep

            self._upkeep = Upkeep(self.artifacts, read=self.tools.refresh, every=self.settings.poll_seconds)

    def _carriers(self) -> Iterator[Callable[[Notice], object]]:
        """The carriers of rules' notices out of the house: the webhook of the settings, Home Assistant's
        notifications."""
        from engine.environment.http.webhook import posted

        url, link = self.settings.notice_webhook, self.home_assistant
        if url is not None:
            address: str = url
            yield lambda notice: posted(address, notice.to_json(), self.settings.device_seconds)
        if link is not None and self.settings.home_assistant_notify is not None:
            service: str = self.settings.home_assistant_notify
            yield lambda notice: link.notify(service, notice.text).result(self.settings.device_seconds)

    def automations(self, iris: Iterable[str] = ()) -> tuple[list[dict[str, Any]], list[str]]:
        """The rules, or some of them, as automations of Home Assistant's, and in words why others are none."""
        wanted = set(iris)
        rules = [one.rule for one in self.rules.rules() if not wanted or one.rule.iri in wanted]
        return exported(rules, self.assistant.site(Request("", "urn:hearthgraph:export")))

    def take_automations(self, automations: Json) -> tuple[int, list[str]]:
        """Makes rules of the content of an `automations.yaml`: how many, and in words why others are none."""
        rules, left = rules_of(automations, self.registry)
        made = 0
        for rule in rules:
            outcome = give(self.assistant, [rule], None, new_iri())
            done = outcome.intents[0].status is Status.SCHEDULED
            made += done
            left += [] if done else [f"“{rule.text}”: {outcome.reply}"]
        return made, left

    def foresee(self, seconds: float) -> list[dict[str, Any]]:
        """The events of the next so many seconds without any request: simulated on a copy in memory, whose clock runs
        on; runs end there, rooms cool down, the sun moves. For each firing and each end: the time, the text, the
        status, and the changes."""
        with Hearthgraph(self._copied(), SimulatedClock(self.clock.now()), self.settings) as copy:
            known = set(copy.rules.book.firings)
            ended = copy.pass_time(seconds, by_itself=True)
            fired = [one for iri, one in copy.rules.book.firings.items() if iri not in known]
            recorded = {one.iri: journal.recorded(copy.store, one.request) or {} for one in fired}
        rows = [
            {
                "at": one.due.isoformat(),
                "text": one.text,
                "status": one.status.value,
                "changes": recorded[one.iri].get("changes", []),
            }
            for one in fired
        ]
        return sorted([*rows, *ended], key=lambda row: utc(datetime.fromisoformat(row["at"])))

    def _copied(self) -> EmbeddedStore:
        """A copy of the store in memory."""
        if isinstance(self.store, EmbeddedStore):
            return self.store.copied()
        with TemporaryDirectory() as folder:
            dump, copy = Path(folder) / "home.nq", EmbeddedStore.open(None)
            self.store.dump(dump)
            copy.restore(dump)
        return copy

    def _sun(self, moment: datetime) -> float:
        """How high the sun stands at the place of the home, in degrees."""
        return float(elevation(self.rules.ground.observer(moment.date()), moment))

    def follow(self) -> Observation | None:
        """Observes real devices into the state, until the observation is closed; None without any. Things that the
        explorer keeps up to date are left to it."""
        if self.http is None:
            return None
        left = [*self._unexplored(), *self.registry.events]
        return self.http.observe(left, poll_seconds=self.settings.poll_seconds)

    def _unexplored(self) -> list[str]:
        """The properties that the explorer does not keep up to date."""
        followed = self._explorer.followed if self._explorer is not None else frozenset()
        return [iri for iri in self.registry.properties if iri not in followed]

    @property
    def explorer(self) -> Explorer:
        """The explorer of other homes, made when first asked for. Raises SettingError for the credentials file."""
        if self._explorer is None:
            from engine.origins.hypermedia.explorer import Explorer

            self._explorer = Explorer(self.registry, self.state, self.settings, self.clock.now)
        return self._explorer

    @property
    def artifacts(self) -> Artifacts:
        """The tools, agents and things of others that were registered. Raises SettingError for the credentials file."""
        if self._artifacts is None:
            from engine.origins.artifacts import Artifacts

            self._artifacts = Artifacts(self.registry, self.state, self.settings, self.clock.now, self.tokens_file)
        return self._artifacts

    @property
    def tools(self) -> ArtifactBinding:
        """The way to them."""
        if self._tools is None:
            from engine.origins.calls import ArtifactBinding

            self._tools = ArtifactBinding(self.artifacts, self.registry, self.state)
        return self._tools

    @property
    def rules(self) -> Keeper:
        """The rules of the home."""
        return self.assistant.ruling.keeper

    def set_now(self, now: datetime) -> None:
        """Sets the simulated clock. Firings in between count as missed."""
        if isinstance(self.clock, SimulatedClock):
            self.clock.set(now)
            self.rules.attend()

    def pass_time(self, seconds: float, *, by_itself: bool = False) -> list[dict[str, Any]]:
        """Lets the simulated clock go on by `seconds`; each rule fires at its time. With `by_itself` the natural course
        goes on, too; returns its ends: the time, the thing, and the new value."""
        if not isinstance(self.clock, SimulatedClock):
            return []
        course = self.simulated.course(self._sun if by_itself else None)
        ended: list[dict[str, Any]] = []
        self.rules.attend()
        end = later(self.clock.now(), seconds)
        while utc(before := self.clock.now()) < utc(end):
            stops = [end, self.rules.next_due(), course.next(before) if course is not None else None]
            coming = [utc(one) for one in stops if one is not None and utc(one) > utc(before)]
            self.clock.advance_to(min(coming).astimezone(end.tzinfo))
            if course is not None:
                ended += [one.to_json() for one in course.step(before, self.clock.now())]
            self.rules.attend()
        self.rules.attend()
        return ended

    def load(self, paths: Sequence[Path | str]) -> list[LoadReport]:
        """Loads files (Turtle, or formats of an origin); each is taken whole or refused whole. Raises InputError, also
        for a file of several homes: they would mix."""
        target = self.target
        return [only(Path(path)).load(target) for path in paths]

    @property
    def target(self) -> Target:
        """Where origins load to."""
        return Target(self.store, self.registry, self.state)

    def register(
        self, things: Sequence[Thing], quads: Sequence[Quad] = (), state: Mapping[str, Json] | None = None
    ) -> None:
        """Registers things made in Python, with quads of places and the state of properties by IRI."""
        register(things, quads, state or {}, self.target)

    def ask(
        self,
        text: str,
        *,
        consent: bool | Consent = Consent.ASK,
        user: str | None = None,
        location: str | None = None,
        iri: str | None = None,
        conversation: str | None = None,
        memory: Sequence[str] = (),
        manner: Manner = AS_SET,
        called: str | None = None,
    ) -> Outcome:
        """The outcome of a request. `consent=True` is consent to everything; `location` is a room's name or IRI; `iri`
        names the request, where it has one already (`new_iri`). Requests of one `conversation`, a name of the
        caller's, follow each other: words may refer to earlier ones, and a reply answers a question. `memory` are
        sentences that are known of the person, `manner` overrides settings; `called` is the caller's own name for
        the request.

        Raises InputError for a text that cannot be read at all, and for a location that is none here (no_such_room).
        """
        if isinstance(consent, bool):
            consent = Consent.ALL if consent else Consent.ASK
        place = self.place(location)
        if location is not None and place is None:
            raise InputError(f"There is no place {location} here.", remedy="Name a room.", reason="no_such_room")
        self._attend()

        def said(words: str) -> Outcome:
            request = Request(words, iri or new_iri(), user, place, tuple(memory), manner, called)
            return self.assistant.handle(request, consent)

        outcome = said(text) if conversation is None else self.conversation(conversation).say(text, said)
        if isinstance(self.clock, SimulatedClock):
            self.rules.attend()
        return self._dated(outcome)

    def _dated(self, outcome: Outcome) -> Outcome:
        """Adds a warning to outcomes that rest on possibly outdated state: answers, and refusals."""
        link = self.home_assistant
        rests = any(one.answer is not None or one.status is Status.REFUSED for one in outcome.intents)
        if link is None or link.online or not rests:
            return outcome
        return replace(outcome, reply=f"{outcome.reply} {link.excuse()}")

    def conversation(self, name: str) -> Conversation:
        """The conversation of that name, a new one where there is none; of many the oldest are forgotten."""
        if name not in self._conversations:
            self._conversations[name] = Conversation(self.assistant, lambda text: self.ask(text), name)
            while len(self._conversations) > MOST_CONVERSATIONS:
                self._conversations.popitem(last=False)
        self._conversations.move_to_end(name)
        return self._conversations[name]

    def forget(self, name: str) -> None:
        """Forgets a conversation; its requests stay in the journal."""
        self._conversations.pop(name, None)

    def place(self, name: str | None) -> str | None:
        """The IRI of a place given by IRI or name; None for None or an unknown one."""
        if name is None or name in self.registry.places:
            return name
        wanted = name.casefold()
        for place in self.registry.places.values():
            if wanted in (n.casefold() for n in (place.name, *place.aliases)) or place.iri.endswith(
                (f"/{name}", f":{name}")
            ):
                return place.iri
        return None

    def values(self) -> Mapping[str, Json]:
        """The present value of every property, by IRI."""
        return self.state

    def restore(self, path: Path) -> None:
        """Replaces the home by a dump from `path`; all or nothing: whether it is a home is tried out beside this one.
        Raises InputError, StoreError."""
        self.store.restore(path, tried=self._try_out)
        self.state.refresh()
        facts.refresh(self.store)
        diary.refresh(self.store)
        self.assistant.experience.refresh()
        self.rules.reopen()

    def _try_out(self, store: GraphStore) -> None:
        """Opens a home on the contents of a dump. Raises InputError where that fails."""
        try:
            home = Hearthgraph(store, self.clock, self.settings.model_copy(update={"live": False}))
            home.assistant.refresh()
        except HearthgraphError:
            raise
        except Exception as error:
            raise InputError(
                f"What is in the dump is no home that can be opened ({type(error).__name__}: {error}).",
                remedy="Nothing is changed. Restore another dump, or take out what it says.",
            ) from error

    def close(self) -> None:
        """Lets go of the devices and closes the store."""
        if self._watchman is not None:
            self._watchman.close()
        if self._messenger is not None:
            self._messenger.close()
        if self._explorer is not None:
            self._explorer.close()
        if self._upkeep is not None:
            self._upkeep.close()
        if self._artifacts is not None:
            self._artifacts.close()
        if self.home_assistant is not None:
            self.home_assistant.close()
        if self.http is not None:
            self.http.close()
        self.store.close()

    def __enter__(self) -> Hearthgraph:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def open_store(path: Path | str | None, settings: Settings) -> GraphStore:
    """The store in a directory, at the address of a server, or in memory for None. Raises StoreError, SettingError."""
    if path is None or isinstance(path, Path):
        return EmbeddedStore.open(path)
    from engine.graph.remote import access as remote_access
    from engine.graph.remote.store import RemoteStore

    access = remote_access.at(
        path,
        query=settings.store_query_url,
        update=settings.store_update_url,
        graphs=settings.store_graphs_url,
        secret=remote_access.read_secret(settings.store_credentials_file),
        seconds=settings.store_seconds,
        mirrored=settings.store_mirror,
    )
    return RemoteStore.open_at(access)


def new_iri() -> str:
    """A new IRI, which sorts after those before it (UUID version 7, RFC 9562)."""
    now = time_ns()
    milliseconds, rest = divmod(now, 1_000_000)
    finer = rest * 4096 // 1_000_000
    return f"urn:uuid:{UUID(int=milliseconds << 80 | 0x7 << 76 | finer << 64 | 0x2 << 62 | getrandbits(62))}"
