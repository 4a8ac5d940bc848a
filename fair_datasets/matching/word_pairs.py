"""Two words as one number, and what two words give away, for all words of many texts at once."""

from collections.abc import Iterator, Mapping
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from fair_datasets.matching.vocabulary import Numbers

Given = TypeVar("Given")
_BITS = 31


def pair_of(first: int, second: int) -> int:
    """Return one number for two words.

    Args:
        first: The number of a word.
        second: That of another one.

    Returns:
        A number that no other two words have.
    """
    return (first << _BITS) + second


def pairs_of(first: Numbers, second: Numbers) -> Numbers:
    """Return one number for each two words, as `pair_of` does. Shape (P,)."""
    found: Numbers = (first.astype(np.int64) << _BITS) + second
    return found


class WordPairs(Generic[Given]):
    """What pairs of words give away.

    Example:
        >>> pairs = WordPairs({pair_of(1, 2): "Marie Curie", pair_of(3, 4): "Ada Lovelace"})
        >>> list(pairs.found(pairs_of(np.array([3, 1, 1]), np.array([4, 1, 2]))))
        [(0, 'Ada Lovelace'), (2, 'Marie Curie')]
    """

    def __init__(self, given: Mapping[int, Given]) -> None:
        """Put pairs into a column.

        Args:
            given: Pairs, as `pair_of` returns them, to what each gives away.
        """
        self._pairs = np.array(sorted(given), np.int64)
        self._given = [given[pair] for pair in self._pairs.tolist()]

    def among(self, asked: Numbers) -> NDArray[np.bool_]:
        """Tell which pairs give something away. Shape (P,)."""
        if not len(self._pairs):
            return np.zeros(len(asked), np.bool_)
        held: NDArray[np.bool_] = self._pairs[self._nearest(asked)] == asked
        return held

    def found(self, asked: Numbers) -> Iterator[tuple[int, Given]]:
        """Give what is given away.

        Args:
            asked: Pairs, as `pairs_of` returns them. Shape (P,).

        Yields:
            The place of the pair among them, and what it gives away.
        """
        if not len(self._pairs):
            return
        nearest = self._nearest(asked)
        for hit in (self._pairs[nearest] == asked).nonzero()[0].tolist():
            yield hit, self._given[nearest[hit]]

    def _nearest(self, asked: Numbers) -> Numbers:
        """Return where each pair would be among those that give something away."""
        found: Numbers = np.minimum(self._pairs.searchsorted(asked), len(self._pairs) - 1)
        return found
