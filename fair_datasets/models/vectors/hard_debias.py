"""Hard-debiasing: neutral words lose what they have along a direction; pairs differ by it alone."""

from collections.abc import Sequence
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fair_datasets.lexicons import lexicon_files
from fair_datasets.lexicons.shipped import listed_words, listing_lexicons
from fair_datasets.models.vectors.direction import DemographicDirection
from fair_datasets.models.vectors.load import load_word_vectors
from fair_datasets.models.vectors.word_pairs import given_pairs, published_pairs, word_direction
from fair_datasets.models.vectors.word_vectors import WordVectors
from fair_datasets.system import checks
from fair_datasets.system.checks import InputError
from fair_datasets.system.portable import file_digests

_OWNER = "hard_debias"
_PART = 100_000
# Of a vector of length 1 in single precision, no less than this is more than rounding.
_NOTHING = 1e-6

Floats = NDArray[np.float64]


def hard_debias(
    vectors: Any,
    direction: DemographicDirection | str | PathLike[str] | None = None,
    *,
    equalize_pairs: str | Sequence[tuple[str, str]] = "equalize",
    axis: str = "gender",
    names: bool = False,
    terms: tuple[str, ...] | str = (),
) -> WordVectors:
    """Take a direction out of the vectors of neutral words, and put the words of pairs around it.

    All vectors are brought to length 1. Those of neutral words lose their component along the
    direction. Those of a pair are put on both sides of what they have in common without the
    direction, each on its own side, so that every neutral word is as similar to one as to the
    other. Words that name an attribute by their meaning, such as "waitress", stay as they are.

    It takes the direction out of single vectors; what words have in common with each other stays,
    and can still tell which of them were near one end.

    Args:
        direction: The direction; None for that of the axis's own pairs, see `word_direction`.
        equalize_pairs: The pairs, or the name of a published set. Each is taken in lower case, with
            a capital and in capitals. A word is in one pair alone; a pair that is given again, also
            the other way round, counts once.
        axis: The axis whose words are not neutral: a shipped lexicon's name, or a `.tsv` file.
        names: Whether names that have the axis's attributes are not neutral, either.

    Returns:
        The vectors, in memory; `save("file.npz")` writes them for `load_word_vectors`. Their
        `provenance` has the numbers of words and pairs, and the pairs of which a word is missing.
        A neutral word that lies along the direction has nothing left, and is zero.

    Source:
        Bolukbasi et al. (2016), Man is to Computer Programmer as Woman is to Homemaker?, section 6,
        and their code `debiaswe`, whose 52 pairs are the set "equalize". Its list of words that are
        not neutral is not part of it; here it is the lexicon, and the words of the pairs.
    """
    found = load_word_vectors(vectors)
    axis = checks.axis_name(axis, owner=_OWNER)
    names = checks.switch(names, owner=_OWNER, parameter="names")
    terms = checks.strings(terms, owner=_OWNER, parameter="terms")
    if direction is None:
        direction = word_direction(found, axis=axis)
    elif not isinstance(direction, DemographicDirection):
        if not isinstance(direction, str | PathLike):
            raise InputError(
                f"{_OWNER}: direction must be a DemographicDirection or the file of one, but it is "
                f"a {type(direction).__name__}; give pairs to equalise as equalize_pairs, and "
                "pairs that make a direction to word_direction."
            )
        direction = DemographicDirection.from_pretrained(direction)
    if direction.axis != Path(axis).stem:
        raise InputError(
            f"{_OWNER}: the direction is of the axis {direction.axis!r}, but axis is {axis!r}; "
            "give a direction and an axis that fit each other."
        )
    direction.refuse_width(found.width, f"the word vectors {found.name!r}")
    pairs = _pairs(equalize_pairs, axis)
    rows, missing = _rows(found, pairs)
    kept = _listed_rows(found, axis, names, terms).union(*rows)
    table = _neutralized(found, direction.vector, kept)
    for first, second in rows:
        table[first], table[second] = equalized(table[first], table[second], direction.vector)
    told = {
        "method": "hard-debiasing",
        "vectors_sha256": found.digest,
        "axis": direction.axis,
        "neutral_words": len(found) - len(kept),
        "other_words": len(kept),
        "pairs": len(rows),
        "missing": missing,
    }
    return WordVectors(f"{found.name}, hard-debiased", table, found.index, provenance=told)


