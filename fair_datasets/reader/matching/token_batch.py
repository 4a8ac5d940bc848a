"""Texts as columns of words: what every word is asked is asked of all words of many texts at once.

Each text is its words and one place more behind the last, at which it ends. What lies before a word
is its sign, what lies behind the last word that of the text's end; so a text of n words has n + 1
signs, and each word has a neighbour.
"""

from collections import defaultdict
from collections.abc import Callable, Container, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fair_datasets.reader.matching.letters import (
    BEYOND_LATIN,
    IN_LOWER_CASE,
    IS_ACCENTED,
    IS_LOWER,
    IS_UPPER,
    SPACE,
    Signs,
    composed,
    counted,
    in_bytes,
    listed_names,
    looked_up,
)
from fair_datasets.reader.matching.tokenizer import CODE_SIGNS, ProtectedText, Tokens, may_hold_code
from fair_datasets.reader.matching.vocabulary import (
    MAX_PACKED_LENGTH,
    Hashes,
    Numbers,
    eights_of,
    hash_of,
    hashes,
    hashes_of,
    vocabulary,
)

if TYPE_CHECKING:
    from fair_datasets.reader.matching.predicates import Predicate
    from fair_datasets.reader.matching.token_refs import TokenRef

Mask = NDArray[np.bool_]
Places = NDArray[np.int64]
_ALL_UPPER, _ALL_LOWER, _TITLE, _DIGITS = (np.uint8(1 << bit) for bit in (4, 5, 6, 7))
Asked = Callable[[Numbers, Mask], Mask]

_ASCII = 127
_IS_CODE_SIGN = np.array([chr(code) in CODE_SIGNS for code in range(256)])

_signs = Signs()


def edges(values: Places) -> Places:
    """Return where runs of equal numbers begin, and where the last one ends; none without any."""
    if not len(values):
        return values
    inner = (values[1:] != values[:-1]).nonzero()[0] + 1
    return np.concatenate(([0], inner, [len(values)]))


def distinct(values: Places) -> Places:
    """Return numbers in ascending order, each once, in a fifth of the time of `np.unique`."""
    return values[edges(values)[:-1]]


def among(values: NDArray[np.int64], known: ArrayLike) -> Mask:
    """Which numbers are among some, in a tenth of the time that `np.isin` takes for a few."""
    ordered = np.sort(np.asarray(known, np.int64))
    if not len(ordered):
        return np.zeros(len(values), np.bool_)
    mask: Mask = ordered[np.minimum(ordered.searchsorted(values), len(ordered) - 1)] == values
    return mask


def _bounds(content: bytes) -> tuple[Places, Places]:
    """Return where the words of texts in lower case begin, and where they end."""
    is_word = np.frombuffer(b" " + content + b" ", np.uint8) != SPACE
    edges = (is_word[1:] != is_word[:-1]).nonzero()[0]
    return edges[::2], edges[1::2]


def hashes_in(texts: Sequence[str]) -> tuple[Hashes, Places]:
    """Return the hashes of the words of texts, one behind the other, and how many each text has.

    Args:
        texts: Short texts, of which nothing else is asked that `TokenBatch` knows.

    Returns:
        The hashes, as `TokenBatch` has them (W,), and the counts (T,).

    Example:
        >>> found, counts = hashes_in(["Marie Curie", "Marie"])
        >>> bool(found[0] == found[2]), counts.tolist()
        (True, [2, 1])
    """
    joined = " ".join(texts)
    written, beyond = in_bytes(joined)
    content = written.translate(IN_LOWER_CASE)
    starts, ends = _bounds(content)
    word_hashes = hashes(eights_of(content), starts, ends)
    others = distinct(np.searchsorted(ends, beyond, "right"))
    others = others[others < len(ends)]
    spans = zip(starts[others].tolist(), ends[others].tolist(), strict=True)
    word_hashes[others] = hashes_of([composed(joined[start:end].lower()) for start, end in spans])
    stops = np.cumsum([len(text) + 1 for text in texts])
    return word_hashes, np.diff(np.searchsorted(starts, stops), prepend=0)


