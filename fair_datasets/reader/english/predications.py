"""Whether a demographic word ("white", "old", "Asian") describes people, and how.

It may be said of a person: "she is Muslim", "called him gay". The rules look at classes of words at
most eight words away, within the sentence. In case of doubt a word is no description of people.
"""

from collections.abc import Callable
from functools import cache

import numpy as np

from fair_datasets.reader.english.lists import BE_FORMS, words
from fair_datasets.reader.english.neighbours import (
    BEFORE,
    HERE,
    LAST,
    NEXT,
    is_between,
    is_blank,
    is_field,
    is_first_name,
    is_people,
    may_be_noun,
    opens_sentence,
    place_of,
    stands_before_noun,
    stands_in_headline,
)
from fair_datasets.reader.english.noun_phrases import (
    REACH,
    conjunction,
    counts,
    ends_at_person,
    ends_phrase,
    function_word,
    head_of_subject,
    is_blank_or_apostrophe,
    modifier,
    names_person,
    opens_name,
    opens_predicate,
    opens_question,
    people,
    person_noun,
    subject_is_person,
)
from fair_datasets.reader.english.verbs import is_base, is_past_participle
from fair_datasets.reader.load import BEHIND_NOUN, SENSE
from fair_datasets.reader.matching.predicates import ALWAYS, NEVER, Predicate, Rule, choose
from fair_datasets.reader.matching.token_batch import Candidates, Places
from fair_datasets.reader.matching.token_refs import TokenRef, asked_at

_POSSESSORS = ("her", "his", "its", "my", "our", "some", "their", "your")
_ALSO_OF_THINGS = ("black", "brown", "old", "straight", "white", "young")
# How many words before "they" those whom it means are looked for.
_REACH_OF_THEY = 12
# Within how many words of "gay" another word tells that it means an orientation.
_REACH_OF_SUBJECT = 40
# Within how many words of "blacks" another word tells that they are horses or colours.
_REACH_OF_COLOURS = 16
# How many words stand before or behind it in a text that could tell.
_LONG = 12


# Of our days, or about an orientation: else "he was gay" and "she is straight" are of a mood and
# of honesty, as they are in the prose of a hundred years ago.
_IS_STATED = HERE.any_near(_REACH_OF_SUBJECT, of="told_orientation")
_IS_LONG = (HERE - _LONG).is_there | (HERE + _LONG).is_there
IS_UNTOLD = (HERE.is_word("gay", "straight") & _IS_LONG & ~_IS_STATED).costly
"""Whether nothing in a text of some length tells that "gay" or "straight" is an orientation."""
_IS_PAST = HERE.any_before(3, "was", "were")
# "So white", "unusually gay": whom a group has is no matter of degree.
_IS_GRADED = BEFORE.is_word(
    "awfully", "extremely", "how", "perfectly", "quite", "rather", "so", "too", "unusually", "very"
)  # fmt: skip
_IS_OF_SPEAKERS = HERE.any_before(2, "am", "are", "im", "m", "re", "youre")
_IS_OF_ONE = ~LAST.ends_with("s", "men", "people") | ((HERE - 1).ends_with("ly") & HERE.sign(" "))
OTHER_SENSE = IS_UNTOLD & (
    (HERE.is_word("gay") & ~LAST.among("company_of_today"))
    | (HERE.is_word("straight") & _IS_OF_ONE & ~_IS_OF_SPEAKERS)
)
"""Whether "gay gentleman" or "a straight man" is a cheerful or an honest one."""
IS_MOOD = (
    LAST.is_word("gay")
    & ((LAST + 1).is_word("about", "again") | ((_IS_PAST | _IS_GRADED) & IS_UNTOLD))
) | (
    LAST.is_word("straight")
    & (
        (~_IS_OF_SPEAKERS & IS_UNTOLD)
        | (LAST + 1).is_word("ahead", "before", "down", "through", "up")
    )
)
"""Whether a word for an orientation is said of a mood, or of how someone stands."""
_OF_THINGS = LAST.is_word(*_ALSO_OF_THINGS)


