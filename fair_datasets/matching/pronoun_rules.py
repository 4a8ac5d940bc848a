"""Telling the cases of "her" and "his" apart.

"her" is an object ("saw her", like him) or a determiner ("her book", like his); "his" is a
determiner ("his book", like her) or a possessive pronoun ("it is his", like hers).
"""

import numpy as np

from fair_datasets.matching.classifier.columns import model
from fair_datasets.matching.rules import ALWAYS, BEFORE, HERE, NEXT, Candidates, Condition, Rule
from fair_datasets.matching.words import Mask

_DETERMINERS = ("his", "her", "their", "my", "your", "our")
_SECOND, _THIRD = HERE + 2, HERE + 3
_IS_OTHER, _IS_SECOND_OTHER = (
    place.is_word(*_DETERMINERS)
    & Condition(
        lambda found, place=place: found.words.number[found.at(place)]
        != found.words.number[found.places]
    )
    for place in (NEXT, _SECOND)
)
# "his or her name", "her/his name"; "her and his son", but not "hit her and her son".
_IS_SLASHED = _SECOND.is_there & NEXT.sign("/") & _IS_OTHER
_IS_JOINED = (
    _THIRD.is_there
    & NEXT.is_word("or", "and")
    & NEXT.sign(" ")
    & _SECOND.sign(" ")
    & _IS_SECOND_OTHER
)
LAST_OF_PAIR = NEXT.where(_IS_SLASHED, _SECOND.where(_IS_JOINED, HERE))
"""The second determiner of a pair, or the word itself."""


def _model_says(question: str) -> Condition:
    def test(found: Candidates) -> Mask:
        asked = Candidates(found.words, found.at(LAST_OF_PAIR))
        held: Mask = model().decide(question, asked) > 0
        return held

    return Condition(test)


_BEHIND_LIST = HERE.sign("/") & ~HERE.is_first
_MINE = ("hers", "mine", "ours", "theirs", "yours")

HER = (
    Rule("her.in_list", False, _BEHIND_LIST & BEFORE.is_word("she")),  # "she/her"
    Rule("model.her", True, _model_says("her")),
    Rule("model.her", False, ALWAYS),
)
HIS = (
    Rule("his.in_list", True, _BEHIND_LIST & BEFORE.is_word("him")),  # "he/him/his"
    Rule("his.or_mine", True, NEXT.is_word("and", "nor", "or") & _SECOND.is_word(*_MINE)),
    Rule("his.ends", True, ~(LAST_OF_PAIR + 1).is_there),
    Rule("model.his", True, _model_says("his")),
    Rule("model.his", False, ALWAYS),
)
