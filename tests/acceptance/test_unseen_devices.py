"""Devices that nobody has foreseen work by what their file says of them (DESIGN, Knowledge): no Python is needed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.dialogue.assistant import Consent
from engine.graph.terms import PLACES, NamedNode
from engine.hearthgraph import Hearthgraph
from engine.model.outcome import Outcome, Status

HOME = Path(__file__).resolve().parent / "homes" / "orangery.ttl"
THINGS = "https://orangery.example/"
BASE = "https://orangery.example/terms#"


@pytest.fixture(scope="module")
def _orangery() -> Iterator[Hearthgraph]:
    with Hearthgraph.open(None) as home:
        (report,) = home.load([HOME])
        assert report.warnings == ()
        yield home


@pytest.fixture
def orangery(_orangery: Hearthgraph) -> Hearthgraph:
    begin = {"skylight#shade": 50, "fogger#density": 2, "fogger#perfume": "none", "hygrometer#dampness": 30}
    _orangery.state.write({prop(path): value for path, value in begin.items()})
    return _orangery


def prop(path: str) -> str:
    return THINGS + path.replace("#", "#properties/")


def ask(home: Hearthgraph, text: str, path: str, consent: Consent = Consent.ALL) -> tuple[Outcome, Any]:
    """What came of a request, and a property afterwards."""
    outcome = home.ask(text, consent=consent)
    return outcome, home.state.get(prop(path))


SETTINGS: list[tuple[str, str, Any]] = [
    # the skylight of the design, which counts how far it is shut, from 0 to 50, in no unit
    ("open the skylight", "skylight#shade", 0),
    ("open the roof hatch halfway", "skylight#shade", 25),
    ("set the skylight to 40 percent", "skylight#shade", 30),
    ("open the lucarne in the winter garden to 80 percent", "skylight#shade", 10),
    ("close all the skylights", "skylight#shade", 50),
    # a kind of its own, set by a command of its own, by a synonym, in percent of its range and as it stands
    ("befog the fogger at 50 percent", "fogger#density", 5),
    ("set the fog density of the fogger to 70 percent", "fogger#density", 7),
    ("set the fogginess of the mister to 7", "fogger#density", 7),
    ("set the fog cannon to the maximum", "fogger#density", 10),
    # a verb that is relative, by the step of the kind
    ("thicken the fogger", "fogger#density", 2.5),
    # commands with effects of their class, and with one of the thing's own, which goes before it
    ("engulf the orangery", "fogger#density", 10),
    ("smother the winter garden", "fogger#density", 10),
    ("disperse the fogger", "fogger#density", 1),
    # a state word and a named value
    ("make the fogger soupy", "fogger#density", 10),
    ("set the perfume to bergamot", "fogger#perfume", "bergamot_oil"),
    ("set the fogger to bergamot", "fogger#perfume", "bergamot_oil"),
]


@pytest.mark.parametrize(("text", "path", "value"), SETTINGS, ids=[text for text, *_ in SETTINGS])
def test_it_is_set_in_words_that_its_file_brings(orangery: Hearthgraph, text: str, path: str, value: Any) -> None:
    outcome, present = ask(orangery, text, path)
    assert outcome.status is Status.DONE, outcome.reply
    assert present == value


def test_it_goes_back_after_a_time(orangery: Hearthgraph) -> None:
    outcome, present = ask(orangery, "open the skylight for ten minutes", "skylight#shade")
    assert (outcome.status, present) == (Status.DONE, 0)
    orangery.pass_time(600)
    assert orangery.state[prop("skylight#shade")] == 50


QUESTIONS: list[tuple[str, Any]] = [
    ("is the skylight open?", False),
    ("is the roof hatch closed?", True),
    ("is the fogger soupy?", False),
    ("what is the fog density?", 2),
    ("what is the dampness in the orangery?", 30),
]


@pytest.mark.parametrize(("text", "value"), QUESTIONS)
def test_it_is_asked_about(orangery: Hearthgraph, text: str, value: Any) -> None:
    outcome = orangery.ask(text)
    assert outcome.status is Status.ANSWERED, outcome.reply
    assert outcome.answer is not None
    assert outcome.answer.value == value


def test_it_is_named_by_its_own_words_in_what_is_said(orangery: Hearthgraph) -> None:
    assert "skylight" in ask(orangery, "open the lucarne", "skylight#shade")[0].reply
    refused = orangery.ask("turn on the mister", consent=True)
    assert (refused.status, refused.reason) == (Status.REFUSED, "no_such_command")
    assert "fogger" in refused.reply


def test_a_sensor_follows_the_influence_of_its_kind(orangery: Hearthgraph) -> None:
    _, dampness = ask(orangery, "set the fog density to 70 percent", "hygrometer#dampness")
    assert dampness == 50, "half of the range further up, of a gain of 40"


@pytest.mark.parametrize("text", ["engulf the orangery", "set the fog density to 100 percent", "make the fogger soupy"])
def test_what_its_file_says_would_be_regretted_is_asked(orangery: Hearthgraph, text: str) -> None:
    outcome, present = ask(orangery, text, "fogger#density", Consent.YES)
    assert (outcome.status, outcome.reason, present) == (Status.PROPOSED, "needs_consent", 2)


def test_what_is_less_is_not_asked(orangery: Hearthgraph) -> None:
    outcome, present = ask(orangery, "set the fog density to 50 percent", "fogger#density", Consent.YES)
    assert (outcome.status, present) == (Status.DONE, 5)


def test_out_of_its_range_is_refused(orangery: Hearthgraph) -> None:
    outcome, present = ask(orangery, "set the fog density to 140 percent", "fogger#density")
    assert (outcome.status, outcome.reason, present) == (Status.REFUSED, "value_out_of_range", 2)


def test_its_complaint_is_a_term_that_leads_to_what_could_help(orangery: Hearthgraph) -> None:
    """Which commands raise the dampness is derived from the complaint's variable and the influences; never listed."""
    kinds = orangery.registry.vocabulary.kinds
    helping = {
        prop.iri
        for prop in orangery.registry.properties.values()
        for kind in prop.kinds
        if kind in kinds and any(i.variable == BASE + "Dampness" and i.direction > 0 for i in kinds[kind].influences)
    }
    assert helping == {prop("fogger#density")}


def test_terms_are_kept_apart_from_the_home(orangery: Hearthgraph) -> None:
    described = {quad.subject for quad in orangery.store.graph(PLACES)}
    assert NamedNode(BASE + "Skylight") not in described
