"""How long it takes to recall what was told, to bring the digest of years up to date, and to ask a year's history."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from engine.dialogue.requests.request import Consent, Request
from engine.environment.past import Entry, Past
from engine.graph.embedded import EmbeddedStore
from engine.graph.store import GraphStore
from engine.graph.terms import Quad, expand
from engine.hearthgraph import Hearthgraph
from engine.memory.kept import diary, digests, facts
from engine.memory.recalled.recall import recall
from engine.model.fact import Fact, Occasion, Provenance, Statement
from engine.model.fact_rdf import fact_quads
from engine.model.intent import Amount, Intent, Measure
from engine.model.selection import Quantity, Select
from engine.resources import folder
from tests.benchmarks.figures import Figure, percentile, samples, seconds
from tests.benchmarks.homes import synthetic_home

TITLE = "What is remembered"
CASES = ("100000 facts of 50 people", "5 years of a diary", "a year of 135 devices")
NOW = datetime(2026, 11, 21, 20, tzinfo=UTC)
PEOPLE, EACH = 50, 2000
TEXTS = ("sewing time", "my usual for sewing", "the desk lamp as I like it")
TASKS = 8
KEPT_IN_FULL, HOURLY_DAYS, DAILY_DAYS = 100, 14, 351
LAMPS = Select(classes=(expand("hg:DeskLamp"),), quantity=Quantity.ALL)


def measure(case: str) -> list[Figure]:
    """The figures of a case; times in milliseconds unless they say otherwise."""
    if case.endswith("people"):
        return _facts()
    return _diary() if case.endswith("diary") else _history()


def _fact(person: int, number: int) -> Fact:
    amount = Amount(Measure.NUMBER, 20.0)
    goal = Intent("urn:g", "", selection=LAMPS, property=expand("hg:Brightness"), amount=amount)
    text = f"When I do task {number} I want the lamps at 20 percent"
    occasion = Occasion(words=(f"task{number}",))
    source = Provenance(f"P{person}", NOW - timedelta(days=1), text)
    return Fact(
        f"urn:f:{person}:{number}", f"P{person}", Statement.ROUTINE, source, occasion, (goal,), topics=("lamp",)
    )


def _facts() -> list[Figure]:
    with Hearthgraph.open(None, now=NOW) as home:
        home.load([folder("data") / "house.ttl"])
        for person in range(PEOPLE):
            home.store.write(insert=[quad for n in range(EACH) for quad in fact_quads(_fact(person, n))])
        own = _fact(0, 0)
        liked = replace(own, iri="urn:f:liked", statement=Statement.SETTING, occasion=Occasion())
        sewing = replace(own, iri="urn:f:sewing", occasion=Occasion(kinds=(expand("hg:Sewing"),)))
        home.store.write(insert=[quad for fact in (liked, sewing) for quad in fact_quads(fact)])
        facts.refresh(home.store)
        first = seconds(lambda: facts.heard_by(home.store, "P0"))

        def carried_out() -> None:
            reply = home.ask("sewing time", user="P0", consent=Consent.ALL).reply
            assert "That is what I was told" in reply, reply

        context = home.assistant.hearing(Request("sewing time", "urn:r", user="P0"))

        def recalled(text: str) -> list[float]:
            def once() -> None:
                known = facts.heard_by(home.store, "P0", NOW)
                assert len(known) == EACH + 2
                found = recall(text, "P0", known, "urn:r", NOW, context)
                assert found is not None
                assert found.facts

            return samples(once, 30)

        carried_out()
        figures = [Figure(f"the {EACH} facts of a person read for the first time", first, "s", 2.0)]
        figures += [Figure(f"“{text}” recalled (p50)", percentile(recalled(text), 0.5), "ms", 20.0) for text in TEXTS]
        whole = percentile(samples(carried_out, 30), 0.5)
        return [*figures, Figure("a request filled from them and carried out (p50)", whole, "ms")]


def _diary() -> list[Figure]:
    store = EmbeddedStore.open(None)
    days = 5 * 365
    start = NOW - timedelta(days=days)
    for day in range(days):
        _write(store, start + timedelta(days=day), day)
    added = samples(lambda: _write(store, NOW, days), 20)
    whole = samples(lambda: digests.of_all(store, "Robin"), 20)
    lines = digests.of_day(store, "Robin", (NOW - timedelta(days=1)).date())
    assert len(lines) == TASKS
    daily = samples(lambda: digests.of_day(store, "Robin", (NOW - timedelta(days=1)).date()), 20)
    diary.refresh(store)
    counted = seconds(lambda: diary.habits_of(store, "Robin")) * 1000
    return [
        Figure("a day's tasks added, counted and digested (p50)", percentile(added, 0.5), "ms", 20.0),
        Figure("the digest of a day (p50)", percentile(daily, 0.5), "ms", 20.0),
        Figure("the digest of five years (p50)", percentile(whole, 0.5), "ms", 20.0),
        Figure("habits counted anew from five years, once a process", counted, "ms"),
    ]


def _write(store: GraphStore, at: datetime, day: int) -> None:
    diary.record(store, "Robin", at, [f"task {(day + n) % 12}" for n in range(TASKS)], f"urn:r:{day}:{at.isoformat()}")


def _moments() -> list[datetime]:
    """When the changes that are kept of a year were, the oldest first: one a day, one an hour, the latest in full."""
    daily = [NOW - timedelta(days=HOURLY_DAYS + n) for n in range(DAILY_DAYS, 0, -1)]
    hourly = [NOW - timedelta(hours=17 + n) for n in range(24 * HOURLY_DAYS - 17, 0, -1)]
    return [*daily, *hourly, *(NOW - timedelta(minutes=10 * n) for n in range(KEPT_IN_FULL, 0, -1))]


def _history() -> list[Figure]:
    """Every property of the home changes every ten minutes: as much as can be kept of any."""
    things, quads = synthetic_home(135)
    moments = _moments()
    with tempfile.TemporaryDirectory() as directory:
        place = Path(directory) / "store"
        with Hearthgraph.open(place, now=NOW) as home:
            home.register(things, quads)
            for iri in home.registry.properties:
                home.store.write(insert=[q for n, at in enumerate(moments) for q in _change(iri, n, at)])
        size = sum(file.stat().st_size for file in place.rglob("*") if file.is_file()) / 1e6
        opened: list[Hearthgraph] = []
        took = seconds(lambda: opened.append(Hearthgraph.open(place, now=NOW)))
        with opened[0] as home:
            kept = sum(len(home.state.history(iri)) for iri in home.registry.properties)
            questions = {
                "what happened this morning?": "in the last 24 hours",
                "what changed yesterday evening in the kitchen?": "in a room, of the day before",
            }
            told = [
                Figure(f"“{text}” ({when}, p50)", _asked(home, text), "ms", 50.0) for text, when in questions.items()
            ]
        return [
            Figure(f"on disk, {kept} changes of {len(home.registry.properties)} properties", size, "MB", 1000.0),
            Figure("opened", took, "s"),
            *told,
        ]


def _asked(home: Hearthgraph, text: str) -> float:
    home.ask(text, user="Robin")
    return percentile(samples(lambda: home.ask(text, user="Robin"), 15), 0.5)


def _change(iri: str, number: int, at: datetime) -> list[Quad]:
    return list(Entry(number, number, Past(number % 100, (number + 1) % 100, at)).quads(iri))
