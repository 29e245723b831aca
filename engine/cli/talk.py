"""Commands that talk: ask once, or converse."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from time import monotonic

import click

from engine import embedding
from engine.cli import remotely
from engine.cli.opening import interactive, opened, piped_line, with_settings
from engine.cli.through import owner
from engine.dialogue.conversation import Conversation
from engine.dialogue.requests.consenting import Answer, answer_of
from engine.dialogue.requests.request import Consent, Manner
from engine.dialogue.result import result
from engine.errors import HearthgraphError, SettingError
from engine.hearthgraph import Hearthgraph
from engine.model.outcome import Outcome, Status
from engine.settings import Settings

HELP = "Say what you want, for example “turn on the light in the kitchen”. Empty line or Ctrl-D: the end."
NOT_DONE = (Status.REFUSED, Status.FAILED)


@click.command()
@click.argument("text")
@click.option("--yes", is_flag=True, help="Consent beforehand, except to what you might regret.")
@click.option("--json", "as_json", is_flag=True, help="Print the result object; what needs consent is only proposed.")
@click.option("--location", help="Where you are: the name or IRI of a place.")
@click.option("--user", help="Who you are.")
@click.option("--path", type=click.Choice(["model"]), help="Have the language model of the settings plan it.")
@click.option("--summary", type=click.Choice(["template", "model"]), help="Who says in words what would be done.")
@with_settings
def ask(settings: Settings, text: str, yes: bool, as_json: bool, **given: str | None) -> None:
    """Say what you want, once.

    What you have not consented to is asked; the answer may come through a pipe. Exit status 3: it was not done."""
    consent = Consent.YES if yes else Consent.ASK
    if (server := owner(settings)) is not None:
        more = {"consent": consent.value, **given}
        status = remotely.ask(server, text, _consented, _replied, as_json=as_json, **more)
        sys.exit(3 if status in NOT_DONE else 0)
    manner = Manner(given["path"], given["summary"])
    if manner.needs_model and settings.llm_url is None:
        raise SettingError("No language model is set up.", remedy="Give its address in the setting llm_url.")
    _says_when_it_takes_long()
    with opened(settings) as home:

        def said(words: str) -> Outcome:
            place, user = given["location"], given["user"]
            return home.ask(words, consent=consent, location=place, user=user, conversation="ask", manner=manner)

        outcome = said(text)
        if as_json:
            click.echo(json.dumps(result(outcome, home.registry, store=home.store), ensure_ascii=False))
        else:
            outcome = _told(home, _clarified(outcome, said))
    if outcome.status in NOT_DONE:
        sys.exit(3)


def _says_when_it_takes_long() -> None:
    """Has a person told when words are met that must be compared by meaning, for which a model is loaded."""
    embedding.on_load[:] = [lambda: click.echo("One moment: I am looking for what that could mean.", err=True)]


def _clarified(outcome: Outcome, said: Callable[[str], Outcome]) -> Outcome:
    """The outcome after questions have been answered, at the terminal or through the pipe, as far as they are."""
    while outcome.status is Status.CLARIFY and (reply := _replied(outcome.reply)):
        outcome = said(reply)
    return outcome


def _replied(question: str) -> str:
    """The reply to a question; empty where there is none."""
    if sys.stdin is not None and sys.stdin.isatty():
        return str(click.prompt(question, default="", show_default=False, err=not sys.stdout.isatty())).strip()
    line = piped_line().strip()
    if line:
        click.echo(question)
    return line


def _told(home: Hearthgraph, outcome: Outcome) -> Outcome:
    """Prints the reply; where it asks for consent, takes the answer, acts on it, and prints the outcome of that."""
    if outcome.status is not Status.PROPOSED or outcome.plan is None:
        click.echo(outcome.reply)
        return outcome
    consented = _consented(outcome.reply)
    if consented is None:
        click.echo("Nothing was done, for nobody answered: pipe the answer in, or consent with --yes.", err=True)
        return outcome
    plan = outcome.plan.iri
    outcome = home.assistant.consent(plan) if consented else home.assistant.decline(plan)
    click.echo(outcome.reply)
    return outcome


def _consented(question: str) -> bool | None:
    """The answer to a question: of the person at the terminal, or from the pipe; None if there is none."""
    if sys.stdin is not None and sys.stdin.isatty():
        return click.confirm(question, err=not sys.stdout.isatty())
    click.echo(question)
    line = piped_line()
    return None if not line.strip() else answer_of(line) is Answer.YES


@click.command()
@click.option("--yes", is_flag=True, help="Consent beforehand, except to what you might regret.")
@click.option("--location", help="Where you are: the name or IRI of a place.")
@click.option("--user", help="Who you are.")
@with_settings
def talk(settings: Settings, yes: bool, location: str | None, user: str | None) -> None:
    """Converse with the home."""
    consent = Consent.YES if yes else Consent.ASK
    if (server := owner(settings)) is not None:
        click.echo(f"The server at {server.url} has the home. {HELP}")
        remotely.talk(server, _line, consent=consent.value, location=location, user=user)
        return
    _says_when_it_takes_long()
    with opened(settings) as home:

        def said(text: str) -> Outcome:
            return home.ask(text, consent=consent, location=location, user=user)

        conversation = Conversation(home.assistant, said)
        click.echo(f"{len(home.registry.things)} things in {len(home.registry.places)} places. {HELP}")
        heard = monotonic()
        while (text := _line()) is not None:
            home.pass_time(monotonic() - heard)
            heard = monotonic()
            try:
                click.echo(conversation.say(text).reply)
            except HearthgraphError as error:
                click.echo(str(error))


def _line() -> str | None:
    """The next utterance; None at the end. Only at a terminal is an empty line the end."""
    person = interactive()
    while True:
        try:
            line = input("> " if person else "").strip()
        except (EOFError, KeyboardInterrupt):
            return None
        if line or person:
            return line or None
