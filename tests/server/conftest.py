"""A house that is served, and an empty home beside it."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.homes import filled
from tests.server.serving import Serving, serving


@pytest.fixture(scope="session")
def house_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The demo house in a store: copy it."""
    return filled(tmp_path_factory.mktemp("house") / "store")


@pytest.fixture(scope="module")
def house(house_store: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """The demo house, served to all tests of a module."""
    store = tmp_path_factory.mktemp("served") / "store"
    shutil.copytree(house_store, store)
    with serving(store) as served:
        yield served
