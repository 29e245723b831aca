"""States that words deny: nothing comes to be so, and those of which none is to be on go off. Each in four homes."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from engine.dialogue.assistant import Consent
from engine.model.outcome import Status
from tests.dialogue.test_left_out_by_state import Lamps


@pytest.mark.parametrize(
    "text",
    [
        "no light should be on",
        "no lamp stays on",
        "none of the lights should stay on",
        "not one light should be left on",
        "no light is to be left burning",
        "all lights out please, no one should stay on",
        "all the lights shouldn't be on",
        "the lights mustn't be on",
        "the lights needn't be on",
        "the lights can't stay on",
    ],
)
def test_none_that_is_to_be_on_stays_on(lamps: Lamps, text: str) -> None:
    lamps.begin()
    assert lamps.ask(text).status is Status.DONE
    assert not lamps.on()


@pytest.mark.parametrize(
    "text",
    [
        "the lights aren't on",
        "the lights are not on",
        "the lights aren't to be on",
        "the lights shouldn't be on",
        "the lights don't have to be on",
        "the lights must not be lit",
        "none should be on",
        "no one should stay on",
        "nothing should stay on",
        "lights off everywhere, none may stay on",
        "rooms with nobody in them shouldn't be lit",
        "all the lights can stop shining",
    ],
)
def test_a_denied_state_is_not_brought_about(lamps: Lamps, text: str) -> None:
    assert not lamps.on_after(text)


@pytest.mark.parametrize("text", ["the lights shouldn't be off", "the lights aren't off", "no light should be off"])
def test_lights_that_are_not_to_be_off_stay_on(lamps: Lamps, text: str) -> None:
    lamps.begin()
    lamps.talk.engine.ask(text, consent=Consent.ALL)
    assert lamps.on() == set(lamps.of)


@pytest.mark.parametrize("text", ["the lights shouldn't be at 80 percent", "the lights aren't at 80 percent"])
def test_a_denied_number_is_not_set(lamps: Lamps, text: str) -> None:
    before = lamps.begin()
    lamps.talk.engine.ask(text, consent=Consent.ALL)
    assert lamps.levels() == before


@pytest.mark.parametrize("text", ["turn on the lights that aren't on", "the lights that are not on should be on"])
def test_those_told_by_a_denied_state_are_meant(lamps: Lamps, text: str) -> None:
    lamps.begin()
    lamps.switch(set(sorted(lamps.of)[:2]))
    assert lamps.ask(text).status is Status.DONE
    assert lamps.on() == set(lamps.of)


@pytest.mark.parametrize(
    "text",
    [
        "any light switched on but under 60 percent, put it at 60",
        "all lights switched on and below 60 percent go to 60",
        "lights that are on but below 60 percent go to 60",
    ],
)
def test_a_participle_before_a_comparison_tells_which(lamps: Lamps, text: str) -> None:
    before = lamps.begin()
    on = set(sorted(lamps.of)[::2])
    lamps.switch(on)
    assert lamps.ask(text).status is Status.DONE
    assert lamps.on() == on
    assert lamps.levels() == {lamp: max(60, level) if lamp in on else level for lamp, level in before.items()}


@pytest.mark.parametrize("text", ["run all the lights at 70 percent", "have every light run at 70 percent"])
def test_to_run_at_a_number_puts_on_those_that_are_off(lamps: Lamps, text: str) -> None:
    lamps.begin(on=False)
    assert lamps.ask(text).status is Status.DONE
    assert lamps.on() == set(lamps.of)
    assert set(lamps.levels().values()) == {70}


@pytest.mark.parametrize("text", ["all lights to a brighter 70 percent", "give all the lights a dimmer 70 percent"])
def test_what_describes_a_number_changes_nothing_by_it(lamps: Lamps, text: str) -> None:
    lamps.begin()
    assert lamps.ask(text).status is Status.DONE
    assert set(lamps.levels().values()) == {70}


@pytest.mark.parametrize(
    "text",
    [
        "I left all the lights on",
        "somebody left the lights on",
        "my wife has the lights on",
        "the kids have left all the lights on",
        "we had the lights on",
        "I think I left the lights on",
        "everybody has the lights on",
    ],
)
def test_that_somebody_has_or_left_something_so_is_no_order(lamps: Lamps, text: str) -> None:
    assert not lamps.on_after(text)


@pytest.mark.parametrize(
    "text", ["turn off the lights we left on", "turn off the lights that I've left on", "the lights we've got on, off"]
)
def test_those_that_somebody_left_so_are_meant(lamps: Lamps, text: str) -> None:
    lamps.begin()
    lamps.switch(set(sorted(lamps.of)[::2]))
    assert lamps.ask(text).status is Status.DONE
    assert not lamps.on()


@pytest.mark.parametrize("text", ["have all the lights on", "we want all the lights on", "please keep the lights on"])
def test_to_have_them_so_is_an_order(lamps: Lamps, text: str) -> None:
    lamps.begin(on=False)
    assert lamps.ask(text).status is Status.DONE
    assert lamps.on() == set(lamps.of)


@pytest.mark.parametrize("text", ["the lights don't go on", "the lights haven't been on"])
def test_a_refusal_quotes_nothing_where_there_are_no_words(lamps: Lamps, text: str) -> None:
    lamps.begin()
    assert "“”" not in lamps.ask(text).reply


@pytest.mark.parametrize(
    ("text", "off"),
    [
        ("turn off the lights at 65 percent or more", lambda level: level >= 65),
        ("lights at 65 or over, put them out", lambda level: level >= 65),
        ("any light at 65 percent or above, put it out", lambda level: level >= 65),
        ("lights at 45 percent or less, turn them off", lambda level: level <= 45),
        ("the lights that are on at 65 or higher can go out", lambda level: level >= 65),
    ],
)
def test_a_number_with_a_bound_behind_it_tells_which(lamps: Lamps, text: str, off: Callable[[int], bool]) -> None:
    before = lamps.begin()
    assert lamps.ask(text).status is Status.DONE
    assert lamps.on() == {lamp for lamp, level in before.items() if not off(level)}
    assert lamps.levels() == before
