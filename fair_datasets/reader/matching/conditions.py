"""Rules about words: conditions on the words around them, asked of all candidates at once.

A condition is written as one reads it, `NEXT.sign(", ") & NEXT.is_capital & NEXT.among("goods")`,
and holds or does not hold of each candidate. Of an ordered table of rules the first one whose
condition holds decides.

What rules need of single words settles most of a table for all candidates at once. Nearly every
condition looks at some words one by one: "his or her" needs an "or" behind it. So a condition is
put in a few ways in which it may hold, each of which asks something of one word, one sign or one
fact at a time. What all ways of a table ask of a place is one column of bits by word: a candidate
looks up the bits of its words, and what is left are the ways that are open to it.

What is left is asked of the few candidates that it is open to, of one after the other; where it is
asked of many, of columns of words. Asked one by one, each part of a condition would cost a call or
two; as one expression of Python, compiled when it is first asked, it costs what its words and signs
do, and what does not matter is not looked at.
"""

from collections.abc import Callable, Mapping, Sequence, Sized
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import compress, count, groupby, starmap
from operator import attrgetter, itemgetter
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from fair_datasets.reader.matching.words import FEW, SHAPES, Candidates, Mask, Places, Words

if TYPE_CHECKING:
    pass


#: What an expression may name: the candidates; of the words the numbers, the signs and their texts,
#: where words begin and end in the content, and their shapes; what is nowhere; and of one candidate
#: its row, its place and that of its last word, and where its text begins and ends.
NAMES = (
    "found, number, sign, signs, start, end, content, shape, nowhere, row, here, last, first, stop"
)
Code = Callable[[], str]

# Longer ones are functions of their own.
_LONGEST = 500
_bound: dict[str, Any] = {}
_count = count()


def bound(value: Any) -> str:
    """Return a name by which expressions may speak of a value."""
    name = f"_{next(_count)}"
    _bound[name] = value
    return name


def compiled(text: str) -> Callable[..., Any]:
    """Return a function of `NAMES` that tells what an expression says."""
    function: Callable[..., Any] = eval(f"lambda {NAMES}: {text}", _bound)
    return function


def code(write: Code) -> Code:
    """Return what writes an expression, once, and a long one as the call of a function."""

    @cache
    def written() -> str:
        text = write()
        return text if len(text) <= _LONGEST else f"{bound(compiled(text))}({NAMES})"

    return written


def shifted(place: int, distance: int, first: int, stop: int, nowhere: int) -> int:
    """Return the place so many words further on, as far as the text goes."""
    found = place + distance
    return found if place != nowhere and first <= found <= stop else nowhere


SHIFTED = bound(shifted)


#: What is looked at: the word, the sign or the shape so many words from the first or the last word
#: of a candidate; or an answer, by what tells it.
Key = tuple[str, Any, int]
#: Tells of each word of the vocabulary, each sign, each shape or each answer whether it will do.
Known = dict[object, Mask]
Test = Callable[[Words, Known], Mask]
Bits = NDArray[np.uint64]

_ANSWERS = (False, True)
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
ALL_OPEN, ALL_SHUT = Guard((Way({}, True),), ()), Guard((), (Way({}, True),))


