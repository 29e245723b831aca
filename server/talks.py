"""The conversations that the server has, each in a thread of its own while it has something to do."""

from __future__ import annotations

import threading
from collections import OrderedDict, deque
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import contextmanager
from dataclasses import dataclass, field
from time import monotonic
from typing import Any

from engine.dialogue.conversation import Conversation
from engine.dialogue.requests.journal import called
from engine.dialogue.requests.request import AS_SET, Consent, Manner, Request
from engine.dialogue.result import result
from engine.errors import HearthgraphError, InputError
from engine.execution.runner import NodeEvent
from engine.hearthgraph import Hearthgraph, new_iri
from engine.model.intent import Intent
from engine.model.outcome import Outcome, Status
from server.workers import Workers

KEPT = 1000
"""How many requests and conversations are kept in memory; the journal has them all."""
MOST_UNDER_WAY = 200
BRIEFLY = 1.0
"""Seconds that any call may wait for an outcome; no more than half of the threads wait longer."""
ENDING = 0.3
"""Seconds in which what is stopped at the end may still be recorded and told."""
MOST_EVENTS = 2000


class TooBusy(HearthgraphError):
    """More is under way than the server takes on."""

    reason = "busy"


@dataclass(slots=True, eq=False)
class Turn:
    """A request and its progress. `events` grow while its plan runs; `news` notifies of them and of the end.

    `line` is the id that the client gave it, if it did.
    """

    request: str
    talk: Talk
    line: str | None = None
    outcome: Outcome | None = None
    events: deque[NodeEvent] = field(default_factory=lambda: deque(maxlen=MOST_EVENTS))
    count: int = 0
    news: threading.Condition = field(default_factory=threading.Condition)
    work: Future[Outcome] = field(default_factory=Future)
    waits: Future[None] = field(default_factory=Future)
    """Done when its plan is under way and waits for its time or for something to happen."""
    deciding: bool = False

    @property
    def plan(self) -> str:
        """The IRI that its plan has, if there is one."""
        return f"{self.request}/plan"


class Talk:
    """One conversation. Its turns follow each other, in the order in which they took their places."""

    def __init__(self, home: Hearthgraph, name: str | None = None) -> None:
        self._home = home
        self._free = threading.Condition()
        self._places: deque[object] = deque()
        self._taken = False
        self._turn = Turn("", self)
        self._consent, self._user, self._location, self._manner = Consent.ASK, None, None, AS_SET
        self._conversation = Conversation(home.assistant, self._ask, name)

    def place(self) -> object:
        """A place behind all that was said before; it is used up by `say`, or given up by `leave`."""
        place = object()
        with self._free:
            self._places.append(place)
        return place

    def leave(self, place: object) -> None:
        """Gives a place up: nothing will be said there."""
        with self._free:
            self._places.remove(place)
            self._free.notify_all()

    def say(
        self,
        text: str,
        turn: Turn,
        place: object,
        consent: Consent,
        user: str | None,
        location: str | None,
        manner: Manner,
        may: Callable[[str], object] | None = None,
    ) -> Outcome:
        """The outcome of an utterance; `may` as Conversation has it. Raises InputError."""
        with self._held(place) as let_go:
            self._turn, self._consent, self._manner = turn, consent, manner
            self._user, self._location = user, location  # type: ignore[assignment]
            self._conversation.may = may
            self._conversation.memory.let_go = lambda: _parted(turn, let_go)
            return self._conversation.say(text)

    @contextmanager
    def _held(self, place: object) -> Iterator[Callable[[], None]]:
        """Holds the conversation for one turn, until that has ended or the function given is called."""
        with self._free:
            self._free.wait_for(lambda: not self._taken and self._places[0] is place)
            self._places.popleft()
            self._taken = held = True

        def let_go() -> None:
            nonlocal held
            if held:
                held = False
                with self._free:
                    self._taken = False
                    self._free.notify_all()

        try:
            yield let_go
        finally:
            let_go()

    def settle(self, plan: str, decide: Callable[[str], Outcome]) -> Outcome:
        """Decides on a plan by its IRI."""
        with self._held(self.place()):
            self._conversation.settle(plan)
        return decide(plan)

    def _ask(self, text: str) -> Outcome:
        return self._home.ask(
            text,
            consent=self._consent,
            user=self._user,
            location=self._location,
            iri=self._turn.request,
            manner=self._manner,
            called=self._turn.line,
        )


