"""What people said of readings that were not sure: which shape of words means what they wanted, and which does not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from urllib.parse import quote

from engine.graph.store import GraphStore
from engine.graph.terms import MEMORY, RDF_TYPE, Literal, NamedNode, Quad, Term, literal, node
from engine.memory.kept import facts

NOBODY = ""
"""Who has no name shares what was said with all who have none."""


@dataclass(frozen=True, slots=True)
class Agreed:
    """A shape of words with its reading, and how often somebody agreed to it and declined it."""

    iri: str
    user: str
    shape: str
    agreed: int
    declined: int


def all_of(store: GraphStore, user: str | None = None) -> tuple[Agreed, ...]:
    """What was said of readings, by one person or (None) by all."""
    known = {} if user is None else {"user": Literal(user.casefold())}
    rows = store.select("memory/readings", **known)
    return tuple(
        Agreed(iri.value, who.value, shape.value, int(yes.value), int(no.value))
        for iri, who, shape, yes, no in rows
        if iri is not None and who is not None and shape is not None and yes is not None and no is not None
    )


def standing(store: GraphStore, user: str | None) -> Mapping[str, int]:
    """For each shape that a person spoke of: above 0 where it is what they mean, below 0 where it is not."""
    return {one.shape: one.agreed - one.declined for one in all_of(store, user or NOBODY)}


def said_of(store: GraphStore, user: str | None, shape: str, at: datetime, *, agreed: bool) -> None:
    """Keeps what a person said of a reading, counted up."""
    who = (user or NOBODY).casefold()
    subject = NamedNode(f"urn:reading:{quote(who, safe='')}:{sha256(shape.encode()).hexdigest()[:16]}")
    before = next((one for one in all_of(store, who) if one.iri == subject.value), None)
    yes, no = (before.agreed, before.declined) if before is not None else (0, 0)
    told: dict[str, Term] = {
        "hg:user": Literal(who),
        "hg:shape": Literal(shape),
        "hg:agreed": literal(yes + agreed),
        "hg:declined": literal(no + (not agreed)),
        "prov:generatedAtTime": literal(at),
    }
    after = [Quad(subject, RDF_TYPE, node("hg:AgreedReading"), MEMORY)]
    after += [Quad(subject, node(name), term, MEMORY) for name, term in told.items()]
    store.write(delete=facts.of_subject(store, subject), insert=after)


def forget(store: GraphStore, user: str | None = None) -> int:
    """Forgets what was said of readings, by one person or by all; how many."""
    gone = all_of(store, user)
    store.write(delete=[quad for one in gone for quad in facts.of_subject(store, NamedNode(one.iri))])
    return len(gone)
