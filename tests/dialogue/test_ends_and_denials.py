"""As far as it goes is an end, "aren't" denies, what is said of several makes no rule: in several homes."""

from __future__ import annotations

import pytest

from engine.language.words.dictionary import build
from engine.language.words.lexicon import Lexicon
from engine.language.words.spelling import corrected
from engine.language.words.tokens import tokenize
from engine.model.outcome import Status
from tests.dialogue.test_left_out_by_state import Lamps


@pytest.mark.parametrize(
    "text",
    [
        "turn all the lights down as low as they'll go",
        "turn all the lights down as far as they will go",
        "turn all the lights down all the way",
        "turn all the lights down to the lowest",
        "set all the lights as low as they'll go",
    ],
)
def test_as_far_as_it_goes_is_an_end(lamps: Lamps, text: str) -> None:
    before = lamps.begin()
    done = lamps.talk.ask(text).status is Status.DONE
    levels = lamps.levels()
    assert levels == before or all(level <= 1 for level in levels.values())
    assert levels != before or not done


def test_down_so_much_is_no_level(lamps: Lamps) -> None:
    for lamp in sorted(lamps.of):
        before = lamps.begin()
        name = lamps.talk.engine.registry.thing_of[lamp].title
        lamps.talk.ask(f"{name}, down fifteen percent.")
        assert lamps.levels()[lamp] in (before[lamp], before[lamp] - 15)


@pytest.mark.parametrize(
    "text", ["which lights aren't on", "which of the lights are not on", "how many lights aren't on"]
)
def test_who_denies_asks_for_the_others(lamps: Lamps, text: str) -> None:
    lamps.begin(on=True)
    answer = lamps.talk.ask(text)
    assert answer.status is Status.ANSWERED
    lit = {lamps.talk.engine.registry.thing_of[lamp].title for lamp in lamps.of}
    assert not any(f" {name}" in f" {answer.reply}" for name in lit)


@pytest.mark.parametrize(
    "text",
    [
        "average brightness of all the lights, please",
        "mean brightness over the lights",
        "no more lights on low, turn those off",
    ],
)
def test_what_is_asked_or_told_sets_no_level(lamps: Lamps, text: str) -> None:
    before = lamps.begin()
    lamps.talk.ask(text)
    assert lamps.levels() == before


@pytest.mark.parametrize(
    "text",
    [
        "In the rooms with a temperature under forty, turn the lights off.",
        "I never see the lights, turn them up.",
        "We never use the lights, switch them off.",
    ],
)
def test_what_is_said_of_several_or_of_oneself_makes_no_rule(lamps: Lamps, text: str) -> None:
    lamps.begin()
    assert lamps.talk.ask(text).status is not Status.SCHEDULED


@pytest.fixture(scope="module")
def lexicon(homes: dict[str, Lamps]) -> Lexicon:
    engine = homes["flat"].talk.engine
    return build(engine.store, engine.registry).lexicon


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("waaarm", ["warm"]),
        ("looow", ["low"]),
        ("offff", ["off"]),
        ("brighter'n", ["brighter", "than"]),
        ("more'n", ["more", "than"]),
        ("swingin'", ["swinging"]),
        ("'em", ["em"]),
    ],
)
def test_words_as_they_are_spoken(lexicon: Lexicon, said: str, meant: list[str]) -> None:
    assert [token.text for token in corrected(tokenize(said), lexicon)] == meant


@pytest.mark.parametrize(
    "text",
    [
        "any light brighter than 60 percent off",
        "turn every light brighter than 60 percent off",
        "turn off any light brighter than 60 percent",
        "lights over 60 percent off",
    ],
)
def test_so_much_more_than_a_number_says_which(lamps: Lamps, text: str) -> None:
    before = lamps.begin()
    assert lamps.talk.ask(text).status is Status.DONE
    assert lamps.levels() == before
    assert lamps.on() == {lamp for lamp, level in before.items() if level <= 60}
