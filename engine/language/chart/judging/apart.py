"""Differences that are asked for: of two things, each read by itself ("the desk lamp in the study, the floor lamp in
the hall. How far apart in brightness?"), of one and its target ("how many degrees has the boiler still to go?")."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set

from engine.environment.selection import Selector
from engine.errors import HearthgraphError
from engine.language.chart.heard.items import Item, Sort
from engine.language.chart.heard.rule_lexicon import difference_words
from engine.language.chart.judging.confidence import left_out
from engine.language.chart.judging.reader import Heard, heard
from engine.language.meanings.context import Context
from engine.language.meanings.past import Hearing
from engine.language.words.lexicon import Role
from engine.language.words.morphology import singular
from engine.language.words.records import replace
from engine.language.words.tokens import Token
from engine.model.intent import Asks, Category, Intent
from engine.model.selection import Quantity

MOST_SPLIT = 4
"""At how many places between two things a text is parted."""
MOST_TRIED, MOST_AIMED = 2, 4
"""How many readings of a thing are looked at; of one that is compared with its target."""
_NAMES = (Role.THING, Role.DEVICE, Role.PLACE, Role.PLACE_CLASS)
_OTHERS = (Sort.Than, Sort.SUPERLATIVE, Sort.If, Sort.When)
"""Words that ask which of two is more so, or say which things are meant: a text with them is read otherwise."""


def apart(text: str, request: str, context: Context, found: Heard) -> Intent | None:
    """The question for the difference between two things of this home, where a text has a word for that, names the two
    and in what they differ, and nothing else; None where it does not."""
    words = difference_words(context.store)
    terms = {place: term for place in range(len(found.tokens)) if (term := words.at(found.tokens, place)) is not None}
    differs = any(term[1] == "Differing" for term in terms.values())
    if not differs or any(i.sort in _OTHERS and i.length == 1 for own in found.items for i in own):
        return None
    taken = {p for start, (end, term) in terms.items() if term == "Differing" for p in range(start, end)}
    kind = _kind(found, taken)
    if kind is None:
        return None
    taken.update(kind)
    named = [p for p in _named(found.items) if p not in taken]
    said = " ".join(
        [*(t.text for t in found.tokens[kind.start : kind.stop - 1]), singular(found.tokens[kind[-1]].text)]
    )
    for before, after in _sides(found.tokens, named, terms, text):
        one = _asked(f"what is the {said} of {before}?", request, context)
        other = _asked(f"what is the {said} of {after}?", request, context) if one is not None else None
        if one is None or other is None or one.query is None:
            continue
        if one.property == other.property and one.selection != other.selection:
            query = replace(one.query, asks=Asks.DIFFERENCE, versus=other.selection, direction=0)
            return replace(one, text=text, query=query)
    return None


def _kind(found: Heard, taken: Set[int]) -> range | None:
    """Where the property stands in which two things differ; a "set" before it is of it."""
    kinds = [i for own in found.items for i in own if i.sort is Sort.KIND and i.start not in taken]
    best = max(kinds, key=lambda i: i.length, default=None)
    if best is None:
        return None
    own = best.start > 0 and found.tokens[best.start - 1].text == "set"
    return range(best.start - own, best.end)


def _named(items: Sequence[Sequence[Item]]) -> Iterator[int]:
    """The places of words that name things and rooms."""
    for own in items:
        for item in own:
            if item.having(*_NAMES):
                yield from range(item.start, item.end)


def _sides(
    tokens: Sequence[Token], named: Sequence[int], terms: dict[int, tuple[int, str]], text: str
) -> Iterator[tuple[str, str]]:
    """The words for each of two things, wherever a text may part between them: at "and" or the like, or a pause."""
    joints = [p for p, (_, term) in terms.items() if term == "Pairing"]
    pauses = [p for p, token in enumerate(tokens) if token.text in (",", ".", ":", ";")]
    for place in [*joints, *pauses][:MOST_SPLIT]:
        before, after = [p for p in named if p < place], [p for p in named if p > place]
        if before and after:
            yield _words(tokens, before, text), _words(tokens, after, text)


def _words(tokens: Sequence[Token], places: Sequence[int], text: str) -> str:
    return text[tokens[min(places)].start : tokens[max(places)].end]


def _asked(text: str, request: str, context: Context) -> Intent | None:
    """The question for one property of one thing of this home, read from all its words; None where it is none."""
    selector = Selector(context.store, context.registry)
    candidates = heard(text, request, replace(context, hearing=Hearing())).candidates
    for candidate in (c for c in candidates[:MOST_TRIED] if len(c.intents) == 1 and not left_out(c.features)):
        intent = candidate.intents[0]
        asks = intent.query.asks if intent.category is Category.CHECK and intent.query is not None else None
        if intent.fault is None and asks is Asks.VALUE and _is_one(intent, selector, context):
            return intent
    return None


def _is_one(intent: Intent, selector: Selector, context: Context) -> bool:
    """Whether a question is about one thing, or about parts of one."""
    select = intent.selection
    if not (select.things or select.classes):
        return False
    try:
        parts = selector.select(replace(select, quantity=Quantity.ALL))
    except HearthgraphError:
        return False
    return len({context.registry.thing_of[part].iri for part in parts}) == 1


def to_its_aim(text: str, request: str, context: Context, found: Heard) -> Intent | None:
    """The question for how far one thing of this home is from its target, where a text asks for a number, says that it
    is one still to go, and names one thing; None where it does not."""
    words = difference_words(context.store)
    terms = {term[1] for p in range(len(found.tokens)) if (term := words.at(found.tokens, p)) is not None}
    named = max(_things(found.items), key=lambda i: i.length, default=None)
    if named is None or not terms.issuperset(_ASKED):
        return None
    name = " ".join(token.text for token in found.tokens[named.start : named.end])
    own = replace(context, hearing=Hearing())
    for candidate in heard(f"is the {name} at its target?", request, own).candidates[:MOST_AIMED]:
        intent = next(iter(candidate.intents), None)
        if intent is None or intent.query is None or len(candidate.intents) > 1 or left_out(candidate.features):
            continue
        if intent.query.asks is Asks.REACHED and intent.property is not None:
            return replace(intent, text=text, query=replace(intent.query, asks=Asks.REMAINING))
    return None


_ASKED = ("HowFar", "StillToGo")


def _things(items: Sequence[Sequence[Item]]) -> Iterator[Item]:
    """The nouns that name things or classes of them."""
    yield from (i for own in items for i in own if i.sort is Sort.NOUN and i.having(Role.THING, Role.DEVICE))
