"""Whom a filter dropped: how many rows of each group are in no row after it, and why."""

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fair_datasets.auditing.audit_input import AuditInput, Grouping, hash_of
from fair_datasets.auditing.changes import difference
from fair_datasets.auditing.classes import Classes, spelt_alike
from fair_datasets.auditing.classifiers import Side
from fair_datasets.auditing.exclusions import dropped_rows, ids_of
from fair_datasets.auditing.findings import (
    LEVEL,
    Figure,
    Finding,
    Marked,
    Part,
    Sample,
    Table,
    counted,
    format_list,
    is_column,
    quoted,
    severity_of,
    verb,
)
from fair_datasets.auditing.intervals import Difference, share_of, wilson
from fair_datasets.auditing.representation import adjusted_p_values
from fair_datasets.auditing.settings import AuditSettings
from fair_datasets.auditing.templates import make_finding
from fair_datasets.measures.inputs import is_missing, scalar
from fair_datasets.rows.given import batches
from fair_datasets.system.checks import caller_name, error_context, invalid

_HIGH, _MEDIUM = 0.05, 0.01
"""How far drop rates must lie apart at least, at the near end of the interval."""
_MOST_REASONS = 20
_FEW = 5
"""Reasons of fewer rows are told together, as no test could find anything of them."""
OTHER_REASONS, UNRECORDED = "other reasons", "no reason recorded"
_MOST_FINDINGS = 3
"""How many differences of an axis or a column are told as findings of their own."""
_NEW = 0.01
"""Of the rows that went: from how many new rows on they may have been rewritten, not dropped."""
_ORDERS = (
    "A reason applies only to rows that no earlier reason dropped, and the order is not known "
    "here. Each difference is therefore the smallest that any order gives, and 0 if orders "
    "disagree about who is dropped more."
)


@dataclass(frozen=True, kw_only=True)
class Exclusions:
    """What is known of the rows that went.

    Attributes:
        reason: The column that says why: in `dropped`, or else in the rows before.
        id_column: The column by which rows are known on both sides; None for their texts.
    """

    dropped: str | None = None
    reason: str | None = None
    id_column: str | None = None


class _Went(NamedTuple):
    """Which rows before are in no row after."""

    gone: NDArray[np.bool_]
    new: int
    reasons: tuple[str, ...]
    codes: NDArray[np.int64]
    notes: tuple[str, ...]

    def of(self, reason: str) -> NDArray[np.bool_]:
        """Return which rows went for a reason; for any where it is empty."""
        return self.gone & (self.codes == self.reasons.index(reason)) if reason else self.gone

    def counts(self, rows: NDArray[np.bool_]) -> "_Counts":
        """Count some rows, those of them that went, and those that went for each reason."""
        own = self.codes[rows & self.gone]
        by = np.bincount(own[own >= 0], minlength=len(self.reasons))
        return _Counts(int(np.count_nonzero(rows)), len(own), by)


class _Counts(NamedTuple):
    """Rows of a group, how many of them went, and how many for each reason. Shape (K,)."""

    rows: int
    went: int
    by: NDArray[np.int64]

    def of(self, reason: str, reasons: Sequence[str]) -> int:
        """Return how many went for a reason; for any where it is empty."""
        return int(self.by[reasons.index(reason)]) if reason else self.went


class _Compared(NamedTuple):
    """The drop rate of a group beside that of the other rows."""

    rate: Figure
    others: Figure
    gap: Figure
    is_mirror: bool


def dropped_part(before: Side, after: Side, known: Exclusions) -> Part | None:
    """Compare how many rows of each group went, over all reasons and by each."""
    gone, new = _gone(before, after, known)
    went = int(np.count_nonzero(gone))
    if not went:
        if known.dropped is not None or known.reason is not None:
            raise invalid(
                f"no row of {before.title} is missing in {after.title}, so there is "
                "nothing to give a reason for; check which side is which."
            )
        return None
    if known.id_column is None and new > _NEW * went:
        why = (
            f"{new:,} rows after are in no row before, so rewritten rows cannot be told from "
            "dropped ones; name the column that identifies rows (--id)"
        )
        return Part(topic="dropped", unmeasured={"drop_rate": why, "drop_rate_difference": why})
    dropped = _reasons(before, gone, new, known)
    compared = [each for grouping in before.material.groupings
                for each in _comparisons(before.material, grouping, dropped)]  # fmt: skip
    tested = [each.gap.p_value for each in compared if not each.is_mirror]
    in_order = iter(adjusted_p_values(tested))
    compared = [
        each if each.is_mirror else each._replace(
            gap=replace(each.gap, p_value=next(in_order))
        )
        for each in compared
    ]  # fmt: skip
    tests = sum(not math.isnan(p_value) for p_value in tested)
    rows = len(gone)
    whole = share_of("drop_rate", went, rows)
    first = [each for each in compared if not each.is_mirror]
    return Part(
        topic="dropped",
        figures=(whole, *(each.rate for each in compared), *(each.gap for each in first)),
        findings=(_overall(whole, dropped), *_findings(first, tests)),
        samples=tuple(_samples(before, first, dropped)),
        tables=tuple(_tables(compared, dropped)),
        notes=(*dropped.notes, *_spellings(before.material.groups)),
    )


