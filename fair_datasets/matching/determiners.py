"""The word before, the word behind and the determiner of a word."""

from fair_datasets.matching.neighbours import LISTS
from fair_datasets.matching.tokens import APOSTROPHES, Tokens


def has_determiner(tokens: Tokens, index: int) -> bool:
    """Tell whether a determiner stands before a word, with up to two words between.

    Args:
        tokens: The text.
        index: Which word it is.

    Returns:
        True for "a young king" and "Mary's king".

    Example:
        >>> from fair_datasets.matching.tokens import tokenize
        >>> has_determiner(tokenize("a young king"), 2), has_determiner(tokenize("as king"), 1)
        (True, False)
    """
    for place in range(index, max(0, index - 3), -1):
        if not tokens.gap(place).isspace():
            return False
        word = tokens.lower[place - 1]
        # "Mary's king": the s of a possessive counts as a determiner.
        if word in LISTS.determiners or (word == "s" and tokens.gap(place - 1) in APOSTROPHES):
            return True
        if word in LISTS.after_object:
            return False
    return False


def word_before(tokens: Tokens, index: int) -> str:
    """Return the word before in lower case if nothing but space lies between.

    Args:
        tokens: The text.
        index: Which word it is.

    Returns:
        The word, or an empty string.

    Example:
        >>> from fair_datasets.matching.tokens import tokenize
        >>> word_before(tokenize("the king"), 1), word_before(tokenize("No, king"), 1)
        ('the', '')
    """
    return tokens.lower[index - 1] if index and tokens.gap(index).isspace() else ""


def next_word(tokens: Tokens, index: int) -> str:
    """Return the next word in lower case if nothing but space or an apostrophe lies between.

    Args:
        tokens: The text.
        index: Which word it is.

    Returns:
        The word, or an empty string.

    Example:
        >>> from fair_datasets.matching.tokens import tokenize
        >>> next_word(tokenize("the king's"), 1), next_word(tokenize("King, go"), 0)
        ('s', '')
    """
    if index + 1 >= len(tokens.lower):
        return ""
    gap = tokens.gap(index + 1)
    return tokens.lower[index + 1] if gap.isspace() or gap in APOSTROPHES else ""
