"""Whether a demographic word ("white", "old", "Asian") describes people, and how.

The rules look at classes of words (`people.toml`) at most eight words away, within the sentence. In
case of doubt a word is no description of people.
"""

from functools import cache

import numpy as np

from fair_datasets.matching.people.person_nouns import unambiguous_first_names
from fair_datasets.matching.people.usage import _is_field, _is_modifier_here, _may_be_noun
from fair_datasets.matching.phrase_rules import (
    _NEVER,
    REACH,
    choose,
    conjunction,
    ends_at_person,
    ends_phrase,
    function_word,
    head_of_subject,
    is_blank_or_apostrophe,
    listed,
    modifier,
    names_person,
    opens_name,
    opens_predicate,
    people,
    person_noun,
    subject_is_person,
)
from fair_datasets.matching.rules import ALWAYS, Candidates, Condition, Place, Rule
from fair_datasets.matching.shapes import is_blank, opens_sentence, stands_in_headline
from fair_datasets.matching.words import Mask, Places

FIRST = Place(lambda found: found.places)
LAST = Place(lambda found: found.lasts)

_NOMINAL_ENDINGS = ("ch", "ese", "sh")
_QUOTES = "\"'“”‘’"
_BLANKS_AND_QUOTES = " \n\t" + _QUOTES
_BEFORE, _AFTER = FIRST - 1, LAST + 1


@cache
def any_case_number(place: Place) -> Condition:
    return listed(place, "numbers") | place.is_digits


# A hyphen joins the term to a word of another kind, or it tells an age.
_BELONGS_TO_WORD = (
    (listed(_BEFORE, "before_measures") & FIRST.is_word("old"))
    | (~FIRST.is_first & FIRST.sign("-") & ~people(_BEFORE))
    | (_AFTER.is_there & _AFTER.sign("-") & ~people(_AFTER))
)

# A capitalised term is part of a name: "Jack Black", "the White House".
_SHOUTED = LAST.is_capitals
_IS_LIKE_NAME = ~function_word(_BEFORE) & ~modifier(_BEFORE) & ~any_case_number(_BEFORE)
_BEHIND_NAME = (
    ~FIRST.is_first
    & FIRST.sign(" ", ". ", " & ")
    & (
        listed(_BEFORE, "titles")
        | (_BEFORE.is_capital & ~FIRST.sign(". ") & _IS_LIKE_NAME & ~_SHOUTED)
    )
)


def _is_first_name(word: str) -> bool:
    return word.capitalize() in unambiguous_first_names()


