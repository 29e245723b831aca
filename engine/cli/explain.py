"""`hearthgraph explain`: how a request is read, word by word."""

from __future__ import annotations

import click

from engine.cli.opening import opened, with_settings
from engine.dialogue.requests.request import Request
from engine.language.chart.account import account_of
from engine.settings import Settings


@click.command()
@click.argument("text")
@click.option("--in", "location", metavar="ROOM", help="Where the speaker is: a room's name or IRI.")
@click.option("--most", default=3, show_default=True, help="How many readings to show.")
@with_settings
def explain(settings: Settings, text: str, location: str | None, most: int) -> None:
    """Show how TEXT is read, and do nothing.

    For each reading, the likeliest first: the use of each word, the effect, and the evidence for and against it; then
    the decision.
    """
    with opened(settings) as home:
        request = Request(text, "urn:hearthgraph:explain", None, home.place(location))
        context = home.assistant.hearing(request)
        click.echo("\n".join(account_of(request.text, request.iri, context, most)))
