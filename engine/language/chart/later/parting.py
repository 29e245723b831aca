"""How a sentence that makes a rule falls into parts: when, under what condition, and what is to be done.

Where a condition ends is not always plain ("when the washer is done turn on the light"), so all likely ways are found,
those first that leave out the fewest words.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from engine.language.chart.heard.items import Item, Sort, is_unknown
from engine.language.chart.heard.rule_lexicon import aspect_words
from engine.language.chart.heard.statements import imagines
from engine.language.chart.later.sentence import JOINTS, LEADING, MARKS, Sentence, is_goal, is_joint
from engine.language.chart.later.told import Told, is_strange
from engine.language.chart.later.unmarked import SAYS, begun, follows, follows_from
from engine.language.times.times import Duration, Length, TimeItem, Until
from engine.language.words.lexicon import Role
from engine.language.words.morphology import is_progressive
from engine.language.words.records import replace
from engine.model.rule import After, Holds, Match, Window

MOST_PARTED = 64
"""How many ways to part a sentence are looked at."""


@dataclass(frozen=True, slots=True)
class Parts:
    """A sentence in parts, as the places of their tokens; `marks` are the words that introduce the conditions."""

    conditions: tuple[tuple[int, ...], ...]
    order: tuple[int, ...]
    marks: tuple[str, ...] = ()


def _is_break(sentence: Sentence, place: int) -> bool:
    """Whether a condition may end before a token because of it alone."""
    return sentence.tokens[place].text in JOINTS and is_joint(sentence, place)


def chosen(items: Sequence[Sequence[Item]], *, unsure: bool = False) -> tuple[TimeItem, ...]:
    """What is said of when, side by side: as many words as can be, in as few expressions. How long something lasts
    belongs to what lasts."""
    best: list[tuple[int, int, tuple[TimeItem, ...]]] = [(0, 0, ())] * (len(items) + 1)
    for place in range(len(items) - 1, -1, -1):
        found = [best[place + 1]]
        for one in items[place]:
            if one.sort is Sort.TIME and (unsure or one.said == "plain") and not _takes_a_count(one, items):
                words = sum(part[:1].isalnum() for part in one.text.split())
                after = best[one.end]
                item = TimeItem(one.start, one.end, one.time)  # type: ignore[arg-type]
                found.append((after[0] + words, after[1] - 1, (item, *after[2])))
        best[place] = max(found, key=lambda way: (way[0], way[1], isinstance(_first(way), Window)))
    return tuple(one for one in best[0][2] if not isinstance(one.meaning, Duration | Length | Until))


def _takes_a_count(time: Item, items: Sequence[Sequence[Item]]) -> bool:
    """Whether a time ends with a number that says how many things follow: "at eleven, *two* things: …"."""
    return any(i.sort is Sort.Fillers and i.end > time.end for i in items[time.end - 1])


def _first(way: tuple[int, int, tuple[TimeItem, ...]]) -> object:
    return way[2][0].meaning if way[2] else None


def ways_told(sentence: Sentence) -> Iterator[tuple[float, Parts, tuple[Told, ...]]]:
    """The ways to part a sentence whose conditions can be read, each with what is wrong with it."""
    known: dict[tuple[int, ...], Told | None] = {}
    if _tells_of_strange(sentence) or _supposes(sentence):
        return
    taken_up = any(_takes_up(sentence, place) for place in range(len(sentence.tokens)))
    for number, parts in zip(range(MOST_PARTED), _parted(sentence), strict=False):
        if (taken_up and not parts.conditions) or _is_cut_off(sentence, parts) or _is_left(sentence, parts):
            continue  # "see whether … and if it is, …": without what it takes up it would be another
        for one in parts.conditions:
            if one not in known:
                known[one] = sentence.teller.told(one)
        if any(_runs_on(sentence, *one) for one in zip(parts.conditions, parts.marks, strict=True)):
            continue
        told = [known[one] for one in parts.conditions]
        if all(one is not None for one in told) and not any(_is_no_fact(sentence, one) for one in parts.conditions):
            marked = zip(told, parts.marks, strict=True)
            read = tuple(inverted(t) if mark == "UnlessMarker" else t for t, mark in marked if t is not None)
            waits = {p for one in sentence.times if isinstance(one.meaning, After) for p in range(one.start, one.end)}
            lasting = [one for c, one in zip(parts.conditions, read, strict=True) if waits & set(c)]
            if all(fact.holds is Holds.NONE for one in lasting for fact in one.facts):
                wrong = sum(_orders(sentence, c) for c in parts.conditions) + _conditions(sentence, parts.order)
                wrong += sum(one.unknown for one in read) + _unknown(sentence, parts.order) + _severs(sentence, parts)
                wrong += sum(_swallowed(sentence, c, one) for c, one in zip(parts.conditions, read, strict=True))
                yield wrong + number / MOST_PARTED, parts, read


def _supposes(sentence: Sentence) -> bool:
    """Whether a sentence begins with how it would be, and requests nothing: "it would be dark if you turned it off"."""
    start = next((p for p in range(len(sentence.tokens)) if not sentence.is_filling(p)), 0)
    return start < len(sentence.items) and imagines(sentence.items[start])


def _is_no_fact(sentence: Sentence, condition: Sequence[int]) -> bool:
    """Whether a condition is about the first of a ranking ("see the two loudest things?"), or an order begins behind a
    break in it: "while I think of it, pause what is playing"."""
    ranks = any(i.sort is Sort.SUPERLATIVE and i.start == p for p in condition for i in sentence.items[p])
    breaks = [n for n, p in enumerate(condition[:-1]) if _is_break(sentence, p)]
    asked = breaks[:1] == [0] and sentence.is_at(condition[1], Sort.Requesting) is not None  # "…, please switch off"
    return ranks or asked or any(_ordered(sentence, condition[n + 1], condition[n]) for n in breaks)


def _runs_on(sentence: Sentence, condition: Sequence[int], mark: str) -> bool:
    """Whether an order behind a colon is in what goes on meanwhile: "while I tie this: the fan off"."""
    return mark == "Meanwhile" and any(sentence.tokens[p].text == _COLON for p in condition[1:-1])


def _ordered(sentence: Sentence, place: int, before: int) -> bool:
    """Whether an order begins at a place: a verb with its object, and nobody before it who does it."""
    verb = [i for i in sentence.items[place] if i.sort is Sort.VERB and _is_command(i)]
    ends = max((i.end for i in verb), default=len(sentence.tokens))
    ends = sentence.is_at(ends, Sort.VALUE) or ends  # "make off the lamp"
    behind = sentence.is_at(ends, *_OBJECTS) is not None
    return bool(verb) and before == place - 1 and behind and not _does(sentence, before)


_COLON = ":"
_OBJECTS = (Sort.Definite, Sort.Possessive, Sort.Both, Sort.Indefinite, Sort.What)


def _swallowed(sentence: Sentence, condition: Sequence[int], told: Told) -> int:
    """How many devices a condition names beyond those that its facts are about: they are of the order."""
    nouns = [noun for one in sentence.teller.pieces(condition) if (noun := one.sorted(Sort.NOUN)) and not one.term]
    named = sum(not sentence.teller.senses(one) for one in nouns)
    about = sum(max(1, len(f.selection.things)) for f in told.facts if f.selection.things or f.selection.classes)
    return max(0, named - about)


def _takes_up(sentence: Sentence, place: int) -> bool:
    """Whether words take up a condition again that was said before: "if so", "if it is"."""
    term = sentence.term(place)
    return term is not None and term[1] == "IfSo" and _is_so(sentence, term[0])


def _is_cut_off(sentence: Sentence, parts: Parts) -> bool:
    """Whether a person is a condition alone, and their deed an order: "someone | rings the bell"; or their need:
    "nobody needs the lights any longer; have them off"."""
    marked = zip(parts.conditions, parts.marks, strict=True)
    led = [(c[0], mark) for c, mark in marked if sentence.is_at(c[0], Sort.Somebody, Sort.Nobody) is not None]
    alone = [p + 1 for p, mark in led if not mark and sentence.is_at(p + 1, Sort.Modal) is not None]
    needing = any(not follows_from(sentence, p) for p in alone)
    bare = [p for p, _ in led if (p,) in parts.conditions and p + 1 in parts.order]
    return needing or any(not _is_break(sentence, p + 1) and not follows(sentence, p + 1) for p in bare)


def _is_left(sentence: Sentence, parts: Parts) -> bool:
    """Whether a thing is left in front of a "while", where half of the condition stands: "an open window while it is
    under 18: …"."""
    if parts.marks[:1] != ("Meanwhile",):
        return False
    before = [p for p in parts.order if p < parts.conditions[0][0] and sentence.tokens[p].text not in LEADING]
    if not before or sentence.is_at(before[0], Sort.Indefinite) is None:
        return False
    return not any(sentence.is_at(p, Sort.VERB) is not None and not _is_adjective(sentence, p) for p in before)


