"""The page of settings and of how the server is."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from flask import Blueprint, render_template

from engine.settings import Settings, config_file
from server.pages.naming import name_of
from server.service import service

blueprint = Blueprint("pages_status", __name__)


@blueprint.get("/settings")
def page() -> str:
    """The settings as they are, and figures of the moment."""
    return render_template(
        "settings.html", settings=_settings(), figures=_figures(), graphs=_graphs(), file=config_file()
    )


def _settings() -> list[dict[str, str]]:
    values = service().settings
    return [
        {"name": name, "value": _shown(getattr(values, name)), "description": field.description or ""}
        for name, field in Settings.model_fields.items()
    ]


def _shown(value: Any) -> str:
    if value is None or value in ((), ""):
        return "none"
    return ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)


def _figures() -> list[tuple[str, str]]:
    served = service()
    home = served.home
    now: datetime = home.clock.now()
    return [
        ("time of the home", now.strftime("%Y-%m-%d %H:%M:%S")),
        ("things", str(len(home.registry.things))),
        ("places", str(len(home.registry.places))),
        ("values known", str(len(home.state))),
        ("writes since the start", str(served.store.writes)),
        ("queries running", str(served.pool.busy)),
        ("queries stopped since the start", str(served.pool.figures.stopped)),
    ]


def _graphs() -> list[tuple[str, str]]:
    rows = service().store.select("server/graph_sizes")
    engines = [(g.value, n.value) for g, n in rows if g is not None and n is not None]
    documents = service().home.registry.index.documents
    own = [(name_of(iri), n) for iri, n in engines if iri not in documents]
    described = sum(int(n) for iri, n in engines if iri in documents)
    return [*own, (f"descriptions of {len(documents)} things", str(described))]
