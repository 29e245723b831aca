"""Every setting is documented, under each of the names by which it can be given."""

from __future__ import annotations

from pathlib import Path

import pytest


def test_each_setting_stands_on_the_settings_page(repository: Path) -> None:
    settings = pytest.importorskip("engine.settings", reason="engine/settings.py is not there yet")
    page = (repository / "docs" / "settings.md").read_text(encoding="utf-8")
    names = list(settings.Settings.model_fields)
    assert names
    missing = [name for name in names if f"`{name}`" not in page or f"`HEARTHGRAPH_{name.upper()}`" not in page]
    assert not missing, f"docs/settings.md does not tell of {missing}"
