"""Telling a term from the verb or the thing that is spelt like it, by its neighbours.

A word that is marked as often denoting a thing is of one of two sorts. "Count", "king" and the like
denote a person only where the neighbours speak for it; "man", "sister" and the like denote one
unless the neighbours speak against it: "sister company", "oh man", "Iron Man".
"""

from functools import reduce
from operator import or_

from fair_datasets.reader.english.neighbours import (
    BEFORE,
    HAS_DETERMINER,
    HERE,
    IS_POSSESSIVE,
    NEXT,
    OPENS_SENTENCE,
    WORD_BEFORE,
    WORD_BEHIND,
    opens_sentence,
)
from fair_datasets.reader.english.titles import IN_OTHER_NAME, IS_TITLE
from fair_datasets.reader.english.word_kinds import is_first_name
from fair_datasets.reader.matching.conditions import ALWAYS, Condition, Rule, says
from fair_datasets.reader.matching.places import IS_HYPHENATED, Place
from fair_datasets.reader.matching.tokens import ends_sentence

YES, NO = True, False

_BEHIND_END = NEXT.sign_that(lambda sign: sign[:1] in ",.!?…)\n")
_IS_LAST = ~NEXT.is_there | _BEHIND_END | (NEXT.is_there & NEXT.sign_that(ends_sentence))
_IS_LISTED = NEXT.among("persons_by_default") | NEXT.is_digits
_CALLS = (
    NEXT.sign_that(lambda sign: sign.startswith((",", "!")))
    & ~HERE.among("relatives")
    & ~_IS_LISTED
    & ~(HERE.sign_that(lambda sign: ":" in sign) & HERE.is_lower)
)
# "Yo girl!", but "a 20 yo girl"
_EXCLAIMED = (
    HERE.sign(" ", ", ", "... ")
    & BEFORE.among("before_exclamation")
    & ~(BEFORE.is_word("yo") & (HERE - 2).is_digits)
)
EXCLAIMED = (
    Rule("calls.opening", YES, OPENS_SENTENCE & _CALLS, "it opens a sentence as a call"),
    Rule("calls.interjection", YES, _EXCLAIMED & (~HERE.sign(", ") | _IS_LAST),
         "an interjection stands before it"),
    Rule("calls.behind_comma", YES,
         HERE.sign(", ") & _IS_LAST & ~BEFORE.among("persons_by_default")
         & ~(NEXT.is_there & NEXT.sign(", ") & NEXT.among("persons_by_default")),
         "it ends a sentence behind a comma"),
    Rule("calls.none", NO, ALWAYS, "nothing says that it is a call"),
)  # fmt: skip
"""Whether a word is a call that means nobody."""


SECOND = HERE + 2
_WINDOW = 12
_AROUND = range(-_WINDOW, _WINDOW)


def _ends_with_space(sign: str) -> bool:
    return sign.endswith(" ")


_FOLLOWS_ARTICLE = (
    ~HERE.is_first
    & HERE.sign_that(_ends_with_space)
    & ~HERE.is_capital
    & BEFORE.among("determiners")
    & ~BEFORE.is_word("that")
)

_HAS_OBJECT = WORD_BEHIND.among("determiners")
_ENDS_IN_S = HERE.ends_with("s") & WORD_BEFORE.among("before_third_person")

VERB = (
    Rule("verbs.form", YES, HERE.ends_with("ed", "ing"), "it ends as verbs do"),
    Rule("verbs.to_noun", NO,
         WORD_BEFORE.is_word("to") & (~WORD_BEHIND.is_there | WORD_BEHIND.among("after_noun")),
         'the word "to" stands before it, and no object behind it'),
    Rule("verbs.before_verb", YES, WORD_BEFORE.among("before_verb"),
         "a word that often precedes a verb stands before it"),
    Rule("verbs.third_person", YES, _ENDS_IN_S & (_HAS_OBJECT | ~WORD_BEFORE.is_word("and")),
         "a subject in the third person stands before it"),
    Rule("verbs.with_object", YES,
         _HAS_OBJECT & ~WORD_BEFORE.among("determiners") & (~HERE.is_capital | (OPENS_SENTENCE
         & ~HERE.among("relatives"))),
         "an object stands behind it"),
    Rule("verbs.noun", NO, ALWAYS, "nothing says that it is a verb"),
)  # fmt: skip

# Words that mostly denote a person.
_KINDS = ("relatives", "plugs", "youths", "ropes", "animals")


def _before_head(place: Place) -> Condition:
    """Tell whether a word makes a thing of the one before it: "sister company"."""
    heads = [f"heads_of_{kind}" for kind in _KINDS]
    pairs = [HERE.among(kind) & place.among(head) for kind, head in zip(_KINDS, heads, strict=True)]
    # Few words are the head of anything, which settles the matter for most.
    return place.among(*heads) & reduce(or_, pairs)


_MAY_BE_COMPOUND = NEXT.is_there & (_before_head(NEXT) | NEXT.is_word("one"))
_IS_EXCLAIMED = HERE.among("exclamations") & ~WORD_BEFORE.among("determiners") & says(EXCLAIMED)
_IS_PLUG = (
    WORD_BEHIND.is_word("one") & HERE.among("plugs") & HERE.any_around(_AROUND, of="heads_of_plugs")
)


