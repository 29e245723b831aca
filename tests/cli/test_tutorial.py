"""The tutorial as somebody would follow it: its files saved, its commands given, and each answer as the page has it."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from engine.cli.main import main

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "tutorial.md").read_text(encoding="utf-8")
FILE = re.compile(r"^```(?:turtle|sparql)\n# (\S+)\n(.*?)^```", re.MULTILINE | re.DOTALL)
CONSOLE = re.compile(r"^```console\n(.*?)^```", re.MULTILINE | re.DOTALL)


def steps() -> list[tuple[str, str]]:
    """Each command with what it says."""
    found = (part for block in CONSOLE.findall(PAGE) for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:])
    return [(step.partition("\n")[0], step.partition("\n")[2]) for step in found]


def test_every_command_answers_as_the_page_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, content in FILE.findall(PAGE):
        (tmp_path / name).write_text(content, encoding="utf-8")
    assert len(steps()) >= 8
    for command, expected in steps():
        program, *arguments = shlex.split(command)
        assert program == "hearthgraph"
        done = CliRunner().invoke(main, ["--store", str(tmp_path / "store"), *arguments])
        assert done.output == expected, command
