"""What stands around words, as numbers: the features of the classifier.

On both sides of a word stand words and punctuation marks; each has a value (what it is), a kind
(its class) and the values of its first and its last letters. A feature joins some of these; its key
is a number of 64 bits mixed from theirs.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fair_datasets.english.classifier.signs import APOSTROPHES, END, sign_of
from fair_datasets.matching.conditions import Candidates
from fair_datasets.matching.vocabulary import Hashes, hash_of, hashes, vocabulary
from fair_datasets.matching.words import Mask, Places, Words

Numbers = NDArray[np.int64]

BEFORE, AFTER = 2, 5
"""How many words and punctuation marks are read on the left and on the right."""
_MIXER, _SHIFT = np.uint64(0x9E3779B97F4A7C15), np.uint64(23)
_PADDING = "_"
# The one sign that Latin-1 does not have, and what stands for it.
_ELLIPSIS, _AS_LATIN = "…", "\x85"

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
_NOROLES: Mapping[str, str] = {}


vocabulary().expect(lambda: (*ROLES, "i"))

# The features: a letter, whether they tell a word that ends in s from others, and what they join:
# the words p before, the nearest first, and n behind; their classes a and b; the last letters of a
# word (-) and its first (+); what a verb before takes (v) and what the word behind may be (k).
_ALL = (
    ("", True, ""), ("a", True, "p1"), ("b", False, "p2"), ("e", False, "n1"), ("f", False, "n2"),
    ("g", False, "n3"), ("h", False, "n4"), ("i", False, "n5"), ("j", False, "n1-"),
    ("k", False, "n2-"), ("l", False, "p1-"), ("M", False, "p1+"), ("N", False, "p1+ b1"),
    ("O", False, "p1+ b1 b2"), ("m", True, "a1"), ("n", False, "a2"), ("o", False, "b1"),
    ("p", False, "b2"), ("q", False, "b3"), ("r", False, "n1 n2"), ("s", True, "p1 n1"),
    ("t", False, "p2 p1"), ("u", False, "n2 n3"), ("v", True, "a1 b1"), ("w", False, "b1 b2"),
    ("x", False, "b2 b3"), ("y", True, "a2 a1"), ("z", False, "b1 b2 b3"), ("A", True, "a1 b1 b2"),
    ("B", True, "a2 a1 b1"), ("C", True, "p1 b1"), ("D", False, "p1 b1 b2"), ("E", True, "a1 n1"),
    ("F", False, "n1 b2"), ("G", False, "n1 b2 b3"), ("H", False, "p2 p1 b1"),
    ("I", False, "a2 a1 b1 b2"), ("J", False, "a1 b1 b2 b3"), ("K", False, "b1 b2 b3 b4"),
)  # fmt: skip
# Of the questions about the case of a pronoun, to which verbs and the words behind say more.
_OF_CASES = (
    ("P", False, "v k"), ("Q", False, "v b1 b2"), ("R", False, "v k b2"), ("S", False, "k b2 b3"),
    ("T", False, "v n1-"), ("U", False, "p1 k"), ("V", False, "a2 v k"), ("W", False, "v k n2"),
)  # fmt: skip
_CASES = ("her", "his")


class _Told(NamedTuple):
    """What a word or a sign is known by: itself, its last and its first letters."""

    value: int
    last: int
    first: int


def value_of(text: str) -> int:
    """Return what a word, a sign or a class is known by."""
    return hash_of(text.replace(_ELLIPSIS, _AS_LATIN))


@cache
def _told(token: str) -> _Told:
    return _Told(value_of(token), value_of(token[-3:]), value_of(token[:4]))


class Kinds:
    """The values of the kinds of words, which are asked for once.

    Args:
        kind: Returns the kind of a word; empty if it has none.
        of_all: Whether words that nothing is known of have kinds.
    """

    def __init__(self, kind: Callable[[str], str], *, of_all: bool) -> None:
        """Know no word yet."""
        self._kind = kind
        self._of_all = of_all
        self._known = np.zeros(0, np.uint64)
        self._unknown: dict[int, int] = {}

    def of(self, words: Words, places: Places) -> Hashes:
        """Return the values of the kinds of the words at some places; 0 where there is none."""
        vocabulary_ = vocabulary()
        if len(self._known) < len(vocabulary_):
            numbers = range(len(self._known), len(vocabulary_))
            new = [self._value(vocabulary_.word(number)) for number in numbers]
            self._known = np.append(self._known, np.array(new, np.uint64))
        found = self._known[words.number[places]]
        if self._of_all:
            for row in np.flatnonzero(words.number[places] == 0).tolist():
                key = int(words.hash[places[row]])
                if key not in self._unknown or not key:
                    self._unknown[key] = self._value(words.lower(int(places[row])))
                found[row] = self._unknown[key]
        return found

    def _value(self, word: str) -> int:
        kind = self._kind(word)
        return value_of(kind) if kind or self._of_all else 0


class _Columns(NamedTuple):
    """What words and signs are known by. Shape (W,) each."""

    value: Hashes
    last: Hashes
    first: Hashes


def _columns(tokens: Sequence[str]) -> _Columns:
    """Return what some words and signs are known by."""
    told = np.array([_told(token) for token in tokens], np.uint64).reshape(-1, 3)
    return _Columns(told[:, 0], told[:, 1], told[:, 2])


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


class Features:
    """Returns the keys of the features of words.

    Args:
        class_of: Returns the class of a word.
        verbs: Letters for what stands behind a verb.
        kinds: Letters for what a word behind a pronoun may be.
    """

    def __init__(
        self, class_of: Callable[[str], str], verbs: Mapping[str, str], kinds: Mapping[str, str]
    ) -> None:
        """Set out to describe words."""
        for listed in (verbs, kinds):
            vocabulary().expect(lambda listed=listed: listed)
        self._classes = Kinds(class_of, of_all=True)
        self._verbs = Kinds(lambda word: verbs.get(word, ""), of_all=False)
        self._kinds = Kinds(lambda word: kinds.get(word, ""), of_all=False)
        self._signs: list[str] = []
        self._of_signs = _columns([])
        self._read: tuple[Words, _Stream] | None = None

    def keys(self, question: str, found: Candidates) -> Hashes:
        """Return the keys of the features of words.

        Args:
            question: One of the questions.
            found: The words, which are masked.

        Returns:
            The keys. Shape (F, C).
        """
        left, right = self._side(found, -1, BEFORE), self._side(found, 1, AFTER)
        values = {f"p{k + 1}": left.value[k] for k in range(BEFORE)}
        values |= {f"a{k + 1}": left.kind[k] for k in range(BEFORE)}
        values |= {f"n{k + 1}": right.value[k] for k in range(AFTER)}
        values |= {f"b{k + 1}": right.kind[k] for k in range(AFTER)}
        values |= {"n1-": right.last[0], "n2-": right.last[1]}
        values |= {"p1-": left.last[0], "p1+": left.first[0]}
        templates = _ALL
        if question in _CASES:
            templates = (*_ALL, *_OF_CASES)
            values["v"] = self._listed(self._verbs, found, left)
            values["k"] = self._listed(self._kinds, found, right)
        # All that is seen of a word other than a pronoun: host or hosts.
        is_pronoun = vocabulary().those(ROLES.keys, ROLES.__contains__)
        ends = found.words.ending(found.places, ("s",))
        ends &= ~is_pronoun[found.words.number[found.places]]
        keys = np.empty((len(templates), len(found.places)), np.uint64)
        for row, (letter, tells_s, joined) in enumerate(templates):
            key = _begun(letter) + (ends if tells_s else np.zeros_like(ends)).astype(np.uint64)
            for name in joined.split():
                key = (key ^ values[name]) * _MIXER
                key ^= key >> _SHIFT
            keys[row] = key
        return keys

    def _listed(self, kinds: Kinds, found: Candidates, side: "_Side") -> Hashes:
        """Return the letters of the nearest words, or their classes where they have none."""
        values = side.kind[0].copy()
        rows = np.flatnonzero(side.is_plain[0])
        letters = kinds.of(found.words, side.place[0][rows])
        values[rows] = np.where(letters > 0, letters, values[rows])
        return values

    def _stream(self, words: Words) -> _Stream:
        """Return words and signs of texts as they are read: once for the same texts."""
        if self._read is None or self._read[0] is not words:
            self._read = words, self._streamed(words)
        return self._read[1]

    def _streamed(self, words: Words) -> _Stream:
        """Put the signs between the words."""
        of_signs = self._signs_of(words)
        sign = of_signs.value[words.sign]
        # No sign is read before the end of a text, nor before its first word.
        has_sign = (sign != _told("").value) & ~words.is_end
        size = 1 + has_sign
        of_place = np.cumsum(size) - 1
        place = np.repeat(np.arange(len(words)), size)
        is_sign = np.zeros(len(place), np.bool_)
        is_sign[of_place[has_sign] - 1] = True
        is_stop = is_sign & (sign[place] == _told(END).value)
        is_stop[of_place[words.is_end]] = is_sign[of_place[words.is_end]] = True
        return _Stream(place, is_sign, is_stop, of_place)

    def _side(self, found: Candidates, step: int, size: int) -> "_Side":
        """Read the words and signs on one side, the nearest first."""
        words, stream = found.words, self._stream(found.words)
        here = stream.of_place[found.places]
        first = stream.of_place[found.first]
        at = here + step * np.arange(1, size + 1)[:, None]
        # Before the first word of a text, as behind its last, it ends.
        is_before = at < first
        at = np.where(is_before, 0, np.minimum(at, len(stream.place) - 1))
        is_stop = stream.is_stop[at] | is_before
        is_end = is_before | (stream.is_sign[at] & words.is_end[stream.place[at]])
        is_over = np.zeros(at.shape, np.bool_)
        is_over[1:] = np.logical_or.accumulate(is_stop, axis=0)[:-1]
        return self._described(found, stream, at, step, is_end, is_over)

    def _described(
        self, found: Candidates, stream: _Stream, at: Places, step: int, is_end: Mask, is_over: Mask
    ) -> "_Side":
        """Return what words and signs are known by."""
        words, place, is_sign = found.words, stream.place[at], stream.is_sign[at] | is_end
        starts, ends = words.start[place], words.end[place]
        value, kind = words.hash[place], np.zeros(at.shape, np.uint64)
        last = hashes(words.content, np.maximum(ends - 3, starts).ravel(), ends.ravel())
        first = hashes(words.content, starts.ravel(), np.minimum(starts + 4, ends).ravel())
        last, first = last.reshape(at.shape), first.reshape(at.shape)
        is_plain = ~is_sign & ~is_over
        for cell, token in _written_otherwise(found, place, is_plain).items():
            is_plain[cell] = False
            value[cell], last[cell], first[cell] = _told(token)
            kind[cell] = value[cell]
        kind[is_plain] = self._classes.of(words, place[is_plain])
        if step > 0:
            # Capitals on the left often open a sentence, and beside a capital may be a title's.
            reads_case = is_plain & words.is_lower(found.places)
            cells = np.nonzero(reads_case)
            is_name = words.is_title(place[cells])
            is_name &= words.number[place[cells]] != vocabulary().number("i")
            kind[tuple(index[is_name] for index in cells)] = _told("P").value
        of_signs = self._signs_of(words)
        signs = words.sign[place]
        for held, told in (
            (is_sign, _Columns(*(column[signs] for column in of_signs))),
            (is_end, _Columns(*(np.full(at.shape, each, np.uint64) for each in _told(END)))),
            (is_over, _Columns(*(np.full(at.shape, each, np.uint64) for each in _told(_PADDING)))),
        ):
            value[held], last[held], first[held] = (
                told.value[held],
                told.last[held],
                told.first[held],
            )
            kind[held] = told.value[held]
        return _Side(value, last, first, kind, place, is_plain)

    def _signs_of(self, words: Words) -> _Columns:
        """Return what the signs of some texts are known by."""
        texts = words.signs.texts
        if self._signs is not texts or len(self._of_signs.value) < len(texts):
            self._signs, self._of_signs = texts, _columns(list(map(sign_of, texts)))
        return self._of_signs


class _Side(NamedTuple):
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


def _written_otherwise(found: Candidates, place: Places, is_word: Mask) -> dict[Any, str]:
    """Return what stands for pronouns around a pronoun, and for what is behind an apostrophe."""
    words = found.words
    tokens: dict[Any, str] = {}
    asked = words.number[found.places]
    is_role = vocabulary().those(ROLES.keys, ROLES.__contains__)
    cells = np.nonzero(is_word & is_role[words.number[place]] & is_role[asked])
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


def _begun(letter: str) -> np.uint64:
    """Return what the key of a feature begins with."""
    return np.uint64(2 * (ord(letter) if letter else 1) + 1000)
