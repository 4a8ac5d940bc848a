"""Tests of the words whose part is 0."""

import numpy as np
import pytest

from fair_datasets.lexicons.listed import listed_words
from fair_datasets.reader.matching.find import table_of
from fair_datasets.scores.bias.listing import Listing
from fair_datasets.scores.word_tokens import words_of

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
