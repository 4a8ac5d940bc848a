"""Words as seen from a candidate: the next one, the one before, and what can be asked of them."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fair_datasets.matching.conditions import Candidates, Condition
from fair_datasets.matching.vocabulary import vocabulary
from fair_datasets.matching.words import Mask, Places, Words

# How many words that are in no list are kept with what they are.
_MOST_UNKNOWN = 1 << 16

Lists = Callable[[str], frozenset[str]]


@dataclass(frozen=True, eq=False)
class Place:
    """A word, or where a text ends, as seen from a candidate.

    Attributes:
        find: Returns where it is, for all of them.
        origin: The place that it is so many words from, if it is so told.
        lists: Returns the words of a class, in the language of the text.
    """

    find: Callable[[Candidates], Places]
    origin: "tuple[Place, int] | None" = None
    lists: Lists | None = None

    def __add__(self, distance: int) -> "Place":
        """Return the place so many words further on."""
        return _further(self, distance)

    def __sub__(self, distance: int) -> "Place":
        """Return the place so many words before."""
        return _further(self, -distance)

    def where(self, condition: Condition, otherwise: "Place | None" = None) -> "Place":
        """Return the place where a condition holds, and another one, or none, where it does not."""
        return Place(
            lambda found: np.where(
                found.holds(condition),
                found.at(self),
                found.nowhere if otherwise is None else found.at(otherwise),
            ),
            lists=self.lists,
        )

    def among(self, *lists: str) -> Condition:
        """Tell whether the word is in one of some lists of words."""
        return _among(self, lists)

    def is_word(self, *words: str) -> Condition:
        """Tell whether it is one of some words."""
        return _is_word(self, words)

    def any_around(self, distances: Iterable[int], *words: str, of: str = "") -> Condition:
        """Tell whether one of some words, or a word of a list, is at one of some distances."""
        return _any_around(self, tuple(distances), words, of)

    def that(self, kind: Callable[[str], bool]) -> Condition:
        """Tell whether it is a word of a kind, which is asked once for each word."""
        return _that(self, kind)

    def sign(self, *signs: str) -> Condition:
        """Tell whether exactly one of some signs stands before it."""
        return _sign(self, signs)

    def sign_that(self, kind: Callable[[str], bool]) -> Condition:
        """Tell whether a sign of a kind stands before it."""
        return _sign_that(self, kind)

    def ends_with(self, *endings: str) -> Condition:
        """Tell whether it ends with one of some letters."""
        return _ends_with(self, endings)

    def longer(self, length: int) -> Condition:
        """Tell whether it has more letters than some."""
        return _longer(self, length)

    @cached_property
    def is_there(self) -> Condition:
        """Whether it is a word, and not where the text ends."""
        return _column(self, lambda words, at: ~words.is_end[at])

    @cached_property
    def is_first_or_nowhere(self) -> Condition:
        """Whether no word of the text stands before it."""
        return Condition(
            lambda found: (found.at(self) == found.first) | (found.at(self) == found.nowhere)
        )

    @cached_property
    def is_capital(self) -> Condition:
        """Whether it begins with a capital letter."""
        return _column(self, Words.is_capital)

    @cached_property
    def is_upper(self) -> Condition:
        """Whether it has more than one letter, all of them capital."""
        return _column(self, lambda words, at: words.is_upper(at) & (words.length(at) > 1))

    @cached_property
    def is_capitals(self) -> Condition:
        """Whether it has capital letters and no others."""
        return _column(self, Words.is_upper)

    @cached_property
    def is_lower(self) -> Condition:
        """Whether all its letters are small."""
        return _column(self, Words.is_lower)

    @cached_property
    def is_title(self) -> Condition:
        """Whether its first letter alone is a capital."""
        return _column(self, Words.is_title)

    @cached_property
    def is_digits(self) -> Condition:
        """Whether it is a number in digits."""
        return _column(self, Words.is_digits)

    @cached_property
    def is_letter(self) -> Condition:
        """Whether it is a single letter or digit."""
        return _column(self, lambda words, at: words.length(at) == 1)

    @cached_property
    def is_first(self) -> Condition:
        """Whether it is the first word of its text."""
        return Condition(lambda found: found.at(self) == found.first)


def _further(place: Place, distance: int) -> Place:
    """Return the place so many words further on; from wherever that is, it is the same place."""
    base, before = place.origin or (place, 0)
    return _shifted(base, before + distance) if before + distance else base


@cache
def _shifted(base: Place, distance: int) -> Place:
    def find(found: Candidates) -> Places:
        start = found.at(base)
        return np.where(start == found.nowhere, found.nowhere, found.within(start + distance))

    return Place(find, (base, distance), base.lists)


def _column(place: Place, column: Callable[[Words, Places], Mask]) -> Condition:
    """Tell what a column says of a place."""
    return Condition(lambda found: column(found.words, found.at(place)))


@cache
def _among(place: Place, lists: tuple[str, ...]) -> Condition:
    words_of = place.lists
    if words_of is None:
        raise TypeError("The place has no language whose lists of words could be asked.")
    for name in lists:
        vocabulary().expect(partial(words_of, name))

    key = (words_of, *lists)

    def listed() -> frozenset[str]:
        return frozenset().union(*map(words_of, lists))

    def test(found: Candidates) -> Mask:
        held: Mask = vocabulary().listed(key, listed)[found.numbers(place)]
        return held

    return Condition(test)


@cache
def _any_around(
    place: Place, distances: tuple[int, ...], words: tuple[str, ...], of: str
) -> Condition:
    asked = np.array(distances)
    lists = place.lists if of else None

    def listed() -> frozenset[str]:
        return frozenset(words) | (lists(of) if lists is not None else frozenset())

    vocabulary().expect(listed)

    def test(found: Candidates) -> Mask:
        is_listed = vocabulary().listed((lists, words, of), listed)
        numbers = found.words.number[found.around(place, asked)]
        held: Mask = np.any(is_listed[numbers], axis=0)
        return held

    return Condition(test)


@cache
def _that(place: Place, kind: Callable[[str], bool]) -> Condition:
    unknown: dict[int, bool] = {}

    def test(found: Candidates) -> Mask:
        at = found.at(place)
        numbers = found.words.number[at]
        held = vocabulary().those(kind, kind)[numbers]
        asked = np.flatnonzero((numbers == 0) & ~found.words.is_end[at])
        if len(asked):
            if len(unknown) > _MOST_UNKNOWN:
                unknown.clear()
            for candidate, key in zip(
                asked.tolist(), found.words.hash[at[asked]].tolist(), strict=True
            ):
                if key not in unknown or not key:
                    unknown[key] = kind(found.words.lower(at[candidate]))
                held[candidate] = unknown[key]
        return held

    return Condition(test)


@cache
def _is_word(place: Place, words: tuple[str, ...]) -> Condition:
    vocabulary().expect(lambda: words)
    numbers: list[int] = []

    def test(found: Candidates) -> Mask:
        if not numbers:
            # Words keep their numbers.
            numbers.extend(vocabulary().add(words).tolist())
        return _is_one_of(found.numbers(place), numbers)

    return Condition(test)


@cache
def _sign(place: Place, signs: tuple[str, ...]) -> Condition:
    known: list[Any] = [None, []]

    def test(found: Candidates) -> Mask:
        if known[0] is not found.words.signs:
            known[:] = found.words.signs, [found.words.signs.number(sign) for sign in signs]
        return _is_one_of(found.words.sign[found.at(place)], known[1])

    return Condition(test)


def _is_one_of(here: NDArray[np.int64], numbers: Sequence[int]) -> Mask:
    """Tell which of some numbers are among a few."""
    held: Mask = here == numbers[0]
    for number in numbers[1:]:
        held |= here == number
    return held


@cache
def _sign_that(place: Place, kind: Callable[[str], bool]) -> Condition:
    def test(found: Candidates) -> Mask:
        held: Mask = found.words.signs.those(kind)[found.words.sign[found.at(place)]]
        return held

    return Condition(test)


@cache
def _ends_with(place: Place, endings: tuple[str, ...]) -> Condition:
    return _column(place, lambda words, at: words.ending(at, endings))


@cache
def _longer(place: Place, length: int) -> Condition:
    return _column(place, lambda words, at: words.length(at) > length)


def asked_at(place: Place, condition: Condition) -> Condition:
    """Tell whether a condition holds of the word at a place, seen from there.

    Args:
        place: The place; where it is nowhere the condition does not hold.
        condition: The condition.

    Returns:
        The condition, seen from the candidate.
    """

    def test(found: Candidates) -> Mask:
        at = found.at(place)
        held = np.zeros(len(at), np.bool_)
        asked = np.flatnonzero(at != found.nowhere)
        if len(asked):
            held[asked] = Candidates(found.words, at[asked]).holds(condition)
        return held

    return Condition(test, True)
