"""What conditions need of single words: most rules are settled by it, for all candidates at once.

Nearly every condition looks at some words one by one: "his or her" needs an "or" behind it. So a
condition is put in a few ways in which it may hold, each of which asks something of one word, one
sign or one fact at a time. What all ways of a table ask of a place is one column of bits by word: a
candidate looks up the bits of its words, and what is left are the ways that are open to it.
"""

from collections.abc import Callable, Mapping, Sequence
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fair_datasets.matching.vocabulary import vocabulary
from fair_datasets.matching.words import SHAPES, Mask, Words

if TYPE_CHECKING:
    from fair_datasets.matching.conditions import Candidates

#: What is looked at: the word, the sign or the shape so many words from the first or the last word
#: of a candidate; or an answer, by what tells it.
Key = tuple[str, Any, int]
#: Tells of each word of the vocabulary, each sign, each shape or each answer whether it will do.
Known = dict[object, Mask]
Test = Callable[[Words, Known], Mask]
Bits = NDArray[np.uint64]

# Into how many ways a condition is put at most; what has more is told less exactly.
_MOST = 8
_ODD, _HALF = np.uint64(0x9E3779B97F4A7C15), np.uint64(32)


class Way(NamedTuple):
    """One way in which a condition may hold.

    Attributes:
        tests: What it asks of each thing that it looks at.
        is_sure: Whether the condition holds wherever that is so.
    """

    tests: Mapping[Key, Test]
    is_sure: bool


Ways = tuple[Way, ...]


class Guard(NamedTuple):
    """In which ways a condition may hold, and in which it may not hold.

    Attributes:
        yes: The ways in which it may hold.
        no: The ways in which it may not hold.
    """

    yes: Ways
    no: Ways

    def __invert__(self) -> "Guard":
        """Return the guard of the opposite."""
        return Guard(self.no, self.yes)

    def __and__(self, other: "Guard") -> "Guard":
        """Return the guard of both together."""
        return Guard(_both(self.yes, other.yes), _either(self.no, other.no))

    def __or__(self, other: "Guard") -> "Guard":
        """Return the guard of one of them."""
        return Guard(_either(self.yes, other.yes), _both(self.no, other.no))

    def choose(self, then: "Guard", otherwise: "Guard") -> "Guard":
        """Return the guard of one where this holds, and of another one where it does not."""
        return Guard(
            _either(_both(self.yes, then.yes), _both(self.no, otherwise.yes)),
            _either(_both(self.yes, then.no), _both(self.no, otherwise.no)),
        )


_ANY = Way({}, False)
UNKNOWN = Guard((_ANY,), (_ANY,))
ALWAYS, NEVER = Guard((Way({}, True),), ()), Guard((), (Way({}, True),))


def guard(key: Key, tell: Callable[[Words], Mask], *, is_sure: bool = True) -> Guard:
    """Return the guard of a condition that looks at one thing.

    Args:
        key: What it looks at.
        tell: Tells of what it may hold.
        is_sure: Whether it holds of all of that.

    Returns:
        The guard.
    """
    yes = Way({key: lambda words, _: tell(words)}, is_sure)
    no = Way({key: lambda words, _: ~tell(words)}, True) if is_sure else _ANY
    return Guard((yes,), (no,))


def _both(one: Ways, other: Ways) -> Ways:
    while len(one) * len(other) > _MOST:
        one, other = (_fewer(one), other) if len(one) >= len(other) else (one, _fewer(other))
    return tuple(
        Way(_meeting(a.tests, b.tests), a.is_sure and b.is_sure) for a in one for b in other
    )


def _meeting(one: Mapping[Key, Test], other: Mapping[Key, Test]) -> Mapping[Key, Test]:
    found = dict(one)
    for key, test in other.items():
        found[key] = _joined(found[key], test, np.logical_and) if key in found else test
    return found


def _either(one: Ways, other: Ways) -> Ways:
    found = [*one]
    for way in other:
        alike = [k for k, each in enumerate(found) if _looks_alike(each, way)]
        if alike:
            found[alike[0]] = _merged(found[alike[0]], way)
        else:
            found.append(way)
    ways = tuple(found)
    while len(ways) > _MOST:
        ways = _fewer(ways)
    return ways


def _looks_alike(one: Way, other: Way) -> bool:
    return len(one.tests) <= 1 and one.tests.keys() == other.tests.keys()


def _fewer(ways: Ways) -> Ways:
    """Return ways of which two are told as one."""
    pairs = [(a, b) for b in range(len(ways)) for a in range(b)]
    a, b = max(pairs, key=lambda pair: _in_common(ways[pair[0]], ways[pair[1]]))
    rest = [way for k, way in enumerate(ways) if k not in (a, b)]
    return (*rest, _merged(ways[a], ways[b]))


def _in_common(one: Way, other: Way) -> int:
    return len(one.tests.keys() & other.tests.keys()) - (one.is_sure + other.is_sure)


def _merged(one: Way, other: Way) -> Way:
    tests = {
        key: _joined(test, other.tests[key], np.logical_or)
        for key, test in one.tests.items()
        if key in other.tests
    }
    return Way(tests, one.is_sure and other.is_sure and _looks_alike(one, other))


def _joined(one: Test, other: Test, join: Callable[[Mask, Mask], Mask]) -> Test:
    if one is other:
        return one

    def test(words: Words, known: Known) -> Mask:
        if test not in known:
            a, b = one(words, known), other(words, known)
            size = min(len(a), len(b))
            known[test] = join(a[:size], b[:size])
        return known[test]

    return test


