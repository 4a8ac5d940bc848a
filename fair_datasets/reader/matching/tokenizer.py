"""Texts as words and signs, and the parts that are no prose: addresses, handles, code and paths."""

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from itertools import pairwise
from operator import itemgetter

from fair_datasets.reader.english.lists import words as neighbours
from fair_datasets.reader.matching.letters import MARKS

# What has to be in a text that holds protected text, but for dots within a word.
_SIGNS = re.compile(r"[@#`</\\]|~~~")

# Periods that join no two words.
_SENTENCE_ENDS = (". ", '."', ".”", ".\n")

_ADDRESS_SIGN = re.compile(r"://|www\.(?=\w)|[@#]", re.IGNORECASE)
_ADDRESS_REST = re.compile(r"[^\s<>\"]*")
_HANDLE = re.compile(r"[@#]\w+")

_FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})", re.MULTILINE)
_BACKTICKS = re.compile(r"`+")
_CODE_SIGN = re.compile(r"[`=(){}\[\]_<>$|\\+*#]")
#: Of these at least one has to be in a text that holds code or tags.
CODE_SIGNS = "`<~"
_LONGEST_CODE = 300
_BLANK_LINE = re.compile(r"\n[ \t]*\n")

# Nothing in a tag runs over a "<", so that each character is looked at once.
_TAG = re.compile(
    r"</?[A-Za-z][\w:.-]*+(?:\s*+/?>|\s(?=[^<>=/]*+[=/])(?:[^<>\"']++|\"[^\"<]*+\"|'[^'<]*+')*+>)"
)

# What a path or a dotted name is made of; most such runs are plain words, which the dot, the slash
# and the backslash tell from them. An address may ask for something: "example.com?she=1".
_RUN = re.compile(r"(?<![\w./\\~+:-])([\w~+:-]*+[./\\][\w./\\~+:-]*)(\?[\w%.+-]+=[^\s<>\"]*)?")
_DRIVE = re.compile(r"[A-Za-z]:[\\/]")
_HOST = re.compile(r"(?:[\w-]+\.)+([a-z]{2,})", re.IGNORECASE)
# Reddit's prefixes of communities and users.
_PREFIXES = frozenset({"r", "u"})


Span = tuple[int, int]


class ProtectedText:
    """What is no prose in a text, which is searched around an offset when it is first asked for.

    Args:
        text: Any text.

    Example:
        >>> protected = ProtectedText("ask @him now")
        >>> protected.covers(5), protected.covers(9)
        (True, False)
    """

    __slots__ = ("_begin", "_code", "_end", "_spans", "_text")

    def __init__(self, text: str) -> None:
        """Set out to answer about a text."""
        self._text = text
        self._code: list[Span] | None = None if may_hold_code(text) else []
        self._begin = self._end = 0
        self._spans: list[Span] = []

    def covers(self, offset: int) -> bool:
        """Whether a character stands in an address, a handle, a tag, code or a path."""
        if self._code is None:
            self._code = _merged([*_code_and_tags(self._text)])
        if self._code and _are_around(self._code, offset):
            return True
        if not self._begin <= offset < self._end:
            self._search(offset)
        return bool(self._spans) and _are_around(self._spans, offset)

    def _search(self, offset: int) -> None:
        """Find the addresses and paths around an offset, between two spaces."""
        text = self._text
        first = text.rfind(" ", 0, offset) + 1
        last = text.find(" ", offset) % (len(text) + 1)
        part = text[first:last]
        self._begin, self._end, self._spans = first, last, []
        if not part.isalnum() and may_be_protected(part):
            spans = _merged([*_addresses_and_paths(part)])
            self._spans = [(first + begin, first + end) for begin, end in spans]


def _are_around(spans: list[Span], offset: int) -> bool:
    """Whether one of some spans, in order, covers a character."""
    place = bisect_right(spans, offset, key=itemgetter(0)) - 1
    return place >= 0 and offset < spans[place][1]


def may_be_protected(text: str) -> bool:
    """Return cheaply whether a text may hold protected text.

    Returns:
        False only if `protected_spans` surely finds nothing.

    Example:
        >>> may_be_protected("She left. He stayed."), may_be_protected("man.txt")
        (False, True)
    """
    if _SIGNS.search(text):
        return True
    if "." not in text:
        return False
    ends = text.endswith(".") + sum(map(text.count, _SENTENCE_ENDS))
    return text.count(".") > ends


def may_hold_code(text: str) -> bool:
    """Return cheaply whether a text may hold code or tags, the protected text with spaces inside.

    Returns:
        False only if no protected span has a space in it.

    Example:
        >>> may_hold_code("Is <he> he?"), may_hold_code("see man.txt")
        (True, False)
    """
    return "`" in text or "<" in text or "~~~" in text


