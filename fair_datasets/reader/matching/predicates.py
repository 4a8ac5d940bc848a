"""Rules about words: conditions on the words around them, asked of all candidates at once.

A condition is written as one reads it, `NEXT.sign(", ") & NEXT.is_capital & NEXT.among("goods")`,
and holds or does not hold of each candidate. Of an ordered table of rules the first one whose
condition holds decides.

Where many are asked, columns of words tell it of all at once. Of a few it is asked one after the
other: asked so, each part of a condition would cost a call or two; as one expression of Python it
costs what its words and signs do, and what does not matter is not looked at. To compile that takes
as long as to ask it some dozens of times, so that it is done for what was asked a few times.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import count, groupby
from typing import Any, Generic, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from fair_datasets.reader.matching.token_batch import FEW, Candidates, Mask, Places

_OF_ALL = "candidates, number, sign, signs, start, end, content, shape, nowhere"
_OF_ONE = "row, here, last, first, stop"
#: What an expression may name: the candidates; of the words the numbers, the signs and their texts,
#: where words begin and end in the content, and their shapes; what is nowhere; and of one candidate
#: its row, its place and that of its last word, and where its text begins and ends.
NAMES = f"{_OF_ALL}, {_OF_ONE}"
Code = Callable[[], str]

# Longer ones are functions of their own.
_LONGEST = 500
#: How often something is asked of a few candidates before it is compiled.
OFTEN = 20
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


def _of_each(text: str) -> Callable[..., list[Any]]:
    """Return a function of what `Candidates.alone` returns that tells it of each of them."""
    function: Callable[..., list[Any]] = eval(
        f"lambda {_OF_ALL}, several: [{text} for {_OF_ONE} in several]", _bound
    )
    return function


class Expression:
    """Writes an expression, once, and a long one as the call of a function.

    There are thousands; functions within functions would be ten times as many objects, to be made
    and to be gone through by the garbage collector.

    Args:
        write: Writes it.
        arguments: What that is called with.
    """

    __slots__ = ("_arguments", "_text", "_write")

    def __init__(self, write: Callable[..., str], *arguments: Any) -> None:
        """Write nothing yet."""
        self._write, self._arguments, self._text = write, arguments, ""

    def __call__(self) -> str:
        """Return the expression."""
        if not self._text:
            text = self._write(*self._arguments)
            if len(text) > _LONGEST:
                text = f"{bound(compiled(text))}({NAMES})"
            self._text = text
        return self._text


def shifted(place: int, distance: int, first: int, stop: int, nowhere: int) -> int:
    """Return the place so many words further on, as far as the text goes."""
    target = place + distance
    return target if place != nowhere and first <= target <= stop else nowhere


SHIFTED = bound(shifted)


class Compiled:
    """What is compiled once it has been asked so often that this pays."""

    __slots__ = ("times",)

    times: int

    def pays(self) -> bool:
        """Count that it is asked of a few candidates, and tell whether compiling it pays."""
        self.times += 1
        return self.times > OFTEN


class Predicate(Compiled):
    """What holds or does not hold of a candidate.

    Attributes:
        test: Tells it of all of them.
        is_costly: Whether it is asked only where nothing else settles the matter.
        code: Writes the expression that tells it of one by itself; None for what is told of all at
            once.
    """

    __slots__ = ("_asked", "_evaluator", "code", "is_costly", "test")

    def __init__(
        self, test: Callable[[Candidates], Mask], is_costly: bool = False, code: Code | None = None
    ) -> None:
        """Hold what tells it."""
        self.test, self.is_costly, self.code = test, is_costly, code
        self.times, self._asked = 0, code
        self._evaluator: Callable[..., list[bool]] | None = None

    @property
    def costly(self) -> "Predicate":
        """The same, asked only where what it is joined to does not settle the matter."""
        return Predicate(self.test, True, self.code)

    @property
    def asked(self) -> Code | None:
        """Writes an expression that asks it; None where that would take as long as for all."""
        if self._asked is None and not self.is_costly:
            self._asked = Expression("candidates.holds({})[row]".format, bound(self))
        return self._asked

    @property
    def evaluate(self) -> Callable[..., list[bool]]:
        """Evaluates it for some candidates, by what `Candidates.alone` returns."""
        if self._evaluator is None:
            assert self.asked is not None
            self._evaluator = _of_each(self.asked())
        return self._evaluator

    def __and__(self, other: "Predicate") -> "Predicate":
        """Return where both hold; the second is not asked where the first does not."""
        if self.is_costly and not other.is_costly:
            return other & self
        test, code = partial(_joined, self, other, False), joined("({} and {})", self, other)
        return Predicate(test, other.is_costly, code)

    def __or__(self, other: "Predicate") -> "Predicate":
        """Return where one of them holds; the second is not asked where the first does."""
        if self.is_costly and not other.is_costly:
            return other | self
        test, code = partial(_joined, self, other, True), joined("({} or {})", self, other)
        return Predicate(test, other.is_costly, code)

    def __invert__(self) -> "Predicate":
        """Return where it does not hold."""
        return Predicate(partial(_inverted, self), self.is_costly, joined("(not {})", self))


def joined(form: str, *several: Predicate) -> Code | None:
    """Return what writes an expression with those of conditions in it; None where one has none."""
    asked = [condition.asked for condition in several]
    return None if None in asked else Expression(_filled, form, *asked)


def _filled(form: str, *several: Code) -> str:
    """Write an expression with others in it."""
    return form.format(*(write() for write in several))


def holding(candidates: Candidates, rows: Sequence[int], condition: Predicate) -> list[bool]:
    """Return for which of a few candidates a condition holds.

    Args:
        rows: The numbers of those that are asked, in ascending order.

    Returns:
        Whether it holds of each.
    """
    if condition.asked is not None and condition.pays():
        return [*map(bool, condition.evaluate(*candidates.alone(rows)))]
    held: list[bool] = candidates.part(np.array(rows, np.int64)).holds(condition).tolist()
    return held


def _holding(candidates: Candidates, rows: Places, condition: Predicate) -> Mask:
    """Return for which of some candidates a condition holds, by what costs least."""
    if len(rows) == len(candidates.places):
        return candidates.holds(condition)
    if len(rows) <= FEW:
        return np.array(holding(candidates, rows.tolist(), condition), np.bool_)
    if condition.is_costly:
        return candidates.part(rows).holds(condition)
    return candidates.holds(condition)[rows]


def _joined(one: Predicate, other: Predicate, settled: bool, candidates: Candidates) -> Mask:
    """Join what a condition tells to what another one tells where that settles nothing."""
    held = candidates.holds(one)
    rows = (~held if settled else held).nonzero()[0]
    if not len(rows):
        return held
    both = held.copy()
    both[rows] = _holding(candidates, rows, other)
    return both


def _inverted(condition: Predicate, candidates: Candidates) -> Mask:
    """Return where a condition does not hold."""
    return ~candidates.holds(condition)


def fact(name: str) -> Predicate:
    """Return a predicate for what is known of the candidates beside their texts."""
    return Predicate(lambda candidates: candidates.fact(name))


ALWAYS = Predicate(
    lambda candidates: np.ones(len(candidates.places), np.bool_),
    code=lambda: "True",
)
NEVER = Predicate(
    lambda candidates: np.zeros(len(candidates.places), np.bool_),
    code=lambda: "False",
)


def choose(condition: Predicate, then: Predicate, otherwise: Predicate) -> Predicate:
    """Return one predicate where another one holds, and a third where it does not."""
    return Predicate(
        partial(_chosen, condition, then, otherwise),
        then.is_costly or otherwise.is_costly,
        joined("({1} if {0} else {2})", condition, then, otherwise),
    )


def _chosen(
    condition: Predicate, then: Predicate, otherwise: Predicate, candidates: Candidates
) -> Mask:
    """Return what one of two predicates says, by whether another one holds."""
    asked = candidates.holds(condition)
    held = np.empty(len(asked), np.bool_)
    for rows, branch in ((asked.nonzero()[0], then), ((~asked).nonzero()[0], otherwise)):
        if len(rows):
            held[rows] = _holding(candidates, rows, branch)
    return held


Verdict = TypeVar("Verdict")

# Of how many tables the columns are kept.
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
        explain: Says what a reader finds of a candidate, where the condition asks one.
    """

    name: str
    verdict: Verdict
    condition: Predicate
    reason: str = ""
    asks: "Sequence[Rule[Any]]" = ()
    log_odds: Callable[[Candidates], NDArray[np.float64]] | None = None
    explain: Callable[[Candidates], str] | None = None


