"""Finding the texts of a batch that hold a word of a table, and where: all texts at once.

Most texts hold none, and most words of the others are none, so what is done for every word is done
for the whole batch in few array operations.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from fair_datasets.matching.tokens import (
    Tokens,
    is_latin,
    latin,
    latin_in_lower_case,
    lower_case,
    tokenize,
)

# Texts are scanned together up to about this many characters, which bounds the memory.
_CHUNK = 1 << 19
_SPACE = 32
_BITS = 20
# Multiplying by an odd number mixes the letters into the upper bits (Fibonacci hashing).
_MIXER = np.uint64(0x9E3779B97F4A7C15)
_MASKS = np.array([(1 << 8 * length) - 1 for length in range(9)], np.uint64)

# What is known of a hash: that it may be a word where it is capitalised, or in lower case as well.
_CAPITALISED, _ALWAYS = 1, 2
_IS_CAPITAL = np.array([chr(code).isupper() for code in range(256)])

# Signs between which a word surely stands alone, and is not hyphenated nor in an address or a path;
# and those behind a word where a space follows them. The question mark is none here, as it stands
# for every sign beyond Latin-1.
_IS_BEFORE = np.array([chr(code) in ' "' for code in range(256)])
_IS_BEHIND = np.array([chr(code) in " \"'" for code in range(256)])
_IS_END = np.array([chr(code) in ".,;:!" for code in range(256)])


# The words of a text that may be terms, by their number in it; and for each whether the signs
# around it leave no doubt that it stands alone, is not hyphenated, and that no address and no path
# is there (but code may be).
Places = list[tuple[int, bool]]
Candidates = tuple[Tokens, Places]


class Scanner:
    """Finds the words of a table in many texts.

    Args:
        triggers: The words, in lower case.
        names: Those among them that count only where they are capitalised.

    Example:
        >>> scanner = Scanner({"him", "mark"}, names={"mark"})
        >>> for number, found in scanner.scan(["mark it", None, "Mark saw 'him'."]):
        ...     tokens, places = found
        ...     print(number, places)
        2 [(0, True), (2, False)]
    """

    def __init__(self, triggers: Iterable[str], names: Iterable[str] = ()) -> None:
        """Note the words and their hashes."""
        self._capitalised = frozenset(triggers)
        self._always = self._capitalised.difference(names)
        self._kinds = np.zeros(1 << _BITS, np.uint8)
        for words, kind in ((self._capitalised, _CAPITALISED), (self._always, _ALWAYS)):
            content = lower_case(" ".join(filter(is_latin, words)))
            self._kinds[_hashes(content, *_words(content))] = kind

    def scan(self, texts: Sequence[str | None]) -> Iterator[tuple[int, Candidates]]:
        """Find the words in many texts.

        Args:
            texts: The texts, or nulls.

        Yields:
            The number of each text that has any, with its candidates. They are made one by one, as
            many objects that live long would keep the garbage collector busy.
        """
        present = [text or "" for text in texts]
        sizes = np.fromiter(map(len, present), np.int64, len(present))
        cuts = np.flatnonzero(np.diff(np.cumsum(sizes) // _CHUNK)) + 1
        for first, last in pairwise([0, *cuts.tolist(), len(present)]):
            yield from self._scan_together(present[first:last], first)

    def _scan_together(self, texts: Sequence[str], first: int) -> Iterator[tuple[int, Candidates]]:
        """Scan texts as one, but for those with letters beyond Latin-1."""
        beyond = {k for k, text in enumerate(texts) if not (text.isascii() or is_latin(text))}
        if beyond:
            chunk = _Chunk(["" if k in beyond else text for k, text in enumerate(texts)])
        else:
            chunk = _Chunk(texts)
        found = self._find(chunk)
        for k in sorted(beyond.union(found)):
            if k in found:
                yield first + k, (chunk.tokens(k), found[k])
            elif (candidates := self._scan_alone(texts[k])) is not None:
                yield first + k, candidates

    def _scan_alone(self, text: str) -> Candidates | None:
        """Scan a text with letters beyond Latin-1."""
        tokens = tokenize(text)
        places = [
            (place, False)
            for place, (word, start) in enumerate(zip(tokens.lower, tokens.starts, strict=True))
            if word in (self._capitalised if text[start].isupper() else self._always)
        ]
        return (tokens, places) if places else None

    def _find(self, chunk: "_Chunk") -> dict[int, Places]:
        """Return which texts have words of the table, and where."""
        starts = chunk.starts
        kinds = self._kinds[_hashes(chunk.content, starts, chunk.ends)]
        hits = np.flatnonzero(kinds)
        signs = np.frombuffer(chunk.written, np.uint8)
        is_capital = _IS_CAPITAL[signs[starts[hits]]]
        is_kept = is_capital | (kinds[hits] == _ALWAYS)
        hits, is_capital = hits[is_kept], is_capital[is_kept]
        begins, ends = starts[hits], chunk.ends[hits]
        behind = signs[ends]
        is_clear = _IS_BEHIND[behind] | (_IS_END[behind] & (signs[ends + 1] == _SPACE))
        is_clear &= _IS_BEFORE[signs[begins - 1]]
        owners = np.searchsorted(chunk.offsets, begins, side="right") - 1
        places = hits - chunk.bounds[owners]
        columns = (owners, places, begins, ends, is_capital, is_clear)
        found: dict[int, Places] = {}
        for owner, place, start, end, capital, clear in zip(
            *[column.tolist() for column in columns], strict=True
        ):
            if chunk.lower[start:end] in (self._capitalised if capital else self._always):
                if owner in found:
                    found[owner].append((place, clear))
                else:
                    found[owner] = [(place, clear)]
        return found


class _Chunk:
    """Texts of Latin letters as one text.

    Attributes:
        written: The texts in Latin-1 with a space before, between and behind them, so that their
            ends look like those of any word.
        content: The same as `lower_case` writes it.
        lower: The same as a string.
        starts: Where the words begin. Shape (W,).
        ends: Where they end. Shape (W,).
        offsets: Where each text begins, and where one more would. Shape (T + 1,).
        bounds: The number of the first word of each text, and all words'. Shape (T + 1,).
    """

    def __init__(self, texts: Sequence[str]) -> None:
        """Put the texts together and find their words."""
        self.written = latin(f" {' '.join(texts)}  ")
        self.content = latin_in_lower_case(self.written)
        self.lower = self.content.decode("latin-1")
        self.starts, self.ends = _words(self.content)
        sizes = np.fromiter(map(len, texts), np.int64, len(texts))
        self.offsets = np.concatenate(([1], np.cumsum(sizes + 1) + 1))
        self.bounds = np.searchsorted(self.starts, self.offsets)
        self._in_text = self.starts - np.repeat(self.offsets[:-1], np.diff(self.bounds))
        self._texts = texts
        self._offsets = self.offsets.tolist()
        self._bounds = self.bounds.tolist()

    def tokens(self, k: int) -> Tokens:
        """Return a text as words and gaps."""
        lower = self.lower[self._offsets[k] : self._offsets[k + 1]].split()
        starts = self._in_text[self._bounds[k] : self._bounds[k + 1]].tolist()
        return Tokens(self._texts[k], lower, starts)


def _words(content: bytes) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return where the words that stand between spaces begin and end. Shape (W,) each."""
    is_word = np.frombuffer(b" " + content + b" ", np.uint8) != _SPACE
    edges = np.flatnonzero(is_word[1:] != is_word[:-1])
    return edges[::2], edges[1::2]


def _hashes(
    content: bytes, starts: NDArray[np.int64], ends: NDArray[np.int64]
) -> NDArray[np.uint64]:
    """Return a number of `_BITS` bits for each word, from its first eight letters and its length.

    Args:
        content: The words.
        starts: Where each begins, in bytes. Shape (W,).
        ends: Where each ends. Shape (W,).

    Returns:
        The numbers. Shape (W,).
    """
    padded = content + bytes(8)
    eights = np.ndarray((len(content) + 1,), np.dtype("<u8"), padded, strides=(1,))
    lengths = ends - starts
    letters = eights[starts].astype(np.uint64) & _MASKS[np.minimum(lengths, 8)]
    hashes: NDArray[np.uint64] = (letters + lengths.astype(np.uint64)) * _MIXER
    return hashes >> np.uint64(64 - _BITS)