def _is_adjective(sentence: Sentence, place: int) -> bool:
    """Whether a word may say how a thing is: "open" in "an open window"."""
    return sentence.is_at(place, Sort.VALUE) is not None


def _severs(sentence: Sentence, parts: Parts) -> int:
    """How many phrases an order has taken from right behind a condition, or cut in two: "empty for an hour switch it
    off", "nobody is in the hall turn off the light"."""
    ends = {condition[-1] + 1 for condition in parts.conditions} & set(parts.order)
    lasts = (i for p in ends for i in sentence.items[p] if i.sort is Sort.TIME)
    cut = (p for p in ends if sentence.is_at(p - 1, Sort.In, Sort.Of, Sort.From) is not None)
    return sum(isinstance(one.time, Duration) for one in lasts) + sum(not _is_break(sentence, p) for p in cut)


def _tells_of_strange(sentence: Sentence) -> bool:
    """Whether "and" joins on what is said of something that nobody here knows: half of a condition, without which it is
    another ("when somebody is in the hall and the mail has come, …")."""
    for place in range(1, len(sentence.tokens)):
        if sentence.is_at(place, Sort.And) == place + 1:
            rest = range(place + 1, len(sentence.tokens))
            ends = next((p for p in rest if is_joint(sentence, p)), len(sentence.tokens))
            if is_strange(list(sentence.teller.pieces(range(place + 1, ends)))):
                return True
    return False


