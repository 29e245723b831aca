"""The 17 requests of the experience scenario without a language model: cold, warm, and in another home."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.errors import InputError
from engine.evaluation.experience import Scenario, Verdict, read_requests
from engine.settings import load


@pytest.fixture(scope="module")
def verdicts(shared: Path) -> list[Verdict]:
    requests, _ = read_requests(shared / "experience" / "requests.json")
    with Scenario(requests, load()) as scenario:
        return list(scenario.play())


@pytest.mark.parametrize(("phase", "number"), [("A", 17), ("B", 17), ("C", 7)])
def test_all_come_out_right_without_a_call(verdicts: list[Verdict], phase: str, number: int) -> None:
    found = [v for v in verdicts if v.phase == phase]
    assert len(found) == number
    assert [f"{v.asked.id}: {v.reply}" for v in found if not v.right] == []
    assert sum(v.calls for v in found) == 0


def test_what_was_learnt_serves_at_least_ten_when_warm(verdicts: list[Verdict]) -> None:
    paths = [v.path for v in verdicts if v.phase == "B"]
    assert paths.count("signifier") >= 10


def test_the_hints_of_another_home_are_never_carried_out(verdicts: list[Verdict]) -> None:
    """Nor do they make the impossible possible."""
    found = {v.asked.id: v for v in verdicts if v.phase == "C"}
    assert {found["H06"].path, found["H07"].path} == {"impossible"}
    assert not any(v.foreign or v.path == "signifier" for v in found.values())


def test_a_file_that_holds_no_requests_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "requests.json"
    file.write_text('{"requests": [{"id": "X"}]}')
    with pytest.raises(InputError):
        read_requests(file)
