"""Kinds of words that their ending or a class of `words.tsv` tells, in other languages too."""

from functools import cache

import numpy as np
from numpy.typing import NDArray

from fair_datasets.lexicons import load_lexicon
from fair_datasets.reader.english.lists import words
from fair_datasets.reader.matching.vocabulary import remembered, vocabulary
from fair_datasets.reader.matching.words import Mask, Words

# From the ending of a plural to that of its singular.
_PLURALS = (
    ("ies", "y"),
    ("wives", "wife"),
    ("ves", "f"),
    ("people", "person"),
    ("men", "man"),
    ("children", "child"),
    ("es", ""),
    ("s", ""),
)


@remembered
def is_person_noun(word: str) -> bool:
    """Tell whether a word is a noun for persons.

    Args:
        word: The word in lower case, singular or plural.

    Returns:
        True for who someone is or what they do ("aunt", "drivers") and for groups of persons
        ("family"); False for words that more often name a thing ("star", "printer").

    Example:
        >>> [word for word in ("neighbours", "wine", "saleswoman") if is_person_noun(word)]
        ['neighbours', 'saleswoman']
    """
    if word in words("no_persons"):
        return False
    return _is_listed(word) or any(_is_listed(singular) for singular in _singulars(word))


@remembered
def is_people(word: str) -> bool:
    """Tell whether a word says which people someone belongs to: "Asian", "Muslims", "gay".

    Args:
        word: The word in lower case, singular or plural.

    Example:
        >>> is_people("nigerians"), is_people("wine")
        (True, False)
    """
    peoples = words("peoples")
    return word in peoples or (word.endswith("s") and word[:-1] in peoples)


def is_first_name(word: str) -> bool:
    """Tell whether a word is a shipped first name that is neither a word nor a place nor a surname.

    Example:
        >>> is_first_name("mary"), is_first_name("will")
        (True, False)
    """
    return word in _first_names()


@cache
def _first_names() -> frozenset[str]:
    return frozenset(
        form.text.lower()
        for entry in load_lexicon("first_names").entries
        for forms in entry.forms.values()
        for form in forms
        if not form.flags
    )


def _singulars(word: str) -> list[str]:
    """Return what a word may be the plural of."""
    return [
        word.removesuffix(plural) + singular
        for plural, singular in _PLURALS
        if word.endswith(plural) and not word.endswith("ss")
    ]


def _is_listed(word: str) -> bool:
    """Tell whether a singular or a group is listed, or has an ending that only persons have."""
    if word in words("person_nouns") or word in words("groups"):
        return True
    if word in words("no_persons") or len(word) < 6:
        return False
    if word.endswith(("man", "woman", "person", "ician", "ologist")):
        return True
    if word.endswith("ist"):
        return len(word) > 6
    return any(word.endswith(end) for end in words("endings") if len(word) > len(end) + 2)


_ADJECTIVE_ENDINGS = (
    *("ative", "esque", "ful", "ible", "ical"),
    *("ional", "ish", "istic", "less", "ous"),
)


@remembered
def is_modifier(word: str) -> bool:
    """Tell whether a word may stand between an adjective and its noun."""
    return (
        word in words("modifiers")
        or is_people(word)
        or (len(word) > 4 and word.endswith(_ADJECTIVE_ENDINGS))
        or (len(word) > 4 and word.endswith("ed") and not word.endswith("eed"))
        or (len(word) > 4 and word.endswith("ly") and word not in words("no_adverbs"))
    )


@remembered
def is_between(word: str) -> bool:
    """Tell whether a word is an adverb or an auxiliary verb."""
    return word in words("between") or (len(word) > 4 and word.endswith("ly"))


@remembered
def is_function_word(word: str) -> bool:
    """Tell whether a word is no part of the noun phrase before it."""
    return (
        word in words("after_phrase")
        or word in words("phrase_openers")
        or word in words("prepositions")
        or word in words("linking_verbs")
        or word in words("personal_subjects")
        or word in words("after_noun")
    )


@remembered
def is_form_with_s(word: str) -> bool:
    """Tell whether a word looks like a verb for the third person: "lives", "goes"."""
    verbs = words("verbs")
    return word.endswith("s") and (word[:-1] in verbs or word.removesuffix("es") in verbs)


@cache
def auxiliaries() -> frozenset[str]:
    """Return the verbs that no other verb in the present stands directly before."""
    return (words("auxiliaries") | words("be_forms")) - words("phrase_openers")


def stands_before_noun(word: str) -> bool:
    """Tell whether a word may stand between an adjective and its noun: "a young aspiring actor"."""
    is_participle = len(word) > 5 and word.endswith("ing")
    return is_modifier(word) or (is_participle and word not in words("gerund_nouns"))


def is_field(word: str) -> bool:
    """Tell whether a word may stand before a noun for who works or acts there: "bus driver"."""
    return word in words("fields") or is_person_noun(word)


def may_be_noun(word: str) -> bool:
    """Tell whether a modifier is a noun for a person where no noun follows: "a young American"."""
    if word in words("nouns_too"):
        return True
    return is_people(word) and word not in words("never_nouns")


# An English text may name three people with a particle, but it has more words of its own.
_LEAST = 3
vocabulary().expect(lambda: words("foreign_words"))


def is_foreign(several: Words) -> Mask:
    """Tell which texts are in another language, by their small words.

    Returns:
        Whether at least three small words of other languages stand in it, and fewer of English.
        Shape (T,).

    Example:
        >>> texts = ["Son los que he visto con mi madre", "Juan de la Cruz left with his son"]
        >>> is_foreign(Words(texts)).tolist()
        [True, False]
    """
    foreign = vocabulary().listed("foreign words", lambda: words("foreign_words"))
    is_foreign_word = foreign[several.number]
    other = _count(several, is_foreign_word)
    held: Mask = other >= _LEAST
    if held.any():
        own = vocabulary().those(is_function_word, several.number) & ~is_foreign_word
        held &= other > _count(several, own)
    return held


def _count(several: Words, those: Mask) -> NDArray[np.int64]:
    """Return how many words of a kind each text has in lower case; Dan is a name. Shape (T,)."""
    places = np.flatnonzero(those)
    places = places[~several.is_capital(places)]
    found: NDArray[np.int64] = np.bincount(several.owner[places], minlength=len(several.texts))
    return found
