"""Titles of works in quotes: "Girl with a Pearl Earring"."""

from fair_datasets.matching.tokens import Tokens

# LaTeX's and Wikipedia's quotes of two signs among them.
_OPEN = ('"', "“", "”", "„", "«", "``", "''")
_CLOSE = ('"', "”", "“", "»", "''")
# How many words a title in quotes may have.
_REACH = 10
_SMALL = frozenset(
    {"a", "an", "and", "as", "at", "but", "by", "for", "from", "in", "into", "like", "of", "on"}
    | {"or", "the", "to", "upon", "with", "without"}
)


def may_quote(text: str) -> bool:
    """Tell cheaply whether a text may have a title in quotes.

    Args:
        text: Any text.

    Returns:
        Whether it has a double quote.
    """
    return '"' in text or "“" in text or "''" in text or "«" in text or "„" in text


def in_quoted_title(tokens: Tokens, index: int) -> bool:
    """Tell whether a word stands in the title of a work in quotes.

    Such a title is written in capitals but for its small words, of which it has one at least, and
    has no other sign inside than a colon or an apostrophe. That tells it from speech and names.

    Args:
        tokens: The text.
        index: Which word it is.

    Returns:
        Whether it does.

    Example:
        >>> from fair_datasets.matching.tokens import tokenize
        >>> in_quoted_title(tokenize('We saw "Girl with a Pearl Earring".'), 2)
        True
        >>> in_quoted_title(tokenize('"The girl with the earring," he said.'), 1)
        False
    """
    first, last = index, index
    while not tokens.gap(first).endswith(_OPEN):
        first -= 1
        if first < 0 or index - first > _REACH or not _is_inside(tokens.gap(first + 1)):
            return False
    while not tokens.gap(last + 1).startswith(_CLOSE):
        last += 1
        if last == len(tokens.lower) or last - first > _REACH or not _is_inside(tokens.gap(last)):
            return False
    inner = tokens.words[first : last + 1]
    large = [word for word in inner if word not in _SMALL and word != "s"]
    is_title = len(large) < len(inner) and all(word[0].isupper() for word in large)
    return is_title and len(large) > 1 and not all(map(str.isupper, large))


def _is_inside(gap: str) -> bool:
    """Tell whether what lies between two words may lie within a title."""
    return gap in (" ", ": ", "'", "’")
