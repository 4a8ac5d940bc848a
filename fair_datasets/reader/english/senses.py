"""Telling a term from the title, the verb, the thing or the case that is spelt like it.

A word that is marked as often denoting a thing is of one of two sorts. "Count", "king" and the like
denote a person only where the neighbours speak for it; "man", "sister" and the like denote one
unless the neighbours speak against it: "sister company", "oh man", "Iron Man".

"her" is an object ("saw her", like him) or a determiner ("her book", like his); "his" is a
determiner ("his book", like her) or a possessive pronoun ("it is his", like hers).
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from fair_datasets.reader.english.classifier.decide import decide
from fair_datasets.reader.english.lists import (
    ABBREVIATIONS,
    BE_FORMS,
    OBJECT_PRONOUNS,
    POSSESSIVE_DETERMINERS,
    SUBJECT_PRONOUNS,
)
from fair_datasets.reader.english.neighbours import (
    APOSTROPHES,
    BEFORE,
    HAS_DETERMINER,
    HERE,
    IN_HEADLINE,
    IS_POSSESSIVE,
    JOINED,
    LAST,
    NEXT,
    OPENS_SENTENCE,
    WORD_BEFORE,
    WORD_BEHIND,
    everyday,
    is_first_name,
    opens_sentence,
    word_behind,
)
from fair_datasets.reader.english.noun_phrases import ends_phrase, modifier, people, person_noun
from fair_datasets.reader.english.verbs import auxiliaries, verbs
from fair_datasets.reader.matching.predicates import ALWAYS, Predicate, Rule, says
from fair_datasets.reader.matching.token_batch import Candidates, Mask, Places, TokenBatch
from fair_datasets.reader.matching.token_refs import IS_HYPHENATED, TokenRef
from fair_datasets.reader.matching.tokenizer import Tokens, ends_sentence
from fair_datasets.reader.matching.vocabulary import vocabulary

_CALLED_RELATIVES = (
    "aunt", "brother", "father", "grandfather", "grandmother", "mother", "sister", "uncle"
)  # fmt: skip
_COMPARING = ("among", "amongst", "as", "like", "than", "unlike", "versus", "vs")
_BEFORE_THIRD_PERSON = ("and", "he", "it", "she", "that", "which", "who")
_PIECES = ("king", "kings", "queen", "queens")
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
    # "the Misses Bennet", but "She Misses Lee"
    & (~HERE.is_word("misses") | BEFORE.is_word("both", "the", "these", "two"))
)
_IS_OWNING = _SECOND.is_word("s") & _SECOND.sign(*APOSTROPHES)
_ACTS = _SECOND.sign(" ") & _SECOND.among("after_person", "after_subject")
# "ms lee", but "5 ms later" and "the ms society"; "miss lee lost it", but "i miss lee".
_BEFORE_SMALL_NAME = (HERE.is_lower & NEXT.is_there & ~NEXT.is_digits & NEXT.sign(" ", ". ")) & (
    (HERE.is_word("mister", "missus", "mr", "mrs") & ~NEXT.among("mostly_function_words"))
    | (HERE.is_word("ms") & ~(everyday(NEXT) | WORD_BEFORE.is_digits))
    | (HERE.is_word("miss") & ~everyday(NEXT) & (_ACTS | _IS_OWNING))
)
TITLE = (
    Rule("titles.ordinal", True, _IS_NOBLE & WORD_BEFORE.among("ordinals"),
         "an ordinal number stands before it"),
    Rule("titles.small", True, _BEFORE_SMALL_NAME, "a word that is a name follows it"),
    Rule("titles.before_name", True, _BEFORE_NAME, "a capitalised word follows it"),
    Rule("titles.none", False, ALWAYS, "no capitalised word follows it that may be a name"),
)  # fmt: skip
"""Whether a word is a title before a name."""
IS_ROYAL = (
    HERE.is_capital
    & HERE.among("royal_titles")
    & (
        NEXT.sign(" ")
        & NEXT.is_title
        & NEXT.longer(2)
        & ~everyday(NEXT)
        & ~(NEXT.among("after_other_name", "before_surname") | NEXT.is_word("duke", "earl"))
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
vocabulary().preload(lambda: _SMALL + _OPENERS)


def _opens(sign: str) -> bool:
    return sign.endswith(_OPEN)


def _closes(sign: str) -> bool:
    return sign.startswith(_CLOSE)


def _is_inside(sign: str) -> bool:
    return sign in (" ", ": ", "'", "’", "-")


def _end_of_title(candidates: Candidates, *, is_ahead: bool) -> Places:
    """Return the first or the last word of what is in quotes, or what is nowhere."""
    words = candidates.words
    is_quote = words.signs.those(_closes if is_ahead else _opens)
    is_inside = words.signs.those(_is_inside)
    ends = np.full(len(candidates.places), candidates.nowhere, np.int64)
    asked = np.arange(len(candidates.places))
    place = candidates.places
    for _ in range(_REACH + 1):
        # The sign before the first word, or behind the last.
        sign = words.sign[place + is_ahead]
        is_here = is_quote[sign]
        ends[asked[is_here]] = place[is_here]
        is_open = ~is_here & is_inside[sign]
        is_open &= (
            (place + 1 < candidates.last[asked]) if is_ahead else (place > candidates.first[asked])
        )
        asked, place = asked[is_open], place[is_open] + (1 if is_ahead else -1)
        if not len(asked):
            break
    return ends


def _is_title(candidates: Candidates) -> Mask:
    """Return which capitalised words stand in a title, which has capitals but for small words."""
    words = candidates.words
    held = np.zeros(len(candidates.places), np.bool_)
    quotes = words.signs.those(_opens)[words.sign].nonzero()[0]
    quotes = np.concatenate(([-_REACH - 1], quotes))
    last_quote = quotes[np.searchsorted(quotes, candidates.places, side="right") - 1]
    is_near = candidates.places - last_quote <= _REACH
    asked = (is_near & words.is_capital(candidates.places)).nonzero()[0]
    if not len(asked):
        return held
    first = _end_of_title(candidates.part(asked), is_ahead=False)
    asked, first = asked[first != candidates.nowhere], first[first != candidates.nowhere]
    if not len(asked):
        return held
    last = _end_of_title(Candidates(words, candidates.places[asked]), is_ahead=True)
    is_closed = (last != candidates.nowhere) & (last - first <= _REACH)
    asked, first, last = asked[is_closed], first[is_closed], last[is_closed]
    if len(asked):
        says_itself = vocabulary().is_listed(_OPENERS, lambda: _OPENERS)[words.number[first]]
        held[asked] = _have_capitals(words, first, last - first + 1, says_itself)
    return held


def _have_capitals(words: TokenBatch, first: Places, counts: Places, says_itself: Mask) -> Mask:
    """Which titles have capitals, and not them alone; without a small word, if it says so."""
    begins = np.concatenate(([0], np.cumsum(counts)[:-1]))
    inner = np.repeat(first - begins, counts) + np.arange(counts.sum())
    is_listed = vocabulary().is_listed(_SMALL, lambda: _SMALL)[words.number[inner]]
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


IN_QUOTED_TITLE = Predicate(_is_title, True)
"""Whether a capitalised word stands in the title of a work in quotes: no speech, and no name."""


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
    & NEXT.is_word("at", "for", "from", "in", "of", "on", "who", "with", "without")
)


def _large(place: TokenRef) -> Predicate:
    """Whether a capitalised word stands at a place, which is no month or season."""
    return (
        ~place.is_word("century", "day", "decade", "match", "month", "the", "week", "year")
        & place.is_capital
        & place.sign(" ")
    )


_HAS_LARGE = _large(HERE + 2) | _large(HERE + 3)
_MAY_BEGIN = ~_IS_BEFORE_OTHER & ~HERE.among("before_name")
_BEGINS_NAME = (
    _IS_BEFORE_WORD
    & ~IS_FOR_THEM
    & (_IS_BEFORE_OTHER | (_MAY_BEGIN & _OPENS_CAPITALS))  # "Duke Road"
)
_BEGINS_TITLE = _IS_BEFORE_WORD & ~IS_FOR_THEM & _MAY_BEGIN & _OPENS_TITLE & _HAS_LARGE

_IN_CAPITALS = HERE.is_capital & ~HERE.is_upper & ~IN_HEADLINE
_IN_NAME_OF_WORDS = _IN_CAPITALS & (_ENDS_NAME | _BEGINS_NAME)
IN_OTHER_NAME = _IN_NAME_OF_WORDS | (_IN_CAPITALS & _BEGINS_TITLE)
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
    & ~BEFORE.among("regions")
)
"""Whether a building bears the name before it: "the Finsbury Park mosque"."""
_BEHIND = LAST + 2
_IS_ONE_WORD = Predicate(lambda candidates: candidates.at(LAST) == candidates.places)
IS_NAMED_GROUP = (
    _IN_NAME_OF_WORDS & _IS_ONE_WORD & ~people(BEFORE) & ~people(LAST + 1) & ~modifier(BEFORE)
)
"""Whether a group or a faith is part of a title or a band: "Silver Jews"."""


IS_OFFICE = ~HAS_DETERMINER & ~BEFORE.is_word("s")
"""Whether nothing says which one somebody is: "he was pastor"."""
_IS_BARE = ~(
    HAS_DETERMINER
    | WORD_BEFORE.among("modifiers", "numbers")
    | WORD_BEFORE.is_word("old")  # "my 14-year-old brother"
    | WORD_BEFORE.is_word("as", "between", "by", "for", "from", "of", "with")
)
_IS_PAIRED = WORD_BEHIND.is_word("and", "of", "or", "to") | WORD_BEFORE.is_word("and", "or", "s")
_IS_PAIRED = _IS_PAIRED | HERE.sign(" & ", " / ", "/", " &amp; ")
_IS_SEPARATE = (
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
        | (HERE.is_word(*_CALLED_RELATIVES) & (_IS_SEPARATE | _IS_LIKE_NAME | _IS_SMALL_NAME))
    )
) | (
    (
        HERE.among("familiar_relatives", "royal_titles", "nobility")
        | HERE.is_word(*_CALLED_RELATIVES)
    )
    & ~HERE.is_word(*_MONARCHS)
    & (IS_TITLE | (NEXT.is_word("of") & (HERE + 2).is_capital))
    & HERE.is_capital
    & ~IN_HEADLINE
)
"""Whether a word for a relative is used like a name, or stands before one, as a rank does."""
IS_COMPARED = HERE.among("genders") & (
    BEFORE.is_word(*_COMPARING) | ((HERE - 2).is_word(*_COMPARING) & WORD_BEFORE.is_there)
)
"""Whether a group is set against another that is told before: "more than (most) women"."""
_IS_DOING = word_behind(NEXT).ends_with("ing") & ~word_behind(NEXT).is_word("being", "getting")
# "Women are paid less", "rights for men", but "Women are dancing", "two young men", "women and men"
_IS_GENERIC = (
    HERE.is_word("females", "males", "men", "women")
    & (_IS_BARE | BEFORE.is_word("that"))
    & ~_IS_PAIRED
    & ~(HERE.any_before(3, of="numbers") | BEFORE.is_digits | (HERE - 2).is_digits)
    & ~HERE.any_before(3, "few", "group", "groups", "many", "of", "other", "several")
    & ~((HERE - 2).is_word("there") & BEFORE.is_word(*BE_FORMS))
    & (~OPENS_SENTENCE | WORD_BEHIND.among("auxiliaries") | WORD_BEHIND.is_word(*BE_FORMS))
    & ~(OPENS_SENTENCE & WORD_BEHIND.is_word("are", "were") & _IS_DOING)
)
IS_ABOUT_GENDER = _IS_GENERIC | (HERE.among("genders") & HERE.any_near(40, of="about_gender"))
"""Whether a text is about a gender as such: "women are paid less", "sexists say that women"."""


YES, NO = True, False

_BEHIND_END = NEXT.sign_that(lambda sign: sign[:1] in ",.!?…)\n")
_IS_LAST = ~NEXT.is_there | _BEHIND_END | (NEXT.is_there & NEXT.sign_that(ends_sentence))
_SUBJECTS = (*SUBJECT_PRONOUNS, "it", "that", "there", "these", "this", "those", "you")
_IS_INVERTED = NEXT.is_word("oh") | (
    NEXT.among("auxiliaries") & word_behind(NEXT).is_word(*_SUBJECTS)
)
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
    Rule("calls.inverted", YES,
         ((OPENS_SENTENCE & NEXT.sign(" ")) | (BEFORE.is_word("and", "but") & NEXT.sign(", ")))
         & NEXT.is_there & _IS_INVERTED,
         "it opens an exclamation"),
    Rule("calls.opening", YES, OPENS_SENTENCE & _CALLS, "it opens a sentence as a call"),
    Rule("calls.interjection", YES, _EXCLAIMED & (~HERE.sign(", ") | _IS_LAST),
         "an interjection stands before it"),
    Rule("calls.behind_comma", YES,
         HERE.sign(", ") & _IS_LAST & ~BEFORE.among("persons_by_default")
         & ~(NEXT.is_there & NEXT.sign(", ") & NEXT.among("persons_by_default")),
         "it ends a sentence after a comma"),
    Rule("calls.greeting", YES,
         _IS_LAST & HERE.sign(" ") & BEFORE.among("before_call") & ~HAS_DETERMINER,
         "it ends a sentence that calls someone"),
    Rule("calls.none", NO, ALWAYS, "nothing says that it is a call"),
)  # fmt: skip
"""Whether a word is a call that means nobody."""


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
_IS_BEFORE_VERB = (WORD_BEFORE.among("finite_verbs") & ~WORD_BEFORE.is_word(*BE_FORMS)) | (
    WORD_BEFORE.is_word("do", "does", "i", "please", "they", "to", "we", "you")
)
_ENDS_IN_S = HERE.ends_with("s") & WORD_BEFORE.is_word(*_BEFORE_THIRD_PERSON)

VERB = (
    Rule("verbs.form", YES, HERE.ends_with("ed", "ing"), "it ends as verbs do"),
    Rule("verbs.to_noun", NO,
         WORD_BEFORE.is_word("to") & (~WORD_BEHIND.is_there
         | (WORD_BEHIND.among("after_phrase") & ~WORD_BEHIND.among("determiners", "pronouns"))),
         'the word "to" stands before it, and no object after it'),
    Rule("verbs.before_verb", YES, _IS_BEFORE_VERB,
         "a word that often precedes a verb stands before it"),
    Rule("verbs.third_person", YES, _ENDS_IN_S & (_HAS_OBJECT | ~WORD_BEFORE.is_word("and")),
         "a subject in the third person stands before it"),
    Rule("verbs.with_object", YES,
         _HAS_OBJECT & ~WORD_BEFORE.among("determiners") & (~HERE.is_capital | (OPENS_SENTENCE
         & ~HERE.among("relatives"))),
         "an object follows it"),
    Rule("verbs.noun", NO, ALWAYS, "nothing says that it is a verb"),
)  # fmt: skip

# Words that mostly denote a person.
_IS_PLUG = HERE.is_word("female", "females", "male", "males")
_ROPES = ("cable", "cables", "line", "lines", "rope", "ropes", "wire", "wires")


def _before_head(place: TokenRef) -> Predicate:
    """Whether a word makes a thing of the one before it: "sister company"."""
    return (
        (HERE.among("relatives") & place.among("heads_of_relatives"))
        | (HERE.among("first_parts") & place.among("heads"))
        | (_IS_PLUG & place.among("heads_of_plugs"))
        | (HERE.is_word("guy") & place.is_word(*_ROPES))
    )


_MAY_BE_COMPOUND = NEXT.is_there & (_before_head(NEXT) | NEXT.is_word("one"))
_IS_EXCLAIMED = HERE.among("exclamations") & ~WORD_BEFORE.among("determiners") & says(EXCLAIMED)
_IS_PLUG_ONE = WORD_BEHIND.is_word("one") & _IS_PLUG & HERE.any_around(_AROUND, of="heads_of_plugs")


# "Duke William of Normandy", "Duke Robert II", but "Duke Ellington"
_IS_RULER = (
    NEXT.sign(" ")
    & (
        (_SECOND.is_word("of") & (HERE + 3).is_capital)
        | (_SECOND.is_upper & _SECOND.among("ordinals"))
    )
    & NEXT.that(is_first_name).costly
)


def _is_ordinal(word: str) -> bool:
    """Whether a word is an ordinal number in digits: the "9th" of "9th Earl Spencer"."""
    return word[:1].isdigit() and word.endswith(("st", "nd", "rd", "th"))


_IS_BEFORE_NOBILITY = WORD_BEFORE.among("ordinals") | WORD_BEFORE.is_word(
    "a", "an", "as", "created", "made", "of", "the"
)
IN_NAME = (
    Rule("things.deity", YES, HERE.is_word("god", "lord") & ~IS_TITLE, "it is a deity"),
    Rule("things.titled", NO, HERE.is_word("god", "lord"), "it is a title before a name"),
    Rule("things.his_son", YES, HERE.is_word("son") & WORD_BEFORE.is_word("his", "the"),
         "it is the Son, with a capital"),
    Rule("things.names_too", YES,
         HERE.is_word("duke", "earl") & ~WORD_BEHIND.is_word("of") & ~_IS_RULER
         & ~(_IS_BEFORE_NOBILITY | BEFORE.that(_is_ordinal)),
         "it is a name as well, and no title here"),
    Rule("things.noble", NO, HERE.is_word("duke", "earl"), "it is a title of nobility"),
    Rule("things.other_name", YES, IN_OTHER_NAME, "it is part of another name"),
    Rule("things.none", NO, ALWAYS, "it is not part of a name"),
)  # fmt: skip
_IS_IN_NAME = HERE.is_capital & says(IN_NAME)
_IS_THING = (
    (WORD_BEHIND.is_there & _before_head(WORD_BEHIND))
    | _IS_EXCLAIMED
    | _IS_IN_NAME
    | (~HERE.is_capital & _IS_PLUG_ONE)
)
_IS_PLAIN = (~HERE.among("exclamations") & ~HERE.is_capital) | _FOLLOWS_ARTICLE
_BY_DEFAULT = HERE.among("persons_by_default")

# Words that mostly denote a thing.
_IS_PIECE = HERE.is_word(*_PIECES)
_SQUARES = [f"{file}{rank}" for file in "abcdefgh" for rank in range(1, 9)]
_IS_SUIT = (
    NEXT.is_word("of") & _SECOND.is_there & _SECOND.is_word("clubs", "diamonds", "hearts", "spades")
)
_IN_CHESS = HERE.any_near(4, *_SQUARES)
_IN_GAME = _IS_PIECE & (_IS_SUIT | (~(NEXT.is_word("of") & _SECOND.is_there) & _IN_CHESS))
_IS_GREETED = WORD_BEFORE.ends_with("ly") | WORD_BEFORE.is_word("again", "job", "luck", "work")
# "you guys"; "I miss Sergio man, he left"
_IS_ADDRESS = (
    HERE.is_word("dudes", "guys")
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
    & ~(BEFORE.is_capital | BEFORE.among("linking_verbs", "prepositions"))
    & ~WORD_BEFORE.is_word("and", "as", "became", "become", "crowned", "made", "named", "or")
    & (IS_POSSESSIVE | (NEXT.sign(" ") & NEXT.among("after_subject") & NEXT.is_lower))
)

PERSON = (
    Rule("persons.address", NO, _IS_ADDRESS, "it addresses somebody, whoever that is"),
    Rule("persons.abbreviation", NO,
         HERE.is_word(*ABBREVIATIONS)
         & ((~HERE.is_first & BEFORE.is_digits) | (NEXT.sign(". ") & NEXT.is_digits)),
         "a number stands beside it, as with the abbreviation"),
    Rule("persons.by_default", YES, _BY_DEFAULT & ((_IS_PLAIN & ~_MAY_BE_COMPOUND) | ~_IS_THING),
         "nothing speaks against a person"),
    Rule("persons.call", NO, _BY_DEFAULT & _IS_EXCLAIMED, asks=EXCLAIMED),
    Rule("persons.in_name", NO, _BY_DEFAULT & _IS_IN_NAME, asks=IN_NAME),
    Rule("persons.thing", NO, _BY_DEFAULT, "the word after it makes a thing of it"),
    Rule("persons.hyphenated", NO, IS_HYPHENATED, "a hyphen joins it to another word"),
    Rule("persons.game", NO, _IN_GAME, "it is a piece or a card of a game"),
    Rule("persons.name", NO, _IS_NAME, "without a determiner, it is a name, or in a band's name"),
)  # fmt: skip
"""Whether a word that often denotes a thing ("king") denotes a person; of others the tag tells."""


# The log odds from which on the classifier is sure of a case, which is then 2.7 times as likely.
_SURE = 1.0


def _other(place: TokenRef) -> Predicate:
    """Whether a word is another possessive determiner."""
    is_other = Predicate(
        lambda candidates: (
            candidates.words.number[candidates.at(place)]
            != candidates.words.number[candidates.places]
        )
    )
    return place.is_word(*POSSESSIVE_DETERMINERS) & is_other


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

    def log_odds(candidates: Candidates) -> NDArray[np.float64]:
        return decide(question, Candidates(candidates.words, candidates.at(_LAST_OF_PAIR)))

    is_yes = Predicate(lambda candidates: log_odds(candidates) > 0, is_costly=True)
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
    """Whether a word is the third person of a verb, and no plural of a noun."""
    verb = verbs().get(word)
    return verb is not None and not verb.is_plural_noun


def _may_be_third_person(word: str) -> bool:
    return word in verbs() or word in auxiliaries()


def _may_be_plural(word: str) -> bool:
    verb = verbs().get(word)
    return verb is not None and verb.is_plural_noun


_TIMES = (
    "already", "also", "always", "never", "often", "rarely", "really", "sometimes", "usually"
)  # fmt: skip
# "his never rings", "his leaves early", "his made me laugh", but "his leaves fell"
_IS_SUBJECT = (NEXT.sign(" ") & NEXT.is_lower & ~_SECOND.sign("-")) & (
    (NEXT.that(_is_third_person) & ~BEFORE.among("prepositions"))
    | NEXT.among("behind_his")
    | (NEXT.is_word(*_TIMES) & _SECOND.sign(" ") & _SECOND.that(_may_be_third_person))
    | (NEXT.that(_may_be_plural) & _SECOND.sign(" ") & _SECOND.among("behind_bare_verb"))
    | (NEXT.is_word("gave", "made", "took") & _SECOND.is_word(*OBJECT_PRONOUNS))
)
_PACKS = ("gathered", "pack", "packed", "packing", "packs", "unpacked", "unpacking")
# What may be said of a relative, and is a verb in "a friend of his lost".
_OF_RELATIVES = ("adopted", "beloved", "dead", "dear", "deceased", "estranged", "late", "lost")
# "her teaching methods", but "saw her teaching children"
_IS_ACTIVITY = (
    NEXT.ends_with("ing")
    & NEXT.sign(" ")
    & _SECOND.sign(" ")
    & _SECOND.among("heads_of_activities")
    & ends_phrase(_SECOND).costly
)
# "sent her thesis", "packed her things"
_IS_OWN = NEXT.sign(" ") & (
    (NEXT.among("own_works") & ends_phrase(NEXT).costly)
    | (BEFORE.is_word(*_PACKS) & NEXT.is_word("bag", "bags", "belongings", "clothes", "things"))
)
# "took her years", but "took her years of work into account"
_IS_LONG_FOR = (
    BEFORE.is_word("cost", "costs", "take", "taken", "takes", "taking", "took")
    & NEXT.is_word("ages", "days", "decades", "hours", "minutes", "months", "weeks", "years")
    & NEXT.sign(" ")
    & ~(_SECOND.is_word("of") & _SECOND.sign(" "))
)
HER = (
    # "she/her"
    Rule("her.in_list", "object", _IN_LIST & BEFORE.is_word("she"), 'it follows "she/"'),
    Rule("her.time", "object", _IS_TIME, "a word for a time follows it"),
    Rule("her.spent", "object", _IS_LONG_FOR, "how long something takes follows it"),
    Rule("her.activity", "determiner", _IS_ACTIVITY, "what is done, and a noun, follow it"),
    Rule("her.own", "determiner", _IS_OWN, "what somebody has or wrote follows it"),
    *_model("her", ("determiner", "object"), 'log odds, by its context, of "his" against "him"'),
)
"""Whether "her" stands before a noun phrase (his) or is an object (him)."""
# "in search of his lost son"
_IS_OF_RELATIVE = (
    NEXT.sign(" ")
    & _SECOND.sign(" ")
    & _SECOND.among("relatives")
    & (NEXT.is_word(*_OF_RELATIVES) | modifier(NEXT) | NEXT.among("kin_adjectives")).costly
    & ends_phrase(_SECOND).costly
)
HIS = (
    # "he/him/his"
    Rule("his.in_list", "possessive", _IN_LIST & BEFORE.is_word("him"), 'it follows "him/"'),
    Rule(
        "his.or_mine",
        "possessive",
        NEXT.is_word("and", "nor", "or")
        & _SECOND.is_word("hers", "mine", "ours", "theirs", "yours"),
        "another possessive pronoun is joined to it",
    ),
    Rule(
        "his.clause",
        "possessive",
        NEXT.is_word("that", "which", "who") & NEXT.sign(" "),
        "a relative clause follows it",
    ),
    Rule("his.ends", "possessive", ~(_LAST_OF_PAIR + 1).is_there, "it ends the text"),
    Rule("his.subject", "possessive", _IS_SUBJECT, "its verb follows it"),
    Rule(
        "his.person",
        "determiner",
        person_noun(NEXT) & NEXT.sign(" ") & ends_phrase(NEXT) & ~BEFORE.is_word("of"),
        "a noun for a person follows it",
    ),
    Rule("his.relative", "determiner", _IS_OF_RELATIVE, "a word for a relative follows it"),
    *_model(
        "his", ("possessive", "determiner"), 'log odds, by its context, of "hers" against "her"'
    ),
)
"""Whether "his" stands alone (hers) or before a noun phrase (her)."""
# "what He wills", but "HE" and, at the start of a sentence, "He"
_IS_GODLY = ~OPENS_SENTENCE & ~IN_HEADLINE & HERE.any_near(40, of="godly")
OF_DEITY = (
    HERE.is_capital & HERE.sign(" ") & BEFORE.is_lower & (HERE.is_title & _IS_GODLY).costly
) | (HERE.is_word("himself") & BEFORE.is_word("allah", "christ", "god", "jehovah", "jesus"))
"""Whether a pronoun is about God."""


def open_cases(texts: Sequence[Tokens]) -> list[set[int]]:
    """Return which "her" and "his" may be either of their cases, for all that their neighbours say.

    Returns:
        For each text those of its words: the "her" of "much of her treating", but not that of "saw
        her".

    Example:
        >>> from fair_datasets.reader.matching.tokenizer import tokenize
        >>> texts = "I saw her.", "She dedicated much of her treating and advising to them."
        >>> open_cases([tokenize(text) for text in texts])
        [set(), {4}]
    """
    cases: list[set[int]] = [set() for _ in texts]
    asked = [n for n, tokens in enumerate(texts) if "her" in tokens.lower or "his" in tokens.lower]
    if not asked:
        return cases
    numbers = vocabulary().add(("her", "his"))
    words = TokenBatch([texts[number].text for number in asked])
    for pronoun, number in zip(("her", "his"), numbers, strict=True):
        here = (words.number == number).nonzero()[0]
        lasts = Candidates(words, here).at(_LAST_OF_PAIR)
        is_unsure = np.abs(decide(pronoun, Candidates(words, lasts))) < _SURE
        for place in here[is_unsure & ~words.is_end[lasts + 1]].tolist():
            text = words.owner[place]
            cases[asked[text]].add(place - int(words.first[text]))
    return cases
