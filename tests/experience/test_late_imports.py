"""What takes seconds to import is imported only when it is needed: plain orders never need it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = """
import sys
from pathlib import Path
from engine.hearthgraph import Hearthgraph
from engine.resources import folder
with Hearthgraph.open(None) as home:
    home.load([folder("data") / "lab308.ttl"])
    for text in sys.argv[1:]:
        print(home.ask(text, consent=True).status.value)
print(sorted({"torch", "sentence_transformers", "openai", "numpy"} & set(sys.modules)))
"""


@pytest.mark.parametrize(
    "texts",
    [("turn on the light", "is the light on?", "turn off the light"), ("it's too dark in here", "turn off the light")],
)
def test_orders_questions_and_known_complaints_import_no_model(repository: Path, texts: tuple[str, ...]) -> None:
    found = subprocess.run(
        [sys.executable, "-c", SCRIPT, *texts], cwd=repository, capture_output=True, text=True, check=True
    )
    assert found.stdout.splitlines()[-1] == "[]"


def test_a_question_imports_neither_behaviour_trees_nor_what_checks_documents(repository: Path) -> None:
    script = SCRIPT.replace('"torch", ', '"py_trees", "jsonschema", "rdflib", "pyshacl", "httpx", ')
    command = [sys.executable, "-c", script, "is the light on?", "how many lights are on?"]
    found = subprocess.run(command, cwd=repository, capture_output=True, text=True, check=True)
    assert found.stdout.splitlines()[-1] == "[]"
