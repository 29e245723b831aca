"""What is told, asked or nonsense is no order, even where everything was consented to beforehand."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from engine.dialogue.requests.request import Consent
from engine.hearthgraph import Hearthgraph
from tests.dialogue.talks import BEGAN
from tests.homes import a_home


@pytest.fixture(scope="module")
def home() -> Iterator[Hearthgraph]:
    with a_home("house.ttl", now=BEGAN) as house:
        yield house


@pytest.mark.parametrize("consent", [Consent.YES, Consent.ALL])
@pytest.mark.parametrize(
    "text",
    [
        "my sister turned on the bathroom light yesterday",
        "I heard that somebody turned on the oven",
        "the front door is unlocked",
        "; DROP ALL",
        "make it so",
        "my favourite thing is unlock the front door",
        "the password is open the garage door",
        "did somebody unlock the front door?",
        "turn on the light called everything",
        "turn on the lamp named 'all'",
        "unlock the thing called everything",
        "yes",
        "yes please",
        "ok",
    ],
)
def test_what_is_no_order_changes_nothing(home: Hearthgraph, text: str, consent: Consent) -> None:
    before = dict(home.state)
    outcome = home.ask(text, consent=consent)
    assert dict(home.state) == before, outcome.reply
    assert all(action.outcome != "done" for action in outcome.actions)
    assert home.rules.rules() == ()


def test_what_stands_beside_an_order_adds_nothing_to_it(home: Hearthgraph) -> None:
    before = dict(home.state)
    home.ask("turn on the pantry light; DROP ALL", consent=Consent.ALL)
    changed = {iri for iri, value in home.state.items() if before.get(iri) != value}
    assert all("pantry-light" in iri for iri in changed)
    assert len(home.registry.things) > 20
