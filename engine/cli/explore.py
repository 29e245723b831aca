"""`hearthgraph explore`: another home, found by following links, and known here afterwards."""

from __future__ import annotations

from typing import Any

import click

from engine.cli.opening import opened, with_settings
from engine.origins.hypermedia.findings import Progress
from engine.origins.hypermedia.frontier import Limits
from engine.settings import Settings

_STANDARD = Limits()
MEGABYTE = 2**20
MOST = 20
"""How many troubles are told one by one."""


@click.command()
@click.argument("url")
@click.option("--pages", default=_STANDARD.documents, type=click.IntRange(1), help="How many pages at most.")
@click.option("--depth", default=_STANDARD.depth, type=click.IntRange(0), help="How many steps from URL at most.")
@click.option(
    "--hosts", default=_STANDARD.hosts, type=click.IntRange(0), help="How many public hosts besides that of URL."
)
@click.option("--seconds", default=_STANDARD.seconds, type=click.FloatRange(1), help="How long at most.")
@click.option(
    "--megabytes", default=_STANDARD.bytes // MEGABYTE, type=click.IntRange(1), help="How much may be fetched."
)
@with_settings
def explore(settings: Settings, url: str, **limits: Any) -> None:
    """Explore the home at URL by following links: a platform, a workspace, a thing, a directory, or a server.

    What is found is known here: its places, its things, and how they are. The same again brings it up to date."""
    chosen = Limits(
        limits["pages"], limits["depth"], limits["hosts"], limits["seconds"], limits["megabytes"] * MEGABYTE
    )
    with opened(settings) as home:
        told = _Teller()
        tell(home.explorer.explore(url, chosen, told.hear).as_json())
        if not settings.live:
            click.echo("This home is simulated: what was found is not acted upon. The setting live changes that.")


class _Teller:
    """Prints how far an exploration is, a line a phase on a terminal, else one when a phase ends."""

    def __init__(self) -> None:
        self._phase = ""

    def hear(self, progress: Progress) -> None:
        line = f"{progress.phase}: {progress.done} of {progress.total}"
        if progress.phase != self._phase and self._phase:
            click.echo("", err=True)
        self._phase = progress.phase
        click.echo(f"\r{line:<40}", nl=False, err=True)


def tell(found: dict[str, Any]) -> None:
    """Prints what came of an exploration."""
    click.echo("", err=True)
    things = [*found["new"], *found["updated"], *found["same"]]
    click.echo(
        f"{len(found['places'])} places, {len(things)} things with {found['affordances']} affordances "
        f"({len(found['new'])} new, {len(found['updated'])} changed, {len(found['retired'])} gone), "
        f"{found['values']} values."
    )
    seconds = ", ".join(f"{phase} {spent:.1f} s" for phase, spent in found["seconds"].items())
    click.echo(f"{found['requests']} requests, {found['bytes'] / 1024:.0f} kB, {found['hosts']} hosts; {seconds}.")
    if found["limits"]:
        click.echo(f"There is more: it ended at the limit of {', '.join(found['limits'])}.")
    for trouble in found["troubles"][:MOST]:
        click.echo(f"  not used: {trouble['url']}: {trouble['message']} ({trouble['reason']})")
    for warning in found["warnings"][:MOST]:
        click.echo(f"  warning: {warning}")
    left = max(0, len(found["troubles"]) - MOST) + max(0, len(found["warnings"]) - MOST)
    if left:
        click.echo(f"  and {left} more.")
