"""What a person prefers, asked for in words and taken back in words: theirs alone, from the graph."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.dialogue.requests.request import Consent
from engine.graph.terms import expand
from engine.hearthgraph import Hearthgraph
from engine.model.intent import Category
from engine.model.outcome import Outcome, Status
from engine.planning.wishes import tastes
from tests.homes import a_home

ASKED = [
    "What do I prefer?",
    "what are my preferences",
    "Which preferences of mine do you know?",
    "tell me what I like",
    "Could you list my preferences, please?",
    "show me my likes and dislikes",
    "what have I told you I like?",
    "do you remember what I prefer?",
    "remind me of my tastes",
    "Which preferences have you noted for me?",
    "what do you know about my preferences",
    "Hey, what is it that I like?",
]
FORGET_ALL = [
    "forget my preferences",
    "Please forget all my preferences",
    "delete everything I said I like",
    "wipe my tastes",
    "clear all of my preferences",
    "can you forget what I like?",
    "drop my likes and dislikes",
    "remove all my preferences please",
    "get rid of my preferences",
]
FORGET_DAYLIGHT = [
    "forget that I prefer daylight",
    "I don't prefer natural light any more",
    "I no longer prefer daylight",
    "forget my preference for natural light",
    "delete that I like daylight",
    "I stopped preferring natural light",
    "please forget that I like sunlight",
    "disregard my preference for daylight",
]
FORGET_TEMPERATURE = [
    "forget my preferred temperature",
    "forget that I'm comfortable at 25",
    "I'm no longer comfortable at 25 degrees",
    "delete my temperature preference",
]
NO_TALK_OF_TASTE = [
    "turn on the light I like",
    "I'd like to know which lights are on",
    "what would you like me to say",
    "what is the temperature",
    "forget it",
    "I would prefer the light off",
    "I'd like the kitchen light on",
    "clear the table lamp",
    "which lights are on",
    "is my favourite song playing",
]


@pytest.fixture(scope="module")
def home() -> Iterator[Hearthgraph]:
    with a_home(now="2026-03-02T10:00:00+00:00") as found:
        yield found


@pytest.fixture
def house(home: Hearthgraph) -> Hearthgraph:
    """The house, where Alex and Kim have stated these preferences, and nobody any others."""
    tastes.forget(home.store, [one.iri for one in tastes.stated(home.store)])
    for text in ("I prefer natural light", "I hate the ceiling fan", "I'm comfortable at 25"):
        assert home.ask(text, user="Alex").status is Status.DONE
    home.ask("I prefer artificial light", user="Kim")
    return home


def texts(home: Hearthgraph, user: str) -> list[str]:
    return [one.text for one in tastes.stated(home.store, user)]


def said(home: Hearthgraph, text: str, user: str = "Alex") -> Outcome:
    before = home.state.snapshot()
    outcome = home.ask(text, user=user, consent=Consent.YES)
    assert home.state.snapshot() == before
    return outcome


@pytest.mark.parametrize("text", ASKED)
def test_it_is_told_in_words_what_one_prefers(text: str, house: Hearthgraph) -> None:
    outcome = said(house, text)
    assert outcome.status is Status.ANSWERED
    for part in ("natural light", "fan", "25 °C"):
        assert part in outcome.reply
    assert "artificial" not in outcome.reply
    assert "artificial light" in said(house, text, "Kim").reply


def test_nothing_stated_is_said_to_be_nothing(house: Hearthgraph) -> None:
    assert "not told me" in said(house, "what do I prefer?", "Robin").reply


def test_only_what_is_asked_about_is_told(house: Hearthgraph) -> None:
    told = said(house, "what temperature do I prefer?").reply
    assert "25" in told
    assert "natural" not in told
    assert "natural light" in said(house, "do I like daylight?").reply


@pytest.mark.parametrize("text", FORGET_ALL)
def test_all_is_forgotten_and_it_is_said_what(text: str, house: Hearthgraph) -> None:
    outcome = said(house, text)
    assert outcome.status is Status.DONE
    assert "I prefer natural light" in outcome.reply
    assert "I'm comfortable at 25" in outcome.reply
    assert texts(house, "Alex") == []
    assert texts(house, "Kim") == ["I prefer artificial light"]


@pytest.mark.parametrize("text", FORGET_DAYLIGHT)
def test_one_is_forgotten_by_what_it_is_about(text: str, house: Hearthgraph) -> None:
    outcome = said(house, text)
    assert "I prefer natural light" in outcome.reply
    assert texts(house, "Alex") == ["I hate the ceiling fan", "I'm comfortable at 25"]


@pytest.mark.parametrize("text", FORGET_TEMPERATURE)
def test_a_value_is_forgotten_by_its_variable(text: str, house: Hearthgraph) -> None:
    assert "I'm comfortable at 25" in said(house, text).reply
    assert texts(house, "Alex") == ["I prefer natural light", "I hate the ceiling fan"]


def test_what_is_not_kept_cannot_be_forgotten(house: Hearthgraph) -> None:
    assert "nothing of that kind" in said(house, "forget that I prefer daylight", "Kim").reply
    assert texts(house, "Kim") == ["I prefer artificial light"]


def test_what_was_forgotten_does_not_count_from_then_on(house: Hearthgraph) -> None:
    def plan() -> str:
        return house.ask("it's too dark in here", user="Alex", location="study", consent=Consent.PLAN).reply

    assert "you prefer that" in plan()
    said(house, "forget my preferences")
    assert "you prefer that" not in plan()


@pytest.mark.parametrize("text", NO_TALK_OF_TASTE)
def test_what_is_no_talk_of_preferences_changes_none(text: str, house: Hearthgraph) -> None:
    outcome = house.ask(text, user="Alex", consent=Consent.PLAN)
    assert "prefer natural" not in outcome.reply
    assert len(texts(house, "Alex")) == 3


COMFORTABLE = [
    ("I'm comfortable at 21.5 °C", "Temperature", 21.5),
    ("I feel best at 70 degrees Fahrenheit", "Temperature", 21.1),
    ("I'm most comfortable around twenty-two", "Temperature", 22.0),
    ("my ideal humidity is 50", "Humidity", 50.0),
    ("We prefer it at 45 percent humidity", "Humidity", 45.0),
    ("my preferred light level is 250", "Illuminance", 250.0),
    ("I like it at 300 lux", "Illuminance", 300.0),
]


@pytest.mark.parametrize(("text", "variable", "number"), COMFORTABLE)
def test_it_is_understood_at_how_much_of_what_somebody_is_comfortable(
    text: str, variable: str, number: float, house: Hearthgraph
) -> None:
    intent = said(house, text, "Robin").intents[0].intent
    assert (intent.category, intent.variable) == (Category.PREFERENCE, expand(f"hg:{variable}"))
    assert intent.amount is not None
    assert intent.amount.value == number


@pytest.mark.parametrize("text", ["I'm comfortable at home", "I'm comfortable at 3 watts", "my ideal car is 5"])
def test_what_is_not_of_the_environment_is_no_comfort(text: str, house: Hearthgraph) -> None:
    house.ask(text, user="Robin", consent=Consent.PLAN)
    assert text not in texts(house, "Robin")


def test_a_variable_is_called_as_the_ontology_has_it(tmp_path: Path) -> None:
    def category(home: Hearthgraph) -> Category:
        return home.ask("my ideal din is 30", consent=Consent.PLAN).intents[0].intent.category

    own = tmp_path / "own.ttl"
    own.write_text('@prefix hg: <https://w3id.org/hearthgraph#> . hg:Noise hg:likedAs "din" .\n', encoding="utf-8")
    with a_home() as home:
        assert category(home) is not Category.PREFERENCE
        home.load([own])
        assert category(home) is Category.PREFERENCE
