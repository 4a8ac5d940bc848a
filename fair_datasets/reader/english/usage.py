"""Whether a demographic word ("white", "old", "Asian") describes people, and how.

The rules look at classes of words at most eight words away, within the sentence. In
case of doubt a word is no description of people.
"""

from collections.abc import Callable
from functools import cache

import numpy as np

from fair_datasets.reader.english.lists import words
from fair_datasets.reader.english.neighbours import (
    BEFORE,
    HERE,
    LAST,
    is_blank,
    opens_sentence,
    place_of,
    stands_in_headline,
)
from fair_datasets.reader.english.noun_phrases import (
    REACH,
    conjunction,
    counts,
    ends_phrase,
    function_word,
    modifier,
    names_person,
    opens_predicate,
    people,
    person_noun,
    subject_is_person,
)
from fair_datasets.reader.english.predicates import (
    IS_MOOD,
    IS_SAID_OF_PERSON,
    IS_UNTOLD,
    described_noun,
)
from fair_datasets.reader.english.verbs import is_base
from fair_datasets.reader.english.word_kinds import is_first_name, is_people
from fair_datasets.reader.matching.conditions import (
    ALWAYS,
    NEVER,
    Candidates,
    Condition,
    Rule,
    choose,
)
from fair_datasets.reader.matching.vocabulary import vocabulary
from fair_datasets.reader.matching.words import Mask, Places

_AFTER = LAST + 1
_REACH_OF_ORIGIN = 4
_NOMINAL_ENDINGS = ("ch", "ese", "sh")
# A hyphen joins the term to a word of another kind.
_BELONGS_TO_WORD = (~HERE.is_first & HERE.sign("-") & ~people(BEFORE)) | (
    _AFTER.is_there & (_AFTER.sign("-") | _AFTER.is_word("speaking")) & ~people(_AFTER)
)

# A capitalised term is part of a name: "Jack Black", "the White House".
_SHOUTED = LAST.is_capitals
_IS_LIKE_NAME = ~function_word(BEFORE) & ~modifier(BEFORE) & ~counts(BEFORE)
_BEHIND_NAME = (
    ~HERE.is_first
    & HERE.sign(" ", ". ", " & ")
    & (BEFORE.among("titles") | (BEFORE.is_capital & ~HERE.sign(". ") & _IS_LIKE_NAME & ~_SHOUTED))
)


_IS_NATION = ~LAST.among("also_of_things")
_IS_ALL_OF_THEM = (
    _AFTER.is_word("men", "people", "women")
    & ~(_AFTER + 1).sign_that(lambda sign: sign in "'’")
    & (~(_AFTER + 1).is_there | ~(_AFTER + 1).sign(" ") | (_AFTER + 1).is_lower)
)
_IS_NO_NAME = (
    (_AFTER.that(is_first_name) & _AFTER.is_title & ~(HERE.is_word("christian") & HERE.is_first))
    | _AFTER.among("titles")
    | (_IS_NATION & (_AFTER.among("offices") | _IS_ALL_OF_THEM))
    | people(_AFTER)
    | _AFTER.is_word("i")
)
_BEFORE_NAME = (
    _AFTER.is_there
    & _AFTER.sign(" ", " & ")
    & _AFTER.is_capital
    & ~(_SHOUTED & _AFTER.is_capitals)
    & ~_IS_NO_NAME
)
_BELONGS_TO_NAME = HERE.is_capital & ~stands_in_headline(HERE) & (_BEHIND_NAME | _BEFORE_NAME)


def _is_plural_of_thing(word: str) -> bool:
    return word[:-1] in words("also_of_things")


def _is_double_plural(word: str) -> bool:
    return is_people(word + "s")


_IS_PLURAL = LAST.ends_with("men", "women", "folk", "people") | (
    LAST.ends_with("s")
    & ~LAST.ends_with("ous", "ss", "us")
    & ~LAST.that(_is_double_plural)
    & ~(
        LAST.that(_is_plural_of_thing)
        & (_AFTER.is_word("of") | BEFORE.among("before_plural_things"))
    )
)


_NOUN = described_noun(LAST)
_HAS_NOUN = _NOUN.is_there


def _is_noun_of(name: str) -> Callable[[str], bool]:
    """Return what tells whether a noun of a list is there, in the singular or the plural."""
    return lambda word: not {word, word.removesuffix("s")}.isdisjoint(words(name))


