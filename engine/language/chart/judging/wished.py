"""Readings of what tells how it is, or what is about to be done, as wishes: by what is told in words of the ontology,
and where none of it is known, by the examples there that are nearest in meaning.

What is asked, was so, holds only under a condition, or is told of somebody else is no wish.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from engine.environment.selection import Selector
from engine.graph.terms import expand
from engine.language.chart.heard.items import Item, Sort
from engine.language.chart.heard.statements import ASKING_FOR, asks_at_last
from engine.language.chart.heard.tellings import (
    HABIT,
    OF_OTHERS,
    OF_SPEAKER,
    OF_THEM,
    OTHER_TIMES,
    Told,
    tellings,
    told,
)
from engine.language.chart.judging.reader import Candidate, Heard, effect_of, worth
from engine.language.meanings.context import Context
from engine.language.meanings.past import Hearing
from engine.language.meanings.places import places_named
from engine.language.phrases.slots import PlaceName
from engine.language.tastes.wishes import Complaint, complaints, likely, mentions
from engine.language.words.lexicon import Role
from engine.language.words.records import replace
from engine.language.words.tokens import Token, TokenKind
from engine.model.intent import Category, Intent
from engine.model.selection import Quantity, Select

MOST_TOLD, MOST_NEAR = 4, 2
"""How many terms are tried that words tell, and that are near in meaning."""
_BEFORE = 4
_DEVICE = expand("hg:Device")
_STOPS, _PAUSES = frozenset(".!?;"), frozenset(".!?;,:-–—")
_ASKING = (Sort.Whether, *ASKING_FOR)
_DENYING = (Sort.Not, Sort.No, Sort.Without, Sort.Unwanted)
_TELLING_PAST = (Sort.PastMark, Sort.Reporting)
_FINITE = (Sort.Being, Sort.Copula, Sort.Modal)
_ANY_ROOM = frozenset(expand(f"hg:{name}") for name in ("Room", "Place", "Home", "Zone"))
_OF_ORDERS = (Role.COMMAND, Role.RELATIVE)


@dataclass(frozen=True, slots=True)
class _Meant:
    """A term that a text may be about: a complaint, a situation, or a degree; how it was found, as features."""

    term: str
    places: frozenset[int]
    features: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Sentence:
    """The tokens of a text, what function words they may be, and where it is told of whom."""

    tokens: tuple[Token, ...]
    sorts: tuple[frozenset[Sort], ...]
    of_speaker: frozenset[int]
    of_others: frozenset[int]
    of_them: frozenset[int]
    at_other_times: frozenset[int]
    at_times: frozenset[int]

    def has(self, place: int, *sorts: Sort) -> bool:
        """Whether a token may be of one of these classes."""
        return not self.sorts[place].isdisjoint(sorts)

    def before(self, place: int) -> range:
        """The tokens of the same clause before a token."""
        first = next((n + 1 for n in range(place - 1, -1, -1) if self.tokens[n].text in _PAUSES), 0)
        return range(first, place)

    def around(self, one: Told) -> Iterator[int]:
        """The tokens of the same sentence that are no part of what is told."""
        first = next((n + 1 for n in range(one.start - 1, -1, -1) if self.tokens[n].text in _STOPS), 0)
        last = next((n for n in range(one.end, len(self.tokens)) if self.tokens[n].text in _STOPS), len(self.tokens))
        yield from (n for n in range(first, last) if n not in one.places)


def sentence(found: Heard, context: Context) -> tuple[Sentence, list[Told]]:
    """A text as what it may tell is looked for in, and what it tells, wished or not."""
    told_of = told(found.tokens, tellings(context.store))
    whom = {term: frozenset(p for one in told_of if one.term == term for p in one.places) for term in _WHOM}
    of = Sentence(found.tokens, tuple(_sorts(found.items)), *(whom[term] for term in _WHOM))
    return of, [one for one in told_of if one.term not in _WHOM]


_WHOM = (OF_SPEAKER, OF_OTHERS, OF_THEM, OTHER_TIMES, HABIT)


def _sorts(items: Sequence[Sequence[Item]]) -> list[frozenset[Sort]]:
    """For each token the classes of the longest function words that begin there, or before and go over it."""
    found: list[frozenset[Sort]] = []
    free, over = 0, frozenset[Sort]()
    for place, here in enumerate(items):
        times = max((i.end for i in here if i.sort is Sort.TIME and i.length > 1), default=0)
        own = [i for i in here if i.sort in _FUNCTION and i.end >= times]
        end = max((*(i.end for i in own), place + 1, times))
        if place >= free:
            free, over = end, frozenset(i.sort for i in own if i.end == end)
        found.append(over)
    return found


_FUNCTION = frozenset(Sort) - {
    Sort.VERB, Sort.PARTICLE, Sort.NOUN, Sort.PLACE, Sort.KIND, Sort.VALUE, Sort.NUMBER, Sort.RELATIVE,
    Sort.SUPERLATIVE, Sort.GRADABLE, Sort.DURATION, Sort.TIME, Sort.TEXT, Sort.WORD,
}  # fmt: skip


def asks(of: Sentence, at: int = 0) -> bool:
    """Whether the sentence at a token asks how it is, so that it wishes for nothing."""
    first = max((n + 1 for n in range(at) if of.tokens[n].text in _STOPS | {","}), default=0)
    last = next((n for n in range(at, len(of.tokens)) if of.tokens[n].text in _STOPS), len(of.tokens) - 1)
    said = [n for n in range(first, last + 1) if of.tokens[n].kind is TokenKind.WORD and not of.has(n, Sort.Fillers)]
    if not said:
        return at == 0
    begs = any(of.tokens[n].text in _BEGGING for n in range(first, last + 1))
    speaks = said[0] in of.of_speaker or of.has(said[0], Sort.SpeakerWord)
    exclaims = len(said) > 1 and of.has(said[1], Sort.Indefinite) and of.has(said[0], Sort.What, Sort.How)
    asking = of.has(said[0], *_ASKING) and not speaks and not exclaims
    return not begs and (asking or (of.tokens[last].text == "?" and not speaks))


_BEGGING = frozenset({"can", "could", "would", "will", "please"})


def depends(of: Sentence, covered: frozenset[int]) -> bool:
    """Whether anything of a sentence, beside what is told at the places `covered`, holds under a condition, was so, or
    is what somebody says."""
    free = [n for n in _all(of) if n not in covered]
    conditional = any(of.has(n, Sort.If, Sort.When) and not of.has(n, Sort.Fillers, Sort.ReasonWord) for n in free)
    return conditional or any(of.has(n, *_TELLING_PAST) for n in free)


def _all(of: Sentence) -> range:
    return range(len(of.tokens))


def is_wish(one: Told, of: Sentence, context: Context) -> bool:
    """Whether what is told is told of now, of who speaks or is here, and not denied."""
    known = tellings(context.store)
    if any(n in of.at_other_times or n in of.at_times for n in of.around(one)):
        return False
    before = of.before(one.start)
    if any(of.has(n, *_DENYING) for n in before[-_BEFORE:]):
        return False
    if one.term in known.of_others:
        return True
    complains = one.term in complaints(context.store) or one.term in known.degrees
    others = of.of_others if complains else of.of_others | of.of_them
    whom = [n in of.of_speaker for n in before if n in of.of_speaker or n in others]
    if whom and not whom[-1]:
        return complains and any(of.has(n, Sort.Here) for n in _all(of))
    return complains or bool(whom) or not _is_of_stranger(before, one, of)


def _is_of_stranger(before: range, one: Told, of: Sentence) -> bool:
    """Whether somebody or something that no word of grammar is does it: "Peter is going out"."""
    strange = [n for n in before if of.tokens[n].kind is TokenKind.WORD and not of.sorts[n]]
    if not strange:
        return False
    finite = any(of.has(n, *_FINITE) for n in range(strange[0], one.start))
    return finite or (strange[-1] == one.start - 1 and of.tokens[one.start].text.endswith("s"))


def is_only_told(found: Heard, context: Context, *, situated: bool) -> bool:
    """Whether what could be a wish is asked, told of another time or of somebody else, or denied; `situated`: it says
    what is done, and not how it is."""
    of, said = sentence(found, context)
    covered = frozenset(n for one in said for n in one.places)
    if of.tokens[-1].text == "?" and (asks_at_last(found.items) or (of.has(0, Sort.Whether) and asks(of))):
        return True
    if any(of.has(n, *_TELLING_PAST) or n in of.at_other_times for n in _all(of) if n not in covered):
        return True
    if said:
        return not any(is_wish(one, of, context) for one in said if not of.at_times)
    if situated and any(of.has(n, Sort.Not) for n in _all(of)):
        return True
    of_others = any(n in of.of_others for n in _all(of)) and not of.of_speaker
    return of_others and not any(of.has(n, Sort.Here) for n in _all(of))


def wishes(
    text: str, request: str, context: Context, found: Heard, weights: Mapping[str, float], *, certain: bool
) -> list[Candidate]:
    """Readings of a text as a wish; `certain`: it is read well without, so that nothing is guessed at."""
    if not found.items or found.bare:
        return []
    of, said = sentence(found, context)
    if of.tokens[-1].text == "?" and asks_at_last(found.items):
        return []
    if depends(of, frozenset(n for one in said for n in one.places)):
        return []
    meant = _told([one for one in said if not _is_brought_about(one, of, found.items, context)], of, context)
    if not meant and not certain and not asks(of) and not any(_blocks(n, of) for n in _all(of)):
        meant = _near(text, of, context, frozenset((*(one.term for one in said), *_denied(of, context))))
    if not meant:
        return []
    items = found.items
    shared = _of_words(of, items, meant)
    made = (
        _candidate(one, intent, {**shared, **more}, text, context, weights)
        for one in meant
        for intent, more in _intents(one, text, request, of, items, context)
    )
    return list(islice(made, 2 * MOST_TOLD))


def _is_brought_about(one: Told, of: Sentence, items: Sequence[Sequence[Item]], context: Context) -> bool:
    """Whether what would be a complaint shall be so: "make it as dark as a cave", "I want the bedroom cold"."""
    if one.term not in complaints(context.store):
        return False
    before = of.before(one.end - 1)
    if any(of.has(n, Sort.Not, Sort.Downwards, Sort.Least, Sort.Without) for n in before):
        return False
    wanted = [n for n in before if of.has(n, Sort.Requesting, Sort.Fillers)]
    first = next((n for n in before if n not in wanted), None)
    orders = first is not None and any(i.sort is Sort.VERB and _makes(i) for i in items[first])
    return orders or any(of.has(n, Sort.Requesting) and n in of.of_speaker for n in wanted)


def _makes(item: Item) -> bool:
    return item.length == 1 and any(entry.role is Role.LIGHT_VERB for entry in item.entries)


def _blocks(place: int, of: Sentence) -> bool:
    """Whether a token says that it is told of somebody else or another time."""
    others = place in of.of_others or place in of.of_them
    return place in of.at_other_times or place in of.at_times or (others and place not in of.of_speaker)


def _told(said: Sequence[Told], of: Sentence, context: Context) -> list[_Meant]:
    """What words tell, that of most words first, each term once."""
    wished = [one for one in said if is_wish(one, of, context) and not asks(of, one.start)]
    by_term: dict[str, Told] = {}
    for one in sorted(wished, key=lambda one: (-len(one.places), one.start)):
        by_term.setdefault(one.term, one)
    most = max((len(one.places) for one in by_term.values()), default=0)
    return [
        _Meant(
            term,
            one.places,
            {
                "wish:told": 1.0,
                f"wish:told:{'pair' if one.paired else 'phrase'}": 1.0,
                "wish:told:words": float(min(6, len(one.places))),
                "wish:told:less": float(most - len(one.places)),
                "wish:told:rank": float(rank),
                "wish:told:others": float(len(by_term) - 1),
            },
        )
        for rank, (term, one) in enumerate(islice(by_term.items(), MOST_TOLD))
    ]


def _denied(of: Sentence, context: Context) -> Iterator[str]:
    """The complaints whose words stand behind a "not"."""
    for place in (n for n in _all(of) if of.has(n, Sort.Not)):
        for behind in range(place + 1, min(place + 1 + _BEFORE, len(of.tokens))):
            matches = context.dictionary.lexicon.at(of.tokens, behind)
            yield from (e.iri for match in matches for e in match.entries if e.role is Role.COMPLAINT)


def _near(text: str, of: Sentence, context: Context, denied: frozenset[str]) -> list[_Meant]:
    """The terms whose examples are nearest in meaning to a text, or to a clause of it; none about what is `denied`, or
    is wanted so, for what is near in meaning does not know a "not"."""
    parts = [text, *_clauses(text, of)]
    known = complaints(context.store)
    matters = {known[term].variable for term in denied if term in known}
    ranked = likely(parts, context.store)
    if ranked and ranked[0][0] in known and known[ranked[0][0]].variable in matters:
        return []
    return [
        _Meant(
            term,
            frozenset(),
            {
                "wish:near": 1.0,
                "wish:near:like": round(10 * like, 2),
                "wish:near:lead": round(10 * (like - ranked[1 - min(rank, 1)][1]) if len(ranked) > 1 else 3.0, 2),
                f"wish:near:{rank}": 1.0,
            },
        )
        for rank, (term, like) in enumerate(ranked[:MOST_NEAR])
    ]


def _clauses(text: str, of: Sentence) -> Iterator[str]:
    """The clauses of a text, where it has several."""
    ends = [n for n, t in enumerate(of.tokens) if t.text in _PAUSES and t.kind is TokenKind.PUNCTUATION]
    begin = 0
    for end in (*ends, len(of.tokens)):
        if _BEFORE <= end - begin < len(of.tokens) - 1:
            yield text[of.tokens[begin].start : of.tokens[end - 1].end]
        begin = end + 1


def _of_words(of: Sentence, items: Sequence[Sequence[Item]], meant: Sequence[_Meant]) -> dict[str, float]:
    """What the words beside a wish say of how likely it is one: orders, devices, numbers."""
    covered = {n for one in meant for n in one.places}
    free = [n for n in _all(of) if n not in covered]
    sorts = [{i.sort for i in items[n]} for n in free]
    orders = [n for n in free if any(e.role in _OF_ORDERS for i in items[n] if i.sort is Sort.VERB for e in i.entries)]
    unknown = [n for n in free if of.tokens[n].kind is TokenKind.WORD and {i.sort for i in items[n]} == {Sort.WORD}]
    return {
        "wish": 1.0,
        "wish:orders": float(min(3, len(orders))),
        "wish:nouns": float(min(3, sum(Sort.NOUN in one for one in sorts))),
        "wish:numbers": float(min(2, sum(Sort.NUMBER in one for one in sorts))),
        "wish:unknown": float(min(5, len(unknown))),
        "wish:free": float(min(10, len(free))) / 10,
        "wish:begs": float(of.tokens[-1].text == "?"),
    }


def _intents(
    one: _Meant, text: str, request: str, of: Sentence, items: Sequence[Sequence[Item]], context: Context
) -> Iterator[tuple[Intent, dict[str, float]]]:
    """The intents that a term comes to: in the rooms that are named, of the devices that are named or of any."""
    known = tellings(context.store)
    rooms = () if one.term in known.of_home else _rooms(one, items, context)
    where = {"wish:placed": float(bool(rooms))}
    plain = Intent(
        iri=f"{request}/intent-1",
        text=text,
        category=Category.IMPLICIT,
        selection=Select(quantity=Quantity.ALL, places=rooms),
        mentions=mentions(text),
    )
    if one.term in known.degrees:
        yield from ((i, {**where, "wish:degree": 1.0}) for i in _of_degree(plain, one, items, context))
        return
    complaint = complaints(context.store).get(one.term)
    if complaint is None:
        yield replace(plain, situation=one.term), {**where, "wish:situation": 1.0}
        return
    for classes, things in _devices(items, context):
        selection = replace(plain.selection, classes=classes, things=things)
        yield _complaining(replace(plain, selection=selection), complaint, one.term), {**where, "wish:of-noun": 1.0}
    yield _complaining(plain, complaint, one.term), {**where, "wish:of-any": 1.0}


def _complaining(intent: Intent, complaint: Complaint, term: str) -> Intent:
    return replace(intent, variable=complaint.variable, direction=complaint.direction, subject=term)


def _of_degree(intent: Intent, one: _Meant, items: Sequence[Sequence[Item]], context: Context) -> Iterator[Intent]:
    """ "The fan is far too strong": less of what such a device gives."""
    way = tellings(context.store).degrees[one.term]
    for classes, things in _devices(items, context):
        own = classes or tuple(
            c
            for t in things
            if t in context.registry.things
            for p in context.registry.things[t].parts
            for c in p.classes
        )
        for variable in _given(own, context)[:MOST_NEAR]:
            selection = replace(intent.selection, classes=classes, things=things)
            yield replace(intent, selection=selection, variable=variable, direction=way)


def _given(classes: Sequence[str], context: Context) -> list[str]:
    """The variables of which devices of some classes give more, the more they do."""
    held = [k for cls in classes for k in sorted(context.dictionary.held.get(cls, ()))]
    known = [context.vocabulary.kinds[kind] for kind in held if kind in context.vocabulary.kinds]
    return list(dict.fromkeys(i.variable for kind in known for i in kind.influences if i.direction > 0))


def _rooms(one: _Meant, items: Sequence[Sequence[Item]], context: Context) -> tuple[str, ...]:
    """The rooms that are named beside what is told."""
    found: list[str] = []
    place = 0
    while place < len(items):
        here = [i for i in items[place] if i.sort is Sort.PLACE and one.places.isdisjoint(range(i.start, i.end))]
        longest = max(here, key=lambda i: i.length, default=None)
        if longest is not None and not all(e.iri in _ANY_ROOM for e in longest.entries):
            name = PlaceName(longest.entries, longest.text, longest.plural, (), False)
            found.extend(places_named(name, context.registry))
        place = longest.end if longest is not None else place + 1
    return tuple(dict.fromkeys(found))


def _devices(items: Sequence[Sequence[Item]], context: Context) -> Iterator[tuple[tuple[str, ...], tuple[str, ...]]]:
    """The class of device that is named first, or the things of that name."""
    for here in items:
        nouns = [i for i in here if i.sort is Sort.NOUN]
        longest = max(nouns, key=lambda i: i.length, default=None)
        if longest is None:
            continue
        things = tuple(dict.fromkeys(e.iri for e in longest.entries if e.role is Role.THING))
        classes = tuple(e.iri for e in longest.entries if e.role is Role.DEVICE and e.iri != _DEVICE)
        classes = tuple(cls for cls in classes if cls in context.dictionary.held)
        if things or classes:
            yield ((), things) if things else (classes, ())
            return


def _candidate(
    one: _Meant,
    intent: Intent,
    features: Mapping[str, float],
    text: str,
    context: Context,
    weights: Mapping[str, float],
) -> Candidate:
    noted = Counter({**features, **one.features})
    effect = (repr(effect_of(intent, context, Selector(context.store, context.registry), noted)),)
    kept = {name: float(count) for name, count in noted.items() if count}
    return Candidate((((intent,),),), (), kept, worth(kept, weights), effect, hearing=Hearing())


def tells_apart(candidate: Candidate) -> bool:
    """Whether the told part of a reading stands whole in a clause of its own: behind the order, of another thing
    ("pause the music, the phone's ringing"), or before one that begins with its verb ("… left it on, turn it off")."""
    parts = [part for _, _, part in candidate.account]
    told = next((n for n, part in enumerate(parts) if part in _OF_STORIES), 0)
    joint = max((n for n, part in enumerate(parts[:told]) if part == "joint"), default=0)
    if joint and _ORDERED & {*parts[:joint]} and _OF_STORIES.isdisjoint(parts[:joint]):
        return "pronoun" not in parts[joint:told]
    behind = parts[parts.index("joint", told) + 1 :] if "joint" in parts[told:] else []
    first = next((part for part in behind if part not in _COURTEOUS), "")
    return (
        first == "verb" and _OF_STORIES.isdisjoint(behind) and _ORDERED.isdisjoint(parts[: parts.index("joint", told)])
    )


_OF_STORIES = frozenset({"told", "presence"})
_ORDERED = frozenset({"verb", "value", "change"})
_COURTEOUS = ("filler", "request")
