"""What people tell of themselves becomes a wish; what is asked, told of others or of another time does not."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from engine import embedding
from engine.dialogue.requests.request import Consent, Request
from engine.graph.terms import expand
from engine.hearthgraph import Hearthgraph
from engine.language.chart.judging.ranking import ranked
from engine.language.chart.judging.reader import Candidate
from engine.language.meanings.past import Past

ROOT = Path(__file__).resolve().parents[2]
TOLD = [
    ("crikey, my toes have turned into ice cubes", "hg:Temperature", 1),
    ("the sweat is trickling down my back", "hg:Temperature", -1),
    ("I can scarcely decipher this recipe", "hg:Illuminance", 1),
    ("that glare is torturing my eyes", "hg:Illuminance", -1),
    ("there isn't a breath of air to breathe in here", "hg:CO2", -1),
    ("my lips keep splitting and cracking", "hg:Humidity", 1),
    ("that din is splitting my head", "hg:Noise", -1),
    ("time to hit the sheets", None, "hg:GoingToBed"),
    ("we are about to settle in for a good flick", None, "hg:FilmNight"),
    ("I'm heading off to college till this evening", None, "hg:Leaving"),
    ("granny has nodded off in her chair", None, "hg:Asleep"),
    ("gonna do a few squats", None, "hg:Workout"),
]
MERELY_TOLD = [
    "Peter is going to bed",
    "my cousin is freezing in his flat",
    "the neighbours are throwing a party",
    "I was sweating all night",
    "we watched a film yesterday",
    "last summer it was like a sauna up here",
    "they say it's boiling in Spain",
    "I'm not going out",
    "I am not tired",
    "I dreamt that I was shivering",
    "our teacher is off on holiday",
    "do you think it is too bright?",
]


def readings(text: str, home: Hearthgraph) -> list[Candidate]:
    """All that a text may mean, as a wish by what it tells or is near to."""
    context = home.assistant._context(Request(text, "urn:x", None, None), Past())
    found = ranked(text, "urn:x", context).candidates
    return [c for c in found if "wish" in c.features]


@pytest.mark.parametrize(("text", "variable", "meant"), TOLD, ids=[text for text, _, _ in TOLD])
def test_what_is_told_in_pairs_of_words_is_among_the_readings(
    home: Hearthgraph, text: str, variable: str | None, meant: str | int
) -> None:
    intents = [i for c in readings(text, home) for i in c.intents]
    if variable is None:
        assert expand(str(meant)) in [i.situation for i in intents]
    else:
        assert (expand(variable), meant) in [(i.variable, i.direction) for i in intents]


@pytest.mark.parametrize("text", MERELY_TOLD)
def test_what_is_merely_told_or_asked_does_nothing(home: Hearthgraph, text: str) -> None:
    assert home.ask(text, consent=Consent.PLAN).actions == ()


@pytest.mark.parametrize("text", MERELY_TOLD)
def test_what_is_merely_told_is_no_wish_by_its_words(home: Hearthgraph, text: str) -> None:
    assert [c for c in readings(text, home) if "wish:told" in c.features] == []


def test_a_wish_is_met_in_the_room_that_is_named_beside_it(home: Hearthgraph) -> None:
    room = next(p for p in home.registry.places.values() if expand("hg:Kitchen") in p.classes)
    found = readings("my eyeballs are hurting in the kitchen", home)
    assert {i.selection.places for c in found for i in c.intents} == {(room.iri,)}


def test_a_device_that_does_too_much_shall_do_less_of_what_it_gives(home: Hearthgraph) -> None:
    found = readings("the ceiling lights are far too fierce", home)
    assert (expand("hg:Illuminance"), -1) in [(i.variable, i.direction) for c in found for i in c.intents]


@pytest.mark.skipif(not embedding.available(), reason="the sentence encoder is not installed")
def test_what_no_words_tell_is_found_by_what_is_near_in_meaning(home: Hearthgraph) -> None:
    found = readings("this place feels like a polar expedition", home)
    near = [i for c in found if "wish:near" in c.features for i in c.intents]
    assert (expand("hg:Temperature"), 1) in [(i.variable, i.direction) for i in near]


def test_a_plain_command_loads_no_encoder() -> None:
    said = (
        "import sys; from tests.homes import a_home\n"
        "with a_home() as home:\n"
        "    home.ask('turn on the desk lamp')\n"
        "    home.ask('close the blinds in the living room')\n"
        "print([name for name in ('torch', 'engine.minilm') if name in sys.modules])\n"
    )
    done = subprocess.run([sys.executable, "-c", said], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.strip() == "[]"
