"""What every test may ask for: the checkout, the folder of shared material beside it, a home to start with."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import settings

from tests.origins.small_home import CASES, HOME, OTHER, write
from tests.stores import fresh_store, parametrize, servers  # noqa: F401 (fixtures)

REPOSITORY = Path(__file__).resolve().parents[1]
SHARED = REPOSITORY.parent / "shared"

settings.register_profile("hearthgraph", deadline=None, print_blob=True)
settings.load_profile("hearthgraph")


OUTSIDE = ("home_assistant", "virtuoso", "browser", "java", "torch", "llm")
"""The marks of tests that need what is not Python, or much of it: they are among the slow ones."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Whatever needs a program from outside is slow, so that quick tests and slow ones are all there are."""
    for item in items:
        if any(item.get_closest_marker(mark) for mark in OUTSIDE):
            item.add_marker(pytest.mark.slow)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A module whose tests run on several stores names them in STORES."""
    parametrize(metafunc, "fresh_store")


@pytest.fixture(scope="session")
def repository() -> Path:
    """The root of the checkout."""
    return REPOSITORY


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of benchmarks and samples beside the checkout; the test is skipped where there is none."""
    if not SHARED.is_dir():
        pytest.skip("no folder ../shared beside the checkout, which holds the benchmarks and samples")
    return SHARED


@pytest.fixture(autouse=True)
def _own_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test touches the store of the person who runs it, nor reads their settings."""
    monkeypatch.setenv("HEARTHGRAPH_STORE", str(tmp_path / "store"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))


@pytest.fixture
def small_homes(tmp_path: Path) -> Path:
    """A file of two small homes in the format of HomeBench, written for the tests."""
    return write(tmp_path / "small_homes.jsonl", [HOME, OTHER])


@pytest.fixture
def small_cases(tmp_path: Path) -> Path:
    """A file of cases on those homes."""
    return write(tmp_path / "small_cases.jsonl", CASES)