@cache
def _means_people(distance: int) -> Predicate:
    """Whether persons stand before "they", and no things between."""
    place = HERE - distance
    persons = person_noun(place) | (people(place) & place.ends_with("s"))
    things = place.longer(3) & place.ends_with("s") & ~function_word(place)
    rest = ~things & _means_people(distance + 1) if distance < _REACH_OF_THEY - 1 else NEVER
    return (place.is_there & ~opens_sentence(place + 1) & (persons | rest)).costly


@cache
def _links_person(verb: TokenRef) -> Predicate:
    """Whether a linking verb links a term to a person."""
    before = verb - 1
    is_short = verb.is_word("s", "m", "re") & ~verb.sign("'", "’", "")
    joined = verb.is_word("im", "hes", "shes", "theyre", "youre")
    opens = verb.is_first | ~verb.sign_that(is_blank_or_apostrophe)
    being = verb.is_word("being") & (opens | before.among("prepositions"))
    infinitive = (
        verb.is_word("be")
        & before.is_word("to")
        & (verb - 2).is_there
        & ~_OF_THINGS
        & (verb - 2).among("attitudes")
    )
    head = head_of_subject(verb)
    person = names_person(head) & (
        ~head.is_word("them", "they") | ~_OF_THINGS | asked_at(head, _means_people(1))
    )
    return (~is_short & (joined | being | infinitive | person.costly)).costly


@cache
def _is_asked(subject: TokenRef) -> Predicate:
    """Whether a question is what a person is: "Is your dentist Hindu?"."""
    be = (*BE_FORMS, "isn", "aren", "wasn", "weren")

    def from_(distance: int) -> Predicate:
        place = subject - distance
        is_be = place.is_word(*be)
        asks = (
            opens_sentence(place)
            | ~place.sign_that(is_blank)
            | opens_question(place - 1)
            | subject.among("personal_subjects")
        )
        inside = (
            place.among("determiners")
            | modifier(place)
            | place.is_word("s", "t")
            | person_noun(place)
            | place.is_capital
        )
        rest = inside & from_(distance + 1) if distance < REACH - 1 else NEVER
        return (
            place.is_there
            & (place + 1).sign_that(is_blank_or_apostrophe)
            & choose(is_be, asks, rest).costly
        ).costly

    return from_(1)


@cache
def _named(place: TokenRef) -> Predicate:
    """Whether a word is a person who is called something: "called him gay"."""
    return (
        ~(place.is_word("them", "they") & _OF_THINGS)
        & place.among("named_persons")
        & (place - 1).among("naming_verbs")
    )


def _between(place: TokenRef) -> Predicate:
    return place.that(is_between) | modifier(place) | conjunction(place)


@cache
def _linked_to_person(distance: int) -> Predicate:
    """Walk back from a term to what links it to a person."""
    place = HERE - distance
    rest = _linked_to_person(distance + 1) if distance < REACH - 1 else NEVER
    is_named = ~place.is_first & _named(place)
    is_person = ~place.is_first & names_person(place)
    by_word = choose(
        place.is_word("as"),
        (place - 1).among("naming_verbs"),
        choose(
            place.among("linking_verbs"),
            _links_person(place),
            is_named | choose(is_person, _is_asked(place), _between(place) & rest),
        ),
    )
    gap = (place + 1).sign_that(_is_inside_clause)
    return (place.is_there & gap & by_word.costly).costly


def _is_inside_clause(sign: str) -> bool:
    return is_blank_or_apostrophe(sign) or sign == ", "


_BEHIND = (LAST + 1).where((LAST + 1).is_there & (LAST + 1).sign_that(is_blank))
_IS_OF_FACE = (
    HERE.any_near(6, of="pallors")
    | _IS_GRADED
    | BEFORE.is_word("look", "looked", "looks", "turned", "turns")
)
DESCRIBES_PERSON = (
    ~_BEHIND.among("against_predicate")
    & ~(LAST.is_word("black", "brown", "white") & _IS_OF_FACE)
    & ~IS_MOOD
    & (ends_phrase(LAST) | conjunction(_BEHIND))
    & _linked_to_person(1)
).costly


