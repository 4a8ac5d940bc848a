"""First names in texts that have no capital letters."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fair_datasets import CounterfactualSwap, find_terms
from fair_datasets.reader.matching.token_batch import TokenBatch

SWAP = CounterfactualSwap(columns="text", mode="replace")


def _swapped(*texts: str) -> list[str]:
    written: list[str] = SWAP({"text": list(texts)})["text"]
    return written


@pytest.mark.parametrize(
    "text", ["i will pay the bill in may.", "Anna paid, and mary left.", "@mary left", "a mary-go"]
)
def test_what_is_no_name_there_stays(text: str) -> None:
    """Words that are names as well, handles, and names in rows that have capitals."""
    assert all(term.text.lower() != "mary" or not term.attribute for term in find_terms(text))
    assert {term.attribute for term in find_terms(text) if term.text.islower()} <= {""}


def test_find_tells_the_rule() -> None:
    """By its name."""
    (term,) = find_terms("mary paid the bill.")
    assert (term.text, term.attribute, term.rule) == ("mary", "woman", "names.without_capitals")


@given(st.lists(st.sampled_from(["mary", "Mary", "john", "will", "her", "left", "É", "ß", "."])))
def test_a_text_is_small_if_no_word_of_it_is_capitalised(parts: list[str]) -> None:
    """Whatever stands beside it, and it is read as it is read alone."""
    text = " ".join(parts)
    words = TokenBatch(["Anna left.", text, "", "mary left"])
    assert words.is_small[:4].tolist() == [False, not any(map(_is_title, parts)), True, True]
    assert _swapped("Anna left.", text)[1] == _swapped(text)[0]


def _is_title(word: str) -> bool:
    return word[0].isupper()
