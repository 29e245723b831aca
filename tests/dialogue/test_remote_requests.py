"""Requests to a home whose store is on a server: the same as at home, in few round trips, and honest when it fails."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest

from engine.dialogue.assistant import Consent
from engine.dialogue.requests import journal
from engine.errors import QueryError, StoreError
from engine.graph import queries
from engine.graph.embedded import EmbeddedStore
from engine.graph.queries import Query
from engine.graph.remote.store import RemoteStore
from engine.graph.terms import STATE, BlankNode
from engine.model.outcome import Outcome, Status
from tests.dialogue.conftest import engine_on
from tests.dialogue.talks import BEGAN, Talk
from tests.stores import Servers

MOST = 5
"""Round trips of a request."""
REMOTE = ("oxigraph", pytest.param("virtuoso", marks=pytest.mark.virtuoso))
EVERY = ("oxigraph", "unmirrored", pytest.param("virtuoso", marks=pytest.mark.virtuoso))
REQUESTS = {
    "an order": "turn on the pantry light",
    "a value": "set the floor lamp to 30 percent",
    "it is so": "turn on the kitchen light",
    "a question": "is the front door locked?",
    "a count": "how many lights are on?",
    "a room": "turn off all the lights in the kitchen",
    "everything": "turn on all the lights",
    "several": "open the study blinds halfway, turn the study heater up two degrees and turn off the kitchen light",
    "in part": "turn on the garage light and the disco ball",
    "impossible": "switch on the disco ball",
    "no such room": "turn on the light in the ballroom",
    "out of range": "set the fridge to 40 degrees",
    "for a time": "turn the study heater on for ten minutes",
    "vague": "it is too dark in here",
}


@pytest.fixture(scope="module")
def at_home() -> Iterator[Talk]:
    """The house in memory, of which the same is asked."""
    with EmbeddedStore.open(None) as store:
        yield Talk(engine_on(store, "house.ttl"), "http://house.example/things/")


@pytest.fixture(scope="module", params=EVERY)
def away(request: pytest.FixtureRequest, servers: Servers) -> Talk:
    """The house on a server."""
    store = servers.fresh(f"{request.param}-requests")
    house = Talk(engine_on(store, "house.ttl"), "http://house.example/things/")
    house.ask("is the front door locked?")  # the words of the home are read here, once
    return house


def told(outcome: Outcome) -> tuple[Any, ...]:
    """What a person sees of an outcome."""
    actions = sorted((a.affordance, str(a.payload), a.outcome) for a in outcome.actions)
    changes = sorted((c.property, str(c.before), str(c.after)) for c in outcome.changes)
    return outcome.status, outcome.reason, sorted(outcome.reply.split()), actions, changes


@pytest.mark.parametrize("kind", REQUESTS)
def test_what_comes_of_a_request_is_the_same_and_takes_few_round_trips(away: Talk, at_home: Talk, kind: str) -> None:
    away.begin()
    at_home.begin()
    store = away.engine.store
    assert isinstance(store, RemoteStore)
    before = store.round_trips
    outcome = away.ask(REQUESTS[kind], location=None)
    taken = store.round_trips - before
    assert told(outcome) == told(at_home.ask(REQUESTS[kind]))
    if store.mirrored:
        assert taken <= MOST, f"{taken} round trips for {REQUESTS[kind]!r}"
    said = [quad for quad in store.graph(STATE) if quad.predicate.value.endswith("#value")]
    assert len(said) == len(away.engine.state), "each value once"


def test_consent_takes_few_round_trips_too(away: Talk) -> None:
    away.begin()
    store = away.engine.store
    assert isinstance(store, RemoteStore)
    proposed = away.ask("turn on all the lights", consent=Consent.ASK)
    assert proposed.status is Status.PROPOSED
    assert proposed.plan is not None
    before = store.round_trips
    assert away.engine.assistant.consent(proposed.plan.iri).status is Status.DONE
    if store.mirrored:
        assert store.round_trips - before <= MOST


def test_the_journal_is_asked_and_swept_on_the_server(away: Talk) -> None:
    away.begin()
    store, day = away.engine.store, timedelta(days=1)
    journal.forget(store, BEGAN + day)
    away.engine.set_now(BEGAN + timedelta(hours=1))
    away.ask("set the floor lamp to 30 percent")
    away.engine.set_now(BEGAN + day)
    away.ask("turn on the pantry light")
    second, first = journal.latest(store, since=BEGAN, before=BEGAN + 2 * day)
    assert (first.text, first.status) == ("set the floor lamp to 30 percent", "done")
    assert sorted(first.changes) == [
        (away.prop("floor-lamp#brightness"), 40, 30),
        (away.prop("floor-lamp#state"), "off", "on"),
    ]
    journal.forget(store, BEGAN + timedelta(hours=2))
    assert journal.latest(store, since=BEGAN, before=BEGAN + 2 * day) == (second,)


def test_every_query_gives_on_the_server_what_it_gives_here(away: Talk, monkeypatch: pytest.MonkeyPatch) -> None:
    store = away.engine.store
    assert isinstance(store, RemoteStore)
    if not store.mirrored:
        pytest.skip("without a mirror every query is asked there anyway")
    asked, unlike = set[str](), list[str]()
    _listen(store, monkeypatch, asked, unlike)
    away.begin()
    store.generation += 1  # so that all that is kept is read again
    for text in REQUESTS.values():
        away.ask(text)
    assert {"environment/by_command", "language/words", "language/exists", "things/documents"} <= asked
    if store.promises.evaluates:
        assert not unlike, Counter(unlike)
    else:
        assert set(unlike) < asked, "the store said so, and all else is as it should be"
        assert not [name for name in unlike if name.startswith(("dialogue/", "things/"))]


def _listen(store: RemoteStore, monkeypatch: pytest.MonkeyPatch, asked: set[str], unlike: list[str]) -> None:
    """Asks the server, too, whenever something is asked, and notes where it gives something else."""

    def select(query: str | Query, **values: Any) -> Any:
        found = queries.load(query) if isinstance(query, str) else query
        values = {name: list(v) if isinstance(v, Iterator) else v for name, v in values.items()}
        here = RemoteStore.select(store, found, **values)
        store.flush()
        there = [tuple(row) for row in store._server.query(found.bind(**values))]  # type: ignore[union-attr]
        asked.add(found.name)
        if _comparable(here) != _comparable(there):
            unlike.append(found.name)
        return here

    monkeypatch.setattr(store, "select", select)


def _comparable(rows: Any) -> Any:
    """Rows whose order does not matter, nor what blank nodes are called."""
    return Counter(tuple("_" if isinstance(term, BlankNode) else str(term) for term in row) for row in rows)


def test_a_store_that_fails_in_the_middle_of_a_request_is_told_and_nothing_is_half_done(
    servers: Servers, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = servers.fresh("oxigraph-requests")
    assert isinstance(store, RemoteStore)
    house = Talk(engine_on(store, "house.ttl"), "http://house.example/things/")
    change, calls = store._server.change, []

    def failing(*arguments: Any) -> None:
        calls.append(arguments)
        if len(calls) == 2:  # the run, after what was understood
            raise QueryError("The disk is full.")
        change(*arguments)

    monkeypatch.setattr(store._server, "change", failing)
    with pytest.raises(StoreError) as caught:
        house.ask("turn on the pantry light")
    assert "The disk is full" in str(caught.value)
    monkeypatch.undo()
    outcome = house.ask("is the pantry light on?")
    assert outcome.status is Status.ANSWERED
    assert house["pantry-light#state"] == "off", "what the store does not have is not here either"
    assert house.ask("turn on the pantry light").status is Status.DONE
    stored = [str(quad.object) for quad in store.graph(STATE) if "pantry-light#properties/state" in str(quad.subject)]
    assert '"on"' in stored
