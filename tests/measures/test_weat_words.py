"""Tests of the published word sets, and of the published figures on published vectors."""

import gzip
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from fair_datasets.measures.weat_words import (
    WeatTest,
    weat_from_vectors,
    weat_test,
    weat_tests,
)
from fair_datasets.system.checks import InputError

# Sizes of X, Y, A and B as the papers give them.
SIZES = {
    "C1": (25, 25, 25, 25),
    "C2": (25, 25, 25, 25),
    "C3": (32, 32, 25, 25),
    "C3b": (15, 15, 25, 25),
    "C4": (16, 16, 25, 25),
    "C5": (16, 16, 8, 8),
    "C5b": (15, 15, 8, 8),
    "C6": (8, 8, 8, 8),
    "C6b": (8, 8, 8, 8),
    "C7": (8, 8, 8, 8),
    "C7b": (8, 8, 8, 8),
    "C8": (8, 8, 8, 8),
    "C8b": (8, 8, 8, 8),
    "C9": (6, 6, 7, 7),
    "C10": (8, 8, 8, 8),
}


@pytest.fixture(scope="module")
def word2vec(data_directory: Path) -> dict[str, NDArray[np.float64]]:
    """Read the vectors of the words of the tests."""
    path = data_directory / "vectors" / "word2vec_googlenews_weat_347.txt.gz"
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        next(lines)
        rows = [line.rstrip().split(" ") for line in lines]
    return {row[0]: np.array(row[1:], dtype=np.float64) for row in rows}


def test_the_sets_have_their_published_sizes() -> None:
    """Fifteen tests, without a word twice in a set or in both sets of a pair."""
    assert list(weat_tests()) == list(SIZES)
    for name, sizes in SIZES.items():
        test = weat_test(name)
        sets = (test.X, test.Y, test.A, test.B)
        assert tuple(map(len, sets)) == sizes
        assert all(len(set(words)) == len(words) for words in sets)
        assert not set(test.X) & set(test.Y)
        assert not set(test.A) & set(test.B)


# Caliskan et al. (2017), table 2, for word2vec vectors of Google News.
@pytest.mark.parametrize(
    ("name", "published"), [("C1", 1.54), ("C2", 1.63), ("C6", 1.89), ("C7", 0.97), ("C8", 1.24)]
)
def test_published_effect_sizes(
    word2vec: dict[str, NDArray[np.float64]], name: str, published: float
) -> None:
    """The effect sizes of the paper, to the last digit that it prints."""
    assert weat_from_vectors(word2vec, name).effect_size == pytest.approx(published, abs=0.005)


def test_words_without_a_vector_are_reported(word2vec: dict[str, NDArray[np.float64]]) -> None:
    """One weapon has no vector in the subset; upper and lower case are kept apart."""
    result = weat_from_vectors(word2vec, "C2")
    assert result.missing == {"Y": ["axe"]}
    assert result.sizes == {"X": 25, "Y": 24, "A": 25, "B": 25}
    assert weat_from_vectors(word2vec, "C1").missing == {}


def test_too_few_words_are_refused() -> None:
    """The sentence names the set and a word."""
    vectors = {word: [1.0, len(word)] for word in weat_test("C6").words() if word != "Amy"}
    assert weat_from_vectors(vectors, "C6", n_samples=10).missing == {"Y": ["Amy"]}
    only = {word: vectors[word] for word in ("John", "Paul", "Joan")}
    with pytest.raises(InputError, match=r"two words of set Y of test 'C6' .*; 'Amy' has none"):
        weat_from_vectors(only, "C6")
    own = WeatTest("own", ("a",), ("b", "c"), ("d", "e"), ("f", "g"))
    with pytest.raises(InputError, match=r"two words of set X of test 'own' have a vector\."):
        weat_from_vectors({word: [1.0] for word in own.words()}, own)


def test_a_word_counts_once_in_its_set() -> None:
    """A word that is listed twice weighs no more than others."""
    words = {"ab": [1, 0.2], "cd": [0.9, 0.5], "ef": [0.1, 1], "gh": [0.3, 1]}
    once = WeatTest("once", ("ab", "cd"), ("ef", "gh"), ("ab", "cd"), ("ef", "gh"))
    twice = WeatTest("twice", ("ab", "cd", "ab"), ("ef", "gh"), ("ab", "cd"), ("ef", "gh", "gh"))
    assert weat_from_vectors(words, once) == weat_from_vectors(words, twice)


def test_an_unknown_test_is_told() -> None:
    """The nearest name is offered."""
    with pytest.raises(InputError, match="'C6b'"):
        weat_test("c6b")