def first_matching_rule(rules: Sequence[Rule[Any]], candidates: Candidates) -> NDArray[np.int64]:
    """Return the number of the rule that decides of each candidate: the first one that holds.

    Returns:
        Their numbers. Shape (C,).
    """
    size = len(candidates.places)
    if size <= FEW and (columns := in_columns(rules)).pays():
        return np.array(_of_few(columns.runs, candidates), np.int64)
    numbers, rows = np.full(size, len(rules) - 1), np.arange(size)
    for number, rule in enumerate(rules[:-1]):
        held = _holding(candidates, rows, rule.condition)
        numbers[rows[held]] = number
        rows = rows[~held]
        if not len(rows):
            break
    return numbers


def _of_few(runs: "Sequence[Run]", candidates: Candidates) -> list[int]:
    """Return the number of the rule that decides of each of a few candidates."""
    rows = [*range(len(candidates.places))]
    numbers = [0] * len(rows)
    for end, decider in runs:
        if isinstance(decider, Predicate):
            own = [end - held for held in holding(candidates, rows, decider)]
        else:
            own = decider(*candidates.alone(rows))
        for row, number in zip(rows, own, strict=True):
            numbers[row] = number
        rows = [row for row in rows if numbers[row] == end]
        if not rows:
            break
    return numbers


