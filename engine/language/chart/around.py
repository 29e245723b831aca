"""Stories around an order or a question: where the whole is not understood, the rest is read by itself.

"I can't hear a word. The radio on mute", "my papers fly about, so stop the fan". Which segments are only told, and
whether the outcome of the rest may stand for that of the whole, is learned (`judging/asides`); things that are told of
are those spoken of in the rest.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from engine.environment.selection import Selector
from engine.errors import HearthgraphError
from engine.language.chart.goals.prepared import heard_items, tokens_of
from engine.language.chart.heard.items import Item, Sort, includes
from engine.language.chart.heard.rule_lexicon import rule_words
from engine.language.chart.judging.asides import Segment, likely, may_be_left, meant, segments
from engine.language.chart.judging.lost import Named, is_of, named
from engine.language.chart.judging.reader import intents_of, names_a_property
from engine.language.chart.judging.spared import denied_deeds
from engine.language.meanings.context import Context
from engine.language.meanings.past import Hearing, Past, Said, Turn
from engine.language.meanings.places import places_named
from engine.language.meanings.readings import Alternatives
from engine.language.phrases.coordination import Goal
from engine.language.phrases.slots import Noun, PlaceName
from engine.language.words.lexicon import Entry, Role
from engine.language.words.records import replace
from engine.model.intent import Category, Intent
from engine.model.selection import Quantity, Select

Read = Callable[[str, Context], tuple[Alternatives, ...]]
MOST_TRIED = 4
"""How many rests of a text are read."""
FEWEST, MOST_TOKENS = 2, 60
"""How many tokens a rest has at least, and a text at most."""
LIKELY = 0.4
"""How likely a segment is told at least that is left out."""
ACTS, ANSWERS = 0.67, 0.45
"""How likely a part has to be all that is meant, for it to be done, and to be answered."""
TOLD, SURE = 0.6, 0.7
"""How likely an aside is one, and how sure each segment has to be, where they are read one by one."""
_MARKS = " ,.;:!–—-…"
_WHOLE = (Category.EXPLICIT, Category.CHECK, Category.RULE)


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a text that may be read by itself, and the segments that are left out, by their numbers."""

    text: str
    left: tuple[int, ...]
    told: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Rest:
    """A part of a text that is read by itself, with its goals, their context, and the stories before and behind it."""

    text: str
    told: tuple[str, ...]
    goals: tuple[Alternatives, ...]
    context: Context


def told_around(text: str, context: Context, goals: Sequence[Alternatives], read: Read) -> tuple[Alternatives, ...]:
    """The goals of the part of a text that is understood by itself, where the whole is not; else those of the whole."""
    rest = rest_of(text, context, goals, read)
    if rest is None:
        if context.hearing.unsure and is_so_in_parts(text, context, goals, read):
            context.hearing.unsure, context.hearing.shape = False, ""
        return tuple(goals)
    own = rest.context.hearing
    context.hearing.unsure, context.hearing.shape, context.hearing.sure = own.unsure, own.shape, own.sure
    context.hearing.goals, context.hearing.told = own.goals, rest.told
    return rest.goals


def rest_of(text: str, context: Context, goals: Sequence[Alternatives], read: Read) -> Rest | None:
    """The part of a text that is understood by itself, in the context of the stories around it; None where there is
    none, or the whole is understood, or too long."""
    if not is_doubted(goals, context.hearing) or len(tokens_of(text, context)) > MOST_TOKENS:
        return None
    told = segments(text, context)
    odds = likely(told)
    for part in parts(text, told, odds, context):
        if names_a_property(tokens_of(part.text, context), heard_items(part.text, context)):
            continue  # only by itself such a name asks
        found, own = read_by_itself(part, context, read)
        sure = meant(measures(part, told, odds, (goals, context), (found, own)))
        acts = any(i.category is not Category.CHECK and i.fault is None for i in intents_of(found))
        whole = all(i.category in _WHOLE for i in intents_of(found))
        if acts and _denies(intents_of(found), [told[n] for n in part.left], text, context):
            continue
        if whole and sure >= (ACTS if acts else ANSWERS) and uses_all(part, found, own):
            return Rest(part.text, part.told, found, own)
    return None


def _denies(intents: Sequence[Intent], left: Sequence[Segment], text: str, context: Context) -> bool:
    """Whether a segment that is left out says that this is not to be done: "…, so please don't"."""
    deeds = denied_deeds(heard_items(text, context))
    left_out = [deed for deed in deeds if any(one.start <= deed.start < one.end for one in left)]
    return any(deed.is_done_by(intent) for deed in left_out for intent in intents)


