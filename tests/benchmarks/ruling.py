"""How long rules take: from a change to the decision among many, a time that comes among many, a check of a new one."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from time import perf_counter

from engine.environment.clock import SimulatedClock
from engine.graph.terms import expand
from engine.hearthgraph import Hearthgraph
from engine.model.intent import Amount, Measure
from engine.model.rule import At, Daytime, Fact, Recurrence, Rule
from engine.model.selection import Comparison, Condition, Select, Test
from engine.rules.book import Entry, Firing, State
from engine.rules.checks import Checker
from engine.rules.keeper import Keeper
from tests.benchmarks.figures import Figure, percentile, seconds
from tests.rules.homes import BEGAN, PLACES, THINGS, house, is_on, turn, when

TITLE = "Rules: decisions, times and checks"
CASES = ("10000 rules", "100000 times", "1000 rules checked")
LAMPS = ("desk-lamp", "floor-lamp", "pantry-light", "guest-lamp", "kitchen-light", "garage-light", "landing-light")
WATCHED = ("study-heater", "television", "range-hood", "humidifier", "oven", "coffee-maker", "bedroom-ac")
ROOMS = ("living-room", "master-bedroom")
CHANGES, IDLE, CHECKED = 2000, 1000, 200
DECISION, RATE, CHECK = 10.0, 500.0, 200.0
"""Milliseconds at p99, changes a second, milliseconds at p99."""


def measure(case: str) -> list[Figure]:
    """The figures of one case, on the house."""
    return {CASES[0]: _decisions, CASES[1]: _times, CASES[2]: _checks}[case](random.Random(15))


def _keeper(home: Hearthgraph, decided: Callable[[], object] = lambda: None) -> Keeper:
    """A keeper of rules whose actions take no time; `decided` is called when one is about to be carried out."""

    def done(rule: Rule, firing: Firing) -> tuple[State, str | None]:
        del rule, firing
        decided()
        return State.DONE, None

    return Keeper(home.store, home.registry, home.state, home.clock, done)


def _decisions(dice: random.Random) -> list[Figure]:
    home, decided = house(), []
    keeper = _keeper(home, lambda: decided.append(perf_counter()))
    for number in range(10_000):
        fact = is_on(dice.choice(WATCHED)) if dice.random() < 0.5 else _warmer(dice.choice(ROOMS), dice.uniform(10, 40))
        rule = Rule(f"rule {number}", (when(fact),), (turn(dice.choice(LAMPS)),))
        keeper.take_up(rule, f"urn:rule:{number}")
    changes = [_change(dice, number) for number in range(CHANGES)]
    took: list[float] = []
    whole: list[float] = []
    for prop, value in changes:
        home.state.write({prop: value})
        decided.clear()
        began = perf_counter()
        keeper.attend()
        whole.append(1000 * (perf_counter() - began))
        took.append(1000 * (decided[0] - began) if decided else whole[-1])
    fired = len(keeper.book.firings)
    return [
        Figure("change to decision, p50", percentile(took, 0.5), "ms"),
        Figure("change to decision, p99", percentile(took, 0.99), "ms", DECISION),
        Figure("changes decided and done", 1000 * len(whole) / sum(whole), "a second", RATE, at_least=True),
        Figure("the slowest: a switch that hundreds wait for", max(took), "ms"),
        Figure("firings among them", fired, ""),
    ]


def _warmer(room: str, degrees: float) -> Fact:
    amount = Amount(Measure.NUMBER, degrees, expand("hg:Celsius"))
    return Fact(
        Select(places=(PLACES + room,)), (Test((Condition(expand("hg:Temperature"), Comparison.ABOVE, amount),)),)
    )


def _change(dice: random.Random, number: int) -> tuple[str, object]:
    """A reading that goes up and down a little, as readings do; now and then a switch."""
    if number % 250 == 0:
        return f"{THINGS}{dice.choice(WATCHED[:4])}#properties/state", dice.choice(("on", "off"))
    sensor = dice.choice(("living-room-climate", "bedroom-climate"))
    return f"{THINGS}{sensor}#properties/temperature", round(21 + dice.uniform(-0.005, 0.005), 4)


def _times(dice: random.Random) -> list[Figure]:
    home = house()
    later = [BEGAN + timedelta(seconds=dice.uniform(3600, 86400 * 300)) for _ in range(100_000)]
    keeper = _keeper(home)
    entries = []
    for number, moment in enumerate(later):
        rule = Rule(
            f"rule {number}", (At(moment),), (turn(dice.choice(LAMPS)),), iri=f"urn:rule:{number}", made_at=BEGAN
        )
        entries.append(Entry(replace(rule, once=True), moment, None, ()))
    keeper.book.write(keep=entries)
    began = seconds(keeper.attend)
    idle = [seconds(keeper.attend) * 1000 for _ in range(IDLE)]
    due = min(later)
    assert isinstance(home.clock, SimulatedClock)
    home.clock.set(due)
    firing = seconds(keeper.attend) * 1000
    return [
        Figure("taken up after a restart", began, "s"),
        Figure("a look while nothing is due, p99", percentile(idle, 0.99), "ms", DECISION),
        Figure("a time that comes, to the decision", firing, "ms", 10 * DECISION),
    ]


def _checks(dice: random.Random) -> list[Figure]:
    home = house()
    checker, ground, state = Checker(home.store, home.registry), home.rules.ground, home.state.snapshot()

    def profile(number: int) -> Callable[[], object]:
        on, lamp = dice.random() < 0.5, dice.choice(LAMPS)
        timed = dice.random() < 0.5
        trigger = Recurrence((Daytime(dice.randrange(24)),)) if timed else when(is_on(dice.choice(WATCHED)))
        rule = Rule(f"rule {number}", (trigger,), (turn(lamp, on),), iri=f"urn:rule:{number}", made_at=BEGAN)
        sets = ((f"{THINGS}{lamp}#properties/state", "on" if on else "off"),)
        return lambda: checker.profile(rule, sets, BEGAN, ground, state)

    for number in range(1000):
        checker.add(profile(number)())  # type: ignore[arg-type]
    took = []
    for number in range(CHECKED):
        make = profile(2000 + number)
        took.append(seconds(lambda make=make: checker.check(make())) * 1000)  # type: ignore[misc]
    return [
        Figure("a new rule, p50", percentile(took, 0.5), "ms"),
        Figure("a new rule, p99", percentile(took, 0.99), "ms", CHECK),
    ]
