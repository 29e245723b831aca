"""`hearthgraph ontology check`: the inferences from the ontology and the things, and their contradictions."""

from __future__ import annotations

from pathlib import Path

import click
from pyoxigraph import RdfFormat, serialize

from engine.cli.opening import opened, with_settings
from engine.errors import InputError, ReasonerError
from engine.graph.terms import NAMESPACES, compact
from engine.hearthgraph import Hearthgraph
from engine.settings import Settings
from engine.things.ontology import consistency
from engine.things.ontology.consistency import Report

CONTRADICTORY, UNCHECKED = 1, 3
"""Exit statuses: something cannot be true; nothing is known, for the reasoner is not there."""


@click.group()
def ontology() -> None:
    """About what the engine knows: its classes, and what follows from them."""


@ontology.command()
@click.argument("files", nargs=-1, type=click.Path(path_type=Path))
@click.option(
    "--out", type=click.Path(path_type=Path, dir_okay=False), help="Write what follows to this file, as Turtle."
)
@with_settings
def check(settings: Settings, files: tuple[Path, ...], out: Path | None) -> None:
    """Classify the ontology and the things of the store, or those of FILES, with HermiT (needs Java).

    Names what contradicts itself. Ends with 0 where nothing does, 1 where something does, 3 where it cannot be checked.
    """
    with Hearthgraph.open(None, settings=settings) if files else opened(settings) as home:
        if files:
            home.load(files)
        try:
            report = consistency.check(home.registry)
        except ReasonerError as error:
            click.echo(f"hearthgraph: {error}", err=True)
            raise SystemExit(UNCHECKED) from error
        _tell(home, report)
    if out is not None:
        _write(report, out)
    if report.contradictions:
        raise SystemExit(CONTRADICTORY)


def _tell(home: Hearthgraph, report: Report) -> None:
    click.echo(f"{report.classes} classes and properties, {report.individuals} individuals: {report.seconds:.1f} s.")
    for contradiction in report.contradictions:
        names = ", ".join(
            f"{consistency.name(home.registry, iri)} ({compact(iri)})" for iri in contradiction.individuals
        )
        click.echo(f"Contradiction: {names or 'the ontology itself'}. These cannot all be true:")
        for statement in contradiction.statements:
            click.echo(f"  - {statement}")
    for cls in report.unread:
        click.echo(f"Note: the definition of {compact(cls)} is beyond the rules that hold when things come in.")
    if not report.contradictions:
        click.echo("Nothing contradicts itself.")
    click.echo(f"{len(report.inferred)} statements follow.")


def _write(report: Report, out: Path) -> None:
    try:
        out.write_bytes(serialize(report.inferred, format=RdfFormat.TURTLE, prefixes=NAMESPACES) or b"")
    except OSError as error:
        raise InputError(f"{out} cannot be written: {error.strerror}.", remedy="Name another file.") from error
    click.echo(f"Written to {out}.")
