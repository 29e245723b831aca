""" "Why?" in words: answered from the journal, about what was said just before."""

from __future__ import annotations

import pytest

from engine.dialogue.explaining.why import why
from engine.language.questions.explanations import is_why
from engine.model.outcome import Status
from tests.dialogue.talks import Talk


@pytest.mark.parametrize(
    "text",
    [
        "why?",
        "Why did you do that?",
        "but why",
        "and why is that?",
        "How come?",
        "why didn't you do it?",
        "tell me why",
    ],
)
def test_it_is_asked_why(text: str) -> None:
    assert is_why(text)


@pytest.mark.parametrize(
    "text", ["why is the kitchen light on?", "turn it on", "what for a lamp is that", "did you do that?"]
)
def test_something_else_is_asked(text: str) -> None:
    assert not is_why(text)


@pytest.mark.parametrize("first", ["turn on the pantry light", "turn on the pantry sauna", "is the garage door open?"])
def test_why_is_answered_as_by_the_button(house: Talk, first: str) -> None:
    engine = house.engine
    done = engine.ask(first, consent=True, conversation="why")
    before = dict(engine.values())
    told = engine.ask("why did you do that?", conversation="why")
    assert told.status is Status.ANSWERED
    assert told.answer is not None
    assert told.answer.text == told.reply == why(engine.store, engine.registry, done.request)
    assert first in told.reply
    assert dict(engine.values()) == before
    again = engine.ask("and why?", conversation="why")
    assert again.reply == told.reply


def test_a_plan_still_waits_for_consent_when_it_was_asked_why(house: Talk) -> None:
    engine = house.engine
    assert engine.ask("turn on the pantry light", conversation="wait").status is Status.PROPOSED
    assert "pantry light" in engine.ask("why?", conversation="wait").reply
    assert engine.ask("yes", conversation="wait").status is Status.DONE


def test_there_is_nothing_to_explain_at_the_beginning(house: Talk) -> None:
    assert house.engine.ask("why?", conversation="fresh").status is not Status.ANSWERED


def test_after_why_the_conversation_goes_on_from_what_was_said_before(house: Talk) -> None:
    engine = house.engine
    engine.ask("turn on the pantry light", consent=True, conversation="on")
    engine.ask("why?", conversation="on")
    off = engine.ask("turn it off again", consent=True, conversation="on")
    assert [change.after for change in off.changes] == ["off"]
