"""Splitting a text into words and what lies between them, without losing a character."""

import re
import unicodedata

from fair_datasets.matching.accents import MARKS
from fair_datasets.matching.protected import ProtectedText

# Letters with their marks and digits: "he's" is he + ' + s, "mother-in-law" three words, "mom2" one
# (unknown) word.
_WORD = re.compile(rf"(?:[^\W_]|[{MARKS}])+")
# Where letters and digits beyond Latin-1 may be; most texts have at most quotes and dashes there.
_BEYOND = re.compile(
    "[\u0100-\u1fff\u2070-\u209f\u2100-\u218f\u2460-\u24ff\u2776-\u2793\u2c00-\uffff"
    "\U00010000-\U0001efff\U0001f100-\U0001f1ff\U0001fbf0-\U0010ffff]"
)
_SENTENCE_END = re.compile(r"[.!?:;\n\r\"“”„«(\[*•|/]|^['‘]|\s['‘`‚‹]|--|—")

# Latin-1 to Latin-1, a byte for a character: letters and digits as they are, all else a space. The
# words of a text are then what stands between spaces, at the same offsets.
_AS_WRITTEN = bytes(code if chr(code).isalnum() else 32 for code in range(256))
_IN_LOWER_CASE = bytes(ord(chr(code).lower()) for code in _AS_WRITTEN)

APOSTROPHES = "'’"
# What stands between the parts of one word: y'all, user_he, s/he, (s)he.
UNDERSCORES = ("_", "__")
INSIDE = frozenset({"'", "’", *UNDERSCORES, "/", ")"})
# Soft hyphen, zero-width spaces and joiners.
_JOINERS = frozenset({"\u00ad", "\u200b", "\u200c", "\u200d", "\u2060", "\ufeff"})
# Where a line ends within a word.
BREAKS = frozenset({"-\n", "-\r\n"})
SIGILS = frozenset({"@", "#", "\\"})


class Tokens:
    """A text as words and separators: `gaps[0] words[0] gaps[1] ... words[-1] gaps[-1]`.

    Most texts are asked for a few of their words only, so words and gaps are cut out when they are
    first asked for.

    Attributes:
        text: The text.
        lower: The words in lower case, each as long as the word.
        starts: The offset of each word in the text, in characters.
    """

    __slots__ = ("_gaps", "_protected", "_words", "lower", "starts", "text")

    def __init__(self, text: str, lower: list[str], starts: list[int]) -> None:
        """Hold a text with the places of its words; `tokenize` finds them."""
        self.text = text
        self.lower = lower
        self.starts = starts
        self._words: list[str] | None = None
        self._gaps: list[str] | None = None
        self._protected: ProtectedText | None = None

    @property
    def words(self) -> list[str]:
        """The words as they are written."""
        if self._words is None:
            text = self.text
            if is_latin(text):
                self._words = _words(text, _AS_WRITTEN).split()
            else:
                self._words = _WORD.findall(text)
        return self._words

    @property
    def gaps(self) -> list[str]:
        """What lies between the words; one more than there are words."""
        if self._gaps is None:
            self._gaps = _WORD.split(self.text)
        return self._gaps

    def end(self, index: int) -> int:
        """Return the offset behind a word, in characters."""
        return self.starts[index] + len(self.lower[index])

    def word(self, index: int) -> str:
        """Return a word as it is written; cheaper than `words` for a few of many."""
        start = self.starts[index]
        return self.text[start : start + len(self.lower[index])]

    def gap(self, index: int) -> str:
        """Return what lies before a word, or behind the last; cheaper than `gaps` for a few."""
        starts = self.starts
        begin = starts[index - 1] + len(self.lower[index - 1]) if index else 0
        return self.text[begin : starts[index] if index < len(starts) else None]

    def is_capitalised(self, index: int) -> bool:
        """Tell whether a word begins with a capital letter."""
        return self.text[self.starts[index]].isupper()

    def opens_sentence(self, index: int) -> bool:
        """Tell whether a word stands where a capital letter says nothing about it."""
        return index == 0 or ends_sentence(self.gap(index))

    def is_alone(self, index: int) -> bool:
        """Tell whether a word is a word of its own, and no part of a name, a code or an address.

        The tail of a contraction (y'all), a part of an identifier (user_he), the he of s/he, a part
        of a word that a line break or a soft hyphen divides and a word with a combining mark behind
        it (which is another word) are not.
        """
        before, after = self.gap(index), self.gap(index + 1)
        if before == " " == after:
            return True
        if before in INSIDE and index and (before != "/" or self.lower[index - 1] == "s"):
            return False
        if after in UNDERSCORES and index + 1 < len(self.lower):
            return False
        if before in BREAKS or after in BREAKS:
            return False
        return not (before[-1:] in SIGILS or is_mark(after[:1]) or is_mark(before[-1:]))

    def is_protected(self, index: int) -> bool:
        """Tell whether a word stands in an address, a handle, a tag, code or a path."""
        if self._protected is None:
            self._protected = ProtectedText(self.text)
        return self._protected.covers(self.starts[index])

    def is_headline(self, index: int) -> bool:
        """Tell whether the words around a word are capitalised, so that its capital says nothing.

        Looks at the words of two letters and more among the five before and the five behind it.
        """
        text, starts, lower = self.text, self.starts, self.lower
        longer = small = 0
        for place in range(max(0, index - 5), min(index + 6, len(lower))):
            if place != index and len(lower[place]) > 1:
                longer += 1
                if not text[starts[place]].isupper():
                    if small:
                        return False  # More than one of five are not capitalised.
                    small = 1
        return longer > 2 and longer > 5 * small

    def is_hyphenated(self, index: int) -> bool:
        """Tell whether a word is joined to a neighbour by a hyphen."""
        last = len(self.lower) - 1
        return (index > 0 and self.gap(index) == "-") or (
            index < last and self.gap(index + 1) == "-"
        )


