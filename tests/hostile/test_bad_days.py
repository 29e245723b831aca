"""A full disk, a damaged store, a dump that is none, an empty token: each is told, none is the end of a home."""

from __future__ import annotations

import resource
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path

import httpx
import pytest

from engine.cli.through import beside
from engine.errors import InputError, SettingError, StoreCorruptError
from engine.graph.embedded import EmbeddedStore
from engine.graph.terms import HISTORY, NamedNode, Quad, graph
from engine.hearthgraph import Hearthgraph
from engine.settings import load
from server.service import Service
from tests.homes import filled
from tests.hostile.processes import most_memory, start
from tests.server.serving import Serving, serving

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def dumped(house_store: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("dumped")
    shutil.copytree(house_store, folder / "store")
    with Hearthgraph.open(folder / "store") as home:
        prop = next(iri for iri in home.state if iri.endswith("brightness"))
        for value in (11, 22, 33):
            home.state.write({prop: value})
        home.store.dump(folder / "dump.nq")
    return (folder / "dump.nq").read_text(encoding="utf-8")


# Restoring


ODD = {
    "an odd IRI in history": lambda text: text.replace("/history/1>", "/history/odd>"),
    "a thing without a document": lambda text: text.replace("w3.org/2019/wot/td#hasForm", "w3.org/2019/wot/td#hasFrom"),
    "numbers that are none": lambda text: text.replace('"22"^^<', '"twenty-two"^^<'),
    "moments that are none": lambda text: text.replace("T", "X"),
    "half of it": lambda text: text[: len(text) // 2],
    "a quad in the default graph": lambda text: text + "<urn:a> <urn:b> <urn:c> .\n",
}


@pytest.mark.parametrize("fault", ODD)
def test_a_dump_with_a_fault_is_taken_whole_or_changes_nothing(
    dumped: str, fault: str, house_store: Path, tmp_path: Path
) -> None:
    text = ODD[fault](dumped)
    assert text != dumped
    shutil.copytree(house_store, tmp_path / "served")
    with serving(tmp_path / "served") as served:
        before = served.dump(tmp_path / "before.nq")
        headers = {"Content-Type": "application/n-quads"}
        answer = served.client.put("/dump", content=text.encode(), headers=headers)
        assert answer.status_code < 500 or answer.json()["reason"] == "store_failed", answer.text
        if answer.is_error:
            assert served.dump(tmp_path / "after.nq") == before
        asked = {"text": "turn on the hallway light", "consent": "all"}
        assert served.client.post("/requests", json=asked).status_code == 200
    with Hearthgraph.open(tmp_path / "served") as home:
        assert home.ask("is the hallway light on?").status.value in ("answered", "refused")


def test_a_home_that_cannot_be_opened_is_not_put_in_the_place_of_one_that_can(
    dumped: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "dump.nq").write_text(dumped, encoding="utf-8")
    with Hearthgraph.open(None) as home:
        home.load([ROOT / "data" / "lab308.ttl"])
        before = sorted(home.registry.things)
        monkeypatch.setattr("engine.environment.state._read_present", lambda _: 1 // 0)
        with pytest.raises(InputError, match="no home that can be opened"):
            home.restore(tmp_path / "dump.nq")
        monkeypatch.undo()
        assert sorted(home.registry.things) == before


def test_a_dump_larger_than_any_other_body_is_restored_while_the_house_is_asked(
    dumped: str, house_store: Path, tmp_path: Path
) -> None:
    text = dumped + "".join(f'<urn:much:{n}> <urn:much:said> "{n:080}" <urn:much> .\n' for n in range(10_000))
    headers = {"Content-Type": "application/n-quads"}
    shutil.copytree(house_store, tmp_path / "served")
    over = threading.Event()
    with serving(tmp_path / "served", body_bytes=len(text) // 2) as served:

        def ask() -> list[int]:
            codes = []
            while not over.is_set():
                codes.append(served.client.get("/home/things").status_code)
            return codes

        with ThreadPoolExecutor(1) as pool:
            asking = pool.submit(ask)
            try:
                answer = served.client.put("/dump", content=text.encode(), headers=headers)
            finally:
                over.set()
        assert answer.status_code == 204, answer.text
        assert set(asking.result()) == {200}
        assert served.client.get("/dump").text.count("<urn:much>") == 10_000
        assert served.client.post("/requests", json={"text": "turn on the hallway light"}).json()["status"] == "done"
        assert served.client.put("/things/urn:x", content=text.encode(), headers=headers).status_code == 413
        assert served.stranger.put("/dump", content=text.encode(), headers=headers).status_code == 413
        assert not list((served.service.keys.folder / "dumps").iterdir())
    with EmbeddedStore.open(tmp_path / "served") as store:
        assert len(store.graph(NamedNode("urn:much"))) == 10_000
    assert not list(tmp_path.glob("served.new")) + list(tmp_path.glob("served.old")) + list(tmp_path.glob("served.tr*"))


@pytest.mark.slow
def test_a_large_dump_takes_little_memory(dumped: str, house_store: Path, tmp_path: Path) -> None:
    dump = tmp_path / "dump.nq"
    with dump.open("w", encoding="utf-8") as file:
        file.write(dumped)
        for n in range(400_000):  # some 55 MB
            file.write(f'<urn:much:{n}> <urn:much:said> "{n:080}" <urn:much> .\n')
    shutil.copytree(house_store, tmp_path / "served")
    process, url, token = start(tmp_path / "served")
    try:
        headers = {"Content-Type": "application/n-quads", "Authorization": f"Bearer {token}"}
        small = httpx.put(f"{url}/dump", content=dumped.encode(), headers=headers, timeout=600)
        assert small.status_code == 204, small.text
        before = most_memory(process.pid)
        with dump.open("rb") as file:
            length = {"Content-Length": str(dump.stat().st_size)}
            answer = httpx.put(f"{url}/dump", content=file, headers=headers | length, timeout=600)
        assert answer.status_code == 204, answer.text
        most = most_memory(process.pid)
    finally:
        process.kill()
        process.wait()
    size = dump.stat().st_size
    print(f"{size / 1e6:.0f} MB: {most / 1e6:.0f} MB of memory; a small one {before / 1e6:.0f}")
    assert most - before < 300e6  # 190 to 207 were seen
    with EmbeddedStore.open(tmp_path / "served") as store:
        assert len(store.graph(NamedNode("urn:much"))) == 400_000


# A full disk


@contextmanager
def full(served: Serving) -> Iterator[None]:
    """No file of this process may grow as long as it lasts, as on a disk that is full."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_a_full_disk_is_told_and_got_over_without_a_restart(house_store: Path, tmp_path: Path) -> None:
    shutil.copytree(house_store, tmp_path / "served")
    with serving(tmp_path / "served") as served:
        prop = next(iri for iri in served.service.home.state if iri.endswith("brightness"))
        served.client.post("/state", json={prop: 41}).raise_for_status()
        assert served.stranger.get("/sparql", params={"query": "ASK { ?a ?b ?c }"}).status_code == 200
        with full(served):
            for _ in range(3):
                answer = served.client.post("/state", json={prop: 42})
                assert (answer.status_code, answer.json()["reason"]) == (503, "store_failed"), answer.text
            ready = served.stranger.get("/ready")
            assert (ready.status_code, ready.json()["reason"]) == (503, "store_failed")
            asked = served.client.post("/requests", json={"text": "turn on the hallway light", "consent": "all"})
            assert (asked.status_code, asked.json()["reason"]) == (503, "store_failed"), asked.text
            assert served.stranger.get("/state").json()[prop] == 41
            assert served.stranger.get("/home/things").status_code == 200
            found = served.stranger.get("/sparql", params={"query": "ASK { ?a ?b ?c }"})
            assert found.status_code == 200, found.text
        ready = served.stranger.get("/ready")
        assert ready.status_code == 200, ready.text
        assert served.client.post("/state", json={prop: 43}).status_code == 200
        asked = served.client.post("/requests", json={"text": "turn on the hallway light", "consent": "all"})
        assert asked.status_code == 200
        assert served.stranger.get("/state").json()[prop] == 43
    with Hearthgraph.open(tmp_path / "served") as home:
        assert home.state[prop] == 43


# Damage


def damaged(store: Path, tmp_path: Path, pattern: str) -> Path:
    """A copy of a store with its files of a kind overwritten here and there."""
    shutil.copytree(store, tmp_path / "damaged")
    for file in (tmp_path / "damaged").glob(pattern):
        content = bytearray(file.read_bytes())
        for place in range(len(content) // 8, len(content), max(1, len(content) // 64)):
            content[place] ^= 0x5A
        file.write_bytes(content)
    return tmp_path / "damaged"


@pytest.mark.parametrize(
    ("pattern", "command"),
    [
        *((pattern, command) for pattern in ("CURRENT", "MANIFEST-*") for command in (("things",), ("serve",))),
        *((pattern, ("store", "--check")) for pattern in ("CURRENT", "MANIFEST-*", "*.sst")),
    ],
)
def test_a_damaged_store_says_which_file_and_what_to_do(
    house_store: Path, tmp_path: Path, pattern: str, command: tuple[str, ...]
) -> None:
    store = damaged(house_store, tmp_path, pattern)
    done = subprocess.run(
        [sys.executable, "-m", "engine.cli.main", "--store", store, *command],
        capture_output=True,
        text=True,
        timeout=60,
        cwd=ROOT,
        env={"HEARTHGRAPH_PORT": "0", "PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin"},
    )
    assert done.returncode == 1, done.stdout
    assert "The store is damaged" in done.stderr
    assert pattern.partition("-")[0].strip("*") in done.stderr or "the indexes" in done.stderr, done.stderr
    assert "restore" in done.stderr
    assert "should not" not in done.stderr


def test_a_whole_store_passes_the_check(house_store: Path, tmp_path: Path) -> None:
    shutil.copytree(house_store, tmp_path / "store")
    with EmbeddedStore.open(tmp_path / "store") as store:
        assert sum(store.read_through().values()) > 10_000


def test_a_store_whose_reading_fails_later_says_so_too(house_store: Path, tmp_path: Path) -> None:
    shutil.copytree(house_store, tmp_path / "store")
    with EmbeddedStore.open(tmp_path / "store") as store:
        store._store.optimize()
    store_at = damaged(tmp_path / "store", tmp_path, "*.sst")
    with pytest.raises(StoreCorruptError), EmbeddedStore.open(store_at) as store:
        store.read_through()


def test_a_store_is_let_go_of_whatever_went_wrong_when_it_was_opened(
    house_store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(house_store, tmp_path / "store")
    monkeypatch.setattr("engine.environment.state._read_present", lambda _: 1 // 0)
    for _ in range(2):  # the second time it would be in use
        with pytest.raises(ZeroDivisionError):
            Hearthgraph.open(tmp_path / "store")
    monkeypatch.undo()
    with Hearthgraph.open(tmp_path / "store") as home:
        assert home.registry.things


# Files beside the store


EMPTY = ["", "\n", "short", " " * 50, "\0" * 43, "a" * 43, "first-line-of-it\nsecond-line-of-it", "\x80" * 43]


@pytest.mark.parametrize("name", ["token", "sessions"])
@pytest.mark.parametrize("content", EMPTY)
def test_an_empty_secret_opens_nothing(house_store: Path, tmp_path: Path, name: str, content: str) -> None:
    """Neither one of zeros, which a power cut may leave: whoever guessed the key of the sessions would be signed in."""
    folder = kept_beside(house_store, tmp_path)
    (folder / name).write_bytes(content.encode("latin-1"))
    (folder / name).chmod(0o600)
    with pytest.raises(SettingError, match="too short"):
        Service.open(load(store=tmp_path / "store", port=0))


def test_what_is_no_file_is_not_read_as_a_secret(house_store: Path, tmp_path: Path) -> None:
    """A pipe would never end, and a device would fill the memory."""
    folder = kept_beside(house_store, tmp_path)
    (folder / "token").symlink_to("/dev/zero")
    with pytest.raises(SettingError, match="no file"):
        Service.open(load(store=tmp_path / "store", port=0))


def kept_beside(house_store: Path, tmp_path: Path) -> Path:
    """The folder in which a server keeps its files, beside a copy of the store."""
    shutil.copytree(house_store, tmp_path / "store")
    folder = beside(tmp_path / "store")
    folder.mkdir(mode=0o700)
    return folder


# Entities


def entities(levels: int) -> str:
    named = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10 if n else "x"}">' for n in range(levels))
    rdf = 'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:e="urn:e:"'
    body = f'<rdf:RDF {rdf}><rdf:Description rdf:about="urn:a"><e:b>&e{levels - 1};</e:b></rdf:Description></rdf:RDF>'
    return f'<?xml version="1.0"?><!DOCTYPE rdf:RDF [{named}]>{body}'


@pytest.mark.parametrize("path", ["/graphs?graph=urn:bomb", "/things"])
def test_a_bomb_of_entities_is_refused_unread(house: Serving, path: str) -> None:
    method = "PUT" if "graphs" in path else "POST"
    for content in (entities(6), entities(9), entities(2).replace("<!DOCTYPE", "<!doctype")):
        headers = {"Content-Type": "application/rdf+xml"}
        answer: httpx.Response = house.client.request(method, path, content=content, headers=headers)
        assert answer.status_code == 400, answer.text[:300]
    assert house.service.store.graph(NamedNode("urn:bomb")) == []


def test_what_history_says_oddly_is_passed_over(tmp_path: Path) -> None:
    store = filled(tmp_path / "store", "lab308.ttl")
    with EmbeddedStore.open(store) as kept:
        entry, prop = NamedNode("urn:odd"), next(iter(kept.graph(graph("state")))).subject
        about = {"property": prop, "before": NamedNode("urn:x"), "after": NamedNode("urn:y")}
        hg = "https://w3id.org/hearthgraph#"
        quads = [Quad(entry, NamedNode(hg + name), value, HISTORY) for name, value in about.items()]  # type: ignore[arg-type]
        kept.write(insert=quads)
    with Hearthgraph.open(store) as home:
        assert home.ask("turn on the light", consent=True).status.value == "done"


@pytest.fixture
def small_disk(house_store: Path, tmp_path: Path) -> Iterator[Path]:
    """A disk on which the house fits, with 16 MiB to spare; the test is skipped where none can be mounted."""
    disk = tmp_path / "disk"
    disk.mkdir()
    size = sum(file.stat().st_size for file in house_store.iterdir()) + 16 * 1024 * 1024
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={size}", "none", disk], capture_output=True, check=False
    )
    if mounted.returncode != 0:
        pytest.skip("no disk can be mounted here")
    try:
        yield disk
    finally:
        subprocess.run(["umount", "--lazy", disk], check=True)


@pytest.mark.slow
def test_a_disk_that_is_really_full_is_got_over_by_a_server_of_its_own(house_store: Path, small_disk: Path) -> None:
    store = small_disk / "store"
    shutil.copytree(house_store, store)
    process, url, token = start(store)
    try:
        with httpx.Client(base_url=url, headers={"Authorization": f"Bearer {token}"}, timeout=60) as client:
            prop = next(iri for iri in client.get("/state").json() if iri.endswith("brightness"))
            client.post("/state", json={prop: 1}).raise_for_status()
            ballast = small_disk / "ballast"
            with suppress(OSError), ballast.open("wb", buffering=0) as file:
                while True:
                    file.write(b"\0" * 65_536)
            answers = [client.post("/state", json={prop: 2 + number % 50}) for number in range(400)]
            refused = [one for one in answers if one.is_error]
            assert refused, "it was full"
            assert {(one.status_code, one.json()["reason"]) for one in refused} == {(503, "store_failed")}
            last = client.get("/state").json()[prop]
            assert client.get("/ready").status_code == 503
            ballast.unlink()
            assert client.get("/ready").status_code == 200
            assert client.get("/state").json()[prop] == last
            client.post("/state", json={prop: 77}).raise_for_status()
    finally:
        process.kill()
        process.wait(timeout=10)
    with Hearthgraph.open(store) as home:
        assert home.state[prop] == 77
