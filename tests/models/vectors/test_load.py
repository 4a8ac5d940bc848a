"""Tests of loading word vectors: the cache, gensim's objects, and what else may be given."""

import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fair_datasets import InputError
from fair_datasets.measures import WeatTest, weat_from_vectors
from fair_datasets.models import load_word_vectors


class KeyedVectors:
    """The part of gensim's class that is read."""

    def __init__(self) -> None:
        """Hold two words."""
        self.key_to_index = {"she": 1, "he": 0}
        self.vectors = np.array([[1.0, 0.0], [0.0, 1.0]], np.float32)


def test_the_numbers_are_not_written_out() -> None:
    """Vectors are told from others by their name and how many there are."""
    vectors = load_word_vectors({"he": [1, 0], "she": [0, 1], "it": [0, 0]})
    assert repr(vectors) == "WordVectors('memory', shape=(3, 2))"


def test_gensims_vectors_are_read() -> None:
    """By what they have, as gensim need not be there."""
    vectors = load_word_vectors(KeyedVectors())
    assert list(vectors) == ["he", "she"]
    assert vectors["she"].tolist() == [0.0, 1.0]


def test_a_file_is_converted_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And again where it has changed; what is read is mapped into memory."""
    file = tmp_path / "v.txt"
    file.write_text("he 1 0\nshe 0 1\n")
    first = load_word_vectors(file)
    assert isinstance(first.matrix, np.memmap)
    assert isinstance(first.index.hashes, np.memmap)
    with monkeypatch.context() as context:
        context.setattr("fair_datasets.models.vectors.load.read_parts", pytest.fail)
        assert load_word_vectors(file).digest == first.digest
    file.write_text("he 1 0\nshe 0 1\nwe 1 1\n")
    os.utime(file, ns=(1, 1))
    assert len(load_word_vectors(file)) == 3


def test_a_refused_file_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No half of a cache, and none that cannot be written goes unsaid."""
    monkeypatch.setattr("huggingface_hub.constants.HF_HOME", str(tmp_path / "home"))
    (tmp_path / "v.txt").write_text("he 1 0\nshe 0 1\nwe 1\n")
    with pytest.raises(InputError, match="line 3"):
        load_word_vectors(tmp_path / "v.txt")
    assert list((tmp_path / "home" / "fair_datasets" / "vectors").iterdir()) == []
    (tmp_path / "file").write_text("")
    monkeypatch.setattr("huggingface_hub.constants.HF_HOME", str(tmp_path / "file"))
    with pytest.raises(
        InputError, match=r"cannot be converted in .*; set HF_HOME to a writable folder"
    ):
        load_word_vectors(tmp_path / "v.txt")


def test_of_two_alike_the_first_counts(tmp_path: Path) -> None:
    """As in gensim."""
    (tmp_path / "v.txt").write_text("he 1 0\nshe 0 1\nhe 5 5\n")
    assert load_word_vectors(tmp_path / "v.txt")["he"].tolist() == [1.0, 0.0]


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        (5, "source must be the path of a file, a Hub id, KeyedVectors of gensim"),
        ({}, "source must be the path of a file"),
        ({"he": [1.0], "she": [float("nan")]}, "the vector of 'she' is not finite; drop it"),
        ({"he": 1.0, "she": 2.0}, "one vector for each of the 2 words"),
    ],
)
def test_anything_else_is_refused(given: Any, sentence: str) -> None:
    """In a sentence that says what may be given."""
    with pytest.raises(InputError, match=sentence):
        load_word_vectors(given)


def test_vectors_of_different_lengths_are_refused() -> None:
    """In a sentence, too."""
    with pytest.raises(InputError, match="vectors of one length"):
        load_word_vectors({"he": [1.0, 2.0], "she": [1.0]})


def test_the_published_association_is_found(data_directory: Path) -> None:
    """Word vectors are what `weat_from_vectors` takes (word2vec: C6 1.89 in the fifth paper)."""
    file = data_directory / "vectors" / "word2vec_googlenews_weat_347.txt.gz"
    vectors = load_word_vectors(file)
    assert (len(vectors), vectors.width) == (347, 300)
    assert weat_from_vectors(vectors, "C6").effect_size == pytest.approx(1.894, abs=0.006)


def test_a_word_without_a_vector_is_missing() -> None:
    """As in any mapping."""
    vectors = load_word_vectors({"he": [1.0], "she": [2.0]})
    assert "we" not in vectors
    assert 5 not in vectors
    with pytest.raises(KeyError):
        vectors["we"]
    words = WeatTest("t", ("he", "she"), ("he", "she"), ("he", "we"), ("he", "she"))
    with pytest.raises(InputError, match="fewer than two words of set A"):
        weat_from_vectors(vectors, words)
