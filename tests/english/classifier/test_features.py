"""What stands around words, as the keys of features."""

import numpy as np

from fair_datasets.english.classifier.decide import Classifier
from fair_datasets.matching.conditions import Candidates
from fair_datasets.matching.words import Words


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
