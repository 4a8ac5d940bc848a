"""Titles before names, titles of works in quotes, and words in other names ("Iron Man")."""

import numpy as np

from fair_datasets.reader.english.neighbours import (
    BEFORE,
    HAS_DETERMINER,
    HERE,
    IN_HEADLINE,
    JOINED,
    LAST,
    NEXT,
    OPENS_SENTENCE,
    WORD_BEFORE,
    WORD_BEHIND,
    everyday,
    opens_sentence,
)
from fair_datasets.reader.english.noun_phrases import modifier, people
from fair_datasets.reader.matching.conditions import ALWAYS, Candidates, Condition, Rule, says
from fair_datasets.reader.matching.places import Place
from fair_datasets.reader.matching.vocabulary import vocabulary
from fair_datasets.reader.matching.words import Mask, Places, Words

_IS_NOBLE = HERE.is_capital & HERE.among("nobility")
_SECOND, _THIRD = HERE + 2, HERE + 3
# "Lady de Vere", "Count van der Berg"
_BEFORE_PARTICLE = NEXT.among("particles") & (
    (_SECOND.is_capital & _SECOND.sign(" ", "'", "’"))
    | (_SECOND.among("particles") & _SECOND.sign(" ") & _THIRD.is_capital & _THIRD.sign(" "))
)
_BEFORE_NAME = (
    HERE.is_capital
    & NEXT.is_there
    & NEXT.sign(" ", ". ")
    & (NEXT.is_capital | _BEFORE_PARTICLE)
    # "MISS YOU", "MS Society", but "MS. CHEN"
    & (~HERE.is_capitals | (NEXT.is_capitals & NEXT.sign(". ")))
    # "King Street" is no king, and "I Miss You" a headline.
    & ~NEXT.among("after_other_name", "after_object", "determiners")
)
TITLE = (
    Rule("titles.ordinal", True, _IS_NOBLE & WORD_BEFORE.among("ordinals"),
         "an ordinal number stands before it"),
    Rule("titles.before_name", True, _BEFORE_NAME, "a capitalised word stands behind it"),
    Rule("titles.none", False, ALWAYS, "no capitalised word stands behind it that may be a name"),
)  # fmt: skip
"""Whether a capitalised word is a title before a name."""
IS_ROYAL = (
    HERE.is_capital
    & HERE.among("royal_titles")
    & (
        NEXT.sign(" ")
        & NEXT.is_title
        & NEXT.longer(2)
        & ~everyday(NEXT)
        & ~NEXT.among("after_other_name", "names_too", "before_surname")
        & ~IN_HEADLINE
        & ~HERE.is_upper
    ).costly
)
"""Whether a royal title stands before a first name, listed or not, that it goes with."""
IS_TITLE = says(TITLE)


# LaTeX's and Wikipedia's quotes of two signs among them.
_OPEN = ('"', "“", "”", "„", "«", "``", "''", " '", " ‘")
_CLOSE = ('"', "”", "“", "»", "''", "' ", "',", "'.", "';", "’ ", "’,", "’.")
# How many words of a title in quotes may stand behind its first.
_REACH = 10
_SMALL = (
    *("a", "an", "and", "as", "at", "but", "by", "for", "from", "in", "into", "like", "of", "on"),
    *("or", "the", "to", "upon", "with", "without", "s"),
)
# Open titles without a small word, and no name in quotes: "She Bangs", "Mr Romantica".
_OPENERS = ("he", "her", "his", "mr", "mrs", "she")
vocabulary().expect(lambda: _SMALL + _OPENERS)


def _opens(sign: str) -> bool:
    return sign.endswith(_OPEN)


def _closes(sign: str) -> bool:
    return sign.startswith(_CLOSE)


def _is_inside(sign: str) -> bool:
    return sign in (" ", ": ", "'", "’", "-")


def _end_of_title(found: Candidates, *, is_ahead: bool) -> Places:
    """Return the first or the last word of what is in quotes, or what is nowhere."""
    words = found.words
    is_quote = words.signs.those(_closes if is_ahead else _opens)
    is_inside = words.signs.those(_is_inside)
    ends = np.full(len(found.places), found.nowhere, np.int64)
    asked = np.arange(len(found.places))
    place = found.places
    for _ in range(_REACH + 1):
        # The sign before the first word, or behind the last.
        sign = words.sign[place + is_ahead]
        is_here = is_quote[sign]
        ends[asked[is_here]] = place[is_here]
        is_open = ~is_here & is_inside[sign]
        is_open &= (place + 1 < found.last[asked]) if is_ahead else (place > found.first[asked])
        asked, place = asked[is_open], place[is_open] + (1 if is_ahead else -1)
        if not len(asked):
            break
    return ends


