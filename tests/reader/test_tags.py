"""What a reader says of words, in columns."""

import numpy as np
import pytest

from fair_datasets.reader.tags import CASES, NAMES, SENSES, TAGS, Tagged


def test_every_tag_is_that_of_a_name_or_a_case_or_is_a_sense() -> None:
    """And none is two of them."""
    groups = (NAMES, CASES, SENSES)
    assert sum(groups) == (1 << len(TAGS)) - 1
    assert sum(group.bit_count() for group in groups) == len(TAGS)


def test_it_says_what_a_word_is_and_what_it_is_else() -> None:
    """With the probabilities of both."""
    shares = np.zeros((2, len(TAGS)))
    shares[0, [1, 3]] = 0.75, 0.25
    shares[1, [8, 12, 10]] = 1.0, 0.75, 0.25
    found = Tagged(np.array([4, 9]), shares.argmax(axis=1).astype(np.int8), shares)
    assert found.describe(0) == "given name .75, place .25"
    assert found.describe(1).startswith("determiner 1.00, ")
    assert found.describe(1, of_sense=True) == "title .75, people .25"
    with pytest.warns(FutureWarning, match="Tagged: rename told to describe"):
        assert found.told(1, of_sense=True) == found.describe(1, of_sense=True)