def _orders(sentence: Sentence, condition: Sequence[int]) -> int:
    """How many orders a condition swallows: verbs with an object behind them, and nobody before them who does it."""
    found = sum(sentence.tokens[p].text == "then" or _wants(sentence, p) for p in condition)
    return found + sum(_ordered(sentence, place, before) for before, place in pairwise(condition))


def _conditions(sentence: Sentence, order: Sequence[int]) -> int:
    """How many words of a condition are left in an order: who is there, what is above or below what."""
    said = (term for place in order if (term := sentence.term(place)) is not None)
    return 0 if noticed(sentence, order) is not None else sum(one[1] in SAYS for one in said)


def _unknown(sentence: Sentence, places: Sequence[int]) -> int:
    """How many words mean nothing here."""
    return sum(not one.items and not one.term for one in sentence.teller.pieces(places))


def _wants(sentence: Sentence, place: int) -> bool:
    """Whether an order begins there that says that it is one."""
    return sentence.is_at(place, Sort.Requesting) is not None and sentence.is_at(place, Sort.Modal) is None


def _is_command(item: Item) -> bool:
    return any(e.role in (Role.COMMAND, Role.LIGHT_VERB) for e in item.entries)


def _does(sentence: Sentence, place: int) -> bool:
    """Whether a word says who does something, or that it is done."""
    who = (Sort.Somebody, Sort.Nobody, Sort.SpeakerWord, Sort.PronounOne, Sort.PronounSeveral, Sort.Being, Sort.To)
    return sentence.is_at(place, *who) is not None or is_unknown(sentence.items[place])


def _parted(sentence: Sentence) -> Iterator[Parts]:
    timed = {place for one in sentence.times for place in range(one.start, one.end)}
    left = tuple(place for place in range(len(sentence.tokens)) if place not in timed)
    yield from _further(sentence, left, 0)
    if any(isinstance(one.meaning, After) for one in sentence.times):
        yield from _further(replace(sentence, times=()), tuple(range(len(sentence.tokens))), 0)


