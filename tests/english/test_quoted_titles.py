"""Titles of works in quotes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fair_datasets import CounterfactualSwap, find_terms
from fair_datasets.english.quoted_titles import IN_QUOTED_TITLE
from tests.english.asking import every_word


@pytest.mark.parametrize(
    "text",
    [
        'He saw "Girl with a Pearl Earring" twice.',
        "He read “The Old Man and the Sea”.",
        'He sang "Son of a Preacher Man".',
        'He likes "She\'s the Man" best.',
        "He read ``The Old Man and the Sea''.",
        "He read ''The Old Man and the Sea''.",
        "He read «The Old Man and the Sea».",
        "He read „The Old Man and the Sea“.",
    ],
)
def test_a_title_stays(text: str) -> None:
    """The words of a title are left alone, those around it are not."""
    swap = CounterfactualSwap(columns="text", mode="replace")
    assert swap({"text": [text]})["text"] == [text.replace("He ", "She ")]
    assert sum("title of a work" in term.reason for term in find_terms(text)) >= 1


@pytest.mark.parametrize(
    "text",
    [
        '"The girl with the earring," he said.',
        '"Dear Miss Emma" she wrote.',
        '"Yes, the King," he said.',
        '"GIRL OF THE YEAR" he read.',
        '"Girl" with a "Pearl Earring"',
    ],
)
def test_speech_and_names_are_no_title(text: str) -> None:
    """What has no small word between capitals, or a comma, is no title."""
    assert not every_word(text).holds(IN_QUOTED_TITLE).any()


@given(st.lists(st.sampled_from(['"', "“", "”", "Girl", "of", "the", " ", "X", ",", "\n"])))
def test_any_text_is_judged(parts: list[str]) -> None:
    """The judgement never fails, wherever quotes stand, and a small word is never in a title."""
    found = every_word("".join(parts))
    held = found.holds(IN_QUOTED_TITLE)
    assert not (held & ~found.words.is_capital(found.places)).any()