def _is_title(found: Candidates) -> Mask:
    """Tell which words stand in a title, which has capitals but for its small words."""
    words = found.words
    held = np.zeros(len(found.places), np.bool_)
    quotes = np.flatnonzero(words.signs.those(_opens)[words.sign])
    quotes = np.concatenate(([-_REACH - 1], quotes))
    last_quote = quotes[np.searchsorted(quotes, found.places, side="right") - 1]
    asked = np.flatnonzero(found.places - last_quote <= _REACH)
    if not len(asked):
        return held
    first = _end_of_title(found.part(asked), is_ahead=False)
    asked, first = asked[first != found.nowhere], first[first != found.nowhere]
    if not len(asked):
        return held
    last = _end_of_title(Candidates(words, found.places[asked]), is_ahead=True)
    is_closed = (last != found.nowhere) & (last - first <= _REACH)
    asked, first, last = asked[is_closed], first[is_closed], last[is_closed]
    if len(asked):
        says_itself = vocabulary().listed(_OPENERS, lambda: _OPENERS)[words.number[first]]
        held[asked] = _have_capitals(words, first, last - first + 1, says_itself)
    return held


def _have_capitals(words: Words, first: Places, counts: Places, says_itself: Mask) -> Mask:
    """Tell which titles have capitals, and not them alone; without a small word, if it says so."""
    begins = np.concatenate(([0], np.cumsum(counts)[:-1]))
    inner = np.repeat(first - begins, counts) + np.arange(counts.sum())
    is_listed = vocabulary().listed(_SMALL, lambda: _SMALL)[words.number[inner]]
    is_large = ~(is_listed & words.is_lower(inner))
    large, capital, upper = (
        np.add.reduceat((is_large & held).astype(np.int64), begins)
        for held in (True, words.is_capital(inner), words.is_upper(inner))
    )
    # "The Man Without A Face"
    says_itself |= np.add.reduceat(is_listed.astype(np.int64), begins) > 1
    held: Mask = (
        (large > 1) & ((large < counts) | says_itself) & (capital == large) & (upper < large)
    )
    return held


IN_QUOTED_TITLE = HERE.is_capital & Condition(_is_title, True)
"""Whether a word stands in the title of a work in quotes: that tells it from speech and names."""


IS_FOR_THEM = NEXT.sign_that(lambda sign: sign.startswith(("'", "’"))) | (
    NEXT.sign(" ") & NEXT.among("after_gendered_name")
)
"""Whether an institution is named after whom it is for: "the Women's World Cup"."""

# "Scissor Sisters sang", but "Young Girls sang".
BEHIND_CAPITAL = JOINED & ~HERE.is_first & BEFORE.is_capital
_ENDS_NAME = (
    BEHIND_CAPITAL
    & ~(BEFORE.is_letter | BEFORE.among("before_surname", "nobility"))  # "Queen Mother"
    & ~(BEFORE.ends_with("an", "ish", "ese") | IS_FOR_THEM)  # "Sydney Girls High School"
    & (~opens_sentence(BEFORE) | ~BEFORE.among("common_words", "surname_words", "after_object"))
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
    (_IS_BEFORE_OTHER & ~IS_FOR_THEM)  # "Duke Road"
    | (
        ~_IS_BEFORE_OTHER
        & ~(HERE.among("before_name") | IS_FOR_THEM)
        & (_OPENS_CAPITALS | (_OPENS_TITLE & _HAS_LARGE))
    )
)

IN_OTHER_NAME = HERE.is_capital & ~HERE.is_upper & ~IN_HEADLINE & (_ENDS_NAME | _BEGINS_NAME)
"""Whether a word is part of a title, a band or a company: "Iron Man", "Men in Black"."""


