"""Another engine that knows the artifacts by their pages alone: it reads and acts through the forms of these."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urlsplit

import pytest

from engine.hearthgraph import Hearthgraph
from engine.model.outcome import Status
from engine.settings import load
from tests.homes import filled
from tests.server.serving import Serving, serving

NAMES = ("light308", "blinds308", "lightSensor308", "temperatureSensor308")


def other(lab: Serving, folder: Path, token: str) -> Hearthgraph:
    """An engine with the pages of the lab, and a token for it."""
    secrets = folder / "credentials.toml"
    secrets.write_text(f'["{urlsplit(lab.url).netloc}"]\ntoken = "{token}"\n', encoding="utf-8")
    secrets.chmod(0o600)
    engine = Hearthgraph.open(None, settings=load(live=True, credentials_file=secrets, settle_seconds=0.5))
    for name in NAMES:
        page = lab.stranger.get(f"/workspaces/lab308/artifacts/{name}", headers={"Accept": "text/turtle"})
        (folder / f"{name}.ttl").write_text(page.text, encoding="utf-8")
    engine.load([folder / f"{name}.ttl" for name in NAMES])
    return engine


@pytest.fixture
def lab(tmp_path: Path) -> Serving:  # type: ignore[misc]
    with serving(filled(tmp_path / "store", "lab308.ttl")) as served:
        yield served  # type: ignore[misc]


def test_a_complaint_is_met_over_http_by_what_the_pages_say(lab: Serving, tmp_path: Path) -> None:
    with other(lab, tmp_path, lab.token) as engine:
        done = engine.ask("it's too dark in here", consent=True)
        assert done.status is Status.DONE, done
        there = lab.service.home.state.snapshot()
        assert [value for iri, value in there.items() if iri.endswith("light308#properties/on_off")] == ["on"]
        acted = ("on_off", "brightness", "closedPercentage")
        here = {iri.rpartition("/")[2]: value for iri, value in engine.state.snapshot().items()}
        assert {iri.rpartition("/")[2]: here[iri.rpartition("/")[2]] for iri in there if iri.endswith(acted)} == {
            iri.rpartition("/")[2]: value for iri, value in there.items() if iri.endswith(acted)
        }


def test_without_the_token_nothing_is_done(lab: Serving, tmp_path: Path) -> None:
    before = lab.service.home.state.snapshot()
    with other(lab, tmp_path, "wrong") as engine:
        done = engine.ask("turn on the light", consent=True)
        assert (done.status, done.reason) == (Status.FAILED, "unauthorized")
    assert lab.service.home.state.snapshot() == before