_QUOTES = "\"'“”‘’"
_BLANKS_AND_QUOTES = " \n\t" + _QUOTES

# Conditions on a word that is walked over.
_STARTS = HERE.sign_that(
    lambda sign: sign.strip(_BLANKS_AND_QUOTES) in ("", ",", "/", "&", "-") and sign.count("\n") < 2
)
_PAUSES = HERE.sign_that(lambda sign: sign.strip() in (",", "/", "&")) | conjunction(HERE)
_IS_COMPOUND = (HERE + 1).is_there & (HERE + 1).sign("-")
_HYPHENS = [(HERE + distance).is_there & (HERE + distance).sign("-") for distance in range(1, 5)]


def _end_of_compound(reach: int = 0) -> TokenRef:
    """Return the last word of a hyphenated compound."""
    here = HERE + reach
    return here if reach == 4 else _end_of_compound(reach + 1).where(_HYPHENS[reach], here)


_END = _end_of_compound()
_FIELD = HERE.that(is_field)
_IS_NOUN = choose(
    _IS_COMPOUND,
    person_noun(HERE) & ((HERE + 1).is_word("in") | person_noun(_END)),
    choose(
        person_noun(HERE),
        choose(
            HERE.among("often_before_nouns") | modifier(HERE),
            ends_at_person(HERE),
            ALWAYS,
        ),
        HERE.ends_with("s") & ~HERE.ends_with("ss") & people(HERE),
    ),
) | opens_name(HERE)
_MODIFIES = HERE.that(stands_before_noun)
_NUMBER = counts(HERE)
_MAY_BE_NOUN = HERE.that(may_be_noun) & ends_at_person(HERE)


def _opens_quote(sign: str) -> bool:
    return sign[:1].isspace() and bool(sign.strip()) and sign.strip() in _QUOTES


_QUOTE_OPENS = NEXT.sign_that(_opens_quote)
_BLANK_BEHIND = (HERE + 1).sign_that(is_blank)


def _described_noun(candidates: Candidates) -> Places:
    """Find the noun for persons that each adjective stands before, or what is nowhere."""
    words, lasts = candidates.words, candidates.places
    nouns = np.full(len(lasts), candidates.nowhere, np.int64)
    opens_quote = candidates.holds(_QUOTE_OPENS)
    in_fields = np.zeros(len(lasts), np.bool_)
    paused = in_fields.copy()
    rows, place = np.arange(len(lasts)), lasts + 1
    while len(rows):
        is_near = ~words.is_end[place] & (place < lasts[rows] + 1 + REACH)
        rows, place = rows[is_near], place[is_near]
        if not len(rows):
            break
        here = Candidates(words, place)
        starts = here.holds(_STARTS)
        paused[rows] |= here.holds(_PAUSES)
        joins = here.holds(conjunction(HERE))
        end = here.at(_END)
        is_compound, is_field = end > place, here.holds(_FIELD)
        was_paused, was_in_fields = paused[rows], in_fields[rows]
        # In the order of the questions: what is decided first counts.
        is_open = starts & ~joins
        stops = is_open & was_paused & was_in_fields & ~is_compound & ~is_field
        is_open &= ~stops
        is_noun = is_open & here.holds(_IS_NOUN)
        is_open &= ~is_noun
        is_separate = opens_quote[rows] & here.holds(_BLANK_BEHIND)
        good = is_noun & ~was_paused & ~is_separate
        nouns[rows[good]] = place[good]
        modifies = is_open & (
            is_compound | here.holds(_MODIFIES) | (was_paused & here.holds(_NUMBER))
        )
        as_noun = modifies & ~was_paused & here.holds(_MAY_BE_NOUN)
        nouns[rows[as_noun]] = place[as_noun]
        paused[rows[modifies]] = False
        fields = is_open & ~modifies & is_field & ~(was_paused & ~was_in_fields)
        in_fields[rows[fields]], paused[rows[fields]] = True, False
        goes_on = (starts & joins) | (modifies & ~as_noun) | fields
        place = np.where(joins, place + 1, end + 1)
        rows, place = rows[goes_on], place[goes_on]
    return nouns


