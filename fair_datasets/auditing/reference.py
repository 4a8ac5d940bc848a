"""Shares of the rows beside those of a population."""

import csv
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from fair_datasets.auditing.audit_input import AuditInput, Grouping, groupings_of
from fair_datasets.auditing.classes import MOST_CLASSES, is_unknown, of_persons, spelt_alike
from fair_datasets.auditing.findings import (
    LEVEL,
    Figure,
    Finding,
    Part,
    Table,
    counted,
    format_list,
    severity_of,
    verb,
)
from fair_datasets.auditing.intervals import share_of
from fair_datasets.auditing.representation import adjusted_p_values
from fair_datasets.auditing.settings import AuditSettings
from fair_datasets.auditing.templates import make_finding
from fair_datasets.system.checks import InputError, format_choices, format_first, invalid
from fair_datasets.system.files import numbered_lines

SHARE = "share"
"""The column of a file that holds the shares."""
_SUM = 0.01
"""How far the shares of a file may sum to something else than 1, for want of digits."""
_LARGEST = 10_000_000
_HIGH, _MEDIUM = 0.1, 0.02
"""How far shares must lie apart at least, at the near end of the interval."""
_MOST_FINDINGS = 3
_WORDS = (
    "Only rows that mention a single attribute of {axis} are counted: words in a text, not who "
    "wrote it."
)


@dataclass(frozen=True)
class Population:
    """The shares of a population.

    Attributes:
        shares: Group to share, in [0, 1]; of several columns joined as the groups of rows are.
    """

    file: str
    columns: tuple[str, ...]
    shares: dict[str, float]


def read_population(path: str) -> Population:
    """Read shares from a CSV file: a column for each column of groups, and one of shares."""
    file = Path(path)
    lines = list(numbered_lines(file, largest=_LARGEST))
    rows = list(csv.reader(line for _, line in lines))
    head = [cell.strip() for cell in rows[0]] if rows else []
    columns = tuple(name for name in head if name != SHARE)
    if head.count(SHARE) != 1 or not columns or len(set(columns)) < len(columns):
        raise InputError(
            f"{file}: its first line must name columns of groups, with the names that they have "
            "in the rows, and "
            f"{SHARE!r}, such as 'sex,share', but the columns are {format_choices(head) or 'none'}."
        )
    shares: dict[str, float] = {}
    for (number, _), row in zip(lines[1:], rows[1:], strict=False):
        cells = dict(zip(head, (cell.strip() for cell in row), strict=False))
        where = f"{file}, line {number}"
        if len(row) != len(head) or not all(cells.values()):
            raise InputError(
                f"{where}: it must fill the columns {format_choices(head)}, but it is {row}."
            )
        unknown = [cells[name] for name in columns if is_unknown(cells[name])]
        if unknown:
            raise InputError(
                f"{where}: {unknown[0]!r} stands for rows of no known group, which are not "
                "counted; leave the line out, and let the other shares sum to 1."
            )
        group = " × ".join(cells[name] for name in columns)
        if group in shares:
            raise InputError(f"{where}: {group!r} has a share already; keep one of the two.")
        shares[group] = _share(cells[SHARE], where)
    return Population(file.name, columns, _of_one_whole(shares, file))


def _share(text: str, where: str) -> float:
    try:
        share = float(text)
    except ValueError:
        share = math.nan
    if not 0 <= share < math.inf:
        raise InputError(
            f"{where}: the share must be a number from 0 to 1, such as 0.51, but it is {text!r}."
        )
    return share


def _of_one_whole(shares: dict[str, float], file: Path) -> dict[str, float]:
    """Return shares that sum to 1, or raise where they do not."""
    total = sum(shares.values())
    if abs(total - 1) > _SUM:
        advice = "add the groups that are missing, or correct the shares"
        if abs(total - 100) <= 100 * _SUM:
            advice = "they look like percentages: divide them by 100"
        raise InputError(f"{file}: the shares must sum to 1, but they sum to {total:g}; {advice}.")
    if alike := spelt_alike(list(shares)):
        raise InputError(
            f"{file}: {alike[0]!r} and {alike[1]!r} differ only in spelling; write them alike."
        )
    return {name: share / total for name, share in shares.items()}


def reference_part(data: AuditInput, settings: AuditSettings) -> Part:
    """Compare the shares of groups in the rows with those of populations."""
    axes = [axis.grouping for axis in data.axes]
    columns = groupings_of(list(map(of_persons, data.groups)), MOST_CLASSES**2)
    compared = []
    for path in settings.reference:
        population = read_population(path)
        grouping = _grouping_of(population, [*axes, *columns])
        _refuse_other_spellings(population, grouping)
        compared.append((population, grouping, list(_gaps(population, grouping))))
    # Of two groups one test says what the other does.
    tests = [gap.p_value for *_, gaps in compared for *_, gap in gaps[len(gaps) == 2 :]]
    in_order = iter(adjusted_p_values(tests))
    number = len(tests)
    figures: list[Figure] = []
    tables: list[Table] = []
    findings: list[Finding] = []
    for population, grouping, gaps in compared:
        p_values = [next(in_order) for _ in gaps[len(gaps) == 2 :]]
        own = [
            (share, beside, replace(gap, p_value=p_value))
            for (share, beside, gap), p_value in zip(gaps, p_values * len(gaps), strict=False)
        ]
        own.sort(key=lambda three: -abs(three[2].value))
        figures += [figure for three in own for figure in three]
        tables.append(_table(population, grouping, own))
        findings += _findings(population, grouping, own, number)
    return Part(
        topic="reference", figures=tuple(figures), findings=tuple(findings), tables=tuple(tables)
    )


