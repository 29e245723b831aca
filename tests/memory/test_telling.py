"""What people tell in a talk is kept and not acted upon, told to them alone, corrected, and forgotten whole."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from engine.dialogue.requests.request import Consent
from engine.graph.terms import MEMORY, REQUESTS
from engine.hearthgraph import Hearthgraph
from engine.memory.kept import diary, facts
from engine.model.fact import Statement
from engine.model.outcome import Outcome, Status
from engine.resources import folder

TOLD = [
    ("I always want the television at volume 20", Statement.SETTING),
    ("I usually have the floor lamp at 35 percent", Statement.SETTING),
    ("I normally sew with the desk lamp at 80 percent", Statement.ROUTINE),
    ("My favourite team is the Harbour Rovers", Statement.FREE),
    ("Our wedding day is the third of May", Statement.FREE),
    ("Ida likes the guest room lamp at 45 percent", Statement.SETTING),
    ("Ida loves crosswords", Statement.FREE),
    ("I always have porridge at eight", Statement.FREE),
]
NO_STATEMENT = ["turn on the pantry light", "is the oven on?", "it's too dark in here", "I'd like the pantry light on"]


@pytest.fixture(scope="module")
def home() -> Iterator[Hearthgraph]:
    with Hearthgraph.open(None, now=datetime.fromisoformat("2026-03-02T15:00:00+00:00")) as found:
        found.load([folder("data") / "house.ttl"])
        yield found


@pytest.fixture
def house(home: Hearthgraph) -> Iterator[Hearthgraph]:
    before = home.state.snapshot()
    home.store.write(clear=[MEMORY])
    facts.refresh(home.store)
    diary.refresh(home.store)
    yield home
    home.state.write(before)


def say(home: Hearthgraph, text: str, user: str | None = "Robin") -> Outcome:
    home.pass_time(1)
    return home.ask(text, user=user, consent=True)


@pytest.mark.parametrize(("text", "statement"), TOLD)
def test_a_statement_is_kept_and_nothing_is_done(text: str, statement: Statement, house: Hearthgraph) -> None:
    before = house.state.snapshot()
    outcome = say(house, text)
    assert outcome.status is Status.DONE
    assert house.state.snapshot() == before
    [fact] = facts.everyone(house.store)
    assert (fact.text, fact.statement) == (text, statement)
    assert fact.source.teller == "Robin"


@pytest.mark.parametrize("text", NO_STATEMENT)
def test_an_order_a_question_and_a_wish_are_no_statements(text: str, house: Hearthgraph) -> None:
    house.ask(text, user="Robin", location="pantry", consent=Consent.PLAN)
    assert facts.everyone(house.store) == ()


def test_what_was_told_is_used_later(house: Hearthgraph) -> None:
    say(house, "I usually have the floor lamp at 35 percent")
    outcome = say(house, "floor lamp as I always have it")
    assert "brightness 35" in outcome.reply
    assert "I usually have the floor lamp" in outcome.reply
    assert "brightness 35" not in say(house, "floor lamp as I always have it", "Kim").reply


def test_what_is_not_known_is_said_and_kept_when_it_is_told(house: Hearthgraph) -> None:
    assert "have not told me" in say(house, "what is my favourite team?").reply
    say(house, "My favourite team is the Harbour Rovers")
    assert "Harbour Rovers" in say(house, "what is my favourite team?").reply
    assert "Harbour" not in say(house, "what is my favourite team?", "Kim").reply


def test_who_said_it_is_corrected(house: Hearthgraph) -> None:
    say(house, "I usually have the floor lamp at 35 percent")
    assert "Ada" in say(house, "that was Ada, not me").reply
    assert [one.person for one in facts.everyone(house.store)] == ["Ada"]
    assert "floor lamp" not in say(house, "what do you know about me?").reply


def test_one_thing_is_forgotten_by_what_it_is_about(house: Hearthgraph) -> None:
    say(house, "I usually have the floor lamp at 35 percent")
    say(house, "My favourite team is the Harbour Rovers")
    assert "floor lamp" in say(house, "forget what I said about the floor lamp").reply
    assert [one.text for one in facts.everyone(house.store)] == ["My favourite team is the Harbour Rovers"]
    assert "nothing of that kind" in say(house, "forget what I said about the fan").reply


def test_after_forgetting_nothing_of_it_is_anywhere(tmp_path: Path) -> None:
    def dumped(home: Hearthgraph, name: str) -> str:
        home.store.dump(tmp_path / name)
        return (tmp_path / name).read_text(encoding="utf-8")

    with Hearthgraph.open(None, now=datetime.fromisoformat("2026-03-02T15:00:00+00:00")) as home:
        home.load([folder("data") / "house.ttl"])
        say(home, "turn on the pantry light", "Kim")
        for text in (
            "My favourite team is the Harbour Rovers",
            "I'm comfortable at 26",
            "I usually sew with the desk lamp at 33",
        ):
            assert say(home, text).status is Status.DONE
        say(home, "I'm going to do some sewing")
        say(home, "it's too cold in the study")
        before = dumped(home, "before.nq")
        assert "Harbour Rovers" in before
        assert "Robin" in before
        assert "forgotten all" in say(home, "forget everything about me").reply
        after = dumped(home, "after.nq")
        for word in ("Harbour", "Robin", "robin", "I'm comfortable", "I usually sew", "going to do some sewing"):
            assert word not in after
        assert "Kim" in after, "what others asked for stays"
        assert say(home, "what do you know about me?").reply == "I know nothing of you."
        assert not [one for one in home.assistant.experience.all() if one.taste]


def test_the_journal_never_has_the_words_of_what_is_told(house: Hearthgraph) -> None:
    say(house, "My favourite team is the Harbour Rovers")
    say(house, "what is my favourite team?")
    told = " ".join(str(quad.object) for quad in house.store.graph(REQUESTS))
    assert "Harbour" not in told
    assert "favourite" not in told


def test_what_usually_comes_next_is_told_with_its_numbers_and_not_done(house: Hearthgraph) -> None:
    start = house.clock.now()
    for day in range(1, 6):
        house.set_now(start + timedelta(days=7 * day))
        say(house, "turn on the pantry light")
        say(house, "close the garage door")
    house.set_now(start + timedelta(days=42))
    say(house, "turn off the pantry light")
    say(house, "turn on the pantry light")
    before = house.state.snapshot()
    offered = say(house, "what comes next?")
    assert "close" in offered.reply
    assert "unless you ask" in offered.reply
    why = say(house, "why do you suggest that?").reply
    assert "5 of 5 times" in why
    assert "habits" not in say(house, "what comes next?", "Kim").reply
    assert "not seen yet" in say(house, "what comes next?", "Kim").reply
    assert house.state.snapshot() == before


def test_what_is_corrected_three_evenings_running_is_proposed_and_used_only_after_leave(house: Hearthgraph) -> None:
    start = datetime.fromisoformat("2026-09-01T19:00:00+00:00")
    replies = []
    for day in range(3):
        house.set_now(start + timedelta(days=day))
        house.ask("set the floor lamp to 90", user="Kim", consent=True)
        replies.append(house.ask("set the floor lamp to 40", user="Robin", consent=True).reply)
    assert ["3 days running" in one for one in replies] == [False, False, True]
    assert facts.everyone(house.store) == ()
    assert "keep that in mind" in say(house, "keep that").reply
    [fact] = facts.everyone(house.store)
    assert (fact.person, fact.statement) == ("Robin", Statement.SETTING)
    house.ask("set the floor lamp to 90", user="Kim", consent=True)
    assert "brightness 40" in say(house, "floor lamp as I like it").reply
    assert "keep that in mind" not in say(house, "keep that", "Ida").reply, "hers were never proposed"
