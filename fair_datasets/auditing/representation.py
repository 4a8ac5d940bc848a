"""Whom the rows speak of, by split and by label, and which labels go with whom."""

import math
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fair_datasets.auditing.audit_input import AuditInput, Grouping
from fair_datasets.auditing.findings import (
    COUNTERPARTS,
    LEVEL,
    Figure,
    Finding,
    Part,
    severity_of,
)
from fair_datasets.auditing.intervals import independent_rows, share_of
from fair_datasets.auditing.settings import Commands
from fair_datasets.auditing.templates import make_finding
from fair_datasets.lexicons import load_lexicon
from fair_datasets.measures.controls import holm
from fair_datasets.measures.inputs import nan_is_enough
from fair_datasets.measures.representation import (
    Association,
    associations,
    family_effects,
    family_patterns,
    likelihood_ratio,
    permuted_maxima,
)

_MEDIUM = 0.6
"""From which share of one of two counterparts on a finding is of medium severity."""
_FEW = 0.01
"""Below which share of rows an axis is said to be hardly mentioned."""
_MOST_FINDINGS = 3
"""How many attributes a sentence names."""


def representation_part(data: AuditInput, commands: Commands) -> Part:
    """Count the rows that mention each attribute, over all rows, by split and by label."""
    figures: list[Figure] = []
    findings: list[Finding] = []
    for grouping in data.groupings:
        shares = list(_shares(data, grouping))
        balances: list[Figure] = []
        if grouping.axis:
            balances = list(_balances(data, grouping))
        figures += [*shares, *balances]
        findings.append(_finding(data, grouping, shares, balances, commands))
    return Part(topic="representation", figures=tuple(figures), findings=tuple(findings))


def _shares(data: AuditInput, grouping: Grouping) -> Iterator[Figure]:
    """Give the share of rows that mention each attribute: of all, by split and by label."""
    selected = data.has_text
    wheres: list[tuple[str, str, NDArray[np.bool_]]] = [("", "", selected)]
    if len(data.splits) > 1:
        wheres += [(split, "", selected & data.rows_of(split)) for split in data.splits]
    if data.labels is not None:
        wheres += [
            ("", label, selected & (data.labels.codes == code))
            for code, label in enumerate(data.labels.names)
        ]
    for split, label, rows in wheres:
        total = int(np.count_nonzero(rows))
        counts, families = grouping.rows_with(rows).tolist(), data.families[rows]
        for code, (attribute, count) in enumerate(zip(grouping.attributes, counts, strict=True)):
            yield share_of(
                "mention_share", count, total, axis=grouping.name, attribute=attribute,
                label=label, split=split,
                independent=independent_rows(grouping.mask(code)[rows], families),
            )  # fmt: skip


def _counterparts(grouping: Grouping) -> list[tuple[int, int]]:
    """Return the codes of attributes that are each other's counterparts; none for a column."""
    if not grouping.axis:
        return []
    code_of = {name: code for code, name in enumerate(grouping.attributes)}
    several = load_lexicon(grouping.axis).counterparts.items()
    pairs = [sorted((code_of[one], code_of[other])) for one, other in several]
    return sorted({(first, second) for first, second in pairs})


def _balances(data: AuditInput, grouping: Grouping) -> Iterator[Figure]:
    """Compare counterparts, such as man and woman, on the rows that mention one of the two."""
    splits = [""] + (list(data.splits) if len(data.splits) > 1 else [])
    for codes in _counterparts(grouping):
        first, second = (grouping.attributes[code] for code in codes)
        one, other = map(grouping.mask, codes)
        for split in splits:
            selected = data.has_text & (data.rows_of(split) if split else True)
            alone = selected & (one != other)
            counts = {
                first: int(np.count_nonzero(one & alone)),
                second: int(np.count_nonzero(other & alone)),
            }
            more = max(counts, key=lambda name: counts[name])
            yield share_of(
                "mention_balance", counts[more], sum(counts.values()), axis=grouping.name,
                attribute=more, split=split,
                independent=independent_rows(one[alone], data.families[alone]),
            )  # fmt: skip


