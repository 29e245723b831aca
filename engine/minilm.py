"""all-MiniLM-L6-v2 in numpy: its six layers as published, so that one sentence is encoded without loading torch.

The network is BERT (Devlin and others, 2019) with mean pooling (https://www.sbert.net); weights and vocabulary come
from a package. The linear layers take the tokens of all sentences at once; only attention looks at each sentence by
itself, so that nothing is padded.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray
from safetensors import safe_open
from threadpoolctl import ThreadpoolController
from tokenizers import Tokenizer

Array = NDArray[np.float32]

LAYERS, HEADS, WIDTH = 6, 12, 384
LONGEST = 256
"""Tokens of a sentence that are read; the rest is cut off, as sentence-transformers does with this model."""
AT_ONCE = 32
_EPSILON = np.float32(1e-12)


@dataclass(frozen=True, slots=True)
class Linear:
    """A layer y = x·weight + bias."""

    weight: Array
    bias: Array

    def __call__(self, x: Array) -> Array:
        return cast(Array, x @ self.weight + self.bias)


@dataclass(frozen=True, slots=True)
class Norm:
    """Layer normalisation with its scale and shift."""

    scale: Array
    shift: Array

    def __call__(self, x: Array) -> Array:
        centred = x - x.mean(axis=-1, keepdims=True)
        variance = (centred * centred).mean(axis=-1, keepdims=True)
        return cast(Array, centred / np.sqrt(variance + _EPSILON) * self.scale + self.shift)


@dataclass(frozen=True, slots=True)
class Layer:
    """One layer of the transformer; `attended` gives queries, keys and values side by side."""

    attended: Linear
    gathered: Linear
    gathered_norm: Norm
    wide: Linear
    narrow: Linear
    norm: Norm

    def __call__(self, x: Array, sentences: Sequence[slice]) -> Array:
        projected = self.attended(x)
        seen = np.concatenate([_attention(projected[one]) for one in sentences])
        x = self.gathered_norm(x + self.gathered(seen))
        return self.norm(x + self.narrow(_gelu(self.wide(x))))


class Encoder:
    """The model, read from the folder that its package carries. One thread may use it at a time."""

    def __init__(self, folder: Path) -> None:
        self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(LONGEST)
        weights: Any = safe_open(str(folder / "model.safetensors"), framework="numpy")
        # Rows of the table of words, the half of all weights, are read as they are asked for.
        self._words = weights.get_slice("embeddings.word_embeddings.weight")
        self._positions = weights.get_tensor("embeddings.position_embeddings.weight")
        self._positions = self._positions + weights.get_tensor("embeddings.token_type_embeddings.weight")[0]
        self._norm = _norm(weights, "embeddings.LayerNorm")
        self._layers = [_layer(weights, f"encoder.layer.{number}") for number in range(LAYERS)]
        self._threads = ThreadpoolController()

    def __call__(self, sentences: Sequence[str]) -> Array:
        """A row of length one for each sentence."""
        found = np.zeros((len(sentences), WIDTH), dtype=np.float32)
        # More threads than one wait for each other wherever anything else is running.
        with self._threads.limit(limits=1, user_api="blas"):
            for start in range(0, len(sentences), AT_ONCE):
                found[start : start + AT_ONCE] = self._batch(sentences[start : start + AT_ONCE])
        return found

    def _batch(self, sentences: Sequence[str]) -> Array:
        tokens = [one.ids for one in self._tokenizer.encode_batch(list(sentences))]
        ends = np.cumsum([len(one) for one in tokens]).tolist()
        parts = [slice(end - len(one), end) for one, end in zip(tokens, ends, strict=True)]
        x = self._norm(np.concatenate([self._embedded(one) for one in tokens]))
        for layer in self._layers:
            x = layer(x, parts)
        means = np.stack([x[part].mean(axis=0) for part in parts])
        return cast(Array, means / np.linalg.norm(means, axis=1, keepdims=True))

    def _embedded(self, tokens: Iterable[int]) -> Array:
        words = np.concatenate([self._words[token : token + 1] for token in tokens])
        return cast(Array, words + self._positions[: len(words)])


def _layer(weights: Any, name: str) -> Layer:
    three = [_linear(weights, f"{name}.attention.self.{one}") for one in ("query", "key", "value")]
    attended = Linear(
        np.concatenate([one.weight for one in three], axis=1), np.concatenate([one.bias for one in three])
    )
    return Layer(
        attended,
        _linear(weights, f"{name}.attention.output.dense"),
        _norm(weights, f"{name}.attention.output.LayerNorm"),
        _linear(weights, f"{name}.intermediate.dense"),
        _linear(weights, f"{name}.output.dense"),
        _norm(weights, f"{name}.output.LayerNorm"),
    )


def _linear(weights: Any, name: str) -> Linear:
    return Linear(np.ascontiguousarray(weights.get_tensor(f"{name}.weight").T), weights.get_tensor(f"{name}.bias"))


def _norm(weights: Any, name: str) -> Norm:
    return Norm(weights.get_tensor(f"{name}.weight"), weights.get_tensor(f"{name}.bias"))


def _attention(projected: Array) -> Array:
    """Scaled dot-product attention of the tokens of one sentence, all heads at once."""
    count = len(projected)
    query, key, value = projected.reshape(count, 3, HEADS, WIDTH // HEADS).transpose(1, 2, 0, 3)
    scores = query @ key.transpose(0, 2, 1) / np.float32((WIDTH / HEADS) ** 0.5)
    scores = np.exp(scores - scores.max(axis=-1, keepdims=True))
    shares = scores / scores.sum(axis=-1, keepdims=True)
    return cast(Array, (shares @ value).transpose(1, 0, 2).reshape(count, WIDTH))


def _gelu(x: Array) -> Array:
    """The Gaussian error linear unit x·Φ(x), with erf as in Abramowitz and Stegun 7.1.26 (error below 1.5e-7)."""
    z = np.abs(x) * np.float32(0.5**0.5)
    t = 1 / (1 + np.float32(0.3275911) * z)
    series = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))))
    half = np.float32(0.5) * series * np.exp(-z * z)
    return cast(Array, x * np.where(x >= 0, 1 - half, half))
