"""Several classes of which one thing is said are one set, "between" is a range, and a ranking goes by what is set, on
or off, unless those that are on are meant. Each in four homes, whose things are set to what a test needs."""

from __future__ import annotations

import pytest

from engine.graph.terms import expand
from engine.model.outcome import Status
from tests.dialogue.test_left_out_by_state import Lamps
from tests.dialogue.test_words_not_lost import among, rooms

VOLUME = expand("hg:Volume")
CLASSES = {
    "speaker": expand("hg:Speaker"),
    "television": expand("hg:Television"),
    "smart screen": expand("hg:SmartScreen"),
    "radio": expand("hg:Radio"),
}


class Players:
    """The media players of a home that have a volume in percent, by class."""

    def __init__(self, lamps: Lamps) -> None:
        self.talk, engine = lamps.talk, lamps.talk.engine
        self.of: dict[str, dict[str, str]] = {}
        is_a = engine.registry.vocabulary.is_a
        for name, cls in CLASSES.items():
            for iri, part in engine.registry.parts.items():
                if any(is_a(own, cls) for own in part.every_class):
                    volumes = [p.iri for p in engine.registry.thing_of[iri].of_part(iri) if VOLUME in p.kinds]
                    if volumes and engine.registry.properties[volumes[0]].schema.maximum == 100:
                        self.of.setdefault(name, {})[iri] = volumes[0]

    def begin(self) -> dict[str, int]:
        """Everything as in the file, but each player with another volume: the levels."""
        self.talk.begin()
        volumes = [volume for parts in self.of.values() for volume in parts.values()]
        levels = {volume: 25 + 7 * number for number, volume in enumerate(dict.fromkeys(volumes))}
        self.talk.engine.state.write(dict(levels))
        return levels

    def now(self, levels: dict[str, int]) -> dict[str, int]:
        return {volume: int(self.talk.engine.state[volume]) for volume in levels}  # type: ignore[call-overload]


@pytest.mark.parametrize(
    "text",
    [
        "set the loudest {one} or {other} to 12",
        "the loudest thing here, {one} or {other}, to volume 12",
        "whichever {one} or {other} is loudest, put it at 12",
        "Which {one} or {other} is the loudest? Set that one to 12.",
    ],
)
def test_the_loudest_of_two_classes_is_one_of_all(lamps: Lamps, text: str) -> None:
    players = Players(lamps)
    if len(players.of) < 2:
        pytest.skip("players of one class only")
    one, other = sorted(players.of)[:2]
    levels = players.begin()
    loudest = max((v for name in (one, other) for v in players.of[name].values()), key=lambda v: levels[v])
    outcome = players.talk.ask(text.format(one=one, other=other))
    now = players.now(levels)
    if outcome.status is Status.DONE:
        assert {v for v in levels if now[v] != levels[v]} == {loudest}
        assert now[loudest] == 12
    else:
        assert outcome.status in (Status.PROPOSED, Status.CLARIFY, Status.REFUSED)
        assert now == levels


@pytest.mark.parametrize(
    "text",
    [
        "turn off the lamps between 30 and 70 percent",
        "lights that are between 30 and 70 percent off, please",
        "All lights between 30 and 70 percent are to be turned off.",
    ],
)
def test_between_is_more_than_one_and_less_than_another(lamps: Lamps, text: str) -> None:
    levels = lamps.begin()
    on = lamps.on()
    within = {lamp for lamp, have in levels.items() if 30 < have < 70}
    outcome = lamps.ask(text)
    assert outcome.status in (Status.DONE, Status.PROPOSED)
    assert lamps.on() == (on - within if outcome.status is Status.DONE else on)


@pytest.mark.parametrize("text", ["set the dimmest light to 61", "the light with the lowest brightness to 61"])
def test_a_ranking_goes_by_what_is_set_on_or_off(lamps: Lamps, text: str) -> None:
    levels = lamps.begin()
    lowest = min(levels, key=lambda lamp: levels[lamp])
    lamps.switch(set(levels) - {lowest})
    outcome = lamps.ask(text)
    changed = {lamp for lamp, have in lamps.levels().items() if have != levels[lamp]}
    assert outcome.status in (Status.DONE, Status.PROPOSED)
    if lamps.others:
        assert changed == set()  # those that begin at 0 are lower
    else:
        assert changed == ({lowest} if outcome.status is Status.DONE else set())


@pytest.mark.parametrize(
    "text", ["whichever light is set lowest, that one should go to 61", "the light that is set lowest, to 61"]
)
def test_the_one_that_is_set_lowest_is_not_all_of_them(lamps: Lamps, text: str) -> None:
    levels = lamps.begin()
    lowest = min(levels, key=lambda lamp: levels[lamp])
    lamps.ask(text)
    assert {lamp for lamp, have in lamps.levels().items() if have != levels[lamp]} <= {lowest}


@pytest.mark.parametrize("text", ["open the {lamp} to 30 percent", "Could you open the {lamp} to 30 percent for me?"])
def test_a_lamp_that_is_to_be_opened_stays_as_it_is(lamps: Lamps, text: str) -> None:
    levels = lamps.begin()
    lamp = sorted(lamps.of)[0]
    outcome = lamps.ask(text.format(lamp=lamps.talk.engine.registry.thing_of[lamp].title))
    assert outcome.status is not Status.DONE
    assert lamps.levels() == levels


@pytest.mark.parametrize("text", ["the {lamp}: +4%", "{lamp} +4% brightness", "+4 on the {lamp}"])
def test_a_plus_before_a_number_is_a_step(lamps: Lamps, text: str) -> None:
    levels = lamps.begin()
    lamp = sorted(lamps.of)[0]
    outcome = lamps.ask(text.format(lamp=lamps.talk.engine.registry.thing_of[lamp].title))
    by = 4 if outcome.status is Status.DONE else 0
    assert lamps.levels()[lamp] == levels[lamp] + by


@pytest.mark.parametrize(
    "text", ["lights over 30 percent, knock 5 percent off", "all lights over 30 percent, take 5 off"]
)
def test_so_much_off_is_a_step_down(lamps: Lamps, text: str) -> None:
    levels = lamps.begin()
    outcome = lamps.ask(text)
    now = lamps.levels()
    assert all(now[lamp] == have or (have > 30 and now[lamp] == have - 5) for lamp, have in levels.items())
    assert outcome.status in (Status.DONE, Status.PROPOSED, Status.REFUSED, Status.CLARIFY)


def test_a_room_outside_of_which_things_are_meant_is_left_out(lamps: Lamps) -> None:
    room = rooms(lamps)[0]
    levels = lamps.begin()
    outcome = lamps.ask(f"all the lights outside the {room} to 40 percent, please")
    now = lamps.levels()
    assert outcome.status is not Status.ANSWERED
    assert all(now[lamp] == levels[lamp] for lamp in among(lamps, room))
