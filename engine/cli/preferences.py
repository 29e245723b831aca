"""`hearthgraph preferences`: people's stated preferences, listed and forgotten."""

from __future__ import annotations

import click

from engine.cli.opening import opened, with_settings
from engine.cli.through import owner
from engine.errors import InputError
from engine.planning.wishes import tastes
from engine.settings import Settings


@click.group()
def preferences() -> None:
    """What people have said that they like: “I prefer natural light”, “I'm comfortable at 25”."""


@preferences.command("list")
@click.option("--user", help="Of this person alone.")
@with_settings
def list_(settings: Settings, user: str | None) -> None:
    """Show what was stated, by whom, and under which name it is kept."""
    found = _stated(settings, user)
    for iri, who, text in found:
        click.echo(f"{iri} {who or 'anybody'}: {text}")
    if not found:
        click.echo("No preferences have been stated.")


@preferences.command("forget")
@click.argument("iris", nargs=-1, metavar="IRI...")
@click.option("--all", "all_", is_flag=True, help="Forget all of them.")
@click.option("--user", help="With --all: those of this person alone.")
@with_settings
def forget(settings: Settings, iris: tuple[str, ...], all_: bool, user: str | None) -> None:
    """Forget preferences, as `preferences list` names them."""
    if bool(iris) == all_:
        raise InputError("Say which to forget.", remedy="Give names as `preferences list` shows them, or --all.")
    wanted = [iri for iri, _, _ in _stated(settings, user)] if all_ else list(iris)
    if not wanted:
        number = 0
    elif (server := owner(settings)) is not None:
        number = server.delete("/preferences", iri=wanted)
    else:
        with opened(settings) as home:
            number = tastes.forget(home.store, wanted)
    click.echo(f"{number} {'preference' if number == 1 else 'preferences'} forgotten.")


def _stated(settings: Settings, user: str | None) -> list[tuple[str, str, str]]:
    if (server := owner(settings)) is not None:
        found = [(str(one["iri"]), str(one["user"]), str(one["text"])) for one in server.json("/preferences")]
        return [one for one in found if user is None or one[1] == user]
    with opened(settings) as home:
        return [(one.iri, one.user, one.text) for one in tastes.stated(home.store, user)]
