"""Reading a very long text in parts, which bounds the memory."""

import re
from bisect import bisect_left
from collections.abc import Sequence

from fair_datasets.matching.mentions import Left, Mention, Reading
from fair_datasets.matching.tokens import tokenize

#: Texts are read together up to about this many characters; a longer one is read in parts.
TOGETHER = 1 << 19

# Where a text is best divided: behind a paragraph, a line, a sentence, a word.
_SEAMS = (re.compile(r"\n\s*\n"), re.compile(r"\n"), re.compile(r"[.!?] "), re.compile(r"\s"))


def parts_of(text: str, longest: int = TOGETHER) -> list[tuple[int, int]]:
    """Divide a long text behind paragraphs, or else behind lines, sentences or words.

    Args:
        text: Any text.
        longest: How many characters a part has at most.

    Returns:
        Where each part begins and ends; one for a text that is not too long.

    Example:
        >>> text = "He ran. She sat down."
        >>> [text[begin:end] for begin, end in parts_of(text, 12)]
        ['He ran. ', 'She sat ', 'down.']
    """
    parts, begin = [], 0
    while len(text) - begin > longest:
        end = _seam(text, begin + longest // 2, begin + longest)
        parts.append((begin, end))
        begin = end
    return [*parts, (begin, len(text))]


def _seam(text: str, first: int, last: int) -> int:
    """Return where a text is divided between two offsets; at the second if there is no seam."""
    for seam in _SEAMS:
        ends = [match.end() for match in seam.finditer(text, first, last)]
        if ends:
            return ends[-1]
    return last


def whole_reading(text: str, parts: Sequence[tuple[int, Reading]]) -> Reading:
    """Put the readings of the parts of a text together.

    Args:
        text: The whole text.
        parts: Where each part begins in which something is found, and what.

    Returns:
        The reading of the text.

    Example:
        >>> parts = [(8, Reading(tokenize("She sat."), [], [Left(0, 0, None)]))]
        >>> whole_reading("He ran. She sat.", parts).left
        [Left(first=2, last=2, reason=None, rule='', attribute='')]
    """
    begin, reading = parts[0]
    if len(parts) == 1 and len(reading.tokens.text) == len(text):
        return reading
    tokens = tokenize(text)
    mentions: list[Mention] = []
    left: list[Left] = []
    for begin, reading in parts:
        shift = bisect_left(tokens.starts, begin)
        mentions += [
            each._replace(first=each.first + shift, last=each.last + shift)
            for each in reading.mentions
        ]
        left += [
            each._replace(first=each.first + shift, last=each.last + shift) for each in reading.left
        ]
    return Reading(tokens, mentions, left)
