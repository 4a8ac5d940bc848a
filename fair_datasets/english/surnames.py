"""Terms that are surnames where they stand: "Mr. Prince", "Debra Monk", "Umar Islam"."""

from fair_datasets.english.neighbours import (
    BEFORE,
    FOLLOWER,
    HERE,
    IN_HEADLINE,
    JOINED,
    NEXT,
    NEXT_IN_PHRASE,
    everyday,
    opens_sentence,
    stands_in_headline,
)
from fair_datasets.english.word_kinds import is_first_name, is_modifier, is_people, is_person_noun
from fair_datasets.matching.conditions import ALWAYS, Condition, Rule
from fair_datasets.matching.places import IS_HYPHENATED, Place
from fair_datasets.matching.vocabulary import remembered

_HAS_FOLLOWER = FOLLOWER.is_there
# The word before does not open a sentence, or the verb of a subject follows.
_IS_SUBJECT = NEXT_IN_PHRASE.among("after_subject", "after_person") | ~opens_sentence(BEFORE)

# Titles before a name that are surnames as well: "Eliza Lady Gaverick", but "Jack Lord acted".
_IS_TITLE = HERE.among("before_surname") | (HERE.among("titles_or_surnames") & _HAS_FOLLOWER)
MAY_END_NAME = JOINED & ~_IS_TITLE & ~NEXT_IN_PHRASE.is_word("of")


@remembered
def _is_about_people(word: str) -> bool:
    return is_people(word) or is_person_noun(word) or is_modifier(word)


_IS_SURE_NAME = BEFORE.that(is_first_name) & (BEFORE.is_title | BEFORE.is_capitals)
_IS_LIKELY_NAME = (
    BEFORE.among("mostly_names") & BEFORE.is_title & ~stands_in_headline(BEFORE) & _IS_SUBJECT
)
# "saw Jack Monk", not "St. Thomas Monk"
_FOLLOWS_FIRST_NAME = (_IS_SURE_NAME | _IS_LIKELY_NAME) & (
    BEFORE.is_first | ~(HERE - 2).among("before_place")
)

_MAY_FOLLOW = ~HERE.is_first & HERE.sign(" ", ". ") & HERE.is_capital
_IS_TITLED = _MAY_FOLLOW & BEFORE.among("before_surname")
SURNAME = (
    Rule(
        "surnames.titled", True, _IS_TITLED & BEFORE.is_capital, "a title stands before it"
    ),  # "Mr. Prince"
    Rule("surnames.full_name", True, _MAY_FOLLOW & _FOLLOWS_FIRST_NAME & MAY_END_NAME,
         "a first name stands before it"),
    Rule("surnames.none", False, ALWAYS, "neither a title nor a first name stands before it"),
)  # fmt: skip
"""Whether a capitalised term stands where a surname does: "Mr. Prince", "Debra Monk"."""


def _unknown(place: Place) -> Condition:
    """Tell whether a word is capitalised and neither an everyday word nor one about people."""
    return place.longer(1) & place.is_title & ~everyday(place) & ~place.that(_is_about_people)


_IS_BEHIND = ~HERE.is_first & JOINED & _unknown(BEFORE)
IS_IN_NAME = (
    ((_HAS_FOLLOWER & _unknown(NEXT)) | (_IS_BEHIND & _IS_SUBJECT)) & ~IN_HEADLINE & ~IS_HYPHENATED
)
"""Whether a term that is a name as well is joined to another word of a name: "Islam Karimov"."""
ENDS_NAME = ~IN_HEADLINE & MAY_END_NAME
"""Whether a term behind what is surely a first name is the surname: "Art Monk"."""
