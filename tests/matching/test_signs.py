"""What stands between words, by number."""

from hypothesis import given
from hypothesis import strategies as st

from fair_datasets.matching.signs import Signs


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
