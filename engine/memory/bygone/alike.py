"""What a request comes to that one of two things that were spoken of shall be as the other is.

"The left one as bright as the right", "bring whichever is warmer down to the other": of two things alike, the words
tell which one changes, by its name or by how it compares; it gets the value that the other has now.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from engine.environment.comparisons import level_of
from engine.graph.terms import Json
from engine.language.chart.heard.items import Sort, function_words
from engine.language.meanings import property_kinds as kinds_of
from engine.language.meanings.context import Context
from engine.language.talk.anaphora import group
from engine.language.words.lexicon import Match, Role
from engine.language.words.morphology import superlative_of
from engine.language.words.tokens import MAX_CHARACTERS, Token, TokenKind, tokenize
from engine.memory.bygone.called import matches_of, named
from engine.memory.bygone.earlier import set_to
from engine.memory.recalled.mentions import kinds_in
from engine.memory.recalled.recall import numbered
from engine.memory.said.words import read
from engine.model.intent import Intent
from engine.model.thing import Property

_ALIKE = frozenset({Sort.Same.value, Sort.Other.value})
_MORE = ("more", "less")
_WAYS = {Sort.Upwards.value: 1, Sort.Downwards.value: -1}


def alike(text: str, state: Mapping[str, Json], request: str, context: Context) -> tuple[Intent, ...]:
    """The intents of a request that one of the two that were spoken of shall be as the other; none for any other."""
    tokens = tokenize(text[:MAX_CHARACTERS])
    both = group(context) if context.past.last is not None else ()
    marked = _mark(text, tokens, context) if len(both) == 2 else None
    if marked is None or any(t.kind is TokenKind.NUMBER and t.text != "one" for t in tokens):
        return ()
    matches = matches_of(tokens, context)
    for one, other in _pairs(both, text, state, context):
        target = _called(tokens, matches, both, marked, context) or _compared(
            tokens, matches, one, other, state, context
        )
        if target is None:
            continue
        source, wanted = (other, one) if target == one.part else (one, other)
        intent = set_to(source.iri, wanted.iri, state.get(source.iri), context)
        return numbered([intent], request, text) if intent is not None else ()
    return ()


def _mark(text: str, tokens: Sequence[Token], context: Context) -> int | None:
    """Where words say that something shall be as another: "the same", "as … as", "to what the other is at"."""
    trie = function_words(context.store).trie
    found = [n for n in range(len(tokens)) for m in trie.at(tokens, n) for e in m.entries if e.iri in _ALIKE]
    ways = [one for one in read(text, context).stretches() if one.can("hg:SameWord") or one.can("hg:AsWord")]
    said = [one.start for one in ways if not one.can("hg:OnceMore")]  # "the lamp on again"
    return min((*found, *said), default=None)


def _pairs(
    both: Sequence[str], text: str, state: Mapping[str, Json], context: Context
) -> Iterator[tuple[Property, Property]]:
    """The settings that both have, of which both values are known: those that are named, that were spoken of, and that
    such things are for, in this order."""
    told = list(kinds_in(read(text, context), context))
    told += [kind for turn in reversed(context.past.turns) for said in turn.said for kind in said.kinds]
    told += kinds_of.main(tuple(sorted(context.registry.parts[both[0]].classes)), context)
    is_a = context.vocabulary.is_a
    for kind in dict.fromkeys(told):
        own = [
            next((p for p in _settings(part, context) if any(is_a(k, kind) for k in p.kinds)), None) for part in both
        ]
        one, other = own
        if (
            one is not None
            and other is not None
            and state.get(one.iri) is not None
            and state.get(other.iri) is not None
        ):
            yield one, other


def _settings(part: str, context: Context) -> Iterable[Property]:
    """The properties of a part whose values are more or less."""
    return (p for p in context.registry.thing_of[part].of_part(part) if p.schema.type in ("integer", "number"))


def _called(
    tokens: Sequence[Token], matches: Sequence[Match], both: Sequence[str], marked: int, context: Context
) -> str | None:
    """The one of two that is named to be changed: before it is said as what, or else the one that is not named then."""
    found = named(tokens, matches, frozenset(both), context)
    single = sorted((n, next(iter(own))) for n, own in found if len(own) == 1)
    if not single:
        return None
    place, part = single[0]
    if place < marked:
        return part
    return next(one for one in both if one != part) if all(own == part for _, own in single) else part


def _compared(
    tokens: Sequence[Token],
    matches: Sequence[Match],
    one: Property,
    other: Property,
    state: Mapping[str, Json],
    context: Context,
) -> str | None:
    """The one of two that is told by how it compares: what goes down is the higher, what goes up the lower; else as the
    first comparison says."""
    levels = [level_of(state.get(p.iri), p, context.registry) for p in (one, other)]
    low, high = levels
    moves, compares = _directions(tokens, matches, context)
    way = -moves[0] if moves else compares[0] if compares else 0
    if low is None or high is None or low == high or not way:
        return None
    return one.part if (low > high) == (way > 0) else other.part


def _directions(tokens: Sequence[Token], matches: Sequence[Match], context: Context) -> tuple[list[int], list[int]]:
    """Which ways verbs and particles go, and which ways comparatives compare, each in its order."""
    trie, relations = function_words(context.store).trie, context.dictionary.relations
    found: dict[tuple[int, int], int] = {}
    for place in range(len(tokens)):
        for match in trie.at(tokens, place):
            ways = [_WAYS[e.iri] for e in match.entries if e.iri in _WAYS]
            found.update(((place, match.end), way) for way in ways)
    for match in matches:
        ways = [r.direction for e in match.entries if e.role is Role.RELATIVE for r in relations.get(e.iri, ())]
        if ways:
            found.setdefault((match.start, match.end), ways[0])
    compares = {span for span in found if _is_comparative(tokens[span[1] - 1])}
    moves = [found[span] for span in sorted(found) if span not in compares]
    return moves, [found[span] for span in sorted(compares)]


def _is_comparative(token: Token) -> bool:
    """Whether a word compares: not "down", nor "drop"."""
    return token.text in _MORE or superlative_of(token.text) is not None
