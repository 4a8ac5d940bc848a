"""Rules about words: conditions on the words around them, asked of all candidates at once.

A condition is written as one reads it, `NEXT.sign(", ") & NEXT.is_capital & NEXT.among("regions")`,
and holds or does not hold of each candidate. Of an ordered table of rules the first one whose
condition holds decides.

What rules need of single words settles most of a table for all candidates at once, see `guards`.
What is left is asked of the few candidates that it is open to, of one after the other; where it is
asked of many, of columns of words.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import starmap
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from fair_datasets.matching import guards
from fair_datasets.matching.expressions import Code, bound, code, compiled
from fair_datasets.matching.guards import UNKNOWN, Guard
from fair_datasets.matching.vocabulary import Numbers
from fair_datasets.matching.words import Cells, Mask, Places, Words

if TYPE_CHECKING:
    from fair_datasets.matching.places import Place

Facts = Mapping[str, Mask]

# Up to how many candidates are asked one after the other.
_FEW = 32
_FEW_OF_TABLE = 8
_NOBODY: Mask = np.zeros(0, np.bool_)


class Candidates:
    """Words that something is asked of, in their texts.

    Attributes:
        words: The words of the texts.
        places: The places of the candidates. Shape (C,).
        facts: What is known of each candidate beside its text, by name. Shape (C,) each.
    """

    def __init__(
        self, words: Words, places: Places, facts: Facts | None = None, lasts: Places | None = None
    ) -> None:
        """Hold candidates; what is found of them is kept."""
        self.words = words
        self.places = places
        self.lasts = places if lasts is None else lasts
        self.facts = {} if facts is None else facts
        self.nowhere = words.nowhere
        self._known: dict[object, NDArray[Any]] = {}
        self._numbers: dict[Place, Numbers] = {}
        self._whole: tuple[Candidates, Places] | None = None
        self._alone: dict[int, tuple[Any, ...]] = {}
        self._every: list[tuple[Any, ...]] | None = None

    def alone(self, rows: Sequence[int]) -> list[tuple[Any, ...]]:
        """Return what expressions name, for some of the candidates."""
        known, cells = self._alone, self.words.cells
        for row in rows:
            if row not in known:
                one = Candidate()
                one.found, one.row, one.cells, one.known = self, row, cells, {}
                here, text = self.places.item(row), cells.owner[self.places.item(row)]
                known[row] = (
                    one, *cells.columns, here, self.lasts.item(row),
                    cells.first[text], cells.first[text + 1] - 1, self.nowhere,
                )  # fmt: skip
        return [*map(known.__getitem__, rows)]

    @cached_property
    def first(self) -> Places:
        """The place of the first word of each candidate's text. Shape (C,)."""
        return self.words.first[self.words.owner[self.places]]

    @cached_property
    def last(self) -> Places:
        """The place where each candidate's text ends. Shape (C,)."""
        return self.words.first[self.words.owner[self.places] + 1] - 1

    def part(self, rows: Places) -> "Candidates":
        """Return some of the candidates, with what is known of them.

        Args:
            rows: Their numbers, in ascending order.

        Returns:
            These candidates.
        """
        found = Candidates(self.words, self.places[rows], self.facts, self.lasts[rows])
        found._whole = (self, rows)
        return found

    def fact(self, name: str) -> Mask:
        """Return what is known of the candidates beside their texts."""
        if self._whole is None:
            return self.facts[name]
        whole, rows = self._whole
        return whole.fact(name)[rows]

    def at(self, place: "Place") -> Places:
        """Return where a place is, for each candidate."""
        found = self._known.get(place)
        if found is None:
            found = None if self._whole is None else self._of_whole(place, self._whole)
            self._known[place] = found = place.find(self) if found is None else found
        return found

    def told(self, test: Callable[["Candidates"], Mask]) -> Mask:
        """Return what is told of all candidates at once."""
        found = self._known.get(test)
        if found is None:
            found = None if self._whole is None else self._of_whole(test, self._whole)
            self._known[test] = found = test(self) if found is None else found
        return found

    def answers(self, several: Sequence[str | Callable[["Candidates"], Mask]]) -> list[Mask]:
        """Return what is known of the candidates by some names, or told of all at once."""
        known = self.fact if self._whole else self.facts.__getitem__
        return [known(of) if isinstance(of, str) else self.told(of) for of in several]

    def numbers(self, place: "Place") -> Numbers:
        """Return the number of the word at a place, for each candidate."""
        found = self._numbers.get(place)
        if found is None:
            found = self._numbers[place] = self.words.number[self.at(place)]
        return found

    def holds(self, condition: "Condition") -> Mask:
        """Tell for which candidates a condition holds."""
        found = self._known.get(condition)
        if found is None and len(self.places):
            words = self.words
            if words.vocabulary.version != words.version:
                words.renew()
                self._numbers.clear()
            found = None if self._whole is None else self._of_whole(condition, self._whole)
            if found is None and condition.code is not None and len(self.places) <= _FEW:
                if self._every is None:
                    self._every = self.alone(range(len(self.places)))
                found = np.array([*starmap(condition.told, self._every)], np.bool_)
            elif found is None:
                found = condition.test(self)
            self._known[condition] = found
        return _NOBODY if found is None else found

    def _of_whole(self, of: object, several: "tuple[Candidates, Places]") -> NDArray[Any] | None:
        """Return what is known of it for the candidates that these are some of."""
        whole, rows = several
        known = whole._known.get(of)
        if known is None and whole._whole is not None:
            known = whole._of_whole(of, whole._whole)
        return None if known is None else known[rows]

    def around(self, place: "Place", distances: NDArray[np.int64]) -> Places:
        """Return the places at some distances from one, or what is nowhere. Shape (D, C)."""
        at = self.at(place)
        return np.where(at == self.nowhere, self.nowhere, self.within(at + distances[:, None]))

    def within(self, places: Places) -> Places:
        """Return places, but for those outside of their texts what is nowhere."""
        is_outside = (places < self.first) | (places > self.last)
        return np.where(is_outside, self.nowhere, places)


