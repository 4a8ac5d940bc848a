"""What many rules share: kinds of words, how they are written, and how a phrase goes on."""

from collections.abc import Callable
from functools import cache

import numpy as np

from fair_datasets.lexicons import load_lexicon
from fair_datasets.reader.english.lists import BE_FORMS, words
from fair_datasets.reader.matching.predicates import Code, Predicate
from fair_datasets.reader.matching.token_batch import Candidates, Mask, Places
from fair_datasets.reader.matching.token_refs import TokenRef
from fair_datasets.reader.matching.tokenizer import ends_sentence
from fair_datasets.reader.matching.vocabulary import memoize

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


@memoize
def is_person_noun(word: str) -> bool:
    """Whether a word is a noun for persons.

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


@memoize
def is_people(word: str) -> bool:
    """Whether a word says which people someone belongs to: "Asian", "Muslims", "gay".

    Args:
        word: The word in lower case, singular or plural.

    Example:
        >>> is_people("nigerians"), is_people("wine")
        (True, False)
    """
    peoples = words("peoples")
    return word in peoples or (word.endswith("s") and word[:-1] in peoples)


def is_first_name(word: str) -> bool:
    """Whether a word is a shipped first name that is neither a word nor a place nor a surname.

    Example:
        >>> is_first_name("mary"), is_first_name("will")
        (True, False)
    """
    return word in _first_names()


@cache
def _first_names() -> frozenset[str]:
    return frozenset(
        form.text.lower() for form in load_lexicon("first_names").forms() if not form.flags
    )


def _singulars(word: str) -> list[str]:
    """Return what a word may be the plural of."""
    return [
        word.removesuffix(plural) + singular
        for plural, singular in _PLURALS
        if word.endswith(plural) and not word.endswith("ss")
    ]


def _is_listed(word: str) -> bool:
    """Whether a singular or a group is listed, or has an ending that only persons have."""
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


@memoize
def is_modifier(word: str) -> bool:
    """Whether a word may stand between an adjective and its noun."""
    return (
        word in words("modifiers")
        or is_people(word)
        or (len(word) > 4 and word.endswith(_ADJECTIVE_ENDINGS))
        or (len(word) > 4 and word.endswith("ed") and not word.endswith("eed"))
        or (len(word) > 4 and word.endswith("ly") and word not in words("no_adverbs"))
    )


@memoize
def is_between(word: str) -> bool:
    """Whether a word is an adverb or an auxiliary verb."""
    return word in words("between") or (len(word) > 4 and word.endswith("ly"))


@memoize
def is_function_word(word: str) -> bool:
    """Whether a word is no part of the noun phrase before it."""
    return (
        word in words("after_phrase")
        or word in words("determiners")
        or word in words("prepositions")
        or word in words("linking_verbs")
        or word in words("personal_subjects")
    )


@memoize
def is_form_with_s(word: str) -> bool:
    """Whether a word looks like a verb for the third person: "lives", "goes"."""
    verbs = words("verbs")
    return word.endswith("s") and (word[:-1] in verbs or word.removesuffix("es") in verbs)


@cache
def auxiliaries() -> frozenset[str]:
    """Return the verbs that no other verb in the present stands directly before."""
    return words("auxiliaries").union(BE_FORMS) - words("determiners")


def stands_before_noun(word: str) -> bool:
    """Whether a word may stand between an adjective and its noun: "a young aspiring actor"."""
    is_participle = len(word) > 5 and word.endswith("ing")
    return is_modifier(word) or is_participle


def is_field(word: str) -> bool:
    """Whether a word may stand before a noun for who works or acts there: "bus driver"."""
    return word in words("fields") or is_person_noun(word)


def may_be_noun(word: str) -> bool:
    """Whether a modifier is a noun for a person where no noun follows: "a young American"."""
    if word in words("nouns_too"):
        return True
    return is_people(word) and word not in words("never_nouns")


def place_of(find: Callable[[Candidates], Places], code: Code | None = None) -> TokenRef:
    """Return a place by what finds it for each candidate, and what writes it for one."""
    return TokenRef(find, lists=words, code=code)


HERE = place_of(lambda candidates: candidates.places, lambda: "here")
"""The word itself; of a phrase, its first word."""
LAST = place_of(lambda candidates: candidates.lasts, lambda: "last")
"""The last word of a phrase."""
BEFORE = HERE - 1
NEXT = HERE + 1


def opens_sentence(place: TokenRef) -> Predicate:
    """Whether a word stands where a capital letter says nothing about it."""
    return place.is_first | place.sign_that(ends_sentence)


@cache
def stands_in_headline(place: TokenRef) -> Predicate:
    """Whether the words around a word are capitalised, so that its capital says nothing.

    Looks at the words of two letters and more among the five before and the five behind it.
    """
    distances = np.array([distance for distance in range(-5, 6) if distance])

    def test(candidates: Candidates) -> Mask:
        around = candidates.around(place, distances)
        is_longer = candidates.words.is_longer(around)
        longer = is_longer.sum(axis=0)
        small = (is_longer & ~candidates.words.is_capital(around)).sum(axis=0)
        held: Mask = (longer > 2) & (small < 2) & (longer > 5 * small)
        return held

    return Predicate(test)


IN_HEADLINE = stands_in_headline(HERE)
"""Whether the words around are capitalised, so that a capital says nothing."""

JOINED = HERE.sign(" ")
"""Whether only a space lies before."""
PREVIOUS = BEFORE.where(JOINED)
NEXT_IN_PHRASE = NEXT.where(NEXT.sign(" "))
APOSTROPHES = ("'", "’")


def is_blank(sign: str) -> bool:
    """Whether nothing but space lies between two words."""
    return sign.isspace()


def _is_close(sign: str) -> bool:
    """Whether nothing but space or an apostrophe lies between two words."""
    return sign.isspace() or sign in APOSTROPHES


def word_before(place: TokenRef) -> TokenRef:
    """Return the word before if nothing but space lies between."""
    return (place - 1).where(place.sign_that(is_blank))


def word_behind(place: TokenRef) -> TokenRef:
    """Return the next word if nothing but space or an apostrophe lies between."""
    behind = place + 1
    return behind.where(behind.is_there & behind.sign_that(_is_close))


WORD_BEFORE = word_before(HERE)
WORD_BEHIND = word_behind(HERE)
IS_POSSESSIVE = NEXT.is_word("s") & NEXT.sign(*APOSTROPHES)


def _after_determiner(place: TokenRef, reach: int) -> Predicate:
    """Whether a determiner stands before a word, with up to some words between."""
    before = place - 1
    # "Mary's king": the s of a possessive counts as a determiner.
    test = before.among("determiners") | (before.is_word("s") & before.sign(*APOSTROPHES))
    if reach > 1:
        test = test | (~before.among("after_object") & _after_determiner(before, reach - 1))
    return ~place.is_first & place.sign_that(is_blank) & test


HAS_DETERMINER = _after_determiner(HERE, 3)
"""Whether a determiner stands before, with up to two words between: "a young king"."""
OPENS_SENTENCE = opens_sentence(HERE)


def everyday(place: TokenRef) -> Predicate:
    """Whether a word may open a sentence before a name, as "When" and "Tell" do."""
    is_form = place.longer(4) & place.ends_with("ly", "ing", "ed", "est")
    lists = (
        "common_words",
        "corpus_words",
        "surname_words",
        "after_object",
        "never_in_names",
        "interjections",
    )
    return place.among(*lists) | is_form


def _followers() -> tuple[TokenRef, TokenRef]:
    skips = NEXT.among("particles") & (HERE + 2).is_there
    skips_two = skips & (HERE + 2).among("particles") & (HERE + 3).is_there
    place = (HERE + 3).where(skips_two, (HERE + 2).where(skips, NEXT))
    are_joined = (
        NEXT.sign(" ") & (~skips | (HERE + 2).sign(" ")) & (~skips_two | (HERE + 3).sign(" "))
    )
    behind = place + 1
    # "George W. Bush", "George W Bush"
    is_initial = place.is_letter & (
        behind.sign_that(begins_with_dot)
        | (behind.sign(" ") & behind.is_title & ~place.is_word("i") & ~place.is_digits)
    )
    is_name = ~place.is_letter & ~place.among("determiners", "after_object")
    return place, place.where(place.is_capital & are_joined & (is_initial | is_name))


def begins_with_dot(sign: str) -> bool:
    """Whether a sign begins with a period."""
    return sign.startswith(".")


_, FOLLOWER = _followers()
"""The next word, behind particles, if it is capitalised and only spaces lie between."""
