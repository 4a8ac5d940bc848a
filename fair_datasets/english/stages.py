"""Whether a word for a stage of life tells how old somebody is.

"The child" does, but "her two children" does not: a son or a daughter is a child at any age, a
phrase such as "women and children" means no one in particular, and "a much younger man" compares
two people. No other stage fits there.
"""

from functools import reduce
from operator import or_

import numpy as np

from fair_datasets.english.neighbours import (
    APOSTROPHES,
    BEFORE,
    HERE,
    IN_HEADLINE,
    LAST,
    OPENS_SENTENCE,
    is_blank,
    opens_sentence,
    place_of,
)
from fair_datasets.english.noun_phrases import counts, modifier, people
from fair_datasets.matching.conditions import ALWAYS, Candidates, Condition, Rule
from fair_datasets.matching.found import Reason
from fair_datasets.matching.words import Places

KIN, NAME, WHOLE = Reason.RELATIVE, Reason.NAME, Reason.COMPOUND
# How many words may lie between an owner and the children: "her two very young children".
_REACH = 4
_IS_INSIDE = ~HERE.among("has_children") & (
    modifier(HERE) | counts(HERE) | HERE.is_word("one") | HERE.among("kin_adjectives", "ordinals")
)
_IS_ARTICLE = HERE.is_word("a", "an", "any", "no", "some", "more", "many", "several", "another")


def _back(found: Candidates, inside: Condition, place: Places) -> Places:
    """Walk back over some words, within the phrase."""
    place = place.copy()
    blank = found.words.signs.those(is_blank)
    goes = np.flatnonzero(place != found.nowhere)
    for _ in range(_REACH):
        here = place[goes]
        held = (here > found.first[goes]) & blank[found.words.sign[here]]
        held &= Candidates(found.words, here).holds(inside)
        goes = goes[held]
        place[goes] -= 1
    return place


_OPENER = place_of(lambda found: _back(found, _IS_INSIDE, found.at(BEFORE)))
"""The word before the phrase: "her" in "her two children"."""
_HAVING = place_of(lambda found: _back(found, _IS_ARTICLE, found.at(_OPENER)))
_IS_NEAR = ~HERE.is_first & HERE.sign_that(is_blank)
_AFTER, _SECOND = LAST + 1, LAST + 2
_IS_CHILD = LAST.is_word("child", "children", "kid", "kids")
_IS_PLURAL = LAST.is_word("children", "kids")
_IS_CAPITAL = HERE.is_capital & ~HERE.is_upper & ~IN_HEADLINE
_IS_ENCLOSED = HERE.sign(" (") & _AFTER.sign_that(lambda sign: sign.startswith(")"))
_IS_NAMED = (
    ~OPENS_SENTENCE
    | _IS_ENCLOSED
    | (_AFTER.is_word("s") & _AFTER.sign(*APOSTROPHES) & _SECOND.is_capital)
)
_IS_GRADABLE = HERE.among("graded_ages")
_IS_GRADED = _IS_GRADABLE & BEFORE.among("degrees_of_age") & HERE.sign_that(is_blank)
_IS_COMPARED = HERE.is_word("younger", "older") & (
    _AFTER.is_word("than") | BEFORE.is_word("any", "even", "far", "much", "no", "years")
)
_ARE_BORNE = _OPENER.is_word("him", "them") & (_OPENER - 1).is_word("bear", "bore", "gave", "given")
_MADE = _AFTER.sign(" ") & _AFTER.among("made_for_children")
_IS_POSSESSIVE = _AFTER.is_word("s") & _AFTER.sign(*APOSTROPHES)
_THEIR_MADE = _IS_POSSESSIVE & (
    _SECOND.among("made_for_children")
    | (modifier(_SECOND) | _SECOND.is_word("picture")) & (_SECOND + 1).among("made_for_children")
)
_IS_WHICH = reduce(
    or_, [(HERE - d).among("kin_adjectives") & (HERE - d + 1).sign_that(is_blank) for d in (1, 2)]
)

