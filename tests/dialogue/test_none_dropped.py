"""Nothing that is said is dropped: an order beside others, a degree, "only", a place that is none here; and who says
that there is something orders nothing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.dialogue.assistant import Consent
from engine.graph.terms import expand
from engine.model.outcome import Status
from tests.dialogue.talks import Talk
from tests.dialogue.test_left_out_by_state import Lamps
from tests.homes import a_home

HERE = Path(__file__).resolve().parents[2]
LOCKED, DEFENCE, MODE = expand("hg:Locked"), expand("hg:DefenceMode"), expand("hg:AcMode")
WITH_DEFENCE = {
    "summit": HERE / "tests/acceptance/parts/two/homes/summit.json",
    "tide": HERE / "tests/acceptance/parts/two/homes/tide.json",
}


def _lamp_names(lamps: Lamps) -> list[tuple[str, str]]:
    """The lamps whose names say their class, with their names, which nothing else has."""
    registry = lamps.talk.engine.registry
    titles = [registry.thing_of[lamp].title for lamp in lamps.of]
    return [
        (lamp, registry.thing_of[lamp].title) for lamp in lamps.of if titles.count(registry.thing_of[lamp].title) == 1
    ]


@pytest.mark.parametrize("form", ["only the {} should be on", "keep just the {} on", "leave only the {} on"])
def test_only_one_stays_on(lamps: Lamps, form: str) -> None:
    done = 0
    for lamp, name in _lamp_names(lamps)[:6]:
        lamps.begin()
        outcome = lamps.talk.engine.ask(form.format(name), consent=Consent.ALL)
        if outcome.status is Status.DONE:
            done += 1
            assert lamps.on() == {lamp}, outcome.reply
        else:
            assert not outcome.changes, outcome.reply
    assert done >= 2


def test_one_is_turned_on_beside_others(lamps: Lamps) -> None:
    (first, name), (second, _), *_ = _lamp_names(lamps)
    lamps.begin(on=False)
    lamps.switch({second})
    lamps.talk.engine.ask(f"turn on only the {name}", consent=Consent.ALL)
    assert lamps.on() == {first, second}


@pytest.mark.parametrize(
    "text",
    ["there are no lights on in here", "there's a light on somewhere", "there are lights on", "there is no light on"],
)
def test_that_there_is_something_is_no_order(lamps: Lamps, text: str) -> None:
    lamps.begin()
    before = lamps.on()
    lamps.ask(text)
    assert lamps.on() >= before  # some are perhaps put on for who sits in the dark, none is put out


@pytest.mark.parametrize("text", ["there should be no lights on", "no more lights", "no more lights on please"])
def test_none_is_to_be_on(lamps: Lamps, text: str) -> None:
    lamps.begin()
    lamps.talk.engine.ask(text, consent=Consent.ALL)
    assert lamps.on() == set()


@pytest.mark.parametrize("form", ["turn off every one of the lights", "turn off every single one of the lights"])
def test_every_one_is_all(lamps: Lamps, form: str) -> None:
    lamps.begin()
    lamps.talk.engine.ask(form, consent=Consent.ALL)
    assert lamps.on() == set()


@pytest.mark.parametrize("form", ["turn off all but the {}", "turn off all lights but the {}"])
def test_all_but_one_are_of_its_kind(lamps: Lamps, form: str) -> None:
    done = 0
    registry = lamps.talk.engine.registry
    simple = [one for one in _lamp_names(lamps) if len(registry.thing_of[one[0]].parts) == 1]
    for lamp, name in [one for one in simple if one[1].split()[-1] == "light"][:4]:
        lamps.begin()
        outcome = lamps.talk.engine.ask(form.format(name), consent=Consent.ALL)
        if outcome.status is Status.DONE:
            done += 1
            assert lamps.on() == {lamp}, outcome.reply
            vocabulary = lamps.talk.engine.registry.vocabulary
            for change in outcome.changes:
                part = lamps.talk.engine.registry.parts[lamps.talk.engine.registry.properties[change.property].part]
                assert any(vocabulary.is_a(own, expand("hg:Light")) for own in part.every_class), outcome.reply
    assert done


def test_a_room_that_is_none_here(lamps: Lamps) -> None:
    lamps.begin(on=False)
    outcome = lamps.ask("I want that the conservatory light be on")
    assert not outcome.changes, outcome.reply
    assert outcome.status is Status.REFUSED


def test_a_crack_is_a_little(house: Talk) -> None:
    house.ask("close the study blinds")
    assert house.ask("open the study blinds a crack").status is Status.DONE
    assert 0 < house["study-blinds#position"] < 50


@pytest.fixture(scope="module", params=WITH_DEFENCE)
def door(request: pytest.FixtureRequest) -> Iterator[Talk]:
    with a_home(WITH_DEFENCE[request.param]) as engine:
        yield Talk(engine, "")


def _kinds(talk: Talk, *wanted: str) -> dict[str, str]:
    """The properties of the first thing that has all of these kinds."""
    for thing in talk.engine.registry.things.values():
        found = {k: p.iri for p in thing.properties for k in p.kinds if k in wanted}
        if len(found) == len(wanted):
            return found
    raise AssertionError("no such thing")


@pytest.mark.parametrize(
    "text",
    [
        "lock the {} and see that its defence mode is armed",
        "I request that the {} be locked and that its defence mode be engaged",
        "the {} lock that and put its defence mode on",
        "lock the {}, and turn on its defence mode",
        "arm the {} and lock it",
    ],
)
def test_neither_of_two_orders_is_dropped(door: Talk, text: str) -> None:
    door.begin()
    of = _kinds(door, LOCKED, DEFENCE)
    thing = door.engine.registry.thing_of[of[LOCKED]]
    state = door.engine.state
    options = door.engine.registry.properties[of[LOCKED]].schema.enum
    state.write({of[LOCKED]: "unlocked" if options else False, of[DEFENCE]: False})
    before = state.get(of[LOCKED])
    outcome = door.engine.ask(text.format(thing.title), consent=True)
    both = state.get(of[LOCKED]) != before and state.get(of[DEFENCE]) is True
    assert both or not (outcome.status is Status.DONE and outcome.changes), outcome.reply
