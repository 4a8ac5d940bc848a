"""Names in context: telling a first name or a surname from a word, a place and each other.

An unmarked name is read wherever it is capitalised and stands in no surname's, place's, brand's or
work's position; a marked one ("Will", "Paris") needs evidence.
"""

import numpy as np

from fair_datasets.reader.english.lists import ABBREVIATIONS
from fair_datasets.reader.english.neighbours import (
    BEFORE,
    FOLLOWER,
    HERE,
    IN_HEADLINE,
    IS_POSSESSIVE,
    JOINED,
    NEXT,
    NEXT_IN_PHRASE,
    OPENS_SENTENCE,
    PREVIOUS,
    everyday,
    is_first_name,
    is_modifier,
    is_people,
    is_person_noun,
    opens_sentence,
    stands_in_headline,
)
from fair_datasets.reader.matching.language import Verdict
from fair_datasets.reader.matching.letters import without_accents
from fair_datasets.reader.matching.predicates import ALWAYS, Predicate, Rule, fact
from fair_datasets.reader.matching.token_batch import Candidates, Mask
from fair_datasets.reader.matching.token_refs import IS_HYPHENATED, TokenRef
from fair_datasets.reader.matching.vocabulary import memoize, vocabulary
from fair_datasets.reader.names.given_names import is_mostly_given, is_of_both, known

_BEFORE_VENERATED = ("apostle", "pope", "prophet", "saint")
_PARTNERS = (
    "associates", "bros", "brothers", "co", "company", "daughter", "daughters", "son", "sons"
)  # fmt: skip
_LEGAL_FORMS = ("co", "company", "corp", "inc", "incorporated", "limited", "llc", "ltd", "plc")
_BOOKS = (
    "book", "chapter", "epistle", "gospel", "passage", "statue", "statues", "verse", "verses"
)  # fmt: skip
_ARTICLES = ("a", "an", "the", "these", "those")
# Some texts have lost the apostrophe, or have a space before it: "Wendy s", "Wendy 's".
OWNING = ("'", "’", " '", " ’", " ")
_SECOND, _THIRD = HERE + 2, HERE + 3
HAS_FOLLOWER = FOLLOWER.is_there


def _longer_name(place: TokenRef, reach: int) -> Predicate:
    """Whether capitalised words end a name that is no person's: "Fraser University"."""
    ends = place.among("after_other_name")
    goes_on = ends if reach == 1 else ends | _longer_name(place + 1, reach - 1)
    is_joined = place.is_there & place.sign(" ")
    return is_joined & place.is_capital & goes_on


BEGINS_OTHER_NAME = FOLLOWER.among("after_other_name")
GOES_ON_AS_OTHER = HAS_FOLLOWER & ~BEGINS_OTHER_NAME & ~HERE.is_upper & _longer_name(_SECOND, 3)
IS_VERSE = (
    NEXT.sign(" ") & NEXT.is_digits & _SECOND.is_digits & _SECOND.sign(":") & ~NEXT.is_word("and")
)


def _brand(place: TokenRef, before: Predicate, are: Predicate, article: Predicate) -> Predicate:
    """Whether a possessive is a brand or a restaurant: "ate at Wendy's", "Wendy's burgers"."""
    ending = place + 1
    is_possessive = ending.is_word("s") & ending.sign(*OWNING)
    owned = (place + 2).where((place + 2).sign(" "))
    is_alone = ~owned.is_there | owned.among("after_phrase")
    is_other = owned.among("after_other_name") & owned.is_capital
    is_brand = place.among("brands") & (article | (is_alone & (are | ~before)))
    is_second = place.sign(" & ")
    return is_possessive & (
        owned.among("goods") | is_other | (is_second & is_alone) | (~is_second & is_brand)
    )


_IS_FIRST_BRAND = NEXT.sign(*OWNING) & _brand(
    HERE, PREVIOUS.among("after_subject"), PREVIOUS.is_word("are"), PREVIOUS.is_word(*_ARTICLES)
)
_IS_SECOND_BRAND = NEXT.sign(" & ") & _brand(NEXT, ~ALWAYS, ~ALWAYS, ~ALWAYS)


