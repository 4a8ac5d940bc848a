"""Which rule decided of a term, and why: what `find_terms` tells beside the verdict."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from fair_datasets.matching.conditions import Candidates
from fair_datasets.matching.language import Verdict
from fair_datasets.matching.rules import Rule, deciding
from fair_datasets.matching.table import TermTable
from fair_datasets.matching.tagged import SENSE, TAGGED
from fair_datasets.matching.words import Words

# What decides without a condition.
_OTHERS = {
    "terms.alike": "the same word is read so elsewhere in the row",
    "terms.exception": "it is listed among the exceptions of the axis",
    "text.other_language": "its small words are those of another language",
    "terms.phrase": "the list has these words together",
    "terms.other_sense": "nothing near it shows that it has the sense that is asked for",
}
_SETTLED = "; another one in the text is surely a name"


class Deciders:
    """The rules that decided of the terms of a text.

    Args:
        text: The text.
        table: The terms that are read.
    """

    def __init__(self, text: str, table: TermTable) -> None:
        """Set out to answer."""
        self._words = Words([text])
        self._rules = rules_of(table)
        self._tags = table.language.tags

    def told(self, name: str, first: int, last: int, reason: str) -> tuple[str, str]:
        """Tell what decided of a term.

        Where the rule asks another table, it is the rule that decides there.

        Args:
            name: The name of the rule that decided.
            first: The term's first word.
            last: Its last word.
            reason: Why it is left alone; empty where it is read.

        Returns:
            The name of the rule, with the log odds if it is a model, and its reason.
        """
        if name in (TAGGED, SENSE) and self._tags is not None:
            tagged = self._tags.tagged(self._words, np.array([last]))
            return name, f"its tag: {tagged.told(0, of_sense=name == SENSE)}"
        rule = self._rules.get(name)
        if rule is None:
            return name, _OTHERS.get(name, reason)
        found = Candidates(self._words, np.array([first]), lasts=np.array([last]))
        while rule.asks:
            rule = rule.asks[int(deciding(rule.asks, found)[0])]
        odds = "" if rule.log_odds is None else f" {rule.log_odds(found)[0]:+.1f}"
        told = "" if rule.told is None else f": {rule.told(found)}"
        is_settled = rule.verdict is Verdict.UNSURE and not reason
        return rule.name + odds, rule.reason + told + (_SETTLED if is_settled else "")


def rules_of(table: TermTable) -> Mapping[str, Rule[Any]]:
    """Return the rules that decide of the terms of a table, but for those that others ask.

    Args:
        table: The terms that are read.

    Returns:
        Name to rule; rules of one name have one reason.
    """
    language = table.language
    tables: Sequence[Sequence[Rule[Any]]] = (
        language.name,
        table.surname_rules,
        language.stage,
        language.used,
        *language.cases.values(),
        language.age_rules,
        table.rules,
    )
    return {rule.name: rule for rules in tables for rule in rules}
