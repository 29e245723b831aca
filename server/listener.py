"""The listener: takes connections, prefers known clients where room is short, and closes all before it ends.

A connection whose first request takes long to arrive is closed, and where there is no room the oldest that nobody known
holds makes room for the next. Calls are answered as `turns` has it. At the end streams end first, then the listening,
then the threads that answer; their output is closed last.
"""

from __future__ import annotations

import logging
import socket
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from copy import copy
from functools import partial
from time import monotonic
from typing import Any

from flask import request
from waitress import wasyncore
from waitress.channel import HTTPChannel
from waitress.parser import HTTPRequestParser
from waitress.server import TcpWSGIServer
from waitress.task import WSGITask

from server.turns import Dispatcher, Turn

_log = logging.getLogger(__name__)
CONNECTION = "hearthgraph.connection"
"""Where a call finds the connection that it came by."""
BACKLOG = 1024
CONNECTIONS = 500
PER_ADDRESS = 250
"""Connections in all, and of one address."""
HEADER_SECONDS = 10.0
"""Within which the whole head of a request has to be here, from its first byte, or from the beginning."""
BODY_SECONDS = 300.0
IDLE_SECONDS = 120
STALLED_SECONDS = 60.0
"""For which a client may take nothing of what is ready for it."""
LINGERING_SECONDS = 2.0
"""For which more is taken from a client, and thrown away, that has been refused while it was still sending."""
LOOK = 1
"""Seconds between two looks at what takes too long."""
FLUSHING = 0.3
"""Seconds in which answers go out at the end."""
AT_ONCE = 32
"""How many connections are taken before others are heard."""
Knows = Callable[[Mapping[str, str]], bool]
"""Whether the headers of a call, as waitress names them, are those of somebody known."""
Admits = Callable[[str, str, Mapping[str, str]], int]
"""How many bytes the body of a call may have, by its method, path and headers; where it is less, as many as any."""


class _Parser(HTTPRequestParser):  # type: ignore[misc] # it has no types
    """A call as it comes in. What its body may have is decided by its head."""

    adj: Any

    def __init__(self, admits: Admits, adj: Any) -> None:
        super().__init__(adj)
        self._admits = admits

    def parse_header(self, header_plus: bytes) -> None:
        """As waitress has it."""
        super().parse_header(header_plus)
        most = self._admits(self.command, self.path, self.headers)
        if most > self.adj.max_request_body_size:
            self.adj = copy(self.adj)
            self.adj.max_request_body_size = most + 1


class _Task(WSGITask):  # type: ignore[misc] # it has no types
    """A call that knows its connection."""

    def get_environment(self) -> dict[str, Any]:
        environment: dict[str, Any] = super().get_environment()
        environment[CONNECTION] = self.channel
        return environment


