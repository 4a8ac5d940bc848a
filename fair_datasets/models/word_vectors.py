"""Word vectors, the index of their words, and the words of texts that are looked up in it.

Texts are divided as NLTK divides them, which follows the Penn Treebank, as most word vectors and
the published scores are of such words: "don't" is "do" and "n't". It is one pattern, as the fast
tokenizer of an encoder takes nothing else, and as loading NLTK takes longer than scoring 100,000
sentences. Unlike NLTK's own it takes a curly apostrophe for a straight one, and a full stop for the
end of a sentence inside a text too.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import blake2b
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fair_datasets.system.checks import invalid

Rows = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class WordIndex:
    """Where the row of each word is: arrays that may lie in files, of which little is read.

    Attributes:
        letters: All words in UTF-8, one behind the other.
        ends: Where each row's word ends there. Shape (N,).
    """

    hashes: NDArray[np.uint64]
    rows: Rows
    letters: NDArray[np.uint8]
    ends: Rows

    @classmethod
    def of(cls, words: Iterable[bytes]) -> "WordIndex":
        """Index words; of two that are alike, the first is found."""
        written = list(words)
        hashes = hashes_of(written)
        order = np.argsort(hashes, kind="stable")
        letters = np.frombuffer(b"".join(written), np.uint8)
        ends = np.cumsum(np.fromiter(map(len, written), np.int64, len(written)))
        return cls(hashes[order], order, letters, ends)

    def word(self, row: int) -> bytes:
        """Return the word of a row."""
        start = int(self.ends[row - 1]) if row else 0
        return self.letters[start : int(self.ends[row])].tobytes()

    def find(self, words: Sequence[str]) -> Rows:
        """Return the row of each word; -1 for a word that is not there. Shape (N,)."""
        written = [word.encode(errors="surrogatepass") for word in words]
        hashes = hashes_of(written)
        places = np.searchsorted(self.hashes, hashes).tolist()
        rows = np.full(len(words), -1, np.int64)
        for number, (word, place) in enumerate(zip(written, places, strict=True)):
            while place < len(self.hashes) and self.hashes[place] == hashes[number]:
                row = int(self.rows[place])
                if self.word(row) == word:
                    rows[number] = row
                    break
                place += 1
        return rows


@dataclass(frozen=True, eq=False)
class WordVectors(Mapping[str, Any]):
    """Word vectors; each is read when its word is looked up.

    A word is looked up as it is written, then in lower case. It is a mapping of words to vectors,
    as `weat_from_vectors` takes it.

    Attributes:
        name: What they were loaded from.
        digest: The SHA-256 of the file; empty for vectors that come from none.
        provenance: What was done to them, as JSON data; empty for vectors as they were read.

    Example:
        >>> vectors = WordVectors.of(["he", "she"], [[1.0, 0.0], [0.0, 1.0]])
        >>> vectors.find(["She", "SHE", "we"]).tolist(), vectors["He"].tolist()
        ([1, 1, -1], [1.0, 0.0])
    """

    name: str
    matrix: NDArray[np.float32]
    index: WordIndex
    digest: str = ""
    provenance: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, words: Iterable[str], matrix: ArrayLike, *, name: str = "memory") -> "WordVectors":
        """Make word vectors of words and an array.

        Raises:
            InputError: There is not one vector of finite numbers for each word.
        """
        written = [word.encode(errors="surrogatepass") for word in words]
        table = np.asarray(matrix, dtype=np.float32)
        if table.ndim != 2 or not table.size or len(table) != len(written):
            raise invalid(
                f"there must be one vector for each of the {len(written)} words, but "
                f"the array has the shape {table.shape}."
            )
        if not np.isfinite(table).all():
            row = int(np.flatnonzero(~np.isfinite(table).all(axis=1))[0])
            raise invalid(f"the vector of {written[row].decode()!r} is not finite; drop it.")
        return cls(name, table, WordIndex.of(written))

    @property
    def width(self) -> int:
        """How many numbers a vector has."""
        return int(self.matrix.shape[1])

    def find(self, words: Sequence[str]) -> Rows:
        """Return the row of each word: as it is written, else in lower case.

        Returns:
            The rows; -1 for a word without a vector. Shape (N,).
        """
        rows = self.index.find(words)
        lacking = np.flatnonzero(rows < 0)
        if lacking.size:
            rows[lacking] = self.index.find([words[place].lower() for place in lacking.tolist()])
        return rows

    def words(self, rows: Iterable[int]) -> list[str]:
        """Return the words of some rows.

        Returns:
            The words; bytes that are no UTF-8 are replaced.
        """
        return [self.index.word(int(row)).decode(errors="replace") for row in rows]

    def units(self, rows: Rows) -> NDArray[np.float64]:
        """Return the vectors of some rows, brought to length 1.

        Returns:
            The vectors; one that is zero stays so. Shape (N, d).
        """
        vectors = self.matrix[rows].astype(np.float64)
        lengths = np.sqrt((vectors * vectors).sum(axis=1, keepdims=True))
        units: NDArray[np.float64] = vectors / np.where(lengths > 0, lengths, 1.0)
        return units

    def save(self, path: str | Path) -> None:
        """Save the vectors, as a file that `load_word_vectors` and `BiasScore` take.

        Raises:
            InputError: Its name ends in something else, or it cannot be written.
        """
        if Path(path).suffix != ".npz":
            raise invalid(f"{str(path)!r} must end in '.npz'; name such a file.")
        words = [self.index.word(row) for row in range(len(self))]
        letters = np.frombuffer(b"\n".join(word.replace(b"\n", b" ") for word in words), np.uint8)
        try:
            np.savez(path, words=letters, vectors=self.matrix)
        except OSError as error:
            raise invalid(
                f"{path} cannot be written ({error.strerror}); choose another file."
            ) from error

    def __repr__(self) -> str:
        """Return what tells them from others, without the numbers."""
        return f"WordVectors({self.name!r}, shape={self.matrix.shape})"

    def __len__(self) -> int:
        """Return how many words there are."""
        return len(self.matrix)

    def __iter__(self) -> Iterator[str]:
        """Walk over the words."""
        return iter(self.words(range(len(self))))

    def __contains__(self, word: object) -> bool:
        """Whether a word, or its lower-case form, has a vector."""
        return isinstance(word, str) and bool(self.find([word])[0] >= 0)

    def __getitem__(self, word: str) -> NDArray[np.float32]:
        """Return the vector of a word."""
        row = int(self.find([word])[0])
        if row < 0:
            raise KeyError(word)
        vector: NDArray[np.float32] = np.array(self.matrix[row])
        return vector


def hashes_of(words: Iterable[bytes]) -> NDArray[np.uint64]:
    """Return a number of 64 bits for each word, the same on every machine. Shape (N,)."""
    digests = b"".join(blake2b(word, digest_size=8).digest() for word in words)
    return np.frombuffer(digests, "<u8").astype(np.uint64, copy=False)


# Signs that are never part of a word.
_SIGN = r"\s;@#$%&?!*()\[\]{}<>\"`«»“”„‘‒-―"
# A sign of a word: also a comma or colon before a digit, and one dot, hyphen or apostrophe.
_PART = rf"(?:[^{_SIGN},:.'’-]|[,:](?=\d)|(?<!\.)\.(?!\.)|(?<!-)-(?!-)|(?<!['’])['’](?!['’]))"
# Where a word ends: dots and apostrophes behind it are no part of it.
_END = rf"(?=[.'’]*(?!{_PART}))"
_CLITIC = r"(?:['’](?:[sS]|[mM]|[dD]|ll|LL|re|RE|ve|VE)|n['’]t|N['’]T)"
# What is written as one word, up to where it is cut.
_TWO_WORDS = r"(?i:can(?=not\b)|gim(?=me\b)|gon(?=na\b)|got(?=ta\b)|lem(?=me\b)|wan(?=na(?![\w-])))"
WORD = (
    rf"\b{_TWO_WORDS}"
    # "U.S." keeps its last dot.
    rf"|(?:[^\W\d_]\.){{2,}}(?!{_PART})"
    rf"|(?:['’](?i:re|ve|ll|m|t|s|d|n)\b|(?!['’]){_PART}){_PART}*?(?:(?={_CLITIC}{_END})|{_END})"
)
"""The pattern of a word, or of a sign between spaces such as "-", for `re` and `tokenizers`."""

_WORD = re.compile(WORD)
_BETWEEN_SPACES = re.compile(r"\S+")


def words_of(texts: Iterable[str]) -> list[list[str]]:
    """Return the words of each text; punctuation is none.

    Source:
        NLTK's `NLTKWordTokenizer`, after R. MacIntyre's tokenizer of the Penn Treebank.
    """
    return [list(chain.from_iterable(map(_words, text.split()))) for text in texts]


def word_spans(text: str) -> list[tuple[int, int]]:
    """Return where the words of a text begin and end, in characters."""
    return [
        (piece.start() + start, piece.start() + end)
        for piece in _BETWEEN_SPACES.finditer(text)
        for start, end in _divided(piece.group())
    ]


# Words come again, and dividing one takes far longer than looking it up.
@lru_cache(maxsize=100_000)
def _words(piece: str) -> tuple[str, ...]:
    """Return the words of what stands between two spaces."""
    return tuple(piece[start:end] for start, end in _divided(piece))


@lru_cache(maxsize=100_000)
def _divided(piece: str) -> tuple[tuple[int, int], ...]:
    """Return where the words of what stands between two spaces begin and end."""
    spans = (match.span() for match in _WORD.finditer(piece))
    return tuple(span for span in spans if any(map(str.isalnum, piece[slice(*span)])))
