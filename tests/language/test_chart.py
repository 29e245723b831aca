"""The reader accounts for every word, skips no operator, and does nothing that nobody asked for."""

from __future__ import annotations

import string
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine import settings as configuration
from engine.dialogue.requests.request import Consent
from engine.hearthgraph import Hearthgraph
from engine.language.chart.goals.search import readings
from engine.language.chart.heard.items import OPERATORS, function_words
from engine.language.chart.heard.taking import items_of
from engine.language.chart.joining.sentence import Sentence
from engine.language.chart.judging.reader import model
from engine.language.meanings.context import Context
from engine.language.words.tokens import tokenize
from engine.model.outcome import Outcome, Status

HOUSE = Path(__file__).resolve().parents[2] / "data" / "house.ttl"
WORDS = [
    "turn", "on", "off", "the", "a", "all", "every", "light", "lights", "lamp", "kitchen", "bedroom", "fan", "to",
    "40", "percent", "by", "10", "and", "then", ",", ".", "not", "if", "when", "unless", "except", "but", "is",
    "are", "how", "many", "which", "brightest", "above", "below", "50", "it", "them", "there", "please", "dim",
    "lower", "brightness", "open", "close", "blinds", "curtain", "at", "seven", "every", "day", "for", "ten",
    "minutes", "because", "i", "am", "cold", "zork", "warmer", "than", "no", "wait", "only", "without",
]  # fmt: skip


@pytest.fixture(scope="module")
def house() -> Iterator[Hearthgraph]:
    settings_of_it = configuration.load(live=False, experience=False)
    with Hearthgraph.open(None, now=datetime(2026, 5, 14, 18, 20, tzinfo=UTC), settings=settings_of_it) as engine:
        engine.load([HOUSE])
        engine.assistant.refresh()
        yield engine


def asked(house: Hearthgraph, text: str) -> Outcome:
    """What would come of a request; nothing is carried out."""
    return house.ask(text, consent=Consent.PLAN)


def changes(outcome: Outcome) -> list[str]:
    """The actions that a request comes to."""
    return [action.affordance for action in outcome.actions]


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(words=st.lists(st.sampled_from(WORDS) | st.text(string.ascii_lowercase, min_size=1, max_size=6), max_size=12))
def test_spans_and_skips_together_are_all_tokens_of_every_reading(context: Context, words: list[str]) -> None:
    tokens = tokenize(" ".join(words))
    if not tokens:
        return
    known = function_words(context.store)
    items = items_of(tokens, context.dictionary, known)
    sentence = Sentence(tokens, context.dictionary.lexicon, known.heard, {})
    for reading in readings(sentence, items, model()["weights"]):
        ends = [0]
        for start, end, _ in reading.account:
            assert start == ends[-1]
            ends.append(end)
        assert ends[-1] == len(tokens)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(words=st.lists(st.sampled_from(WORDS), min_size=1, max_size=10))
def test_no_operator_is_ever_a_skipped_word(context: Context, words: list[str]) -> None:
    tokens = tokenize(" ".join(words))
    known = function_words(context.store)
    items = items_of(tokens, context.dictionary, known)
    operators = {
        place for place, found in enumerate(items) if any(i.sort in OPERATORS and i.length == 1 for i in found)
    }
    sentence = Sentence(tokens, context.dictionary.lexicon, known.heard, {})
    for reading in readings(sentence, items, model()["weights"]):
        assert not operators & {start for start, end, part in reading.account if part == "skipped"}


@pytest.mark.parametrize(
    "text",
    [
        "my sister turned on the bathroom light yesterday",
        "I heard that somebody turned on the oven",
        "the front door is unlocked",
        "; DROP ALL",
        "they said the oven is on",
        "my brother opened the garage door",
        "make it so",
    ],
)
def test_what_is_told_or_names_nothing_is_no_order(house: Hearthgraph, text: str) -> None:
    assert changes(asked(house, text)) == []


