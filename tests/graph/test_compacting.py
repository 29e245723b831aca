"""A store on disk that has grown far beyond its data is written anew, and a kill meanwhile loses nothing."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from engine.errors import StoreInUseError
from engine.graph import compacting, embedded
from engine.graph.directory import list_size
from engine.graph.embedded import EmbeddedStore
from engine.graph.terms import REQUESTS, Literal, NamedNode, Quad, node

ROOT = Path(__file__).resolve().parents[2]


def passing(store: EmbeddedStore, number: int) -> None:
    """Writes what has a name of its own, and forgets it."""
    quads = [
        Quad(NamedNode(f"urn:request:{number}:{one}:{'x' * 200}"), node("hg:text"), Literal(one), REQUESTS)
        for one in range(2000)
    ]
    store.write(insert=quads)
    store.write(delete=quads)


def kept(number: int) -> Quad:
    return Quad(NamedNode(f"urn:kept:{number}"), node("hg:text"), Literal(f"what stays {number}"), NamedNode("urn:own"))


def grown(path: Path) -> Path:
    with EmbeddedStore.open(path) as store:
        for number in range(10):
            store.write(insert=[kept(number)])
            passing(store, number)
    return path


def held(path: Path) -> set[Quad]:
    with EmbeddedStore.open(path) as store:
        return set(store.graph(NamedNode("urn:own")))


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compacting, "SMALL", 2 << 20)


@pytest.mark.usefixtures("small")
def test_a_store_that_has_outgrown_its_data_is_written_anew_when_it_is_opened(tmp_path: Path) -> None:
    path = grown(tmp_path / "store")
    before = compacting._size(path)
    assert held(path) == {kept(number) for number in range(10)}
    assert compacting._size(path) < before / 2
    assert sorted(one.name for one in tmp_path.iterdir()) == ["store"]
    inode = path.stat().st_ino
    assert held(path) == {kept(number) for number in range(10)}
    assert path.stat().st_ino == inode, "it is not written anew again and again"


def test_a_store_of_common_size_stays_as_it_is(tmp_path: Path) -> None:
    path = grown(tmp_path / "store")
    inode = path.stat().st_ino
    assert held(path)
    assert path.stat().st_ino == inode


@pytest.mark.usefixtures("small")
def test_a_store_that_holds_much_is_not_written_anew(tmp_path: Path) -> None:
    path = tmp_path / "store"
    with EmbeddedStore.open(path) as store:
        store.write(insert=[kept(number) for number in range(20_000)])
    assert compacting._size(path) > compacting.SMALL
    inode = path.stat().st_ino
    assert len(held(path)) == 20_000
    assert path.stat().st_ino == inode


def test_reports_of_the_database_do_not_pile_up(tmp_path: Path) -> None:
    for _ in range(5):
        EmbeddedStore.open(tmp_path / "store").close()
    assert list((tmp_path / "store").glob("LOG.old.*")) == []


@pytest.mark.usefixtures("small")
def test_a_process_that_was_killed_between_the_steps_loses_nothing(tmp_path: Path) -> None:
    path = grown(tmp_path / "store")
    shutil.copytree(path, tmp_path / "whole")
    (tmp_path / "store.new").mkdir()  # killed while it copied
    (tmp_path / "store.new" / "CURRENT").write_text("half of it")
    assert held(path) == {kept(number) for number in range(10)}
    shutil.rmtree(path)
    (tmp_path / "whole").rename(tmp_path / "store.old")  # killed before the new one was in its place
    assert held(path) == {kept(number) for number in range(10)}
    assert sorted(one.name for one in tmp_path.iterdir()) == ["store"]


@pytest.mark.usefixtures("small")
def test_no_room_for_a_new_one_leaves_the_old_as_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = grown(tmp_path / "store")

    def full(*_: object) -> bytes:
        raise OSError("No space left on device")

    monkeypatch.setattr(compacting, "_copied", full)
    assert held(path) == {kept(number) for number in range(10)}


KEEPS = """
import sys, time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from engine.graph.embedded import EmbeddedStore
with EmbeddedStore.open(Path(sys.argv[1])):
    print("open", flush=True)
    time.sleep(60)
"""


@pytest.mark.usefixtures("small")
def test_a_store_that_another_process_has_open_is_left_to_it(tmp_path: Path) -> None:
    path = grown(tmp_path / "store")
    command = [sys.executable, "-c", KEEPS, str(path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=os.environ | {"PYTHONPATH": str(ROOT)}) as other:
        try:
            assert other.stdout is not None
            assert other.stdout.readline() == b"open\n"
            inode = path.stat().st_ino
            for _ in range(2):
                with pytest.raises(StoreInUseError):
                    EmbeddedStore.open(path)
            assert path.stat().st_ino == inode
        finally:
            other.kill()
    assert held(path) == {kept(number) for number in range(10)}


OPENS = """
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from engine.graph import compacting, embedded
from engine.graph.directory import list_size
from engine.graph.embedded import EmbeddedStore
compacting.SMALL = 0
with EmbeddedStore.open(Path(sys.argv[1])):
    pass
"""


@pytest.mark.slow
def test_a_kill_at_any_moment_of_the_writing_anew_loses_nothing(tmp_path: Path) -> None:
    whole = grown(tmp_path / "whole")
    for number in range(int(os.environ.get("KILLS", "10"))):
        path = shutil.copytree(whole, tmp_path / "store")
        command = [sys.executable, "-c", OPENS, str(path)]
        process = subprocess.Popen(command, env=os.environ | {"PYTHONPATH": str(ROOT)})
        while not (tmp_path / "store.new").exists() and process.poll() is None:
            time.sleep(0.001)
        time.sleep(number * 0.01)
        process.send_signal(signal.SIGKILL)
        process.wait(timeout=10)
        assert held(path) == {kept(number) for number in range(10)}
        shutil.rmtree(path)


def test_the_list_of_its_files_does_not_grow_with_each_flush(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedded, "LONG_LIST", 20_000)
    with EmbeddedStore.open(tmp_path / "store") as store, ThreadPoolExecutor(2) as readers:
        going = [True]
        counts = [readers.submit(lambda: _counted(store, going)) for _ in range(2)]
        longest = 0
        for number in range(20):
            store.write(insert=[kept(number)])
            store._tend()
            longest = max(longest, list_size(tmp_path / "store"))
        going[0] = False
        assert all(done.result() == sorted(done.result()) for done in counts), "what was there stays there"
        assert longest < 60_000
        assert len(store.graph(NamedNode("urn:own"))) == 20
    assert held(tmp_path / "store") == {kept(number) for number in range(20)}


def _counted(store: EmbeddedStore, going: list[bool]) -> list[int]:
    """How much a reader finds, again and again."""
    found = []
    while going[0]:
        found.append(len(store.graph(NamedNode("urn:own"))))
    return found
