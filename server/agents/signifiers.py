"""The Signifier Exposure Mechanism over HTTP: signifiers for a profile, the profiles themselves, registration of
artifacts.

Agentic Web, section 4.1. Turtle as the paper has it, JSON with scores and reasons for clients that ask for it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any
from urllib.parse import urlsplit

from flask import Blueprint, Response, jsonify, request, url_for
from pyoxigraph import RdfFormat, serialize

from engine.errors import InputError
from engine.exposure.relevance import Judged
from engine.graph.terms import NAMESPACES, NamedNode, Triple, literal, node
from engine.model import exposure_rdf
from engine.model.exposure import AgentProfile, Artifact
from server import bodies
from server.agents import oauth
from server.agents.callers import ASK, READ
from server.agents.house import told, told_agent
from server.agents.scopes import present
from server.guard import writing
from server.negotiation import required
from server.service import service

blueprint = Blueprint("agents_signifiers", __name__)
JSON, TURTLE = "application/json", "text/turtle"
LONGEST_ABILITY, MOST_ABILITIES = 500, 20
PREFIXES = {name: NAMESPACES[name] for name in ("hmas", "td", "hctl", "htv", "js", "rdfs", "hg")}


@blueprint.get("/signifiers")
def signifiers() -> Response:
    """The signifiers for the agent of a profile; with `all` the others, too, with `limit` only the first."""
    caller, by_model = present(), request.args.get("by") == "model"
    caller.need(ASK if by_model else READ)  # what a model is asked costs the household something
    found = service().agents.mechanism.exposed(
        _profile(request.args.get("profile", "")),
        everything="all" in request.args and request.args["all"] not in ("0", "false"),
        limit=_limit(),
        by_model=by_model,
    )
    if _is_json():
        return jsonify({"signifiers": [told(one) for one in found]})
    return _turtle(_judged(found))


def _judged(found: Iterable[Judged]) -> Iterable[Triple]:
    for number, one in enumerate(found, start=1):
        subject = NamedNode(f"{request.base_url}#signifier-{number}")
        yield from exposure_rdf.signifier_triples(one.exposed, subject)
        yield Triple(subject, node("hg:score"), literal(one.score))
        yield from (Triple(subject, node("hg:because"), literal(reason)) for reason in one.reasons)


def _limit() -> int | None:
    given = request.args.get("limit")
    if given is None:
        return None
    if not given.isascii() or not given.isdigit() or not 0 < int(given[:6]) <= 10_000:
        raise InputError("limit is a number above nought.", remedy="Leave it out.")
    return int(given)


def _profile(given: str) -> AgentProfile:
    """The profile at an address of this server, or by its id. Others' addresses are not fetched. Raises InputError."""
    if "://" in given:
        try:
            parts = urlsplit(given)
        except ValueError:
            raise InputError("That is no address.", remedy="Give that of a profile.") from None
        if parts.netloc.lower() != request.host.lower() or not parts.path.startswith("/agents/"):
            raise InputError("A profile is one that is registered here.", remedy="Register it: PUT /agents/<id>.")
        given = parts.path.removeprefix("/agents/").rstrip("/")
    if not given:
        raise InputError("Say whose profile.", remedy="Add ?profile=<address>.")
    return service().agents.mechanism.agent(given)


# Artifacts


@blueprint.get("/artifacts")
def artifacts() -> Response:
    """The registered artifacts."""
    present().need(READ)
    return jsonify({"artifacts": [_about(one.artifact) for one in service().home.artifacts.all.values()]})


@blueprint.get("/artifacts/<name>")
def artifact(name: str) -> Response:
    """The profile of an artifact."""
    present().need(READ)
    found = service().home.artifacts.find(name)
    if _is_json():
        return jsonify(_about(found))
    return _turtle(exposure_rdf.profile_triples(request.base_url, found.iri, found.signifiers))


@blueprint.put("/artifacts/<name>")
@writing
def register(name: str) -> tuple[Response, int]:
    """Registers the artifact at an address: an MCP server, an A2A agent, a UTCP manual, a Thing Description."""
    given = _object()
    kind, endpoint = given.get("kind"), given.get("endpoint")
    if not isinstance(kind, str) or not isinstance(endpoint, str):
        raise InputError("An artifact has a kind and an endpoint.", remedy='Send {"kind": "mcp", "endpoint": …}.')
    home = service().home
    oauth.announce()
    known = name in home.artifacts.all
    found = home.artifacts.register(kind, name, endpoint, _needs(given.get("abilities")))
    service().copies.expire()
    return jsonify(_about(found)), 200 if known else 201


