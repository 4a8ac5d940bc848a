"""What is put in between subjects and verbs: "She, like me, works", "The car, she says, runs"."""

from fair_datasets.reader.english.lists import SUBJECT_PRONOUNS, words
from fair_datasets.reader.english.verbs import (
    closings,
    ends_before,
    is_adverb,
    is_finite,
    plural_form,
)
from fair_datasets.reader.matching.tokenizer import Tokens

_PARTICIPLES = ("ed", "ing")
_SUBJECTS = frozenset({*SUBJECT_PRONOUNS, "it", "one", "you"})
_AND = frozenset({"and", "or", "nor"})
# Verbs of a frame, beside those that report.
_FRAMES = frozenset({"feels", "figures", "fears", "hopes", "jokes", "knows", "means", "reckons"})
_FRAMES |= {"supposes", "tells", "tweets", "learns", "hears", "promises", "posts", "jokes"}
_JOINERS = frozenset({"and", "because", "but", "or", "so", "that", "yet"})
_TIMES = frozenset({"afternoon", "evening", "morning", "night", "summer", "time", "winter"})
_HEARERS = frozenset({"her", "him", "me", "them", "us", "you"})


def verb_behind_parenthetical(tokens: Tokens, subject: int) -> int | None:
    """Find the verb of a subject behind what is put in between.

    Such a verb may be spelt like a noun, where nothing else can stand: "She, as we know, lives".

    Returns:
        Which word it is; None where nothing is put in between, or that is not certain.

    Example:
        >>> from fair_datasets.reader.matching.tokenizer import tokenize
        >>> verb_behind_parenthetical(tokenize("She, like me, works here."), 0)
        3
    """
    start = subject + 1
    if start >= len(tokens.lower) or ends_before(tokens, start):
        return None
    sign = tokens.gaps[start].strip()
    is_insertion = sign and (sign != "," or _opens_parenthetical(tokens.lower[start]))
    if not is_insertion or not _opens_clause(tokens, subject):
        return None
    unsure, is_open = None, True
    for place in closings(tokens, start):
        if is_finite(tokens, place):
            return place
        if is_open and _may_be_verb(tokens, place):
            if not _is_listed(tokens, place):
                return place
            unsure = place
        elif unsure is not None:
            return None  # "She, in jeans, boots and gloves, left."
        word = tokens.lower[place]
        is_open = is_open and _opens_parenthetical(word) and not word.endswith(_PARTICIPLES)
    return unsure


def _opens_clause(tokens: Tokens, subject: int) -> bool:
    """Whether a subject opens its clause: no "said he, eyes closed"."""
    if subject == 0 or not tokens.gaps[subject].isspace():
        return True
    before = tokens.lower[subject - 1]
    if is_adverb(before):
        return True
    return before in words("clause_openers") or before in words("before_clause") - {"say", "said"}


def _opens_parenthetical(word: str) -> bool:
    """Whether a word behind a subject and a comma opens what is put in between."""
    return (
        word in words("before_insertion")
        or word in words("prepositions")
        or word in words("determiners")
        or word in words("clause_openers")
        or word in _SUBJECTS
        or word.endswith(_PARTICIPLES)
        or word.isdecimal()
    )


def _may_be_verb(tokens: Tokens, place: int) -> bool:
    """Whether a word has the form of a verb, and nothing speaks for a noun."""
    if not plural_form(tokens.lower[place]) or not tokens.words[place].islower():
        return False
    behind = tokens.lower[place + 1 : place + 2]
    is_noun = bool(behind) and (behind[0] == "of" or behind[0].endswith(_PARTICIPLES))
    return not (is_noun or tokens.is_hyphenated(place) or tokens.is_protected(place))


def _is_listed(tokens: Tokens, place: int) -> bool:
    """Whether a word may be one of several nouns: "he, like cats, dogs and mice, sleeps"."""
    behind = place + 1
    if behind >= len(tokens.lower):
        return False
    return tokens.lower[behind] in _AND or "," in tokens.gaps[behind]


def is_frame(tokens: Tokens, subject: int, verb: int) -> bool:
    """Whether a subject and its verb only say whose words a sentence of another subject is.

    Returns:
        True for "she says" in "The car, she says, runs well." and not in "At noon, she says, ...".

    Example:
        >>> from fair_datasets.reader.matching.tokenizer import tokenize
        >>> is_frame(tokenize("The car, she says, runs well."), 2, 3)
        True
    """
    word = tokens.lower[verb]
    first = subject - (subject > 0 and tokens.lower[subject - 1] in ("as", "so"))
    is_reporting = word in _FRAMES or word in words("reporting_verbs")
    if not first or not is_reporting or "," not in tokens.gaps[first]:
        return False
    end = verb + 1
    end += end < len(tokens.lower) and tokens.lower[end] in _HEARERS
    if end >= len(tokens.lower) or "," not in tokens.gaps[end] or tokens.lower[end] in _AND:
        return False  # '"No," she says, and leaves.'
    opening = first - 1
    while opening > 0 and tokens.gaps[opening].isspace() and not ends_before(tokens, opening):
        opening -= 1
    return _opens_subject(tokens, opening, first)


def _opens_subject(tokens: Tokens, first: int, end: int) -> bool:
    """Whether words are a subject: no "after work", no "honestly", no "every day"."""
    first += tokens.lower[first] in _JOINERS and first + 1 < end
    word = tokens.lower[first]
    is_other = (
        is_adverb(word)
        or word in words("prepositions")
        or word in words("before_insertion")
        or word in words("interjections")
        or word in words("clause_openers") - {"what", "which", "who"}
    )
    last = tokens.lower[end - 1]
    return not (is_other or last in words("spans") or last in _TIMES)
