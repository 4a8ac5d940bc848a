"""Tests of the words of texts, of those that have the part 0, and of their cosines."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fair_datasets import DemographicDirection, load_word_vectors
from fair_datasets.lexicons.listed import listed_words
from fair_datasets.scores.bias.parts import words_at
from fair_datasets.scores.bias.words import (
    LowCoverageWarning,
    WordCosines,
    is_listed,
    word_spans,
    words_of,
)

DIRECTION = DemographicDirection([0.0, 1.0], axis="gender", poles=("man", "woman"))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", []),
        ("?! -- …", []),
        ("Zoë's café_no 5", ["Zoë's", "café", "no", "5"]),
        ("don’t 'quote' rock'n'roll", ["don’t", "quote", "rock'n'roll"]),
        ("mother-in-law\r\nПривет 🙂", ["mother", "in", "law", "Привет"]),
    ],
)
def test_words(text: str, words: list[str]) -> None:
    """Runs of letters and digits; an apostrophe inside belongs to them."""
    assert words_of([text]) == [words]


@given(st.text())
def test_spans_are_of_the_words(text: str) -> None:
    """In characters of the text."""
    assert [text[start:end] for start, end in word_spans(text)] == words_of([text])[0]


def test_the_list_of_gender() -> None:
    """Its lexicon and the first names, as written or in lower case; everyday words are not."""
    listed = listed_words("gender", True, ("beard",), ())
    for word in ("she", "SHE", "Her", "mother's", "Mother’s", "husbands", "Mary", "beard", "king"):
        assert is_listed(word, listed), word
    for word in ("pink", "nurse", "mary", "engineer", "the", "s"):
        assert not is_listed(word, listed), word
    assert not is_listed("Mary", listed_words("gender", False, (), ()))


def test_cosines_are_looked_up_in_order() -> None:
    """As written, in lower case, then without what follows the apostrophe."""
    vectors = load_word_vectors({"US": [1, 0], "us": [0, 1], "it's": [3, 4], "dog": [0, 2]})
    cosines = WordCosines(vectors, DIRECTION, frozenset())
    assert cosines.of(
        ["US", "Us", "us", "It’s", "dog's", "cat's", "dog"]
    ).tolist() == pytest.approx([0, 1, 1, 0.8, 1, np.nan, 1], nan_ok=True)


def test_the_offset_is_not_of_listed_words() -> None:
    """Their part is 0 in any case; a zero vector and a word without one have none."""
    vectors = load_word_vectors({"she": [0, 1], "dog": [0, 2], "the": [0, 0]})
    cosines = WordCosines(vectors, DIRECTION, frozenset({"she"}), 0.25)
    assert cosines.of(["she", "dog"]).tolist() == [0.0, 0.75]
    assert np.isnan(cosines.of(["the", "cat"])).all()


def test_vectors_of_another_language_are_told() -> None:
    """With the share of words that have a vector; a few words say nothing."""
    vectors = load_word_vectors({"she": [0, 1], "dog": [0, 2]})
    cosines = WordCosines(vectors, DIRECTION, frozenset())
    texts = [["dog", "perro", "gato", "casa"]] * 50
    with pytest.warns(LowCoverageWarning, match="has a vector for 25% of the words of a batch"):
        cosines.of_texts(texts, owner="BiasScore")
    assert len(cosines.of_texts(texts[:49], owner="BiasScore")) == 196


def test_tokens_are_mapped_to_words_by_where_they_stand() -> None:
    """A piece that begins with the space before it, too; punctuation is in no word."""
    # "I'm she, ok": the words I'm, she and ok.
    words = np.array([[0, 3], [4, 7], [9, 11]])
    tokens = np.array([[0, 1], [1, 2], [2, 3], [3, 6], [6, 7], [7, 8], [8, 11], [11, 11]])
    assert words_at(tokens, words).tolist() == [0, 0, 0, 1, 1, -1, 2, -1]
    assert words_at(tokens, np.zeros((0, 2), int)).tolist() == [-1] * 8
