"""Why a word that may be a term is left alone, or a row as a whole."""

from enum import Enum
from typing import NamedTuple


class Reason(Enum):
    """Why a candidate is left alone; the value says it in words."""

    OTHER_LANGUAGE = "its text is in another language"
    PROTECTED_TEXT = "it stands in an address, a handle, a tag, code or a path"
    PART_OF_WORD = "it is a part of a longer word"
    TITLE = "it stands in the title of a work"
    PHRASE = "it belongs to a phrase that is left alone"
    PROTECTED_NAME = "it belongs to a protected name"
    KNOWN_PERSON = "the row names a known person, of whom it would become false"
    LOWER_CASE = "it is a term only where it is capitalised"
    HYPHENATED = "a hyphen joins it to another word"
    SURNAME = "it stands where a surname does"
    OTHER_PRONOUNS = "the row's only pronouns are of the other gender, which bears the name as well"
    UNREAD_NAME = "it goes with the name behind it, which is left alone"
    NOT_A_TITLE = "it is a term only as a title before a name"
    VERB = "it is a verb here"
    THING = "it denotes no person here"
    NOT_PEOPLE = "it does not describe people here"
    OTHER_AGE = "the age told beside it is no number of years that is read"
    NOT_A_NAME = "its neighbours speak against a person's name"
    UNSURE_NAME = "nothing in the row shows that it is a person's name"
    NAMES_NOT_ASKED = "names are read on this axis only where they are asked for: names=True"
    NO_GROUP = "it is a name, but no one group bears it often enough for it to be listed"
    LEFT_OUT = "it is a name, but left out of the lists by group, as rare and doubtful ones are"
    TOO_RARE = "it is a first name, but the figures by group count too few who bear it"
    NAME = "it is part of a name or a title"
    COMPOUND = "it says something else together with the words beside it"
    RELATIVE = "it says whose child someone is, of whatever age"
    TIED = "another word of the row is tied to the group"
    TITLED = "a title of the row is left alone, as the name is that it goes with"
    CALL = "it calls someone, for which there is no other word"
    CONTRAST = "two groups of the row would become one"
    GENDER = "the row is about a gender as such, and would lose its sense without one"
    NO_FORM = "the lexicon has no word for it as what it would become"
    FACT = "the row tells a bodily or legal fact that would read as a contradiction"
    AGES = "the ages of the row would contradict each other, or the years that it tells"
    UNLISTED_NAME = "it names a person whose first name no list has"
    UNTRUSTED = "the confidence of the row is below min_confidence"


class Cause(NamedTuple):
    """Why a row is left alone as a whole.

    Attributes:
        reason: The reason.
        told: The same in the words of the row, such as "tied to 'christian' by 'mass'"; empty where
            the reason says all.
        is_final: Whether it would be left whatever its groups became.
    """

    reason: Reason
    told: str = ""
    is_final: bool = False