def _finding(
    data: AuditInput,
    grouping: Grouping,
    shares: list[Figure],
    balances: list[Figure],
    commands: Commands,
) -> Finding:
    """Return the finding of whom the rows speak of along one axis."""
    overall = [figure for figure in shares if not figure.split and not figure.label]
    order = sorted(overall, key=lambda figure: -figure.value)
    total = overall[0].rows
    if not total:
        return make_finding("no_text", overall)
    if not grouping.any.any():
        return make_finding("nobody_mentioned", overall, severity="medium")
    largest = [figure for figure in order[:_MOST_FINDINGS] if figure.value]
    absent = [figure.attribute for figure in overall if not figure.value]
    unnamed = [f"{len(absent) - _MOST_FINDINGS:,} more"] if len(absent) > _MOST_FINDINGS else []
    first = [figure for figure in balances if not figure.split and figure.rows]
    first.sort(key=lambda figure: -figure.low)
    severity = severity_of(max((f.low for f in first), default=math.nan), math.inf, _MEDIUM)
    share = float(grouping.any.mean())
    return make_finding(
        "mentions", [*first, *overall], severity=severity, axis=grouping.name, total=total,
        count=int((grouping.any & data.has_text).sum()), is_axis=bool(grouping.axis),
        largest=largest, more=len(overall) - len(absent) - len(largest), balances=first,
        absent=[*absent[:_MOST_FINDINGS], *unnamed],
        share=share if grouping.axis and share < _FEW else None,
        **commands.to_augment(grouping.axis, severity),
    )  # fmt: skip


_HIGH, _MEDIUM_ODDS, _MEDIUM_COUNTERPARTS = 2.0, 1.2, 1.1
"""How many times the odds must differ at least, at the near end of the interval."""
_NEARLY_ALL = 0.9
"""From which share of rows that mention one of two counterparts on these are not told apart."""
_PERMUTATIONS = 1999
"""How many permutations of the labels there are: the smallest p is 1 / 2000."""
_TOLERANCE = 1e-6
"""What rounding may take from a statistic that equals another one."""


class _Contrast(NamedTuple):
    """Rows that mention an attribute, compared with others by how often they have a label.

    Attributes:
        other: The counterpart of the attribute, where rows that mention one of the two and not the
            other are compared; empty where the others are all other rows.
        is_new: Whether it says what no other contrast of the same rows does.
        tests: How many tests were made together.
    """

    association: Association
    figure: Figure
    other: str = ""
    is_new: bool = True
    tests: int = 0

    @property
    def statistic(self) -> float:
        """The likelihood-ratio statistic; NaN where nothing is compared."""
        if math.isnan(self.figure.value):
            return math.nan
        each = self.association
        return float(likelihood_ratio(each.both, each.mentioned, each.labelled, each.rows))


class _LabelledRows(NamedTuple):
    """Rows of P kinds, by which attributes they mention, with one of L labels each.

    Attributes:
        kinds: The kind of each row. Shape (N,).
        labels: The label of each row. Shape (N,).
        families: The family of each row. Shape (N,).
        shape: P and L.
    """

    kinds: NDArray[np.int64]
    labels: NDArray[np.int64]
    families: NDArray[np.intp]
    shape: tuple[int, int]

    def table(self) -> NDArray[np.int64]:
        """Count the rows of each kind and label. Shape (P, L)."""
        cells = np.ravel_multi_index((self.kinds, self.labels), self.shape)
        return np.bincount(cells, minlength=math.prod(self.shape)).reshape(self.shape)

    def effects(self, ones: NDArray[np.bool_], others: NDArray[np.bool_]) -> NDArray[np.float64]:
        """Return the design effects of comparing some kinds with others. Shape (L,)."""
        among = (ones | others)[self.kinds]
        return family_effects(
            ones[self.kinds][among], self.labels[among], self.shape[1], self.families[among]
        )

    def maxima(
        self, ones: NDArray[np.bool_], others: NDArray[np.bool_], draw: np.random.Generator
    ) -> NDArray[np.float64]:
        """Return the largest statistic of each permutation of the labels among the families.

        Args:
            ones: The kinds that each comparison is about, and `others` those that they are compared
                with. Shape (C, P).
        """
        table, holds = self.table(), np.eye(self.shape[0], dtype=np.int64)
        if np.bincount(self.families).max(initial=0) > 1:
            table, holds = family_patterns(self.kinds, self.shape[0], self.labels, self.families)
        return permuted_maxima(
            table, ones @ holds.T, others @ holds.T, draws=_PERMUTATIONS, generator=draw
        )


