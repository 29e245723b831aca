"""What is wrong with what came of a sentence, by what the sentence was made to mean."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any

from engine.environment.selection import Selector
from engine.model.outcome import Kept, Outcome, Status
from engine.model.rule import At, Becomes, Changes, Daytime, Recurrence, Rule
from engine.model.selection import Quantity
from tests.acceptance.grid.world import World


@dataclass(frozen=True)
class Goal:
    """What a property shall be: one of `values`, or more (+1) or less (-1) than it was."""

    values: tuple[Any, ...] = ()
    sign: int = 0

    def met(self, before: Any, after: Any) -> bool:
        if self.values:
            return any(alike(after, v) for v in self.values)
        return (after - before) * self.sign > 0


def alike(value: Any, other: Any) -> bool:
    numeric = isinstance(value, int | float) and isinstance(other, int | float)
    if numeric and not isinstance(value, bool) and not isinstance(other, bool):
        return abs(value - other) < max(0.51, abs(other) * 0.005)
    return bool(value == other)


@dataclass(frozen=True)
class Later:
    """When: at a moment, at a time of every day (of `weekdays`), or when something becomes true of a thing."""

    moment: datetime | None = None
    time: tuple[int, int] | None = None
    weekdays: tuple[int, ...] = ()
    thing: str = ""


@dataclass(frozen=True)
class Sentence:
    """A sentence, and what it means by how it was made. `now` is done now, `may` besides; `later` what is done then;
    `asks`: it is a question (or also one); nothing else changes. `start`: how the home is before."""

    family: str
    text: str
    now: Mapping[str, Goal] = field(default_factory=dict)
    later: Mapping[str, Goal] = field(default_factory=dict)
    when: Later | None = None
    may: Mapping[str, Goal] = field(default_factory=dict)
    start: Mapping[str, Any] = field(default_factory=dict)
    asks: bool = False
    answer: Any = None
    seconds: float | None = None


@dataclass(frozen=True)
class Verdict:
    """`faults` are what must never be; `done`: all that it means came of it."""

    sentence: Sentence
    faults: tuple[str, ...]
    done: bool
    outcome: Outcome


def judged(sentence: Sentence, world: World, name: str) -> Verdict:
    """What came of a sentence in its home, which is then as it was before."""
    home = world.home
    whole = dict(home.state.snapshot())
    home.state.write(dict(sentence.start))
    home.rules.attend()
    before = dict(home.state.snapshot())
    outcome = home.ask(sentence.text, consent=True, conversation=name)
    after = dict(home.state.snapshot())
    faults = tuple(dict.fromkeys(_faults(sentence, world, outcome, before, after)))
    done = not faults and _done(sentence, outcome, before, after)
    home.rules.clear()
    home.state.write({k: whole.get(k) for k in {*whole, *home.state.snapshot()}})
    return Verdict(sentence, faults, done, outcome)


def _faults(
    sentence: Sentence, world: World, outcome: Outcome, before: Mapping[str, Any], after: Mapping[str, Any]
) -> Iterator[str]:
    changed = {k for k, v in after.items() if before.get(k) != v and k not in world.readings}
    yield from _wrong_changes(sentence, world, changed, before, after)
    if outcome.status in (Status.DONE, Status.SCHEDULED, Status.ANSWERED):
        yield from _lost(sentence, outcome, before, after)
    for kept in _kept(outcome):
        yield from _wrong_rule(sentence, kept, before, world)


def _wrong_changes(
    sentence: Sentence, world: World, changed: set[str], before: Mapping[str, Any], after: Mapping[str, Any]
) -> Iterator[str]:
    for iri in sorted(changed):
        goal = sentence.now.get(iri) or sentence.may.get(iri)
        told = f"{world.home.registry.thing_of[iri].title} {iri.rpartition('/')[2]} {before.get(iri)} → {after[iri]}"
        if goal is None and _switched_on(world, iri, {**sentence.now, **sentence.may}, after):
            continue
        if goal is not None and goal.met(before.get(iri), after[iri]):
            continue
        if goal is not None and goal.sign and _sign(before.get(iri), after[iri]) == -goal.sign:
            yield f"wrong sign: {told}"
        elif sentence.asks and not sentence.now:
            yield f"a question acts: {told}"
        elif iri in sentence.later:
            yield f"at once: {told}"
        elif goal is not None:
            yield f"wrong value: {told}"
        else:
            yield f"operator skipped: {told}" if sentence.family in OPERATORS else f"wrong thing: {told}"


OPERATORS = ("except", "not", "told", "state-set", "condition", "time")


def _switched_on(world: World, iri: str, goals: Mapping[str, Goal], after: Mapping[str, Any]) -> bool:
    """Whether something was switched on because something of it is set: that is no other thing."""
    prop, thing = world.home.registry.properties[iri], world.home.registry.thing_of[iri]
    set_too = any(world.home.registry.thing_of[k] == thing for k in goals if k != iri)
    return (
        set_too
        and any(k.endswith(("#Power", "Mode", "Playback", "Muted")) for k in prop.kinds)
        and (after[iri] not in ("off", False) or not any(k.endswith("#Power") for k in prop.kinds))
    )


def _sign(before: Any, after: Any) -> int:
    if not isinstance(before, int | float) or not isinstance(after, int | float):
        return 0
    return (after > before) - (after < before)


def _lost(sentence: Sentence, outcome: Outcome, before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[str]:
    missing = [k for k, goal in sentence.now.items() if not goal.met(before.get(k), after.get(k))]
    for iri in missing:
        yield f"lost: {iri.rpartition('things/')[2]} is {after.get(iri)}, and all is said to be done"
    waits = sentence.later and not sentence.asks and not _kept(outcome)
    if waits and outcome.status is not Status.ANSWERED:
        yield f"lost: {outcome.status.value}, and nothing is to be done later"


def _kept(outcome: Outcome) -> list[Kept]:
    return [kept for intent in outcome.intents for kept in intent.rules]


def _wrong_rule(sentence: Sentence, kept: Kept, before: Mapping[str, Any], world: World) -> Iterator[str]:
    if sentence.when is None:
        if sentence.family == "not" and not kept.rule.actions:
            return  # "never": a prohibition, which is kept and does nothing
        yield f"a rule that nobody asked for: {kept.rule.text}"
        return
    does = dict(kept.does)
    for iri, goal in sentence.later.items():
        if iri not in does and not goal.met(before.get(iri), before.get(iri) if goal.values else 0):
            yield f"lost: {iri.rpartition('/')[2]} in the rule"
        elif iri in does and not goal.met(before.get(iri), does[iri]):
            wrong = goal.sign and _sign(before.get(iri), does[iri]) == -goal.sign
            yield f"{'wrong sign' if wrong else 'wrong value'} in the rule: {does[iri]}"
    for iri in does:
        set_too = _switched_on(world, iri, {**sentence.later, **sentence.may}, does)
        if iri not in sentence.later and iri not in sentence.may and not set_too:
            yield f"wrong thing in the rule: {iri.rpartition('/')[2]}"
    if not fits(kept.rule, sentence.when, world):
        yield f"operator skipped: when {kept.rule.triggers} {kept.rule.conditions}"


def fits(rule: Rule, when: Later, world: World) -> bool:
    """Whether a rule stands for when it was said."""
    if when.moment is not None:
        return any(isinstance(t, At) and abs(t.moment - when.moment) < timedelta(seconds=2) for t in rule.triggers)
    if when.time is not None:
        hour, minute = when.time
        times = [t for t in rule.triggers if isinstance(t, Recurrence)]
        right = [t for t in times for d in t.times if isinstance(d, Daytime) and (d.hour, d.minute) == (hour, minute)]
        return any(not when.weekdays or t.weekdays == when.weekdays for t in right)
    return when.thing in set(_things(rule, world))


def _things(rule: Rule, world: World) -> Iterator[str]:
    """What a rule looks at: things, or the variable that is measured where they are."""
    facts = [f for t in rule.triggers if isinstance(t, Becomes) for f in t.facts] + list(rule.conditions)
    selector = Selector(world.home.store, world.home.registry)
    for select in [f.selection for f in facts] + [t.selection for t in rule.triggers if isinstance(t, Changes)]:
        parts = selector.select(replace(select, quantity=Quantity.ALL))
        yield from (world.home.registry.thing_of[part].iri for part in parts)


def _done(sentence: Sentence, outcome: Outcome, before: Mapping[str, Any], after: Mapping[str, Any]) -> bool:
    if not all(goal.met(before.get(k), after.get(k)) for k, goal in sentence.now.items()):
        return False
    if sentence.when is not None and sentence.later:
        return bool(_kept(outcome))
    if sentence.asks:
        return outcome.status in (Status.ANSWERED, Status.DONE) and _answers(sentence, outcome)
    return bool(sentence.now) or outcome.status not in (Status.DONE, Status.SCHEDULED)


def _answers(sentence: Sentence, outcome: Outcome) -> bool:
    if sentence.answer is None:
        return True
    answer = outcome.answer
    if isinstance(sentence.answer, bool):
        return outcome.reply.casefold().startswith(("yes",) if sentence.answer else ("no",)) or (
            answer is not None and answer.value is sentence.answer
        )
    if isinstance(sentence.answer, tuple):
        return all(str(name) in outcome.reply for name in sentence.answer)
    return f"{sentence.answer:g}" in outcome.reply or (answer is not None and alike(answer.value, sentence.answer))
