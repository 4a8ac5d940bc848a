"""Terms that are surnames where they stand: "Mr. Prince", "Debra Monk", "Umar Islam"."""

from fair_datasets.matching.names import is_everyday
from fair_datasets.matching.neighbours import LISTS
from fair_datasets.matching.other_names import next_capitalised, next_in_phrase
from fair_datasets.matching.people.person_nouns import (
    is_people,
    is_person_noun,
    unambiguous_first_names,
)
from fair_datasets.matching.people.phrases import is_modifier
from fair_datasets.matching.tokens import Tokens

# Titles before a name that are surnames as well: "Eliza Lady Gaverick", but "Jack Lord acted".
_BEFORE_NAME = frozenset({"dame", "lady", "lord", "miss", "sir"})


def is_surname(tokens: Tokens, index: int) -> bool:
    """Tell whether a capitalised term stands where a surname does: "Mr. Prince", "Debra Monk".

    Args:
        tokens: The text.
        index: Which word it is.

    Returns:
        True where a capitalised title or a first name stands before it.

    Example:
        >>> from fair_datasets.matching.tokens import tokenize
        >>> is_surname(tokenize("Dr. Monk"), 1), is_surname(tokenize("a monk"), 1)
        (True, False)
        >>> is_surname(tokenize("Debra Monk"), 1), is_surname(tokenize("Anne Mrs. Lynde"), 1)
        (True, False)
    """
    if not index or tokens.gap(index) not in (" ", ". ") or not tokens.is_capitalised(index):
        return False
    if tokens.lower[index - 1] in LISTS.before_surname:
        return tokens.is_capitalised(index - 1)
    return _is_first_name(tokens, index - 1) and may_end_name(tokens, index)


def is_in_name(tokens: Tokens, index: int) -> bool:
    """Tell whether a capitalised term that is a name as well is joined to another word of a name.

    Args:
        tokens: The text.
        index: Which word it is.

    Returns:
        True for "Saidul Islam said" and "Islam Karimov", False for "Sunni Islam" and "Ban Islam".

    Example:
        >>> from fair_datasets.matching.tokens import tokenize
        >>> is_in_name(tokenize("by Saidul Islam"), 2), is_in_name(tokenize("by radical Islam"), 2)
        (True, False)
    """
    is_before = next_capitalised(tokens, index) != "" and _is_unknown(tokens, index + 1)
    is_behind = index > 0 and tokens.gap(index) == " " and _is_unknown(tokens, index - 1)
    if not is_before and not (is_behind and _is_subject(tokens, index)):
        return False
    return not (tokens.is_headline(index) or tokens.is_hyphenated(index))


def may_end_name(tokens: Tokens, index: int) -> bool:
    """Tell whether a capitalised word behind a first name may be the surname.

    Args:
        tokens: The text.
        index: Which word it is.

    Returns:
        False for a title: "Anne Mrs. Lynde", "Eliza Countess of Gaverick".

    Example:
        >>> from fair_datasets.matching.tokens import tokenize
        >>> may_end_name(tokenize("Anne Mrs. Lynde"), 1), may_end_name(tokenize("Debra Monk"), 1)
        (False, True)
    """
    lower = tokens.lower[index]
    is_title = lower in LISTS.before_surname or (
        lower in _BEFORE_NAME and next_capitalised(tokens, index) != ""
    )
    return tokens.gap(index) == " " and not is_title and next_in_phrase(tokens, index) != "of"


def _is_first_name(tokens: Tokens, index: int) -> bool:
    """Tell whether a word before a term is a first name: in "saw Jack Monk", not "St. Thomas"."""
    word = tokens.word(index)
    if (word.capitalize() if word.isupper() else word) not in unambiguous_first_names():
        if tokens.lower[index] not in LISTS.mostly_names or not word.istitle():
            return False
        if tokens.is_headline(index) or not _is_subject(tokens, index + 1):
            return False
    return not index or tokens.lower[index - 1] not in LISTS.before_place


def _is_subject(tokens: Tokens, index: int) -> bool:
    """Tell whether the word before does not open a sentence, or the verb of a subject follows."""
    follower = next_in_phrase(tokens, index)
    is_before_verb = follower in LISTS.after_subject or follower in LISTS.after_person
    return is_before_verb or not tokens.opens_sentence(index - 1)


def _is_unknown(tokens: Tokens, index: int) -> bool:
    """Tell whether a word is capitalised and neither an everyday word nor one about people."""
    lower = tokens.lower[index]
    if len(lower) == 1 or not tokens.word(index).istitle():
        return False
    return not (
        is_everyday(lower) or is_people(lower) or is_person_noun(lower) or is_modifier(lower)
    )
