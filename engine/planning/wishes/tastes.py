"""Tastes of people: preferred devices, comfortable values, wishes for situations; stored for each user."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from engine.graph.store import GraphStore
from engine.memory.kept import facts
from engine.model.fact import Fact, Occasion, Provenance, Statement
from engine.model.intent import Category, Intent
from engine.model.vocabulary import Vocabulary
from engine.planning.wishes.aims import Aim, aims_of

ANYTHING = (0.0, 100.0)


@dataclass(frozen=True, slots=True)
class Tastes:
    """The tastes of one person. `liked` and `disliked` are classes of devices, by the variable that they are liked for
    ("": any); `values` are this person's comfortable values, by variable; `comforts` the ranges of people in
    general; `wishes` this person's goals in situations."""

    liked: tuple[tuple[str, str], ...] = ()
    disliked: tuple[tuple[str, str], ...] = ()
    values: Mapping[str, float] = field(default_factory=dict)
    comforts: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    wishes: Mapping[str, tuple[Aim, ...]] = field(default_factory=dict)

    def liking(self, classes: Iterable[str], variable: str, vocabulary: Vocabulary) -> float:
        """1 for a device liked for this variable, -1 for a disliked one, else 0."""
        own = tuple(classes)

        def named(among: Iterable[tuple[str, str]]) -> bool:
            return any(v in ("", variable) and any(vocabulary.is_a(c, cls) for c in own) for cls, v in among)

        return float(named(self.liked)) - float(named(self.disliked))

    def comfortable(self, variable: str, value: float) -> Tastes:
        """The same person, who is comfortable at a value of a variable."""
        return replace(self, values={**self.values, variable: value})

    def liking_more(self, liked: Iterable[str], disliked: Iterable[str], variable: str) -> Tastes:
        """The same tastes with these classes liked and disliked for a variable, whatever was said of them before."""
        more, less = [(cls, variable) for cls in liked], [(cls, variable) for cls in disliked]
        kept = [one for one in self.liked if one not in less], [one for one in self.disliked if one not in more]
        return replace(self, liked=(*kept[0], *more), disliked=(*kept[1], *less))

    def comfort(self, variable: str) -> tuple[float, float]:
        """From where to where a person is comfortable, in the unit of the variable's reading."""
        chosen = self.values.get(variable)
        return (chosen, chosen) if chosen is not None else self.comforts.get(variable, ANYTHING)

    def chosen(self, variable: str) -> float | None:
        """The very value that a person has stated."""
        return self.values.get(variable)


def of(
    store: GraphStore,
    user: str | None,
    told: Iterable[Fact] = (),
    vocabulary: Vocabulary | None = None,
    now: datetime | None = None,
) -> Tastes:
    """The tastes of a person, as they have been stated, and those that `told` states for this once. Later statements
    precede earlier ones."""
    tastes = Tastes()
    known = [*facts.about(store, user, now), *(one for one in told if one.about(user))]
    for fact in known:
        if fact.statement is Statement.LIKING:
            tastes = _with_liking(tastes, fact)
        elif fact.statement is Statement.ROUTINE and vocabulary is not None and not fact.occasion.who:
            tastes = _with_routine(tastes, fact, store, vocabulary)
    return tastes


def _with_liking(tastes: Tastes, fact: Fact) -> Tastes:
    about = fact.variable or ""
    if fact.number is not None:
        return tastes.comfortable(about, fact.number)
    return tastes.liking_more(fact.liked, fact.disliked, about)


def _with_routine(tastes: Tastes, fact: Fact, store: GraphStore, vocabulary: Vocabulary) -> Tastes:
    """The tastes with the goals of a routine for its situations, before earlier ones."""
    own = tuple(aim for goal in fact.goals for aim in aims_of(goal, store, vocabulary))
    wishes = {kind: (*own, *tastes.wishes.get(kind, ())) for kind in fact.occasion.kinds}
    return replace(tastes, wishes={**tastes.wishes, **wishes})


def fact_of(intents: Sequence[Intent], user: str | None, at: datetime, request: str | None = None) -> Fact:
    """The fact that preferences said in one breath state, of the person that they name, else of the speaker: a liking,
    or the goals of a situation."""
    first = intents[0]
    source = Provenance(user, at, first.text, request)
    iri = f"{first.iri}/preference"
    if first.situation is not None:
        named = first.subject
        who = user if named is None or (user or "").casefold() == named.casefold() else named
        goals = tuple(replace(one, category=Category.EXPLICIT, situation=None, subject=None) for one in intents)
        occasion = Occasion(kinds=(first.situation,))
        return Fact(iri, who or "", Statement.ROUTINE, source, occasion, goals)
    avoided = tuple(cls for minus in first.selection.minus for cls in minus.classes)
    number = first.amount.value if first.amount is not None else None
    return Fact(
        iri,
        user or "",
        Statement.LIKING,
        source,
        liked=first.selection.classes,
        disliked=avoided,
        variable=first.variable,
        number=float(number) if isinstance(number, int | float) else None,
    )


@dataclass(frozen=True, slots=True)
class Stated:
    """A preference as it was stated: by whom (empty: by nobody in particular), in which words."""

    iri: str
    user: str
    text: str


def stated(store: GraphStore, user: str | None = None) -> tuple[Stated, ...]:
    """The stated preferences of one person, or of all for None, in the order of time."""
    found = facts.everyone(store)
    return tuple(Stated(a.iri, a.person, a.text) for a in found if user is None or a.person == user)


def forget(store: GraphStore, iris: Iterable[str]) -> int:
    """Forgets preferences, by IRI; how many. Raises InputError where one is not here; then none is forgotten."""
    return len(facts.forget(store, iris))


def comforts(store: GraphStore) -> dict[str, tuple[float, float]]:
    """Where people in general are comfortable, by variable."""
    return {
        variable.value: (float(low.value), float(high.value))
        for variable, low, high in store.select("planning/comforts")
        if variable is not None and low is not None and high is not None
    }
