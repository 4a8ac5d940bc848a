"""What stands around words, as the keys of features."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fair_datasets.reader.english.classifier.decide import Classifier
from fair_datasets.reader.english.classifier.features import (
    END,
    Kinds,
    Listed,
    Sides,
    sign_of,
    value_of,
)
from fair_datasets.reader.matching.conditions import Candidates
from fair_datasets.reader.matching.words import Words


def test_the_word_itself_is_masked() -> None:
    """Other pronouns in the same place, of either gender, look the same."""
    features = Classifier({}, {}).features

    def keys(question: str, text: str, index: int) -> list[list[int]]:
        found = Candidates(Words([text]), np.array([index]))
        keys: list[list[int]] = features.keys(question, found).tolist()
        return keys

    of_woman = keys("her", "She said Her name herself", 2)
    assert of_woman == keys("her", "He said his name himself", 2)
    host = keys("verb", "they host here", 1)
    assert host == keys("verb", "they walk here", 1)
    assert host != keys("verb", "they hosts here", 1)


def test_a_control_character_is_read_alike_beside_letters_beyond_latin() -> None:
    """A line end of old (x85) is a space, and is not taken for another control character."""
    before, plain, beside = (
        "She saw her\x83coat.",
        "She saw her\x85coat.",
        "Ł. She saw her\x85coat.",
    )
    features = Classifier({}, {}).features
    keys = []
    for text, index in (("Ł. " + before, 3), (plain, 2), (beside, 3)):
        found = Candidates(Words([text]), np.array([index]))
        keys.append(features.keys("verb", found).ravel().tolist())
    assert keys[0] != keys[1] == keys[2]


@pytest.mark.parametrize(("gap", "sign"), [
    (" ", ""),
    ("'", ""),
    ("* ", ""),
    (". ", END),
    ("?! ", END),
    ("... ", "…"),
    (" - ", "--"),
    ("-", "-"),
    (', "', ","),
    ("\n", "|"),
    ("\n\n", END),
    (" @", "#"),
])  # fmt: skip
def test_a_gap_is_one_sign(gap: str, sign: str) -> None:
    """The end of a sentence counts more than a comma, and emphasis for nothing."""
    assert sign_of(gap) == sign


@given(st.text(alphabet=" *_~", min_size=1))
def test_space_and_emphasis_are_no_sign(gap: str) -> None:
    """Words that are set in bold are not divided."""
    assert sign_of(gap) == ""


def test_as_many_words_are_read_as_are_asked_for() -> None:
    """On each side, also behind the end of a text."""
    found = Candidates(Words(["She saw her old coat there", "Her"]), np.array([2, 7]))
    left, right = Sides(lambda word: "").read(found, 2, 3)
    assert (left.value.shape, right.value.shape) == ((2, 2), (3, 2))


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
    monkeypatch.setattr("fair_datasets.reader.matching.vocabulary.MOST", 2)
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
