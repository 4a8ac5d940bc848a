"""Telling the cases of "her" and "his" apart.

"her" is an object ("saw her", like him) or a determiner ("her book", like his); "his" is a
determiner ("his book", like her) or a possessive pronoun ("it is his", like hers).
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from fair_datasets.reader.english.classifier.decide import decide
from fair_datasets.reader.english.neighbours import (
    APOSTROPHES,
    BEFORE,
    HERE,
    IN_HEADLINE,
    NEXT,
    OPENS_SENTENCE,
)
from fair_datasets.reader.english.verbs import auxiliaries, verbs
from fair_datasets.reader.matching.conditions import ALWAYS, Candidates, Condition, Rule
from fair_datasets.reader.matching.places import Place
from fair_datasets.reader.matching.tokens import Tokens
from fair_datasets.reader.matching.words import Words

# The log odds from which on the classifier is sure of a case, which is then 2.7 times as likely.
_SURE = 1.0
_SECOND, _THIRD = HERE + 2, HERE + 3


def _other(place: Place) -> Condition:
    """Tell whether a word is another possessive determiner."""
    is_other = Condition(
        lambda found: found.words.number[found.at(place)] != found.words.number[found.places]
    )
    return place.among("possessive_determiners") & is_other


# "his or her name", "her/his name"; "her and his son", but not "hit her and her son".
_IS_SLASHED = _SECOND.is_there & NEXT.sign("/") & _other(NEXT)
_IS_JOINED = (
    _THIRD.is_there
    & NEXT.is_word("or", "and")
    & NEXT.sign(" ")
    & _SECOND.sign(" ")
    & _other(_SECOND)
)
_LAST_OF_PAIR = NEXT.where(_IS_SLASHED, _SECOND.where(_IS_JOINED, HERE))


def _model(question: str, verdicts: tuple[str, str], reason: str) -> Sequence[Rule[str]]:
    """Ask the model about the last of a pair, or the word itself: yes above 0, no below."""

    def log_odds(found: Candidates) -> NDArray[np.float64]:
        return decide(question, Candidates(found.words, found.at(_LAST_OF_PAIR)))

    is_yes = Condition(lambda found: log_odds(found) > 0, is_costly=True)
    name = f"model.{question}"
    return [
        Rule(name, verdict, condition, reason, log_odds=log_odds)
        for verdict, condition in zip(verdicts, (is_yes, ALWAYS), strict=True)
    ]


_IN_LIST = HERE.sign("/") & ~HERE.is_first


# "call on her tomorrow", but "on her tomorrow's list"
_IS_TIME = (
    NEXT.is_word("tomorrow", "tonight", "today", "yesterday")
    & NEXT.sign(" ")
    & ~(_SECOND.is_word("s") & _SECOND.sign(*APOSTROPHES))
)


def _is_third_person(word: str) -> bool:
    """Tell whether a word is the third person of a verb, and no plural of a noun."""
    verb = verbs().get(word)
    return verb is not None and not verb.is_plural_noun


def _may_be_third_person(word: str) -> bool:
    return word in verbs() or word in auxiliaries()


def _may_be_plural(word: str) -> bool:
    verb = verbs().get(word)
    return verb is not None and verb.is_plural_noun


# "his never rings", "his leaves early", "his made me laugh", but "his leaves fell"
_IS_SUBJECT = (NEXT.sign(" ") & NEXT.is_lower & ~_SECOND.sign("-")) & (
    (NEXT.that(_is_third_person) & ~BEFORE.among("prepositions"))
    | NEXT.among("behind_his")
    | (NEXT.among("adverbs_of_time") & _SECOND.sign(" ") & _SECOND.that(_may_be_third_person))
    | (NEXT.that(_may_be_plural) & _SECOND.sign(" ") & _SECOND.among("behind_bare_verb"))
    | (NEXT.is_word("gave", "made", "took") & _SECOND.among("object_pronouns"))
)
HER = (
    # "she/her"
    Rule("her.in_list", "object", _IN_LIST & BEFORE.is_word("she"), 'it stands behind "she/"'),
    Rule("her.time", "object", _IS_TIME, "a word for a time stands behind it"),
    *_model("her", ("determiner", "object"), 'its context: above 0 as "his", below 0 as "him"'),
)
"""Whether "her" stands before a noun phrase (his) or is an object (him)."""
HIS = (
    # "he/him/his"
    Rule("his.in_list", "possessive", _IN_LIST & BEFORE.is_word("him"), 'it stands behind "him/"'),
    Rule(
        "his.or_mine",
        "possessive",
        NEXT.is_word("and", "nor", "or") & _SECOND.among("possessive_pronouns"),
        "another possessive pronoun is joined to it",
    ),
    Rule(
        "his.clause",
        "possessive",
        NEXT.is_word("that", "which", "who") & NEXT.sign(" "),
        "a relative clause stands behind it",
    ),
    Rule("his.ends", "possessive", ~(_LAST_OF_PAIR + 1).is_there, "it ends the text"),
    Rule("his.subject", "possessive", _IS_SUBJECT, "its verb stands behind it"),
    *_model(
        "his", ("possessive", "determiner"), 'its context: above 0 as "hers", below 0 as "her"'
    ),
)
"""Whether "his" stands alone (hers) or before a noun phrase (her)."""
# "what He wills", but "HE" and, at the start of a sentence, "He"
_IS_GODLY = ~OPENS_SENTENCE & ~IN_HEADLINE & HERE.any_near(40, of="godly")
OF_DEITY = (
    HERE.is_capital & HERE.sign(" ") & BEFORE.is_lower & (HERE.is_title & _IS_GODLY).costly
) | (HERE.is_word("himself") & BEFORE.is_word("allah", "christ", "god", "jehovah", "jesus"))
"""Whether a pronoun is about God."""


def case_is_open(tokens: Tokens, index: int) -> bool:
    """Tell whether a "her" or "his" may be either of its cases, for all that its neighbours say.

    Returns:
        True for the "her" of "much of her treating", False for that of "saw her", and for all other
        words.

    Example:
        >>> from fair_datasets.reader.matching.tokens import tokenize
        >>> case_is_open(tokenize("I saw her."), 2)
        False
        >>> case_is_open(tokenize("She dedicated much of her treating and advising to them."), 4)
        True
    """
    word = tokens.lower[index]
    if word not in ("her", "his"):
        return False
    found = Candidates(Words([tokens.text]), np.array([index]))
    last = found.at(_LAST_OF_PAIR)
    if int(last[0]) + 1 == len(tokens.lower):
        return False
    return abs(float(decide(word, Candidates(found.words, last))[0])) < _SURE
