"""Impact tables: how often each category of persons is selected, by the category that is most.

Source: Local Law 144 of 2021 of New York City; 6 RCNY 5-300 and 5-301.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fair_datasets.auditing.audit_input import AuditInput, Grouping, groupings_of
from fair_datasets.auditing.changes import difference
from fair_datasets.auditing.classes import MOST_CLASSES, of_persons
from fair_datasets.auditing.findings import (
    LEVEL,
    Figure,
    Finding,
    Part,
    Table,
    counted,
    format_list,
    format_percent,
    severity_of,
    verb,
)
from fair_datasets.auditing.intervals import pairs_quantile, share_of, wilson
from fair_datasets.auditing.settings import SMALL, AuditSettings
from fair_datasets.auditing.templates import make_finding
from fair_datasets.measures.inputs import is_missing, scalar
from fair_datasets.rows.given import batches
from fair_datasets.system.checks import format_first, invalid

if TYPE_CHECKING:
    from datasets import Dataset

_HIGH, _MEDIUM = 0.2, 0.02
"""How far a ratio must lie below 1 at least, at the near end of its interval."""
_FOUR_FIFTHS = 0.8
_MOST_PAIRED = 50
"""Of more categories, each is compared with the highest one alone."""
_SELECTED: Mapping[str, float] = {
    **dict.fromkeys(("1", "true", "yes", "y", "selected"), 1.0),
    **dict.fromkeys(("0", "false", "no", "n", "not selected"), 0.0),
}
_NOT_GIVEN = (
    "Local Law 144 also asks for what is not given here: that the auditor is independent; where "
    "the data are from, and whether they are historical data or test data; and that the audit is "
    "less than one year old when the tool is used."
)


class _Outcomes(NamedTuple):
    """What became of the persons: which rows were assessed, and which of them are counted."""

    measure: str
    counted: str
    assessed: NDArray[np.bool_]
    chosen: NDArray[np.bool_]
    note: str


def impact_part(data: AuditInput, settings: AuditSettings) -> Part:
    """Make an impact table of each column about persons, and of all of them together."""
    outcomes = _outcomes(data.splits, settings)
    groups = groupings_of(list(map(of_persons, data.groups)), MOST_CLASSES**2)
    figures: list[Figure] = []
    tables: list[Table] = []
    findings: list[Finding] = []
    unmeasured = {}
    for grouping in groups:
        rates = list(_rates(grouping, outcomes))
        excluded = _excluded(rates, settings.exclude_below)
        ratios = list(_ratios(rates, excluded, len(groups)))
        figures += [*rates, *ratios]
        tables.append(_table(grouping, outcomes, rates, ratios, settings))
        findings += _finding(grouping, rates, ratios, len(groups))
        if not ratios:
            unmeasured["impact_ratio"] = findings[-1].sentence.rstrip(".")
    absent = int(np.count_nonzero(~outcomes.assessed))
    lacking = f" {counted(absent, 'row')} without one {verb(absent, 'is', 'are')} in no table."
    return Part(
        topic="impact", figures=tuple(figures), findings=tuple(findings), tables=tuple(tables),
        unmeasured=unmeasured,
        notes=(outcomes.note + (lacking if absent else ""), _NOT_GIVEN),
    )  # fmt: skip


def _outcomes(splits: "Mapping[str, Dataset]", settings: AuditSettings) -> _Outcomes:
    """Read who was selected, or whose score is above the median of all scores."""
    if settings.selected is not None:
        values = _values(splits, settings.selected, _selection)
        _refuse_other_selections(values, settings.selected)
        chosen = np.array([_SELECTED.get(value, 0.0) > 0 for value in values], np.bool_)
        assessed = np.array([value != "" for value in values], np.bool_)
        note = (
            "The selection rate is the share of the assessed rows of a category that were "
            f"selected (column {settings.selected!r}); the impact ratio divides it by the highest "
            "one of the table."
        )
        return _Outcomes("selection_rate", "selected", assessed, chosen & assessed, note)
    scores = np.array(_values(splits, settings.score or "", _score), np.float64)
    assessed = ~np.isnan(scores)
    if not assessed.any():
        raise invalid(f"column {settings.score!r} holds no score; name another column.")
    median = float(np.median(scores[assessed]))
    note = (
        "The scoring rate is the share of the scored rows of a category whose score is above "
        f"{median:.6g}, the median of all {np.count_nonzero(assessed):,} scores (column "
        f"{settings.score!r}); the impact ratio divides it by the highest one of the table."
    )
    return _Outcomes("scoring_rate", "above median", assessed, scores > median, note)


def _values(splits: "Mapping[str, Dataset]", column: str, read: Any) -> list[Any]:
    """Read each value of a column by a function of it, the column and the number of the row."""
    values: list[Any] = []
    for rows in splits.values():
        for batch in batches(rows, [column]):
            for value in batch[column]:
                values.append(read(scalar(value), column, len(values)))
    return values


def _selection(value: Any, column: str, row: int) -> str:
    """Write a selection as all spellings have it; empty where there is none."""
    if is_missing(value):
        return ""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if not isinstance(value, str | int | float):
        raise invalid(
            f"column {column!r} must say who was selected, but row {row} (counted from 0, "
            f"over all splits) holds {value!r} ({type(value).__name__}); write 1 and 0."
        )
    return str(value).strip().casefold()


def _score(value: Any, column: str, row: int) -> float:
    """Return a score; NaN where there is none."""
    if is_missing(value) or (isinstance(value, str) and not value.strip()):
        return math.nan
    try:
        number = math.nan if isinstance(value, bool) else float(value)
    except (TypeError, ValueError):
        number = math.nan
    if not math.isfinite(number):
        raise invalid(
            f"column {column!r} must hold scores, but row {row} (counted from 0, over all splits) "
            f"holds {value!r}, which is not a number; correct it, or leave the cell empty."
        )
    return number


def _refuse_other_selections(values: Sequence[str], column: str) -> None:
    """Raise unless it is known of each value whether it is a selection."""
    different = sorted(set(values) - {""})
    if not different:
        raise invalid(f"column {column!r} holds no selection; name another column.")
    if len(different) > 2:
        raise invalid(
            f"column {column!r} holds {len(different):,} different values "
            f"({format_first(different)}), but a row is either selected or not; write 1 and 0, "
            "leave rows that were not assessed empty, or name a column of scores as score "
            "(--score)."
        )
    if not set(different) <= _SELECTED.keys():
        raise invalid(
            f"column {column!r} holds {format_first(different)}, which do not say who was "
            "selected; write 1 and 0, yes and no, or true and false."
        )


def _rates(grouping: Grouping, outcomes: _Outcomes) -> Iterator[Figure]:
    """Give the rate of each category."""
    rows, chosen = grouping.rows_with(outcomes.assessed), grouping.rows_with(outcomes.chosen)
    for name, total, count in zip(grouping.attributes, rows.tolist(), chosen.tolist(), strict=True):
        yield share_of(outcomes.measure, count, total, axis=grouping.name, attribute=name)


def _excluded(rates: Sequence[Figure], below: float | None) -> set[str]:
    """Name the categories that are left out, and those without a row."""
    total = sum(rate.rows for rate in rates)
    return {rate.attribute for rate in rates
            if not rate.rows or (below is not None and rate.rows < below * total)}  # fmt: skip


def _ratios(rates: Sequence[Figure], excluded: set[str], tables: int) -> Iterator[Figure]:
    """Give the ratio of each category to the one with the highest rate."""
    compared = [rate for rate in rates if rate.attribute not in excluded]
    best = max(compared, key=lambda rate: rate.value, default=None)
    for rate in compared:
        if best is not None:
            yield _ratio(rate, best, len(compared), tables)


def _ratio(rate: Figure, other: Figure, categories: int, tables: int) -> Figure:
    """Return the ratio of a category to another one, tested as one of all pairs and tables."""
    from scipy.stats import fisher_exact

    value, low, high, p_value = math.nan, math.nan, math.nan, math.nan
    if other.value > 0 and categories > 1:
        value = rate.value / other.value
    if other.value > 0 and rate is not other:
        cells = [[_count(each), each.rows] for each in (rate, other)]
        test = fisher_exact([[count, total - count] for count, total in cells])
        p_value = min(1.0, float(test.pvalue) * math.comb(categories, 2) * tables)
        low, high = _ratio_interval(cells[0], cells[1], categories)
    return Figure(
        measure="impact_ratio", value=value, rows=rate.rows, low=low, high=high, axis=rate.axis,
        attribute=rate.attribute, p_value=p_value,
    )  # fmt: skip


def _ratio_interval(one: list[int], other: list[int], categories: int) -> tuple[float, float]:
    """Return the interval of a ratio of two shares, which holds for all pairs of categories."""
    # The other share is above 0. Source: Donner and Zou, Closed-form confidence intervals for
    # functions of the normal mean and standard deviation, 2012 (of a share of 0).
    quantile = pairs_quantile(categories)
    logs = []
    for count, total in (other, one):
        low, high = wilson(count, total, quantile)
        if not count:
            # The same method of intervals has this end where 0 has no logarithm.
            best = other[0] / other[1]
            least, _ = wilson(other[0], other[1], quantile)
            return 0.0, high / math.sqrt(least * (2 * best - least))
        logs.append((math.log(count / total), math.log(low), math.log(high)))
    _, low, high, _ = difference(*logs)
    return math.exp(low), math.exp(high)


def _table(
    grouping: Grouping,
    outcomes: _Outcomes,
    rates: Sequence[Figure],
    ratios: Sequence[Figure],
    settings: AuditSettings,
) -> Table:
    """Write the table, in the order of the categories."""
    total = sum(rate.rows for rate in rates)
    by_name = {ratio.attribute: ratio for ratio in ratios}
    best = _best(rates, by_name)
    rows = []
    for rate in rates:
        ratio = by_name.get(rate.attribute)
        marks = ["highest"] if rate is best else []
        marks += ["under 2%"] if rate.rows < SMALL * total else []
        marks += [] if ratio or not rate.rows else ["left out"]
        values = (ratio.value, ratio.low, ratio.high, ratio.p_value) if ratio else [math.nan] * 4
        rows.append((
            rate.attribute, rate.rows, _count(rate), rate.value, rate.low, rate.high, *values,
            ", ".join(marks),
        ))  # fmt: skip
    what = outcomes.measure.replace("_", " ")
    return Table(
        title=f"Impact table by {grouping.title}",
        head=("category", "assessed", outcomes.counted, what, "low", "high", "impact ratio",
              "ratio low", "ratio high", "p, adjusted", "note"),
        rows=tuple(rows),
        notes=tuple(_notes(grouping, outcomes, rates, by_name, settings)),
    )  # fmt: skip


def _notes(
    grouping: Grouping,
    outcomes: _Outcomes,
    rates: Sequence[Figure],
    ratios: Mapping[str, Figure],
    settings: AuditSettings,
) -> Iterator[str]:
    """Yield notes: who is not counted, who was left out, and that a ratio is not defined."""
    unknown = int(np.count_nonzero(outcomes.assessed & ~grouping.any))
    where = " and ".join(grouping.title.split(" × "))
    yield (
        f"Unknown: {counted(unknown, 'assessed row')} {verb(unknown, 'has', 'have')} no known "
        f"{where}, and {verb(unknown, 'is', 'are')} not counted in the rates."
    )
    excluded = [rate.attribute for rate in rates if rate.rows and rate.attribute not in ratios]
    if excluded:
        yield (
            "Left out of the ratios, because each is under "
            f"{format_percent(settings.exclude_below or 0)} of the rows of the table: "
            f"{format_list(excluded)}. The reason given: {settings.why}"
        )
    if why := _not_compared(rates, ratios):
        yield f"Nothing was compared, and no ratio is defined: {why}."


def _finding(
    grouping: Grouping, rates: Sequence[Figure], ratios: Sequence[Figure], tables: int
) -> Iterator[Finding]:
    """Report the category that is surely furthest below a higher one, else of the lowest."""
    by_name = {ratio.attribute: ratio for ratio in ratios}
    best = _best(rates, by_name)
    others = [ratio for ratio in ratios if not math.isnan(ratio.p_value)]
    where = grouping.title
    if best is None:
        why = _not_compared(rates, by_name)
        yield make_finding("impact_not_compared", ratios, columns=where, why=why)
        return
    # A highest category of few rows would hide how far large ones lie apart.
    compared = [rate for rate in rates if rate.attribute in by_name]
    compared.sort(key=lambda each: each.value)
    is_all = len(compared) <= _MOST_PAIRED
    pairs = [(_ratio(rate, higher, len(compared), tables), rate, higher)
             for place, rate in enumerate(compared)
             for higher in compared[place + 1 :] if is_all or higher is best]  # fmt: skip
    sure = [pair for pair in pairs if pair[0].p_value < LEVEL and not math.isnan(pair[0].high)]
    if sure:
        first, rate, higher = min(sure, key=lambda pair: pair[0].high)
    else:
        first, rate, higher = min(pairs, key=lambda pair: pair[0].value)
    yield make_finding(
        "impact", [first, *others],
        severity=severity_of(1 - first.high, _HIGH, _MEDIUM, first.p_value), columns=where,
        what=rate.measure.replace("_", " "), rate=rate, higher=higher, best=best,
        below=[ratio for ratio in others if ratio.value < _FOUR_FIFTHS],
    )  # fmt: skip


def _best(rates: Sequence[Figure], ratios: Mapping[str, Figure]) -> Figure | None:
    """Return the highest rate of those that are compared; None where none is."""
    if _not_compared(rates, ratios):
        return None
    compared = [rate for rate in rates if rate.attribute in ratios]
    return max(compared, key=lambda rate: rate.value)


def _not_compared(rates: Sequence[Figure], ratios: Mapping[str, Figure]) -> str:
    """Return why no category is compared with another one; empty where some are."""
    compared = [rate for rate in rates if rate.attribute in ratios]
    if not compared:
        return "no category has an assessed row"
    if len(compared) == 1:
        others = any(rate.rows for rate in rates if rate is not compared[0])
        has = "is not left out" if others else "has assessed rows"
        return f"one category alone, {compared[0].attribute}, {has}"
    if any(rate.value > 0 for rate in compared):
        return ""
    if compared[0].measure == "selection_rate":
        return "nobody is selected in any category"
    return "no score of any category is above the median"


def _count(rate: Figure) -> int:
    """Return how many rows a rate counts."""
    return round(rate.value * rate.rows) if rate.rows else 0
