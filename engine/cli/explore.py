"""`hearthgraph explore`: another home, found by following links, and known here afterwards."""

from __future__ import annotations

import signal
import time
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import click

from engine.cli.opening import opened, with_settings
from engine.cli.through import Owner, owner
from engine.errors import InputError
from engine.origins.hypermedia.crawl.frontier import Limits
from engine.origins.hypermedia.crawl.nearby import announced
from engine.origins.hypermedia.crawl.result import Progress
from engine.settings import Settings

_STANDARD = Limits()
MEGABYTE = 2**20
LOOK_SECONDS = 0.3
"""How often a server is asked how far it is."""
MOST = 20
"""How many troubles are told one by one."""


@click.command()
@click.argument("url", required=False)
@click.option("--nearby", is_flag=True, help="Explore what announces itself in this network (DNS-SD) instead.")
@click.option("--follow", is_flag=True, help="Stay up to date with it from now on.")
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
def explore(settings: Settings, url: str | None, nearby: bool, follow: bool, **limits: Any) -> None:
    """Explore the home at URL by following links: a platform, a workspace, a thing, a directory, or a server.

    What is found is known here: its places, its things, and how they are. The same again brings it up to date."""
    most = limits["megabytes"] * MEGABYTE
    chosen = Limits(limits["pages"], limits["depth"], limits["hosts"], limits["seconds"], most)
    starts = announced() if nearby else [url] if url is not None else []
    if not starts:
        raise InputError("Nothing is named to explore, or announces itself.", remedy="Give an address.")
    if (server := owner(settings)) is not None:
        found = [_through(server, start, follow, chosen) for start in starts]
    else:
        found = _here(settings, starts, follow, chosen)
    if not all(one["new"] or one["updated"] or one["same"] for one in found):
        raise SystemExit(1)


def _here(settings: Settings, starts: Sequence[str], follow: bool, limits: Limits) -> list[dict[str, Any]]:
    """Explores into the store, which nobody else owns; returns the result of each."""
    with opened(settings) as home:
        found = [home.explorer.explore(start, limits, _Teller().hear).as_json() for start in starts]
        for one in found:
            tell(one)
        if not settings.live:
            click.echo("This home is simulated: what was found is not acted upon. The setting live changes that.")
        for start in starts if follow else ():
            home.explorer.follow(start)
        if follow:
            click.echo("Following by asking, until Ctrl-C; `hearthgraph serve` is told what is new instead.")
            signal.pause()
    return found


def _through(server: Owner, url: str, follow: bool, limits: Limits) -> dict[str, Any]:
    """Has the server explore that owns the store, and shows progress; returns the result."""
    run, told = server.explore(url, follow, asdict(limits)), _Teller()
    while run["status"] == "running":
        time.sleep(LOOK_SECONDS)
        run = server.exploration(run["id"])
        for phase, so_far in run["phases"].items():
            told.hear(Progress(phase, so_far["done"], so_far["total"]))
    if run["status"] == "failed":
        raise InputError(run["error"]["message"], remedy=run["error"]["remedy"], reason=run["error"]["reason"])
    found: dict[str, Any] = run["result"]
    tell(found)
    if follow:
        click.echo("The server follows it from now on.")
    return found


class _Teller:
    """Prints how far an exploration is, a line a phase on a terminal, else one when a phase ends."""

    def __init__(self) -> None:
        self._last: Progress | None = None

    def hear(self, progress: Progress) -> None:
        line = f"{progress.phase}: {progress.done} of {progress.total}"
        if progress == self._last:
            return
        if self._last is not None and progress.phase != self._last.phase:
            click.echo("", err=True)
        self._last = progress
        click.echo(f"\r{line:<40}", nl=False, err=True)


def tell(found: dict[str, Any]) -> None:
    """Prints the result of an exploration."""
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