def is_so_in_parts(text: str, context: Context, goals: Sequence[Alternatives], read: Read) -> bool:
    """Whether the segments of a text, each read by itself and sure, come to the very goals of the whole; likely asides
    are left out."""
    intents, told = intents_of(goals), segments(text, context)
    if not told or len(intents) < FEWEST or any(i.fault is not None for i in intents):
        return False
    odds, found = likely(told), set()
    for one, odd in zip(told, odds, strict=True):
        if odd >= TOLD and may_be_left(one):
            continue
        own = replace(context, hearing=Hearing())
        alone = intents_of(read(one.text.strip(_MARKS), own))
        if own.hearing.unsure or own.hearing.sure < SURE or not alone:
            return False
        found |= {_effect(i) for i in alone}
    return found == {_effect(i) for i in intents}


def is_doubted(goals: Sequence[Alternatives], hearing: Hearing) -> bool:
    """Whether a part of the goals of a text is not understood, not sure, or cannot be."""
    intents = intents_of(goals)
    return hearing.unsure or not intents or any(i.fault is not None for i in intents)


def parts(text: str, told: Sequence[Segment], odds: Sequence[float], context: Context) -> Iterator[Part]:
    """The parts of a text that may be read by themselves: without the likeliest aside, without the likeliest two …"""
    for left in parts_left(told, odds):
        part = part_of(text, told, left, context)
        if part is not None:
            yield part


def parts_left(told: Sequence[Segment], odds: Sequence[float]) -> Iterator[tuple[int, ...]]:
    """The segments to leave out, by number: the likeliest aside, the likeliest two …, none that bounds an order."""
    order = [n for n in sorted(range(len(told)), key=lambda n: -odds[n]) if odds[n] >= LIKELY]
    for several in range(1, min(len(told), len(order) + 1, MOST_TRIED + 1)):
        if not may_be_left(told[order[several - 1]]):
            return
        yield tuple(sorted(order[:several]))


def part_of(text: str, told: Sequence[Segment], left: Sequence[int], context: Context) -> Part | None:
    """A text without some of its segments, and without the "so" that joined them; None where hardly a word is left."""
    tokens, words = tokens_of(text, context), rule_words(context.store)
    stretches: list[str] = []
    several = 0
    for number, one in enumerate(told):
        if number in left:
            continue
        found = words.at(tokens, one.start)
        start = found[0] if found is not None and found[1] == "ForThatReason" else one.start
        if start < one.end:
            stretches.append(text[tokens[start].start : tokens[one.end - 1].end])
            several += one.end - start
    rest = " ".join(stretches).strip(_MARKS)
    if several < FEWEST or not rest:
        return None
    return Part(rest, tuple(left), tuple(told[n].text.strip(_MARKS) for n in left))


def read_by_itself(part: Part, context: Context, read: Read) -> tuple[tuple[Alternatives, ...], Context]:
    """The goals of a part, and the context in which it was read."""
    names = _told_of(part, context)
    several = includes(heard_items(part.text, context), Sort.PronounSeveral)
    own = _about(names, replace(context, hearing=Hearing()), several=several)
    return read(part.text, own), own


def measures(
    part: Part,
    told: Sequence[Segment],
    odds: Sequence[float],
    whole: tuple[Sequence[Alternatives], Context],
    rest: tuple[Sequence[Alternatives], Context],
) -> dict[str, float]:
    """The measures for whether the goals of a part of a text are the meaning of the whole."""
    found = defaultdict(float, of_odds(part.left, odds))
    for number, one in enumerate(told):
        side = "left" if number in part.left else "kept"
        for name, value in one.measures.items():
            if name.startswith("has "):
                found[f"{side} {name}"] += value
    found.update(_of_goals("whole", *whole))
    found.update(_of_goals("rest", *rest))
    intents, before = intents_of(rest[0]), intents_of(whole[0])
    same = {_effect(i) for i in intents} & {_effect(i) for i in before}
    found["same"], found["same of whole"] = len(same) / max(1, len(intents)), len(same) / max(1, len(before))
    return found


def of_odds(left: Sequence[int], odds: Sequence[float]) -> dict[str, float]:
    """The measures of how likely the segments that are left out, and those that are kept, are asides."""
    out, kept = [odds[n] for n in left], [odd for n, odd in enumerate(odds) if n not in left]
    return {
        "left least": _logit(min(out)),
        "left most": _logit(max(out)),
        "kept most": _logit(max(kept)),
        "kept least": _logit(min(kept)),
        "left several": float(len(out)),
        "kept several": float(len(kept)),
    }


