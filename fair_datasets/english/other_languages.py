"""Texts in other languages, whose words are spelt like English ones: "mi son", "der man"."""

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
        >>> texts = ["Son los que he visto con mi madre", "Juan de la Cruz left with his son"]
        >>> is_foreign(Words(texts)).tolist()
        [True, False]
    """
    foreign = vocabulary().listed("foreign words", lambda: words("foreign_words"))
    is_foreign_word = foreign[several.number]
    other = _count(several, is_foreign_word)
    held: Mask = other >= _LEAST
    if held.any():
        own = vocabulary().those(is_function_word, several.number) & ~is_foreign_word
        held &= other > _count(several, own)
    return held


def _count(several: Words, those: Mask) -> NDArray[np.int64]:
    """Return how many words of a kind each text has in lower case; Dan is a name. Shape (T,)."""
    places = np.flatnonzero(those)
    places = places[~several.is_capital(places)]
    found: NDArray[np.int64] = np.bincount(several.owner[places], minlength=len(several.texts))
    return found
