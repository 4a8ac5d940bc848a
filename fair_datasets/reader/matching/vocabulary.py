"""Words by number: what is known of one or two is looked up for many texts at once."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, wraps
from itertools import count, filterfalse, repeat
from pathlib import Path
from threading import RLock
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray


def read_cells(path: Path) -> list[list[str]]:
    """Read the cells of a table that ships, without its header; nothing in it is quoted.

    Args:
        path: A file of cells with tabs between.
    """
    return [line.split("\t") for line in path.read_text("utf-8").rstrip("\n").split("\n")[1:]]


def read_classes(path: Path) -> dict[str, frozenset[str]]:
    """Read the words of a language.

    Args:
        path: Its `words.tsv`: a row for each word with its classes and its sources.
    """
    cells = path.read_text("utf-8").rstrip("\n").replace("\n", "\t").split("\t")
    # Thousands of words are of a few hundred combinations of classes.
    several: dict[str, list[str]] = defaultdict(list)
    for word, classes in zip(cells[3::3], cells[4::3], strict=True):
        several[classes].append(word)
    lists: dict[str, list[str]] = defaultdict(list)
    for classes, words in several.items():
        for name in classes.split(" "):
            lists[name] += words
    return {name: frozenset(listed) for name, listed in lists.items()}


Numbers = NDArray[np.int64]
Hashes = NDArray[np.uint64]

# Multiplying by odd numbers mixes the letters into the upper bits (Fibonacci hashing).
_FIRST, _LAST = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4F)
_MASKS = np.array([(1 << 8 * length) - 1 for length in range(9)], np.uint64)
_LEAST_BITS = 12
_UNASKED = -1
_BEYOND = np.uint64(1)
#: The longest word that its first eight and its last eight letters tell from all others.
MAX_PACKED_LENGTH = 16


def eights_of(content: bytes) -> Hashes:
    """Return as one number the eight letters from each on, and from behind the last one."""
    return np.ndarray((len(content) + 1,), np.dtype("<u8"), content + bytes(8), strides=(1,))


def hashes(eights: Hashes, starts: NDArray[np.int64], ends: NDArray[np.int64]) -> Hashes:
    """Return a number for each word, by its first and its last eight letters and its length.

    Args:
        eights: The letters of the words in lower case, in Latin-1, as `eights_of` gives them.
        starts: Where each begins, in bytes. Shape (W,).
        ends: Where each ends. Shape (W,).

    Returns:
        The numbers. Shape (W,).
    """
    lengths = ends - starts
    mask = _MASKS[np.minimum(lengths, 8)]
    first = eights[starts] & mask
    last = eights[np.maximum(ends - 8, starts)] & mask
    word_hashes: Hashes = (first + lengths.astype(np.uint64)) * _FIRST
    word_hashes ^= (last ^ (word_hashes >> np.uint64(29))) * _LAST
    word_hashes *= _FIRST
    return word_hashes


def hashes_of(words: Sequence[str]) -> Hashes:
    """Return the number of each of some words; 0 for those with letters beyond Latin-1.

    Example:
        >>> hashes_of(["", "łukasz"]).tolist(), len(set(hashes_of(["he", "she"]).tolist()))
        ([0, 0], 2)
    """
    joined = "".join(words)
    lengths = np.fromiter(map(len, words), np.int64, len(words))
    ends = np.cumsum(lengths)
    word_hashes = hashes(eights_of(joined.encode("latin-1", "replace")), ends - lengths, ends)
    if not _is_latin(joined):
        word_hashes[[number for number, word in enumerate(words) if not _is_latin(word)]] = 0
    return word_hashes


def hash_of(word: str) -> int:
    """Return the number of one word; 0 for one with letters beyond Latin-1."""
    return int(hashes_of([word])[0]) if _is_latin(word) else 0


def _is_latin(word: str) -> bool:
    """Whether a word has no letter beyond Latin-1."""
    return word.isascii() or max(word) < "\u0100"


class Vocabulary:
    """Words that something is known of, by number; 0 is every other word.

    Example:
        >>> words = Vocabulary()
        >>> words.add(["she", "he", "she"]).tolist(), words.number("he"), words.number("it")
        ([1, 2, 1], 2, 0)
    """

    def __init__(self) -> None:
        """Know no word yet."""
        self._numbers: dict[str, int] = {}
        self._words = [""]
        self._classes: dict[object, NDArray[np.bool_]] = {}
        self._kinds: dict[Callable[[str], bool], NDArray[np.int8]] = {}
        self._expected: dict[Callable[[], Iterable[str]], None] = {}
        self._is_placed = False
        #: Changes with the words that are known, or are to be taken up.
        self.version = 0
        # Texts are read in several threads at once.
        self._lock = RLock()

    def __len__(self) -> int:
        """Return how many numbers there are, with 0."""
        return len(self._words)

    def add(self, words: Iterable[str]) -> Numbers:
        """Return the numbers of words, of which the new ones are taken up."""
        words = list(words)
        with self._lock:
            self._take_up(words)
        return np.fromiter(map(self._numbers.__getitem__, words), np.int64, len(words))

    def _take_up(self, words: Iterable[str]) -> None:
        """Number those of some words that are new."""
        new = dict.fromkeys(filterfalse(self._numbers.__contains__, words))
        if new:
            self._numbers.update(zip(new, count(len(self._words)), strict=False))
            self._words += new
            self._is_placed = False
            self.version += 1

    def preload(self, words: Callable[[], Iterable[str]]) -> None:
        """Take up words before the next texts are read.

        Args:
            words: Returns words in lower case; it is called then, and once.
        """
        self._expected[words] = None
        self.version += 1

    def number(self, word: str) -> int:
        """Return the number of a word in lower case."""
        return self._numbers.get(word, 0)

    def word(self, number: int) -> str:
        """Return the word of a number."""
        return self._words[number]

    def hashes(self, numbers: Numbers) -> Hashes:
        """Return the hashes of words, as they are listed.

        Args:
            numbers: The numbers of the words. Shape (W,).

        Returns:
            What `hashes` returns for their spelling. Shape (W,).
        """
        with self._lock:
            if not self._is_placed:
                self._place()
            return self._keys[numbers]

    def those(self, kind: Callable[[str], bool], numbers: Numbers) -> NDArray[np.bool_]:
        """Return which words are of a kind.

        Args:
            kind: Tells it of a word; it is asked once for each.
            numbers: The numbers of the words. Shape (W,).

        Returns:
            The answers; False for 0. Shape (W,).
        """
        known = self._kinds.get(kind)
        if known is None or len(known) < len(self._words):
            grown = np.full(len(self._words), _UNASKED, np.int8)
            grown[: 0 if known is None else len(known)] = () if known is None else known
            grown[0] = False
            self._kinds[kind] = known = grown
        answers = known[numbers]
        asked = (answers == _UNASKED).nonzero()[0]
        if len(asked):
            for number in {*numbers[asked].tolist()}:
                known[number] = kind(self._words[number])
            answers = known[numbers]
        return answers.astype(np.bool_)

    def is_listed(self, key: object, words: Callable[[], Iterable[str]]) -> NDArray[np.bool_]:
        """Return for each number whether its word is in a list.

        Args:
            words: Returns its words; it is called once.

        Returns:
            The answers, by number; False for 0. Shape (at least `len(self)`,).
        """
        mask = self._classes.get(key)
        if mask is None or len(mask) < len(self._words):
            mask = np.zeros(len(self._words), np.bool_)
            mask[np.fromiter(map(self._numbers.get, words(), repeat(0)), np.int64)] = True
            mask[0] = False
            self._classes[key] = mask
        return mask

    def numbers(self, word_hashes: Hashes) -> Numbers:
        """Return the numbers of words by their hashes.

        Args:
            word_hashes: What `hashes` returns. Shape (W,).

        Returns:
            The numbers. Shape (W,).
        """
        with self._lock:
            if self._expected:
                expected, self._expected = self._expected, {}
                # Most words are in several lists, whose sets remember their hashes.
                self._take_up(set[str]().union(*(words() for words in expected)))
            if not self._is_placed:
                self._place()
            shift, keys, places = self._shift, self._keys, self._slots
        slots = (word_hashes >> shift).astype(np.int64)
        numbers: Numbers = places[slots].astype(np.int64)
        asked = ((numbers > 0) & (keys[numbers] != word_hashes)).nonzero()[0]
        while len(asked):
            slots[asked] += 1
            here = places[slots[asked]]
            numbers[asked] = here
            asked = asked[(here > 0) & (keys[here] != word_hashes[asked])]
        return numbers

    def _place(self) -> None:
        """Give each word its slot: that of its hash, or the next one that is free."""
        bits = max(_LEAST_BITS, (4 * len(self._words)).bit_length())
        self._shift = np.uint64(64 - bits)
        self._keys = keys = hashes_of(self._words)
        # Behind the last slot are some more, so that no search has to begin anew.
        slots = np.zeros((1 << bits) + 64, np.int32)
        waiting = keys.nonzero()[0]
        wanted = (keys[waiting] >> self._shift).astype(np.int64)
        while len(waiting):
            is_free = slots[wanted] == 0
            # Of several that want a slot the first one gets it: what is written last stays.
            slots[wanted[is_free][::-1]] = waiting[is_free][::-1]
            is_placed = slots[wanted] == waiting
            waiting, wanted = waiting[~is_placed], wanted[~is_placed] + 1
        self._slots = slots
        # No word of a text has this hash: those beyond Latin-1 are looked up by their letters.
        keys[1:][keys[1:] == 0] = _BEYOND
        self._is_placed = True


@cache
def vocabulary() -> Vocabulary:
    """Return the words of this process: those of English, and of all lexicons that are read."""
    return Vocabulary()


Given = TypeVar("Given")
_BITS = 31


def pair_of(first: int, second: int) -> int:
    """Return one number for two words."""
    return (first << _BITS) + second


def pairs_of(first: Numbers, second: Numbers) -> Numbers:
    """Return one number for each two words, as `pair_of` does. Shape (P,)."""
    pairs: Numbers = (first.astype(np.int64) << _BITS) + second
    return pairs


class WordPairs(Generic[Given]):
    """What pairs of words give away.

    Example:
        >>> pairs = WordPairs({pair_of(1, 2): "Marie Curie", pair_of(3, 4): "Ada Lovelace"})
        >>> list(pairs.lookup(pairs_of(np.array([3, 1, 1]), np.array([4, 1, 2]))))
        [(0, 'Ada Lovelace'), (2, 'Marie Curie')]
    """

    def __init__(self, given: Mapping[int, Given]) -> None:
        """Put pairs into a column.

        Args:
            given: Pairs, as `pair_of` returns them, to what each gives away.
        """
        self._pairs = np.array(sorted(given), np.int64)
        self._given = [given[pair] for pair in self._pairs.tolist()]

    def among(self, asked: Numbers) -> NDArray[np.bool_]:
        """Return which pairs give something away. Shape (P,)."""
        if not len(self._pairs):
            return np.zeros(len(asked), np.bool_)
        held: NDArray[np.bool_] = self._pairs[self._nearest(asked)] == asked
        return held

    def lookup(self, asked: Numbers) -> Iterator[tuple[int, Given]]:
        """Give what is given away.

        Args:
            asked: Pairs, as `pairs_of` returns them. Shape (P,).

        Yields:
            The place of the pair among them, and what it gives away.
        """
        if not len(self._pairs):
            return
        nearest = self._nearest(asked)
        for hit in (self._pairs[nearest] == asked).nonzero()[0].tolist():
            yield hit, self._given[nearest[hit]]

    def _nearest(self, asked: Numbers) -> Numbers:
        """Return where each pair would be among those that give something away."""
        places: Numbers = np.minimum(self._pairs.searchsorted(asked), len(self._pairs) - 1)
        return places


Answer = TypeVar("Answer")

#: How many answers are kept, of about 150 bytes each.
MOST = 1 << 17
# Only texts made for it have longer words; they are asked anew each time.
_LONGEST = 40

_columns: list[dict[str, object]] = []
_size = 0


def memoize(tell: Callable[[str], Answer]) -> Callable[[str], Answer]:
    """Keep what a function tells of words in the table.

    Args:
        tell: Tells something of a word, by nothing but the word.

    Returns:
        The function, which is called once for a word as long as the table keeps it.

    Example:
        >>> length = memoize(len)
        >>> length("word"), length("word")
        (4, 4)
    """
    answers: dict[str, Answer] = {}
    _columns.append(answers)  # type: ignore[arg-type]

    @wraps(tell)
    def remembered(word: str) -> Answer:
        try:
            return answers[word]
        except KeyError:
            answer = tell(word)
            if len(word) <= _LONGEST:
                _make_room()
                answers[word] = answer
            return answer

    return remembered


def _make_room() -> None:
    """Count an answer that is kept; before there are too many, forget them all."""
    global _size
    if _size >= MOST:
        for answers in _columns:
            answers.clear()
        _size = 0
    _size += 1
