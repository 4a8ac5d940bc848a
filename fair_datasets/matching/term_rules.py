"""The rules that decide of terms which are no names, in whatever language."""

from fair_datasets.matching.alone import HERE, IS_HYPHENATED
from fair_datasets.matching.conditions import ALWAYS, fact
from fair_datasets.matching.language import Language
from fair_datasets.matching.reasons import Reason
from fair_datasets.matching.rules import Rule, says

_PRONOUN, _CAPITALISED, _SURNAME = map(fact, ("pronoun", "capitalised", "surname"))
_TITLE, _VERB, _THING = map(fact, ("title", "verb", "thing"))
_BEHIND_NAME = fact("behind name")


def term_rules(language: Language) -> tuple[Rule[Reason | None], ...]:
    """Return the rules that decide of terms which are no names.

    Args:
        language: What answers the questions about neighbours.

    Returns:
        The rules; their verdicts are why a term is left alone, or None where it is read.
    """
    is_surname = says(language.surname) | (_BEHIND_NAME & language.ends_name)
    return (
        Rule("terms.hyphenated", Reason.HYPHENATED, _PRONOUN & IS_HYPHENATED),
        Rule("terms.pronoun", None, _PRONOUN),
        Rule("terms.small", Reason.LOWER_CASE, _CAPITALISED & ~HERE.is_capital),
        Rule("terms.surname", Reason.SURNAME, HERE.is_capital & is_surname),
        Rule("terms.in_name", Reason.SURNAME, _SURNAME & HERE.is_capital & language.name_part),
        Rule("terms.no_title", Reason.NOT_A_TITLE, _TITLE & ~says(language.title)),
        Rule("terms.verb", Reason.VERB, _VERB & says(language.verb)),
        Rule("terms.thing", Reason.THING, _THING & ~says(language.person)),
        Rule("terms.listed", None, ALWAYS),
    )
