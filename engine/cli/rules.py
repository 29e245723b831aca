"""`hearthgraph rules`: rules to come, past runs, and switches."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.table import Table

from engine.cli.export import write_json
from engine.cli.opening import opened, with_settings
from engine.cli.through import owner
from engine.dialogue.rules.told import fired, listed, switched, week
from engine.origins.home_assistant.automations_read import read_automations
from engine.rules.keeper import Keeper
from engine.settings import Settings


@click.group()
def rules() -> None:
    """What is to come: rules, schedules, and what puts things back."""


@rules.command("list")
@click.option("--json", "as_json", is_flag=True, help="As JSON, one object a rule.")
@with_settings
def list_(settings: Settings, as_json: bool) -> None:
    """Show the rules, with when they fire next."""
    rows = _rows(settings, "/rules", listed)
    for row in rows:
        click.echo(json.dumps(row, ensure_ascii=False) if as_json else f"{row['id']}: {row['told']}")
    if not rows and not as_json:
        click.echo("There are no rules.")


@rules.command("runs")
@with_settings
def runs(settings: Settings) -> None:
    """Show what fired, and what became of it."""
    table = Table("due", "rule", "what became of it")
    for row in _rows(settings, "/rules/runs", fired):
        table.add_row(row["due"], row["text"], " ".join(filter(None, (row["status"], row["reason"]))))
    Console(width=140).print(table)


@rules.command("week")
@with_settings
def week_(settings: Settings) -> None:
    """Show what time sets off in the seven days to come."""
    for row in _rows(settings, "/rules/week", week):
        click.echo(f"{row['at'][:16].replace('T', ' ')}  {row['text']}")


@rules.command("tomorrow")
@with_settings
def tomorrow(settings: Settings) -> None:
    """Say what would happen in the next twenty-four hours, if nobody did anything: on a copy, nothing is done."""
    if (server := owner(settings)) is not None:
        rows = list(server.json("/rules/tomorrow"))
    else:
        with opened(settings) as home:
            rows = home.foresee(86400.0)
    for row in rows:
        click.echo(f"{row['at'][:16].replace('T', ' ')}  {row['text']}: {row['status']}")
    if not rows:
        click.echo("Nothing would happen by itself.")


@rules.command("export")
@click.argument("iris", nargs=-1, metavar="[ID...]")
@click.option("--out", type=click.Path(path_type=Path), help="Where it goes; standard output by default.")
@with_settings
def export(settings: Settings, iris: tuple[str, ...], out: Path | None) -> None:
    """Write rules as automations of Home Assistant's, for `automations.yaml`; of what it cannot do it is said why."""
    if (server := owner(settings)) is not None:
        told = server.json("/rules/automations", iri=list(iris))
        found, left = told["automations"], told["left"]
    else:
        with opened(settings) as home:
            found, left = home.automations(iris)
    for one in left:
        click.echo(one, err=True)
    write_json(found, out)


@rules.command("import")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@with_settings
def import_(settings: Settings, file: Path) -> None:
    """Take over the simple automations of an `automations.yaml` of Home Assistant's; of others it is said why not."""
    content = read_automations(file)
    if (server := owner(settings)) is not None:
        told = server.give("/rules/automations", content)
        made, left = int(told["made"]), told["left"]
    else:
        with opened(settings) as home:
            made, left = home.take_automations(content)
    for one in left:
        click.echo(one, err=True)
    click.echo(f"{made} {'rule' if made == 1 else 'rules'} made.")


@rules.command("pause")
@click.argument("iris", nargs=-1, required=True, metavar="ID...")
@with_settings
def pause(settings: Settings, iris: tuple[str, ...]) -> None:
    """Switch rules off, as `rules list` names them."""
    _switch(settings, iris, "pause")


@rules.command("resume")
@click.argument("iris", nargs=-1, required=True, metavar="ID...")
@with_settings
def resume(settings: Settings, iris: tuple[str, ...]) -> None:
    """Switch rules on again."""
    _switch(settings, iris, "resume")


@rules.command("delete")
@click.argument("iris", nargs=-1, required=True, metavar="ID...")
@with_settings
def delete(settings: Settings, iris: tuple[str, ...]) -> None:
    """Take rules away."""
    _switch(settings, iris, "delete")


def _rows(settings: Settings, path: str, read: Callable[[Keeper], list[dict[str, Any]]]) -> list[dict[str, Any]]:
    if (server := owner(settings)) is not None:
        return list(server.json(path))
    with opened(settings) as home:
        home.rules.attend()
        return read(home.rules)


def _switch(settings: Settings, iris: tuple[str, ...], how: str) -> None:
    if (server := owner(settings)) is not None:
        number = server.delete("/rules", iri=list(iris), how=how)
    else:
        with opened(settings) as home:
            number = switched(home.rules, iris, how)
    click.echo(f"{number} {'rule' if number == 1 else 'rules'}: {how}.")
