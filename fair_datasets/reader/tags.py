"""The tags that a reader gives to words, and the columns in which it answers."""

from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from fair_datasets.reader.matching.token_batch import Places, TokenBatch
from fair_datasets.system import checks

TAGS = (
    "none", "given name", "family name", "place", "organisation", "work", "other name",
    "object", "determiner", "alone",
    "people", "thing", "title", "place or language", "animal", "quotation",
)  # fmt: skip
"""What a word may be.

The first seven are of names; "work" is a work or a product. The next three are the cases of the
pronouns: "her" and "him" as an object, "her" and "his" before their noun, "hers" and "his" standing
alone. The last six are senses of the words of lexicons, of which `fair-datasets docs gold` says
what they mean. A pronoun has one of the cases, any other word one of the tags of names and one of
the senses.
"""
BITS = 1 << np.arange(len(TAGS))
"""A bit for each tag. Shape (16,)."""
NONE, GIVEN, FAMILY, PLACE, ORGANISATION, WORK, OTHER, OBJECT, DETERMINER, ALONE = range(10)
PEOPLE, THING, TITLE, LOCATION, ANIMAL, QUOTED = range(10, 16)
FIRST_SENSE = PEOPLE
"""Which tags are senses: this one and those behind it."""

NAMES = (1 << OBJECT) - 1
"""The tags of words that are no pronouns, a bit for each."""
CASES = 1 << OBJECT | 1 << DETERMINER | 1 << ALONE
"""The tags of pronouns, a bit for each."""
SENSES = (1 << len(TAGS)) - (1 << FIRST_SENSE)
"""The senses, a bit for each."""
PRONOUNS = ("her", "hers", "him", "his")
"""The pronouns that are asked for their case."""


def holds(known: NDArray[np.int64], tags: NDArray[np.int64] | int) -> NDArray[np.bool_]:
    """Return for words whether what they may be has one of some tags, a bit for each.

    Args:
        known: The tags that each word may have.

    Returns:
        The answers, of the shape that both have together.

    Example:
        >>> holds(np.array([1 << GIVEN, 1 << GIVEN | 1 << PLACE]), 1 << PLACE).tolist()
        [False, True]
    """
    answers: NDArray[np.bool_] = (known & tags) != 0
    return answers


class Tagged(NamedTuple):
    """What a reader says of some words of texts, in columns.

    Attributes:
        places: The words, by their place among the words of the texts. Shape (W,).
        tags: The most likely tag of each but for the senses, an index of `TAGS`. Shape (W,).
        probabilities: The probability of each tag; zero for the cases of what is no pronoun, and
            for names of what is one. Those of the senses sum to one of their own. Shape (W, 16).
    """

    places: Places
    tags: NDArray[np.int8]
    probabilities: NDArray[np.float64]

    def named(self) -> list[str]:
        """Return the tag of each word by its name.

        Returns:
            The names.

        Example:
            >>> Tagged(np.array([0, 2]), np.array([1, 0], np.int8), np.zeros((2, 16))).named()
            ['given name', 'none']
        """
        return [TAGS[tag] for tag in self.tags.tolist()]

    def describe(self, row: int, *, of_sense: bool = False) -> str:
        """Return what a word is, and what it is if it is not that.

        Args:
            of_sense: Whether the senses are described, and not the other tags.

        Returns:
            The most likely tag and the next, with their probabilities.

        Example:
            >>> shares = np.array([[0.01, 0.04, 0.02, 0.0, 0.93] + 11 * [0.0]])
            >>> Tagged(np.array([0]), np.array([4], np.int8), shares).describe(0)
            'organisation .93, given name .04'
        """
        group = slice(FIRST_SENSE, None) if of_sense else slice(FIRST_SENSE)
        shares = np.zeros(len(TAGS))
        shares[group] = self.probabilities[row, group]
        order = np.argsort(-shares, kind="stable")[:2].tolist()
        return ", ".join(f"{TAGS[tag]} {_share(shares[tag])}" for tag in order)

    def told(self, row: int, *, of_sense: bool = False) -> str:
        """Return `describe`, by its former name, for one release."""
        checks.warn("rename told to describe.", FutureWarning)
        return self.describe(row, of_sense=of_sense)


class Reader(Protocol):
    """A model that tells whether a word is part of a name, a place or a work."""

    def tags(self, words: TokenBatch, places: Places) -> Tagged:
        """Tag some words of texts.

        Args:
            places: Which of them are asked for. Shape (W,).

        Returns:
            Their tags, in the same order.
        """
        ...


def _share(share: float) -> str:
    """Write a probability with two digits."""
    return f"{share:.2f}".removeprefix("0")
