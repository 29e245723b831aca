"""Sentences as vectors: the encoder of ours gives what sentence-transformers gives, and torch stays out of a talk."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from engine import embedding

SENTENCES = [
    "light on",
    "light off",
    "it's too dark in here, and I can't read at my desk!",
    "open the blinds",
    "Ünïcode: naïve café, 東京, 🎉",
    "",
    "   ",
    "word " * 600,
    "antidisestablishmentarianism " * 3,
    "21.5 °C at 07:30",
]
SCRIPT = """
import sys
from engine import embedding
embedding.warm()
print(embedding.encode(sys.argv[1:]).shape)
print(sorted({"torch", "sentence_transformers", "transformers"} & set(sys.modules)))
"""

pytestmark = pytest.mark.skipif(not embedding.available(), reason="the encoder's weights are not installed")


@pytest.mark.torch
def test_our_encoder_gives_what_sentence_transformers_gives(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("sentence_transformers")
    own = embedding.encode(SENTENCES)
    monkeypatch.setattr(embedding, "MANY", 1)
    theirs = embedding.encode(SENTENCES)
    assert "torch" in sys.modules
    assert abs(own - theirs).max() < 1e-4


def test_a_sentence_has_the_same_vector_alone_and_among_others() -> None:
    together = embedding.encode(SENTENCES * 5)
    assert together.shape == (50, embedding.WIDTH)
    for number, sentence in enumerate(SENTENCES):
        assert abs(together[number::10] - embedding.encode([sentence])).max() < 1e-5
    assert abs((together * together).sum(axis=1) - 1).max() < 1e-5


def test_what_means_the_same_is_nearer_than_what_does_not() -> None:
    known = embedding.encode(["open the blinds", "what time is it", "play some music"])
    assert embedding.similarities(known, "raise the curtains").argmax() == 0


def test_of_no_sentences_there_are_no_vectors() -> None:
    assert embedding.encode([]).shape == (0, embedding.WIDTH)


def test_vectors_are_kept_and_made_again_where_they_are_spoilt(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    first = embedding.kept(SENTENCES)
    (file,) = tmp_path.rglob("*.npy")
    assert (embedding.kept(SENTENCES) == first).all()
    file.write_bytes(b"spoilt")
    assert (embedding.kept(SENTENCES) == first).all()


def test_a_few_sentences_need_no_torch(repository: Path) -> None:
    command = [sys.executable, "-c", SCRIPT, "it is dark", "brr"]
    done = subprocess.run(command, cwd=repository, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["(2, 384)", "[]"]
