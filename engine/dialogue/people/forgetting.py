"""Forgetting, complete: a fact, or all of a person, leaves the memory, the journal and what was learnt."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime

from engine.errors import InputError
from engine.experience.memory import Memory as Experience
from engine.graph.store import GraphStore
from engine.graph.terms import REQUESTS, Literal, NamedNode, Quad, Term, node
from engine.memory.kept import diary, facts, readings
from engine.model.fact import Fact
from engine.model.vocabulary import Vocabulary
from engine.planning.recollection import taste_of
from engine.planning.wishes import tastes
from engine.rules.keeper import Keeper

NOBODY = "urn:nobody"
LONGEST_NAME = 80


def forget_facts(
    store: GraphStore, experience: Experience, vocabulary: Vocabulary, iris: Iterable[str]
) -> tuple[Fact, ...]:
    """Forgets facts, by IRI, with the requests that told them or were filled from them, and what was learnt under such
    tastes; gives them back for the last time. Raises InputError where one is not here; then nothing is forgotten."""
    wanted = list(iris)
    people = {one.person for one in facts.everyone(store) if one.iri in set(wanted)}
    before = {taste_of(tastes.of(store, person, (), vocabulary)) for person in people}
    gone = facts.forget(store, wanted)
    for fact in gone:
        told = NamedNode(fact.source.request or NOBODY)
        _delete(store, store.select("dialogue/of_fact", fact=NamedNode(fact.iri), told=told))
    _unlearn(experience, before - {""})
    return gone


def correct_fact(store: GraphStore, iri: str, person: str) -> Fact:
    """Makes a fact another person's; who was taken to have told it of themselves is taken so no more. Raises InputError
    where it is not here, and for a name that is none."""
    if not 0 < len(person.strip()) <= LONGEST_NAME:
        raise InputError("That is no name.", remedy=f"Give one of {LONGEST_NAME} letters at most.")
    [known] = facts.forget(store, [iri])
    of_oneself = known.source.teller is not None and known.source.teller.casefold() == known.person.casefold()
    source = replace(known.source, teller=person) if of_oneself else known.source
    fact = replace(known, person=person, source=source)
    facts.keep(store, [fact])
    return fact


def forget_person(store: GraphStore, experience: Experience, vocabulary: Vocabulary, person: str) -> int:
    """Forgets all that is known of a person: facts about them or told by them, what they did, what they asked for, what
    they said of readings; how many facts."""
    taste = taste_of(tastes.of(store, person, (), vocabulary))
    gone = forget_facts(store, experience, vocabulary, facts.of_person(store, person))
    diary.forget(store, person)
    readings.forget(store, person)
    users = (row[0] for row in store.select("dialogue/users"))
    spelt = [one for one in users if isinstance(one, Literal) and one.value.casefold() == person.casefold()]
    if spelt:
        _delete(store, store.select("dialogue/of_user", user=spelt))
    _unlearn(experience, {taste} - {""})
    return len(gone)


def forget_everywhere(
    store: GraphStore, experience: Experience, vocabulary: Vocabulary, keeper: Keeper, person: str
) -> int:
    """Forgets all that is known of a person, whose rules are nobody's then; how many facts."""
    number = forget_person(store, experience, vocabulary, person)
    keeper.disown(person)
    return number


def handed_over(store: GraphStore, user: str, other: str, since: datetime | None) -> bool:
    """Whether somebody had something done after a moment: the last of it is the other's from now on, in the journal and
    in the diary."""
    for request, at in store.select("dialogue/last_done", user=Literal(user)):
        if request is None or at is None or (since is not None and datetime.fromisoformat(at.value) <= since):
            continue
        iri, said = NamedNode(request.value), node("hg:user")
        was, is_now = Quad(iri, said, Literal(user), REQUESTS), Quad(iri, said, Literal(other), REQUESTS)
        store.write(delete=[was], insert=[is_now])
        diary.hand_over(store, request.value, user, other)
        return True
    return False


def _delete(store: GraphStore, rows: Iterable[Iterable[Term | None]]) -> None:
    quads = [Quad(s, p, o, REQUESTS) for s, p, o in map(tuple, rows)]  # type: ignore[arg-type]
    if quads:
        store.write(delete=quads)


def _unlearn(experience: Experience, told: set[str]) -> None:
    """What was learnt for people of these tastes is forgotten: it tells of them."""
    iris = [one.iri for one in experience.all() if one.taste in told]
    if iris:
        experience.forget(iris)
