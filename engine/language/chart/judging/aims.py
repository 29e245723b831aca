"""The distance of a thing from its target: "how many degrees has the boiler still to go?", "how far is it off its
setting?"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.language.chart.heard.items import Item, Sort
from engine.language.chart.heard.rule_lexicon import difference_words
from engine.language.chart.judging.confidence import left_out
from engine.language.chart.judging.reader import Heard, heard
from engine.language.meanings.context import Context
from engine.language.meanings.past import Hearing
from engine.language.words.lexicon import Role
from engine.language.words.records import replace
from engine.model.intent import Asks, Intent

MOST_TRIED = 4
"""How many readings of the thing are looked at."""


def to_its_aim(text: str, request: str, context: Context, found: Heard) -> Intent | None:
    """The question for how far one thing of this home is from its target, where a text asks for a number, says that it
    is one still to go, and names one thing; None where it does not."""
    words = difference_words(context.store)
    terms = {term[1] for p in range(len(found.tokens)) if (term := words.at(found.tokens, p)) is not None}
    named = max(_named(found.items), key=lambda i: i.length, default=None)
    if named is None or not terms.issuperset(_ASKED):
        return None
    name = " ".join(token.text for token in found.tokens[named.start : named.end])
    own = replace(context, hearing=Hearing())
    for candidate in heard(f"is the {name} at its target?", request, own).candidates[:MOST_TRIED]:
        intent = next(iter(candidate.intents), None)
        if intent is None or intent.query is None or len(candidate.intents) > 1 or left_out(candidate.features):
            continue
        if intent.query.asks is Asks.REACHED and intent.property is not None:
            return replace(intent, text=text, query=replace(intent.query, asks=Asks.REMAINING))
    return None


_ASKED = ("HowFar", "StillToGo")


def _named(items: Sequence[Sequence[Item]]) -> Iterator[Item]:
    """The nouns that name things or classes of them."""
    yield from (i for own in items for i in own if i.sort is Sort.NOUN and i.having(Role.THING, Role.DEVICE))
