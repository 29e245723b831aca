"""Stores to begin with, loaded once; a test works on its own copy."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.homes import filled


@pytest.fixture(scope="session")
def stores(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Directories of stores in which the house and the lab are loaded already."""
    return {name: filled(tmp_path_factory.mktemp(name) / "store", f"{name}.ttl") for name in ("house", "lab308")}
