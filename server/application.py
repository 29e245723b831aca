"""The application: what is served under which path."""

from __future__ import annotations

from flask import Flask

from server import faults, guard, observation
from server.protocol import chat, graphs, requests, sparql, status, things, update
from server.service import EXTENSION, Service

BLUEPRINTS = tuple(module.blueprint for module in (status, sparql, update, graphs, things, requests, chat))


def create_app(service: Service) -> Flask:
    """The application that serves a home."""
    app = Flask("server")
    app.extensions[EXTENSION] = service
    app.config.update(
        SECRET_KEY=service.keys.sessions,
        MAX_CONTENT_LENGTH=service.settings.body_bytes,
        MAX_FORM_MEMORY_SIZE=service.settings.body_bytes,
        SESSION_COOKIE_NAME="hearthgraph",
        SESSION_COOKIE_SAMESITE="Strict",
        SESSION_COOKIE_HTTPONLY=True,
        WTF_CSRF_CHECK_DEFAULT=False,
        WTF_CSRF_TIME_LIMIT=None,
        WTF_CSRF_SSL_STRICT=False,
    )
    app.json.sort_keys = False  # type: ignore[attr-defined]
    app.json.ensure_ascii = False  # type: ignore[attr-defined]
    observation.install(app, service)
    guard.install(app, service.settings)
    faults.install(app)
    for blueprint in BLUEPRINTS:
        app.register_blueprint(blueprint)
    return app
