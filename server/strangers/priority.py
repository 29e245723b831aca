"""Who goes first where processors are few: the home before those who ask about it, as far as the system can do that."""

from __future__ import annotations

import os
from pathlib import Path

NICENESS = 10
"""Of a process that answers queries."""


def lower(process: int) -> None:
    """Has a process go after others."""
    try:
        os.setpriority(os.PRIO_PROCESS, process, NICENESS)
    except OSError:  # it is gone, or that is not allowed here
        return


def set_back(process: int) -> None:
    """Has a process run only while nobody else wants to."""
    _schedule(process, "SCHED_IDLE")


def bring_forward(process: int) -> bool:
    """Takes `set_back` back; whether that is so."""
    return _schedule(process, "SCHED_OTHER")


def spent(process: int) -> float:
    """The processor time in seconds that a process has taken; infinite where the system does not say."""
    try:
        after_name = Path(f"/proc/{process}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
        return (int(after_name[11]) + int(after_name[12])) / os.sysconf("SC_CLK_TCK")
    except (OSError, ValueError, IndexError):
        return float("inf")


def _schedule(process: int, policy: str) -> bool:
    if not hasattr(os, "sched_setscheduler") or not hasattr(os, policy):
        return True
    try:
        os.sched_setscheduler(process, getattr(os, policy), os.sched_param(0))
    except OSError:
        return False
    return True
