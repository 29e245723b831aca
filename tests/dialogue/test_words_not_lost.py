"""Words that are easily lost: what is left out, so much more or less, how those are that are meant, the one of several,
and that somebody asks. Each in four homes, whose lamps are set to what a test needs."""

from __future__ import annotations

from statistics import mean

import pytest

from engine.model.outcome import Status
from tests.dialogue.test_left_out_by_state import Lamps

HARMLESS = (Status.PROPOSED, Status.CLARIFY, Status.REFUSED, Status.ANSWERED)


def room_of(lamps: Lamps, lamp: str) -> str:
    registry = lamps.talk.engine.registry
    place = registry.thing_of[lamp].place
    assert place is not None
    return registry.places[place].name


def among(lamps: Lamps, room: str) -> set[str]:
    return {lamp for lamp in lamps.of if room_of(lamps, lamp) == room}


def rooms(lamps: Lamps) -> list[str]:
    """The rooms with lamps of which one is named alone."""
    return sorted({room_of(lamps, lamp) for lamp in lamps.of})


@pytest.mark.parametrize(
    "text",
    [
        "everywhere but the {room}, lights at 40",
        "all lights to 40, the {room} is out of scope",
        "Leave the {room} alone, all the other lights go to 40",
        "all lights to 40, only not those in the {room}",
    ],
)
def test_a_room_that_is_left_out_stays_as_it_is(lamps: Lamps, text: str) -> None:
    room = rooms(lamps)[0]
    levels = lamps.begin()
    outcome = lamps.ask(text.format(room=room))
    assert outcome.status in (Status.DONE, Status.PROPOSED)
    kept, now = among(lamps, room), lamps.levels()
    assert all(now[lamp] == levels[lamp] for lamp in kept)
    if outcome.status is Status.DONE:
        assert all(now[lamp] == 40 for lamp in lamps.of.keys() - kept)


@pytest.mark.parametrize(
    "text", ["turn all the lights on, leave out the {room}", "lights on, but leave out the {room}"]
)
def test_whoever_leaves_something_out_switches_nothing_off(lamps: Lamps, text: str) -> None:
    lamps.begin()
    on = lamps.on()
    lamps.ask(text.format(room=rooms(lamps)[0]))
    assert lamps.on() == on


@pytest.mark.parametrize(
    ("text", "by"),
    [
        ("all lights minus 5 percent", -5),
        ("all the lights: 5 percent brighter", 5),
        ("the lights, 10 percent dimmer please", -10),
        ("5 percent less light from all the lights", -5),
    ],
)
def test_so_much_more_is_not_so_much(lamps: Lamps, text: str, by: int) -> None:
    levels = lamps.begin()
    outcome = lamps.ask(text)
    changed = {lamp: level for lamp, level in lamps.levels().items() if level != levels[lamp]}
    assert all(level == levels[lamp] + by for lamp, level in changed.items())
    assert outcome.status in (Status.DONE, *HARMLESS)


@pytest.mark.parametrize(
    "text",
    [
        "Power to all lights that are off",
        "turn off every burning light brighter than 99",
        "of all the lights, the one at the very bottom should be at 97",
        "switch off any light standing at over 99 percent",
    ],
)
def test_those_that_are_so_are_not_all(lamps: Lamps, text: str) -> None:
    levels = lamps.begin()
    on = lamps.on()
    lamps.ask(text)
    assert lamps.on() == on
    assert sum(level != levels[lamp] for lamp, level in lamps.levels().items()) <= 1


def test_those_that_are_not_so_are_counted(lamps: Lamps) -> None:
    lamps.begin(on=False)
    lamps.switch(set(sorted(lamps.of)[:1]))
    off = lamps.ask("How many lights are off?").answer
    for text in ("How many lights aren't on, please?", "How many lights are off, if I may ask?"):
        answer = lamps.ask(text).answer
        assert answer is not None
        assert off is not None
        assert answer.value == off.value


def test_a_mean_may_be_asked_for_first(lamps: Lamps) -> None:
    levels = lamps.begin()
    answer = lamps.ask("On average, how bright are all our lights?").answer
    assert answer is not None
    assert lamps.others or answer.value == pytest.approx(mean(levels.values()), abs=0.01)


@pytest.mark.parametrize("text", ["Tell me which light is the least bright.", "Tell me which light is the most dim."])
def test_whoever_wants_to_be_told_orders_nothing(lamps: Lamps, text: str) -> None:
    before = dict(lamps.begin())
    on = lamps.on()
    lamps.ask(text)
    assert (lamps.levels(), lamps.on()) == (before, on)


@pytest.mark.parametrize("text", ["What brightness is the {lamp} in the {room} on?"])
def test_an_on_at_the_end_of_a_question_is_no_state(lamps: Lamps, text: str) -> None:
    levels = lamps.begin()
    parts = lamps.talk.engine.registry.parts
    lamp = min(lamps.of, key=lambda one: (len(parts[one].title), one))
    answer = lamps.ask(text.format(lamp=parts[lamp].title, room=room_of(lamps, lamp))).answer
    assert answer is not None
    assert answer.value == levels[lamp]


