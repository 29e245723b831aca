"""Whose turn it is: calls of the household go before strangers', and among equals each address has its turn."""

from __future__ import annotations

from collections import OrderedDict, deque
from dataclasses import dataclass
from typing import Protocol

from waitress.task import ThreadedTaskDispatcher

BESIDE = 4
"""How many calls of strangers are at work beside one of the household's, streams that are open not among them."""
RESERVED = 8
"""One thread in so many is the household's."""


@dataclass(slots=True, eq=False)
class Turn:
    """One call at work. It is `lasting` once it holds its thread for long, without much to do."""

    known: bool
    lasting: bool = False


class Caller(Protocol):
    """A connection that has a call to be answered, and whether it is one of the household's."""

    addr: tuple[str, int]
    urgent: bool
    turn: Turn


class _Line:
    """Who waits, in turn by address, and of one address in the order in which they came."""

    def __init__(self) -> None:
        self._of: OrderedDict[str, deque[Caller]] = OrderedDict()

    def __len__(self) -> int:
        return sum(map(len, self._of.values()))

    def __bool__(self) -> bool:
        return bool(self._of)

    def append(self, caller: Caller) -> None:
        self._of.setdefault(caller.addr[0], deque()).append(caller)

    def popleft(self) -> Caller:
        address, callers = next(iter(self._of.items()))
        caller = callers.popleft()
        if callers:
            self._of.move_to_end(address)
        else:
            del self._of[address]
        return caller

    def remove(self, caller: Caller) -> bool:
        callers = self._of.get(caller.addr[0])
        if callers is None or caller not in callers:
            return False
        callers.remove(caller)
        if not callers:
            del self._of[caller.addr[0]]
        return True

    def clear(self) -> None:
        self._of.clear()


class Turns:
    """What waits for a thread, as the dispatcher of waitress has it: it is true where a call may begin now. To be used
    with the dispatcher's lock held."""

    def __init__(self, threads: int) -> None:
        self._most = max(1, threads - max(1, threads // RESERVED))
        self._household, self._strangers = _Line(), _Line()
        self._at_work: set[Turn] = set()

    def __len__(self) -> int:
        return len(self._household) + len(self._strangers)

    def __bool__(self) -> bool:
        return bool(self._household) or (bool(self._strangers) and self._room())

    def append(self, caller: Caller) -> None:
        """One more call waits."""
        (self._household if caller.urgent else self._strangers).append(caller)

    def popleft(self) -> Caller:
        """The call whose turn it is, which is at work from now on."""
        caller = (self._household or self._strangers).popleft()
        caller.turn = Turn(caller.urgent)
        self._at_work.add(caller.turn)
        return caller

    def done(self, turn: Turn) -> None:
        """A call has been answered."""
        self._at_work.discard(turn)

    def remove(self, caller: Caller) -> bool:
        """One waits no more; whether it did."""
        return self._household.remove(caller) or self._strangers.remove(caller)

    def clear(self) -> None:
        """Nobody waits any more."""
        self._household.clear()
        self._strangers.clear()

    def _room(self) -> bool:
        """Whether a stranger's call may begin."""
        strangers = [turn for turn in self._at_work if not turn.known]
        if len(strangers) >= self._most:
            return False
        busy = any(turn.known and not turn.lasting for turn in self._at_work)
        return not busy or sum(not turn.lasting for turn in strangers) < BESIDE


class Dispatcher(ThreadedTaskDispatcher):  # type: ignore[misc] # it has no types
    """The threads that answer, each the call whose turn it is."""

    def __init__(self, threads: int) -> None:
        super().__init__()
        self.queue = Turns(threads)
        self.set_thread_count(threads)

    def add_task(self, task: Caller) -> None:
        """A call waits for its turn."""
        with self.lock:
            self.queue.append(task)
            self.queue_cv.notify()

    def done(self, turn: Turn) -> None:
        """A call has been answered; that may make room for others than the next one."""
        with self.lock:
            self.queue.done(turn)
            self._wake()

    def lasts(self, turn: Turn) -> None:
        """A call holds its thread from now on without much to do, so that others may begin."""
        with self.lock:
            turn.lasting = True
            self._wake()

    def forget(self, task: Caller) -> bool:
        """A call is not to be answered; whether it had been waiting."""
        with self.lock:
            return self.queue.remove(task)

    def _wake(self) -> None:
        if self.queue:
            self.queue_cv.notify(len(self.queue))
