"""Tests of the published word sets, and of the published figures on published vectors."""

import gzip
import json
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from fair_datasets.measures.weat_words import (
    WeatTest,
    load_seat_sentences,
    seat_sentences,
    weat_from_vectors,
    weat_test,
    weat_tests,
)
from fair_datasets.system.checks import InputError

# Sizes of X, Y, A and B as the papers give them.
SIZES = {
    "C1": (25, 25, 25, 25), "C2": (25, 25, 25, 25), "C3": (32, 32, 25, 25), "C3b": (15, 15, 25, 25),
    "C4": (16, 16, 25, 25), "C5": (16, 16, 8, 8), "C5b": (15, 15, 8, 8), "C6": (8, 8, 8, 8),
    "C6b": (8, 8, 8, 8), "C7": (8, 8, 8, 8), "C7b": (8, 8, 8, 8), "C8": (8, 8, 8, 8),
    "C8b": (8, 8, 8, 8), "C9": (6, 6, 7, 7), "C10": (8, 8, 8, 8),
}  # fmt: skip


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


@pytest.mark.parametrize("name", weat_tests())
def test_every_word_stands_in_six_sentences(name: str) -> None:
    """So that each weighs the same, and no sentence is written twice in a set."""
    sentences = seat_sentences(name)
    test = weat_test(name)
    sizes = {"X": test.X, "Y": test.Y, "A": test.A, "B": test.B}
    assert Counter(sentences["sets"]) == {letter: 6 * len(words) for letter, words in sizes.items()}
    assert len(set(zip(*sentences.values(), strict=True))) == len(sentences["texts"])
    assert not any("{" in text or "  " in text for text in sentences["texts"])


@pytest.mark.parametrize(("name", "sentence"), [
    ("C1", "This is an aster."),
    ("C1", "This is a clover."),
    ("C1", "This is gentle."),
    ("C3b", "Here is a European American."),
    ("C3b", "Here is an Irish American."),
    ("C6", "Amy is here."),
    ("C6", "These are parents."),
    ("C7", "It is algebra."),
    ("C8", "Einstein is there."),
])  # fmt: skip
def test_sentences_suit_the_kind_of_word(name: str, sentence: str) -> None:
    """Names and mass nouns go without an article, plurals with a plural verb."""
    assert sentence in seat_sentences(name)["texts"]


def test_words_that_are_left_out_have_no_sentence() -> None:
    """All other sentences stay, in their order."""
    whole, part = seat_sentences("C6"), seat_sentences("C6", without=["John", "home"])
    kept = [
        (text, letter)
        for text, letter in zip(*whole.values(), strict=True)
        if "John" not in text and "home" not in text
    ]
    assert list(zip(*part.values(), strict=True)) == kept
    assert len(part["texts"]) == len(whole["texts"]) - 12


def test_sentences_of_an_unknown_test_are_told() -> None:
    """The sentence lists what exists."""
    with pytest.raises(InputError, match="name must be one of 'C1'"):
        seat_sentences("C11")


def test_a_file_of_the_user_is_read(tmp_path: Path) -> None:
    """Targets are X and Y, attributes A and B."""
    content = {
        key: {"category": key, "examples": [f"This is {key}.", f"That is {key}."]}
        for key in ("attr1", "targ1", "attr2", "targ2")
    }
    path = tmp_path / "test.jsonl"
    path.write_text(json.dumps(content))
    found = load_seat_sentences(path)
    assert found["sets"] == ["X", "X", "Y", "Y", "A", "A", "B", "B"]
    assert found["texts"][2] == "This is targ2."


@pytest.mark.parametrize(
    "content", [[], {"targ1": ["a"]}, {"targ1": {"examples": []}}, {"targ1": {"examples": [3]}}]
)
def test_a_file_of_another_form_is_told(tmp_path: Path, content: Any) -> None:
    """The sentence names the first place that is missing."""
    path = tmp_path / "test.jsonl"
    path.write_text(json.dumps(content))
    with pytest.raises(InputError, match=r"'test\.jsonl' has no list of sentences at 'targ1'"):
        load_seat_sentences(path)
    path.write_text("no json")
    with pytest.raises(InputError, match=r"'test\.jsonl' is not JSON"):
        load_seat_sentences(path)
