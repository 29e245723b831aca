"""The beginning of every command: the settings, the store that they name, and the server that owns it, if any."""

from __future__ import annotations

import select
import sys
from collections.abc import Callable
from functools import wraps
from typing import Any

import click

from engine.hearthgraph import Hearthgraph
from engine.settings import Settings

PATIENCE = 0.25
"""Seconds for which a pipe may keep silent before it is taken to have nothing to say."""


def with_settings(command: Callable[..., None]) -> Callable[..., None]:
    """Hands a command the settings as its first argument."""

    @wraps(command)
    @click.pass_obj
    def wrapped(settings: Settings, *args: Any, **options: Any) -> None:
        command(settings, *args, **options)

    return wrapped


def interactive() -> bool:
    """Whether a person sits at both ends."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def piped_line() -> str:
    """The line that stands in standard input already; nothing where it is silent, so that nobody waits for ever."""
    if sys.stdin is None:
        return ""
    try:
        ready = bool(select.select([sys.stdin], [], [], PATIENCE)[0])
    except (OSError, ValueError):  # it is no pipe of the system's: what it has, it has at once
        ready = True
    return sys.stdin.readline() if ready else ""


def opened(settings: Settings) -> Hearthgraph:
    """The home in the store's directory. Raises StoreInUseError where another process owns it, StoreError where it
    cannot be opened."""
    return Hearthgraph.open(settings.store, settings=settings)
