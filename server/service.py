"""The state shared by pages and protocols: the home, the keys, the processes for queries, the conversations."""

from __future__ import annotations

import shutil
import threading
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

from flask import current_app

from engine.environment.clock import Clock, SimulatedClock, SystemClock
from engine.environment.http.addresses import PublicHosts
from engine.errors import SettingError
from engine.graph.embedded import EmbeddedStore
from engine.hearthgraph import Hearthgraph
from engine.origins.hypermedia.platform.web import Webs
from engine.origins.hypermedia.websub.hub.hub import Hub
from engine.settings import Settings
from engine.things.directory.directory import Directory
from server.agents.agents import Agents
from server.directory.purging import Purge
from server.foresight import Foresight
from server.keys import COPIES, DUMPS, SUBSCRIPTIONS, TOKENS, Keys
from server.strangers.copies import Copies
from server.strangers.pool import Pool
from server.talks import Talks

EXTENSION = "hearthgraph"
DAY = 86400.0


@dataclass(frozen=True, slots=True)
class Service:
    """One home, served. Close it."""

    home: Hearthgraph
    store: EmbeddedStore
    settings: Settings
    keys: Keys
    copies: Copies
    pool: Pool
    talks: Talks
    webs: Webs
    hub: Hub
    directory: Directory
    purge: Purge
    agents: Agents
    foresight: Foresight
    ending: threading.Event = field(default_factory=threading.Event)
    updating: threading.Lock = field(default_factory=threading.Lock)
    """Held by an update of a person's, from its trial to its end."""

    @classmethod
    def open(cls, settings: Settings) -> Service:
        """Opens the store that the settings name. Time is real, unless the setting `now` says otherwise; devices are
        real where `live` says so. Raises StoreInUseError, StoreError, SettingError."""
        if not isinstance(settings.store, Path):
            raise SettingError("The server keeps its store itself.", remedy="Name a directory in HEARTHGRAPH_STORE.")
        keys = Keys(settings.store)
        store = EmbeddedStore.open(settings.store)
        shutil.rmtree(keys.folder / DUMPS, ignore_errors=True)  # of a process that was killed
        try:
            home = Hearthgraph(store, _clock(settings), settings, keys.folder / TOKENS)
            webs = Webs(store, home.registry, home.state)
            hub = _hub(home, webs, keys, settings)
        except SettingError:
            store.close()
            raise
        home.watch()
        copies = Copies(store, keys.folder / COPIES, settings.sparql_staleness_seconds)
        pool, talks = Pool(copies, settings), Talks(home)
        directory = _directory(home, copies)
        agents = Agents(home, keys.folder)
        purge, foresight = Purge(directory), Foresight(lambda: home.foresee(DAY))
        return cls(home, store, settings, keys, copies, pool, talks, webs, hub, directory, purge, agents, foresight)

    def end(self) -> None:
        """Ends streams, stops plans and queries under way, and lets nothing new begin: whoever waits is answered."""
        self.ending.set()
        self.home.state.hub.close()
        self.home.state.events.close()
        self.home.rules.notices.close()
        self.directory.events.close()
        self.agents.close()
        self.pool.stop()
        self.talks.close()

    def close(self) -> None:
        """Stops plans that are under way and closes the store."""
        self.end()
        self.purge.close()
        self.hub.close()
        self.pool.close()
        self.copies.close()
        self.home.close()


def _directory(home: Hearthgraph, copies: Copies) -> Directory:
    """The directory of the home; the state and the next query see its changes at once."""

    def settled() -> None:
        home.state.refresh()
        copies.expire()

    return Directory(home.registry, home.clock.now, settled)


def _hub(home: Hearthgraph, webs: Webs, keys: Keys, settings: Settings) -> Hub:
    """The hub of the home; its subscriptions are kept beside the store. Raises SettingError."""
    hosts = PublicHosts(settings.callback_hosts)
    return Hub(webs, home.state, home.store, hosts=hosts, kept=keys.folder / SUBSCRIPTIONS)


def _clock(settings: Settings) -> Clock:
    return SystemClock(settings.zone) if settings.now is None else SimulatedClock(settings.now)


def service() -> Service:
    """The service of the present call."""
    return cast(Service, current_app.extensions[EXTENSION])
