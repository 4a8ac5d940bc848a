"""Splitting a text into words and what lies between them, without losing a character."""

import re
from itertools import accumulate
from typing import NamedTuple

# Letters and digits: "he's" is he + ' + s, "mother-in-law" three words, "mom2" one (unknown) word.
_WORD = re.compile(r"[^\W_]+")
_SPLIT = re.compile(r"([^\W_]+)")
_SPLIT_ASCII = re.compile(r"([A-Za-z0-9]+)")
_ADDRESS = re.compile(r"\S*(?:://|www\.|\w@\w)\S*|[@#]\w+", re.IGNORECASE)
_SENTENCE_END = re.compile(r"[.!?:;\n\r\"“”(\[*•|/]|^['‘]|\s['‘]|--|—")

# The same words for ASCII text, where a translation is twice as fast as the expression.
_ASCII = "".join(chr(code).lower() if chr(code).isalnum() else " " for code in range(128))

APOSTROPHES = "'’"
# What stands between the parts of one word: y'all, user_he, s/he, (s)he.
_INSIDE = frozenset({"'", "’", "_", "/", ")"})
# What may stand around a word that surely is alone and not hyphenated; other signs may as well.
COMMON_GAPS = frozenset({" ", ", ", ". ", ".", "; ", ": ", "! ", "? ", "\n", ' "', '" ', "--"})
_SIGILS = frozenset({"@", "#", "\\"})


class Tokens(NamedTuple):
    """A text as words and separators: `gaps[0] words[0] gaps[1] ... words[-1] gaps[-1]`.

    Attributes:
        text: The text.
        words: The words.
        lower: The words in lower case.
        gaps: What lies between them; one more than there are words.
        starts: The offset of each word in the text, in characters.
    """

    text: str
    words: list[str]
    lower: list[str]
    gaps: list[str]
    starts: list[int]

    def end(self, index: int) -> int:
        """Return the offset behind a word, in characters."""
        return self.starts[index] + len(self.words[index])

    def opens_sentence(self, index: int) -> bool:
        """Tell whether a word stands where a capital letter says nothing about it."""
        return index == 0 or _SENTENCE_END.search(self.gaps[index]) is not None

    def is_alone(self, index: int) -> bool:
        """Tell whether a word is a word of its own, and no part of a name, a code or an address.

        The tail of a contraction (y'all), a part of an identifier (user_he), the he of s/he and a
        word with a combining mark behind it (which is another word) are not.
        """
        before, after = self.gaps[index], self.gaps[index + 1]
        if before == " " == after:
            return True
        if before in _INSIDE and index and (before != "/" or self.lower[index - 1] == "s"):
            return False
        if after == "_" and index + 1 < len(self.words):
            return False
        return not (before[-1:] in _SIGILS or _is_mark(after[:1]) or _is_mark(before[-1:]))

    def is_hyphenated(self, index: int) -> bool:
        """Tell whether a word is joined to a neighbour by a hyphen."""
        last = len(self.words) - 1
        return (index > 0 and self.gaps[index] == "-") or (
            index < last and self.gaps[index + 1] == "-"
        )


def lower_words(text: str) -> list[str]:
    """Return the words of a text in lower case.

    Args:
        text: Any text.

    Returns:
        The words, in the order of the text.

    Example:
        >>> lower_words("He's home.")
        ['he', 's', 'home']
    """
    return text.translate(_ASCII).split() if text.isascii() else _WORD.findall(text.lower())


def tokenize(text: str, lower: list[str] | None = None) -> Tokens:
    """Split a text into words and separators.

    Args:
        text: Any text.
        lower: The words of the text in lower case, where they are known already.

    Returns:
        Its tokens; joined again they are the text.

    Example:
        >>> tokenize("He's home.").words
        ['He', 's', 'home']
        >>> tokenize("He's home.").gaps
        ['', "'", ' ', '.']
    """
    parts = (_SPLIT_ASCII if text.isascii() else _SPLIT).split(text)
    words = parts[1::2]
    if lower is None or len(lower) != len(words):
        # A letter such as İ has a combining mark in lower case, which would part the word.
        lower = [word.lower() for word in words]
    ends = list(accumulate(map(len, parts)))
    return Tokens(text, words, lower, parts[::2], ends[:-1:2])


def addresses(text: str) -> list[tuple[int, int]]:
    """Find URLs, e-mail addresses, @mentions and #tags, whose words are left alone.

    Args:
        text: Any text.

    Returns:
        Start and end of each, in characters.

    Example:
        >>> addresses("see https://her.example/he or @him")
        [(4, 26), (30, 34)]
    """
    if "@" not in text and "#" not in text and "://" not in text and "www." not in text.lower():
        return []
    return [match.span() for match in _ADDRESS.finditer(text)]


def _is_mark(character: str) -> bool:
    """Tell whether a character is a combining diacritical mark (U+0300 to U+036F)."""
    return "\u0300" <= character <= "\u036f"
