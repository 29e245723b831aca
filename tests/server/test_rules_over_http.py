"""Rules over HTTP and on their page: shown to everybody, switched by whoever may write."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.server.serving import Serving, serving

JSON = {"Accept": "application/json"}


@pytest.fixture
def served(house_store: Path, tmp_path: Path) -> Iterator[Serving]:
    shutil.copytree(house_store, tmp_path / "store")
    with serving(tmp_path / "store") as found:
        yield found


def test_a_rule_is_made_shown_paused_and_deleted(served: Serving) -> None:
    body = {"text": "turn on the pantry light in ten minutes"}
    answer = served.client.post("/requests", json=body)
    assert answer.json()["status"] == "scheduled", answer.text
    [row] = served.stranger.get("/rules", headers=JSON).json()
    assert "pantry light" in row["told"]
    assert [one["text"] for one in served.stranger.get("/rules/week").json()] == [row["text"]]
    assert "hearthgraph#Rule" in served.stranger.get("/rules", headers={"Accept": "text/turtle"}).text
    assert "pantry light" in served.stranger.get("/coming").text
    assert served.stranger.delete("/rules", params={"iri": row["id"]}).status_code == 401
    assert served.client.delete("/rules", params={"iri": row["id"], "how": "pause"}).json() == {"removed": 1}
    assert served.stranger.get("/rules", headers=JSON).json()[0]["enabled"] is False
    assert served.client.delete("/rules", params={"iri": row["id"]}).json() == {"removed": 1}
    assert served.client.delete("/rules", params={"iri": row["id"]}).status_code == 404
    assert served.stranger.get("/rules", headers=JSON).json() == []
