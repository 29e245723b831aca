"""The list of Thing Descriptions, whole and in pages."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from urllib.parse import parse_qs, urljoin, urlsplit

import httpx
import pytest

from tests.server.directory.lamps import DISCOVERY, address, lamp, patch, put
from tests.server.serving import Serving, serving

IDS = sorted(f"urn:lamp:{name}" for name in ("B", "a", "z", "10", "9", "é", "Z", "\U0001f4a1", "￮"))


@pytest.fixture(scope="module")
def lamps(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """A home of nine lamps, none of which came in by another way."""
    with serving(tmp_path_factory.mktemp("lamps") / "store", sparql_processes=1) as served:
        for number, iri in enumerate(reversed(IDS)):
            assert put(served.client, lamp(iri, title=f"lamp {number % 3}")).status_code == 201
        yield served


def links(answer: httpx.Response) -> dict[str, tuple[str, dict[str, str]]]:
    """The links of an answer: relation → address and attributes."""
    found = {}
    for target, rest in re.findall(r"<([^>]*)>((?:\s*;\s*\w+=\"[^\"]*\")*)", answer.headers["link"]):
        attributes = dict(re.findall(r"(\w+)=\"([^\"]*)\"", rest))
        found[attributes.pop("rel")] = target, attributes
    return found


def ids(answer: httpx.Response) -> list[str]:
    return [td["id"] for td in answer.raise_for_status().json()]


@pytest.mark.tdd("tdd-things-list-only", "tdd-things-list-method", "tdd-things-list-resp")
def test_the_list_is_an_array_of_all_descriptions(lamps: Serving) -> None:
    answer = lamps.stranger.get("/things")
    assert answer.status_code == 200
    assert isinstance(answer.json(), list)
    assert sorted(ids(answer)) == IDS
    for td in answer.json():
        single = lamps.stranger.get(address(td["id"])).json()
        assert {**td, "registration": 0} == {**single, "registration": 0}


@pytest.mark.tdd("tdd-things-list-resp-content-type")
@pytest.mark.parametrize(
    ("accept", "given"),
    [
        ("*/*", "application/ld+json"),
        ("application/json", "application/json"),
        ("application/ld+json", "application/ld+json"),
        ("application/td+json", "application/ld+json"),
        ("text/html, application/json;q=0.5", "application/json"),
    ],
)
def test_the_list_is_json(lamps: Serving, accept: str, given: str) -> None:
    assert lamps.stranger.get("/things", headers={"Accept": accept}).headers["content-type"] == given
    assert lamps.stranger.get("/things", headers={"Accept": "text/csv"}).status_code == 406


@pytest.mark.tdd("tdd-things-list-pagination", "tdd-things-list-pagination-limit")
@pytest.mark.parametrize("limit", [1, 2, 4, 9, 10, 10**12])
def test_pages_together_are_the_list(lamps: Serving, limit: int) -> None:
    found: list[str] = []
    url = f"/things?limit={limit}"
    while url:
        answer = lamps.stranger.get(url)
        assert len(answer.json()) <= limit
        found += ids(answer)
        url = links(answer).get("next", ("", {}))[0]
    assert found == IDS


@pytest.mark.tdd(
    "tdd-things-list-pagination-header-nextlink",
    "tdd-things-list-pagination-header-nextlink-attr",
    "tdd-things-list-pagination-header-nextlink-base",
)
def test_a_page_that_is_not_the_last_leads_to_the_next(lamps: Serving) -> None:
    asked = {"offset": "3", "limit": "4", "sort_by": "title", "sort_order": "desc", "format": "array"}
    answer = lamps.stranger.get("/things", params=asked)
    target, _ = links(answer)["next"]
    url = urlsplit(urljoin(f"{lamps.url}/", target))
    assert (f"{url.scheme}://{url.netloc}", url.path) == (lamps.url, "/things")
    assert {name: value for name, (value,) in parse_qs(url.query).items()} == {**asked, "offset": "7"}
    assert "next" not in links(lamps.stranger.get(target))
    assert "next" not in links(lamps.stranger.get("/things", params={"offset": "9", "limit": "1"}))
    assert "next" not in links(lamps.stranger.get("/things", params={"offset": "5", "limit": "4"}))


@pytest.mark.tdd("tdd-things-list-pagination-header-canonicallink")
def test_every_page_leads_to_the_list_and_tells_its_state(lamps: Serving) -> None:
    def state() -> str:
        states = set()
        for offset in range(0, 12, 4):
            target, attributes = links(lamps.stranger.get("/things", params={"offset": offset, "limit": 4}))[
                "canonical"
            ]
            assert target == "/things"
            states.add(attributes["etag"])
        assert len(states) == 1
        return states.pop()

    first = state()
    assert state() == first
    assert patch(lamps.client, IDS[0], {"description": "changed"}).status_code == 204
    assert state() != first


@pytest.mark.tdd("tdd-things-list-pagination-order-default")
def test_the_list_is_sorted_by_the_code_points_of_the_ids(lamps: Serving) -> None:
    assert ids(lamps.stranger.get("/things")) == IDS
    assert ids(lamps.stranger.get("/things", params={"sort_order": "desc"})) == IDS[::-1]
    assert (
        IDS.index("urn:lamp:Z") < IDS.index("urn:lamp:a") < IDS.index("urn:lamp:￮") < IDS.index("urn:lamp:\U0001f4a1")
    )


@pytest.mark.parametrize("order", ["asc", "desc"])
def test_the_list_is_sorted_by_titles_and_times(lamps: Serving, order: str) -> None:
    for name in ("title", "created", "modified"):
        listed = lamps.stranger.get("/things", params={"sort_by": name, "sort_order": order}).json()
        times = [td["registration"].get(name) for td in listed]
        values = [td["title"] for td in listed] if name == "title" else [datetime.fromisoformat(at) for at in times]
        assert values == sorted(values, reverse=order == "desc")
    with_end = lamp("urn:lamp:end", registration={"ttl": 1000})
    assert put(lamps.client, with_end).status_code == 201
    assert ids(lamps.stranger.get("/things", params={"sort_by": "expires", "sort_order": order}))[0] == with_end["id"]
    assert lamps.client.delete(address(with_end["id"])).status_code == 204


@pytest.mark.tdd("tdd-things-list-pagination-collection")
def test_a_collection_says_how_many_there_are_and_where_the_next_ones_are(lamps: Serving) -> None:
    answer = lamps.stranger.get("/things", params={"format": "collection", "limit": 5})
    found = answer.json()
    assert (found["@context"], found["@type"], found["total"]) == (DISCOVERY, "ThingCollection", 9)
    assert [td["id"] for td in found["members"]] == IDS[:5]
    assert found["next"] == links(answer)["next"][0]
    last = lamps.stranger.get(found["next"]).json()
    assert [td["id"] for td in last["members"]] == IDS[5:]
    assert "next" not in last
    assert last["@id"] == found["next"]


@pytest.mark.parametrize(
    "asked",
    [
        {"limit": "0"},
        {"limit": "-1"},
        {"limit": "ten"},
        {"limit": "1.5"},
        {"limit": "²"},
        {"limit": "9" * 5000},
        {"offset": "-1"},
        {"offset": ""},
        {"offset": "9" * 30},
        {"format": "xml"},
        {"sort_order": "up"},
    ],
)
def test_numbers_and_words_that_are_none_are_refused(lamps: Serving, asked: dict[str, str]) -> None:
    answer = lamps.stranger.get("/things", params=asked)
    assert answer.status_code == 400, answer.text
    assert answer.headers["content-type"] == "application/problem+json"


def test_a_page_behind_the_end_is_empty(lamps: Serving) -> None:
    answer = lamps.stranger.get("/things", params={"offset": str(10**17), "limit": str(10**17)})
    assert answer.json() == []
    assert "next" not in links(answer)


def test_a_house_of_another_origin_is_listed_whole(house_store: Path, tmp_path: Path) -> None:
    shutil.copytree(house_store, tmp_path / "store")
    with serving(tmp_path / "store", sparql_processes=1) as served:
        assert set(ids(served.stranger.get("/things"))) == set(served.service.home.registry.things)