def guard(key: Key, tell: Callable[[Words], Mask], *, is_sure: bool = True) -> Guard:
    """Return the guard of a condition that looks at one thing.

    Args:
        tell: Tells of what it may hold.
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
        is_sure = np.array([way.is_sure for _, way in ways], np.bool_)
        self._sure = _packed(is_sure[None])
        self._before = _packed(self._whose < np.arange(self._count)[:, None])
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

    def settle(self, found: Candidates) -> tuple[NDArray[np.int64], Mask]:
        """Tell which condition surely holds of each candidate, and which may hold before it.

        Returns:
            The number of the first one that surely holds, of which there is one. Shape (C,).
            Which of those before it may hold. Shape (C, N).
        """
        bits = self._open(found)
        sure = np.unpackbits((bits & self._sure).view(np.uint8), axis=1)
        first = self._whose[sure.argmax(axis=1)]
        bits &= self._before[first]
        may = np.zeros((len(bits), self._count), np.bool_)
        candidate, way = np.unpackbits(bits.view(np.uint8), axis=1).view(np.bool_).nonzero()
        may[candidate, self._whose[way]] = True
        return first, may

    def _open(self, found: Candidates) -> Bits:
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
        self.keys = [key for key in tests if key[0] == name]
        self._tests = [tests[key] for key in self.keys]
        self.width = -(-ways // 64)
        self.column = attrgetter({"word": "number"}.get(name, name))
        #: What numbers are of; None where it depends on the texts.
        owners: dict[str, Sized] = {"shape": SHAPES, "answer": _ANSWERS}
        self._owner = owners.get(name)
        self._of = attrgetter("vocabulary" if name == "word" else "signs.texts")
        self._state = self._begun(())

    def open(self, numbers: NDArray[Any], words: Words) -> Bits:
        """Return the ways that are open to all of some numbers. Shape (K, C) to (C, bits)."""
        owner = self._of(words) if self._owner is None else self._owner
        state = self._state
        # Of the words and signs that were taken up since, few stand where anybody looks.
        if owner is not state.owner or numbers.max(initial=0) >= state.classes.shape[1]:
            # In one step, as another thread may ask meanwhile.
            self._state = state = self._renewed(words, owner)
        firsts = state.classes.shape[1] * np.arange(len(self.keys))[:, None]
        found: Bits = np.bitwise_and.reduce(
            state.ways[state.classes.take(firsts + numbers)], axis=0
        )
        return found

    def _begun(self, owner: Sized) -> "_Open":
        return _Open(
            owner, np.zeros((len(self.keys), 0), np.int64), np.zeros((0, self.width), np.uint64)
        )

    def _renewed(self, words: Words, owner: Sized) -> "_Open":
        """Ask which ways are open, of the words or signs that nobody asked about yet."""
        state = self._state
        state = state if owner is state.owner else self._begun(owner)
        begin, size, begun = state.classes.shape[1], len(owner), len(state.ways)
        classes, ways, answers = list[NDArray[np.int64]](), [state.ways], dict[object, Mask]()
        for tests in self._tests:
            is_open = np.ones((64 * self.width, size - begin), np.bool_)
            for way, test in tests:
                is_open[way] = test(words, answers)[begin:size]
            kinds, kind = _alike(np.packbits(is_open, axis=0).T.copy().view(np.uint64))
            classes.append(begun + kind)
            ways.append(kinds)
            begun += len(kinds)
        return _Open(owner, np.concatenate((state.classes, classes), axis=1), np.concatenate(ways))


class _Open(NamedTuple):
    """Which ways are open: for each key the class of each number, and the ways of each class."""

    owner: Sized
    classes: NDArray[np.int64]
    ways: Bits


def _packed(ways: Mask) -> Bits:
    """Return ways as bits, as an aspect has them. Shape (N, ways) to (N, bits)."""
    padded = np.zeros((len(ways), 64 * -(-ways.shape[1] // 64)), np.bool_)
    padded[:, : ways.shape[1]] = ways
    found: Bits = np.packbits(padded, axis=1).view(np.uint64)
    return found


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


# Up to how many are asked a table one after the other.
_FEW_OF_TABLE = 8


@dataclass(frozen=True, eq=False)
class Condition:
    """What holds or does not hold of a candidate.

    Attributes:
        test: Tells it of all of them.
        is_costly: Whether it is asked only where nothing else settles the matter.
        code: Writes the expression that tells it of one by itself; None for what is told of all at
            once.
        needs: Tells in which ways it may hold, by single words; None if it is not known.
        is_table: Whether it asks a table of rules, by which many are settled at once.
    """

    test: Callable[[Candidates], Mask]
    is_costly: bool = False
    code: Code | None = None
    needs: Callable[[], Guard] | None = None
    is_table: bool = False

    @cached_property
    def guard(self) -> Guard:
        """In which ways it may hold."""
        return UNKNOWN if self.needs is None else self.needs()

    @property
    def costly(self) -> "Condition":
        """The same, asked only where what it is joined to does not settle the matter."""
        return Condition(self.test, True, self.code, self.needs, self.is_table)

    @cached_property
    def asked(self) -> Code | None:
        """Writes an expression that asks it; None where that would take as long as for all."""
        if self.code is not None or self.is_costly:
            return self.code
        name = bound(self)
        return lambda: f"found.holds({name})[row]"

    @cached_property
    def told(self) -> Callable[..., bool]:
        """Tells it of one candidate, by what expressions name."""
        assert self.asked is not None
        return compiled(self.asked())

    def __and__(self, other: "Condition") -> "Condition":
        """Tell where both hold; the second is not asked where the first does not."""
        if self.is_costly and not other.is_costly:
            return other & self
        return Condition(
            lambda found: _where(found, found.holds(self), other, False),
            other.is_costly,
            joined("({} and {})", self, other),
            lambda: self.guard & other.guard,
            self.is_table or other.is_table,
        )

    def __or__(self, other: "Condition") -> "Condition":
        """Tell where one of them holds; the second is not asked where the first does."""
        if self.is_costly and not other.is_costly:
            return other | self
        return Condition(
            lambda found: _where(found, found.holds(self), other, True),
            other.is_costly,
            joined("({} or {})", self, other),
            lambda: self.guard | other.guard,
            self.is_table or other.is_table,
        )

    def __invert__(self) -> "Condition":
        """Tell where it does not hold."""
        return Condition(
            lambda found: ~found.holds(self),
            self.is_costly,
            joined("(not {})", self),
            lambda: ~self.guard,
            self.is_table,
        )


def joined(form: str, *several: Condition) -> Code | None:
    """Return what writes an expression with those of conditions in it; None where one has none."""
    asked = [condition.asked for condition in several]
    if None in asked:
        return None
    return code(lambda: form.format(*(write() for write in asked if write is not None)))


def holding(found: Candidates, rows: Sequence[int], condition: Condition) -> list[bool]:
    """Tell for which of a few candidates a condition holds.

    Args:
        rows: The numbers of those that are asked, in ascending order.

    Returns:
        Whether it holds of each.
    """
    if condition.asked is not None and not (condition.is_table and len(rows) > _FEW_OF_TABLE):
        return [*map(bool, starmap(condition.told, found.alone(rows)))]
    held: list[bool] = found.part(np.array(rows, np.int64)).holds(condition).tolist()
    return held


def _holding(found: Candidates, rows: Places, condition: Condition) -> Mask:
    """Tell for which of some candidates a condition holds, by what costs least."""
    if len(rows) == len(found.places):
        return found.holds(condition)
    if len(rows) <= FEW:
        return np.array(holding(found, rows.tolist(), condition), np.bool_)
    if condition.is_costly:
        return found.part(rows).holds(condition)
    return found.holds(condition)[rows]


def _where(found: Candidates, held: Mask, other: Condition, settled: bool) -> Mask:
    """Join what a condition tells to what another one tells where that settles nothing."""
    rows = np.flatnonzero(~held if settled else held)
    if not len(rows):
        return held
    both = held.copy()
    both[rows] = _holding(found, rows, other)
    return both


def _of_answer(of: str | Callable[[Candidates], Mask]) -> Guard:
    """Return the guard of what is told of all candidates at once."""
    return guard(("answer", of, 0), lambda _: np.array(_ANSWERS))


def told_of_all(test: Callable[[Candidates], Mask]) -> Condition:
    """Return a condition that is asked of all candidates, which costs little more than of one."""
    return Condition(
        lambda found: found.told(test),
        needs=lambda: _of_answer(test),
    )


def fact(name: str) -> Condition:
    """Tell what is known of the candidates beside their texts."""
    return Condition(
        lambda found: found.fact(name),
        needs=lambda: _of_answer(name),
    )


ALWAYS = Condition(
    lambda found: np.ones(len(found.places), np.bool_),
    code=lambda: "True",
    needs=lambda: ALL_OPEN,
)
NEVER = Condition(
    lambda found: np.zeros(len(found.places), np.bool_),
    code=lambda: "False",
    needs=lambda: ALL_SHUT,
)


def choose(condition: Condition, then: Condition, otherwise: Condition) -> Condition:
    """Tell what one condition tells where another one holds, and what a third where it does not."""

    def test(found: Candidates) -> Mask:
        asked = found.holds(condition)
        held = np.empty(len(asked), np.bool_)
        for rows, branch in ((np.flatnonzero(asked), then), (np.flatnonzero(~asked), otherwise)):
            if len(rows):
                held[rows] = _holding(found, rows, branch)
        return held

    return Condition(
        test,
        then.is_costly or otherwise.is_costly,
        joined("({1} if {0} else {2})", condition, then, otherwise),
        lambda: condition.guard.choose(then.guard, otherwise.guard),
    )


Verdict = TypeVar("Verdict")

# Of how many tables it is kept what settles them.
_MOST_TABLES = 256
_known: dict[int, "RuleColumns"] = {}


@dataclass(frozen=True)
class Rule(Generic[Verdict]):
    """What is decided of a candidate of which a condition holds.

    Attributes:
        name: Its name, by which `find_terms` tells what decided.
        verdict: What is decided.
        condition: The condition.
        reason: What the condition finds, in words; empty where it asks another table.
        asks: That table: the rule that decides there is the one that is told.
        log_odds: Tells how sure a model is, where the condition asks one. Shape (C,).
        told: Says what a reader finds of a candidate, where the condition asks one.
    """

    name: str
    verdict: Verdict
    condition: Condition
    reason: str = ""
    asks: "Sequence[Rule[Any]]" = ()
    log_odds: Callable[[Candidates], NDArray[np.float64]] | None = None
    told: Callable[[Candidates], str] | None = None


def deciding(rules: Sequence[Rule[Any]], candidates: Candidates) -> NDArray[np.int64]:
    """Return the number of the rule that decides of each candidate: the first one that holds.

    Returns:
        Their numbers. Shape (C,).
    """
    found, may = in_columns(rules).guards.settle(candidates)
    number_of, row_of = may.T.nonzero()
    is_open = [True] * len(found)
    asked = zip(number_of.tolist(), row_of.tolist(), strict=True)
    for number, several in groupby(asked, itemgetter(0)):
        rows = [row for _, row in several if is_open[row]]
        if not rows:
            continue
        held = holding(candidates, rows, rules[number].condition)
        for row in compress(rows, held):
            found[row] = number
            is_open[row] = False
    return found


class RuleColumns(NamedTuple):
    """A table of rules in columns; the rules are kept, so that no other table has their number."""

    rules: Sequence[Rule[Any]]
    guards: Guards
    names: NDArray[Any]
    verdicts: NDArray[Any]


def in_columns(rules: Sequence[Rule[Any]]) -> RuleColumns:
    """Return a table in columns, which are made once."""
    known = _known.get(id(rules))
    if known is None:
        if len(_known) >= _MOST_TABLES:
            _known.clear()
        names, verdicts = np.empty((2, len(rules)), object)
        names[:], verdicts[:] = [rule.name for rule in rules], [rule.verdict for rule in rules]
        guards = Guards([rule.condition.guard for rule in rules])
        known = _known[id(rules)] = RuleColumns(rules, guards, names, verdicts)
    return known


def says(rules: Sequence[Rule[bool]]) -> Condition:
    """Return where a table of rules says yes.

    Returns:
        The condition, which is costly if one of theirs is.
    """
    verdicts = np.array([rule.verdict for rule in rules])
    is_costly = any(rule.condition.is_costly for rule in rules)
    chain = "".join(f"{rule.verdict} if {{{number}}} else " for number, rule in enumerate(rules))
    return Condition(
        lambda found: verdicts[deciding(rules, found)],
        is_costly,
        joined(f"({chain}{rules[-1].verdict})", *(rule.condition for rule in rules)),
        needs=lambda: _guard_of(rules),
        is_table=True,
    )


def _guard_of(rules: Sequence[Rule[bool]]) -> Guard:
    """Return what a table needs to say yes, and to say no."""
    found = ALL_OPEN if rules[-1].verdict else ALL_SHUT
    for rule in reversed(rules[:-1]):
        found = rule.condition.guard.choose(ALL_OPEN if rule.verdict else ALL_SHUT, found)
    return found
