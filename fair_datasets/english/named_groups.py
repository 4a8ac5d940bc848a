"""Groups, buildings and books that bear names: "Trinity Church", "Silver Jews"."""

from fair_datasets.english.neighbours import BEFORE, HERE, LAST, OPENS_SENTENCE, opens_sentence
from fair_datasets.english.noun_phrases import modifier, people
from fair_datasets.english.titles import BEHIND_CAPITAL, IN_OTHER_NAME
from fair_datasets.matching.conditions import Condition

IS_NAMED = IN_OTHER_NAME | (
    HERE.is_capital
    & ~HERE.is_upper
    & (((LAST + 1).is_capital & (LAST + 1).sign(" ")) | (BEHIND_CAPITAL & ~opens_sentence(BEFORE)))
)
"""Whether a building, a book or a cleric bears a name: "Trinity Church", "Rabbi Hillel"."""
_SECOND = LAST + 2
_IS_ONE_WORD = Condition(lambda found: found.at(LAST) == found.places)
IS_NAMED_GROUP = (
    IN_OTHER_NAME & _IS_ONE_WORD & ~people(BEFORE) & ~people(LAST + 1) & ~modifier(BEFORE)
) | (
    HERE.is_capital
    & (LAST + 1).is_word("and")
    & ~people(_SECOND)
    & (_SECOND.is_title | (_SECOND.is_word("the") & (LAST + 3).is_title))
    & ~OPENS_SENTENCE
)
"""Whether a group or a faith is part of a title or a band: "Silver Jews"."""
