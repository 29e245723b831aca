"""A taste, a habit or what was so once is kept and never obeyed; an order is obeyed and never kept; in three homes."""

from __future__ import annotations

import pytest

from engine.memory.kept import facts
from engine.model.outcome import Status
from tests.homes import a_home
from tests.memory.playing import playing

TOLD = (
    "I prefer natural light to artificial one",
    "I prefer natural light",
    "I always want the {lamp} at 20",
    "I always want the {lamp} at 20 when I read",
    "I feel comfortable at 25 degrees and with a low fan",
    "I usually have the {lamp} at 35 percent",
    "I like the {lamp} at 35",
    "I like the {lamp} dim",
    "I love it when the {light} is off",
    "I hate the {light} on at night",
    "I don't like the {lamp} on high",
    "I never have the {light} on in the morning",
    "as a rule I keep the {lamp} at 18",
    "in the evening I have the {lamp} at 40",
    "whenever I read I have the {lamp} at 80",
    "when I sleep the {light} is off",
    "I sleep best with the {light} off",
    "I can't sleep with the {light} on",
    "I work best at 80 percent",
    "my eyes prefer the {lamp} at 30",
    "bright light gives me a headache",
    "I'm sensitive to bright light",
    "Ada likes the {lamp} at 45",
    "my mother wants the {lamp} at 50 when she visits",
    "I'm a morning person",
    "I get cold easily",
    "21 degrees is perfect for me",
    "I'm fine with 19 degrees at night",
    "I'd never sleep with the {light} on",
    "I tend to leave the {light} on in the evening",
    "generally the {lamp} should be at 30 for me",
    "I'm used to the {lamp} at 60",
    "my ideal brightness for the {lamp} is 55",
    "I enjoy the {lamp} at 15 while I knit",
    "we like it warm in the mornings",
    "we usually have dinner at seven",
    "I'd rather have the {lamp} at 10 than at 90, generally",
    "normally I want the {light} off by ten",
    "on Sundays I like the {lamp} at 5",
    "I grew up with the {light} on at night",
    "I tend to read with the {lamp} at 70",
)
ORDERED = (
    "I want the {lamp} at 20",
    "I want the {light} on",
    "I'd like the {lamp} at 30",
    "I would like the {lamp} at 30 please",
    "I'd prefer the {lamp} at 30 now",
    "I need the {light} on",
    "have the {lamp} at 20",
    "keep the {lamp} at 20",
    "I want the {lamp} at 20 now",
    "I would prefer the {light} off",
    "I'd rather have the {light} on",
    "give me the {lamp} at 40",
    "let me have the {light} on",
    "the {lamp} at 20",
    "the {lamp} should be at 20 now",
    "I'd love the {light} on",
    "can I have the {lamp} at 25",
    "I fancy the {lamp} at 25",
    "I need the {lamp} at 100 to read this",
    "the {light} off please",
    "I'm going to need the {light} on",
    "how about the {lamp} at 33",
    "could we have the {lamp} at 22",
    "set the {lamp} to 20 for me",
)


def test_the_table_is_long_enough() -> None:
    assert len({*TOLD, *ORDERED}) >= 60


@pytest.mark.slow
@pytest.mark.parametrize("place", ["house", "mill", "gull"])
def test_a_taste_is_kept_and_nothing_is_done(place: str) -> None:
    with playing(place) as played:
        for text in TOLD:
            before, known = played.home.state.snapshot(), len(facts.everyone(played.home.store))
            told = played.say(text, "Ada", conversation=text)
            assert not told.changes, (text, told.reply)
            assert played.home.state.snapshot() == before, text
            assert "keep that in mind" in told.reply, (text, told.reply)
            assert facts.everyone(played.home.store), text
            assert len(facts.everyone(played.home.store)) >= known, "what is said later takes the place of the same"


@pytest.mark.slow
@pytest.mark.parametrize("place", ["house", "mill", "gull"])
def test_an_order_is_obeyed_and_no_fact(place: str) -> None:
    changed = 0
    with playing(place) as played:
        for text in ORDERED:
            ordered = played.say(text, "Ada", conversation=text)
            assert ordered.status is Status.DONE, (text, ordered.reply)
            assert "keep that in mind" not in ordered.reply, text
            assert facts.everyone(played.home.store) == (), text
            changed += bool(ordered.changes)
        assert changed >= len(ORDERED) // 2, "the others are so already"


@pytest.mark.parametrize("text", ["on", "on, on", "so the lamp, put it on, on", "when", "my", "I like", "every"])
def test_what_breaks_off_is_no_fault_of_ours(text: str) -> None:
    with a_home() as home:
        assert home.ask(text).reason != "internal"
