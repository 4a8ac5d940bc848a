"""The classifier's answers about many words at once, by hashed features and gathers."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fair_datasets.matching.classifier.decide import (
    _CASES,
    _NO_ROLES,
    _ROLES,
    AFTER,
    BEFORE,
    Classifier,
    _shipped,
)
from fair_datasets.matching.classifier.signs import APOSTROPHES, END, sign_of
from fair_datasets.matching.rules import Candidates
from fair_datasets.matching.vocabulary import hash_of, vocabulary

Values = NDArray[np.uint64]
_MIXER = np.uint64(0x9E3779B97F4A7C15)
_ROTATION = np.uint64(23)
_PADDING = "_"

# The features: a letter, whether they say that the word ends in s, and the values that they join.
_COMMON = (
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
)
_OF_CASES = (
    ("P", False, "v k"), ("Q", False, "v b1 b2"), ("R", False, "v k b2"), ("S", False, "k b2 b3"),
    ("T", False, "v n1-"), ("U", False, "p1 k"), ("V", False, "a2 v k"), ("W", False, "v k n2"),
)

_SPECIAL_ELLIPSIS = "\x85"


class Tokens(list):
    pass


@cache
def _told(token: str) -> tuple[int, int, int]:
    """Return the values of a sign, a role or a contraction: itself, its last and first letters."""
    return _value(token), _value(token[-3:]), _value(token[:4])


def _value(text: str) -> int:
    """Return what a value is known by."""
    return hash_of(text.replace("…", _SPECIAL_ELLIPSIS))


def _sign_value(sign: str) -> int:
    return _value(sign_of(sign))


class Sequence_:
    """Words and signs on one side of candidates, the nearest first: what each is known by."""

    def __init__(self, count: int, size: int) -> None:
        padding = _told(_PADDING)
        self.value = np.full((size, count), padding[0], np.uint64)
        self.tail = np.full((size, count), padding[1], np.uint64)
        self.head = np.full((size, count), padding[2], np.uint64)
        self.kind = np.full((size, count), padding[0], np.uint64)
        # The number of a word that is written as it is.
        self.number = np.zeros((size, count), np.int32)
        self.filled = np.zeros(count, np.int64)
        self.size = size

    def put(self, rows, value, tail, head, kind, number=0) -> None:
        at = self.filled[rows]
        fits = at < self.size
        rows, at = rows[fits], at[fits]
        for column, given in ((self.value, value), (self.tail, tail), (self.head, head), (self.kind, kind), (self.number, number)):
            column[at, rows] = given[fits] if isinstance(given, np.ndarray) else given
        self.filled[rows] += 1


class Model:
    """A classifier whose features are known by their hashes."""

    def __init__(self, classifier: Classifier) -> None:
        self.classifier = classifier
        self.tables = {}
        for question, weights in classifier.weights.items():
            keys = np.array([_feature_key(name) for name in weights], np.uint64)
            self.tables[question] = _Table(keys, np.fromiter(weights.values(), np.int8, len(weights)))
        self._classes: dict[int, int] = {}
        self._columns: dict[str, Any] = {}

    def column(self, name: str, value: Callable[[str], int]) -> NDArray[np.uint64]:
        found = self._columns.get(name)
        known = vocabulary()
        if found is None or len(found) < len(known):
            found = np.fromiter((value(known.word(n)) if n else 0 for n in range(len(known))), np.uint64, len(known))
            self._columns[name] = found
        return found

    def class_values(self, words, places) -> NDArray[np.uint64]:
        of_class = self.classifier.class_of
        get = self.classifier.classes.get
        values = self.column("class", lambda word: _value(get(word) or of_class(word)))[words.number[places]]
        for j in np.flatnonzero(words.number[places] == 0).tolist():
            key = int(words.hash[places[j]])
            if key not in self._classes or not key:
                word = words.lower(places[j])
                self._classes[key] = _value(get(word) or of_class(word))
            values[j] = self._classes[key]
        return values

    def side(self, found: Candidates, step: int, size: int) -> Sequence_:
        words, places = found.words, found.places
        count = len(places)
        side = Sequence_(count, size)
        is_open = np.ones(count, np.bool_)
        reads_case = words.is_lower(places) if step > 0 else np.zeros(count, np.bool_)
        end = _told(END)
        signs = words.signs
        sign_values = np.array([_sign_value(signs.text(k)) for k in range(len(signs._texts))], np.uint64) if False else self._signs(signs)
        apostrophes = [signs.number(sign) for sign in APOSTROPHES]
        none, is_stop = _value(""), _value(END)
        for distance in range(1, size + 1):
            rows = np.flatnonzero(is_open & (side.filled < size))
            if not len(rows):
                break
            place = places[rows] + step * distance
            at_end = words.is_end[place] if step > 0 else place < found.first[rows]
            over = rows[at_end]
            side.put(over, end[0], end[1], end[2], end[0])
            is_open[over] = False
            rows, place = rows[~at_end], place[~at_end]
            between = sign_values[words.sign[place if step > 0 else place + 1]]
            signed = np.flatnonzero(between != none)
            for j in signed.tolist():
                pass
            if len(signed):
                token = between[signed]
                side.put(rows[signed], token, self._sign_tail(signs, words.sign[(place if step > 0 else place + 1)[signed]], 1), self._sign_tail(signs, words.sign[(place if step > 0 else place + 1)[signed]], 2), token)
                is_open[rows[signed[token == is_stop]]] = False
            goes_on = is_open[rows]
            rows, place = rows[goes_on], place[goes_on]
            self._put_words(side, found, rows, place, reads_case, apostrophes)
        return side

    def _signs(self, signs):
        found = self._columns.get(("sign", id(signs)))
        if found is None or len(found[0]) < len(signs._texts):
            told = [_told(sign_of(text)) for text in signs._texts]
            found = tuple(np.array(column, np.uint64) for column in zip(*told))
            self._columns["sign", id(signs)] = found
        return found[0]

    def _sign_tail(self, signs, numbers, which):
        return self._columns["sign", id(signs)][which][numbers]

    def _put_words(self, side, found, rows, place, reads_case, apostrophes) -> None:
        words = found.words
        start, end = words.start[place], words.end[place]
        value = words.hash[place].copy()
        tail = hashes_of(words, np.maximum(end - 3, start), end)
        head = hashes_of(words, start, np.minimum(start + 4, end))
        number = words.number[place].copy()
        gap = words.sign[place]
        is_joined = np.isin(gap, apostrophes)
        kind = np.zeros(len(rows), np.uint64)
        is_plain = ~is_joined
        # roles
        asked_number = words.number[found.places[rows]]
        for asked in np.unique(asked_number).tolist():
            roles = _ROLES.get(vocabulary().word(asked)) if asked else None
            if not roles: continue
            mine = np.flatnonzero(is_plain & (asked_number == asked))
            column = self._role_column(asked, roles)
            role = column[number[mine]]
            held = mine[role > 0]
            tokens = [_told(self._role_tokens[r]) for r in role[role > 0].tolist()]
            if tokens:
                value[held], tail[held], head[held] = (np.array(c, np.uint64) for c in zip(*tokens))
                kind[held] = value[held]
                number[held] = 0
                is_plain[held] = False
        for j in np.flatnonzero(is_joined).tolist():
            value[j], tail[j], head[j] = _told("'" + words.lower(place[j]))
            kind[j] = value[j]
            number[j] = 0
        plain = np.flatnonzero(is_plain)
        kind[plain] = self.class_values(words, place[plain])
        titled = plain[reads_case[rows[plain]]]
        if len(titled):
            is_name = words.is_title(place[titled]) & (number[titled] != vocabulary().number("i"))
            kind[titled[is_name]] = _value("P")
        side.put(rows, value, tail, head, kind, number)

    _role_tokens: list = [""]

    def _role_column(self, asked, roles):
        key = ("role", asked)
        known = vocabulary()
        found = self._columns.get(key)
        if found is None or len(found) < len(known):
            found = np.zeros(len(known), np.int16)
            for word, token in roles.items():
                if token not in self._role_tokens:
                    self._role_tokens.append(token)
                found[known.number(word)] = self._role_tokens.index(token)
            found[0] = 0
            self._columns[key] = found
        return found

    def decide(self, question: str, found: Candidates) -> NDArray[np.float64]:
        """Answer a question about words: the log odds of yes."""
        left = self.side(found, -1, BEFORE)
        right = self.side(found, 1, AFTER)
        values = {f"p{k + 1}": left.value[k] for k in range(2)} | {f"a{k + 1}": left.kind[k] for k in range(2)}
        values |= {f"n{k + 1}": right.value[k] for k in range(5)} | {f"b{k + 1}": right.kind[k] for k in range(4)}
        values |= {"n1-": right.tail[0], "n2-": right.tail[1], "p1-": left.tail[0], "p1+": left.head[0]}
        templates = _COMMON
        if question in _CASES:
            templates = (*_COMMON, *_OF_CASES)
            verbs = self.column("verbs", lambda word: _value(self.classifier.verbs[word]) if word in self.classifier.verbs else 0)[left.number[0]]
            kinds = self.column("kinds", lambda word: _value(self.classifier.kinds[word]) if word in self.classifier.kinds else 0)[right.number[0]]
            values["v"] = np.where(verbs, verbs, left.kind[0])
            values["k"] = np.where(kinds, kinds, right.kind[0])
        words = found.words
        is_role = np.isin(words.number[found.places], [vocabulary().number(w) for w in _ROLES])
        plural = np.where(words.ending(found.places, ("s",)) & ~is_role, 1, 0).astype(np.uint64)
        keys = np.empty((len(templates), len(found.places)), np.uint64)
        for row, (letter, has_s, parts) in enumerate(templates):
            key = plural + _begun(letter) if has_s else _begun(letter)
            for part in parts.split():
                key = (key ^ values[part]) * _MIXER
                key ^= key >> _ROTATION
            keys[row] = key
        total = self.tables[question].weights(keys).sum(axis=0, dtype=np.int64)
        return total * self.classifier.scales[question]


class _Table:
    """Weights by the keys of features."""

    def __init__(self, keys: Values, weights: NDArray[np.int8]) -> None:
        bits = (4 * len(keys)).bit_length()
        self.shift = np.uint64(64 - bits)
        self.keys = np.zeros((1 << bits) + 64, np.uint64)
        self.of_slot = np.zeros(len(self.keys), np.int8)
        wanted = (keys * _MIXER >> self.shift).astype(np.int64).tolist()
        taken = [False] * len(self.keys)
        slots = []
        for slot in wanted:
            while taken[slot]:
                slot += 1
            taken[slot] = True
            slots.append(slot)
        self.keys[slots] = keys
        self.of_slot[slots] = weights

    def weights(self, keys: Values) -> NDArray[np.int8]:
        slots = (keys * _MIXER >> self.shift).astype(np.int64)
        here = self.keys[slots]
        found = self.of_slot[slots]
        is_other = here != keys
        found[is_other] = 0
        asked = np.nonzero(is_other & (here != 0))
        while len(asked[0]):
            slots[asked] += 1
            here = self.keys[slots[asked]]
            is_same = here == keys[asked]
            found[tuple(a[is_same] for a in asked)] = self.of_slot[slots[asked]][is_same]
            goes = ~is_same & (here != 0)
            asked = tuple(a[goes] for a in asked)
        return found


def hashes_of(words, starts, ends):
    from fair_datasets.matching.vocabulary import hashes
    return hashes(words.content, starts, ends)


def _begun(letter: str) -> np.uint64:
    return np.uint64(2 * (ord(letter) if letter else 1) + 1000)


def _feature_key(name: str) -> int:
    letter, rest = name[:1], name[1:]
    if name in ("", "$"):
        letter, rest = "", name
    plural = rest.startswith("$")
    rest = rest[plural:]
    key = int(_begun(letter)) + plural
    spec = _SPECS[letter]
    parts = rest.split(" ") if spec else []
    assert len(parts) == spec, (name, spec)
    for part in parts:
        key = ((key ^ _value(part)) * int(_MIXER)) & ((1 << 64) - 1)
        key ^= key >> int(_ROTATION)
    return key


_SPECS = {letter: len(parts.split()) for letter, _, parts in (*_COMMON, *_OF_CASES)}


@cache
def model() -> Model:
    return Model(_shipped())


for _name in ("classes", "verbs", "kinds"):
    vocabulary().expect(lambda name=_name: getattr(_shipped(), name))
vocabulary().expect(lambda: _ROLES)
