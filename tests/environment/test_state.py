"""The state: mirrored in memory, written whole, with a bounded past."""

from __future__ import annotations

import math
import threading
from typing import cast

import pytest

from engine.environment.state import State
from engine.errors import StoreError, ValueFault
from engine.graph.terms import HISTORY, STATE, Json, Literal, NamedNode, Quad, Term, node, python
from tests.environment.conftest import Home, prop
from tests.stores import EVERY

STORES = ("memory", "oxigraph", EVERY[-1])

POWER, BRIGHTNESS = prop("lamp", "power"), prop("lamp", "brightness")


def stored(home: Home, iri: str) -> list[str]:
    """The values of a property in the store itself."""
    quads = [quad for quad in home.store.graph(STATE) if quad.predicate == node("hg:value")]
    return [str(python(cast(Term, quad.object))) for quad in quads if quad.subject == NamedNode(iri)]


def test_a_write_says_what_changed_and_stands_in_the_store(home: Home) -> None:
    assert home.state.write({POWER: "on", BRIGHTNESS: 127}) == {POWER: ("off", "on")}
    assert home.state[POWER] == "on"
    assert stored(home, POWER) == ["on"]


def test_times_tell_when_a_value_was_heard_of_and_since_when_it_holds(home: Home) -> None:
    start = home.clock.now()
    home.clock.advance(60)
    home.state.write({POWER: "off"})
    assert home.state.observed_at(POWER) == home.clock.now()
    assert home.state.changed_at(POWER) == start
    home.state.write({POWER: "on"})
    assert home.state.changed_at(POWER) == home.clock.now()
    assert home.state.changed_at("urn:unknown") is None


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({POWER: "on", BRIGHTNESS: "bright"}, "wrong_type"),
        ({POWER: "on", BRIGHTNESS: math.nan}, "wrong_type"),
        ({POWER: "on", BRIGHTNESS: True}, "wrong_type"),
        ({POWER: "on", "urn:unknown": 1}, "no_such_property"),
    ],
)
def test_a_value_of_the_wrong_type_is_refused_and_nothing_is_written(
    home: Home, changes: dict[str, Json], reason: str
) -> None:
    with pytest.raises(ValueFault) as caught:
        home.state.write(changes)
    assert caught.value.reason == reason
    assert home.state[POWER] == "off"
    assert stored(home, POWER) == ["off"]


def test_a_device_may_say_what_its_schema_does_not_allow(home: Home) -> None:
    assert home.state.write({BRIGHTNESS: 300.0}) == {BRIGHTNESS: (127, 300)}
    assert isinstance(home.state[BRIGHTNESS], int)


def test_nothing_is_forgotten_but_what_is_said_to_be_unknown(home: Home) -> None:
    assert home.state.write({POWER: None}) == {POWER: ("off", None)}
    assert POWER not in home.state
    assert stored(home, POWER) == []


def test_the_past_is_kept_as_far_as_it_is_long(home: Home) -> None:
    for value in (1, 2, 3, 4, 5):
        home.clock.advance(1)
        home.state.write({BRIGHTNESS: value})
    assert [(past.before, past.after) for past in home.state.history(BRIGHTNESS)] == [(2, 3), (3, 4), (4, 5)]
    assert len({quad.subject for quad in home.store.graph(HISTORY)}) == 3


def test_a_new_state_over_the_same_store_knows_it_all(home: Home) -> None:
    for value in (1, 2, 3, 4, 5):
        home.state.write({BRIGHTNESS: value})
    again = State(home.store, home.registry, home.clock, history_length=3)
    assert dict(again) == dict(home.state)
    assert again.history(BRIGHTNESS) == home.state.history(BRIGHTNESS)
    assert again.observed_at(POWER) == home.state.observed_at(POWER)
    again.write({BRIGHTNESS: 6})
    assert len({quad.subject for quad in home.store.graph(HISTORY)}) == 3
    assert stored(home, BRIGHTNESS) == ["6"]


def test_the_places_of_the_past_are_used_again_and_its_order_stays(home: Home) -> None:
    names = set()
    for value in range(1, 41):  # all at the same moment: the clock stands still
        home.state.write({BRIGHTNESS: value})
        names |= {quad.subject for quad in home.store.graph(HISTORY)}
    assert len(names) == 4, "three that are kept, and one that comes before one goes"
    assert [past.after for past in home.state.history(BRIGHTNESS)] == [38, 39, 40]
    again = State(home.store, home.registry, home.clock, history_length=3)
    assert again.history(BRIGHTNESS) == home.state.history(BRIGHTNESS)
    again.write({BRIGHTNESS: 41})
    assert {quad.subject for quad in home.store.graph(HISTORY)} < names


def test_a_past_that_was_written_without_using_places_again_goes_on(home: Home) -> None:
    for value in (1, 2, 3):
        home.state.write({BRIGHTNESS: value})
    gone = [quad for quad in home.store.graph(HISTORY) if quad.predicate == node("hg:ordinal")]
    home.store.write(delete=gone)
    again = State(home.store, home.registry, home.clock, history_length=3)
    again.write({BRIGHTNESS: 4})
    assert [past.after for past in again.history(BRIGHTNESS)] == [2, 3, 4]


