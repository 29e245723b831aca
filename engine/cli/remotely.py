"""The commands as they go where a server owns the store: the same words, asked of it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from uuid import uuid4

import click

from engine.cli.through import Owner
from engine.errors import HearthgraphError, InputError
from engine.model.outcome import Status

NOBODY = "Nothing was done, for nobody answered: pipe the answer in, or consent with --yes."


def ask(
    server: Owner,
    text: str,
    consented: Callable[[str], bool | None],
    replied: Callable[[str], str],
    *,
    as_json: bool,
    **more: Any,
) -> Status:
    """Says something once, answers questions, and prints the outcome; returns the status in the end."""
    more["conversation"] = f"cli-{uuid4()}"
    found = server.ask(text, **more)
    if as_json:
        click.echo(json.dumps(found, ensure_ascii=False))
        return Status(found["status"])
    while found["status"] == Status.CLARIFY.value and (reply := replied(found["reply"])):
        found = server.ask(reply, **more)
    if found["status"] != Status.PROPOSED.value:
        click.echo(found["reply"])
        return Status(found["status"])
    answer = consented(found["reply"])
    if answer is None:
        click.echo(NOBODY, err=True)
        return Status(found["status"])
    found = server.decide(found, consent=answer)
    click.echo(found["reply"])
    return Status(found["status"])


def talk(server: Owner, heard: Callable[[], str | None], **more: Any) -> None:
    """A conversation, a line at a time."""
    more["conversation"] = f"cli-{uuid4()}"
    while (text := heard()) is not None:
        try:
            click.echo(server.ask(text, **more)["reply"])
        except HearthgraphError as error:
            click.echo(str(error))


def load(server: Owner, files: tuple[Path, ...], model: Path | None = None) -> bool:
    """Loads files one by one; returns whether all were taken. Results of files made from a `model` are told under its
    name."""
    refused = 0
    for path in files:
        for file in sorted(path.iterdir()) if path.is_dir() else [path]:
            try:
                report = server.load(file)
            except InputError as error:
                refused += 1
                click.echo(f"{model or file}: refused. {error}", err=True)
                continue
            counts = f"{len(report['things'])} things, {len(report['places'])} places, {report['states']} values"
            click.echo(f"{model or file}: {counts}.")
            for warning in report["warnings"]:
                click.echo(f"  warning: {warning}")
    return not refused


def things(server: Owner) -> list[dict[str, Any]]:
    """The rows of the table of things."""
    found: list[dict[str, Any]] = json.loads(server.text("/home/things", "application/json"))
    return found


def describe(server: Owner, iri: str, form: str, profile: str) -> str:
    """The description of one thing."""
    accept = "text/turtle" if form == "turtle" else "application/ld+json"
    text = server.text("/home/things", accept, iri=iri, profile=profile)
    return json.dumps(json.loads(text), ensure_ascii=False, indent=2) if text.startswith("{") else text
