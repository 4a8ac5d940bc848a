"""Calls that mean nobody: "Oh man!", "Boy, was it hot", "hey dude"."""

from fair_datasets.matching.determiners import has_determiner, next_word
from fair_datasets.matching.neighbours import LISTS
from fair_datasets.matching.tokens import Tokens


def is_exclaimed(tokens: Tokens, index: int) -> bool:
    """Tell whether a word is a call that means nobody: "Oh man!", "Boy, was it hot", "hey dude".

    Args:
        tokens: The text.
        index: Which word it is.

    Returns:
        True where it calls on nobody in particular.

    Example:
        >>> from fair_datasets.matching.tokens import tokenize
        >>> is_exclaimed(tokenize("Oh man!"), 1), is_exclaimed(tokenize("The man!"), 1)
        (True, False)
    """
    gap, end = tokens.gap(index + 1), index + 1 == len(tokens.lower)
    is_last = end or gap[:1] in ",.!?…)\n" or tokens.opens_sentence(index + 1)
    before = tokens.lower[index - 1] if index else ""
    if tokens.opens_sentence(index):
        if not end and gap == " ":
            return _is_inverted(tokens, index + 1)
        is_listed = not end and (
            tokens.lower[index + 1] in LISTS.persons_by_default or tokens.lower[index + 1].isdigit()
        )
        if ":" in tokens.gap(index) and tokens.word(index).islower():
            return False
        is_called = tokens.lower[index] not in LISTS.relatives
        return gap[:1] in ",!" and gap != "" and is_called and not is_listed
    if tokens.gap(index) in (" ", ", ", "... ") and before in LISTS.before_exclamation:
        return tokens.gap(index) != ", " or is_last
    if tokens.gap(index) == ", ":
        return (
            is_last
            and before not in LISTS.persons_by_default
            and not (
                not end and gap == ", " and tokens.lower[index + 1] in LISTS.persons_by_default
            )
        )
    is_call = is_last and tokens.gap(index) == " " and before in LISTS.before_call
    return is_call and not has_determiner(tokens, index)


def _is_inverted(tokens: Tokens, index: int) -> bool:
    """Tell whether a verb and its subject stand here: "(Boy) was it hot", or "(man) oh man"."""
    if tokens.lower[index] == "oh":
        return True
    return tokens.lower[index] in LISTS.auxiliaries and next_word(tokens, index) in LISTS.subjects
