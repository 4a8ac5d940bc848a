"""The cosines of words with a demographic direction."""

from collections.abc import Sequence
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from fair_datasets.models.vectors.direction import DemographicDirection
from fair_datasets.models.vectors.word_vectors import WordVectors
from fair_datasets.scores.bias.listing import Listing
from fair_datasets.scores.word_tokens import words_of
from fair_datasets.system.checks import warn

Floats = NDArray[np.float64]

# From how many words on it is worth saying that few of them have a vector, and what few is.
_ENOUGH, _FEW = 200, 0.5
# How many words are kept with their cosine, so that texts of numbers do not fill the memory.
_KEPT = 1_000_000


class LowCoverageWarning(UserWarning):
    """Most words of the texts have no vector."""


class WordCosines:
    """The cosines of words with a direction, each of which is looked up once.

    Args:
        vectors: The word vectors.
        direction: The direction.
        listing: The words whose part is 0.
        offset: What is subtracted from each cosine.

    Example:
        >>> vectors = WordVectors.of(["pink", "she", "the"], [[3, 4], [0, 1], [0, 0]])
        >>> direction = DemographicDirection([0.0, 1.0], axis="gender", poles=("man", "woman"))
        >>> cosines = WordCosines(vectors, direction, Listing(frozenset({"she"})))
        >>> counts, found = cosines.of_texts(["She saw the pink zebra.", "Pink."])
        >>> counts.tolist(), found.tolist()
        ([5, 1], [0.0, nan, nan, 0.8, nan, 0.8])
    """

    def __init__(
        self,
        vectors: WordVectors,
        direction: DemographicDirection,
        listing: Listing,
        offset: float = 0.0,
    ) -> None:
        """Note what the cosines are of."""
        direction.refuse_width(vectors.width, f"the word vectors {vectors.name!r}")
        self._vectors, self._direction = vectors, direction
        self._listing, self._offset = listing, offset
        self._known: dict[str, float] = {}
        self._may_be_read: set[str] = set()

    def of_texts(self, texts: Sequence[str]) -> tuple[NDArray[np.int64], Floats]:
        """Return the cosine of each word of texts.

        Returns:
            How many words each text has, shape (N,); and the cosines of the words, one text behind
            the other: 0 for listed words, NaN for those without a vector, shape (W,).
        """
        words = words_of(texts)
        counts = np.fromiter(map(len, words), np.int64, len(words))
        found = self._of(list(chain.from_iterable(words)))
        ends = np.cumsum(counts)
        asked = [row for row, own in enumerate(words) if not self._may_be_read.isdisjoint(own)]
        for number, is_read in self._listing.read([texts[row] for row in asked]):
            row = asked[number]
            found[ends[row] - counts[row] : ends[row]][is_read] = 0.0
        return counts, found

    def warn_of_few(self, cosines: Floats, *, owner: str) -> None:
        """Warn where most words have no vector.

        Args:
            cosines: The cosines of many words, as `of_texts` returns them.
        """
        share = 1 - np.isnan(cosines).mean() if cosines.size else 1.0
        if cosines.size >= _ENOUGH and share < _FEW:
            warn(
                f"{owner}: {self._vectors.name!r} has a vector for {share:.0%} of the words of a "
                "batch, and the scores rest on these alone; give vectors of the texts' language "
                "and kind.",
                LowCoverageWarning,
            )

    def _of(self, words: Sequence[str]) -> Floats:
        """Return the cosine of each word, wherever it stands."""
        new = set(words).difference(self._known)
        if new:
            if len(self._known) > _KEPT:
                self._known.clear()
                self._may_be_read.clear()
                new = set(words)
            self._learn(sorted(new))
        return np.fromiter(map(self._known.__getitem__, words), np.float64, len(words))

    def _learn(self, words: Sequence[str]) -> None:
        """Look words up, all at once."""
        rows = self._vectors.find([word.replace("’", "'") for word in words])
        cosines = np.full(len(words), np.nan)
        is_known = rows >= 0
        vectors = self._vectors.matrix[rows[is_known]]
        cosines[is_known] = self._direction.cosines(vectors) - self._offset
        cosines[[*map(self._listing.holds, words)]] = 0.0
        self._known.update(zip(words, cosines.tolist(), strict=True))
        self._may_be_read.update(filter(self._listing.may_be_read, words))
