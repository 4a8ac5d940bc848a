"""What reading texts asks of a language: questions about words, each answered by a table of rules.

A language is a folder beside `english/`: its module `questions` holds a `Language`.
"""

from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from functools import cache
from importlib import import_module
from typing import Any, NamedTuple

from fair_datasets.matching.conditions import Condition
from fair_datasets.matching.rules import Rule
from fair_datasets.matching.words import Mask, Words

ENGLISH = "english"


class Verdict(Enum):
    """What the neighbours say about an occurrence of a first name."""

    ACCEPT = "it is a first name"
    UNSURE = "it is one if another occurrence in the row is"
    REJECT = "it is none"


class Age(NamedTuple):
    """An age in numbers.

    Attributes:
        text: The number of its text.
        first: Its first word.
        last: Its last word, inclusive.
        attribute: The demographic attribute of people of that age.
        forms: Attribute to what is written instead of the characters from the first word's start
            to the last word's end.
        rule: The rule that read it.
    """

    text: int
    first: int
    last: int
    attribute: str
    forms: Mapping[str, str]
    rule: str


class Language(NamedTuple):
    """The questions about words, and where they are answered.

    What is asked of first names may look at the facts `word`, `place`, `proper` and `surname` (what
    the list says of the name), `man` and `woman`, and `follows a name`.

    Attributes:
        name: Whether what is spelt like a first name is one.
        surname: Whether a capitalised term is a surname where it stands: "Debra Monk".
        name_part: Whether a term that is a name as well is joined to a name: "Islam Karimov".
        ends_name: Whether a capitalised word behind a first name may be the surname.
        title: Whether a word is a title before a name: "Miss Woodhouse".
        quoted: Whether a word stands in the title of a work.
        verb: Whether a word that may be a verb ("host") is one.
        person: Whether a word that often denotes a thing ("king") denotes a person.
        used: How a word describes people: "adjective", "singular", "plural"; empty if it does not.
        cases: The cases that one spelling may have, as the lexicon names them, to the rules that
            tell which it is.
        titled: Whether a title or a word for a relative stands before a name.
        inapt: Whether a word for people says of its noun what is no trait: "old friend".
        is_person: Tells whether a word is a noun or a pronoun for a person.
        is_singular_determiner: Tells whether a word stands before a noun for one.
        ages: Finds the ages in numbers; None where none are read.
        age_rules: The rules that decide of them, for their reasons.
        other_ages: Finds the ages that are not read, given the places of those that are: the place
            of the last word of each, and of the noun for who is so old.
    """

    name: Sequence[Rule[Verdict]]
    surname: Sequence[Rule[bool]]
    name_part: Condition
    ends_name: Condition
    title: Sequence[Rule[bool]]
    quoted: Condition
    verb: Sequence[Rule[bool]]
    person: Sequence[Rule[bool]]
    used: Sequence[Rule[str]]
    cases: Mapping[tuple[str, str], Sequence[Rule[str]]]
    titled: Condition
    inapt: Condition
    is_person: Callable[[str], bool]
    is_singular_determiner: Callable[[str], bool]
    ages: Callable[[Words], Sequence[Age]] | None = None
    age_rules: Sequence[Rule[Any]] = ()
    other_ages: Callable[[Words, Mask], Sequence[tuple[int, int]]] | None = None


@cache
def language(name: str = ENGLISH) -> Language:
    """Return a language.

    Args:
        name: The name of its folder.

    Returns:
        The language.
    """
    found: Any = import_module(f"fair_datasets.{name}.questions").LANGUAGE
    assert isinstance(found, Language)
    return found
