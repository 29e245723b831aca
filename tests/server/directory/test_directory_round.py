"""A Thing Description goes through the directory, and is a thing of the home meanwhile."""

from __future__ import annotations

from tests.server.directory.lamps import address, lamp, patch, post, put
from tests.server.serving import Serving


def test_a_thing_comes_in_is_talked_to_is_changed_and_goes(house: Serving) -> None:
    made = post(house.client, lamp(title="reading lamp", **{"@type": "hg:Light"}))
    assert made.status_code == 201, made.text
    where = made.headers["location"]
    td = house.stranger.get(where).json()
    assert td["title"] == "reading lamp"
    assert td["id"] in house.service.home.registry.things
    assert patch(house.client, td["id"], {"title": "floor lamp"}).status_code == 204
    assert [row["title"] for row in house.stranger.get("/home/things").json() if row["iri"] == td["id"]] == [
        "floor lamp"
    ]
    assert put(house.client, lamp(td["id"], title="bed lamp")).status_code == 204
    assert house.stranger.get(where).json()["title"] == "bed lamp"
    assert house.client.delete(address(td["id"])).status_code == 204
    assert house.stranger.get(where).status_code == 404
    assert td["id"] not in house.service.home.registry.things
