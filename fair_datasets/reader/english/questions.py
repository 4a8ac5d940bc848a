"""The questions that are asked about English words, and the rules that answer them."""

import math
from pathlib import Path

from fair_datasets.reader.english.age_reading import STAGES, ends_of_other_ages, read_ages
from fair_datasets.reader.english.ages import AGE_TAG, GENDERED, YEARS
from fair_datasets.reader.english.ages import RULES as AGES
from fair_datasets.reader.english.facts import find_facts, find_ties, speaking_against
from fair_datasets.reader.english.lists import words
from fair_datasets.reader.english.names import (
    ACTS,
    EITHER_GENDER,
    FOLLOWS_TITLE,
    HAS_SURNAME,
    IS_IN_NAME,
    IS_REFERRED_TO,
    MAY_BE_UNLISTED,
    OF_BOTH_GENDERS,
    SURNAME,
    TELLS_GENDER,
)
from fair_datasets.reader.english.names import RULES as NAMES
from fair_datasets.reader.english.neighbours import LAST, is_person_noun
from fair_datasets.reader.english.noun_phrases import GIRL, GIRLS, MALE, MISTRESS, MISTRESSES
from fair_datasets.reader.english.numbers import ages_fit
from fair_datasets.reader.english.other_languages import in_other_languages
from fair_datasets.reader.english.predications import (
    DESCRIBES_THING,
    FINER,
    IS_INAPT,
    MAY_DESCRIBE_PEOPLE,
    MEANS_GROUP,
    OTHER_SENSE,
    USED,
    described_noun,
)
from fair_datasets.reader.english.senses import (
    HER,
    HIS,
    IN_QUOTED_TITLE,
    IS_ABOUT_GENDER,
    IS_CALLED,
    IS_COMPARED,
    IS_FOR_THEM,
    IS_NAMED,
    IS_NAMED_GROUP,
    IS_NAMED_HOUSE,
    IS_OFFICE,
    IS_ROYAL,
    OF_DEITY,
    PERSON,
    TITLE,
    VERB,
)
from fair_datasets.reader.load import Tags, by_sense, load_reader
from fair_datasets.reader.matching.language import (
    AgeQuestions,
    Language,
    Reliability,
    RowQuestions,
    read_reliability,
)
from fair_datasets.reader.matching.predicates import ALWAYS, Rule
from fair_datasets.reader.matching.vocabulary import vocabulary


def _is_person(word: str) -> bool:
    return is_person_noun(word) or word in words("personal_subjects")


def _is_singular_determiner(word: str) -> bool:
    return word in words("determiners_of_one")


def _beings() -> frozenset[str]:
    return words("kinds_of_animals") | words("animals") | words("gods")


RELIABILITY = Path(__file__).with_name("reliability.tsv")


_ALIKE = frozenset({"dude", "dudes", "guys"})
_READ_ALIKE = frozenset({"bro", "chick", "chicks", "sis"})
STANDING = (
    Rule("standing.surname", "with surname", HAS_SURNAME, "a surname follows it"),
    Rule("standing.pronoun", "referred to", IS_REFERRED_TO, "a pronoun of that gender follows it"),
    Rule("standing.alone", "alone", ALWAYS, "neither of them follows it"),
)


def reliability() -> Reliability:
    """Return how often each rule was right.

    Example:
        >>> from fair_datasets.reader.matching.language import NAMES, Decision
        >>> sure, unsure = (
        ...     reliability().of(Decision(NAMES, "names.unmarked", stands, True))
        ...     for stands in ("with surname", "alone"))
        >>> sure > 0.95 > unsure
        True
    """
    return read_reliability(RELIABILITY)


vocabulary().preload(_beings)

# What the rules reject, the network that ships would hardly ever read rightly.
_TAGS = Tags(load_reader, overrules=math.inf)
LANGUAGE = Language(
    name=NAMES,
    tags=_TAGS,
    doubted=frozenset({"age", "disability", "nationality"}),
    surname=SURNAME,
    name_part=IS_IN_NAME,
    title=TITLE,
    quoted=IN_QUOTED_TITLE,
    foreign=in_other_languages,
    of_deity=OF_DEITY,
    verb=VERB,
    person=by_sense(PERSON, _TAGS),
    used=USED,
    finer=FINER,
    cases={
        ("determiner", "object"): HER,
        ("determiner", "possessive"): HIS,
        ("singular", "grown singular"): GIRL,
        ("plural", "grown plural"): GIRLS,
        ("singular", "serving singular"): MISTRESS,
        ("plural", "serving plural"): MISTRESSES,
        ("adjective", "noun"): MALE,
    },
    unlisted_name=MAY_BE_UNLISTED,
    acts=ACTS,
    tells_gender=TELLS_GENDER,
    titled=FOLLOWS_TITLE,
    either_gender=EITHER_GENDER,
    of_both_genders=OF_BOTH_GENDERS,
    goes_with_name=IS_ROYAL,
    inapt=IS_INAPT,
    other_sense=OTHER_SENSE,
    is_person=_is_person,
    is_singular_determiner=_is_singular_determiner,
    for_them=IS_FOR_THEM,
    alike=lambda: _ALIKE,
    read_alike=lambda: _READ_ALIKE,
    ages=AgeQuestions(
        stage=STAGES,
        tag=AGE_TAG,
        gendered=GENDERED,
        years=YEARS,
        read=read_ages,
        rules=AGES,
        others=ends_of_other_ages,
        fit=ages_fit,
        described=described_noun(LAST),
    ),
    rows=RowQuestions(
        groups=frozenset({"disability", "nationality", "orientation", "race", "religion"}),
        contrasted=frozenset({"nationality", "religion"}),
        thing=DESCRIBES_THING,
        may_describe=MAY_DESCRIBE_PEOPLE,
        means_group=MEANS_GROUP,
        named=IS_NAMED,
        named_house=IS_NAMED_HOUSE,
        named_group=IS_NAMED_GROUP,
        office=IS_OFFICE,
        called=IS_CALLED,
        beings=_beings,
        compared=IS_COMPARED,
        of_gender=IS_ABOUT_GENDER,
        tied=find_ties,
        speaking_against=speaking_against,
        facts=find_facts,
    ),
    standing=STANDING,
    reliability=reliability,
)


"""How a first name stands, by which it is more or less sure to be one."""