def test_what_a_file_wrote_is_read_when_asked_and_replaced_whatever_its_form(home: Home) -> None:
    home.state.write({BRIGHTNESS: None})
    value = Literal("50.0", datatype=node("xsd:decimal"))
    home.store.write(insert=[Quad(NamedNode(BRIGHTNESS), node("hg:value"), value, STATE)])
    assert BRIGHTNESS not in home.state
    home.state.refresh()
    assert home.state[BRIGHTNESS] == 50
    assert home.state.observed_at(BRIGHTNESS) is None
    home.state.write({BRIGHTNESS: 51})
    assert stored(home, BRIGHTNESS) == ["51"]


def test_lists_objects_and_truths_come_back_as_they_were(home: Home) -> None:
    cooling = prop("conditioner", "power")
    home.state.write({cooling: True})
    home.state.refresh()
    assert home.state[cooling] is True


def test_an_overlay_shows_what_would_be_and_changes_nothing(home: Home) -> None:
    laid = home.state.overlay({POWER: "on"}).overlay({"urn:new": 1})
    assert laid[POWER] == "on"
    assert laid.get(BRIGHTNESS) == 127
    assert laid.get("urn:none", 7) == 7
    assert "urn:new" in laid
    assert len(laid) == len(home.state) + 1
    assert dict(laid) == {**home.state, POWER: "on", "urn:new": 1}
    assert home.state[POWER] == "off"
    with pytest.raises(KeyError):
        laid["urn:none"]


def test_the_hub_hears_of_changes_and_of_nothing_else(home: Home) -> None:
    with home.state.hub.subscribe() as news:
        home.state.write({POWER: "off", BRIGHTNESS: 9})
        heard = news.take(0)
        assert heard is not None
        assert (heard.property, heard.before, heard.after) == (BRIGHTNESS, 127, 9)
        assert news.take(0) is None


def test_a_new_state_does_not_touch_the_generation_of_the_store(home: Home) -> None:
    before = home.store.generation
    home.state.write({POWER: "on"})
    assert home.store.generation == before


def test_writers_side_by_side_lose_nothing_and_the_mirror_is_the_store(home: Home) -> None:
    iris = [prop(name, "brightness") for name in ("lamp", "corner_lamp", "bedside_lamp")]

    def write(iri: str) -> None:
        for value in range(50):
            home.state.write({iri: value})

    writers = [threading.Thread(target=write, args=(iri,)) for iri in iris * 2]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    mirrored = dict(home.state)
    assert [mirrored[iri] for iri in iris] == [49, 49, 49]
    home.state.refresh()
    assert dict(home.state) == mirrored


def test_what_is_gathered_is_seen_at_once_and_stored_together(home: Home) -> None:
    writes = home.store.generation, len(home.store.graph(STATE))
    with home.state.hub.subscribe() as news:
        with home.state.gathered():
            home.state.write({POWER: "on"})
            home.state.write({BRIGHTNESS: 200})
            home.state.write({BRIGHTNESS: 201})
            assert (home.state[POWER], home.state[BRIGHTNESS]) == ("on", 201)
            assert stored(home, POWER) == ["off"]
            assert news.take(0) is None
        assert (stored(home, POWER), stored(home, BRIGHTNESS)) == (["on"], ["201"])
        told = [news.take(0) for _ in range(3)]
    assert [(one.property, one.after) for one in told if one] == [(POWER, "on"), (BRIGHTNESS, 200), (BRIGHTNESS, 201)]
    assert (home.store.generation, len(home.store.graph(STATE))) == writes
    assert [past.after for past in home.state.history(BRIGHTNESS)][-2:] == [200, 201]
    assert State(home.store, home.registry, home.clock).history(BRIGHTNESS) == home.state.history(BRIGHTNESS)


def test_what_goes_and_comes_back_within_a_gathering_stands_as_it_stood(home: Home) -> None:
    before = set(home.store.graph(STATE))
    with home.state.gathered():
        home.state.write({POWER: None})
        assert POWER not in home.state
        home.state.write({POWER: "off"})
    assert home.state[POWER] == "off"
    assert stored(home, POWER) == ["off"]
    assert len(home.store.graph(STATE)) == len(before)


def test_a_write_of_another_thread_takes_what_is_gathered_along(home: Home) -> None:
    with home.state.gathered():
        home.state.write({POWER: "on"})
        other = threading.Thread(target=home.state.write, args=({BRIGHTNESS: 3},))
        other.start()
        other.join()
        assert (stored(home, POWER), stored(home, BRIGHTNESS)) == (["on"], ["3"])
        home.state.write({POWER: "off"})
    assert stored(home, POWER) == ["off"]


def test_what_cannot_be_stored_together_is_not_so(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(**_: object) -> None:
        raise StoreError("The disk is full.")

    def gather() -> None:
        with home.state.gathered():
            home.state.write({POWER: "on"})
            monkeypatch.setattr(home.store, "write", full)

    with home.state.hub.subscribe() as news:
        with pytest.raises(StoreError):
            gather()
        monkeypatch.undo()
        assert news.take(0) is None
    assert home.state[POWER] == "off"
    assert home.state.write({POWER: "on"}) == {POWER: ("off", "on")}


def test_reading_anew_keeps_what_is_gathered(home: Home) -> None:
    with home.state.gathered():
        home.state.write({POWER: "on"})
        home.state.refresh()
        assert home.state[POWER] == "on"
    assert stored(home, POWER) == ["on"]
