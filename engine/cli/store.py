"""The command that describes the store and its capabilities."""

from __future__ import annotations

import sys
from pathlib import Path
from time import perf_counter

import click
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from engine.cli.opening import opened, with_settings
from engine.errors import InputError
from engine.graph.embedded import EmbeddedStore
from engine.graph.remote.store import RemoteStore
from engine.settings import Settings

WIDE = 160
"""Columns of a table that does not go to a terminal."""


@click.command()
@click.option("--check", is_flag=True, help="Read all of it, in each of the ways in which it is kept.")
@with_settings
def store(settings: Settings, check: bool) -> None:
    """Say where the store is, what it holds, and, of one on a server, what that promises and what it does not."""
    if check:
        _check(settings)
        return
    began = perf_counter()
    with opened(settings) as home:
        seconds = perf_counter() - began
        click.echo(f"{settings.store}: {len(home.store.graphs())} graphs, {len(home.registry.things)} things.")
        if isinstance(home.store, RemoteStore):
            _tell(home.store, seconds)
        else:
            click.echo("It is this process's own: a write is done whole or not at all, and no round trip is needed.")


def _check(settings: Settings) -> None:
    """Reads a store through, graph by graph. Raises StoreError where it is damaged."""
    if not isinstance(settings.store, Path):
        raise InputError("A store on a server is checked there.", remedy="Name a directory in HEARTHGRAPH_STORE.")
    with EmbeddedStore.open(settings.store) as kept:
        counts = kept.read_through()
    with opened(settings) as home:
        things = len(home.registry.things)
    click.echo(f"{settings.store}: {sum(counts.values())} statements in {len(counts)} graphs, {things} things: whole.")


def _tell(store: RemoteStore, seconds: float) -> None:
    click.echo(f"{store.promises.server or 'A server'}, opened in {seconds:.1f} s and {store.round_trips} round trips.")
    table = Table("Promise", "Kept", "What follows", box=None)
    for what, kept, consequence in store.promises.told():
        table.add_row(escape(what), "yes" if kept else "no", escape(consequence))
    Console(width=None if sys.stdout.isatty() else WIDE).print(table)
