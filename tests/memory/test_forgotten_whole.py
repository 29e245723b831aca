"""Who is forgotten is forgotten however their name is written, and owns no rule any more; in three homes."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.dialogue.people.forgetting import forget_everywhere
from engine.model.outcome import Status
from tests.memory.playing import playing

SAID = (
    "My favourite team is the Zorblax Rovers",
    "I usually have the {lamp} at 35 percent",
    "the {lamp} as I always have it",
    "every day at eight turn on the {light}",
    "remind me at nine to call the zorblax dentist",
    "turn off the {light}",
)


@pytest.mark.parametrize("place", ["house", "mill", "gull"])
@pytest.mark.parametrize("forgotten", ["mckay", "MCKAY", "in words"])
def test_nothing_is_left_of_who_is_forgotten(place: str, forgotten: str, tmp_path: Path) -> None:
    with playing(place) as played:
        for text in SAID:
            assert played.say(text, "McKay").status is not Status.REFUSED, text
        played.at("+1 09:30")
        played.say("turn on the {light}", "Kim")
        played.home.store.dump(tmp_path / "before.nq")
        before = (tmp_path / "before.nq").read_text(encoding="utf-8").casefold()
        assert "mckay" in before
        assert "zorblax" in before
        if forgotten == "in words":
            assert "forgotten all" in played.say("forget everything about me", "McKay").reply
        else:
            home = played.home
            experience, vocabulary = home.assistant.experience, home.registry.vocabulary
            assert forget_everywhere(home.store, experience, vocabulary, home.rules, forgotten) == 2
        played.home.store.dump(tmp_path / "after.nq")
        after = (tmp_path / "after.nq").read_text(encoding="utf-8").casefold()
        assert "mckay" not in after
        assert "zorblax" not in after
        assert [entry.rule.owner for entry in played.home.rules.rules()] == [None], "it is the home's from now on"
        played.at("+1 08:01")
        played.home.store.dump(tmp_path / "later.nq")
        assert "mckay" not in (tmp_path / "later.nq").read_text(encoding="utf-8").casefold()