class Connection(HTTPChannel):  # type: ignore[misc] # it has no types
    """One connection. `known` is set by a call on it that has the token or is signed in; `urgent` says whether the call
    that is to be answered next has."""

    task_class = _Task
    requests: list[Any]
    known = urgent = lingering = refused = False

    def __init__(self, *given: Any, **named: Any) -> None:
        self.since = self.moved = monotonic()
        self.answered = False
        self.turn = Turn(known=False)
        super().__init__(*given, **named)
        self.parser_class = partial(_Parser, self.server.admits)
        self.local = self.socket.getsockname()[0]

    def received(self, data: bytes) -> bool:
        """As waitress has it; the time of a request begins with its first byte."""
        if self.request is None:
            self.since = monotonic()
        return bool(super().received(data))

    def send_continue(self) -> None:
        """Tells the client to go on, where anything is still to come: after a head without a body nothing is."""
        if self.request.completed:
            self.request.expect_continue = False
        else:
            super().send_continue()

    def send(self, data: bytes, do_close: bool = True) -> int:
        """As waitress has it; that the client takes something is noted."""
        sent = int(super().send(data, do_close=do_close))
        if sent:
            self.moved = monotonic()
        return sent

    def readable(self) -> bool:
        """Whether anything is to be read."""
        return self.lingering or bool(super().readable())

    def writable(self) -> bool:
        """Whether anything is to be written, or the connection to be closed."""
        return not self.lingering and bool(super().writable())

    def handle_read(self) -> None:
        """Reads from the client; input of one who was refused is thrown away."""
        if not self.lingering:
            super().handle_read()
            return
        with suppress(OSError):
            if self.recv(self.adj.recv_bytes):
                return
        self.handle_close()

    def handle_write(self) -> None:
        """Writes to the client. For one who was refused, the end is sent first: closed at once, the refusal would be
        lost."""
        if not (self.refused and self.close_when_flushed and not self.total_outbufs_len and self.connected):
            super().handle_write()
            return
        self.lingering, self.since = True, monotonic()
        with suppress(OSError):
            self.socket.shutdown(socket.SHUT_WR)

    def service(self) -> None:
        """Answers one request."""
        self.refused = self.requests[0].error is not None
        turn = self.turn  # by the end of it the next one may have begun
        try:
            super().service()
        finally:
            self.server.task_dispatcher.done(turn)
        self.since, self.answered = monotonic(), True

    def handle_close(self) -> None:
        """Closes the connection; no call that has not begun will."""
        super().handle_close()
        if self.server.task_dispatcher.forget(self):
            for request in self.requests:
                request.close()
            self.requests = []

    def lasts(self) -> None:
        """The call that is being answered is a stream, which takes a thread, and hardly anything else."""
        self.server.task_dispatcher.lasts(self.turn)

    def gone(self) -> bool:
        """Whether the client has closed the connection. While a request is answered nothing is read from it, so a
        stream that has nothing to tell would not be told so."""
        try:
            return not self.socket.recv(1, socket.MSG_PEEK)
        except BlockingIOError:
            return False
        except (OSError, AttributeError):  # it has been closed at this end: there is none any more
            return True

    def late(self, now: float) -> bool:
        """Whether the client is too slow with the bytes awaited from it."""
        if self.lingering:
            return now - self.since > LINGERING_SECONDS
        if self.total_outbufs_len:
            return now - max(self.moved, self.since) > STALLED_SECONDS
        if self.requests:
            return False
        partial = self.request
        if partial is None:
            return now - self.since > (IDLE_SECONDS if self.answered else HEADER_SECONDS)
        return now - self.since > (BODY_SECONDS if partial.headers_finished else HEADER_SECONDS)


