"""The page of the facts on each person: for signed-in users; facts and people are forgotten there."""

from __future__ import annotations

from flask import Blueprint, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from engine.dialogue.people.forgetting import correct_fact, forget_everywhere, forget_facts
from engine.dialogue.people.profile import people as known_people
from engine.dialogue.people.profile import profile
from server.guard import authorised, writing
from server.service import service

blueprint = Blueprint("pages_people", __name__)


@blueprint.get("/profiles")
def page() -> str:
    """Each person with the facts on them; nothing where nobody is signed in."""
    allowed, store, today = authorised(), service().store, service().home.clock.now().date()
    found = [profile(store, name, today) for name in known_people(store)] if allowed else []
    return render_template("people.html", people=found, allowed=allowed)


@blueprint.post("/profiles/forget")
@writing
def forget() -> Response:
    """Forgets single facts, or all of a person."""
    home, iris, person = service().home, request.form.getlist("iri"), request.form.get("person", "")
    if iris:
        forget_facts(service().store, home.assistant.experience, home.registry.vocabulary, iris)
    elif person:
        experience, vocabulary = home.assistant.experience, home.registry.vocabulary
        forget_everywhere(service().store, experience, vocabulary, home.rules, person)
    service().copies.expire()
    return redirect(url_for("pages_people.page"))


@blueprint.post("/profiles/correct")
@writing
def correct() -> Response:
    """Says whose a fact is."""
    correct_fact(service().store, request.form.get("iri", ""), request.form.get("person", "").strip())
    service().copies.expire()
    return redirect(url_for("pages_people.page"))
