"""`hearthgraph policy`: what must not happen, whoever asks."""

from __future__ import annotations

from pathlib import Path

import click

from engine.cli.opening import opened, with_settings
from engine.planning import policies
from engine.settings import Settings


@click.group()
def policy() -> None:
    """What must not happen, whoever asks: SHACL shapes on devices."""


@policy.command("add")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@with_settings
def add(settings: Settings, file: Path) -> None:
    """Add the policies of the Turtle FILE: all of them, or none."""
    with opened(settings) as home:
        number = policies.add(home.store, file)
    click.echo(f"{number} {'policy' if number == 1 else 'policies'} added.")


@policy.command("list")
@with_settings
def list_(settings: Settings) -> None:
    """Show the policies."""
    with opened(settings) as home:
        rows = home.store.select("planning/policies")
    for row in rows:
        told, message = (term.value if term is not None else "" for term in row)
        click.echo(f"{told}: {message}")
    if not rows:
        click.echo("There are no policies.")


@policy.command("clear")
@with_settings
def clear(settings: Settings) -> None:
    """Take all policies away."""
    with opened(settings) as home:
        policies.remove(home.store)
    click.echo("There are no policies any more.")
