"""Whose way a request wants things to be: the speaker's own, that of somebody who is named, or nobody's."""

from __future__ import annotations

from collections.abc import Iterable

from engine.graph.store import GraphStore
from engine.language.meanings.context import Context
from engine.language.words.lexicon import Role
from engine.language.words.morphology import singular
from engine.memory.said.words import Sentence, read

SELF = ""
_OBJECTS = (Role.THING, Role.DEVICE)
_SHORT = 3
"""Of how many words that names somebody is at most."""


def owner(
    sentence: Sentence, names: Iterable[str], user: str | None, occasions: Iterable[str], context: Context
) -> str | None:
    """Whose way is wanted, if anybody's."""
    others = [name for name in names if name != (user or "").casefold()]
    named = named_in(sentence, others, context)
    if named is not None and _prepares_for(sentence, named, others, context):
        return named
    for place in range(len(sentence.tokens)):
        whose = _whose(sentence, place)
        if whose is None:
            continue
        return SELF if whose == SELF else named
    if sentence.find("hg:UsualWord") is not None:
        return SELF
    own = set(occasions)
    for place in range(len(sentence.tokens)):
        if sentence.word(place) in ("my", "our") and any(
            own & one.terms for several in sentence.at[place + 1 : place + 3] for one in several
        ):
            return SELF
    return None


def named_in(sentence: Sentence, names: Iterable[str], context: Context) -> str | None:
    """Who of these is named, be it by another word for the same: "granny", who is told of as "Grandma"."""
    spoken = {word for token in sentence.tokens for word in (token.text, singular(token.text))}
    exact = next((name for name in names if set(name.split()) <= spoken), None)
    if exact is not None:
        return exact
    said = frozenset(term for one in sentence.stretches() if one.can("hg:KinWord") for term in one.terms) & kin(context)
    return next((name for name in names if said and said & _terms_of(name, context)), None)


def _terms_of(name: str, context: Context) -> frozenset[str]:
    return frozenset(term for one in read(name, context).stretches() for term in one.terms)


def kin(context: Context) -> frozenset[str]:
    """The classes of words of which each says who somebody is to the family, and all of one the same."""
    return context.store.of_terms("memory/kin", lambda: _kin(context.store))


def _kin(store: GraphStore) -> frozenset[str]:
    return frozenset(row[0].value for row in store.select("memory/kin") if row[0] is not None)


def _prepares_for(sentence: Sentence, named: str, names: Iterable[str], context: Context) -> bool:
    """ "Get the guest room ready for Grandma": a place is prepared for somebody whose likings are known."""
    if sentence.find("hg:PreparingWord") is None or sentence.has_number:
        return False
    places = [n for n in range(len(sentence.tokens) - 1) if sentence.word(n) == "for"]
    after = [read(sentence.said(n + 1, len(sentence.tokens)), context) for n in places]
    return any(len(one.tokens) <= _SHORT and named_in(one, names, context) == named for one in after)


def is_own_way(sentence: Sentence) -> bool:
    """Whether somebody says that they want their own way, and names nothing."""
    things = sentence.named(*_OBJECTS)
    return not things and any(_whose(sentence, n) == SELF for n in range(len(sentence.tokens)))


def _whose(sentence: Sentence, place: int) -> str | None:
    """Whose way words from a place on speak of: SELF, or "other"; None for no way. "How I like it", "her way"."""
    if sentence.here("hg:OwnWay", place) is not None or sentence.here("hg:UsualWord", place) is not None:
        before = sentence.word(place - 1)
        if before in ("my", "our"):
            return SELF
        if before in ("her", "his", "their", "'s"):
            return "other"
    as_word = sentence.here("hg:AsWord", place)
    if as_word is None:
        return None
    with_self = sentence.here("hg:SelfWord", as_word.end - 1) is not None  # "what I"
    return _after_as(sentence, as_word.end - with_self)


def _after_as(sentence: Sentence, place: int) -> str | None:
    """Who has it so, after "how": "I always have it", "she prefers it", "pleases me", "it always is"."""
    while sentence.word(place) in ("that", "which", "it"):
        place += 1
    always = sentence.here("hg:OftenWord", place)
    if always is not None and sentence.word(always.end) in ("is", "are", "has", "was"):
        return SELF
    keeping = sentence.here("hg:KeepingWord", place)
    if keeping is not None and sentence.word(keeping.end) in ("me", "us"):
        return SELF
    who = SELF if sentence.here("hg:SelfWord", place) is not None else "other"
    end = place + 1
    if who == "other":
        person = sentence.here("hg:OtherWord", place) or sentence.here("hg:KinWord", place)
        known = any(one.terms or one.names for one in sentence.at[place]) if place < len(sentence.tokens) else True
        if person is None and known:
            return None
        end = person.end if person is not None else end
    while (often := sentence.here("hg:OftenWord", end)) is not None:
        kept = sentence.here("hg:KeepingWord", end)
        if kept is not None and sentence.here("hg:KeepingWord", often.end) is None:
            break
        end = often.end
    return who if sentence.here("hg:KeepingWord", end) is not None else None


def asks_for_own(sentence: Sentence) -> bool:
    """Whether somebody's own way is asked for in so many words, so that nothing else can be meant."""
    ways = [n for n in range(len(sentence.tokens)) if _whose(sentence, n) is not None]
    return any(sentence.word(place) not in ("what", "whatever", "like") for place in ways)
