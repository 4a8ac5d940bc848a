"""Whether a demographic word ("white", "old", "Asian") describes people, and how.

Whether it does, a reader tells, which needs to be less sure beside a person and surer beside a
thing. Rules tell names and idioms, and whether it stands for one, for a group or beside a noun.
"""

from collections.abc import Callable

from fair_datasets.reader.english.lists import words
from fair_datasets.reader.english.neighbours import (
    BEFORE,
    HERE,
    LAST,
    is_blank,
    is_first_name,
    is_people,
    stands_in_headline,
)
from fair_datasets.reader.english.noun_phrases import (
    conjunction,
    counts,
    ends_phrase,
    function_word,
    modifier,
    noun_behind,
    people,
    person_noun,
)
from fair_datasets.reader.english.verbs import is_base
from fair_datasets.reader.matching.conditions import ALWAYS, Condition, Rule
from fair_datasets.reader.matching.places import Place

_POSSESSORS = ("her", "his", "its", "my", "our", "some", "their", "your")
_ALSO_OF_THINGS = ("black", "brown", "old", "straight", "white", "young")
_OF_THINGS = LAST.is_word(*_ALSO_OF_THINGS)
_AFTER = LAST + 1
_NOMINAL_ENDINGS = ("ch", "ese", "sh")
# A hyphen joins the term to a word of another kind.
_BELONGS_TO_WORD = (~HERE.is_first & HERE.sign("-") & ~people(BEFORE)) | (
    _AFTER.is_there & (_AFTER.sign("-") | _AFTER.is_word("speaking")) & ~people(_AFTER)
)


def _is_noun_of(name: str) -> Callable[[str], bool]:
    """Return what tells whether a noun of a list is there, in the singular or the plural."""
    return lambda word: not {word, word.removesuffix("s")}.isdisjoint(words(name))


# "old friend", and the teacher of French
_OF_LANGUAGE = LAST.among("languages") & _AFTER.that(_is_noun_of("language_nouns"))
_IS_INAPT = _AFTER.sign(" ") & (
    _OF_LANGUAGE | (LAST.is_word("old") & _AFTER.that(_is_noun_of("known_for_long")))
)


# A capitalised term is part of a name: "Jack Black", "the White House".
_SHOUTED = LAST.is_capitals
_IS_LIKE_NAME = ~function_word(BEFORE) & ~modifier(BEFORE) & ~counts(BEFORE)
_BEHIND_NAME = (
    ~HERE.is_first
    & HERE.sign(" ", ". ", " & ")
    & (BEFORE.among("titles") | (BEFORE.is_capital & ~HERE.sign(". ") & _IS_LIKE_NAME & ~_SHOUTED))
)
_IS_NO_NAME = (
    (_AFTER.that(is_first_name) & _AFTER.is_title & ~(HERE.is_word("christian") & HERE.is_first))
    | _AFTER.among("titles")
    | (~_OF_THINGS & _AFTER.among("offices"))
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


def _is_double_plural(word: str) -> bool:
    return is_people(word + "s")


_IS_PLURAL = LAST.ends_with("men", "women", "folk", "people") | (
    LAST.ends_with("s") & ~LAST.ends_with("ous", "ss", "us") & ~LAST.that(_is_double_plural)
)


_BEFORE_PERSON = noun_behind(LAST).is_there
_IS_SUBJECT_PERSON = (
    HERE.sign(" ")
    & BEFORE.sign(" ")
    & BEFORE.among("linking_verbs")
    & ((HERE - 2).among("personal_subjects") | person_noun(HERE - 2))
)


# A noun without another noun: "an Asian", "the elderly".
def _determiner(place: Place, reach: int = 3) -> Place:
    """Walk back over adjectives to what may be the determiner."""
    if not reach:
        return place
    is_modifier = modifier(place) & (place + 1).sign(" ")
    return _determiner(place - 1, reach - 1).where(is_modifier, place)


_DETERMINER = _determiner(BEFORE)
_IS_NEAR = _DETERMINER.is_there & (_DETERMINER + 1).sign_that(is_blank)
_IS_NOMINAL = LAST.is_word(
    "aged", "elderly", "inuit", "iroquois", "middle-aged", "old", "sioux", "swiss", "young"
) | (people(LAST) & LAST.ends_with(*_NOMINAL_ENDINGS))
_ENDS = ends_phrase(LAST)
_NAMES_GROUP = (
    ~((_DETERMINER.is_word(*_POSSESSORS) | _AFTER.is_word("of", "for")) & LAST.among("languages"))
    & _DETERMINER.among("plural_determiners")
    & ~(_AFTER.is_word("new") | (LAST + 2).is_word("new") | (LAST + 3).is_word("new"))
)
_IS_GROUP = _NAMES_GROUP & ~_BEFORE_PERSON
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
    & ~(LAST.among("languages") & _DETERMINER.is_word(*_POSSESSORS))
    & (_DETERMINER.among("determiners_of_one") | (_IS_BEFORE & _BEHIND_ANY))
)

