"""What stands between words, by number."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from fair_datasets.matching.signs import Signs
from fair_datasets.matching.words import Words


@given(st.lists(st.text()))
def test_a_sign_has_one_number(texts: list[str]) -> None:
    """The number gives the sign back, and equal signs have equal numbers."""
    signs = Signs()
    numbers = [signs.number(text) for text in texts]
    assert [signs.text(number) for number in numbers] == texts
    assert len(set(numbers)) == len(set(texts))


def test_a_kind_is_told_of_signs_that_came_later() -> None:
    """An answer is kept, and grows with the signs."""
    signs = Signs()
    assert signs.those(str.isspace).tolist() == [False, True]
    number = signs.number("\n")
    other = signs.number("--")
    assert signs.those(str.isspace)[[number, other]].tolist() == [True, False]


def test_control_characters_are_signs_of_their_own() -> None:
    """One of them ends a line, whichever was read first."""
    words = Words(["a\x80b", "a\x85b", "a\x83b", "a \x9fb", "a \x85b", "Ł\x85Ł"])
    signs = [words.signs.text(words.sign[place]) for place in (words.first[:-1] + 1).tolist()]
    assert signs == ["\x80", "\x85", "\x83", " \x9f", " \x85", "\x85"]


def test_a_long_sign_that_comes_first_is_not_taken_for_none() -> None:
    """Whatever sign is met first, words with nothing between have none."""
    signs, text = Signs(), "--- he"
    written = np.frombuffer(text.encode(), np.uint8)
    begins, ends = np.array([0, 6]), np.array([4, 6])
    assert list(map(signs.text, signs.numbers(text, written, begins, ends, []))) == ["--- ", ""]


def test_every_short_sign_has_a_place_of_its_own() -> None:
    """Of no, one or two bytes, from the lowest to the highest."""
    wanted = ["", "\x00", "\xff", "\x00\x00", "\x00\xff", "\xff\x00", "\xff\xff", "\x83", "a\x83"]
    text, ends = "".join(wanted), np.cumsum(list(map(len, wanted)))
    written = np.frombuffer(text.encode("latin-1"), np.uint8)
    signs = Signs()
    numbers = signs.numbers(text, written, ends - list(map(len, wanted)), ends, [])
    assert list(map(signs.text, numbers)) == wanted
