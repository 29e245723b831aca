"""Talk of rules that there are: listed, paused, resumed, deleted, put at another time, left out for some days.

It is read only where nearly all words belong to it, so that no order is taken for it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from engine.language.chart.goals.prepared import heard_items, tokens_of
from engine.language.chart.heard.items import Item, Sort, includes
from engine.language.chart.heard.rule_lexicon import RuleWords, rule_words
from engine.language.meanings.context import Context
from engine.language.meanings.places import places_named
from engine.language.phrases.slots import PlaceName
from engine.language.times.times import Element, united
from engine.language.words.lexicon import Role
from engine.language.words.records import replace
from engine.language.words.tokens import Token, TokenKind
from engine.model.intent import Category, Intent, Operation
from engine.model.rule import Change, Day, Daytime, Managing, Next, Part, Recurrence, Sun, Which, Window
from engine.model.selection import Select
from engine.things.registry import Registry

_DOES = {"RulePause": Operation.PAUSE, "RuleResume": Operation.RESUME, "RuleDelete": Operation.DELETE}
PARTS = {Part.MORNING: (4, 12), Part.AFTERNOON: (12, 18), Part.EVENING: (17, 23), Part.NIGHT: (22, 6)}
_FIRST = {Sort.Requesting, Sort.Fillers, Sort.PauseMark, Sort.No, Sort.Repair}
_SMALL = (
    Sort.Definite, Sort.Indefinite, Sort.Every, Sort.Fillers, Sort.Requesting, Sort.Of, Sort.To, Sort.On, Sort.In,
    Sort.PauseMark, Sort.StopMark, Sort.That, Sort.PronounOne, Sort.Being, Sort.Loose, Sort.And, Sort.With, Sort.Still,
)  # fmt: skip
MOST_SAID = 200


@dataclass(frozen=True, slots=True)
class _Talk:
    """A sentence: its tokens, what they may be, and the words of rules."""

    tokens: Sequence[Token]
    items: Sequence[Sequence[Item]]
    words: RuleWords

    def terms(self) -> Iterator[tuple[int, int, str]]:
        """The words of rules: from where to where, and their class; the longest first at each place."""
        place = 0
        while place < len(self.tokens):
            found = self.words.at(self.tokens, place)
            if found is not None:
                yield place, found[0], found[1]
            place = found[0] if found is not None else place + 1

    def times(self, start: int) -> tuple[list[Item], int]:
        """What is said of time from a place on, the longest each, and how many words are left over."""
        found, left, place = [], 0, start
        while place < len(self.tokens):
            own = [i for i in self.items[place] if i.sort is Sort.TIME and _is_plain(i)]
            if own:
                found.append(max(own, key=lambda item: item.length))
                place = found[-1].end
                continue
            left += self.tokens[place].kind is TokenKind.WORD and not self.is_small(place)
            place += 1
        return found, left

    def is_small(self, place: int) -> bool:
        """Whether a word only holds others together."""
        return includes((self.items[place],), *_SMALL)


def _is_plain(item: Item) -> bool:
    return item.said == "plain" or ":" in item.text or item.length > 1


def rule_talk(text: str, request: str, context: Context) -> Intent | None:
    """The intent to list, change or end rules that a text says; None for a text that says something else."""
    tokens = tokens_of(text, context)
    if not tokens:
        return None
    items = heard_items(text, context)
    talk = _Talk(tokens, items, rule_words(context.store))
    said = list(talk.terms())
    start = next((p for p in range(len(tokens)) if not _skips(talk, p)), 0)
    first = next(((end, kind) for begin, end, kind in said if begin == start), None)
    if first is None:
        return None
    found = _asked(talk, *first, context) or _switched(talk, said, *first, context) or _changed(talk, *first)
    if found is None:
        return None
    operation, managing = found
    return Intent(f"{request}/intent-1", text[:MOST_SAID], Category.RULE, operation, rule=managing)


def _skips(talk: _Talk, place: int) -> bool:
    """Whether a sentence may begin with a word that says nothing."""
    own = {i.sort for i in talk.items[place]}
    return talk.words.at(talk.tokens, place) is None and bool(own & _FIRST)


def _asked(talk: _Talk, end: int, kind: str, context: Context) -> tuple[Operation, Managing] | None:
    if kind != "RulesAsked":
        return None
    which, left = _which(talk, range(end, len(talk.tokens)), context)
    return None if left else (Operation.LIST, Managing(which))


def _switched(
    talk: _Talk, said: Sequence[tuple[int, int, str]], end: int, kind: str, context: Context
) -> tuple[Operation, Managing] | None:
    nouns = [(begin, last) for begin, last, one in said if one == "RuleNoun"]
    if kind not in _DOES:
        return None
    if not nouns:
        return (_DOES[kind], Managing(Which(last=True))) if _goes_on(talk, end, context) else None
    taken = {p for begin, last in nouns for p in range(begin, last)}
    rest = [p for p in range(end, len(talk.tokens)) if p not in taken]
    which, left = _which(talk, rest, context)
    if left:
        return None
    several = any(talk.tokens[begin].text.endswith("s") for begin, _ in nouns)
    if which == Which():
        which = Which() if several else Which(last=True)
    return _DOES[kind], Managing(replace(which, only_one=not several and not which.last))


def _goes_on(talk: _Talk, end: int, context: Context) -> bool:
    """Whether "it" is the rule that was spoken of last, for rules were talked of just before: "resume it"."""
    before = context.past.turns
    rest = range(end, len(talk.tokens))
    points = any(i.sort is Sort.PronounOne for p in rest for i in talk.items[p])
    silent = bool(before) and not before[-1].said and not before[-1].changes
    return silent and points and all(talk.is_small(p) for p in rest)


def _which(talk: _Talk, places: Sequence[int], context: Context) -> tuple[Which, int]:
    """Which rules are meant by the devices, rooms and times that are named, and how many words are left over."""
    which, left, free = Which(), 0, -1
    for place in places:
        if place < free:
            continue
        best = _telling(talk, place)
        if best is None:
            left += talk.tokens[place].kind is TokenKind.WORD and not talk.is_small(place)
            continue
        free = best.end
        which = _with(which, best, context.registry)
    return which, left


def _telling(talk: _Talk, place: int) -> Item | None:
    own = [i for i in talk.items[place] if i.sort in (Sort.NOUN, Sort.PLACE) or (i.sort is Sort.TIME and _is_plain(i))]
    return max(own, key=lambda item: item.length, default=None)


def _with(which: Which, item: Item, registry: Registry) -> Which:
    if item.sort is Sort.TIME:
        window = _window(item.time)
        if window is not None:
            return replace(which, window=window)
        return replace(which, schedule=item.time) if isinstance(item.time, Recurrence) else which
    select = which.acts_on or Select()
    things = tuple(e.iri for e in item.entries if e.role is Role.THING)
    classes = tuple(e.iri for e in item.entries if e.role is Role.DEVICE) if not things else ()
    name = PlaceName(item.entries, item.text, item.plural)
    places = places_named(name, registry) if item.sort is Sort.PLACE else ()
    added = replace(select, things=(*select.things, *things), classes=(*select.classes, *classes))
    return replace(which, acts_on=replace(added, places=(*select.places, *places)))


def _window(time: object) -> Window | None:
    """The hours that are asked about: a part of the day, or those that are said."""
    if isinstance(time, Window):
        return time
    part = time if isinstance(time, Part) else getattr(time, "part", None)
    if not isinstance(part, Part) or getattr(time, "times", None) or getattr(time, "time", None):
        return None
    start, end = PARTS[part]
    return Window(Daytime(start), Daytime(end))


def _changed(talk: _Talk, end: int, kind: str) -> tuple[Operation, Managing] | None:
    """ "Make that 7:30", "not on weekends", "not tomorrow": of the rule that was spoken of last."""
    if kind not in ("RuleChange", "RuleExcept"):
        return None
    found, left = talk.times(end)
    elements: list[Element] = [i.time for i in found if isinstance(i.time, Element)]
    if left or not elements or len(elements) != len(found):
        return None
    one = united(elements)
    if kind == "RuleExcept":
        return _left_out(one)
    last = Which(last=True)
    if isinstance(one, Daytime | Sun):
        return Operation.CHANGE, Managing(last, Change(time=one))
    if isinstance(one, Next) and one.day is None and one.time is not None:
        return Operation.CHANGE, Managing(last, Change(time=one.time))
    timed = isinstance(one, Next | Recurrence) and (getattr(one, "time", None) or getattr(one, "times", None))
    return (Operation.CHANGE, Managing(last, Change(schedule=one))) if timed else None  # type: ignore[arg-type]


def _left_out(one: object) -> tuple[Operation, Managing] | None:
    last = Which(last=True)
    if isinstance(one, Recurrence) and one.weekdays and not one.times:
        return Operation.CHANGE, Managing(last, Change(without=one.weekdays))
    day = one if isinstance(one, Day) else one.day if isinstance(one, Next) else None
    return None if day is None else (Operation.EXCEPT, Managing(last, Change(days=(day,))))
