"""Clauses of orders with what they mean, made of verbs, properties, signs, values, shares, sets and exceptions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from engine.graph.terms import expand
from engine.model.thing import Property
from tests.acceptance.grid.judge import Goal
from tests.acceptance.grid.world import SPOKEN, UNITS, Device, World, place_named, sides

NUMBERS = {
    1: "one", 2: "two", 3: "three", 4: "four", 5: "five", 10: "ten", 15: "fifteen", 20: "twenty", 25: "twenty-five",
    30: "thirty", 40: "forty", 50: "fifty", 60: "sixty", 70: "seventy", 75: "seventy-five", 80: "eighty",
}  # fmt: skip
SWITCH = {
    True: ("turn on {}", "turn {} on", "switch on {}", "switch {} on"),
    False: ("turn off {}", "turn {} off", "switch off {}", "switch {} off", "shut off {}"),
}
LEAF = {True: ("open {}", "open up {}"), False: ("close {}", "shut {}")}
BOLT = {True: ("lock {}",), False: ("unlock {}",)}
SIDES = {"switch": SWITCH, "leaf": LEAF, "bolt": BOLT}
GERUNDS = {
    "turn": "turning", "switch": "switching", "shut": "shutting", "open": "opening", "close": "closing",
    "lock": "locking", "unlock": "unlocking", "set": "setting", "change": "changing", "raise": "raising",
    "lower": "lowering", "increase": "increasing", "decrease": "decreasing", "reduce": "reducing", "bring": "bringing",
    "adjust": "adjusting", "halve": "halving", "double": "doubling", "make": "making", "put": "putting",
    "dim": "dimming", "brighten": "brightening",
}  # fmt: skip
RELATIVE = {
    1: ("raise {the}{p} of {d} by {n}", "increase {the}{p} of {d} by {n}", "turn up {the}{p} of {d} by {n}",
        "turn {the}{p} of {d} up by {n}", "raise {owner} {p} by {n}", "increase {bare} {p} by {n}",
        "bring {the}{p} of {d} up by {n}", "turn {the}{p} of {d} up {n}"),
    -1: ("lower {the}{p} of {d} by {n}", "decrease {the}{p} of {d} by {n}", "reduce {the}{p} of {d} by {n}",
         "turn down {the}{p} of {d} by {n}", "turn {the}{p} of {d} down by {n}", "lower {owner} {p} by {n}",
         "decrease {bare} {p} by {n}", "bring {the}{p} of {d} down by {n}"),
}  # fmt: skip
VAGUE = {
    1: ("raise the {p} of {d}", "turn up the {p} of {d} a bit", "increase {owner} {p} slightly",
        "turn the {p} of {d} up a little"),
    -1: ("lower the {p} of {d}", "turn down the {p} of {d} a bit", "reduce {owner} {p} slightly",
         "turn the {p} of {d} down a little"),
}  # fmt: skip
ABSOLUTE = (
    "set {the}{p} of {d} to {n}", "set {owner} {p} to {n}", "set {d} to {n} {p}", "change {the}{p} of {d} to {n}",
    "adjust {the}{p} of {d} to {n}", "set the {bare} {p} to {n}", "bring {the}{p} of {d} to {n}",
    "make {the}{p} of {d} {n}",
)  # fmt: skip
OPTION = ("set the {p} of {d} to {n}", "change the {p} of {d} to {n}", "set {owner} {p} to {n}", "put {d} in {n} {p}")
SHARES = {
    "halve": ("halve {the}{p} of {d}", "cut the {p} of {d} in half", "reduce the {p} of {d} by half"),
    "double": ("double {the}{p} of {d}", "double {owner} {p}"),
    "third": ("lower the {p} of {d} by a third", "reduce {owner} {p} by a third"),
    "most": (
        "set the {p} of {d} to its maximum",
        "set {the}{p} of {d} to maximum",
        "turn the {p} of {d} all the way up",
    ),
    "least": (
        "set the {p} of {d} to its minimum",
        "set {the}{p} of {d} to minimum",
        "turn the {p} of {d} all the way down",
    ),
}


ROUNDS = 300
ROUGH = 20
"""A range that is smaller has too few values for shares of it."""


@dataclass(frozen=True)
class Clause:
    """An order of one clause in words, with what it brings about; `about` are the things that it is about."""

    text: str
    goals: Mapping[str, Goal]
    start: Mapping[str, Any] = field(default_factory=dict)
    may: Mapping[str, Goal] = field(default_factory=dict)
    about: tuple[str, ...] = ()

    @property
    def gerund(self) -> str:
        verb, _, rest = self.text.partition(" ")
        return f"{GERUNDS.get(verb, verb + 'ing')} {rest}"


def cycled(things: Sequence[Any], rng: Random) -> Iterator[Any]:
    """All of them again and again, each time in another order; none where there are none."""
    for _ in range(ROUNDS):
        several = list(things)
        rng.shuffle(several)
        yield from several


def two_sided(world: World, rng: Random, sorts: Sequence[str] = ("switch", "leaf", "bolt")) -> Iterator[Clause]:
    """On and off, open and closed, locked and unlocked: of each device that has it."""
    for device, sort in cycled([(d, s) for s in sorts for d in world.of(s)], rng):
        up = rng.random() < 0.5
        yield side(world, device, sort, up, rng.choice(SIDES[sort][up]))


def side(world: World, device: Device, sort: str, up: bool, form: str) -> Clause:
    prop = getattr(device, sort)
    high, low = sides(world.home, prop)
    value, other = (high, low) if up else (low, high)
    return Clause(form.format(device.named), {prop.iri: Goal((value,))}, {prop.iri: other}, about=(device.thing.iri,))


def owner(device: Device) -> str:
    """ "The desk lamp's": whose a property is."""
    head, found, _ = device.named.partition(" in ")
    return f"{head}'s" if not found else device.named + "'s"


def worded(form: str, device: Device, kind: str, number: str, rng: Random) -> str:
    """A form with its slots filled; "the" before a property is said or left out."""
    parts = (
        {"owner": owner(device)} if " in " not in device.named else {"owner": f"the {SPOKEN[kind]} of {device.named}"}
    )
    text = form.format(
        p=SPOKEN[kind], d=device.named, n=number, the=rng.choice(("the ", "")), bare=device.bare, **parts
    )
    return text.replace(f"of {device.named} {SPOKEN[kind]}", f"of {device.named}")


def numbered(world: World, rng: Random) -> Iterator[tuple[Device, str, Property]]:
    yield from cycled([(d, k, p) for d in world.devices for k, p in d.numbers.items()], rng)


def said(number: float, prop: Property, rng: Random) -> str:
    """A number with or without its unit, in digits or in words."""
    unit = UNITS.get(prop.schema.unit or "", "")
    whole = int(number)
    forms = [str(whole)]
    if unit == "percent":
        forms += [f"{whole}%", f"{whole} percent", *([f"{NUMBERS[whole]} percent"] if whole in NUMBERS else [])]
    elif unit:
        forms += [f"{whole} {unit}", *([f"{NUMBERS[whole]} {unit}"] if whole in NUMBERS else [])]
    elif whole in NUMBERS:
        forms.append(NUMBERS[whole])
    return rng.choice(forms)


def scale(prop: Property) -> tuple[float, float, float]:
    """The least, the most, and a step that fits in several times."""
    least, most = float(prop.schema.minimum or 0), float(prop.schema.maximum or 0)
    span = most - least
    step = next((s for s in (500.0, 100.0, 10.0, 5.0, 2.0, 1.0) if s * 5 <= span), 1.0)
    return least, most, step


def absolute(world: World, rng: Random) -> Iterator[Clause]:
    for device, kind, prop in numbered(world, rng):
        least, most, step = scale(prop)
        value = least + step * rng.randint(1, max(1, int((most - least) / step) - 1))
        value = float(round(value / step) * step) if least < round(value / step) * step < most else value
        start = most if value - least < most - value else least
        text = worded(rng.choice(ABSOLUTE), device, kind, said(value, prop, rng), rng)
        yield of(device, prop, text, Goal((value,)), start)


def of(device: Device, prop: Property, text: str, goal: Goal, start: Any) -> Clause:
    if prop.inverted:  # what is counted is how far it is shut, and what is spoken of how far it is open
        ends = float(prop.schema.minimum or 0) + float(prop.schema.maximum or 0)
        goal, start = Goal(tuple(ends - v for v in goal.values), -goal.sign), ends - start
    begins = {prop.iri: start}
    if device.switch is not None and device.switch != prop:
        begins[device.switch.iri] = "on" if "on" in device.switch.schema.enum else True
    return Clause(text, {prop.iri: goal}, begins, about=(device.thing.iri,))


def relative(world: World, rng: Random) -> Iterator[Clause]:
    for device, kind, prop in numbered(world, rng):
        least, most, step = scale(prop)
        sign = rng.choice((1, -1))
        steps = rng.randint(1, 2)
        start = float(int(least + (most - least) / 2))
        by = step * steps
        number = said(by, prop, rng)
        values = [min(most, max(least, start + sign * by))]
        if "%" in number or "percent" in number:
            values.append(start * (1 + sign * by / 100))
        text = worded(rng.choice(RELATIVE[sign]), device, kind, number, rng)
        yield of(device, prop, text, Goal(tuple(values), sign), start)


def vague(world: World, rng: Random) -> Iterator[Clause]:
    for device, kind, prop in numbered(world, rng):
        least, most, _ = scale(prop)
        sign = rng.choice((1, -1))
        start = float(int(least + (most - least) / 2))
        text = worded(rng.choice(VAGUE[sign]), device, kind, "", rng)
        yield of(device, prop, text, Goal((), sign), start)


def shares(world: World, rng: Random) -> Iterator[Clause]:
    for device, kind, prop in numbered(world, rng):
        least, most, _ = scale(prop)
        if most - least < ROUGH:
            continue  # there is no third of four
        share = rng.choice(tuple(SHARES))
        start = float(int(least + (most - least) * (0.3 if share == "double" else 0.6)))
        value = {"halve": start / 2, "double": start * 2, "third": start * 2 / 3, "most": most, "least": least}[share]
        if not least <= value <= most or (least > 0 and share not in ("most", "least")):
            continue
        sign = 1 if value > start else -1
        text = worded(rng.choice(SHARES[share]), device, kind, "", rng)
        yield of(device, prop, text, Goal((value, float(round(value)), float(int(value))), sign), start)


def options(world: World, rng: Random) -> Iterator[Clause]:
    for device, kind, prop in cycled([(d, k, p) for d in world.devices for k, p in d.options.items()], rng):
        value = rng.choice(prop.schema.enum)
        start = next(v for v in prop.schema.enum if v != value)
        text = worded(rng.choice(OPTION), device, kind, str(value).replace("_", " "), rng)
        yield of(device, prop, text, Goal((value,)), start)


CLASSES = {
    "switch": (("Light", "light"), ("Heater", "heater"), ("AirConditioner", "air conditioner"), ("Lamp", "lamp")),
    "leaf": (("Blind", "blind"), ("Curtain", "curtain"), ("Shutter", "shutter")),
}


def sets(world: World, rng: Random, *, less: bool = False, state: bool = False) -> Iterator[Clause]:
    """All of a class, everywhere, in a place, or in two; `less`: but one; `state`: those that are on, or off."""
    places = [*world.home.registry.places, None]
    choices = [(s, c, w, p) for s, named in CLASSES.items() for c, w in named for p in places]
    barren = 0
    for sort, cls, word, place in cycled(choices, rng):
        made = _set(world, rng, sort, expand(f"hg:{cls}"), word, place, less=less, state=state)
        barren = 0 if made else barren + 1
        if barren > 2 * len(choices):
            return
        if made:
            yield made


def _set(
    world: World, rng: Random, sort: str, cls: str, word: str, place: str | None, *, less: bool, state: bool
) -> Clause | None:
    members = [(t, p, sure) for t, part, sure in world.members(cls, place) if (p := _side_of(world, t, part, sort))]
    if len({t.iri for t, _, _ in members}) < (3 if less or state else 2):
        return None
    up = rng.random() < 0.5
    where = f" in {place_named(world.home, place)}" if place is not None else ""
    head = rng.choice(
        ("all the {}s", "all {}s", "every {}", "the {}s") if not (less or state) else ("all the {}s", "all {}s")
    )
    noun = head.format(word) + where
    start = {p.iri: sides(world.home, p)[1 if up else 0] for _, p, _ in members}
    left: set[str] = set()
    if less:
        choices = [d for d in world.devices if d.thing in [t for t, _, _ in members]]
        if not choices:
            return None
        out = rng.choice(choices)
        noun += rng.choice((" except {}", " but not {}", " apart from {}", " other than {}")).format(out.named)
        left = {out.thing.iri}
    if state:
        already = {t.iri for t, _, _ in rng.sample(members, max(1, len(members) // 2))}
        start = {
            p.iri: sides(world.home, p)[(0 if up else 1) if t.iri in already else (1 if up else 0)]
            for t, p, _ in members
        }
        noun = f"{noun} that are {STATES[sort][not up]}"
    goals = {p.iri: Goal((sides(world.home, p)[0 if up else 1],)) for t, p, _ in members if t.iri not in left}
    sure = {p.iri for _, p, one in members if one}
    text = rng.choice(SIDES[sort][up]).format(noun)
    return Clause(
        text,
        {k: g for k, g in goals.items() if k in sure},
        start,
        {k: g for k, g in goals.items() if k not in sure},
        tuple(t.iri for t, _, _ in members),
    )


STATES = {"switch": {True: "on", False: "off"}, "leaf": {True: "open", False: "closed"}}


def _side_of(world: World, thing: Any, part: str, sort: str) -> Property | None:
    wanted = {"switch": ("Power",), "leaf": ("Position",)}[sort]
    if sort == "leaf" and not any(d.thing == thing and d.leaf for d in world.devices) and len(thing.parts) == 1:
        return next((p for p in thing.of_part(part) for k in p.kinds if k.endswith("#Position")), None)
    return next((p for p in thing.of_part(part) for k in p.kinds if k.rpartition("#")[2] in wanted), None)


ORDERS: Mapping[str, Callable[[World, Random], Iterator[Clause]]] = {
    "side": two_sided,
    "absolute": absolute,
    "relative": relative,
    "vague": vague,
    "share": shares,
    "option": options,
    "set": sets,
}


def any_order(
    world: World, rng: Random, names: Sequence[str] = ("side", "side", "absolute", "relative", "option")
) -> Iterator[Clause]:
    """Orders of all sorts in turn."""
    streams = {name: ORDERS[name](world, rng) for name in dict.fromkeys(names)}
    for name in cycled(names, rng):
        made = next(streams[name], None)
        if made is not None:
            yield made
