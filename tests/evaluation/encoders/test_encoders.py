"""Tests of encoders as people have them."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fair_datasets import InputError
from fair_datasets.evaluation.encoders.encoders import open_encoder
from fair_datasets.models import WordVectors
from fair_datasets.scores.embeddings import sentence_vectors

WORDS = {"he": [1.0, 0.0], "ran": [0.0, 3.0], "Mary": [2.0, 2.0]}


def test_word_vectors_give_the_mean_of_the_words_that_they_have(tmp_path: Path) -> None:
    """In memory and as a file; a text of none gets zeros, as a task cannot leave out rows."""
    vectors = WordVectors.of(WORDS, list(WORDS.values()))
    path = tmp_path / "vectors.txt"
    path.write_text("".join(f"{word} {a} {b}\n" for word, (a, b) in WORDS.items()))
    for given in (vectors, path, str(path)):
        encoder = open_encoder(given, owner="mine", batch_size=2)
        found = encoder.vectors(["He ran, he ran.", "Mary sleeps", "???"])
        assert found.tolist() == [[0.5, 1.5], [2.0, 2.0], [0.0, 0.0]]
        assert [encoder.lacks(word) for word in ("He", "mary", "she", "he ran", "he slept")] == [
            False, True, True, False, True
        ]  # fmt: skip


def test_a_folder_is_read_like_by_sentence_vectors(tiny_encoder: str) -> None:
    """Each text once, whatever its order; a word that the tokenizer does not know is lacking."""
    texts = ["the nurse slept .", "he left .", "the nurse slept ."]
    encoder = open_encoder(tiny_encoder, owner="mine", batch_size=2)
    assert encoder.vectors(texts) == pytest.approx(sentence_vectors(texts, tiny_encoder), abs=1e-6)
    assert [encoder.lacks(word) for word in ("nurse", "John", "nurse John")] == [False, True, True]


def test_each_text_is_given_to_a_function_once() -> None:
    """In the order of the first, and the vectors come back in the order of all."""
    calls: list[list[str]] = []

    def encode(texts: list[str]) -> Any:
        calls.append(texts)
        return np.array([[float(len(text))] for text in texts])

    encoder = open_encoder(encode, owner="mine", batch_size=2)
    assert encoder.vectors(["aa", "b", "aa"]).tolist() == [[2], [1], [2]]
    assert calls == [["aa", "b"]]
    assert not encoder.lacks("anything")


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ("./nowhere", "mine: there is no folder './nowhere'"),
        ("./nowhere.txt", "nowhere.txt"),
        (7, "mine: model must be a Hub id, a folder, or a tuple .* but it is a int"),
    ],
)
def test_an_encoder_that_is_not_there_is_told(given: Any, sentence: str) -> None:
    """The sentence says whose encoder it is."""
    with pytest.raises(InputError, match=sentence):
        open_encoder(given, owner="mine", batch_size=2)


def test_a_file_that_is_no_vectors_is_told_as_one(tmp_path: Path) -> None:
    """A pickle is refused as such, and not taken for a model of the Hub."""
    path = tmp_path / "vectors.kv"
    path.write_bytes(b"\x80\x04.")
    with pytest.raises(InputError, match="pickle"):
        open_encoder(path, owner="mine", batch_size=2)


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_a_vector_that_is_not_finite_is_told(value: float) -> None:
    """With the first text that has one."""
    encoder = open_encoder(
        lambda texts: [[1.0, 1.0], *([1.0, value] for _ in texts[1:])],
        owner="mine",
        batch_size=2,
    )
    with pytest.raises(InputError, match=r"mine: the vector of 'She ran\.' holds a value that is"):
        encoder.vectors(["He sat.", "She ran.", "It fell."])