@pytest.mark.parametrize(
    "text",
    [
        "turn on the kitchen light when I open the fridge",
        "once the oven is done, turn on the range hood",
        "wait 5 minutes and turn off the kitchen light",
        "turn off the kitchen light whenever nobody is in the hall",
        "if the study gets above 26 degrees, turn on the study fan",
        "every weekday at seven open the study blinds",
        "turn on the bathroom light unless somebody is in the hall",
    ],
)
def test_nothing_under_when_if_once_until_or_at_is_done_now(house: Hearthgraph, text: str) -> None:
    outcome = asked(house, text)
    assert outcome.status in (Status.SCHEDULED, Status.REFUSED, Status.CLARIFY, Status.PROPOSED)
    assert outcome.status is not Status.DONE


@pytest.mark.parametrize(
    ("text", "sign"),
    [
        ("lower volume of the living room speaker by 10", -1),
        ("raise volume of the living room speaker by 10", 1),
        ("lower temperature in the study by 2", -1),
        ("raise temperature in the study by 2", 1),
        ("decrease the volume of the living room speaker by 5", -1),
        ("increase the volume of the living room speaker by 5", 1),
    ],
)
def test_more_is_more_and_less_is_less(house: Hearthgraph, text: str, sign: int) -> None:
    plan = asked(house, text).plan
    assert plan is not None
    for step in plan.steps:
        for iri, value in step.expected:
            before = house.state.get(iri)
            if isinstance(before, int | float) and not isinstance(before, bool) and isinstance(value, int | float):
                assert (value - before) * sign > 0


@pytest.mark.parametrize(
    "text",
    [
        "is the kitchen light on?",
        "how many lights are on?",
        "which windows are open?",
        "has the front door been locked?",
        "what is the temperature in the study?",
        "are any lights still on upstairs?",
    ],
)
def test_a_question_never_acts(house: Hearthgraph, text: str) -> None:
    assert changes(asked(house, text)) == []


@pytest.mark.parametrize(
    "said", ["colourless green ideas ", "no, turn off the lamp, ", "everywhere else, in the study, "]
)
def test_nonsense_is_read_in_bounded_time(house: Hearthgraph, said: str) -> None:
    outcome = asked(house, said * (3500 // len(said)))
    assert changes(outcome) == []


@pytest.mark.parametrize(
    "text",
    [
        "the oven, is it on",
        "desk lamp is it still going",
        "the front door did we lock it",
        "so that washing machine, is it running right now?",
        "which blinds are open and are they all the way up",
        "the blinds did anyone close them",
        "has it finished, the dishwasher, or is it still working",
    ],
)
def test_a_verb_before_its_subject_asks_and_does_nothing(house: Hearthgraph, text: str) -> None:
    assert not changes(asked(house, text))


@pytest.mark.parametrize(
    ("text", "thing"),
    [
        ("switch on the light called pantry", "pantry-light"),
        ("please turn on the light that we call desk", "desk-lamp"),
        ("light up the lamp called floor", "floor-lamp"),
    ],
)
def test_what_a_thing_is_said_to_be_called_is_part_of_its_name(house: Hearthgraph, text: str, thing: str) -> None:
    assert all(f"/{thing}#" in one for one in changes(asked(house, text)))
    assert changes(asked(house, text))


@pytest.mark.parametrize(
    "text", ["turn on the light called everything", "switch off the fan named zork", "open the blind called all"]
)
def test_a_thing_that_nothing_is_called_is_not_operated(house: Hearthgraph, text: str) -> None:
    assert changes(asked(house, text)) == []


@pytest.mark.parametrize(
    "text",
    [
        "should I open the study blinds?",
        "shall I turn off the heater in the study?",
        "do we usually have the desk lamp at 44?",
        "did we close the garage door?",
        "should I open the study blinds or close them?",
    ],
)
def test_who_asks_what_they_should_do_or_did_orders_nothing(house: Hearthgraph, text: str) -> None:
    outcome = asked(house, text)
    assert changes(outcome) == []
    assert outcome.status is not Status.SCHEDULED
