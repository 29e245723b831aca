"""How long it takes to find out which things a selection denotes, in homes of different sizes."""

from __future__ import annotations

from engine.environment.selection import Selector
from engine.graph.embedded import EmbeddedStore
from engine.graph.terms import expand
from engine.model.intent import Amount, Measure
from engine.model.selection import Comparison, Condition, Quantity, Rooms, Select, Test
from engine.things.registry import Registry
from tests.benchmarks.figures import Figure, percentile, samples
from tests.benchmarks.homes import HOME, synthetic_home

TITLE = "Things of a selection, found by SPARQL"
CASES = ("135 devices", "1000 devices", "10000 devices")
TIMES = 30
BOUND = 20.0  # milliseconds at the median
LIGHT, BRIGHTNESS = expand("hg:Light"), expand("hg:Brightness")
BRIGHT = Test((Condition(BRIGHTNESS, Comparison.ABOVE, Amount(Measure.NUMBER, 97, expand("hg:Percent"))),))
ON = Test((Condition(expand("hg:Power"), Comparison.IS, Amount(Measure.TRUTH, True)),))
ASKED: tuple[tuple[str, Select, float | None], ...] = (
    ("lights above 97 % that are on", Select((LIGHT,), quantity=Quantity.ALL, tests=(BRIGHT, ON)), BOUND),
    ("lights of a room that are on", Select((LIGHT,), places=(f"{HOME}places/room3",), tests=(ON,)), BOUND),
    (
        "the two brightest lights of a room",
        Select((LIGHT,), (), (f"{HOME}places/room3",), order=BRIGHTNESS, limit=2),
        BOUND,
    ),
    ("lights in rooms with a bright light", Select((LIGHT,), rooms=(Rooms(Select((LIGHT,), tests=(BRIGHT,))),)), None),
    ("the two brightest lights of all", Select((LIGHT,), order=BRIGHTNESS, limit=2), None),
    ("all lights", Select((LIGHT,), quantity=Quantity.ALL), None),
)


def measure(case: str) -> list[Figure]:
    """In milliseconds, at the median."""
    registry = Registry(EmbeddedStore.open(None))
    registry.put(*synthetic_home(int(case.split()[0])))
    selector = Selector(registry.store, registry)
    figures = []
    for what, wanted, bound in ASKED:
        found = len(selector.select(wanted))
        taken = samples(lambda wanted=wanted: selector.select(wanted), TIMES)  # type: ignore[misc]
        figures.append(Figure(f"{what} ({found}), p50", percentile(taken, 0.5), "ms", bound))
    return figures