def _fresh_signs() -> Signs:
    """Return the kinds of signs that are known; new ones once there are too many."""
    global _signs
    if _signs.is_full:
        _signs = Signs()
    return _signs


class TokenBatch:
    """The words of texts, in columns.

    Attributes:
        texts: The texts, but for those that are left out.
        text_numbers: The number of each among all texts that were given. Shape (T,).
        joined: All texts that were given, with a space between.
        owner: The number of the text of each place. Shape (P,).
        start: Where its word begins in `joined`. Shape (P,).
        end: Where it ends. Shape (P,).
        number: Its number in the vocabulary, that of "Jose" for "José"; 0 for words that nothing
            is known of, and for the places where texts end. Shape (P,).
        is_end: Whether a text ends there. Shape (P,).
        sign: The number of the sign before it. Shape (P,).
        twins: The numbers of words that are looked for with their accents, while a name of the
            shipped lists has none.
        first: The place of the first word of each text, and one more. Shape (T + 1,).
        offset: Where each text begins in `joined`. Shape (T,).
        nowhere: The place behind all texts.

    Example:
        >>> words = TokenBatch(["He ran.", "", "It rains"])
        >>> words.is_end.tolist(), words.first.tolist()
        ([False, False, True, True, False, False, True, True], [0, 3, 4, 7])
        >>> [words.signs.text(number) for number in words.sign.tolist()]
        ['', ' ', '.', '', '', ' ', '', '']
    """

    def __init__(
        self,
        texts: Sequence[str],
        asks_for: Asked | None = None,
        lists: Sequence[Container[str]] = (),
        row_of: Places | None = None,
    ) -> None:
        """Put texts together and find their words.

        Args:
            asks_for: Tells which words are looked for, by their numbers and by whether each begins
                with a capital letter, or stands in a text in which none does; a text without any
                is left out. None for every text.
            lists: Lists of words in lower case. A word with accents that one of them has is looked
                for as it is written.
            row_of: The row of each text, where no text is left out of whose row another one is
                kept. Shape (T,).
        """
        self._listed = lists
        self._tokenize(texts, asks_for, row_of)

    def _tokenize(
        self, texts: Sequence[str], asks_for: Asked | None = None, row_of: Places | None = None
    ) -> None:
        """Make the columns."""
        self.signs = _fresh_signs()
        self.twins: set[int] = set()
        self.joined = joined = " ".join(texts)
        written, self._beyond = in_bytes(joined)
        self.written = np.frombuffer(written, np.uint8)
        self.content = written.translate(IN_LOWER_CASE)
        self._eights = eights_of(self.content)
        starts, ends = _bounds(self.content)
        self.vocabulary = vocabulary()
        self.version = self.vocabulary.version
        sizes = np.fromiter(map(len, texts), np.int64, len(texts))
        stops = (sizes + 1).cumsum() - 1
        behind = starts.searchsorted(stops)
        counts = behind.copy()
        counts[1:] -= behind[:-1]
        is_capital = IS_UPPER[self.written[starts]]
        are_small = _without_any(is_capital, counts)
        is_small = are_small.repeat(counts)
        numbers, word_hashes = self._numbered(starts, ends, is_small)
        self.text_numbers: NDArray[np.int64] = np.arange(len(texts))
        if asks_for is not None:
            hits = asks_for(numbers, is_capital | is_small).nonzero()[0]
            has_any = np.zeros(len(texts), np.bool_)
            has_any[stops.searchsorted(starts[hits])] = True
            if row_of is not None:
                is_row = np.zeros(int(row_of.max(initial=0)) + 1, np.bool_)
                is_row[row_of[has_any]] = True
                has_any = is_row[row_of]
            self.text_numbers = has_any.nonzero()[0]
            if not len(self.text_numbers):
                self.texts: list[str] = []
                return
            if len(self.text_numbers) < len(texts):
                is_selected = has_any.repeat(counts)
                starts, ends = starts[is_selected], ends[is_selected]
                numbers, word_hashes = numbers[is_selected], word_hashes[is_selected]
                sizes, stops, counts = sizes[has_any], stops[has_any], counts[has_any]
                are_small = are_small[has_any]
        self.texts = [texts[text] for text in self.text_numbers.tolist()]
        #: Whether no word of a text begins with a capital letter. Shape (T + 1,).
        self.is_small: Mask = np.concatenate((are_small, [True]))
        self.offset = stops - sizes
        self._place(starts, ends, stops, counts)
        self.nowhere = len(self.owner) - 1
        self.number: Numbers = np.zeros(len(self.owner), np.int64)
        self.hash: Hashes = np.zeros(len(self.owner), np.uint64)
        self.number[self._words], self.hash[self._words] = numbers, word_hashes
        self._read_signs()
        self._last: tuple[int, Tokens] | None = None
        self._protected: dict[int, ProtectedText] = {}

    def forget(self) -> None:
        """Forget the columns, which take many times the texts, until one is asked for."""
        selected = {name: self.__dict__[name] for name in ("_listed", "text_numbers", "texts")}
        self.__dict__.clear()
        self.__dict__.update(selected)

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            """Make the columns anew that were forgotten."""
            selected = self.__dict__.get("text_numbers")
            if selected is None or "owner" in self.__dict__:
                raise AttributeError(name)
            self._tokenize(self.texts)
            self.text_numbers = selected
            return getattr(self, name)

    def __len__(self) -> int:
        """Return how many places there are, with one behind all texts that none of them has."""
        return len(self.owner)

    def _place(self, starts: Places, ends: Places, stops: Places, counts: Places) -> None:
        """Give each word its place, and one to where each text stops."""
        texts = np.arange(len(stops))
        owner = texts.repeat(counts)
        # Behind each text stands one place for its end, and behind all one for what is nowhere.
        total = len(starts) + len(stops) + 1
        places = np.arange(len(starts)) + owner
        last = counts.cumsum() + texts
        self.first = np.concatenate(([0], last + 1))
        self.owner, self.start, self.end = np.empty((3, total), np.int64)
        self.is_end = np.ones(total, np.bool_)
        for column, of_words, of_ends, nowhere in (
            (self.owner, owner, texts, len(stops)),
            (self.start, starts, stops, len(self.joined)),
            (self.end, ends, stops, len(self.joined)),
        ):
            column[places], column[last], column[-1] = of_words, of_ends, nowhere
        self.is_end[places] = False
        self._words = places

    def _numbered(self, starts: Places, ends: Places, is_small: Mask) -> tuple[Numbers, Hashes]:
        """Find words in the vocabulary, of which some stand in texts without capitals."""
        known = vocabulary()
        word_hashes = hashes(self._eights, starts, ends)
        numbers = known.numbers(word_hashes)
        for place in (ends - starts > MAX_PACKED_LENGTH).nonzero()[0].tolist():
            if numbers[place] and known.word(numbers[place]) != self._lower(
                starts[place], ends[place]
            ):
                numbers[place] = 0
        for place in self._beyond_between(starts, ends):
            word = composed(self._lower(starts[place], ends[place]))
            numbers[place], word_hashes[place] = known.number(word), hash_of(word)
        for place in self._accented(starts, ends, is_small):
            word = composed(self._lower(starts[place], ends[place]))
            name = looked_up(word)
            if name != word and any(word in words for words in self._listed):
                self.twins.add(known.number(word))
            elif name != word:
                if not known.number(name):
                    known.add(listed_names())
                numbers[place] = known.number(name)
        return numbers, word_hashes

    def _accented(self, starts: Places, ends: Places, is_small: Mask) -> list[int]:
        """Return which words may be names, by a capital or as no word has one, with an accent."""
        letters = self._accents
        if not len(letters):
            return []
        words = np.searchsorted(ends, letters, "right")
        # The letters of texts that are left out are in no word.
        letters, words = letters[words < len(ends)], words[words < len(ends)]
        words = distinct(words[starts[words] <= letters])
        names: list[int] = words[is_small[words] | IS_UPPER[self.written[starts[words]]]].tolist()
        return names

    @cached_property
    def _accents(self) -> Places:
        """Where letters with accents stand."""
        if self.joined.isascii():
            return np.zeros(0, np.int64)
        places = (self.written > _ASCII).nonzero()[0]
        accents: Places = places[IS_ACCENTED[self.written[places]]]
        return accents

    def renew(self) -> None:
        """Number the words anew, as the vocabulary took some up since."""
        places, self.version = self._words, self.vocabulary.version
        is_small = self.is_small[self.owner[places]]
        self.number[places], _ = self._numbered(self.start[places], self.end[places], is_small)

    def _read_signs(self) -> None:
        """Find what lies before each word, and behind the last."""
        ends = self.start[:-1]
        begins = np.concatenate(([0], self.end[:-1]))[: len(ends)]
        begins[self.first[:-1]] = self.offset
        beyond = self._beyond_between(begins, ends)
        self.sign = np.zeros(len(self.owner), np.int64)
        self.sign[:-1] = self.signs.numbers(self.joined, self.written, begins, ends, beyond)

    @property
    def beyond(self) -> Places:
        """Where characters beyond Latin-1 stand in the joined texts."""
        return self._beyond

    def _beyond_between(self, begins: Places, ends: Places) -> list[int]:
        """Return which stretches of the texts have characters beyond Latin-1."""
        if not len(self._beyond):
            return []
        # Each stretch that such a character lies in, or behind which it lies.
        stretch = np.searchsorted(ends, self._beyond, side="right")
        stretch = distinct(stretch[stretch < len(begins)])
        first = self._beyond[
            np.minimum(np.searchsorted(self._beyond, begins[stretch]), len(self._beyond) - 1)
        ]
        is_inside = (first >= begins[stretch]) & (first < ends[stretch])
        return [int(each) for each in stretch[is_inside]]

    def _lower(self, start: int, end: int) -> str:
        """Return a stretch of the texts in lower case, as long as it is."""
        word = self.joined[start:end]
        lower = word.lower()
        if len(lower) == len(word):
            return lower
        # İ has a mark more in lower case.
        return "".join(c if len(c.lower()) > 1 else c.lower() for c in word)

    @cached_property
    def cells(self) -> tuple[Any, ...]:
        """The columns that expressions name, to be read cell by cell, in a tenth of the time."""
        return (
            self.number.data, self.sign.data, self.signs.texts, self.start.data, self.end.data,
            self.content, self.shape.data,
        )  # fmt: skip

    def is_capital(self, at: Places) -> Mask:
        """Return which words begin with a capital letter."""
        mask: Mask = self._is_capital[at]
        return mask

    @cached_property
    def spelt(self) -> tuple[Hashes, Places, Places]:
        """Letters as `eights_of` gives them, and where each word begins and ends. Shape (P,).

        They are those of the texts, but that an accent is part of its letter wherever it is written
        behind it.
        """
        return self._respelt(self._composed)

    @cached_property
    def spelt_as_listed(self) -> tuple[Hashes, Places, Places]:
        """The same, with names in texts without capitals as the lists spell them: "jose"."""
        listed = self._listed_small
        return self._respelt(self._composed | listed) if listed else self.spelt

    @cached_property
    def hash_as_listed(self) -> Hashes:
        """What `hash` is of words that are spelt so. Shape (P,)."""
        listed = self._listed_small
        word_hashes = self.hash.copy() if listed else self.hash
        for at, word in listed.items():
            word_hashes[at] = hash_of(word)
        return word_hashes

    @cached_property
    def _listed_small(self) -> dict[int, str]:
        """The names with accents in texts without capitals, as the lists spell them."""
        if not len(self._accents) or not self.is_small[:-1].any():
            return {}
        is_small = self.is_small[self.owner]
        asked = [at for at in self._accented(self.start, self.end, is_small) if is_small[at]]
        known = {at: vocabulary().word(self.number[at]) for at in asked if self.number[at]}
        return {at: word for at, word in known.items() if word != composed(self.lower(at))}

    @cached_property
    def _composed(self) -> dict[int, str]:
        """The words whose accents stand behind their letters, with each as one letter."""
        several = self._beyond_between(self.start, self.end)
        words = {at: self.joined[self.start[at] : self.end[at]] for at in several}
        return {at: new for at, word in words.items() if (new := composed(word)) != word}

    def _respelt(self, otherwise: Mapping[int, str]) -> tuple[Hashes, Places, Places]:
        """Return the letters of the texts, with those of words that are spelt otherwise behind."""
        if not otherwise:
            return self._eights, self.start, self.end
        letters = [in_bytes(word)[0].translate(IN_LOWER_CASE) for word in otherwise.values()]
        starts, ends = self.start.copy(), self.end.copy()
        sizes = np.fromiter(map(len, letters), np.int64, len(letters))
        places = np.fromiter(otherwise, np.int64, len(otherwise))
        ends[places] = len(self.content) + np.cumsum(sizes)
        starts[places] = ends[places] - sizes
        return eights_of(b"".join((self.content, *letters))), starts, ends

    def is_upper(self, at: Places) -> Mask:
        """Return which words have capital letters and no others."""
        mask: Mask = (self.shape[at] & _ALL_UPPER) > 0
        return mask

    def is_lower(self, at: Places) -> Mask:
        """Return which words have small letters and no others."""
        mask: Mask = (self.shape[at] & _ALL_LOWER) > 0
        return mask

    def is_title(self, at: Places) -> Mask:
        """Return which words have one capital letter, before which no small one stands."""
        mask: Mask = (self.shape[at] & _TITLE) > 0
        return mask

    def is_digits(self, at: Places) -> Mask:
        """Return which words are made of digits."""
        mask: Mask = (self.shape[at] & _DIGITS) > 0
        return mask

    def length(self, at: Places) -> NDArray[np.int64]:
        """Return how many letters words have."""
        lengths: NDArray[np.int64] = self._lengths[at]
        return lengths

    def ending(self, at: Places, endings: Sequence[str]) -> Mask:
        """Return which words end so."""
        ends, lengths = self.end[at], self.length(at)
        held = np.zeros(len(at), np.bool_)
        for size, mask, wanted in _by_size(tuple(endings)):
            last = self._eights[np.maximum(ends - size, 0)] & mask
            is_one = last == wanted[0]
            for other in wanted[1:]:
                is_one |= last == other
            held |= is_one & (lengths >= size)
        return held

    def lower(self, at: int) -> str:
        """Return a word in lower case, as long as it is."""
        return self._lower(int(self.start[at]), int(self.end[at]))

    def looked_up(self, at: int) -> str:
        """Return a word in lower case as it is looked up: "jose" for "José"."""
        return vocabulary().word(self.number[at]) or self.lower(at)

    def known_as(self, at: int) -> str:
        """Return the word that a word has the number of, or else the word in lower case."""
        number = self.number[at]
        return vocabulary().word(number) if number else composed(self.lower(at))

    def tokens(self, k: int) -> Tokens:
        """Return a text by itself, as words and what lies between them."""
        last = self._last
        if last is None or last[0] != k:
            # What asks for a text again asks for it before the next one.
            self._last = last = k, self._tokens(k)
        return last[1]

    def protected(self, k: int) -> ProtectedText:
        """Return what is no prose in a text."""
        if k not in self._protected:
            self._protected[k] = ProtectedText(self.texts[k])
        return self._protected[k]

    def _tokens(self, k: int) -> Tokens:
        """Split a text into words and what lies between them."""
        first, stop = int(self.first[k]), int(self.first[k + 1]) - 1
        starts = self.start[first:stop]
        begin = int(self.offset[k])
        content = self.content[begin : int(self.start[stop])]
        if BEYOND_LATIN.search(content):
            lower = [self.lower(place) for place in range(first, stop)]
        else:
            lower = [word for word in content.decode("latin-1").split(" ") if word]
        return Tokens(self.texts[k], lower, (starts - begin).tolist())

    @cached_property
    def _padded(self) -> NDArray[np.uint8]:
        """The texts, a byte for a character, and a space behind them."""
        return np.append(self.written, np.uint8(SPACE))

    @cached_property
    def _is_capital(self) -> Mask:
        """Whether each word begins with a capital letter."""
        mask: Mask = IS_UPPER[self._padded[self.start]] & ~self.is_end
        return mask

    @cached_property
    def shape(self) -> NDArray[np.uint8]:
        """How each word is written. Shape (P,).

        A bit for each of capital, end, longer than a letter, first, capitals, small letters, one
        capital before all others, digits.
        """
        upper, lower, digits = counted(self.written.tobytes(), self.start, self.end)
        shapes = self._is_capital.astype(np.uint8)
        shapes |= self.is_end.astype(np.uint8) << 1
        shapes |= self._is_longer.astype(np.uint8) << 2
        shapes |= _ALL_UPPER * ((upper > 0) & (lower == 0))
        shapes |= _ALL_LOWER * ((upper == 0) & (lower > 0))
        shapes |= _TITLE * ((upper == 1) & ~IS_LOWER[self._padded[self.start]])
        shapes |= _DIGITS * (~self.is_end & (digits == self._lengths))
        shapes[self.first[:-1]] |= np.uint8(8)
        return shapes

    def is_longer(self, at: Places) -> Mask:
        """Return which words have more than one letter."""
        mask: Mask = self._is_longer[at]
        return mask

    @cached_property
    def _is_longer(self) -> Mask:
        """Whether each word has more than one letter."""
        mask: Mask = self._lengths > 1
        return mask

    @cached_property
    def _lengths(self) -> NDArray[np.int64]:
        """How many letters each word has."""
        _, starts, ends = self.spelt
        return ends - starts

    @cached_property
    def may_hold_code(self) -> Mask:
        """Which texts may hold code or tags. Shape (T,)."""
        held = np.zeros(len(self.texts), np.bool_)
        signs = _IS_CODE_SIGN[self.written].nonzero()[0]
        texts = np.searchsorted(self.offset, signs, side="right") - 1
        # A text that is left out may lie behind one that is not.
        for text in distinct(texts[texts >= 0]).tolist():
            held[text] = may_hold_code(self.texts[text])
        return held


