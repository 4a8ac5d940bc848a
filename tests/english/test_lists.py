"""Lists of words beside a word."""

import pytest
from fair_datasets.matching.neighbours import LISTS, neighbours


def test_a_list_is_the_same_by_call_and_by_attribute() -> None:
    """Both ways give one list."""
    assert LISTS.determiners == neighbours("determiners") != frozenset()


def test_an_unknown_list_is_no_attribute() -> None:
    """A list that no file holds is missed at once."""
    with pytest.raises(AttributeError, match="no_such_list"):
        _ = LISTS.no_such_list
