"""Every setting stands in docs/settings.md, under both of its names and with the words that the code has for it."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.settings import Settings


@pytest.fixture(scope="module")
def page(repository: Path) -> str:
    return (repository / "docs" / "settings.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", Settings.model_fields)
def test_a_setting_is_documented(name: str, page: str) -> None:
    row = next((line for line in page.splitlines() if line.startswith(f"| `{name}` |")), "")
    assert row, f"docs/settings.md has no row for {name}"
    assert f"`HEARTHGRAPH_{name.upper()}`" in row
    assert Settings.model_fields[name].description in row


def test_no_setting_is_documented_that_is_not_there(page: str) -> None:
    rows = [line.split("`")[1] for line in page.splitlines() if line.startswith("| `")]
    assert rows == list(Settings.model_fields)
