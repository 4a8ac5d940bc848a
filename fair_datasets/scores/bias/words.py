"""The cosines of words with a demographic direction, and which words name an attribute."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, groupby
from operator import itemgetter

import numpy as np
from numpy.typing import NDArray

from fair_datasets.models.vectors.direction import DemographicDirection
from fair_datasets.models.vectors.word_vectors import WordVectors
from fair_datasets.reader.matching.found import Reason
from fair_datasets.reader.matching.letters import looked_up
from fair_datasets.reader.matching.rows import chunks
from fair_datasets.reader.matching.table import TermTable
from fair_datasets.scores.word_tokens import word_spans, words_of
from fair_datasets.system.checks import warn

_PARTS = re.compile(r"[^\w'’]")
# A name that is left alone only because the row speaks of another gender is a name all the same.
_NAMES_LEFT = (Reason.OTHER_PRONOUNS, Reason.UNREAD_NAME)


@dataclass(frozen=True, eq=False)
class Listing:
    """The words that name an attribute by their meaning.

    Common words are looked up. Where a word is somebody's name, and where one is part of another
    ("mother-in-law"), is asked of the reader of texts: "Will he mark it in May?" names nobody.

    Attributes:
        words: The words that are looked up, as they are written and in lower case.
        table: The terms that are read; None to read nothing.
    """

    words: frozenset[str]
    table: TermTable | None = None

    def holds(self, word: str) -> bool:
        """Tell whether a word is looked up and found."""
        return not self.words.isdisjoint({word, word.lower()})

    def may_be_read(self, word: str) -> bool:
        """Tell whether a word that is not looked up may name an attribute where it stands."""
        if self.table is None or self.holds(word):
            return False
        parts = _PARTS.split(word)
        may_be = len(parts) > 1 or word != word.lower()
        forms = (form for part in parts for form in (part.lower(), looked_up(part)))
        return may_be and any(form in self.table.words for form in forms)

    def read(self, texts: Sequence[str]) -> Iterator[tuple[int, NDArray[np.bool_]]]:
        """Read which words of texts name an attribute where they stand.

        Yields:
            The number of each text with such a word, and whether each of its words is one: shape
            (W,).
        """
        for number, places in groupby(self._places(texts), itemgetter(0)):
            text = texts[number]
            words = word_spans(text)
            spans = np.array(words, np.int64).reshape(-1, 2)
            is_read = np.zeros(len(words), np.bool_)
            for _, start, end in places:
                is_read |= (spans[:, 0] < end) & (start < spans[:, 1])
            for place in np.flatnonzero(is_read).tolist():
                is_read[place] = self.may_be_read(text[slice(*words[place])])
            yield number, is_read

    def _places(self, texts: Sequence[str]) -> Iterator[tuple[int, int, int]]:
        """Yield the number of the text, the begin and the end of what is read, in order."""
        if self.table is None:
            return
        for chunk in chunks([(text,) for text in texts], [self.table]):
            found = chunk.found
            is_left_name = np.isin(found.reasons, np.array(_NAMES_LEFT))
            rows = np.flatnonzero(found.is_mention | is_left_name)
            owners = found.texts[rows]
            shifts = chunk.begins[owners] - found.words.offset[owners]
            starts = found.words.start[found.firsts[rows]] + shifts
            ends = found.words.end[found.lasts[rows]] + shifts
            numbers = chunk.row_of[owners]
            yield from zip(numbers.tolist(), starts.tolist(), ends.tolist(), strict=True)


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
        listing: The words whose part is 0.
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