def tokenize(text: str) -> Tokens:
    """Split a text into words and separators.

    Args:
        text: Any text.

    Returns:
        Its tokens; joined again they are the text.

    Example:
        >>> tokenize("He's home.").words
        ['He', 's', 'home']
        >>> tokenize("He's home.").gaps
        ['', "'", ' ', '.']
    """
    if not is_latin(text):
        found = [(match.start(), match.group()) for match in _WORD.finditer(text)]
        lower = [_lower(word) for _, word in found]
        return Tokens(text, lower, [start for start, _ in found])
    lower, starts = [], []
    position = 0
    for word in _words(text, _IN_LOWER_CASE).split(" "):
        if word:
            lower.append(word)
            starts.append(position)
            position += len(word)
        position += 1
    return Tokens(text, lower, starts)


def is_latin(text: str) -> bool:
    """Tell whether a text has no letters and digits beyond Latin-1 (it may have other signs).

    Args:
        text: Any text.

    Returns:
        True for nearly all English text.

    Example:
        >>> is_latin("“café” — he’s"), is_latin("Łódź")
        (True, False)
    """
    return text.isascii() or _BEYOND.search(text) is None


def _words(text: str, letters: bytes) -> str:
    """Write a text of Latin letters as its words at their offsets, with spaces for all else."""
    return text.encode("latin-1", "replace").translate(letters).decode("latin-1")


def _lower(word: str) -> str:
    """Write a word in lower case, as long as it is: İ has a mark more in lower case."""
    lower = word.lower()
    if len(lower) == len(word):
        return lower
    return "".join(map(_lower_letter, word))


def _lower_letter(letter: str) -> str:
    """Write a letter in lower case if that is one character."""
    lower = letter.lower()
    return lower if len(lower) == 1 else letter


def ends_sentence(sign: str) -> bool:
    """Tell whether a sign stands where a capital letter says nothing about the next word."""
    return sign != " " and _SENTENCE_END.search(sign) is not None


def is_mark(character: str) -> bool:
    """Tell whether a character belongs to the letter before it, or joins two parts of a word."""
    return character in _JOINERS or (
        character > "\u02ff" and unicodedata.category(character).startswith("M")
    )
