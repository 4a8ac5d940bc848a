"""The dot of an abbreviated title."""

import pytest

from fair_datasets import CounterfactualSwap


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("Mr Ray left.", "Mrs Ray left."),
        ("Mr. Ray left.", "Mrs. Ray left."),
        ("Miss Ray left.", "Mr. Ray left."),
        ("Miss Ray met Mr Lee.", "Mr Ray met Mrs Lee."),
        ("Miss Ray met Dr. Lee.", "Mr. Ray met Dr. Lee."),
        ("Messrs. Poe and Lee left.", "Mesdames Poe and Lee left."),
        ("Charles, Earl Spencer, left.", "Lisa, Countess Spencer, left."),
        ("The 9th Earl Spencer left.", "The 9th Countess Spencer left."),
        ("Earl Hines played.", "Earl Hines played."),
        ("Lord Smith left.", "Lady Smith left."),
    ],
)
def test_a_title_has_the_dot_of_its_row(text: str, after: str) -> None:
    """An abbreviation takes the dot over, and gets one where the row's titles have it."""
    swap = CounterfactualSwap(columns="text", mode="replace")
    assert swap({"text": [text]})["text"] == [after]
