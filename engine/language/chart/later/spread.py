"""Coordinated names in an order, each written out: "the north and south curtains", "the curtains, left
and right", "the fan light, both lamp and fan"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.language.chart.goals.prepared import heard_items
from engine.language.chart.heard.items import Item, Sort, includes
from engine.language.chart.later.sentence import Sentence
from engine.language.words.lexicon import Role
from engine.language.words.morphology import singular
from engine.model.thing import Part

_JOINING = frozenset({"and", "n", "&", "plus"})
_BETWEEN = frozenset({",", ":", "-", "–", "—", "(", ")", ";", "."})
_SMALL = (Sort.Definite, Sort.Both, Sort.That, Sort.Of, Sort.On, Sort.In, Sort.There, Sort.PronounOne, Sort.And)
_PARTS = frozenset({"part", "parts", "two", "alike", "together"})
LONGEST = 3
"""How many words of a name may stand apart from the rest of it."""
Words = list[str]


def spread(sentence: Sentence, places: Sequence[int]) -> Iterator[str]:
    """An order with each of the things that it names in one breath named by itself; none where it names none so."""
    for number, place in enumerate(places):
        if sentence.tokens[place].text in _JOINING and 0 < number < len(places) - 1:
            found = _led(sentence, places, number) or _trailed(sentence, places, number)
            if found is not None:
                yield found


def _led(sentence: Sentence, places: Sequence[int], number: int) -> str | None:
    """ "The north and south curtains", "both the north curtain and the south"."""
    noun = _noun_behind(sentence, places, number + 1)
    for head in _heads(sentence, noun) if noun is not None else ():
        for start in range(max(0, number - LONGEST), number):
            first = [sentence.word(p) for p in places[start:number]]
            if noun is not None and _names(sentence, [*first, *head]):
                last = [sentence.word(p) for p in range(noun.start, noun.end - len(head))]
                both = ["the", *first, *head, "and", "the", *last, *head]
                return _said(sentence, places[: _past(sentence, places, start)], both, places[_at(places, noun.end) :])
    return None


def _trailed(sentence: Sentence, places: Sequence[int], number: int) -> str | None:
    """ "The curtains, left and right", "the north curtain and the south": the head stands before."""
    behind = next((p for p in places[number + 1 :] if not _is_small(sentence, p)), None)
    for item in (i for p in places[:number] for i in sentence.items[p] if i.sort is Sort.NOUN):
        between = [sentence.word(p) for p in places[:number] if p >= item.end and not _is_small(sentence, p)]
        for head in _heads(sentence, item):
            first = between or [sentence.word(p) for p in range(item.start, item.end - len(head))]
            last = [sentence.word(behind)] if behind is not None else first
            plain = len(between) <= 1 and first != last
            if plain and _names(sentence, [*first, *head]) and _names(sentence, [*last, *head]):
                start = _past(sentence, places, _at(places, item.start))
                both = ["the", *first, *head, "and", "the", *last, *head]
                return _said(sentence, places[:start], both, places[_at(places, (behind or 0) + 1) :])
    return None


def _noun_behind(sentence: Sentence, places: Sequence[int], number: int) -> Item | None:
    """The thing whose name, of more than one word, begins there."""
    while number < len(places) and sentence.is_at(places[number], Sort.Definite) is not None:
        number += 1
    if number == len(places):
        return None
    found = [i for i in sentence.items[places[number]] if i.sort is Sort.NOUN and i.length > 1]
    longest = max(found, key=lambda one: one.length, default=None)
    return longest or _by_room(sentence, places[number])


def _by_room(sentence: Sentence, place: int) -> Item | None:
    """A thing that is named by its room: "the study lamp"."""
    for room in (i for i in sentence.items[place] if i.sort is Sort.PLACE and i.end < len(sentence.items)):
        nouns = [i for i in sentence.items[room.end] if i.sort is Sort.NOUN and i.length == 1]
        if nouns:
            return Item(place, nouns[0].end, Sort.NOUN, f"{room.text} {nouns[0].text}", nouns[0].entries)
    return None


def _heads(sentence: Sentence, noun: Item) -> Iterator[Words]:
    """The common ends that coordinated names may have, in the singular, the longest first: "bedside lamp", "lamp"."""
    for start in range(noun.start + (noun.length > 1), noun.end):
        words = [sentence.word(p).casefold() for p in range(start, noun.end)]
        yield [*words[:-1], singular(words[-1])]


def _names(sentence: Sentence, words: Words) -> bool:
    """Whether words are the name of a thing of this home, or of a room and a class of things there."""
    items = heard_items(" ".join(words), sentence.teller.context)
    if len(items) != len(words) or len(words) < 2:
        return False
    whole = [i for i in items[0] if i.end == len(words) and i.sort is Sort.NOUN]
    if any(e.role is Role.THING for i in whole for e in i.entries):
        return True
    rooms = any(i.sort is Sort.PLACE and i.end == len(words) - 1 for i in items[0])
    return rooms and includes((items[-1],), Sort.NOUN)


def _past(sentence: Sentence, places: Sequence[int], number: int) -> int:
    """How many places are left before those that a name begins at, without its article."""
    while number and sentence.is_at(places[number - 1], Sort.Definite, Sort.Both, Sort.That) is not None:
        number -= 1
    return number


def _at(places: Sequence[int], place: int) -> int:
    """Where a place stands among others, or where the next one does."""
    return next((n for n, p in enumerate(places) if p >= place), len(places))


def _is_small(sentence: Sentence, place: int) -> bool:
    return sentence.tokens[place].text in _BETWEEN or sentence.is_at(place, *_SMALL) is not None


def _said(sentence: Sentence, before: Sequence[int], words: Words, after: Sequence[int]) -> str:
    rest = [sentence.word(p) for p in after]
    return " ".join((*(sentence.word(p) for p in before), *words, *rest)).replace(" ,", ",").replace(" .", ".")


# The parts of one device


def as_a_whole(sentence: Sentence, places: Sequence[int]) -> tuple[tuple[int, ...], tuple[str, ...]] | None:
    """An order without the list of all parts of the device that it names, and that device; None where it lists none."""
    for number, place in enumerate(places):
        for noun in (i for i in sentence.items[place] if i.sort is Sort.NOUN and i.end - 1 in places):
            found = _listed(sentence, places[_at(places, noun.end) :], noun)
            if found is not None:
                after = places[number + noun.length :]
                return (*places[: number + noun.length], *(p for p in after if p not in found[0])), found[1]
    return None


def _listed(sentence: Sentence, behind: Sequence[int], noun: Item) -> tuple[frozenset[int], tuple[str, ...]] | None:
    """The places of the words behind a device that only list all of its parts, and the devices that have such."""
    things = {iri: parts for iri, parts in _meant(sentence, noun) if len(parts) > 1}
    if not things:
        return None
    taken: set[int] = set()
    known: list[Item] = []
    for place in behind:
        if place in taken:
            continue
        part = max((i for i in sentence.items[place] if i.sort is Sort.NOUN), key=lambda i: i.length, default=None)
        if part is not None and any(_is_of(sentence, part, one) for parts in things.values() for one in parts):
            known.append(part)
            taken |= set(range(part.start, part.end))
        elif not known and not _is_small(sentence, place) and part is None:
            taken.clear()  # what is said of the device stands before the list
        elif _is_small(sentence, place) or sentence.tokens[place].text in _PARTS:
            taken.add(place)
        else:
            break
    fits = [iri for iri, parts in things.items() if all(any(_is_of(sentence, i, p) for i in known) for p in parts)]
    return (frozenset(taken), tuple(fits)) if fits else None


def _meant(sentence: Sentence, noun: Item) -> Iterator[tuple[str, tuple[Part, ...]]]:
    """Each device that a noun may mean as a whole, and the parts that it has besides itself."""
    registry, is_a = sentence.teller.context.registry, sentence.teller.context.vocabulary.is_a
    things = {e.iri for e in noun.entries if e.role is Role.THING}
    classes = [e.iri for e in noun.entries if e.role is Role.DEVICE]
    for thing in registry.things.values():
        if thing.iri in things or any(is_a(kind, cls) for kind in thing.classes for cls in classes):
            yield thing.iri, thing.parts[1:]


def _is_of(sentence: Sentence, noun: Item, part: Part) -> bool:
    """Whether a noun names the sort of thing that a part is."""
    is_a = sentence.teller.context.vocabulary.is_a
    return any(is_a(c, e.iri) for e in noun.entries if e.role is Role.DEVICE for c in part.every_class)
