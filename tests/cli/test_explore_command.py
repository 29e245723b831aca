"""`hearthgraph explore`: into a store of one's own, and through the server that owns it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from engine.cli.main import main
from tests.origins.hypermedia import sites
from tests.origins.hypermedia.sites import Lamp, Site
from tests.server.serving import serving


@pytest.fixture
def lab() -> Iterator[Site]:
    with sites.serving() as site:
        site.add("lab", Lamp("desk", "Desk lamp", True, 40), Lamp("ceiling", "Ceiling light"))
        yield site


def explore(store: Path, *arguments: str) -> Result:
    return CliRunner().invoke(main, ["--store", str(store), "explore", *arguments])


def test_it_says_how_far_it_is_and_what_came_of_it(lab: Site, tmp_path: Path) -> None:
    done = explore(tmp_path / "store", lab.platform)
    assert done.exit_code == 0, done.output
    assert "2 places, 2 things with 10 affordances (2 new, 0 changed, 0 gone), 4 values." in done.stdout
    assert "simulated" in done.stdout
    for phase in ("workspaces: 2 of 2", "artifacts: 2 of 2", "affordances: 2 of 2", "state: 4 of 4"):
        assert phase in done.stderr
    again = explore(tmp_path / "store", lab.platform)
    assert "(0 new, 0 changed, 0 gone)" in again.stdout


def test_what_is_wrong_is_told_and_nothing_found_is_a_failure(lab: Site, tmp_path: Path) -> None:
    lab.server.route("GET", "/workspaces/lab/artifacts/desk", lambda handler: handler.answer(b"<p>", kind="text/html"))
    done = explore(tmp_path / "store", lab.platform)
    assert done.exit_code == 0
    assert f"not used: {lab.artifact('lab', 'desk')}" in done.stdout
    nothing = explore(tmp_path / "other", f"{lab.url}/nothing")
    assert nothing.exit_code == 1
    assert "not used" in nothing.stdout
    assert explore(tmp_path / "other", "file:///etc/passwd").exit_code == 1
    assert explore(tmp_path / "other").exit_code == 1


def test_a_limit_that_is_reached_is_told(lab: Site, tmp_path: Path) -> None:
    done = explore(tmp_path / "store", lab.platform, "--depth", "1")
    assert "There is more: it ended at the limit of depth." in done.stdout


def test_the_server_that_owns_the_store_explores_and_follows(lab: Site, tmp_path: Path) -> None:
    store = tmp_path / "store"
    with serving(store, live=True) as served:
        served.service.keys.announce(served.url)
        done = explore(store, lab.platform, "--follow")
        assert done.exit_code == 0, done.output
        assert "2 things" in done.stdout
        assert "The server follows it from now on." in done.stdout
        assert lab.iri("lab", "desk") in served.service.home.registry.things
        assert served.service.home.explorer.standing()
        served.service.keys.withdraw()
