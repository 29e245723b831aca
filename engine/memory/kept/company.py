"""Who is in a room beside who speaks, and has told how they like the same: who asks decides, and is told of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta

from engine.graph.terms import literal
from engine.language.meanings.context import Context
from engine.memory.kept import facts
from engine.model.fact import Fact
from engine.model.intent import Intent

STAYING = timedelta(hours=2)
"""For how long somebody who spoke in a room is taken to be there, unless they speak elsewhere or say that they go."""


def present(user: str | None, place: str, now: datetime, context: Context) -> tuple[str, ...]:
    """Who else is in a place, as far as they were heard there."""
    last: dict[str, str | None] = {}
    names: dict[str, str] = {}
    for who, where, gone in context.store.select("memory/spoken_in", since=literal(now - STAYING)):
        if who is None:
            continue
        names[who.value.casefold()] = who.value
        if gone is not None:
            last[who.value.casefold()] = None
        elif where is not None:
            last[who.value.casefold()] = where.value
    return tuple(names[own] for own, where in sorted(last.items()) if where == place and own != (user or "").casefold())


def wishes_beside(
    user: str | None, place: str, goals: Sequence[Intent], variables: Iterable[str], now: datetime, context: Context
) -> tuple[str, ...]:
    """Who else is in a place and has told how they like what these goals or variables are about. What they told is not
    looked at: whether it differs would tell what it is."""
    about = frozenset(variables)
    return tuple(
        name
        for name in present(user, place, now, context)
        if any(_is_of_same(fact, goals, about) for fact in _own(name, now, context))
    )


def _own(name: str, now: datetime, context: Context) -> Iterator[Fact]:
    known = facts.about(context.store, name, now)
    return (one for one in known if one.person.casefold() == name.casefold())


def _is_of_same(fact: Fact, goals: Sequence[Intent], variables: frozenset[str]) -> bool:
    """Whether a fact is a wish for the same: the same variable, or the same property or command of the same things."""
    if fact.variable is not None and fact.variable in variables and fact.number is not None:
        return True
    return any(_overlaps(own, goal) for own in fact.goals for goal in goals)


def _overlaps(one: Intent, other: Intent) -> bool:
    first, second = one.selection, other.selection
    same = (one.property, one.command) == (other.property, other.command)
    return same and bool(set(first.things) & set(second.things) or set(first.classes) & set(second.classes))
