"""What every command begins with: the settings, and the store that they name."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import wraps
from typing import Any

import click

from engine.hearthgraph import Hearthgraph
from engine.settings import Settings


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


def opened(settings: Settings) -> Hearthgraph:
    """The home in the store's directory. Raises StoreInUseError where another process owns it."""
    settings.store.mkdir(parents=True, exist_ok=True)
    return Hearthgraph.open(settings.store, settings=settings)
