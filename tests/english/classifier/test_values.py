"""What words and signs are known by, as numbers."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fair_datasets.english.classifier.decide import Classifier
from fair_datasets.english.classifier.values import Kinds, Listed, value_of
from fair_datasets.matching.conditions import Candidates
from fair_datasets.matching.words import Words

words = st.text(alphabet="abcé", min_size=1, max_size=8)


@given(st.dictionaries(words, st.sampled_from("gfn")), st.lists(words, max_size=8))
def test_listed_words_have_the_values_of_their_letters(
    letters: dict[str, str], others: list[str]
) -> None:
    """And other words, with letters beyond Latin-1 as well, have none."""
    asked = [*letters, *others, "ł"]
    found = Listed(letters).of(Words([" ".join(asked)]), np.arange(len(asked)))
    expected = [value_of(letters[word]) if word in letters else 0 for word in asked]
    assert found.tolist() == expected


def test_kinds_of_unknown_words_are_right_when_they_are_forgotten(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Only so many words are kept, and each is asked for again after that."""
    monkeypatch.setattr("fair_datasets.matching.vocabulary.MOST", 2)
    asked: list[str] = []

    def kind(word: str) -> str:
        asked.append(word)
        return word[-1:]

    kinds = Kinds(kind)
    text = "xqa xqb xqa xqc xqd xqe xqa łqz"
    for _ in range(2):
        found = kinds.of(Words([text]), np.arange(8))
        assert found.tolist() == [value_of(letter) for letter in "abacdeaz"]
    assert asked.count("xqb") == 2


def test_a_long_word_has_its_own_class() -> None:
    """Two words whose hashes are the same, of which one has a vowel."""
    features = Classifier({"-": "U", "-b": "N"}, {}).features
    with_vowel, without = "She saw her bbbbbbbbabbbbbbbb", "She saw her bbbbbbbbbbbbbbbbb"
    keys = [
        features.keys("verb", Candidates(Words([text]), np.array([2]))).ravel()
        for text in (with_vowel, without, with_vowel)
    ]
    assert np.array_equal(keys[0], keys[2])
    assert not np.array_equal(keys[0], keys[1])
