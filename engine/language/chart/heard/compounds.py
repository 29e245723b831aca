"""Words that are made of several, in languages that write them as one: the room and the device of "Küchenlicht"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from engine.language.chart.heard.items import FunctionWords
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