def _firm(place: TokenRef) -> Predicate:
    """Whether a word says that a firm is named before it: "Scott & Sons", "Scott, LLC"."""
    is_joined = place.sign(" & ") | (place.sign(" ") & (place - 1).is_word("and"))
    return place.is_capital & (
        (place.is_word(*_PARTNERS) & is_joined)
        | (place.is_word(*_LEGAL_FORMS) & place.sign(" ", ", ", " & "))
    )


IS_FIRM = (
    _firm(NEXT)
    | (NEXT.is_word("and") & _firm(_SECOND))
    | (HAS_FOLLOWER & (_firm(_SECOND) | (_SECOND.is_word("and") & _firm(_THIRD))))
)
IS_BRAND = _IS_FIRST_BRAND | _IS_SECOND_BRAND


# How far away the other mention may be, in words.
_MEMORY = 200
_TITLES = ("before_first_name", "before_surname", "before_name_of_man", "before_name_of_woman")
# "Ed Bradley", "Robert E. Howard"
_IS_BEHIND_INITIAL = BEFORE.is_letter & BEFORE.is_capital & BEFORE.sign(" ") & (HERE - 2).is_title
_STANDS_AS_SURNAME = (
    ((JOINED & BEFORE.is_title & ~BEFORE.is_letter) | (HERE.sign(". ") & _IS_BEHIND_INITIAL))
    & ~HAS_FOLLOWER
    & ~everyday(BEFORE)
    & ~IN_HEADLINE.costly
    & ~BEFORE.among(*_TITLES, "person_nouns")
    & ~HERE.among("second_names")
)


def _is_surname_nearby(candidates: Candidates) -> Mask:
    """Whether a name stands behind another one nearby: "Ed Bradley ... Bradley's legacy"."""
    words = candidates.words
    held = np.zeros(len(candidates.places), np.bool_)
    # Others may take words up meanwhile.
    many = len(vocabulary())
    asked = np.zeros(many, np.bool_)
    asked[words.number[candidates.places]] = True
    asked[0] = False
    alike = asked[words.number].nonzero()[0]
    if not len(alike):
        return held
    # By text, word and place: numbers that are close only for the same word of one text.
    size = 2 * len(words) + _MEMORY
    keys = np.sort((words.owner[alike] * many + words.number[alike]) * size + alike)
    # A word that is there once has no other mention.
    is_close = np.diff(keys) <= _MEMORY
    if not is_close.any():
        return held
    keys = keys[np.append(is_close, False) | np.append(False, is_close)]
    alike = keys % size
    signs = words.sign[alike]
    is_joined = (signs == words.signs.number(" ")) | (signs == words.signs.number(". "))
    here = words.owner[candidates.places] * many + words.number[candidates.places]
    here = here * size + candidates.places
    others = Candidates(words, alike[is_joined])
    surnames = keys[is_joined][others.holds(_STANDS_AS_SURNAME)]
    if not len(surnames):
        return held
    behind = np.searchsorted(surnames, here, side="right")
    for nearest, is_there in (
        (np.searchsorted(surnames, here) - 1, surnames[0] < here),
        (behind, behind < len(surnames)),
    ):
        distance = np.abs(surnames[np.where(is_there, nearest, 0)] - here)
        held |= is_there & (distance <= _MEMORY)
    return held


IS_SURNAME_NEARBY = Predicate(_is_surname_nearby)
"""Whether a word stands behind a first name nearby, as a surname does."""


_HYPHENS = ("-", "‐", "‑", "–")


ACCEPT, UNSURE, REJECT, SURE = Verdict

WORD, PLACE, PROPER, LISTED_SURNAME = map(fact, ("word", "place", "proper", "surname"))
MARKED = WORD | PLACE | PROPER | LISTED_SURNAME
MAN, WOMAN = map(fact, ("man", "woman"))
FOLLOWS_NAME = fact("follows a name")
_IS_SMALL = fact("without capitals")

# A surname may be behind: no everyday word, no acronym; "Bill de Blasio".
_IS_IRISH = NEXT.is_word("o", "d") & NEXT.is_capital & _SECOND.sign(*OWNING)
HAS_SURNAME = (NEXT.sign(" ") & _IS_IRISH & _SECOND.is_capital) | HAS_FOLLOWER & (
    NEXT.among("particles")
    | (
        ~(NEXT.is_upper & ~HERE.is_upper)
        & ~NEXT.among("common_words", "corpus_words")
        & ~NEXT.ends_with("tion", "tions", "sion", "sions", "ments", "ity", "ics", "ism")
    )
)

