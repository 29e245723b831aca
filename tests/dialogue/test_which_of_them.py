"""Which is meant: a number that is only corrected, the ordinary one of several, the room where something is highest, a
room that is cooled by what was just put on, rooms by what a sensor sees. Each in several homes."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from engine.dialogue.assistant import Consent
from engine.graph.terms import expand
from engine.model.outcome import Status
from engine.model.thing import Thing
from tests.dialogue.talks import FOUR_HOMES, Talk
from tests.homes import a_home

VOLUME, MODE, POWER, HUMIDITY, WASHING = (
    expand(f"hg:{name}") for name in ("Volume", "AcMode", "Power", "Humidity", "WashingState")
)


@pytest.fixture(scope="module", params=FOUR_HOMES)
def home(request: pytest.FixtureRequest) -> Iterator[Talk]:
    with a_home(FOUR_HOMES[request.param]) as engine:
        yield Talk(engine, "")


def _with(talk: Talk, *kinds: str) -> list[tuple[Thing, dict[str, str]]]:
    """The things that have all of these kinds of property, with those."""
    found = []
    for thing in talk.engine.registry.things.values():
        own = {k: p.iri for p in thing.properties for k in p.kinds if k in kinds}
        if len(own) == len(kinds):
            found.append((thing, own))
    return found


def _room(talk: Talk, thing: Thing) -> str:
    return talk.engine.registry.places[thing.place or ""].name


@pytest.mark.parametrize(
    "text",
    [
        "Fifteen. Didn't say fifty.",
        "not 50, 15",
        "Fifty? Did I mumble? It was fifteen I asked for!",
        "Goodness, no, they will all wake up, it was fifteen I told you and not fifty.",
    ],
)
def test_a_number_is_corrected(home: Talk, text: str) -> None:
    home.begin()
    speaker, own = _with(home, VOLUME)[0]
    talk = f"urn:test:{text}"
    said = f"set the volume of the {speaker.title} in the {_room(home, speaker)} to 50"
    assert home.ask(said, conversation=talk).status is Status.DONE
    before = {k: v for k, v in home.engine.state.items() if k != own[VOLUME]}
    home.ask(text, conversation=talk)
    assert home.engine.state[own[VOLUME]] == 15
    assert {k: v for k, v in home.engine.state.items() if k != own[VOLUME]} == before


@pytest.mark.parametrize("text", ["is it 50 or 15?", "what is 50 and 15 and 70"])
def test_other_numbers_correct_nothing(home: Talk, text: str) -> None:
    home.begin()
    speaker, own = _with(home, VOLUME)[0]
    talk = f"urn:test:{text}"
    home.ask(f"set the volume of the {speaker.title} in the {_room(home, speaker)} to 50", conversation=talk)
    home.ask(text, conversation=talk)
    assert home.engine.state[own[VOLUME]] == 50


@pytest.mark.parametrize(
    "text",
    [
        "which room has the highest humidity?",
        "what room has the highest humidity",
        "where is the humidity highest?",
        "which room has the maximum humidity",
        "which room is the most humid?",
    ],
)
def test_where_something_is_highest(home: Talk, text: str) -> None:
    home.begin()
    sensors = [(t, own) for t, own in _with(home, HUMIDITY) if t.place in home.engine.registry.places]
    home.engine.state.write({own[HUMIDITY]: 40 + number for number, (_, own) in enumerate(sensors)})
    outcome = home.ask(text)
    assert outcome.status is Status.ANSWERED, outcome.reply
    assert outcome.reply.startswith(_room(home, sensors[-1][0])), outcome.reply


@pytest.mark.parametrize(("first", "then"), [("cool", "heat"), ("heat", "cool")])
@pytest.mark.parametrize(
    "form", ["no, {then}, not {first}", "wait, not {first}ing, I want {then}", "{then}ing, not {first}ing"]
)
def test_the_room_is_cooled_by_what_was_put_on(home: Talk, first: str, then: str, form: str) -> None:
    tried = 0
    for thing, own in _with(home, MODE, POWER):
        options = home.engine.registry.properties[own[MODE]].schema.enum
        if not {"cool", "heat"} <= set(options) or tried > 1:
            continue
        tried += 1
        home.begin()
        home.engine.state.write({own[MODE]: then, own[POWER]: "off"})
        talk = f"urn:test:{thing.iri}:{form}:{first}"
        outcome = home.ask(
            f"turn on the {thing.title} in the {_room(home, thing)} and {first} the room", conversation=talk
        )
        assert home.engine.state[own[MODE]] == first, outcome.reply
        assert home.engine.state[own[POWER]] == "on", outcome.reply
        outcome = home.ask(form.format(first=first, then=then), conversation=talk, consent=Consent.ALL)
        assert home.engine.state[own[MODE]] == then, outcome.reply


@pytest.fixture(scope="module")
def laundry() -> Iterator[Talk]:
    with a_home(FOUR_HOMES["iowa"]) as engine:
        yield Talk(engine, "")


@pytest.mark.parametrize(
    "text",
    [
        "stop the ordinary washer",
        "stop the normal washing machine",
        "stop the regular washer, leave the rag one alone",
        "stop the ordinary washer, leave the rag washer be",
        "stop the washer but not the rag one",
    ],
)
def test_the_ordinary_one(laundry: Talk, text: str) -> None:
    laundry.begin()
    washers = {thing.title: own[WASHING] for thing, own in _with(laundry, WASHING) if "washer" in thing.title}
    laundry.engine.state.write(dict.fromkeys(washers.values(), "washing"))
    laundry.ask(text)
    assert laundry.engine.state[washers["rag washer"]] == "washing"
    assert laundry.engine.state[washers["washer"]] != "washing"
