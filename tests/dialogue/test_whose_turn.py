"""Requests are thought about one after the other; one that waits lets others go first."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from engine.dialogue.requests.turns import Turns
from engine.errors import ModelError
from engine.hearthgraph import Hearthgraph
from engine.llm import Message
from engine.model.outcome import Status
from engine.planning.model.prompting import Planner

DATA = Path(__file__).resolve().parents[2] / "data"
MUMBLE = "quux zzyzx"


def queue(turns: Turns, names: str, order: list[str], pool: ThreadPoolExecutor) -> list[Any]:
    """Has threads ask for a turn, one after the other, while somebody else has it."""

    def take(name: str) -> None:
        with turns.taken():
            order.append(name)

    asked = []
    for waiting, name in enumerate(names):
        asked.append(pool.submit(take, name))
        while len(turns) <= waiting:
            time.sleep(0.001)
    return asked


def test_turns_come_in_the_order_in_which_they_were_asked_for() -> None:
    turns, order = Turns(), list[str]()
    with ThreadPoolExecutor(8) as pool:
        with turns.taken():
            asked = queue(turns, "abcdef", order, pool)
            assert order == []
        for one in asked:
            one.result(timeout=10)
    assert "".join(order) == "abcdef"


def test_whoever_has_the_turn_may_take_it_again() -> None:
    turns = Turns()
    with turns.taken(), turns.taken():
        pass
    with turns.taken():
        pass


def test_who_leaves_lets_all_go_that_wait_already_and_comes_after_them() -> None:
    turns, order = Turns(), list[str]()
    with ThreadPoolExecutor(8) as pool, turns.taken():
        asked = queue(turns, "abc", order, pool)
        with turns.left():
            for one in asked:
                one.result(timeout=10)
        order.append("me")
    assert order == ["a", "b", "c", "me"]


def test_who_has_no_turn_leaves_none() -> None:
    turns = Turns()
    with turns.left(), turns.taken():
        pass
    assert len(turns) == 0


def test_a_turn_that_ends_badly_is_given_on() -> None:
    turns = Turns()
    with pytest.raises(ModelError), turns.taken(), turns.left():
        raise ModelError("gone")
    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(lambda: turns.taken().__enter__()).result(timeout=10) is None


def test_never_two_at_a_time() -> None:
    turns, inside, most = Turns(), list[int](), list[int]()

    def work(number: int) -> None:
        for _ in range(50):
            with turns.taken():
                inside.append(number)
                most.append(len(inside))
                if number % 2:
                    inside.remove(number)
                    with turns.left():
                        pass
                    inside.append(number)
                inside.remove(number)

    with ThreadPoolExecutor(6) as pool:
        list(pool.map(work, range(6)))
    assert max(most) == 1
    assert len(most) == 300


class Slow:
    """A model that thinks until it is let go."""

    def __init__(self) -> None:
        self.asked, self.over = threading.Event(), threading.Event()

    def complete(self, messages: Sequence[Message], schema: Mapping[str, Any]) -> dict[str, Any]:
        assert messages
        assert schema
        self.asked.set()
        assert self.over.wait(30)
        return {"intents": []}


def test_a_house_does_what_it_is_told_while_a_model_thinks_about_something_else() -> None:
    model = Slow()
    with Hearthgraph.open(None) as home, ThreadPoolExecutor(1) as pool:
        home.load([DATA / "lab308.ttl"])
        home.assistant.planner = Planner(model)
        vague = pool.submit(home.ask, MUMBLE)
        try:
            assert model.asked.wait(30)
            assert home.ask("turn on the light", consent=True).status is Status.DONE
            assert not vague.done()
        finally:
            model.over.set()
        assert (vague.result(timeout=30).reason, vague.result().llm_calls) == ("not_understood", 1)
