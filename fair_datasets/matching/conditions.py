"""Rules about words: conditions on the words around them, asked of all candidates at once.

A condition is written as one reads it, `NEXT.sign(", ") & NEXT.is_capital & NEXT.among("regions")`,
and holds or does not hold of each candidate. Of an ordered table of rules the first one whose
condition holds decides.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from fair_datasets.matching.vocabulary import Numbers
from fair_datasets.matching.words import Mask, Places, Words

if TYPE_CHECKING:
    from fair_datasets.matching.places import Place

Facts = Mapping[str, Mask]


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
        self.facts = facts or {}
        owner = words.owner[places]
        self.first = words.first[owner]
        self.last = words.first[owner + 1] - 1
        self.nowhere = len(words) - 1
        self._known: dict[object, NDArray[Any]] = {}
        self._numbers: dict[Place, Numbers] = {}
        self._whole: tuple[Candidates, Places] | None = None

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

    def numbers(self, place: "Place") -> Numbers:
        """Return the number of the word at a place, for each candidate."""
        found = self._numbers.get(place)
        if found is None:
            found = self._numbers[place] = self.words.number[self.at(place)]
        return found

    def holds(self, condition: "Condition") -> Mask:
        """Tell for which candidates a condition holds."""
        found = self._known.get(condition)
        if found is None:
            found = None if self._whole is None else self._of_whole(condition, self._whole)
            self._known[condition] = found = condition.test(self) if found is None else found
        return found

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


@dataclass(frozen=True, eq=False)
class Condition:
    """What holds or does not hold of a candidate.

    Attributes:
        test: Tells it of all of them.
    """

    test: Callable[[Candidates], Mask]
    is_costly: bool = False

    @property
    def costly(self) -> "Condition":
        """The same, asked only where what it is joined to does not settle the matter."""
        return Condition(self.test, True)

    def __and__(self, other: "Condition") -> "Condition":
        """Tell where both hold; the second is not asked where the first holds nowhere."""
        if self.is_costly and not other.is_costly:
            return other & self

        if other.is_costly:
            return Condition(lambda found: _where(found, found.holds(self), other, False), True)

        def test(found: Candidates) -> Mask:
            held = found.holds(self)
            return held & found.holds(other) if np.count_nonzero(held) else held

        return Condition(test)

    def __or__(self, other: "Condition") -> "Condition":
        """Tell where one of them holds."""
        if self.is_costly and not other.is_costly:
            return other | self

        if other.is_costly:
            return Condition(lambda found: _where(found, found.holds(self), other, True), True)

        def test(found: Candidates) -> Mask:
            return found.holds(self) | found.holds(other)

        return Condition(test)

    def __invert__(self) -> "Condition":
        """Tell where it does not hold."""
        return Condition(lambda found: ~found.holds(self), self.is_costly)


def _where(found: Candidates, held: Mask, other: Condition, settled: bool) -> Mask:
    """Join what a condition tells to what a costly one tells where that settles nothing."""
    count = int(np.count_nonzero(held))
    open_count = len(held) - count if settled else count
    if not open_count:
        return held
    if open_count == len(held):
        return found.holds(other)
    rows = np.flatnonzero(~held if settled else held)
    joined = held.copy()
    joined[rows] = found.part(rows).holds(other)
    return joined


def fact(name: str) -> Condition:
    """Tell what is known of the candidates beside their texts.

    Args:
        name: The name of the fact.

    Returns:
        The condition.
    """
    return Condition(lambda found: found.fact(name))


ALWAYS = Condition(lambda found: np.ones(len(found.places), np.bool_))
NEVER = Condition(lambda found: np.zeros(len(found.places), np.bool_))


def choose(condition: Condition, then: Condition, otherwise: Condition) -> Condition:
    """Tell what one condition tells where another one holds, and what a third where it does not."""

    def test(found: Candidates) -> Mask:
        asked = found.holds(condition)
        held = np.empty(len(asked), np.bool_)
        for rows, told in ((np.flatnonzero(asked), then), (np.flatnonzero(~asked), otherwise)):
            if len(rows) == len(asked):
                return found.holds(told)
            if len(rows) and told.is_costly:
                held[rows] = found.part(rows).holds(told)
            elif len(rows):
                held[rows] = found.holds(told)[rows]
        return held

    return Condition(test, then.is_costly or otherwise.is_costly)
