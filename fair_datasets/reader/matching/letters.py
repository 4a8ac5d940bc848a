"""Letters, accents, capitals and signs.

Texts are bytes, one for each character of any alphabet. Letters of Latin-1 are written as they are.
In the place of the others stand control characters, one for each kind, which are signs in Latin-1
and are written as another sign themselves. What lies between two words is a sign, kept by number.
"""

import re
import unicodedata
import zlib
from collections.abc import Callable, Sequence
from functools import cache, lru_cache

import numpy as np
from numpy.typing import NDArray

from fair_datasets.lexicons import name_lexicons
from fair_datasets.lexicons.shipped import names_of

#: The combining marks, which belong to the letter before them.
MARKS = "\u0300-\u036f"
# Many marks behind a letter take long to be put into order, and no name has them.
_LONGEST = 64
# What Unicode takes for letters of their own.
_LETTERS = str.maketrans("øłđıð", "oldid")
# Words of their own, whose letters alone are a name.
_NO_NAMES = frozenset({"déjà", "está", "où", "rosé"})


def composed(word: str) -> str:
    """Write letters and the marks behind them as one letter, where there is one."""
    return unicodedata.normalize("NFC", word) if len(word) <= _LONGEST else word


def without_accents(word: str) -> str:
    r"""Write a word in small letters without accents.

    Args:
        word: A word, whose accents may be part of its letters or stand behind them.

    Returns:
        Its letters.

    Example:
        >>> [without_accents(word) for word in ("Zoë", "Zoe\u0308", "SØREN")]
        ['zoe', 'zoe', 'soren']
    """
    if word.isascii() or len(word) > _LONGEST:
        return word.lower()
    return _without_accents(word)


@lru_cache(maxsize=1 << 14)
def _without_accents(word: str) -> str:
    """Write a word with accents without them."""
    letters = unicodedata.normalize("NFD", word.lower()).translate(_LETTERS)
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


def looked_up(word: str) -> str:
    """Return how a word with a capital is looked up, unless some list has it with its accents.

    Returns:
        The word in small letters: without accents if it is a name of the shipped lists then.

    Example:
        >>> looked_up("José"), looked_up("Élan")
        ('jose', 'élan')
    """
    if word.isascii():
        return word.lower()  # Without an accent there is nothing to ask the lists.
    lower = composed(word.lower())
    name = without_accents(lower)
    return name if name in listed_names() and lower not in _NO_NAMES else lower


@cache
def listed_names() -> frozenset[str]:
    """Return all names of the shipped lists, in small letters."""
    return frozenset().union(*map(names_of, name_lexicons()))


#: The byte that stands for control characters, and for signs beyond Latin-1.
OTHER_SIGN = 0x83
_SHORT = 256 + (1 << 16) + 1
# From this many kinds on, which only texts made for it have, a new table is begun.
_MOST = 1 << 17


