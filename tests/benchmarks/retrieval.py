"""How long SPARQL takes to find the affordances for an intent that names a room, in homes of different sizes."""

from __future__ import annotations

from engine.environment.retrieval import candidates
from engine.graph.embedded import EmbeddedStore
from engine.graph.store import GraphStore
from engine.graph.terms import NamedNode, expand
from engine.model.intent import Intent, Operation
from engine.model.request_rdf import intent_quads
from engine.model.selection import Select
from engine.things.registry import Registry
from tests.benchmarks.figures import Figure, percentile, samples
from tests.benchmarks.homes import DEVICES_IN_A_ROOM, HOME, synthetic_home

TITLE = "Affordances in a room, found by SPARQL"
CASES = ("135 devices", "1000 devices", "10000 devices")
TIMES = 500
BOUND = 1.0  # milliseconds at the median, for an order
ASKED: tuple[tuple[str, str | None, str | None, Operation, float | None], ...] = (
    ("by command (turn on)", "hg:TurnOn", None, Operation.INVOKE, BOUND),
    ("by command (set brightness)", "hg:SetBrightness", "hg:Brightness", Operation.SET, BOUND),
    ("by effect alone (brightness)", None, "hg:Brightness", Operation.SET, None),
    ("to be read (brightness)", None, "hg:Brightness", Operation.CHECK, BOUND),
)


def measure(case: str) -> list[Figure]:
    """Lights of a room in the middle of the home; in milliseconds."""
    devices = int(case.split()[0])
    registry = Registry(EmbeddedStore.open(None))
    registry.put(*synthetic_home(devices))
    room = f"{HOME}places/room{devices // DEVICES_IN_A_ROOM // 2}"
    figures = []
    for number, (what, command, kind, operation, bound) in enumerate(ASKED):
        intent = _stored(registry.store, number, room, command, kind, operation)
        assert candidates(registry.store, intent)
        taken = samples(lambda intent=intent: candidates(registry.store, intent), TIMES)  # type: ignore[misc]
        figures.append(Figure(f"{what}, p50", percentile(taken, 0.5), "ms", bound))
    return figures


def _stored(
    store: GraphStore, number: int, room: str, command: str | None, kind: str | None, operation: Operation
) -> NamedNode:
    select = Select(classes=(expand("hg:Light"),), places=(room,))
    intent = Intent(
        f"urn:intent:{number}",
        "",
        operation=operation,
        selection=select,
        command=expand(command) if command else None,
        property=expand(kind) if kind else None,
    )
    store.write(insert=intent_quads(intent))
    return NamedNode(intent.iri)
