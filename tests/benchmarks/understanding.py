"""How long requests take to be understood and planned, and to be run, without a model."""

from __future__ import annotations

import gc
from pathlib import Path

from engine.dialogue.assistant import Consent
from engine.hearthgraph import Hearthgraph
from server.command import warm
from tests.benchmarks.figures import Figure, percentile
from tests.benchmarks.homes import synthetic_home
from tests.benchmarks.sentences import HOUSE, SYNTHETIC

TITLE = "A request, understood and planned"
CASES = ("135 devices", "data/house.ttl")
ROUNDS = 5
TYPICAL, WORST = 5.0, 25.0  # milliseconds: the bounds of p50 and p99


def measure(case: str) -> list[Figure]:
    """Each sentence once as it is first heard, then in rounds; in milliseconds."""
    with Hearthgraph.open(None) as home:
        sentences = _prepared(home, case)
        warm()
        home.ask("good morning", consent=Consent.PLAN)  # the words of the home are read here, once
        gc.collect()
        gc.freeze()  # as the server does before it listens
        first = [_milliseconds(home, sentence) for sentence in sentences]
        again = [_milliseconds(home, sentence) for _ in range(ROUNDS - 1) for sentence in sentences]
        runs = [home.ask(s, consent=Consent.ALL).milliseconds["run"] for s in sentences]
    return [
        Figure(f"{len(sentences)} requests, first time, p50", percentile(first, 0.5), "ms", TYPICAL),
        Figure(f"{len(sentences)} requests, first time, p99", percentile(first, 0.99), "ms", WORST),
        Figure(f"{ROUNDS} rounds of them, p50", percentile(first + again, 0.5), "ms", TYPICAL),
        Figure(f"{ROUNDS} rounds of them, p99", percentile(first + again, 0.99), "ms", WORST),
        Figure("running a plan, p50", percentile([run for run in runs if run], 0.5), "ms"),
    ]


def _prepared(home: Hearthgraph, case: str) -> tuple[str, ...]:
    """Fills the home; the sentences for it."""
    if case.startswith("data/"):
        home.load([Path(case)])
        return HOUSE
    home.register(*synthetic_home(int(case.split()[0])))
    home.state.refresh()
    return SYNTHETIC


def _milliseconds(home: Hearthgraph, sentence: str) -> float:
    taken = home.ask(sentence, consent=Consent.PLAN).milliseconds
    return taken["understand"] + taken["plan"]
