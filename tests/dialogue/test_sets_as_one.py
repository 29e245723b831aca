"""Several classes of which one thing is said are one set, "between" is a range, and a ranking goes by what is set, on
or off, unless those that are on are meant. Each in four homes, whose things are set to what a test needs."""

from __future__ import annotations

import pytest

from engine.graph.terms import expand
from engine.model.outcome import Status
from tests.dialogue.test_left_out_by_state import Lamps

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
    among = {v: levels[v] for name in (one, other) for v in players.of[name].values()}
    loudest = max(among, key=lambda v: among[v])
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
    levels = lamps.begin(on=False)
    lowest = min(levels, key=lambda lamp: levels[lamp])
    outcome = lamps.ask(text)
    changed = {lamp for lamp, have in lamps.levels().items() if have != levels[lamp]}
    assert changed == ({lowest} if outcome.status is Status.DONE and not lamps.others else changed)
    assert outcome.status in (Status.DONE, Status.PROPOSED)
