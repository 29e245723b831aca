"""What is derived from a store: built once a generation, kept for the next process, never believed when in doubt."""

from __future__ import annotations

import hashlib
import json
import os
import pickle
import shutil
from pathlib import Path
from typing import Any

import pytest
from pyoxigraph import Store

from engine.graph.embedded import EmbeddedStore
from engine.graph.keeping import STAMP, VALUES
from engine.graph.terms import ONTOLOGY, PLACES, STATE, Literal, NamedNode, Quad
from engine.model.place import Place


class Maker:
    """Makes a place, and counts how often it was asked to."""

    def __init__(self) -> None:
        self.made = 0

    def __call__(self) -> Place:
        self.made += 1
        return Place(f"urn:place:{self.made}", "den")


def derived(path: Path, maker: Maker) -> Place:
    """What another process would derive."""
    with EmbeddedStore.open(path) as store:
        assert isinstance(store, EmbeddedStore)
        return store.derived("place", maker, portable=True)


def quad(graph: NamedNode = PLACES) -> Quad:
    return Quad(NamedNode("urn:a"), NamedNode("urn:b"), Literal("c"), graph)


def test_it_is_built_once_a_generation() -> None:
    make = Maker()
    with EmbeddedStore.open() as store:
        assert store.derived("place", make) is store.derived("place", make)
        store.write(insert=[quad(STATE)])
        store.derived("place", make)
        assert make.made == 1
        store.write(insert=[quad()])
        assert store.derived("place", make).iri == "urn:place:2"


def test_of_the_terms_alone_it_is_built_once_for_each_state_of_them(tmp_path: Path) -> None:
    make = Maker()
    with EmbeddedStore.open(tmp_path) as store:
        first = store.of_terms("place", make)
        store.write(insert=[quad()])
        assert store.of_terms("place", make) is first
        store.write(insert=[quad(ONTOLOGY)])
        assert store.of_terms("place", make).iri == "urn:place:2"
        store.write(clear=[ONTOLOGY])
        assert store.of_terms("place", make).iri == "urn:place:3"


def test_of_the_terms_as_they_are_shipped_it_is_built_once_in_a_process() -> None:
    make = Maker()
    with EmbeddedStore.open() as store, EmbeddedStore.open() as other:
        first = store.of_terms("a place of the terms", make)
        assert other.of_terms("a place of the terms", make) is first
        assert other.copied().of_terms("a place of the terms", make) is first
        other.write(insert=[quad(ONTOLOGY)])
        assert other.of_terms("a place of the terms", make).iri == "urn:place:2"
        assert other.copied().of_terms("a place of the terms", make).iri == "urn:place:2"
        assert store.of_terms("a place of the terms", make) is first


def test_a_copy_knows_what_refers_to_no_store_and_goes_on_by_itself() -> None:
    portable, bound = Maker(), Maker()
    with EmbeddedStore.open() as store:
        assert isinstance(store, EmbeddedStore)
        first = store.derived("place", portable, portable=True)
        store.derived("bound", bound)
        copy = store.copied()
        assert copy.derived("place", portable, portable=True) is first
        copy.derived("bound", bound)
        assert (portable.made, bound.made) == (1, 2)
        copy.write(insert=[quad()])
        assert copy.graph(PLACES)
        assert not store.graph(PLACES)
        assert store.kept("place") is first
        assert copy.kept("place") is None


def test_the_next_process_has_it_already(tmp_path: Path) -> None:
    make = Maker()
    assert [derived(tmp_path / "store", make) for _ in range(3)] == [Place("urn:place:1", "den")] * 3
    assert make.made == 1
    shutil.copytree(tmp_path / "store", tmp_path / "moved")
    assert derived(tmp_path / "moved", make).iri == "urn:place:1"


