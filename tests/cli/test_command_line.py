"""What a person types, what is printed, and the exit status; nothing that goes wrong ends in a traceback."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from engine.cli.main import main
from engine.graph.embedded import EmbeddedStore
from engine.resources import folder

HOUSE = folder("data") / "house.ttl"
LAB = folder("data") / "lab308.ttl"
Run = Callable[..., Result]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Runs the command line; `input` is what comes through the pipe. What the engine did not expect fails the test."""

    def command(*arguments: str | Path, input: str | bytes | None = None) -> Result:  # noqa: A002
        result = CliRunner().invoke(main, [str(a) for a in arguments], input=input)
        assert "Traceback" not in result.output
        assert "should not" not in result.output, result.output
        assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
        return result

    assert tmp_path
    return command


@pytest.fixture
def house(run: Run, stores: dict[str, Path], tmp_path: Path) -> Run:
    shutil.copytree(stores["house"], tmp_path / "store")
    return run


@pytest.fixture
def lab(run: Run, stores: dict[str, Path], tmp_path: Path) -> Run:
    shutil.copytree(stores["lab308"], tmp_path / "store")
    return run


# load, things


def test_loading_says_what_came_in(run: Run) -> None:
    result = run("load", HOUSE)
    assert result.exit_code == 0
    assert "62 things, 18 places, 128 values." in result.output


def test_a_broken_file_is_refused_with_its_line_and_the_others_still_load(run: Run, tmp_path: Path) -> None:
    broken = tmp_path / "broken.ttl"
    broken.write_text("@prefix td: <https://www.w3.org/2019/wot/td#> .\n<urn:a> a td:Thing ;; oops\n", encoding="utf-8")
    result = run("load", broken, tmp_path / "missing.ttl", LAB)
    assert result.exit_code == 1
    assert f"{broken}: refused. {broken}:2: " in result.stderr
    assert "missing.ttl: refused. There is no file" in result.stderr
    assert "lab308.ttl: 4 things" in result.stdout
    assert "Light308" in run("things").output


BYTES = bytes(range(128, 256)) * 20


