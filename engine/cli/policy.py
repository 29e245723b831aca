"""`hearthgraph policy`: prohibitions that hold for everyone."""

from __future__ import annotations

from pathlib import Path

import click

from engine.cli.opening import opened, with_settings
from engine.cli.through import owner
from engine.errors import InputError
from engine.planning.policies import store as policy_store
from engine.settings import Settings


@click.group()
def policy() -> None:
    """What must not happen, whoever asks: SHACL shapes on devices."""


@policy.command("add")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@with_settings
def add(settings: Settings, file: Path) -> None:
    """Add the policies of the Turtle FILE: all of them, or none. Those that are here already are replaced."""
    if (server := owner(settings)) is not None:
        number = len(server.send("POST", "/policies", file, "text/turtle")["policies"])
    else:
        with opened(settings) as home:
            number = len(policy_store.add(home.registry, file))
    click.echo(f"{number} {'policy' if number == 1 else 'policies'} added.")


@policy.command("list")
@with_settings
def list_(settings: Settings) -> None:
    """Show the policies."""
    if (server := owner(settings)) is not None:
        rows = [(str(one["iri"]), str(one["message"])) for one in server.json("/policies")]
    else:
        with opened(settings) as home:
            rows = [(one.iri, one.message) for one in policy_store.listed(home.store)]
    for iri, message in rows:
        click.echo(f"{iri}: {message}")
    if not rows:
        click.echo("There are no policies.")


@policy.command("remove")
@click.argument("iris", nargs=-1, required=True, metavar="IRI...")
@with_settings
def remove(settings: Settings, iris: tuple[str, ...]) -> None:
    """Take policies away, as `policy list` names them."""
    if "" in iris:
        raise InputError("An empty name names no policy.", remedy="Give IRIs as `policy list` shows them.")
    _taken_away(settings, iris)


@policy.command("clear")
@with_settings
def clear(settings: Settings) -> None:
    """Take all policies away."""
    _taken_away(settings, None)


def _taken_away(settings: Settings, iris: tuple[str, ...] | None) -> None:
    if (server := owner(settings)) is not None:
        number = server.delete("/policies", iri=list(iris)) if iris else server.delete("/policies", all="1")
    else:
        with opened(settings) as home:
            number = policy_store.remove(home.store, iris)
    click.echo(f"{number} {'policy' if number == 1 else 'policies'} taken away.")
