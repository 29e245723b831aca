"""Clauses that only leave something out, apart from the order: "fans on. The cellar, though, leave it be"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from engine.language.chart.goals.prepared import heard_items, tokens_of
from engine.language.chart.halves import EXCEPTING, Read, does_something, each, is_settled, ordered, taken
from engine.language.chart.heard.items import Item, Sort, clauses, includes, longest
from engine.language.chart.judging.lost import Named, names_of
from engine.language.chart.judging.reader import intents_of
from engine.language.chart.judging.spared import is_in_a_name, spoken_of_before
from engine.language.meanings.context import Context
from engine.language.meanings.places import rooms_of
from engine.language.meanings.readings import Alternatives
from engine.language.words.records import replace
from engine.language.words.tokens import Token
from engine.model.intent import Intent
from engine.model.selection import Quantity, Select

_NAMES = (Sort.NOUN, Sort.PLACE)
_ORDERING = (
    Sort.VERB, Sort.NUMBER, Sort.VALUE, Sort.PARTICLE, Sort.If, Sort.When, Sort.Which, Sort.HowMany,
    Sort.RELATIVE, Sort.SUPERLATIVE, Sort.Upwards, Sort.Downwards,
)  # fmt: skip
_POINTING = (Sort.PronounOne, Sort.PronounSeveral, Sort.One, Sort.Other, Sort.Others)
_PLAIN = (Sort.Only, Sort.Not, Sort.Definite, Sort.Possessive, Sort.Fillers, Sort.Loose, Sort.And, *_NAMES)


@dataclass(frozen=True, slots=True)
class _Stretch:
    """The words between two pauses, and the names in them: `excepts` where they leave these out, `bare` where they are
    only a name, or nothing but filling; `others`: they leave out only those that nothing was said of."""

    start: int
    end: int
    names: tuple[Named, ...]
    excepts: bool
    bare: bool
    others: bool


def with_exemption(
    text: str, context: Context, goals: tuple[Alternatives, ...], read: Read
) -> tuple[Alternatives, ...]:
    """The goals of a text; where it is in doubt as a whole and has clauses that only leave something out, those of the
    rest, without that."""
    items = heard_items(text, context)
    if not includes(items, *EXCEPTING, Sort.Alone, Sort.Leave, Sort.Elsewhere, Sort.Not):
        return goals
    if is_settled(goals, context) and not _is_broken_off(items):
        return goals
    rest, names = _parted(text, context)
    if rest == text:
        return goals
    left_out = [select for one in names if (select := _select(one, context)) is not None]
    if not rest or len(left_out) < len(names):
        return goals
    anywhere = replace(context, location=None) if includes(items, Sort.Elsewhere) else context
    order = ordered(rest, anywhere, read)
    if order is None or not all(does_something(intent, context) for intent in intents_of(order[0])):
        return goals
    taken(context, order[1])
    return each(order[0], lambda intent: _less(intent, left_out))


def _is_broken_off(items: Sequence[Sequence[Item]]) -> bool:
    """Whether an article ends where the speaker thinks again: "turn off the, not the hall one, the study fan"."""
    return any(includes((one,), Sort.Definite) and includes((then,), Sort.Not) for one, then in pairwise(items))


def _clauses(items: Sequence[Sequence[Item]]) -> Iterator[range]:
    """The stretches between pauses, and those that an article breaks off."""
    for whole in clauses(items):
        start = whole.start
        for place in whole[1:]:
            if _is_broken_off(items[place - 1 : place + 1]):
                yield range(start, place)
                start = place
        yield range(start, whole.stop)


def _less(intent: Intent, left_out: Sequence[Select]) -> Intent:
    return replace(intent, selection=replace(intent.selection, minus=(*intent.selection.minus, *left_out)))


def _select(name: Named, context: Context) -> Select | None:
    """The selection that a name leaves out; None where it is none of a thing, a class or a place of this home."""
    iris = tuple(sorted(name.iris))
    if name.sort == "room":
        rooms = rooms_of(iris, name.text, context.registry)
        return Select(places=rooms, quantity=Quantity.ALL) if rooms else None
    if name.sort == "place":
        return Select(places=iris, quantity=Quantity.ALL)
    if name.sort == "thing":
        return Select(things=iris, quantity=Quantity.ALL)
    return Select(classes=iris, quantity=Quantity.ALL) if name.sort == "class" else None


def _parted(text: str, context: Context) -> tuple[str, list[Named]]:
    """A text without the clauses that only leave something out, and the names in these."""
    tokens, items = tokens_of(text, context), heard_items(text, context)
    spoken = {one.start for one in spoken_of_before(items)}
    stretches = [_stretch(one.start, one.stop, items, elsewhere=one.start in spoken) for one in _clauses(items)]
    left = _left(stretches)
    here = [] if left or not includes(items, Sort.Elsewhere) else _here(context)
    if not (left or here):
        return text, []
    behind = [one for number, one in enumerate(stretches) if left and number > min(left) and number not in left]
    if any(_points(items[one.start : one.end]) for one in behind):
        return text, []  # the exception is spoken of again
    kept = [one for number, one in enumerate(stretches) if number not in left]
    until = {one.start: tokens[following.start].start for one, following in pairwise(stretches)}
    words = (_without_elsewhere(text, one, until.get(one.start, len(text)), tokens, items) for one in kept)
    names = [name for number in sorted(left) for name in stretches[number].names]
    return "".join(words).strip(" ,;:–—-"), [*here, *names]


def _here(context: Context) -> list[Named]:
    """The room in which the speaker is, where that is known: "everywhere else" is all but that."""
    return [Named("place", frozenset((context.location,)))] if context.location is not None else []


def _without_elsewhere(
    text: str, stretch: _Stretch, end: int, tokens: Sequence[Token], items: Sequence[Sequence[Item]]
) -> str:
    """The words of a stretch up to a place in the text, without those for all other rooms."""
    said, begun = "", tokens[stretch.start].start
    for word in longest(items, range(stretch.start, stretch.end), lambda item: item.sort is Sort.Elsewhere):
        said += text[begun : tokens[word.start].start]
        begun = tokens[word.end - 1].end
    return said + text[begun:end]


def _points(items: Sequence[Sequence[Item]]) -> bool:
    """Whether words point to something: "that one to 95", but not "rooms that …", nor "all *other* rooms"."""
    if includes(items, Sort.Elsewhere):
        return includes(items, Sort.One, Sort.PronounOne)
    return any(includes((own,), *_POINTING) and not includes((own,), Sort.That) for own in items)


def _left(stretches: Sequence[_Stretch]) -> set[int]:
    """The stretches that only leave something out, by number: those with a name, and those that point to one beside
    them: "the cellar, though, leave it be"."""
    found = {n for n, one in enumerate(stretches) if one.excepts and (one.names or one.others)}
    for number, one in enumerate(stretches):
        if not one.excepts or number in found:
            continue
        before = _bare(stretches, number, -1)
        beside = before if _named(stretches, before) else _bare(stretches, number, 1)
        if _named(stretches, beside):
            found |= {number, *beside}
        elif number - 1 in found:
            found.add(number)
    return found


def _bare(stretches: Sequence[_Stretch], number: int, step: int) -> list[int]:
    """The stretches beside one that are only a name or filling, up to the name."""
    found: list[int] = []
    number += step
    while 0 <= number < len(stretches) and stretches[number].bare:
        found.append(number)
        if stretches[number].names:
            break
        number += step
    return found


def _named(stretches: Sequence[_Stretch], numbers: Sequence[int]) -> bool:
    return any(stretches[n].names for n in numbers)


def _is_first(before: Sequence[Sequence[Item]]) -> bool:
    """Whether words are only filling, and the next one begins a clause: "*no*, not the hall"."""
    return all(includes((own,), Sort.No, Sort.Repair, Sort.Fillers, Sort.Loose, Sort.And) for own in before)


def _stretch(start: int, end: int, items: Sequence[Sequence[Item]], *, elsewhere: bool) -> _Stretch:
    """The words between two pauses of a text; `elsewhere`: what is ordered is for other rooms than these name."""
    inside = [i for own in items[start:end] for i in own if i.end <= end]
    others = includes(items[start:end], Sort.Other, Sort.Others)
    leaving = (
        i
        for i in inside
        if i.sort in EXCEPTING
        or i.sort is Sort.Alone
        or (others and i.sort is Sort.Leave)
        or (i.sort is Sort.Not and start > 0 and _is_first(items[start : i.start]))  # "fans on. Not the cellar"
    )
    excepting = [i for i in leaving if not is_in_a_name(i, items)]
    taken = {n for i in excepting for n in range(i.start, i.end)}
    named = [
        *longest(
            items,
            range(start, end),
            lambda i: i.sort in _NAMES and i.end <= end and taken.isdisjoint(range(i.start, i.end)),
        )
    ]
    covered = taken | {n for i in named for n in range(i.start, i.end)}
    covered |= {n for n in range(start, end) if includes((items[n],), Sort.In, Sort.One)}
    orders = any(i.sort in _ORDERING and i.start not in covered for i in inside)
    names = tuple(one for i in named for one in names_of([i]))
    plain = all(includes((items[n],), *_PLAIN) for n in range(start, end) if n not in covered)
    if elsewhere:
        return _Stretch(start, end, tuple(one for one in names if one.sort == "place"), True, False, others)
    return _Stretch(start, end, names, bool(excepting) and not orders, plain and not excepting, others)