class Guards:
    """Which conditions hold of candidates, surely or perhaps."""

    def __init__(self, guards: Sequence[Guard]) -> None:
        """Put conditions in their ways."""
        ways = [(number, way) for number, each in enumerate(guards) for way in each.yes]
        self._count = len(guards)
        self._whose = np.array([number for number, _ in ways], np.int64)
        self._is_sure = np.array([way.is_sure for _, way in ways], np.bool_)
        tests: dict[Key, list[tuple[int, Test]]] = {}
        for number, (_, way) in enumerate(ways):
            for key, test in way.tests.items():
                tests.setdefault(key, []).append((number, test))
        several = [_Aspect(name, tests, len(ways)) for name in ("word", "sign", "shape")]
        self._aspects = [aspect for aspect in several if aspect.keys]
        keys = [key for aspect in self._aspects for key in aspect.keys]
        self._from_here = np.array([[key[1] == "here"] for key in keys], np.bool_)
        self._steps = np.array([[key[2]] for key in keys], np.int64)
        self._answers = _Aspect("answer", tests, len(ways))

    def settle(self, found: "Candidates") -> tuple[NDArray[np.int64], Mask]:
        """Tell which condition surely holds of each candidate, and which may hold before it.

        Args:
            found: The candidates.

        Returns:
            The number of the first one that surely holds, of which there is one. Shape (C,).
            Which of those before it may hold. Shape (C, N).
        """
        is_open = np.unpackbits(self._open(found).view(np.uint8), axis=1, count=len(self._whose))
        candidate, way = is_open.nonzero()
        may, sure = np.zeros((2, len(is_open), self._count), np.bool_)
        whose, is_sure = self._whose[way], self._is_sure[way]
        may[candidate, whose] = True
        sure[candidate[is_sure], whose[is_sure]] = True
        first = sure.argmax(axis=1)
        may &= np.arange(self._count) < first[:, None]
        return first, may

    def _open(self, found: "Candidates") -> Bits:
        """Return the ways that are open to candidates. Shape (C, bits)."""
        words, several = found.words, list[Bits]()
        if self._answers.keys:
            answers = np.array(found.answers([key[1] for key in self._answers.keys]))
            several.append(self._answers.open(answers.view(np.int8), words))
        if self._aspects:
            start = np.where(self._from_here, found.places, found.lasts)
            at, end = found.within(start + self._steps), 0
            for aspect in self._aspects:
                begin, end = end, end + len(aspect.keys)
                several.append(aspect.open(aspect.column(words)[at[begin:end]], words))
        if not several:
            return np.full((len(found.places), self._answers.width), -1, np.int64).view(np.uint64)
        bits = several[0]
        for others in several[1:]:
            bits &= others
        return bits


class _Aspect:
    """The ways that are open by the words of candidates, or their signs, shapes or answers.

    Words that leave the same ways open are of one class, so that a table of classes holds the ways.

    Attributes:
        keys: What is looked at.
        width: Into how many numbers the ways are put.
        column: Returns what is looked at by place.
    """

    def __init__(
        self, name: str, tests: Mapping[Key, Sequence[tuple[int, Test]]], ways: int
    ) -> None:
        """Hold what is asked of an aspect."""
        self._name = name
        self.keys = [key for key in tests if key[0] == name]
        self._tests = [tests[key] for key in self.keys]
        self.width = -(-ways // 64)
        self.column = attrgetter({"word": "number"}.get(name, name))
        self._state: object = None

    def open(self, numbers: NDArray[Any], words: Words) -> Bits:
        """Return the ways that are open to all of some numbers. Shape (K, C) to (C, bits)."""
        if self._state != (state := self._state_of(words)):
            self._renew(words, state)
        classes = self._classes[self._firsts + numbers]
        found: Bits = np.bitwise_and.reduce(self._ways[classes], axis=0)
        return found

    def _state_of(self, words: Words) -> tuple[object, int]:
        """Return what changes with the words and signs that somebody may ask about."""
        if self._name == "word":
            return vocabulary().version, len(vocabulary())
        if self._name == "sign":
            return words.signs, len(words.signs.texts)
        return None, len(SHAPES) if self._name == "shape" else 2

    def _renew(self, words: Words, state: tuple[object, int]) -> None:
        """Ask anew which ways are open, as there are words or signs that nobody asked about."""
        size, classes, ways, begun = state[1], list[NDArray[Any]](), list[Bits](), 0
        answers: Known = {}
        for tests in self._tests:
            is_open = np.ones((64 * self.width, size), np.bool_)
            for way, test in tests:
                is_open[way] = test(words, answers)[:size]
            kinds, kind = _alike(np.packbits(is_open, axis=0).T.copy().view(np.uint64))
            classes.append(begun + kind)
            ways.append(kinds)
            begun += len(kinds)
        self._classes, self._ways = np.concatenate(classes), np.concatenate(ways)
        self._firsts = size * np.arange(len(self.keys))[:, None]
        self._state = state


def _alike(rows: Bits) -> tuple[Bits, NDArray[np.int64]]:
    """Return each kind of row once, and the number of the kind of each."""
    # A sum that mixes a row's numbers tells the kinds apart sooner than comparing whole rows.
    odd: Bits = np.arange(1, 2 * rows.shape[1], 2, dtype=np.uint64)
    mixed = rows @ (_ODD * odd)
    _, first, kind = np.unique(mixed ^ (mixed >> _HALF), return_index=True, return_inverse=True)
    kinds = rows[first]
    if (kinds[kind] != rows).any():
        kinds, kind = np.unique(rows, axis=0, return_inverse=True)
    return kinds, kind.ravel()
