"""Letters as bytes, one for each character of any alphabet, and how many of a kind words have.

Letters of Latin-1 are written as they are. In the place of the others stand control characters, one
for each kind, which are signs in Latin-1 and are written as another sign themselves.
"""

import re
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from fair_datasets.matching.signs import OTHER_SIGN

Places = NDArray[np.int64]

SPACE = 32
_CAPITAL, _SMALL, _LETTER = 0x80, 0x81, 0x82
_LETTERS = (_CAPITAL, _SMALL, _LETTER)
_BEYOND = 256
_WITHOUT_CONTROLS = bytes(OTHER_SIGN if code in _LETTERS else code for code in range(256))
_IS_DIGIT = np.array([chr(code).isdigit() for code in range(256)])

#: Finds letters beyond Latin-1.
BEYOND_LATIN = re.compile(rb"[\x80-\x82]")
IS_UPPER = np.array([chr(code).isupper() or code == _CAPITAL for code in range(256)])
IS_LOWER = np.array([chr(code).islower() or code == _SMALL for code in range(256)])
#: Translates letters to small ones, and whatever is in no word to a space.
IN_LOWER_CASE = bytes(
    ord(chr(code).lower()) if chr(code).isalnum() else (code if code in _LETTERS else SPACE)
    for code in range(256)
)

#: The kinds of letters that are counted.
UPPER, LOWER, DIGIT = 0, 21, 42
# They are counted in one number, 21 bits each; texts are read in parts that are shorter.
_MOST_LETTERS = (1 << 21) - 1
_STEPS = (
    IS_UPPER.astype(np.int64)
    + (IS_LOWER.astype(np.int64) << LOWER)
    + (_IS_DIGIT.astype(np.int64) << DIGIT)
)
# Once more than one word of so many was asked for, the letters of all words are counted.
_FEW = 3


class Letters:
    """The letters of words, which are counted by kind.

    Example:
        >>> content, _ = in_bytes("Mary PhD")
        >>> written = np.frombuffer(content, np.uint8)
        >>> Letters(written, np.array([0, 5]), np.array([4, 8])).count(UPPER, np.array([0, 1]))
        array([1, 2])
    """

    def __init__(self, written: NDArray[np.uint8], starts: Places, ends: Places) -> None:
        """Hold a text of a byte for each character, and where its words begin and end."""
        self._written = written
        self._starts = starts
        self._ends = ends
        self._asked = 0

    def count(self, kind: int, at: Places) -> NDArray[np.int64]:
        """Count the letters of a kind in words.

        Args:
            kind: The kind: `UPPER`, `LOWER` or `DIGIT`.
            at: The words, by number.

        Returns:
            How many each has, in the shape of the words.
        """
        self._asked += at.size
        if self._asked * _FEW > len(self._starts):
            found: NDArray[np.int64] = (self._counts[at] >> kind) & _MOST_LETTERS
            return found
        starts = self._starts[at].ravel()
        lengths = self._ends[at].ravel() - starts
        stops = np.cumsum(lengths)
        letters = np.arange(int(stops[-1]) if len(stops) else 0)
        letters += np.repeat(starts - (stops - lengths), lengths)
        before = np.concatenate(([0], np.cumsum(_STEPS[self._written[letters]])))
        total = before[stops] - before[stops - lengths]
        counted: NDArray[np.int64] = ((total >> kind) & _MOST_LETTERS).reshape(at.shape)
        return counted

    @cached_property
    def _counts(self) -> NDArray[np.int64]:
        """How many letters of each kind each word has, in one number."""
        before = np.zeros(len(self._written) + 1, np.int64)
        np.cumsum(_STEPS[self._written], out=before[1:])
        return before[self._ends] - before[self._starts]


def in_bytes(text: str) -> tuple[bytes, Places]:
    r"""Write a text as a byte for each character.

    Args:
        text: Any text.

    Returns:
        The bytes, and which characters are beyond Latin-1.

    Example:
        >>> in_bytes("Łó!")
        (b'\x80\xf3!', array([0]))
    """
    try:
        return text.encode("latin-1").translate(_WITHOUT_CONTROLS), np.zeros(0, np.int64)
    except UnicodeEncodeError:
        codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), "<u4")
    beyond = np.flatnonzero(codes >= _BEYOND)
    written = codes.astype(np.uint8)
    written[(codes >= _CAPITAL) & (codes <= _LETTER)] = OTHER_SIGN
    kinds, inverse = np.unique(codes[beyond], return_inverse=True)
    of_kind = np.array([_kind(chr(code)) for code in kinds.tolist()], np.uint8)
    written[beyond] = of_kind[inverse]
    return written.tobytes(), beyond


def _kind(character: str) -> int:
    """Return what a character beyond Latin-1 is written as."""
    if not character.isalnum():
        return OTHER_SIGN
    if character.isupper():
        return _CAPITAL
    return _SMALL if character.islower() else _LETTER
