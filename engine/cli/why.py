"""`hearthgraph why`: the story of a request."""

from __future__ import annotations

import click

from engine.cli.opening import opened, with_settings
from engine.cli.through import owner
from engine.dialogue.explaining.why import why as told
from engine.settings import Settings


@click.command()
@click.argument("run", required=False)
@with_settings
def why(settings: Settings, run: str | None) -> None:
    """Tell why something was done, or was not.

    RUN is the IRI of a request, a plan or a run; without it the last request is told of."""
    if (server := owner(settings)) is not None:
        click.echo(server.why(run))
        return
    with opened(settings) as home:
        click.echo(told(home.store, home.registry, run))
