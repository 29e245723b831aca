"""Names in addresses: they are plain, nobody shares one, and none depends on the order in which things came."""

from __future__ import annotations

import re
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from engine.graph.terms import EXPLORED, Literal, NamedNode, Quad, node
from engine.model.place import Place
from engine.model.thing import Part, Thing
from engine.origins.hypermedia.platform import representation, resources
from engine.origins.hypermedia.platform.addresses import Addresses, Names, slug
from engine.origins.hypermedia.platform.web import Webs
from tests.homes import a_home

BASE = "http://127.0.0.1:8008"
PLAIN = re.compile(r"[A-Za-z0-9._~-]+")
steps = st.text(alphabet='aA1é<>"/#? .-_%', max_size=8)
rooms = st.sampled_from((None, "urn:room:a", "urn:room:b"))


def thing(step: str, title: str, place: str | None) -> Thing:
    iri = f"urn:thing:{step.encode().hex()}/{step}" if step else f"urn:thing:{title.encode().hex()}"
    return Thing(iri, iri, title, (Part(iri, "", frozenset(), title),), place=place)


@given(st.lists(st.tuples(steps, steps, rooms), max_size=12), st.randoms())
def test_names_are_plain_and_unique_and_do_not_depend_on_order(
    found: list[tuple[str, str, str | None]], chance: object
) -> None:
    things = {one.iri: one for one in (thing(*one) for one in found)}
    places = {iri: Place(iri, "Room") for iri in ("urn:room:a", "urn:room:b")}
    names = Names(places, things)
    shuffled = [*things.items()]
    chance.shuffle(shuffled)  # type: ignore[attr-defined]
    assert Names(places, dict(shuffled)).of == names.of
    at = Addresses(BASE, names)
    addresses = [at.artifact(one) for one in things.values()] + [at.workspace(p) for p in names.workspaces.values()]
    assert len(set(addresses)) == len(things) + len(names.workspaces)
    assert all(PLAIN.fullmatch(name) for name in names.of.values())


def test_a_name_is_the_end_of_the_iri_else_the_title() -> None:
    assert slug("http://localhost:8080/workspaces/lab308/artifacts/light308", "Light") == "light308"
    assert slug("urn:uuid:0190c7a0-7f6e-7000-8000-000000000001", "Küche: Lampe") == "Kuche-Lampe"
    assert PLAIN.fullmatch(slug("urn:uuid:0190c7a0-7f6e-7000-8000-000000000001", "灯"))


def test_every_address_of_a_house_leads_back_to_what_it_is_of(tmp_path: Path) -> None:
    with a_home() as home:
        web = Webs(home.store, home.registry, home.state).at(BASE)
        for one in home.registry.things.values():
            page = resources.find(web, web.at.artifact(one))
            assert page is not None
            assert web.thing(*re.findall(r"/workspaces/([^/]+)/artifacts/([^/]+)", page[0].address)[0]) == one
            for prop in one.properties:
                assert resources.find(web, web.at.of_affordance(one, prop)) is not None
        assert resources.find(web, "http://elsewhere.example/workspaces") is None
        assert resources.find(web, f"{BASE}/workspaces#platform") is None
        assert resources.find(web, f"{BASE}/sparql") is None


def test_nested_places_are_workspaces_within_workspaces() -> None:
    with a_home() as home:
        web = Webs(home.store, home.registry, home.state).at(BASE)
        hosted = [t for t in representation.platform(web) if t.predicate == representation.HOSTS]
        tops = [p for p in home.registry.places.values() if p.parent not in home.registry.places]
        loose = any(t.place is None for t in home.registry.things.values())
        assert len(hosted) == len(tops) + loose
        for place in home.registry.places.values():
            inner = {p.iri for p in home.registry.places.values() if p.parent == place.iri}
            things = {t.iri for t in home.registry.things.values() if t.place == place.iri}
            said = [t for t in representation.workspace(web, place) if t.predicate == representation.CONTAINS]
            assert len(said) == len(inner) + len(things)


def test_what_was_found_in_other_homes_is_theirs_to_show() -> None:
    with a_home("lab308.ttl") as home:
        webs = Webs(home.store, home.registry, home.state)
        found = next(iri for iri, one in home.registry.things.items() if one.title == "Light308")
        statements = [("prov:hadPrimarySource", NamedNode("http://other.example/page")), ("hg:foundFrom", Literal("x"))]
        home.store.write(insert=[Quad(NamedNode(found), node(name), value, EXPLORED) for name, value in statements])
        home.registry.put([home.registry.things[found]])
        web = webs.at(BASE)
        assert found not in web.names.of
        assert resources.find(web, f"{BASE}/workspaces/lab308/artifacts/light308") is None
        assert resources.find(web, f"{BASE}/workspaces/lab308/artifacts/blinds308") is not None