def protected_spans(text: str) -> list[Span]:
    """Find what is no prose: URLs, e-mail addresses, @mentions, #tags, code, tags and paths.

    Code stands between backticks or in fences, as in Markdown; tags are those of HTML and XML;
    paths are those of files, and dotted names ("user.he"). Takes time linear in the length.

    Returns:
        Start and end of each, in characters; in order, and no two touch.

    Example:
        >>> text = "see `he = 1`, <p class='mother'>, r/women and his/her man.txt"
        >>> [text[start:end] for start, end in protected_spans(text)]
        ['`he = 1`', "<p class='mother'>", 'r/women', 'man.txt']
    """
    return _merged([*_addresses_and_paths(text), *_code_and_tags(text)])


def _addresses_and_paths(text: str) -> Iterator[Span]:
    """Yield what has no space in it, so that each stretch between two may be searched by itself."""
    if any(sign in text for sign in ("@", "#", "/", ".")):
        yield from _addresses(text)
    if any(sign in text for sign in ("/", "\\", ".")):
        yield from _paths(text)


def _code_and_tags(text: str) -> Iterator[Span]:
    """Yield what may have spaces in it."""
    if "`" in text or "~~~" in text:
        yield from _code(text)
    if "<" in text:
        yield from (match.span() for match in _TAG.finditer(text))


def _merged(spans: list[Span]) -> list[Span]:
    """Sort spans, and put those together that touch."""
    merged: list[Span] = []
    for start, end in sorted(spans):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


def _addresses(text: str) -> Iterator[Span]:
    """Yield URLs, e-mail addresses, @mentions and #tags."""
    end = 0
    for sign in _ADDRESS_SIGN.finditer(text):
        start = sign.start()
        if start < end:
            continue
        # Each character is looked at once, so that the search is linear in the text's length.
        while sign.group() in ("://", "@") and start > end and _is_of_address(text[start - 1]):
            start -= 1
        if sign.group() == "#" or (start == sign.start() and sign.group() == "@"):
            match = _HANDLE.match(text, sign.start())
        else:
            match = _ADDRESS_REST.match(text, sign.start())
        if match is not None:
            end = match.end()
            yield start, end


def _is_of_address(character: str) -> bool:
    """Whether a character may stand in a scheme or before the @ of an e-mail address."""
    return character.isalnum() or character in "._+-"


def _code(text: str) -> Iterator[Span]:
    """Yield fenced blocks and code between backticks."""
    end = 0
    for start, fence_end in _fences(text):
        yield from _inline_code(text, end, start)
        yield start, fence_end
        end = fence_end
    yield from _inline_code(text, end, len(text))


def _fences(text: str) -> Iterator[Span]:
    """Yield fenced blocks; one that is never closed runs to the end of the text."""
    opening: re.Match[str] | None = None
    for fence in _FENCE.finditer(text):
        if opening is None:
            opening = fence
        elif fence[1].startswith(opening[1]):
            yield opening.start(), fence.end()
            opening = None
    if opening is not None:
        yield opening.start(), len(text)


def _inline_code(text: str, start: int, end: int) -> Iterator[Span]:
    """Yield what stands between two equally long runs of backticks in a part of a text."""
    runs = list(_BACKTICKS.finditer(text, start, end))
    blanks = [match.start() for match in _BLANK_LINE.finditer(text, start, end)] if runs else []
    following: list[re.Match[str] | None] = []
    nearest: dict[int, re.Match[str]] = {}
    for run in reversed(runs):
        length = run.end() - run.start()
        following.append(nearest.get(length))
        nearest[length] = run
    position = start
    for run, closing in zip(runs, reversed(following), strict=True):
        if closing is None or run.start() < position:
            continue
        is_one_paragraph = bisect_left(blanks, run.end()) == bisect_left(blanks, closing.start())
        if is_one_paragraph and _encloses_code(text, run, closing):
            position = closing.end()
            yield run.start(), position


def _encloses_code(text: str, opening: re.Match[str], closing: re.Match[str]) -> bool:
    """Whether two runs of backticks stand around code, and are no quotes or apostrophes."""
    if text[opening.start() - 1 : opening.start()].isalnum():
        return False  # "don`t"
    if text[closing.end() : closing.end() + 1].isalnum():
        return False
    if closing.start() - opening.end() > _LONGEST_CODE:
        return False
    code = text[opening.end() : closing.start()]
    if len(opening[0]) > 1:
        # Prose between two and two is a quotation in old files: "``in his words``".
        return "''" not in code and (" " not in code or _CODE_SIGN.search(code) is not None)
    return code == code.strip()  # "`he' and `she'"


