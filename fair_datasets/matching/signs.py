"""What stands between words, by number: what a sign means is looked up for many texts at once."""

import zlib
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

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
        self._digests = np.zeros(0, np.uint64)
        # Longer ones are looked up as nothing at all, until they are told apart.
        self._short[0] = self.number("")
        self.number(" ")

    @property
    def is_full(self) -> bool:
        """Whether no more kinds should be taken up."""
        return len(self.texts) > _MOST

    def number(self, text: str) -> int:
        """Return the number of a sign, which is taken up if it is new."""
        found = self._numbers.setdefault(text, len(self.texts))
        if found == len(self.texts):
            self.texts.append(text)
        return found

    def text(self, number: int) -> str:
        """Return the sign of a number."""
        return self.texts[number]

    def several(self, texts: tuple[str, ...]) -> Sequence[int]:
        """Return the numbers of some signs, which are taken up if they are new."""
        found = self._several.get(texts)
        if found is None:
            found = self._several[texts] = [self.number(text) for text in texts]
        return found

    def those(self, are: Callable[[str], bool]) -> NDArray[np.bool_]:
        """Tell of each number whether its sign is of a kind.

        Args:
            are: Tells it of a sign; it is asked once for each.

        Returns:
            The answers, by number.
        """
        found = self._known.get(are)
        told = 0 if found is None else len(found)
        if found is None or told < len(self.texts):
            new = np.fromiter(map(are, self.texts[told:]), np.bool_)
            self._known[are] = found = new if found is None else np.append(found, new)
        return found

    @property
    def digests(self) -> NDArray[np.uint64]:
        """What tells each sign apart in every process, by number; none is 0."""
        new = self.texts[len(self._digests) :]
        if new:
            told = np.array([digest(text) for text in new], np.uint64)
            self._digests = np.append(self._digests, told)
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
            text: The text.
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
        one = written[np.minimum(begins, len(written) - 1)].astype(np.int64)
        two = written[np.minimum(begins + 1, len(written) - 1)].astype(np.int64)
        codes = np.where(lengths == 0, 0, np.where(lengths == 1, one + 1, 257 + (one << 8 | two)))
        # Of those that one byte stands for, each is another sign.
        is_long = (lengths > 2) | ((lengths > 0) & ((one == OTHER_SIGN) | (two == OTHER_SIGN)))
        is_long[list(beyond)] = True
        codes[is_long] = 0
        found = self._short[codes]
        new = np.flatnonzero(found < 0)
        if len(new):
            kinds, first = np.unique(codes[new], return_index=True)
            for code, place in zip(kinds.tolist(), new[first].tolist(), strict=True):
                self._short[code] = self.number(text[begins[place] : ends[place]])
            found = self._short[codes]
        long = np.flatnonzero(is_long)
        for place, begin, end in zip(
            long.tolist(), begins[long].tolist(), ends[long].tolist(), strict=True
        ):
            sign = text[begin:end]
            number = self._numbers.get(sign)
            found[place] = self.number(sign) if number is None else number
        return found


def digest(sign: str) -> int:
    """Return a number for a sign, which is the same in every process, and never 0.

    Example:
        >>> digest("") < digest(", ")
        True
    """
    return zlib.crc32(sign.encode("utf-8", "surrogatepass")) + 1