@cache
def described_noun(last: TokenRef) -> TokenRef:
    """Return the noun for persons that an adjective stands before.

    Returns:
        The place of the noun; nowhere if there is none.
    """

    def find(candidates: Candidates) -> Places:
        at = candidates.at(last)
        nouns = np.full(len(at), candidates.nowhere, np.int64)
        asked = (at != candidates.nowhere).nonzero()[0]
        if len(asked):
            nouns[asked] = _described_noun(Candidates(candidates.words, at[asked]))
        return nouns

    return place_of(find)


_AFTER = LAST + 1
_REACH_OF_ORIGIN = 4
_NOMINAL_ENDINGS = ("ch", "ese", "sh")
# A hyphen joins the term to a word of another kind.
_BELONGS_TO_WORD = (~HERE.is_first & HERE.sign("-") & ~people(BEFORE)) | (
    _AFTER.is_there
    & (_AFTER.sign("-") | _AFTER.is_word("speaking"))
    & ~(people(_AFTER) | _AFTER.is_word("born"))
)

# A capitalised term is part of a name: "Jack Black", "the White House".
_SHOUTED = LAST.is_capitals
_IS_LIKE_NAME = ~function_word(BEFORE) & ~modifier(BEFORE) & ~counts(BEFORE)
_BEHIND_NAME = (
    ~HERE.is_first
    & HERE.sign(" ", ". ", " & ")
    & (
        BEFORE.among("before_surname")
        | (BEFORE.is_capital & ~HERE.sign(". ") & _IS_LIKE_NAME & ~_SHOUTED)
    )
)


_IS_NATION = ~_OF_THINGS
_IS_ALL_OF_THEM = (
    _AFTER.is_word("men", "people", "women")
    & ~(_AFTER + 1).sign_that(lambda sign: sign in "'’")
    & (~(_AFTER + 1).is_there | ~(_AFTER + 1).sign(" ") | (_AFTER + 1).is_lower)
)
_IS_NO_NAME = (
    (
        _AFTER.that(is_first_name)
        & _AFTER.is_title
        & ~(HERE.is_word("christian") & HERE.is_first)
        & ~HERE.is_word("black", "white")  # "Black Michael"
    )
    | _AFTER.among("before_surname")
    | (_IS_NATION & (_AFTER.among("offices") | _IS_ALL_OF_THEM))
    | people(_AFTER)
    | _AFTER.is_word("i")
)
_BEFORE_NAME = (
    _AFTER.is_there
    & _AFTER.sign(" ", " & ")
    & _AFTER.is_capital
    & ~(_SHOUTED & _AFTER.is_capitals)
    & ~_IS_NO_NAME
)
_BELONGS_TO_NAME = HERE.is_capital & ~stands_in_headline(HERE) & (_BEHIND_NAME | _BEFORE_NAME)


def _is_plural_of_thing(word: str) -> bool:
    return word[:-1] in _ALSO_OF_THINGS


def _is_double_plural(word: str) -> bool:
    return is_people(word + "s")


_IS_PLURAL = LAST.ends_with("men", "women", "folk", "people") | (
    LAST.ends_with("s")
    & ~LAST.ends_with("ous", "ss", "us")
    & ~LAST.that(_is_double_plural)
    & ~(
        LAST.that(_is_plural_of_thing)
        & (
            _AFTER.is_word("of")
            | BEFORE.among("before_plural_things")
            | HERE.any_near(_REACH_OF_COLOURS, of="beside_plural_things")
            | (LAST.is_word("whites") & HERE.any_near(_REACH_OF_COLOURS, "eye", "eyes"))
        )
    )
)


_NOUN = described_noun(LAST)
_HAS_NOUN = _NOUN.is_there


def _is_noun_of(name: str) -> Callable[[str], bool]:
    """Return what tells whether a noun of a list is there, in the singular or the plural."""
    return lambda word: not {word, word.removesuffix("s")}.isdisjoint(words(name))


