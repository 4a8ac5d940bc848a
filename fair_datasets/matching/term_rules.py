"""The rules that decide of terms which are no names, in whatever language."""

from fair_datasets.matching.conditions import ALWAYS, Rule, fact, says
from fair_datasets.matching.found import Reason
from fair_datasets.matching.language import Language
from fair_datasets.matching.places import HERE, IS_HYPHENATED

_PRONOUN, _CAPITALISED, _SURNAME = map(fact, ("pronoun", "capitalised", "surname"))
_TITLE, _VERB, _THING = map(fact, ("title", "verb", "thing"))
_AGE_TAG = fact("age tag")
_BEHIND_NAME, _UNREAD_NAME = fact("behind name"), fact("before unread name")


def term_rules(language: Language) -> tuple[Rule[Reason | None], ...]:
    """Return the rules that decide of terms which are no names.

    Args:
        language: What answers the questions about neighbours.

    Returns:
        The rules; their verdicts are why a term is left alone, or None where it is read.
    """
    surname, title, verb, person = language.surname, language.title, language.verb, language.person
    is_capital = HERE.is_capital
    return (
        Rule(
            "terms.hyphenated",
            Reason.HYPHENATED,
            _PRONOUN & IS_HYPHENATED,
            "a hyphen joins it to another word",
        ),
        Rule(
            "terms.age_tag",
            Reason.NOT_PEOPLE,
            _AGE_TAG & ~language.age_tag,
            "nothing shows that it is somebody's age and gender",
        ),
        Rule("terms.deity", Reason.THING, _PRONOUN & language.of_deity, "it is about God"),
        Rule("terms.pronoun", None, _PRONOUN, "it is a pronoun"),
        Rule("terms.small", Reason.LOWER_CASE, _CAPITALISED & ~is_capital, "it is in lower case"),
        Rule("terms.surname", Reason.SURNAME, is_capital & says(surname), asks=surname),
        Rule(
            "terms.behind_name",
            Reason.SURNAME,
            is_capital & _BEHIND_NAME & language.ends_name,
            "it ends the name of a person who is sure to be one",
        ),
        Rule(
            "terms.in_name",
            Reason.SURNAME,
            _SURNAME & is_capital & language.name_part,
            "it is joined to another word of a name",
        ),
        Rule(
            "terms.with_name",
            Reason.UNREAD_NAME,
            _UNREAD_NAME & language.goes_with_name,
            "it is left alone as the name is that it goes with",
        ),
        Rule("terms.no_title", Reason.NOT_A_TITLE, _TITLE & ~says(title), asks=title),
        Rule("terms.verb", Reason.VERB, _VERB & says(verb), asks=verb),
        Rule("terms.thing", Reason.THING, _THING & ~says(person), asks=person),
        # What is read is told by the last question about it.
        Rule("terms.person", None, _THING, asks=person),
        Rule("terms.no_verb", None, _VERB, asks=verb),
        Rule("terms.title", None, _TITLE, asks=title),
        Rule("terms.listed", None, ALWAYS, "the list has it"),
    )
