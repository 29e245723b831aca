"""Rules: triggers, conditions, and the intents to be carried out.

Times are kept as they were meant, not as they work out today: `Next` ("at ten tonight"), `After` ("in an hour") and a
`Daytime` without its half of the day become moments when the engine takes the rule up, for a reader knows no clock. All
parts are frozen and have a JSON form (`engine.model.record`).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, datetime
from enum import Enum

from engine.model.intent import Intent, OfRules
from engine.model.selection import Select, Test


class Match(Enum):
    """How many of several must hold."""

    ALL = "all"
    ANY = "any"


class Holds(Enum):
    """Of how many parts that are selected the tests of a fact are true."""

    ANY = "any"  # "a window is open"
    EVERY = "every"  # "all windows are shut"
    NONE = "none"  # "no window is open", "nobody is there"


class CatchUp(Enum):
    """The treatment of a time that passed while the engine was down."""

    SKIP = "skip"  # told, not done
    ONCE = "once"  # done once, however many were missed
    ASK = "ask"  # told, and done where somebody consents


class Forbids(Enum):
    """The kind of prohibition: the trigger's state must not come about, whoever brings it about; or nobody may do the
    first condition's act while the rest holds."""

    STATE = "state"  # "the window is never open while the heater is on"
    ACT = "act"  # "never open the window while the heater is on"


class Part(Enum):
    """A part of the day; its hours are data (`ontology/words/times.ttl`)."""

    MORNING = "morning"
    AFTERNOON = "afternoon"
    EVENING = "evening"
    NIGHT = "night"


class Sky(Enum):
    """The positions of the sun, at the place of the home."""

    SUNRISE = "sunrise"
    SUNSET = "sunset"
    DAWN = "dawn"
    DUSK = "dusk"
    NOON = "noon"


# Times


@dataclass(frozen=True, slots=True)
class Daytime:
    """A time of day. `sure`: the half of the day was said or needs no saying ("22:30", "7 am", noon); "half past six"
    is unsure. 24:00 is the midnight at the end of the day, 0:00 the one at its beginning."""

    hour: int
    minute: int = 0
    second: int = 0
    sure: bool = True

    def within(self, part: Part) -> Daytime:
        """The time in the half of the day that a part of the day lies in; one that is sure stays as it is."""
        if self.sure:
            return self
        hour = self.hour
        if part is Part.MORNING:
            hour %= 12
        elif part is not Part.NIGHT or hour >= 6:
            hour += 12 if hour < 12 or part is Part.NIGHT else 0
        return Daytime(hour, self.minute, self.second)


@dataclass(frozen=True, slots=True)
class Sun:
    """A time of day that the sun sets. `offset` in seconds: half an hour before is -1800."""

    event: Sky
    offset: float = 0.0


@dataclass(frozen=True, slots=True)
class Day:
    """A day as it is said: `ahead` days from today ("tomorrow" is 1), the next such weekday (0 is Monday) and `weeks`
    after that ("Friday week"), or a date; None for parts that were not said."""

    ahead: int | None = None
    weekday: int | None = None
    weeks: int = 0
    day: int | None = None
    month: int | None = None
    year: int | None = None


@dataclass(frozen=True, slots=True)
class At:
    """A moment, with its time zone."""

    moment: datetime


@dataclass(frozen=True, slots=True)
class Next:
    """Once, the next time that it is so late: on `day` where one is said, in that part of the day."""

    time: Daytime | Sun | None = None
    day: Day | None = None
    part: Part | None = None