@lru_cache
def _by_size(endings: tuple[str, ...]) -> list[tuple[int, np.uint64, list[np.uint64]]]:
    """Return the endings of each length as numbers, with what such letters are masked by."""
    several: dict[int, list[np.uint64]] = defaultdict(list)
    for ending in endings:
        letters = ending.encode("latin-1")
        several[len(letters)].append(np.uint64(int.from_bytes(letters, "little")))
    return [(size, np.uint64((1 << 8 * size) - 1), own) for size, own in several.items()]


def _without_any(held: Mask, counts: Places) -> Mask:
    """Which of several runs of places, of so many each, have none of which something holds."""
    total, ends = np.concatenate(([0], held.cumsum())), counts.cumsum()
    mask: Mask = total[ends] == total[ends - counts]
    return mask


Facts = Mapping[str, Mask]

FEW = 80
"""Up to how many candidates are asked one after the other."""
_NOBODY: Mask = np.zeros(0, np.bool_)


class Candidates:
    """Words that something is asked of, in their texts.

    Attributes:
        words: The words of the texts.
        places: The places of the candidates. Shape (C,).
        facts: What is known of each candidate beside its text, by name. Shape (C,) each.
    """

    def __init__(
        self,
        words: TokenBatch,
        places: Places,
        facts: Facts | None = None,
        lasts: Places | None = None,
    ) -> None:
        """Hold candidates; what is found of them is kept."""
        self.words = words
        self.places = places
        self.lasts = places if lasts is None else lasts
        self.facts = {} if facts is None else facts
        self.nowhere = words.nowhere
        self._known: dict[object, NDArray[Any]] = {}
        self._numbers: dict[TokenRef, Numbers] = {}
        self._whole: tuple[Candidates, Places] | None = None
        self._alone: dict[int, tuple[int, ...]] = {}
        #: The places that were found for some candidates, by what finds them and by row.
        self.chosen: dict[object, dict[int, int]] = defaultdict(dict)

    def alone(self, rows: Sequence[int]) -> tuple[Any, ...]:
        """Return what expressions name, and behind it what they name of each of some candidates."""
        known, words = self._alone, self.words
        if words.vocabulary.version != words.version:
            self._renew()
        places, lasts = self.places.data, self.lasts.data
        owner, begins = words.owner.data, words.first.data
        for row in rows:
            if row not in known:
                here = places[row]
                text = owner[here]
                known[row] = row, here, lasts[row], begins[text], begins[text + 1] - 1
        return (self, *words.cells, self.nowhere, [known[row] for row in rows])

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
        """
        candidates = Candidates(self.words, self.places[rows], self.facts, self.lasts[rows])
        candidates._whole = (self, rows)
        return candidates

    def fact(self, name: str) -> Mask:
        """Return what is known of the candidates beside their texts."""
        if self._whole is None:
            return self.facts[name]
        whole, rows = self._whole
        return whole.fact(name)[rows]

    def at(self, place: "TokenRef") -> Places:
        """Return where a place is, for each candidate."""
        places = self._known.get(place)
        if places is None:
            places = None if self._whole is None else self._of_whole(place, self._whole)
            self._known[place] = places = place.find(self) if places is None else places
        return places

    def numbers(self, place: "TokenRef") -> Numbers:
        """Return the number of the word at a place, for each candidate."""
        numbers = self._numbers.get(place)
        if numbers is None:
            numbers = self._numbers[place] = self.words.number[self.at(place)]
        return numbers

    def holds(self, condition: "Predicate") -> Mask:
        """Return for which candidates a condition holds."""
        mask = self._known.get(condition)
        if mask is None and len(self.places):
            if self.words.vocabulary.version != self.words.version:
                self._renew()
            mask = None if self._whole is None else self._of_whole(condition, self._whole)
            is_few = condition.code is not None and len(self.places) <= FEW
            if mask is None and is_few and condition.pays():
                every = range(len(self.places))
                mask = np.array(condition.evaluate(*self.alone(every)), np.bool_)
            elif mask is None:
                mask = condition.test(self)
            self._known[condition] = mask
        return _NOBODY if mask is None else mask

    def _renew(self) -> None:
        """Number the words anew, as the vocabulary took some up since."""
        self.words.renew()
        self._numbers.clear()

    def _of_whole(self, of: object, several: "tuple[Candidates, Places]") -> NDArray[Any] | None:
        """Return what is known of it for the candidates that these are some of."""
        whole, rows = several
        known = whole._known.get(of)
        if known is None and whole._whole is not None:
            known = whole._of_whole(of, whole._whole)
        return None if known is None else known[rows]

    def around(self, place: "TokenRef", distances: NDArray[np.int64]) -> Places:
        """Return the places at some distances from one, or what is nowhere. Shape (D, C)."""
        at = self.at(place)
        return np.where(at == self.nowhere, self.nowhere, self.within(at + distances[:, None]))

    def within(self, places: Places) -> Places:
        """Return places, but for those outside of their texts what is nowhere."""
        is_outside = (places < self.first) | (places > self.last)
        return np.where(is_outside, self.nowhere, places)
