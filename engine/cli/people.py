"""`hearthgraph people`: the facts on each person, shown, exported, corrected, forgotten."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from urllib.parse import quote

import click

from engine.cli.opening import opened, with_settings
from engine.cli.through import owner
from engine.dialogue.people.forgetting import correct_fact, forget_everywhere, forget_facts
from engine.dialogue.people.profile import people as known_people
from engine.dialogue.people.profile import profile
from engine.dialogue.people.showing import count
from engine.errors import InputError
from engine.settings import Settings

FILE = click.Path(dir_okay=False, path_type=Path)


@click.group()
def people() -> None:
    """What the home knows of each person: what they told, what was told of them, what they had done."""


@people.command("list")
@with_settings
def list_(settings: Settings) -> None:
    """Show of whom anything is known."""
    if (server := owner(settings)) is not None:
        found = [str(name) for name in server.json("/people")]
    else:
        with opened(settings) as home:
            found = list(known_people(home.store))
    click.echo("\n".join(found) if found else "Nothing is known of anybody.")


@people.command("show")
@click.argument("person")
@with_settings
def show(settings: Settings, person: str) -> None:
    """Show what is known of a person, each with its evidence."""
    found = _profile(settings, person)
    for one in found["facts"]:
        click.echo(f"{one['iri']} {one['at'][:10]} told by {one['told_by'] or 'nobody'}: {one['text']}")
    for line in found["digest"]:
        often = f"{count(line['times'], 'time')} on {count(line['days'], 'day')}"
        click.echo(f"{line['task']}: {often}, last {line['last'][:10]}")
    for day in found["days"]:
        click.echo(f"{day['day']}: {', '.join(line['task'] for line in day['digest'])}")
    if not found["facts"] and not found["digest"]:
        click.echo(f"Nothing is known of {person}.")


@people.command("export")
@click.argument("person")
@click.argument("file", type=FILE)
@with_settings
def export(settings: Settings, person: str, file: Path) -> None:
    """Write what is known of a person to a file, as JSON."""
    text = json.dumps(_profile(settings, person), ensure_ascii=False, indent=1)
    try:
        file.write_text(text + "\n", encoding="utf-8")
    except OSError as error:
        raise InputError(f"{file} cannot be written: {error.strerror}.", remedy="Name another file.") from error
    click.echo(f"Written to {file}.")


@people.command("forget")
@click.argument("person")
@click.option("--fact", "iris", multiple=True, help="Only this fact, as `people show` names it.")
@with_settings
def forget(settings: Settings, person: str, iris: tuple[str, ...]) -> None:
    """Forget a person, or single facts: in the memory, the journal and what was learnt."""
    if (server := owner(settings)) is not None:
        path = "/preferences" if iris else f"/people/{quote(person, safe='')}"
        number = server.delete(path, **({"iri": list(iris)} if iris else {}))
    else:
        with opened(settings) as home:
            experience, vocabulary = home.assistant.experience, home.registry.vocabulary
            if iris:
                number = len(forget_facts(home.store, experience, vocabulary, iris))
            else:
                number = forget_everywhere(home.store, experience, vocabulary, home.rules, person)
    click.echo(f"{number} {'fact' if number == 1 else 'facts'} forgotten.")


@people.command("correct")
@click.argument("fact")
@click.option("--person", required=True, help="Whose it is.")
@with_settings
def correct(settings: Settings, fact: str, person: str) -> None:
    """Say whose a fact really is."""
    if (server := owner(settings)) is not None:
        server.correct(fact, person)
    else:
        with opened(settings) as home:
            correct_fact(home.store, fact, person)
    click.echo(f"It is {person}'s.")


def _profile(settings: Settings, person: str) -> Any:
    if (server := owner(settings)) is not None:
        return server.json(f"/people/{quote(person, safe='')}")
    with opened(settings) as home:
        return profile(home.store, person, home.clock.now().date())
