"""What people tell around a rule, and do not order: "I always forget, so …", "…, there is glitter everywhere"."""

from __future__ import annotations

from collections.abc import Sequence

from engine.language.chart.goals.prepared import heard_items, tokens_of
from engine.language.chart.heard.items import PAUSES, Item, Sort, includes
from engine.language.chart.heard.rule_lexicon import RuleWords, rule_words
from engine.language.meanings.context import Context
from engine.language.words.tokens import Token
from engine.model.rule import Recurrence

FOR_THAT = "ForThatReason"
OF_HOMES = (Sort.NOUN, Sort.PLACE, Sort.KIND, Sort.When, Sort.If)
"""What words about a home are, and of what has to come about in it."""
_BREAKS = frozenset(",;.-–—")


def without_remarks(text: str, context: Context) -> str:
    """The part of a text that may order something: without the reason that is given before "so", and without what is
    told behind the last comma; all of it where nothing else would be left."""
    tokens = tokens_of(text, context)
    words = rule_words(context.store)
    text, tokens = _without_reason(text, tokens, words)
    if not any(_is(words, tokens, p, FOR_THAT) or _is(words, tokens, p, "Narrating") for p in range(len(tokens))):
        return text
    items = heard_items(text, context)
    start, end = 0, len(tokens)
    reasons = [p for p in range(1, end - 1) if _is(words, tokens, p, FOR_THAT)]
    timed = any(i.sort is Sort.TIME and i.said == "plain" for p in range(min(reasons, default=0)) for i in items[p])
    if reasons and not timed and (_is_told(words, tokens, items, 0) or includes(items[:2], Sort.SpeakerWord)):
        start = reasons[0] + 1
    for place in range(end - 1, start, -1):
        if tokens[place].text in _BREAKS and place + 2 < end and _is_told(words, tokens, items, place + 1):
            end = place
    if end - start < 2:
        return text
    return text if (start, end) == (0, len(tokens)) else text[tokens[start].start : tokens[end - 1].end]


def without_timed_reason(text: str, context: Context) -> str:
    """The text without a reason before it that says when something outside of the home is: "guests in ten minutes, so
    unlock the door"."""
    tokens, words = tokens_of(text, context), rule_words(context.store)
    items = heard_items(text, context)
    for place in range(1, len(tokens) - 1):
        found = words.at(tokens, place)
        if found is None or found[1] != FOR_THAT or not includes((items[place - 1],), *PAUSES):
            continue
        before, behind = items[:place], items[found[0] :]
        times = [i.time for own in before for i in own if i.sort is Sort.TIME]
        once = bool(times) and not any(isinstance(one, Recurrence) for one in times)
        told = includes(before, *OF_HOMES, *_SAID_OF_THEN) or includes(behind, Sort.When)
        if behind and once and not told:
            return text[tokens[found[0]].start :]
    return text


_SAID_OF_THEN = (Sort.VERB, Sort.Copula, Sort.Being, Sort.Modal, Sort.Whether)


def _without_reason(text: str, tokens: list[Token], words: RuleWords) -> tuple[str, list[Token]]:
    """The text and its tokens up to the last reason that is given behind an order: "…, or nobody makes the bus"."""
    given = next((p for p in range(len(tokens) - 1, 1, -1) if _is(words, tokens, p, "ForReason")), 0)
    broken = any(tokens[p].text in _STOPS for p in range(given, len(tokens) - 1))
    return (text, tokens) if not given or broken else (text[: tokens[given].start], tokens[:given])


_STOPS = frozenset(",.;:")


def without_needless(text: str, context: Context) -> str:
    """The text without "if it isn't" at the end of an order, which says no more than the order."""
    tokens, words = tokens_of(text, context), rule_words(context.store)
    for place in range(len(tokens) - 1, 1, -1):
        if _is(words, tokens, place, "IfNeeded"):
            end = (words.at(tokens, place) or (place, ""))[0]
            if end == len(tokens) or tokens[end].text in _STOPS:
                return f"{text[: tokens[place].start].rstrip(' ,')}{text[tokens[end - 1].end :]}"
    return text


def gives_a_reason(text: str, context: Context) -> bool:
    """Whether a text orders something for a reason that it gives first."""
    return without_remarks(text, context) != text


def _is(words: RuleWords, tokens: Sequence[Token], place: int, term: str) -> bool:
    found = words.at(tokens, place)
    return found is not None and found[1] == term


def _is_told(words: RuleWords, tokens: Sequence[Token], items: Sequence[Sequence[Item]], place: int) -> bool:
    """Whether a clause that begins there tells something, and neither wishes nor orders it."""
    wishes = any(item.sort is Sort.Requesting for item in items[place])
    ought = any(item.sort is Sort.Modal for item in items[place + 1]) if place + 1 < len(items) else False
    return _is(words, tokens, place, "Narrating") and not wishes and not ought