def uses_all(part: Part, goals: Sequence[Alternatives], context: Context) -> bool:
    """Whether all things that are told of are those of the goals of the rest."""
    return _uses(_told_of(part, context), intents_of(goals), context)


def _told_of(part: Part, context: Context) -> list[Named]:
    """The names in the stories around a part; a floor's stand for where it is ("the lights *upstairs*")."""
    heard = [heard_items(story, context) for story in part.told]
    return [one for items in heard for one in (*named(items), *_floors(items, context))]


def _floors(items: Sequence[Sequence[Item]], context: Context) -> Iterator[Named]:
    """The places that only the name of their class stands for."""
    unnamed = (own for own in items if not any(i.having(Role.PLACE) for i in own))
    for item in (i for own in unnamed for i in own if i.sort is Sort.PLACE):
        classes = item.having(Role.PLACE_CLASS)
        places = places_named(PlaceName(classes, item.text, item.plural), context.registry) if classes else ()
        if places:
            yield Named("place", frozenset(places))


def _logit(odd: float) -> float:
    near = min(0.999, max(0.001, odd))
    return math.log(near / (1 - near))


def _effect(intent: Intent) -> object:
    return intent.category, intent.selection, intent.command, intent.property, intent.amount, intent.fault


def _of_goals(name: str, goals: Sequence[Alternatives], context: Context) -> Iterator[tuple[str, float]]:
    """How far goals are understood."""
    intents = intents_of(goals)
    yield f"{name} intents", float(len(intents))
    yield f"{name} sure", context.hearing.sure
    yield f"{name} unsure", float(context.hearing.unsure)
    for category in {i.category for i in intents if i.fault is None}:
        yield f"{name} {category.value}", 1.0
    for fault in {i.fault for i in intents if i.fault is not None}:
        yield f"{name} {fault}", 1.0
    yield f"{name} faults", float(sum(i.fault is not None for i in intents))
    yield f"{name} tests", float(sum(len(i.selection.tests) + len(i.selection.rooms) for i in intents))
    yield f"{name} ranks", float(any(i.selection.order is not None for i in intents))
    several = sum(len(selected(i.selection, context)) for i in intents if i.category is Category.EXPLICIT)
    yield f"{name} parts", min(8.0, float(several))
    unclear = [i for i in intents if i.category is Category.EXPLICIT and i.selection.quantity is Quantity.ONE]
    yield f"{name} unclear", float(sum(len(selected(i.selection, context)) > 1 for i in unclear))


def _about(names: Sequence[Named], context: Context, *, several: bool) -> Context:
    """The context in which things and a room that were told of were spoken of; several only where words stand for
    several."""
    places = tuple(iri for one in names if one.sort == "place" for iri in one.iris)
    things = tuple(iri for one in names if one.sort == "thing" for iri in one.iris)
    classes = tuple(iri for one in names if one.sort == "class" for iri in one.iris)
    if len(places) == 1:
        context = replace(context, location=places[0])
    if not (things or classes):
        return context
    parts = selected(
        Select((), things, (), Quantity.ALL) if things else Select(classes, (), places, Quantity.ALL), context
    )
    if not parts or (len(parts) > 1 and not several):
        return context
    entries = tuple(Entry(Role.THING, iri) for iri in things) or tuple(Entry(Role.DEVICE, iri) for iri in classes)
    said = Said(Goal("", 0, 0, noun=Noun(entries, "one")), parts)
    return replace(context, past=Past((*context.past.turns, Turn((said,)))))


def selected(select: Select, context: Context) -> tuple[str, ...]:
    """The parts that a selection denotes now; none where it cannot be selected."""
    try:
        return Selector(context.store, context.registry).select(replace(select, quantity=Quantity.ALL))
    except HearthgraphError:
        return ()


def _uses(names: Sequence[Named], intents: Sequence[Intent], context: Context) -> bool:
    """Whether all that a story names is spoken of in the rest; nothing is done outside of its rooms."""
    parts = [part for i in intents for part in selected(i.selection, context)]
    for one in names:
        here = one.sort != "class" or selected(Select(tuple(one.iris), (), (), Quantity.ALL), context)
        if not here:  # "the phone rings": there is none in this home
            continue
        of_it = [is_of(part, one, context) for part in parts]
        if one.sort == "place" and not (of_it and all(of_it)):
            return False
        if one.sort in ("thing", "class") and not any(of_it):
            return False
    return True