class Signs:
    """The kinds of what stands between words: spaces, punctuation, line ends.

    Attributes:
        texts: The signs, by number.

    Example:
        >>> signs = Signs()
        >>> code = signs.number(", ")
        >>> signs.text(code), bool(signs.those(str.isspace)[code])
        (', ', False)
    """

    def __init__(self) -> None:
        """Know no sign yet, but nothing at all and a space."""
        self._numbers: dict[str, int] = {}
        self.texts: list[str] = []
        # The numbers of the signs of no, one and two bytes.
        self._short = np.full(_SHORT, -1, np.int64)
        self._several: dict[tuple[str, ...], list[int]] = {}
        self._known: dict[Callable[[str], bool], NDArray[np.bool_]] = {}
        self._digests = np.zeros((0, 3), np.uint64)
        # Longer ones are looked up as nothing at all, until they are told apart.
        self._short[0] = self.number("")
        self.number(" ")

    @property
    def is_full(self) -> bool:
        """Whether no more kinds should be taken up."""
        return len(self.texts) > _MOST

    def number(self, text: str) -> int:
        """Return the number of a sign, which is taken up if it is new."""
        number = self._numbers.setdefault(text, len(self.texts))
        if number == len(self.texts):
            self.texts.append(text)
        return number

    def text(self, number: int) -> str:
        """Return the sign of a number."""
        return self.texts[number]

    def several(self, texts: tuple[str, ...]) -> Sequence[int]:
        """Return the numbers of some signs, which are taken up if they are new."""
        numbers = self._several.get(texts)
        if numbers is None:
            numbers = self._several[texts] = [self.number(text) for text in texts]
        return numbers

    def those(self, are: Callable[[str], bool]) -> NDArray[np.bool_]:
        """Return for each number whether its sign is of a kind.

        Args:
            are: Tells it of a sign; it is asked once for each.
        """
        mask = self._known.get(are)
        count = 0 if mask is None else len(mask)
        if mask is None or count < len(self.texts):
            new = np.fromiter(map(are, self.texts[count:]), np.bool_)
            self._known[are] = mask = new if mask is None else np.append(mask, new)
        return mask

    @property
    def digests(self) -> NDArray[np.uint64]:
        """What tells each sign, its first character and its last apart in every process.

        None is 0. Shape (S, 3).
        """
        new = self.texts[len(self._digests) :]
        if new:
            rows = [[digest(part) for part in (text, text[:1], text[-1:])] for text in new]
            self._digests = np.concatenate([self._digests, np.array(rows, np.uint64)])
        return self._digests

    def numbers(
        self,
        text: str,
        written: NDArray[np.uint8],
        begins: NDArray[np.int64],
        ends: NDArray[np.int64],
        beyond: Sequence[int],
    ) -> NDArray[np.int64]:
        """Return the numbers of the signs in a text.

        Args:
            written: The same, a byte for a character. Shape (C,).
            begins: Where each sign begins. Shape (S,).
            ends: Where each ends. Shape (S,).
            beyond: Which have characters beyond Latin-1.

        Returns:
            The numbers. Shape (S,).
        """
        if not len(written):
            return np.zeros(len(begins), np.int64)  # Texts of no character have no sign but "".
        lengths = ends - begins
        one = written.take(begins, mode="clip").astype(np.int64)
        two = written.take(begins + 1, mode="clip").astype(np.int64)
        codes = np.where(lengths < 2, one + 1, 257 + (one << 8 | two))
        codes[lengths == 0] = 0
        # Of those that one byte stands for, each is another sign.
        is_long = (lengths > 2) | ((lengths > 0) & ((one == OTHER_SIGN) | (two == OTHER_SIGN)))
        if len(beyond):
            is_long[list(beyond)] = True
        codes[is_long] = 0
        numbers = self._short[codes]
        new = (numbers < 0).nonzero()[0]
        if len(new):
            kinds, first = np.unique(codes[new], return_index=True)
            for code, place in zip(kinds.tolist(), new[first].tolist(), strict=True):
                self._short[code] = self.number(text[begins[place] : ends[place]])
            numbers = self._short[codes]
        long = is_long.nonzero()[0]
        for place, begin, end in zip(
            long.tolist(), begins[long].tolist(), ends[long].tolist(), strict=True
        ):
            sign = text[begin:end]
            number = self._numbers.get(sign)
            numbers[place] = self.number(sign) if number is None else number
        return numbers


def digest(sign: str) -> int:
    """Return a number for a sign, which is the same in every process, and never 0.

    Example:
        >>> digest("") < digest(", ")
        True
    """
    return zlib.crc32(sign.encode("utf-8", "surrogatepass")) + 1


Places = NDArray[np.int64]

SPACE = 32
_CAPITAL, _SMALL, _LETTER = 0x80, 0x81, 0x82
_STAND_INS = (_CAPITAL, _SMALL, _LETTER)
_BEYOND = 256
_WITHOUT_CONTROLS = bytes(OTHER_SIGN if code in _STAND_INS else code for code in range(256))