def _gone(before: Side, after: Side, known: Exclusions) -> tuple[NDArray[np.bool_], int]:
    """Return which rows before are in no row after, copies counted, and how many rows are new."""
    one, other = _keys(before, known.id_column), _keys(after, known.id_column)
    keys, places, counts = np.unique(one, return_inverse=True, return_counts=True)
    there, others = np.unique(other, return_counts=True)
    staying = np.zeros(len(keys), np.int64)
    at = np.searchsorted(keys, there)
    is_known = (at < len(keys)) & (keys[np.minimum(at, len(keys) - 1)] == there)
    staying[at[is_known]] = others[is_known]
    # Of copies the first ones stay, as deduplication keeps them.
    order = np.argsort(places, kind="stable")
    rank = np.empty(len(one), np.int64)
    rank[order] = np.arange(len(one)) - np.repeat(np.cumsum(counts) - counts, counts)
    new = int(others.sum() - np.minimum(staying, counts).sum())
    return rank >= staying[places], new


def _keys(side: Side, id_column: str | None) -> NDArray[np.uint64]:
    """Return a hash of what each row is known by: its id, else its texts and groups. Shape (N,)."""
    if id_column is not None:
        with error_context(f"{caller_name()}: {side.title}"):
            hashes = [
                hash_of((each,))
                for rows in side.material.splits.values()
                for batch in batches(rows, [id_column])
                for each in ids_of(batch, id_column)
            ]
        return np.array(hashes, np.uint64)
    keys = side.material.hashes.copy()
    for classes in side.material.groups:
        names = [*map(hash_of, ((name,) for name in classes.names)), 0]
        keys = keys * np.uint64(1_000_003) + np.array(names, np.uint64)[classes.codes]
    return keys


def _reasons(before: Side, gone: NDArray[np.bool_], new: int, known: Exclusions) -> _Went:
    """Find out why each row went."""
    notes = [f"{counted(new, 'row')} after {verb(new, 'is', 'are')} in no row before."]
    by_row: dict[int, str] = {}
    if known.dropped is not None:
        by_row, more = _recorded(before, gone, known)
        notes += more
    elif known.reason is not None:
        by_row = _in_column(before, gone, known.reason)
    if not by_row:
        if known.dropped is not None or known.reason is not None:
            raise invalid(
                f"none of the {np.count_nonzero(gone):,} dropped rows has a reason in "
                f"{known.dropped or known.reason!r}; check the column, or name the column of ids "
                "(--id) if texts were rewritten."
            )
        return _Went(gone, new, (), np.full(len(gone), -1), tuple(notes))
    counts = Counter(by_row.values())
    large = [name for name, count in counts.most_common(_MOST_REASONS) if count >= _FEW]
    rows = np.flatnonzero(gone).tolist()
    named = [by_row.get(row, UNRECORDED) for row in rows]
    named = [name if name in large or name == UNRECORDED else OTHER_REASONS for name in named]
    reasons = [each for each in (*large, OTHER_REASONS, UNRECORDED) if each in named]
    codes = np.full(len(gone), -1, np.int64)
    codes[rows] = [reasons.index(name) for name in named]
    if lacking := len(rows) - len(by_row):
        notes.append(
            f"Of {lacking:,} of the {counted(len(rows), 'row')} that went no reason is recorded; "
            "rates by reason are of those that have one, and too low by as much."
        )
    return _Went(gone, new, tuple(reasons), codes, tuple(notes))


