"""What a person said of a reading that was not sure holds for their words from then on."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from engine import settings as configuration
from engine.dialogue.people.forgetting import forget_person
from engine.hearthgraph import Hearthgraph
from engine.language.chart.judging.reader import model
from engine.memory.kept import readings
from engine.model.outcome import Outcome, Status

HOUSE = Path("data/house.ttl")


@pytest.fixture
def home(monkeypatch: pytest.MonkeyPatch) -> Iterator[Hearthgraph]:
    """A home in which no reading is sure enough to be done unasked."""
    for name in ("act", "accounted"):
        monkeypatch.setitem(model()["thresholds"], name, 1.0)
    with Hearthgraph.open(None, settings=configuration.load(live=False)) as engine:
        engine.load([HOUSE])
        yield engine


def ask(home: Hearthgraph, text: str, user: str | None = "ada") -> Outcome:
    return home.ask(text, consent=True, user=user)


def plan_of(outcome: Outcome) -> str:
    assert outcome.plan is not None
    return outcome.plan.iri


def test_who_said_yes_is_not_asked_again(home: Hearthgraph) -> None:
    first = ask(home, "dim the kitchen light to 40 percent")
    assert (first.status, first.reason) == (Status.PROPOSED, "not_sure")
    home.assistant.consent(plan_of(first))
    assert ask(home, "dim the desk lamp to 30 percent").status is Status.DONE
    assert ask(home, "kitchen light to 30 percent please").reason == "not_sure"


def test_another_number_in_the_same_words_is_no_other_reading(home: Hearthgraph) -> None:
    home.assistant.consent(plan_of(ask(home, "dim the kitchen light to 40 percent")))
    assert ask(home, "dim the kitchen light to 25 percent").status is Status.DONE


def test_what_somebody_declined_is_not_proposed_to_them_again(home: Hearthgraph) -> None:
    declined = ask(home, "dim the kitchen light to 40 percent")
    home.assistant.decline(plan_of(declined))
    again = ask(home, "dim the kitchen light to 40 percent")
    assert again.plan is None or again.reply != declined.reply


def test_what_one_person_said_holds_for_nobody_else(home: Hearthgraph) -> None:
    home.assistant.consent(plan_of(ask(home, "dim the kitchen light to 40 percent")))
    assert ask(home, "dim the desk lamp to 30 percent", "bob").reason == "not_sure"
    assert ask(home, "dim the desk lamp to 30 percent", None).reason == "not_sure"


def test_it_is_counted_and_forgotten_with_the_person(home: Hearthgraph) -> None:
    home.assistant.consent(plan_of(ask(home, "dim the kitchen light to 40 percent")))
    (kept,) = readings.all_of(home.store)
    assert (kept.user, kept.agreed, kept.declined) == ("ada", 1, 0)
    assert "kitchen" not in kept.shape
    forget_person(home.store, home.assistant.experience, home.registry.vocabulary, "ada")
    assert readings.all_of(home.store) == ()
    assert ask(home, "dim the desk lamp to 30 percent").reason == "not_sure"


def test_what_was_said_of_one_reading_is_forgotten_alone(home: Hearthgraph) -> None:
    home.assistant.consent(plan_of(ask(home, "dim the kitchen light to 40 percent")))
    home.assistant.consent(plan_of(ask(home, "dim the kitchen light to 50 percent", "bob")))
    assert readings.forget(home.store, "Bob") == 1
    assert [one.user for one in readings.all_of(home.store)] == ["ada"]
