"""The events of a day to come, and the consequences of a supposed event, told in words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime, time, timedelta
from typing import Any

from engine.dialogue.rules.told import moments_of
from engine.graph.store import GraphStore
from engine.language.replies.rule_words import told
from engine.model.intent import Intent
from engine.model.outcome import Answer, IntentOutcome, Status
from engine.model.rule import Becomes, Fact, Managing, Match, Next, Part, Rule
from engine.rules.adoption import day_of
from engine.rules.domains import possible
from engine.rules.keeper import Keeper
from engine.rules.moments import utc
from engine.rules.ways import Conditions, event_ways
from engine.things.registry import Registry

Foresee = Callable[[float], list[dict[str, Any]]]
"""What would happen by itself in so many seconds, played on a copy."""
MOST_TOLD, MOST_PLAYED = 20, 300
"""How much is told, and with how many rules a home is played; with more, only the times of its rules are told."""
PLAYED_AHEAD = timedelta(days=2)
EVENING = 17


def foretold(
    intent: Intent, managing: Managing, keeper: Keeper, store: GraphStore, registry: Registry, foresee: Foresee | None
) -> IntentOutcome:
    """The answer to a question about the future. Raises InputError (past_time) for a day that is over."""
    if managing.supposed:
        return _answered(intent, *_of_supposed(managing.supposed, keeper, store, registry))
    assert managing.day is not None
    start, end = _span(managing.day, keeper)
    rows = [(at, text) for at, text in _coming(end, keeper, foresee) if utc(start) <= utc(at) < utc(end)]
    said = [f"At {at:%H:%M} {text}." for at, text in rows[:MOST_TOLD]]
    said += [f"And {len(rows) - MOST_TOLD} more."] if len(rows) > MOST_TOLD else []
    return _answered(intent, " ".join(said) or "Nothing would happen by itself then.", [text for _, text in rows])


def _span(said: Next, keeper: Keeper) -> tuple[datetime, datetime]:
    """The start and end of a day; an evening or a night lasts until midnight or the morning."""
    now = keeper.now().astimezone(keeper.ground.zone)
    assert said.day is not None
    day = day_of(said.day, now.date())
    dark = said.part in (Part.EVENING, Part.NIGHT)
    start = datetime.combine(day, time(EVENING if dark else 0), now.tzinfo)
    end = datetime.combine(day + timedelta(days=1), time(6 if said.part is Part.NIGHT else 0), now.tzinfo)
    return (max(start, now, key=utc), end)


def _coming(end: datetime, keeper: Keeper, foresee: Foresee | None) -> list[tuple[datetime, str]]:
    """The coming events in order: simulated on a copy of the home, or the times of its rules alone."""
    now, entries = keeper.now(), keeper.rules()
    ahead = utc(end) - utc(now)
    if foresee is None or ahead > PLAYED_AHEAD or len(entries) > MOST_PLAYED:
        found = [(moment, f"“{one.rule.text}”") for one in entries for moment in moments_of(one.rule, now, keeper)]
        return sorted(found, key=lambda one: utc(one[0]))
    return [(_local(row, keeper), _in_words(row)) for row in foresee(ahead.total_seconds())]


def _local(row: dict[str, Any], keeper: Keeper) -> datetime:
    return datetime.fromisoformat(row["at"]).astimezone(keeper.ground.zone)


def _in_words(row: dict[str, Any]) -> str:
    text = f"“{row['text']}”"
    return text if row["status"] == "done" else f"{text}: {row['status']}"


def _of_supposed(facts: Sequence[Fact], keeper: Keeper, store: GraphStore, registry: Registry) -> tuple[str, list[str]]:
    """The rules that are set off where facts turn true, in words, and their texts."""
    ways = event_ways(Becomes(tuple(facts), Match.ALL), store, registry)
    found = [one.rule for one in keeper.rules() if one.rule.enabled and _is_set_off(one.rule, ways, store, registry)]
    if not found:
        return "No rule is set off by that.", []
    now = keeper.now()
    return " ".join(told(rule, None, now) for rule in found[:MOST_TOLD]), [rule.text for rule in found]


def _is_set_off(rule: Rule, ways: Sequence[Conditions], store: GraphStore, registry: Registry) -> bool:
    """Whether an event of a rule is about a supposed property, and compatible with its value."""
    events = [t for t in rule.triggers if isinstance(t, Becomes)]
    theirs = [way for event in events for way in event_ways(event, store, registry)]
    return any(_shares(one, way) and possible([*one, *way], registry) for one in theirs for way in ways)


def _shares(one: Conditions, other: Conditions) -> bool:
    return bool({c["property"] for c in one} & {c["property"] for c in other})


def _answered(intent: Intent, text: str, value: list[str]) -> IntentOutcome:
    return IntentOutcome(intent, Status.ANSWERED, answer=Answer(text, [*value]))
