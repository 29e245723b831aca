"""The command as the shell runs it: pipes that close or keep silent, interrupts, other locales, two at a time."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from engine.graph.embedded import EmbeddedStore

COMMAND = [sys.executable, "-m", "engine.cli.main"]


@pytest.fixture(autouse=True)
def _lab(stores: dict[str, Path], tmp_path: Path) -> None:
    shutil.copytree(stores["lab308"], tmp_path / "store")


def environment(**more: str) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parents[2]), "PYTHONWARNINGS": "error", **more}


def start(*arguments: str, stdin: int = subprocess.PIPE, **more: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [*COMMAND, *arguments],
        stdin=stdin,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        errors="backslashreplace",
        env=environment(**more),
    )


def shell(line: str, **more: str) -> subprocess.CompletedProcess[str]:
    """A line of the shell in which `hearthgraph` is the command."""
    line = line.replace("hearthgraph", " ".join(COMMAND))
    bash = ["bash", "-o", "pipefail", "-c", line]
    found = subprocess.run(bash, capture_output=True, text=True, env=environment(**more), timeout=30, check=False)
    assert "Traceback" not in found.stderr
    assert "Exception ignored" not in found.stderr
    return found


def test_an_answer_piped_in_is_taken() -> None:
    found = shell("echo y | hearthgraph ask 'turn on the light'")
    assert found.returncode == 0
    assert found.stdout.splitlines()[-1].startswith("Done: ")


def test_a_pipe_that_keeps_silent_is_not_waited_for() -> None:
    process = start("ask", "turn on the light")
    assert process.wait(timeout=20) == 0
    assert process.stdout is not None
    assert process.stderr is not None
    assert "Shall I?" in process.stdout.read()
    assert "nobody answered" in process.stderr.read()
    process.communicate()


def test_a_closed_standard_input_is_no_answer() -> None:
    found = shell("hearthgraph ask 'turn on the light' <&-; echo status $?")
    assert "status 0" in found.stdout


def test_a_reader_that_goes_away_is_no_fault() -> None:
    found = shell(
        "for i in 1 2 3 4 5 6 7 8; do echo 'what is the brightness of the light?'; done | hearthgraph talk | head -n 1"
    )
    assert "4 things" in found.stdout
    assert found.stderr == ""
    assert shell("hearthgraph things | true").stderr == ""
    assert shell("hearthgraph query <(echo 'SELECT * { ?a ?b ?c }') | head -n 1").stderr == ""


def test_an_interrupt_ends_a_conversation_quietly() -> None:
    process = start("talk")
    assert process.stdout is not None
    assert "4 things" in process.stdout.readline()
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=20)
    assert process.returncode in (0, 1), "1 where it was hit between two lines"
    assert errors.strip() in ("", "Aborted!")


def test_a_question_in_a_conversation_is_answered_through_the_pipe_while_it_goes_on() -> None:
    process = start("talk")
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdout.readline()
    for said, reply in (("turn on the light", "Shall I?"), ("yes", "Done: "), ("is the light on?", "Yes.")):
        process.stdin.write(said + "\n")
        process.stdin.flush()
        assert reply in process.stdout.readline()
    process.communicate(timeout=20)
    assert process.returncode == 0


@pytest.mark.parametrize("locale", ["C", "en_US.ISO-8859-1"])
def test_other_locales_are_no_fault(locale: str) -> None:
    python = {"PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    found = shell("hearthgraph ask $'turn on the \\xff light'; hearthgraph ask 'flarb'", LC_ALL=locale, **python)
    assert "did not understand" in found.stdout


def test_a_store_in_use_by_another_process_is_one_line(tmp_path: Path) -> None:
    with EmbeddedStore.open(tmp_path / "store"):
        found = shell("hearthgraph things")
    assert found.returncode == 1
    assert len(found.stderr.splitlines()) == 1
    assert "in use by another process" in found.stderr


@pytest.mark.skipif(os.geteuid() == 0, reason="to root, no directory is forbidden")
def test_a_directory_that_may_not_be_written_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "forbidden").mkdir(mode=0o500)
    found = shell(f"hearthgraph --store {tmp_path / 'forbidden' / 'store'} things")
    assert (found.returncode, len(found.stderr.splitlines())) == (1, 1)


def test_a_store_where_none_can_be_is_one_line() -> None:
    found = shell("hearthgraph --store /proc/none/store things")
    assert (found.returncode, len(found.stderr.splitlines())) == (1, 1), found.stderr