def test_several_processes_add_to_it(tmp_path: Path) -> None:
    derived(tmp_path, Maker())
    with EmbeddedStore.open(tmp_path) as store:
        store.derived("other", lambda: Place("urn:other", "hall"), portable=True)
    with EmbeddedStore.open(tmp_path) as store:
        assert (store.kept("place"), store.kept("other")) == (Place("urn:place:1", "den"), Place("urn:other", "hall"))


def test_what_merely_happens_does_not_spoil_it_and_knowledge_does(tmp_path: Path) -> None:
    make = Maker()
    derived(tmp_path, make)
    for graph, made in ((STATE, 1), (PLACES, 2)):
        with EmbeddedStore.open(tmp_path) as store:
            store.write(insert=[quad(graph)])
        derived(tmp_path, make)
        assert make.made == made


def test_what_others_wrote_in_between_is_noticed(tmp_path: Path) -> None:
    make = Maker()
    derived(tmp_path, make)
    raw = Store(str(tmp_path))
    raw.add(quad())
    raw.flush()
    del raw
    derived(tmp_path, make)
    assert make.made == 2


def sizes(folder: Path) -> dict[str, int]:
    return {file.name: file.stat().st_size for file in folder.iterdir()}


def copied(store: Path, target: Path) -> None:
    """Copies an open store; anew where it put a file away meanwhile, or was still writing one."""
    for _ in range(20):
        shutil.rmtree(target, ignore_errors=True)
        try:
            shutil.copytree(store, target)
            still = sizes(target) == sizes(store)
        except (shutil.Error, FileNotFoundError):
            continue
        if still:
            return
    pytest.fail("the store never held still")


def test_what_a_process_left_that_was_killed_is_not_believed(tmp_path: Path) -> None:
    make = Maker()
    derived(tmp_path / "store", make)
    with EmbeddedStore.open(tmp_path / "store") as store:
        store.write(insert=[quad()])
        store.flush()
        copied(tmp_path / "store", tmp_path / "killed")
    derived(tmp_path / "killed", make)
    assert make.made == 2


@pytest.mark.parametrize(("graph", "made"), [(STATE, 1), (PLACES, 2)])
def test_what_was_kept_before_the_kill_is_believed_where_the_knowledge_is_the_same(
    tmp_path: Path, graph: NamedNode, made: int
) -> None:
    make = Maker()
    with EmbeddedStore.open(tmp_path / "store") as store:
        store.write(insert=[quad(STATE), Quad(NamedNode("urn:b"), NamedNode("urn:b"), Literal("d"), PLACES)])
        store.derived("place", make, portable=True)
        store.keep_derived()
        store.write(insert=[Quad(NamedNode("urn:c"), NamedNode("urn:b"), Literal("e"), graph)])
        store.flush()
        copied(tmp_path / "store", tmp_path / "killed")
    derived(tmp_path / "killed", make)
    assert make.made == made


class Harm:
    def __reduce__(self) -> Any:
        return os.system, ("touch harmed",)


@pytest.mark.parametrize("what", [Harm(), {"place": pickle.dumps(Harm())}, {"place": b"spoilt"}, {"place": 7}, 7])
def test_what_was_put_there_is_no_code_and_no_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: object
) -> None:
    monkeypatch.chdir(tmp_path)
    make = Maker()
    derived(tmp_path / "store", make)
    content = pickle.dumps(what)
    (tmp_path / "store" / VALUES).write_bytes(content)
    stamp = json.loads((tmp_path / "store" / STAMP).read_text())
    stamp["values"] = hashlib.sha256(content).hexdigest()
    (tmp_path / "store" / STAMP).write_text(json.dumps(stamp))
    assert derived(tmp_path / "store", make).iri == "urn:place:2"
    assert not (tmp_path / "harmed").exists()


@pytest.mark.parametrize("file", [VALUES, STAMP])
def test_a_file_that_is_lost_is_made_again(tmp_path: Path, file: str) -> None:
    make = Maker()
    derived(tmp_path, make)
    (tmp_path / file).unlink()
    derived(tmp_path, make)
    assert make.made == 2
    derived(tmp_path, make)
    assert make.made == 2
