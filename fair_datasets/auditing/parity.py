"""Parity of predictions between groups of different rows."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fair_datasets.auditing.association import adjusted_p_values
from fair_datasets.auditing.findings import Figure, Finding, Part, Severity
from fair_datasets.auditing.intervals import wilson
from fair_datasets.auditing.wording import (
    counted,
    joined,
    percent,
    quoted,
    severity_of,
    shared,
    verb,
)
from fair_datasets.measures.bootstrap import bootstrap_interval
from fair_datasets.measures.group_rates import GroupRates
from fair_datasets.measures.parity import (
    demographic_parity,
    equal_opportunity,
    equalized_odds,
)
from fair_datasets.measures.rate_parity import Parity
from fair_datasets.measures.undefined import nan_is_enough

LEVEL = 0.05
HIGH, MEDIUM = 0.1, 0.02
"""How far the rates of groups must lie apart at least, at the near end of the interval."""
_STARTS = {
    "demographic_parity_difference": "Rows are predicted {label} in",
    "equal_opportunity_difference": "Rows that have the label {label} are predicted so in",
}
_CAUTION = (
    "The groups differ in their texts, not in these words alone: a difference need not be how the "
    "classifier treats the words. {tests} were made together; p is adjusted for that."
)


class Predicted(NamedTuple):
    """Rows with predictions and groups.

    Attributes:
        name: The axis, or `column` and the name of a column.
        groups: The names of the groups.
        codes: The group of each row; -1 for rows of none. Shape (N,).
        predictions: The predicted class of each row; -1 where there is none. Shape (N,).
        references: The class of each row; -1 where there is none. None without labels. Shape (N,).
        classes: The names of the classes.
    """

    name: str
    groups: tuple[str, ...]
    codes: NDArray[np.int64]
    predictions: NDArray[np.int64]
    references: NDArray[np.int64] | None
    classes: tuple[str, ...]


class _Compared(NamedTuple):
    """A measure between groups: the figure, the parity and the groups that are left out.

    There is no parity where fewer than two groups have the rows that the measure needs.
    """

    figure: Figure
    parity: Parity | None
    lacking: tuple[str, ...]


def parity_part(topic: str, several: Sequence[Predicted], seed: int) -> Part:
    """Compare predictions between groups.

    Args:
        topic: The name of the analysis.
        several: The rows, once for each axis and column of groups.
        seed: The seed of the bootstrap.

    Returns:
        Rates by group and differences between groups, with intervals; a finding for each that is
        beyond chance, and one for the others together.
    """
    figures: list[Figure] = []
    compared: list[_Compared] = []
    for rows in several:
        for target in targets(rows.classes):
            figures += _rates(rows, target)
            compared += _compared(rows, target, seed)
    p_values = adjusted_p_values([each.figure.p_value for each in compared])
    compared = [
        each._replace(figure=replace(each.figure, p_value=p_value))
        for each, p_value in zip(compared, p_values, strict=True)
    ]
    tests = sum(not math.isnan(p_value) for p_value in p_values)
    figures += [each.figure for each in compared]
    return Part(topic=topic, figures=tuple(figures), findings=tuple(_findings(compared, tests)))


def targets(classes: Sequence[str]) -> range:
    """Return the classes that are compared with the rest: of two, the second says all."""
    return range(1, 2) if len(classes) == 2 else range(len(classes))


def _rates(rows: Predicted, target: int) -> Iterator[Figure]:
    """Give how often each group is predicted to have a label."""
    known = rows.predictions >= 0
    for code, group in enumerate(rows.groups):
        of_group = known & (rows.codes == code)
        total = int(np.count_nonzero(of_group))
        count = int(np.count_nonzero(of_group & (rows.predictions == target)))
        if total:
            low, high = wilson(count, total)
            yield Figure(
                measure="selection_rate", value=count / total, rows=total, low=low, high=high,
                axis=rows.name, attribute=group, label=rows.classes[target],
            )  # fmt: skip


def _compared(rows: Predicted, target: int, seed: int) -> Iterator[_Compared]:
    """Give the differences between the groups for one label against the rest."""
    kept = (rows.codes >= 0) & (rows.predictions >= 0)
    yield from _compare(rows, target, "demographic_parity_difference", kept, None, seed)
    if rows.references is None:
        return
    kept &= rows.references >= 0
    for measure in ("equal_opportunity_difference", "equalized_odds_difference"):
        yield from _compare(rows, target, measure, kept, rows.references == target, seed)


def _compare(
    rows: Predicted,
    target: int,
    measure: str,
    kept: NDArray[np.bool_],
    references: NDArray[np.bool_] | None,
    seed: int,
) -> Iterator[_Compared]:
    """Compare the groups by one measure; a group without the rows that it needs is left out."""
    lacking = []
    for code, group in enumerate(rows.groups):
        own = kept & (rows.codes == code)
        needed = [own] if references is None else [own & references]
        if measure == "equalized_odds_difference" and references is not None:
            needed.append(own & ~references)
        if own.any() and not all(each.any() for each in needed):
            lacking.append(group)
            kept = kept & ~own
    codes, predicted = rows.codes[kept], rows.predictions[kept] == target
    if len(np.unique(codes)) < 2:
        figure = Figure(
            measure=measure, value=math.nan, rows=0, axis=rows.name, label=rows.classes[target]
        )
        yield _Compared(figure, None, tuple(lacking))
        return
    groups = np.array(rows.groups, dtype=object)[codes]
    parity, tested = _parity(measure, references, kept, predicted, groups)
    with nan_is_enough():
        interval = bootstrap_interval(parity, seed=seed)
    high = interval.high
    if parity.difference == high == 0:
        # Where no row of any group is predicted otherwise, no resample is either; but of few rows
        # that says little.
        high = max(wilson(0, _size(measure, row))[1] for row in parity.groups.values())
    figure = Figure(
        measure=measure, value=parity.difference, low=interval.low, high=high,
        rows=int(np.count_nonzero(tested)) or len(codes), axis=rows.name,
        label=rows.classes[target], p_value=_p_value(codes[tested], predicted[tested]),
    )  # fmt: skip
    yield _Compared(figure, parity, tuple(lacking))


def _parity(
    measure: str,
    references: NDArray[np.bool_] | None,
    kept: NDArray[np.bool_],
    predicted: NDArray[np.bool_],
    groups: NDArray[np.object_],
) -> tuple[Parity, NDArray[np.bool_]]:
    """Compare the groups, and say which of the kept rows a test of the measure is of."""
    with nan_is_enough():
        if references is None:
            return demographic_parity(predicted, groups), np.ones(len(groups), np.bool_)
        known = references[kept]
        if measure == "equal_opportunity_difference":
            return equal_opportunity(known, predicted, groups), known
        # The worse of the two rates, as fairlearn has it: a mean would hide half of a harm.
        return (
            equalized_odds(known, predicted, groups, agg="worst_case"),
            np.zeros(len(groups), np.bool_),
        )


def _p_value(codes: NDArray[np.int64], predicted: NDArray[np.bool_]) -> float:
    """Test whether the groups are predicted alike: Fisher's test of two, else chi-squared."""
    from scipy.stats import chi2_contingency, fisher_exact

    _, places = np.unique(codes, return_inverse=True)
    groups = int(places.max(initial=-1)) + 1
    table = np.bincount(2 * places + predicted, minlength=2 * groups).reshape(-1, 2)
    if groups < 2 or not table.sum(axis=0).all():
        return math.nan
    if groups == 2:
        return float(min(1.0, fisher_exact(table).pvalue))
    return float(chi2_contingency(table).pvalue)


