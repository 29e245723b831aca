"""Figures that others have published, to print beside ours.

AmI HMAS: Florea et al., "Hybrid Agents with Individual and Collective Experience-Aware Code-based Planning for Smart
Environments", Tables 1 and 3. Durations are seconds a case.
"""

from __future__ import annotations


def _row(
    full: float, partial: float, impossible: float, p: float, r: float, f1: float, duration: float
) -> dict[str, float]:
    names = ("full", "partial", "impossible", "action_p", "action_r", "action_f1", "duration")
    return dict(zip(names, (full, partial, impossible, p, r, f1, duration), strict=True))


TABLE_1 = {
    "AmI HMAS, GPT-4o": _row(0.768, 0.190, 0.993, 0.952, 0.908, 0.929, 15.1),
    "AmI HMAS, GPT-4o-mini": _row(0.805, 0.158, 0.996, 0.949, 0.934, 0.941, 17.8),
    "AmI HMAS, GPT-5-mini": _row(0.638, 0.325, 1.0, 0.952, 0.954, 0.953, 16.1),
    "AmI HMAS, GPT-5-nano": _row(0.640, 0.243, 1.0, 0.943, 0.811, 0.872, 12.1),
}

TABLE_3 = {
    "single feasible": {
        "AmI HMAS, GPT-4o": (0.990, 0.990, 0.990, 5.1),
        "AmI HMAS, GPT-4o-mini": (0.980, 0.990, 0.985, 6.5),
        "AmI HMAS, GPT-5-mini": (0.990, 0.990, 0.990, 11.1),
        "AmI HMAS, GPT-5-nano": (0.988, 0.810, 0.890, 8.7),
    },
    "multi feasible": {
        "AmI HMAS, GPT-4o": (0.983, 0.907, 0.943, 25.8),
        "AmI HMAS, GPT-4o-mini": (0.976, 0.920, 0.947, 26.9),
        "AmI HMAS, GPT-5-mini": (0.983, 0.942, 0.962, 23.2),
        "AmI HMAS, GPT-5-nano": (0.976, 0.795, 0.876, 16.9),
    },
    "multi mixed": {
        "AmI HMAS, GPT-4o": (0.947, 0.881, 0.913, 28.1),
        "AmI HMAS, GPT-4o-mini": (0.949, 0.931, 0.940, 35.8),
        "AmI HMAS, GPT-5-mini": (0.947, 0.954, 0.951, 25.1),
        "AmI HMAS, GPT-5-nano": (0.940, 0.828, 0.880, 18.7),
    },
}