@dataclass(frozen=True, slots=True)
class After:
    """Once, so many seconds after it was said."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Recurrence:
    """Again and again, at `times` of day, on days that satisfy all that is given: `weekdays` (0 is Monday), `monthdays`
    (-1 is the last), `months`, the `ordinal`-th such weekday of a month (-1: the last), every `weeks`-th week or
    `days`-th day counted from `since` (the first that fits, where that is None).

    `period` is a repetition in seconds instead ("every twenty minutes"), from when it was said. `part` is the part of
    the day that was said without a time, or that a time which is not sure lies in."""

    times: tuple[Daytime | Sun, ...] = ()
    weekdays: tuple[int, ...] = ()
    weeks: int = 1
    days: int = 1
    monthdays: tuple[int, ...] = ()
    months: tuple[int, ...] = ()
    ordinal: int | None = None
    period: float | None = None
    part: Part | None = None
    since: date | None = None


@dataclass(frozen=True, slots=True)
class Cron:
    """Times by a cron expression of five fields, as programs write them."""

    expression: str


Schedule = At | Next | After | Recurrence | Cron


@dataclass(frozen=True, slots=True)
class Window:
    """From one time of day until another, over midnight where it ends before it begins; `weekdays` are those on which
    it begins (none: all)."""

    start: Daytime | Sun
    end: Daytime | Sun
    weekdays: tuple[int, ...] = ()


# Facts and events


@dataclass(frozen=True, slots=True)
class Fact:
    """A state of affairs: any, every or none of the parts of `selection` passes all `tests`; for `seconds` on end,
    where that is not 0.

    "The kitchen window is open" selects the window and tests that it is open; a measurement in a place ("above 29 in
    the lounge", "somebody is in the hall") selects the place alone, without a class, and tests the kind. A fact with
    `versus` compares: the level of `kind` is more there (`direction` 1) or less (-1) than in `versus`.
    """

    selection: Select
    tests: tuple[Test, ...] = ()
    holds: Holds = Holds.ANY
    seconds: float = 0.0
    kind: str | None = None
    versus: Select | None = None
    direction: int = 1


@dataclass(frozen=True, slots=True)
class Becomes:
    """All, or any, of the facts together turn from false to true."""

    facts: tuple[Fact, ...]
    match: Match = Match.ALL


@dataclass(frozen=True, slots=True)
class Changes:
    """A property of `kind` of the selection gets another value, whichever ("when the thermostat is changed")."""

    selection: Select
    kind: str | None = None


@dataclass(frozen=True, slots=True)
class Moves:
    """A person, or anybody where it is None, comes home or goes."""

    person: str | None = None
    comes: bool = True


@dataclass(frozen=True, slots=True)
class Appears:
    """A thing that is selected becomes known to the home."""

    selection: Select


@dataclass(frozen=True, slots=True)
class Happens:
    """A device tells of an event (a button is pressed): its IRI, or the words of its name."""

    event: str


Event = Becomes | Changes | Moves | Appears | Happens
Trigger = Schedule | Event


# Rules


@dataclass(frozen=True, slots=True)
class Rule(OfRules):
    """One rule. Any of the `triggers` sets it off; then all, or by `match` any, of the `conditions` must hold, and the
    time must lie in one of the `windows`, where there are any; then the `actions` are carried out, resolved anew.

    A rule with `notice` tells its owner that ("remind me …"), with or without actions. `once`: it is gone when it has
    fired. `exceptions` are days on which it does not fire. `valid_from` and `valid_until` bound it. `forbids`: its
    trigger must never be, and is kept as a policy besides; where it comes about all the same, the rule fires. `iri` is
    empty until it is taken up.
    """

    text: str
    triggers: tuple[Trigger, ...]
    actions: tuple[Intent, ...] = ()
    conditions: tuple[Fact, ...] = ()
    match: Match = Match.ALL
    windows: tuple[Window, ...] = ()
    notice: str | None = None
    iri: str = ""
    owner: str | None = None
    conversation: str | None = None
    location: str | None = None
    made_at: datetime | None = None
    valid_from: datetime | None = None
    valid_until: datetime | None = None
    exceptions: tuple[date, ...] = ()
    enabled: bool = True
    paused_until: datetime | None = None
    catch_up: CatchUp = CatchUp.ONCE
    once: bool = False
    forbids: Forbids | None = None


# Talk of rules


@dataclass(frozen=True, slots=True)
class Which:
    """Selects rules; all given criteria must match. `last`: the one that was spoken of or made last. `acts_on`: rules
    with effects on the selection. `schedule` and `window`: rules that fire then. `words`: rules with these in their
    text. Nothing given: all rules."""

    rules: tuple[str, ...] = ()
    last: bool = False
    acts_on: Select | None = None
    schedule: Schedule | None = None
    window: Window | None = None
    words: tuple[str, ...] = ()
    only_one: bool = False


@dataclass(frozen=True, slots=True)
class Change:
    """A change of a rule. `time` is another time of day on the days that it has; `schedule` takes the place of its
    times; `without` are weekdays taken from it, `days` single days on which it does not fire (`Day` as said);
    `until` is when a pause ends; `actions` and `conditions` take the place of those that it has."""

    time: Daytime | Sun | None = None
    schedule: Schedule | None = None
    without: tuple[int, ...] = ()
    days: tuple[Day, ...] = ()
    until: Schedule | None = None
    actions: tuple[Intent, ...] = ()
    conditions: tuple[Fact, ...] = ()
    windows: tuple[Window, ...] = ()


@dataclass(frozen=True, slots=True)
class Managing(OfRules):
    """An operation on existing rules; `Intent.operation` names it: list, explain, change, pause, resume, delete, except
    (not on `change.days`), or foretell (the events of a `day`, or the rules that the `supposed` facts set off)."""

    which: Which = field(default_factory=Which)
    change: Change = field(default_factory=Change)
    day: Next | None = None
    supposed: tuple[Fact, ...] = ()