def _grouping_of(population: Population, groupings: Sequence[Grouping]) -> Grouping:
    """Return what of the rows the shares of a population are of."""
    wanted = " × ".join(population.columns)
    for each in groupings:
        if wanted == each.title:
            return each
    known = [each.title for each in groupings]
    raise invalid(
        f"{population.file} has shares of {wanted!r}, but the rows are grouped by "
        f"{format_choices(known) or 'nothing'}; name its columns as groups (--groups), in the "
        "same order."
    )


def _refuse_other_spellings(population: Population, grouping: Grouping) -> None:
    """Raise where a group of the population is none of the rows but for its spelling."""
    absent = [name for name in population.shares if name not in grouping.attributes]
    for name in grouping.attributes:
        for other in absent:
            if name not in population.shares and spelt_alike([name, other]):
                raise invalid(
                    f"{population.file} has {other!r}, and the rows have {name!r}, which "
                    "differ only in spelling; write them alike."
                )
    if len(absent) == len(population.shares):
        raise invalid(
            f"{population.file} has shares of {format_first(absent)}, but by "
            f"{grouping.name} the rows hold {format_first(grouping.attributes)}; write them alike."
        )


def _gaps(population: Population, grouping: Grouping) -> Iterator[tuple[Figure, Figure, Figure]]:
    """Give the share of each group in the rows and in the population, and the gap between them."""
    from scipy.stats import binomtest

    own = grouping.alone
    counts = {name: int(np.count_nonzero(own == code))
              for code, name in enumerate(grouping.attributes)}  # fmt: skip
    total = sum(counts.get(name, 0) for name in population.shares)
    for name, given in population.shares.items():
        count = counts.get(name, 0)
        share = share_of("group_share", count, total, axis=grouping.name, attribute=name)
        nan = math.nan
        beside = replace(share, measure="population_share", value=given, low=nan, high=nan)
        gap = replace(
            share, measure="population_gap", value=share.value - given, low=share.low - given,
            high=share.high - given,
            p_value=binomtest(count, total, given).pvalue if total else nan,
        )  # fmt: skip
        yield share, beside, gap


def _table(
    population: Population, grouping: Grouping, own: Sequence[tuple[Figure, Figure, Figure]]
) -> Table:
    """Write the shares beside each other."""
    return Table(
        title=f"Shares by {grouping.title} compared with {population.file}",
        head=("group", "rows", "share", "low", "high", "population", "gap", "gap low", "gap high",
              "p, adjusted"),
        rows=tuple(
            (gap.attribute, round(share.value * share.rows) if share.rows else 0, share.value,
             share.low, share.high, beside.value, gap.value, gap.low, gap.high, gap.p_value)
            for share, beside, gap in own
        ),
        notes=tuple(_notes(population, grouping)),
    )  # fmt: skip


def _notes(population: Population, grouping: Grouping) -> Iterator[str]:
    """Yield which rows are not counted."""
    if grouping.axis:
        yield _WORDS.format(axis=grouping.name)
    unknown = int(np.count_nonzero(grouping.alone < 0))
    yield f"{counted(unknown, 'row')} of no known group {verb(unknown, 'is', 'are')} not counted."
    others = {name: int(np.count_nonzero(grouping.alone == code))
              for code, name in enumerate(grouping.attributes)
              if name not in population.shares}  # fmt: skip
    groups = [f"{name} ({count:,})" for name, count in others.items() if count]
    if groups:
        yield f"The population has no share for the rows of {format_list(groups)}."


def _findings(
    population: Population,
    grouping: Grouping,
    own: Sequence[tuple[Figure, Figure, Figure]],
    tests: int,
) -> Iterator[Finding]:
    """Report the largest gaps that are beyond chance, or that there is none."""
    given: dict[str, Any] = {
        "tests": tests, "file": population.file, "axis": grouping.title,
        "is_axis": bool(grouping.axis),
    }  # fmt: skip
    own = own[: 1 if len(own) == 2 else None]
    sure = [three for three in own if three[2].p_value < LEVEL]
    for share, beside, gap in sure[:_MOST_FINDINGS]:
        severity = severity_of(max(gap.low, -gap.high, 0.0), _HIGH, _MEDIUM, gap.p_value)
        yield make_finding(
            "population_gap", [gap, share, beside], severity=severity, share=share, beside=beside,
            **given,
        )  # fmt: skip
    if rest := [gap for *_, gap in sure[_MOST_FINDINGS:]]:
        yield make_finding("more_population_gaps", rest, number=len(rest), **given)
    if others := [gap for *_, gap in own if not gap.p_value < LEVEL]:
        known = [max(abs(gap.low), abs(gap.high)) for gap in others if not math.isnan(gap.low)]
        yield make_finding("no_population_gap", others, reach=max(known, default=None), **given)
