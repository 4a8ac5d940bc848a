"""Verbs that are joined to a verb and share its subject."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fair_datasets import CounterfactualSwap
from fair_datasets.reader.english.joined_verbs import joined_verbs, verbs_of
from fair_datasets.reader.matching.tokenizer import tokenize

SWAP = CounterfactualSwap(columns="text", target="non-binary", names=False, mode="replace")


# How many words may stand in a gap so that a verb behind it is found.
GAPS = [
    ("She{} is right.", " really", "are right", 11),
    ("She, despite{} rain, is right.", " old", "are right", 9),
    ("She who has{} bread is lucky.", " brown", "are lucky", 9),
    ("She bakes{} bread and brews beer.", " brown", "brew beer", 17),
]


@pytest.mark.parametrize(("text", "word", "after", "most"), GAPS)
def test_verbs_are_found_near_their_subject(text: str, word: str, after: str, most: int) -> None:
    """Farther away they stay as they are, as nobody can tell whose they are."""
    texts = [text.format(word * count) for count in (most, most + 1)]
    assert [after in found for found in SWAP({"text": texts})["text"]] == [True, False]


WORDS = ["swims", "bikes", ",", "and", "&", "/", "up", "beer", "of", "is", "was", "the", "seeing"]


@given(st.lists(st.sampled_from(WORDS)))
def test_joined_verbs_are_words_in_order(words: list[str]) -> None:
    """Whatever the text, they are different words behind the verb, in the order of the text."""
    tokens = tokenize(" ".join(["sings", *words]))
    found = list(joined_verbs(tokens, 0, False))
    assert found == sorted(set(found))
    assert all(0 < position < len(tokens.lower) for position in found)


@given(st.text(alphabet="heshe and is's,.(-\n", max_size=40), st.data())
def test_verbs_are_words_in_order(text: str, data: st.DataObject) -> None:
    """Whatever the text, the verbs are different words in the order of the text."""
    tokens = tokenize(text)
    if tokens.words:
        index = data.draw(st.integers(0, len(tokens.words) - 1))
        found = verbs_of(tokens, index)
        assert found == sorted(set(found))
        assert all(0 <= position < len(tokens.words) for position in found)
        assert index not in found