IS_NAMED = IN_OTHER_NAME | (
    HERE.is_capital
    & ~HERE.is_upper
    & (
        ((LAST + 1).is_capital & (LAST + 1).sign(" "))
        | (BEHIND_CAPITAL & ~opens_sentence(BEFORE))
        | (HERE.sign(". ") & BEFORE.is_letter & BEFORE.is_capital)  # "A.M.E. Church"
    )
)
"""Whether a building, a book or a cleric bears a name: "Trinity Church", "Rabbi Hillel"."""
IS_NAMED_HOUSE = (
    ~HERE.is_capital
    & BEHIND_CAPITAL
    & ~opens_sentence(BEFORE)
    & ~people(BEFORE)
    & ~BEFORE.among("countries", "regions")
)
"""Whether a building bears the name before it: "the Finsbury Park mosque"."""
_BEHIND = LAST + 2
_IS_ONE_WORD = Condition(lambda found: found.at(LAST) == found.places)
IS_NAMED_GROUP = (
    IN_OTHER_NAME & _IS_ONE_WORD & ~people(BEFORE) & ~people(LAST + 1) & ~modifier(BEFORE)
) | (
    HERE.is_capital
    & (LAST + 1).is_word("and")
    & ~people(_BEHIND)
    & (_BEHIND.is_title | (_BEHIND.is_word("the") & (LAST + 3).is_title))
    & ~OPENS_SENTENCE
)
"""Whether a group or a faith is part of a title or a band: "Silver Jews"."""


IS_OFFICE = ~HAS_DETERMINER & ~BEFORE.is_word("s")
"""Whether nothing says which one somebody is: "he was pastor"."""
_IS_BARE = ~HAS_DETERMINER & ~WORD_BEFORE.among("modifiers", "numbers", "before_role")
_IS_PAIRED = WORD_BEHIND.is_word("and", "of", "or", "to") | WORD_BEFORE.is_word("and", "or", "s")
_IS_PAIRED = _IS_PAIRED | HERE.sign(" & ", " / ", "/", " &amp; ")
_IS_APART = (
    (OPENS_SENTENCE | HERE.sign(", "))
    & NEXT.sign_that(lambda sign: sign[:1] in (",", "!", "?", ".", "…"))
) | (HERE.sign(", ") & ~NEXT.is_there)
_IS_LIKE_NAME = HERE.is_title & ~OPENS_SENTENCE & ~IN_HEADLINE & HERE.sign(" ") & BEFORE.is_lower
# "Monarch Philip" is as good as "King Philip".
_MONARCHS = ("czar", "czarina", "emperor", "empress", "king", "queen", "sultan", "tsar", "tsarina")
# "So does mother", "told father"
_IS_SMALL_NAME = HERE.is_lower & HERE.sign(" ") & ~BEFORE.is_word("as", "became", "become", "like")
IS_CALLED = (
    _IS_BARE
    & ~_IS_PAIRED
    & (
        HERE.among("familiar_relatives")
        | (HERE.among("called_relatives") & (_IS_APART | _IS_LIKE_NAME | _IS_SMALL_NAME))
    )
) | (
    HERE.among("familiar_relatives", "called_relatives", "royal_titles", "nobility")
    & ~HERE.is_word(*_MONARCHS)
    & (IS_TITLE | (NEXT.is_word("of") & (HERE + 2).is_capital))
    & HERE.is_capital
    & ~IN_HEADLINE
)
"""Whether a word for a relative is used like a name, or stands before one, as a rank does."""
IS_COMPARED = HERE.among("genders") & (
    BEFORE.among("comparing") | ((HERE - 2).among("comparing") & WORD_BEFORE.is_there)
)
"""Whether a group is set against another that is told before: "more than (most) women"."""
# "Women are paid less", "rights for men", but "Women dancing", "two young men", "women and men"
_IS_GENERIC = (
    HERE.is_word("females", "males", "men", "women")
    & (_IS_BARE | BEFORE.is_word("that"))
    & ~_IS_PAIRED
    & ~(HERE.any_before(3, of="numbers") | BEFORE.is_digits | (HERE - 2).is_digits)
    & ~HERE.any_before(3, "few", "group", "groups", "many", "of", "other", "several")
    & ~((HERE - 2).is_word("there") & BEFORE.among("be_forms"))
    & (~OPENS_SENTENCE | WORD_BEHIND.among("auxiliaries", "be_forms"))
)
IS_ABOUT_GENDER = _IS_GENERIC | (HERE.among("genders") & HERE.any_near(40, of="about_gender"))
"""Whether a text is about a gender as such: "women are paid less", "sexists say that women"."""
