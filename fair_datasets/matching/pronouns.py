"""Telling the readings of "her" and "his" apart by their neighbours.

"her" is an object ("saw her", like him) or a determiner ("her book", like his); "his" is a
determiner ("his book", like her) or a possessive pronoun ("it is his", like hers).
"""

import re

from fair_datasets.matching.neighbours import neighbours
from fair_datasets.matching.tokens import Tokens

_DETERMINERS = frozenset({"his", "her", "their", "my", "your", "our"})
_JOINED = re.compile(r"[*_]*\s+[\"“'‘(*_]*|-")
_QUOTE_ONLY = re.compile(r"\s+[\"“'‘(*_]+")


def her_is_determiner(tokens: Tokens, index: int) -> bool:
    """Tell whether "her" stands before a noun phrase (his) and is no object (him).

    Args:
        tokens: The text.
        index: Which word is "her".

    Returns:
        True for "her book", False for "saw her".

    Example:
        >>> from fair_datasets.matching.tokens import tokenize
        >>> her_is_determiner(tokenize("I saw her book"), 2)
        True
    """
    index = _last_of_pair(tokens, index)
    if index + 1 >= len(tokens.words) or not _JOINED.fullmatch(tokens.gaps[index + 1]):
        return False
    if tokens.gaps[index + 2] == "-":
        return True  # "her well-known brother"
    follower = tokens.lower[index + 1]
    ends = index + 2 >= len(tokens.words) or not tokens.gaps[index + 2].isspace()
    beyond = "" if ends else tokens.lower[index + 2]
    is_adverb = follower.endswith("ly") and follower not in neighbours("no_adverbs")
    if is_adverb or follower in neighbours("may_modify"):
        # "her very own", "her newly built house", but "liked her very much", "watched her closely".
        return bool(beyond) and beyond not in neighbours("after_object")
    if index and tokens.lower[index - 1] in neighbours("before_object"):
        # "let her explore", but "let her brother drive".
        return not (follower in neighbours("after_object") or follower in neighbours("base_verbs"))
    return follower not in neighbours("after_object")


def his_is_possessive(tokens: Tokens, index: int) -> bool:
    """Tell whether "his" stands alone (hers) and is no determiner (her).

    Args:
        tokens: The text.
        index: Which word is "his".

    Returns:
        True for "a friend of his", False for "his friend".

    Example:
        >>> from fair_datasets.matching.tokens import tokenize
        >>> his_is_possessive(tokenize("It is his."), 2), his_is_possessive(tokenize("his own"), 0)
        (True, False)
    """
    index = _last_of_pair(tokens, index)
    if index + 1 >= len(tokens.words) or not _JOINED.fullmatch(tokens.gaps[index + 1]):
        return True
    follower = tokens.lower[index + 1]
    if tokens.gaps[index + 2] == "-":
        return False  # "his so-called friends"
    if follower in neighbours("may_modify") or _QUOTE_ONLY.fullmatch(tokens.gaps[index + 1]):
        return False
    is_after_object = follower in neighbours("after_object")
    return is_after_object and follower not in neighbours("may_follow_his")


def _last_of_pair(tokens: Tokens, index: int) -> int:
    """Return the second determiner of a pair ("his or her name", "her/his name"), or the first."""
    lower, gaps = tokens.lower, tokens.gaps
    others = _DETERMINERS - {lower[index]}
    if gaps[index + 1] == "/" and index + 2 < len(lower) and lower[index + 1] in others:
        return index + 1
    if index + 3 >= len(lower) or lower[index + 1] not in ("or", "and"):
        return index
    # "her and his son", but not "hit her and her son".
    is_pair = lower[index + 2] in others and gaps[index + 1] == gaps[index + 2] == " "
    return index + 2 if is_pair else index
