"""Commands that talk: ask once, or converse."""

from __future__ import annotations

import json
import sys

import click

from engine.cli.opening import interactive, opened, with_settings
from engine.dialogue.assistant import Consent
from engine.dialogue.result import result
from engine.errors import HearthgraphError
from engine.hearthgraph import Hearthgraph
from engine.model.outcome import Outcome, Status
from engine.settings import Settings

HELP = "Say what you want, for example “turn on the light in the kitchen”. Empty line or Ctrl-D: the end."


@click.command()
@click.argument("text")
@click.option("--yes", is_flag=True, help="Consent beforehand, except to what you might regret.")
@click.option("--json", "as_json", is_flag=True, help="Print the result object.")
@click.option("--location", help="Where you are: the name or IRI of a place.")
@click.option("--user", help="Who you are.")
@with_settings
def ask(settings: Settings, text: str, yes: bool, as_json: bool, location: str | None, user: str | None) -> None:
    """Say what you want, once."""
    with opened(settings) as home:
        consent = Consent.YES if yes else Consent.ASK
        outcome = home.ask(text, consent=consent, location=location, user=user)
        if outcome.status is Status.PROPOSED and not as_json and interactive():
            outcome = _consented(home, outcome)
        if as_json:
            click.echo(json.dumps(result(outcome, home.registry), ensure_ascii=False))
        else:
            click.echo(outcome.reply)
    if outcome.status in (Status.REFUSED, Status.FAILED):
        sys.exit(3)


def _consented(home: Hearthgraph, outcome: Outcome) -> Outcome:
    """Asks for consent to a proposed plan, and runs it."""
    assert outcome.plan is not None
    if click.confirm(outcome.reply.removesuffix(" Shall I?") + " Shall I?"):
        return home.assistant.consent(outcome.plan.iri)
    return outcome


@click.command()
@click.option("--yes", is_flag=True, help="Consent beforehand, except to what you might regret.")
@click.option("--location", help="Where you are: the name or IRI of a place.")
@with_settings
def talk(settings: Settings, yes: bool, location: str | None) -> None:
    """Converse with the home."""
    with opened(settings) as home:
        click.echo(f"{len(home.registry.things)} things in {len(home.registry.places)} places. {HELP}")
        while text := _line():
            try:
                outcome = home.ask(text, consent=Consent.YES if yes else Consent.ASK, location=location)
                if outcome.status is Status.PROPOSED and interactive():
                    outcome = _consented(home, outcome)
                click.echo(outcome.reply)
            except HearthgraphError as error:
                click.echo(str(error))


def _line() -> str:
    try:
        return input("> " if interactive() else "").strip()
    except (EOFError, KeyboardInterrupt):
        return ""
