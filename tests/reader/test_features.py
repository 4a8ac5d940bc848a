"""What the student sees of a word."""

import numpy as np
import pytest

from fair_datasets.matching.words import Words
from fair_datasets.reader.features import COUNT, SIZE, is_listed_first_name, keys, rows


def all_keys(text: str) -> list[int]:
    """Return the numbers that tell the words of a text apart."""
    words = Words([text])
    found: list[int] = keys(words, np.arange(words.first[-1])).tolist()
    return found


@pytest.mark.parametrize(
    ("one", "other"),
    [("we saw Mary", "we saw mary"), ("we saw Mary", "we saw, Mary"), ("a b", "a\nb"),
     ("we saw Mary", "we saw MARY"), ("we saw Łukasz", "we saw Łukasza")],
)  # fmt: skip
def test_words_differ_by_letters_case_and_the_sign_before(one: str, other: str) -> None:
    """Each of the three is seen."""
    assert all_keys(one)[-2] != all_keys(other)[-2]


def test_a_word_is_seen_by_itself_wherever_it_stands() -> None:
    """What is beside it does not matter, nor which texts are read with it."""
    words = Words(["a dog, Mary", "We know Mary and Mary."])
    places = np.array([words.first[1] + 2, words.first[1] + 4])
    found = keys(words, places)
    assert found[0] == found[1] == all_keys("I met Mary.")[2]
    assert (rows(words, places)[0] == rows(words, places)[1]).all()


def test_rows_lie_in_the_table() -> None:
    """Those of words, of ends of texts, and of signs and letters of any alphabet."""
    words = Words(["Mary!", "", "Łódź — 東京 x 1999 👍 é", "\n\n(PhD)"])
    found = rows(words, np.arange(words.first[-1]))
    assert found.shape[1] == COUNT
    assert found.min() >= 0
    assert found.max() < SIZE


def test_first_names_of_the_list_are_known() -> None:
    """In any letter case; a place that is a name as well is one."""
    words = Words(["PAUL met mary in Austin, xyzzy"])
    found = is_listed_first_name(words, np.arange(6)).tolist()
    assert found == [True, False, True, False, True, False]
