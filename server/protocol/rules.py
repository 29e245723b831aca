"""Rules over HTTP: lists, week ahead, runs, switches."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from flask import Blueprint, Response, jsonify, request

from engine.dialogue.result import result
from engine.dialogue.rules.told import fired, listed, switched, week
from engine.dialogue.rules_given import give, rules_of_json, rules_of_turtle
from engine.environment.changes import Resynchronise
from engine.errors import InputError
from engine.graph.terms import RULES
from engine.hearthgraph import new_iri
from engine.rules.notices import Notice, Notices
from server import bodies
from server.guard import TooMany, household, writing
from server.negotiation import wanted
from server.platform.following import required
from server.service import service
from server.streams import BEAT, HEARTBEAT, event, stream

blueprint = Blueprint("rules", __name__)
HOW = ("delete", "pause", "resume")
TURTLE = "text/turtle"


@blueprint.get("/rules")
def rules() -> Response:
    """The rules with their next and last firing; in Turtle as they stand in the graph."""
    if wanted(("application/json", TURTLE)) == TURTLE:
        return _turtle()
    return jsonify(listed(service().home.rules))


def _turtle() -> Response:
    from pyoxigraph import RdfFormat, serialize

    triples = [quad.triple for quad in service().store.graph(RULES)]
    return Response(serialize(triples, format=RdfFormat.TURTLE), mimetype=TURTLE)


@blueprint.get("/rules/week")
def week_ahead() -> Response:
    """The firings by time in the seven days to come."""
    return jsonify(week(service().home.rules))


@blueprint.get("/rules/runs")
def runs() -> Response:
    """The latest runs, the newest first."""
    return jsonify(fired(service().home.rules))


@blueprint.post("/rules")
@writing
def make() -> tuple[Response, int]:
    """Makes rules that a program gives: JSON, the `content` of a rule or a list of such, or Turtle."""
    rules = rules_of_turtle(request.get_data()) if request.mimetype == TURTLE else rules_of_json(bodies.given())
    home = service().home
    outcome = give(home.assistant, rules, request.args.get("user"), new_iri())
    made = all(one.status.value == "scheduled" for one in outcome.intents)
    return jsonify(result(outcome, home.registry, outcome.request, home.store)), 201 if made else 422


@blueprint.get("/rules/tomorrow")
def tomorrow() -> Response:
    """The rules' firings in the next twenty-four hours, simulated on a copy of the home; strangers are told those of
    the last minute."""
    foresight = service().foresight
    rows = foresight.of_now() if household() else foresight.of_late()
    if rows is None:
        raise TooMany("That is being worked out.", remedy="Ask again in some seconds.")
    return jsonify(rows)


@blueprint.get("/rules/automations")
def automations() -> Response:
    """The rules, or those whose `iri` is given, as automations of Home Assistant's, and why others are none."""
    found, left = service().home.automations(request.args.getlist("iri"))
    return jsonify({"automations": found, "left": left})


@blueprint.post("/rules/automations")
@writing
def take_automations() -> Response:
    """Makes rules of automations of Home Assistant's; how many, and why others are none."""
    made, left = service().home.take_automations(bodies.given())
    return jsonify({"made": made, "left": left})


@blueprint.get("/rules/notices")
def notices() -> Response:
    """Notices of rules as they come, a stream of events; first those since the number that is given."""
    required()
    return stream(
        _notices(service().home.rules.notices, request.headers.get("Last-Event-ID") or request.args.get("after"))
    )


def _notices(hub: Notices, heard: str | None) -> Iterator[str]:
    while not hub.closed:
        with hub.subscribe() as news:
            missed = hub.since(heard)
            heard = missed[-1].number if missed else hub.last
            yield event("", "listening", number=heard)
            yield from (_told(one) for one in missed)
            known = {one.number for one in missed}
            with suppress(Resynchronise):
                while not hub.closed:
                    one = news.take(BEAT)
                    if one is None:
                        yield HEARTBEAT
                    elif one.number not in known:
                        heard = one.number
                        yield _told(one)


def _told(notice: Notice) -> str:
    return event(notice.to_json(), "notice", number=notice.number)


@blueprint.delete("/rules")
@writing
def switch() -> Response:
    """Takes rules away, by IRI; `how` may be pause or resume instead."""
    iris, how = request.args.getlist("iri"), request.args.get("how", "delete")
    if not iris or how not in HOW:
        raise InputError("Say which rule, and how.", remedy=f"Give its iri, and how: {', '.join(HOW)}.")
    return jsonify({"removed": switched(service().home.rules, iris, how)})
