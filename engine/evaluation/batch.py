"""Requests in bulk: each on the home that it names, a conversation from the home's initial state."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Any

from engine.dialogue.assistant import Consent
from engine.dialogue.result import refused, result
from engine.environment.clock import SimulatedClock, aware
from engine.errors import HearthgraphError, InputError, SyntaxFault
from engine.graph.terms import Json
from engine.hearthgraph import Hearthgraph
from engine.origins.sources import Source, sources
from engine.settings import Settings

_TEXTS = ("conversation", "home", "user", "location")
_KNOWN = frozenset({"id", "text", "now", "memory", *_TEXTS})


@dataclass(frozen=True, slots=True)
class Line:
    """A request line. Lines of one `conversation` follow each other; without one, each starts anew."""

    id: str
    text: str
    conversation: str | None = None
    home: str | None = None
    user: str | None = None
    location: str | None = None
    now: datetime | None = None
    memory: tuple[str, ...] = ()


def read_lines(path: Path) -> Iterator[Line]:
    """The request lines of a file. Raises SyntaxFault with the line, InputError where there is no such file."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path} cannot be read: {error}.", remedy="Give a JSONL file of requests.") from error
    for number, raw in enumerate(text.split("\n"), start=1):
        if raw.strip():
            yield _line(raw, path, number)


def _line(raw: str, path: Path, number: int) -> Line:
    def fault(message: str) -> SyntaxFault:
        return SyntaxFault(message, source=str(path), line=number, remedy="See `hearthgraph batch --help`.")

    try:
        data = json.loads(raw)
    except ValueError as error:
        raise fault(f"not JSON: {error}.") from error
    if not isinstance(data, dict) or not isinstance(data.get("text"), str) or "id" not in data:
        raise fault("a request is an object with an id and a text.")
    if unknown := set(data) - _KNOWN:
        raise fault(f"unknown members: {', '.join(sorted(unknown))}.")
    texts = {name: None if data.get(name) is None else str(data[name]) for name in _TEXTS}
    return Line(str(data["id"]), data["text"], now=_now(data, fault), memory=tuple(data.get("memory") or ()), **texts)


def _now(data: dict[str, Any], fault: Any) -> datetime | None:
    if data.get("now") is None:
        return None
    try:
        return aware(datetime.fromisoformat(str(data["now"])))
    except ValueError as error:
        raise fault(f"now is not ISO 8601: {error}.") from error


class _Home:
    """One home, with the state in which its conversations start."""

    def __init__(self, source: Source, settings: Settings) -> None:
        self.engine = Hearthgraph.open(None, settings=settings)
        source.load(self.engine.target)
        self._initial: dict[str, Json] = dict(self.engine.state)
        self._began = self.engine.clock.now()
        self._conversation: str | None = None

    def begin(self, line: Line) -> None:
        """Goes back to the initial state where a new conversation begins."""
        if line.conversation is None or line.conversation != self._conversation:
            self._reset()
        self._conversation = line.conversation
        if line.now is not None and isinstance(self.engine.clock, SimulatedClock):
            self.engine.set_now(line.now)

    def _reset(self) -> None:
        state = self.engine.state
        wrong = {iri: value for iri, value in self._initial.items() if state.get(iri) != value}
        gone: dict[str, Json] = {iri: None for iri in state if iri not in self._initial}
        if wrong or gone:
            state.write({**wrong, **gone})
        self.engine.set_now(self._began)


class Batch:
    """Homes loaded from paths, answering lines. A context manager."""

    def __init__(self, paths: Sequence[Path], *, execute: bool, settings: Settings) -> None:
        self._sources = {source.id: source for path in paths for source in sources(path)}
        self._homes: dict[str, _Home] = {}
        self._settings = settings
        self._consent = Consent.ALL if execute else Consent.PLAN

    def run(self, lines: Sequence[Line]) -> Iterator[dict[str, Any]]:
        """A result object a line. A line that cannot be answered has a result that says why."""
        for line in lines:
            try:
                yield self._answer(line)
            except HearthgraphError as error:
                yield refused(line.id, error.reason, str(error))

    def _answer(self, line: Line) -> dict[str, Any]:
        home = self._home(line)
        home.begin(line)
        engine = home.engine
        if line.location is not None and engine.place(line.location) is None:
            raise InputError(f"There is no place {line.location} here.", reason="no_such_room")
        outcome = engine.ask(line.text, consent=self._consent, user=line.user, location=line.location)
        return result(outcome, engine.registry, line.id)

    def _home(self, line: Line) -> _Home:
        name = line.home
        if name is None and len(self._sources) == 1:
            name = next(iter(self._sources))
        source = self._sources.get(name or "") or self._sources.get(Path(name or "").stem)
        if source is None:
            raise InputError(
                f"There is no home {name}." if name else "The request does not say which home it is for.",
                remedy=f"Known homes: {', '.join(list(self._sources)[:8])}.",
                reason="no_such_home",
            )
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
