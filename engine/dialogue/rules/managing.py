"""Rules managed in words: listed, explained, changed, paused, resumed, deleted, and left out for a day."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime

from engine.dialogue.requests.request import Request
from engine.environment.selection import Selector
from engine.errors import HearthgraphError, InputError
from engine.language.replies.rule_words import occasions, told
from engine.model.intent import Intent, Operation
from engine.model.outcome import Answer, IntentOutcome, Status
from engine.model.rule import (
    At,
    Change,
    Daytime,
    Managing,
    Recurrence,
    Rule,
    Sun,
    Trigger,
    Which,
    Window,
)
from engine.model.selection import Quantity, Select
from engine.rules.adoption import day_of, settled
from engine.rules.book import Entry
from engine.rules.keeper import Keeper
from engine.rules.moments import utc, within

MOST_TOLD = 12


def managed(
    intent: Intent, managing: Managing, keeper: Keeper, request: Request, selector: Selector, *, keep: bool
) -> IntentOutcome:
    """What came of it. Raises InputError (no_such_rule) where there is no such rule."""
    found = meant(managing.which, keeper, request, selector)
    if intent.operation in (Operation.LIST, Operation.EXPLAIN):
        return _told(intent, found, keeper)
    if not found:
        raise InputError("There is no such rule.", remedy="Ask which rules there are.", reason="no_such_rule")
    if managing.which.only_one and len(found) > 1:
        return IntentOutcome(intent, Status.CLARIFY, "ambiguous_rule", _listed(found, keeper))
    if intent.operation is Operation.DELETE:
        if keep:
            keeper.remove([one.rule.iri for one in found])
        return _answered(intent, f"Deleted: {_quoted(found)}.", found)
    changed = [_CHANGES[intent.operation](one.rule, managing.change, keeper) for one in found]
    for rule in changed if keep else ():
        keeper.put(rule)
    entries = [Entry(rule, keeper.following(rule)) for rule in changed]
    return _answered(intent, _listed(entries, keeper), entries)


def meant(which: Which, keeper: Keeper, request: Request, selector: Selector) -> list[Entry]:
    """The rules that are spoken of, in the order in which they were made."""
    found = [one for one in keeper.rules() if one.rule.owner in (None, request.user) or request.user is None]
    if which.rules:
        found = [one for one in found if one.rule.iri in which.rules]
    if which.words:
        found = [one for one in found if all(w.casefold() in one.rule.text.casefold() for w in which.words)]
    if which.acts_on is not None:
        found = [one for one in found if _acts_on(one.rule, which.acts_on, selector)]
    if which.window is not None:
        found = [one for one in found if _fires_in(one, which.window, keeper)]
    if isinstance(which.schedule, Recurrence):
        found = [one for one in found if any(_fits(t, which.schedule) for t in one.rule.triggers)]
    return found[-1:] if which.last else found


def _acts_on(rule: Rule, select: Select, selector: Selector) -> bool:
    return any(_meet(action.selection, select, selector) for action in rule.actions)


def _meet(one: Select, other: Select, selector: Selector) -> bool:
    """Whether two selections mean any part together."""
    try:
        found = [set(selector.select(replace(each, quantity=Quantity.ALL))) for each in (one, other)]
    except HearthgraphError:  # what is gone is nothing that anybody can speak of
        return False
    return bool(found[0] & found[1])


def _fires_in(entry: Entry, window: Window, keeper: Keeper) -> bool:
    moments = [entry.next] if entry.next is not None else []
    return any(within((window,), moment, keeper.ground) for moment in moments) or bool(
        entry.rule.windows and set(entry.rule.windows) & {window}
    )


def _fits(trigger: Trigger, said: Recurrence) -> bool:
    if not isinstance(trigger, Recurrence):
        return False
    days = not said.weekdays or not trigger.weekdays or bool(set(said.weekdays) & set(trigger.weekdays))
    return days and (not said.times or bool(set(said.times) & set(trigger.times)))


def _told(intent: Intent, found: Sequence[Entry], keeper: Keeper) -> IntentOutcome:
    text = _listed(found, keeper) if found else "There are no such rules."
    return _answered(intent, text, found)


def _listed(found: Sequence[Entry], keeper: Keeper) -> str:
    now = keeper.now()
    lines = [told(one.rule, one.next, now) for one in found[:MOST_TOLD]]
    more = [f"And {len(found) - MOST_TOLD} more."] if len(found) > MOST_TOLD else []
    return " ".join([*lines, *more])


def _quoted(found: Sequence[Entry]) -> str:
    return ", ".join(f"“{one.rule.text}” ({occasions(one.rule)})" for one in found[:MOST_TOLD])


def _answered(intent: Intent, text: str, found: Sequence[Entry]) -> IntentOutcome:
    return IntentOutcome(intent, Status.ANSWERED, answer=Answer(text, [one.rule.text for one in found]))


# Changes


def _changed(rule: Rule, change: Change, keeper: Keeper) -> Rule:
    """The rule with another time, other days, other actions or conditions."""
    now, ground = keeper.now(), keeper.ground
    triggers = rule.triggers
    if change.schedule is not None:
        triggers = (settled(change.schedule, now, ground), *(t for t in triggers if not isinstance(t, At | Recurrence)))
    if change.time is not None:
        triggers = tuple(_at_another_time(one, change.time, keeper) for one in triggers)
    if change.without:
        triggers = tuple(_without(one, change.without) for one in triggers)
    return replace(
        rule,
        triggers=triggers,
        actions=change.actions or rule.actions,
        conditions=change.conditions or rule.conditions,
        windows=change.windows or rule.windows,
    )


def _at_another_time(trigger: Trigger, time: Daytime | Sun, keeper: Keeper) -> Trigger:
    """The same days, another time; where nobody says which half of the day, the half that it was in."""
    if isinstance(trigger, Recurrence):
        before = next((t for t in trigger.times if isinstance(t, Daytime)), None)
        return replace(trigger, times=(_in_half_of(time, before.hour if before else 0),))
    if isinstance(trigger, At) and isinstance(time, Daytime):
        local = trigger.moment.astimezone(keeper.ground.zone)
        new = _in_half_of(time, local.hour)
        assert isinstance(new, Daytime)
        moment = local.replace(hour=new.hour % 24, minute=new.minute, second=new.second)
        if utc(moment) <= utc(keeper.now()):
            raise InputError("That time is over.", remedy="Say one that is to come.", reason="past_time")
        return At(moment)
    return trigger


def _in_half_of(time: Daytime | Sun, hour: int) -> Daytime | Sun:
    if isinstance(time, Sun) or time.sure:
        return time
    return replace(time, hour=time.hour % 12 + (12 if hour >= 12 else 0), sure=True)


def _without(trigger: Trigger, days: Sequence[int]) -> Trigger:
    if not isinstance(trigger, Recurrence):
        return trigger
    left = tuple(day for day in trigger.weekdays or range(7) if day not in days)
    if not left:
        raise InputError("Then it would never fire.", remedy="Delete it instead.", reason="invalid_value")
    return replace(trigger, weekdays=left)


def _paused(rule: Rule, change: Change, keeper: Keeper) -> Rule:
    if change.until is None:
        return replace(rule, enabled=False)
    until = settled(change.until, keeper.now(), keeper.ground)
    return replace(rule, paused_until=until.moment if isinstance(until, At) else None, enabled=isinstance(until, At))


def _resumed(rule: Rule, change: Change, keeper: Keeper) -> Rule:
    del change, keeper
    return replace(rule, enabled=True, paused_until=None)


def _excepted(rule: Rule, change: Change, keeper: Keeper) -> Rule:
    today = keeper.now().astimezone(keeper.ground.zone).date()
    days = tuple(day_of(one, today) for one in change.days) or _next_day(rule, keeper)
    return replace(rule, exceptions=tuple(dict.fromkeys((*rule.exceptions, *days))))


def _next_day(rule: Rule, keeper: Keeper) -> tuple[date, ...]:
    """The day of the next firing: "not the next time"."""
    following: datetime | None = keeper.following(rule)
    return (following.astimezone(keeper.ground.zone).date(),) if following is not None else ()


_CHANGES: Mapping[Operation, Callable[[Rule, Change, Keeper], Rule]] = {
    Operation.CHANGE: _changed,
    Operation.PAUSE: _paused,
    Operation.RESUME: _resumed,
    Operation.EXCEPT: _excepted,
}
