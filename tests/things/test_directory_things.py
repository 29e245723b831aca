"""The directory itself: what goes in comes out, patches do not lose each other, what is refused leaves no trace."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from engine.errors import HearthgraphError
from engine.graph.embedded import EmbeddedStore
from engine.things.directory.directory import Directory
from engine.things.directory.events import Kind
from engine.things.directory.faults import Invalid, Unsupported
from engine.things.directory.listing import Order
from engine.things.registry import Registry

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)


class Time:
    """A clock that is moved by hand."""

    def __init__(self) -> None:
        self.now = NOW

    def __call__(self) -> datetime:
        return self.now


@pytest.fixture
def time() -> Time:
    return Time()


@pytest.fixture
def directory(time: Time) -> Iterator[Directory]:
    with EmbeddedStore.open(None) as store:
        yield Directory(Registry(store), time)


def lamp(iri: str, **more: Any) -> dict[str, Any]:
    return {
        "@context": "https://www.w3.org/2022/wot/td/v1.1",
        "id": iri,
        "title": "lamp",
        "security": "nosec_sc",
        "securityDefinitions": {"nosec_sc": {"scheme": "nosec"}},
        **more,
    }


def bare(document: dict[str, Any]) -> dict[str, Any]:
    """A description without its registration."""
    return {name: value for name, value in document.items() if name != "registration"}


def test_descriptions_of_many_makers_come_out_as_they_came_in(directory: Directory, shared: Path) -> None:
    taken = refused = 0
    for path in sorted((shared / "w3c" / "things").iterdir()):
        iri = f"urn:plugfest:{path.stem}".replace(" ", "-")
        try:
            directory.put(iri, {**json.loads(path.read_text(encoding="utf-8")), "id": iri})
        except (HearthgraphError, ValueError):
            refused += 1
            continue
        taken += 1
        first = directory.retrieve(iri)
        assert directory.put(iri, first) is False
        assert bare(directory.retrieve(iri)) == bare(first), path.name
        given = json.loads(path.read_text(encoding="utf-8"))
        assert given.keys() - {"id", "@id", "@type", "base"} <= first.keys() | {"description", "support"}, path.name
    assert taken >= 40, f"{taken} taken, {refused} refused"


def test_patches_of_many_at_once_are_all_there_in_the_end(directory: Directory) -> None:
    directory.put("urn:lamp", lamp("urn:lamp"))

    def change(number: int) -> None:
        for step in range(5):
            directory.patch("urn:lamp", {f"member{number}": step})

    threads = [threading.Thread(target=change, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    found = directory.retrieve("urn:lamp")
    assert {name: found[name] for name in found if name.startswith("member")} == {f"member{n}": 4 for n in range(6)}
    assert [event.kind for event in directory.events.after(0)] == [Kind.CREATED, *[Kind.UPDATED] * 30]


def test_what_is_refused_leaves_no_trace(directory: Directory) -> None:
    directory.put("urn:lamp", lamp("urn:lamp", kept=True))
    before = directory.retrieve("urn:lamp")
    for wrong in ({"title": 1}, {"@context": "x"}, {"forms": []}, {"registration": {"ttl": -1}}):
        with pytest.raises(Invalid):
            directory.patch("urn:lamp", wrong)
        with pytest.raises(Invalid):
            directory.put("urn:lamp", lamp("urn:lamp", **wrong))
    assert directory.retrieve("urn:lamp") == before
    assert len(directory.events.after(0)) == 1


def test_the_next_end_is_the_first_to_come(directory: Directory, time: Time) -> None:
    for name, seconds in (("a", 300), ("b", 100), ("c", 200), ("d", None)):
        about = {} if seconds is None else {"registration": {"ttl": seconds}}
        directory.put(f"urn:{name}", lamp(f"urn:{name}", **about))
    gone = []
    for _ in range(4):
        time.now += timedelta(seconds=100)
        gone.append(directory.purge())
    assert gone == [["urn:b"], ["urn:c"], ["urn:a"], []]
    assert [event.iri for event in directory.events.after(4)] == ["urn:b", "urn:c", "urn:a"]
    assert [td["id"] for td in directory.page(0, 10, Order()).documents] == ["urn:d"]


def test_what_others_restore_is_known_at_once_with_its_registration(
    directory: Directory, time: Time, tmp_path: Path
) -> None:
    store = directory.store
    directory.put("urn:lamp", lamp("urn:lamp", registration={"ttl": 100}))
    store.dump(tmp_path / "before.nq")
    directory.patch("urn:lamp", {"registration": {"ttl": None}})
    directory.put("urn:other", lamp("urn:other"))
    last = directory.events.last
    store.restore(tmp_path / "before.nq")
    assert directory.retrieve("urn:lamp")["registration"]["ttl"] == 100
    assert [(event.kind, event.iri) for event in directory.events.after(last)] == [(Kind.DELETED, "urn:other")]
    time.now += timedelta(seconds=101)
    assert directory.purge() == ["urn:lamp"]


def test_an_order_that_there_is_not_is_said_to_be_none(directory: Directory) -> None:
    with pytest.raises(Unsupported):
        directory.page(0, 10, Order("colour"))
    assert directory.page(0, 10, Order("expires")).documents == ()
