"""What a reading loses: rooms, things and numbers that the words name and that nothing of its outcome is about."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from engine.graph.terms import Json
from engine.language.chart.heard.items import ARTICLES, Item, Sort, includes
from engine.language.meanings.context import Context
from engine.language.meanings.names import or_else
from engine.language.meanings.places import rooms_of
from engine.language.meanings.readings import Alternatives
from engine.language.words.lexicon import Role
from engine.model.intent import Intent
from engine.model.vocabulary import Form

MOST_LOST = 3.0
MOST_EFFECTS = 500
"""How many effects are kept with the parts of the home that they are about."""
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
_IRI = re.compile(r"'([^']+)'")
_OWN = re.compile(r"""\b(?:iri|text|subject)=(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")""")
"""The IRI of an intent, which is made at random, and its words: what is only in these comes to nothing."""
_ROLES = {
    Role.THING: "thing", Role.DEVICE: "class", Role.PLACE: "place", Role.VALUE: "value", Role.PLACE_CLASS: "room"
}  # fmt: skip
_PRONOUNS = (Sort.PronounOne, Sort.PronounSeveral)
_SORTS = (Sort.NOUN, Sort.PLACE, Sort.NUMBER, Sort.VALUE)


@dataclass(frozen=True, slots=True)
class Named:
    """Name in a stretch of words: of one sort, by one of these IRIs, or a number; and the properties ("fan") and
    classes that it names as well; `counts`: it says how many of the things behind it; `words` before it tell which;
    `text`: the words for a class of rooms."""

    sort: str
    iris: frozenset[str] = frozenset()
    number: float | None = None
    kinds: frozenset[str] = frozenset()
    classes: frozenset[str] = frozenset()
    counts: bool = False
    words: frozenset[str] = frozenset()
    text: str = ""


def named(items: Sequence[Sequence[Item]]) -> list[Named]:
    """What the words of a request name, the longest at each place."""
    found: list[Named] = []
    place = 0
    while place < len(items):
        spoken = max((i.end for i in items[place] if i.sort in _PRONOUNS), default=0)
        if spoken > place + 1 or _is_one(items, place):  # "that one" is no number, nor the first of "one of them"
            spoken = max(spoken, place + 1)
            place = spoken
            continue
        here = [i for i in items[place] if i.sort in _SORTS]
        longest = max(here, key=lambda i: i.length, default=None)
        if longest is None or _is_of_verb(longest, items):
            place += 1
            continue
        also = (i for i in items[place] if i.sort is Sort.KIND and i.end == longest.end)
        kinds = frozenset(e.iri for i in also for e in i.entries)
        counts = longest.end < len(items) and includes((items[longest.end],), Sort.NOUN)
        ends = [i for i in here if i.end == longest.end]
        found.extend(replace(one, kinds=kinds, counts=counts) for one in names_of(ends) if one.sort != "room")
        place = longest.end
    return found


def _is_of_verb(name: Item, items: Sequence[Sequence[Item]]) -> bool:
    """Whether the word that names a class is that of an order: "switch off …", "switch the …"."""
    ends = {i.end for i in items[name.start] if i.sort is Sort.VERB} if name.sort is Sort.NOUN else set()
    led = name.end < len(items) and includes((items[name.end],), *ARTICLES)
    return max(ends, default=0) > name.end or (led and name.end in ends)


def _is_one(items: Sequence[Sequence[Item]], place: int) -> bool:
    """Whether a word speaks of one of several, and is no number by itself: "the left one", not "one five"."""
    longer = any(i.sort is Sort.NUMBER and i.length > 1 for i in items[place])
    return includes((items[place],), Sort.One) and not longer


def names_of(items: Sequence[Item]) -> Iterator[Named]:
    """The name that items on one stretch give: a number, or one of the first sort that any of them is of."""
    number = next((i.number for i in items if i.sort is Sort.NUMBER and i.number is not None), None)
    if number is not None:
        yield Named("number", number=number)
        return
    for role, sort in _ROLES.items():
        iris = frozenset(e.iri for i in items for e in i.entries if e.role is role)
        if iris:
            classes = frozenset(e.iri for i in items for e in i.entries if e.role is Role.DEVICE)
            yield Named(sort, iris, classes=classes, text=items[0].text if sort == "room" else "")
            return


def lost(
    said: Sequence[Named], goals: Sequence[Alternatives], effect: Sequence[str], context: Context
) -> dict[str, float]:
    """How many of what is named a reading loses, by sort."""
    parts = parts_of(effect, context)
    told = told_by(goals)
    numbers = {abs(float(n)) for n in _NUMBER.findall(told)}
    missed: Counter[str] = Counter()
    for one in said:
        missed[one.sort] += not _is_used(one, told, numbers, parts, context)
    return {f"lost:{sort}": min(MOST_LOST, float(count)) for sort, count in missed.items() if count}


def told_by(goals: Sequence[Alternatives]) -> str:
    """All that goals are about, as text: each term in quotes, without names and words."""
    return _OWN.sub("", repr([readings[0] for readings in goals]))


def parts_of(effect: Sequence[str], context: Context) -> frozenset[str]:
    """The parts of the home that an effect is about."""
    known = context.store.derived("language/parts_of_effects", dict[str, frozenset[str]])
    found: set[str] = set()
    for one in effect:
        own = known.get(one)
        if own is None:
            if len(known) >= MOST_EFFECTS:
                known.clear()
            things = context.registry.thing_of
            own = known[one] = frozenset(iri for iri in _IRI.findall(one) if iri in things)
        found |= own
    return frozenset(found)


def values_of(intent: Intent, effect: str, context: Context) -> Mapping[tuple[str, str], Json] | None:
    """The value that an intent with this effect leaves each part of the home with, by its kind; None where it does
    anything else."""
    effects = context.effects(intent.command)
    if intent.fault is not None or intent.timing is not None or intent.inputs:
        return None
    if intent.property is not None and intent.amount is not None and not intent.amount.relative:
        values = {intent.property: intent.amount.value}
    elif effects and all(e.form is Form.TO for e in effects):
        values = {e.kind: e.value for e in effects}
    else:
        return None
    return {(part, kind): value for part in parts_of((effect,), context) for kind, value in values.items()}


def _is_used(one: Named, told: str, numbers: set[float], parts: frozenset[str], context: Context) -> bool:
    if one.number is not None:
        return one.number in numbers or 100 - one.number in numbers or (one.counts and one.number == len(parts))
    if any(f"'{iri}'" in told for iri in one.kinds) or any(iri in told for iri in one.iris | one.classes):
        return True
    return any(is_of(part, one, context) for part in parts)


def is_of(part: str, one: Named, context: Context) -> bool:
    """Whether a part that is acted on is the thing, of the class, or in the room."""
    registry = context.registry
    thing = registry.thing_of.get(part)
    if thing is None:
        return False
    if one.sort == "thing":
        return thing.iri in one.iris or part in one.iris
    if one.sort == "class":
        known = registry.parts.get(part)
        own = known.every_class if known is not None else ()
        wanted = {meant for iri in one.iris for meant in or_else(iri, context)}
        return any(context.vocabulary.is_a(c, iri) for c in own for iri in wanted)
    here: str | None = thing.place
    rooms: Collection[str] = rooms_of(one.iris, one.text, registry) if one.sort == "room" else one.iris
    while here is not None:
        if here in rooms:
            return True
        room = registry.places.get(here)
        here = room.parent if room is not None else None
    return False
