"""A sentence that may make a rule, with all that its words may be."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from engine.language.chart.heard.items import Item, Sort, includes
from engine.language.chart.heard.rule_lexicon import RuleWords
from engine.language.chart.later.told import Teller
from engine.language.times.times import TimeItem
from engine.language.words.tokens import Token

JOINTS = frozenset({",", ":", ";", "then", "-", "–", "—", ".", "?", "=", "→", "⇒"})
LEADING = JOINTS | {"and", "so", "but", "also"}
MARKS = (Sort.If, Sort.When)
_GOALS = (Sort.VERB, Sort.VALUE, Sort.NUMBER, Sort.RELATIVE, Sort.Upwards, Sort.Downwards)


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence with the items of its tokens, and the readers of its conditions."""

    text: str
    tokens: Sequence[Token]
    items: Sequence[Sequence[Item]]
    times: Sequence[TimeItem]
    words: RuleWords
    teller: Teller
    _terms: Sequence[tuple[int, str] | None] = field(init=False, repr=False, compare=False)
    _filling: frozenset[int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        terms = tuple(self.words.at(self.tokens, place) for place in range(len(self.tokens)))
        fillers = (i for own in self.items for i in own if i.sort is Sort.Fillers or self._asks_if(i))
        object.__setattr__(self, "_terms", terms)
        object.__setattr__(self, "_filling", frozenset(p for i in fillers for p in range(i.start, i.end)))

    def _asks_if(self, item: Item) -> bool:
        """Whether a request has an "if" of its own: "it would make my day *if*"."""
        own = self.items[item.start + 1 : item.end]
        return item.sort is Sort.Requesting and includes(own, Sort.If) and not includes(own, Sort.Whether)

    def is_filling(self, place: int) -> bool:
        """Whether a token is within words that say nothing."""
        return place in self._filling

    def term(self, place: int) -> tuple[int, str] | None:
        """The word of rules that begins at a token."""
        return self._terms[place] if 0 <= place < len(self._terms) else None

    def word(self, place: int) -> str:
        """A token as it was said."""
        return self.text[self.tokens[place].start : self.tokens[place].end]

    def is_at(self, place: int, *sorts: Sort) -> int | None:
        """Where an item of one of these sorts ends that begins at a token, the longest."""
        ends = [i.end for i in self.items[place] if i.sort in sorts] if place < len(self.items) else []
        return max(ends, default=None)


def is_joint(sentence: Sentence, place: int) -> bool:
    """Whether a token only joins the tokens around it; a hyphen within a word does not."""
    token = sentence.tokens[place]
    if token.text == "-":
        return not (_is_glued(sentence, place) and _is_glued(sentence, place + 1))
    return token.text in LEADING or sentence.is_at(place, Sort.And) == place + 1


def _is_glued(sentence: Sentence, place: int) -> bool:
    """Whether a token stands right behind the one before it."""
    tokens = sentence.tokens
    return 0 < place < len(tokens) and tokens[place - 1].end == tokens[place].start


def is_goal(sentence: Sentence, places: Sequence[int]) -> bool:
    """Whether words say a state to be reached or a command."""
    return any(sentence.is_at(place, *_GOALS) is not None for place in places)