def _needs(given: Any) -> dict[str, tuple[str, ...]] | None:
    """The abilities that agents should have, by tool; None where nothing is said of them. Raises InputError."""
    if given is None:
        return None
    fit = isinstance(given, dict) and all(isinstance(several, list) for several in given.values())
    if not fit or not all(isinstance(one, str) and one for several in given.values() for one in several):
        raise InputError("abilities are lists of texts, by tool.", remedy='Send {"abilities": {"move": ["…"]}}.')
    return {
        str(tool): tuple(one[:LONGEST_ABILITY] for one in several[:MOST_ABILITIES]) for tool, several in given.items()
    }


@blueprint.post("/artifacts/<name>/refresh")
@writing
def refresh(name: str) -> Response:
    """Reads an artifact again."""
    oauth.announce()
    found = service().home.artifacts.refresh(name)
    service().copies.expire()
    return jsonify(_about(found))


@blueprint.delete("/artifacts/<name>")
@writing
def remove(name: str) -> tuple[str, int]:
    """Forgets an artifact."""
    service().home.artifacts.remove(name)
    service().copies.expire()
    return "", 204


def _about(found: Artifact) -> dict[str, Any]:
    return {
        "id": found.id,
        "kind": found.kind,
        "endpoint": found.endpoint,
        "title": found.title,
        "thing": found.iri,
        "profile": url_for("agents_signifiers.artifact", name=found.id, _external=True),
        "signifiers": [one.label for one in found.signifiers],
    }


# Agents


@blueprint.get("/agents/<name>")
def agent(name: str) -> Response:
    """The profile of an agent."""
    present().need(READ)
    found = service().agents.mechanism.agent(name)
    if _is_json():
        return jsonify(told_agent(found))
    return _turtle(exposure_rdf.agent_triples(request.base_url, found))


@blueprint.put("/agents/<name>")
@writing
def keep(name: str) -> tuple[Response, int]:
    """Keeps the profile of an agent."""
    given = _object()
    abilities = given.get("abilities") or []
    if not isinstance(abilities, list) or not all(isinstance(one, str) for one in abilities):
        raise InputError("abilities is a list of texts.", remedy="Leave it out.")
    profile = AgentProfile(name, str(given.get("name") or name), str(given.get("context", "")), tuple(abilities))
    known = name in service().agents.mechanism.agents()
    return jsonify(told_agent(service().agents.mechanism.register(profile))), 200 if known else 201


@blueprint.delete("/agents/<name>")
@writing
def forget(name: str) -> tuple[str, int]:
    """Forgets the profile of an agent."""
    service().agents.mechanism.remove(name)
    return "", 204


@blueprint.post("/agents/<name>/token")
@writing
def issue(name: str) -> tuple[Response, int]:
    """A token for an agent, told this once: `scopes` are some of read, ask, act, consent, `rooms` where it may act."""
    given = _object()
    scopes, rooms = given.get("scopes"), given.get("rooms")
    if not isinstance(scopes, list) or not isinstance(rooms, list | None):
        raise InputError("scopes and rooms are lists.", remedy='Send {"scopes": ["read", "ask"]}.')
    places = None if rooms is None else [_place(str(room)) for room in rooms]
    token = service().agents.tokens.issue(name[:64], [str(one) for one in scopes], places)
    return jsonify({"agent": name, "token": token, "scopes": scopes, "rooms": places}), 201


@blueprint.delete("/agents/<name>/token")
@writing
def revoke(name: str) -> tuple[str, int]:
    """The token of an agent is good no more."""
    service().agents.tokens.revoke(name)
    return "", 204


def _place(name: str) -> str:
    found = service().home.place(name)
    if found is None:
        raise InputError(f"There is no place {name[:64]} here.", remedy="Name a room.", reason="no_such_room")
    return found


def _is_json() -> bool:
    """Whether the client would rather have JSON than Turtle. Raises NotAcceptable."""
    return required((TURTLE, JSON)) == JSON


def _object() -> dict[str, Any]:
    given = bodies.given()
    if not isinstance(given, dict):
        raise InputError("A JSON object is expected.", remedy="Send one.")
    return given


def _turtle(triples: Iterable[Triple]) -> Response:
    text = serialize(triples, format=RdfFormat.TURTLE, prefixes=PREFIXES)
    return Response(text, content_type="text/turtle; charset=utf-8")
