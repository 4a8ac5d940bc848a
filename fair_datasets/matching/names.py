"""First names in context: telling a person's first name from a word, a place or a surname.

A first, cautious version: an unmarked name is read wherever it is capitalised and in no
surname's, place's or organisation's position; a marked one ("Will", "Paris") needs evidence.
"""

from enum import Enum

from fair_datasets.matching.neighbours import neighbours
from fair_datasets.matching.table import Term
from fair_datasets.matching.tokens import Tokens


class Verdict(Enum):
    """What the neighbours say about an occurrence of a first name."""

    ACCEPT = "it is a first name"
    UNSURE = "it is one if another occurrence in the row is"
    REJECT = "it is none"


def judge_name(tokens: Tokens, index: int, term: Term, previous_is_name: bool) -> Verdict:
    """Judge whether a word that is spelt like a first name is one.

    Args:
        tokens: The text.
        index: Which word it is.
        term: Its reading as a name.
        previous_is_name: Whether the word before it was read as a first name.

    Returns:
        The verdict.

    Example:
        >>> from fair_datasets.matching.table import Term
        >>> from fair_datasets.matching.tokens import tokenize
        >>> from fair_datasets.lexicons import Entry
        >>> will = Term("man", Entry({}), frozenset({"word"}), True, True)
        >>> judge_name(tokenize("Will it rain?"), 0, will, False).name
        'REJECT'
        >>> judge_name(tokenize("Will Smith"), 0, will, False).name
        'ACCEPT'
    """
    word = tokens.words[index]
    if (
        not word[0].isupper()
        or word not in (word.capitalize(), word.upper())
        or tokens.is_hyphenated(index)
        or _is_acronym(tokens, index)
    ):
        return Verdict.REJECT
    follower = _next_capitalised(tokens, index)
    if follower in neighbours("after_other_name"):
        return Verdict.REJECT
    if _next_after_comma(tokens, index) in neighbours("regions"):
        return Verdict.REJECT
    verdict = _judge_by_previous(tokens, index, term, bool(follower), previous_is_name)
    if verdict is not None:
        return verdict
    return _judge_marked(tokens, index, term.flags, bool(follower))


def _judge_by_previous(
    tokens: Tokens, index: int, term: Term, has_surname: bool, previous_is_name: bool
) -> Verdict | None:
    """Judge by the word before, if that settles it."""
    if not index or tokens.gaps[index] not in (" ", ". "):
        return None
    before, lower = tokens.words[index - 1], tokens.lower[index - 1]
    if lower in neighbours("before_first_name") and not lower == before == "old":
        return Verdict.ACCEPT
    if lower in neighbours("before_venerated"):
        return Verdict.REJECT
    if not before[0].isupper() or before == "I":
        return None
    for attribute in ("man", "woman"):
        # "Lady Mary", but "Lady Russell".
        if lower in neighbours(f"before_name_of_{attribute}"):
            return Verdict.ACCEPT if term.attribute == attribute else Verdict.REJECT
    if lower in neighbours("before_surname"):
        return Verdict.ACCEPT if has_surname else Verdict.REJECT
    if lower in neighbours("before_place"):
        return Verdict.REJECT
    if tokens.gaps[index] != " " or word_is_upper(tokens, index) or tokens.is_headline(index):
        return None
    if previous_is_name:
        if term.flags - {"word"}:
            return Verdict.REJECT
        is_second = has_surname or tokens.lower[index] in neighbours("second_names")
        return Verdict.ACCEPT if is_second else Verdict.REJECT
    return None if tokens.opens_sentence(index - 1) or has_surname else Verdict.REJECT


def _judge_marked(tokens: Tokens, index: int, flags: frozenset[str], has_surname: bool) -> Verdict:
    """Judge a name by its marks, where its position settles nothing."""
    if not flags:
        return Verdict.ACCEPT
    if word_is_upper(tokens, index):
        return Verdict.UNSURE
    if (
        flags & {"place", "proper"}
        and index
        and tokens.lower[index - 1] in neighbours("before_location")
    ):
        return Verdict.REJECT
    if tokens.is_headline(index):
        return Verdict.UNSURE
    if has_surname or _is_followed_by(tokens, index, "after_person"):
        return Verdict.ACCEPT
    if "word" in flags and _opens_like_a_word(tokens, index):
        return Verdict.REJECT
    # "I saw Mark", "Tell Mark", but not "New Hope".
    is_inside = not tokens.opens_sentence(index) and (
        tokens.words[index - 1].islower() or tokens.opens_sentence(index - 1)
    )
    return Verdict.ACCEPT if flags == {"word"} and is_inside else Verdict.UNSURE


def _opens_like_a_word(tokens: Tokens, index: int) -> bool:
    """Tell whether a word begins a sentence the way "Will you" or "Mark the" do."""
    return tokens.opens_sentence(index) and _is_followed_by(tokens, index, "after_verb")


def _is_followed_by(tokens: Tokens, index: int, kind: str) -> bool:
    """Tell whether one of some words follows a word, with a space between."""
    if index + 1 >= len(tokens.words) or tokens.gaps[index + 1] != " ":
        return False
    return tokens.lower[index + 1] in neighbours(kind)


def is_surname(tokens: Tokens, index: int) -> bool:
    """Tell whether a capitalised term stands behind a title like a surname: "Mr. Prince".

    Args:
        tokens: The text.
        index: Which word it is.

    Returns:
        True where a capitalised title stands before it.

    Example:
        >>> from fair_datasets.matching.tokens import tokenize
        >>> is_surname(tokenize("Dr. Monk"), 1), is_surname(tokenize("a monk"), 1)
        (True, False)
    """
    if not index or tokens.gaps[index] not in (" ", ". ") or not tokens.words[index][0].isupper():
        return False
    is_title = tokens.lower[index - 1] in neighbours("before_surname")
    return is_title and tokens.words[index - 1][0].isupper()


def word_is_upper(tokens: Tokens, index: int) -> bool:
    """Tell whether a word is written in capitals only."""
    return len(tokens.words[index]) > 1 and tokens.words[index].isupper()


def _is_acronym(tokens: Tokens, index: int) -> bool:
    """Tell whether a short word in capitals stands among words that are not."""
    if not word_is_upper(tokens, index) or len(tokens.words[index]) > 4:
        return False
    beside = tokens.words[max(0, index - 1) : index] + tokens.words[index + 1 : index + 2]
    return not any(word.isupper() and len(word) > 1 for word in beside)


def _next_capitalised(tokens: Tokens, index: int) -> str:
    """Return the next word in lower case if it is capitalised and only a space lies between."""
    if index + 1 >= len(tokens.words) or tokens.gaps[index + 1] != " ":
        return ""
    word, lower = tokens.words[index + 1], tokens.lower[index + 1]
    if not word[0].isupper() or lower in neighbours("determiners"):
        return ""
    if lower in neighbours("after_object"):
        return ""
    if len(word) == 1 and tokens.gaps[index + 2][:1] != ".":
        return ""
    return lower


def _next_after_comma(tokens: Tokens, index: int) -> str:
    """Return the next word in lower case if a comma lies between: "Raymond, Maine"."""
    if index + 1 >= len(tokens.words) or tokens.gaps[index + 1] != ", ":
        return ""
    return tokens.lower[index + 1] if tokens.words[index + 1][0].isupper() else ""
