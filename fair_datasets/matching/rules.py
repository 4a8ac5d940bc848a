"""Tables of rules, in order: the first one whose condition holds of a candidate decides."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from fair_datasets.matching.conditions import (
    Candidates,
    Condition,
    are_few,
    holding,
    joined,
)

Verdict = TypeVar("Verdict")


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
    """

    name: str
    verdict: Verdict
    condition: Condition
    reason: str = ""
    asks: "Sequence[Rule[Any]]" = ()
    log_odds: Callable[[Candidates], NDArray[np.float64]] | None = None


def deciding(rules: Sequence[Rule[Any]], candidates: Candidates) -> NDArray[np.int16]:
    """Return the number of the rule that decides of each candidate: the first one that holds.

    Args:
        rules: The rules, of which the last holds always.
        candidates: The candidates.

    Returns:
        Their numbers. Shape (C,).
    """
    found = np.full(len(candidates.places), len(rules) - 1, np.int16)
    rows = np.arange(len(found))
    is_open, count = np.ones(len(found), np.bool_), len(found)
    for number, rule in enumerate(rules[:-1]):
        if are_few(count):
            few = is_open.nonzero()[0].tolist()
            for row, deciding_rule in _of_few(rules, number, candidates, few):
                found[rows[row]] = deciding_rule
            break
        if rule.condition.is_costly and count < len(rows):
            asked = is_open.nonzero()[0]
            candidates, rows = candidates.part(asked), rows[asked]
            is_open = np.ones(count, np.bool_)
        held = is_open & candidates.holds(rule.condition)
        decided = int(np.count_nonzero(held))
        if decided:
            found[rows[held]] = number
            is_open &= ~held
            count -= decided
    return found


def _of_few(
    rules: Sequence[Rule[Any]], first: int, candidates: Candidates, rows: list[int]
) -> Iterator[tuple[int, int]]:
    """Give the few candidates of which a rule from some number on holds, with its number."""
    for number, rule in enumerate(rules[first:-1], first):
        if not rows:
            break
        held = holding(candidates, rows, rule.condition)
        yield from ((row, number) for row, holds in zip(rows, held, strict=True) if holds)
        rows = [row for row, holds in zip(rows, held, strict=True) if not holds]


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
    )
