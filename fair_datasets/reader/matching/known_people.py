"""Known people in texts: whose rows are left alone, as a sentence about them would become false."""

import re
from collections import defaultdict
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fair_datasets.reader.matching.conditions import Candidates
from fair_datasets.reader.matching.letters import looked_up
from fair_datasets.reader.matching.places import HERE, IS_ALONE, is_protected
from fair_datasets.reader.matching.tokens import tokenize
from fair_datasets.reader.matching.vocabulary import (
    Numbers,
    WordPairs,
    pair_of,
    pairs_of,
    vocabulary,
)
from fair_datasets.reader.matching.words import Mask, Places, Words

# Behind initials and the like, a full stop ends no sentence: "J. K. Rowling", "Martin Luther Jr.".
_SHORT = 2
_NO_WORD = 0
_SPACES = re.compile(r"\s+")
_STARTS_NAME = IS_ALONE & ~(~HERE.is_first & HERE.sign("-"))


class _Name(NamedTuple):
    """A name, by its words and what stands between them."""

    words: tuple[str, ...]
    gaps: tuple[str, ...]


class KnownPeople:
    """Names of known people, to be found in many texts at once.

    A name is found as it is written, or all in capitals if it has several words. Its first two
    words give it away, by their numbers, so that the number of names costs nothing.

    Example:
        >>> people = KnownPeople(["Marie Curie", "J.K. Rowling"])
        >>> words = Words(["Marie Curie's laboratory", "Marie and a curie", "by J. K. Rowling"])
        >>> people.texts(words).tolist()
        [0, 2]
    """

    def __init__(self, names: Iterable[str]) -> None:
        """Put names into columns."""
        several: dict[int, list[_Name]] = defaultdict(list)
        firsts: set[int] = set()
        small: set[int] = set()
        for text in names:
            tokens = tokenize(text)
            pair = [looked_up(w) if w[0].isupper() else w.lower() for w in tokens.words[:2]]
            first, second = [*vocabulary().add(pair).tolist(), _NO_WORD][:2]
            gaps = zip(tokens.words, tokens.gaps[1:-1], strict=False)
            name = _Name(tuple(tokens.words), tuple(_plain(*gap) for gap in gaps))
            several[pair_of(first, second)].append(name)
            (firsts if name.words[0][0].isupper() else small).add(first)
        self._names = WordPairs(several)
        # 1 for a word that a name begins with where it has a capital; 2 for any (bell hooks).
        self._first = np.zeros(len(vocabulary()), np.int8)
        self._first[list(firsts)] = 1
        self._first[list(small)] = 2

    def asks_for(self, numbers: Numbers, is_capital: Mask) -> Mask:
        """Tell which words a name may begin with, by whether each begins with a capital letter."""
        kinds = self._first[np.where(numbers < len(self._first), numbers, 0)]
        held: Mask = (kinds == 2) | ((kinds == 1) & is_capital)
        return held

    def texts(self, words: Words) -> NDArray[np.int64]:
        """Return the numbers of the texts that name one of them, each once.

        Returns:
            The numbers, in order.
        """
        everywhere = words.is_capital(np.arange(len(words)))
        places = np.flatnonzero(self.asks_for(words.number, everywhere))
        numbers = words.number.astype(np.int64)
        found = [
            self._found(words, places, pairs_of(numbers[places], second))
            for second in (np.full(len(places), _NO_WORD), numbers[places + 1])
        ]
        firsts, lasts = np.concatenate(found, axis=1)
        candidates = Candidates(words, firsts, {}, lasts)
        is_name = candidates.holds(_STARTS_NAME) & ~is_protected(candidates)
        texts: NDArray[np.int64] = np.unique(words.owner[firsts[is_name]])
        return texts

    def _found(self, words: Words, places: Places, pairs: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the first and the last place of each name that two words give away."""
        spans = [
            (int(places[hit]), int(places[hit]) + len(name.words) - 1)
            for hit, names in self._names.found(pairs)
            for name in names
            if _stands(name, words, int(places[hit]))
        ]
        return np.array(spans, np.int64).reshape(-1, 2).T


@lru_cache(maxsize=8)
def known_people(names: tuple[str, ...]) -> KnownPeople:
    """Return names of known people, put into columns once per process."""
    return KnownPeople(names)


def _stands(name: _Name, words: Words, first: int) -> bool:
    """Tell whether a name stands in a text from a place on."""
    last = first + len(name.words) - 1
    if last >= len(words) or words.owner[first] != words.owner[last]:
        return False
    places = range(first, last + 1)
    written = [words.joined[words.start[place] : words.end[place]] for place in places]
    is_upper = len(written) > 1 and written == [word.upper() for word in name.words]
    if not is_upper and tuple(written) != name.words:
        return False
    signs = (words.signs.text(int(words.sign[place])) for place in places[1:])
    return tuple(map(_plain, written, signs)) == name.gaps


def _plain(word: str, gap: str) -> str:
    """Write what stands behind a word of a name in one way."""
    if len(word) <= _SHORT and gap.startswith("."):
        gap = f"{gap[1:]} "
    return _SPACES.sub(" ", gap.replace("’", "'"))
