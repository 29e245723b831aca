"""Requests in bulk: each on the home that it names, a conversation from the home's initial state."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Any

from engine.dialogue.requests.request import Consent
from engine.dialogue.result import refused, result
from engine.errors import HearthgraphError, InputError
from engine.evaluation.requests import BadLine, Line
from engine.graph.terms import HISTORY, REQUESTS, Json
from engine.hearthgraph import Hearthgraph
from engine.origins.sources import Source, sources
from engine.settings import Settings

_log = logging.getLogger(__name__)
FORGET_AFTER = 250
"""How many conversations, at least, a home's journal holds before it is emptied."""


class _Home:
    """One home, with the state in which its conversations start, and how those stand that were left for another."""

    def __init__(self, source: Source, settings: Settings) -> None:
        # A batch goes back in time, homes are made up, and no conversation learns from another.
        simulated = settings.model_copy(update={"live": False, "experience": False})
        self.engine = Hearthgraph.open(None, settings=simulated)
        source.load(self.engine.target)
        self._initial: dict[str, Json] = self.engine.state.snapshot()
        self._began = self.engine.clock.now()
        self._conversation: str | None = None
        self._left: dict[str, tuple[dict[str, Json], datetime]] = {}
        self._starts = 0

    def begin(self, line: Line) -> None:
        """Goes to the state in which the conversation of a line stands: the initial one, where it is new."""
        if line.conversation is None or line.conversation != self._conversation:
            if self._conversation is not None:
                self._left[self._conversation] = self._differing(), self.engine.clock.now()
            self._conversation = line.conversation
            self._go_to(*self._left.pop(line.conversation or "", ({}, self._began)))
            self._tidy()
        if line.now is not None:
            self.engine.set_now(line.now if line.now.tzinfo else line.now.replace(tzinfo=self.engine.settings.zone))

    def _differing(self) -> dict[str, Json]:
        """The values that are not the initial ones; None for one that is gone."""
        state = self.engine.state.snapshot()
        if state == self._initial:
            return {}
        return {iri: state.get(iri) for iri in {*self._initial, *state} if state.get(iri) != self._initial.get(iri)}

    def _go_to(self, changes: dict[str, Json], now: datetime) -> None:
        wrong = {**{iri: self._initial.get(iri) for iri in self._differing()}, **changes}
        self.engine.rules.clear()
        self.engine.set_now(now)
        if wrong:
            self.engine.state.write(wrong)

    def _tidy(self) -> None:
        """From time to time, and seldom in a large home: forgets the requests of conversations that cannot go on, for
        each of them slows the next ones down."""
        self._starts += 1
        if self._starts >= max(FORGET_AFTER, len(self._initial)) and not self._left:
            self._starts = 0
            self.engine.store.compact(forgotten=(REQUESTS, HISTORY))
            self.engine.state.refresh()


class Batch:
    """Homes loaded from paths, answering lines. A context manager. Raises InputError for a path that holds no home, and
    where two homes go by one name."""

    def __init__(self, paths: Sequence[Path], *, execute: bool, settings: Settings) -> None:
        self._sources: dict[str, Source] = {}
        for path in paths:
            found = sources(path)
            if not found:
                raise InputError(f"{path} holds no home.", remedy="Give a file with a home.")
            for source in found:
                self._name(source.id, source)
            if len(found) == 1:
                self._name(path.stem, found[0])
        self._several = len({id(source) for source in self._sources.values()}) > 1
        self._homes: dict[str, _Home] = {}
        self._settings = settings
        self._consent = Consent.ALL if execute else Consent.PLAN

    def _name(self, name: str, source: Source) -> None:
        if self._sources.setdefault(name, source) is not source:
            raise InputError(f"Two homes are called {name}.", remedy="Rename one of the files.")

    def run(self, lines: Iterable[Line | BadLine]) -> Iterator[dict[str, Any]]:
        """A result object a line; that of a line that cannot be answered says why. Raises InputError for a home that
        cannot be loaded."""
        for line in lines:
            if isinstance(line, BadLine):
                yield refused(line.id, line.reason, line.message)
            else:
                yield self._result(line)

    def _result(self, line: Line) -> dict[str, Any]:
        try:
            source = self._source(line)
        except InputError as error:
            return refused(line.id, error.reason, str(error))
        home = self._opened(source)
        try:
            return self._answer(line, home)
        except HearthgraphError as error:
            return refused(line.id, error.reason, str(error))
        except Exception as error:  # noqa: BLE001 - one request that breaks the engine does not cost the others
            _log.exception("request %s broke", line.id)
            return refused(line.id, "internal", f"Something went wrong that should not: {error!r}.", status="failed")

    def _answer(self, line: Line, home: _Home) -> dict[str, Any]:
        home.begin(line)
        engine = home.engine
        outcome = engine.ask(
            line.text,
            consent=self._consent,
            user=line.user,
            location=line.location,
            conversation=line.conversation,
            memory=line.memory,
        )
        return result(outcome, engine.registry, line.id, engine.store)

    def _source(self, line: Line) -> Source:
        """The home of a line, by its id or the stem of its file. Raises InputError."""
        if line.home is None and not self._several:
            return next(iter(self._sources.values()))
        name = line.home or ""
        source = self._sources.get(name) or self._sources.get(Path(name).stem)
        if source is None:
            raise InputError(
                f"There is no home {name}." if name else "The request does not say which home it is for.",
                remedy=f"Known homes: {', '.join(list(self._sources)[:8])}.",
                reason="no_such_home",
            )
        return source

    def _opened(self, source: Source) -> _Home:
        if source.id not in self._homes:
            self._homes[source.id] = _Home(source, self._settings)
        return self._homes[source.id]

    def __enter__(self) -> Batch:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for home in self._homes.values():
            home.engine.close()
