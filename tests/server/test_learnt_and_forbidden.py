"""Policies, experience and reasons over HTTP and on their pages: added, looked at, and taken away by whom it befits."""

from __future__ import annotations

import html
import re
import shutil
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from time import sleep
from typing import Any

import httpx
import pytest

from engine.memory.kept.readings import said_of
from tests.server.serving import Serving, serving

QUIET = """
@prefix hg: <https://w3id.org/hearthgraph#> . @prefix sh: <http://www.w3.org/ns/shacl#> .
<http://house.example/policies#quiet> a sh:NodeShape ; sh:targetClass hg:MediaPlayer ; sh:name "quiet" ;
    sh:message "Twenty at most." ; sh:property [ sh:path hg:Volume ; sh:maxInclusive 20 ] .
"""
TURTLE = {"Content-Type": "text/turtle"}
JSON = {"Accept": "application/json"}
LOUD = "set the television volume to 60"


@pytest.fixture
def served(house_store: Path, tmp_path: Path) -> Iterator[Serving]:
    shutil.copytree(house_store, tmp_path / "store")
    with serving(tmp_path / "store") as found:
        yield found


@pytest.fixture
def browser(served: Serving) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=served.url, follow_redirects=True, timeout=30) as client:
        client.get("/sign-in", params={"code": served.service.keys.code}).raise_for_status()
        yield client


def ask(served: Serving, text: str) -> dict[str, Any]:
    """What came of a request, however long it takes."""
    told = served.client.post("/requests", json={"text": text, "consent": "all"}).json()
    while told["status"] == "scheduled":
        sleep(0.1)
        told = served.client.get(f"/requests/{told['id']}").json()
    return dict(told)


def token_of(client: httpx.Client) -> str:
    found = re.search(r'name="csrf-token" content="([^"]+)"', client.get("/policies").text)
    assert found is not None
    return found[1]


def test_a_policy_is_picked_shown_in_turtle_added_and_kept(served: Serving, browser: httpx.Client) -> None:
    page = browser.get("/policies").text
    about = next(
        key
        for key, name in re.findall(r'<option value="([^"]+)">([^<]+)</option>', page)
        if name == "television: volume"
    )
    picked = browser.get("/policies", params={"about": html.unescape(about), "bound": "at most", "value": "20"}).text
    written = re.search(r"<textarea[^>]*>(.*?)</textarea>", picked, re.DOTALL)
    assert written is not None
    text = html.unescape(written[1])
    assert "sh:maxInclusive 20" in text
    assert browser.get("/policies", headers=JSON).json() == []
    added = browser.post("/policies/add", data={"text": text, "csrf_token": token_of(browser)})
    assert "at most 20" in added.text
    assert "at most 20" in ask(served, LOUD)["reply"]


@pytest.mark.parametrize(
    "given", [{"bound": "at most", "value": "loud"}, {"bound": "perhaps"}, {"about": "urn:x urn:y"}]
)
def test_a_policy_that_cannot_be_is_not_written(browser: httpx.Client, given: dict[str, str]) -> None:
    found = re.findall(r'<option value="([^"]+)">([^<]+)</option>', browser.get("/policies").text)
    about = next(html.unescape(key) for key, name in found if "volume" in name)
    page = browser.get("/policies", params={"about": about, **given})
    assert page.status_code == 200
    assert 'class="fault"' in page.text
    assert re.search(r"<textarea[^>]*></textarea>", page.text)


def test_a_policy_is_added_keeps_and_is_taken_away(served: Serving) -> None:
    added = served.client.post("/policies", content=QUIET, headers=TURTLE)
    assert (added.status_code, added.json()) == (201, {"policies": ["http://house.example/policies#quiet"]})
    [told] = served.stranger.get("/policies", headers=JSON).json()
    assert (told["name"], told["message"]) == ("quiet", "Twenty at most.")
    assert ask(served, LOUD)["reason"] == "policy_violation"
    assert served.client.delete("/policies", params={"iri": told["iri"]}).json() == {"removed": 1}
    assert ask(served, LOUD)["status"] == "done"
    assert served.client.delete("/policies", params={"iri": told["iri"]}).status_code == 404


