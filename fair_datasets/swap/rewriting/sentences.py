"""Where the sentences of a text begin, for texts that are too long to be rewritten at once."""

import re

from fair_datasets.reader.matching.tokens import is_abbreviated

# The end of a sentence: its sign with closing quotes and brackets, white space, and what is no
# small letter; or an empty line.
_BORDER = re.compile(r"(?:[.!?…]+[\"'”’»)\]]*\s+|\n\s*\n\s*)(?=\S)")
_LAST_WORD = re.compile(r"[\w.]+(?=\.\s+$)")
# A period behind these, too, seldom ends a sentence, and a text is cut at few of its sentences.
_ABBREVIATIONS = frozenset({"vs", "etc", "no", "vol", "fig", "e.g", "i.e", "cf"})


def sentence_starts(text: str) -> list[int]:
    """Find where the sentences of a text begin.

    Returns:
        The offsets in characters, the first of which is 0; none for an empty text. White space
        between two sentences belongs to the first.
    """
    if not text:
        return []
    starts = [0]
    for border in _BORDER.finditer(text):
        following = text[border.end()]
        has_line = border.group().count("\n") > 1
        if has_line or not (following.islower() or _is_abbreviated(text, border)):
            starts.append(border.end())
    return starts


def _is_abbreviated(text: str, border: re.Match[str]) -> bool:
    """Tell whether a period is that of an abbreviation or of an initial."""
    word = _LAST_WORD.search(text, max(0, border.start() - 12), border.end())
    if word is None:
        return False
    found = word.group()
    return found.lower() in _ABBREVIATIONS or is_abbreviated(found)
