"""What an audit says: figures, the findings that rest on them, and samples of the rows.

A figure is a number with its place, its interval and the rows that it rests on. A finding is a
plain sentence about figures, with what cannot be concluded from them and what can be done next. At
the end stands how sentences write numbers and names.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal, Protocol

from fair_datasets.auditing.texts import Texts
from fair_datasets.system.checks import counted as counted

Severity = Literal["high", "medium", "low"]
"""How soon a finding wants to be looked at; each analysis says by which figures."""

SEVERITIES: Mapping[Severity, str] = MappingProxyType(
    {"high": "Look at this first", "medium": "Worth knowing", "low": "For the record"}
)
"""Each severity, the first ones first, and how a reader is told of it."""

Subject = Literal["bias", "limitation", "classifier", "audit"]
"""What a finding is about: how the rows speak of people or treat them; what else somebody who uses
the rows has to know; a classifier and not the rows; or the audit, such as what it compared."""

MEASURES: Mapping[str, str] = Texts("measures")
"""The name of each figure, as rules and tables have it, and what it is."""

ON_REQUEST: Mapping[str, str] = Texts("on_request")
"""The measures that an audit takes only where they are asked for, and why it did not."""

COLLAPSED = "collapsed"
COUNTERPARTS = "counterpart_odds_ratio"
RATIOS = ("odds_ratio", COUNTERPARTS)
"""The measures that are ratios of odds, of which 1 is no difference."""
BIAS_SCORES = ("bias_score", "bias_score_95", "bias_score_centred", "bias_score_centred_95")
"""The measures of how far words lean, of which only those of one name can be compared."""
CHANGE = "_change"
"""What the name of a measure ends in where it is that of its change between two audits."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A number that was measured.

    Attributes:
        value: Its value; NaN where it is not defined.
        rows: How many rows it rests on; of an association, those that mention the attribute; of
            `left_share`, how many words.
        low: The lower end of its interval of 95 %; NaN where there is none.
        axis: The demographic axis; or `column` and the name of a column of groups. Empty where it
            is of no axis.
        attribute: The attribute of the axis, or the group; empty where it is of all together.
        label: The label, or the name of a column; empty where it is of all.
        split: The split, or two of them; empty where it is of all together.
        p_value: Of the test that there is no difference, adjusted for the number of tests; NaN
            where none was made.

    Example:
        >>> Figure(measure="flip_rate", value=0.25, rows=8, axis="gender").place
        'gender'
    """

    measure: str
    value: float
    rows: int
    low: float = math.nan
    high: float = math.nan
    axis: str = ""
    attribute: str = ""
    label: str = ""
    split: str = ""
    p_value: float = math.nan

    @property
    def place(self) -> str:
        """Where it was measured, in words."""
        return ", ".join(filter(None, self.places))

    @property
    def places(self) -> tuple[str, str, str, str]:
        """The axis, the attribute, the label and the split."""
        return self.axis, self.attribute, self.label, self.split

    def __str__(self) -> str:
        """Write the value with its interval."""
        if math.isnan(self.value):
            return "undefined"
        interval = (
            ""
            if math.isnan(self.low)
            else f" [{format_number(self.low)}, {format_number(self.high)}]"
        )
        return f"{format_number(self.value)}{interval}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """A plain sentence with its evidence.

    Attributes:
        code: What kind of finding it is: the name of its template in `texts.en.toml`.
        caution: What cannot be concluded from it.
        advice: What can be done next; empty where there is nothing.
        command: The command that does it, for a shell; empty where the source of the rows is not
            known, or there is none.
        headline: What was found, for a reader in a hurry: a sentence without intervals. Empty where
            the sentence is such a one.
        about: What it is about; metadata and cards state of the rows what is about them, each by
            itself.

    Example:
        >>> Finding(sentence="All is well.", caution="").figures
        ()
    """

    code: str = ""
    severity: Severity = "low"
    sentence: str
    figures: tuple[Figure, ...] = ()
    caution: str = ""
    advice: str = ""
    command: str = ""
    headline: str = ""
    about: Subject = "audit"


@dataclass(frozen=True, slots=True)
class Marked:
    """A text with some of its parts marked.

    Attributes:
        spans: The start and end of each part, in characters, and a note on it; in order and without
            overlap.
    """

    text: str
    spans: tuple[tuple[int, int, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """A row that shows what a figure is about.

    Attributes:
        row: Its number in the split, counted from 0.
        note: What it shows.
        kind: What rows with other notes show as well; empty where the note is the same in all.
    """

    axis: str
    split: str
    row: int
    note: str
    kind: str = ""
    texts: tuple[Marked, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """A finished table that is shown unchanged, such as one that an authority asks for.

    Attributes:
        rows: The cells: names, counts, shares in [0, 1]; NaN where there is no number. Length C
            each.
        notes: Sentences that belong below it.

    Example:
        >>> Table("Rates", ("group", "rate"), (("a", 0.5),)).columns()
        [{'group': 'a', 'rate': 0.5}]
    """

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str | int | float, ...], ...]
    notes: tuple[str, ...] = ()

    def columns(self) -> list[dict[str, str | int | float]]:
        """Return each row with the names of its columns."""
        return [dict(zip(self.head, row, strict=True)) for row in self.rows]


class RowAnswers(Protocol):
    """What a classifier says of rows, one by one: see `fair_datasets.auditing.paired`."""

    @property
    def name(self) -> str:
        """The axis or the column by which the rows are compared; empty for all of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """What one analysis found.

    Attributes:
        answers: What a classifier said, row by row, by which a change can be told from chance.

    Example:
        >>> Part(topic="leaks").figures
        ()
    """

    topic: str
    figures: tuple[Figure, ...] = ()
    findings: tuple[Finding, ...] = ()
    samples: tuple[Sample, ...] = ()
    tables: tuple[Table, ...] = ()
    unmeasured: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    answers: tuple["RowAnswers", ...] = ()


