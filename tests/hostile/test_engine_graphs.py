"""With the token, too, the engine's graphs change only through the engine, however an update is written."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.hostile.listening import listening
from tests.server.serving import HG, Serving

HISTORY = f"<{HG}graph/history>"


def hidden(update: str) -> list[str]:
    """Ways to hide an update from a parser that puts escapes in place before it reads, or after."""
    return [
        f'INSERT DATA {{ GRAPH <urn:x> {{ <urn:a> <urn:b> "\\u0022 }} }} ; {update} #" }} }}',
        f'INSERT DATA {{ GRAPH <urn:x> {{ <urn:a> <urn:b> "\\U00000022, "}} }} ; {update} ; # " }} }}',
        f"INSERT DATA {{ GRAPH <urn:x> {{ <urn:a> <urn:b> '\\u0027 }} }} ; {update} #' }} }}",
        f'INSERT DATA {{ GRAPH <urn:x> {{ <urn:a> <urn:b> "a\\u005C" . <urn:c> <urn:d> " }} }} ; {update} #" }} }}',
        f"INSERT DATA {{ GRAPH <urn:x> {{ <urn:a> <urn:b> 1 }} }} \\u0023 \n ; {update}",
        f"INSERT DATA {{ GRAPH <urn:x> {{ <urn:a> <urn:b> 1 }} }} # \\u000A ; {update}",
        f"INSERT DATA {{ GRAPH <urn:x> {{ <urn:a> <urn:b> '\\u005Cu0027' }} }} ; {update}",
    ]


@pytest.mark.parametrize("text", hidden(f"CLEAR GRAPH {HISTORY}") + hidden(f"DROP SILENT GRAPH <{HG}graph/policies>"))
def test_what_a_literal_hides_changes_no_graph_of_the_engines(house: Serving, text: str, tmp_path: Path) -> None:
    prop = next(iri for iri in house.service.home.state if iri.endswith("brightness"))
    for value in (11, 22, 33):
        house.client.post("/state", json={prop: value}).raise_for_status()
    before = [line for line in house.dump(tmp_path / "before.nq") if "<urn:x>" not in line]
    house.client.post("/update", data={"update": text})
    assert [line for line in house.dump(tmp_path / "after.nq") if "<urn:x>" not in line] == before
    assert len(house.service.home.state.history(prop)) >= 2


@pytest.mark.parametrize("silent", ["", "SILENT "])
def test_an_update_fetches_nothing(house: Serving, silent: str) -> None:
    with listening() as listener:
        for text in [
            *hidden(f"LOAD {silent}<{listener.url}/x> INTO GRAPH <urn:x>"),
            f"LOAD {silent}<{listener.url}/x> INTO GRAPH <urn:x>",
            f"INSERT {{ GRAPH <urn:x> {{ ?a ?b ?c }} }} WHERE {{ SERVICE {silent}<{listener.url}/x> {{ ?a ?b ?c }} }}",
        ]:
            house.client.post("/update", data={"update": text})
        assert listener.heard == []


def test_an_update_does_all_that_it_says_blank_nodes_among_it(house: Serving) -> None:
    def update(text: str) -> None:
        house.client.post("/update", data={"update": text}).raise_for_status()

    def count(pattern: str) -> int:
        return len(house.rows(f"SELECT * {{ GRAPH <urn:blank> {{ {pattern} }} }}"))

    update(
        "INSERT DATA { GRAPH <urn:blank> { <urn:a> <urn:has> _:b . _:b <urn:n> 1 ; <urn:m> 2 . <urn:c> <urn:n> 3 } }"
    )
    update("DELETE { GRAPH <urn:blank> { ?b <urn:n> 1 } } WHERE { GRAPH <urn:blank> { ?b <urn:n> 1 } }")
    assert count("<urn:a> <urn:has> ?b . ?b <urn:m> 2") == 1
    assert count("?b <urn:n> 1") == 0
    update("INSERT { GRAPH <urn:blank> { ?b <urn:n> 5 } } WHERE { GRAPH <urn:blank> { <urn:a> <urn:has> ?b } }")
    assert count("<urn:a> <urn:has> ?b . ?b <urn:n> 5") == 1
    update("WITH <urn:blank> DELETE { ?s <urn:n> ?n } INSERT { ?s <urn:n> 9 } WHERE { ?s <urn:n> ?n }")
    assert count("<urn:a> <urn:has> ?b . ?b <urn:n> 9 ; <urn:m> 2") == 1
    update("CLEAR GRAPH <urn:blank>")
    assert count("?s ?p ?o") == 0


def test_updates_at_the_same_time_lose_nothing(house: Serving) -> None:
    house.client.post("/update", data={"update": "INSERT DATA { GRAPH <urn:n> { <urn:c> <urn:is> 0 } }"})
    where = "{ ?c <urn:is> ?n BIND(?n + 1 AS ?more) }"
    text = "WITH <urn:n> DELETE { ?c <urn:is> ?n } INSERT { ?c <urn:is> ?more } WHERE " + where
    put = {"content": "<urn:p> <urn:q> 1 .", "headers": {"Content-Type": "text/turtle"}}

    def work(number: int) -> None:
        house.client.post("/update", data={"update": text}).raise_for_status()
        house.client.put("/graphs", params={"graph": f"urn:put:{number}"}, **put).raise_for_status()  # type: ignore[arg-type]

    with ThreadPoolExecutor(4) as at:
        list(at.map(work, range(12)))
    assert house.rows("SELECT ?n { GRAPH <urn:n> { ?c <urn:is> ?n } }") == [{"n": "12"}]
