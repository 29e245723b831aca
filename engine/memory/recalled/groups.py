"""Names for several things at once: "we call the floor lamp and the desk lamp the cosy pair", told and then used."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from engine.language.meanings.context import Context
from engine.language.words.tokens import TokenKind
from engine.memory.recalled.mentions import mentions_in
from engine.memory.said.words import Sentence, read
from engine.model.fact import Fact

_ARTICLES = frozenset({"the", "my", "our", "a", "as", "together"})
_TAG = re.compile(
    r",? (?:will|would|can|could|won't) (?:you|ya|we)(?: please)?\?$|,? (?:ok|okay|yeah|right|please)\??$",
    re.IGNORECASE,
)
"""What is said behind an order to be polite."""
_MOST_WORDS = 4
"""Of how many words such a name is at most."""
_CALLERS = frozenset({"i", "we", "please", "you", "can", "could", "let's", "lets", "let", "us", "to", "also", "just"})


@dataclass(frozen=True, slots=True)
class Group:
    """A name and the words for the things that it stands for."""

    name: tuple[str, ...]
    members: str


@dataclass(frozen=True, slots=True)
class Named:
    """A request in which the names of groups are said in so many words, and the facts that tell of them."""

    text: str
    facts: tuple[Fact, ...]


def group_of(text: str, context: Context) -> Group | None:
    """The group of two things at least to which a sentence gives a name; None for a sentence that gives none."""
    sentence = read(_TAG.sub("", text.strip()).rstrip(".! "), context)
    if sentence.text.endswith("?"):
        return None
    return _called(sentence, context) or _meant(sentence, context)


def _called(sentence: Sentence, context: Context) -> Group | None:
    """ "We call the floor lamp and the desk lamp the cosy pair"."""
    verb = sentence.find("hg:CallingWord")
    if verb is None or not {sentence.word(n) for n in range(verb.start)} <= _CALLERS:
        return None
    end = _last_member(sentence, verb.end)
    return None if end is None else _group(sentence, (verb.end, end), (end, len(sentence.tokens)), context)


def _meant(sentence: Sentence, context: Context) -> Group | None:
    """ "The cosy pair means the floor lamp and the desk lamp", "… and … are called the cosy pair"."""
    verb = sentence.find("hg:MeaningWord")
    if verb is None or verb.start == 0:
        return None
    before, after = (0, verb.start), (verb.end, len(sentence.tokens))
    if _last_member(sentence, verb.end) is not None:
        return _group(sentence, after, before, context)
    told = sentence.said(verb.start, verb.end).casefold() != "are"
    return _group(sentence, before, after, context) if told else None


def _last_member(sentence: Sentence, start: int) -> int | None:
    """Past the last thing that is named after the "and" of an enumeration; None where nothing is enumerated."""
    joint = next((n for n in range(start, len(sentence.tokens)) if sentence.word(n) == "and"), None)
    named = (one for several in sentence.at[joint or 0 :] for one in several if one.names)
    last = next(named, None)
    return last.end if joint is not None and last is not None else None


def _group(sentence: Sentence, members: tuple[int, int], name: tuple[int, int], context: Context) -> Group | None:
    said = sentence.said(*members).strip(" ,")
    things = [one.things for one in mentions_in(read(said, context), context)]
    words = [sentence.tokens[n] for n in range(*name)]
    while words and words[0].text in _ARTICLES:
        words.pop(0)
    called = tuple(token.text for token in words)
    plain = all(token.kind is TokenKind.WORD for token in words) and 0 < len(words) <= _MOST_WORDS
    several = len(things) > 1 and all(len(one) == 1 for one in things)
    return Group(called, said) if plain and several else None


def spelt(text: str, known: Iterable[Fact], context: Context) -> Named | None:
    """A request with the members of each group that it names in the place of the name; None where it names none."""
    used: list[Fact] = []
    for fact in known:
        group = group_of(fact.text, context) if {"call", "mean"} & set(fact.topics) or " are " in fact.text else None
        place = None if group is None else _place_of(group.name, sentence := read(text, context))
        if group is not None and place is not None:
            start = place - 1 if sentence.word(place - 1) in _ARTICLES else place
            end = place + len(group.name)
            before, after = sentence.tokens[start].start, sentence.tokens[end - 1].end
            text, used = f"{text[:before]}{group.members}{text[after:]}", [*used, fact]
    return Named(text, tuple(used)) if used else None


def _place_of(name: Sequence[str], sentence: Sentence) -> int | None:
    words = [token.text for token in sentence.tokens]
    return next((n for n in range(len(words)) if tuple(words[n : n + len(name)]) == tuple(name)), None)