SURE, LIKELY = 0.01, 0.02
"""The largest p-value of a finding of high severity, and of one of medium severity."""
LEVEL = 0.05
"""Below which p-value a difference is told as one beyond chance."""
NEAR = 0.04, 0.06
"""Which p-values are so near to it that a sentence names it."""
_LONGEST = 60
"""How many letters of a label a sentence shows."""


BETTER, WORSE = "change_better", "change_worse"
"""The codes of findings of a change that has a direction."""
_COLUMN, BETWEEN = "column", " × "
"""How figures of columns of groups are named, and what stands between the names of several."""


def column_axis(columns: str) -> str:
    """Return what figures call columns of groups, beside axes.

    Example:
        >>> column_axis("sex"), column_axis("sex × race")
        ('column sex', 'columns sex × race')
    """
    return f"{_COLUMN}{'s' if BETWEEN in columns else ''} {columns}"


def is_column(axis: str) -> bool:
    """Whether figures are of columns of groups, and not of an axis.

    Example:
        >>> is_column("column sex"), is_column("columnists")
        (True, False)
    """
    return axis.partition(" ")[0] in (_COLUMN, f"{_COLUMN}s") and " " in axis


def format_percent(share: float) -> str:
    """Write a share as a percentage.

    Example:
        >>> format_percent(0.12345), format_percent(0.0004), format_percent(float("nan"))
        ('12.3%', '0.04%', 'undefined')
    """
    if math.isnan(share):
        return "undefined"
    return f"{100 * share:.2g}%" if 0 < share < 0.0095 else f"{100 * share:.1f}%"


def format_rounded_percent(share: float) -> str:
    """Write a share as a percentage that is read at a glance.

    Example:
        >>> [*map(format_rounded_percent, (0.523, 0.0521, 0.0004))]
        ['52%', '5.2%', '0.04%']
    """
    return f"{100 * share:.0f}%" if share >= 0.0995 or share == 0 else format_percent(share)


def format_share_ci(figure: Figure) -> str:
    """Write a share with its interval.

    Example:
        >>> format_share_ci(Figure(measure="flip_rate", value=0.5, rows=2, low=0.1, high=0.9))
        '50.0% [10.0%, 90.0%]'
    """
    if math.isnan(figure.low):
        return format_percent(figure.value)
    return (
        f"{format_percent(figure.value)} [{format_percent(figure.low)}, "
        f"{format_percent(figure.high)}]"
    )


def format_points_ci(figure: Figure) -> str:
    """Write a difference of shares with its interval.

    Example:
        >>> format_points_ci(Figure(measure="accuracy_difference", value=0.5, rows=2, low=0.1,
        ...     high=0.9))
        '50.0 points [10.0, 90.0]'
    """
    value, low, high = (f"{100 * each:.1f}" for each in (figure.value, figure.low, figure.high))
    interval = "" if math.isnan(figure.low) else f" [{low}, {high}]"
    return f"{value} point{'' if value == '1.0' else 's'}{interval}"


def format_p_value(figure: Figure) -> str:
    """Write the p-value of a figure, and near the threshold on which side of it that lies.

    Example:
        >>> format_p_value(Figure(measure="flip_rate", value=0.5, rows=2, p_value=0.0312))
        'p = 0.031, adjusted'
        >>> format_p_value(Figure(measure="flip_rate", value=0.5, rows=2, p_value=0.048))
        'p = 0.048, adjusted, below the threshold of 0.05'
    """
    p_value = figure.p_value
    text = f"{'p < 0.001' if p_value < 0.001 else f'p = {p_value:.2g}'}, adjusted"
    if not NEAR[0] <= p_value <= NEAR[1]:
        return text
    return f"{text}, {'' if p_value < LEVEL else 'not '}below the threshold of {LEVEL}"


def quoted(name: object) -> str:
    """Write a label so that it is seen where it begins and ends.

    Example:
        >>> quoted("not sexist")
        '“not sexist”'
    """
    text = str(name)
    return f"“{text if len(text) <= _LONGEST else text[: _LONGEST - 1] + '…'}”"


def format_number(value: float) -> str:
    """Write a number with three digits, and no exponent where it is large.

    Example:
        >>> format_number(0.0661), format_number(1236.2)
        ('0.0661', '1,236')
    """
    return f"{value:,.0f}" if value >= 1000 else f"{value:.3g}"


def verb(number: int, one: str, many: str) -> str:
    """Choose the form of a verb for a number of things.

    Example:
        >>> verb(1, "is", "are"), verb(0, "is", "are")
        ('is', 'are')
    """
    return one if number == 1 else many


def format_list(names: Sequence[str]) -> str:
    """Write names as a list in a sentence."""
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]])) if names else ""


def severity_of(low: float, high: float, medium: float, p_value: float = 0.0) -> Severity:
    """Return how soon a finding wants to be looked at, by the end of its interval nearest to none.

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
