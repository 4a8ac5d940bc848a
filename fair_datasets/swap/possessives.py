"""Apostrophes behind words: possessive endings ("the ladies' room") or quotes ("'ladies'")."""

import re
from collections.abc import Container

from fair_datasets.english.lists import words
from fair_datasets.matching.tokens import APOSTROPHES, Tokens

# Words that are written with an apostrophe in front, which opens no quote.
_CUT = frozenset({"bout", "cause", "em", "n", "round", "til", "tis", "twas"})
# Two apostrophes or backticks are one double quote sign; a third behind them stands for itself.
_DOUBLED = re.compile(r"''|’’|‘‘|``|‚‚")
_TWO = re.compile(r"('|’)\1(?!\1)")
_CLOSING = re.compile(r"\S*['’]")
# What an apostrophe stands before in place of a century.
_DECADE = re.compile(r"[0-9]{2}s?$")
# Single quote signs that may open a quotation.
_OPENING = frozenset({"'", "‘", "‚", "‛", "`"})
# How many words back a quote may have been opened.
_QUOTE_REACH = 60


def has_ending(tokens: Tokens, index: int, endings: Container[str]) -> bool:
    """Tell whether an apostrophe and one of some endings follow a word directly.

    Args:
        tokens: The text.
        index: Which word it is.
        endings: The endings, in lower case.

    Returns:
        False also where the ending stands in an address.

    Example:
        >>> from fair_datasets.matching.tokens import tokenize
        >>> has_ending(tokenize("the man's hat"), 1, {"s"})
        True
    """
    gap = tokens.gap(index + 1)
    if not gap or gap not in APOSTROPHES or index + 1 >= len(tokens.lower):
        return False
    return tokens.lower[index + 1] in endings and not tokens.is_protected(index + 1)


def is_possessive(tokens: Tokens, index: int) -> bool:
    """Tell whether an apostrophe behind a word that ends in s is a possessive and no quote.

    Args:
        tokens: The text.
        index: The word before the apostrophe.

    Returns:
        True for "the ladies' room", False for "the 'ladies' and" and "``ladies''".

    Example:
        >>> from fair_datasets.matching.tokens import tokenize
        >>> is_possessive(tokenize("the ladies' room"), 1), is_possessive(tokenize("``ladies''"), 0)
        (True, False)
    """
    if _TWO.match(tokens.gap(index + 1)):
        return False  # "``ladies''"
    if not _is_in_quotes(tokens, index):
        return True
    # "‘the ladies’ room’", but "‘ladies’ and" and "‘the ladies’ ‘room’"
    is_joined = tokens.gap(index + 1)[1:] == " " and index + 1 < len(tokens.lower)
    is_joined = is_joined and tokens.lower[index + 1] not in words("after_noun")
    return is_joined and _closes_behind(tokens, index + 1)


def _is_in_quotes(tokens: Tokens, index: int) -> bool:
    """Tell whether the last single quote sign among the words before opens a quotation."""
    around = range(index, max(-1, index - _QUOTE_REACH), -1)
    return next(filter(None, (_single_quote(tokens, place) for place in around)), "") == "opening"


def _closes_behind(tokens: Tokens, index: int) -> bool:
    """Tell whether the next single quote sign behind a word closes a quotation."""
    around = range(index + 1, min(len(tokens.lower) + 1, index + _QUOTE_REACH))
    return next(filter(None, (_single_quote(tokens, place) for place in around)), "") == "closing"


def _single_quote(tokens: Tokens, place: int) -> str:
    """Say whether a single quote sign before a word is "opening" or "closing"; empty for none."""
    gap = _DOUBLED.sub('"', tokens.gap(place))
    is_edge = place in (0, len(tokens.lower))
    if len(gap) < 2 and not is_edge:
        return ""  # "don't"
    if gap[-1:] in _OPENING and place < len(tokens.lower):
        # "'em", "'60s"
        word = tokens.lower[place]
        return "" if word in _CUT or _DECADE.match(word) else "opening"
    return "closing" if _CLOSING.match(gap) else ""
