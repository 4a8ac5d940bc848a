"""What the student sees of a word: rows of its table, by the letters, the lists and what is before.

The rows of a word are found by hashing, so that the table holds no word. All that tells two words
apart here is in their first and last eight letters and in how many they are.
"""

from collections.abc import Iterable, Iterator
from functools import cache

import numpy as np
from numpy.typing import NDArray

from fair_datasets.lexicons import load_lexicon
from fair_datasets.matching.name_reasons import names_without_group
from fair_datasets.matching.signs import digest
from fair_datasets.matching.vocabulary import Hashes, hash_of, hashes
from fair_datasets.matching.words import Places, Words

Rows = NDArray[np.int32]

WORDS, AFFIXES, SIGNS, SHAPES, LISTS = 14336, 4096, 512, 256, 768
"""How many rows the table has for words, affixes, signs, shapes, and for the lists."""
SIZE = WORDS + AFFIXES + SIGNS + SHAPES + LISTS
COUNT = 14
"""How many rows of the table each word has."""

_MIXER, _SHIFT = np.uint64(0x9E3779B97F4A7C15), np.uint64(29)
_MASKS = np.array([(1 << 8 * length) - 1 for length in range(9)], np.uint64)
_BYTE = np.uint64(8)
_FIRST_NAMES = 0b11
_CASE = np.uint8(0b01110001)


def keys(words: Words, places: Places) -> Hashes:
    """Return what tells words apart, as they are written and with the sign before them.

    Args:
        words: The words of texts.
        places: Which of them. Shape (W,).

    Returns:
        A number for each; that of two words is equal if the student sees no difference. Shape (W,).
    """
    found = _letters(words, places) ^ words.shape[places].astype(np.uint64) * _MIXER
    return _mixed(_mixed(found) ^ words.signs.digests[words.sign[places]])


def rows(words: Words, places: Places) -> Rows:
    """Return the rows of the table that words have.

    Args:
        words: The words of texts.
        places: Which of them. Shape (W,).

    Returns:
        The numbers of the rows. Shape (W, 14).
    """
    found = np.empty((len(places), COUNT), np.int32)
    letters, shape = _letters(words, places), words.shape[places]
    case = (shape & _CASE).astype(np.uint64)
    found[:, 0] = _row(letters, WORDS, 0)
    found[:, 1] = _row(letters ^ case * _MIXER, WORDS, 1)
    begin = WORDS
    for column, affix in enumerate(_affixes(words, places)):
        found[:, 2 + column] = begin + _row(affix, AFFIXES, column)
    begin += AFFIXES
    for column, sign in enumerate(_signs(words, places)):
        found[:, 8 + column] = begin + _row(sign, SIGNS, column)
    begin += SIGNS
    found[:, 11] = begin + shape.astype(np.int64)
    begin += SHAPES
    listed = _listed(letters)
    found[:, 12] = begin + listed
    found[:, 13] = begin + 256 + _row(listed.astype(np.uint64) ^ case << _BYTE, LISTS - 256, 0)
    return found


def is_listed_first_name(words: Words, places: Places) -> NDArray[np.bool_]:
    """Tell which words are first names of the shipped list.

    Args:
        words: The words of texts.
        places: Which of them. Shape (W,).

    Returns:
        The answers. Shape (W,).

    Example:
        >>> words = Words(["Mary left Austin, said nobody."])
        >>> is_listed_first_name(words, np.arange(5)).tolist()
        [True, False, True, False, False]
    """
    found: NDArray[np.bool_] = (_listed(_letters(words, places)) & _FIRST_NAMES) > 0
    return found


def _letters(words: Words, places: Places) -> Hashes:
    """Return numbers for words in lower case."""
    content, starts, ends = words.spelt_as_listed
    found = words.hash_as_listed[places]
    # Words beyond Latin-1 have no hash in the vocabulary.
    beyond = np.flatnonzero(found == 0)
    asked = places[beyond]
    found[beyond] = hashes(content, starts[asked], ends[asked])
    return found


def _affixes(words: Words, places: Places) -> Iterator[Hashes]:
    """Yield the first two, three and four letters of words, and the last ones."""
    content, starts, ends = words.spelt_as_listed
    eights = np.ndarray((len(content) + 1,), np.dtype("<u8"), content + bytes(8), strides=(1,))
    starts, ends = starts[places], ends[places]
    lengths = ends - starts
    for size in (2, 3, 4):
        yield eights[starts] & _MASKS[np.minimum(lengths, size)]
    for size in (2, 3, 4):
        held = np.minimum(lengths, size)
        yield eights[ends - held] & _MASKS[held]


def _signs(words: Words, places: Places) -> tuple[Hashes, Hashes, Hashes]:
    """Return numbers for the signs before words: the whole, and its first and last character."""
    numbers, inverse = np.unique(words.sign[places], return_inverse=True)
    texts = [words.signs.text(number) for number in numbers.tolist()]
    parts = (texts, [text[:1] for text in texts], [text[-1:] for text in texts])
    whole, first, last = (np.array([digest(text) for text in part], np.uint64) for part in parts)
    return whole[inverse], first[inverse], last[inverse]


def _mixed(numbers: Hashes) -> Hashes:
    """Mix numbers so that all their bits depend on all."""
    found = numbers * _MIXER
    found ^= found >> _SHIFT
    return found * _MIXER


def _row(numbers: Hashes, size: int, salt: int) -> NDArray[np.int64]:
    """Return one of so many rows for each number."""
    found = _mixed(numbers + np.uint64(salt)) >> np.uint64(32)
    return (found * np.uint64(size) >> np.uint64(32)).astype(np.int64)


def _listed(letters: Hashes) -> NDArray[np.int64]:
    """Return which lists of names have words, a bit for each."""
    known, bits = _lists()
    at = np.minimum(np.searchsorted(known, letters), len(known) - 1)
    return np.where(known[at] == letters, bits[at], 0)


@cache
def _lists() -> tuple[Hashes, NDArray[np.int64]]:
    """Return the listed names, as numbers in ascending order, and which lists have them."""
    found: dict[int, int] = {}
    for bit, names in enumerate(_names()):
        for name in names:
            number = hash_of(name)
            found[number] = found.get(number, 0) | 1 << bit
    ordered = sorted(found)
    return np.array(ordered, np.uint64), np.array([found[each] for each in ordered], np.int64)


def _names() -> Iterator[Iterable[str]]:
    """Yield the names of each list, in lower case."""
    forms = [
        (side, form)
        for entry in load_lexicon("first_names").entries
        for side, several in entry.forms.items()
        for form in several
    ]
    for side in ("man", "woman"):
        yield [form.text.lower() for own, form in forms if own == side]
    for flag in (("word", "proper"), ("place",), ("surname",)):
        yield [form.text.lower() for _, form in forms if set(flag) & set(form.flags)]
    for name in ("race_first_names", "race_surnames"):
        lexicon = load_lexicon(name)
        yield [
            form.text.lower()
            for entry in lexicon.entries
            for several in entry.forms.values()
            for form in several
        ]
    yield names_without_group()