class Talks:
    """The conversations by name, and the requests by id."""

    def __init__(self, home: Hearthgraph) -> None:
        self._home = home
        self._waiters = threading.Semaphore(home.settings.server_threads // 2)
        self._lock = threading.Lock()
        self._talks: OrderedDict[str, Talk] = OrderedDict()
        self._turns: OrderedDict[str, Turn] = OrderedDict()
        self._lines: OrderedDict[str, str] = OrderedDict()
        self._under_way = threading.Semaphore(MOST_UNDER_WAY)
        self._workers = Workers("hearthgraph-turn")
        self._active: set[Turn] = set()
        self._closing = False
        self._over: Future[None] = Future()
        home.assistant.listener = self._tell

    def talk(self, name: str | None) -> Talk:
        """The conversation of a name, begun where it is new; without one, a new conversation."""
        if name is None:
            return Talk(self._home)
        with self._lock:
            talk = self._talks.pop(name, None) or Talk(self._home, name)
            self._talks[name] = talk
            _trim(self._talks)
        return talk

    def name(self, name: str, talk: Talk) -> None:
        """Gives a conversation a further name."""
        with self._lock:
            self._talks[name] = talk
            _trim(self._talks)

    def say(
        self,
        text: str,
        *,
        talk: Talk,
        consent: Consent = Consent.ASK,
        user: str | None = None,
        location: str | None = None,
        line: str | None = None,
        manner: Manner = AS_SET,
        may: Callable[[str], object] | None = None,
    ) -> Turn:
        """Begins a turn; its `work` has the outcome. `may` is asked before a yes to a plan counts. Raises TooBusy."""
        turn, place = self._begin(talk, line), talk.place()
        try:
            self._start(turn, lambda: talk.say(text, turn, place, consent, user, location, manner, may))
        except TooBusy:
            talk.leave(place)
            raise
        return turn

    def intend(
        self,
        text: str,
        intents: tuple[Intent, ...],
        request: str,
        user: str | None,
        provided: Callable[[], bool] | None = None,
    ) -> Turn:
        """Begins a turn that was not put in words, of which `provided` has to hold when it is done. Raises TooBusy."""
        turn = self._begin(Talk(self._home), None, request)
        assistant = self._home.assistant
        self._start(turn, lambda: assistant.intend(Request(text, request, user), intents, Consent.YES, provided))
        return turn

    def decide(self, turn: Turn, plan: str, *, consent: bool) -> None:
        """Has the proposed plan of a turn carried out, or given up. Raises InputError (no_such_plan), TooBusy."""
        with self._lock:  # of several who decide at the same time one does
            proposed = turn.outcome is not None and turn.outcome.status is Status.PROPOSED
            if not proposed or turn.deciding or plan != turn.plan:
                raise InputError("No such plan is waiting for consent.", remedy="Ask again.", reason="no_such_plan")
            turn.deciding, turn.work, turn.waits = True, Future(), Future()
        decided = self._home.assistant.consent if consent else self._home.assistant.decline
        try:
            self._start(turn, lambda: turn.talk.settle(plan, decided))
        except TooBusy as error:
            turn.deciding = False
            turn.work.set_exception(error)
            raise

    def cancel(self, turn: Turn) -> None:
        """Stops the plan of a turn that is under way. Raises InputError (no_such_plan)."""
        self._home.assistant.cancel(turn.plan)

    def find(self, name: str) -> Turn | None:
        """The turn by the IRI of its request, or by the id that the client gave it."""
        with self._lock:
            return self._turns.get(name) or self._turns.get(self._lines.get(name, ""))

    def sought(self, name: str) -> Turn | None:
        """As `find`; a plan that waits for consent since before this process began has a turn again."""
        turn = self.find(name)
        if turn is not None:
            return turn
        request = called(self._home.store, name) or name
        proposal = self._home.assistant.proposals.find(f"{request}/plan")
        if proposal is None:
            return None
        outcome = proposal.told()
        turn = Turn(request, Talk(self._home), name if name != request else None, outcome)
        turn.work.set_result(outcome)
        with self._lock:
            if turn.line is not None:
                self._lines[turn.line] = request
            return self._turns.setdefault(request, turn)

    def told(self, turn: Turn, line: str | None = None) -> dict[str, Any]:
        """The result object of a turn that has an outcome."""
        assert turn.outcome is not None
        return result(turn.outcome, self._home.registry, line or turn.line, self._home.store)

    def events(self, turn: Turn, seconds: float) -> Iterator[NodeEvent | None]:
        """The events of its plan's nodes, from the beginning until its work is done; None each `seconds` of silence."""
        seen = 0
        while True:
            with turn.news:
                if turn.count == seen and not (turn.work.done() or self._over.done()):
                    turn.news.wait(seconds)
                missed = min(turn.count - seen, len(turn.events))
                fresh = list(turn.events)[len(turn.events) - missed :]
                seen, done = turn.count, turn.work.done()
            yield from fresh or (() if done else (None,))
            if done and turn.count == seen:
                return

    def close(self) -> None:
        """Stops running plans, and those that would begin; callers that wait for more than `ENDING` seconds are
        answered."""
        self._closing = True
        until = monotonic() + ENDING
        while self._active and monotonic() < until:
            self._home.assistant.cancel_all()
            wait({turn.work for turn in tuple(self._active)}, timeout=0.02)
        if not self._over.done():
            self._over.set_result(None)
        for turn in tuple(self._active):
            with turn.news:
                turn.news.notify_all()

    def awaited(self, turn: Turn, seconds: float, *, patient: bool = False) -> Outcome:
        """The outcome of a turn; raises its error, TimeoutError where it takes longer, where its plan only waits and
        nobody said that they are `patient`, or where too many wait already; TooBusy at the end."""
        work = turn.work
        events: set[Future[Any]] = {work, self._over, *(() if patient else (turn.waits,))}
        wait(events, timeout=min(seconds, BRIEFLY), return_when=FIRST_COMPLETED)
        if not any(event.done() for event in events) and self._waiters.acquire(blocking=False):
            try:
                wait(events, timeout=seconds - BRIEFLY, return_when=FIRST_COMPLETED)
            finally:
                self._waiters.release()
        if work.done():
            return work.result()
        if self._over.done():
            raise TooBusy("The server is stopping.", remedy="Ask again when it is back.")
        raise TimeoutError

    def _begin(self, talk: Talk, line: str | None, request: str | None = None) -> Turn:
        turn = Turn(request or new_iri(), talk, line)
        with self._lock:
            self._turns[turn.request] = turn
            if line is not None:
                self._lines[line] = turn.request
            _trim(self._turns)
            _trim(self._lines)
        return turn

    def _start(self, turn: Turn, work: Callable[[], Outcome]) -> None:
        if self._closing or not self._under_way.acquire(blocking=False):
            raise TooBusy("Too much is under way.", remedy="Wait until something is done.")
        self._active.add(turn)
        self._workers.do(lambda: self._work(turn, work))

    def _work(self, turn: Turn, work: Callable[[], Outcome]) -> None:
        try:
            if self._closing:
                raise TooBusy("The server is stopping.", remedy="Ask again when it is back.")
            outcome = turn.outcome = work()
            earlier = self.find(outcome.request)  # where the answer to a question carries out what was asked before
            if earlier is not None:
                earlier.outcome = outcome
            turn.work.set_result(outcome)
        except BaseException as error:  # noqa: BLE001 - whoever waits for it is told
            turn.work.set_exception(error)
        finally:
            self._under_way.release()
            self._active.discard(turn)
            with turn.news:
                turn.news.notify_all()

    def _tell(self, plan: str, event: NodeEvent) -> None:
        turn = self.find(plan.removesuffix("/plan"))
        if turn is not None:
            with turn.news:
                turn.events.append(event)
                turn.count += 1
                turn.news.notify_all()


def _parted(turn: Turn, let_go: Callable[[], None]) -> None:
    """The plan of a turn waits: its conversation goes on, and so does whoever waits for its end."""
    let_go()
    if not turn.waits.done():
        turn.waits.set_result(None)


def _trim(kept: OrderedDict[str, Any]) -> None:
    while len(kept) > KEPT:
        kept.popitem(last=False)
