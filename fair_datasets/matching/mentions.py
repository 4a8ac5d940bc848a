"""What is found in a text: the mentions of demographic attributes, and what is left alone."""

from collections.abc import Iterable
from functools import partial
from typing import NamedTuple

from fair_datasets.matching.reasons import Reason
from fair_datasets.matching.terms import Term
from fair_datasets.matching.tokens import Tokens


class Mention(NamedTuple):
    """A term in a text.

    Attributes:
        first: Its first word.
        last: Its last word.
        term: How it is read.
    """

    first: int
    last: int
    term: Term


# A word or phrase that may be a term and is left alone: its first and its last word, and why.
Left = tuple[int, int, Reason]


class Reading(NamedTuple):
    """A text with its mentions, in the order of the text.

    Attributes:
        tokens: The text.
        mentions: Its mentions.
        left: The candidates that are left alone, in no order.
    """

    tokens: Tokens
    mentions: list[Mention]
    left: list[Left]


# The same from a tuple of the attributes; for texts with many, as it takes half the time.
as_mention = partial(tuple.__new__, Mention)
as_reading = partial(tuple.__new__, Reading)


class NamesOfRow:
    """What the texts of one row say about the names in it; emptied for the next row.

    Attributes:
        sure: Each name that may be one to whether an occurrence surely is.
        protected: The words of the protected names that occur.
    """

    __slots__ = ("protected", "sure")

    def __init__(self) -> None:
        """Know nothing yet."""
        self.sure: dict[str, bool] = {}
        self.protected: set[str] = set()

    def settle(self, readings: Iterable[Reading | None]) -> None:
        """Drop the names of a row that are none after all, and forget it."""
        if self.protected or not all(self.sure.values()):
            for reading in filter(None, readings):
                self._settle(reading)
        self.sure.clear()
        self.protected.clear()

    def _settle(self, reading: Reading) -> None:
        """Drop the unsure names of which no occurrence is sure, and the protected ones."""
        kept = []
        for mention in reading.mentions:
            name = reading.tokens.lower[mention.first]
            if mention.term.is_name and name in self.protected:
                reading.left.append((mention.first, mention.last, Reason.PROTECTED_NAME))
            elif mention.term.is_name and not self.sure[name]:
                reading.left.append((mention.first, mention.last, Reason.UNSURE_NAME))
            else:
                kept.append(mention)
        reading.mentions[:] = kept