# How it is written.
_IS_ACRONYM = HERE.is_upper & ~HERE.longer(4) & ~BEFORE.is_upper & ~NEXT.is_upper
_IS_MIXED = ~HERE.is_title & ~HERE.is_upper & ~HERE.is_letter
_IS_HYPHENATED = (~HERE.is_first & HERE.sign(*_HYPHENS)) | (NEXT.is_there & NEXT.sign(*_HYPHENS))
_IS_WRITTEN_OTHERWISE = _IS_MIXED | HERE.among("particles") | _IS_ACRONYM | _IS_HYPHENATED


# What stands before it.
_IS_TITLED = HERE.sign(" ", ". ", ".")
_TELLS = BEFORE.among("before_first_name") | BEFORE.is_word(*_BEFORE_VENERATED, *_ARTICLES, "of")
_IS_STATED = ~HERE.is_first & _IS_TITLED & (_TELLS | BEFORE.is_capital)
_IS_INITIAL = _IS_STATED & BEFORE.is_letter & BEFORE.is_capital & HERE.sign(". ", ".")
_BY_WORD = _IS_STATED & ~_IS_INITIAL
_IS_PERSON = BEFORE.among("before_first_name") & ~(BEFORE.is_word("old") & BEFORE.is_lower)
_IS_PROPHET = BEFORE.is_word("of") & (HERE - 2).is_word(*_BOOKS)
_IS_THE = BEFORE.is_word(*_ARTICLES) & JOINED
_BY_CAPITAL = (
    _BY_WORD & ~_IS_THE & BEFORE.is_capital & ~(BEFORE.is_letter & BEFORE.is_word("i", "o"))
)
_BY_NAME = _BY_CAPITAL & JOINED
_IS_SECOND = FOLLOWS_NAME | BEFORE.among("unisex_names")
_NO_WORD = PLACE | PROPER | LISTED_SURNAME
_SAYS_NOTHING = (
    HERE.is_upper
    | IN_HEADLINE
    | BEFORE.is_upper
    | BEFORE.among("never_in_names")
    | (everyday(BEFORE) & opens_sentence(BEFORE))
)

# "Don Pedro", but "Don Henry": of cultures that have the title, and hardly a surname.
_OF_DONS = frozenset({"Argentine", "Chilean", "Colombian", "Italian", "Mexican", "Spanish"})


def _may_have(word: str, gender: str) -> bool:
    """Whether a word is mostly a first name, and of one gender where there are dons."""
    record = known(word)
    cultures = {own for own, who in record.cultures if who == gender} if record else set()
    return is_mostly_given(word) and not _OF_DONS.isdisjoint(cultures)


@memoize
def _is_don(word: str) -> bool:
    record = known(word)
    is_british = record is not None and ("British", "man") in record.cultures
    return _may_have(word, "man") and not is_british


@memoize
def _is_dona(word: str) -> bool:
    return _may_have(word, "woman")


_IS_DON = (NEXT.sign(" ") & NEXT.is_title) & (
    (HERE.is_word("don") & NEXT.that(_is_don))
    | (HERE.is_word("dona", "doña") & NEXT.that(_is_dona))
)
# "Ali bin Hassan"
_IS_FATHER = BEFORE.among("patronymic_particles") & JOINED & (HERE - 2).is_capital

# What stands behind it.
_MAY_BE_VERB = HERE.among("mostly_names", "common_words")
_OPENS_AS_VERB = _MAY_BE_VERB & OPENS_SENTENCE & NEXT_IN_PHRASE.among("after_verb")
_IS_ONLY_WORD = WORD & ~_NO_WORD


IS_REFERRED_TO = (MAN & HERE.any_around(range(2, 12), "he", "him", "himself", "his")) | (
    WOMAN & HERE.any_around(range(2, 12), "her", "hers", "herself", "she")
)
_IS_INSIDE = (BEFORE.is_lower | opens_sentence(BEFORE)) & ~HERE.sign(" & ")


