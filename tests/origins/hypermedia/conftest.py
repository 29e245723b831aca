"""A home that explores, and a web to explore."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from engine.hearthgraph import Hearthgraph
from engine.settings import load
from tests.origins.hypermedia import sites
from tests.origins.hypermedia.sites import Site


@pytest.fixture
def home() -> Iterator[Hearthgraph]:
    """An empty home, live, in memory."""
    with Hearthgraph.open(None, settings=load(live=True, device_seconds=6.0)) as opened:
        yield opened


@pytest.fixture
def site() -> Iterator[Site]:
    with sites.serving() as served:
        yield served


@pytest.fixture
def other() -> Iterator[Site]:
    """A second site, which is at another port and so another place."""
    with sites.serving() as served:
        yield served
