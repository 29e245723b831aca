"""What is left out, or pointed to, may be told by how it is: "except those that are on", "all but the brightest", "the
ones in the hall". Each in four homes, whose lamps are set to what a test needs."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from engine.dialogue.assistant import Consent
from engine.graph.terms import expand
from engine.hearthgraph import Hearthgraph
from engine.model.outcome import Outcome, Status
from tests.dialogue.talks import Talk

HERE = Path(__file__).resolve().parents[2]
HOMES = {
    "house": HERE / "data/house.ttl",
    "flat": HERE / "tests/acceptance/homes/flat.ttl",
    "mill": HERE / "tests/acceptance/homes/mill.ttl",
    "farmhouse": HERE / "tests/acceptance/homes/farmhouse.ttl",
}
LIGHT, POWER, BRIGHTNESS = expand("hg:Light"), expand("hg:Power"), expand("hg:Brightness")
LEVELS = (20, 35, 45, 65, 80, 90)


def _is_percent(engine: Hearthgraph, iri: str) -> bool:
    return engine.registry.properties[iri].schema.maximum == 100


class Lamps:
    """The lamps of a home that have a switch and a brightness."""

    def __init__(self, engine: Hearthgraph) -> None:
        self.talk = Talk(engine, "")
        self.of: dict[str, tuple[str, str]] = {}
        is_a = engine.registry.vocabulary.is_a
        for iri, part in engine.registry.parts.items():
            if any(is_a(own, LIGHT) for own in part.every_class):
                kinds = {k: p.iri for p in engine.registry.thing_of[iri].of_part(iri) for k in p.kinds}
                if POWER in kinds and BRIGHTNESS in kinds and _is_percent(engine, kinds[BRIGHTNESS]):
                    self.of[iri] = (kinds[POWER], kinds[BRIGHTNESS])

        self.others = {
            p.iri
            for iri, part in engine.registry.parts.items()
            if iri not in self.of and any(is_a(own, LIGHT) for own in part.every_class)
            for p in engine.registry.thing_of[iri].of_part(iri)
            if BRIGHTNESS in p.kinds
        }

    def begin(self, *, on: bool = True) -> Mapping[str, int]:
        """Everything as in the file, but the lamps on or off, each with another brightness; the levels by lamp."""
        self.talk.begin()
        state, levels = self.talk.engine.state, {}
        for number, (lamp, (power, brightness)) in enumerate(sorted(self.of.items())):
            levels[lamp] = LEVELS[number % len(LEVELS)] + number // len(LEVELS)
            state.write({power: self._said(power, on=on), brightness: levels[lamp]})
        state.write(dict.fromkeys(self.others, 0))
        return levels

    def _said(self, power: str, *, on: bool) -> object:
        """A state of a switch, as its property has it."""
        options = self.talk.engine.registry.properties[power].schema.enum
        return ("on" if on else "off") if options else on

    def on(self) -> set[str]:
        """The lamps that are on."""
        return {lamp for lamp, (power, _) in self.of.items() if self.talk.engine.state[power] in ("on", True)}

    def levels(self) -> dict[str, int]:
        """How bright each lamp is set."""
        return {lamp: self.talk.engine.state[brightness] for lamp, (_, brightness) in self.of.items()}

    def on_after(self, text: str) -> set[str]:
        """The lamps that are on when something was said while all were off, with everything consented to."""
        self.begin(on=False)
        self.talk.engine.ask(text, consent=Consent.ALL)
        return self.on()

    def switch(self, lamps: set[str]) -> None:
        """Leaves on only these lamps."""
        for lamp, (power, _) in self.of.items():
            self.talk.engine.state.write({power: self._said(power, on=lamp in lamps)})

    def ask(self, text: str) -> Outcome:
        return self.talk.ask(text)


@pytest.mark.parametrize(
    "text",
    [
        "turn off all lights except those that are brighter than 50",
        "turn off all the lights, but not those that are brighter than 50",
        "turn off all lights except the ones that are brighter than 50",
        "turn off all lights except the lights that are brighter than 50",
    ],
)
def test_an_exception_may_be_told_by_how_it_is(lamps: Lamps, text: str) -> None:
    levels = lamps.begin()
    assert lamps.ask(text).status is Status.DONE
    assert lamps.on() == {lamp for lamp, level in levels.items() if level > 50}


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("turn off all lights except the brightest", 1),
        ("turn off all the lights but the brightest", 1),
        ("turn off all lights except the two brightest ones", 2),
    ],
)
def test_the_first_of_a_ranking_may_be_left_out(lamps: Lamps, text: str, left: int) -> None:
    levels = lamps.begin()
    assert lamps.ask(text).status is Status.DONE
    assert lamps.on() == set(sorted(levels, key=lambda lamp: -levels[lamp])[:left])


@pytest.mark.parametrize(
    "text",
    [
        "Set all the lights to 15. Those that are off stay off.",
        "Set all the lights to 15, the ones that are off stay off",
        "Set all the lights to 15. The lights that are off can stay off.",
        "Any light that is lit should go to 15. Those that are off stay off.",
    ],
)
def test_those_that_stay_as_they_are_are_left_alone(lamps: Lamps, text: str) -> None:
    levels = lamps.begin()
    lamps.switch(set(sorted(levels)[::2]))
    on = lamps.on()
    outcome = lamps.ask(text)
    assert outcome.status in (Status.DONE, Status.PROPOSED, Status.REFUSED), outcome.reply
    assert lamps.on() == on
    if outcome.status is Status.DONE:
        assert lamps.levels() == {lamp: 15 if lamp in on else level for lamp, level in levels.items()}


@pytest.mark.parametrize("text", ["turn off all the lights but one", "turn off all the lights but two"])
def test_a_number_of_all_is_left_out_by_nobody_s_guess(lamps: Lamps, text: str) -> None:
    lamps.begin()
    before = lamps.on(), lamps.levels()
    assert lamps.ask(text).status is not Status.DONE
    assert (lamps.on(), lamps.levels()) == before


@pytest.mark.parametrize(
    "text",
    [
        "Leave the lights that are off, and dim those that are on to 15",
        "The lights that are off, leave them. Dim the ones that are on to 15",
        "Don't touch the lights that are off, and dim those that are on to 15",
    ],
)
def test_those_that_are_so_are_others_than_those_that_are_left(lamps: Lamps, text: str) -> None:
    levels = lamps.begin()
    on = set(sorted(levels)[::2])
    lamps.switch(on)
    assert lamps.ask(text).status is Status.DONE
    assert lamps.on() == on
    assert lamps.levels() == {lamp: 15 if lamp in on else level for lamp, level in levels.items()}


@pytest.mark.parametrize("counted", ["the ones that are off too", "the ones that are off included"])
def test_what_is_counted_in_narrows_nothing(lamps: Lamps, counted: str) -> None:
    lamps.switch(set(sorted(lamps.begin())[::2]))
    assert lamps.ask(f"put all the lights to 70, {counted}").status is Status.DONE
    assert set(lamps.levels().values()) == {70}


@pytest.mark.parametrize("text", ["turn off the ones that are brighter than 95", "dim those that are brighter than 95"])
def test_nothing_is_set_to_what_it_is_compared_with(lamps: Lamps, text: str) -> None:
    before = dict(lamps.begin())
    lamps.ask("which lights are on?")
    lamps.ask(text)
    assert lamps.levels() == before


@pytest.mark.parametrize(
    ("home", "first", "then", "room"),
    [
        ("house", "kitchen", "study", "study"),
        ("flat", "kitchen", "bedroom", "bedroom"),
        ("mill", "kitchen", "main bedroom", "main bedroom"),
        ("farmhouse", "great room", "scullery", "scullery"),
    ],
)
def test_the_ones_elsewhere_are_others_of_the_kind(
    homes: dict[str, Lamps], home: str, first: str, then: str, room: str
) -> None:
    lamps = homes[home]
    levels = lamps.begin()
    registry = lamps.talk.engine.registry
    there = {lamp for lamp in levels if registry.places[registry.thing_of[lamp].place or ""].name == room}
    assert lamps.ask(f"Turn off the {first} lights. The ones in the {then} should go to 12").status is Status.DONE
    assert there
    assert {lamp for lamp, level in lamps.levels().items() if level == 12} >= there
    assert not lamps.on() & {
        lamp for lamp in levels if registry.places[registry.thing_of[lamp].place or ""].name == first
    }


@pytest.mark.parametrize("said", ["the {} excluded", "{} not included", "the {} aside"])
@pytest.mark.parametrize(
    ("home", "room"), [("house", "study"), ("flat", "bedroom"), ("mill", "main bedroom"), ("farmhouse", "scullery")]
)
def test_an_exception_may_follow_its_name(homes: dict[str, Lamps], home: str, room: str, said: str) -> None:
    lamps = homes[home]
    levels = lamps.begin(on=False)
    registry = lamps.talk.engine.registry
    there = {lamp for lamp in levels if registry.places[registry.thing_of[lamp].place or ""].name == room}
    assert lamps.ask(f"turn on all the lights, {said.format(room)}").status is Status.DONE
    assert lamps.on()
    assert not lamps.on() & there


@pytest.mark.parametrize(
    ("home", "room"), [("house", "study"), ("flat", "bedroom"), ("mill", "main bedroom"), ("farmhouse", "scullery")]
)
def test_but_leaves_out_behind_all(homes: dict[str, Lamps], home: str, room: str) -> None:
    lamps = homes[home]
    levels = lamps.begin(on=False)
    registry = lamps.talk.engine.registry
    there = {lamp for lamp in levels if registry.places[registry.thing_of[lamp].place or ""].name == room}
    assert lamps.ask(f"turn on all the lights but the {room}").status is Status.DONE
    assert lamps.on()
    assert not lamps.on() & there