STAGES: tuple[Rule[Reason | None], ...] = (
    Rule("stages.name", NAME, _IS_CAPITAL & _IS_NAMED, "its capital makes a name of it"),
    Rule("stages.hyphen", WHOLE,
         (_AFTER.is_there & _AFTER.sign("-")) | (~HERE.is_first & HERE.sign("-")),
         "a hyphen joins another word to it"),
    Rule("stages.degree", WHOLE, _IS_GRADED, "it is said to what degree"),
    Rule("stages.compared", WHOLE, _IS_COMPARED, "it compares two people"),
    Rule("stages.relative", WHOLE, _IS_GRADABLE & _AFTER.among("grandrelatives", "relatives"),
         "of a relative it says more than how old someone is"),
    Rule("stages.animal", WHOLE, _AFTER.sign(" ") & _AFTER.among("animals", "kinds_of_animals"),
         "an animal is meant"),
    Rule("stages.for_them", WHOLE,
         _IS_CHILD & ((_IS_PLURAL & _MADE) | _THEIR_MADE),
         "the thing behind it is made for them"),
    Rule("stages.no_child", None, ~_IS_CHILD, "nothing says that it tells no age"),
    Rule("kin.owner", KIN,
         _IS_NEAR & (_OPENER.among("owners_of_kin")
         | (_OPENER.is_word("s") & _OPENER.sign(*APOSTROPHES))),
         "it is said whose it is"),
    Rule("kin.family", KIN,
         _IS_PLURAL & HERE.sign(" ") & BEFORE.is_title & ~people(BEFORE) & ~opens_sentence(BEFORE),
         "it is said of which family they are"),
    Rule("kin.which", KIN, _IS_NEAR & _IS_WHICH & ~(_OPENER + 1).is_word("first", "second"),
         "it is said which of someone's it is"),
    Rule("kin.number", KIN,
         _IS_NEAR & _OPENER.is_word("of", "to") & (counts(BEFORE) | counts(HERE - 2)),
         "it is said of how many"),
    Rule("kin.having", KIN,
         _IS_NEAR
         & (_HAVING.among("has_children") | _OPENER.is_word("without") | _ARE_BORNE),
         "it is said that someone has some"),
    Rule("kin.with", KIN,
         _IS_NEAR & counts(_OPENER + 1) & _OPENER.is_word("with") & (_OPENER - 1).among("parents"),
         "it is said who has some"),
    Rule("kin.joined", KIN,
         (BEFORE.is_word("and", "or") & (HERE - 2).among("parents"))
         | (_OPENER.is_word("and", "or") & (_OPENER - 1).among("parents")),
         "it is joined to a word for a parent"),
    Rule("kin.women", KIN,
         BEFORE.is_word("and", "or") & (HERE - 2).is_word("women") & HERE.is_word("children"),
         'it belongs to "women and children"'),
    Rule("kin.everyone", KIN,
         BEFORE.is_word("and", "or") & (HERE - 2).is_word("woman") & (HERE - 3).is_word("man"),
         'it belongs to "man, woman, and child"'),
    Rule("kin.joined_behind", KIN,
         _AFTER.is_word("and", "or") & (_SECOND.among("parents") | _SECOND.is_word("grandchildren")
         | (_SECOND.among("owners_of_kin") & (_SECOND + 1).among("parents"))),
         "a word for a parent is joined to it"),
    Rule("kin.their_parents", KIN,
         (_AFTER.is_word("s") & _AFTER.sign(*APOSTROPHES) & _SECOND.among("parents"))
         | (_AFTER.sign("' ", "’ ") & LAST.ends_with("s") & _AFTER.among("parents")),
         "their parents are told of"),
    Rule("kin.with_whom", KIN,
         _AFTER.is_word("with", "by") & (_SECOND.among("owners_of_kin") & ~_SECOND.is_word("its")),
         "it is said with whom someone has them"),
    Rule("kin.listed", KIN, _IS_PLURAL & (_AFTER.is_word("together", "including", "survive",
         "survived", "grown")),
         "someone has them together, or they are listed"),
    Rule("kin.none", None, ALWAYS, "nothing says that it is somebody's"),
)  # fmt: skip
"""Why a word for a stage of life tells no age that could be another; None where it does."""