_IS_NEXT = Predicate(lambda candidates: candidates.at(_NOUN) == candidates.at(LAST) + 1)
# "old friend", and the teacher of French
IS_INAPT = (
    (LAST.is_word("old") & _NOUN.that(_is_noun_of("known_for_long")))
    | (LAST.among("languages") & _IS_NEXT & _NOUN.that(_is_noun_of("language_nouns")))
    | (
        LAST.is_word("gay")
        & (
            (BEFORE.is_word("the") & _AFTER.that(is_first_name) & _AFTER.is_title)
            | (~_NOUN.among("company_of_today") & IS_UNTOLD)
        )
    )
    | (
        LAST.is_word("straight")
        & ~people(_AFTER)
        & ~_NOUN.ends_with("s", "men", "people")
        & IS_UNTOLD
    )
    | IS_MOOD
)


# Where someone's forebears are from: "of Asian descent".
def _origin(distance: int = 1) -> Predicate:
    place = LAST + distance
    goes_on = conjunction(place) | people(place)
    rest = _origin(distance + 1) if distance < _REACH_OF_ORIGIN else NEVER
    return choose(goes_on, rest, place.among("origins"))


@cache
def _linked_by_from(distance: int) -> Predicate:
    """Walk back over words and look for "of" or "from"."""
    place = HERE - distance
    at_of = (
        ~place.is_first
        & place.is_word("of", "from")
        & choose(
            (place - 1).among("linking_verbs"),
            subject_is_person(place),
            names_person(place - 1),
        )
    )
    if distance > _REACH_OF_ORIGIN:
        return at_of
    skips = ~place.is_first & (conjunction(place) | modifier(place))
    return (place.is_there & choose(skips, _linked_by_from(distance + 1), at_of.costly)).costly


# "German-born"
_SAYS_ORIGIN = (_origin() & _linked_by_from(1)).costly | (_AFTER.sign("-") & _AFTER.is_word("born"))


# A noun without another noun: "an Asian", "the elderly".
def _determiner_place(candidates: Candidates) -> Places:
    """Walk back over adjectives to what may be the determiner."""
    place = candidates.at(BEFORE).copy()
    space = candidates.words.signs.number(" ")
    limit = np.maximum(candidates.first, candidates.places - 4)
    goes = ((place != candidates.nowhere) & (place > limit)).nonzero()[0]
    while len(goes):
        here = place[goes]
        is_modifier = Candidates(candidates.words, here).holds(modifier(HERE))
        is_modifier &= candidates.words.sign[here + 1] == space
        goes = goes[is_modifier]
        place[goes] -= 1
        goes = goes[place[goes] > limit[goes]]
    return place


_DETERMINER = place_of(_determiner_place)
_IS_NEAR = _DETERMINER.is_there & (_DETERMINER + 1).sign_that(is_blank)
_IS_NOMINAL = LAST.is_word(
    "aged", "elderly", "inuit", "iroquois", "middle-aged", "old", "sioux", "swiss", "young"
) | (people(LAST) & LAST.ends_with(*_NOMINAL_ENDINGS))
_OPENS_CLAUSE = (
    opens_sentence(_DETERMINER)
    | ~_DETERMINER.sign_that(is_blank)
    | conjunction(_DETERMINER - 1)
    | opens_question(_DETERMINER - 1)
)
_ENDS = ends_phrase(LAST)
_NAMES_GROUP = (
    ~((_DETERMINER.is_word(*_POSSESSORS) | _AFTER.is_word("of", "for")) & LAST.among("languages"))
    & _DETERMINER.among("plural_determiners")
    & ~(_AFTER.is_word("new", "one") | (LAST + 2).is_word("new") | (LAST + 3).is_word("new"))
)
_IS_GROUP = (_ENDS | (_OPENS_CLAUSE & opens_predicate(_AFTER))) & _NAMES_GROUP
_IS_ADJECTIVE = LAST.among("never_nouns") | (LAST.ends_with("ic") & ~people(LAST))
_BEHIND_ANY = (
    (HERE - 2).is_word("a", "an")
    & (HERE - 1).sign(" ")
    & BEFORE.is_lower
    & ~function_word(BEFORE)
    & (people(LAST) | person_noun(LAST))
)
_IS_BEFORE = Predicate(lambda candidates: candidates.at(_DETERMINER) == candidates.places - 1)
# "the Asian swing", but "an Asian put it"
_IS_BEFORE_NOUN = (
    _AFTER.sign(" ") & _AFTER.that(is_base) & ~_AFTER.among("after_subject", "after_phrase")
)
_IS_SINGULAR = (
    _ENDS
    & ~_IS_BEFORE_NOUN
    & ~_IS_ADJECTIVE
    & ~LAST.ends_with("s")
    & ~(LAST.among("languages") & _DETERMINER.is_word(*_POSSESSORS))
    & (_DETERMINER.among("determiners_of_one") | (_IS_BEFORE & _BEHIND_ANY))
)


