"""The facts that are kept: told by people, open to whom they are about and who told them, and forgotten when told."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from weakref import WeakKeyDictionary

from engine.errors import InputError
from engine.graph.store import GraphStore
from engine.graph.terms import MEMORY, Literal, NamedNode, Quad
from engine.model.fact import Fact
from engine.model.fact_rdf import fact_quads, facts_in, facts_of
from engine.model.intent import Intent

MOST_VIEWS = 64
"""Of how many people the facts are kept at hand; the others' are read when they speak."""


@dataclass(slots=True)
class _AtHand:
    """The facts that somebody may hear of, by IRI, for each name in small letters."""

    views: dict[str, dict[str, Fact]] = field(default_factory=dict)


_kept: WeakKeyDictionary[GraphStore, _AtHand] = WeakKeyDictionary()


def heard_by(store: GraphStore, user: str | None, now: datetime | None = None) -> tuple[Fact, ...]:
    """The facts that somebody may hear of, in the order of time, without those that have run out by `now`."""
    found = _view(store, (user or "").casefold()).values()
    return tuple(one for one in found if now is None or one.holds_at(now))


def about(store: GraphStore, user: str | None, now: datetime | None = None) -> tuple[Fact, ...]:
    """The facts that are about somebody, or about everybody, in the order of time."""
    return tuple(one for one in heard_by(store, user, now) if one.about(user))


def everyone(store: GraphStore) -> tuple[Fact, ...]:
    """All facts, by person and time: for whoever keeps the home, and never for an answer to anybody."""
    rows = store.select("memory/facts")
    return tuple(sorted(facts_in(rows).values(), key=lambda one: (one.person, one.source.at, one.iri)))


def people(store: GraphStore) -> tuple[str, ...]:
    """Of whom anything is known, by name."""
    return tuple(row[0].value for row in store.select("memory/people") if row[0] is not None and row[0].value)


def keep(store: GraphStore, facts: Iterable[Fact]) -> None:
    """Keeps facts; one that says otherwise of the same takes the place of what the same person said before."""
    for fact in facts:
        gone = [one for one in about(store, fact.person) if one.person == fact.person and replaces(fact, one)]
        store.write(delete=[quad for one in gone for quad in _of(store, one.iri)], insert=fact_quads(fact))
        at_hand = _kept.setdefault(store, _AtHand())
        for who, view in at_hand.views.items():
            for one in gone:
                view.pop(one.iri, None)
            if fact.open_to(who):
                view[fact.iri] = fact


def replaces(new: Fact, old: Fact) -> bool:
    """Whether a statement takes the place of an older one: word for word the same, the same occasion with goals on the
    very same properties, another value of the same variable, or "my … is" of the same."""
    if new.iri == old.iri or new.statement is not old.statement or new.occasion != old.occasion:
        return new.text.casefold() == old.text.casefold()
    if new.goals or old.goals:
        return {_aspect(one) for one in old.goals} <= {_aspect(one) for one in new.goals}
    if new.number is not None and old.number is not None:
        return new.variable == old.variable
    matter = matter_of(new.text)
    return new.text.casefold() == old.text.casefold() or (matter is not None and matter == matter_of(old.text))


def matter_of(text: str) -> str | None:
    """What "my favourite colour is green" says something of; None for what has another form."""
    before, verb, _ = text.casefold().replace(" are ", " is ").partition(" is ")
    return before if verb and before.startswith(("my ", "our ")) else None


def _aspect(goal: Intent) -> object:
    """What a goal is about, whatever it wants of it."""
    select = goal.selection
    return (select.classes, select.things, select.places, goal.property, goal.command)


def forget(store: GraphStore, iris: Iterable[str]) -> tuple[Fact, ...]:
    """Forgets facts, by IRI, and gives them back for the last time. Raises InputError where one is not here; then none
    is forgotten."""
    wanted = dict.fromkeys(iris)
    quads = [quad for iri in wanted for quad in _of(store, iri)]
    found = facts_of(quads)
    if unknown := [iri for iri in wanted if iri not in found]:
        raise InputError(f"There is no preference {unknown[0]}.", remedy="`hearthgraph preferences list` has them.")
    store.write(delete=quads)
    refresh(store)
    return tuple(found.values())


def _of(store: GraphStore, iri: str) -> list[Quad]:
    try:
        rows = store.select("memory/fact", fact=NamedNode(iri))
    except ValueError:  # it is no IRI
        return []
    return [Quad(s, p, o, MEMORY) for s, p, o in rows]  # type: ignore[arg-type]


def of_person(store: GraphStore, person: str) -> tuple[str, ...]:
    """The facts, by IRI, that are about a person or were told by them: what goes when they want to be forgotten."""
    own = person.casefold()
    return tuple(
        f.iri for f in heard_by(store, person) if own in (f.person.casefold(), (f.source.teller or "").casefold())
    )


def refresh(store: GraphStore) -> None:
    """Lets go of what is at hand: the graph was changed by others."""
    _kept.pop(store, None)


def _view(store: GraphStore, who: str) -> dict[str, Fact]:
    at_hand = _kept.setdefault(store, _AtHand())
    if who not in at_hand.views:
        rows = store.select("memory/facts", who=[Literal(who), Literal("")])
        while len(at_hand.views) >= MOST_VIEWS:
            del at_hand.views[next(iter(at_hand.views))]
        at_hand.views[who] = facts_in(rows)
    return at_hand.views[who]


def of_subject(store: GraphStore, subject: NamedNode) -> list[Quad]:
    """All that memory says of one node, as it stands in the graph."""
    return [Quad(subject, p, o, MEMORY) for p, o in store.select("memory/habit", habit=subject)]  # type: ignore[arg-type]