_WAS_SURNAME = ~HAS_SURNAME & IS_SURNAME_NEARBY
EITHER_GENDER = HERE.among("either_gender")
"""Whether a first name is now and then one of the other gender."""
OF_BOTH_GENDERS = EITHER_GENDER | HERE.that(is_of_both)
"""Whether some culture gives a first name to the other gender."""
_IS_OF_BOTH = OF_BOTH_GENDERS & (HAS_SURNAME | BEFORE.among("before_first_name"))

RULES: tuple[Rule[Verdict], ...] = (
    Rule("names.without_capitals", ACCEPT, _IS_SMALL & ~_IS_HYPHENATED,
         "its text has no capitals, and the reader takes it for a name"),
    Rule("names.small", REJECT, ~HERE.is_capital, "it is in lower case"),
    Rule("names.written_otherwise", REJECT, _IS_WRITTEN_OTHERWISE,
         "it is an acronym, a particle, in mixed case or joined by a hyphen"),
    Rule("names.other_name", REJECT, BEGINS_OTHER_NAME,
         "the word after it makes it the name of a place or an organisation"),
    Rule("names.longer_name", REJECT, GOES_ON_AS_OTHER,
         "the capitalised words after it are those of another kind of name"),
    Rule("names.verse", REJECT, IS_VERSE, "a chapter and a verse follow it"),
    Rule("names.brand", REJECT, IS_BRAND,
         "its possessive is a brand or a restaurant"),
    Rule("names.firm", REJECT, IS_FIRM, "a word for a firm follows it"),
    Rule("names.was_surname", REJECT, _WAS_SURNAME, "it follows another name nearby"),
    Rule("names.relation", ACCEPT, _BY_WORD & _IS_PERSON & ~FOLLOWS_NAME,
         "a word that often precedes a first name stands before it"),
    Rule("names.venerated", REJECT, _BY_WORD & (BEFORE.is_word(*_BEFORE_VENERATED) | _IS_PROPHET),
         "it is a saint, a prophet or the like"),
    Rule("names.don", REJECT, _IS_DON, "it is a title before a first name"),
    Rule("names.patronymic", REJECT, _IS_FATHER, "it is the name of somebody's father"),
    Rule("names.article", REJECT, _BY_WORD & _IS_THE & (~HAS_SURNAME | PLACE | PROPER),
         "an article stands before it"),
    Rule("names.title_of_man", ACCEPT,
         _BY_CAPITAL & BEFORE.among("before_name_of_man") & (MAN | _IS_OF_BOTH)
         & ~(BEFORE.is_word("lord") & LISTED_SURNAME),
         "a title of men stands before this name of men"),
    Rule("names.title_of_other", REJECT, _BY_CAPITAL & BEFORE.among("before_name_of_man"),
         "a title for men stands before it, but it is not a man's name"),
    Rule("names.title_of_woman", ACCEPT,
         _BY_CAPITAL & BEFORE.among("before_name_of_woman") & (WOMAN | _IS_OF_BOTH),
         "a title of women stands before this name of women"),
    Rule("names.title_of_another", REJECT, _BY_CAPITAL & BEFORE.among("before_name_of_woman"),
         "a title for women stands before it, but it is not a woman's name"),
    Rule("names.full_name", ACCEPT, _BY_CAPITAL & BEFORE.among("before_surname") & HAS_SURNAME,
         "a title stands before it, and a surname after it"),
    Rule("names.titled_surname", REJECT, _BY_CAPITAL & BEFORE.among("before_surname"),
         "a title stands before it, and no surname after it"),
    Rule("names.place", REJECT, _BY_CAPITAL & BEFORE.among("before_place"),
         "a word that opens the names of places stands before it"),
    Rule("names.double_name", ACCEPT, _BY_NAME & _IS_SECOND & HAS_SURNAME & ~_NO_WORD,
         "it stands between a first name and a surname"),
    Rule("names.second_name", ACCEPT,
         _BY_NAME & _IS_SECOND & ~HAS_SURNAME & ~MARKED & HERE.among("second_names"),
         "it is often the second part of a double name"),
    Rule("names.behind_name", REJECT, _BY_NAME & _IS_SECOND,
         "it follows a first name, as a surname does"),
    Rule("names.behind_capital", REJECT, _BY_NAME & ~_SAYS_NOTHING & (MARKED | ~HAS_SURNAME),
         "it follows another capitalised word"),
    Rule("names.unmarked", ACCEPT, ~MARKED,
         "it is listed only as a first name, and nothing speaks against it"),
    Rule("names.date", REJECT,
         NEXT_IN_PHRASE.is_word("of") | NEXT_IN_PHRASE.is_digits,
         'a number or the word "of" follows it'),
    Rule("names.with_surname", ACCEPT, HAS_SURNAME, "a surname follows it"),
    Rule("names.acts", SURE,
         ~LISTED_SURNAME & ~PLACE & NEXT_IN_PHRASE.among("after_person"),
         "it does what only people do"),
    Rule("names.referred_to", SURE, NEXT_IN_PHRASE.among("after_subject") & IS_REFERRED_TO,
         "a pronoun for someone of that gender follows it"),
    Rule("names.inside", ACCEPT, ~OPENS_SENTENCE & _IS_ONLY_WORD & _IS_INSIDE,
         "within a sentence, it has a capital only as a name"),
    Rule("names.verb", REJECT, WORD & _OPENS_AS_VERB,
         "it opens a sentence, and a word that often follows a verb comes next"),
    Rule("names.unsure", UNSURE, ALWAYS, "it may be another word, or another kind of name"),
)  # fmt: skip