@cache
def _before_person(distance: int = 1) -> Predicate:
    """Whether a noun for persons ends the phrase of a word, whatever stands between."""
    place = LAST + distance
    goes_on = place.is_there & place.sign_that(_goes_on) & ~function_word(place)
    rest = _before_person(distance + 1) if distance < REACH - 1 else NEVER
    return (goes_on & (person_noun(place) | rest)).costly


def _goes_on(sign: str) -> bool:
    return is_blank(sign) or sign in (", ", "-", "/")


# "Who uses a wheelchair", "with a disability"
_IS_BEHIND = HERE.is_word("who", "with", "without")
# "The first openly gay mayor", "an Irish rock legend", "that he was gay": as good as their tag.
_IS_BEFORE_ANY = (
    _AFTER.sign(" ")
    & _AFTER.is_lower
    & ~(function_word(_AFTER) | conjunction(_AFTER) | _AFTER.ends_with("ed", "ly"))
    & ~(_AFTER.among("after_subject") | _AFTER.that(is_past_participle))
    & ~_AFTER.that(_is_noun_of("language_nouns"))
    & (LAST.is_word("bisexual", "gay", "homosexual", "lesbian") | _before_person())
)
# "White privilege", and no colour
_HAD_BY_GROUP = (
    "culture", "history", "neighborhood", "neighborhoods", "power", "privilege", "supremacy"
)  # fmt: skip
MAY_DESCRIBE_PEOPLE = ~(_BELONGS_TO_NAME | _IS_BEHIND) & (
    _IS_BEFORE_ANY
    | (
        LAST.is_word("black", "white")
        & HERE.sign(" ", ", ", " (")
        & ~_DETERMINER.among("determiners_of_one")
    )
)
"""Whether a word may describe people as the others of a text do: "the white agent"."""
_IS_PREFIXED = HERE.sign("-") & BEFORE.is_word("anti", "half", "non", "part", "pro")
_DESCRIBES_IT = _ENDS & BEFORE.is_word(*BE_FORMS, "be", "being", "half", "not", "part")
DESCRIBES_THING = (
    _AFTER.is_there
    & _AFTER.sign(" ")
    & _AFTER.is_lower
    & ~_AFTER.ends_with("ly")
    & ~LAST.ends_with("s")
    & (~_OF_THINGS | _AFTER.is_word(*_HAD_BY_GROUP))
    & ~(_BELONGS_TO_WORD | _IS_BEHIND)
    & ~function_word(_AFTER)
    & ~(LAST.among("languages") & _AFTER.that(_is_noun_of("language_nouns")))
    & ~_AFTER.is_word("country", "dialect", "grammar", "language", "languages", "speaking")
    & ~_ENDS
) | (
    ~HERE.is_first
    & ~LAST.ends_with("s")
    & ~_OF_THINGS
    & ~LAST.among("languages")
    & (_IS_PREFIXED | _DESCRIBES_IT)
)
"""Whether a word for people is said of a thing: "the Jewish faith", "anti-Jewish"."""
_IS_COLOUR = _OF_THINGS & LAST.is_lower
MEANS_GROUP = (
    ~_IS_COLOUR
    | (_AFTER.sign("-") & person_noun(_AFTER))
    | (BEFORE.among("linking_verbs") & (HERE - 2).is_word("who"))
)
"""Whether a word that describes no people is about a group all the same, and is no colour."""

