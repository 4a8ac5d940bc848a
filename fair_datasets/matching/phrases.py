"""Noun phrases about persons: where one ends, and what the subject of a verb is."""

from fair_datasets.matching.neighbours import neighbours
from fair_datasets.matching.person_nouns import (
    is_people,
    is_person_noun,
    people_words,
    unambiguous_first_names,
)
from fair_datasets.matching.tokens import APOSTROPHES, Tokens

CONJUNCTIONS = frozenset({"and", "but", "or"})
# How many words away a noun or a subject may be.
REACH = 8
_ADJECTIVE_ENDINGS = ("ful", "ical", "ional", "ish", "less", "ous")


def subject_is_person(tokens: Tokens, verb: int) -> bool:
    """Tell whether the subject of a verb is a person.

    Args:
        tokens: The text.
        verb: The word of the verb, or the first word of what is said of the subject.

    Returns:
        True behind a personal pronoun, a noun for persons or a first name; False if in doubt.

    Example:
        >>> from fair_datasets.matching.tokens import tokenize
        >>> subject_is_person(tokenize("The man in the car was white."), 5)
        True
        >>> subject_is_person(tokenize("The walls are white."), 2)
        False
    """
    head = head_of_subject(tokens, verb)
    return head >= 0 and names_person(tokens, head)


def head_of_subject(tokens: Tokens, verb: int) -> int:
    """Return the head of the noun phrase before a verb; -1 if there is none."""
    lower = tokens.lower
    floor = max(-1, verb - 1 - REACH)
    index = verb - 1
    while index > floor and _is_skipped(tokens, index):
        index -= 1
    head = index
    if head > floor and lower[head] in people_words("personal_subjects"):
        return head
    while index > floor and _is_in_clause(tokens, index):
        if lower[index] in people_words("prepositions"):
            head = index - 1
        elif lower[index] in people_words("determiners"):
            if index < 1 or lower[index - 1] not in people_words("prepositions"):
                break
        elif index < head and is_function_word(lower[index]):
            break
        index -= 1
    return head if head > floor else -1


def _is_skipped(tokens: Tokens, index: int) -> bool:
    """Tell whether a word stands between a subject and what is said of it."""
    word = tokens.lower[index]
    if word == "who" or not _is_in_clause(tokens, index):
        return False
    return is_between(word) or word in people_words("linking_verbs")


def _is_in_clause(tokens: Tokens, index: int) -> bool:
    """Tell whether nothing but a space, an apostrophe or a hyphen stands behind a word."""
    gap = tokens.gaps[index + 1]
    return gap.isspace() or gap in APOSTROPHES or gap == "-"


def names_person(tokens: Tokens, index: int) -> bool:
    """Tell whether the head of a noun phrase is a person."""
    word = tokens.lower[index]
    if word in people_words("personal_subjects") or word == "who" or is_person_noun(word):
        return True
    if word in people_words("peoples") or not tokens.words[index][0].isupper():
        return is_people(word) and word.endswith("s")
    return any(
        opens_name(tokens, place) and (place == index or tokens.gaps[index] in (" ", ". "))
        for place in (index, index - 1)
        if place >= 0
    )


def opens_name(tokens: Tokens, index: int) -> bool:
    """Tell whether a word is a title or a first name."""
    return tokens.words[index] in unambiguous_first_names() or (
        tokens.lower[index] in people_words("titles") and tokens.words[index][0].isupper()
    )


def ends_phrase(tokens: Tokens, index: int, depth: int = 3) -> bool:
    """Tell whether a noun phrase ends behind a word."""
    gap = tokens.gaps[index + 1]
    if index + 1 == len(tokens.lower) or gap.strip() not in ("", ",", "/", "-"):
        return True
    after = tokens.lower[index + 1]
    if gap.strip() in ("/", "-"):
        return False
    if depth and after in CONJUNCTIONS and index + 2 < len(tokens.lower):
        after = tokens.lower[index + 2]
        if is_people(after) or is_modifier(after):
            return ends_phrase(tokens, index + 2, depth - 1)
        return is_function_word(after) or is_person_noun(after)
    if _is_verb(tokens, index + 1) or ("," in gap and after.endswith("ed")):
        return True
    if is_people(after) or is_modifier(after):
        return "," in gap and depth > 0 and ends_phrase(tokens, index + 1, depth - 1)
    return "," in gap or is_function_word(after)


def _is_verb(tokens: Tokens, index: int) -> bool:
    """Tell whether a word looks like a verb and what cannot follow an adjective is behind it."""
    word = tokens.lower[index]
    if index + 1 >= len(tokens.lower) or not tokens.gaps[index + 1].isspace():
        return False
    after = tokens.lower[index + 1]
    if after in CONJUNCTIONS or not is_function_word(after):
        return False
    return word in neighbours("base_verbs") or (len(word) > 4 and word.endswith(("ed", "ing")))


def is_modifier(word: str) -> bool:
    """Tell whether a word may stand between an adjective and its noun."""
    return (
        word in people_words("modifiers")
        or is_people(word)
        or (len(word) > 4 and word.endswith(_ADJECTIVE_ENDINGS))
        or (len(word) > 4 and word.endswith("ed") and not word.endswith("eed"))
        or (len(word) > 4 and word.endswith("ly") and word not in neighbours("no_adverbs"))
    )


def is_between(word: str) -> bool:
    """Tell whether a word is an adverb or an auxiliary verb."""
    return word in people_words("between") or (len(word) > 4 and word.endswith("ly"))


def is_function_word(word: str) -> bool:
    """Tell whether a word is no part of the noun phrase before it."""
    return (
        word in people_words("after_phrase")
        or word in people_words("determiners")
        or word in people_words("prepositions")
        or word in people_words("linking_verbs")
        or word in people_words("personal_subjects")
        or word in neighbours("after_noun")
    )
