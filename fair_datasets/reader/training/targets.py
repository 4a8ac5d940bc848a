"""What the student is to say of words: what people have tagged, and else what the teacher says."""

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from fair_datasets.reader.tags import CASES, NAMES, TAGS
from fair_datasets.reader.training.labelling import WHOLE
from fair_datasets.reader.training.rows import Row

_BITS = 1 << np.arange(len(TAGS))
_LEAST = 1e-3

Shares = NDArray[np.uint8]


def targets(rows: Sequence[Row], shares: Sequence[Shares]) -> Iterator[Shares]:
    """Put what people and the teacher say of words together.

    Of the tags that people tell apart, those that a word may not have get nothing; what is left is
    as likely as the teacher says, or equally likely where it says nothing.

    Args:
        rows: The rows; of a word that is not known the teacher alone says what it is.
        shares: What the teacher says, in parts of 255. Shape (words, 10) each.

    Yields:
        The same with what is known. Shape (words, 10) each.

    Example:
        >>> said = np.array([[0, 200, 0, 55, 0, 0, 0, 0, 0, 0]], np.uint8)
        >>> row = Row("tweets", "Paris", [1 << 3], [0b11111])
        >>> [each.tolist() for each in targets([row], [said])]
        [[[0, 0, 0, 255, 0, 0, 0, 0, 0, 0]]]
    """
    for row, said in zip(rows, shares, strict=True):
        allowed = np.array(row.allowed, np.int64)
        considered = np.array(row.considered, np.int64)
        group = np.where(allowed & CASES, CASES, NAMES)
        may_be = np.where(allowed > 0, allowed | group & ~considered, (1 << len(TAGS)) - 1)
        is_allowed = (may_be[:, None] & _BITS) > 0
        found = said * is_allowed.astype(np.float64)
        total = found.sum(axis=1, keepdims=True)
        found = np.where(total > _LEAST * WHOLE, found, (allowed[:, None] & _BITS) > 0)
        total = np.maximum(found.sum(axis=1, keepdims=True), _LEAST)
        yield np.rint(found * WHOLE / total).astype(np.uint8)
