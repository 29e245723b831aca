"""How well the next task of a household is told, beside two baselines, and how true what is said to be likely is."""

from __future__ import annotations

from tests.benchmarks.figures import Figure
from tests.memory.prediction import calibration, calibration_error, scores

TITLE = "What comes next"
CASES = ("60 held-back days", "calibration")


def measure(case: str) -> list[Figure]:
    """The figures of a case, in percent."""
    if case == "calibration":
        bins = calibration()
        told = [
            Figure(f"said to be {one.said:.0%} likely, {one.number} times: came true", one.came_true * 100, "%")
            for one in bins
        ]
        return [*told, Figure("expected calibration error", calibration_error(bins) * 100, "%", 5.0)]
    return [
        Figure(f"{name}, {which}", value * 100, "%", 80.0 if name == "ours" else None, at_least=True)
        for name, both in scores().items()
        for which, value in zip(("first guess", "among the first three"), both, strict=True)
    ]
