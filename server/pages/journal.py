"""The page of what was asked: by whom, what became of it, what changed because of it, and why."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta, tzinfo
from itertools import groupby
from typing import Any

from flask import Blueprint, render_template, request

from engine.dialogue.explaining.why import why
from engine.dialogue.requests.journal import Entry, latest
from engine.dialogue.requests.outcomes import reason_words
from engine.errors import InputError
from server.pages.house import shown
from server.pages.naming import name_of
from server.service import service

blueprint = Blueprint("pages_journal", __name__)
PAGE = 30
"""As many requests as `queries/dialogue/latest.rq` gives."""


@blueprint.get("/journal")
def page() -> str:
    """The latest requests by day; of one day, with given words, or older than a moment where that is asked for."""
    zone = service().settings.zone
    day, words = request.args.get("day", ""), request.args.get("words", "").strip()
    since, before = _bounds(day, request.args.get("before", ""), zone)
    found = latest(service().store, since=since, before=before, words=words)
    days = [
        {"name": f"{when:%A, %d %B %Y}", "entries": [_told(one, zone) for one in entries]}
        for when, entries in groupby(found, key=lambda one: one.at.astimezone(zone).date())
    ]
    older = found[-1].at.isoformat() if len(found) == PAGE else ""
    return render_template("journal.html", days=days, day=day, words=words, older=older)


@blueprint.get("/journal/<path:name>")
def story(name: str) -> str:
    """Why one request ended as it did, a sentence a line. Raises InputError where the journal does not know it."""
    return render_template("story.html", sentences=why(service().store, service().home.registry, name).splitlines())


def _bounds(day: str, before: str, zone: tzinfo) -> tuple[datetime | None, datetime | None]:
    """The moments between which requests are shown. Raises InputError for what is no day or no moment."""
    try:
        start = datetime.combine(date.fromisoformat(day), time(), zone) if day else None
        end = datetime.fromisoformat(before) if before else start + timedelta(days=1) if start else None
    except (ValueError, OverflowError) as error:
        raise InputError("That is no day.", remedy="Write it as 2026-03-28.") from error
    return start, end.replace(tzinfo=end.tzinfo or zone) if end else None


def _told(entry: Entry, zone: tzinfo) -> dict[str, Any]:
    """A request as people read it."""
    return {
        "iri": entry.request,
        "at": entry.at.astimezone(zone),
        "who": entry.user,
        "text": entry.text,
        "rule": entry.rule,
        "status": entry.status,
        "reason": reason_words(entry.reason, service().store) if entry.reason else "",
        "changes": [f"{name_of(prop)}: {shown(old)} → {shown(new)}" for prop, old, new in entry.changes],
    }
