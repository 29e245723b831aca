"""The wheel carries all that the engine needs: installed in a bare environment, it answers a question."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not (Path(__file__).resolve().parents[1] / "engine" / "cli" / "main.py").exists(),
        reason="there is no command line yet",
    ),
]


def run(*command: str | Path, cwd: Path, **environment: str) -> str:
    """The standard output of a command; its standard error is shown where it fails."""
    done = subprocess.run(
        [str(part) for part in command],
        cwd=cwd,
        capture_output=True,
        text=True,
        env={name: value for name, value in os.environ.items() if name != "PYTHONPATH"} | environment,
        timeout=300,
    )
    assert done.returncode == 0, f"{command} ended with {done.returncode}:\n{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    repository = Path(__file__).resolve().parents[1]
    run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder, cwd=repository)
    return next(folder.glob("hearthgraph-*.whl"))


@pytest.fixture(scope="module")
def bare(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The `bin` of an environment with nothing but the wheel; its dependencies are read from the present one."""
    home = tmp_path_factory.mktemp("bare")
    venv.create(home, with_pip=False)
    python = home / "bin" / "python"
    pip = [sys.executable, "-m", "pip", "--python", python, "--disable-pip-version-check"]
    run(*pip, "install", "--quiet", "--no-deps", "--no-index", wheel, cwd=home)
    packages = Path(run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))", cwd=home).strip())
    # A path file adds the folder alone: path files within it, such as that of an editable install, are not followed.
    (packages / "dependencies.pth").write_text(sysconfig.get_path("purelib"), encoding="utf-8")
    return home / "bin"


def test_the_wheel_holds_the_knowledge_and_no_tests(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    for folder, suffix in (("ontology", ".ttl"), ("shapes", ".ttl"), ("queries", ".rq"), ("data", ".ttl")):
        assert any(name.startswith(f"engine/_resources/{folder}/") and name.endswith(suffix) for name in names), folder
    for file in ("templates/base.html", "static/app.css", "protocol/openapi.json"):
        assert f"server/{file}" in names
    assert any(name.startswith("server/static/vendor/yasgui") for name in names)
    assert not [name for name in names if name.startswith(("tests/", "ontology/", "data/"))]


def test_an_installed_wheel_answers_a_question(bare: Path, tmp_path: Path) -> None:
    code = "import engine.resources as r; print(r.__file__); print(r.folder('data') / 'lab308.ttl')"
    module, demo = run(bare / "python", "-c", code, cwd=tmp_path).splitlines()
    assert Path(module).is_relative_to(bare.parent), "the checkout was imported instead of the wheel"
    own = {"HEARTHGRAPH_STORE": str(tmp_path / "store")}
    run(bare / "hearthgraph", "load", demo, cwd=tmp_path, **own)
    text = run(bare / "hearthgraph", "ask", "turn on the light", "--yes", "--json", cwd=tmp_path, **own)
    result = json.loads(text)
    assert result["status"] == "done", text
    assert [action["outcome"] for action in result["actions"]] in (["done"], ["already"])
