"""Tables of rules, in order: the first one whose condition holds of a candidate decides."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import compress, groupby
from operator import itemgetter
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from fair_datasets.matching.conditions import (
    Candidates,
    Condition,
    holding,
    joined,
)
from fair_datasets.matching.guards import ALWAYS, NEVER, Guard, Guards

Verdict = TypeVar("Verdict")

# Of how many tables it is kept what settles them.
_MOST = 256
_known: dict[int, tuple[Sequence["Rule[Any]"], Guards]] = {}


@dataclass(frozen=True)
class Rule(Generic[Verdict]):
    """What is decided of a candidate of which a condition holds.

    Attributes:
        name: Its name, by which `find_terms` tells what decided.
        verdict: What is decided.
        condition: The condition.
        reason: What the condition finds, in words; empty where it asks another table.
        asks: That table: the rule that decides there is the one that is told.
        log_odds: Tells how sure a model is, where the condition asks one. Shape (C,).
        told: Says what a reader finds of a candidate, where the condition asks one.
    """

    name: str
    verdict: Verdict
    condition: Condition
    reason: str = ""
    asks: "Sequence[Rule[Any]]" = ()
    log_odds: Callable[[Candidates], NDArray[np.float64]] | None = None
    told: Callable[[Candidates], str] | None = None


def deciding(rules: Sequence[Rule[Any]], candidates: Candidates) -> NDArray[np.int64]:
    """Return the number of the rule that decides of each candidate: the first one that holds.

    Args:
        rules: The rules, of which the last holds always.
        candidates: The candidates.

    Returns:
        Their numbers. Shape (C,).
    """
    found, may = _guards(rules).settle(candidates)
    number_of, row_of = may.T.nonzero()
    is_open = [True] * len(found)
    asked = zip(number_of.tolist(), row_of.tolist(), strict=True)
    for number, several in groupby(asked, itemgetter(0)):
        rows = [row for _, row in several if is_open[row]]
        if not rows:
            continue
        held = holding(candidates, rows, rules[number].condition)
        for row in compress(rows, held):
            found[row] = number
            is_open[row] = False
    return found


def _guards(rules: Sequence[Rule[Any]]) -> Guards:
    """Return what settles a table, which is made once."""
    known = _known.get(id(rules))
    if known is None:
        if len(_known) >= _MOST:
            _known.clear()
        # The table is kept as well, so that no other one has its number.
        known = _known[id(rules)] = rules, Guards([rule.condition.guard for rule in rules])
    return known[1]


def says(rules: Sequence[Rule[bool]]) -> Condition:
    """Return where a table of rules says yes.

    Args:
        rules: The rules.

    Returns:
        The condition, which is costly if one of theirs is.
    """
    verdicts = np.array([rule.verdict for rule in rules])
    is_costly = any(rule.condition.is_costly for rule in rules)
    chain = "".join(f"{rule.verdict} if {{{number}}} else " for number, rule in enumerate(rules))
    return Condition(
        lambda found: verdicts[deciding(rules, found)],
        is_costly,
        joined(f"({chain}{rules[-1].verdict})", *(rule.condition for rule in rules)),
        needs=lambda: _guard_of(rules),
        is_table=True,
    )


def _guard_of(rules: Sequence[Rule[bool]]) -> Guard:
    """Return what a table needs to say yes, and to say no."""
    found = ALWAYS if rules[-1].verdict else NEVER
    for rule in reversed(rules[:-1]):
        found = rule.condition.guard.choose(ALWAYS if rule.verdict else NEVER, found)
    return found
