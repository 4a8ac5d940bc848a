"""Resolving words by their context with a small log-linear model.

A word whose spelling leaves its part open ("her", "his", the s of "he's", "host") is decided by
what stands around it: the words, their classes and the punctuation on both sides, alone and in
combination. The word itself is masked. The weights are data: `classifier.npz`, made by
`train` and described in `classifier.toml`.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property, lru_cache
from operator import itemgetter
from pathlib import Path
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from fair_datasets.reader.matching.token_batch import Candidates, Mask, Places, TokenBatch
from fair_datasets.reader.matching.tokenizer import Tokens
from fair_datasets.reader.matching.vocabulary import (
    Hashes,
    hash_of,
    hashes,
    memoize,
    vocabulary,
)

# The one sign that Latin-1 does not have, and what stands for it.
_ELLIPSIS, _AS_LATIN = "…", "\x85"
# How many words and signs are kept with what they are known by.
_CACHE_SIZE = 1 << 14


class TokenKeys(NamedTuple):
    """What a word or a sign is known by: itself, its last and its first letters."""

    value: int
    last: int
    first: int


@lru_cache(maxsize=_CACHE_SIZE)
def value_of(text: str) -> int:
    """Return what a word, a sign or a class is known by."""
    return hash_of(text.replace(_ELLIPSIS, _AS_LATIN))


@lru_cache(maxsize=_CACHE_SIZE)
def token_keys(token: str) -> TokenKeys:
    """Return what a word or a sign is known by."""
    return TokenKeys(value_of(token), value_of(token[-3:]), value_of(token[:4]))


class Kinds:
    """The values of the kinds of all words, each of which is asked for once.

    Args:
        kind: Returns the kind of a word.
    """

    def __init__(self, kind: Callable[[str], str]) -> None:
        """Know no word yet."""
        self._value = memoize(lambda word: value_of(kind(word)))
        # By the numbers of words: the values, and whether each is known.
        self._columns = (np.zeros(0, np.uint64), np.zeros(0, np.bool_))

    def of(self, words: TokenBatch, places: Places) -> Hashes:
        """Return the values of the kinds of the words at some places. Shape (W,)."""
        known, is_known = self._columns
        new = len(vocabulary()) - len(known)
        if new > 0:
            known = np.append(known, np.zeros(new, np.uint64))
            is_known = np.append(is_known, np.zeros(new, np.bool_))
            self._columns = known, is_known
        numbers = words.number[places]
        values: Hashes = known[numbers]
        asked = (~is_known[numbers]).nonzero()[0]
        several = zip(asked.tolist(), numbers[asked].tolist(), places[asked].tolist(), strict=True)
        for row, number, place in several:
            values[row] = self._value(words.known_as(place))
            if number:
                known[number], is_known[number] = values[row], True
        return values


def columns_of(tokens: Sequence[str]) -> Hashes:
    """Return what some words and signs are known by. Shape (3, W)."""
    return np.array([token_keys(token) for token in tokens], np.uint64).reshape(-1, 3).T


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

vocabulary().preload(lambda: ROLES)


def is_role(words: TokenBatch, places: Places) -> Mask:
    """Return which words are pronouns that have cases."""
    known: Mask = vocabulary().is_listed("roles", lambda: ROLES)[words.number[places]]
    return known


class _Stream(NamedTuple):
    """The words of texts with the signs between them, one after the other."""

    place: Places  #: The place of each word; that of the word behind for a sign. Shape (S,).
    is_sign: Mask  #: Whether it is a sign, or the end of a text. Shape (S,).
    is_stop: Mask  #: Whether nothing beyond it is read. Shape (S,).
    of_place: Places  #: Where each word is. Shape (P,).


class Side(NamedTuple):
    """Words and signs on one side of candidates, the nearest first. Shape (size, C) each."""

    value: Hashes  #: What each is.
    last: Hashes  #: Its last letters.
    first: Hashes  #: Its first letters.
    kind: Hashes  #: Its class.
    place: Places  #: Its place.
    is_plain: Mask  #: Whether it is a word, as it is written.


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
        self._read: tuple[TokenBatch, _Stream] | None = None

    def _stream(self, words: TokenBatch) -> _Stream:
        """Return words and signs of texts as they are read: once for the same texts."""
        last = self._read
        if last is None or last[0] is not words:
            self._read = last = words, self._streamed(words)
        return last[1]

    def _streamed(self, words: TokenBatch) -> _Stream:
        """Put the signs between the words."""
        of_signs = self._signs_of(words)
        sign = of_signs[0][words.sign]
        # No sign is read before the end of a text, nor before its first word.
        has_sign = (sign != token_keys("").value) & ~words.is_end
        size = 1 + has_sign
        of_place = np.cumsum(size) - 1
        place = np.repeat(np.arange(len(words)), size)
        is_sign = np.zeros(len(place), np.bool_)
        is_sign[of_place[has_sign] - 1] = True
        is_stop = is_sign & (sign[place] == token_keys(END).value)
        is_stop[of_place[words.is_end]] = is_sign[of_place[words.is_end]] = True
        return _Stream(place, is_sign, is_stop, of_place)

    def read(self, candidates: Candidates, before: int, after: int) -> tuple[Side, Side]:
        """Read the words and signs on both sides of words, the nearest first.

        Args:
            before: How many words and signs are read on the left side.

        Returns:
            The words and signs of each side, as far as the sentence goes.
        """
        words, stream = candidates.words, self._stream(candidates.words)
        here = stream.of_place[candidates.places]
        first = stream.of_place[candidates.first]
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
        both = self._described(candidates, stream, at, before, is_end, is_over)
        take_before, right = itemgetter(slice(before)), itemgetter(slice(before, None))
        return Side(*map(take_before, both)), Side(*map(right, both))

    def _described(
        self, candidates: Candidates, stream: _Stream, at: Places, before: int, is_end: Mask,
        is_over: Mask,
    ) -> Side:  # fmt: skip
        """Return what words and signs are known by, of which so many stand on the left."""
        words, place, is_sign = candidates.words, stream.place[at], stream.is_sign[at] | is_end
        eights, begin, stop = words.spelt
        starts, ends = begin[place], stop[place]
        value, kind = words.hash[place], np.zeros(at.shape, np.uint64)
        last = hashes(eights, np.maximum(ends - 3, starts).ravel(), ends.ravel())
        first = hashes(eights, starts.ravel(), np.minimum(starts + 4, ends).ravel())
        last, first = last.reshape(at.shape), first.reshape(at.shape)
        is_plain = ~is_sign & ~is_over
        for cell, token in _written_otherwise(candidates, place, is_plain).items():
            is_plain[cell] = False
            value[cell], last[cell], first[cell] = token_keys(token)
            kind[cell] = value[cell]
        kind[is_plain] = self._classes.of(words, place[is_plain])
        # Capitals on the left often open a sentence, and beside a capital may be a title's.
        reads_case = is_plain & words.is_lower(candidates.places)
        reads_case[:before] = False
        side, row = np.nonzero(reads_case)
        is_name = words.is_title(place[side, row])
        is_name &= words.number[place[side, row]] != vocabulary().number("i")
        kind[side[is_name], row[is_name]] = token_keys("P").value
        of_signs = self._signs_of(words)
        signs = words.sign[place]
        for column, of_sign in zip((value, last, first), of_signs, strict=True):
            column[is_sign] = of_sign[signs[is_sign]]
        for held, token in ((is_end, END), (is_over, _PADDING)):
            value[held], last[held], first[held] = token_keys(token)
        is_other = is_sign | is_over
        kind[is_other] = value[is_other]
        return Side(value, last, first, kind, place, is_plain)

    def _signs_of(self, words: TokenBatch) -> Hashes:
        """Return what the signs of some texts are known by."""
        texts = words.signs.texts
        if self._signs is not texts or self._of_signs.shape[1] < len(texts):
            self._signs, self._of_signs = texts, columns_of(list(map(sign_of, texts)))
        return self._of_signs


def _written_otherwise(candidates: Candidates, place: Places, is_word: Mask) -> dict[Any, str]:
    """Return what stands for pronouns around a pronoun, and for what is behind an apostrophe."""
    words = candidates.words
    tokens: dict[Any, str] = {}
    number, word = words.number, vocabulary().word
    own = list(map(word, number[candidates.places].tolist()))
    for size, row in np.argwhere(is_word & is_role(words, place)).tolist():
        if token := ROLES.get(own[row], {}).get(word(number[place[size, row]])):
            tokens[size, row] = token
    apostrophes = [words.signs.number(sign) for sign in APOSTROPHES]
    is_joined = (words.sign[place] == apostrophes[0]) | (words.sign[place] == apostrophes[1])
    for size, row in np.argwhere(is_word & is_joined).tolist():
        tokens[size, row] = "'" + words.lower(int(place[size, row]))
    return tokens


BEFORE, AFTER = 2, 5
"""How many words and punctuation marks are read on the left and on the right."""
_PLACES = tuple(
    f"{letter}{k + 1}"
    for letters, size in (("pa", BEFORE), ("nb", AFTER))
    for letter in letters
    for k in range(size)
)
_MIXER, _SHIFT = np.uint64(0x9E3779B97F4A7C15), np.uint64(23)

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
        self._sides = Sides(class_of)
        self._verbs = Kinds(lambda word: verbs.get(word, ""))
        self._kinds = Kinds(lambda word: kinds.get(word, ""))
        self._cases: tuple[TokenBatch, Places, Hashes] | None = None

    def keys(self, question: str, candidates: Candidates) -> Hashes:
        """Return the keys of the features of words.

        Returns:
            The keys. Shape (F, C).
        """
        if question not in _CASES:
            return self._keys(_ALL, candidates)
        # Both questions are asked of the same texts, and most of what is done does not depend on
        # how many words are asked for.
        words, last = candidates.words, self._cases
        if last is None or last[0] is not words:
            listed = vocabulary().is_listed("cases", lambda: _CASES)
            places = listed[words.number].nonzero()[0]
            keys = self._keys((*_ALL, *_OF_CASES), Candidates(words, places))
            self._cases = last = words, places, keys
        at = last[1].searchsorted(candidates.places)
        is_known = np.append(last[1], -1)[at] == candidates.places
        return last[2][:, at] if is_known.all() else self._keys((*_ALL, *_OF_CASES), candidates)

    def _keys(self, templates: tuple[tuple[str, bool, str], ...], candidates: Candidates) -> Hashes:
        """Return the keys of some features."""
        before, after = self._sides.read(candidates, BEFORE, AFTER)
        sides = (*before.value, *before.kind, *after.value, *after.kind)
        values = dict(zip(_PLACES, sides, strict=True))
        values |= {"n1-": after.last[0], "n2-": after.last[1]}
        values |= {"p1-": before.last[0], "p1+": before.first[0]}
        if templates is not _ALL:
            values["v"] = _letters_or_classes(self._verbs, candidates, before)
            values["k"] = _letters_or_classes(self._kinds, candidates, after)
        # All that is seen of a word other than a pronoun: host or hosts.
        ends = candidates.words.ending(candidates.places, ("s",)) & ~is_role(
            candidates.words, candidates.places
        )
        names = tuple(values)
        stacked = np.stack([values[name] for name in names])
        keys = np.empty((len(templates), len(candidates.places)), np.uint64)
        for group in _groups(templates, names):
            begun = group.begun[:, None] + (group.tells_s[:, None] & ends).astype(np.uint64)
            for joined in group.joined:
                begun = (begun ^ stacked[joined]) * _MIXER
                begun ^= begun >> _SHIFT
            keys[group.rows] = begun
        return keys


class _Group(NamedTuple):
    """T features that join equally many values: J each."""

    rows: NDArray[np.int64]  #: Their numbers. Shape (T,).
    begun: Hashes  #: What their keys begin with. Shape (T,).
    tells_s: Mask  #: Whether they tell a word that ends in s from others. Shape (T,).
    joined: NDArray[np.int64]  #: The numbers of the values. Shape (J, T).


@cache
def _groups(templates: tuple[tuple[str, bool, str], ...], names: tuple[str, ...]) -> list[_Group]:
    """Group features by how many values they join, so that those of a group are made at once."""
    several: dict[int, list[int]] = defaultdict(list)
    for row, (_, _, joined) in enumerate(templates):
        several[len(joined.split())].append(row)
    return [
        _Group(
            np.array(rows),
            np.array([_begun(templates[row][0]) for row in rows], np.uint64),
            np.array([templates[row][1] for row in rows]),
            np.array(
                [[names.index(name) for name in templates[row][2].split()] for row in rows],
                np.int64,
            ).T,
        )
        for rows in several.values()
    ]


def _letters_or_classes(kinds: Kinds, candidates: Candidates, side: Side) -> Hashes:
    """Return the letters of the nearest words, or their classes where they have none."""
    letters: Hashes = side.kind[0].copy()
    is_plain = side.is_plain[0].nonzero()[0]
    own = kinds.of(candidates.words, side.place[0, is_plain])
    letters[is_plain] = np.where(own > 0, own, letters[is_plain])
    return letters


def _begun(letter: str) -> np.uint64:
    """Return what the key of a feature begins with."""
    return np.uint64(2 * (ord(letter) if letter else 1) + 1000)


WEIGHTS = Path(__file__).with_name("classifier.npz")

_VOWELS = frozenset("aeiouy")
# Mappings of words that a file holds.
MAPPINGS = ("classes", "verbs", "kinds")
_SLOT_MIXER = np.uint64(0xC2B2AE3D27D4EB4F)


@dataclass(frozen=True, eq=False)
class Weights:
    """The whole-numbered weights of the features of a question.

    Attributes:
        keys: The keys of the features, in ascending order. Shape (F,).
        weights: Their weights. Shape (F,).
        scale: What a weight of one adds to the log odds.
    """

    keys: Hashes
    weights: NDArray[np.int8]
    scale: float

    @cached_property
    def _slots(self) -> tuple[np.uint64, Hashes, NDArray[np.int8]]:
        """The weights by their keys: at the slot of a key, or at the next that was free."""
        bits = (4 * len(self.keys)).bit_length()
        shift = np.uint64(64 - bits)
        mixed = self.keys * _SLOT_MIXER
        order = np.argsort(mixed)
        wanted = (mixed[order] >> shift).astype(np.int64)
        rank = np.arange(len(order))
        # Each key has its slot, or the one behind the key before it; the last slot stays free.
        slots = np.maximum.accumulate(wanted - rank) + rank
        size = max(1 << bits, slots[-1] + 1 if len(slots) else 0)
        keys = np.zeros(size + 1, np.uint64)
        weights = np.zeros(size + 1, np.int8)
        keys[slots], weights[slots] = self.keys[order], self.weights[order]
        return shift, keys, weights

    def sums(self, keys: Hashes) -> NDArray[np.int64]:
        """Add the weights of features.

        Args:
            keys: Their keys. Shape (F, C).

        Returns:
            The sums. Shape (C,).
        """
        shift, known, weights = self._slots
        wanted = keys.ravel()
        slots = (wanted * _SLOT_MIXER >> shift).astype(np.int64)
        here = known[slots]
        summands = np.where(here == wanted, weights[slots], 0)
        asked = ((here != wanted) & (here != 0)).nonzero()[0]
        while len(asked):
            slots[asked] += 1
            here = known[slots[asked]]
            is_same = here == wanted[asked]
            summands[asked] = np.where(is_same, weights[slots[asked]], 0)
            asked = asked[~is_same & (here != 0)]
        sums: NDArray[np.int64] = summands.reshape(keys.shape).sum(axis=0, dtype=np.int64)
        return sums


@dataclass(frozen=True)
class Classifier:
    """Weights of features, and the classes of words that the features speak of.

    Attributes:
        classes: The class of a word, or of a suffix (written with a hyphen before it).
        weights: For each question, the weights of its features.
        verbs: Letters for what stands behind a verb, see `grammar`.
        kinds: Letters for what a word behind a pronoun may be.
    """

    classes: Mapping[str, str]
    weights: Mapping[str, Weights]
    verbs: Mapping[str, str] = field(default_factory=dict)
    kinds: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def load(cls, path: Path) -> Self:
        """Read a model.

        Args:
            path: The file that `train.save` wrote.
        """
        with np.load(path, allow_pickle=False) as file:
            arrays = {name: file[name] for name in file.files}

        def lines(name: str) -> list[str]:
            text = bytes(arrays[name]).decode("utf-8")
            return text.split("\n") if text else []

        questions = [name.partition(".")[0] for name in arrays if name.endswith(".scale")]
        weights = {
            question: Weights(
                arrays[f"{question}.keys"],
                arrays[f"{question}.weights"],
                float(arrays[f"{question}.scale"]),
            )
            for question in questions
        }
        classes, verbs, kinds = (
            dict(zip(lines(f"{name}.words"), lines(name), strict=True)) for name in MAPPINGS
        )
        return cls(classes, weights, verbs, kinds)

    @cached_property
    def features(self) -> Features:
        """What describes words to this model."""
        return Features(self.class_of, self.verbs, self.kinds)

    def decide(self, question: str, candidates: Candidates) -> NDArray[np.float64]:
        """Answer a question about words, as the module's `decide` does.

        Returns:
            The log odds of yes. Shape (C,).
        """
        return self.weigh(self.weights[question], question, candidates)

    def weigh(self, weights: Weights, question: str, candidates: Candidates) -> NDArray[np.float64]:
        """Return what some weights add to the log odds of words. Shape (C,)."""
        sums = weights.sums(self.features.keys(question, candidates))
        return sums.astype(np.float64) * weights.scale

    def class_of(self, word: str) -> str:
        """Return the class of a word, or the one that most words with its ending have.

        Returns:
            The class; empty if nothing is known.
        """
        known = self.classes.get
        word_class = known(word)
        if word_class is None and word.isalpha():
            if _VOWELS.isdisjoint(word):
                word_class = known("-")
            elif word[-3:] == word[-1] * 3:  # "lmaooo" is "lmao".
                return self.class_of(word.rstrip(word[-1]) + word[-1])
        if word_class is None:
            for length in range(min(4, len(word) - 1), 0, -1):
                word_class = known("-" + word[-length:])
                if word_class is not None:
                    break
        return word_class or ""


def decide(question: str, candidates: Candidates) -> NDArray[np.float64]:
    """Answer a question about words by their context.

    The questions are "her" (is it a determiner, his, and no object, him?), "his" (does it stand
    alone, hers, and is no determiner, her?), "has" (is the s of "he's" has, and not is?) and "verb"
    (is a word such as host a verb, and no noun?).

    Args:
        question: "her", "his", "has" or "verb".

    Returns:
        The log odds of yes: above 0 where yes is more likely. Shape (C,).

    Raises:
        KeyError: There is no such question.

    Example:
        >>> words = TokenBatch(["She saw her brother, and he saw her."])
        >>> (decide("her", Candidates(words, np.array([2, 7]))) > 0).tolist()
        [True, False]
    """
    return shipped().decide(question, candidates)


def decide_one(question: str, tokens: Tokens, index: int) -> float:
    """Answer a question about one word of a text, as `decide` does about many.

    Args:
        question: "her", "his", "has" or "verb".

    Returns:
        The log odds of yes.

    Example:
        >>> from fair_datasets.reader.matching.tokenizer import tokenize
        >>> decide_one("her", tokenize("She saw her."), 2) > 0
        False
    """
    return float(decide(question, Candidates(TokenBatch([tokens.text]), np.array([index])))[0])


def is_noun(word: str) -> bool:
    """Whether a word is a noun and nothing else, as far as its class or its ending tells.

    Example:
        >>> is_noun("beer"), is_noun("drink"), is_noun("everywhere")
        (True, False, False)
    """
    return shipped().class_of(word) in ("N", "NS")


@cache
def shipped() -> Classifier:
    """Read the shipped model, once per process."""
    return Classifier.load(WEIGHTS)


# What the model knows of words is looked up by their numbers.
vocabulary().preload(lambda: (word for word in shipped().classes if word[0] != "-"))
