"""Texts as units that are compared: words and signs, white space apart."""

import re
import unicodedata
from bisect import bisect_left, bisect_right
from functools import lru_cache
from typing import NamedTuple

# What lies between units: white space, and the spaces and joiners that are not seen.
_UNSEEN = "\u00ad\u200b-\u200f\u2060\ufeff"
_UNIT = re.compile(
    # A word, with the marks that belong to its letters.
    rf"[^\W_](?:[^\W_]|[\u0300-\u036f{_UNSEEN}](?=[^\W_\u0300-\u036f{_UNSEEN}]|[\u0300-\u036f]))*"
    rf"[\u0300-\u036f]*|\.\.+|--+|``|''|[^\s{_UNSEEN}]"
)
# Signs that are typed in several ways.
_SIGNS = str.maketrans(
    dict.fromkeys("“”„‟«»″", '"') | dict.fromkeys("‘’‚‛`´′", "'") | dict.fromkeys("‐‑‒–—―−", "-")
)
_RUNS = {"``": '"', "''": '"', "…": "..."}


class Units(NamedTuple):
    """A text as words and signs.

    Attributes:
        folded: Each unit without its letter case, accents and kind of quote or dash.
        starts: The offset of each unit in the text, in characters.
    """

    text: str
    folded: list[str]
    starts: list[int]
    ends: list[int]

    def at(self, offset: int) -> int:
        """Return which unit an offset in the text lies in, or else the one behind it."""
        return bisect_right(self.ends, offset)

    def until(self, offset: int) -> int:
        """Return the number of units that begin before an offset in the text."""
        return bisect_left(self.starts, offset)

    def written(self, first: int, end: int) -> str:
        """Return what is written from a unit to before another."""
        return self.text[self.starts[first] : self.ends[end - 1]] if first < end else ""

    def span(self, first: int, end: int) -> tuple[int, int]:
        """Return where a stretch of units lies in the text; an empty one behind the last unit."""
        if first < end:
            return self.starts[first], self.ends[end - 1]
        place = self.ends[first - 1] if first else 0
        return place, place

    def gap(self, index: int) -> str:
        """Return what lies before a unit, or behind the last one."""
        begin = self.ends[index - 1] if index else 0
        return self.text[begin : self.starts[index] if index < len(self.starts) else None]


def split_units(text: str) -> Units:
    """Split a text into words and signs."""
    matches = list(_UNIT.finditer(text))
    if text.isascii() and ".." not in text and "--" not in text:
        folded = [match.group().lower() for match in matches]
        if "`" in text or "''" in text:
            folded = [fold(unit) for unit in folded]
    else:
        folded = [fold(match.group()) for match in matches]
    return Units(
        text, folded, [match.start() for match in matches], [match.end() for match in matches]
    )


@lru_cache(maxsize=1 << 16)
def fold(unit: str) -> str:
    """Write a unit without its letter case, accents and kind of quote or dash.

    Args:
        unit: A word or a sign.
    """
    if not unit[0].isalnum():
        unit = "..." if unit.startswith("..") else "-" if unit.startswith("--") else unit
        unit = _RUNS.get(unit, unit.translate(_SIGNS))
    plain = "".join(
        character
        for character in unicodedata.normalize("NFKD", unit)
        if unicodedata.category(character) not in ("Mn", "Cf")
    )
    return (plain or unit).casefold()


def is_word(folded: str) -> bool:
    """Tell whether a unit is a word or a number, and no sign."""
    return folded[0].isalnum()