def _further(sentence: Sentence, left: tuple[int, ...], since: int) -> Iterator[Parts]:
    """The ways to part what is left, its first condition at or after a place."""
    from_ = [place for place in left if place >= since and not (since and _leads_over(sentence, place, since))]
    marks = [(place, end) for place in from_ if (end := _mark(sentence, place, left)) is not None]
    if not marks:
        yield Parts((), left)
        return
    for place, start in marks[:2]:
        for end in _ends(sentence, start, left):
            looked, look = _looked_at(sentence, left, place)
            said = (*looked, *_waited(sentence, left, place))
            condition = (*said, *(p for p in left if start <= p < end))
            rest = tuple(p for p in left if p not in condition and p not in look and not place <= p < start)
            if condition and (is_goal(sentence, rest) or noticed(sentence, rest) is not None):
                for more in _further(sentence, rest, end):
                    yield Parts((condition, *more.conditions), more.order, (_kind(sentence, place), *more.marks))
    if all(_kind(sentence, place) == "Meanwhile" for place, _ in marks):
        yield Parts((), left)  # "at ten turn on the lamp while I read"


def _leads_over(sentence: Sentence, place: int, since: int) -> bool:
    """Whether a word right behind a condition says what is to follow from it."""
    return place == since and follows(sentence, place)


def _mark(sentence: Sentence, place: int, left: Sequence[int]) -> int | None:
    """Where a condition begins whose mark stands at a place; None where none does."""
    term = sentence.term(place)
    said = term[1] if term is not None else ""
    begins = place == left[0] or sentence.tokens[place - 1].text in LEADING or place - 1 not in left
    begins = begins or _is_looked_for(sentence, place)
    if said in _NO_MARKS or says_nothing(sentence, place) or (sentence.is_at(place, Sort.Modal) and not begins):
        return None
    if said == "Meanwhile" and term is not None and _is_done_beside(sentence, term[0]):
        return None
    ends = [term[0]] if term is not None and said in MARKERS else []
    ends += [end for end in [sentence.is_at(place, *MARKS)] if end is not None]
    if ends:
        within = place > 0 and all(sentence.is_filling(p) for p in range(place - 1, max(ends)))  # "all *at once*"
        return None if within else max(ends)
    skipped = begun(sentence, place) if begins else None
    return None if skipped is None else place + skipped


def _is_done_beside(sentence: Sentence, place: int) -> bool:
    """Whether another order follows there that is to be done beside the first: "while *powering up* the lights"."""
    ordered = any(_is_command(item) for item in sentence.items[place] if item.sort is Sort.VERB)
    return ordered and is_progressive(sentence.tokens[place].text)


def _is_looked_for(sentence: Sentence, place: int) -> bool:
    """Whether what somebody is to look at, as a question, begins at a place: "have a look is it over 27"."""
    terms = (sentence.term(p) for p in range(max(0, place - MOST_IDLE), place))
    return any(term == (place, "Looking") for term in terms)


def is_present(sentence: Sentence, parts: Parts) -> bool:
    """Whether every condition says how something stands, and none that it comes about: "if the window is open, …" is
    looked at now, "if it gets above 26" and "when it is open" are waited for."""
    words = aspect_words(sentence.teller.context.store)
    for condition, mark in zip(parts.conditions, parts.marks, strict=True):
        said = {term[1] for p in condition if (term := words.at(sentence.tokens, p)) is not None}
        if said != {"Stating"} or mark in _AWAITING or not _is_put_as_if(sentence, condition):
            return False
    return True


_AWAITING = frozenset({"OnceMarker", "EventMarker"})


def _is_put_as_if(sentence: Sentence, condition: Sequence[int]) -> bool:
    """Whether "if" leads a condition, and not "when"."""
    first = condition[0]
    if any(sentence.is_at(q, Sort.When) == first for q in range(max(0, first - MOST_IDLE), first)):
        return False
    return any(sentence.is_at(q, Sort.If) == p for p in condition for q in range(max(0, p - MOST_IDLE), p))


def _kind(sentence: Sentence, place: int) -> str:
    """Which mark of a condition stands at a place."""
    term = sentence.term(place)
    return term[1] if term is not None and term[1] in MARKERS else ""


MARKERS = frozenset({"ConditionMarker", "OnceMarker", "UnlessMarker", "EventMarker", "Meanwhile"})
_NO_MARKS = frozenset({"NoMarker"})
_BEGINNING = (Sort.Requesting, Sort.Definite, Sort.And, Sort.Every)
_IDLE = frozenset({"TimeCleft", "Courtesy", "Ensuring"})
MOST_IDLE = 7


