"""Words for people that are read alike in all of a row."""

import pytest

from fair_datasets import CounterfactualSwap


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("You guys saw these guys.", "You guys saw these guys."),
        ("I saw these guys.", "I saw these gals."),
        ("Thanks again guys!", "Thanks again guys!"),
        ("Dude, that dude left.", "Dude, that dude left."),
        ("That chick is hot. A chick laughed.", "That dude is hot. A dude laughed."),
        ("bro, my sis lost her keys", "sis, my bro lost his keys"),
        ("Thanks bro, she left.", "Thanks bro, he left."),
    ],
)
def test_a_word_is_read_alike_in_a_row(text: str, after: str) -> None:
    """Guys who are addressed keep all guys of the row, and one chick who is a person tells all."""
    swap = CounterfactualSwap(columns="text", mode="replace")
    assert swap({"text": [text]})["text"] == [after]
