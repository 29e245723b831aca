"""Sets and questions as the chart reads them: several things at once, rankings, exceptions, rooms, questions in parts.

The sentences are our own, in homes that the rules were not written for; what is looked for is a reading among the
candidates, for which is likeliest is learned.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from engine import settings as configuration
from engine.dialogue.requests.request import Consent, Request
from engine.environment.selection import Selector
from engine.hearthgraph import Hearthgraph
from engine.language.chart.judging.reader import Candidate, heard
from engine.model.intent import Asks, Category, Intent
from engine.model.selection import Quantity

HOMES = Path(__file__).resolve().parents[1] / "acceptance" / "homes"
HOUSE = Path(__file__).resolve().parents[2] / "data" / "house.ttl"


@pytest.fixture(scope="module")
def homes() -> Iterator[dict[str, Hearthgraph]]:
    settings = configuration.load(live=False, experience=False)
    opened = {}
    for name, path in {"house": HOUSE, **{one: HOMES / f"{one}.ttl" for one in ("flat", "mill", "farmhouse")}}.items():
        engine = Hearthgraph.open(None, now=datetime(2026, 5, 14, 18, 20, tzinfo=UTC), settings=settings)
        engine.load([path])
        engine.assistant.refresh()
        opened[name] = engine
    yield opened
    for engine in opened.values():
        engine.close()


def candidates(engine: Hearthgraph, text: str) -> list[Candidate]:
    """All that the chart makes of a text, likeliest first."""
    conversation = engine.conversation("sets")
    request = Request(text, "urn:sets", None, None, ())
    context = engine.assistant._context(request, conversation.memory.past)
    return list(heard(text, "urn:sets", context).candidates)


def intents(candidate: Candidate) -> list[Intent]:
    """The first reading of each goal."""
    return [intent for goal in candidate.goals for intent in goal[0]]


def parts(engine: Hearthgraph, intent: Intent) -> frozenset[str]:
    """The names of the things that an intent is about, without what leads to them."""
    selector = Selector(engine.store, engine.registry)
    found = selector.select(replace(intent.selection, quantity=Quantity.ALL))
    return frozenset(engine.registry.thing_of[part].iri.rsplit("/", 1)[-1] for part in found)


def acting(engine: Hearthgraph, text: str) -> list[frozenset[str]]:
    """For each candidate that orders something and nothing faulty, what it is about."""
    found = []
    for candidate in candidates(engine, text):
        several = intents(candidate)
        if several and all(i.fault is None and i.category is Category.EXPLICIT for i in several):
            found.append(frozenset(part for i in several for part in parts(engine, i)))
    return found


EMPTY = (
    "bedroom-fan dining-fan ensuite-light guest-lamp her-lamp his-lamp kitchen-spots landing-light larder-light"
    " night-light shower-light wardrobe-light worktop"
)
"""What can be lit in the rooms of the mill in which nothing moves."""
ORDERS = [
    # rankings: counted, after the noun, by comparison with all the rest, of what is on now, among several kinds
    ("house", "of the lights that are on, set the two brightest to 30", "hallway-light kitchen-light"),
    ("mill", "two of the lights outshine all the rest, and I'd like those at 20", "kitchen-spots wardrobe-light"),
    ("flat", "find the brightest lamp and dim it to 20", "mirror-light"),
    ("house", "the light that is brightest right now can come down to 40", "kitchen-light"),
    # a value before what it is for
    ("flat", "forty percent, please, for every one of the lamps in the bedroom", "lamp-left lamp-right"),
    ("house", "thirty, if you would, on both of the bedside lamps", "bedside-lamp-left bedside-lamp-right"),
    # rooms by what is measured in them, and for two orders
    ("house", "wherever it's warmer than 21, close the curtains", "living-room-curtains"),
    ("house", "wherever it's over 21 degrees, close the curtains", "living-room-curtains"),
    # exceptions, before and after
    ("house", "leave the kitchen alone, but switch off every light that is on", "hallway-light"),
    ("flat", "switch off all the lights but not the desk lamp",
     "ceiling-light floor-lamp hall-light kitchen-spots lamp-left lamp-right mirror-light"),
    # what narrows, and what widens
    ("house", "dim the lights to ten percent, but only those that are on", "hallway-light kitchen-light"),
    ("house", "the lights that are on, the whole lot, can be dimmed to 40", "hallway-light kitchen-light"),
    ("house", "curtains closed please, all of them, wherever they are", "living-room-curtains bedroom-curtains"),
    ("flat", "everything in the lounge that is a light should go off", "ceiling-light floor-lamp"),
    ("flat", "whatever lamp's on, bring it to thirty percent", "desk-lamp floor-lamp lamp-right mirror-light"),
    # rooms by what is in them, before the noun too, and rooms that are to be lit
    ("house", "rooms that have a motion sensor should be lit at forty percent", "hallway-light"),
    ("house", "lights off in the motion sensor rooms", "hallway-light"),
    # rooms that are left out, after a list of rooms and after what is said of them
    ("flat", "all lights out but not the kitchen",
     "ceiling-light desk-lamp floor-lamp hall-light lamp-left lamp-right mirror-light"),
    ("flat", "lamps off please, all of them, except the kitchen and the bathroom",
     "ceiling-light desk-lamp floor-lamp hall-light lamp-left lamp-right"),
    ("house", "dim the lights that are on except the hallway to 30", "kitchen-light"),
    # numbers that were heard as other words
    ("house", "set the kitchen light to for tea five percent", "kitchen-light"),
    ("house", "the too bedside lamps at twenty for percent", "bedside-lamp-left bedside-lamp-right"),
    # rooms in which nobody is, or something plays, as people tell it; floors by their number, rooms in a list
    ("mill", "if a room's motion sensor can't see anybody, turn off the lights in there", EMPTY),
    ("mill", "rooms with no movement: switch the lights in there off", EMPTY),
    ("house", "if the sensor in a room sees no one, switch off the lights there", "hallway-light"),
    ("farmhouse", "anywhere there's a film or some music on, volume at 20", "telly wireless"),
    ("house", "set the lights in the master bedroom, en-suite and guest room to 30",
     "bedroom-fan-light bedside-lamp-left bedside-lamp-right guest-lamp mirror-light"),
    ("house", "turn out the lights on the second floor",
     "bathroom-light bedroom-fan-light bedside-lamp-left bedside-lamp-right emma-light guest-lamp landing-light"
     " mirror-light night-light"),
    ("flat", "lights in the bedroom at 30 percent and as warm as they'll get", "lamp-left lamp-right"),
    # the end of a scale in several words
    ("house", "the living room curtains all the way open", "living-room-curtains"),
    ("flat", "have the blinds right the way up", "roller-blinds"),
]  # fmt: skip


@pytest.mark.parametrize(("home", "text", "wanted"), ORDERS)
def test_a_reading_is_about_what_was_meant(homes: dict[str, Hearthgraph], home: str, text: str, wanted: str) -> None:
    assert frozenset(wanted.split()) in acting(homes[home], text)


@pytest.mark.parametrize(
    ("home", "text", "amounts"),
    [
        ("house", "set the kitchen light to for tea five percent", {45.0}),
        ("house", "study light at twenty for percent", {24.0}),
        ("house", "kitchen light on for tea", {True}),
        ("flat", "the dishwasher should take the quick programme", {"https://w3id.org/hearthgraph#Quick"}),
    ],
)
def test_a_number_that_was_heard_as_words_is_one_where_a_number_is_wanted(
    homes: dict[str, Hearthgraph], home: str, text: str, amounts: set[object]
) -> None:
    found = [{i.amount.value for i in intents(one) if i.amount is not None} for one in candidates(homes[home], text)]
    assert amounts in found


def test_what_is_to_be_left_alone_and_is_not_here_is_never_dropped(homes: dict[str, Hearthgraph]) -> None:
    asked = "switch off all the lights except the one in the observatory"
    outcome = homes["flat"].ask(asked, consent=Consent.PLAN)
    assert not outcome.actions


def test_a_question_that_goes_on_without_a_pause_is_no_order(homes: dict[str, Hearthgraph]) -> None:
    assert not homes["house"].ask("which curtains aren't all the way open", consent=Consent.PLAN).actions


QUESTIONS = [
    ("mill", "are any doors unlocked, and if so, which?", Asks.LIST),
    ("mill", "how many fan-lights have the lamp off while their fan is on?", Asks.COUNT),
    ("house", "the living room feels warmer than the master bedroom; by how many degrees is it?", Asks.DIFFERENCE),
    ("house", "what's the difference between the study and the garage, how much warmer is the study?", Asks.DIFFERENCE),
    ("house", "what's the full tally of our air conditioners?", Asks.COUNT),
    ("house", "how much lights do we have?", Asks.COUNT),
    ("house", "how many things that run on batteries are under 90 percent?", Asks.COUNT),
    ("mill", "where is it warmer than 22?", Asks.LIST),
    ("mill", "where is the dampest spot of the house?", Asks.LIST),
    ("house", "is the water heater up to temperature yet?", Asks.REACHED),
    ("mill", "if you average out every temperature sensor, what does that come to?", Asks.MEAN),
]  # fmt: skip


@pytest.mark.parametrize(("home", "text", "asks"), QUESTIONS)
def test_a_question_is_read_as_one_and_does_nothing(
    homes: dict[str, Hearthgraph], home: str, text: str, asks: Asks
) -> None:
    readings = [intents(one) for one in candidates(homes[home], text)]
    assert any(len(one) == 1 and one[0].query is not None and one[0].query.asks is asks for one in readings)
    assert not homes[home].ask(text, consent=Consent.PLAN).actions


@pytest.mark.parametrize(
    ("home", "text", "kinds"),
    [
        ("flat", "what mode is the humidifier on, and is it running?", 2),
        ("house", "what programme is the washing machine on, and is it washing?", 2),
    ],
)
def test_two_questions_in_one_breath_are_two(homes: dict[str, Hearthgraph], home: str, text: str, kinds: int) -> None:
    readings = [intents(one) for one in candidates(homes[home], text)]
    assert any(len(one) == kinds and all(i.category is Category.CHECK for i in one) for one in readings)


def test_a_fan_light_is_chosen_by_both_of_its_parts(homes: dict[str, Hearthgraph]) -> None:
    text = "how many fan-lights have the lamp off while their fan is on?"
    wanted = [i for one in candidates(homes["mill"], text) for i in intents(one) if i.query is not None]
    assert frozenset({"dining-fan"}) in [parts(homes["mill"], i) for i in wanted]


@pytest.mark.parametrize("text", ["the front door is unlocked", "the worktop light is on", "the dining blind is open"])
def test_no_reading_of_a_statement_leaves_out_that_it_is_one(homes: dict[str, Hearthgraph], text: str) -> None:
    for one in candidates(homes["house"], text):
        words = text.split()
        left_out = {" ".join(words[start:end]) for start, end, part in one.account if part == "skipped"}
        named = any(part == "noun" for _, _, part in one.account)
        assert not (named and "is" in left_out)