# "Duke William of Normandy", "Duke Robert II", but "Duke Ellington"
_IS_RULER = (
    NEXT.sign(" ")
    & (
        (SECOND.is_word("of") & (HERE + 3).is_capital)
        | (SECOND.is_upper & SECOND.among("ordinals"))
    )
    & NEXT.that(is_first_name).costly
)


def _is_ordinal(word: str) -> bool:
    """Tell whether a word is an ordinal number in digits: the "9th" of "9th Earl Spencer"."""
    return word[:1].isdigit() and word.endswith(("st", "nd", "rd", "th"))


IN_NAME = (
    Rule("things.deity", YES, HERE.among("deities") & ~IS_TITLE, "it is a deity"),
    Rule("things.titled", NO, HERE.among("deities"), "it is a title before a name"),
    Rule("things.his_son", YES, HERE.among("divine") & WORD_BEFORE.is_word("his", "the"),
         "it is the Son, with a capital"),
    Rule("things.names_too", YES,
         HERE.among("names_too") & ~WORD_BEHIND.is_word("of") & ~_IS_RULER
         & ~(WORD_BEFORE.among("before_nobility") | BEFORE.that(_is_ordinal)),
         "it is a name as well, and no title here"),
    Rule("things.noble", NO, HERE.among("names_too"), "it is a title of nobility"),
    Rule("things.other_name", YES, IN_OTHER_NAME, "it is part of another name"),
    Rule("things.none", NO, ALWAYS, "it is not part of a name"),
)  # fmt: skip
_IS_IN_NAME = HERE.is_capital & says(IN_NAME)
_IS_THING = (
    (WORD_BEHIND.is_there & _before_head(WORD_BEHIND))
    | _IS_EXCLAIMED
    | _IS_IN_NAME
    | (~HERE.is_capital & _IS_PLUG)
)
_IS_PLAIN = (~HERE.among("exclamations") & ~HERE.is_capital) | _FOLLOWS_ARTICLE
_BY_DEFAULT = HERE.among("persons_by_default")

# Words that mostly denote a thing.
_IS_PIECE = HERE.among("pieces")
_SQUARES = [f"{file}{rank}" for file in "abcdefgh" for rank in range(1, 9)]
_IS_SUIT = NEXT.is_word("of") & SECOND.is_there & SECOND.among("suits")
_IN_CHESS = HERE.any_around(_AROUND, of="chess") | HERE.any_near(4, *_SQUARES)
_IN_GAME = _IS_PIECE & (_IS_SUIT | (~(NEXT.is_word("of") & SECOND.is_there) & _IN_CHESS))
_IS_GREETED = WORD_BEFORE.ends_with("ly") | WORD_BEFORE.is_word("again", "job", "luck", "work")
# "you guys"; "I miss Sergio man, he left"
_IS_ADDRESS = (
    HERE.among("plural_address")
    & (
        WORD_BEFORE.is_word("all", "me", "morning", "night", "u", "us", "ya", "yall", "you")
        | (WORD_BEFORE.among("interjections", "before_exclamation") & opens_sentence(BEFORE))
        | (_IS_LAST & ~HAS_DETERMINER & (OPENS_SENTENCE | _IS_GREETED))
    )
) | (
    HERE.is_word("bro", "man")
    & HERE.is_lower
    & HERE.sign(" ")
    & BEFORE.is_title
    & (~NEXT.is_there | NEXT.sign(", "))
    & BEFORE.that(is_first_name).costly
)
# "Prince's songs", "Prince sings", but "crowned King in 1936"
_IS_NAME = (
    HERE.is_word("duke", "king", "lady", "prince", "princess", "queen")
    & HERE.is_title
    & ~HAS_DETERMINER
    & ~(BEFORE.is_capital | BEFORE.among("before_role", "linking_verbs", "prepositions"))
    & ~WORD_BEFORE.is_word("and", "as", "became", "become", "crowned", "made", "named", "or")
    & (IS_POSSESSIVE | (NEXT.sign(" ") & NEXT.among("after_subject") & NEXT.is_lower))
)

PERSON = (
    Rule("persons.address", NO, _IS_ADDRESS, "it addresses somebody, whoever that is"),
    Rule("persons.abbreviation", NO,
         HERE.among("abbreviations")
         & ((~HERE.is_first & BEFORE.is_digits) | (NEXT.sign(". ") & NEXT.is_digits)),
         "a number stands beside it, as with the abbreviation"),
    Rule("persons.by_default", YES, _BY_DEFAULT & ((_IS_PLAIN & ~_MAY_BE_COMPOUND) | ~_IS_THING),
         "nothing speaks against a person"),
    Rule("persons.call", NO, _BY_DEFAULT & _IS_EXCLAIMED, asks=EXCLAIMED),
    Rule("persons.in_name", NO, _BY_DEFAULT & _IS_IN_NAME, asks=IN_NAME),
    Rule("persons.thing", NO, _BY_DEFAULT, "the word behind it makes a thing of it"),
    Rule("persons.hyphenated", NO, IS_HYPHENATED, "a hyphen joins it to another word"),
    Rule("persons.game", NO, _IN_GAME, "it is a piece or a card of a game"),
    Rule("persons.name", NO, _IS_NAME, "without a determiner, it is a name, or in a band's name"),
)  # fmt: skip
"""Whether a word that often denotes a thing ("king") denotes a person; of others the tag tells."""
