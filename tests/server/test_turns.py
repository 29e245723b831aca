"""Whose call is answered next."""

from __future__ import annotations

from dataclasses import dataclass, field

import httpx
import pytest

from server.application import create_app
from server.guard import recognising
from server.turns import BESIDE, Turn, Turns
from tests.server.serving import Serving


@dataclass(eq=False)
class Waiting:
    """A call that waits."""

    addr: tuple[str, int]
    urgent: bool = False
    turn: Turn = field(default_factory=lambda: Turn(known=False))


def stranger(address: str = "10.0.0.1") -> Waiting:
    return Waiting((address, 1))


def household() -> Waiting:
    return Waiting(("10.0.0.1", 1), urgent=True)


def waiting(*callers: Waiting, threads: int = 24) -> Turns:
    turns = Turns(threads)
    for one in callers:
        turns.append(one)
    return turns


def begun(turns: Turns) -> list[Waiting]:
    """Those that may begin, as long as none of them ends."""
    found = []
    while turns:
        found.append(turns.popleft())
    return found


def test_the_household_goes_first_however_many_came_before() -> None:
    ours = household()
    turns = waiting(*(stranger() for _ in range(300)), ours)
    assert turns.popleft() is ours


def test_each_address_has_its_turn() -> None:
    many, one = [stranger("10.0.0.1") for _ in range(50)], stranger("10.0.0.2")
    assert begun(waiting(*many, one))[:3] == [many[0], one, many[1]]


@pytest.mark.parametrize("threads", [1, 2, 4, 24, 100])
def test_strangers_never_hold_all_threads_but_one_may_always_be_answered(threads: int) -> None:
    strangers = len(begun(waiting(*(stranger() for _ in range(200)), threads=threads)))
    assert 1 <= strangers <= max(1, threads - 1)


def test_beside_a_call_of_the_household_few_of_strangers_begin_and_all_after_it() -> None:
    ours = household()
    turns = waiting(ours, *(stranger() for _ in range(50)))
    assert len(begun(turns)) == 1 + BESIDE
    turns.done(ours.turn)
    assert begun(turns)


def test_streams_that_are_open_keep_no_calls_from_beginning() -> None:
    ours = household()
    turns = waiting(ours, *(stranger() for _ in range(6)))
    streams = begun(turns)
    for one in streams:
        one.turn.lasting = True
    others = [stranger() for _ in range(BESIDE)]
    for one in others:
        turns.append(one)
    assert set(others) <= {*begun(turns)}


def test_one_that_waits_no_more_is_not_answered() -> None:
    gone, other = stranger(), stranger()
    turns = waiting(gone, other)
    assert turns.remove(gone)
    assert not turns.remove(gone)
    assert begun(turns) == [other]
    assert not turns.remove(other)


def test_who_has_the_token_or_is_signed_in_is_recognised_before_the_answer(house: Serving) -> None:
    knows = recognising(create_app(house.service))
    with httpx.Client(base_url=house.url) as browser:
        browser.get("/sign-in", params={"code": house.service.keys.code})
        cookie = f"hearthgraph={browser.cookies['hearthgraph']}"
    assert knows({"AUTHORIZATION": f"Bearer {house.token}"})
    assert knows({"COOKIE": cookie})
    for headers in ({}, {"AUTHORIZATION": "Bearer x"}, {"AUTHORIZATION": "Basic ÿ"}, {"COOKIE": cookie + "x"}):
        assert not knows(headers)
