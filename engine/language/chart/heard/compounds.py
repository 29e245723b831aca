"""Words that belong together: those that one language writes as one ("Küchenlicht"), the options of a kind ("air fry
mode"), and a verb with the word that ends its clause ("let the lamp be")."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from engine.language.chart.heard.items import FunctionWords, Item, Sort, clauses, includes
from engine.language.words.dictionary import Dictionary
from engine.language.words.lexicon import Lexicon, Role
from engine.language.words.tokens import Token, TokenKind

SHORTEST, LINKS = 3, ("", "n", "en", "s", "es", "er")
"""The letters that a part of a compound has at least, and those that may join it to the next."""


def parted(tokens: Sequence[Token], lexicon: Lexicon, grammar: FunctionWords) -> Iterator[Token]:
    """The tokens, words for numbers as numbers; those that nobody knows taken apart where they are made of the name
    of a room and that of a device: "Küchenlicht"."""
    for one in tokens:
        number = next((float(e.iri) for m in grammar.numbers.at([one], 0) for e in m.entries), None)
        if number is not None:
            yield replace(one, kind=TokenKind.NUMBER, number=number)
            continue
        known = one.kind is not TokenKind.WORD or lexicon.knows(one.text) or grammar.knows(one.text)
        yield from (one,) if known else _halves(one, lexicon)


def _halves(token: Token, lexicon: Lexicon) -> tuple[Token, ...]:
    text = token.text
    for cut in range(len(text) - SHORTEST, SHORTEST - 1, -1):
        head = next((h for link in LINKS if (h := _without(text[:cut], link)) and _is(h, lexicon, _ROOMS)), None)
        if head is not None and _is(text[cut:], lexicon, _DEVICES):
            middle = token.start + cut
            return (
                Token(TokenKind.WORD, head, token.start, middle),
                Token(TokenKind.WORD, text[cut:], middle, token.end),
            )
    return (token,)


_ROOMS = (Role.PLACE, Role.PLACE_CLASS)
_DEVICES = (Role.DEVICE, Role.THING, Role.PROPERTY)


def _without(text: str, link: str) -> str:
    return text.removesuffix(link) if text.endswith(link) else ""


def _is(word: str, lexicon: Lexicon, roles: Sequence[Role]) -> bool:
    token = Token(TokenKind.WORD, word, 0, len(word))
    return any(m.end == 1 and any(e.role in roles for e in m.entries) for m in lexicon.at([token], 0))


def leave_alone(items: list[list[Item]]) -> None:
    """Takes "let" for "leave" where its clause ends so: "*let* the lamp *be*"; elsewhere it says nothing of that."""
    ends = {place: one.stop for one in clauses(items) for place in one}
    for place, own in enumerate(items):
        end = ends.get(place, place)
        led = includes(items[end - 1 : end], Sort.Alone) and end > place + 1
        kept = (i for i in own if led or i.sort is not Sort.Letting)
        items[place] = [replace(i, sort=Sort.Leave) if i.sort is Sort.Letting else i for i in kept]


def name_options(items: list[list[Item]], dictionary: Dictionary) -> None:
    """Takes away what else the words of an option are, right before the kind that has it: "air fry mode" fries
    nothing."""
    for place, own in enumerate(items):
        ends = {i.end for i in own for e in i.having(Role.OPTION) if _is_had(e.iri, i.end, items, dictionary)}
        end = max(ends, default=place)
        for inside in range(place, end):
            items[inside] = [
                i
                for i in items[inside]
                if i.end > end or (i.sort is not Sort.VERB if (inside, i.end) == (place, end) else i.sort is Sort.WORD)
            ]


def _is_had(option: str, place: int, items: Sequence[Sequence[Item]], dictionary: Dictionary) -> bool:
    """Whether a kind is named at a place that has an option."""
    kinds = dictionary.options.get(option, frozenset())
    return any(
        e.iri in kinds for i in items[place : place + 1] for one in i if one.sort is Sort.KIND for e in one.entries
    )