def association_part(data: AuditInput, commands: Commands) -> Part:
    """Measure how far each label goes with each attribute or group.

    Comparisons with all other rows are tested together, and those of counterparts, too, by
    permutations of the labels among the rows.
    """
    if data.labels is None:
        return _not_associated("no column of labels is named (--label)")
    if len(data.labels.names) < 2:
        return _not_associated(f"column {data.labels.column!r} holds fewer than two labels")
    draw = np.random.default_rng(commands.settings.seed)
    by_grouping, maxima = [], np.zeros(_PERMUTATIONS)
    for grouping in data.groupings:
        contrasts, largest = _contrasts(data, grouping, draw)
        by_grouping.append(contrasts)
        maxima = np.maximum(maxima, largest)
    several = list(zip(data.groupings, _tested(by_grouping, maxima), strict=True))
    findings = [each for own in several for each in _findings(*own, commands)]
    figures = tuple(figure for _, own in several for figure in _figures(own))
    unmeasured = {}
    if not any(each.other for own in by_grouping for each in own):
        unmeasured[COUNTERPARTS] = "no axis has attributes that are each other's counterparts"
    return Part(
        topic="association", figures=figures, findings=tuple(findings), unmeasured=unmeasured
    )


def _not_associated(why: str) -> Part:
    """Return the part that says why no label was compared."""
    names = ("odds_ratio", COUNTERPARTS, "pmi")
    return Part(topic="association", unmeasured=dict.fromkeys(names, why))


def _contrasts(
    data: AuditInput, grouping: Grouping, draw: np.random.Generator
) -> tuple[list[_Contrast], NDArray[np.float64]]:
    """Compare the labels of rows that mention each attribute with those of others.

    Returns:
        The contrasts, not tested yet, and the largest statistic of those of counterparts in each
        permutation. Shape (K,).
    """
    assert data.labels is not None
    labels, selected = data.labels, data.has_text & (data.labels.codes >= 0)
    kinds, holds = grouping.kinds
    size = len(labels.names)
    rows = _LabelledRows(
        kinds[selected], labels.codes[selected], data.families[selected], (len(holds), size)
    )
    table = rows.table()
    places = [(one, -1) for one in range(len(grouping.attributes))]
    places += [(second, first) for first, second in _counterparts(grouping)]
    sides = [(holds[:, one], ~holds[:, one]) if other < 0
             else (holds[:, one] & ~holds[:, other], holds[:, other] & ~holds[:, one])
             for one, other in places]  # fmt: skip
    ones, others = (np.array(each, np.bool_) for each in zip(*sides, strict=True))
    contrasts: list[_Contrast] = []
    for (one, other), mine, theirs, *compared in zip(
        places, ones @ table, others @ table, ones, others, strict=True
    ):
        name = grouping.attributes[other] if other >= 0 else ""
        with nan_is_enough():
            results = associations(
                (grouping.attributes[one],), labels.names, [mine], mine + theirs,
                effects=[rows.effects(*compared)],
            )  # fmt: skip
        # Of two labels, one says what the other does; where nearly all rows mention one of the two,
        # the others are the counterpart already.
        is_new = not name or results[0].rows < _NEARLY_ALL * int(selected.sum())
        contrasts += [
            _Contrast(each, _ratio(each, grouping.name, name), name, is_new)
            for each in results
            if size > 2 or each.label == labels.names[1]
        ]
    is_pair = np.array([other >= 0 for _, other in places])
    return contrasts, rows.maxima(ones[is_pair], others[is_pair], draw)


def _ratio(result: Association, axis: str, other: str) -> Figure:
    """Return the odds ratio of an attribute and a label, not tested yet."""
    return Figure(
        measure=COUNTERPARTS if other else "odds_ratio", value=result.odds_ratio,
        rows=result.rows if other else result.mentioned, low=result.odds_ratio_low,
        high=result.odds_ratio_high, axis=axis, attribute=result.attribute, label=str(result.label),
    )  # fmt: skip


def _tested(
    several: Sequence[Sequence[_Contrast]], maxima: NDArray[np.float64]
) -> list[list[_Contrast]]:
    """Give contrasts their p-values: those of Fisher's tests, and of counterparts their ranks."""
    flat = [each for own in several for each in own]
    whole = [each for each in flat if not each.other]
    adjusted = iter(adjusted_p_values([each.association.p_value for each in whole]))
    is_made = [bool(each.other) for each in flat if not math.isnan(each.figure.value)]

    def tested(each: _Contrast) -> _Contrast:
        reached = int(np.count_nonzero(maxima >= each.statistic - _TOLERANCE))
        rank = math.nan if math.isnan(each.statistic) else (1 + reached) / (len(maxima) + 1)
        p_value = rank if each.other else next(adjusted)
        figure = replace(each.figure, p_value=p_value)
        return each._replace(figure=figure, tests=is_made.count(bool(each.other)))

    return [list(map(tested, own)) for own in several]


