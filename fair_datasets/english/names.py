"""First names in context: telling a person's first name from a word, a place or a surname.

An unmarked name is read wherever it is capitalised and stands in no surname's, place's, brand's or
work's position; a marked one ("Will", "Paris") needs evidence.
"""

from fair_datasets.english.names_of_others import (
    BEGINS_OTHER_NAME,
    GOES_ON_AS_OTHER,
    IS_BRAND,
    IS_FIRM,
    IS_REGION,
    IS_VERSE,
    OWNING,
)
from fair_datasets.english.neighbours import (
    BEFORE,
    FOLLOWER,
    HERE,
    IN_HEADLINE,
    JOINED,
    NEXT,
    NEXT_IN_PHRASE,
    OPENS_SENTENCE,
    PREVIOUS,
    everyday,
    opens_sentence,
)
from fair_datasets.english.repeated_names import IS_SURNAME_NEARBY
from fair_datasets.english.word_kinds import is_first_name
from fair_datasets.matching.conditions import ALWAYS, Rule, fact
from fair_datasets.matching.language import Verdict

_HYPHENS = ("-", "‐", "‑", "–")


ACCEPT, UNSURE, REJECT, SURE = Verdict

WORD, PLACE, PROPER, SURNAME = map(fact, ("word", "place", "proper", "surname"))
PLACE |= HERE.among("places_too")
MARKED = WORD | PLACE | PROPER | SURNAME
MAN, WOMAN = map(fact, ("man", "woman"))
FOLLOWS_NAME = fact("follows a name")
_IS_SMALL = fact("without capitals")

