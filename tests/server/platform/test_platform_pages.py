"""The platform as other agents read it: its pages lead from one to the next, in each form that it is asked for."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from jsonschema import Draft7Validator
from pyoxigraph import Literal, NamedNode, RdfFormat, Store, parse

from engine.hearthgraph import Hearthgraph
from engine.things.description.turtle import facts_of, parse_text
from engine.things.partition import partition
from tests.homes import filled
from tests.server.serving import Serving, serving

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


# Negotiation


@pytest.mark.parametrize(
    ("accept", "given"),
    [
        (None, "text/turtle"),
        ("*/*", "text/turtle"),
        ("text/html, */*;q=0.8", "text/turtle"),
        ("application/ld+json", "application/ld+json"),
        ("application/td+json", "application/td+json"),
        ("text/turtle;q=0.2, application/td+json;q=0.9", "application/td+json"),
        ("application/*", "application/ld+json"),
    ],
)
def test_a_client_gets_the_form_that_it_likes_best(lab: Serving, accept: str | None, given: str) -> None:
    answer = lab.stranger.get(LIGHT, headers={"Accept": accept or ""})
    assert answer.headers["Content-Type"].partition(";")[0] == given
    assert set(answer.headers["Vary"].split(", ")) >= {"Accept", "Accept-Profile"}


def test_what_cannot_be_given_is_not_acceptable(lab: Serving) -> None:
    for path, accept in (
        (LIGHT, "image/png"),
        ("/workspaces", "application/td+json"),
        (f"{LIGHT}/properties", "text/csv"),
    ):
        answer = lab.stranger.get(path, headers={"Accept": accept})
        assert (answer.status_code, answer.json()["reason"]) == (406, "not_acceptable")
    assert lab.stranger.get(f"{LIGHT}?format=csv").status_code == 406


@pytest.mark.parametrize(
    "headers",
    [
        {"Accept-Profile": "<https://purl.org/hmas/yggdrasil>"},
        {"Accept": 'text/turtle;profile="https://purl.org/hmas/yggdrasil"'},
        {"Accept": 'application/ld+json; profile="https://purl.org/hmas/yggdrasil"'},
    ],
)
def test_the_other_dialect_is_given_on_request(lab: Serving, headers: dict[str, str]) -> None:
    answer = lab.stranger.get(LIGHT, headers=headers)
    assert "yggdrasil" in answer.headers["Content-Profile"]
    assert "hasOutputSchema" in answer.text
    assert "invokeaction" in answer.text
    assert "isObservable" in answer.text
    plain = lab.stranger.get(LIGHT, headers={"Accept": headers.get("Accept", "text/turtle").partition(";")[0]})
    assert "hasOutputSchema" not in plain.text
    assert plain.headers["ETag"] != answer.headers["ETag"]


def test_turtle_and_jsonld_say_the_same(lab: Serving) -> None:
    for path in ("/workspaces", "/workspaces/lab308", LIGHT, f"{LIGHT}?profile=yggdrasil"):
        turtle = lab.stranger.get(path, headers={"Accept": "text/turtle"})
        linked = lab.stranger.get(path, headers={"Accept": "application/ld+json"})
        said = {(str(q.subject), str(q.predicate), _value(q.object)) for q in parse(turtle.content, RdfFormat.TURTLE)}
        again = {(str(q.subject), str(q.predicate), _value(q.object)) for q in parse(linked.content, RdfFormat.JSON_LD)}
        assert said == again


def _value(term: object) -> str:
    """A term; of a JSON literal what it stands for, which JSON-LD may write with other spaces."""
    if isinstance(term, Literal) and term.datatype.value.endswith("#JSON"):
        return json.dumps(json.loads(term.value))
    return str(term)


def test_the_thing_description_is_as_w3c_has_it(lab: Serving, shared: Path) -> None:
    schema = json.loads((shared / "w3c" / "td-json-schema-validation.json").read_text(encoding="utf-8"))
    for name in ("light308", "blinds308", "lightSensor308", "temperatureSensor308"):
        answer = lab.stranger.get(f"/workspaces/lab308/artifacts/{name}", headers={"Accept": "application/td+json"})
        Draft7Validator(schema).validate(answer.json())
        assert answer.json()["security"] == ["nosec_sc"]
        for action in answer.json().get("actions", {}).values():
            assert [form["security"] for form in action["forms"]] in (["bearer_sc"], [["bearer_sc"]])


# Conditions


@pytest.mark.parametrize("path", ["/workspaces", "/workspaces/lab308", LIGHT, f"{LIGHT}/properties"])
def test_what_the_client_has_is_not_sent_again(lab: Serving, path: str) -> None:
    first = lab.stranger.get(path)
    again = lab.stranger.get(path, headers={"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert again.headers["ETag"] == first.headers["ETag"]
    head = lab.stranger.head(path)
    assert (head.status_code, head.content, head.headers["ETag"]) == (200, b"", first.headers["ETag"])


def test_a_change_of_state_makes_another_version(lab: Serving) -> None:
    turn = lab.service.home.state.write
    on_off = next(iri for iri in lab.service.home.registry.properties if iri.endswith("light308#properties/on_off"))
    for value in ("on", "off"):
        before = {path: lab.stranger.get(path) for path in ("/workspaces/lab308", LIGHT, f"{LIGHT}/properties/on_off")}
        turn({on_off: "on" if lab.service.home.state[on_off] == "off" else "off"})
        for path, known in before.items():
            answer = lab.stranger.get(path, headers={"If-None-Match": known.headers["ETag"]})
            assert (answer.status_code, answer.text != known.text) == (200, True), (path, value)
        td = lab.stranger.get(LIGHT, headers={"Accept": "application/td+json"}).headers["ETag"]
        turn({on_off: value})
        assert lab.stranger.get(LIGHT, headers={"Accept": "application/td+json"}).headers["ETag"] == td


@pytest.mark.parametrize(
    "path",
    [
        "/workspaces/attic",
        "/workspaces/lab308/artifacts/nothing",
        "/workspaces/lab308/artifacts/light308/properties/nothing",
        "/workspaces/lab308/artifacts/light308/events/nothing",
        "/workspaces/%3Cscript%3E/artifacts/%22",
        "/workspaces/lab308/artifacts/light308/properties/on_off%2F..",
        "/workspaces/..%2F..%2Fetc/artifacts/passwd",
    ],
)
def test_what_is_not_there_is_not_found(lab: Serving, path: str) -> None:
    answer = lab.stranger.get(path)
    assert answer.status_code == 404
    assert answer.headers["Content-Type"] == "application/problem+json"
    assert answer.headers["X-Content-Type-Options"] == "nosniff"


def test_a_browser_follows_by_server_sent_events(lab: Serving) -> None:
    state, registry = lab.service.home.state, lab.service.home.registry
    on_off = next(iri for iri in registry.properties if iri.endswith("light308#properties/on_off"))
    state.write({on_off: "off"})
    for path, name in (
        (f"{LIGHT}/properties", "on_off"),
        (f"{LIGHT}/properties/on_off", "on_off"),
        ("/workspaces/lab308/properties", f"{lab.url}{LIGHT}/properties/on_off"),
    ):
        with lab.stranger.stream("GET", path, headers={"Accept": "text/event-stream"}) as stream:
            assert stream.headers["Content-Type"].startswith("text/event-stream")
            lines = stream.iter_lines()
            assert _next(lines, name) == '"off"'
            state.write({on_off: "on"})
            assert _next(lines, name) == '"on"'
        state.write({on_off: "off"})


def _next(lines: Iterator[str], name: str) -> str:
    """The data of the next event of a name."""
    for line in lines:
        if line == f"event: {name}":
            return next(lines).removeprefix("data: ")
    raise AssertionError(f"no event {name}")