# The verb of what is said: "was always old"
_VERB = BEFORE.where(~BEFORE.is_word("always", "not", "now", "once", "still", "t"), HERE - 2)
_MAY_DESCRIBE = (
    ~_OF_THINGS
    & ~(IS_INAPT | OTHER_SENSE)
    & (
        _IS_BEFORE_ANY
        | (_VERB.among("linking_verbs") & ~LAST.among("languages") & ends_phrase(LAST))
    )
).costly

# "People with disabilities", but "deal with disabilities", "Americans with Disabilities Act"
_IS_BEHIND_NOUN = (
    _IS_BEHIND
    & HERE.sign(" ")
    & LAST.is_lower
    & (
        person_noun(BEFORE)
        | people(BEFORE)
        | BEFORE.among("personal_subjects")
        | BEFORE.is_word("those")
    )
)
_IS_COMMUNITY = HERE.is_word("deaf") & HERE.is_title & ~opens_sentence(HERE)

USED: tuple[Rule[str], ...] = (
    Rule("people.other_word", "", _BELONGS_TO_WORD, "a hyphen or an age joins it to another word"),
    Rule("people.name", "", _BELONGS_TO_NAME, "it is part of a name"),
    Rule(BEHIND_NOUN, "adjective", _IS_BEHIND_NOUN, "it stands behind a noun for people"),
    Rule("people.behind_other", "", _IS_BEHIND, "no noun for people stands before it"),
    Rule("people.community", "", _IS_COMMUNITY, "with a capital, it names a community"),
    Rule("people.plural", "plural", _IS_PLURAL, "it is a plural for people"),
    Rule("people.before_noun", "adjective", (_HAS_NOUN & ~IS_INAPT).costly,
         "it describes a noun for people"),
    Rule("people.origin", "adjective", _SAYS_ORIGIN, "it says where someone's forebears are from"),
    Rule("people.said", "adjective", DESCRIBES_PERSON, "it is said of a person"),
    Rule("people.group", "plural", _IS_NEAR & _IS_NOMINAL & _IS_GROUP.costly,
         "a determiner stands before it, and no noun after it"),
    Rule("people.singular", "singular", _IS_NEAR & _IS_SINGULAR.costly,
         "a singular determiner stands before it, and no noun after it"),
    Rule(SENSE, "adjective", _MAY_DESCRIBE, "its tag"),
    Rule("people.other", "", ALWAYS, "nothing says that it describes people"),
)  # fmt: skip

# "Tom was old" becomes "was a child", as nobody is teenage; but "old and sick", "looks old".
_IS_ALONE = ~_HAS_NOUN & ends_phrase(LAST) & ~(conjunction(_AFTER) & _AFTER.sign(" "))
_IS_PREDICATE = _IS_ALONE & (
    _VERB.is_word("am", "be", "became", "become", "been", "being", "hes", "im", "is", "isn", "m")
    | _VERB.is_word("s", "shes", "was", "wasn")
)
_ARE_PREDICATES = _IS_ALONE & _VERB.is_word("are", "aren", "re", "theyre", "were", "weren")
_IS_YOU = (_VERB - 1).is_word("you") | (_VERB + 1).is_word("you")
_WERE_SEVERAL = HERE.any_before(5, "they", "these", "those", "we")
FINER = {
    "predicate": ("adjective", (_IS_PREDICATE & ~_WERE_SEVERAL) | (_ARE_PREDICATES & _IS_YOU)),
    "predicate plural": (
        "adjective",
        (_ARE_PREDICATES & ~_IS_YOU) | (_IS_PREDICATE & _WERE_SEVERAL),
    ),
    "group": ("plural", ~LAST.ends_with("s")),
}
"""What a word is said of, or that it stands for a group, where its row tells that apart."""
