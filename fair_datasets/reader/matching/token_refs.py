"""Words as seen from a candidate: the next one, the one before, and what can be asked of them."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache, cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fair_datasets.reader.matching.predicates import (
    NAMES,
    SHIFTED,
    Code,
    Expression,
    Predicate,
    bound,
    compiled,
)
from fair_datasets.reader.matching.token_batch import Candidates, Mask, Places
from fair_datasets.reader.matching.tokenizer import (
    BREAKS,
    INSIDE,
    SIGILS,
    UNDERSCORES,
    is_mark,
)
from fair_datasets.reader.matching.vocabulary import vocabulary

Lists = Callable[[str], frozenset[str]]


@dataclass(frozen=True, eq=False)
class TokenRef:
    """A word, or where a text ends, as seen from a candidate.

    Attributes:
        find: Returns where it is, for all of them.
        origin: The place that it is so many words from, if it is so told.
        lists: Returns the words of a class, in the language of the text.
        code: Writes the expression that finds it for one of them; None where none does.
    """

    find: Callable[[Candidates], Places]
    origin: "tuple[TokenRef, int] | None" = None
    lists: Lists | None = None
    code: Code | None = None

    def __add__(self, distance: int) -> "TokenRef":
        """Return the place so many words further on."""
        return _further(self, distance)

    def __sub__(self, distance: int) -> "TokenRef":
        """Return the place so many words before."""
        return _further(self, -distance)

    def where(self, condition: Predicate, otherwise: "TokenRef | None" = None) -> "TokenRef":
        """Return the place where a condition holds, and another one, or none, where it does not."""
        return _chosen(self, condition, otherwise)

    def among(self, *lists: str) -> Predicate:
        """Whether the word is in one of some lists of words."""
        return _among(self, lists)

    def is_word(self, *words: str) -> Predicate:
        """Whether it is one of some words."""
        return _is_word(self, words)

    def any_around(self, distances: Iterable[int], *words: str, of: str = "") -> Predicate:
        """Whether one of some words, or a word of a list, is at one of some distances."""
        return _any_around(self, tuple(distances), words, of)

    def any_near(self, reach: int, *words: str, of: str = "") -> Predicate:
        """Whether it, or one of so many words on either side, is one of some words."""
        return self.any_around(range(-reach, reach + 1), *words, of=of)

    def any_before(self, reach: int, *words: str, of: str = "") -> Predicate:
        """Whether one of so many words before it is one of some words."""
        return self.any_around(range(-reach, 0), *words, of=of)

    def that(self, kind: Callable[[str], bool]) -> Predicate:
        """Whether it is a word of a kind, which is asked once for each word."""
        return _that(self, kind)

    def sign(self, *signs: str) -> Predicate:
        """Whether exactly one of some signs stands before it."""
        return _sign(self, signs)

    def sign_that(self, kind: Callable[[str], bool]) -> Predicate:
        """Whether a sign of a kind stands before it."""
        return _sign_that(self, kind)

    def ends_with(self, *endings: str) -> Predicate:
        """Whether it ends with one of some letters."""
        return _ends_with(self, endings)

    def longer(self, length: int) -> Predicate:
        """Whether it has more letters than some."""
        return _longer(self, length)

    @cached_property
    def is_there(self) -> Predicate:
        """Whether it is a word, and not where the text ends."""
        return _shaped(self, 2, 0)

    @cached_property
    def is_first_or_nowhere(self) -> Predicate:
        """Whether no word of the text stands before it."""
        return self.asked(
            lambda candidates: (
                (candidates.at(self) == candidates.first)
                | (candidates.at(self) == candidates.nowhere)
            ),
            "({} in (first, nowhere))",
        )

    @cached_property
    def is_capital(self) -> Predicate:
        """Whether it begins with a capital letter."""
        return _shaped(self, 1)

    @cached_property
    def is_upper(self) -> Predicate:
        """Whether it has more than one letter, all of them capital."""
        return _shaped(self, 4 | 16)

    @cached_property
    def is_capitals(self) -> Predicate:
        """Whether it has capital letters and no others."""
        return _shaped(self, 16)

    @cached_property
    def is_lower(self) -> Predicate:
        """Whether all its letters are small."""
        return _shaped(self, 32)

    @cached_property
    def is_title(self) -> Predicate:
        """Whether its first letter alone is a capital."""
        return _shaped(self, 64)

    @cached_property
    def is_digits(self) -> Predicate:
        """Whether it is a number in digits."""
        return _shaped(self, 128)

    @cached_property
    def is_letter(self) -> Predicate:
        """Whether it is a single letter or digit."""
        return _shaped(self, 2 | 4, 0)

    @cached_property
    def is_first(self) -> Predicate:
        """Whether it is the first word of its text."""
        return self.asked(
            lambda candidates: candidates.at(self) == candidates.first,
            "({} == first)",
        )

    def asked(
        self,
        test: Callable[[Candidates], Mask],
        form: str,
        *bind: Callable[[], Any],
    ) -> Predicate:
        """Return a condition on it.

        Args:
            form: The expression that tells it of one, with {} for where the place is.
            bind: Return what else the expression speaks of, as {1} and so on.
        """
        code = None if self.code is None else Expression(_written, form, self.code, bind)
        return Predicate(test, code=code)


def _written(form: str, place: Code, bind: Iterable[Callable[[], Any]]) -> str:
    """Write an expression about a place, and about values that are bound."""
    return form.format(place(), *(bound(value()) for value in bind))


def _further(place: TokenRef, distance: int) -> TokenRef:
    """Return the place so many words further on; from wherever that is, it is the same place."""
    base, before = place.origin or (place, 0)
    return _shifted(base, before + distance) if before + distance else base


@cache
def _shifted(base: TokenRef, distance: int) -> TokenRef:
    def find(candidates: Candidates) -> Places:
        start = candidates.at(base)
        return np.where(
            start == candidates.nowhere, candidates.nowhere, candidates.within(start + distance)
        )

    origin = base.code
    if origin is None:
        return TokenRef(find, (base, distance), base.lists)

    def written() -> str:
        place = origin()
        if not place.isidentifier():
            return f"{SHIFTED}({place}, {distance}, first, stop, nowhere)"
        is_inside = (
            f"{place} + {distance} <= stop" if distance > 0 else f"{place} - {-distance} >= first"
        )
        return f"({place} + {distance} if {is_inside} else nowhere)"

    return TokenRef(find, (base, distance), base.lists, Expression(written))


def _chosen(place: TokenRef, condition: Predicate, otherwise: TokenRef | None) -> TokenRef:
    """Return a place where a condition holds, and another one, or none, where it does not."""

    def find(candidates: Candidates) -> Places:
        other = candidates.nowhere if otherwise is None else candidates.at(otherwise)
        return np.where(candidates.holds(condition), candidates.at(place), other)

    own, asked = place.code, condition.asked
    other = (lambda: "nowhere") if otherwise is None else otherwise.code
    if own is None or asked is None or other is None:
        return TokenRef(find, lists=place.lists)

    key = object()

    def written() -> str:
        # Much is asked of one place, which is found once.
        finder, name = bound(compiled(f"{own()} if {asked()} else {other()}")), bound(key)
        known = f"known[row] if row in (known := candidates.chosen[{name}]) else known.setdefault"
        find_it = compiled(f"{known}(row, {finder}({NAMES}))")
        return f"{bound(find_it)}({NAMES})"

    return TokenRef(find, lists=place.lists, code=Expression(written))


def _shaped(place: TokenRef, bits: int, wanted: int | None = None) -> Predicate:
    """Whether some bits of the shape of a word are set, or are what is wanted."""
    wanted = bits if wanted is None else wanted

    def test(candidates: Candidates) -> Mask:
        held: Mask = candidates.words.shape[candidates.at(place)] & bits == wanted
        return held

    return place.asked(
        test,
        f"(shape[{{}}] & {bits} == {wanted})",
    )


@cache
def _numbers_of(words: Callable[[], Iterable[str]]) -> Callable[[], frozenset[int]]:
    """Return what returns the numbers of some words, which they keep."""

    @cache
    def numbers() -> frozenset[int]:
        return frozenset(vocabulary().add(words()).tolist())

    return numbers


@cache
def _words_of_lists(words_of: Lists, lists: tuple[str, ...]) -> Callable[[], frozenset[str]]:
    """Return what returns the words of some lists."""
    return lambda: frozenset().union(*map(words_of, lists))


@cache
def _class(words_of: Lists, name: str) -> Callable[[], frozenset[str]]:
    """Return what returns the words of a list, the same each time."""
    return partial(words_of, name)


@cache
def _among(place: TokenRef, lists: tuple[str, ...]) -> Predicate:
    words_of = place.lists
    if words_of is None:
        raise TypeError("The place has no language whose lists of words could be asked.")
    for name in lists:
        vocabulary().preload(_class(words_of, name))
    list_words = _words_of_lists(words_of, lists)
    numbers = _numbers_of(list_words)

    def test(candidates: Candidates) -> Mask:
        held: Mask = vocabulary().is_listed(list_words, list_words)[candidates.numbers(place)]
        return held

    return place.asked(
        test,
        "(number[{}] in {})",
        numbers,
    )


@cache
def _any_around(
    place: TokenRef, distances: tuple[int, ...], words: tuple[str, ...], of: str
) -> Predicate:
    asked = np.array(distances)
    lists = place.lists if of else None

    def list_words() -> frozenset[str]:
        return frozenset(words) | (lists(of) if lists is not None else frozenset())

    vocabulary().preload(list_words)
    listed_numbers = _numbers_of(list_words)

    def test(candidates: Candidates) -> Mask:
        is_listed = vocabulary().is_listed((lists, words, of), list_words)
        numbers = candidates.words.number[candidates.around(place, asked)]
        held: Mask = np.any(is_listed[numbers], axis=0)
        return held

    def is_near(at: int, first: int, stop: int, nowhere: int, word_numbers: Any) -> bool:
        numbers = listed_numbers()
        return at != nowhere and any(
            first <= at + distance <= stop and word_numbers[at + distance] in numbers
            for distance in distances
        )

    return place.asked(test, "{1}({0}, first, stop, nowhere, number)", lambda: is_near)


@cache
def _that(place: TokenRef, kind: Callable[[str], bool]) -> Predicate:
    def test(candidates: Candidates) -> Mask:
        at = candidates.at(place)
        numbers = candidates.words.number[at]
        held = vocabulary().those(kind, numbers)
        for candidate in ((numbers == 0) & ~candidates.words.is_end[at]).nonzero()[0].tolist():
            held[candidate] = kind(candidates.words.known_as(at[candidate]))
        return held

    return place.asked(
        test,
        "(shape[{0}] & 2 == 0 and {1}(candidates.words.known_as({0})))",
        lambda: kind,
    )


@cache
def _is_word(place: TokenRef, words: tuple[str, ...]) -> Predicate:
    def list_words() -> tuple[str, ...]:
        return words

    vocabulary().preload(list_words)
    numbers = _numbers_of(list_words)
    return place.asked(
        lambda candidates: _is_one_of(candidates.numbers(place), numbers()),
        "(number[{}] in {})",
        numbers,
    )


@cache
def _sign(place: TokenRef, signs: tuple[str, ...]) -> Predicate:
    texts = frozenset(signs)

    def test(candidates: Candidates) -> Mask:
        numbers = candidates.words.signs.several(signs)
        return _is_one_of(candidates.words.sign[candidates.at(place)], numbers)

    return place.asked(
        test,
        "(signs[sign[{}]] in {})",
        lambda: texts,
    )


def _is_one_of(word_numbers: NDArray[np.int64], numbers: Iterable[int]) -> Mask:
    """Return which of some numbers are among a few."""
    first, *others = numbers
    held: Mask = word_numbers == first
    for number in others:
        held |= word_numbers == number
    return held


@cache
def _sign_that(place: TokenRef, kind: Callable[[str], bool]) -> Predicate:
    def test(candidates: Candidates) -> Mask:
        held: Mask = candidates.words.signs.those(kind)[candidates.words.sign[candidates.at(place)]]
        return held

    return place.asked(
        test,
        "{1}(signs[sign[{0}]])",
        lambda: kind,
    )


@cache
def _ends_with(place: TokenRef, endings: tuple[str, ...]) -> Predicate:
    letters = tuple(ending.encode("latin-1") for ending in endings)
    return place.asked(
        lambda candidates: candidates.words.ending(candidates.at(place), endings),
        "content[start[{0}] : end[{0}]].endswith({1})",
        lambda: letters,
    )


@cache
def _longer(place: TokenRef, length: int) -> Predicate:
    return place.asked(
        lambda candidates: candidates.words.length(candidates.at(place)) > length,
        f"(end[{{0}}] - start[{{0}}] > {length})",
    )


def asked_at(place: TokenRef, condition: Predicate) -> Predicate:
    """Whether a condition holds of the word at a place, seen from there.

    Args:
        place: The place; where it is nowhere the condition does not hold.
    """

    def test(candidates: Candidates) -> Mask:
        at = candidates.at(place)
        held = np.zeros(len(at), np.bool_)
        asked = (at != candidates.nowhere).nonzero()[0]
        if len(asked):
            held[asked] = Candidates(candidates.words, at[asked]).holds(condition)
        return held

    return Predicate(test, True)


HERE = TokenRef(lambda candidates: candidates.places, code=lambda: "here")
LAST = TokenRef(lambda candidates: candidates.lasts, code=lambda: "last")
_NEXT = LAST + 1


def _is_clear_before(sign: str) -> bool:
    return sign == "" or sign[-1] in ' "'


def _is_clear_behind(sign: str) -> bool:
    return sign[:1] in (" ", '"', "'") or (sign[:1] in tuple(".,;:!") and sign[1:2] == " ")


def _is_clear_end(sign: str) -> bool:
    return sign in ("", *".,;:!") or _is_clear_behind(sign)


def _is_clear(candidates: Candidates) -> Mask:
    words, behind = candidates.words, np.minimum(candidates.lasts + 1, candidates.nowhere)
    those, sign = words.signs.those, words.sign[behind]
    held: Mask = those(_is_clear_end)[sign] & words.is_end[behind]
    held |= those(_is_clear_behind)[sign]
    return held & those(_is_clear_before)[words.sign[candidates.places]]


IS_CLEAR = Predicate(_is_clear)
"""Whether the signs around a word leave no doubt that it stands alone, is not hyphenated, and that
no address and no path is there (but code may be)."""


def _joins_behind(sign: str) -> bool:
    return sign in BREAKS or (sign != "" and (sign[-1] in SIGILS or is_mark(sign[-1])))


def _joins_before(sign: str) -> bool:
    return sign in BREAKS or (sign != "" and is_mark(sign[0]))


_is_inside, _is_underscore = INSIDE.__contains__, UNDERSCORES.__contains__
vocabulary().preload(lambda: ("s",))


def _is_alone(candidates: Candidates) -> Mask:
    held = candidates.holds(IS_CLEAR).copy()
    asked = (~held).nonzero()[0]
    if len(asked):
        held[asked] = _is_alone_in_doubt(candidates.part(asked))
    return held


def _is_alone_in_doubt(candidates: Candidates) -> Mask:
    words, here, behind = (
        candidates.words,
        candidates.places,
        np.minimum(candidates.lasts + 1, candidates.nowhere),
    )
    slash, those = words.signs.number("/"), words.signs.those
    sign, next_sign = words.sign[here], words.sign[behind]
    is_head = those(_is_underscore)[next_sign] & ~words.is_end[behind]
    is_tail = those(_is_inside)[sign] & (here > candidates.first)
    is_tail &= (sign != slash) | (words.number[here - 1] == vocabulary().number("s"))
    held: Mask = is_head | is_tail | those(_joins_behind)[sign] | those(_joins_before)[next_sign]
    return ~held


IS_ALONE = Predicate(_is_alone)
"""Whether a word is a word of its own, and no part of a name, a code or an address.

The tail of a contraction (y'all), a part of an identifier (user_he), the he of s/he, a part of a
word that a line break or a soft hyphen divides and a word with a combining mark behind it (which is
another word) are not."""

IS_HYPHENATED = (~HERE.is_first & HERE.sign("-")) | (_NEXT.is_there & _NEXT.sign("-"))
"""Whether a hyphen joins a word to another one."""


def is_protected(candidates: Candidates) -> Mask:
    """Return which words stand in an address, a handle, a tag, code or a path.

    Returns:
        Whether each does. Shape (C,).
    """
    words = candidates.words
    owner = words.owner[candidates.places]
    may_be_code = words.may_hold_code
    held = np.zeros(len(owner), np.bool_)
    asked = (~candidates.holds(IS_CLEAR) | may_be_code[owner]).nonzero()[0]
    if len(asked):
        own = owner[asked]
        offsets = (words.start[candidates.places[asked]] - words.offset[own]).tolist()
        several = zip(own.tolist(), offsets, strict=True)
        held[asked] = [words.protected(text).covers(offset) for text, offset in several]
    return held
