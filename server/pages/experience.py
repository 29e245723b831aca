"""The page of learnt signifiers: which affordance served which request, when, and how often."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, jsonify, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from engine.graph.terms import SIGNIFIERS, Json, Term, python
from engine.language.replies import replies
from server.guard import writing
from server.negotiation import wanted
from server.pages.naming import name_of
from server.protocol.learnt import records
from server.service import service

blueprint = Blueprint("pages_experience", __name__)
_OPERATORS = {"=": "is", "!=": "is not", "<": "is below", "<=": "is at most", ">": "is above", ">=": "is at least"}


@blueprint.get("/experience")
def page() -> str | Response:
    """All signifiers, those that helped most first; then the hints of others. As JSON for programs."""
    if wanted(("text/html", "application/json")) == "application/json":
        return jsonify(records())
    own: list[dict[str, Any]] = []
    hints: list[dict[str, Any]] = []
    for graph, signifier, record, successes, failures in service().store.select("server/signifiers"):
        found = None if record is None else python(record)
        if isinstance(found, dict) and signifier is not None:
            told = _told(signifier.value, found, _count(successes), _count(failures))
            (own if graph == SIGNIFIERS else hints).append(told)
    own.sort(key=lambda one: (-one["successes"], one["text"]))
    return render_template("experience.html", own=own, hints=hints)


@blueprint.post("/experience/forget")
@writing
def forget() -> Response:
    """Forgets one signifier."""
    service().home.assistant.experience.forget(request.form.getlist("iri"))
    service().copies.expire()
    return redirect(url_for("pages_experience.page"))


def _count(term: Term | None) -> int:
    value = 0 if term is None else python(term)
    return value if isinstance(value, int) else 0


def _told(iri: str, record: dict[str, Any], successes: int, failures: int) -> dict[str, Any]:
    """A record (AmI HMAS, Appendix E) in words."""
    intent = record.get("intent") or {}
    payload = record.get("payload_hint")
    return {
        "iri": iri,
        "text": str(intent.get("intent_text") or record.get("action_name") or name_of(iri)),
        "affordance": name_of(str(record.get("affordance_uri", ""))),
        "payload": "" if payload in (None, {}, "") else replies.value_words(payload),
        "conditions": [_condition(one) for one in record.get("structured_conditions") or ()],
        "successes": successes,
        "failures": failures,
    }


def _condition(condition: dict[str, Any]) -> str:
    tests = [_test(one.get("operator", "="), one.get("value")) for one in condition.get("value_conditions") or ()]
    return f"{name_of(str(condition.get('property_affordance', '')))} {' and '.join(tests)}"


def _test(operator: str, value: Json) -> str:
    return f"{_OPERATORS.get(operator, operator)} {replies.value_words(value)}"
