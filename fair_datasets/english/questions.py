"""The questions that are asked about English words, and the rules that answer them."""

from fair_datasets.english.ages import ends_of_other_ages, read_ages
from fair_datasets.english.names import RULES as NAMES
from fair_datasets.english.pronouns import HER, HIS
from fair_datasets.english.quoted_titles import IN_QUOTED_TITLE
from fair_datasets.english.senses import PERSON, VERB
from fair_datasets.english.surnames import ENDS_NAME, IS_IN_NAME, SURNAME
from fair_datasets.english.titles import TITLE
from fair_datasets.english.usage import USED
from fair_datasets.matching.language import Language

LANGUAGE = Language(
    name=NAMES,
    surname=SURNAME,
    name_part=IS_IN_NAME,
    ends_name=ENDS_NAME,
    title=TITLE,
    quoted=IN_QUOTED_TITLE,
    verb=VERB,
    person=PERSON,
    used=USED,
    cases={("determiner", "object"): HER, ("determiner", "possessive"): HIS},
    ages=read_ages,
    other_ages=ends_of_other_ages,
)