SAID_OF_THING = (
    _AFTER.is_there
    & _AFTER.sign(" ")
    & _AFTER.is_lower
    & ~_AFTER.ends_with("ly")
    & ~LAST.ends_with("s")
    & ~_OF_THINGS
    & ~_BELONGS_TO_WORD
    & ~function_word(_AFTER)
    & ~_OF_LANGUAGE
    & ~_AFTER.is_word("dialect", "grammar", "language", "languages", "speaking")
    & ~_ENDS
)
"""Whether a word for people is said of a thing behind it: "the Jewish faith"."""
_IS_COLOUR = _OF_THINGS & LAST.is_lower
MEANS_GROUP = (
    ~_IS_COLOUR
    | (_AFTER.sign("-") & person_noun(_AFTER))
    | (BEFORE.among("linking_verbs") & (HERE - 2).is_word("who"))
)
"""Whether a word that describes no people is about a group all the same, and is no colour."""


USED: tuple[Rule[str], ...] = (
    Rule("people.other_word", "", _BELONGS_TO_WORD, "a hyphen or an age joins it to another word"),
    Rule("people.name", "", _BELONGS_TO_NAME, "it is part of a name"),
    Rule("people.inapt", "", _IS_INAPT, "it says of its noun what is no trait"),
    Rule("people.plural", "plural", _IS_PLURAL, "it is a plural for people"),
    Rule("people.group", "plural", _IS_NEAR & _IS_NOMINAL & _IS_GROUP,
         "a determiner stands before it, and no noun behind it"),
    Rule("people.singular", "singular", _IS_NEAR & _IS_SINGULAR.costly,
         "a singular determiner stands before it, and no noun behind it"),
    Rule("people.adjective", "adjective", ALWAYS, "it describes people"),
)  # fmt: skip
"""How a word is said of people."""
DOUBTS = ((_BEFORE_PERSON | _IS_SUBJECT_PERSON, 0.1), (SAID_OF_THING, 0.8))
"""How likely a word has to be of people where a person stands beside it, and where a thing does."""

# "Tom was old" becomes "was a child", as nobody is teenage; but "old and sick", "looks old".
_VERB = BEFORE.where(~BEFORE.is_word("always", "not", "now", "once", "still", "t"), HERE - 2)
_IS_ALONE = ~_BEFORE_PERSON & ends_phrase(LAST) & ~conjunction(_AFTER)
_IS_PREDICATE = _IS_ALONE & (
    _VERB.is_word("am", "be", "became", "become", "been", "being", "hes", "im", "is", "isn", "m")
    | _VERB.is_word("s", "shes", "was", "wasn")
)
_ARE_PREDICATES = _IS_ALONE & _VERB.is_word("are", "aren", "re", "theyre", "were", "weren")
_IS_YOU = (_VERB - 1).is_word("you") | (_VERB + 1).is_word("you")
_WERE_SEVERAL = HERE.any_before(5, "they", "these", "those", "we")
FINER = {
    "predicate": ("adjective", (_IS_PREDICATE & ~_WERE_SEVERAL) | (_ARE_PREDICATES & _IS_YOU)),
    "predicate plural": (
        "adjective",
        (_ARE_PREDICATES & ~_IS_YOU) | (_IS_PREDICATE & _WERE_SEVERAL),
    ),
    "group": ("plural", ~LAST.ends_with("s")),
}
"""What a word is said of, or that it stands for a group, where its row tells that apart."""