SECOND = HERE + 2
HAS_FOLLOWER = FOLLOWER.is_there
# A surname may be behind: no everyday word, no acronym; "Bill de Blasio".
_IS_IRISH = NEXT.is_word("o", "d") & NEXT.is_capital & SECOND.sign(*OWNING)
HAS_SURNAME = (NEXT.sign(" ") & _IS_IRISH & SECOND.is_capital) | HAS_FOLLOWER & (
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


# "Will Liam Brown stay?"
_IS_FUTURE = (
    HERE.is_word("will")
    & (NEXT.sign(" ") & NEXT.that(is_first_name) & SECOND.sign(" ") & SECOND.is_capital).costly
)

# What stands before it.
_IS_TITLED = HERE.sign(" ", ". ", ".")
_TELLS = BEFORE.among("before_first_name", "before_venerated", "articles") | BEFORE.is_word("of")
_IS_TOLD = ~HERE.is_first & _IS_TITLED & (_TELLS | BEFORE.is_capital)
_IS_INITIAL = _IS_TOLD & BEFORE.is_letter & BEFORE.is_capital & HERE.sign(". ", ".")
_BY_WORD = _IS_TOLD & ~_IS_INITIAL
_IS_PERSON = BEFORE.among("before_first_name") & ~(BEFORE.is_word("old") & BEFORE.is_lower)
_IS_PROPHET = BEFORE.is_word("of") & (HERE - 2).among("before_prophet")
_IS_THE = BEFORE.among("articles") & JOINED
_BY_CAPITAL = (
    _BY_WORD & ~_IS_THE & BEFORE.is_capital & ~(BEFORE.is_letter & BEFORE.is_word("i", "o"))
)
_BY_NAME = _BY_CAPITAL & JOINED
_IS_SECOND = FOLLOWS_NAME | BEFORE.among("unisex_names")
_NO_WORD = PLACE | PROPER | SURNAME
_SAYS_NOTHING = (
    HERE.is_upper
    | IN_HEADLINE
    | BEFORE.is_upper
    | BEFORE.among("never_in_names")
    | (everyday(BEFORE) & opens_sentence(BEFORE))
)

# What stands behind it.
_MAY_BE_VERB = HERE.among("mostly_names", "common_words")
_OPENS_AS_VERB = _MAY_BE_VERB & OPENS_SENTENCE & NEXT_IN_PHRASE.among("after_verb")
_IS_ONLY_WORD = WORD & ~_NO_WORD


IS_REFERRED_TO = (MAN & HERE.any_around(range(2, 12), of="pronouns_of_man")) | (
    WOMAN & HERE.any_around(range(2, 12), of="pronouns_of_woman")
)
_IS_INSIDE = (BEFORE.is_lower | opens_sentence(BEFORE)) & ~HERE.sign(" & ")


_WAS_SURNAME = ~HAS_SURNAME & IS_SURNAME_NEARBY

RULES: tuple[Rule[Verdict], ...] = (
    Rule("names.without_capitals", ACCEPT, _IS_SMALL & ~_IS_HYPHENATED,
         "its text has no capitals, and the reader takes it for a name"),
    Rule("names.small", REJECT, ~HERE.is_capital, "it is in lower case"),
    Rule("names.written_otherwise", REJECT, _IS_WRITTEN_OTHERWISE,
         "it is an acronym, a particle, in mixed case or joined by a hyphen"),
    Rule("names.other_name", REJECT, BEGINS_OTHER_NAME,
         "the word behind it makes it the name of a place or an organisation"),
    Rule("names.longer_name", REJECT, GOES_ON_AS_OTHER,
         "the capitalised words behind it are those of another kind of name"),
    Rule("names.verse", REJECT, IS_VERSE, "a chapter and a verse stand behind it"),
    Rule("names.region", REJECT, IS_REGION,
         "a comma and the name of a region stand behind it"),
    Rule("names.brand", REJECT, IS_BRAND,
         "its possessive is a brand or a restaurant"),
    Rule("names.firm", REJECT, IS_FIRM, "a word for a firm stands behind it"),
    Rule("names.future", REJECT, _IS_FUTURE, "it opens a question about the name behind it"),
    Rule("names.was_surname", REJECT, _WAS_SURNAME, "it stands behind another name nearby"),
    Rule("names.relation", ACCEPT, _BY_WORD & _IS_PERSON & ~FOLLOWS_NAME,
         "a word that stands before first names stands before it"),
    Rule("names.venerated", REJECT, _BY_WORD & (BEFORE.among("before_venerated") | _IS_PROPHET),
         "it is someone whom the text is not about as a man or a woman"),
    Rule("names.article", REJECT, _BY_WORD & _IS_THE & (~HAS_SURNAME | PLACE | PROPER),
         "an article stands before it"),
    Rule("names.title_of_man", ACCEPT,
         _BY_CAPITAL & BEFORE.among("before_name_of_man") & MAN
         & ~(BEFORE.is_word("lord") & SURNAME),
         "a title of men stands before this name of men"),
    Rule("names.title_of_other", REJECT, _BY_CAPITAL & BEFORE.among("before_name_of_man"),
         "a title of men stands before what is no name of men"),
    Rule("names.title_of_woman", ACCEPT, _BY_CAPITAL & BEFORE.among("before_name_of_woman") & WOMAN,
         "a title of women stands before this name of women"),
    Rule("names.title_of_another", REJECT, _BY_CAPITAL & BEFORE.among("before_name_of_woman"),
         "a title of women stands before what is no name of women"),
    Rule("names.full_name", ACCEPT, _BY_CAPITAL & BEFORE.among("before_surname") & HAS_SURNAME,
         "a title stands before it, and a surname behind it"),
    Rule("names.titled_surname", REJECT, _BY_CAPITAL & BEFORE.among("before_surname"),
         "a title stands before it, and no surname behind it"),
    Rule("names.place", REJECT, _BY_CAPITAL & BEFORE.among("before_place"),
         "a word that opens the names of places stands before it"),
    Rule("names.double_name", ACCEPT, _BY_NAME & _IS_SECOND & HAS_SURNAME & ~_NO_WORD,
         "it stands between a first name and a surname"),
    Rule("names.second_name", ACCEPT,
         _BY_NAME & _IS_SECOND & ~HAS_SURNAME & ~MARKED & HERE.among("second_names"),
         "it is often the second part of a double name"),
    Rule("names.behind_name", REJECT, _BY_NAME & _IS_SECOND,
         "it stands behind a first name, as a surname does"),
    Rule("names.behind_capital", REJECT, _BY_NAME & ~_SAYS_NOTHING & (MARKED | ~HAS_SURNAME),
         "it stands behind another capitalised word"),
    Rule("names.unmarked", ACCEPT, ~MARKED, "nothing speaks against a name that is nothing else"),
    Rule("names.date", REJECT,
         NEXT_IN_PHRASE.is_word("of") | NEXT_IN_PHRASE.is_digits | PREVIOUS.is_digits,
         'a number or the word "of" stands beside it'),
    Rule("names.with_surname", ACCEPT, HAS_SURNAME, "a surname stands behind it"),
    Rule("names.acts", SURE,
         ~SURNAME & (NEXT_IN_PHRASE.among("after_person") | PREVIOUS.among("before_person")),
         "it does what only people do, or it is done to it"),
    Rule("names.referred_to", SURE, NEXT_IN_PHRASE.among("after_subject") & IS_REFERRED_TO,
         "a pronoun for someone of that gender stands behind it"),
    Rule("names.inside", ACCEPT, ~OPENS_SENTENCE & _IS_ONLY_WORD & _IS_INSIDE,
         "only as a name has it a capital within a sentence"),
    Rule("names.marked_inside", UNSURE, ~OPENS_SENTENCE,
         "within a sentence it may be a place or another name as well"),
    Rule("names.verb", REJECT, WORD & _OPENS_AS_VERB,
         "it opens a sentence, and stands before what a verb stands before"),
    Rule("names.opens", UNSURE, ALWAYS, "it opens a sentence, where a capital says nothing"),
)  # fmt: skip

EITHER_GENDER = HERE.among("either_gender")
"""Whether a first name is now and then one of the other gender."""
FOLLOWS_TITLE = (
    ~HERE.is_first
    & HERE.sign(" ", ". ")
    & BEFORE.is_capital
    & BEFORE.among("before_surname", "before_name_of_man", "before_name_of_woman")
)
"""Whether a capitalised title or word for a relative stands directly before a word."""

MAY_BE_UNLISTED = (
    (HERE.is_title | (HERE.is_upper & HERE.longer(3)))
    & ~HERE.is_letter
    & ~HERE.ends_with(*"0123456789")
    & ~HERE.is_word("jr", "sr")
    & ~HERE.among(
        "abbreviations",
        "before_name_of_man",
        "before_name_of_woman",
        "before_surname",
        "common_words",
        "corpus_words",
        "countries",
        "days",
        "godly",
        "languages",
        "particles",
        "peoples",
        "regions",
        "unisex_names",
    )
    & ~(FOLLOWS_TITLE & ~HAS_FOLLOWER)
)
"""Whether a capitalised word that no list of first names has may be one by what stands around it.

Behind a title it is none without a name behind it. Names that are given to girls and to boys are
left out, as they say of nobody whether it is a woman or a man."""
