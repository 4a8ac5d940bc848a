"""Encoders of sentences as people have them: models, files of word vectors, functions."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from os import PathLike, fspath
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fair_datasets.models.vectors import WordVectors, load_word_vectors
from fair_datasets.models.vectors.load import ENDINGS
from fair_datasets.scores.embeddings import (
    Pooling,
    function_vectors,
    load_encoder,
    pooled_states,
)
from fair_datasets.scores.models import ModelLike, ScoringModel
from fair_datasets.scores.word_tokens import words_of
from fair_datasets.system.checks import InputError

Vectors = NDArray[np.float64]

EncoderLike = ModelLike | WordVectors | Callable[[list[str]], Any]
"""A folder, a Hub id or a model with its tokenizer; word vectors or their file, of which a sentence
gets the mean; or any function from a list of texts to their vectors."""


@dataclass(frozen=True)
class Encoder:
    """An encoder that is loaded.

    Attributes:
        read: Texts to their vectors. Shape (N, d).
        lacks: Tells of each word whether the encoder has nothing to read it by.
    """

    owner: str
    read: Callable[[list[str]], Vectors]
    lacks: Callable[[str], bool]

    def vectors(self, texts: Sequence[str]) -> Vectors:
        """Return the vectors of texts, each of which is read once. Shape (N, d)."""
        places = {text: place for place, text in enumerate(dict.fromkeys(texts))}
        found = self.read(list(places))
        wrong = np.flatnonzero(~np.isfinite(found).all(axis=1))
        if wrong.size:
            raise InputError(
                f"{self.owner}: the vector of {list(places)[wrong[0]]!r} holds a value that is "
                "missing or infinite; mend the encoder, or leave it out."
            )
        return found[[places[text] for text in texts]]


def open_encoder(
    given: EncoderLike,
    *,
    owner: str,
    batch_size: int,
    pooling: Pooling = "auto",
    device: str | None = None,
) -> Encoder:
    """Load an encoder.

    Args:
        given: What the user gave. What holds words, as `WordVectors` do, says by `word in given`
            which it can read; a tokenizer by its token for unknown words; of a function without
            `in` all words are thought to be read.
    """
    if isinstance(given, str | PathLike) and _is_file_of_vectors(fspath(given)):
        given = load_word_vectors(given)
    if isinstance(given, WordVectors):
        vectors = given
        return Encoder(
            owner,
            lambda texts: _means(vectors, texts),
            lambda word: any(each not in vectors for each in words_of([word])[0]),
        )
    if callable(given) and not hasattr(given, "state_dict"):
        function = given
        words: Any = given if hasattr(given, "__contains__") else None
        return Encoder(
            owner,
            lambda texts: function_vectors(texts, _told(function, owner), owner=owner),
            lambda word: words is not None and word not in words,
        )
    loaded, pooling = load_encoder(given, pooling, owner=owner, device=device)  # type: ignore[arg-type]
    return Encoder(
        owner,
        lambda texts: pooled_states(loaded, pooling, texts, batch_size=batch_size),
        lambda word: _is_unknown(loaded, word),
    )


def _told(function: Callable[[list[str]], Any], owner: str) -> Callable[[list[str]], Any]:
    """Name the encoder where a function of the user raises."""

    def call(texts: list[str]) -> Any:
        try:
            return function(texts)
        except Exception as error:
            told = f"{owner}: the function raised {type(error).__name__} ({error})"
            raise RuntimeError(told) from error

    return call


def _is_file_of_vectors(name: str) -> bool:
    """Tell whether a name is that of a file of word vectors; a model is a folder or a Hub id."""
    return name.lower().endswith(ENDINGS) or Path(name).is_file()


def _means(vectors: WordVectors, texts: Sequence[str]) -> Vectors:
    """Return the mean vector of the words of each text; zeros where none has a vector."""
    means = np.zeros((len(texts), vectors.width))
    for row, words in enumerate(words_of(texts)):
        found = vectors.find(words)
        known = found[found >= 0]
        if known.size:
            means[row] = vectors.matrix[known].mean(axis=0, dtype=np.float64)
    return means


def _is_unknown(loaded: ScoringModel, word: str) -> bool:
    """Tell whether a tokenizer leaves nothing of a word, or its token for unknown ones."""
    encoded = loaded.encode([word])
    pieces = [
        piece
        for piece, is_special in zip(encoded.ids[0], encoded.special[0], strict=True)
        if not is_special
    ]
    return not pieces or loaded.tokenizer.unk_token_id in pieces
