"""How the listener sends what is answered."""

from __future__ import annotations

import socket

from server.listener import Listener, in_thread
from tests.waiting import until


def test_an_answer_does_not_wait_for_its_head_to_be_acknowledged() -> None:
    listener = Listener.at(lambda *_: [], host="127.0.0.1", port=0, threads=1, body_bytes=1000)
    thread = in_thread(listener)
    try:
        with socket.create_connection(("127.0.0.1", listener.effective_port), timeout=60):
            until(lambda: bool(listener.active_channels))
            (accepted,) = listener.active_channels.values()
            assert accepted.socket.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
    finally:
        listener.stop()
        thread.join(timeout=60)
        listener.finish(5)


def test_what_is_noted_of_one_connection_is_not_noted_of_another() -> None:
    listener = Listener.at(lambda *_: [], host="127.0.0.1", port=0, threads=1, body_bytes=1000)
    thread = in_thread(listener)
    place = ("127.0.0.1", listener.effective_port)
    try:
        with socket.create_connection(place, timeout=60), socket.create_connection(place, timeout=60):
            until(lambda: len(listener.active_channels) == 2)
            first, second = listener.active_channels.values()
            first.lasts()
            assert first.turn.lasting
            assert not second.turn.lasting
    finally:
        listener.stop()
        thread.join(timeout=60)
        listener.finish(5)