FOLLOWS_TITLE = (
    ~HERE.is_first
    & HERE.sign(" ", ". ")
    & BEFORE.is_capital
    & BEFORE.among("before_surname", "before_name_of_man", "before_name_of_woman")
)
"""Whether a capitalised title or word for a relative stands directly before a word."""

MAY_BE_UNLISTED = (
    (HERE.is_title | (HERE.is_upper & HERE.longer(3)))
    & ~HERE.among(
        "before_name_of_man",
        "before_name_of_woman",
        "before_surname",
        "common_words",
        "corpus_words",
        "never_in_names",
        "godly",
        "interjections",
        "languages",
        "other_titles",
        "particles",
        "peoples",
    )
    & ~HERE.is_letter
    & ~HERE.ends_with(*"0123456789")
    & ~HERE.is_word("jr", "sr", *ABBREVIATIONS)
    & ~(FOLLOWS_TITLE & ~BEFORE.among("before_first_name") & ~HAS_FOLLOWER)
    # "Kim Jong-il"
    & ~(NEXT.sign(" ") & NEXT.is_title & _SECOND.sign("-") & _SECOND.is_lower)
)
"""Whether a capitalised word that no list of first names has may be one by what stands around it.

Behind a title other than a word for a relative it is none without a name behind it. Names that are
given to girls and to boys are left out, as they say of nobody whether it is a woman or a man."""

ACTS = ~everyday(HERE) & (
    NEXT_IN_PHRASE.among("after_person", "after_subject")
    | NEXT_IN_PHRASE.ends_with("ed")
    | IS_POSSESSIVE
)
"""Whether a word is the subject of a verb, or owns what follows: "Xyla laughed", "Xyla's"."""


@memoize
def _tells_gender(word: str) -> bool:
    """Whether a surname is that of a woman: "Petrova", whose brother is called Petrov."""
    if word.endswith(_OF_WOMEN):
        return True
    word = without_accents(word)
    is_short = len(word) < _SHORTEST or not word.endswith(_OF_SISTERS)
    return not is_short and (known(word) is None or known(_of_brother(word)) is not None)


# The endings of patronymics and surnames of women, and those that many other words have.
_OF_WOMEN = ("dottir", "dóttir", "evna", "ovna", "skaya", "ová")
_OF_SISTERS, _OF_SONS, _SHORTEST = ("eva", "ova", "cka", "ska"), ("evich", "ovich"), 6


def _of_brother(word: str) -> str:
    """Return the surname of the brother: "petrov", "kowalski"."""
    return f"{word[:-1]}{'i' if word.endswith('ka') else ''}"


