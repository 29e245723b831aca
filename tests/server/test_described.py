"""The description of what can be called is of all that programs can call, and of nothing else."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from engine.settings import Settings
from server.application import create_app
from server.service import Service

DESCRIPTION = Path(__file__).resolve().parents[2] / "server" / "protocol" / "openapi.json"
METHODS = {"GET", "PUT", "POST", "PATCH", "DELETE"}
PEOPLE = re.compile(r"pages_|static$|description\.")
ALSO = {("/graphs/{}", "/graphs"), ("/search/xpath", None)}
"""What another path stands for, and what is there only to say that it is not served."""


def anonymous(path: str) -> str:
    """A path whose parameters have no names."""
    return re.sub(r"<[^>]*>|\{[^}]*\}", "{}", path)


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> set[tuple[str, str]]:
    service = Service.open(Settings(store=tmp_path_factory.mktemp("described") / "store"))
    rules = list(create_app(service).url_map.iter_rules())
    service.close()
    calls = {
        (anonymous(str(rule)), method)
        for rule in rules
        if not PEOPLE.match(rule.endpoint)
        for method in rule.methods or ()
    }
    return {(path, method) for path, method in calls if method in METHODS and path not in dict(ALSO)}


def test_all_that_programs_can_call_is_described(served: set[tuple[str, str]]) -> None:
    paths = json.loads(DESCRIPTION.read_text(encoding="utf-8"))["paths"]
    described = {(anonymous(path), method.upper()) for path, calls in paths.items() for method in calls}
    # A page for people and the same for programs may share an address: what a page serves by POST is a form.
    assert served - described == set()
    assert {call for call in described - served if call[1] in METHODS} <= {("/experience", "GET"), ("/policies", "GET")}
