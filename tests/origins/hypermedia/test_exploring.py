"""Exploring a web of things: what is found, what is done with it, and what a second look changes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine.errors import HearthgraphError, InputError
from engine.graph.terms import EXPLORED
from engine.hearthgraph import Hearthgraph
from engine.origins.hypermedia.crawl.frontier import Limits
from engine.origins.hypermedia.crawl.result import Progress
from engine.origins.hypermedia.explorer import PHASES
from engine.settings import load
from tests.environment.http_servers import Handler
from tests.origins.hypermedia.sites import PREFIXES, TURTLE, Lamp, Site


@pytest.fixture
def lab(site: Site) -> Site:
    site.add("lab", Lamp("desk", "Desk lamp", True, 40), Lamp("ceiling", "Ceiling light"))
    site.add("hall", Lamp("spot", "Spot"))
    return site


def td(site: Site, name: str, **more: object) -> dict[str, object]:
    """A Thing Description in JSON of a lamp with one property."""
    return {
        "@context": "https://www.w3.org/2022/wot/td/v1.1",
        "id": f"{site.url}/td/{name}",
        "title": name,
        "securityDefinitions": {"nosec_sc": {"scheme": "nosec"}},
        "security": "nosec_sc",
        "properties": {"power": {"type": "boolean", "forms": [{"href": f"{site.url}/td/{name}/power"}]}},
        **more,
    }


def test_places_things_and_state_are_found_from_the_platform_alone(home: Hearthgraph, lab: Site) -> None:
    found = home.explorer.explore(lab.platform)
    assert set(found.new) == {lab.iri("lab", "desk"), lab.iri("lab", "ceiling"), lab.iri("hall", "spot")}
    desk = home.registry.things[lab.iri("lab", "desk")]
    assert desk.title == "Desk lamp"
    assert home.registry.places[str(desk.place)].name == "lab"
    assert home.registry.places[str(desk.place)].parent == f"{lab.platform}#platform"
    assert home.state[lab.property("lab", "desk", "power")] is True
    assert home.state[lab.property("lab", "desk", "brightness")] == 40
    assert (found.affordances, found.values, found.unread) == (15, 6, 0)
    assert found.troubles == ()


def test_a_page_is_asked_for_once_and_state_by_one_call_a_thing(home: Hearthgraph, lab: Site) -> None:
    found = home.explorer.explore(lab.platform)
    pages = [seen.path for seen in lab.server.seen if not seen.headers.get("If-None-Match")]
    assert len(pages) == len(set(pages)) == 1 + 2 + 3 + 3
    assert found.requests == 1 + 2 + 3 + 3  # the platform and the workspaces once more, whether they have changed


def test_the_four_phases_come_in_their_order(home: Hearthgraph, lab: Site) -> None:
    heard: list[Progress] = []
    home.explorer.explore(lab.platform, listen=heard.append)
    assert list(dict.fromkeys(one.phase for one in heard)) == list(PHASES)
    ends = {one.phase: (one.done, one.total) for one in heard}
    assert ends == {"workspaces": (3, 3), "artifacts": (3, 3), "affordances": (3, 3), "state": (6, 6)}


@pytest.mark.parametrize("where", ["workspace", "artifact"])
def test_exploring_may_begin_anywhere(home: Hearthgraph, lab: Site, where: str) -> None:
    start = f"{lab.platform}/lab" if where == "workspace" else lab.artifact("lab", "desk")
    found = home.explorer.explore(start)
    assert len(found.new) == (2 if where == "workspace" else 1)


def test_what_was_found_is_acted_upon_over_http(home: Hearthgraph, lab: Site) -> None:
    home.explorer.explore(lab.platform)
    outcome = home.ask("turn on the ceiling light in the lab", consent=True)
    assert outcome.status.value == "done", outcome.reply
    assert lab.workspaces["lab"]["ceiling"].power
    assert home.state[lab.property("lab", "ceiling", "power")] is True


def test_it_is_known_where_each_thing_was_found(home: Hearthgraph, lab: Site) -> None:
    home.explorer.explore(lab.platform)
    said = {
        q.predicate.value.rpartition("#")[2]: q.object.value
        for q in home.store.graph(EXPLORED)
        if q.subject.value == lab.iri("lab", "desk")
    }  # type: ignore[union-attr]
    assert said["hadPrimarySource"] == lab.artifact("lab", "desk")
    assert said["foundFrom"] == lab.platform
    assert said["linkedFrom"] == f"{lab.platform}/lab"
    assert said["reach"] == lab.url.removeprefix("http://")


def test_a_second_look_at_the_same_changes_nothing(home: Hearthgraph, lab: Site) -> None:
    home.explorer.explore(lab.platform)
    generation = home.store.generation
    again = home.explorer.explore(lab.platform)
    assert home.store.generation == generation
    assert (len(again.same), again.new, again.updated, again.retired) == (3, (), (), ())


def test_a_second_look_brings_up_to_date_what_changed_came_and_went(home: Hearthgraph, lab: Site) -> None:
    home.explorer.explore(lab.platform)
    lab.workspaces["lab"]["desk"].title = "Reading lamp"
    lab.add("hall", Lamp("strip", "LED strip"))
    lab.remove("lab", "ceiling")
    again = home.explorer.explore(lab.platform)
    assert again.updated == (lab.iri("lab", "desk"),)
    assert again.new == (lab.iri("hall", "strip"),)
    assert again.retired == (lab.iri("lab", "ceiling"),)
    assert home.registry.things[lab.iri("lab", "desk")].title == "Reading lamp"
    assert lab.iri("lab", "ceiling") not in home.registry.things
    assert lab.property("lab", "ceiling", "power") not in home.state


def test_a_workspace_that_is_gone_takes_its_things_with_it(home: Hearthgraph, lab: Site) -> None:
    home.explorer.explore(lab.platform)
    del lab.workspaces["hall"]
    for path in ("/workspaces/hall", "/workspaces/hall/artifacts/spot"):
        del lab.server.routes["GET", path]
    again = home.explorer.explore(lab.platform)
    assert again.retired == (lab.iri("hall", "spot"),)
    assert f"{lab.platform}/hall#workspace" not in home.registry.places


def test_what_cannot_be_looked_at_at_present_stays(home: Hearthgraph, lab: Site) -> None:
    home.explorer.explore(lab.platform)
    lab.server.route("GET", "/workspaces/lab", lambda handler: handler.answer(status=500))
    lab.server.route("GET", "/workspaces/hall/artifacts/spot", lambda handler: handler.answer(status=500))
    again = home.explorer.explore(lab.platform)
    assert again.retired == ()
    assert len(home.registry.things) == 3
    assert {trouble.url for trouble in again.troubles} == {f"{lab.platform}/lab", lab.artifact("hall", "spot")}


def test_what_was_not_reached_for_a_limit_stays(home: Hearthgraph, lab: Site) -> None:
    home.explorer.explore(lab.platform)
    again = home.explorer.explore(lab.platform, Limits(documents=2))
    assert (again.limits, again.retired) == (("documents",), ())
    assert len(home.registry.things) == 3


def test_the_homes_own_things_are_untouched_by_exploring(home: Hearthgraph, lab: Site, repository: Path) -> None:
    home.load([repository / "data" / "lab308.ttl"])
    own = set(home.registry.things)
    home.explorer.explore(lab.platform)
    for workspace, name in (("lab", "desk"), ("lab", "ceiling"), ("hall", "spot")):
        lab.remove(workspace, name)
    home.explorer.explore(lab.platform)
    assert set(home.registry.things) == own


# Other ways in


def test_the_front_door_leads_to_the_well_known_description(home: Hearthgraph, lab: Site) -> None:
    links = [{"rel": "item", "href": "/workspaces", "type": TURTLE}]
    directory = td(lab, "front", **{"@type": "ThingLink", "links": links, "properties": {}})
    lab.server.route("GET", "/.well-known/wot", lambda h: h.answer(directory, kind="application/td+json"))
    lab.server.route("GET", "/", lambda h: h.answer(b"<html>Welcome</html>", kind="text/html"))
    found = home.explorer.explore(lab.url)
    assert len(found.new) == 3
    assert found.troubles == ()


def test_a_directory_is_read_page_by_page(home: Hearthgraph, site: Site) -> None:
    things = [td(site, f"lamp-{number}") for number in range(25)]
    listing = {"things": {"type": "array", "readOnly": True, "forms": [{"href": "/things{?limit}"}]}}
    directory = td(site, "directory", **{"@type": "ThingDirectory", "base": f"{site.url}/", "properties": listing})

    def page(handler: Handler) -> None:
        offset = int(handler.path.partition("offset=")[2] or 0)
        head = {"Link": f'</things?offset={offset + 10}>; rel="next"'} if offset + 10 < len(things) else {}
        handler.answer(things[offset : offset + 10], kind="application/ld+json", **head)

    site.server.route("GET", "/.well-known/wot", lambda h: h.answer(directory, kind="application/td+json"))
    site.server.route("GET", "/things", page)
    found = home.explorer.explore(f"{site.url}/.well-known/wot")
    assert len(found.new) == 25
    assert site.server.count("GET", "/things") == 3
    things.pop(7)
    assert home.explorer.explore(f"{site.url}/.well-known/wot").retired == (f"{site.url}/td/lamp-7",)


def test_a_directory_as_a_collection_goes_on_by_its_own_next(home: Hearthgraph, site: Site) -> None:
    pages = {
        "/things": {"@type": "ThingCollection", "members": [td(site, "a")], "next": "/things/more"},
        "/things/more": {"@type": "ThingCollection", "members": [td(site, "b")]},
    }
    for path, content in pages.items():
        site.server.route("GET", path, lambda h, c=content: h.answer(c, kind="application/ld+json"))
    assert len(home.explorer.explore(f"{site.url}/things").new) == 2


def test_a_bad_description_in_a_directory_does_not_keep_the_others_out(home: Hearthgraph, site: Site) -> None:
    bad = td(site, "bad")
    del bad["title"]
    site.server.route(
        "GET", "/things", lambda h: h.answer([td(site, "a"), bad, td(site, "b")], kind="application/json")
    )
    found = home.explorer.explore(f"{site.url}/things")
    assert len(found.new) == 2
    assert [trouble.url for trouble in found.troubles] == [f"{site.url}/td/bad"]


def test_a_thing_link_leads_to_the_description(home: Hearthgraph, site: Site) -> None:
    to = [{"rel": "describedby", "href": f"{site.url}/real", "type": "application/td+json"}]
    link = td(site, "link", **{"@type": "ThingLink", "links": to, "properties": {}})
    site.server.route("GET", "/link", lambda h: h.answer(link, kind="application/td+json"))
    site.server.route("GET", "/real", lambda h: h.answer(td(site, "real"), kind="application/td+json"))
    assert home.explorer.explore(f"{site.url}/link").new == (f"{site.url}/td/real",)


def test_a_description_without_an_id_has_that_of_its_page(home: Hearthgraph, site: Site) -> None:
    nameless = td(site, "x")
    del nameless["id"]
    nameless["properties"] = {"power": {"type": "boolean", "forms": [{"href": "power"}]}}
    site.server.route("GET", "/td/x", lambda h: h.answer(nameless, kind="application/td+json"))
    site.server.route("GET", "/td/power", True)
    found = home.explorer.explore(f"{site.url}/td/x")
    assert found.new == (f"{site.url}/td/x",)
    assert home.state[f"{site.url}/td/x#properties/power"] is True


def test_workspaces_in_json_ld_and_artifacts_without_addresses_are_read_too(home: Hearthgraph, site: Site) -> None:
    workspace = {
        "@context": {"hmas": "https://purl.org/hmas/", "rdfs": "http://www.w3.org/2000/01/rdf-schema#"},
        "@id": "#workspace",
        "@type": "hmas:Workspace",
        "rdfs:label": "Attic",
        "hmas:contains": {"@id": "/lamp"},
    }
    site.server.route("GET", "/attic", lambda h: h.answer(workspace, kind="application/ld+json"))
    body = f'{PREFIXES} [] a hmas:Artifact, hg:Light ; td:title "Lamp" .'.encode()
    site.server.route("GET", "/lamp", lambda h: h.answer(body, kind=TURTLE))
    found = home.explorer.explore(f"{site.url}/attic")
    assert found.new == (f"{site.url}/lamp#thing",)
    assert home.registry.things[f"{site.url}/lamp#thing"].place == f"{site.url}/attic#workspace"


# What nobody should have to bear


@pytest.mark.parametrize("url", ["ftp://x/y", "nonsense", "file:///etc/passwd", "http://"])
def test_an_address_that_is_none_is_refused(home: Hearthgraph, url: str) -> None:
    with pytest.raises(InputError, match="no address"):
        home.explorer.explore(url)


def test_an_empty_first_page_is_told(home: Hearthgraph, site: Site) -> None:
    site.server.route("GET", "/hello", lambda h: h.answer(b"Hello", kind="text/plain"))
    found = home.explorer.explore(f"{site.url}/hello")
    assert found.things == ()
    assert found.troubles


def test_a_home_whose_things_are_simulated_explores_too(site: Site) -> None:
    site.add("lab", Lamp("desk", "Desk lamp", True, 40))
    with Hearthgraph.open(None, settings=load(live=False)) as home:
        found = home.explorer.explore(site.platform)
        assert found.values == 2
        assert home.ask("turn off the desk lamp", consent=True).status.value == "done"
        assert site.workspaces["lab"]["desk"].power  # it was only simulated


def test_the_result_can_be_written_as_json(home: Hearthgraph, lab: Site) -> None:
    found = home.explorer.explore(lab.platform)
    assert json.loads(json.dumps(found.as_json()))["requests"] == found.requests
    assert isinstance(HearthgraphError("x"), Exception)


def test_what_hangs_on_a_workspace_is_no_place(home: Hearthgraph, lab: Site) -> None:
    """How a workspace is joined has a label, too."""
    page = lab._workspace
    join = """<#workspace> td:hasActionAffordance <#join> ; hmas:hasProfile <> .
    <> hmas:exposesSignifier <#sign> . <#sign> a hmas:Signifier ; rdfs:label "join" ; hmas:signifies <#join> .
    <#join> a td:ActionAffordance ; td:name "join" ; rdfs:label "join" ."""
    lab._workspace = lambda name: page(name) + join  # type: ignore[method-assign]
    found = home.explorer.explore(lab.platform)
    assert len(home.registry.places) == len(found.places) == 3


def test_what_is_found_from_two_sides_is_followed_from_one(home: Hearthgraph, lab: Site) -> None:
    home.explorer.explore(lab.platform)
    home.explorer.follow(lab.platform)
    home.explorer.explore(f"{lab.platform}/lab")
    home.explorer.follow(f"{lab.platform}/lab")
    topics = [one["topic"] for one in home.explorer.standing()]
    assert len(topics) == len(set(topics)) == 3
    assert {one["start"] for one in home.explorer.standing()} == {lab.platform}
