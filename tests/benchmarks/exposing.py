"""How long the mechanism takes to say what matters to an agent, and what its tools take of a context.

Tokens are characters by four, of the list of tools as MCP sends it at every turn.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from engine.evaluation.exposure import Lessons, read
from engine.exposure.mechanism import Mechanism
from engine.graph.embedded import EmbeddedStore
from engine.hearthgraph import Hearthgraph
from engine.model.exposure import AgentProfile, Exposed
from engine.model.thing import Action, Schema
from engine.resources import folder
from server.agents.tools import TOOLS
from tests.benchmarks.figures import Figure, percentile, samples

TITLE = "Signifiers that matter to an agent, and tokens of tools at every turn"
THOUSAND, HOUSE = "1000 signifiers", "the house"
CASES = (THOUSAND, HOUSE)
REPORTED = Path(__file__).parents[1] / "agents" / "exposure_reported.json"
BOUND, A_TOKEN, MOST_TOKENS = 50.0, 4, 2_000


def measure(case: str) -> list[Figure]:
    """Milliseconds over the 60 contexts of the tests among a thousand signifiers, each the best of three; tokens of the
    house's tools."""
    return _thousand() if case == THOUSAND else _tokens()


def _thousand() -> list[Figure]:
    lessons = read(json.loads(REPORTED.read_text(encoding="utf-8")))
    found = list(_many(lessons, 1000))
    mechanism = Mechanism(EmbeddedStore.open(None), lambda: found, None)
    contexts = [text for text, _ in lessons.profiles]
    mechanism.exposed(AgentProfile("a", "a", contexts[0]))  # the signifiers are made ready once
    spent = [min(samples(partial(_shown, mechanism, text), 3)) for text in contexts]
    return [
        Figure("shown, the middle of 60 contexts", percentile(spent, 0.5), "ms", BOUND),
        Figure("shown, the slowest of them", max(spent), "ms", BOUND),
    ]


def _shown(mechanism: Mechanism, context: str) -> None:
    assert mechanism.exposed(AgentProfile("a", "a", context))


def _many(lessons: Lessons, number: int) -> Iterator[Exposed]:
    """So many signifiers, of as many buildings as that takes."""
    for place in range(number):
        one = lessons.signifiers[place % len(lessons.signifiers)]
        building = place // len(lessons.signifiers) + 1
        about = f"{one.context.rstrip('.')} in building {building}."
        yield Exposed(
            f"{one.label}_{building}", about, one.target, takes=one.takes, gives=one.gives, affordance=one.label
        )


def _tokens() -> list[Figure]:
    """What the tools of the house take, beside one tool for each action of each device."""
    own = [{"name": t.name, "description": t.description, "inputSchema": t.schema()} for t in TOOLS.values()]
    with Hearthgraph.open(None) as home:
        home.load([folder("data") / "house.ttl"])
        things = list(home.registry.things.values())
        each = [
            {
                "name": f"{thing.title}_{action.name}".replace(" ", "_"),
                "description": action.description or f"{action.title or action.name} of the {thing.title}.",
                "inputSchema": {"type": "object", "properties": {n: {"type": s.type} for n, s in _takes(action)}},
            }
            for thing in things
            for action in thing.actions
        ]
    return [
        Figure(f"{len(own)} tools of the house", len(json.dumps(own)) / A_TOKEN, "tokens", MOST_TOKENS),
        Figure(f"{len(each)} tools, one an action of {len(things)} things", len(json.dumps(each)) / A_TOKEN, "tokens"),
    ]


def _takes(action: Action) -> list[tuple[str, Schema]]:
    return list(action.input.properties) if action.input is not None else []