def _recorded(
    before: Side, gone: NDArray[np.bool_], known: Exclusions
) -> tuple[dict[int, str], list[str]]:
    """Find the rows that went in the folder of dropped ones."""
    keys = before.material.hashes if known.id_column is None else _keys(before, known.id_column)
    waiting: dict[int, list[int]] = {}
    for row in np.flatnonzero(gone)[::-1].tolist():
        waiting.setdefault(int(keys[row]), []).append(row)
    by_row: dict[int, str] = {}
    foreign = 0
    recorded = dropped_rows(known.dropped or "", before.settings, known.reason, known.id_column)
    for key, reason in recorded:
        rows = waiting.get(key)
        if rows:
            by_row[rows.pop()] = reason or UNRECORDED
        else:
            foreign += 1
    lines = []
    if foreign:
        lines = [
            f"{counted(foreign, 'dropped row')} of {known.dropped} {verb(foreign, 'is', 'are')} "
            "not among the rows that are missing: rewritten before, or kept elsewhere."
        ]
    return {row: reason for row, reason in by_row.items() if reason != UNRECORDED}, lines


def _in_column(before: Side, gone: NDArray[np.bool_], column: str) -> dict[int, str]:
    """Read the reasons that the rows before have themselves."""
    values = [
        scalar(value)
        for rows in before.material.splits.values()
        for batch in batches(rows, [column])
        for value in batch[column]
    ]
    return {
        row: str(values[row])
        for row in np.flatnonzero(gone).tolist()
        if not is_missing(values[row]) and values[row] != ""
    }


def _comparisons(data: AuditInput, grouping: Grouping, dropped: _Went) -> Iterator[_Compared]:
    """Compare each group with the other rows: over all reasons, and by each."""
    # A column's rows without a group are in no comparison; a text that mentions nobody is.
    among = data.has_text if grouping.axis else grouping.any
    masks = [(name, grouping.mask(code) & among) for code, name in enumerate(grouping.attributes)]
    masks = [(name, own) for name, own in masks if own.any()]
    pairs = [(name, dropped.counts(own), dropped.counts(among & ~own)) for name, own in masks]
    for reason in ("", *dropped.reasons):
        each_of = [_compare(grouping.name, name, reason, one, others, dropped.reasons)
                   for name, one, others in pairs]  # fmt: skip
        if len(each_of) == 2 and not grouping.axis:
            # Two groups mirror each other, so only the one that is dropped more is told.
            less = min(each_of, key=lambda each: (each.gap.value, each.rate.value))
            each_of = [each._replace(is_mirror=each is less) for each in each_of]
        yield from each_of


def _compare(
    axis: str, name: str, reason: str, own: _Counts, others: _Counts, reasons: Sequence[str]
) -> _Compared:
    """Compare a group with the other rows."""
    rate, beside = (
        share_of(
            "drop_rate", each.of(reason, reasons), each.rows, axis=axis, attribute=name,
            label=reason,
        )
        for each in (own, others)
    )  # fmt: skip
    nan = math.nan
    gap = replace(rate, measure="drop_rate_difference", value=nan, low=nan, high=nan)
    if others.rows and reason != UNRECORDED:
        number = reasons.index(reason) if reason else None
        gap = replace(gap, **_difference(own, others, number)._asdict())
    return _Compared(rate, beside, gap, is_mirror=False)


def _difference(own: _Counts, others: _Counts, place: int | None) -> Difference:
    """Compare two drop rates; of one reason as near to each other as any order of reasons has them.

    A reason is asked of the rows alone that none before it dropped. Of filters in a row, one that
    drops women first leaves fewer of them to the next, which is then no filter against men.
    """
    if place is None:
        return _tested((own.went, own.rows), (others.went, others.rows))
    shares = own.by / own.rows, others.by / others.rows
    differences = []
    for earlier in (shares[1] > shares[0], shares[0] > shares[1]):
        earlier[place] = False
        cells = [(int(each.by[place]), int(each.rows - each.by[earlier].sum()))
                 for each in (own, others)]  # fmt: skip
        if not (cells[0][1] and cells[1][1]):
            return Difference(0.0, math.nan, math.nan, 1.0)
        differences.append(_tested(*cells))
    least, most = differences
    if least.value > 0:
        return least
    return most if most.value < 0 else Difference(0.0, least.low, most.high, 1.0)


def _tested(one: tuple[int, int], other: tuple[int, int]) -> Difference:
    """Compare two shares of rows, each the number that is counted and of how many."""
    from scipy.stats import fisher_exact

    shares = [(count / rows, *wilson(count, rows)) for count, rows in (other, one)]
    value, low, high, _ = difference(*shares)
    cells = [[count, rows - count] for count, rows in (one, other)]
    # Rounding may put the p-value a little above 1.
    return Difference(value, low, high, min(1.0, float(fisher_exact(cells).pvalue)))


