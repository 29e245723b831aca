"""Properties that are named: several that are asked for at once, switches that are put on, and some that nothing here
has. Each in four homes."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from engine.graph.terms import expand
from engine.model.outcome import Outcome, Status
from tests.dialogue.talks import FOUR_HOMES, Talk
from tests.homes import a_home

TEMPERATURE, HUMIDITY, ILLUMINANCE = (expand(f"hg:{kind}") for kind in ("Temperature", "Humidity", "Illuminance"))
PLAYERS = {"tide": "hi-fi", "heron": "story box", "tannery": "television", "iowa": "jukebox"}
LOCKS = {"tide": "side door lock", "heron": "street door lock", "tannery": "street door lock", "iowa": "gun safe lock"}
OVENS = {"tide": "range oven", "heron": "range oven", "tannery": "cooker", "iowa": "wall oven"}
TWO = {
    "tide": ("owl lamp", "peg light"),
    "heron": ("corner lamp", "easel light"),
    "tannery": ("arc lamp", "paper globe"),
    "iowa": ("banker's lamp", "quilt lamp"),
}


class Named(Talk):
    """A home with its name."""

    def __init__(self, name: str, talk: Talk) -> None:
        super().__init__(talk.engine, "")
        self.name = name

    def of(self, title: str, kind: str) -> str:
        """The property of a kind that the thing of a title has."""
        thing = next(t for t in self.engine.registry.things.values() if t.title == title)
        return next(p.iri for p in thing.properties if expand(f"hg:{kind}") in p.kinds)

    def changed(self, text: str, **options: str) -> tuple[Outcome, dict[str, object]]:
        """The outcome of a text, and the properties that it changed with their values, but for what sensors see."""
        before = dict(self.engine.state)
        outcome = self.ask(text, **options)
        known = self.engine.registry.properties
        after = {iri: value for iri, value in self.engine.state.items() if before.get(iri) != value}
        return outcome, {iri: value for iri, value in after.items() if ILLUMINANCE not in known[iri].kinds}


@pytest.fixture(scope="module", params=FOUR_HOMES)
def home(request: pytest.FixtureRequest) -> Iterator[Named]:
    with a_home(FOUR_HOMES[request.param]) as engine:
        yield Named(request.param, Talk(engine, ""))


def _answered(home: Named, text: str, **values: object) -> str:
    """The answer to a question, which changes nothing, where the properties of these IRIs have these values."""
    home.begin()
    home.engine.state.write(values)
    outcome, changed = home.changed(text)
    assert outcome.answer is not None, outcome.reply
    assert not changed
    return outcome.answer.text


@pytest.mark.parametrize(
    "text",
    [
        "What is on the {player}?",
        "With regard to the {player}, what's on it?",
        "The {player}: what's on it?",
        "What is the {player} playing?",
    ],
)
def test_a_player_is_asked_for_its_title(home: Named, text: str) -> None:
    player = PLAYERS[home.name]
    told = _answered(home, text.format(player=player), **{home.of(player, "MediaTitle"): "harbour tunes"})
    assert "harbour tunes" in told


@pytest.mark.parametrize(
    "text",
    [
        "What's the volume and the title of the {player}?",
        "How loud is the {player} and what is it playing?",
        "The {player}, how loud is it and what is it playing?",
        "The {player}: what's it playing and how loud is it?",
    ],
)
def test_of_two_properties_both_are_told(home: Named, text: str) -> None:
    player = PLAYERS[home.name]
    values = {home.of(player, "MediaTitle"): "harbour tunes", home.of(player, "Volume"): 37}
    told = _answered(home, text.format(player=player), **values)
    assert "harbour tunes" in told
    assert "37" in told


def _measured_room(home: Named) -> tuple[str, str, str]:
    """A room by its name, with its temperature and its humidity, of both of which there is one."""
    registry = home.engine.registry
    for thing in registry.things.values():
        place = registry.places.get(thing.place or "")
        kinds = {kind: p.iri for p in thing.properties for kind in p.kinds}
        if place is not None and {TEMPERATURE, HUMIDITY} <= kinds.keys():
            return place.name, kinds[TEMPERATURE], kinds[HUMIDITY]
    raise AssertionError("no room is measured")


@pytest.mark.parametrize(
    "text",
    [
        "What's the temperature and the humidity in the {room}?",
        "How warm and how humid is it in the {room}?",
        "Tell me the temperature and humidity in the {room}",
        "temperature and humidity in the {room}, please",
        "Please, the {room} temperature and humidity",
        "could I have the temperature and the humidity in the {room}",
        "I'd like the humidity and the temperature in the {room}, thanks",
    ],
)
def test_of_a_room_both_are_told(home: Named, text: str) -> None:
    room, temperature, humidity = _measured_room(home)
    told = _answered(home, text.format(room=room), **{temperature: 21.5, humidity: 47})
    assert "21.5" in told
    assert "47" in told


@pytest.mark.parametrize("text", ["{room} temperature please", "may I have the temperature in the {room}, please?"])
def test_one_property_with_courtesy_is_no_order(home: Named, text: str) -> None:
    room, temperature, _ = _measured_room(home)
    assert "21.5" in _answered(home, text.format(room=room), **{temperature: 21.5})


def test_two_averages_are_both_told(home: Named) -> None:
    readings = [
        (kind, p.iri)
        for thing in home.engine.registry.things.values()
        for p in thing.properties
        for kind in (TEMPERATURE, HUMIDITY)
        if kind in p.kinds
    ]
    values = {iri: 19.5 if kind == TEMPERATURE else 43 for kind, iri in readings}
    told = _answered(home, "What's the average temperature and humidity?", **values)
    assert "temperature 19.5" in told
    assert "humidity 43" in told


@pytest.mark.parametrize("text", ["make the {room} warmer", "heat up the {room}", "the {room} cooler, please"])
def test_a_room_that_nothing_heats_has_no_other_light_for_it(home: Named, text: str) -> None:
    home.begin()
    colours = [expand("hg:ColourTemperature"), expand("hg:TargetTemperature")]
    of_room: dict[str, set[str]] = {}
    for thing in home.engine.registry.things.values():
        if thing.place is not None:
            of_room.setdefault(thing.place, set()).update(kind for p in thing.properties for kind in p.kinds)
    lit = [place for place, kinds in of_room.items() if colours[0] in kinds and colours[1] not in kinds]
    assert lit
    for place in lit:
        _, changed = home.changed(text.format(room=home.engine.registry.places[place].name))
        known = home.engine.registry.properties
        assert not [iri for iri in changed if colours[0] in known[iri].kinds]


@pytest.mark.parametrize("text", ["{room} lamp off", "{room} light off", "switch the {room} light off"])
def test_the_light_of_a_room_that_is_not_here_is_no_other(home: Named, text: str) -> None:
    home.begin()
    places = home.engine.registry.places.values()
    words = {word for place in places for name in (place.name, *place.aliases) for word in name.lower().split()}
    room = next(one for one in ("nursery", "sauna", "cellar") if one not in words)
    for place in places:
        outcome, changed = home.changed(text.format(room=room), location=place.iri)
        assert not changed, (place.name, outcome.reply)


@pytest.mark.parametrize(
    "text",
    ["the {lock}'s defence mode on", "defence mode of the {lock} on", "set the {lock}'s defence mode to on"],
)
def test_on_of_a_switch_is_its_own(home: Named, text: str) -> None:
    home.begin()
    defence = home.of(LOCKS[home.name], "DefenceMode")
    home.engine.state.write({defence: False})
    outcome, changed = home.changed(text.format(lock=LOCKS[home.name]))
    assert outcome.status is Status.DONE, outcome.reply
    assert changed == {defence: True}


@pytest.mark.parametrize(
    "text",
    [
        "turn the volume on",
        "turn the sound on",
        "child lock of the {oven} on",
        "turn on the {oven}'s glumf",
        "turn on the glumf of the {oven}",
        "the {oven}'s glumf on",
    ],
)
def test_nothing_else_is_put_on_for_a_property_that_is_named(home: Named, text: str) -> None:
    home.begin()
    outcome, changed = home.changed(text.format(oven=OVENS[home.name]))
    assert not changed, outcome.reply


@pytest.mark.parametrize(
    "text",
    [
        "the first of those two, back on",
        "First of them two, back on.",
        "first one back on",
        "The first one of those, put it on again",
        "I'd like the first of those two on again, after all.",
    ],
)
def test_the_first_of_two_is_named_in_many_ways(home: Named, text: str) -> None:
    home.begin()
    first, second = TWO[home.name]
    powers = [home.of(first, "Power"), home.of(second, "Power")]
    home.engine.state.write(dict.fromkeys(powers, "on"))
    outcome, changed = home.changed(f"Turn off the {first} and the {second}.", conversation=text)
    assert changed == dict.fromkeys(powers, "off"), outcome.reply
    outcome, changed = home.changed(text, conversation=text)
    assert changed == {powers[0]: "on"}, outcome.reply


@pytest.mark.parametrize(
    "text",
    [
        "How much warmer is the {one} than the {other}?",
        "Compared to the {other}, how much warmer is the {one}?",
        "In comparison with the {other}, how much warmer is the {one}?",
        "how many degrees warmer is the {one}, relative to the {other}?",
    ],
)
def test_what_it_is_compared_to_may_come_first(home: Named, text: str) -> None:
    registry = home.engine.registry
    measured = {
        registry.places[thing.place].name: p.iri
        for thing in registry.things.values()
        for p in thing.properties
        if thing.place in registry.places and TEMPERATURE in p.kinds
    }
    (one, warm), (other, cool), *_ = measured.items()
    told = _answered(home, text.format(one=one, other=other), **{warm: 24.0, cool: 21.5})
    assert told.startswith("2.5 "), told


def test_where_a_measure_is_highest_is_a_room(home: Named) -> None:
    home.begin()
    room, _, humidity = _measured_room(home)
    home.engine.state.write({humidity: 99})
    for text in ("where's the humidity highest in the whole home?", "where is the humidity highest?"):
        outcome = home.ask(text)
        assert outcome.answer is not None
        assert outcome.reply is not None
        assert outcome.reply.lower().startswith(room.lower()), outcome.reply


def test_let_be_is_left_alone(home: Named) -> None:
    home.begin()
    first, second = TWO[home.name]
    powers = [home.of(first, "Power"), home.of(second, "Power")]
    home.engine.state.write(dict.fromkeys(powers, "on"))
    outcome, changed = home.changed(f"turn off the {first} but let the {second} be")
    assert changed == {powers[0]: "off"}, outcome.reply
