"""A selection denotes what a naive reading of the home says, whatever is compared, negated, taken away or ranked."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.environment import holding, selection
from engine.environment.comparisons import level_of
from engine.environment.selection import Selector
from engine.environment.values.quantities import truth
from engine.graph.terms import expand
from engine.hearthgraph import Hearthgraph
from engine.model.intent import Amount, Measure
from engine.model.selection import Comparison, Condition, Quantity, Rooms, Select, Test
from tests.homes import a_home

LIGHT, POWER, BRIGHTNESS = expand("hg:Light"), expand("hg:Power"), expand("hg:Brightness")
ORDERED = {
    Comparison.ABOVE: float.__gt__,
    Comparison.AT_LEAST: float.__ge__,
    Comparison.BELOW: float.__lt__,
    Comparison.AT_MOST: float.__le__,
}


@pytest.fixture(scope="module")
def home() -> Hearthgraph:
    engine = a_home()
    return engine


def lights(home: Hearthgraph) -> list[str]:
    """The parts that are lights, found without SPARQL."""
    is_a = home.registry.vocabulary.is_a
    return sorted(
        part.iri
        for thing in home.registry.things.values()
        for part in thing.parts
        if any(is_a(c, LIGHT) for c in part.every_class)
        and not (part.iri == thing.iri and any(is_a(c, LIGHT) for p in thing.parts[1:] for c in p.every_class))
    )


def level(part: str, kind: str, home: Hearthgraph) -> float | None:
    thing = home.registry.thing_of[part]
    for prop in thing.of_part(part):
        if any(home.registry.vocabulary.is_a(k, kind) for k in prop.kinds):
            return level_of(home.state.get(prop.iri), prop, home.registry)
    return None


def is_on(part: str, home: Hearthgraph) -> bool | None:
    thing = home.registry.thing_of[part]
    for prop in thing.of_part(part):
        if POWER in prop.kinds:
            return truth(home.state.get(prop.iri), prop, home.registry.vocabulary)
    return None


ON = Test((Condition(POWER, Comparison.IS, Amount(Measure.TRUTH, True)),))


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(sorted(ORDERED, key=str)), st.integers(0, 100), st.booleans())
def test_numbers_are_compared_as_percent_whatever_the_scale(
    home: Hearthgraph, comparison: Comparison, bound: int, lit: bool
) -> None:
    amount = Amount(Measure.NUMBER, float(bound), expand("hg:Percent"))
    tests = (Test((Condition(BRIGHTNESS, comparison, amount),)), *((ON,) if lit else ()))
    found = Selector(home.store, home.registry).select(Select((LIGHT,), quantity=Quantity.ALL, tests=tests))
    expected = [
        part
        for part in lights(home)
        if (have := level(part, BRIGHTNESS, home)) is not None
        and abs(have - bound) > 0.5  # where a scale of 0 to 254 rounds, either may be right
        and ORDERED[comparison](have, float(bound))
        and (not lit or is_on(part, home))
    ]
    near = {part for part in found if abs((level(part, BRIGHTNESS, home) or 0.0) - bound) <= 0.5}
    assert sorted(set(found) - near) == expected


def test_what_is_not_so_is_known_to_be_otherwise(home: Hearthgraph) -> None:
    found = Selector(home.store, home.registry).select(Select((LIGHT,), tests=(Test(ON.conditions, negated=True),)))
    assert list(found) == [part for part in lights(home) if is_on(part, home) is False]


@pytest.mark.parametrize("count", [1, 2, 5])
def test_the_brightest_are_those_that_no_other_outshines(home: Hearthgraph, count: int) -> None:
    found = Selector(home.store, home.registry).select(Select((LIGHT,), order=BRIGHTNESS, limit=count))
    known = [have for part in lights(home) if (have := level(part, BRIGHTNESS, home)) is not None]
    levels = sorted(known, reverse=True)  # on or off: who means those that are on says so
    assert [level(part, BRIGHTNESS, home) for part in found] == levels[:count]


def test_what_is_taken_away_is_gone_with_the_rooms_inside(home: Hearthgraph) -> None:
    upstairs = next(p.iri for p in home.registry.places.values() if p.name == "first floor")
    minus = (Select(places=(upstairs,), quantity=Quantity.ALL),)
    found = Selector(home.store, home.registry).select(Select((LIGHT,), quantity=Quantity.ALL, minus=minus))

    def is_upstairs(part: str) -> bool:
        place = home.registry.thing_of[part].place
        while place is not None and place in home.registry.places:
            if place == upstairs:
                return True
            place = home.registry.places[place].parent
        return False

    assert list(found) == [part for part in lights(home) if not is_upstairs(part)]
    assert any(map(is_upstairs, lights(home)))


def test_rooms_are_chosen_by_what_is_measured_in_them(home: Hearthgraph) -> None:
    temperature = expand("hg:Temperature")
    selector = Selector(home.store, home.registry)
    measured = selector.levels_in(home.registry.places, temperature)
    assert len(measured) > 1
    coldest = selector.rooms((Rooms(order=temperature, descending=False),))
    assert coldest == (min(measured, key=lambda place: (measured[place], place)),)


ROOMS = Rooms(Select((LIGHT,), tests=(ON,)))
MANY = (
    Select((LIGHT,), tests=(ON,)),
    Select((LIGHT,), tests=(Test(ON.conditions, negated=True),)),
    Select((), tests=(ON, Test((Condition(BRIGHTNESS, Comparison.KNOWN),)))),
    Select((LIGHT,), minus=(Select((), tests=(Test(ON.conditions, negated=True),)),)),
    Select((LIGHT,), rooms=(ROOMS,)),
    Select((), rooms=(Rooms(ROOMS.has, negated=True),)),
    Select((LIGHT,), order=BRIGHTNESS),
)


@pytest.mark.parametrize("wanted", MANY)
def test_it_is_the_same_whether_values_are_looked_up_or_gone_through(
    home: Hearthgraph, wanted: Select, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = []
    for few in (0, 10**9):  # all are few enough, and none is
        monkeypatch.setattr(holding, "FEW", few)
        monkeypatch.setattr(holding, "FEW_KNOWN", few)
        monkeypatch.setattr(selection, "FEW_KNOWN", few)
        found.append(Selector(home.store, home.registry).select(wanted))
    assert found[0] == found[1] != ()


def test_what_is_not_so_can_be_taken_away(home: Hearthgraph) -> None:
    off = Select((LIGHT,), tests=(Test(ON.conditions, negated=True),))
    found = Selector(home.store, home.registry).select(Select((LIGHT,), minus=(off,)))
    assert list(found) == [part for part in lights(home) if is_on(part, home) is not False]


def test_lights_of_rooms_that_are_lit_have_a_lit_one_beside_them(home: Hearthgraph) -> None:
    found = Selector(home.store, home.registry).select(Select((LIGHT,), rooms=(ROOMS,)))
    place = {part: home.registry.thing_of[part].place for part in lights(home)}
    lit = {place[part] for part in lights(home) if is_on(part, home)}
    known = {place[part] for part in lights(home) if is_on(part, home) is not None}
    assert list(found) == [part for part in lights(home) if place[part] in lit & known]


def test_half_of_them_is_half(home: Hearthgraph) -> None:
    everything = Selector(home.store, home.registry).select(Select((LIGHT,), quantity=Quantity.ALL))
    half = Selector(home.store, home.registry).select(Select((LIGHT,), quantity=Quantity.ALL, share=0.5))
    assert set(half) < set(everything)
    assert len(half) == round(len(everything) / 2)


def test_a_place_without_such_a_thing_denotes_nothing(home: Hearthgraph) -> None:
    assert Selector(home.store, home.registry).select(Select((LIGHT,), places=("urn:nowhere",))) == ()
