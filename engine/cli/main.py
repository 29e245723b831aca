"""`hearthgraph`: the command line. Commands are imported when they are called, so that each starts quickly."""

from __future__ import annotations

import io
import logging
import sys
import traceback
from importlib import import_module
from pathlib import Path
from typing import Any

import click

from engine import settings as configuration
from engine.errors import HearthgraphError

COMMANDS = {
    "load": "engine.cli.home:load",
    "import": "engine.cli.home:import_",
    "things": "engine.cli.home:things",
    "query": "engine.cli.home:query",
    "export": "engine.cli.export:export",
    "ontology": "engine.cli.ontology:ontology",
    "dump": "engine.cli.home:dump",
    "restore": "engine.cli.home:restore",
    "store": "engine.cli.store:store",
    "explore": "engine.cli.explore:explore",
    "ask": "engine.cli.talk:ask",
    "talk": "engine.cli.talk:talk",
    "batch": "engine.cli.batch:batch",
    "evaluate": "engine.cli.evaluate:evaluate",
    "experience": "engine.cli.experience:experience",
    "policy": "engine.cli.policy:policy",
    "rules": "engine.cli.rules:rules",
    "preferences": "engine.cli.preferences:preferences",
    "people": "engine.cli.people:people",
    "why": "engine.cli.why:why",
    "explain": "engine.cli.explain:explain",
    "serve": "server.command:serve",
}


class _Failure(click.ClickException):
    """A fault that a person can do something about: one line, and the exit status 1."""

    def show(self, file: Any = None) -> None:  # noqa: ARG002
        click.echo(f"hearthgraph: {self.message}", err=True)


class _OneLine(logging.Formatter):
    """Formats a log record in one line: with the fault's name and words, without its traceback."""

    def format(self, record: logging.LogRecord) -> str:
        fault = record.exc_info[1] if record.exc_info else None
        return f"hearthgraph: {record.getMessage()}" + (f": {_words(fault)}" if fault is not None else "")


class Group(click.Group):
    """A group that imports its commands late and whose commands report errors in one sentence."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """The names, in the order of the help page."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """The command of a name."""
        if cmd_name not in COMMANDS:
            return None
        module, _, name = COMMANDS[cmd_name].partition(":")
        found = getattr(import_module(module), name)
        assert isinstance(found, click.Command)
        return found

    def invoke(self, ctx: click.Context) -> Any:
        """Runs a command; any error becomes one line without a traceback."""
        _prepare_streams()
        try:
            return super().invoke(ctx)
        except HearthgraphError as error:
            raise _Failure(str(error)) from error
        except (click.ClickException, click.Abort, click.exceptions.Exit, BrokenPipeError):
            raise
        except OSError as error:
            raise _Failure(_words(error)) from error
        except Exception as error:
            place = traceback.extract_tb(error.__traceback__)[-1]
            where = f"{Path(place.filename).name}:{place.lineno}"
            raise _Failure(
                f"Something went wrong that should not, at {where}: {_words(error)}. Report this."
            ) from error


def _words(error: BaseException) -> str:
    text = " ".join(str(error).split())
    return text if isinstance(error, OSError) and text else f"{type(error).__name__} {text}".strip()


def _prepare_streams() -> None:
    """Bytes that are no text, and characters that the terminal does not have, are replaced and never an error."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace" if stream is sys.stdin else "backslashreplace")
    if not logging.root.handlers:
        handler = logging.StreamHandler()
        handler.setFormatter(_OneLine())
        logging.root.addHandler(handler)


@click.group(cls=Group, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--store", help="The directory of the graph store, or the address of a server that has it.")
@click.version_option(package_name="hearthgraph")
@click.pass_context
def main(ctx: click.Context, store: str | None) -> None:
    """Hearthgraph: the brain of a smart environment whose whole memory is one RDF graph."""
    ctx.obj = configuration.load(store=store)


if __name__ == "__main__":
    main()
