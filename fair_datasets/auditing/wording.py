"""How findings write numbers and names."""

import math
from collections.abc import Sequence

from fair_datasets.auditing.findings import Figure, Severity

SURE, LIKELY = 0.01, 0.02
"""The largest p-value of a finding of high severity, and of one of medium severity."""
_FEW = 30
_LONGEST = 60
"""How many letters of a label a sentence shows."""


def percent(share: float) -> str:
    """Write a share as a percentage.

    Example:
        >>> percent(0.12345), percent(0.0004), percent(float("nan"))
        ('12.3%', '0.04%', 'undefined')
    """
    if math.isnan(share):
        return "undefined"
    return f"{100 * share:.2g}%" if 0 < share < 0.0095 else f"{100 * share:.1f}%"


def about(share: float) -> str:
    """Write a share as a percentage that is read at a glance.

    Example:
        >>> about(0.523), about(0.0521), about(0.0004)
        ('52%', '5.2%', '0.04%')
    """
    return f"{100 * share:.0f}%" if share >= 0.0995 or share == 0 else percent(share)


def shared(figure: Figure) -> str:
    """Write a share with its interval.

    Example:
        >>> shared(Figure(measure="flip_rate", value=0.5, rows=2, low=0.1, high=0.9))
        '50.0% [10.0%, 90.0%]'
    """
    if math.isnan(figure.low):
        return percent(figure.value)
    return f"{percent(figure.value)} [{percent(figure.low)}, {percent(figure.high)}]"


def points(figure: Figure) -> str:
    """Write a difference of shares with its interval.

    Example:
        >>> points(Figure(measure="accuracy_difference", value=0.5, rows=2, low=0.1, high=0.9))
        '50.0 points [10.0, 90.0]'
    """
    value, low, high = (f"{100 * each:.1f}" for each in (figure.value, figure.low, figure.high))
    interval = "" if math.isnan(figure.low) else f" [{low}, {high}]"
    return f"{value} point{'' if value == '1.0' else 's'}{interval}"


def p_value_told(figure: Figure) -> str:
    """Write the p-value of a figure.

    Example:
        >>> p_value_told(Figure(measure="flip_rate", value=0.5, rows=2, p_value=0.0312))
        'p = 0.031, adjusted'
    """
    p_value = figure.p_value
    return f"{'p < 0.001' if p_value < 0.001 else f'p = {p_value:.2g}'}, adjusted"


def quoted(name: object) -> str:
    """Write a label so that it is seen where it begins and ends.

    Example:
        >>> quoted("not sexist")
        '“not sexist”'
    """
    text = str(name)
    return f"“{text if len(text) <= _LONGEST else text[: _LONGEST - 1] + '…'}”"


def counted(number: int, noun: str) -> str:
    """Write a number of things.

    Example:
        >>> counted(1, "row"), counted(2000, "row")
        ('1 row', '2,000 rows')
    """
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def verb(number: int, one: str, many: str) -> str:
    """Choose the form of a verb for a number of things.

    Example:
        >>> verb(1, "is", "are"), verb(0, "is", "are")
        ('is', 'are')
    """
    return one if number == 1 else many


def joined(names: Sequence[str]) -> str:
    """Write names as a list in a sentence.

    Example:
        >>> joined(["man", "woman", "non-binary"])
        'man, woman and non-binary'
    """
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]])) if names else ""


def few_rows(figure: Figure) -> str:
    """Say that a figure rests on few rows, if it does.

    Example:
        >>> few_rows(Figure(measure="flip_rate", value=0.5, rows=2))
        '2 rows say little, whatever the figure. '
    """
    if figure.rows >= _FEW:
        return ""
    rows = counted(figure.rows, "row")
    return f"{rows} {verb(figure.rows, 'says', 'say')} little, whatever the figure. "


def severity_of(low: float, high: float, medium: float, p_value: float = 0.0) -> Severity:
    """Tell how soon a finding wants to be looked at, by the end of its interval nearest to none.

    Args:
        low: That end; NaN where there is no interval.
        p_value: Of its test, adjusted: at most .01 for high severity, and .02 for medium one.

    Example:
        >>> severity_of(0.06, 0.05, 0.01), severity_of(float("nan"), 0.05, 0.01)
        ('high', 'low')
        >>> severity_of(0.06, 0.05, 0.01, p_value=0.03)
        'low'
    """
    if p_value <= SURE and low >= high:
        return "high"
    return "medium" if p_value <= LIKELY and low >= medium else "low"
