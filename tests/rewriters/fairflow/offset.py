"""The plain vector-offset method, which FairFlow is compared with: neighbours of w - (x - y)."""

import numpy as np
from numpy.typing import NDArray

from fair_datasets.rewriters.fairflow.states import Corpus


def offset_pairs(corpus: Corpus, pair: tuple[str, str]) -> list[tuple[str, str]]:
    """Find pairs of words by the offset of one pair, the most apart first.

    Each word is moved by x - y or y - x, whichever leads to the other side; its counterpart is the
    nearest other word by the cosine from the mean of all. Only mutual neighbours on different sides
    count, as for FairFlow, and the words that lie furthest along x - y come first.

    Args:
        corpus: The places of words and their states, of which the mean of each word is taken.
        pair: The words x and y.

    Returns:
        The pairs in both directions, those of a pair behind each other.
    """
    words, means = mean_states(corpus)
    number = {word: place for place, word in enumerate(words)}
    centred = means - means.mean(axis=0)
    offset = centred[number[pair[0]]] - centred[number[pair[1]]]
    along = centred @ offset / np.linalg.norm(offset)
    side = along > 0
    moved = centred - np.where(side, 1, -1)[:, None] * offset
    starts = range(0, len(words), 1000)
    found = np.concatenate([_nearest(moved[at : at + 1000], centred, at) for at in starts])
    mutual = [
        (int(word), int(other))
        for word, other in enumerate(found)
        if side[word] and not side[other] and found[other] == word
    ]
    mutual.sort(key=lambda each: -min(abs(along[each[0]]), abs(along[each[1]])))
    both = [each for pair in mutual for each in (pair, pair[::-1])]
    return [(words[first], words[second]) for first, second in both]


def mean_states(corpus: Corpus) -> tuple[list[str], NDArray[np.float32]]:
    """Return the words that have places, and the mean state of each."""
    order = np.argsort(corpus.places.word, kind="stable")
    numbers, starts = np.unique(corpus.places.word[order], return_index=True)
    means = [
        corpus.states[np.sort(rows)].astype(np.float32).mean(axis=0)
        for rows in np.split(order, starts[1:])
    ]
    return [corpus.places.words[number] for number in numbers], np.stack(means)


def _nearest(
    moved: NDArray[np.float32], known: NDArray[np.float32], start: int
) -> NDArray[np.int64]:
    """Return the nearest word of each, other than itself."""
    units = known / np.linalg.norm(known, axis=1, keepdims=True)
    cosines = moved @ units.T
    rows = np.arange(len(moved))
    cosines[rows, start + rows] = -np.inf
    return cosines.argmax(axis=1)
