"""Telling the readings of "her" and "his" apart by their neighbours.

"her" is an object ("saw her", like him) or a determiner ("her book", like his); "his" is a
determiner ("his book", like her) or a possessive pronoun ("it is his", like hers).
"""

import re

from fair_datasets.matching.tokens import Tokens

# Words that follow an object pronoun far more often than a determiner. Found by counting what
# follows "him" and "his", which the spelling tells apart, in 36 public-domain novels.
_AFTER_OBJECT = frozenset(
    """
    a about above across after again against ago ahead all along alone already alright also although
    always am among an and another any anymore anyone anything anyway apart are around as aside at
    away be because been before behind being below beneath beside besides between beyond both but by
    can cause could daily despite did directly do does doing down during each either else enough
    even ever every everything everywhere except for forever from gently get go had has have he hence
    her here hers herself him his how however i if immediately in inside instead into is it its
    itself just know later lately let like make may maybe me might mine more must my myself near
    nearly neither never no nobody nor not nothing now of off often on once one or otherwise our out
    outside over perhaps please pretty properly quickly quietly quite rather really say see seem
    shall she should simply since so some somehow someone something sometimes somewhere soon still
    straight such suddenly take than that the their them then there these they think this those
    though through throughout till to today together tomorrow tonight too toward towards twice under
    unless until up upon upstairs us very was we well were what whatever when whenever where whether
    which while who whole whom whose why will with within without would yes yesterday yet you your
    """.split()
)
# Words of that list that follow a determiner as well, if a noun comes after them: "her very own".
_MAY_MODIFY = frozenset({"very", "then", "whole", "every", "near", "pretty", "once", "ever"})
_JOINED = re.compile(r"\s+[\"“'‘(*_]?|-")
_QUOTE_ONLY = re.compile(r"\s+[\"“'‘(*_]")


def her_is_determiner(tokens: Tokens, index: int) -> bool:
    """Tell whether "her" stands before a noun phrase (his) and is no object (him).

    Args:
        tokens: The text.
        index: Which word is "her".

    Returns:
        True for "her book", False for "saw her".

    Example:
        >>> from fair_datasets.matching.tokens import tokenize
        >>> her_is_determiner(tokenize("I saw her book"), 2), her_is_determiner(tokenize("saw her"), 1)
        (True, False)
    """
    if index + 1 >= len(tokens.words) or not _JOINED.fullmatch(tokens.gaps[index + 1]):
        return False
    follower = tokens.lower[index + 1]
    if follower in _MAY_MODIFY and index + 2 < len(tokens.words):
        beyond = tokens.lower[index + 2]
        return tokens.gaps[index + 2].isspace() and beyond not in _AFTER_OBJECT
    return follower not in _AFTER_OBJECT


def his_is_possessive(tokens: Tokens, index: int) -> bool:
    """Tell whether "his" stands alone (hers) and is no determiner (her).

    Args:
        tokens: The text.
        index: Which word is "his".

    Returns:
        True for "a friend of his", False for "his friend".

    Example:
        >>> from fair_datasets.matching.tokens import tokenize
        >>> his_is_possessive(tokenize("It is his."), 2), his_is_possessive(tokenize("his own"), 0)
        (True, False)
    """
    if index + 1 >= len(tokens.words) or not _JOINED.fullmatch(tokens.gaps[index + 1]):
        return not (index == 0 and len(tokens.words) > 1)
    follower = tokens.lower[index + 1]
    if follower in _MAY_MODIFY or _QUOTE_ONLY.fullmatch(tokens.gaps[index + 1]):
        return False
    return follower in _AFTER_OBJECT and follower not in {"all", "one", "well", "like", "still"}
