"""How a sentence that makes a rule falls into parts: when, under what condition, and what is to be done.

Where a condition ends is not always plain ("when the washer is done turn on the light"), so all likely ways are found,
those first that leave out the fewest words.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from engine.language.chart.items import Item, Sort
from engine.language.chart.told import RuleWords, Teller, Told
from engine.language.lexicon import Role
from engine.language.records import replace
from engine.language.times import Duration, Length, TimeItem, Until
from engine.language.tokens import Token
from engine.model.rule import After, Holds, Match, Window

_JOINTS = frozenset({",", ":", ";", "then", "-", "–", "—", ".", "?"})
LEADING = _JOINTS | {"and", "so", "but", "also"}
MOST_PARTED = 64
"""How many ways to part a sentence are looked at."""
MARKS = (Sort.If, Sort.When)
_SAID_WITH = (Sort.Somebody, Sort.Nobody, Sort.Above, Sort.Below, Sort.No)


@dataclass(frozen=True, slots=True)
class Parts:
    """A sentence in parts, as the places of their tokens; `marks` are the words that introduce the conditions."""

    conditions: tuple[tuple[int, ...], ...]
    order: tuple[int, ...]
    marks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence with all that its words may be, and what is read with it."""

    text: str
    tokens: Sequence[Token]
    items: Sequence[Sequence[Item]]
    times: Sequence[TimeItem]
    words: RuleWords
    teller: Teller

    def term(self, place: int) -> tuple[int, str] | None:
        """The word of rules that begins at a token."""
        return self.words.at(self.tokens, place)

    def is_at(self, place: int, *sorts: Sort) -> int | None:
        """Where an item of one of these sorts ends that begins at a token, the longest."""
        ends = [i.end for i in self.items[place] if i.sort in sorts] if place < len(self.items) else []
        return max(ends, default=None)


def chosen(items: Sequence[Sequence[Item]], *, unsure: bool = False) -> tuple[TimeItem, ...]:
    """What is said of when, side by side: as many words as can be, in as few expressions. How long something lasts
    belongs to what lasts."""
    best: list[tuple[int, int, tuple[TimeItem, ...]]] = [(0, 0, ())] * (len(items) + 1)
    for place in range(len(items) - 1, -1, -1):
        found = [best[place + 1]]
        for one in items[place]:
            if one.sort is Sort.TIME and (unsure or one.said == "plain"):
                words = sum(part[:1].isalnum() for part in one.text.split())
                after = best[one.end]
                item = TimeItem(one.start, one.end, one.time)  # type: ignore[arg-type]
                found.append((after[0] + words, after[1] - 1, (item, *after[2])))
        best[place] = max(found, key=lambda way: (way[0], way[1], isinstance(_first(way), Window)))
    return tuple(one for one in best[0][2] if not isinstance(one.meaning, Duration | Length | Until))


def _first(way: tuple[int, int, tuple[TimeItem, ...]]) -> object:
    return way[2][0].meaning if way[2] else None


def ways_told(sentence: Sentence) -> Iterator[tuple[float, Parts, tuple[Told, ...]]]:
    """The ways to part a sentence whose conditions can be read, each with what is wrong with it."""
    known: dict[tuple[int, ...], Told | None] = {}
    for number, parts in zip(range(MOST_PARTED), _parted(sentence), strict=False):
        for one in parts.conditions:
            if one not in known:
                known[one] = sentence.teller.told(one)
        told = [known[one] for one in parts.conditions]
        if all(one is not None for one in told):
            marked = zip(told, parts.marks, strict=True)
            read = tuple(inverted(t) if mark == "UnlessMarker" else t for t, mark in marked if t is not None)
            waits = {p for one in sentence.times if isinstance(one.meaning, After) for p in range(one.start, one.end)}
            lasting = [one for c, one in zip(parts.conditions, read, strict=True) if waits & set(c)]
            if all(fact.holds is Holds.NONE for one in lasting for fact in one.facts):
                yield sum(one.unknown for one in read) + number / MOST_PARTED, parts, read


def _parted(sentence: Sentence) -> Iterator[Parts]:
    timed = {place for one in sentence.times for place in range(one.start, one.end)}
    left = tuple(place for place in range(len(sentence.tokens)) if place not in timed)
    yield from _further(sentence, left, 0)
    if any(isinstance(one.meaning, After) for one in sentence.times):
        yield from _further(replace(sentence, times=()), tuple(range(len(sentence.tokens))), 0)


def _further(sentence: Sentence, left: tuple[int, ...], since: int) -> Iterator[Parts]:
    """The ways to part what is left, its first condition at or after a place."""
    marks = [(place, end) for place in left if place >= since and (end := _mark(sentence, place, left)) is not None]
    if not marks:
        yield Parts((), left)
        return
    for place, start in marks[:2]:
        for end in _ends(sentence, start, left):
            said = (*_looked_at(sentence, left, place), *_waited(sentence, left, place))
            condition = (*said, *(p for p in left if start <= p < end))
            rest = tuple(p for p in left if p not in condition and not place <= p < start)
            if condition and any(sentence.tokens[p].text not in _JOINTS for p in rest):
                for more in _further(sentence, rest, end):
                    yield Parts((condition, *more.conditions), more.order, (_kind(sentence, place), *more.marks))


def _mark(sentence: Sentence, place: int, left: Sequence[int]) -> int | None:
    """Where a condition begins whose mark stands at a place; None where none does."""
    term = sentence.term(place)
    said = term[1] if term is not None else ""
    begins = place == left[0] or sentence.tokens[place - 1].text in LEADING or place - 1 not in left
    if said == "NoMarker" or says_nothing(sentence, place) or (sentence.is_at(place, Sort.Modal) and not begins):
        return None
    ends = [term[0]] if term is not None and said in _MARKERS else []
    ends += [end for end in [sentence.is_at(place, *MARKS)] if end is not None]
    if ends:
        return max(ends)
    skipped = _begun(sentence, place) if begins else None
    return None if skipped is None else place + skipped