_IS_NATION = ~listed(LAST, "also_of_things")
_IS_ALL_OF_THEM = (
    _AFTER.is_word("men", "people", "women")
    & ~(_AFTER + 1).sign_that(lambda sign: sign in "'’")
    & (~(_AFTER + 1).is_there | ~(_AFTER + 1).sign(" ") | (_AFTER + 1).is_lower)
)
_IS_NO_NAME = (
    (_AFTER.that(_is_first_name) & _AFTER.is_title)
    | listed(_AFTER, "titles")
    | (_IS_NATION & (listed(_AFTER, "offices") | _IS_ALL_OF_THEM))
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
_BELONGS_TO_NAME = (
    FIRST.is_capital & ~stands_in_headline(FIRST) & (_BEHIND_NAME | _BEFORE_NAME)
)


def _is_plural_of_thing(word: str) -> bool:
    from fair_datasets.matching.people.person_nouns import people_words

    return word[:-1] in people_words("also_of_things")


def _is_double_plural(word: str) -> bool:
    from fair_datasets.matching.people.person_nouns import is_people

    return is_people(word + "s")


_IS_PLURAL = LAST.ends_with("men", "women", "folk", "people") | (
    LAST.ends_with("s")
    & ~LAST.ends_with("ous", "ss", "us")
    & ~LAST.that(_is_double_plural)
    & ~(
        LAST.that(_is_plural_of_thing)
        & (_AFTER.is_word("of") | listed(_BEFORE, "before_plural_things"))
    )
)


# The noun that an adjective stands before.
class _Walk:
    """Conditions on a word that is walked over, which is the place of a candidate."""

    here = Place(lambda found: found.places)
    behind = here + 1


_H = _Walk.here
_STARTS = _H.sign_that(
    lambda sign: sign.strip(_BLANKS_AND_QUOTES) in ("", ",", "/", "&", "-") and sign.count("\n") < 2
)
_PAUSES = _H.sign_that(lambda sign: sign.strip() in (",", "/", "&")) | conjunction(_H)
_IS_COMPOUND = (_H + 1).is_there & (_H + 1).sign("-")
_ENDS_COMPOUND = [(_H + d).is_there & (_H + d).sign("-") for d in range(1, 5)]
_END = (_H + 4).where(
    _ENDS_COMPOUND[0] & _ENDS_COMPOUND[1] & _ENDS_COMPOUND[2] & _ENDS_COMPOUND[3],
    (_H + 3).where(
        _ENDS_COMPOUND[0] & _ENDS_COMPOUND[1] & _ENDS_COMPOUND[2],
        (_H + 2).where(
            _ENDS_COMPOUND[0] & _ENDS_COMPOUND[1], (_H + 1).where(_ENDS_COMPOUND[0], _H)
        ),
    ),
)
_FIELD = _H.that(_is_field)
_IS_NOUN = choose(
    _IS_COMPOUND,
    person_noun(_H) & ((_H + 1).is_word("in") | person_noun(_END)),
    choose(
        person_noun(_H),
        choose(
            listed(_H, "often_before_nouns") | modifier(_H),
            ends_at_person(_H),
            ALWAYS,
        ),
        _H.ends_with("s") & people(_H),
    ),
) | opens_name(_H)
_MODIFIES = _H.that(_is_modifier_here)
_NUMBER = any_case_number(_H)
_MAY_BE_NOUN = _H.that(_may_be_noun) & ends_at_person(_H)


def _opens_quote(sign: str) -> bool:
    return sign[:1].isspace() and bool(sign.strip()) and sign.strip() in _QUOTES


_QUOTE_OPENS = _AFTER.sign_that(_opens_quote)
_BLANK_BEHIND = (_H + 1).sign_that(is_blank)


def _described_noun(found: Candidates) -> Places:
    """Find the noun for persons that an adjective stands before."""
    words, lasts = found.words, found.at(LAST)
    nouns = np.full(len(lasts), found.nowhere, np.int64)
    opens_quote = found.holds(_QUOTE_OPENS)
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
        joins = here.holds(conjunction(_H))
        end = here.at(_END)
        is_compound, is_field = end > place, here.holds(_FIELD)
        was_paused, was_in_fields = paused[rows], in_fields[rows]
        # In the order of the questions: what is decided first counts.
        is_open = starts & ~joins
        stops = is_open & was_paused & was_in_fields & ~is_compound & ~is_field
        is_open &= ~stops
        is_noun = is_open & here.holds(_IS_NOUN)
        is_open &= ~is_noun
        is_apart = opens_quote[rows] & here.holds(_BLANK_BEHIND)
        good = is_noun & ~was_paused & ~is_apart
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
def described(last: Place) -> Place:
    """Return the noun for persons that an adjective stands before, whose last word is given."""

    def find(found: Candidates) -> Places:
        at = found.at(last)
        nouns = np.full(len(at), found.nowhere, np.int64)
        asked = np.flatnonzero(at != found.nowhere)
        if len(asked):
            nouns[asked] = _described_noun(Candidates(found.words, at[asked]))
        return nouns

    return Place(find)


NOUN = Place(_described_noun)
HAS_NOUN = NOUN.is_there
"""Whether the word stands before a noun for persons, which is at `NOUN`."""


def _is_apt(found: Candidates) -> Mask:
    from fair_datasets.matching.people.usage import people_words

    held = np.ones(len(found.places), np.bool_)
    lasts, nouns = found.at(LAST), found.at(NOUN)
    asked = np.flatnonzero((nouns != found.nowhere) & found.holds(_MAY_BE_INAPT))
    for j in asked.tolist():
        word, described = found.words.lower(lasts[j]), found.words.lower(nouns[j])
        numbers = {described, described.removesuffix("s")}
        if word == "christian":
            between = {found.words.lower(p) for p in range(lasts[j] + 1, nouns[j] + 1)}
            held[j] = people_words("christian_things").isdisjoint(between)
        elif word == "old":
            held[j] = not numbers & people_words("known_for_long")
        elif word in people_words("languages") and nouns[j] == lasts[j] + 1:
            held[j] = not numbers & people_words("language_nouns")
    return held


_MAY_BE_INAPT = LAST.is_word("christian", "old") | listed(LAST, "languages")
IS_APT = Condition(_is_apt)


# Where someone's forebears are from: "of Asian descent".
def _origin(distance: int) -> Condition:
    place = LAST + distance
    goes = conjunction(place) | people(place)
    found = listed(place, "origins") & ~goes
    if distance < 4:
        if distance < 3 + 0:
            return place.is_there & choose(goes, _origin(distance + 1), listed(place, "origins"))
        return place.is_there & choose(goes, _origin_end(distance + 1), listed(place, "origins"))
    return found


def _origin_end(distance: int) -> Condition:
    place = LAST + distance
    return place.is_there & listed(place, "origins")


@cache
def _said_from(distance: int) -> Condition:
    """Walk back over words and look for "of" or "from"."""
    place = FIRST - distance
    at_of = (
        ~place.is_first
        & place.is_word("of", "from")
        & choose(
            listed(place - 1, "linking_verbs"),
            subject_is_person(place),
            names_person(place - 1),
        )
    )
    if distance == 5:
        return at_of
    skips = ~place.is_first & (conjunction(place) | modifier(place))
    return (place.is_there & choose(skips, _said_from(distance + 1), at_of.costly)).costly


_SAYS_ORIGIN = (_origin(1) & _said_from(1)).costly


# Said of a person: "she is Muslim", "called him gay".
def _mood(lists: str) -> Condition:
    around = listed(FIRST, lists)
    goes = ALWAYS
    for d in (1, 2):
        goes = goes & (FIRST - d).is_there & (FIRST - d + 1).sign(" ", ", ")
        around = around | (goes & listed(FIRST - d, lists))
    goes = ALWAYS
    for d in (1, 2):
        goes = goes & (LAST + d).is_there & (LAST + d).sign(" ", ", ")
        around = around | (goes & listed(LAST + d, lists))
    return around


_IS_MOOD = (LAST.is_word("gay") & _mood("moods").costly) | (LAST.is_word("straight") & _mood("postures").costly)
_OF_THINGS = listed(LAST, "also_of_things")


def _are_people(found: Candidates) -> Mask:
    """Tell whether "they" are persons: whether such stand before it, and no things between."""
    held = np.zeros(len(found.places), np.bool_)
    is_open = ~held
    for d in range(1, 12):
        place = _H - d
        is_open &= found.holds(place.is_there & ~opens_sentence(place + 1))
        if not is_open.any():
            break
        persons = found.holds(person_noun(place) | (people(place) & place.ends_with("s")))
        things = found.holds(place.longer(3) & place.ends_with("s") & ~function_word(place))
        held |= is_open & persons
        is_open &= ~persons & ~things
    return held


for _d in range(1, 12):  # what the walk asks is known before texts are read
    _place = _H - _d
    (person_noun(_place), people(_place), function_word(_place), opens_sentence(_place + 1))


def _at(place: Place, condition: Condition) -> Condition:
    """Ask something of the words at a place, of which it is told as of a candidate."""

    def test(found: Candidates) -> Mask:
        at = found.at(place)
        held = np.zeros(len(at), np.bool_)
        asked = np.flatnonzero(at != found.nowhere)
        if len(asked):
            held[asked] = Candidates(found.words, at[asked]).holds(condition)
        return held

    return Condition(test)


@cache
def _links_person(verb: Place) -> Condition:
    """Tell whether a linking verb links a term to a person."""
    before = verb - 1
    is_short = verb.is_word("s", "m", "re") & ~verb.sign("'", "’", "")
    colours = listed(LAST, "face_colours") & listed(verb, "face_changes")
    joined = verb.is_word("im", "hes", "shes", "theyre", "youre")
    opens = verb.is_first | ~verb.sign_that(is_blank_or_apostrophe)
    being = verb.is_word("being") & (opens | listed(before, "prepositions"))
    infinitive = (
        verb.is_word("be")
        & before.is_word("to")
        & (verb - 2).is_there
        & ~_OF_THINGS
        & listed(verb - 2, "attitudes")
    )
    head = head_of_subject(verb)
    person = names_person(head) & (
        ~head.is_word("they", "them") | ~_OF_THINGS | _at(head, Condition(_are_people))
    )
    return (~is_short & ~colours & (joined | being | infinitive | person.costly)).costly


@cache
def _is_asked(subject: Place) -> Condition:
    """Tell whether a question is what a person is: "Is your dentist Hindu?"."""
    be = ("isn", "aren", "wasn", "weren")

    def from_(distance: int) -> Condition:
        place = subject - distance
        is_be = listed(place, "be_forms") | place.is_word(*be)
        asks = (
            opens_sentence(place)
            | ~place.sign_that(is_blank)
            | listed(place - 1, "question_openers")
            | listed(subject, "personal_subjects")
        )
        inside = (
            listed(place, "determiners")
            | modifier(place)
            | place.is_word("s", "t")
            | person_noun(place)
            | place.is_capital
        )
        rest = inside & from_(distance + 1) if distance < REACH - 1 else _NEVER
        return (
            place.is_there
            & (place + 1).sign_that(is_blank_or_apostrophe)
            & choose(is_be, asks, rest).costly
        ).costly

    return from_(1)


@cache
def _named(place: Place) -> Condition:
    """Tell whether a word is a person who is called something: "called him gay"."""
    return (
        ~(place.is_word("them") & _OF_THINGS)
        & listed(place, "named_persons")
        & listed(place - 1, "naming_verbs")
    )


def _between(place: Place) -> Condition:
    from fair_datasets.matching.people.phrases import is_between

    return place.that(is_between) | modifier(place) | conjunction(place)


@cache
def _said(distance: int) -> Condition:
    """Walk back from a term to what links it to a person."""
    place = FIRST - distance
    rest = _said(distance + 1) if distance < REACH - 1 else _NEVER
    is_named = ~place.is_first & _named(place)
    is_person = ~place.is_first & names_person(place)
    by_word = choose(
        place.is_word("as"),
        listed(place - 1, "before_as"),
        choose(
            listed(place, "linking_verbs"),
            _links_person(place),
            is_named | choose(is_person, _is_asked(place), _between(place) & rest),
        ),
    )
    gap = (place + 1).sign_that(_is_inside_clause)
    return (place.is_there & gap & by_word.costly).costly


def _is_inside_clause(sign: str) -> bool:
    return is_blank_or_apostrophe(sign) or sign == ", "


_AFTER_BLANK = _AFTER.where(_AFTER.is_there & _AFTER.sign_that(is_blank))
_IS_SAID = (
    ~listed(_AFTER_BLANK, "against_predicate")
    & ~_IS_MOOD
    & (ends_phrase(LAST) | conjunction(_AFTER_BLANK))
    & _said(1)
).costly


# A noun without another noun: "an Asian", "the elderly".
_OLD_DASH = _BEFORE.is_word("old") & _BEFORE.sign("-") & (_BEFORE - 1).is_there


def _before_age(found: Candidates) -> Places:
    """Find the word before an age that ends at a word: "a 40-year-old Muslim"."""
    place = found.at(_BEFORE)
    is_age = found.holds(_OLD_DASH) & (place - found.first > 1)
    dash = found.words.signs.number("-")
    goes = np.flatnonzero(is_age)
    place = place.copy()
    while len(goes):
        here = place[goes]
        goes = goes[(here > found.first[goes]) & (found.words.sign[here] == dash)]
        place[goes] -= 1
    place[is_age] -= 1
    return np.where(place < found.first, found.nowhere, place)


_BEFORE_AGE = Place(_before_age)


def _determiner_place(found: Candidates) -> Places:
    """Walk back over adjectives to what may be the determiner."""
    place = found.at(_BEFORE_AGE).copy()
    space = found.words.signs.number(" ")
    limit = np.maximum(found.first, found.places - 4)
    goes = np.flatnonzero((place != found.nowhere) & (place > limit))
    while len(goes):
        here = place[goes]
        is_modifier = Candidates(found.words, here).holds(modifier(_H))
        is_modifier &= found.words.sign[here + 1] == space
        goes = goes[is_modifier]
        place[goes] -= 1
        goes = goes[place[goes] > limit[goes]]
    return place


_DETERMINER = Place(_determiner_place)
_IS_NEAR = _DETERMINER.is_there & (_DETERMINER + 1).sign_that(is_blank)
_IS_NOMINAL = listed(LAST, "nominal") | (people(LAST) & LAST.ends_with(*_NOMINAL_ENDINGS))
_OPENS_CLAUSE = (
    opens_sentence(_DETERMINER)
    | ~_DETERMINER.sign_that(is_blank)
    | conjunction(_DETERMINER - 1)
    | listed(_DETERMINER - 1, "question_openers")
)
_ENDS = ends_phrase(LAST)
_NAMES_GROUP = (
    ~(
        (listed(_DETERMINER, "owners") | _AFTER.is_word("of", "for"))
        & listed(LAST, "languages")
    )
    & listed(_DETERMINER, "plural_determiners")
    & ~(_AFTER.is_word("new") | (LAST + 2).is_word("new") | (LAST + 3).is_word("new"))
)
_IS_GROUP = (_ENDS | (_OPENS_CLAUSE & opens_predicate(_AFTER))) & _NAMES_GROUP
_IS_ADJECTIVE = listed(LAST, "never_nouns") | (LAST.ends_with("ic") & ~people(LAST))
_BEHIND_ANY = (
    (FIRST - 2).is_word("a", "an")
    & (FIRST - 1).sign(" ")
    & _BEFORE.is_lower
    & ~function_word(_BEFORE)
    & (people(LAST) | person_noun(LAST))
)
_IS_BEFORE = Condition(lambda found: found.at(_DETERMINER) == found.places - 1)
_IS_SINGULAR = (
    _ENDS
    & ~_IS_ADJECTIVE
    & ~LAST.ends_with("s")
    & ~(listed(LAST, "languages") & listed(_DETERMINER, "owners"))
    & (listed(_DETERMINER, "singular_determiners") | (_IS_BEFORE & _BEHIND_ANY))
)

USED: tuple[Rule[str], ...] = (
    Rule("people.other_word", "", _BELONGS_TO_WORD),
    Rule("people.name", "", _BELONGS_TO_NAME),
    Rule("people.plural", "plural", _IS_PLURAL),
    Rule("people.before_noun", "adjective", (HAS_NOUN & IS_APT).costly),
    Rule("people.inapt", "", HAS_NOUN),
    Rule("people.origin", "adjective", _SAYS_ORIGIN),
    Rule("people.said", "adjective", _IS_SAID),
    Rule("people.group", "plural", _IS_NEAR & _IS_NOMINAL & _IS_GROUP.costly),
    Rule("people.no_group", "", _IS_NEAR & _IS_NOMINAL),
    Rule("people.singular", "singular", _IS_NEAR & _IS_SINGULAR.costly),
    Rule("people.other", "", ALWAYS),
)
