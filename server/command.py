"""`hearthgraph serve`: the home over HTTP, until it is told to stop."""

from __future__ import annotations

import gc
import logging
import signal
import sys
import threading
from importlib import import_module

import click

from engine import embedding
from engine.cli.opening import with_settings
from engine.environment.values import units
from engine.errors import SettingError, StoreError
from engine.settings import Settings
from server.application import create_app
from server.guard import admitting, recognising
from server.listener import Listener
from server.observation import configure_logs
from server.service import Service

_log = logging.getLogger(__name__)
STOPPING = 5.0
"""Seconds for which the server waits at its end for calls that are under way. They take less than one, but where the
machine has no time for them."""
SWITCH_SECONDS = 0.002
"""How long a thread may compute while others wait: a call that asks the store a dozen things waits a dozen times."""
YOUNG = 20_000
"""How many new objects the collector of cycles waits for; of those of a request nearly all go by themselves."""


@click.command()
@click.option("--verbose", is_flag=True, help="Log every call.")
@with_settings
def serve(settings: Settings, verbose: bool) -> None:
    """Serve the home over HTTP: pages, SPARQL, Turtle, requests."""
    plain = logging.WARNING if sys.stderr.isatty() else logging.INFO
    configure_logs(logging.DEBUG if verbose else plain)
    sys.setswitchinterval(SWITCH_SECONDS)
    service = Service.open(settings)
    try:
        _settled(service)
        server = _listening(service)
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, server.stop)
        host = f"[{settings.host}]" if ":" in settings.host else settings.host
        url = f"http://{host}:{server.effective_port}"
        service.keys.announce(url)
        service.home.explorer.served(url)
        service.home.explorer.resume()
        _tell(service, url)
        threading.Thread(target=_warm, args=[service], name="warm", daemon=True).start()
        server.run()
        service.keys.withdraw()
        service.end()
        server.finish(STOPPING)
    finally:
        service.keys.withdraw()
        service.close()
        click.echo("Stopped.", err=True)


def _settled(service: Service) -> None:
    """Exempts all present objects from garbage collection: the collector need not walk them again and again while
    somebody waits."""
    service.home.assistant.refresh()
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG)


def warm() -> None:
    """Loads the encoder, the units of Pint and the runner of plans, so that no request waits for them (some .6 s)."""
    embedding.warm()
    units.warm()
    import_module("engine.execution.runner")


def _warm(service: Service) -> None:
    """Does what nobody has to wait for before the first call."""
    warm()
    try:
        service.store.keep_derived()
    except StoreError as error:  # it is kept when the server ends, or by the next one
        _log.info("what is derived is not kept: %s", error)


def _listening(service: Service) -> Listener:
    settings, app = service.settings, create_app(service)
    try:
        return Listener.at(
            app,
            host=settings.host,
            port=settings.port,
            threads=settings.server_threads,
            body_bytes=settings.body_bytes,
            knows=recognising(app),
            admits=admitting(app),
        )
    except (OSError, ValueError) as error:
        said = error.strerror if isinstance(error, OSError) else str(error)
        raise SettingError(
            f"Nothing can listen on {settings.host}, port {settings.port}: {said}.",
            remedy="Name another port in HEARTHGRAPH_PORT.",
        ) from error


def _tell(service: Service, url: str) -> None:
    """Where it is, how to get in, and a first thing to try. The token is shown when it is made, and never again."""
    keys = service.keys
    click.echo(f"{len(service.home.registry.things)} things in {len(service.home.registry.places)} places at {url}")
    click.echo(f"Open this to sign in, once: {url}/sign-in?code={keys.code}")
    if keys.fresh:
        click.echo(f"The token for writing, shown this once: {keys.token}")
    click.echo(f"It is kept in {keys.folder / 'token'}.")
    click.echo("Then say, for example: turn on the light in the kitchen. Ctrl-C stops the server.")
    sys.stdout.flush()
