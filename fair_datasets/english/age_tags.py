"""Ages and genders in one word, as people write on forums: "I (25F)", "[F31]", "my boss 40M".

A jet (F16), a motorway (M25) and a sum (30M) are written alike, so that such a word counts only
where it stands behind a person, or opens a text in brackets.
"""

from fair_datasets.english.neighbours import BEFORE, HERE, NEXT
from fair_datasets.english.noun_phrases import ends_phrase, person_noun
from fair_datasets.english.word_kinds import is_first_name

GENDERED = {"man": "m", "woman": "f", "non-binary": "nb"}
"""Attribute to the letters that stand for it."""
YEARS = range(13, 100)
"""The ages that are told so."""


def _opens(sign: str) -> bool:
    return sign.endswith(("(", "["))


def _closes(sign: str) -> bool:
    return sign.startswith((")", "]", ",", "/"))


_IS_BRACKETED = HERE.sign_that(_opens) & NEXT.sign_that(_closes)
_IS_PERSON = ~HERE.is_first & (
    BEFORE.among("subject_pronouns", "object_pronouns")
    | BEFORE.is_word("her")
    | person_noun(BEFORE)
    | (BEFORE.is_capital & BEFORE.that(is_first_name))
)
_IS_I = BEFORE.is_word("i") | (BEFORE.is_word("m", "am") & (HERE - 2).is_word("i"))
AGE_TAG = (_IS_BRACKETED & (HERE.is_first | _IS_PERSON)) | (
    ~HERE.is_first
    & HERE.sign(" ")
    & HERE.is_capitals
    & ~HERE.ends_with(*"0123456789")
    & (_IS_I | person_noun(BEFORE))
    & ends_phrase(HERE)
)
"""Whether an age and a letter are of a person: "I (25F)", "[F31]", "my boss 40M"."""
