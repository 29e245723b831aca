"""Numbers that something is to come to, apart from those that "to" itself stands before."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from engine.language.chart.heard.items import ARTICLES, PAUSES, Item, Sort, includes

_NAMING = (Sort.KIND, Sort.Loose)


def targets(items: Sequence[Sequence[Item]]) -> frozenset[int]:
    """The places of numbers behind "to" and the name of a property ("to *a volume of* 15", "to *a cosy* 20"), of those
    that a clause ends with behind "on" ("down *on* 15"), and of those of which a clause says no more than that they
    will do ("fifteen *is plenty*, turn it down")."""
    led = _ends(items, Sort.To)
    articled = _behind(items, led, ARTICLES)
    articled |= {i.end for own in items for i in own if i.sort is Sort.To and i.length > 1}  # "to a"
    named = _behind(items, led, _NAMING) | _behind(items, articled, (*_NAMING, Sort.WORD))
    named |= _behind(items, named, _NAMING)
    behind = named | _behind(items, named, (Sort.Of,))
    upon = _ends(items, Sort.On)
    return frozenset(
        number.start
        for number in _numbers(items)
        if number.start in behind
        or _will_do(number.end, items)
        or (number.start in upon and _ends_at(number.end, items))
    )


def _numbers(items: Sequence[Sequence[Item]]) -> Iterator[Item]:
    """Numbers after which no comparison comes: not "to a level ten *lower*"."""
    for own in items:
        for item in own:
            if item.sort is Sort.NUMBER and not includes(items[item.end : item.end + 1], Sort.RELATIVE):
                yield item


def _ends(items: Sequence[Sequence[Item]], sort: Sort) -> set[int]:
    return {item.end for own in items for item in own if item.sort is sort}


def _ends_at(place: int, items: Sequence[Sequence[Item]]) -> bool:
    """Whether a clause ends there."""
    return place >= len(items) or includes(items[place : place + 1], *PAUSES)


def _behind(items: Sequence[Sequence[Item]], places: Iterable[int], sorts: Iterable[Sort]) -> set[int]:
    """The places behind an item of one of these sorts that begins at one of these places."""
    wanted = frozenset(sorts)
    return {i.end for place in places if place < len(items) for i in items[place] if i.sort in wanted}


def _will_do(place: int, items: Sequence[Sequence[Item]]) -> bool:
    """Whether a modal stands there, and with it the clause ends, or its object follows: "is enough *for*"."""
    ends = _behind(items, (place,), (Sort.Modal,))
    return any(_ends_at(end, items) or includes(items[end : end + 1], Sort.Of) for end in ends)
