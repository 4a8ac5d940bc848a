"""Abbreviations before and behind names: a dot behind them ends no sentence."""

GENDERED_TITLES = frozenset({"mr", "mrs", "ms", "mx", "messrs"})
"""The titles that are rewritten to each other, in lower case."""
TITLES = GENDERED_TITLES | {
    *("capt", "col", "dr", "gen", "hon", "lt", "prof", "rev", "sgt", "st"),
}
"""All titles that are abbreviated, in lower case."""
_BEHIND_NAMES = frozenset({"jr", "sr"})


def is_abbreviated(word: str) -> bool:
    """Tell whether a dot behind a word ends no sentence, as the word is an abbreviation.

    Args:
        word: The word, as it is written.

    Returns:
        Whether it is a title, an initial, or stands behind a name.

    Example:
        >>> [is_abbreviated(word) for word in ("Mrs", "J", "Jr", "I", "left")]
        [True, True, True, False, False]
    """
    is_initial = len(word) == 1 and word.isupper() and word != "I"
    return is_initial or word.lower() in TITLES or word.lower() in _BEHIND_NAMES