def equalized(first: Floats, second: Floats, direction: Floats) -> tuple[Floats, Floats]:
    """Put two vectors of length 1 on both sides of what they share without a direction.

    Returns:
        Both, of length 1: their mean without the direction, plus and minus as much of the direction
        as makes the length 1; each on the side on which it was.

    Example:
        >>> he, she = np.array([1.0, 0.0]), np.array([0.6, 0.8])
        >>> first, second = equalized(he, she, np.array([1.0, 0.0]))
        >>> first.round(3).tolist(), second.round(3).tolist()
        ([0.917, 0.4], [-0.917, 0.4])
    """
    middle = (first.astype(np.float64) + second) / 2
    shared = middle - (middle @ direction) * direction
    rest = max(0.0, 1 - float(shared @ shared)) ** 0.5
    side = rest if (first.astype(np.float64) - second) @ direction >= 0 else -rest
    return _units(shared + side * direction), _units(shared - side * direction)


def _pairs(pairs: Any, axis: str) -> list[tuple[str, str]]:
    """Return the pairs that are named or given, each once, or raise where they share a word."""
    if isinstance(pairs, str):
        found = published_pairs(axis, pairs, owner=_OWNER)
    else:
        found = given_pairs(pairs, owner=_OWNER)
    if not found:
        raise InputError(f"{_OWNER}: equalize_pairs is empty; give at least one pair of words.")
    # As they are equalized in each case, words that differ in it alone are the same.
    of_word: dict[str, frozenset[str]] = {}
    once: dict[frozenset[str], tuple[str, str]] = {}
    for pair in found:
        words = frozenset(word.lower() for word in pair)
        if len(words) < 2:
            raise InputError(
                f"{_OWNER}: equalize_pairs pairs {pair[0]!r} with itself; give two words."
            )
        for word in pair:
            if of_word.setdefault(word.lower(), words) != words:
                raise InputError(
                    f"{_OWNER}: {word!r} is in several of equalize_pairs, but a word can be in "
                    "only one; leave it in one."
                )
        once.setdefault(words, pair)
    return list(once.values())


def _rows(
    vectors: WordVectors, pairs: Sequence[tuple[str, str]]
) -> tuple[list[tuple[int, int]], list[list[str]]]:
    """Return the rows of the pairs as they may be written, and the pairs that have none."""
    rows: dict[tuple[int, int], None] = {}
    missing = []
    for first, second in pairs:
        forms = [(form(first), form(second)) for form in (str, str.lower, str.title, str.upper)]
        found = vectors.index.find([word for pair in forms for word in pair]).reshape(-1, 2)
        known = [
            (one, other)
            for one, other in found.tolist()
            if min(one, other) >= 0 and vectors.matrix[[one, other]].any(axis=1).all()
        ]
        rows.update(dict.fromkeys(known))
        if not known:
            missing.append([first, second])
    if not rows:
        raise InputError(
            f"{_OWNER}: no pair has a vector for both words, such as {' and '.join(pairs[0])}; "
            "give equalize_pairs whose words the vectors have."
        )
    return list(rows), missing


def _listed_rows(vectors: WordVectors, axis: str, names: bool, terms: tuple[str, ...]) -> set[int]:
    """Return the rows of the words that name an attribute by their meaning."""
    files = [lexicon_files(name) for name in listing_lexicons(axis, names)]
    digests = file_digests({key: path for each in files for key, path in each.items()})
    words = listed_words(axis, names, terms, digests)
    forms = sorted({form for word in words for form in (word, word.capitalize(), word.upper())})
    return {row for row in vectors.index.find(forms).tolist() if row >= 0}


def _neutralized(vectors: WordVectors, direction: Floats, kept: set[int]) -> NDArray[np.float32]:
    """Return all vectors with length 1, those of neutral words without the direction."""
    table = np.empty((len(vectors), vectors.width), np.float32)
    is_neutral = np.ones(len(vectors), bool)
    is_neutral[sorted(kept)] = False
    for start in range(0, len(vectors), _PART):
        rows = np.arange(start, min(start + _PART, len(vectors)))
        units = vectors.units(rows)
        neutral = is_neutral[rows]
        units[neutral] -= np.outer(units[neutral] @ direction, direction)
        units[np.linalg.norm(units, axis=1) < _NOTHING] = 0.0
        table[rows] = _units(units)
    return table


def _units(rows: Floats) -> Floats:
    """Bring vectors to length 1; one that is zero stays so."""
    lengths = np.linalg.norm(rows, axis=-1, keepdims=True)
    found: Floats = rows / np.where(lengths > 0, lengths, 1.0)
    return found
