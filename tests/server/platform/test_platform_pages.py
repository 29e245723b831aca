"""The platform as other agents read it: its pages lead from one to the next, in each form that it is asked for."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from pyoxigraph import NamedNode, RdfFormat, Store, parse

from engine.hearthgraph import Hearthgraph
from engine.things.partition import partition
from engine.things.turtle import facts_of, parse_text
from tests.server.serving import Serving, filled, serving

HMAS = "https://purl.org/hmas/"
RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
LIGHT = "/workspaces/lab308/artifacts/light308"


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    with serving(filled(tmp_path_factory.mktemp("lab") / "store", "lab308.ttl")) as served:
        yield served


def graph(content: str, address: str) -> Store:
    found = Store()
    found.extend(parse(content, RdfFormat.TURTLE, base_iri=address))
    return found


def objects(store: Store, subject: str, predicate: str) -> set[str]:
    return {q.object.value for q in store.quads_for_pattern(NamedNode(subject), NamedNode(predicate), None)}  # type: ignore[union-attr]


def crawled(home: Serving) -> dict[str, str]:
    """The pages by address, found by following `hosts` and `contains` from the platform's."""
    pages: dict[str, str] = {}
    waiting = [f"{home.url}/workspaces"]
    while waiting:
        address = waiting.pop()
        if address in pages:
            continue
        answer = home.stranger.get(address, headers={"Accept": "text/turtle"})
        assert answer.status_code == 200, answer.text
        pages[address] = answer.text
        for quad in graph(answer.text, address):
            leads = quad.predicate.value in (f"{HMAS}hosts", f"{HMAS}contains")
            waiting += [quad.object.value.partition("#")[0]] if leads else []  # type: ignore[union-attr]
    return pages


def test_all_there_is_is_found_by_following_links_from_the_platform(lab: Serving) -> None:
    names = ("light308", "blinds308", "lightSensor308", "temperatureSensor308")
    expected = {f"{lab.url}/workspaces", f"{lab.url}/workspaces/lab308"}
    expected |= {f"{lab.url}/workspaces/lab308/artifacts/{name}" for name in names}
    assert crawled(lab).keys() == expected


def test_no_resource_is_of_two_disjoint_classes(lab: Serving) -> None:
    disjoint = [{f"{HMAS}{name}"} for name in ("Agent", "Artifact", "ResourceProfile", "Signifier", "Workspace")]
    for address, page in crawled(lab).items():
        found = graph(page, address)
        for subject in {quad.subject for quad in found}:
            types = objects(found, subject.value, f"{RDF}type")  # type: ignore[union-attr]
            assert sum(bool(types & one) for one in disjoint) <= 1, subject
        profiles = {q.subject.value for q in found.quads_for_pattern(None, NamedNode(f"{HMAS}isProfileOf"), None)}  # type: ignore[union-attr]
        assert profiles == {address}


def test_what_was_crawled_loads_into_another_home_as_it_is_here(lab: Serving, tmp_path: Path) -> None:
    for number, (address, page) in enumerate(crawled(lab).items()):
        if "/artifacts/" in address:
            (tmp_path / f"page{number}.ttl").write_text(page, encoding="utf-8")
    with Hearthgraph.open(None) as other:
        other.load(sorted(tmp_path.glob("*.ttl")))
        here = lab.service.home
        assert {t.title for t in other.registry.things.values()} == {t.title for t in here.registry.things.values()}
        light = other.registry.things[f"{lab.url}{LIGHT}#artifact"]
        own = next(t for t in here.registry.things.values() if t.title == "Light308")
        assert [a.name for a in light.actions] == [a.name for a in own.actions]
        assert [(p.name, p.kinds, p.schema) for p in light.properties] == [
            (p.name, p.kinds, p.schema) for p in own.properties
        ]
        assert sorted(map(str, other.state.values())) == sorted(map(str, here.state.values()))
        assert {form.target for action in light.actions for form in action.forms} == {
            f"{lab.url}{LIGHT}/actions/{action.name}" for action in light.actions
        }


def test_a_workspace_that_can_be_joined_is_a_place_and_no_thing(lab: Serving) -> None:
    triples = parse_text(lab.stranger.get("/workspaces/lab308").content)
    found = partition(facts_of(triples), lab.service.home.registry.vocabulary)
    own = NamedNode(f"{lab.url}/workspaces/lab308#workspace")
    assert own in found.places
    assert own not in found.things
    assert len(found.things) == 4
