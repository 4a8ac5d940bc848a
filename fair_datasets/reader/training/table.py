"""The table that ships with the student: how well it reads sentences that no training has.

Only words are asked that the student which ships is sure of. Of the others it guesses, and any
training turns some of its guesses, for better or worse.
"""

from collections.abc import Iterator, Mapping
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fair_datasets.reader.student import shipped
from fair_datasets.reader.tags import CASES, FAMILY, GIVEN, NAMES, NONE, TAGS, Reader, holds
from fair_datasets.reader.training.evaluation import Known, ask
from fair_datasets.reader.training.rows import Row
from fair_datasets.reader.training.sentences import name_sentences, pronoun_sentences

TOLERANCE = 0.003
"""How far a figure may fall."""
SURE = 0.8
"""How likely what the shipped student says must be for a word to be asked."""

_NAMES, _PRONOUNS = 100, 50


class Figure(NamedTuple):
    """How well words of a kind are read.

    Attributes:
        words: How many there are.
        right: The share that is read rightly.
    """

    words: int
    right: float


def table(reader: Reader) -> dict[str, Figure]:
    """Measure a reader on the held-back sentences that ship.

    Of places, organisations and works it is asked whether they are taken for persons; of given
    and family names and of pronouns whether they have their tag.

    Args:
        reader: The reader.

    Returns:
        What is asked, to how well it is read.

    Example:
        >>> round(table(shipped())["family name"].right, 2)
        1.0
    """
    is_right = _is_right(ask(reader, _rows()))
    return {
        name: Figure(int(asked.sum()), float(is_right[asked].mean()))
        for name, asked in _asked().items()
    }


def fallen(before: Mapping[str, Figure], after: Mapping[str, Figure]) -> Iterator[str]:
    """Yield what of a table has fallen by more than `TOLERANCE`.

    Args:
        before: The table of the student that ships.
        after: That of another one.

    Yields:
        Parts of a sentence.

    Example:
        >>> [*fallen({"family name": Figure(200, 0.99)}, {"family name": Figure(200, 0.9)})]
        ['family name from .990 to .900']
    """
    for name, figure in before.items():
        if after[name].right < figure.right - TOLERANCE:
            shares = (
                f"{share:.3f}".removeprefix("0") for share in (figure.right, after[name].right)
            )
            yield f"{name} from {' to '.join(shares)}"


@cache
def _rows() -> list[Row]:
    """Return the sentences, made once per process."""
    names = name_sentences(_NAMES, held_back=True)
    return [*names, *pronoun_sentences(_PRONOUNS, held_back=True)]


@cache
def _asked() -> dict[str, NDArray[np.bool_]]:
    """Say which words each figure asks, of those that the shipped student is sure of."""
    known = ask(shipped(), _rows())
    person = _person(known)
    is_name = holds(known.allowed, NAMES & ~(1 << NONE))
    is_people = holds(known.allowed, 1 << GIVEN | 1 << FAMILY)
    is_sure = known.probabilities.max(axis=1) >= SURE
    found = {TAGS[tag]: (known.allowed == 1 << tag) & is_sure for tag in (GIVEN, FAMILY)}
    found["other names, as no person"] = (
        is_name & ~is_people & (np.maximum(person, 1 - person) >= SURE)
    )
    for word in ("her", "his"):
        for tag, name in enumerate(TAGS):
            asked = (known.spelled == word) & (known.allowed == 1 << tag) & is_sure
            if CASES >> tag & 1 and asked.any():
                found[f"{word}, {name}"] = asked
    return found


def _is_right(known: Known) -> NDArray[np.bool_]:
    """Tell which words are read rightly."""
    has_tag = holds(known.allowed, 1 << known.probabilities.argmax(axis=1))
    is_other = holds(known.allowed, NAMES & ~(1 << NONE | 1 << GIVEN | 1 << FAMILY))
    found: NDArray[np.bool_] = np.where(is_other, _person(known) < 0.5, has_tag)
    return found


def _person(known: Known) -> NDArray[np.float64]:
    """Return how likely words are names of people."""
    found: NDArray[np.float64] = known.probabilities[:, [GIVEN, FAMILY]].sum(axis=1)
    return found
