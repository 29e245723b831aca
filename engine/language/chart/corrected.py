"""Orders that are taken back in the same breath, and a number that is only corrected: "fifty? It was fifteen that I
asked for!"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from itertools import pairwise

from engine.graph.terms import Json
from engine.language.chart.goals.prepared import heard_items, tokens_of
from engine.language.chart.heard.items import Item, Sort, clauses, includes, longest
from engine.language.chart.heard.rule_lexicon import rule_words
from engine.language.chart.judging.reader import intents_of
from engine.language.meanings.context import Context
from engine.language.meanings.past import Undo
from engine.language.meanings.readings import Alternatives
from engine.language.meanings.tasks import classes_of
from engine.language.talk.corrections import intents_of as brought_back
from engine.language.words.lexicon import Role
from engine.language.words.records import replace
from engine.language.words.tokens import Token
from engine.model.outcome import Change

_SAYING = (Sort.PLACE, Sort.If, Sort.When, Sort.TIME, Sort.DURATION)
_COURTEOUS = (Sort.Requesting, Sort.Fillers, Sort.Modal)
_EDITED = (*_COURTEOUS, Sort.Loose)
_POINTING = (Sort.PronounOne, Sort.PronounSeveral, Sort.One, Sort.There, Sort.Leave)
_ELSEWISE = (*_POINTING, Sort.Added, Sort.What, Sort.Which, Sort.Where, Sort.HowMany, Sort.Not)
_NAMING = (Sort.NOUN, Sort.PLACE)
_RESTORED, _ON, _OFF = "Restored", "on", "off"


def taken_back(text: str, context: Context) -> str:
    """The order at the beginning of a text that is taken back before another is given in full: "*turn off the hall
    light, no, scrap that,* turn off the lamp"; nothing where none is."""
    items = heard_items(text, context)
    if not includes(items, Sort.Repair) or includes(items, Sort.If, Sort.When):
        return ""
    pairs = pairwise((range(0), *clauses(items)))
    begun = [place for last, one in pairs if (place := _order_anew(last, one, items)) is not None]
    if not begun or not _is_order(items[: begun[-1]]):
        return ""
    return text[: tokens_of(text, context)[begun[-1]].start]


def _is_order(stretch: Sequence[Sequence[Item]]) -> bool:
    """Whether a stretch names something, and how it is to be."""
    return includes(stretch, *_NAMING) and includes(stretch, Sort.VERB, Sort.VALUE, Sort.PARTICLE)


def _order_anew(last: range, clause: range, items: Sequence[Sequence[Item]]) -> int | None:
    """Where an order begins in a clause that a word of repair leads, or behind such a clause, which is the `last`."""
    own = list(longest(items, clause, lambda item: item.sort is not Sort.WORD))
    place = next((n for n, item in enumerate(own) if not _is_of_repair(item, items, *_EDITED)), len(own))
    if place == len(own):
        return None
    anew = items[own[place].start : clause.stop]
    modal = any(item.sort is Sort.Modal for item in own[:place])
    led = (
        modal or includes(anew[:1], Sort.VERB) or (includes(anew[:1], Sort.PARTICLE) and includes(anew[1:2], Sort.With))
    )
    if not (led and _is_order(anew)) or any(item.sort in _ELSEWISE for item in own[place:]):
        return None
    repaired = any(_is_of_repair(item, items) for item in own[:place])
    if not repaired and not _only_repairs(last, items):
        return None
    first = next((n for n in range(place, 0, -1) if not includes((items[own[n - 1].start],), *_COURTEOUS)), 0)
    return own[first].start


def _is_of_repair(item: Item, items: Sequence[Sequence[Item]], *others: Sort) -> bool:
    """Whether an item is a word of repair, and no order to wait so long; or of these other sorts."""
    here = [i for i in items[item.start] if i.end == item.end]
    waits = includes(items[item.end : item.end + 1], Sort.DURATION, Sort.TIME)
    return includes((here,), *others) or (includes((here,), Sort.Repair) and not waits)


def _only_repairs(clause: range, items: Sequence[Sequence[Item]]) -> bool:
    """Whether a clause says that what was said is wrong, and names nothing."""
    said = any(_is_of_repair(i, items) for i in longest(items, clause, lambda item: item.sort is not Sort.WORD))
    return said and not includes(items[clause.start : clause.stop], *_NAMING, Sort.NUMBER)


