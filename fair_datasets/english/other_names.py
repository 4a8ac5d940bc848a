"""Words that are a part of a title, a band or a company: "Iron Man", "Men in Black"."""

from fair_datasets.english.neighbours import IN_HEADLINE, JOINED, OPENS_SENTENCE, opens_sentence
from fair_datasets.english.noun_phrases import modifier, people
from fair_datasets.english.places import BEFORE, HERE, LAST, NEXT
from fair_datasets.matching.conditions import Condition, Place

# An institution is named after those it is for: "the Women's World Cup".
_IS_FOR_THEM = NEXT.sign_that(lambda sign: sign.startswith(("'", "’"))) | (
    NEXT.sign(" ") & NEXT.among("after_gendered_name")
)

# "Scissor Sisters sang", but "Young Girls sang".
_BEHIND_CAPITAL = JOINED & ~HERE.is_first & BEFORE.is_capital
_ENDS_NAME = (
    _BEHIND_CAPITAL
    & ~(BEFORE.is_letter | BEFORE.among("before_surname", "nobility"))  # "Queen Mother"
    & ~(BEFORE.ends_with("an", "ish", "ese") | _IS_FOR_THEM)  # "Sydney Girls High School"
    & (~opens_sentence(BEFORE) | ~BEFORE.among("common_words", "surname_words", "after_object"))
)
# "Sanford and Son"
_IS_PARTNER = (
    ~_BEHIND_CAPITAL & BEFORE.is_word("and") & (HERE - 2).is_capital & HERE.among("partners")
)

_IS_BEFORE_WORD = NEXT.is_there & NEXT.sign(" ")
_IS_BEFORE_OTHER = NEXT.is_capital & NEXT.among("after_other_name")
_OPENS_CAPITALS = NEXT.is_capital & NEXT.longer(1) & ~NEXT.among("pronouns")
_OPENS_TITLE = (
    ~NEXT.is_capital
    & ~(OPENS_SENTENCE | BEFORE.is_word("for"))  # "Sherborne School for Girls in Dorset"
    & NEXT.among("inside_titles")
)


def _large(place: Place) -> Condition:
    """Tell whether a capitalised word stands at a place, which is no month or season."""
    return ~place.among("spans_of_time") & place.is_capital & place.sign(" ")


_HAS_LARGE = _large(HERE + 2) | _large(HERE + 3)
_BEGINS_NAME = _IS_BEFORE_WORD & (
    (_IS_BEFORE_OTHER & ~_IS_FOR_THEM)  # "Duke Road"
    | (
        ~_IS_BEFORE_OTHER
        & ~(HERE.among("before_name") | _IS_FOR_THEM)
        & (_OPENS_CAPITALS | (_OPENS_TITLE & _HAS_LARGE))
    )
)

IN_OTHER_NAME = (
    HERE.is_capital & ~HERE.is_upper & ~IN_HEADLINE & (_ENDS_NAME | _IS_PARTNER | _BEGINS_NAME)
)
"""Whether a word is part of a title, a band or a company: "Iron Man", "Men in Black"."""
IS_NAMED = IN_OTHER_NAME | (
    HERE.is_capital
    & ~HERE.is_upper
    & (((LAST + 1).is_capital & (LAST + 1).sign(" ")) | (_BEHIND_CAPITAL & ~opens_sentence(BEFORE)))
)
"""Whether a building, a book or a cleric bears a name: "Trinity Church", "Rabbi Hillel"."""
_SECOND = LAST + 2
IS_NAMED_GROUP = (IN_OTHER_NAME & ~people(BEFORE) & ~people(LAST + 1) & ~modifier(BEFORE)) | (
    HERE.is_capital
    & (LAST + 1).is_word("and")
    & ~people(_SECOND)
    & (_SECOND.is_title | (_SECOND.is_word("the") & (LAST + 3).is_title))
    & ~OPENS_SENTENCE
)
"""Whether a group or a faith is part of a title or a band: "Silver Jews"."""