class Listener(TcpWSGIServer):  # type: ignore[misc] # it has no types
    """A server on a port. `run` it, `stop` it from anywhere, and `finish` it when `run` has returned."""

    channel_class = Connection
    knows: Knows
    admits: Admits
    _stopping = False

    @classmethod
    def at(
        cls,
        application: Any,
        *,
        host: str,
        port: int,
        threads: int,
        body_bytes: int,
        knows: Knows = lambda _: False,
        admits: Admits = lambda *_: 0,
    ) -> Listener:
        """A listener; who it `knows` is answered first. A body has no more than `body_bytes`, or what it `admits`.
        Raises OSError where nothing can listen there, ValueError for no such address."""
        from waitress.adjustments import Adjustments

        adjustments = Adjustments(
            host=host,
            port=port,
            threads=threads,
            backlog=BACKLOG,
            connection_limit=CONNECTIONS * 2,
            cleanup_interval=LOOK,
            max_request_body_size=body_bytes,
            asyncore_use_poll=True,
            ident=None,
            clear_untrusted_proxy_headers=True,
        )
        places = sorted(adjustments.listen, key=lambda place: place[0] is not socket.AF_INET)
        answering = Dispatcher(threads)
        try:
            listener = cls(application, adj=adjustments, map={}, sockinfo=places[0], dispatcher=answering)
        except OSError:
            answering.set_thread_count(0)
            raise
        listener.knows, listener.admits = knows, admits
        return listener

    def run(self) -> None:
        """Serves until `stop` is called."""
        while not self._stopping:
            wasyncore.loop(timeout=LOOK, use_poll=True, map=self._map, count=1)

    def stop(self, *_: object) -> None:
        """Has `run` return. May be called by any thread, and as a handler of a signal."""
        self._stopping = True
        self.pull_trigger()

    def finish(self, seconds: float) -> bool:
        """Takes no more connections, lets answers go out, ends all connections and then waits for the threads; whether
        all of them have ended. One that has not keeps the streams that it might write to."""
        wasyncore.dispatcher.close(self)
        self._end_threads()
        until = monotonic() + seconds
        self._turn(lambda: monotonic() < until - seconds + FLUSHING and self._busy())
        for connection in tuple(self.active_channels.values()):
            connection.handle_close()
        self._turn(lambda: monotonic() < until and bool(self.task_dispatcher.threads))
        ended = not self.task_dispatcher.threads
        if ended:
            self.trigger.close()
        else:
            _log.warning("%d calls have not ended", len(self.task_dispatcher.threads))
        return ended

    def add_task(self, task: Connection) -> None:
        """A call has come, and waits for its turn."""
        task.urgent = self.knows(task.requests[0].headers)
        task.known = task.known or task.urgent
        self.task_dispatcher.add_task(task)

    def handle_accept(self) -> None:
        """Takes the connections that wait, for each of which another may have to go."""
        with suppress(OSError):
            for _ in range(AT_ONCE):
                accepted = self.accept()
                if accepted is None:
                    return
                self._take(*accepted)

    def _take(self, connection: socket.socket, address: tuple[str, int]) -> None:
        self.set_socket_options(connection)  # else an answer's body waits some 40 ms for its head to be taken
        if self._make_room(address[0]):
            self.channel_class(self, connection, address, self.adj, map=self._map)
        else:
            connection.close()

    def maintenance(self, now: float) -> None:  # noqa: ARG002 - the time of day may jump
        """Closes connections on which something takes too long."""
        moment = monotonic()
        for connection in tuple(self.active_channels.values()):
            if connection.late(moment):
                connection.handle_close()

    def _make_room(self, address: str) -> bool:
        """Whether one more connection of an address has room, be it that of another one which nobody known holds."""
        held = Counter(connection.addr[0] for connection in self.active_channels.values())
        if held[address] >= PER_ADDRESS:
            return self._let_go(one for one in self.active_channels.values() if one.addr[0] == address)
        if held.total() < CONNECTIONS:
            return True
        most, _ = held.most_common(1)[0]
        return self._let_go(one for one in self.active_channels.values() if one.addr[0] == most)

    def _let_go(self, of: Iterable[Connection]) -> bool:
        """Whether one that nobody known holds could be closed: that which has been idle longest, or else one whose
        calls wait."""
        strangers = (one for one in of if not one.known)
        oldest = min(strangers, key=lambda one: (bool(one.requests), one.since), default=None)
        if oldest is None:
            return False
        oldest.handle_close()
        return True

    def _busy(self) -> bool:
        return any(one.requests or one.total_outbufs_len for one in tuple(self.active_channels.values()))

    def _end_threads(self) -> None:
        """No call that waits is begun any more; each thread ends with the one that it answers."""
        dispatcher = self.task_dispatcher
        with dispatcher.lock:
            dispatcher.queue.clear()
        dispatcher.set_thread_count(0)

    def _turn(self, going_on: Callable[[], bool]) -> None:
        while going_on():
            wasyncore.loop(timeout=0.01, use_poll=True, map=self._map, count=1)


def came_by() -> Connection | None:
    """The connection that the present call came by; None where no listener took it."""
    connection: Connection | None = request.environ.get(CONNECTION)
    return connection


def in_thread(listener: Listener) -> threading.Thread:
    """Has a listener run in a thread of its own."""
    thread = threading.Thread(target=listener.run, name="hearthgraph-listener", daemon=True)
    thread.start()
    return thread