@pytest.mark.parametrize(
    ("body", "kind", "status", "reason"),
    [
        (QUIET.replace("sh:maxInclusive 20", "sh:qualifiedMinCount 1"), "text/turtle", 400, "unsupported_shape"),
        ("oops", "text/turtle", 400, "bad_syntax"),
        ("", "text/turtle", 400, "bad_input"),
        (QUIET, "application/json", 415, "bad_format"),
    ],
)
def test_what_cannot_be_a_policy_is_refused_and_nothing_changes(
    served: Serving, body: str, kind: str, status: int, reason: str
) -> None:
    answer = served.client.post("/policies", content=body, headers={"Content-Type": kind})
    assert (answer.status_code, answer.json()["reason"]) == (status, reason)
    assert served.stranger.get("/policies", headers=JSON).json() == []


def test_the_page_adds_and_takes_away_what_it_shows(served: Serving, browser: httpx.Client) -> None:
    form = {"csrf_token": token_of(browser), "text": QUIET}
    page = browser.post("/policies/add", data=form)
    assert page.status_code == 200
    assert "Twenty at most." in page.text
    file = {"file": ("more.ttl", QUIET.replace("#quiet", "#second").replace('"quiet"', '"second"'))}
    assert "second" in browser.post("/policies/add", data={"csrf_token": form["csrf_token"]}, files=file).text
    iri = "http://house.example/policies#quiet"
    gone = browser.post("/policies/remove", data={"csrf_token": form["csrf_token"], "iri": iri})
    assert (">quiet<" in gone.text, ">second<" in gone.text) == (False, True)
    assert len(served.stranger.get("/policies", headers=JSON).json()) == 1


def test_the_page_shows_what_is_wrong_and_keeps_what_was_written(browser: httpx.Client) -> None:
    text = QUIET.replace("sh:maxInclusive", "sh:qualifiedMinCount") + "# </textarea><script>alert(1)</script>"
    page = browser.post("/policies/add", data={"csrf_token": token_of(browser), "text": text})
    assert page.status_code == 400
    assert "qualified" in page.text
    assert "<script>alert" not in page.text
    kept = re.search(r"<textarea[^>]*>(.*?)</textarea>", page.text, re.DOTALL)
    assert kept is not None
    assert html.unescape(kept[1]).strip() == text.strip()


@pytest.mark.parametrize("path", ["/policies/add", "/policies/remove"])
def test_a_form_that_the_server_did_not_make_changes_nothing(served: Serving, browser: httpx.Client, path: str) -> None:
    served.client.post("/policies", content=QUIET, headers=TURTLE)
    data = {"text": QUIET.replace("#quiet", "#forged"), "iri": "http://house.example/policies#quiet"}
    assert browser.post(path, data=data).status_code == 403
    assert len(served.stranger.get("/policies", headers=JSON).json()) == 1


def test_who_may_not_write_sees_policies_and_no_way_to_change_them(served: Serving) -> None:
    served.client.post("/policies", content=QUIET, headers=TURTLE)
    page = served.stranger.get("/policies").text
    assert "Twenty at most." in page
    assert 'action="/policies/' not in page


def test_what_was_learnt_goes_out_in_and_away(served: Serving) -> None:
    ask(served, "turn on the pantry light")
    found = served.stranger.get("/experience", headers=JSON).json()
    assert found
    assert served.client.delete("/experience", params={"all": "1"}).json() == {"removed": len(found)}
    assert served.stranger.get("/experience", headers=JSON).json() == []
    assert served.client.post("/experience", json=found).json() == {"taken": len(found)}
    assert served.stranger.get("/experience", headers=JSON).json() == found
    spoilt = served.client.post("/experience", json=[*found, {"affordance_uri": 7}])
    assert spoilt.status_code == 400
    assert served.stranger.get("/experience", headers=JSON).json() == found
    assert served.client.post("/experience", params={"peer": "anna"}, json=found).json() == {"taken": len(found)}
    assert len(served.stranger.get("/experience", params={"peers": "1"}, headers=JSON).json()) == len(found)
    assert served.client.post("/experience", params={"peer": "../x"}, json=found).status_code == 400
    assert served.client.delete("/experience").status_code == 400


