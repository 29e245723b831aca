"""Reads the ontology, words and shapes of this version as quads, and brings a store of another version up to them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from pyoxigraph import Literal, NamedNode, Quad, RdfFormat, Store, parse

from engine.errors import StoreVersionError, SyntaxFault
from engine.graph.nesting import check_nesting
from engine.graph.terms import ONTOLOGY, expand, node
from engine.resources import folder

SUBJECT = NamedNode(expand("hg:").rstrip("#"))
VERSION = node("owl:versionInfo")
CONTENT = node("hg:contentHash")


@dataclass(frozen=True, slots=True)
class Knowledge:
    """The shipped ontology graph: its quads (blank nodes as they are, the hash of its files) and its version."""

    quads: tuple[Quad, ...]
    version: str


@cache
def shipped() -> Knowledge:
    """The Turtle under `ontology/`, `ontology/words/` and `shapes/`, parsed once a process.

    Raises SyntaxFault with file and line when one of the files does not parse.
    """
    quads = [quad for file in _files() for quad in turtle(file.read_bytes(), str(file), ONTOLOGY)]
    quads.append(Quad(SUBJECT, CONTENT, Literal(digest()), ONTOLOGY))
    return Knowledge(tuple(quads), _only(quads, VERSION))


@cache
def digest() -> str:
    """The hash of the shipped files: known without parsing them, which takes ten times as long."""
    found = hashlib.sha256()
    for file in _files():
        found.update(file.name.encode() + b"\0" + file.read_bytes() + b"\0")
    return found.hexdigest()


def turtle(content: bytes, source: str, graph: NamedNode) -> list[Quad]:
    """Turtle as quads of `graph`, blank nodes made unique. Raises SyntaxFault that names `source` and the line."""
    check_nesting(content, RdfFormat.TURTLE, source)
    try:
        triples = list(parse(content, RdfFormat.TURTLE, rename_blank_nodes=True))
    except SyntaxError as error:
        raise SyntaxFault(str(error.msg), source=source, line=error.lineno or 0) from error
    return [Quad(triple.subject, triple.predicate, triple.object, graph) for triple in triples]


def refresh(store: Store) -> bool:
    """Brings the ontology graph of `store` up to the shipped one; True when anything was changed.

    Raises StoreVersionError when the store has another version and no migration leads from it to the shipped one. The
    marker goes first and comes last: an interrupted refresh is taken up again by the next.
    """
    if _stored(store, CONTENT) == digest():
        return False
    migrate(store, _stored(store, VERSION) or shipped().version)
    renew(store)
    return True


def renew(store: Store) -> None:
    """Puts the shipped ontology graph in the place of the one that `store` has, whatever that is."""
    store.clear_graph(ONTOLOGY)
    store.extend(shipped().quads)


def migrate(store: Store, version: str, folder_of_migrations: Path | None = None) -> None:
    """Runs the updates that lead from `version` to the shipped one: see `migration`."""
    update = migration(version, folder_of_migrations)
    if update:
        store.update(update)


def migration(version: str, folder_of_migrations: Path | None = None) -> str:
    """The updates `queries/migrations/<from>_to_<to>.rq` that lead from `version` to the shipped one, as one; "" where
    they are the same.

    Each of them sets owl:versionInfo in the ontology graph, too. Raises StoreVersionError, and leaves the store as it
    was, where no chain of files leads there.
    """
    steps = _chain(version, shipped().version, folder_of_migrations or folder("queries") / "migrations")
    return "\n;\n".join(step.read_text(encoding="utf-8") for step in steps)


def _chain(version: str, wanted: str, place: Path) -> list[Path]:
    steps: list[Path] = []
    while version != wanted:
        found = next(iter(sorted(place.glob(f"{version}_to_*.rq"))), None)
        if found is None or found in steps:
            raise StoreVersionError(
                f"The store was written with version {version} of the ontology; this Hearthgraph has version {wanted}.",
                remedy="Use the Hearthgraph that wrote it, or name an empty directory in HEARTHGRAPH_STORE and load "
                "your homes into it again.",
            )
        steps.append(found)
        version = found.stem.partition("_to_")[2]
    return steps


def check_dump(store: Store) -> None:
    """Checks that `store`, read from a dump, is a Hearthgraph's, and migrates it. Raises StoreVersionError."""
    version = _stored(store, VERSION)
    if version is None:
        raise StoreVersionError(
            "The file does not say with which version of the ontology it was written.",
            remedy="Restore a file that `dump` wrote; load other RDF as a home.",
        )
    migrate(store, version)


def _files() -> list[Path]:
    places = (folder("ontology"), folder("ontology") / "words", folder("shapes"))
    return [file for place in places for file in sorted(place.glob("*.ttl"))]


def _stored(store: Store, predicate: NamedNode) -> str | None:
    quad = next(iter(store.quads_for_pattern(SUBJECT, predicate, None, ONTOLOGY)), None)
    return None if quad is None else str(getattr(quad.object, "value", ""))


def _only(quads: Iterable[Quad], predicate: NamedNode) -> str:
    return next(
        quad.object.value
        for quad in quads
        if quad.predicate == predicate and quad.subject == SUBJECT and isinstance(quad.object, Literal)
    )
