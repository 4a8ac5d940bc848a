"""First names in context: telling a person's first name from a word, a place or a surname.

An unmarked name is read wherever it is capitalised and stands in no surname's, place's, brand's or
work's position; a marked one ("Will", "Paris") needs evidence.
"""

from enum import Enum
from functools import cache

from fair_datasets.matching.neighbours import LISTS, neighbours
from fair_datasets.matching.other_names import (
    is_written_otherwise,
    names_something_else,
    next_capitalised,
    next_in_phrase,
    word_is_upper,
)
from fair_datasets.matching.terms import Term
from fair_datasets.matching.tokens import Tokens

# How many words before a name are searched for the same word as a surname.
_MEMORY = 60
_TITLES = ("before_first_name", "before_surname", "before_name_of_man", "before_name_of_woman")


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
        >>> from fair_datasets.matching.terms import Term
        >>> from fair_datasets.matching.tokens import tokenize
        >>> from fair_datasets.lexicons import Entry
        >>> will = Term("man", Entry({}), frozenset({"word"}), True, True)
        >>> judge_name(tokenize("Will it rain?"), 0, will, False).name
        'REJECT'
        >>> judge_name(tokenize("Will Smith"), 0, will, False).name
        'ACCEPT'
    """
    if not tokens.is_capitalised(index) or is_written_otherwise(tokens, index):
        return Verdict.REJECT
    follower = next_capitalised(tokens, index)
    if names_something_else(tokens, index, follower, term.flags):
        return Verdict.REJECT
    has_surname = bool(follower) and _may_be_surname(tokens, index + 1)
    if not has_surname and _was_surname(tokens, index):
        return Verdict.REJECT
    verdict = _judge_by_previous(tokens, index, term, has_surname, previous_is_name)
    if verdict is not None:
        return verdict
    if not term.flags:
        return Verdict.REJECT if _opens_as_verb(tokens, index) else Verdict.ACCEPT
    if follower and not has_surname and not tokens.is_headline(index):
        return Verdict.UNSURE  # "Good Will Hunting"
    return _judge_marked(tokens, index, term, has_surname)


def _judge_by_previous(
    tokens: Tokens, index: int, term: Term, has_surname: bool, previous_is_name: bool
) -> Verdict | None:
    """Judge by the word before, if that settles it."""
    if not index:
        return None
    lower = tokens.lower[index - 1]
    if lower not in _telling() and not tokens.is_capitalised(index - 1):
        return None
    gap, before = tokens.gap(index), tokens.word(index - 1)
    if gap not in (" ", ". ", "."):
        return None
    if len(before) == 1 and before.isupper() and "." in gap:
        # "J. P. Morgan", but "J. Edgar Hoover".
        is_middle = index > 1 and tokens.gap(index - 1) in (" ", ". ", ".")
        is_middle = is_middle and tokens.is_capitalised(index - 2)
        if tokens.lower[index - 2] in LISTS.before_number:
            return None  # "Chapter V. Anne's house", "P.S. Tom"
        return Verdict.REJECT if is_middle or not has_surname else Verdict.ACCEPT
    if lower in LISTS.before_first_name and not lower == before == "old":
        return Verdict.ACCEPT
    if lower in LISTS.before_venerated:
        return Verdict.REJECT
    if lower == "of" and index > 1 and tokens.lower[index - 2] in LISTS.before_prophet:
        return Verdict.REJECT
    if lower in LISTS.articles and gap == " ":
        # "a Tony for the score", "the Charlotte Hornets", but "the Mark Taylor whom I know".
        if not has_surname or term.flags & {"place", "proper"}:
            return Verdict.REJECT
        return None
    if not before[0].isupper() or before in ("I", "O"):
        return None
    return _judge_by_capitalised(tokens, index, term, has_surname, previous_is_name)


@cache
def _telling() -> frozenset[str]:
    """List the words that say something about a name behind them, even in lower case."""
    return LISTS.before_first_name | LISTS.before_venerated | LISTS.articles | {"of"}


def _judge_by_capitalised(
    tokens: Tokens, index: int, term: Term, has_surname: bool, previous_is_name: bool
) -> Verdict | None:
    """Judge by a capitalised word before, if that settles it."""
    lower = tokens.lower[index - 1]
    # "Lady Mary", but "Lady Russell".
    if lower in LISTS.before_name_of_man:
        return Verdict.ACCEPT if _gender(term) == "man" else Verdict.REJECT
    if lower in LISTS.before_name_of_woman:
        return Verdict.ACCEPT if _gender(term) == "woman" else Verdict.REJECT
    if lower in LISTS.before_surname:
        return Verdict.ACCEPT if has_surname else Verdict.REJECT
    if lower in LISTS.before_place:
        return Verdict.REJECT
    if tokens.gap(index) != " ":
        return None
    if previous_is_name or lower in LISTS.unisex_names:
        return _judge_second(tokens, index, term.flags, has_surname)
    if (
        word_is_upper(tokens, index)
        or tokens.is_headline(index)
        or word_is_upper(tokens, index - 1)
    ):
        return None
    if is_everyday(lower) and tokens.opens_sentence(index - 1):
        return None
    if term.flags or not has_surname:
        return Verdict.REJECT
    return None


def _judge_second(tokens: Tokens, index: int, flags: frozenset[str], has_surname: bool) -> Verdict:
    """Judge a name behind a first name: a surname, unless another one follows."""
    if has_surname:
        return Verdict.REJECT if flags - {"word"} else Verdict.ACCEPT
    is_second = not flags and tokens.lower[index] in LISTS.second_names
    return Verdict.ACCEPT if is_second else Verdict.REJECT


def _judge_marked(tokens: Tokens, index: int, term: Term, has_surname: bool) -> Verdict:
    """Judge a name by its marks, where its position settles nothing."""
    flags = term.flags
    if word_is_upper(tokens, index):
        return Verdict.UNSURE
    before = tokens.lower[index - 1] if index and tokens.gap(index) == " " else ""
    if flags & {"place", "proper"} and (
        before in LISTS.before_location and not (has_surname and before in LISTS.before_anything)
    ):
        return Verdict.REJECT
    follower = next_in_phrase(tokens, index)
    if follower == "of" or follower.isdigit() or before.isdigit():
        return Verdict.REJECT  # "Grace of God", "April 5", "5 May"
    if tokens.is_headline(index):
        # "Trump Will Win", "The Mark Hill", but "Ray Harryhausen"
        is_sure = has_surname and tokens.lower[index + 1] not in LISTS.surname_words
        is_sure = is_sure and not (before and not is_everyday(before))
        return Verdict.ACCEPT if is_sure else Verdict.UNSURE
    if has_surname:
        return Verdict.REJECT if _is_adjective(tokens, index) else Verdict.ACCEPT
    if "surname" in flags or tokens.lower[index] in LISTS.adjective_names:
        return Verdict.UNSURE
    if follower == "in" and tokens.lower[index] not in LISTS.mostly_names:
        return Verdict.UNSURE  # "Faith in people"
    if follower in LISTS.after_person or before in LISTS.before_person:
        return Verdict.ACCEPT
    if follower in LISTS.after_subject and _is_referred_to(tokens, index, _gender(term)):
        return Verdict.ACCEPT
    if not tokens.opens_sentence(index):
        # "I saw Mark", "Tell Mark", but not "New Hope".
        is_inside = tokens.word(index - 1).islower() or tokens.opens_sentence(index - 1)
        is_inside = is_inside and tokens.gap(index) != " & "
        return Verdict.ACCEPT if flags == {"word"} and is_inside else Verdict.UNSURE
    if "word" in flags and _opens_as_verb(tokens, index):
        return Verdict.REJECT
    return _judge_opening(tokens, index, follower)


def _judge_opening(tokens: Tokens, index: int, follower: str) -> Verdict:
    """Judge a name that opens a sentence: "Mark is late" and "Mark, come", but "Hope is gone"."""
    if tokens.lower[index] not in LISTS.mostly_names:
        return Verdict.UNSURE
    is_called = tokens.gap(index + 1).startswith((",", "!", ":", "\n"))
    is_called = is_called or index + 1 == len(tokens.lower)
    is_subject = follower in LISTS.after_subject
    if follower == "and":
        is_subject = tokens.word(min(index + 2, len(tokens.lower) - 1))[0].isupper()
    return Verdict.ACCEPT if is_called or is_subject else Verdict.UNSURE


def _is_adjective(tokens: Tokens, index: int) -> bool:
    """Tell whether a name is an adjective: "a male German Shepherd", "the Christian Church"."""
    if tokens.lower[index] not in LISTS.adjective_names:
        return False
    if tokens.lower[index + 1] in LISTS.after_place_or_surname:
        return True
    before = tokens.lower[index - 1] if index and tokens.gap(index) == " " else ""
    return before not in LISTS.after_object | {""}


def _opens_as_verb(tokens: Tokens, index: int) -> bool:
    """Tell whether a word begins a sentence the way "Will you", "Mark the" and "Bob up" do."""
    lower = tokens.lower[index]
    if lower not in LISTS.mostly_names and lower not in LISTS.common_words:
        return False
    return tokens.opens_sentence(index) and next_in_phrase(tokens, index) in neighbours(
        "after_verb"
    )


def _gender(term: Term) -> str:
    """Return the gender of a first name: its attribute, or what the row of a name by race says."""
    return term.attribute if term.attribute in ("man", "woman") else term.entry.kind


def _is_referred_to(tokens: Tokens, index: int, gender: str) -> bool:
    """Tell whether a pronoun that fits a name follows soon: "April is late because her train"."""
    if gender not in ("man", "woman"):
        return False
    return not neighbours(f"pronouns_of_{gender}").isdisjoint(tokens.lower[index + 2 : index + 12])


def _was_surname(tokens: Tokens, index: int) -> bool:
    """Tell whether a name stood behind another one before: "Ed Bradley ... Bradley's legacy"."""
    lower = tokens.lower
    first = max(1, index - _MEMORY)
    if index <= first or lower[index] not in lower[first:index]:
        return False
    for place in range(first, index):
        if lower[place] == lower[index] and tokens.gap(place) == " ":
            return _stands_as_surname(tokens, place)
    return False


def _stands_as_surname(tokens: Tokens, index: int) -> bool:
    """Tell whether a capitalised word that is no title stands before a word, and none behind it."""
    before, lower = tokens.word(index - 1), tokens.lower[index - 1]
    if not before.istitle() or len(before) == 1 or next_capitalised(tokens, index):
        return False
    if is_everyday(lower) or tokens.is_headline(index):
        return False
    return not any(lower in neighbours(kind) for kind in _TITLES)


def _may_be_surname(tokens: Tokens, index: int) -> bool:
    """Tell whether a capitalised word may be a surname: no everyday word, no acronym."""
    if tokens.lower[index] in LISTS.particles:
        return True  # "Bill de Blasio"
    if word_is_upper(tokens, index) and not word_is_upper(tokens, index - 1):
        return False
    return tokens.lower[index] not in LISTS.common_words


def is_everyday(lower: str) -> bool:
    """Tell whether a word may open a sentence before a name, as "When" and "Tell" do."""
    return (
        lower in LISTS.common_words
        or lower in LISTS.surname_words
        or lower in LISTS.after_object
        or lower in LISTS.days
        or lower in LISTS.interjections
        or (len(lower) > 4 and lower.endswith(("ly", "ing", "ed", "est")))
    )