def restored(text: str, context: Context) -> str:
    """The end of a text, behind a correction, that only says that the thing changed by mistake is to be as it was:
    "it was the lamp that I meant, *so the main one comes back on*"; nothing where it says more than that."""
    last, items = context.past.last, heard_items(text, context)
    plain = [own for own in items if not includes((own,), Sort.Modal)]  # "should it rain", and not "it should be on"
    if last is None or not last.changes or includes(plain, *_SAYING):
        return ""
    stretches = list(clauses(items))
    led = [n for n, one in enumerate(stretches) if includes(items[one.start : one.stop], *_NAMING, Sort.One)]
    if len(led) != 2 or led[1] != led[0] + 1 or stretches[led[1]] != stretches[-1]:
        return ""
    meant, back = (stretches[n] for n in led)
    tokens = tokens_of(text, context)
    named = list(longest(items, back, lambda item: item.sort is Sort.NOUN))
    corrects = includes(items[meant.start : meant.stop], Sort.Repair)
    if not corrects or not _is_back(named, tokens[back.start :], last.changes, context):
        return ""
    return text[tokens[back.start].start :]


def takes_back(context: Context) -> bool:
    """Whether the text that was read last has something as it was before."""
    return any(isinstance(item, Undo) for item in context.hearing.goals.values())


def _is_back(named: Sequence[Item], tokens: Sequence[Token], changes: Sequence[Change], context: Context) -> bool:
    """Whether words name at most the one thing that changed, and say that it is to be as it was."""
    things = {context.registry.thing_of[c.property].iri for c in changes if c.property in context.registry.thing_of}
    known = rule_words(context.store)
    found = (known.at(tokens, place) for place in range(len(tokens)))
    how = next((one[0] for one in found if one is not None and one[1] == _RESTORED), None)
    if how is None or len(things) != 1:
        return False
    way = {_ON: True, _OFF: False}.get(next((t.text for t in tokens[:how] if t.text in (_ON, _OFF)), ""))
    is_a, classes = context.vocabulary.is_a, classes_of(tuple(things), context)

    def fits(one: Item) -> bool:
        called = {e.iri for e in one.entries if e.role is Role.THING}
        return bool(called & things) if called else any(is_a(c, e.iri) for c in classes for e in one.entries)

    return all(map(fits, named)) and (way is None or all(_is_on(c.before) is way for c in changes))


def _is_on(value: Json) -> bool:
    return str(value).casefold() in ("true", _ON)


def with_correction(
    text: str, request: str, context: Context, goals: tuple[Alternatives, ...]
) -> tuple[Alternatives, ...]:
    """The goals of a text; where they come to nothing, and it says the number that something was set to just before and
    one other, and names nothing, the order to set it to that."""
    changes = _numbers_set(context)
    if not changes or text.rstrip().endswith("?") or any(i.fault is None for i in intents_of(goals)):
        return goals
    items = heard_items(text, context)
    own = {k for c in changes for k in context.registry.properties[c.property].kinds}
    number = None if _names(items, own, context) else _other(items, float(changes[0].after))  # type: ignore[arg-type]
    if number is None:
        return goals
    undone = Undo(text, tuple(replace(change, before=number) for change in changes))
    found = brought_back(undone, f"{request}/intent-1", context)
    if any(intent.fault is not None for intent in found):
        return goals
    context.hearing.goals, context.hearing.told, context.hearing.unsure = {found[0].iri: undone}, (), False
    return tuple(((intent,),) for intent in found)


def _numbers_set(context: Context) -> list[Change]:
    """The changes of the turn before, where all numbers in them are one."""
    last = context.past.last
    known = context.registry.properties
    changes = [c for c in last.changes if _is_number(c.after) and c.property in known] if last is not None else []
    return changes if len({c.after for c in changes}) == 1 else []


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _names(items: Sequence[Sequence[Item]], own: Set[str], context: Context) -> bool:
    """Whether words are for something that is here, for another property, or for another time."""
    nouns = (e for i in _of(items, Sort.NOUN) for e in i.entries)
    here = any(e.role is Role.THING or e.iri in context.dictionary.held for e in nouns)
    known = {kind for prop in context.registry.properties.values() for kind in prop.kinds} - own
    return here or includes(items, *_SAYING) or any(e.iri in known for i in _of(items, Sort.KIND) for e in i.entries)


def _of(items: Sequence[Sequence[Item]], sort: Sort) -> Iterator[Item]:
    return (i for own in items for i in own if i.sort is sort)


def _other(items: Sequence[Sequence[Item]], before: float) -> float | None:
    """The one number that is said beside the former, be it digit by digit as well; None where there is none."""
    numbers = [i for i in _of(items, Sort.NUMBER) if i.number is not None]
    said = {i.number for i in numbers if not includes((items[i.start],), Sort.One) or i.length > 1}  # "the other one"
    others = said - {before}
    if before not in said or not others:
        return None
    number = max(n for n in others if n is not None)
    digits = {float(digit) for digit in f"{number:g}" if digit.isdigit()}
    return number if others <= {number, *digits} else None
