"""Lets rules be taken away whose table another table asks; imported before any rule is made.

Such a table is otherwise one expression with the one that asks it, in which no rule can be changed.
"""

from collections.abc import Sequence

import numpy as np

from fair_datasets.reader.matching import predicates
from fair_datasets.reader.matching.predicates import Predicate, Rule


def says(rules: Sequence[Rule[bool]]) -> Predicate:
    """Return where a table says yes, by asking it when it is asked."""
    verdicts = np.array([rule.verdict for rule in rules])
    return Predicate(
        lambda found: verdicts[predicates.first_matching_rule(rules, found)],
        any(rule.condition.is_costly for rule in rules),
    )


predicates.says = says
