"""Very long requests, words said twice, and a room and a lamp whose names are words of grammar: what is not understood
is said or asked about, and nothing else is touched."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.errors import InputError
from engine.hearthgraph import Hearthgraph
from engine.model.outcome import Outcome, Status
from tests.homes import a_home

LAMPS = ("hallway light", "kitchen light", "desk lamp", "floor lamp", "bathroom light", "landing light", "garage light")


@pytest.fixture(scope="module")
def odd(tmp_path_factory: pytest.TempPathFactory, repository: Path) -> Iterator[Hearthgraph]:
    """The house, with a room called "when" and a lamp called "not mine"."""
    text = (repository / "data" / "house.ttl").read_text(encoding="utf-8")
    for old, new in (("guest room lamp", "not mine"), ("pantry", "when")):
        assert f'"{old}"@en' in text
        text = text.replace(f'"{old}"@en', f'"{new}"@en')
    file = tmp_path_factory.mktemp("odd") / "odd.ttl"
    file.write_text(text, encoding="utf-8")
    with a_home(file, now="2026-03-02T12:00:00+00:00") as home:
        yield home


def asked(home: Hearthgraph, text: str) -> tuple[Outcome, set[str]]:
    """What came of a request, and which things changed; the home is then as it was before."""
    before = dict(home.state.snapshot())
    outcome = home.ask(text, consent=True, conversation=text[:80])
    home.rules.clear()
    home.state.write({iri: before.get(iri) for iri in {*before, *home.state.snapshot()}})
    return outcome, {change.artifact.rpartition("/")[2] for change in outcome.changes}


def test_of_twenty_orders_in_three_hundred_words_only_what_is_ordered_is_done(odd: Hearthgraph) -> None:
    because = "because I would rather have it that way just now"
    said = (f"please {('turn off', 'turn on')[n % 2]} the {LAMPS[n % len(LAMPS)]} {because}" for n in range(20))
    text = ", and then ".join(said)
    assert len(text.split()) > 300
    outcome, changed = asked(odd, text)
    assert changed <= {lamp.replace(" ", "-") for lamp in LAMPS}
    assert outcome.reply


def test_a_word_that_is_said_twice_is_one(odd: Hearthgraph) -> None:
    outcome, changed = asked(odd, "turn turn on the the desk desk lamp lamp")
    assert (outcome.status, changed) == (Status.DONE, {"desk-lamp"})


@pytest.mark.parametrize(
    "text",
    ["turn on the light in the when", "turn on the not mine", "turn off the not mine lamp", "is the not mine on?"],
)
def test_names_that_are_words_of_grammar_lead_to_nothing_else(odd: Hearthgraph, text: str) -> None:
    outcome, changed = asked(odd, text)
    assert changed <= {"guest-lamp", "pantry-light"}
    assert outcome.status is not Status.DONE or changed


def test_such_names_do_not_take_the_words_from_others(odd: Hearthgraph) -> None:
    outcome, changed = asked(odd, "turn on the desk lamp when the bathroom light is on")
    assert (outcome.status, changed) == (Status.SCHEDULED, set())
    outcome, changed = asked(odd, "do not turn on the desk lamp")
    assert (outcome.reason, changed) == ("nothing_to_do", set())


@pytest.mark.parametrize("text", ["lorem ipsum dolor " * 3400, "xyzzy " * 10000])
def test_ten_thousand_words_of_nonsense_are_refused_and_not_read(odd: Hearthgraph, text: str) -> None:
    with pytest.raises(InputError):
        odd.ask(text)


def test_as_much_nonsense_as_a_request_may_have_comes_to_nothing(odd: Hearthgraph) -> None:
    outcome, changed = asked(odd, ("Quark blubb und xyzzy lorem " * 140)[:3990])
    assert (outcome.status, changed) == (Status.REFUSED, set())