@pytest.mark.parametrize(
    "text", ["Before I go to bed, how many lights are on?", "Before I go, how many lights are on?"]
)
def test_what_comes_after_a_question_does_not_bar_it(lamps: Lamps, text: str) -> None:
    lamps.begin()
    plain, answer = lamps.ask("How many lights are on?").answer, lamps.ask(text).answer
    assert plain is not None
    assert answer is not None
    assert answer.value == plain.value


@pytest.mark.parametrize(
    "text",
    [
        "The {room} lights remain as they are. All other lights, 41 percent.",
        "All the lights to 41 percent, only not in the {room}.",
        "All the lights to 41 percent, though not in the {room}.",
    ],
)
def test_the_lights_of_a_room_remain_and_all_others_do_not(lamps: Lamps, text: str) -> None:
    levels = lamps.begin()
    room = rooms(lamps)[0]
    outcome = lamps.ask(text.format(room=room))
    kept, now = among(lamps, room), lamps.levels()
    assert all(now[lamp] == levels[lamp] for lamp in kept)
    assert outcome.status in (Status.DONE, Status.PROPOSED)


def test_a_comparison_with_which_are_not_is_no_question(lamps: Lamps) -> None:
    levels = lamps.begin(on=False)
    lamps.switch(set(sorted(lamps.of)[:1]))
    outcome = lamps.ask("Turn on all lights which aren't on.")
    assert outcome.status in (Status.DONE, Status.PROPOSED)
    assert lamps.levels() == levels


@pytest.mark.parametrize(
    "text",
    [
        "I'll set the {lamp} in the {room} to 41 percent myself later",
        "ill put the {lamp} in the {room} to 41 percent myself",
        "I've already put the {lamp} in the {room} on 41 percent",
        "i already set the {lamp} in the {room} to 41 percent with the button",
        "we will set the {lamp} in the {room} to 41 percent",
        "She left the {lamp} in the {room} off",
    ],
)
def test_whoever_does_it_themselves_orders_nothing(lamps: Lamps, text: str) -> None:
    before = dict(lamps.begin())
    on = lamps.on()
    lamp = min(lamps.of, key=lambda one: (len(lamps.talk.engine.registry.parts[one].title), one))
    lamps.ask(text.format(lamp=lamps.talk.engine.registry.parts[lamp].title, room=room_of(lamps, lamp)))
    assert (lamps.levels(), lamps.on()) == (before, on)


def test_a_level_that_is_not_needed_is_not_set(lamps: Lamps) -> None:
    levels = lamps.begin()
    lamp = min(lamps.of, key=lambda one: (len(lamps.talk.engine.registry.parts[one].title), one))
    name, room = lamps.talk.engine.registry.parts[lamp].title, room_of(lamps, lamp)
    lamps.ask(f"There's no need for the {name} in the {room} to be on 41 percent at the moment.")
    assert lamps.levels() == levels


@pytest.mark.parametrize(
    "text",
    [
        "I'm cooking, so set the {lamp} in the {room} to 41 percent",
        "I'll have the {lamp} in the {room} at 41 percent, please",
        "I left the {lamp} in the {room} too bright. Set it to 41 percent.",
        "I said set the {lamp} in the {room} to 41 percent",
    ],
)
def test_who_speaks_of_themselves_may_order_besides(lamps: Lamps, text: str) -> None:
    lamps.begin()
    lamp = min(lamps.of, key=lambda one: (len(lamps.talk.engine.registry.parts[one].title), one))
    outcome = lamps.ask(text.format(lamp=lamps.talk.engine.registry.parts[lamp].title, room=room_of(lamps, lamp)))
    assert outcome.status is not Status.DONE or lamps.levels()[lamp] == 41
    assert outcome.status in (Status.DONE, Status.PROPOSED)


@pytest.mark.parametrize(
    "text",
    [
        "The {lamp} in the {room} has 10 percent too much brightness; please subtract that.",
        "The {lamp} in the {room} is 10 percent too bright.",
    ],
)
def test_how_much_too_much_is_no_level(lamps: Lamps, text: str) -> None:
    levels = lamps.begin()
    lamp = min(lamps.of, key=lambda one: (len(lamps.talk.engine.registry.parts[one].title), one))
    lamps.ask(text.format(lamp=lamps.talk.engine.registry.parts[lamp].title, room=room_of(lamps, lamp)))
    now = lamps.levels()[lamp]
    assert now == levels[lamp] - 10 or (now != 10 and now <= levels[lamp])


def test_bring_is_no_doing(lamps: Lamps) -> None:
    lamps.begin()
    outcome = lamps.ask("bring all the lights that are on up to 97 percent")
    assert outcome.status is Status.DONE
    assert set(lamps.levels().values()) == {97}


@pytest.mark.parametrize(
    ("text", "level"),
    [
        ("The lights, I want every one of them at 41 percent", 41),
        ("Any light not off should be at 41 percent", 41),
        ("All the lights that are on, dim to 7 percent", 7),
    ],
)
def test_all_that_are_meant_are_set(lamps: Lamps, text: str, level: int) -> None:
    lamps.begin()
    outcome = lamps.ask(text)
    assert outcome.status in (Status.DONE, Status.PROPOSED)
    if outcome.status is Status.DONE:
        assert set(lamps.levels().values()) == {level}
