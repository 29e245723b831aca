"""Sentences into goals: what clauses share, and what belongs to whom."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from engine.language.phrases.coordination import Goal

Read = Callable[[str], list[Goal]]


def shape(goal: Goal) -> tuple[str, str, tuple[str, ...], tuple[float | str, ...]]:
    """Verb, noun, places and amounts of a goal."""
    noun = goal.noun.text if goal.noun else ""
    amounts = tuple(a.number if a.number is not None else a.text for a in goal.amounts)
    return goal.verb, noun, tuple(p.text for p in goal.places), amounts


CASES = [
    ("turn on the lamp and the fan in the study", [("turn on", "lamp", ("study",)), ("turn on", "fan", ("study",))]),
    ("in the study, fan on and blinds down", [("", "fan", ("study",)), ("", "blinds", ("study",))]),
    ("turn the lamp in the kitchen off", [("turn off", "lamp", ("kitchen",))]),
    ("turn the lights on the balcony off", [("turn off", "lights", ("balcony",))]),
    ("kitchen, hallway and bathroom lights off", [("", "lights", ("kitchen",)), ("", "lights", ("hallway",))]),
]


@pytest.mark.parametrize(("text", "expected"), CASES)
def test_rooms_and_verbs_are_shared(
    goals_of: Read, text: str, expected: list[tuple[str, str, tuple[str, ...]]]
) -> None:
    assert [shape(goal)[:3] for goal in goals_of(text)][: len(expected)] == expected


@pytest.mark.parametrize(
    ("text", "amounts"),
    [
        ("set the lamp and the spotlight to 40 and 60 respectively", [(40.0,), (60.0,)]),
        ("set the lamp, the spotlight and the strip to 40", [(40.0,), (40.0,), (40.0,)]),
        ("lamp to 20; spotlight to 30", [(20.0,), (30.0,)]),
        ("set the lamp to 40, the spotlight to 50", [(40.0,), (50.0,)]),
    ],
)
def test_values_go_to_their_own_or_to_all(goals_of: Read, text: str, amounts: list[tuple[float, ...]]) -> None:
    assert [shape(goal)[3] for goal in goals_of(text)] == amounts


def test_a_pronoun_refers_to_the_noun_before(goals_of: Read) -> None:
    first, second = goals_of("turn on the lamp and set it to 40")
    assert first.noun is not None
    assert second.noun == first.noun or second.antecedent == first.noun


def test_a_full_verb_is_not_inherited(goals_of: Read) -> None:
    _, second = goals_of("silence the TV; sprinkler on")
    assert second.verbs == ()


def test_the_manner_says_what_is_really_to_be_done(goals_of: Read) -> None:
    (goal,) = goals_of("open the curtains by increasing their opening by 30 percent")
    assert goal.verb == "increasing"
    assert goal.noun is not None
    assert goal.noun.text == "curtains"


def test_a_dash_inside_a_word_is_no_pause(goals_of: Read) -> None:
    assert len(goals_of("set the fan to auto-swing")) == 1


def test_time_words_are_taken_out(goals_of: Read) -> None:
    (goal,) = goals_of("turn the fan on for ten minutes")
    assert goal.when.duration == 600
    (goal,) = goals_of("in half an hour, turn off the lamp")
    assert goal.when.after == 1800
    (goal,) = goals_of("turn on the heater at half past seven pm")
    assert goal.when.at == "19:30"


def test_a_question_is_one(goals_of: Read) -> None:
    assert goals_of("is the lamp on?")[0].question
    assert not goals_of("could you turn the lamp on?")[0].question
