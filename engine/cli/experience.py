"""`hearthgraph experience`: learnt signifiers, imported, exported, shown and forgotten."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click
from rich.console import Console
from rich.table import Table

from engine.cli.opening import opened, with_settings
from engine.cli.through import owner
from engine.errors import InputError
from engine.experience.memory import peer_name, write_records
from engine.memory.kept import readings
from engine.model.signifier import Signifier, from_json
from engine.settings import Settings

FILE = click.Path(dir_okay=False, path_type=Path)


@click.group()
def experience() -> None:
    """What has been learnt: signifiers, one for each action that served an intent."""


@experience.command("list")
@click.option("--peers", is_flag=True, help="Those of others, which are hints alone.")
@with_settings
def list_(settings: Settings, peers: bool) -> None:
    """Show the signifiers."""
    found: Sequence[Signifier]
    if (server := owner(settings)) is not None:
        found = [from_json(one) for one in server.json("/experience", **({"peers": "1"} if peers else {}))]
    else:
        with opened(settings) as home:
            found = home.assistant.experience.of_peers() if peers else home.assistant.experience.all()
    if not found:
        click.echo("Nothing has been learnt yet.")
        return
    table = Table("id", "for", "affordance", "payload", "while", "served", "failed")
    for one in found:
        table.add_row(*_row(one))
    Console(width=200).print(table)


def _row(one: Signifier) -> tuple[str, ...]:
    context = "; ".join(f"{c.property.rpartition('/')[2]} {c.operator} {c.value}" for c in one.conditions)
    affordance = one.affordance.rpartition("/things/")[2] or one.affordance
    return one.iri, one.text, affordance, str(one.payload), context, str(one.successes), str(one.failures)


@experience.command("export")
@click.argument("file", type=FILE)
@with_settings
def export(settings: Settings, file: Path) -> None:
    """Write the signifiers to FILE, a list of JSON records."""
    if (server := owner(settings)) is not None:
        number = write_records(server.json("/experience"), file)
    else:
        with opened(settings) as home:
            number = home.assistant.experience.export(file)
    click.echo(f"{number} signifiers written to {file}.")


@experience.command("import")
@click.argument("file", type=FILE)
@click.option("--peer", help="Whose they are: then they are hints, and are never carried out.")
@with_settings
def import_(settings: Settings, file: Path, peer: str | None) -> None:
    """Take the signifiers of FILE in: all of them, or none."""
    given = {} if peer is None else {"peer": peer_name(peer)}
    if (server := owner(settings)) is not None:
        number = int(server.send("POST", "/experience", file, "application/json", **given)["taken"])
    else:
        with opened(settings) as home:
            number = home.assistant.experience.take_in(file, peer)
    click.echo(f"{number} signifiers taken in" + (f" as hints from {peer}." if peer else "."))


@experience.command("forget")
@click.argument("ids", nargs=-1)
@click.option("--all", "all_", is_flag=True, help="Forget all of them.")
@with_settings
def forget(settings: Settings, ids: tuple[str, ...], all_: bool) -> None:
    """Forget the signifiers with these IDS, or all."""
    if bool(ids) == all_:
        raise InputError("Say which to forget.", remedy="Give ids as `experience list` shows them, or --all.")
    if (server := owner(settings)) is not None:
        number = server.delete("/experience", all="1") if all_ else server.delete("/experience", iri=list(ids))
    else:
        with opened(settings) as home:
            number = home.assistant.experience.forget(None if all_ else ids)
    click.echo(f"{number} signifiers forgotten.")


@experience.command("readings")
@click.option("--forget", "forget_", is_flag=True, help="Forget them.")
@click.option("--user", help="Of this person alone.")
@with_settings
def readings_(settings: Settings, forget_: bool, user: str | None) -> None:
    """Show what people said of readings that were not sure, which is heeded from then on."""
    server = owner(settings)
    if forget_:
        if server is not None:
            number = server.delete("/readings", **({} if user is None else {"user": user}))
        else:
            with opened(settings) as home:
                number = readings.forget(home.store, user)
        click.echo(f"{number} {'reading' if number == 1 else 'readings'} forgotten.")
        return
    if server is not None:
        found = [readings.Agreed(**one) for one in server.json("/readings") if user in (None, one["user"])]
    else:
        with opened(settings) as home:
            found = list(readings.all_of(home.store, user))
    for one in found:
        click.echo(f"{one.user or 'anybody'}, agreed {one.agreed}, declined {one.declined}: {one.shape}")
    if not found:
        click.echo("Nobody was asked about a reading yet.")