class Candidate:
    """One of several candidates, by itself.

    Attributes:
        found: All of them.
        row: Its number among them.
        cells: The columns of the words, cell by cell.
        known: The places that were found for it.
    """

    __slots__ = ("cells", "found", "known", "row")
    # Without a constructor, of which the call would take longer than all that it does.
    found: Candidates
    row: int
    cells: Cells
    known: dict[object, int]


@dataclass(frozen=True, eq=False)
class Condition:
    """What holds or does not hold of a candidate.

    Attributes:
        test: Tells it of all of them.
        is_costly: Whether it is asked only where nothing else settles the matter.
        code: Writes the expression that tells it of one by itself; None for what is told of all at
            once.
        needs: Tells in which ways it may hold, by single words; None where nobody knows.
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
        return lambda: f"one.found.holds({name})[one.row]"

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
        found: The candidates.
        rows: The numbers of those that are asked, in ascending order.
        condition: The condition.

    Returns:
        Whether it holds of each.
    """
    if condition.asked is not None and not (condition.is_table and len(rows) > _FEW_OF_TABLE):
        return [*map(bool, starmap(condition.told, found.alone(rows)))]
    held: list[bool] = found.part(np.array(rows, np.int64)).holds(condition).tolist()
    return held


def are_few(count: int) -> bool:
    """Tell whether so many candidates are asked one after the other."""
    return count <= _FEW


def _where(found: Candidates, held: Mask, other: Condition, settled: bool) -> Mask:
    """Join what a condition tells to what another one tells where that settles nothing."""
    count = int(np.count_nonzero(held))
    open_count = len(held) - count if settled else count
    if not open_count:
        return held
    if open_count == len(held):
        return found.holds(other)
    if open_count <= _FEW and other.asked is not None:
        asked = (~held if settled else held).nonzero()[0]
        both = held.copy()
        both[asked] = [*map(bool, starmap(other.told, found.alone(asked.tolist())))]
        return both
    if not other.is_costly:
        return held | found.holds(other) if settled else held & found.holds(other)
    rows = np.flatnonzero(~held if settled else held)
    both = held.copy()
    both[rows] = found.part(rows).holds(other)
    return both


def told_of_all(test: Callable[[Candidates], Mask]) -> Condition:
    """Return a condition that is asked of all candidates, which costs little more than of one.

    Args:
        test: Tells it of all of them.

    Returns:
        The condition.
    """
    return Condition(
        lambda found: found.told(test),
        needs=lambda: guards.guard(("answer", test, 0), lambda _: np.array([False, True])),
    )


def fact(name: str) -> Condition:
    """Tell what is known of the candidates beside their texts.

    Args:
        name: The name of the fact.

    Returns:
        The condition.
    """
    return Condition(
        lambda found: found.fact(name),
        needs=lambda: guards.guard(("answer", name, 0), lambda _: np.array([False, True])),
    )


ALWAYS = Condition(
    lambda found: np.ones(len(found.places), np.bool_),
    code=lambda: "True",
    needs=lambda: guards.ALWAYS,
)
NEVER = Condition(
    lambda found: np.zeros(len(found.places), np.bool_),
    code=lambda: "False",
    needs=lambda: guards.NEVER,
)


def choose(condition: Condition, then: Condition, otherwise: Condition) -> Condition:
    """Tell what one condition tells where another one holds, and what a third where it does not."""

    def test(found: Candidates) -> Mask:
        asked = found.holds(condition)
        held = np.empty(len(asked), np.bool_)
        for rows, branch in ((np.flatnonzero(asked), then), (np.flatnonzero(~asked), otherwise)):
            if len(rows) == len(asked):
                return found.holds(branch)
            if len(rows) and (are_few(len(rows)) or branch.is_costly):
                held[rows] = (
                    holding(found, rows.tolist(), branch)
                    if are_few(len(rows))
                    else found.part(rows).holds(branch)
                )
            elif len(rows):
                held[rows] = found.holds(branch)[rows]
        return held

    return Condition(
        test,
        then.is_costly or otherwise.is_costly,
        joined("({1} if {0} else {2})", condition, then, otherwise),
        lambda: condition.guard.choose(then.guard, otherwise.guard),
    )
