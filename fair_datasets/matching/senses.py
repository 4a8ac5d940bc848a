"""Telling a term from the verb or the thing that is spelt like it, by its neighbours.

A first, cautious version: a marked word ("host", "king") is read as a person only where the
neighbours speak for it.
"""

from fair_datasets.matching.neighbours import neighbours
from fair_datasets.matching.tokens import APOSTROPHES, Tokens


def is_verb(tokens: Tokens, index: int) -> bool:
    """Tell whether a word that may be a verb ("host", "fathers") is one here.

    Args:
        tokens: The text.
        index: Which word it is.

    Returns:
        True for "to host a party", False for "the host".

    Example:
        >>> from fair_datasets.matching.tokens import tokenize
        >>> is_verb(tokenize("to host a party"), 1), is_verb(tokenize("the host spoke"), 1)
        (True, False)
    """
    before = tokens.lower[index - 1] if index and _is_space(tokens.gaps[index]) else ""
    if before in neighbours("before_verb"):
        return True
    has_object = _next_word(tokens, index) in neighbours("determiners")
    if tokens.lower[index].endswith("s") and before in neighbours("before_third_person"):
        return has_object or before != "and"
    return (
        has_object
        and before not in neighbours("determiners")
        and not tokens.words[index][0].isupper()
    )


def is_person(tokens: Tokens, index: int) -> bool:
    """Tell whether a word that often denotes a thing ("king", "master") denotes a person here.

    Args:
        tokens: The text.
        index: Which word it is.

    Returns:
        True for "the king said" and "King James", False for "king size".

    Example:
        >>> from fair_datasets.matching.tokens import tokenize
        >>> is_person(tokenize("the king said"), 1), is_person(tokenize("a king size bed"), 1)
        (True, False)
    """
    if is_title(tokens, index):
        return True
    if tokens.is_hyphenated(index):
        return False
    has_determiner = _has_determiner(tokens, index)
    follower = _next_word(tokens, index)
    if follower == "s" and tokens.gaps[index + 1] in APOSTROPHES:
        return has_determiner
    before = tokens.lower[index - 1] if index and _is_space(tokens.gaps[index]) else ""
    if tokens.words[index][0].isupper() and before == "the":
        return not tokens.words[index + 1][0].isupper() if follower else True
    # "the king agreed", but "a king bed".
    is_verb_form = len(follower) > 4 and follower.endswith(("ed", "ing"))
    ends_phrase = is_verb_form or follower in neighbours("after_noun")
    return (not follower or ends_phrase) and (has_determiner or before in neighbours("before_role"))


def is_title(tokens: Tokens, index: int) -> bool:
    """Tell whether a capitalised word stands directly before another one ("Miss Woodhouse").

    Args:
        tokens: The text.
        index: Which word it is.

    Returns:
        True where both words are capitalised, without being all in capitals.

    Example:
        >>> from fair_datasets.matching.tokens import tokenize
        >>> is_title(tokenize("Miss Smith"), 0), is_title(tokenize("I Miss you"), 1)
        (True, False)
    """
    if index + 1 >= len(tokens.words) or tokens.gaps[index + 1] not in (" ", ". "):
        return False
    word, name = tokens.words[index], tokens.words[index + 1]
    if not word[0].isupper() or not name[0].isupper():
        return False
    if word.isupper() and not (name.isupper() and tokens.gaps[index + 1] == ". "):
        return False  # "MISS YOU", "MS Society", but "MS. CHEN"
    # "King Street" is no king, and "I Miss You" a headline.
    return not any(
        name.lower() in neighbours(kind)
        for kind in ("after_other_name", "after_object", "determiners")
    )


def _has_determiner(tokens: Tokens, index: int) -> bool:
    """Tell whether a determiner stands before a word, directly or with one word between."""
    for place in range(index, max(0, index - 2), -1):
        if not _is_space(tokens.gaps[place]):
            return False
        word = tokens.lower[place - 1]
        # "Mary's king": the s of a possessive counts as a determiner.
        if word in neighbours("determiners") or (
            word == "s" and tokens.gaps[place - 1] in APOSTROPHES
        ):
            return True
    return False


def _next_word(tokens: Tokens, index: int) -> str:
    """Return the next word in lower case if nothing but space or an apostrophe lies between."""
    if index + 1 >= len(tokens.words):
        return ""
    gap = tokens.gaps[index + 1]
    return tokens.lower[index + 1] if _is_space(gap) or gap in APOSTROPHES else ""


def _is_space(gap: str) -> bool:
    """Tell whether nothing but white space lies between two words."""
    return gap.isspace()
