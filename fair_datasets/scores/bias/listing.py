"""Which words of texts name an attribute by their meaning, so that their part is 0."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter

import numpy as np
from numpy.typing import NDArray

from fair_datasets.reader.matching.found import Reason
from fair_datasets.reader.matching.letters import looked_up
from fair_datasets.reader.matching.rows import chunks
from fair_datasets.reader.matching.table import TermTable
from fair_datasets.scores.word_tokens import word_spans

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

    Example:
        >>> listing = Listing(frozenset({"mother"}))
        >>> listing.holds("Mother"), listing.holds("nurse")
        (True, False)
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
