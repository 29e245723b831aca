"""Readings that take an order from what is only told."""

from __future__ import annotations

from engine.language.chart.heard.items import includes
from engine.language.chart.heard.statements import HOW, Items, clauses_of_things, tells
from engine.language.chart.judging.reader import Candidate, Heard
from engine.model.intent import Category


def only_tells(candidate: Candidate, found: Heard) -> bool:
    """Whether a reading takes an order from a clause that only tells; a reading without an account, where each clause
    that names a thing does."""
    explicit = any(i.category is Category.EXPLICIT and i.rule is None for i in candidate.intents)
    if not explicit or (found.tokens and found.tokens[-1].text == "?"):
        return False
    naming = clauses_of_things(found.items)
    telling = [one for one in naming if tells(one, found.items)]
    if candidate.account:
        return any(_orders_within(one, candidate, found.items) for one in telling)
    return bool(telling) and len(telling) == len(naming)


def _orders_within(clause: range, candidate: Candidate, items: Items) -> bool:
    """Whether an account takes an order from a clause, and not how something is, or which is meant."""
    own = [(start, part) for start, _, part in candidate.account if start in clause]
    if not _TOLD.isdisjoint(part for _, part in own):
        return False
    elsewhere = any(part in _DONE for start, _, part in candidate.account if start not in clause)
    bare = not elsewhere and any(part == "before" and includes((items[start],), *HOW) for start, part in own)
    return bare or any(part in _DONE for _, part in own)  # "somebody left the oven *on*, turn it off" orders elsewhere


_DONE = {"verb", "value", "change", "at"}
_TOLD = {"told", "test", "witness", "where", "whose", "head", "condition", "comment"}
