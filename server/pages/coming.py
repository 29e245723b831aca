"""The page of rules: a list, the week ahead as a picture, the last runs, and switches."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from flask import Blueprint, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from engine.dialogue.rules.told import fired, listed, switched, week
from server.guard import writing
from server.service import service

blueprint = Blueprint("pages_coming", __name__)
DAYS, MOST_RUNS, MOST_RULES = 7, 20, 300


@blueprint.get("/coming")
def page() -> str:
    """All rules, the week ahead, and the latest runs."""
    keeper = service().home.rules
    rows, rules = week(keeper), listed(keeper)
    days, runs = _days(rows, keeper.now()), fired(keeper)[:MOST_RUNS]
    return render_template("coming.html", rules=rules[:MOST_RULES], left=rules[MOST_RULES:], days=days, runs=runs)


@blueprint.post("/coming/switch")
@writing
def switch() -> Response:
    """Pauses, resumes or deletes a rule."""
    how = request.form.get("how", "pause")
    switched(service().home.rules, request.form.getlist("iri"), how if how in ("delete", "resume") else "pause")
    return redirect(url_for("pages_coming.page"))


def _days(rows: list[dict[str, Any]], now: datetime) -> list[dict[str, Any]]:
    """The days ahead, each with its events: the minute of the day (of 1440), and the text."""
    days = [now.date() + timedelta(days=ahead) for ahead in range(DAYS)]
    found = []
    for day in days:
        moments = [(datetime.fromisoformat(row["at"]), row["text"]) for row in rows]
        marks = [(at.hour * 60 + at.minute, f"{at:%H:%M} {text}") for at, text in moments if at.date() == day]
        found.append({"name": f"{day:%A}", "marks": [{"at": at, "text": text} for at, text in marks]})
    return found