def _findings(compared: Sequence[_Compared], tests: int) -> Iterator[Finding]:
    """Tell the differences beyond chance one by one, and the others together."""
    caution = _CAUTION.format(tests=counted(tests, "test"))
    others = []
    for each in compared:
        figure = each.figure
        if each.parity is None:
            continue
        # Equalized odds is the worse of two rates, of which one has a test already.
        if not figure.p_value < LEVEL:
            others.append(figure)
            continue
        rates = {group: _rate(figure.measure, row) for group, row in each.parity.groups.items()}
        most, least = (pick(rates, key=lambda name: rates[name]) for pick in (max, min))
        named = [(name, row.count) for name, row in each.parity.groups.items()]
        sizes = joined([f"{counted(size, 'row')} of {name}" for name, size in named
                        if name in (most, least)])  # fmt: skip
        sentence = (
            f"{_STARTS[figure.measure].format(label=quoted(figure.label))} {percent(rates[most])} "
            f"of {most} and {percent(rates[least])} of {least} (by {figure.axis}: {sizes}): a "
            f"difference of {shared(figure)}."
        )
        if each.lacking:
            sentence += f" Left out, for want of such rows: {joined(each.lacking)}."
        severity: Severity = severity_of(figure.low, HIGH, MEDIUM)
        yield Finding(severity=severity, sentence=sentence, figures=(figure,), caution=caution)
    lacking = [each.figure for each in compared if each.parity is None]
    if lacking:
        number = len(lacking)
        yield Finding(
            severity="low",
            sentence=f"{counted(number, 'comparison')} of predictions between groups could not be "
            "made, as fewer than two groups have the rows for "
            f"{verb(number, 'it', 'them')}: by {joined(sorted({f.axis for f in lacking}))}.",
            figures=tuple(lacking),
            caution="That is no sign that the groups are treated alike.",
        )
    if others:
        widest = max((f.high for f in others if not math.isnan(f.high)), default=math.nan)
        number = len(others)
        yield Finding(
            severity="low",
            sentence=f"{counted(number, 'more comparison')} of predictions between groups "
            f"{verb(number, 'shows', 'show')} no difference that a test of "
            f"{verb(number, 'its', 'their')} own finds beyond chance; the intervals reach up to "
            f"{percent(widest)}.",
            figures=tuple(others),
            caution="That nothing was found does not show that the groups are treated alike. "
            + caution,
        )


def _size(measure: str, row: GroupRates) -> int:
    """Return how many rows of a group the rates rest on that a measure compares."""
    positives = row.positives or 0
    if measure == "demographic_parity_difference":
        return row.count
    is_opportunity = measure == "equal_opportunity_difference"
    return positives if is_opportunity else min(positives, row.count - positives)


def _rate(measure: str, row: GroupRates) -> float:
    """Return the rate of a group that a measure compares."""
    name = "selection_rate" if measure.startswith("demographic") else "true_positive_rate"
    return float(getattr(row, name))
