"""The application: its routes, and the services behind them."""

from __future__ import annotations

from hashlib import blake2s

from flask import Flask

from server import faults, guard, observation
from server.agents import manual, oauth, signifiers
from server.agents.a2a import face as a2a_face
from server.agents.mcp import face as mcp_face
from server.directory import events, introduction, search
from server.directory import things as directory
from server.explorer import callbacks, explorations
from server.pages import ask, coming, experience, graph, house, journal, load, query, rules, signing
from server.pages import people as people_page
from server.pages import status as status_page
from server.platform import acting, hub
from server.platform import pages as platform
from server.protocol import (
    chat,
    description,
    dumps,
    graphs,
    imports,
    learnt,
    people,
    policies,
    requests,
    sparql,
    status,
    things,
    update,
)
from server.protocol import rules as coming_rules
from server.service import EXTENSION, Service
from server.sessions import Application

PROTOCOLS = (
    status,
    description,
    sparql,
    update,
    graphs,
    things,
    dumps,
    policies,
    learnt,
    people,
    imports,
    requests,
    chat,
    coming_rules,
)
DIRECTORY = (directory, events, search, introduction)
PLATFORM = (platform, acting, hub)
EXPLORER = (explorations, callbacks)
AGENTS = (signifiers, mcp_face, a2a_face, manual, oauth)
PAGES = (ask, house, graph, query, load, experience, people_page, rules, coming, journal, status_page, signing)


def create_app(service: Service) -> Flask:
    """The application that serves a home."""
    app = Application("server")
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
    app.jinja_env.filters["hash"] = _short
    for module in (*PROTOCOLS, *DIRECTORY, *PLATFORM, *EXPLORER, *AGENTS, *PAGES):
        app.register_blueprint(module.blueprint)
    return app


def _short(text: str) -> str:
    """A name for an element that is made of an IRI."""
    return blake2s(text.encode(), digest_size=6).hexdigest()
