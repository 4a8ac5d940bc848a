"""The third-person pronouns that a text without gendered pronouns may use.

They are data, `pronoun_sets.tsv`: singular "they" and the neopronouns that people use most. For
their use see Lauscher, Crowley and Hovy: "Welcome to the Modern World of Pronouns: Identity-
Inclusive Natural Language Processing beyond Gender" (COLING 2022).
"""

import csv
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from fair_datasets.system.checks import one_of

# The pronouns that a lexicon writes for people who are neither men nor women.
THEY = frozenset({"they", "them", "their", "theirs", "themself"})
_TABLE = Path(__file__).with_name("pronoun_sets.tsv")
_INFLECTIONS = ("subject", "object", "determiner", "possessive", "reflexive")


class PronounSet(NamedTuple):
    """The forms of a third-person pronoun.

    Attributes:
        forms: Inflection (subject, object, determiner, possessive, reflexive) to form.
        verbs_are_plural: Whether its verbs are in the plural: "they are", but "xe is".
    """

    forms: Mapping[str, str]
    verbs_are_plural: bool


def available_pronoun_sets() -> list[str]:
    """List the sets of pronouns, in the order of the table."""
    return list(_sets())


def pronoun_set(name: str) -> PronounSet:
    """Return a set of pronouns by its name."""
    check_pronoun_set(name, owner="pronoun_set", parameter="name")
    return _sets()[name]


def pronoun_sets_with(form: str) -> frozenset[str]:
    """Return the sets that have a form in any inflection; none for a pronoun of men or women.

    Example:
        >>> sorted(pronoun_sets_with("ze")), pronoun_sets_with("she")
        (['ze', 'ze/zir'], frozenset())
    """
    return frozenset(name for name, found in _sets().items() if form in found.forms.values())


def check_pronoun_set(name: object, *, owner: str, parameter: str = "pronouns") -> None:
    """Raise unless a parameter names a set of pronouns."""
    one_of(name, available_pronoun_sets(), owner=owner, parameter=parameter)


@cache
def _sets() -> Mapping[str, PronounSet]:
    """Read the table, once per process."""
    with _TABLE.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    return {
        row["set"]: PronounSet(
            MappingProxyType({inflection: row[inflection] for inflection in _INFLECTIONS}),
            row["verbs"] == "plural",
        )
        for row in rows
    }