def _looked_at(sentence: Sentence, left: Sequence[int], mark: int) -> tuple[tuple[int, ...], range]:
    """What stands before a condition and only says where to look ("check the nursery: if …"), and the word for it."""
    before = [p for p in left if p < mark]
    while before and (sentence.tokens[before[0]].text in LEADING or sentence.is_at(before[0], Sort.Requesting)):
        before = [p for p in before if p >= (sentence.is_at(before[0], Sort.Requesting) or before[0] + 1)]
    term = sentence.term(before[0]) if before else None
    if term is None or term[1] != "Looking":
        return (), range(0)
    found = [p for p in before if p >= term[0]]
    end = next((p for p in found if sentence.tokens[p].text in LEADING), mark)
    return tuple(p for p in found if p < end), range(before[0], term[0])


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
    last = len(sentence.tokens)
    yield from (p for p in inside if _is_break(sentence, p) and sentence.tokens[min(p + 1, last - 1)].text != "or")
    yield last
    yield from (p for p in inside if follows(sentence, p))
    yield from (p for p in inside if p - 1 not in left)  # something of time stands between
    for place in inside:
        begins = sentence.is_at(place, Sort.Requesting, Sort.Definite, Sort.Every) is not None
        if any(map(_is_command, sentence.items[place])) or begins or _goes_over(sentence, place):
            yield place


def _goes_over(sentence: Sentence, place: int) -> bool:
    """Whether an order may begin behind "and": not with a bare state, which is of what was spoken of."""
    after = place + 1
    if sentence.is_at(place, Sort.And) is None or after >= len(sentence.tokens):
        return False
    return sentence.is_at(after, Sort.VALUE) is None or sentence.is_at(after, Sort.NOUN, Sort.PLACE) is not None


def inverted(told: Told) -> Told:
    """That what is said is not so."""
    opposite = {Holds.ANY: Holds.NONE, Holds.NONE: Holds.ANY}
    facts = tuple(replace(one, holds=opposite.get(one.holds, Holds.NONE)) for one in told.facts)
    return replace(told, facts=facts, match=Match.ALL if told.match is Match.ANY else told.match)


def says_nothing(sentence: Sentence, place: int) -> bool:
    """Whether a word only takes up the condition again ("if so"), or is polite ("if you please")."""
    for start in range(max(0, place - MOST_IDLE), place + 1):
        term = sentence.term(start)
        if term is None or not start <= place < term[0]:
            continue
        if term[1] in _IDLE or (term[1] == "IfSo" and _is_so(sentence, term[0])):
            return True
        if term[1] == "EventMarker" and start and all(t.text in LEADING for t in sentence.tokens[term[0] :][:1]):
            return True  # "…, every time."; "whichever are off at the moment, …"
    return False


def _is_so(sentence: Sentence, end: int) -> bool:
    """Whether what takes up the condition again is all that is said of it: nothing of how it is follows."""
    if end == len(sentence.tokens) or sentence.tokens[end].text in LEADING:
        return True
    whole = (Sort.Definite, Sort.Possessive, Sort.VERB, Sort.NOUN, Sort.PLACE, Sort.Requesting)
    how = (Sort.VALUE, Sort.NUMBER, Sort.RELATIVE, Sort.GRADABLE, Sort.Above, Sort.Below)
    return sentence.is_at(end, *whole) is not None and sentence.is_at(end, *how) is None


def noticed(sentence: Sentence, order: Sequence[int]) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
    """What is to be done and what is to be told, where an order is to tell something; None for one that is not."""
    for number, place in enumerate(order):
        term = sentence.term(place)
        if term is None or term[1] != "Reminding":
            continue
        asked = {q for p in order for q in range(p, sentence.is_at(p, Sort.Requesting) or p)}
        before = tuple(p for p in order[:number] if p not in asked and not _is_light(sentence, p))
        told = tuple(p for p in order if p >= term[0])
        while told and (_is_light(sentence, told[0]) or ((to := sentence.term(told[0])) and to[1] == "ToDo")):
            told = told[1:]
        if told and sentence.is_at(told[0], Sort.With) is not None:
            return None  # "wake me up at seven with the bedroom light"
        return before, told
    return None


def _is_light(sentence: Sentence, place: int) -> bool:
    """Whether a word only stands between."""
    polite = sentence.is_at(place, Sort.Requesting, Sort.Fillers, Sort.And) is not None
    return sentence.tokens[place].text in LEADING or polite or says_nothing(sentence, place)
