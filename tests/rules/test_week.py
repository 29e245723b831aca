"""A week with fifty rules: every firing is one that somebody finds who looks at the home minute by minute."""

from __future__ import annotations

import random
from datetime import date, datetime
from zoneinfo import ZoneInfo

import pytest

from engine.model.rule import Daytime, Holds, Recurrence, Rule, Window
from tests.rules.homes import house, is_on, make, put, turn, when

ZURICH = ZoneInfo("Europe/Zurich")
LAMPS = ("desk-lamp", "floor-lamp", "pantry-light", "guest-lamp", "kitchen-light", "garage-light", "landing-light")
WATCHED = ("study-heater", "television", "washing-machine", "range-hood")
RULES = 50


def made(dice: random.Random, number: int, hours: list[int]) -> Rule:
    """One of many kinds of rule, on whole minutes, in these hours."""
    lamp = turn(dice.choice(LAMPS), dice.random() < 0.5)
    window = ()
    if dice.random() < 0.4:
        window = (Window(Daytime(dice.randrange(24)), Daytime(dice.randrange(24))),)
    if number % 2:
        again = Recurrence((Daytime(dice.choice(hours), dice.randrange(60)),), tuple(dice.sample(range(7), 3)))
        held = (is_on(dice.choice(WATCHED)),) if dice.random() < 0.5 else ()
        return Rule(f"rule {number}", (again,), (lamp,), held, windows=window)
    seconds = dice.choice([0.0, 0.0, 600.0, 3600.0])
    fact = is_on(dice.choice(WATCHED), seconds, dice.choice([Holds.ANY, Holds.NONE]))
    return Rule(f"rule {number}", (when(fact),), (lamp,), windows=window)


class Oracle:
    """The naive way: each rule is looked at each minute."""

    def __init__(self, rules: list[Rule], on: dict[str, bool], now: datetime) -> None:
        self.rules, self.on = rules, on
        self.since = {rule.text: now for rule in rules}  # then its state was written
        self.base = {rule.text: self.is_so(rule) for rule in rules}
        self.held = {rule.text: self.whole(rule, now) for rule in rules}

    def is_so(self, rule: Rule) -> bool:
        trigger = rule.triggers[0]
        if isinstance(trigger, Recurrence):
            return False
        fact = trigger.facts[0]  # type: ignore[union-attr]
        thing = fact.selection.things[0].rpartition("/")[2]
        return self.on[thing] is (fact.holds is Holds.ANY)

    def opened(self, rule: Rule, now: datetime) -> bool:
        def shown(time: object) -> int:
            return time.hour * 60 + time.minute  # type: ignore[attr-defined]

        at = now.hour * 60 + now.minute
        return not rule.windows or any(
            (at - shown(w.start)) % 1440 < (shown(w.end) - shown(w.start) - 1) % 1440 + 1 for w in rule.windows
        )

    def whole(self, rule: Rule, now: datetime) -> bool:
        if isinstance(rule.triggers[0], Recurrence):
            return False
        lasting = rule.triggers[0].facts[0].seconds  # type: ignore[union-attr]
        passed = now.timestamp() - self.since[rule.text].timestamp()  # whatever the clocks did meanwhile
        return self.base[rule.text] and passed >= lasting and self.opened(rule, now)

    def due(self, now: datetime) -> list[str]:
        """What time sets off, before anything happens in that minute."""
        fired = []
        for rule in self.rules:
            trigger = rule.triggers[0]
            if isinstance(trigger, Recurrence):
                time = trigger.times[0]
                due = (now.hour, now.minute) == (time.hour, time.minute)  # type: ignore[union-attr]
                so = all(self.on[f.selection.things[0].rpartition("/")[2]] for f in rule.conditions)
                if due and not now.fold and now.weekday() in trigger.weekdays and so and self.opened(rule, now):
                    fired.append(rule.text)
        return fired

    def look(self, now: datetime) -> list[str]:
        """What has turned true."""
        fired = []
        for rule in (one for one in self.rules if not isinstance(one.triggers[0], Recurrence)):
            so = self.is_so(rule)
            if so and not self.base[rule.text]:
                self.since[rule.text] = now
            self.base[rule.text] = so
            whole = self.whole(rule, now)
            if whole and not self.held[rule.text]:
                fired.append(rule.text)
            self.held[rule.text] = whole
        return fired


@pytest.mark.slow
@pytest.mark.parametrize(
    ("first", "skipped"),
    [(date(2026, 3, 2), {2}), (date(2026, 3, 26), {2}), (date(2026, 10, 22), set())],
    ids=["a plain week", "the clocks go forward", "the clocks go back"],
)
def test_fifty_rules_fire_as_one_finds_who_looks_at_every_minute(first: date, skipped: set[int]) -> None:
    dice = random.Random(str(first))
    begin = datetime(first.year, first.month, first.day, 6, tzinfo=ZURICH)
    engine = house(now=begin)
    on = dict.fromkeys(WATCHED, False)
    for thing in WATCHED:
        put(engine, f"{thing}#state", "on")
        put(engine, f"{thing}#state", "off")
    hours = [hour for hour in range(24) if hour not in skipped]  # what the clocks skip comes as much later
    hours += [] if skipped else [2, 2, 2]  # what they show twice comes once
    rules = [made(dice, number, hours) for number in range(RULES)]
    for rule in rules:
        outcome = make(
            engine, rule.triggers[0], *rule.actions, text=rule.text, conditions=rule.conditions, windows=rule.windows
        )
        assert outcome.intents[0].status.value == "scheduled", outcome.reply
    oracle = Oracle(rules, on, begin)
    expected: list[tuple[str, str]] = []
    changes = {round(dice.random() * 7 * 1440): dice.choice(WATCHED) for _ in range(60)}
    for minute in range(1, 7 * 1440):
        now = datetime.fromtimestamp(begin.timestamp() + minute * 60, ZURICH)
        expected += [(f"{now:%d %H:%M}", text) for text in oracle.due(now)]
        if minute in changes:
            expected += [(f"{now:%d %H:%M}", text) for text in oracle.look(now)]  # what lasted until then
            engine.pass_time(now.timestamp() - engine.clock.now().timestamp())
            thing = changes[minute]
            on[thing] = not on[thing]
            put(engine, f"{thing}#state", "on" if on[thing] else "off")
        expected += [(f"{now:%d %H:%M}", text) for text in oracle.look(now)]
    engine.pass_time(begin.timestamp() + (7 * 1440 - 1) * 60 - engine.clock.now().timestamp())
    fired = [(f"{one.due.astimezone(ZURICH):%d %H:%M}", one.text) for one in engine.rules.book.firings.values()]
    assert sorted(fired) == sorted(expected)
    assert len(expected) > RULES
