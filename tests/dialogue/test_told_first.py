"""Rooms and things that are told by how they are, apart from the order for them; clauses that only leave something out;
rooms that were asked for. Each in four homes."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from engine.graph.terms import expand
from engine.model.outcome import Status
from tests.dialogue.talks import FOUR_HOMES, Talk
from tests.homes import a_home

HUMIDITY, POWER, BRIGHTNESS, WHITE, LIGHT, FAN, ROOM, BATTERY = (
    expand(f"hg:{name}")
    for name in ("Humidity", "Power", "Brightness", "ColourTemperature", "Light", "Fan", "Room", "Battery")
)


@pytest.fixture(scope="module", params=FOUR_HOMES)
def home(request: pytest.FixtureRequest) -> Iterator[Talk]:
    with a_home(FOUR_HOMES[request.param]) as engine:
        yield Talk(engine, "")


def _humidities(talk: Talk) -> dict[str, str]:
    """The places of the sensors of humidity, by their properties."""
    registry = talk.engine.registry
    return {
        p.iri: thing.place
        for thing in registry.things.values()
        if thing.place
        for p in thing.properties
        if HUMIDITY in p.kinds
    }


def _all_lit_and_one_damp(talk: Talk) -> tuple[set[str], set[str]]:
    """Puts all lights on, and makes it damp in one room with a light; the lights there, and all others."""
    talk.begin()
    lights, sensors = talk.of_class(POWER, LIGHT), _humidities(talk)
    damp = next((place for place in sensors.values() if place in {p for _, p in lights.values()}), None)
    if damp is None:
        pytest.skip("no light is where humidity is measured in this home")
    talk.engine.state.write({iri: 90 if place == damp else 40 for iri, place in sensors.items()})
    talk.engine.state.write(dict.fromkeys(lights, "on"))
    there = {iri for iri, (_, place) in lights.items() if place == damp}
    return there, set(lights) - there


def _are(talk: Talk, on: set[str], off: set[str]) -> None:
    state = talk.engine.state
    assert {iri for iri in on if state.get(iri) != "on"} == set()
    assert {iri for iri in off if state.get(iri) != "off"} == set()


@pytest.mark.parametrize(
    "text",
    [
        "any room over 70 percent humidity, all its lights off",
        "Rooms with more than 70% humidity: switch the lights off there.",
        "all lights off, wherever it's over 70 percent humidity",
        "One of our rooms has a humidity above 70 percent; in there, put all the lights out.",
        "So there's one room that's like over seventy percent humidity, and in there I want all the lights off.",
    ],
)
def test_an_order_is_for_the_rooms_that_are_told(home: Talk, text: str) -> None:
    there, elsewhere = _all_lit_and_one_damp(home)
    outcome = home.ask(text)
    assert outcome.status is Status.DONE, outcome.reply
    _are(home, elsewhere, there)


def test_there_is_in_the_rooms_that_were_asked_for(home: Talk) -> None:
    there, elsewhere = _all_lit_and_one_damp(home)
    home.ask("which rooms are over 70 percent humidity?", conversation="urn:talk:damp")
    outcome = home.ask("turn all the lights off there", conversation="urn:talk:damp")
    assert outcome.status is Status.DONE, outcome.reply
    _are(home, elsewhere, there)


@pytest.mark.parametrize(
    "form",
    [
        "All lights off. The {}, though, leave it be.",
        "all the lights off, only the {} you can skip",
        "every light off, keep your hands off the {}",
        "With the sole exception of the {}, all lights off.",
    ],
)
def test_what_a_clause_leaves_out_stays(home: Talk, form: str) -> None:
    home.begin()
    lights = home.of_class(POWER, LIGHT)
    home.engine.state.write(dict.fromkeys(lights, "on"))
    registry = home.engine.registry
    names = [registry.places[place].name for _, place in lights.values()]
    place = next(p for _, p in lights.values() if sum(registry.places[p].name in name for name in names) == 1)
    inside = {iri for iri, (_, own) in lights.items() if own == place or registry.places[own].parent == place}
    outcome = home.ask(form.format(registry.places[place].name))
    assert outcome.status is Status.DONE, outcome.reply
    _are(home, inside, set(lights) - inside)


@pytest.mark.parametrize(
    "text",
    [
        "any light that's on at 80 percent or higher, off with it",
        "lights that are brighter than 80 percent, kindly off them",
        "Are there lights on that are, like, eighty percent or higher? I want those off.",
    ],
)
def test_an_order_is_for_the_things_that_are_told(home: Talk, text: str) -> None:
    home.begin()
    lights, levels = home.of_class(POWER, LIGHT), home.of_class(BRIGHTNESS, LIGHT)
    parts = {part: iri for iri, (part, _) in lights.items()}
    bright = next(iri for iri, (part, _) in levels.items() if part in parts)
    home.engine.state.write(dict.fromkeys(lights, "on"))
    home.engine.state.write({iri: 95 if iri == bright else 20 for iri in levels})
    outcome = home.ask(text)
    assert outcome.status is Status.DONE, outcome.reply
    off = parts[levels[bright][0]]
    _are(home, set(lights) - {off}, {off})


@pytest.mark.parametrize(
    "text",
    [
        "all lights at 20 percent, warmest they go",
        "all lights at 20 percent, in the warmest tone available",
        "all lights to 20 percent, warmest tone",
    ],
)
def test_as_warm_as_they_go_ranks_nothing(home: Talk, text: str) -> None:
    home.begin()
    levels, whites = home.of_class(BRIGHTNESS, LIGHT), home.of_class(WHITE, LIGHT)
    outcome = home.ask(text)
    assert outcome.status in (Status.DONE, Status.PARTIAL), outcome.reply
    assert {home.engine.state.get(iri) for iri in levels} == {20}
    lowest = {iri: home.engine.registry.properties[iri].schema.minimum for iri in whites}
    assert {iri for iri in whites if home.engine.state.get(iri) != lowest[iri]} == set()


def test_a_room_that_has_something_is_told(home: Talk) -> None:
    home.begin()
    registry = home.engine.registry
    places = [registry.places[place] for _, place in home.of_class(POWER, FAN).values()]
    rooms = {one.name for one in places if any(registry.vocabulary.is_a(cls, ROOM) for cls in one.classes)}
    if not rooms:
        pytest.skip("there is no fan in this home")
    answer = home.ask("which room has a fan?").answer
    assert answer is not None
    assert set(answer.value) == rooms


def test_the_most_things_in_a_room_are_not_counted_by_another_measure(home: Talk) -> None:
    home.begin()
    assert home.ask("which room has the most lights on?").status is Status.REFUSED


@pytest.mark.parametrize("form", ["put {} up to a brightness of 60", "bring {} up to a brightness of 60 percent"])
def test_a_level_that_something_comes_to_is_no_step(home: Talk, form: str) -> None:
    home.begin()
    registry = home.engine.registry
    titles = [thing.title for thing in registry.things.values()]
    level, name = next(
        (iri, registry.thing_of[part].title)
        for iri, (part, _) in home.of_class(BRIGHTNESS, LIGHT).items()
        if titles.count(registry.thing_of[part].title) == 1 and len(registry.thing_of[part].parts) == 1
    )
    home.engine.state.write({level: 30})
    outcome = home.ask(form.format(f"the {name}"))
    assert outcome.status in (Status.DONE, Status.CLARIFY, Status.REFUSED), outcome.reply
    assert home.engine.state.get(level) in (30, 60)


@pytest.mark.parametrize(
    "text",
    [
        "how many battery-powered things are below 40 percent?",
        "Of the devices that are powered by battery, how many have fallen below forty percent?",
        "How many gadgets running on battery are having less than 40 percent, kindly tell?",
    ],
)
def test_things_that_run_on_batteries_are_counted_by_their_charge(home: Talk, text: str) -> None:
    home.begin()
    charges = [p.iri for thing in home.engine.registry.things.values() for p in thing.properties if BATTERY in p.kinds]
    if not charges:
        pytest.skip("nothing in this home tells its charge")
    home.engine.state.write({iri: 10 if number == 0 else 90 for number, iri in enumerate(charges)})
    answer = home.ask(text).answer
    assert answer is not None
    assert answer.value == 1
