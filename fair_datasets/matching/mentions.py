"""What is found in a text: the mentions of demographic attributes, and what is left alone."""

from functools import partial
from typing import NamedTuple

from fair_datasets.matching.reasons import Reason
from fair_datasets.matching.terms import Term
from fair_datasets.matching.tokens import Tokens

OF_ROW = "rows."
"""How the names of rules begin that leave all of a row alone."""


class Mention(NamedTuple):
    """A term in a text.

    Attributes:
        first: Its first word.
        last: Its last word.
        term: How it is read.
        rule: The rule that decided; empty where none did.
    """

    first: int
    last: int
    term: Term
    rule: str = ""


class Left(NamedTuple):
    """A word or phrase that may be a term and is left alone.

    Attributes:
        first: Its first word.
        last: Its last word.
        reason: Why.
        rule: The rule that decided; empty where none did. Of a row that is left as a whole, what
            is told of it stands behind the name.
        attribute: The attribute that it mentions all the same, where its row is left alone as a
            whole; else empty.
    """

    first: int
    last: int
    reason: Reason
    rule: str = ""
    attribute: str = ""

    @property
    def is_of_row(self) -> bool:
        """Whether all of its row is left alone, by a rule about rows."""
        return self.rule.startswith(OF_ROW)

    @property
    def told(self) -> str:
        """Why, in the words of the row where it is left alone as a whole."""
        told = self.rule.partition(" ")[2] if self.is_of_row else ""
        return told or self.reason.value


class Reading(NamedTuple):
    """A text with its mentions, in the order of the text.

    Attributes:
        tokens: The text.
        mentions: Its mentions.
        left: The candidates that are left alone, in the order of the text.
    """

    tokens: Tokens
    mentions: list[Mention]
    left: list[Left]


# The same from a tuple of the attributes; for texts with many, as it takes half the time.
as_mention = partial(tuple.__new__, Mention)
as_left = partial(tuple.__new__, Left)
