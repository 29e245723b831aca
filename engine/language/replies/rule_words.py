"""How a rule is told: when it fires, and when it does next."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta

from engine.model.rule import (
    Appears,
    At,
    Becomes,
    Changes,
    Cron,
    Daytime,
    Fact,
    Happens,
    Moves,
    Recurrence,
    Rule,
    Sun,
    Trigger,
    Window,
)

_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_WORKING, _WEEKEND = (0, 1, 2, 3, 4), (5, 6)
_UNITS = ((86400.0, "day"), (3600.0, "hour"), (60.0, "minute"), (1.0, "second"))


def told(rule: Rule, following: datetime | None, now: datetime) -> str:
    """A rule in one sentence, with when it fires next where time decides that."""
    if rule.forbids is not None:
        return _forbidding(rule)
    when = occasions(rule)
    if rule.once and following is not None:
        return f"“{rule.text}”: {moment_words(following, now)}."
    coming = f", next {moment_words(following, now)}" if following is not None else ""
    state = "" if rule.enabled else " (switched off)"
    return f"“{rule.text}”: {when}{coming}{state}."


def _forbidding(rule: Rule) -> str:
    """A prohibition in words."""
    state = "" if rule.enabled else " (switched off)"
    lasting = max(
        (fact.seconds for one in rule.triggers if isinstance(one, Becomes) for fact in one.facts), default=0.0
    )
    if lasting and rule.actions:
        return f"“{rule.text}”: after {length_words(lasting)} I put an end to it, and tell you{state}."
    if lasting:
        return f"“{rule.text}”: I tell you after {length_words(lasting)}{state}."
    return f"“{rule.text}”: I do nothing against that, and tell you where it happens all the same{state}."


def occasions(rule: Rule) -> str:
    """The triggers of a rule, in words."""
    said = " or ".join(dict.fromkeys(_trigger(one) for one in rule.triggers))
    windows = " or ".join(_window(one) for one in rule.windows)
    condition = " if the condition holds then" if rule.conditions else ""
    return f"{said}{condition}{f' {windows}' if windows else ''}".strip()


def _trigger(one: Trigger) -> str:
    if isinstance(one, At):
        return f"at {one.moment:%H:%M} on {one.moment:%A %d %B}"
    if isinstance(one, Recurrence):
        return _recurrence(one)
    if isinstance(one, Cron):
        return f"by cron “{one.expression}”"
    if isinstance(one, Becomes):
        return f"whenever that becomes true{_lasting(one.facts)}"
    if isinstance(one, Moves):
        return f"when {one.person or 'somebody'} {'comes home' if one.comes else 'goes'}"
    words = {Changes: "whenever that changes", Appears: "when such a thing appears", Happens: "when that happens"}
    return next((text for kind, text in words.items() if isinstance(one, kind)), "then")


def _lasting(facts: Sequence[Fact]) -> str:
    longest = max((fact.seconds for fact in facts), default=0.0)
    return f" and stays so for {length_words(longest)}" if longest else ""


def _recurrence(one: Recurrence) -> str:
    if one.period is not None:
        return f"every {length_words(one.period)}"
    at = " and ".join(time_words_of(time) for time in one.times)
    return f"{_days(one)} at {at}" if at else _days(one)


def _days(one: Recurrence) -> str:
    if one.ordinal is not None and one.weekdays:
        which = {1: "first", 2: "second", 3: "third", 4: "fourth", 5: "fifth", -1: "last"}.get(one.ordinal, "")
        return f"on the {which} {_listed(_DAYS[d] for d in one.weekdays)} of the month"
    if one.monthdays:
        return f"on day {_listed(str(d) if d > 0 else 'last' for d in one.monthdays)} of the month"
    other = {1: "every", 2: "every other"}.get(max(one.weeks, one.days), f"every {max(one.weeks, one.days)}th")
    if not one.weekdays or len(one.weekdays) == len(_DAYS):
        return f"{other} day"
    if one.weekdays == _WORKING:
        return f"{other} weekday"
    if one.weekdays == _WEEKEND:
        return f"{other} Saturday and Sunday"
    return f"{other} {_listed(_DAYS[d] for d in one.weekdays)}"


def _listed(names: Iterable[str]) -> str:
    some = list(names)
    return " and ".join([", ".join(some[:-1]), some[-1]]) if len(some) > 1 else "".join(some)


def time_words_of(time: Daytime | Sun) -> str:
    """A time of day in words."""
    if isinstance(time, Daytime):
        return f"{time.hour % 24:02}:{time.minute:02}" + (f":{time.second:02}" if time.second else "")
    if not time.offset:
        return time.event.value
    return f"{length_words(abs(time.offset))} {'after' if time.offset > 0 else 'before'} {time.event.value}"


def _window(one: Window) -> str:
    days = f" on {_listed(_DAYS[d] for d in one.weekdays)}" if one.weekdays else ""
    return f"between {time_words_of(one.start)} and {time_words_of(one.end)}{days}"


def length_words(seconds: float) -> str:
    """A length of time in words."""
    found, left = [], round(seconds)
    for size, name in _UNITS:
        number, left = divmod(left, int(size))
        found += [f"{number} {name}{'s' if number != 1 else ''}"] if number else []
    return " ".join(found[:2]) or "0 seconds"


def moment_words(moment: datetime, now: datetime) -> str:
    """A moment as people say it: today, tomorrow, a day of the week, a date."""
    local = moment.astimezone(now.tzinfo)
    ahead = (local.date() - now.date()).days
    shown = f"{local:%H:%M}" if not local.second else f"{local:%H:%M:%S}"
    if ahead == 0:
        return f"today at {shown}"
    if ahead == 1:
        return f"tomorrow at {shown}"
    if timedelta() < timedelta(days=ahead) < timedelta(days=7):
        return f"on {local:%A} at {shown}"
    return f"on {local:%A}, {local.day} {local:%B} {local.year}, at {shown}"