def _names_thing(found: Candidates) -> Mask:
    """Tell whether a word up to the noun makes a thing of a faith: "Christian music fans"."""
    is_thing = vocabulary().listed("heads_of_genres", lambda: words("heads_of_genres"))
    held = np.zeros(len(found.places), np.bool_)
    place, nouns = found.at(LAST) + 1, found.at(_NOUN)
    for _ in range(REACH):
        is_inside = (nouns != found.nowhere) & (place <= nouns)
        held |= is_inside & is_thing[found.words.number[np.where(is_inside, place, 0)]]
        place = place + 1
    return held


vocabulary().expect(lambda: words("heads_of_genres"))
_IS_NEXT = Condition(lambda found: found.at(_NOUN) == found.at(LAST) + 1)
# "old friend", and the teacher of French
IS_INAPT = (
    (LAST.among("genres") & Condition(_names_thing, is_costly=True))
    | (LAST.among("long_known") & _NOUN.that(_is_noun_of("known_for_long")))
    | (LAST.among("languages") & _IS_NEXT & _NOUN.that(_is_noun_of("language_nouns")))
    | (
        LAST.among("cheerful")
        & BEFORE.is_word("the")
        & _AFTER.that(is_first_name)
        & _AFTER.is_title
    )
    | (LAST.among("cheerful") & ~_NOUN.among("company_of_today") & IS_UNTOLD)
    | (LAST.among("upright") & ~people(_AFTER) & ~_NOUN.ends_with("s", "men", "people") & IS_UNTOLD)
    | IS_MOOD
)


# Where someone's forebears are from: "of Asian descent".
def _origin(distance: int = 1) -> Condition:
    place = LAST + distance
    goes_on = conjunction(place) | people(place)
    rest = _origin(distance + 1) if distance < _REACH_OF_ORIGIN else NEVER
    return choose(goes_on, rest, place.among("origins"))


@cache
def _said_from(distance: int) -> Condition:
    """Walk back over words and look for "of" or "from"."""
    place = HERE - distance
    at_of = (
        ~place.is_first
        & place.is_word("of", "from")
        & choose(
            (place - 1).among("linking_verbs"),
            subject_is_person(place),
            names_person(place - 1),
        )
    )
    if distance > _REACH_OF_ORIGIN:
        return at_of
    skips = ~place.is_first & (conjunction(place) | modifier(place))
    return (place.is_there & choose(skips, _said_from(distance + 1), at_of.costly)).costly


_SAYS_ORIGIN = (_origin() & _said_from(1)).costly


# A noun without another noun: "an Asian", "the elderly".
def _determiner_place(found: Candidates) -> Places:
    """Walk back over adjectives to what may be the determiner."""
    place = found.at(BEFORE).copy()
    space = found.words.signs.number(" ")
    limit = np.maximum(found.first, found.places - 4)
    goes = np.flatnonzero((place != found.nowhere) & (place > limit))
    while len(goes):
        here = place[goes]
        is_modifier = Candidates(found.words, here).holds(modifier(HERE))
        is_modifier &= found.words.sign[here + 1] == space
        goes = goes[is_modifier]
        place[goes] -= 1
        goes = goes[place[goes] > limit[goes]]
    return place


_DETERMINER = place_of(_determiner_place)
_IS_NEAR = _DETERMINER.is_there & (_DETERMINER + 1).sign_that(is_blank)
_IS_NOMINAL = LAST.among("nominal") | (people(LAST) & LAST.ends_with(*_NOMINAL_ENDINGS))
_OPENS_CLAUSE = (
    opens_sentence(_DETERMINER)
    | ~_DETERMINER.sign_that(is_blank)
    | conjunction(_DETERMINER - 1)
    | (_DETERMINER - 1).among("question_openers")
)
_ENDS = ends_phrase(LAST)
_NAMES_GROUP = (
    ~((_DETERMINER.among("possessors") | _AFTER.is_word("of", "for")) & LAST.among("languages"))
    & _DETERMINER.among("plural_determiners")
    & ~(_AFTER.is_word("new") | (LAST + 2).is_word("new") | (LAST + 3).is_word("new"))
)
_IS_GROUP = (_ENDS | (_OPENS_CLAUSE & opens_predicate(_AFTER))) & _NAMES_GROUP
_IS_ADJECTIVE = LAST.among("never_nouns") | (LAST.ends_with("ic") & ~people(LAST))
_BEHIND_ANY = (
    (HERE - 2).is_word("a", "an")
    & (HERE - 1).sign(" ")
    & BEFORE.is_lower
    & ~function_word(BEFORE)
    & (people(LAST) | person_noun(LAST))
)
_IS_BEFORE = Condition(lambda found: found.at(_DETERMINER) == found.places - 1)
# "the Asian swing", but "an Asian put it"
_IS_BEFORE_NOUN = (
    _AFTER.sign(" ") & _AFTER.that(is_base) & ~_AFTER.among("after_subject", "after_noun")
)
_IS_SINGULAR = (
    _ENDS
    & ~_IS_BEFORE_NOUN
    & ~_IS_ADJECTIVE
    & ~LAST.ends_with("s")
    & ~(LAST.among("languages") & _DETERMINER.among("possessors"))
    & (_DETERMINER.among("determiners_of_one") | (_IS_BEFORE & _BEHIND_ANY))
)