@pytest.mark.parametrize("name", ["home.ttl", "home.jsonl", "home.json", "home.nq", "home", "home.txt"])
def test_a_file_that_is_no_home_is_refused_in_one_line(run: Run, tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(BYTES)
    result = run("load", tmp_path / name)
    assert result.exit_code == 1
    assert len(result.stderr.strip().splitlines()) == 1, result.stderr


def test_a_folder_is_loaded_with_all_its_turtle_and_an_empty_one_is_refused(run: Run, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    assert "refused" in run("load", tmp_path / "empty").stderr
    shutil.copy(LAB, tmp_path / "empty" / "lab.ttl")
    shutil.copy(folder("data") / "home17.ttl", tmp_path / "empty" / "home17.ttl")
    result = run("load", tmp_path / "empty")
    assert result.exit_code == 0
    assert "5 things" in result.output


def test_things_are_listed_with_class_place_and_state(house: Run) -> None:
    result = house("things")
    line = next(line for line in result.output.splitlines() if line.strip().startswith("pantry light"))
    assert line.split() == ["pantry", "light", "light", "pantry", "state", "off"]
    rows = [json.loads(line) for line in house("things", "--json").output.splitlines()]
    assert len(rows) == 62
    lamp = next(row for row in rows if row["iri"] == "http://house.example/things/floor-lamp")
    assert (lamp["title"], lamp["place"], lamp["state"]["brightness"]) == ("floor lamp", "living room", 40)


def test_a_home_without_things_has_an_empty_list(run: Run) -> None:
    assert run("things", "--json").output == ""


# import


def test_importing_takes_one_home_of_a_file(run: Run, small_homes: Path) -> None:
    result = run("import", "homebench", "--homes", small_homes, "--home", "7")
    assert result.exit_code == 0, result.output
    assert "home 7, 5 things" in result.output
    assert run("ask", "turn on the light in the kitchen", "--yes").exit_code == 0


def test_importing_an_unknown_home_is_refused(run: Run, small_homes: Path) -> None:
    result = run("import", "homebench", "--homes", small_homes, "--home", "99")
    assert (result.exit_code, "has no home 99" in result.output) == (1, True)


@pytest.mark.parametrize(
    "content", ["{", "[1]", '{"home_id": 1}', '{"home_id": 1, "home_status": [], "method": 3}', "[" * 100_000]
)
def test_importing_what_is_no_home_is_refused_in_one_line(run: Run, tmp_path: Path, content: str) -> None:
    (tmp_path / "homes.jsonl").write_text(content + "\n", encoding="utf-8")
    result = run("import", "homebench", "--homes", tmp_path / "homes.jsonl", "--home", "1")
    assert result.exit_code == 1
    assert len(result.output.strip().splitlines()) == 1, result.output
    assert "homes.jsonl:1: " in result.output


# query


def query(run: Run, text: str) -> Result:
    return run("query", "-", input=text)


def test_a_select_comes_as_a_table_of_tabs(lab: Run) -> None:
    artifact = "a <https://purl.org/hmas/Artifact> ; <https://www.w3.org/2019/wot/td#title> ?title"
    lines = query(lab, f"SELECT DISTINCT ?title WHERE {{ ?t {artifact} }} ORDER BY ?title").output.splitlines()
    assert (lines[0], len(lines)) == ("?title", 5)
    assert '"Blinds308"@en' in lines


def test_an_ask_comes_as_a_word(lab: Run) -> None:
    assert query(lab, "ASK { ?a ?b ?c }").output == "true\n"
    assert query(lab, "ASK { <urn:no> ?b ?c }").output == "false\n"


def test_a_construct_comes_as_turtle(lab: Run) -> None:
    output = query(
        lab, "CONSTRUCT { <urn:x> <urn:y> ?c } WHERE { ?a <https://www.w3.org/2019/wot/td#title> ?c }"
    ).output
    assert "<urn:x> <urn:y>" in output


def test_a_query_may_come_from_a_file(lab: Run, tmp_path: Path) -> None:
    (tmp_path / "q.rq").write_text("ASK {}", encoding="utf-8")
    assert lab("query", tmp_path / "q.rq").output == "true\n"


BAD_QUERIES = [
    "",
    "SELECT",
    "INSERT DATA { <urn:a> <urn:b> <urn:c> }",
    "SELECT * { SERVICE <http://x.example> { ?a ?b ?c } }",
]


@pytest.mark.parametrize("text", BAD_QUERIES)
def test_a_bad_query_is_refused_in_one_line(run: Run, text: str) -> None:
    result = query(run, text)
    assert (result.exit_code, len(result.output.strip().splitlines())) == (1, 1), result.output


def test_bytes_that_are_no_query_are_refused(run: Run, tmp_path: Path) -> None:
    (tmp_path / "q.rq").write_bytes(BYTES)
    assert run("query", tmp_path / "q.rq").exit_code == 1
    assert run("query", tmp_path).exit_code == 1
    assert run("query", tmp_path / "none.rq").exit_code == 1


# ask


def test_consent_beforehand_has_it_done(house: Run) -> None:
    result = house("ask", "turn on the pantry light", "--yes")
    assert (result.exit_code, result.output) == (0, "Done: pantry light state on.\n")
    assert "pantry light" in house("query", "-", input="SELECT ?t { ?r <https://w3id.org/hearthgraph#text> ?t }").output


@pytest.mark.parametrize(
    ("answer", "status", "last"),
    [("yes please\n", 0, "Done: "), ("what?\n", 3, "Then I")],
)
def test_an_answer_through_a_pipe_counts(house: Run, answer: str, status: int, last: str) -> None:
    result = house("ask", "turn on the pantry light", input=answer)
    assert result.exit_code == status
    assert result.stdout.splitlines()[0].endswith("Shall I?")
    assert result.stdout.splitlines()[-1].startswith(last)


def test_without_an_answer_nothing_is_done_and_that_is_said(house: Run) -> None:
    result = house("ask", "turn on the pantry light")
    assert result.exit_code == 0
    assert "Shall I?" in result.stdout
    assert "Nothing was done" in result.stderr
    assert house("ask", "is the pantry light on?").output.startswith("No.")


def test_what_may_be_regretted_is_asked_under_yes(house: Run) -> None:
    assert "Shall I?" in house("ask", "unlock the front door", "--yes").stdout
    assert "Done" in house("ask", "unlock the front door", "--yes", input="y\n").stdout


def test_the_result_object_is_one_line_of_json(house: Run) -> None:
    result = house("ask", "turn on the pantry light", "--yes", "--json")
    found = json.loads(result.output)
    assert (found["status"], found["changes"][0]["after"]) == ("done", "on")
    assert json.loads(house("ask", "open the garage door", "--json", input="y\n").output)["status"] == "proposed"


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("is the light on?", 0),
        ("turn on the fan", 3),
    ],
)
def test_the_exit_status_says_whether_it_was_done(lab: Run, text: str, status: int) -> None:
    assert lab("ask", text, "--yes").exit_code == status


