"""Tests of word importance and of the bias score, by hand and against the published tables."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fair_datasets.lexicons.shipped import listed_words
from fair_datasets.models import DemographicDirection, load_word_vectors
from fair_datasets.models.word_vectors import words_of
from fair_datasets.reader.matching.find import find_table
from fair_datasets.scores.bias.parts import (
    Listing,
    WordCosines,
    bias_score,
    maxpool_importance,
    words_at,
)


@pytest.mark.parametrize(
    ("states", "mask", "expected"),
    [
        # Four dimensions: the first token has the maximum of three.
        ([[4.0, 3, 2, 0], [1, 1, 1, 5]], None, [0.75, 0.25]),
        # A tie goes to the first token.
        ([[1.0, 2], [1, 2], [1, 3]], None, [0.5, 0, 0.5]),
        # Zeros of the padding would win over negative states.
        ([[-1.0, -2], [-2, -1], [0, 0]], [1, 1, 0], [0.5, 0.5, 0]),
        ([[0.0, 0], [-2, -1], [-3, 4]], [0, 1, 1], [0, 0.5, 0.5]),
        ([[np.nan, np.inf], [-2, -1]], [False, True], [0, 1]),
        ([[5.0]], None, [1]),
    ],
)
def test_importance_by_hand(states: Any, mask: Any, expected: list[float]) -> None:
    """The share of the dimensions whose maximum is at the token, without the padding."""
    assert maxpool_importance(states, mask).tolist() == expected


@given(st.integers(0, 1000), st.integers(1, 9), st.integers(1, 40), st.integers(0, 5))
def test_importance_sums_to_one(seed: int, tokens: int, width: int, padding: int) -> None:
    """Padding changes nothing."""
    states = np.random.default_rng(seed).normal(size=(tokens + padding, width)).round(1)
    mask = np.arange(tokens + padding) < tokens
    found = maxpool_importance(states, mask)
    assert found.sum() == pytest.approx(1)
    assert found[tokens:].sum() == 0
    assert found[:tokens].tolist() == maxpool_importance(states[:tokens]).tolist()


# The word, its importance in percent, its cosine and its part, as printed; None where it is listed.
TABLE_2 = [("She", 12.13, None, 0.0), ("likes", 17.48, -0.05719, -0.01000),
    ("the", 8.35, -0.10195, -0.00851), ("new", 14.70, -0.00051, -0.00008),
    ("pink", 12.84, 0.25705, 0.03301), ("dress", 14.87, 0.28579, 0.04249)]  # fmt: skip
TABLE_12 = [("she", 11.33, None, 0.0), ("likes", 10.68, 0.37394, 0.03993),
    ("the", 8.33, 0.39881, 0.03323), ("new", 8.46, 0.37113, 0.03141),
    ("pink", 11.33, 0.35007, 0.03966), ("dress", 14.06, 0.37273, 0.05242)]  # fmt: skip


@pytest.mark.parametrize(("table", "positive", "negative"),
    [(TABLE_2, 0.07550, -0.01858), (TABLE_12, 0.19664, 0.0)],
    ids=["static", "contextual"])  # fmt: skip
def test_the_published_sentence(table: list[Any], positive: float, negative: float) -> None:
    """The sentence on a new pink dress: products and sums as printed, up to their rounding."""
    importance = [share / 100 for _, share, _, _ in table]
    cosines = [0.5 if cosine is None else cosine for _, _, cosine, _ in table]
    vectors = [[cosine, np.sqrt(1 - cosine**2)] for cosine in cosines]
    listed = [cosine is None for _, _, cosine, _ in table]
    found = bias_score(importance, vectors, [2.0, 0.0], listed)
    # The importance is printed to two decimals of a percent, the sums are of unrounded parts.
    assert found.parts == pytest.approx([part for *_, part in table], abs=3e-5)
    assert found.positive == pytest.approx(positive, abs=3e-5)
    assert found.negative == pytest.approx(negative, abs=3e-5)
    assert found.absolute == pytest.approx(positive - negative, abs=6e-5)


def test_sentences_without_a_part() -> None:
    """An empty one, one of listed words, and one whose only vector is zero."""
    for importance, vectors, listed in (
        ([], [], None),
        ([0.5, 0.5], [[1.0, 0], [0, 1]], [True, True]),
        ([1.0], [[0.0, 0.0]], None),
    ):
        found = bias_score(importance, vectors, [0.0, 1.0], listed)
        assert (found.positive, found.negative, found.absolute) == (0.0, 0.0, 0.0)
        assert str(found.negative) == "0.0"


def test_one_word() -> None:
    """It has all the importance."""
    assert bias_score([1.0], [[3.0, 4.0]], [0.0, -1.0]) == (0.0, -0.8, [-0.8])


DIRECTION = DemographicDirection([0.0, 1.0], axis="gender", poles=("man", "woman"))


def test_cosines_are_looked_up_in_order() -> None:
    """As written, then in lower case; a contraction goes by its own words, and by no other."""
    vectors = load_word_vectors({"US": [1, 0], "us": [0, 1], "n't": [3, 4], "won": [0, 2]})
    cosines = WordCosines(vectors, DIRECTION, Listing(frozenset()))
    counts, found = cosines.of_texts(["US Us us", "I won’t!", "won"])
    assert counts.tolist() == [3, 3, 1]
    assert found.tolist() == pytest.approx([0, 1, 1, np.nan, np.nan, 0.8, 1], nan_ok=True)


def test_the_offset_is_not_of_listed_words() -> None:
    """Their part is 0 in any case; a zero vector and a word without one have none."""
    vectors = load_word_vectors({"she": [0, 1], "dog": [0, 2], "the": [0, 0]})
    cosines = WordCosines(vectors, DIRECTION, Listing(frozenset({"she"})), 0.25)
    _, found = cosines.of_texts(["She dog", "the cat"])
    assert found.tolist() == pytest.approx([0, 0.75, np.nan, np.nan], nan_ok=True)


def test_tokens_are_mapped_to_words_by_where_they_stand() -> None:
    """A piece that begins with the space before it, too; punctuation is in no word."""
    # "I'm she, ok": the words I'm, she and ok.
    words = np.array([[0, 3], [4, 7], [9, 11]])
    tokens = np.array([[0, 1], [1, 2], [2, 3], [3, 6], [6, 7], [7, 8], [8, 11], [11, 11]])
    assert words_at(tokens, words).tolist() == [0, 0, 0, 1, 1, -1, 2, -1]
    assert words_at(tokens, np.zeros((0, 2), int)).tolist() == [-1] * 8


GENDER = Listing(listed_words("gender", False, ("beard",), ()), find_table("gender", names=True))


def test_common_words_are_looked_up() -> None:
    """As they are written, or in lower case; names and everyday words are not among them."""
    for word in ("she", "SHE", "Her", "mother", "Mother", "husbands", "beard", "king"):
        assert GENDER.holds(word), word
    for word in ("pink", "nurse", "Mary", "engineer", "the", "s"):
        assert not GENDER.holds(word), word


@pytest.mark.parametrize(("text", "names"), [("Don’t go, Don! I won't.", ""),
    ("Don went home.", "Don"), ("Will he mark it in May?", ""),
    ("I told Mark's sister that Will ran.", "Mark Will"), ("May I go to China with José?", "José"),
    ("mary saw Mary", "Mary"), ("Ashley said that he ran.", "Ashley"),
    ("His mother-in-law dug a man-made lake.", "mother-in-law")])  # fmt: skip
def test_names_and_parts_of_words_are_read(text: str, names: str) -> None:
    """By what stands beside them; also those of a person of the other gender."""
    found = dict(GENDER.read(["", text, "It rained."]))
    words = words_of([text])[0]
    is_read = found.get(1, np.zeros(len(words), bool))
    read = [word for word, held in zip(words, is_read, strict=True) if held]
    assert [word for word in read if not GENDER.holds(word)] == names.split()
    assert set(found) <= {1}


def test_a_name_behind_the_first_part_of_a_long_text() -> None:
    """Stands where its word is."""
    text = "It rained here all day. " * 60_000 + "Mary left."
    ((number, is_read),) = GENDER.read([text])
    assert (number, np.flatnonzero(is_read).tolist()) == (0, [300_000])
