"""Finding the texts of a batch that hold a word of a table, and where: all texts at once.

Most texts hold none, and most words of the others are none, so what is done for every word is done
for the whole batch in few array operations.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fair_datasets.matching.tokens import Tokens, is_latin, lower_case, tokenize

# Texts are scanned together up to this many characters, which bounds the memory.
_CHUNK = 1 << 19
_SPACE = 32
_BITS = 20
# Multiplying by an odd number mixes the letters into the upper bits (Fibonacci hashing).
_MIXER = np.uint64(0x9E3779B97F4A7C15)
_MASKS = np.array([(1 << 8 * length) - 1 for length in range(9)], np.uint64)


class Candidates(NamedTuple):
    """A text with the words that may be terms.

    Attributes:
        tokens: The text.
        places: The words, by their number in the text.
    """

    tokens: Tokens
    places: list[int]


class Scanner:
    """Finds the words of a table in many texts.

    Args:
        triggers: The words, in lower case.
        names: Those among them that count only where they are capitalised.

    Example:
        >>> scanner = Scanner({"him", "mark"}, names={"mark"})
        >>> found = list(scanner.scan(["Mark saw him.", "mark it", None]))
        >>> found[0].places, found[1:]
        ([0, 2], [None, None])
    """

    def __init__(self, triggers: Iterable[str], names: Iterable[str] = ()) -> None:
        """Note which first letters the words have."""
        self._triggers = frozenset(triggers)
        self._names = frozenset(names)
        words = [word.encode("latin-1") for word in self._triggers if is_latin(word)]
        content = b" ".join(words)
        lengths = np.array([len(word) for word in words], np.int64)
        starts = np.cumsum(lengths + 1) - lengths - 1
        self._may_be = np.zeros(1 << _BITS, np.bool_)
        self._may_be[_hashes(content, starts, lengths)] = True

    def scan(self, texts: Sequence[str | None]) -> Iterator[Candidates | None]:
        """Find the words in many texts.

        Args:
            texts: The texts, or nulls.

        Yields:
            For each text its candidates; None for a null or a text without any. They are made one
            by one, as many objects that live long would keep the garbage collector busy.
        """
        found: dict[int, _Found] = {}
        together: list[int] = []
        alone: set[int] = set()
        size = 0
        for number, text in enumerate(texts):
            if not text:
                continue
            if not is_latin(text):
                alone.add(number)
                continue
            together.append(number)
            size += len(text)
            if size > _CHUNK:
                found |= self._scan_together(texts, together)
                together, size = [], 0
        if together:
            found |= self._scan_together(texts, together)
        for number, text in enumerate(texts):
            if number in found:
                yield found.pop(number).candidates(text or "")
            elif number in alone:
                yield self._scan_alone(text or "")
            else:
                yield None

    def _scan_alone(self, text: str) -> Candidates | None:
        """Scan a text with letters beyond Latin-1."""
        tokens = tokenize(text)
        places = [
            place
            for place, word in enumerate(tokens.lower)
            if word in self._triggers
            and (word not in self._names or text[tokens.starts[place]].isupper())
        ]
        return Candidates(tokens, places) if places else None

    def _scan_together(
        self, texts: Sequence[str | None], numbers: Sequence[int]
    ) -> dict[int, "_Found"]:
        """Scan texts of Latin letters as one, and return what is found in which."""
        chosen = [texts[number] or "" for number in numbers]
        joined = "\n".join(chosen)
        content = lower_case(joined)
        is_word = np.frombuffer(content + b" ", np.uint8) != _SPACE
        edges = np.flatnonzero(is_word[1:] != is_word[:-1]) + 1
        edges = np.concatenate(([0], edges)) if is_word[0] else edges
        starts, lengths = edges[::2], edges[1::2] - edges[::2]
        hits = np.flatnonzero(self._may_be[_hashes(content, starts, lengths)])
        ends = np.cumsum(np.fromiter(map(len, chosen), np.int64, len(chosen)) + 1)
        # Words first[k] to first[k + 1] are those of text k.
        first = np.concatenate(([0], np.searchsorted(starts, ends)))
        owners = (np.searchsorted(first, hits, side="right") - 1).tolist()
        spans = zip(starts[hits].tolist(), (starts + lengths)[hits].tolist(), strict=True)
        places: dict[int, list[int]] = {}
        for owner, hit, (start, end) in zip(owners, hits.tolist(), spans, strict=True):
            word = content[start:end].decode("latin-1")
            if word in self._triggers and (word not in self._names or joined[start].isupper()):
                places.setdefault(owner, []).append(hit)
        bounds, offsets = first.tolist(), [0, *ends.tolist()]
        return {
            numbers[owner]: _Found(
                content, starts, offsets[owner], offsets[owner + 1], bounds[owner],
                bounds[owner + 1], held,
            )
            for owner, held in places.items()
        }  # fmt: skip


class _Found(NamedTuple):
    """What is found in one of the texts that are scanned together.

    Attributes:
        content: The texts together, in lower case.
        starts: Where their words begin. Shape (W,).
        offset: Where the text begins.
        end: Where it ends, with the line end behind it.
        first: Its first word.
        last: The word behind its last.
        places: The words that are found.
    """

    content: bytes
    starts: NDArray[np.int64]
    offset: int
    end: int
    first: int
    last: int
    places: list[int]

    def candidates(self, text: str) -> Candidates:
        """Return the text with its candidates."""
        lower = self.content[self.offset : self.end].decode("latin-1").split()
        starts = (self.starts[self.first : self.last] - self.offset).tolist()
        first = self.first
        return Candidates(Tokens(text, lower, starts), [place - first for place in self.places])


def _hashes(
    content: bytes, starts: NDArray[np.int64], lengths: NDArray[np.int64]
) -> NDArray[np.uint64]:
    """Return a number of `_BITS` bits for each word, from its first eight letters and its length.

    Args:
        content: The words.
        starts: Where each begins, in bytes. Shape (W,).
        lengths: How long each is. Shape (W,).

    Returns:
        The numbers. Shape (W,).
    """
    padded = content + bytes(8)
    eights = np.ndarray((len(content) + 1,), np.dtype("<u8"), padded, strides=(1,))
    letters = eights[starts].astype(np.uint64) & _MASKS[np.minimum(lengths, 8)]
    return ((letters + lengths.astype(np.uint64)) * _MIXER) >> np.uint64(64 - _BITS)