#: Letters that may have an accent, and marks that are one.
IS_ACCENTED = np.array(
    [code in _STAND_INS or (code >= 0xC0 and chr(code).isalpha()) for code in range(256)]
)
#: Finds letters beyond Latin-1.
BEYOND_LATIN = re.compile(rb"[\x80-\x82]")
IS_UPPER = np.array([chr(code).isupper() or code == _CAPITAL for code in range(256)])
IS_LOWER = np.array([chr(code).islower() or code == _SMALL for code in range(256)])
#: Translates letters to small ones, and whatever is in no word to a space.
IN_LOWER_CASE = bytes(
    ord(chr(code).lower()) if chr(code).isalnum() else (code if code in _STAND_INS else SPACE)
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
    counts = _of_eight(eights[starts], lengths)
    longer = (lengths > _EIGHT).nonzero()[0]
    if len(longer):
        counts[:, longer] += _of_eight(eights[starts[longer] + _EIGHT], lengths[longer] - _EIGHT)
    for word in (lengths > 2 * _EIGHT).nonzero()[0].tolist():
        letters = np.frombuffer(kinds, np.uint8)[starts[word] : ends[word]]
        counts[:, word] = [np.count_nonzero(letters & kind) for kind in (UPPER, LOWER, DIGIT)]
    return counts


def _of_eight(letters: NDArray[np.uint64], lengths: Places) -> NDArray[np.int64]:
    """Count the kinds among the first of eight letters."""
    letters = letters & _FIRST_LETTERS[np.minimum(lengths, _EIGHT)]
    are = (letters >> _BITS[:, None]) & _ONES
    are *= _ONES
    are >>= _TOP_BYTE
    return are.view(np.int64)


def in_bytes(text: str) -> tuple[bytes, Places]:
    r"""Write a text as a byte for each character.

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
    beyond = (codes >= _BEYOND).nonzero()[0]
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


_SMALL_WORDS = frozenset({"a", "an", "and", "at", "in", "of", "or", "the"})


@lru_cache(maxsize=1 << 16)
def match_case(before: str, after: str) -> str:
    """Write a replacement in the letter case of what it replaces.

    Lower stays as the lexicon writes it, UPPER becomes upper, Title becomes capitalised; where
    several words are all capitalised, so are the replacement's, but for the small ones, and where
    as many are written as there were, each is written like its own ("gay Women"). Any other mixture
    ("GrandMa") gives the lexicon's spelling (Hall Maudslay et al., 2019).

    Args:
        before: The word or words in the text.

    Returns:
        The replacement in the letter case of `before`.

    Example:
        >>> match_case("HIS", "her"), match_case("Best Man", "maid of honor")
        ('HER', 'Maid of Honor')
        >>> match_case("gay Women", "asexual women")
        'asexual Women'
    """
    if before.islower():
        return after
    if before.isupper() and len(before) > 1:
        return after.upper()
    first, *others = before.split(" ")
    if not _is_capitalised(first):
        words = after.split(" ")
        is_alike = bool(others) and len(words) == len(others) + 1
        return " ".join(map(match_case, before.split(" "), words)) if is_alike else after
    large = [word for word in others if word not in _SMALL_WORDS]
    if large and all(map(_is_capitalised, large)):
        words = after.split(" ")
        return " ".join([capitalised(words[0])] + [_unless_small(word) for word in words[1:]])
    return capitalised(after)


def _is_capitalised(word: str) -> bool:
    """Whether a word has one upper-case letter, its first."""
    return word[:1].isupper() and not any(letter.isupper() for letter in word[1:])


def capitalised(word: str) -> str:
    """Write a word with a capital first letter, the others as they are.

    Args:
        word: A word or several.

    Example:
        >>> capitalised("older McDonald")
        'Older McDonald'
    """
    return word[:1].upper() + word[1:]


def _unless_small(word: str) -> str:
    """Capitalise a word of a title unless it is an article or the like."""
    return word if word in _SMALL_WORDS else capitalised(word)
