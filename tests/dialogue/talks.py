"""A home to talk to in a test: short ways to ask, and to look at what came of it."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Any

from engine.hearthgraph import Hearthgraph
from engine.model.outcome import Outcome

_PARTS = Path(__file__).resolve().parents[2] / "tests/acceptance/parts"
FOUR_HOMES = {
    "tide": _PARTS / "two/homes/tide.json",
    "heron": _PARTS / "two/homes/heron.json",
    "tannery": _PARTS / "three/homes/tannery.json",
    "iowa": _PARTS / "five/homes/iowa.json",
}
"""Homes of four writers, in which what is mended for one is tried."""
BEGAN = datetime.fromisoformat("2026-03-01T06:00:00+01:00")


class Talk:
    """A home, and short ways to ask and to look."""

    def __init__(self, engine: Hearthgraph, things: str) -> None:
        self.engine, self.things = engine, things
        self.initial = dict(engine.state)

    def begin(self) -> None:
        """Everything is again as it was in the file."""
        self.engine.faults.clear()
        self.engine.rules.clear()
        self.engine.set_now(BEGAN)
        self.engine.state.write({iri: self.initial.get(iri) for iri in {*self.engine.state, *self.initial}})

    def ask(self, text: str, **options: Any) -> Outcome:
        outcome = self.engine.ask(text, **{"consent": True, **options})
        if outcome.reason == "not_sure" and outcome.plan is not None:  # asked first, and told yes
            return self.engine.assistant.consent(outcome.plan.iri)
        return outcome

    def prop(self, path: str) -> str:
        """`oven#state` as the IRI of a property."""
        thing, _, name = path.partition("#")
        return f"{self.things}{thing}#properties/{name}"

    def action(self, path: str) -> str:
        """`oven#turn_on` as the IRI of an action."""
        thing, _, name = path.partition("#")
        return f"{self.things}{thing}#actions/{name}"

    def of_class(self, kind: str, cls: str) -> dict[str, tuple[str, str]]:
        """The properties of a kind of the parts of a class: the part and its place by the IRI of the property."""
        registry = self.engine.registry
        return {
            p.iri: (part.iri, thing.place)
            for thing in registry.things.values()
            for part in thing.parts
            if thing.place and any(registry.vocabulary.is_a(own, cls) for own in part.every_class)
            for p in thing.of_part(part.iri)
            if kind in p.kinds
        }

    def __getitem__(self, path: str) -> Any:
        """The present value of `oven#state`."""
        return self.engine.state.get(self.prop(path))

    def __setitem__(self, path: str, value: Any) -> None:
        self.engine.state.write({self.prop(path): value})

    def changed(self) -> dict[str, Any]:
        """What is not as it was in the file, readings of sensors aside."""
        vocabulary, properties = self.engine.registry.vocabulary, self.engine.registry.properties
        return {
            iri.removeprefix(self.things).replace("properties/", ""): value
            for iri, value in self.engine.state.items()
            if self.initial.get(iri) != value and all(vocabulary.kinds[k].settable for k in properties[iri].kinds)
        }

    def did(self, outcome: Outcome) -> list[tuple[str, str]]:
        """Each action with its outcome: `oven#turn_on`, done."""
        return [(a.affordance.removeprefix(self.things).replace("actions/", ""), a.outcome) for a in outcome.actions]


def nodes(tree: Any, kind: str) -> list[dict[str, Any]]:
    """The nodes of a type in a plan's tree, in the order of the document."""
    below = [*tree.get("children", ()), *([tree["child"]] if "child" in tree else ())]
    return ([tree] if tree["type"] == kind else []) + [node for child in below for node in nodes(child, kind)]
