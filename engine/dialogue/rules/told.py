"""Rules as the faces show them: what there is, what comes this week, what was, and what would happen tomorrow."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from engine.errors import InputError
from engine.graph.store import GraphStore
from engine.language.replies.rule_words import occasions, told
from engine.model.record import to_json
from engine.model.rule import At, Cron, Recurrence, Rule
from engine.planning.policies import store as policy_store
from engine.rules.book import Entry
from engine.rules.keeper import Keeper
from engine.rules.moments import first_after, utc, within

AHEAD = timedelta(days=7)
MOST_MOMENTS = 2000


def listed(keeper: Keeper) -> list[dict[str, Any]]:
    """The rules, in the order in which they were made."""
    now = keeper.now()
    return [_row(entry, keeper, now) for entry in keeper.rules()]


def forbidden(store: GraphStore) -> list[dict[str, Any]]:
    """What must not happen, in words."""
    found = policy_store.listed(store)
    return [{"name": one.name, "message": one.message, "about": list(one.about)} for one in found]


def _row(entry: Entry, keeper: Keeper, now: datetime) -> dict[str, Any]:
    rule = entry.rule
    last = max((one for one in keeper.book.firings.values() if one.rule == rule.iri), key=_when, default=None)
    return {
        "id": rule.iri,
        "text": rule.text,
        "told": told(rule, entry.next, now),
        "when": occasions(rule),
        "owner": rule.owner,
        "enabled": rule.enabled,
        "once": rule.once,
        "catch_up": rule.catch_up.value,
        "next": entry.next.isoformat() if entry.next is not None else None,
        "last": last.due.isoformat() if last is not None else None,
        "last_status": last.status.value if last is not None else None,
        "sets": dict(entry.does),
        "notice": rule.notice,
        "content": to_json(replace(rule, iri="", conversation=None)),
    }


def _when(firing: Any) -> datetime:
    return utc(firing.due)


def fired(keeper: Keeper) -> list[dict[str, Any]]:
    """What fired, the latest first."""
    found = sorted(keeper.book.firings.values(), key=_when, reverse=True)
    return [
        {
            "id": one.iri,
            "rule": one.rule,
            "text": one.text,
            "due": one.due.isoformat(),
            "status": one.status.value,
            "reason": one.reason,
            "request": one.request,
        }
        for one in found
    ]


def week(keeper: Keeper) -> list[dict[str, Any]]:
    """What time sets off in the seven days to come, in order. What events set off is not foreseen."""
    now = keeper.now()
    found = [(moment, entry.rule) for entry in keeper.rules() for moment in moments_of(entry.rule, now, keeper)]
    found.sort(key=lambda one: utc(one[0]))
    return [{"at": at.isoformat(), "rule": rule.iri, "text": rule.text} for at, rule in found[:MOST_MOMENTS]]


def moments_of(rule: Rule, now: datetime, keeper: Keeper) -> Iterable[datetime]:
    """When time sets a rule off in the seven days to come."""
    if not rule.enabled:
        return
    for schedule in rule.triggers:
        moment = now
        while isinstance(schedule, At | Recurrence | Cron):
            following = first_after(schedule, moment, rule.made_at or now, keeper.ground)
            if following is None or utc(following) > utc(now) + AHEAD:
                break
            moment = following
            if within(rule.windows, moment, keeper.ground) and moment.date() not in rule.exceptions:
                yield moment


def switched(keeper: Keeper, iris: Iterable[str], how: str) -> int:
    """Rules paused, resumed or deleted, by IRI; how many. Raises InputError (no_such_rule); then none is."""
    entries = {one.rule.iri: one.rule for one in keeper.rules()}
    wanted = list(dict.fromkeys(iris))
    if unknown := [iri for iri in wanted if iri not in entries]:
        raise InputError(f"There is no rule {unknown[0][:120]}.", remedy="List the rules.", reason="no_such_rule")
    if how == "delete":
        keeper.remove(wanted)
    for iri in wanted if how != "delete" else ():
        keeper.switch(entries[iri], on=how == "resume")
    return len(wanted)
