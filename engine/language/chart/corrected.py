"""A number that is only corrected, in whatever words: "fifty? It was fifteen that I asked for!"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set

from engine.language.chart.goals.prepared import heard_items
from engine.language.chart.heard.items import Item, Sort, includes
from engine.language.chart.judging.reader import intents_of
from engine.language.meanings.context import Context
from engine.language.meanings.past import Undo
from engine.language.meanings.readings import Alternatives
from engine.language.talk.corrections import intents_of as brought_back
from engine.language.words.lexicon import Role
from engine.language.words.records import replace
from engine.model.outcome import Change

_SAYING = (Sort.PLACE, Sort.If, Sort.When, Sort.TIME, Sort.DURATION)


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