def _kind(sentence: Sentence, place: int) -> str:
    """Which mark of a condition stands at a place."""
    term = sentence.term(place)
    return term[1] if term is not None and term[1] in _MARKERS else ""


def _begun(sentence: Sentence, place: int) -> int | None:
    """How many tokens a condition has before it that begins a clause without a mark: "with nobody there, …", "is it
    over 30, then …", "after ten minutes without movement, …". None where none begins."""
    if sentence.is_at(place, Sort.Without) and (term := sentence.term(place)) and term[1] in _SAYS:
        return 0
    if sentence.is_at(place, Sort.With) and place + 1 < len(sentence.tokens):
        following = sentence.term(place + 1)
        said = sentence.is_at(place + 1, *_SAID_WITH) is not None or (following is not None and following[1] in _SAYS)
        return 1 if said else None
    if sentence.is_at(place, Sort.Being) and _goes_on(sentence, place):
        return 0
    return 0 if isinstance(_time_at(sentence, place), After) and not sentence.times else None


_MARKERS = frozenset({"ConditionMarker", "OnceMarker", "UnlessMarker"})
_BEGINNING = (Sort.Requesting, Sort.Definite, Sort.And, Sort.Every)
_IDLE = frozenset({"Cleft", "Courtesy"})
MOST_IDLE = 7
_SAYS = frozenset({"NobodyThere", "SomebodyThere", "Exceeding", "FallingBelow", "Reaching"})


def _goes_on(sentence: Sentence, place: int) -> bool:
    """Whether an order follows a question: "is it over 30, then …"."""
    goes_on = any(t.text == "then" for t in sentence.tokens[place + 2 : -1])
    return sentence.tokens[-1].text != "?" and (goes_on or bool(sentence.times))


def _time_at(sentence: Sentence, place: int) -> object:
    return next((i.time for i in sentence.items[place] if i.sort is Sort.TIME and i.said == "plain"), None)


def _looked_at(sentence: Sentence, left: Sequence[int], mark: int) -> tuple[int, ...]:
    """What stands before a condition and only says where to look: "check the nursery: if …"."""
    before = [p for p in left if p < mark]
    while before and (sentence.tokens[before[0]].text in LEADING or sentence.is_at(before[0], Sort.Requesting)):
        before = [p for p in before if p >= (sentence.is_at(before[0], Sort.Requesting) or before[0] + 1)]
    term = sentence.term(before[0]) if before else None
    if term is None or term[1] != "Looking":
        return ()
    found = [p for p in before if p >= term[0]]
    end = next((p for p in found if sentence.tokens[p].text in LEADING), mark)
    return tuple(p for p in found if p < end)


def _waited(sentence: Sentence, left: Sequence[int], mark: int) -> tuple[int, ...]:
    """How long after something it is to be: "two hours after it was switched on"."""
    if sentence.tokens[mark].text != "after":
        return ()
    lengths = [i for p in left if p < mark for i in sentence.items[p] if isinstance(i.time, Length) and i.end == mark]
    longest = min(lengths, key=lambda one: one.start, default=None)
    return () if longest is None else tuple(range(longest.start, longest.end))


def _ends(sentence: Sentence, start: int, left: Sequence[int]) -> Iterator[int]:
    """Where a condition may end that begins at a place, likeliest first."""
    inside = [p for p in left if p > start]
    yield from (p for p in inside if sentence.tokens[p].text in _JOINTS)
    last = len(sentence.tokens)
    yield last
    yield from (p for p in inside if p - 1 not in left)  # something of time stands between
    for place in inside:
        if (
            any(e.role in (Role.COMMAND, Role.LIGHT_VERB) for i in sentence.items[place] for e in i.entries)
            or sentence.is_at(place, Sort.Requesting, Sort.Definite, Sort.And, Sort.Every) is not None
        ):
            yield place


def inverted(told: Told) -> Told:
    """That what is said is not so."""
    opposite = {Holds.ANY: Holds.NONE, Holds.NONE: Holds.ANY}
    facts = tuple(replace(one, holds=opposite.get(one.holds, Holds.NONE)) for one in told.facts)
    return replace(told, facts=facts, match=Match.ALL if told.match is Match.ANY else told.match)


def says_nothing(sentence: Sentence, place: int) -> bool:
    """Whether a word only takes up the condition again ("if so"), or is polite ("if you please")."""
    for start in range(max(0, place - MOST_IDLE), place + 1):
        term = sentence.term(start)
        if term is not None and start <= place < term[0]:
            last = term[0] == len(sentence.tokens) or sentence.tokens[term[0]].text in LEADING
            if term[1] in _IDLE or (term[1] == "IfSo" and last):
                return True
    return False


def noticed(sentence: Sentence, order: Sequence[int]) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
    """What is to be done and what is to be told, where an order is to tell something; None for one that is not."""
    for number, place in enumerate(order):
        term = sentence.term(place)
        if term is None or term[1] != "Reminding":
            continue
        before = tuple(p for p in order[:number] if not _is_light(sentence, p))
        told = tuple(p for p in order if p >= term[0])
        while told and (_is_light(sentence, told[0]) or ((to := sentence.term(told[0])) and to[1] == "ToDo")):
            told = told[1:]
        return before, told
    return None


def _is_light(sentence: Sentence, place: int) -> bool:
    """Whether a word only stands between."""
    polite = sentence.is_at(place, Sort.Requesting, Sort.Fillers, Sort.And) is not None
    return sentence.tokens[place].text in LEADING or polite or says_nothing(sentence, place)
