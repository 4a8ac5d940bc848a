"""What a reader says of words, in columns."""

import numpy as np

from fair_datasets.reader.tags import CASES, NAMES, TAGS, Tagged


def test_every_tag_is_that_of_a_name_or_a_case() -> None:
    """And none is both."""
    assert NAMES & CASES == 0
    assert (NAMES | CASES).bit_count() == len(TAGS)


def test_it_says_what_a_word_is_and_what_it_is_else() -> None:
    """With the probabilities of both."""
    shares = np.zeros((2, len(TAGS)))
    shares[0, [1, 3]] = 0.75, 0.25
    shares[1, 8] = 1.0
    found = Tagged(np.array([4, 9]), shares.argmax(axis=1).astype(np.int8), shares)
    assert found.told(0) == "given name .75, place .25"
    assert found.told(1).startswith("determiner 1.00, ")
