"""Own signifiers and those of others: kept in the graph, mirrored in memory, counted, exported and imported."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from engine.errors import InputError
from engine.graph.shacl.door import Door
from engine.graph.store import GraphStore
from engine.graph.terms import ONTOLOGY, SIGNIFIERS, Quad, graph
from engine.model.signifier import Signifier, Wanted, from_json, to_json
from engine.model.signifier_rdf import quads, read

Key = tuple[Any, ...]
COMMUNITY = "community/"
_SHAPES = "https://w3id.org/hearthgraph/shapes/signifier#"


def key_of(wanted: Wanted) -> Key:
    """The key of a signifier's intent: all of the intent but the number in it."""
    if wanted.implicit:
        return (
            "implicit",
            wanted.variable,
            wanted.direction,
            wanted.situation,
            wanted.where,
            wanted.classes,
            wanted.things,
        )
    return (
        wanted.operation,
        wanted.command,
        wanted.kind,
        wanted.classes,
        wanted.things,
        wanted.where,
        wanted.quantity,
        repr(wanted.polarity),
    )


class Memory:
    """The signifiers of one home."""

    def __init__(self, store: GraphStore) -> None:
        self._store = store
        self._by_key: dict[Key, dict[str, Signifier]] = {}
        self._by_iri: dict[str, Signifier] = {}
        self._read = False

    def all(self) -> tuple[Signifier, ...]:
        """The home's own, those that were learnt last at the end."""
        self._mirror()
        return tuple(self._by_iri.values())

    def matching(self, wanted: Wanted) -> tuple[Signifier, ...]:
        """The own ones that serve such an intent, and are reliable."""
        self._mirror()
        return tuple(one for one in self._by_key.get(key_of(wanted), {}).values() if one.reliable)

    def keep(self, *signifiers: Signifier) -> None:
        """Stores signifiers, in one write; known ones are counted up, and take over the latest payload."""
        self._mirror()
        new: dict[str, Signifier] = {}
        for one in signifiers:
            new[one.iri] = _counted_up(new.get(one.iri) or self._by_iri.get(one.iri), one)
        self._replace(*new.values())

    def count(self, signifier: Signifier, *, success: bool) -> None:
        """Counts a use of a signifier that is known."""
        self._mirror()
        known = self._by_iri.get(signifier.iri)
        if known is not None:
            self._replace(known.counted(success=success))

    def forget(self, iris: Iterable[str] | None = None) -> int:
        """Forgets signifiers, all of them for None; how many."""
        self._mirror()
        gone = [one for one in self.all() if iris is None or one.iri in set(iris)]
        kept = [one for one in self.all() if one not in gone]
        self._store.write(clear=[SIGNIFIERS], insert=_unique(q for one in kept for q in quads(one, SIGNIFIERS)))
        self.refresh()
        return len(gone)

    def refresh(self) -> None:
        """Reads the graph anew when it is needed next."""
        self._read = False

    def peers(self) -> tuple[str, ...]:
        """Whose signifiers are known besides the home's own."""
        prefix = graph(COMMUNITY).value
        return tuple(g.value.removeprefix(prefix) for g in self._store.graphs() if g.value.startswith(prefix))

    def of_peers(self) -> tuple[Signifier, ...]:
        """The signifiers of others: hints, and never carried out."""
        return tuple(one for peer in self.peers() for one in read(self._store.graph(graph(COMMUNITY + peer))))

    def export(self, path: Path) -> int:
        """Writes the own signifiers to a file, a list of records (Appendix E); how many. Raises InputError."""
        return write_records([to_json(one) for one in self.all()], path)

    def take_in(self, path: Path, peer: str | None = None) -> int:
        """Takes the signifiers of a file in, as own ones, or as those of a peer; all or none. How many. Raises
        InputError for a file that is spoilt."""
        return self.take_records(_parsed(path), peer, str(path))

    def take_records(self, data: Any, peer: str | None, source: str) -> int:
        """The same with records, one or a list of them; `source` names where they are from."""
        data = [data] if isinstance(data, dict) else data
        if not isinstance(data, list):
            raise InputError(f"{source} holds no list of signifiers.", remedy="Give a list of records.")
        found = [from_json(record) for record in data]
        self.take(found, peer)
        return len(found)

    def take(self, found: Sequence[Signifier], peer: str | None = None) -> None:
        """Adds signifiers to the home's, each in place of the one of its IRI, or replaces all of a peer's. Raises
        InputError where one of them violates its shape."""
        found = list({one.iri: one for one in found}.values())
        self._check(found)
        where = SIGNIFIERS if peer is None else graph(COMMUNITY + peer)
        if peer is None:
            known = {one.iri: one for one in (*self.all(), *found)}
            self._store.write(clear=[where], insert=_unique(q for one in known.values() for q in quads(one, where)))
            self.refresh()
        else:
            self._store.write(clear=[where], insert=_unique(q for one in found for q in quads(one, where)))

    def _check(self, found: Sequence[Signifier]) -> None:
        """The shape of signifiers, at the door."""
        door = Door(self._store.graph(ONTOLOGY))
        data = [q for one in found for q in quads(one, SIGNIFIERS)]
        names = [f"{_SHAPES}{name}" for name in ("Signifier", "Own", "Context", "Affordance", "Form")]
        for violation in door.check(data, shapes=names)[:1]:
            raise InputError(f"{violation.node}: {violation.message}", remedy="Mend the file; nothing was taken in.")

    def _mirror(self) -> None:
        if self._read:
            return
        self._read = True
        self._by_key, self._by_iri = {}, {}
        for one in sorted(read(self._store.graph(SIGNIFIERS)), key=lambda s: (s.learnt or "", s.iri)):
            self._index(one)

    def _index(self, signifier: Signifier) -> None:
        self._by_iri.pop(signifier.iri, None)
        self._by_iri[signifier.iri] = signifier
        if signifier.wanted is not None:
            self._by_key.setdefault(key_of(signifier.wanted), {})[signifier.iri] = signifier

    def _replace(self, *new: Signifier) -> None:
        """Replaces signifiers of the same IRIs. Writes only the differences."""
        old = [self._by_iri[one.iri] for one in new if one.iri in self._by_iri]
        before = {quad for one in old for quad in quads(one, SIGNIFIERS)}
        after = {quad for one in new for quad in quads(one, SIGNIFIERS)}
        if before != after:
            self._store.write(delete=before - after, insert=after - before)
        for one in new:
            self._index(one)


def _counted_up(known: Signifier | None, new: Signifier) -> Signifier:
    """The new signifier with the counts of the known one and this use."""
    if known is None:
        return new
    counted = known.counted(success=new.successful)
    return replace(new, successes=counted.successes, failures=counted.failures)


def _unique(found: Iterable[Quad]) -> list[Quad]:
    return list(dict.fromkeys(found))


def _parsed(path: Path) -> Any:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, ValueError, RecursionError) as error:
        raise InputError(f"{path} cannot be read as JSON: {error}.", remedy="Give a file of signifiers.") from error


def peer_name(given: str) -> str:
    """The name of a peer, as it stands in the IRI of its graph. Raises InputError for other characters."""
    if not given.replace("-", "").replace("_", "").isalnum():
        raise InputError(f"{given} is no name of a peer.", remedy="Use letters, digits, - and _.")
    return given


def write_records(found: Sequence[Any], path: Path) -> int:
    """Writes records to a file; how many. Raises InputError."""
    try:
        path.write_text(json.dumps(found, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    except OSError as error:
        raise InputError(f"{path} cannot be written: {error.strerror}.", remedy="Name another file.") from error
    return len(found)