_IS_BEHIND_NAME = JOINED & BEFORE.is_title & ~everyday(BEFORE)
_MAY_TELL_GENDER = (
    HERE.among("gendered_names", "other_titles")
    | HERE.is_word("don", "dona", "doña")
    | BEFORE.among("patronymic_particles")
    | HERE.ends_with(*_OF_WOMEN, *_OF_SISTERS, *_OF_SONS)
)
_PREFIXES = (
    "anti", "auto", "bio", "co", "counter", "de", "eco", "euro", "ex", "hyper", "inter", "intra",
    "mega", "meta", "micro", "mid", "mini", "mono", "multi", "neo", "non", "pan", "para", "poly",
    "post", "pre", "pro", "proto", "pseudo", "quasi", "retro", "self", "semi", "sub", "super",
    "trans", "tri", "ultra", "un", "uni", "vice",
)  # fmt: skip
# "Kim Min-ji", "Tsai Ing-wen", but "Half-time" and "X-ray".
_IS_HYPHENATED = (
    (NEXT.sign("-") & NEXT.is_lower & HERE.is_title & ~_SECOND.sign("-"))
    & ~(HERE.is_letter | HERE.longer(6) | NEXT.is_letter | NEXT.longer(6) | NEXT.is_digits)
    & ~(everyday(HERE) | everyday(NEXT) | HERE.is_word(*_PREFIXES))
)
TELLS_GENDER = _IS_HYPHENATED | _MAY_TELL_GENDER & (
    _IS_DON
    | _IS_FATHER
    | (HERE.among("other_titles") & NEXT.sign(" ", ". ") & NEXT.is_title & ~NEXT.is_word("lanka"))
    | (
        _IS_BEHIND_NAME
        & (
            HERE.among("gendered_names")
            | HERE.that(_tells_gender)
            | (HERE.ends_with(*_OF_SONS) & HAS_FOLLOWER)
        )
    )
)
"""Whether a part of a name tells a gender, and has no sure counterpart: "Amrit Kaur", "Min-ji"."""

# The word before does not open a sentence, or the verb of a subject follows.
_IS_SUBJECT = NEXT_IN_PHRASE.among("after_subject", "after_person") | ~opens_sentence(BEFORE)

# Titles before a name that are surnames as well: "Eliza Lady Gaverick", but "Jack Lord acted".
_IS_TITLE = HERE.among("before_surname") | (
    HERE.is_word("dame", "lady", "lord", "miss", "sir") & HAS_FOLLOWER
)
_MAY_END_NAME = JOINED & ~_IS_TITLE & ~NEXT_IN_PHRASE.is_word("of")


@memoize
def _is_about_people(word: str) -> bool:
    return is_people(word) or is_person_noun(word) or is_modifier(word)


_IS_SURE_NAME = BEFORE.that(is_first_name) & (BEFORE.is_title | BEFORE.is_capitals)
_IS_LIKELY_NAME = (
    BEFORE.among("mostly_names") & BEFORE.is_title & ~stands_in_headline(BEFORE) & _IS_SUBJECT
)
# "saw Jack Monk", not "St. Thomas Monk"
_FOLLOWS_FIRST_NAME = (_IS_SURE_NAME | _IS_LIKELY_NAME) & (
    BEFORE.is_first | ~(HERE - 2).among("before_place")
)

_MAY_FOLLOW = ~HERE.is_first & HERE.sign(" ", ". ") & HERE.is_capital
_IS_BEHIND_TITLE = _MAY_FOLLOW & BEFORE.among("before_surname")
SURNAME = (
    Rule(
        "surnames.titled", True, _IS_BEHIND_TITLE & BEFORE.is_capital, "a title stands before it"
    ),  # "Mr. Prince"
    Rule("surnames.full_name", True, _MAY_FOLLOW & _FOLLOWS_FIRST_NAME & _MAY_END_NAME,
         "a first name stands before it"),
    Rule("surnames.none", False, ALWAYS, "neither a title nor a first name stands before it"),
)  # fmt: skip
"""Whether a capitalised term stands where a surname does: "Mr. Prince", "Debra Monk"."""


def _unknown(place: TokenRef) -> Predicate:
    """Whether a word is capitalised and neither an everyday word nor one about people."""
    return place.longer(1) & place.is_title & ~everyday(place) & ~place.that(_is_about_people)


_IS_BEHIND = ~HERE.is_first & JOINED & _unknown(BEFORE)
IS_IN_NAME = (
    ((HAS_FOLLOWER & _unknown(NEXT)) | (_IS_BEHIND & _IS_SUBJECT)) & ~IN_HEADLINE & ~IS_HYPHENATED
)
"""Whether a term that is a name as well is joined to another word of a name: "Islam Karimov"."""
