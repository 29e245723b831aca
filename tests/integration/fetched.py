"""Clients and servers of other hands that npm fetches, for a test that is skipped where it cannot."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest


def fetched(source: Path, folder: Path) -> Path:
    """A folder with a package of ours and all that it depends on; the test is skipped where that cannot be had."""
    if shutil.which("npm") is None or shutil.which("node") is None:
        pytest.skip(f"no npm to fetch {source.name} with")
    for file in source.iterdir():
        shutil.copy(file, folder)
    command = ["npm", "install", "--silent", "--no-audit", "--no-fund"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300, check=False)
    if done.returncode != 0:
        pytest.skip(f"{source.name} cannot be fetched: {done.stderr[-300:]}")
    return folder