@pytest.mark.parametrize("text", ["", "  ", "x" * 5000, "turn on the \udcff light"])
def test_what_cannot_be_read_is_refused_in_one_line(lab: Run, text: str) -> None:
    result = lab("ask", text)
    assert (result.exit_code, len(result.output.strip().splitlines())) == (1, 1), result.output


def test_a_location_that_is_none_is_refused(house: Run) -> None:
    assert house("ask", "turn on the light", "--yes", "--location", "pantry").output == "Done: pantry light state on.\n"
    result = house("ask", "turn on the light", "--location", "cellar")
    assert (result.exit_code, "no place cellar" in result.output) == (1, True)


# talk


def test_what_is_asked_back_is_answered_through_the_pipe(house: Run) -> None:
    result = house("ask", "turn on the bedside lamp", input="the left one\nyes\n")
    assert result.exit_code == 0
    question, proposed, done = result.stdout.splitlines()
    assert question.startswith("Which one do you mean")
    assert proposed.endswith("Shall I?")
    assert done == "Done: left bedside lamp (master bedroom) state on."


def test_a_conversation_through_a_pipe(house: Run) -> None:
    said = [
        "turn on the pantry light",
        "yes",
        "",
        "unlock the front door",
        "no",
        "is the front door locked?",
        "",
        "flarb",
    ]
    result = house("talk", input="\n".join(said) + "\n")
    assert result.exit_code == 0
    lines = result.output.splitlines()[1:]
    assert lines[0].endswith("Shall I?")
    assert lines[1] == "Done: pantry light state on."
    assert lines[2].endswith("Shall I?")
    assert lines[3] == "Then I leave it as it is."
    assert lines[4].startswith("Yes.")
    assert "did not understand" in lines[5]


def test_a_conversation_outlives_what_cannot_be_read(house: Run) -> None:
    result = house("talk", "--yes", input="x" * 5000 + "\nturn on the pantry light\n")
    assert "Done: pantry light state on." in result.output


# dump and restore


def test_a_dump_brings_everything_back(lab: Run, tmp_path: Path) -> None:
    lab("ask", "turn on the light", "--yes")
    assert lab("dump", tmp_path / "all.nq").exit_code == 0
    lab("ask", "turn off the light", "--yes")
    assert lab("restore", tmp_path / "all.nq").exit_code == 0
    light = next(
        row for row in map(json.loads, lab("things", "--json").output.splitlines()) if row["title"] == "Light308"
    )
    assert light["state"]["on_off"] == "on"
    asked = lab("query", folder("queries") / "dialogue" / "latest.rq").output
    assert "turn on the light" in asked
    assert "turn off the light" not in asked


def test_restoring_what_is_no_dump_changes_nothing(lab: Run, tmp_path: Path) -> None:
    (tmp_path / "bad.nq").write_bytes(BYTES)
    (tmp_path / "other.nq").write_text("<urn:a> <urn:b> <urn:c> <urn:g> .\n", encoding="utf-8")
    for name in ("bad.nq", "other.nq"):
        result = lab("restore", tmp_path / name)
        assert (result.exit_code, len(result.output.strip().splitlines())) == (1, 1), result.output
    assert len(lab("things", "--json").output.splitlines()) == 4


@pytest.mark.parametrize("command", ["dump", "restore"])
def test_a_folder_is_no_dump(lab: Run, tmp_path: Path, command: str) -> None:
    assert lab(command, tmp_path).exit_code == 2
    assert lab(command, tmp_path / "none" / "all.nq").exit_code in (1, 2)


# the store


def test_a_store_that_somebody_uses_is_said_to_be_in_use(run: Run, tmp_path: Path) -> None:
    with EmbeddedStore.open(tmp_path / "store"):
        result = run("things")
    assert result.exit_code == 1
    assert len(result.output.strip().splitlines()) == 1
    assert "in use" in result.output
    assert "HEARTHGRAPH_STORE" in result.output