def _figures(contrasts: Sequence[_Contrast]) -> Iterator[Figure]:
    """Give the odds ratios of attributes, their PMI, and the odds ratios of counterparts."""
    nan = math.nan
    whole = [each for each in contrasts if not each.other]
    yield from (each.figure for each in whole)
    for each in whole:
        pmi = replace(each.figure, measure="pmi", value=each.association.pmi)
        yield replace(pmi, low=nan, high=nan, p_value=nan)
    yield from (each.figure for each in contrasts if each.other)


def adjusted_p_values(p_values: Sequence[float]) -> list[float]:
    """Adjust p-values for the number of tests that could be made, by Holm's method."""
    adjusted = np.array(p_values, np.float64)
    made = ~np.isnan(adjusted)
    if made.any():
        # Rounding may put the p-value of Fisher's test a little above 1; none is 0, only too small
        # for a float.
        adjusted[made] = holm(np.clip(adjusted[made], sys.float_info.min, 1.0))
    return [float(value) for value in adjusted]


def _findings(
    grouping: Grouping, contrasts: Sequence[_Contrast], commands: Commands
) -> Iterator[Finding]:
    """Report the strongest associations, or that none was found, and what was not compared."""
    order = sorted(contrasts, key=lambda each: -_near(each.figure))
    sure = [each for each in order if each.figure.p_value < LEVEL and each.is_new]
    yield from (_odds(each, grouping, commands) for each in sure[:_MOST_FINDINGS])
    if rest := sure[_MOST_FINDINGS:]:
        yield make_finding(
            "more_odds", [each.figure for each in rest], number=len(rest), axis=grouping.name,
            other=rest[0].other, tests=rest[0].tests,
        )  # fmt: skip
    defined = [each.figure for each in contrasts if not math.isnan(each.figure.value)]
    if not sure and defined:
        yield make_finding("no_odds", defined)
    yield from _not_compared(grouping, contrasts)


def _not_compared(grouping: Grouping, contrasts: Sequence[_Contrast]) -> Iterator[Finding]:
    """Report that no label was compared at all, or none between counterparts."""
    lacking = [each for each in contrasts if math.isnan(each.figure.value)]
    pairs = [each for each in lacking if each.other]
    if len(lacking) == len(contrasts):
        what = "attribute is mentioned in" if grouping.axis else "group has"
        where, why = f"along {grouping.name}", f"each {what} all rows with a label, or none"
    elif pairs and len(pairs) == sum(bool(each.other) for each in contrasts):
        alone = {each.association.attribute: each.association.mentioned for each in pairs}
        alone |= {each.other: each.association.rows - each.association.mentioned for each in pairs}
        absent = [name for name, rows in alone.items() if not rows]
        where = f"between counterparts along {grouping.name}"
        why = f"no row with a label mentions {' or '.join(absent)} without its counterpart"
        lacking = pairs
    else:
        return
    yield make_finding(
        "labels_not_compared", [each.figure for each in lacking], where=where, why=why
    )


def _odds(contrast: _Contrast, grouping: Grouping, commands: Commands) -> Finding:
    """Report an association."""
    result, ratio, other = contrast.association, contrast.figure, contrast.other
    rest, beyond = result.rows - result.mentioned, f" and not {other}" if other else ""
    medium = _MEDIUM_COUNTERPARTS if other else _MEDIUM_ODDS
    severity = severity_of(_near(ratio), _HIGH, medium, ratio.p_value)
    which, whose = (f"that mention {result.attribute}", f"with words for {result.attribute}")
    if not grouping.axis:
        which = whose = f"of {result.attribute}"
    return make_finding(
        "odds", [ratio], severity=severity, which=which + beyond, whose=whose + beyond,
        share=result.both / result.mentioned, count=result.mentioned, other=other, rest=rest,
        others=(result.labelled - result.both) / max(1, rest), tests=contrast.tests,
        **commands.to_augment(grouping.axis, severity),
    )  # fmt: skip


def _near(ratio: Figure) -> float:
    """Return how many times the odds differ, at the end of the interval that is nearest to 1."""
    if math.isnan(ratio.value) or ratio.low <= 1 <= ratio.high:
        return 1.0
    return ratio.low if ratio.value > 1 else 1 / ratio.high
