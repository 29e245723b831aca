"""Rules are shown as they are, and what would come is foreseen on a copy of the home."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from engine.cli.main import main
from engine.dialogue.rules.told import fired, listed, switched, week
from engine.errors import InputError
from engine.model.rule import After, Daytime, Recurrence
from engine.resources import folder
from tests.rules.homes import house, is_on, make, turn, value, when


def test_the_week_ahead_has_each_time_in_order() -> None:
    engine = house()
    make(engine, Recurrence((Daytime(7),), (0, 2)), text="blinds up")
    make(engine, Recurrence((Daytime(6, 30),), (2,)), text="coffee")
    assert [(row["at"][8:16], row["text"]) for row in week(engine.rules)] == [
        ("02T07:00", "blinds up"),
        ("04T06:30", "coffee"),
        ("04T07:00", "blinds up"),
    ]


def test_rules_are_listed_with_their_last_run_and_switched() -> None:
    engine = house()
    make(engine, Recurrence((Daytime(7),)), text="lamp on")
    engine.pass_time(7200)
    (row,) = listed(engine.rules)
    assert (row["text"], row["last_status"], row["next"][:16]) == ("lamp on", "done", "2026-03-03T07:00")
    assert [one["status"] for one in fired(engine.rules)] == ["done"]
    switched(engine.rules, [row["id"]], "pause")
    engine.pass_time(86400)
    assert len(fired(engine.rules)) == 1
    switched(engine.rules, [row["id"]], "resume")
    engine.pass_time(86400)
    assert len(fired(engine.rules)) == 2
    switched(engine.rules, [row["id"]], "delete")
    assert listed(engine.rules) == []
    with pytest.raises(InputError):
        switched(engine.rules, [row["id"]], "delete")


def test_tomorrow_is_foreseen_and_nothing_is_done() -> None:
    engine = house()
    make(engine, After(3600), turn("study-heater"), text="heat the study")
    make(engine, when(is_on("study-heater", 600)), turn("study-heater", False), text="not too long")
    foreseen = engine.foresee(86400)
    assert [(row["at"][11:16], row["text"], row["status"]) for row in foreseen] == [
        ("07:00", "heat the study", "done"),
        ("07:10", "not too long", "done"),
    ]
    assert foreseen[0]["changes"][0]["after"] == "on"
    assert value(engine, "study-heater#state") == "off"
    assert fired(engine.rules) == []


def test_the_command_line_shows_rules_and_takes_them_away(tmp_path: Path) -> None:
    def said(*words: str) -> str:
        result = CliRunner().invoke(main, ["--store", str(tmp_path / "store"), *words])
        assert result.exit_code == 0, result.output
        return result.output

    said("load", str(folder("data") / "house.ttl"))
    assert "There are no rules." in said("rules", "list")
    said("ask", "--yes", "turn on the pantry light in ten minutes")
    shown = said("rules", "list")
    assert "pantry light" in shown
    assert "pantry light" in said("rules", "week")
    assert "pantry light" in said("rules", "tomorrow")
    said("rules", "delete", shown.partition(": ")[0])
    assert "There are no rules." in said("rules", "list")
