"""Tests of the cosines of words."""

import numpy as np
import pytest

from fair_datasets.lexicons.shipped import listed_words
from fair_datasets.models import DemographicDirection, load_word_vectors
from fair_datasets.reader.matching.find import table_of
from fair_datasets.scores.bias.parts import words_at
from fair_datasets.scores.bias.words import Listing, LowCoverageWarning, WordCosines
from fair_datasets.scores.word_tokens import words_of

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


def test_vectors_of_another_language_are_told() -> None:
    """With the share of words that have a vector; a few words say nothing."""
    vectors = load_word_vectors({"she": [0, 1], "dog": [0, 2]})
    cosines = WordCosines(vectors, DIRECTION, Listing(frozenset()))
    _, found = cosines.of_texts(["dog perro gato casa"] * 50)
    with pytest.warns(LowCoverageWarning, match="has a vector for 25% of the words of a batch"):
        cosines.warn_of_few(found, owner="BiasScore")
    cosines.warn_of_few(found[4:], owner="BiasScore")


def test_tokens_are_mapped_to_words_by_where_they_stand() -> None:
    """A piece that begins with the space before it, too; punctuation is in no word."""
    # "I'm she, ok": the words I'm, she and ok.
    words = np.array([[0, 3], [4, 7], [9, 11]])
    tokens = np.array([[0, 1], [1, 2], [2, 3], [3, 6], [6, 7], [7, 8], [8, 11], [11, 11]])
    assert words_at(tokens, words).tolist() == [0, 0, 0, 1, 1, -1, 2, -1]
    assert words_at(tokens, np.zeros((0, 2), int)).tolist() == [-1] * 8


GENDER = Listing(
    listed_words("gender", False, ("beard",), ()), table_of("gender", names=True, owner="test")
)


def test_common_words_are_looked_up() -> None:
    """As they are written, or in lower case; names and everyday words are not among them."""
    for word in ("she", "SHE", "Her", "mother", "Mother", "husbands", "beard", "king"):
        assert GENDER.holds(word), word
    for word in ("pink", "nurse", "Mary", "engineer", "the", "s"):
        assert not GENDER.holds(word), word


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Don’t go, Don! I won't.", ""),
        ("Don went home.", "Don"),
        ("Will he mark it in May?", ""),
        ("I told Mark's sister that Will ran.", "Mark Will"),
        ("May I go to China with José?", "José"),
        ("mary saw Mary", "Mary"),
        ("Ashley said that he ran.", "Ashley"),
        ("His mother-in-law dug a man-made lake.", "mother-in-law"),
    ],
)
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
