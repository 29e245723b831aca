"""`hearthgraph export`: plans of the engine as scripts and scenes of other systems."""

from __future__ import annotations

import json
from pathlib import Path

import click

from engine.cli.opening import opened, with_settings
from engine.dialogue.requests.request import Consent
from engine.errors import InputError
from engine.graph.terms import Json
from engine.hearthgraph import Hearthgraph
from engine.model.plan import Plan
from engine.origins.home_assistant import scripts
from engine.settings import Settings


@click.command()
@click.argument("origin", type=click.Choice(["home-assistant"]))
@click.argument("text")
@click.option("--scene", is_flag=True, help="Write the state that comes about, not the way to it.")
@click.option("--name", help="What it is to be called; else as it was said.")
@click.option("--out", type=click.Path(path_type=Path), help="Where it goes; standard output by default.")
@with_settings
def export(settings: Settings, origin: str, text: str, scene: bool, name: str | None, out: Path | None) -> None:  # noqa: ARG001
    """Write what TEXT asks for as a script or a scene of Home Assistant's. Nothing is done.

    What comes out is JSON, which Home Assistant reads as YAML: an entry of `script:`, or of `scene:`."""
    with opened(settings) as home:
        plan, alias = _planned(home, text), name or text
        written = (scripts.scene if scene else scripts.script)(plan, home.registry, alias)
    write_json(written, out)


def write_json(content: Json, out: Path | None) -> None:
    """Writes JSON to a file, or to standard output for None. Raises InputError where the file cannot be written."""
    lines = json.dumps(content, ensure_ascii=False, indent=2) + "\n"
    if out is None:
        click.echo(lines, nl=False)
        return
    try:
        out.write_text(lines, encoding="utf-8")
    except OSError as error:
        raise InputError(f"{out} cannot be written: {error.strerror}.", remedy="Name another file.") from error


def _planned(home: Hearthgraph, text: str) -> Plan:
    """The plan for a request, which is not carried out. Raises InputError where there is none."""
    outcome = home.ask(text, consent=Consent.ASK)
    if outcome.plan is None or not outcome.plan.steps:
        raise InputError(f"There is no plan for that. {outcome.reply}", remedy="Say what is to be done.")
    home.assistant.decline(outcome.plan.iri)
    return outcome.plan
