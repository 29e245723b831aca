"""What is said with when, if, at or every: a rule, with what sets it off, what must hold then, and what it does."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

from engine.graph.terms import expand
from engine.language.chart.goals.assemble import goal_of
from engine.language.chart.heard.items import Sort
from engine.language.chart.joining.frames import Clause
from engine.language.chart.later.rule_talk import PARTS
from engine.language.chart.later.sentence import LEADING, Sentence
from engine.language.meanings.context import Context
from engine.language.meanings.inquiries import inquiry
from engine.language.meanings.readings import Alternatives
from engine.language.phrases.temporal import SECONDS
from engine.language.times.times import WHOLE, Duration, Element, Length, Until, united
from engine.language.words.lexicon import Entry, Role
from engine.language.words.records import replace
from engine.language.words.spans import Restriction, Span
from engine.language.words.tokens import Token
from engine.model.intent import Asks, Category, Intent, Operation
from engine.model.rule import (
    After,
    Becomes,
    Day,
    Daytime,
    Fact,
    Holds,
    Match,
    Next,
    Part,
    Recurrence,
    Rule,
    Schedule,
    Sun,
    Trigger,
    Window,
)
from engine.model.selection import Quantity, Test

MOST_SAID = 200
REMINDING = "Reminding"
_FOR = frozenset({"for", "of"})
TEMPERATURE = Entry(Role.PROPERTY, expand("hg:Temperature"))


def schedule(times: Sequence[object]) -> tuple[Schedule | None, tuple[Window, ...], bool]:
    """When, as all that is said of time in one rule comes to; its windows; whether all of it was understood."""
    windows = tuple(t for t in times if isinstance(t, Window))
    after = [t for t in times if isinstance(t, After)]
    elements: list[Element] = [t for t in times if isinstance(t, Daytime | Sun | Day | Part | Next | Recurrence)]
    windows, elements = _bounded(windows, elements)
    others = [t for t in times if isinstance(t, Length | Until)]
    if after and not elements:
        return after[0], windows, len(after) == 1 and not others
    if not elements:
        return None, windows, not others
    one = united(elements)
    if one is None or after:
        return None, windows, False
    if isinstance(one, Daytime | Sun):
        return Next(one), windows, not others
    if isinstance(one, Day):
        return Next(None, one), windows, not others
    if isinstance(one, Part):
        return Next(None, None, one), windows, not others
    return one, windows, not others


def timer(sentence: Sentence) -> list[After]:
    """After how long it is to be told, where nothing else is said: "set a timer for ten minutes"."""
    begun = sentence.is_at(0, Sort.Requesting) or 0
    term = sentence.term(begun)
    if term is None or term[1] != REMINDING:
        return []
    place = term[0]
    while place < len(sentence.tokens) and sentence.tokens[place].text in _FOR:
        place += 1
    lengths = (i for i in sentence.items[place] if i.sort is Sort.DURATION) if place < len(sentence.tokens) else ()
    longest = max(lengths, key=lambda i: i.end, default=None)
    if longest is None or not _is_courteous(sentence, longest.end):
        return []
    return [After(longest.number * SECONDS[longest.unit])] if longest.number and longest.unit in SECONDS else []


def _is_courteous(sentence: Sentence, start: int) -> bool:
    """Whether only courtesy follows from a place on."""
    polite = (Sort.Requesting, Sort.Fillers)
    behind = range(start, len(sentence.tokens))
    return all(sentence.tokens[p].text in LEADING or sentence.is_at(p, *polite) is not None for p in behind)


def beginning(when: Schedule | None, windows: Sequence[Window], *, again: bool) -> Schedule | None:
    """When that is to be done which shall be so "from ten on", on the days that are said, or `again` each day; None
    where an end is said."""
    if len(windows) != 1 or not isinstance(windows[0].end, Daytime) or windows[0].end.hour != WHOLE:
        return None
    start, days = windows[0].start, windows[0].weekdays
    if isinstance(when, Recurrence) and not when.times and when.period is None:
        return replace(when, times=(start,), weekdays=when.weekdays or days)
    if isinstance(when, Next) and when.time is None:
        return replace(when, time=start)
    return (Recurrence((start,), weekdays=days) if days or again else Next(start)) if when is None else None


def hours_of(when: object) -> tuple[Window, ...]:
    """The hours of a part of the day that is said without a time ("at night, if …"), on the days that are said."""
    again = isinstance(when, Recurrence) and not when.times and when.period is None
    once = isinstance(when, Next) and when.time is None and when.day is None
    if not isinstance(when, Next | Recurrence) or not (again or once) or when.part is None:
        return ()
    start, end = PARTS[when.part]
    return (Window(Daytime(start), Daytime(end), when.weekdays if isinstance(when, Recurrence) else ()),)


def _bounded(windows: tuple[Window, ...], said: list[Element]) -> tuple[tuple[Window, ...], list[Element]]:
    """Windows on the days that are said with them; a part of the day, or every day, adds nothing to their hours."""
    if not windows:
        return windows, said
    days = next((one.weekdays for one in said if isinstance(one, Recurrence) and _is_of_days(one)), ())
    left: list[Element] = [one for one in said if not (isinstance(one, Part) or _is_of_days(one))]
    return tuple(replace(one, weekdays=one.weekdays or days) for one in windows), left


def _is_of_days(one: Element) -> bool:
    """Whether it is a repetition that says on which days of the week, and nothing else."""
    return isinstance(one, Recurrence) and replace(one, weekdays=(), part=None) == Recurrence()


def fact(clause: Clause, tokens: Sequence[Token], context: Context) -> Fact | None:
    """What a condition says, in graph terms; None where it says nothing here."""
    asked = replace(clause, asks=Asks.WHETHER, condition="", predicate=tuple(_measured(clause)))
    intent = inquiry(goal_of(asked, tokens), "urn:condition", context)
    if intent is None or intent.fault is not None or intent.query is None:
        return None
    seconds = next((t.seconds for t in clause.times if isinstance(t, Duration | Length)), clause.duration or 0.0)
    select, query = intent.selection, intent.query
    holds = Holds.EVERY if query.asks is Asks.EVERY else Holds.ANY
    if not query.rooms:
        return Fact(select, query.tests, holds, seconds) if query.tests else None
    if len(select.rooms) != 1:
        return None
    room = select.rooms[0]
    inner = replace(room.has, places=select.places, tests=(), quantity=Quantity.ALL)
    tests: tuple[Test, ...] = room.has.tests
    if not tests:
        return None
    return Fact(inner, tests, Holds.NONE if room.negated else holds, seconds)


def _is_wait(clause: Clause) -> bool:
    """ "Wait five minutes": a condition that is nothing but a length of time."""
    said = clause.phrases or clause.predicate or clause.places or clause.verbs
    return bool(clause.condition) and not said and any(isinstance(t, Duration | Length) for t in clause.times)


def _measured(clause: Clause) -> list[Restriction]:
    """What is compared in a room with a bare number, or in degrees, is its temperature."""
    named = next((q for _, q in clause.qualities), None)
    found = []
    for one in clause.predicate:
        number = one.amount is not None and one.amount.number is not None
        if number and one.about is None and one.relation is None and not clause.phrases:
            about = named.entries if named is not None else (TEMPERATURE,)
            one = replace(one, about=Span("", 0, 0, about))
        found.append(one)
    return found


def rule(
    goals: Sequence[Alternatives],
    clauses: Sequence[Clause],
    tokens: Sequence[Token],
    text: str,
    iri: str,
    context: Context,
) -> tuple[Intent, list[str]]:
    """The intent to make a rule of what is to be done, and what speaks for and against it."""
    waits = [c for c in clauses if _is_wait(c)]
    conditions = [c for c in clauses if c.condition and c not in waits]
    when, windows, whole = schedule(
        tuple(chain.from_iterable(c.times for c in clauses if not c.condition))
        + tuple(t for c in conditions for t in c.times if not isinstance(t, Duration | Length))
    )
    if waits and when is None:
        when = After(sum(t.seconds for c in waits for t in c.times if isinstance(t, Duration | Length)))
    facts = [fact(c, tokens, context) for c in conditions]
    known = tuple(f for f in facts if f is not None)
    actions = tuple(intent for readings in goals for intent in readings[0])
    features = [f"rule:{'time' if when else 'event'}"]
    fault = _fault(facts, actions, when, whole=whole)
    if fault is not None:
        reason, feature = fault
        return Intent(iri, text, Category.RULE, Operation.MAKE, fault=reason, subject=text[:MOST_SAID]), [
            *features,
            feature,
        ]
    match = Match.ANY if any(c.either for c in conditions) else Match.ALL
    triggers: tuple[Trigger, ...] = (when,) if when is not None else (Becomes(known, match),)
    then = known if when is not None else ()
    once = isinstance(when, Next | After)
    made = Rule(text, triggers, actions, then, match, windows, location=context.location, once=once)
    return Intent(iri, text, Category.RULE, Operation.MAKE, rule=made), features


def _fault(
    facts: Sequence[Fact | None], actions: Sequence[Intent], when: Schedule | None, *, whole: bool
) -> tuple[str, str] | None:
    """Why no rule can be made of what was said, as a reason and a feature; None where one can."""
    wrong = next((a.fault for a in actions if a.fault), None)
    if any(one is None for one in facts):
        return "not_understood", "rule:fact-lost"
    if not whole:
        return "not_understood", "rule:time-lost"
    if not actions:
        return "not_understood", "rule:no-action"
    if wrong is not None:
        return wrong, "rule:action-fault"
    return ("missing_time", "rule:no-trigger") if when is None and not facts else None
