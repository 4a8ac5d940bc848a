"""Texts in other languages, whose words are spelt like English ones: "mi son", "der man", "en men"."""

import numpy as np
from numpy.typing import NDArray

from fair_datasets.english.lists import words
from fair_datasets.english.word_kinds import is_function_word
from fair_datasets.matching.vocabulary import vocabulary
from fair_datasets.matching.words import Mask, Words

# An English text may name three people with a particle, but it has more words of its own.
_LEAST = 3
vocabulary().expect(lambda: words("foreign_words"))


def is_foreign(several: Words) -> Mask:
    """Tell which texts are in another language, by their small words.

    Args:
        several: The words of the texts.

    Returns:
        Whether at least three small words of other languages stand in it, and fewer of English.
        Shape (T,).

    Example:
        >>> texts = ["A quem interessar, estou com o meu son", "Juan de la Cruz left with his son"]
        >>> is_foreign(Words(texts)).tolist()
        [True, False]
    """
    foreign = vocabulary().listed("foreign words", lambda: words("foreign_words"))
    own = vocabulary().those("function words", is_function_word)
    count = len(several.texts)
    other = _count(several, foreign, count)
    asked: Mask = other >= _LEAST
    if asked.any():
        asked &= other > _count(several, own & ~foreign, count)
    return asked


def _count(several: Words, those: Mask, count: int) -> NDArray[np.int64]:
    """Return how many words of a kind each text has. Shape (T,)."""
    found: NDArray[np.int64] = np.bincount(several.owner[those[several.number]], minlength=count)
    return found
