"""Splitting a text into words and what lies between them, without losing a character."""

import re
import unicodedata
from itertools import accumulate
from typing import NamedTuple

# Letters and digits: "he's" is he + ' + s, "mother-in-law" three words, "mom2" one (unknown) word.
_WORD = re.compile(r"[^\W_]+")
_SPLIT = re.compile(r"([^\W_]+)")
_SPLIT_ASCII = re.compile(r"([A-Za-z0-9]+)")
_ADDRESS_SIGN = re.compile(r"://|www\.|[@#]", re.IGNORECASE)
_ADDRESS_REST = re.compile(r"[^\s<>\"]*")
_HANDLE = re.compile(r"[@#]\w+")
_SENTENCE_END = re.compile(r"[.!?:;\n\r\"“”(\[*•|/]|^['‘]|\s['‘]|--|—")

# The same words for ASCII text, where a translation is twice as fast as the expression.
_ASCII = "".join(chr(code).lower() if chr(code).isalnum() else " " for code in range(128))

APOSTROPHES = "'’"
# What stands between the parts of one word: y'all, user_he, s/he, (s)he.
_INSIDE = frozenset({"'", "’", "_", "/", ")"})
# What may stand around a word that surely is alone and not hyphenated; other signs may as well.
COMMON_GAPS = frozenset({" ", ", ", ". ", ".", "; ", ": ", "! ", "? ", "\n", ' "', '" ', "--"})
# Soft hyphen, zero-width spaces and joiners.
_JOINERS = frozenset({"\u00ad", "\u200b", "\u200c", "\u200d", "\u2060", "\ufeff"})
# Where a line ends within a word.
_BREAKS = frozenset({"-\n", "-\r\n"})
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

        The tail of a contraction (y'all), a part of an identifier (user_he), the he of s/he, a part
        of a word that a line break or a soft hyphen divides and a word with a combining mark behind
        it (which is another word) are not.
        """
        before, after = self.gaps[index], self.gaps[index + 1]
        if before == " " == after:
            return True
        if before in _INSIDE and index and (before != "/" or self.lower[index - 1] == "s"):
            return False
        if after == "_" and index + 1 < len(self.words):
            return False
        if before in _BREAKS or after in _BREAKS:
            return False
        return not (before[-1:] in _SIGILS or _is_mark(after[:1]) or _is_mark(before[-1:]))

    def is_headline(self, index: int) -> bool:
        """Tell whether the words around a word are capitalised, so that its capital says nothing.

        Looks at the words of two letters and more among the five before and the five behind it.
        """
        around = self.words[max(0, index - 5) : index] + self.words[index + 1 : index + 6]
        longer = [word for word in around if len(word) > 1]
        return len(longer) > 2 and 5 * sum(word[0].isupper() for word in longer) > 4 * len(longer)

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
    if not any(sign in text for sign in ("@", "#", "://", "www.", "Www.", "WWW.")):
        return []
    spans: list[tuple[int, int]] = []
    end = 0
    for sign in _ADDRESS_SIGN.finditer(text):
        start = sign.start()
        if start < end:
            continue
        # Each character is looked at once, so that the search is linear in the text's length.
        while sign.group() in ("://", "@") and start > end and _is_of_address(text[start - 1]):
            start -= 1
        if sign.group() == "#" or (start == sign.start() and sign.group() == "@"):
            found = _HANDLE.match(text, sign.start())
        else:
            found = _ADDRESS_REST.match(text, sign.start())
        if found is not None:
            end = found.end()
            spans.append((start, end))
    return spans


def _is_of_address(character: str) -> bool:
    """Tell whether a character may stand in a scheme or before the @ of an e-mail address."""
    return character.isalnum() or character in "._+-"


def _is_mark(character: str) -> bool:
    """Tell whether a character belongs to the letter before it, or joins two parts of a word."""
    return character in _JOINERS or (
        character > "\u02ff" and unicodedata.category(character).startswith("M")
    )
