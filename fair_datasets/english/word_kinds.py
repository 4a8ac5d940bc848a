"""Kinds of words that their ending tells, or several classes of `words.tsv` together."""

from functools import cache, lru_cache

from fair_datasets.english.lists import words
from fair_datasets.english.person_nouns import is_people, is_person_noun

_ADJECTIVE_ENDINGS = (
    *("ative", "esque", "ful", "ible", "ical"),
    *("ional", "ish", "istic", "less", "ous"),
)


@lru_cache(maxsize=1 << 16)
def is_modifier(word: str) -> bool:
    """Tell whether a word may stand between an adjective and its noun."""
    return (
        word in words("modifiers")
        or is_people(word)
        or (len(word) > 4 and word.endswith(_ADJECTIVE_ENDINGS))
        or (len(word) > 4 and word.endswith("ed") and not word.endswith("eed"))
        or (len(word) > 4 and word.endswith("ly") and word not in words("no_adverbs"))
    )


@lru_cache(maxsize=1 << 16)
def is_between(word: str) -> bool:
    """Tell whether a word is an adverb or an auxiliary verb."""
    return word in words("between") or (len(word) > 4 and word.endswith("ly"))


@lru_cache(maxsize=1 << 16)
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


@lru_cache(maxsize=1 << 16)
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
