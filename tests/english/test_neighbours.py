"""The words beside a word."""

import pytest
from fair_datasets.matching.determiners import has_determiner, next_word, word_before

from fair_datasets.matching.tokens import tokenize


@pytest.mark.parametrize(
    ("text", "found"),
    [("the king", True), ("a very old king", False), ("a tall old king", True), ("as king", False),
     ("Mary's king", True), ("the, king", False), ("the end of king", False), ("king", False)],
)  # fmt: skip
def test_a_determiner_is_found_before_up_to_two_words(text: str, found: bool) -> None:
    """Punctuation and function words end the noun phrase."""
    tokens = tokenize(text)
    assert has_determiner(tokens, tokens.lower.index("king")) is found


def test_neighbours_stand_behind_white_space() -> None:
    """The next word may also stand behind an apostrophe."""
    tokens = tokenize("the king's son, a boy")
    assert word_before(tokens, 1) == "the"
    assert word_before(tokens, 0) == word_before(tokens, 4) == ""
    assert next_word(tokens, 1) == "s"
    assert next_word(tokens, 3) == next_word(tokens, 5) == ""