class Run(NamedTuple):
    """Rules that are asked at once, and the number of the one behind the last of them."""

    end: int
    decider: Predicate | Callable[..., list[int]]


class RuleColumns(Compiled):
    """A table of rules in columns.

    Attributes:
        rules: The rules, which are kept, so that no other table has their number.
        names: Their names.
        verdicts: Their verdicts.
    """

    def __init__(self, rules: Sequence[Rule[Any]]) -> None:
        """Put the rules into columns."""
        self.times, self.rules = 0, rules
        self.names, self.verdicts = np.empty((2, len(rules)), object)
        self.names[:] = [rule.name for rule in rules]
        self.verdicts[:] = [rule.verdict for rule in rules]

    @cached_property
    def runs(self) -> Sequence[Run]:
        """What tells of some candidates which rule decides, or that none of a run does."""
        runs: list[Run] = []
        conditions = [rule.condition for rule in self.rules[:-1]]
        several = groupby(enumerate(conditions), lambda each: each[1].asked is None)
        for is_costly, own in several:
            numbers, asked = zip(*own, strict=True)
            if is_costly:
                runs += [Run(k + 1, each) for k, each in zip(numbers, asked, strict=True)]
                continue
            chain = "".join(f"{number} if {{{k}}} else " for k, number in enumerate(numbers))
            written = joined(f"{chain}{numbers[-1] + 1}", *asked)
            assert written is not None
            runs.append(Run(numbers[-1] + 1, _of_each(written())))
        return runs


def in_columns(rules: Sequence[Rule[Any]]) -> RuleColumns:
    """Return a table in columns, which are made once."""
    known = _known.get(id(rules))
    if known is None:
        if len(_known) >= _MOST_TABLES:
            _known.clear()
        known = _known[id(rules)] = RuleColumns(rules)
    return known


def says(rules: Sequence[Rule[bool]]) -> Predicate:
    """Return where a table of rules says yes.

    Returns:
        The condition, which is costly if one of theirs is.
    """
    verdicts = np.array([rule.verdict for rule in rules])
    is_costly = any(rule.condition.is_costly for rule in rules)
    chain = "".join(f"{rule.verdict} if {{{number}}} else " for number, rule in enumerate(rules))
    return Predicate(
        lambda candidates: verdicts[first_matching_rule(rules, candidates)],
        is_costly,
        joined(f"({chain}{rules[-1].verdict})", *(rule.condition for rule in rules)),
    )
