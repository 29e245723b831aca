"""Text into tokens with their places in the text: words, numbers, quotes, punctuation."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from types import MappingProxyType

from text_to_num import text2num

MAX_CHARACTERS = 4000
LARGEST = 1e300
BASE = 10


class TokenKind(Enum):
    WORD = "word"
    NUMBER = "number"
    QUOTE = "quote"
    PUNCTUATION = "punctuation"


@dataclass(frozen=True, slots=True)
class Token:
    """`text` in lower case without accents; `start` and `end` are places in the original text."""

    kind: TokenKind
    text: str
    start: int
    end: int
    number: float | None = None


_PATTERN = re.compile(
    r"""
      (?P<quote>"[^"]{1,200}")
    | (?P<time>\d{1,2}:\d{2}(?::\d{2})?)
    | (?P<number>[-−]?\d{1,3}(?:,\d{3})+(?:\.\d+)?|(?:(?<![\w.])[-−])?\d+(?:\.\d+)?(?:e[+-]?\d+)?)
    | (?P<half>(?<!\w)[ap]\.\s?m\b\.?)
    | (?P<ending>['’]s(?!\w))
    | (?P<word>[^\W\d_]+(?:['’][^\W\d_]+)*['’]?|[^\W\d_])
    | (?P<line>\n+)
    | (?P<symbol>%|°|℃|℉|[^\w\s])
    """,
    re.VERBOSE,
)
_DEGREE_SIGNS = {"℃": ("°", "c"), "℉": ("°", "f")}


def fold(text: str) -> str:
    """Lower case, without accents, straight quotes: `Café’s` becomes `cafe's`."""
    if text.isascii():
        return text.lower()
    plain = unicodedata.normalize("NFKD", text.replace("’", "'").replace("‘", "'"))
    return "".join(c for c in plain if not unicodedata.combining(c)).casefold()


def tokenize(text: str, written: Mapping[str, Sequence[str]] = MappingProxyType({})) -> list[Token]:
    """The tokens of a text, in order, words spelt as `written` has them. Number words ("twenty two") come as one
    number."""
    return _join_signs(_join_number_words(list(_respelt(_raw_tokens(text), written))))


@lru_cache(maxsize=65_536)
def words_in(label: str) -> tuple[str, ...]:
    """The words of a label, which many homes have: read once in a process."""
    return tuple(token.text for token in tokenize(label))


def _respelt(tokens: Iterable[Token], written: Mapping[str, Sequence[str]]) -> Iterator[Token]:
    """Each token as others write it: "isnae" is "isn't", "gonnae" is "going to"."""
    for token in tokens:
        for word in written.get(token.text, (token.text,)):
            yield token if word == token.text else Token(TokenKind.WORD, word, token.start, token.end)


def _join_signs(tokens: list[Token]) -> list[Token]:
    """ "Minus twenty", "twenty and a half" and "two and a half thousand" are one number each."""
    joined: list[Token] = []
    for token in tokens:
        before = joined[-1] if joined else None
        if token.number is not None and before is not None and before.text in ("minus", "negative"):
            joined[-1] = Token(TokenKind.NUMBER, f"minus {token.text}", before.start, token.end, -token.number)
        elif token.number is not None and _is_sign(joined) and before is not None and before.end == token.start:
            joined[-1:] = [*(Token(TokenKind.WORD, word, before.start, before.end) for word in _UP_BY), token]
        elif token.text == "half" and [t.text for t in joined[-2:]] in _AND_A and _is_number(joined, -3):
            first = joined[-3]
            del joined[-3:]
            value = (first.number or 0.0) + 0.5
            joined.append(Token(TokenKind.NUMBER, f"{first.text}{_HALF}", first.start, token.end, value))
        elif before is not None and before.number is not None and before.text.endswith(_HALF) and token.text in _GREAT:
            times = before.number * (token.number or 1.0)
            joined[-1] = Token(TokenKind.NUMBER, f"{before.text} {token.text}", before.start, token.end, times)
        else:
            joined.append(token)
    return joined


def _is_sign(tokens: list[Token]) -> bool:
    """Whether the last token is a plus that adds no two numbers: "+10 %" is so much more."""
    signed = bool(tokens) and tokens[-1].text == "+"
    return signed and not (_is_number(tokens, -2) and tokens[-2].end == tokens[-1].start)


_UP_BY = ("up", "by")
_AND_A = (["and", "a"], ["an", "a"])
_HALF, _GREAT = " and a half", ("hundred", "thousand")


def _is_number(tokens: list[Token], place: int) -> bool:
    return len(tokens) >= -place and tokens[place].number is not None


def _raw_tokens(text: str) -> list[Token]:
    tokens: list[Token] = []
    for match in _PATTERN.finditer(text):
        start, end, raw = match.start(), match.end(), match.group()
        if match.lastgroup == "quote":
            tokens.append(Token(TokenKind.QUOTE, fold(raw[1:-1]), start, end))
        elif match.lastgroup == "number":
            value = max(-LARGEST, min(LARGEST, float(raw.replace(",", "").replace("−", "-"))))
            tokens.append(Token(TokenKind.NUMBER, raw, start, end, value))
        elif match.lastgroup == "word":
            tokens.extend(_word(fold(raw), start, end))
        elif match.lastgroup == "ending":
            tokens.append(Token(TokenKind.WORD, fold(raw), start, end))
        elif match.lastgroup == "half":
            tokens.append(Token(TokenKind.WORD, f"{raw[0].lower()}m", start, end))
        elif match.lastgroup == "time":
            tokens.append(Token(TokenKind.WORD, raw, start, end))
        elif match.lastgroup == "line":
            tokens.append(Token(TokenKind.PUNCTUATION, ".", start, end))
        elif raw not in ("'", "’", "‘"):  # "'em", "'tis"
            pieces = _DEGREE_SIGNS.get(raw, (raw,))
            tokens.extend(Token(TokenKind.PUNCTUATION, piece, start, end) for piece in pieces)
    return tokens


def _word(word: str, start: int, end: int) -> list[Token]:
    """A word, with a possessive ending as a token of its own."""
    if word.endswith("'s") and len(word) > 2 and word[:-2] not in _CONTRACTED:
        return [
            Token(TokenKind.WORD, word[:-2], start, end - 2),
            Token(TokenKind.WORD, "'s", end - 2, end),
        ]
    if word.endswith(("er'n", "re'n")):  # "more'n" is "more than"
        return [Token(TokenKind.WORD, word[:-2], start, end - 2), Token(TokenKind.WORD, "than", end - 2, end)]
    if word.endswith("in'") and len(word) > 4:  # "swingin'"
        return [Token(TokenKind.WORD, f"{word[:-1]}g", start, end)]
    return [Token(TokenKind.WORD, word.rstrip("'") or word, start, end)]


_POINTS = ("point", "decimal")
_POINT = re.compile(" (?:point|decimal) ")
_APART = re.compile("  ")
_CONTRACTED = frozenset({"it", "that", "what", "where", "who", "there", "here", "let", "how", "he", "she"})


@lru_cache(maxsize=65_536)
def _is_number_word(word: str) -> bool:
    if word in ("ones", "a", "an"):
        return False
    try:
        text2num(word, "en")
    except ValueError:
        return False
    return True


def _join_number_words(tokens: list[Token]) -> list[Token]:
    joined: list[Token] = []
    place = 0
    while place < len(tokens):
        length, value = _number_words_at(tokens, place)
        if length and value is not None:
            first, last = tokens[place], tokens[place + length - 1]
            words = " ".join(token.text for token in tokens[place : place + length])
            joined.append(Token(TokenKind.NUMBER, words, first.start, last.end, value))
            place += length
        else:
            joined.append(tokens[place])
            place += 1
    return joined


def _number_words_at(tokens: list[Token], place: int) -> tuple[int, float | None]:
    """How many tokens from `place` spell one number, and the number."""
    if tokens[place].kind is not TokenKind.WORD or not _is_number_word(tokens[place].text):
        return 0, None
    end = place + 1
    while end < len(tokens) and _continues_number(tokens, end):
        end += 1
    for stop in range(end, place, -1):
        words = "".join(t.text if t.text == "-" else f" {t.text} " for t in tokens[place:stop])
        if tokens[stop - 1].text not in ("and", "-"):
            value = _value_of(_digits_joined(words))
            if value is not None:
                return stop - place, value
    return 0, None


def _continues_number(tokens: list[Token], place: int) -> bool:
    token = tokens[place]
    if token.kind is TokenKind.WORD:
        return token.text in ("and", *_POINTS) or _is_number_word(token.text)
    return token.text == "-" and tokens[place - 1].end == token.start


def _digits_joined(words: str) -> str:
    """The words of a number without hyphens; digits that are said one by one ("two-two-zero") as one word of digits."""
    return " ".join(_digits_of(word) or word.replace(" - ", " ") for word in _APART.split(words.strip()))


def _digits_of(word: str) -> str:
    """The digits that a word has between its hyphens; none for one that has more, or no hyphen."""
    digits = [_value_of(one) for one in word.split(" - ")]
    single = [f"{digit:.0f}" for digit in digits if digit is not None and digit < BASE]
    return "".join(single) if len(single) == len(digits) > 1 else ""


@lru_cache(maxsize=4096)
def _value_of(words: str) -> float | None:
    whole, point, fraction = _POINT.sub(" point ", words).partition(" point ")
    try:
        value = float(whole if whole.isdigit() else text2num(whole, "en"))
        if not point:
            return value
        digits = "".join(str(text2num(word, "en")) for word in fraction.split())
        return float(f"{int(value)}.{digits}")
    except ValueError:
        return None