def _overall(whole: Figure, dropped: _Went) -> Finding:
    """Return the finding of how many rows went, and why."""
    counts = [(reason, int(np.count_nonzero(dropped.of(reason)))) for reason in dropped.reasons]
    reasons = format_list([f"{quoted(reason)} {count:,}" for reason, count in counts])
    return make_finding("rows_went", [whole], went=round(whole.value * whole.rows), reasons=reasons)


def _findings(compared: Sequence[_Compared], tests: int) -> Iterator[Finding]:
    """Report for each axis or column who was surely dropped more or less often."""
    for axis in dict.fromkeys(each.gap.axis for each in compared):
        own = [each for each in compared if each.gap.axis == axis]
        sure = [each for each in own if each.gap.p_value < LEVEL]
        # Over all reasons first, then the surely largest.
        sure.sort(key=lambda each: (bool(each.gap.label), -_near(each.gap)))
        yield from (_drop_rate(each, tests) for each in sure[:_MOST_FINDINGS])
        if rest := [each.gap for each in sure[_MOST_FINDINGS:]]:
            yield make_finding("more_drop_rates", rest, tests=tests)
        known = [each.gap for each in own if not math.isnan(each.gap.low)]
        if not sure and known:
            yield make_finding("no_drop_rate", known, tests=tests)


def _drop_rate(comparison: _Compared, tests: int) -> Finding:
    rate, gap = comparison.rate, comparison.gap
    severity = severity_of(_near(gap), _HIGH, _MEDIUM, gap.p_value)
    who = "of" if is_column(rate.axis) else "that mention"
    return make_finding(
        "drop_rate", [gap, rate], severity=severity if gap.value > 0 else "low", rate=rate,
        others=comparison.others, who=f"{who} {rate.attribute}", orders=_ORDERS, tests=tests,
        why=f" for {quoted(rate.label)}" if rate.label else "",
    )  # fmt: skip


def _near(gap: Figure) -> float:
    """Return how far rates lie apart, at the end of the interval that is nearest to 0."""
    return max(gap.low, -gap.high, 0.0)


def _samples(before: Side, compared: Sequence[_Compared], dropped: _Went) -> Iterator[Sample]:
    """Show rows of those that were surely dropped more often."""
    settings: AuditSettings = before.settings
    if not settings.columns:
        return
    for each in compared:
        gap = each.gap
        if not (gap.p_value < LEVEL and gap.value > 0):
            continue
        grouping = next(g for g in before.material.groupings if g.name == gap.axis)
        own = grouping.mask(grouping.attributes.index(gap.attribute)) & dropped.of(gap.label)
        rows = np.flatnonzero(own)[: settings.samples]
        note = f"dropped: {gap.attribute}{f', {gap.label}' if gap.label else ''}"
        texts = before.material.texts(rows, settings)
        for row, text in zip(rows.tolist(), texts, strict=True):
            split, number = before.material.place_of(row)
            marked = tuple(Marked(part) for part in text if part)
            yield Sample(axis=gap.axis, split=split, row=number, note=note, texts=marked)


def _tables(compared: Sequence[_Compared], dropped: _Went) -> Iterator[Table]:
    """Write the drop rates: of all reasons together, and by reason."""
    for is_by_reason in (False, True):
        own = [each for each in compared if bool(each.gap.label) is is_by_reason]
        if not own:
            continue
        by = ("reason",) if is_by_reason else ()
        yield Table(
            title="Drop rates by reason" if is_by_reason else "Drop rates",
            notes=(_ORDERS,) if is_by_reason else (),
            head=("group", "of", *by, "rows", "dropped", "drop rate", "others", "difference", "low",
                  "high", "p, adjusted"),
            rows=tuple(
                (each.rate.attribute, each.rate.axis, *([each.rate.label] if by else []),
                 each.rate.rows, round(each.rate.value * each.rate.rows), each.rate.value,
                 each.others.value, each.gap.value, each.gap.low, each.gap.high,
                 math.nan if each.is_mirror else each.gap.p_value)
                for each in own
            ),
        )  # fmt: skip


def _spellings(several: Sequence[Classes]) -> Iterator[str]:
    """Yield which groups differ only in spelling."""
    for classes in several:
        if alike := spelt_alike(classes.names):
            yield (
                f"Column {classes.column!r} holds {alike[0]!r} and {alike[1]!r}, which differ only "
                "in spelling, and are taken as two groups."
            )