def test_a_store_that_is_a_file_is_refused(run: Run, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    result = run("--store", tmp_path / "file", "things")
    assert (result.exit_code, len(result.output.strip().splitlines())) == (1, 1), result.output
    assert run("--store", tmp_path / "file" / "below", "things").exit_code == 1


def test_a_wrong_setting_is_one_line(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEARTHGRAPH_TICK_LIMIT", "many")
    result = run("things")
    assert (result.exit_code, len(result.output.strip().splitlines())) == (1, 1), result.output


@pytest.mark.parametrize(
    "arguments", [[], ["--help"], ["ask", "--help"], ["batch", "--help"], ["evaluate", "homebench", "-h"]]
)
def test_help_is_there(run: Run, arguments: list[str]) -> None:
    assert "Usage:" in run(*arguments).output


@pytest.mark.parametrize("arguments", [["dance"], ["ask"], ["load"], ["batch", "x.jsonl"], ["ask", "x", "--maybe"]])
def test_a_wrong_command_line_says_how_it_is_used(run: Run, arguments: list[str]) -> None:
    result = run(*arguments)
    assert (result.exit_code, "Usage:" in result.output) == (2, True)


# batch and evaluate on the command line; what they answer is tested with the evaluation


def write(path: Path, lines: list[Any]) -> Path:
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


def test_a_batch_writes_a_line_a_request(run: Run, tmp_path: Path) -> None:
    requests = write(tmp_path / "r.jsonl", [{"id": "a", "text": "turn on the pantry light"}, {"id": "b"}])
    printed = run("batch", requests, "--home", HOUSE, "--execute")
    assert printed.exit_code == 0
    assert "1 of 2 lines are no requests" in printed.stderr
    assert run("batch", requests, "--home", HOUSE, "--execute", "--out", tmp_path / "out.jsonl").exit_code == 0
    for lines in (printed.stdout.splitlines(), (tmp_path / "out.jsonl").read_text(encoding="utf-8").splitlines()):
        assert [(row["id"], row["status"]) for row in map(json.loads, lines)] == [("a", "done"), ("b", "refused")]


def test_a_batch_that_cannot_begin_says_why_in_one_line(run: Run, tmp_path: Path) -> None:
    requests = write(tmp_path / "r.jsonl", [{"id": "a", "text": "turn on the light"}])
    (tmp_path / "broken.ttl").write_text("oops", encoding="utf-8")
    (tmp_path / "empty.jsonl").write_text("\n", encoding="utf-8")
    (tmp_path / "lab308.ttl").write_text("", encoding="utf-8")
    (tmp_path / "bin.jsonl").write_bytes(BYTES)
    for arguments in (
        (tmp_path / "none.jsonl", "--home", LAB),
        (tmp_path, "--home", LAB),
        (tmp_path / "bin.jsonl", "--home", LAB),
        (requests, "--home", tmp_path / "none.ttl"),
        (requests, "--home", tmp_path / "broken.ttl"),
        (requests, "--home", tmp_path / "empty.jsonl"),
        (requests, "--home", LAB, "--home", tmp_path / "lab308.ttl"),
        (requests, "--home", LAB, "--out", tmp_path),
        (requests, "--home", LAB, "--out", tmp_path / "none" / "out.jsonl"),
    ):
        result = run("batch", *arguments)
        assert (result.exit_code, len(result.output.strip().splitlines())) == (1, 1), (arguments, result.output)


def test_an_evaluation_prints_its_tables_and_writes_its_predictions(
    run: Run, small_homes: Path, small_cases: Path, tmp_path: Path
) -> None:
    out = tmp_path / "predictions.jsonl"
    result = run("evaluate", "homebench", "--homes", small_homes, "--cases", small_cases, "--out", out)
    assert result.exit_code == 0, result.output
    assert "AmI HMAS, Table 1" in result.output
    assert "Calls of a language model: 0." in result.output
    assert len(out.read_text(encoding="utf-8").splitlines()) == len(
        small_cases.read_text(encoding="utf-8").splitlines()
    )


def test_an_evaluation_of_something_else_is_refused_in_one_line(run: Run, small_homes: Path, tmp_path: Path) -> None:
    (tmp_path / "bin.jsonl").write_bytes(BYTES)
    (tmp_path / "odd.jsonl").write_text('{"id": 1}\n', encoding="utf-8")
    for cases in (tmp_path / "bin.jsonl", tmp_path / "odd.jsonl", small_homes):
        result = run("evaluate", "homebench", "--homes", small_homes, "--cases", cases)
        assert (result.exit_code, len(result.output.strip().splitlines())) == (1, 1), result.output
