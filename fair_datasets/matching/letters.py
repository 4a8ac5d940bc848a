"""Letters as bytes, one for each character of any alphabet, and how many of a kind words have.

Letters of Latin-1 are written as they are. In the place of the others stand control characters, one
for each kind, which are signs in Latin-1 and are written as another sign themselves.
"""

import re

import numpy as np
from numpy.typing import NDArray

from fair_datasets.matching.accents import MARKS
from fair_datasets.matching.signs import OTHER_SIGN

Places = NDArray[np.int64]

SPACE = 32
_CAPITAL, _SMALL, _LETTER = 0x80, 0x81, 0x82
_LETTERS = (_CAPITAL, _SMALL, _LETTER)
_BEYOND = 256
_WITHOUT_CONTROLS = bytes(OTHER_SIGN if code in _LETTERS else code for code in range(256))

#: Letters that may have an accent, and marks that are one.
IS_ACCENTED = np.array(
    [code in _LETTERS or (code >= 0xC0 and chr(code).isalpha()) for code in range(256)]
)
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
UPPER, LOWER, DIGIT = 1, 2, 4
_KINDS = bytes(
    UPPER * bool(IS_UPPER[code]) + LOWER * bool(IS_LOWER[code]) + DIGIT * chr(code).isdigit()
    for code in range(256)
)
# Eight letters are counted at once: each is a byte of a number, multiplying by ones adds them up.
_EIGHT = 8
_ONES = np.uint64(0x0101010101010101)
_BITS = np.arange(3, dtype=np.uint64)
_TOP_BYTE = np.uint64(56)
_FIRST_LETTERS = np.array([(1 << 8 * length) - 1 for length in range(_EIGHT + 1)], np.uint64)


def counted(written: bytes, starts: Places, ends: Places) -> NDArray[np.int64]:
    """Count the letters of each kind in words.

    Args:
        written: A text, of a byte for each character.
        starts: Where its words begin. Shape (W,).
        ends: Where they end. Shape (W,).

    Returns:
        How many capitals, small letters and digits each has. Shape (3, W).

    Example:
        >>> content, _ = in_bytes("Mary PhD")
        >>> counted(content, np.array([0, 5]), np.array([4, 8])).tolist()
        [[1, 2], [3, 1], [0, 0]]
    """
    kinds = written.translate(_KINDS) + bytes(_EIGHT)
    eights = np.ndarray((len(written) + 1,), np.dtype("<u8"), kinds, strides=(1,))
    lengths = ends - starts
    found = _of_eight(eights[starts], lengths)
    longer = np.flatnonzero(lengths > _EIGHT)
    if len(longer):
        found[:, longer] += _of_eight(eights[starts[longer] + _EIGHT], lengths[longer] - _EIGHT)
    for word in np.flatnonzero(lengths > 2 * _EIGHT).tolist():
        letters = np.frombuffer(kinds, np.uint8)[starts[word] : ends[word]]
        found[:, word] = [np.count_nonzero(letters & kind) for kind in (UPPER, LOWER, DIGIT)]
    return found


def _of_eight(letters: NDArray[np.uint64], lengths: Places) -> NDArray[np.int64]:
    """Count the kinds among the first of eight letters."""
    letters = letters & _FIRST_LETTERS[np.minimum(lengths, _EIGHT)]
    are = (letters >> _BITS[:, None]) & _ONES
    are *= _ONES
    are >>= _TOP_BYTE
    return are.view(np.int64)


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
    if MARKS[0] <= character <= MARKS[-1]:
        return _LETTER
    if not character.isalnum():
        return OTHER_SIGN
    if character.isupper():
        return _CAPITAL
    return _SMALL if character.islower() else _LETTER