def test_what_people_like_is_listed_and_forgotten(served: Serving) -> None:
    told = served.client.post("/requests", json={"text": "I prefer natural light", "user": "anna", "consent": "all"})
    assert told.status_code < 300
    assert served.stranger.get("/preferences").status_code == 401
    while not (found := served.client.get("/preferences").json()):
        sleep(0.1)
    assert [(one["user"], one["text"]) for one in found] == [("anna", "I prefer natural light")]
    assert served.client.delete("/preferences", params={"iri": "urn:x"}).status_code == 400
    assert served.client.delete("/preferences", params={"iri": found[0]["iri"]}).json() == {"removed": 1}
    assert served.client.get("/preferences").json() == []


def test_what_was_said_of_readings_is_for_its_owner_to_see_and_forget(served: Serving) -> None:
    said_of(served.service.store, "anna", "dim {}: explicit one hg:Brightness", datetime.now(UTC), agreed=True)
    assert served.stranger.get("/readings").status_code == 401
    assert served.stranger.delete("/readings").status_code == 401
    (found,) = served.client.get("/readings").json()
    assert (found["user"], found["agreed"], found["declined"]) == ("anna", 1, 0)
    assert served.client.delete("/readings", params={"user": "bob"}).json() == {"removed": 0}
    assert served.client.delete("/readings").json() == {"removed": 1}


def told_by_anna(served: Serving) -> str:
    """The fact that Anna told, by IRI."""
    served.client.post("/requests", json={"text": "My favourite team is the Rovers", "user": "anna", "consent": "all"})
    while not (found := served.client.get("/people/anna").json()["facts"]):
        sleep(0.1)
    return str(found[0]["iri"])


def test_whose_a_fact_is_is_said_with_the_token_alone(served: Serving) -> None:
    iri = told_by_anna(served)
    assert served.stranger.post("/people/bo", params={"iri": iri}).status_code == 401
    assert served.client.post("/people/bo", params={"iri": "urn:x"}).status_code == 400
    assert served.client.post("/people/bo", params={"iri": iri}).json()["about"] == "bo"
    assert [one["told_by"] for one in served.client.get("/people/bo").json()["facts"]] == ["bo"]
    assert served.client.get("/people/anna").json()["facts"] == []


def test_whose_a_fact_is_is_said_on_the_page_of_people(served: Serving, browser: httpx.Client) -> None:
    iri, token = told_by_anna(served), token_of(browser)
    form = {"csrf_token": token, "iri": iri, "person": "Bo"}
    assert served.stranger.post("/profiles/correct", data=form).status_code in (400, 401, 403)
    assert browser.post("/profiles/correct", data={**form, "person": " "}).status_code == 400
    shown = browser.post("/profiles/correct", data=form).text
    assert re.search(r"<h2>Bo</h2>.*Rovers", shown, re.DOTALL)
    assert served.client.get("/people/anna").json()["facts"] == []


def test_the_last_request_and_any_other_tell_why(served: Serving) -> None:
    assert served.stranger.get("/why").status_code == 404
    asked = ask(served, "turn on the pantry light")
    assert "pantry light" in served.stranger.get("/why").json()["text"]
    assert served.stranger.get("/why", params={"node": asked["plan_id"]}).json() == served.stranger.get("/why").json()
    assert served.stranger.get("/why", params={"node": "urn:x"}).status_code == 404
    assert served.stranger.get("/why", params={"node": "<oops>"}).status_code == 400
