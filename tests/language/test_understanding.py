"""Words into intents, on a whole house."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.graph.terms import compact
from engine.language.meanings.context import Context
from engine.language.understanding import understand
from engine.model.intent import Intent, Operation


def intents(text: str, context: Context) -> list[Intent]:
    return [intent for readings in understand(text, "urn:request", context) for intent in readings[0]]


@pytest.mark.parametrize(
    ("text", "kind", "value"),
    [
        ("set the kitchen ceiling light to 40 percent", "hg:Brightness", 40.0),
        ("bring the lounge blinds to a quarter", "hg:Position", "https://w3id.org/hearthgraph#Quarter"),
        ("living room air conditioner to 21 degrees", "hg:TargetTemperature", 21.0),
        ("make the living room AC two degrees warmer", "hg:TargetTemperature", 2.0),
        ("living room AC three degrees cooler", "hg:TargetTemperature", -3.0),
        ("put the living room AC at a temperature of 21", "hg:TargetTemperature", 21.0),
        ("open the kitchen blind to a degree of 40", "hg:Position", 40.0),
        ("turn the TV volume up by 5", "hg:Volume", 5.0),
    ],
)
def test_a_number_finds_its_property(context: Context, text: str, kind: str, value: object) -> None:
    intent = intents(text, context)[-1]
    assert intent.property is not None
    assert compact(intent.property) == kind
    assert intent.amount is not None
    assert intent.amount.value == value


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("turn on the light in the dungeon", "no_such_room"),
        ("turn on the disco ball", "no_such_device"),
        ("flurble the gnorp", "not_understood"),
        ("don't turn on the kitchen light", "nothing_to_do"),
        ("if it rains, close the blinds", "not_supported_yet"),
        ("every morning open the blinds", "not_supported_yet"),
        ("change the living room AC temperature", "missing_value"),
    ],
)
def test_what_is_missing_or_impossible_has_a_reason(context: Context, text: str, fault: str) -> None:
    assert intents(text, context)[0].fault == fault


def test_what_is_called_by_its_name_is_not_sought_in_the_room_before(context: Context) -> None:
    intent = intents("turn on the study light and open the front door", context)[-1]
    assert (intent.text, intent.selection.places) == ("open the front door", ())


@pytest.mark.parametrize("text", ["start the washing machine", "open the study blinds and start the washing machine"])
def test_a_command_ends_where_a_name_begins(context: Context, text: str) -> None:
    intent = intents(text, context)[-1]
    assert (intent.text, intent.fault) == ("start the washing machine", None)


@pytest.mark.parametrize("text", ["is the kitchen light on?", "are the lights on", "what's the study temperature?"])
def test_a_question_checks_and_never_sets(context: Context, text: str) -> None:
    assert all(intent.operation is Operation.CHECK for intent in intents(text, context))


def test_a_slip_is_corrected_but_never_turned_round(context: Context) -> None:
    assert intents("swtich on the kitchen lihgt", context)[0].fault is None
    off = intents("deactivate the kitchen light", context)[0]
    assert off.command is not None
    assert compact(off.command) == "hg:TurnOff"


def test_every_intent_carries_its_words(context: Context) -> None:
    found = intents("turn on the kitchen light and close the lounge blinds", context)
    assert ["kitchen light" in found[0].text, "blinds" in found[1].text] == [True, True]


@settings(max_examples=150, deadline=None)
@given(st.text(max_size=120))
def test_no_text_breaks_it(context: Context, text: str) -> None:
    assert understand(text, "urn:request", context)


WORDS = [
    "turn", "on", "the", "kitchen", "light", "and", "to", "40", "%", ",", "it", "all", "half", "by", "in", "blinds",
]  # fmt: skip


@settings(max_examples=150, deadline=None)
@given(st.lists(st.sampled_from(WORDS), max_size=14))
def test_no_heap_of_its_own_words_breaks_it(context: Context, words: list[str]) -> None:
    assert understand(" ".join(words), "urn:request", context)
