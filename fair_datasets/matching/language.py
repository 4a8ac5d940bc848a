"""What reading texts asks of a language: questions about words, each answered by a table of rules.

A language is a folder beside `english/`, whose module `questions` holds a `Language`. A lexicon
that ships names the language of its texts by a code, in its `.toml`.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import Enum
from functools import cache
from importlib import import_module
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from fair_datasets.matching.conditions import ALWAYS, NEVER, Condition, Rule
from fair_datasets.matching.found import Reason
from fair_datasets.matching.words import Mask, Words

if TYPE_CHECKING:
    from fair_datasets.matching.reliability import Reliability
    from fair_datasets.matching.tagged import Tags

LANGUAGES = {"en": "fair_datasets.english"}
"""The package of each language, by the code that lexicons state."""


class Verdict(Enum):
    """What the neighbours say about an occurrence of a first name."""

    ACCEPT = "it is a first name"
    UNSURE = "it is one if another occurrence in the row is"
    REJECT = "it is none"
    SURE = "it is a first name, whatever the word looks like"


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


class TiedWord(NamedTuple):
    """A word, or a pair of words, that ties its text to groups.

    Attributes:
        text: The number of the text.
        words: How it is written there.
        groups: The attributes to which it is tied.
        never: Those that nobody becomes beside it.
    """

    text: int
    words: str
    groups: frozenset[str]
    never: frozenset[str]


class ToldFact(NamedTuple):
    """A fact that texts tell of people of one attribute.

    Attributes:
        begin: The place of the first word of the sentence that tells it.
        stop: The place behind its last word.
        attribute: The attribute of whoever it is told of.
        never: The attributes of which it reads as a contradiction.
        is_name: Whether it is the name of somebody whom everybody knows.
    """

    begin: int
    stop: int
    attribute: str
    never: frozenset[str]
    is_name: bool


def _unasked(verdict: Any) -> tuple[Rule[Any], ...]:
    """Return the table of a question that a language does not ask."""
    return (Rule("language.unasked", verdict, ALWAYS, "its language has no rule about it"),)


def _against_nobody(axis: str) -> Mapping[str, int]:
    """No words speak against becoming anybody."""
    return {}


def _is_none(word: str) -> bool:
    """Say no of every word."""
    return False


class Language(NamedTuple):
    """The questions about words, and where they are answered.

    A question that a language does not ask is answered so that the words of lexicons are read.

    What is asked of first names may look at the facts `word`, `place`, `proper` and `surname` (what
    the list says of the name), `man` and `woman`, `follows a name`, and `without capitals` (where
    the reader takes a word for a name in a text without capitals).

    Attributes:
        name: Whether what is spelt like a first name is one.
        tags: The reader that is asked about first names, listed or not; None where none is.
        surname: Whether a capitalised term is a surname where it stands: "Debra Monk".
        name_part: Whether a term that is a name as well is joined to a name: "Islam Karimov".
        ends_name: Whether a capitalised word behind a first name may be the surname.
        title: Whether a word is a title before a name: "Miss Woodhouse".
        quoted: Whether a word stands in the title of a work.
        foreign: Tells which texts are in another language; None where nobody asks.
        of_deity: Whether a pronoun is about God: "what He wills".
        verb: Whether a word that may be a verb ("host") is one.
        person: Whether a word that often denotes a thing ("king") denotes a person; where no rule
            says so, the reader does.
        stage: Why a word for a stage of life tells no age that could be another; None if it does.
        used: How a word describes people: "adjective", "singular", "plural"; empty if it does not.
        cases: The cases that one spelling may have, as the lexicon names them, to the rules that
            tell which it is.
        either_gender: Whether a first name is now and then one of the other gender.
        goes_with_name: Whether a title goes with the first name behind it, so that both are
            rewritten or none is.
        unlisted_name: Whether a capitalised word that no list has may be a first name by what
            stands around it.
        titled: Whether a title or a word for a relative stands before a name.
        inapt: Whether a word for people says of its noun what is no trait: "old friend".
        other_sense: Whether a phrase for people has another sense: "a straight man", an honest one.
        is_person: Tells whether a word is a noun or a pronoun for a person.
        is_singular_determiner: Tells whether a word stands before a noun for one.
        age_tag: Whether a word that is an age and the letter of a gender is of a person: "[F31]".
        gendered: Attribute to the letters that stand for it there; empty where nobody writes so.
        years: The ages that are told there.
        ages: Finds the ages in numbers; None where none are read.
        age_rules: The rules that decide of them, for their reasons.
        groups: The axes whose attributes are groups, whose words are said of their things as well:
            "the Jewish faith".
        for_them: Whether an institution is named after whom it is for: "the Women's World Cup".
        contrasted: Those of them whose groups texts set against each other, so that no two of a
            row may become one.
        thing: Whether a word for people is said of a thing behind it.
        means_group: Whether a word that describes no people is about a group all the same.
        named: Whether a word for what a group has is part of a name: "Trinity Church".
        named_group: Whether a word for a group or a faith is part of one: "Silver Jews".
        alike: The words that are left alone wherever they stand in a row in which they are once.
        read_alike: Those that are read wherever they stand in a row in which they are read once.
        called: Whether a word for a relative is used like a name, or stands before one.
        of_animals: Whether a male or a female is an animal.
        compared: Whether a group is set against another that is told before it.
        of_gender: Whether what is said of a group is about its gender.
        tied: Finds what ties texts to groups of an axis, at the places that are free.
        speaking_against: Returns how many words speak against becoming each attribute of an axis;
            those without any are left out.
        facts: Finds the facts that are told of people of one of several attributes.
        ages_fit: Tells whether the ages at some places of a text may be rewritten.
        other_ages: Finds the ages that are not read, given the places of those that are: the place
            of the last word of each, and of the noun for who is so old.
        standing: How a name stands, by which it is more or less sure to be one.
        reliability: Returns how often decisions were right; None where nobody counted.
    """

    name: Sequence[Rule[Verdict]] = _unasked(Verdict.ACCEPT)
    tags: "Tags | None" = None
    surname: Sequence[Rule[bool]] = _unasked(False)
    name_part: Condition = NEVER
    ends_name: Condition = NEVER
    title: Sequence[Rule[bool]] = _unasked(True)
    quoted: Condition = NEVER
    foreign: Callable[[Words], Mask] | None = None
    of_deity: Condition = NEVER
    verb: Sequence[Rule[bool]] = _unasked(False)
    person: Sequence[Rule[bool]] = _unasked(True)
    stage: Sequence[Rule[Reason | None]] = _unasked(None)
    used: Sequence[Rule[str]] = _unasked("adjective")
    cases: Mapping[tuple[str, str], Sequence[Rule[str]]] = MappingProxyType({})
    either_gender: Condition = NEVER
    goes_with_name: Condition = NEVER
    unlisted_name: Condition = NEVER
    titled: Condition = NEVER
    inapt: Condition = NEVER
    other_sense: Condition = NEVER
    is_person: Callable[[str], bool] = _is_none
    is_singular_determiner: Callable[[str], bool] = _is_none
    age_tag: Condition = NEVER
    gendered: Mapping[str, str] = MappingProxyType({})
    years: range = range(0)
    ages: Callable[[Words], Sequence[Age]] | None = None
    age_rules: Sequence[Rule[Any]] = ()
    other_ages: Callable[[Words, Mask], Sequence[tuple[int, int]]] | None = None
    groups: frozenset[str] = frozenset()
    for_them: Condition = NEVER
    contrasted: frozenset[str] = frozenset()
    thing: Condition = NEVER
    means_group: Condition = ALWAYS
    named: Condition = NEVER
    named_group: Condition = NEVER
    alike: Callable[[], frozenset[str]] = frozenset
    read_alike: Callable[[], frozenset[str]] = frozenset
    called: Condition = NEVER
    of_animals: Condition = NEVER
    compared: Condition = NEVER
    of_gender: Condition = NEVER
    tied: Callable[[Words, str, Mask], Iterable[TiedWord]] | None = None
    speaking_against: Callable[[str], Mapping[str, int]] = _against_nobody
    facts: Callable[[Words, tuple[str, ...]], Iterable[ToldFact]] | None = None
    ages_fit: Callable[[str, Sequence[tuple[int, int]]], bool] | None = None
    standing: Sequence[Rule[str]] = _unasked("")
    reliability: "Callable[[], Reliability] | None" = None


@cache
def language(code: str = "en") -> Language:
    """Return a language.

    Args:
        code: Its code, one of `LANGUAGES`.

    Returns:
        The language.
    """
    found: Any = import_module(f"{LANGUAGES[code]}.questions").LANGUAGE
    assert isinstance(found, Language)
    return found
