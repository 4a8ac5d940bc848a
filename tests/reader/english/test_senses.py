"""Telling a term from the verb or the thing that is spelt like it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fair_datasets.reader.english.senses import IN_QUOTED_TITLE
from tests.reader.english.asking import every_word


@pytest.mark.parametrize("text", [
    '"The girl with the earring," he said.',
    '"Dear Miss Emma" she wrote.',
    '"Yes, the King," he said.',
    "'I said that John Brown was here,' said Mary.",
    '"GIRL OF THE YEAR" he read.',
    '"for the Queen" he said.',
    '"Girl" with a "Pearl Earring"',
])  # fmt: skip
def test_speech_and_names_are_no_title(text: str) -> None:
    """What has no small word between several capitals, or a comma, is no title."""
    assert not every_word(text).holds(IN_QUOTED_TITLE).any()


@given(st.lists(st.sampled_from(['"', "“", "”", "Girl", "of", "the", " ", "X", ",", "\n"])))
def test_any_text_is_judged(parts: list[str]) -> None:
    """The judgement never fails, wherever quotes stand, and a small word is never in a title."""
    candidates = every_word("".join(parts))
    held = candidates.holds(IN_QUOTED_TITLE)
    assert not (held & ~candidates.words.is_capital(candidates.places)).any()


@pytest.mark.parametrize("opening", ["Her", "Big of"])
def test_a_title_has_eleven_words_at_most(opening: str) -> None:
    """What is longer in quotes is speech."""
    for count in (2, 11, 12):
        words = opening.split()
        title = [*words, *["Big"] * max(1, count - len(words))]
        found = every_word(f'He read "{" ".join(title)}" now').holds(IN_QUOTED_TITLE)
        is_large = [word[0].isupper() for word in title]
        assert found.tolist()[2:-1] == (is_large if count < 12 else [False] * len(title))
        assert not found[[0, 1, -1]].any()
