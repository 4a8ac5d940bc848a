"""The words of texts: where they are, which name an attribute, and their cosine."""

import re
import warnings
from collections.abc import Iterable, Sequence
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from fair_datasets.vectors.direction import DemographicDirection
from fair_datasets.vectors.word_vectors import WordVectors

Floats = NDArray[np.float64]

# Letters and digits; an apostrophe between them belongs to the word ("don't", "mother's").
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
# What is none of them in ASCII becomes a space, which is several times as fast as the pattern.
_SPACES = {code: " " for code in range(128) if not chr(code).isalnum()}
# From how many words on it is worth saying that few of them have a vector, and what few is.
_ENOUGH, _FEW = 200, 0.5
# How many words are kept with their cosine, so that texts of numbers do not fill the memory.
_KEPT = 1_000_000


class LowCoverageWarning(UserWarning):
    """Most words of the texts have no vector."""


def words_of(texts: Iterable[str]) -> list[list[str]]:
    """Return the words of each text; punctuation is none.

    Args:
        texts: The texts.

    Returns:
        Their words.

    Example:
        >>> words_of(["She doesn't, does she?", "..."])
        [['She', "doesn't", 'does', 'she'], []]
    """
    return [
        text.translate(_SPACES).split()
        if text.isascii() and "'" not in text
        else _WORD.findall(text)
        for text in texts
    ]


def word_spans(text: str) -> list[tuple[int, int]]:
    """Return where the words of a text begin and end, in characters."""
    return [match.span() for match in _WORD.finditer(text)]


def is_listed(word: str, listed: frozenset[str]) -> bool:
    """Tell whether a word, or what stands before its apostrophe, is on a list.

    Args:
        word: The word, which is looked for as it is written and in lower case.
        listed: The list.

    Returns:
        Whether it is.

    Example:
        >>> is_listed("Mother's", frozenset({"mother"})), is_listed("mary", frozenset({"Mary"}))
        (True, False)
    """
    stem = _stem(word)
    return not listed.isdisjoint({word, word.lower(), stem, stem.lower()})


class WordCosines:
    """The cosines of words with a direction, each of which is looked up once.

    Args:
        vectors: The word vectors.
        direction: The direction.
        listed: The words whose part is 0.
        offset: What is subtracted from each cosine.

    Example:
        >>> vectors = WordVectors.of(["pink", "she", "the"], [[3, 4], [0, 1], [0, 0]])
        >>> direction = DemographicDirection([0.0, 1.0], axis="gender", poles=("man", "woman"))
        >>> cosines = WordCosines(vectors, direction, frozenset({"she"}))
        >>> cosines.of(["Pink", "She", "she’s", "the", "zebra"]).tolist()
        [0.8, 0.0, 0.0, nan, nan]
    """

    def __init__(
        self,
        vectors: WordVectors,
        direction: DemographicDirection,
        listed: frozenset[str],
        offset: float = 0.0,
    ) -> None:
        """Note what the cosines are of."""
        direction.refuse_width(vectors.width, f"the word vectors {vectors.name!r}")
        self._vectors, self._direction = vectors, direction
        self._listed, self._offset = listed, offset
        self._known: dict[str, float] = {}

    def of(self, words: Sequence[str]) -> Floats:
        """Return the cosine of each word.

        Args:
            words: The words.

        Returns:
            The cosines: 0 for listed words, NaN for those without a vector. Shape (N,).
        """
        new = set(words).difference(self._known)
        if new:
            if len(self._known) > _KEPT:
                self._known.clear()
                new = set(words)
            self._learn(sorted(new))
        return np.fromiter(map(self._known.__getitem__, words), np.float64, len(words))

    def of_texts(self, words: Sequence[Sequence[str]], *, owner: str) -> Floats:
        """Return the cosine of each word of many texts, and warn where most have none.

        Args:
            words: The words of each text.
            owner: The class that scores, for the warning.

        Returns:
            The cosines as for `of`, one text behind the other. Shape (W,).
        """
        found = self.of(list(chain.from_iterable(words)))
        share = 1 - np.isnan(found).mean() if found.size else 1.0
        if found.size >= _ENOUGH and share < _FEW:
            warnings.warn(
                f"{owner}: {self._vectors.name!r} has a vector for {share:.0%} of the words of a "
                "batch, so that the scores are of the others alone; give vectors of the texts' "
                "language and kind.",
                LowCoverageWarning,
                stacklevel=2,
            )
        return found

    def _learn(self, words: Sequence[str]) -> None:
        """Look words up, all at once."""
        rows = self._vectors.find([word.replace("’", "'") for word in words])
        lacking = [place for place in np.flatnonzero(rows < 0).tolist() if _stem(words[place])]
        rows[lacking] = self._vectors.find([_stem(words[place]) for place in lacking])
        cosines = np.full(len(words), np.nan)
        is_known = rows >= 0
        vectors = self._vectors.matrix[rows[is_known]]
        cosines[is_known] = self._direction.cosines(vectors) - self._offset
        cosines[[is_listed(word, self._listed) for word in words]] = 0.0
        self._known.update(zip(words, cosines.tolist(), strict=True))


def _stem(word: str) -> str:
    """Return what stands before the last apostrophe: "mother" of "mother's"; else nothing."""
    return word.replace("’", "'").rpartition("'")[0]
