"""Commands about what is in the store: load, import, things, query, dump, restore."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import click
from pyoxigraph import QueryBoolean, QueryResultsFormat, QuerySolutions, RdfFormat, serialize
from rich.console import Console
from rich.table import Table

from engine.cli.opening import opened, with_settings
from engine.errors import HearthgraphError, InputError
from engine.graph.terms import compact
from engine.hearthgraph import Hearthgraph
from engine.language import replies
from engine.origins.homebench.homes import read_homes
from engine.settings import Settings

WIDE = 240
"""Columns of a table that does not go to a terminal."""


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@with_settings
def load(settings: Settings, files: tuple[Path, ...]) -> None:
    """Load Turtle FILES (things, places, state). Each is taken whole or refused whole; the others still load."""
    refused = 0
    with opened(settings) as home:
        for file in files:
            try:
                for report in home.load([file]):
                    click.echo(
                        f"{file}: {len(report.things)} things, {len(report.places)} places, {report.states} values."
                    )
                    for warning in report.warnings:
                        click.echo(f"  warning: {warning}")
            except (HearthgraphError, OSError) as error:
                refused += 1
                click.echo(f"{file}: refused. {error}", err=True)
    if refused:
        raise SystemExit(1)


@click.command(name="import")
@click.argument("origin", type=click.Choice(["homebench"]))
@click.option("--homes", required=True, type=click.Path(exists=True, dir_okay=False, path_type=Path), help="Its file.")
@click.option("--home", "wanted", required=True, help="The id of the home in the file.")
@with_settings
def import_(settings: Settings, origin: str, homes: Path, wanted: str) -> None:
    """Import a home from another ORIGIN."""
    found = next((h for h in read_homes(homes) if h.id == wanted), None)
    if found is None:
        raise InputError(f"{homes} has no home {wanted}.", remedy="Give an id that stands in the file.")
    with opened(settings) as home:
        home.register(found.things, found.quads, found.state)
    click.echo(f"{origin}: home {wanted}, {len(found.things)} things.")


@click.command()
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
@with_settings
def things(settings: Settings, as_json: bool) -> None:
    """List the things of the home, with their state."""
    with opened(settings) as home:
        rows = [_row(home, iri) for iri in sorted(home.registry.things, key=lambda i: _order(home, i))]
    if as_json:
        for row in rows:
            click.echo(json.dumps(row, ensure_ascii=False))
        return
    table = Table("Thing", "Class", "Place", "State", box=None)
    for row in rows:
        state = ", ".join(f"{k} {replies.value_words(v)}" for k, v in row["state"].items())
        table.add_row(row["title"], row["class"], row["place"], state)
    Console(width=None if sys.stdout.isatty() else WIDE).print(table)


def _order(home: Hearthgraph, iri: str) -> tuple[str, str]:
    thing = home.registry.things[iri]
    return replies.place_name(thing.place, home.registry), thing.title


def _row(home: Hearthgraph, iri: str) -> dict[str, Any]:
    thing = home.registry.things[iri]
    classes = sorted(home.registry.vocabulary.name(c) for c in thing.classes)
    state = {p.name: home.state[p.iri] for p in thing.properties if p.iri in home.state}
    place = replies.place_name(thing.place, home.registry)
    return {"iri": iri, "title": thing.title, "class": ", ".join(classes), "place": place, "state": state}


@click.command()
@click.argument("source")
@with_settings
def query(settings: Settings, source: str) -> None:
    """Run a SPARQL query from a file, or from standard input (-). Tables come as TSV, graphs as Turtle."""
    text = sys.stdin.read() if source == "-" else _read(Path(source))
    with opened(settings) as home:
        found = home.store.query_text(text)
        if isinstance(found, QuerySolutions):
            _print_table(found)
        elif isinstance(found, QueryBoolean):
            click.echo("true" if found else "false")
        else:
            click.echo(serialize(found, format=RdfFormat.TURTLE) or b"", nl=False)


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path} cannot be read: {error}.", remedy="Give a file with a SPARQL query, or -.") from error


def _print_table(found: QuerySolutions) -> None:
    if not sys.stdout.isatty():
        click.echo(found.serialize(format=QueryResultsFormat.TSV) or b"", nl=False)
        return
    table = Table(*(variable.value for variable in found.variables), box=None)
    for row in found:
        table.add_row(*("" if term is None else compact(getattr(term, "value", str(term))) for term in row))
    Console().print(table)


@click.command()
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@with_settings
def dump(settings: Settings, file: Path) -> None:
    """Write the whole store to FILE as N-Quads."""
    with opened(settings) as home:
        home.store.dump(file)
    click.echo(f"Written to {file}.")


@click.command()
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False, exists=True))
@with_settings
def restore(settings: Settings, file: Path) -> None:
    """Replace the whole store by the dump in FILE; a file that is not whole changes nothing."""
    with opened(settings) as home:
        home.restore(file)
    click.echo(f"Restored from {file}.")
