"""Sentences by family: orders, plain or polite, under a condition or for a time; asked, denied, told; two in one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import datetime, timedelta
from itertools import islice
from random import Random
from typing import Any

from tests.acceptance.grid.clauses import (
    ORDERS,
    STATES,
    Clause,
    any_order,
    cycled,
    numbered,
    sets,
    two_sided,
)
from tests.acceptance.grid.judge import Later, Sentence
from tests.acceptance.grid.world import SPOKEN, Device, World, sides

NOW = datetime.fromisoformat("2026-03-02T12:00:00+00:00")  # a Monday

POLITE = (
    "please {}", "{}, please", "could you {}?", "could you please {}?", "can you {} for me?", "would you {}?",
    "I'd like you to {}", "I want you to {}", "go ahead and {}", "hey, {}", "would you mind {ing}?",
    "is it possible to {}?", "{} now", "{}.", "{}!",
)  # fmt: skip
MOMENTS: tuple[tuple[str, Later], ...] = (
    ("at 9 pm", Later(NOW.replace(hour=21))),
    ("at 21:30", Later(NOW.replace(hour=21, minute=30))),
    ("at half past seven this evening", Later(NOW.replace(hour=19, minute=30))),
    ("tonight at ten", Later(NOW.replace(hour=22))),
    ("in 5 minutes", Later(NOW + timedelta(minutes=5))),
    ("in an hour", Later(NOW + timedelta(hours=1))),
    ("in half an hour", Later(NOW + timedelta(minutes=30))),
    ("5 minutes from now", Later(NOW + timedelta(minutes=5))),
    ("after ten minutes", Later(NOW + timedelta(minutes=10))),
    ("tomorrow at 8 am", Later(NOW.replace(day=3, hour=8))),
    ("tomorrow morning at seven", Later(NOW.replace(day=3, hour=7))),
    ("on Friday at 6 pm", Later(NOW.replace(day=6, hour=18))),
    ("every day at 7 am", Later(time=(7, 0))),
    ("every morning at 6:30", Later(time=(6, 30))),
    ("on weekdays at 7:15", Later(time=(7, 15), weekdays=(0, 1, 2, 3, 4))),
    ("every Sunday at noon", Later(time=(12, 0), weekdays=(6,))),
    ("at midnight", Later(NOW.replace(day=3, hour=0))),
)
WAITS: tuple[tuple[str, Later], ...] = (
    ("wait 5 minutes and {}", Later(NOW + timedelta(minutes=5))),
    ("wait ten minutes, then {}", Later(NOW + timedelta(minutes=10))),
    ("give it a quarter of an hour and then {}", Later(NOW + timedelta(minutes=15))),
)
LINKS = (
    "{} and {}",
    "{} and then {}",
    "{}, then {}",
    "{}; {}",
    "{}. {}",
    "{}, and {}",
    "{} and also {}",
    "first {}, then {}",
)
WHENS = ("when {}", "whenever {}", "if {}", "once {}", "as soon as {}", "every time {}", "in case {}")
HELD = ("if {}", "when {}", "while {}", "as long as {}", "provided that {}")
NEVER = (
    "don't {}", "do not {}", "never {}", "please don't {}", "no need to {}", "you don't have to {}",
    "I don't want you to {}", "I'd rather you didn't {}", "stop {ing} all the time", "there's no reason to {}",
)  # fmt: skip
ABOUT = (
    "should I {}?", "do I have to {}?", "what happens if I {}?", "when did I {}?",
    "did you {}?", "why did you {}?", "how do I {}?", "who told you to {}?", "what would happen if you {}?",
    "did I {}?",
)  # fmt: skip
TOLD = (
    "my sister used to {}", "he told me to {}", "I was about to {}", "I decided not to {}", "she said: {}",
    "if only somebody would {}", "the manual says to {}", "I forgot to {} yesterday", "I wonder whether to {}",
    "yesterday I asked you to {}",
)  # fmt: skip
PAST = {
    ("switch", True): "turned on", ("switch", False): "turned off", ("leaf", True): "opened", ("leaf", False): "closed",
    ("bolt", True): "locked", ("bolt", False): "unlocked",
}  # fmt: skip
Family = Callable[[World, Random], Iterator[Sentence]]


def plain(family: str) -> Family:
    def made(world: World, rng: Random) -> Iterator[Sentence]:
        for one in ORDERS[family](world, rng):
            yield ordered(family, one.text, one)

    return made


def ordered(family: str, text: str, *clauses: Clause) -> Sentence:
    """A sentence that does what its clauses say."""
    goals = {k: g for c in clauses for k, g in c.goals.items()}
    may = {k: g for c in clauses for k, g in c.may.items()}
    return Sentence(family, text, goals, may=may, start={k: v for c in clauses for k, v in c.start.items()})


def polite(world: World, rng: Random) -> Iterator[Sentence]:
    for clause, form in zip(any_order(world, rng), cycled(POLITE, rng), strict=False):
        yield ordered("polite", form.format(clause.text, ing=clause.gerund), clause)


def excepted(world: World, rng: Random) -> Iterator[Sentence]:
    for clause in sets(world, rng, less=True):
        yield ordered("except", clause.text, clause)


def of_state(world: World, rng: Random) -> Iterator[Sentence]:
    for clause in sets(world, rng, state=True):
        yield ordered("state-set", clause.text, clause)


def placed(text: str, when: str, rng: Random) -> str:
    """An order with its time or condition before or after."""
    return rng.choice((f"{text} {when}", f"{when} {text}", f"{when}, {text}", f"{text} {when}"))


def timed(world: World, rng: Random) -> Iterator[Sentence]:
    moments = [*((text, when, False) for text, when in MOMENTS), *((text, when, True) for text, when in WAITS)]
    for clause, (text, when, around) in zip(any_order(world, rng), cycled(moments, rng), strict=False):
        told = text.format(clause.text) if around else placed(clause.text, text, rng)
        yield Sentence("time", told, later=clause.goals, when=when, start=clause.start, may=clause.may)


def lasting(world: World, rng: Random) -> Iterator[Sentence]:
    for clause in two_sided(world, rng, ("switch",)):
        for_, seconds = rng.choice((("for 10 minutes", 600.0), ("for an hour", 3600.0), ("for half an hour", 1800.0)))
        yield Sentence(
            "lasting", rng.choice((f"{clause.text} {for_}", f"{for_}, {clause.text}")), clause.goals,
            start=clause.start, seconds=seconds,
        )  # fmt: skip


def events(world: World, rng: Random) -> Iterator[tuple[str, str, str, dict[str, Any]]]:
    """What may come true of a thing: its words as an event and as a state, its thing, and how it is before."""
    for device in cycled(world.devices, rng):
        found = list(_events_of(device, world))
        if found:
            event, state, start = rng.choice(found)
            yield event, state, device.thing.iri, start


def _events_of(device: Device, world: World) -> Iterator[tuple[str, str, dict[str, Any]]]:
    name = device.named
    for up in (True, False):
        if device.switch:
            yield f"{name} is turned {_on(up)}", f"{name} is {_on(up)}", _before(world, device.switch, up)
        if device.leaf:
            verb = "opens" if up else "closes"
            yield f"{name} {verb}", f"{name} is {STATES['leaf'][up]}", _before(world, device.leaf, up)
        if device.bolt:
            yield (
                f"{name} is {'' if up else 'un'}locked",
                f"{name} is {'' if up else 'un'}locked",
                _before(world, device.bolt, up),
            )
    for kind, prop in device.senses.items():
        if kind in ("Temperature", "Humidity"):
            number, unit = (25, "degrees") if kind == "Temperature" else (60, "percent")
            where = f"the {kind.casefold()} in {device.room}"
            yield (
                f"{where} rises above {number} {unit}",
                f"{where} is above {number} {unit}",
                {prop.iri: float(number - 5)},
            )
            yield f"{where} drops below {number}", f"{where} is below {number}", {prop.iri: float(number + 5)}
        if kind in ("Motion", "Smoke", "Leak") and prop.schema.type == "boolean":
            what = {"Motion": "motion", "Smoke": "smoke", "Leak": "a leak"}[kind]
            yield f"{name} detects {what}", f"{name} detects {what}", {prop.iri: False}


def _on(up: bool) -> str:
    return "on" if up else "off"


def _before(world: World, prop: Any, up: bool) -> dict[str, Any]:
    high, low = sides(world.home, prop)
    return {prop.iri: low if up else high}


def conditional(world: World, rng: Random) -> Iterator[Sentence]:
    forms = [*((f, False) for f in WHENS), *((f, True) for f in HELD)]
    for clause, (event, state, thing, start), (form, holds) in zip(
        any_order(world, rng), events(world, rng), cycled(forms, rng), strict=False
    ):
        if thing in clause.about:
            continue
        told = placed(clause.text, form.format(state if holds else event), rng)
        yield Sentence(
            "condition",
            told,
            later=clause.goals,
            when=Later(thing=thing),
            start={**clause.start, **start},
            may=clause.may,
        )


def unless(world: World, rng: Random) -> Iterator[Sentence]:
    """What stands under unless, while that which it names is so: nothing is done."""
    for clause, (_, state, thing, start) in zip(any_order(world, rng), events(world, rng), strict=False):
        iri, value = next(iter(start.items()))
        prop = world.home.registry.properties[iri]
        if thing in clause.about or (prop.schema.minimum is not None and not _two_ends(world, prop, value)):
            continue
        so = {iri: world.opposite(prop, value)}
        yield Sentence(
            "unless", f"{clause.text} unless {state}", later=clause.goals, when=Later(thing=thing),
            start={**clause.start, **so}, may=clause.may,
        )  # fmt: skip


def _two_ends(world: World, prop: Any, value: Any) -> bool:
    return value in sides(world.home, prop)


def both_conditional(world: World, rng: Random) -> Iterator[Sentence]:
    """Two orders under one condition or one time."""
    for (one, two), (event, _, thing, start), link in zip(
        pairs(world, rng), events(world, rng), cycled(LINKS[:2], rng), strict=False
    ):
        if thing in (*one.about, *two.about):
            continue
        when, later = f"when {event}", Later(thing=thing)
        if rng.random() < 0.4:
            when, later = rng.choice(MOMENTS)
        goals = {**one.goals, **two.goals}
        yield Sentence(
            "both-later", f"{when}, {link.format(one.text, two.text)}", later=goals, when=later,
            start={**one.start, **two.start, **start}, may={**one.may, **two.may},
        )  # fmt: skip


def pairs(world: World, rng: Random) -> Iterator[tuple[Clause, Clause]]:
    """Two orders about different things."""
    names = ("side", "side", "absolute", "relative", "share", "option", "set")
    one, two = any_order(world, rng, names), any_order(world, rng, names[:6])
    for a, b in zip(one, two, strict=False):
        if not set(a.about) & set(b.about):
            yield a, b


def two_orders(world: World, rng: Random) -> Iterator[Sentence]:
    for (one, two), link in zip(pairs(world, rng), cycled(LINKS, rng), strict=False):
        yield ordered("two", link.format(one.text, two.text), one, two)


def now_and_later(world: World, rng: Random) -> Iterator[Sentence]:
    for (one, two), (text, when) in zip(pairs(world, rng), cycled(MOMENTS, rng), strict=False):
        told = rng.choice((f"{one.text} and {text} {two.text}", f"{one.text}, and {two.text} {text}"))
        if told.endswith(text):  # a time at the end may be said of both
            told = f"{one.text} now and {two.text} {text}"
        yield Sentence(
            "now-later", told, one.goals, two.goals, when, may={**one.may, **two.may}, start={**one.start, **two.start}
        )


def not_the_other(world: World, rng: Random) -> Iterator[Sentence]:
    """One is to be done, and another is said not to be."""
    for one, two in pairs(world, rng):
        form = rng.choice(("{} but don't {}", "{}, but do not {}", "don't {1}, but {0}", "{} and don't {}"))
        yield ordered("not", form.format(one.text, two.text), one, Clause("", {}, two.start))


def denied(world: World, rng: Random) -> Iterator[Sentence]:
    for clause, form in zip(any_order(world, rng), cycled(NEVER, rng), strict=False):
        yield Sentence("not", form.format(clause.text, ing=clause.gerund), start=clause.start)


def told(world: World, rng: Random) -> Iterator[Sentence]:
    for clause, form in zip(any_order(world, rng), cycled(TOLD, rng), strict=False):
        yield Sentence("told", form.format(clause.text, ing=clause.gerund), start=clause.start)


def told_of_past(world: World, rng: Random) -> Iterator[Sentence]:
    forms = (
        "my brother {} {} yesterday",
        "I {} {} this morning",
        "somebody {} {}",
        "{1} was {0} by the cleaner",
        "we {} {} an hour ago",
    )
    for device, sort in cycled([(d, s) for s in ("switch", "leaf", "bolt") for d in world.of(s)], rng):
        up = rng.random() < 0.5
        text = rng.choice(forms).format(PAST[sort, up], device.named)
        yield Sentence("told", text, start=_before(world, getattr(device, sort), up))


def asked_about(world: World, rng: Random) -> Iterator[Sentence]:
    for clause, form in zip(any_order(world, rng), cycled(ABOUT, rng), strict=False):
        yield Sentence("about", form.format(clause.text), start=clause.start, asks=True)


def asked_how(world: World, rng: Random) -> Iterator[Sentence]:
    """How something is: its value is known by what the home was set to."""
    forms = ("what is the {p} of {d}?", "what's {d}'s {p}?", "tell me the {p} of {d}", "how high is the {p} of {d}?")
    for device, kind, prop in numbered(world, rng):
        least, most = float(prop.schema.minimum or 0), float(prop.schema.maximum or 0)
        value = float(int(least + (most - least) * rng.choice((0.25, 0.5, 0.75))))
        if " in " in device.named or prop.inverted:
            continue
        on = {device.switch.iri: sides(world.home, device.switch)[0]} if device.switch else {}
        yield Sentence(
            "how", rng.choice(forms).format(p=SPOKEN[kind], d=device.named), start={prop.iri: value, **on}, asks=True,
            answer=value,
        )  # fmt: skip


def asked_whether(world: World, rng: Random) -> Iterator[Sentence]:
    words = {**STATES, "bolt": {True: "locked", False: "unlocked"}}
    forms = (
        "is {} {}?",
        "tell me if {} is {}",
        "can you check whether {} is {}?",
        "{} is {}, isn't it?",
        "isn't {} {}?",
    )
    for device, sort in cycled([(d, s) for s in words for d in world.of(s)], rng):
        up, so = rng.random() < 0.5, rng.random() < 0.5
        start = _before(world, getattr(device, sort), not so)
        text = rng.choice(forms).format(device.named, words[sort][up])
        negative = text.startswith("isn't")
        yield Sentence("whether", text, start=start, asks=True, answer=None if negative else up == so)


def asked_which(world: World, rng: Random) -> Iterator[Sentence]:
    forms = (
        "which {}s are {}?", "how many {}s are {}?", "are any {}s {}?", "are all the {}s {}?", "what {}s are still {}?",
        "which of the {}s aren't {}?",
    )  # fmt: skip
    for word, form, up in cycled(
        [(w, f, u) for w in ("light", "heater", "blind") for f in forms for u in (True, False)], rng
    ):
        state = STATES["leaf" if word == "blind" else "switch"][up]
        yield Sentence("which", form.format(word, state), asks=True)


def order_and_question(world: World, rng: Random) -> Iterator[Sentence]:
    for clause, device in zip(any_order(world, rng), cycled(world.of("switch"), rng), strict=False):
        if device.thing.iri in clause.about:
            continue
        yield Sentence(
            "act-ask",
            f"{clause.text} and tell me whether {device.named} is on",
            clause.goals,
            start=clause.start,
            asks=True,
        )


FAMILIES: Mapping[str, tuple[Family, int]] = {
    "side": (plain("side"), 170),
    "absolute": (plain("absolute"), 190),
    "relative": (plain("relative"), 240),
    "vague": (plain("vague"), 110),
    "share": (plain("share"), 100),
    "option": (plain("option"), 90),
    "set": (plain("set"), 110),
    "except": (excepted, 110),
    "state-set": (of_state, 70),
    "polite": (polite, 130),
    "time": (timed, 170),
    "lasting": (lasting, 50),
    "condition": (conditional, 200),
    "unless": (unless, 50),
    "both-later": (both_conditional, 90),
    "two": (two_orders, 170),
    "now-later": (now_and_later, 80),
    "not-other": (not_the_other, 80),
    "not": (denied, 100),
    "told": (told, 80),
    "past": (told_of_past, 60),
    "about": (asked_about, 90),
    "how": (asked_how, 60),
    "whether": (asked_whether, 80),
    "which": (asked_which, 40),
    "act-ask": (order_and_question, 60),
}
"""Each family, and how many sentences of it there are over all homes."""


def sentences(world: World, seed: int, share: float = 1.0) -> Iterator[Sentence]:
    """The sentences of a home: of each family its share."""
    for name, (family, number) in FAMILIES.items():
        seen: set[str] = set()
        most = max(1, round(number * share))
        for one in islice(family(world, Random(f"{seed} {name}")), 6 * most):
            if one.text not in seen and len(seen) < most:
                seen.add(one.text)
                yield one