SAID_OF_THING = (
    _AFTER.is_there
    & _AFTER.sign(" ")
    & _AFTER.is_lower
    & ~_AFTER.ends_with("ly")
    & ~LAST.ends_with("s")
    & ~LAST.among("also_of_things")
    & ~_BELONGS_TO_WORD
    & ~function_word(_AFTER)
    & ~(LAST.among("languages") & _AFTER.that(_is_noun_of("language_nouns")))
    & ~_AFTER.is_word("dialect", "grammar", "language", "languages", "speaking")
    & ~_ENDS
)
"""Whether a word for people is said of a thing behind it: "the Jewish faith"."""
_IS_COLOUR = LAST.among("also_of_things") & LAST.is_lower
MEANS_GROUP = (
    ~_IS_COLOUR
    | (_AFTER.sign("-") & person_noun(_AFTER))
    | (BEFORE.among("linking_verbs") & (HERE - 2).is_word("who"))
)
"""Whether a word that describes no people is about a group all the same, and is no colour."""


USED: tuple[Rule[str], ...] = (
    Rule("people.other_word", "", _BELONGS_TO_WORD, "a hyphen or an age joins it to another word"),
    Rule("people.name", "", _BELONGS_TO_NAME, "it is part of a name"),
    Rule("people.plural", "plural", _IS_PLURAL, "it is a plural for people"),
    Rule("people.before_noun", "adjective", (_HAS_NOUN & ~IS_INAPT).costly,
         "it describes a noun for people"),
    Rule("people.origin", "adjective", _SAYS_ORIGIN, "it says where someone's forebears are from"),
    Rule("people.said", "adjective", IS_SAID_OF_PERSON, "it is said of a person"),
    Rule("people.group", "plural", _IS_NEAR & _IS_NOMINAL & _IS_GROUP.costly,
         "a determiner stands before it, and no noun behind it"),
    Rule("people.singular", "singular", _IS_NEAR & _IS_SINGULAR.costly,
         "a singular determiner stands before it, and no noun behind it"),
    Rule("people.other", "", ALWAYS, "nothing says that it describes people"),
)  # fmt: skip

# "Tom was old" becomes "was a child", as nobody is teenage; but "old and sick", "looks old".
_VERB = BEFORE.where(~BEFORE.is_word("always", "not", "now", "once", "still", "t"), HERE - 2)
_IS_ALONE = ~_HAS_NOUN & ends_phrase(LAST) & ~conjunction(_AFTER)
_IS_NOUN = _IS_ALONE & (
    _VERB.is_word("am", "be", "became", "become", "been", "being", "hes", "im", "is", "isn", "m")
    | _VERB.is_word("s", "shes", "was", "wasn")
)
_ARE_NOUNS = _IS_ALONE & _VERB.is_word("are", "aren", "re", "theyre", "were", "weren")
_IS_YOU = (_VERB - 1).is_word("you") | (_VERB + 1).is_word("you")
_WERE_SEVERAL = HERE.any_before(5, "they", "these", "those", "we")
FINER = {
    "predicate": ("adjective", (_IS_NOUN & ~_WERE_SEVERAL) | (_ARE_NOUNS & _IS_YOU)),
    "predicate plural": ("adjective", (_ARE_NOUNS & ~_IS_YOU) | (_IS_NOUN & _WERE_SEVERAL)),
    "group": ("plural", ~LAST.ends_with("s")),
}
"""What a word is said of, or that it stands for a group, where its row tells that apart."""
