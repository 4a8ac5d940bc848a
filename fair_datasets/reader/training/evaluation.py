"""How well a reader reads: first names among the words of the list, and the cases of pronouns."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fair_datasets.reader.matching.token_batch import TokenBatch
from fair_datasets.reader.student import is_listed_first_name, shipped
from fair_datasets.reader.tags import (
    BITS,
    CASES,
    FAMILY,
    FIRST_SENSE,
    GIVEN,
    NAMES,
    NONE,
    PEOPLE,
    SENSES,
    TAGS,
    Reader,
    holds,
)
from fair_datasets.reader.training.cases import AsDecided
from fair_datasets.reader.training.rehearsal import name_sentences, pronoun_sentences
from fair_datasets.reader.training.rows import Row

_LIKELY = 0.5


class Known(NamedTuple):
    """The words of rows of which something is known, and what a reader says of them.

    Attributes:
        allowed: The tags that each may have, a bit for each. Shape (W,).
        considered: The tags that its source tells apart from these. Shape (W,).
        is_asked: Whether it has a capital and is a first name of the list. Shape (W,).
        spelled: The words in lower case.
        probabilities: What the reader says of names and cases. Shape (W, 16).
    """

    allowed: NDArray[np.int64]
    considered: NDArray[np.int64]
    is_asked: NDArray[np.bool_]
    spelled: NDArray[np.str_]
    probabilities: NDArray[np.float64]


def ask(reader: Reader, rows: Sequence[Row]) -> Known:
    """Ask a reader about the words of rows of which something is known."""
    words = TokenBatch([row.text for row in rows])
    flat = [
        (words.first[k] + index, row.allowed[index] & ~SENSES, row.considered[index] & ~SENSES)
        for k, row in enumerate(rows)
        for index in range(len(row.allowed))
        if row.allowed[index] & ~SENSES
    ]
    places, allowed, considered = (np.array([each[k] for each in flat], np.int64) for k in range(3))
    is_asked = words.is_capital(places) & is_listed_first_name(words, places)
    spelled = np.array([words.lower(place) for place in places.tolist()], np.str_)
    probabilities = reader.tags(words, places).probabilities
    probabilities[:, FIRST_SENSE:] = 0.0
    return Known(allowed, considered, is_asked, spelled, probabilities)


def name_scores(known: Known) -> dict[str, float]:
    """Return how well first names are told among the capitalised words of the list.

    Words that may be a first or a family name, for all that is known, are not asked.

    Returns:
        The number of words, F1, precision and recall.
    """
    asked = known.is_asked & ((known.allowed == 1 << GIVEN) | ((known.allowed & 1 << GIVEN) == 0))
    is_name = known.allowed[asked] == 1 << GIVEN
    is_read = known.probabilities[asked].argmax(axis=1) == GIVEN
    return _scores(is_read, is_name)


def case_scores(known: Known) -> Iterator[tuple[str, str, int, float]]:
    """Yield how well the cases of pronouns are told.

    Yields:
        The pronoun, its case, how many there are, and the share that is right.
    """
    is_case = holds(known.allowed, CASES)
    tags = known.probabilities.argmax(axis=1)
    for word in ("her", "his"):
        for tag, name in enumerate(TAGS):
            asked = is_case & (known.spelled == word) & (known.allowed == 1 << tag)
            if asked.any():
                yield word, name, int(asked.sum()), float((tags[asked] == tag).mean())


def sense_scores(reader: Reader, rows: Sequence[Row]) -> dict[str, float]:
    """Return how well a reader tells words of lexicons that name people from others.

    Args:
        rows: Rows, of which those are asked that have a word of known sense; of several that stand
            together the last is.

    Returns:
        The number of words, F1, precision and recall.
    """
    asked = [row for row in rows if any(bits & SENSES for bits in row.allowed)]
    words = TokenBatch([row.text for row in asked])
    last = [max(k for k, bits in enumerate(row.allowed) if bits & SENSES) for row in asked]
    places = words.first[: len(asked)] + np.array(last, np.int64)
    is_read = reader.tags(words, places).probabilities[:, PEOPLE] >= _LIKELY
    senses = [row.allowed[k] for row, k in zip(asked, last, strict=True)]
    return _scores(is_read, np.array(senses, np.int64) == 1 << PEOPLE)


def calibration_error(known: Known, temperature: float = 1.0) -> float:
    """Return how far probabilities are from how often they are right, in ten groups of words.

    Only words are asked that are in no doubt, of tags that their source tells apart, and that are
    capitalised or pronouns.

    Returns:
        The mean distance, weighted by the words: the expected calibration error.
    """
    shares, is_right = _judged(known, temperature)
    groups = np.minimum((shares * 10).astype(np.int64), 9)
    error = sum(
        abs(float((shares[groups == k] - is_right[groups == k]).sum()))
        for k in range(10)
        if (groups == k).any()
    )
    return error / max(1, len(shares))


def best_temperature(known: Known) -> float:
    """Return what logits are to be divided by so that the known tags are most likely."""
    steps = [step / 20 for step in range(10, 61)]
    return min(steps, key=lambda temperature: _surprise(known, temperature))


def _surprise(known: Known, temperature: float) -> float:
    """Return how unlikely the known tags are, of the words that the calibration asks."""
    shares = _considered(known, temperature)
    allowed = holds(known.allowed[:, None], BITS)
    right = (shares * allowed).sum(axis=1)[_is_judged(known)]
    return float(-np.log(np.maximum(right, 1e-9)).mean())


def _judged(known: Known, temperature: float) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Return the highest probability of words, and whether that tag is right."""
    judged = _is_judged(known)
    shares = _considered(known, temperature)[judged]
    tags = shares.argmax(axis=1)
    return shares.max(axis=1, initial=0.0), holds(known.allowed[judged], 1 << tags)