def _paths(text: str) -> Iterator[Span]:
    """Yield the paths of files and the dotted names."""
    for run in _RUN.finditer(text):
        name = run[1].rstrip(".,:-")
        if _is_path(name) and not text[run.start() - 1 : run.start()].endswith(("'", "’")):
            yield run.start(), run.end() if run[2] else run.start() + len(name)


def _is_path(name: str) -> bool:
    """Whether a name is a path or dotted, unlike "he/she", "and/or" and "left.She"."""
    if "\\" in name:
        return _DRIVE.match(name) is not None or name.count("\\") > 1
    if "/" not in name:
        return _is_dotted(name)
    parts = name.split("/")
    first, second = parts[:2]
    if neighbours("pronouns").issuperset(part.lower() for part in parts if part):
        return False
    if first in ("~", ".", "..") or first.lower() in neighbours("file_names"):
        return True
    if first in _PREFIXES or (not first and second in _PREFIXES):
        return len(parts[-1]) > 1
    if (not first and second and len(parts) > 2) or _DRIVE.match(name):
        return True
    return "_" in name or _is_host(first) or any(map(_is_dotted, parts))


def _is_host(name: str) -> bool:
    """Whether a name is a host, "t.co" before a slash, unlike "left.he/she"."""
    match = _HOST.fullmatch(name)
    return match is not None and match[1].lower() not in neighbours("pronouns")


def _is_dotted(name: str) -> bool:
    """Whether a name is dotted, as "user.he" and "MAN.TXT" are, and lacks no space."""
    first, _, rest = name.strip(".").partition(".")
    if rest.lower() in neighbours("file_names") and (rest.islower() or rest.isupper()):
        return True
    if first.lower() in neighbours("pronouns"):
        return False  # "saw him.he left", but "user.he"
    return any(
        len(before) > 1 < len(after) and after[0].islower() and any(map(str.isalpha, before))
        for before, after in pairwise(name.split("."))
    )


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
        """Whether a word begins with a capital letter."""
        return self.text[self.starts[index]].isupper()

    def opens_sentence(self, index: int) -> bool:
        """Whether a word stands where a capital letter says nothing about it."""
        return index == 0 or ends_sentence(self.gap(index))

    def is_alone(self, index: int) -> bool:
        """Whether a word is a word of its own, and no part of a name, a code or an address.

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
        """Whether a word stands in an address, a handle, a tag, code or a path."""
        if self._protected is None:
            self._protected = ProtectedText(self.text)
        return self._protected.covers(self.starts[index])

    def is_headline(self, index: int) -> bool:
        """Whether the words around a word are capitalised, so that its capital says nothing.

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
        """Whether a word is joined to a neighbour by a hyphen."""
        last = len(self.lower) - 1
        return (index > 0 and self.gap(index) == "-") or (
            index < last and self.gap(index + 1) == "-"
        )


def tokenize(text: str) -> Tokens:
    """Split a text into words and separators.

    Returns:
        Its tokens; joined again they are the text.

    Example:
        >>> tokenize("He's home.").words
        ['He', 's', 'home']
        >>> tokenize("He's home.").gaps
        ['', "'", ' ', '.']
    """
    if not is_latin(text):
        matches = [(match.start(), match.group()) for match in _WORD.finditer(text)]
        lower = [_lower(word) for _, word in matches]
        return Tokens(text, lower, [start for start, _ in matches])
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
    """Whether a text has no letters and digits beyond Latin-1 (it may have other signs).

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
    """Whether a sign stands where a capital letter says nothing about the next word."""
    return sign != " " and _SENTENCE_END.search(sign) is not None


def is_mark(character: str) -> bool:
    """Whether a character belongs to the letter before it, or joins two parts of a word."""
    return character in _JOINERS or (
        character > "\u02ff" and unicodedata.category(character).startswith("M")
    )


GENDERED_TITLES = frozenset({"mr", "mrs", "ms", "mx", "messrs"})
"""The titles that are rewritten to each other, in lower case."""
TITLES = GENDERED_TITLES | {
    *("capt", "col", "dr", "gen", "hon", "lt", "prof", "rev", "sgt", "st"),
}
"""All titles that are abbreviated, in lower case."""
_BEHIND_NAMES = frozenset({"jr", "sr"})


def is_abbreviated(word: str) -> bool:
    """Whether a dot behind a word ends no sentence, as the word is an abbreviation.

    Returns:
        Whether it is a title, an initial, or stands behind a name.

    Example:
        >>> [is_abbreviated(word) for word in ("Mrs", "J", "Jr", "I", "left")]
        [True, True, True, False, False]
    """
    is_initial = len(word) == 1 and word.isupper() and word != "I"
    return is_initial or word.lower() in TITLES or word.lower() in _BEHIND_NAMES
