"""What words and signs are known by, as numbers."""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from fair_datasets.matching.vocabulary import Hashes, hash_of, hashes, remembered, vocabulary
from fair_datasets.matching.words import Places, Words

# The one sign that Latin-1 does not have, and what stands for it.
_ELLIPSIS, _AS_LATIN = "…", "\x85"
# How many words and signs are kept with what they are known by.
_MOST_TOLD = 1 << 14


class Told(NamedTuple):
    """What a word or a sign is known by: itself, its last and its first letters."""

    value: int
    last: int
    first: int


@lru_cache(maxsize=_MOST_TOLD)
def value_of(text: str) -> int:
    """Return what a word, a sign or a class is known by."""
    return hash_of(text.replace(_ELLIPSIS, _AS_LATIN))


@lru_cache(maxsize=_MOST_TOLD)
def told(token: str) -> Told:
    """Return what a word or a sign is known by."""
    return Told(value_of(token), value_of(token[-3:]), value_of(token[:4]))


class Kinds:
    """The values of the kinds of all words, each of which is asked for once.

    Args:
        kind: Returns the kind of a word.
    """

    def __init__(self, kind: Callable[[str], str]) -> None:
        """Know no word yet."""
        self._value = remembered(lambda word: value_of(kind(word)))
        # By the numbers of words: the values, and whether each is known.
        self._columns = (np.zeros(0, np.uint64), np.zeros(0, np.bool_))

    def of(self, words: Words, places: Places) -> Hashes:
        """Return the values of the kinds of the words at some places. Shape (W,)."""
        known, is_known = self._columns
        new = len(vocabulary()) - len(known)
        if new > 0:
            known = np.append(known, np.zeros(new, np.uint64))
            is_known = np.append(is_known, np.zeros(new, np.bool_))
            self._columns = known, is_known
        numbers = words.number[places]
        found: Hashes = known[numbers]
        asked = np.flatnonzero(~is_known[numbers])
        several = zip(asked.tolist(), numbers[asked].tolist(), places[asked].tolist(), strict=True)
        for row, number, place in several:
            found[row] = self._value(words.known_as(place))
            if number:
                known[number], is_known[number] = found[row], True
        return found


class Listed:
    """The values of the letters of listed words.

    Args:
        letters: The letters of each word; no word is longer than `TOLD_BY_HASH`.
    """

    def __init__(self, letters: Mapping[str, str]) -> None:
        """Put the words in the order of their hashes."""
        content = [word.encode("latin-1") for word in letters]
        lengths = np.fromiter(map(len, content), np.int64, len(content))
        ends = np.cumsum(lengths)
        keys = hashes(b"".join(content), ends - lengths, ends)
        values = np.array([value_of(letters[word]) for word in letters], np.uint64)
        order = np.argsort(keys)
        # Behind the last stands the hash of no word.
        self._keys = np.append(keys[order], np.uint64(0))
        self._values = np.append(values[order], np.uint64(0))

    def of(self, words: Words, places: Places) -> Hashes:
        """Return the values of the words at some places; 0 where one is not listed. Shape (W,)."""
        asked = words.hash[places]
        at = np.searchsorted(self._keys[:-1], asked)
        return np.where(self._keys[at] == asked, self._values[at], np.uint64(0))


class Columns(NamedTuple):
    """What words and signs are known by. Shape (W,) each."""

    value: Hashes
    last: Hashes
    first: Hashes


def columns_of(tokens: Sequence[str]) -> Columns:
    """Return what some words and signs are known by."""
    found = np.array([told(token) for token in tokens], np.uint64).reshape(-1, 3)
    return Columns(found[:, 0], found[:, 1], found[:, 2])
