"""Stores to begin with, loaded once; a test works on its own copy."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from engine.cli.main import main
from engine.resources import folder


@pytest.fixture(scope="session")
def stores(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Directories of stores in which the house and the lab are loaded already."""
    found = {}
    for name in ("house", "lab308"):
        found[name] = tmp_path_factory.mktemp(name) / "store"
        CliRunner().invoke(main, ["--store", str(found[name]), "load", str(folder("data") / f"{name}.ttl")])
    return found
