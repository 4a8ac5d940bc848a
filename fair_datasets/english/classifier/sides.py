"""What stands on both sides of words, in columns.

On both sides of a word stand words and punctuation marks; each has a value (what it is), a kind
(its class) and the values of its first and its last letters, all as numbers.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from fair_datasets.english.classifier.values import Columns, Kinds, columns_of, told
from fair_datasets.matching.conditions import Candidates
from fair_datasets.matching.vocabulary import Hashes, hashes, vocabulary
from fair_datasets.matching.words import Mask, Places, Words

# Where a sentence or the text ends.
END = "."
APOSTROPHES = ("'", "’")

# What the gaps between words read as; the first sign that is found in a gap decides.
_SIGNS = {
    **dict.fromkeys(("...", "..", "…"), "…"),
    **dict.fromkeys((".", "!", "?", "\n\n", "\r\n\r\n"), END),
    **dict.fromkeys((";", ":"), ";"),
    **dict.fromkeys(("--", "—", "–", " -", "- "), "--"),
    ",": ",",
    **dict.fromkeys("()[]", "("),
    **dict.fromkeys(('"', "“", "”", "‘", "'", "’", "`"), '"'),
    **dict.fromkeys("\n\r", "|"),
    "/": "/",
    "-": "-",
}
_EMPHASIS = str.maketrans("", "", "*_~")


@lru_cache(maxsize=4096)
def sign_of(gap: str) -> str:
    """Return what stands between two words as one sign.

    Args:
        gap: All that stands between them.

    Returns:
        The sign that divides them most; empty for a space.

    Example:
        >>> sign_of(" -- "), sign_of(" ")
        ('--', '')
    """
    plain = gap.translate(_EMPHASIS)
    if plain in ("", *APOSTROPHES) or (plain.isspace() and not {"\n", "\r"} & {*plain}):
        return ""
    return next((sign for text, sign in _SIGNS.items() if text in plain), "#")


_PADDING = "_"

# Pronouns as subject, object, determiner, possessive and reflexive.
PERSONS = (
    ("he", "him", "his", "his", "himself"),
    ("she", "her", "her", "hers", "herself"),
    ("i", "me", "my", "mine", "myself"),
    ("we", "us", "our", "ours", "ourselves"),
    ("they", "them", "their", "theirs", "themselves"),
    ("you", "you", "your", "yours", "yourself"),
    ("it", "it", "its", "its", "itself"),
)
# Around a pronoun, pronouns read as the same person or as another: "she lost her keys" and "he lost
# his keys" are the same context, so that either teaches both.
_SAME = ("=he", "=him", "=him", "=him", "=himself")
_OTHER = {
    **dict.fromkeys(("he", "she"), "~he"),
    **dict.fromkeys(("himself", "herself"), "~himself"),
    **dict.fromkeys(("hers", "mine", "ours", "theirs", "yours"), "~hers"),
    **dict.fromkeys(("my", "our", "their", "your"), "~my"),
}
ROLES = {word: _OTHER | dict(zip(forms, _SAME, strict=True)) for forms in PERSONS for word in forms}

vocabulary().expect(lambda: ROLES)


def is_role(words: Words, places: Places) -> Mask:
    """Tell which words are pronouns that have cases."""
    known: Mask = vocabulary().listed("roles", lambda: ROLES)[words.number[places]]
    return known


class _Stream(NamedTuple):
    """The words of texts with the signs between them, one after the other.

    Attributes:
        place: The place of each word; that of the word behind for a sign. Shape (S,).
        is_sign: Whether it is a sign, or the end of a text. Shape (S,).
        is_stop: Whether nothing beyond it is read. Shape (S,).
        of_place: Where each word is. Shape (P,).
    """

    place: Places
    is_sign: Mask
    is_stop: Mask
    of_place: Places


class Side(NamedTuple):
    """Words and signs on one side of candidates, the nearest first, and what they are known by.

    Attributes:
        value: What each is. Shape (size, C).
        last: Its last letters. Shape (size, C).
        first: Its first letters. Shape (size, C).
        kind: Its class. Shape (size, C).
        place: Its place. Shape (size, C).
        is_plain: Whether it is a word, as it is written. Shape (size, C).
    """

    value: Hashes
    last: Hashes
    first: Hashes
    kind: Hashes
    place: Places
    is_plain: Mask

    def part(self, several: slice) -> "Side":
        """Return some of the words and signs."""
        return Side(
            self.value[several], self.last[several], self.first[several], self.kind[several],
            self.place[several], self.is_plain[several],
        )  # fmt: skip


class Sides:
    """Reads what stands around words.

    Args:
        class_of: Returns the class of a word.
    """

    def __init__(self, class_of: Callable[[str], str]) -> None:
        """Have read nothing yet."""
        self._classes = Kinds(class_of)
        self._signs: list[str] = []
        self._of_signs = columns_of([])
        self._read: tuple[Words, _Stream] | None = None

    def _stream(self, words: Words) -> _Stream:
        """Return words and signs of texts as they are read: once for the same texts."""
        last = self._read
        if last is None or last[0] is not words:
            self._read = last = words, self._streamed(words)
        return last[1]

    def _streamed(self, words: Words) -> _Stream:
        """Put the signs between the words."""
        of_signs = self._signs_of(words)
        sign = of_signs.value[words.sign]
        # No sign is read before the end of a text, nor before its first word.
        has_sign = (sign != told("").value) & ~words.is_end
        size = 1 + has_sign
        of_place = np.cumsum(size) - 1
        place = np.repeat(np.arange(len(words)), size)
        is_sign = np.zeros(len(place), np.bool_)
        is_sign[of_place[has_sign] - 1] = True
        is_stop = is_sign & (sign[place] == told(END).value)
        is_stop[of_place[words.is_end]] = is_sign[of_place[words.is_end]] = True
        return _Stream(place, is_sign, is_stop, of_place)

    def read(self, found: Candidates, before: int, after: int) -> tuple[Side, Side]:
        """Read the words and signs on both sides of words, the nearest first.

        Args:
            found: The words.
            before: How many words and signs are read on the left side.
            after: How many on the right one.

        Returns:
            The words and signs of each side, as far as the sentence goes.
        """
        words, stream = found.words, self._stream(found.words)
        here = stream.of_place[found.places]
        first = stream.of_place[found.first]
        steps = np.concatenate((-np.arange(1, before + 1), np.arange(1, after + 1)))
        at = here + steps[:, None]
        # Before the first word of a text, as behind its last, it ends.
        is_before = at < first
        at = np.where(is_before, 0, np.minimum(at, len(stream.place) - 1))
        is_stop = stream.is_stop[at] | is_before
        is_end = is_before | (stream.is_sign[at] & words.is_end[stream.place[at]])
        is_over = np.zeros(at.shape, np.bool_)
        for side in (slice(before), slice(before, None)):
            is_over[side][1:] = np.logical_or.accumulate(is_stop[side], axis=0)[:-1]
        both = self._described(found, stream, at, before, is_end, is_over)
        return both.part(slice(before)), both.part(slice(before, None))

    def _described(
        self, found: Candidates, stream: _Stream, at: Places, before: int, is_end: Mask,
        is_over: Mask,
    ) -> Side:  # fmt: skip
        """Return what words and signs are known by, of which so many stand on the left."""
        words, place, is_sign = found.words, stream.place[at], stream.is_sign[at] | is_end
        content, begin, stop = words.spelt
        starts, ends = begin[place], stop[place]
        value, kind = words.hash[place], np.zeros(at.shape, np.uint64)
        last = hashes(content, np.maximum(ends - 3, starts).ravel(), ends.ravel())
        first = hashes(content, starts.ravel(), np.minimum(starts + 4, ends).ravel())
        last, first = last.reshape(at.shape), first.reshape(at.shape)
        is_plain = ~is_sign & ~is_over
        for cell, token in _written_otherwise(found, place, is_plain).items():
            is_plain[cell] = False
            value[cell], last[cell], first[cell] = told(token)
            kind[cell] = value[cell]
        kind[is_plain] = self._classes.of(words, place[is_plain])
        # Capitals on the left often open a sentence, and beside a capital may be a title's.
        reads_case = is_plain & words.is_lower(found.places)
        reads_case[:before] = False
        cells = np.nonzero(reads_case)
        is_name = words.is_title(place[cells])
        is_name &= words.number[place[cells]] != vocabulary().number("i")
        kind[tuple(index[is_name] for index in cells)] = told("P").value
        of_signs = self._signs_of(words)
        signs = words.sign[place]
        for column, of_sign in zip((value, last, first), of_signs, strict=True):
            column[is_sign] = of_sign[signs[is_sign]]
        for held, token in ((is_end, END), (is_over, _PADDING)):
            value[held], last[held], first[held] = told(token)
        is_other = is_sign | is_over
        kind[is_other] = value[is_other]
        return Side(value, last, first, kind, place, is_plain)

    def _signs_of(self, words: Words) -> Columns:
        """Return what the signs of some texts are known by."""
        texts = words.signs.texts
        if self._signs is not texts or len(self._of_signs.value) < len(texts):
            self._signs, self._of_signs = texts, columns_of(list(map(sign_of, texts)))
        return self._of_signs


def _written_otherwise(found: Candidates, place: Places, is_word: Mask) -> dict[Any, str]:
    """Return what stands for pronouns around a pronoun, and for what is behind an apostrophe."""
    words = found.words
    tokens: dict[Any, str] = {}
    cells = np.nonzero(is_word & is_role(words, place) & is_role(words, found.places))
    for size, row in zip(*(index.tolist() for index in cells), strict=True):
        roles = ROLES[words.lower(int(found.places[row]))]
        word = words.lower(int(place[size, row]))
        if word in roles:
            tokens[size, row] = roles[word]
    apostrophes = [words.signs.number(sign) for sign in APOSTROPHES]
    is_joined = (words.sign[place] == apostrophes[0]) | (words.sign[place] == apostrophes[1])
    cells = np.nonzero(is_word & is_joined)
    for size, row in zip(*(index.tolist() for index in cells), strict=True):
        tokens[size, row] = "'" + words.lower(int(place[size, row]))
    return tokens