def _is_judged(known: Known) -> NDArray[np.bool_]:
    """Return which words the calibration asks: those that may be names, and pronouns."""
    return known.is_asked | holds(known.allowed, CASES)


def _considered(known: Known, temperature: float) -> NDArray[np.float64]:
    """Return the probabilities among the tags that the source tells apart."""
    with np.errstate(divide="ignore"):
        shares = np.exp(np.log(known.probabilities) / temperature)
    shares *= holds((known.considered | known.allowed)[:, None], BITS)
    scaled: NDArray[np.float64] = shares / np.maximum(shares.sum(axis=1, keepdims=True), 1e-12)
    return scaled


def _scores(is_read: NDArray[np.bool_], is_right: NDArray[np.bool_]) -> dict[str, float]:
    """Return the number of words, F1, precision and recall."""
    hits, read, right = int((is_read & is_right).sum()), int(is_read.sum()), int(is_right.sum())
    return {
        "words": len(is_read),
        "f1": 2 * hits / max(1, read + right),
        "precision": hits / max(1, read),
        "recall": hits / max(1, right),
    }


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

    Returns:
        What is asked, to how well it is read.

    Example:
        >>> round(table(AsDecided(shipped()))["family name"].right, 2)
        1.0
    """
    is_right = _is_right(ask(reader, _rows()))
    return {
        name: Figure(int(asked.sum()), float(is_right[asked].mean()))
        for name, asked in _asked().items()
    }


def regressions(before: Mapping[str, Figure], after: Mapping[str, Figure]) -> Iterator[str]:
    """Yield what of a table has fallen by more than `TOLERANCE`.

    Yields:
        Parts of a sentence.

    Example:
        >>> [*regressions({"family name": Figure(200, 0.99)}, {"family name": Figure(200, 0.9)})]
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
    """Return which words each figure asks, of those that the shipped student is sure of."""
    known = ask(AsDecided(shipped()), _rows())
    person = _person(known)
    is_name = holds(known.allowed, NAMES & ~(1 << NONE))
    is_people = holds(known.allowed, 1 << GIVEN | 1 << FAMILY)
    is_sure = known.probabilities.max(axis=1) >= SURE
    masks = {TAGS[tag]: (known.allowed == 1 << tag) & is_sure for tag in (GIVEN, FAMILY)}
    masks["other names, as no person"] = (
        is_name & ~is_people & (np.maximum(person, 1 - person) >= SURE)
    )
    for word in ("her", "his"):
        for tag, name in enumerate(TAGS):
            asked = (known.spelled == word) & (known.allowed == 1 << tag) & is_sure
            if CASES >> tag & 1 and asked.any():
                masks[f"{word}, {name}"] = asked
    return masks


def _is_right(known: Known) -> NDArray[np.bool_]:
    """Return which words are read rightly."""
    has_tag = holds(known.allowed, 1 << known.probabilities.argmax(axis=1))
    is_other = holds(known.allowed, NAMES & ~(1 << NONE | 1 << GIVEN | 1 << FAMILY))
    is_right: NDArray[np.bool_] = np.where(is_other, _person(known) < 0.5, has_tag)
    return is_right


def _person(known: Known) -> NDArray[np.float64]:
    """Return how likely words are names of people."""
    person: NDArray[np.float64] = known.probabilities[:, [GIVEN, FAMILY]].sum(axis=1)
    return person
