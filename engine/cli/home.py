"""Commands on the contents of the store: load, import, things, query, dump, restore."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import click
from pyoxigraph import QueryBoolean, QueryResultsFormat, QuerySolutions, RdfFormat, serialize
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from engine.cli import remotely
from engine.cli.opening import opened, with_settings
from engine.cli.through import owner
from engine.errors import InputError
from engine.graph.terms import compact
from engine.hearthgraph import Hearthgraph
from engine.language.replies import replies
from engine.origins.home_assistant import homes as home_assistant
from engine.origins.home_assistant import link
from engine.origins.home_assistant import snapshot as snapshots
from engine.origins.home_assistant.access import of_settings
from engine.origins.home_assistant.exposure import Exposure
from engine.origins.homebench.homes import read_homes, read_json_lines
from engine.origins.sources import Attempt, load_each, settle
from engine.settings import Settings
from engine.things.description import emission
from engine.things.description.emission import Profile
from engine.things.description.filling import filled

WIDE = 240
"""Columns of a table that does not go to a terminal."""


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--fill", type=click.Path(path_type=Path), help="What is filled into a Thing Model, as JSON.")
@with_settings
def load(settings: Settings, files: tuple[Path, ...], fill: Path | None) -> None:
    """Load FILES of things, places and state: Turtle, Thing Descriptions in JSON-LD, or folders of them.

    Each file is taken whole or refused whole; the others still load. A Thing Model becomes a thing with --fill: an
    object of its placeholders, of members of the thing (id, base, forms), or both; for several devices a list."""
    if fill is None:
        _load(settings, files)
        return
    if len(files) != 1:
        raise InputError("One Thing Model is filled at a time.", remedy="Give one file with --fill.")
    with TemporaryDirectory() as folder:
        made = Path(folder) / f"{files[0].name.split('.')[0]}.td.jsonld"
        made.write_text(json.dumps(filled(files[0], fill), ensure_ascii=False), encoding="utf-8")
        _load(settings, (made,), files[0])


def _load(settings: Settings, files: tuple[Path, ...], model: Path | None = None) -> None:
    """Loads files, and tells the result of each; results of files made from a `model` under its name."""
    if (server := owner(settings)) is not None:
        raise SystemExit(0 if remotely.load(server, files, model) else 1)
    attempts: list[Attempt] = []
    with opened(settings) as home:
        for attempt in load_each(files, home.target):
            attempts.append(attempt)
            _tell(attempt, model or attempt.file)
    if len(attempts) > 1:
        _summary(attempts)
    if any(attempt.error for attempt in attempts):
        raise SystemExit(1)


def _tell(attempt: Attempt, file: Path) -> None:
    report = attempt.report
    if attempt.error is not None:
        click.echo(f"{file}: refused. {attempt.error}", err=True)
        return
    click.echo(f"{file}: {len(report.things)} things, {len(report.places)} places, {report.states} values.")
    for warning in report.warnings:
        click.echo(f"  warning: {warning}")


def _summary(attempts: list[Attempt]) -> None:
    table = Table("File", "Result", "Things", "Warnings", "Reason", box=None)
    for attempt in attempts:
        report, error = attempt.report, attempt.error
        reason = "" if error is None else error.message.removeprefix(f"{attempt.file.name}: ")
        result = "loaded" if error is None else "refused"
        counts = (str(len(report.things)), str(len(report.warnings)))
        table.add_row(escape(attempt.file.name), result, *counts, escape(reason))
    _print(table)
    refused = sum(attempt.error is not None for attempt in attempts)
    count = sum(len(attempt.report.things) for attempt in attempts)
    click.echo(f"{len(attempts) - refused} files loaded, {refused} refused; {count} things.")


@click.command(name="import")
@click.argument("origin", type=click.Choice(["homebench", "home-assistant"]))
@click.option("--homes", type=click.Path(exists=True, dir_okay=False, path_type=Path), help="HomeBench's file.")
@click.option("--home", "wanted", help="The id of the home in the file.")
@click.option("--snapshot", type=click.Path(path_type=Path), help="A directory of what Home Assistant says of itself.")
@click.option("--url", help="The address of a Home Assistant that runs; else the setting home_assistant_url.")
@click.option("--token-file", type=click.Path(path_type=Path), help="The file with its token; else the setting.")
@click.option("--include", multiple=True, metavar="PATTERN", help="Entities that come in although not exposed.")
@click.option("--exclude", multiple=True, metavar="PATTERN", help="Entities that stay out although exposed.")
@with_settings
def import_(settings: Settings, origin: str, homes: Path | None, wanted: str | None, **options: Any) -> None:
    """Import a home from another ORIGIN. What was imported from a Home Assistant before is brought up to date."""
    if origin == "home-assistant":
        _import_home_assistant(settings, **options)
    elif homes is None or wanted is None:
        raise InputError("A home of HomeBench's is not named.", remedy="Give --homes FILE and --home ID.")
    else:
        _import_homebench(settings, homes, wanted)


def _import_home_assistant(
    settings: Settings,
    snapshot: Path | None,
    url: str | None,
    token_file: Path | None,
    include: tuple[str, ...],
    exclude: tuple[str, ...],
) -> None:
    exposure = Exposure((*include, *settings.home_assistant_include), (*exclude, *settings.home_assistant_exclude))
    read = snapshots.read(snapshot) if snapshot else link.read_now(of_settings(settings, url, token_file))
    if (server := owner(settings)) is not None:
        given = {"answers": snapshots.answers_of(read), "include": list(include), "exclude": list(exclude)}
        told = server.take_home("home-assistant", **given)
    else:
        with opened(settings) as home:
            found = home_assistant.convert(read, home.registry.vocabulary, exposure, settings.home_assistant_name)
            report = settle(found, home.target)
        told = {
            "things": len(report.things),
            "exposed": found.exposed,
            "services": found.offered,
            "places": len(report.places),
            "states": report.states,
            "warnings": report.warnings,
        }
    click.echo(
        "home-assistant: {things} things of {exposed} exposed entities, {services} services, {places} places, "
        "{states} values.".format(**told)
    )
    for warning in told["warnings"]:
        click.echo(f"  warning: {warning}")


def _import_homebench(settings: Settings, homes: Path, wanted: str) -> None:
    found = next((h for h in read_homes(homes) if h.id == wanted), None)
    if found is None:
        raise InputError(f"{homes} has no home {wanted}.", remedy="Give an id that stands in the file.")
    if (server := owner(settings)) is not None:
        line = next(data for _, data in read_json_lines(homes) if str(data["home_id"]) == wanted)
        server.take_home("homebench", home=line)
    else:
        with opened(settings) as home:
            home.register(found.things, found.quads, found.state)
    click.echo(f"homebench: home {wanted}, {len(found.things)} things.")


@click.command()
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
@click.option("--td", "iri", metavar="IRI", help="Write the Thing Description of one thing instead.")
@click.option("--format", "form", type=click.Choice(["jsonld", "turtle"]), default="jsonld", help="Of the description.")
@click.option(
    "--profile",
    type=click.Choice([profile.value for profile in Profile]),
    default=Profile.W3C.value,
    help="Its dialect: W3C's, or that of Yggdrasil and the HMAS papers (Turtle).",
)
@with_settings
def things(settings: Settings, as_json: bool, iri: str | None, form: str, profile: str) -> None:
    """List the things of the home, with their state; or describe one."""
    if (server := owner(settings)) is not None:
        if iri is not None:
            click.echo(remotely.describe(server, iri, form, profile), nl=form == "jsonld")
            return
        rows = remotely.things(server)
    else:
        with opened(settings) as home:
            if iri is not None:
                _describe(home, iri, form, Profile(profile))
                return
            rows = [_row(home, iri) for iri in sorted(home.registry.things, key=lambda i: _order(home, i))]
    if as_json:
        for row in rows:
            click.echo(json.dumps(row, ensure_ascii=False))
        return
    table = Table("Thing", "Class", "Place", "State", box=None)
    for row in rows:
        state = ", ".join(f"{k} {replies.value_words(v)}" for k, v in row["state"].items())
        table.add_row(row["title"], row["class"], row["place"], state)
    _print(table)


def _print(table: Table) -> None:
    Console(width=None if sys.stdout.isatty() else WIDE).print(table)


def _describe(home: Hearthgraph, iri: str, form: str, profile: Profile) -> None:
    thing = home.registry.things.get(iri)
    if thing is None:
        raise InputError(f"There is no thing {iri}.", remedy="`hearthgraph things --json` lists them with their IRIs.")
    if form == "jsonld" and profile is Profile.W3C:
        click.echo(json.dumps(emission.as_jsonld(home.store, thing), ensure_ascii=False, indent=2))
    else:
        click.echo(emission.as_turtle(home.store, thing, profile), nl=False)


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
    if (server := owner(settings)) is not None:
        click.echo(server.query(text), nl=False)
        return
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
    if (server := owner(settings)) is not None:
        server.dump(file)
    else:
        with opened(settings) as home:
            home.store.dump(file)
    click.echo(f"Written to {file}.")


@click.command()
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False, exists=True))
@with_settings
def restore(settings: Settings, file: Path) -> None:
    """Replace the whole store by the dump in FILE; a file that is not whole changes nothing."""
    if (server := owner(settings)) is not None:
        server.restore(file)
    else:
        with opened(settings) as home:
            home.restore(file)
    click.echo(f"Restored from {file}.")
