"""Telling the cases of "her" and "his" apart.

"her" is an object ("saw her", like him) or a determiner ("her book", like his); "his" is a
determiner ("his book", like her) or a possessive pronoun ("it is his", like hers).
"""

from fair_datasets.matching.classifier.decide import decide
from fair_datasets.matching.tokens import Tokens

# The log odds from which on the classifier is sure of a case, which is then 2.7 times as likely.
_SURE = 1.0
_DETERMINERS = frozenset({"his", "her", "their", "my", "your", "our"})


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
    if _is_listed_behind(tokens, index, "she"):
        return False  # "she/her"
    return decide("her", tokens, _last_of_pair(tokens, index)) > 0


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
    if _is_listed_behind(tokens, index, "him") or _is_beside_possessive(tokens, index):
        return True  # "he/him/his", "neither his nor mine"
    last = _last_of_pair(tokens, index)
    return last + 1 == len(tokens.lower) or decide("his", tokens, last) > 0


def case_is_open(tokens: Tokens, index: int) -> bool:
    """Tell whether a "her" or "his" may be either of its cases, for all that its neighbours say.

    Args:
        tokens: The text.
        index: Which word is the pronoun.

    Returns:
        True for the "her" of "much of her treating", False for that of "saw her", and for all other
        words.

    Example:
        >>> from fair_datasets.matching.tokens import tokenize
        >>> case_is_open(tokenize("I saw her."), 2)
        False
        >>> case_is_open(tokenize("She dedicated much of her treating and advising to them."), 4)
        True
    """
    word, last = tokens.lower[index], _last_of_pair(tokens, index)
    if word not in ("her", "his") or last + 1 == len(tokens.lower):
        return False
    return abs(decide(word, tokens, last)) < _SURE


def _is_listed_behind(tokens: Tokens, index: int, case: str) -> bool:
    """Tell whether a pronoun stands behind another case of it in a list: "she/her"."""
    return index > 0 and tokens.gap(index) == "/" and tokens.lower[index - 1] == case


def _is_beside_possessive(tokens: Tokens, index: int) -> bool:
    """Tell whether a pronoun is joined to one that stands alone: "his or mine"."""
    return tokens.lower[index + 1 : index + 2] in (["and"], ["nor"], ["or"]) and (
        tokens.lower[index + 2 : index + 3] in (["hers"], ["mine"], ["ours"], ["theirs"], ["yours"])
    )


def _last_of_pair(tokens: Tokens, index: int) -> int:
    """Return the second determiner of a pair ("his or her name", "her/his name"), or the first."""
    lower = tokens.lower
    if index + 2 >= len(lower):
        return index
    if _is_other(lower[index + 1], lower[index]) and tokens.gap(index + 1) == "/":
        return index + 1
    if index + 3 == len(lower) or lower[index + 1] not in ("or", "and"):
        return index
    # "her and his son", but not "hit her and her son".
    is_pair = _is_other(lower[index + 2], lower[index])
    is_pair = is_pair and tokens.gap(index + 1) == tokens.gap(index + 2) == " "
    return index + 2 if is_pair else index


def _is_other(word: str, determiner: str) -> bool:
    """Tell whether a word is another possessive determiner than one."""
    return word in _DETERMINERS and word != determiner
