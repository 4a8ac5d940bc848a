"""The tables of a page, as records."""

import math
from collections.abc import Sequence
from typing import NamedTuple

from fair_datasets.auditing.findings import (
    BIAS_SCORES,
    COLLAPSED,
    RATIOS,
    Figure,
    Table,
    counted,
    format_percent,
    format_share_ci,
    verb,
)

RATES = ("selection_rate", "true_positive_rate", "false_negative_rate", "false_positive_rate",
         "precision", "accuracy")  # fmt: skip
"""What is told of each group, side by side."""
_CONTROLS = ("_control", "_excess")
"""What the names of figures end in that stand beside the one that they control."""
_NUMBERS = (*RATIOS, "pmi", "impact_ratio", COLLAPSED, *BIAS_SCORES, "score_shift",
            "score_shift_control", "name_score_shift", "name_spread", "name_spread_95",
            "name_spread_control")  # fmt: skip
_UNITS = {"left_share": "words"}
_NAMED = {
    "pmi": "PMI",
    "bias_score_95": "Bias score, 95th percentile",
    "bias_score_centred_95": "Bias score centred, 95th percentile",
}
_MOST = 300
"""How many figures of a measure a table shows."""


class Cell(NamedTuple):
    """A cell of a table.

    Attributes:
        kind: `number`, `name` of something in the data, `sentence`, `code`; empty for other text.
    """

    text: str
    kind: str = ""


class Grid(NamedTuple):
    """A table of a page; nothing is shown of one without rows. The first cell heads its row."""

    caption: str
    head: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    notes: Sequence[str] = ()


def cell_text(cell: str | int | float) -> str:
    """Write a cell of a table that is read as it stands.

    Example:
        >>> cell_text(1390), cell_text(0.97928), cell_text(0.0), cell_text(1e-9)
        ('1,390', '0.979', '0.000', '1e-09')
    """
    if isinstance(cell, str):
        return cell
    if isinstance(cell, int):
        return f"{cell:,}"
    if math.isnan(cell):
        return ""
    return f"{cell:.2g}" if 0 < abs(cell) < 0.0005 else f"{cell:.3f}"


def grid_of(given: Table) -> Grid:
    """Return a table that is read as it stands."""
    rows = [[Cell(cell_text(cell), "name" if isinstance(cell, str) else "number") for cell in row]
            for row in given.rows]  # fmt: skip
    return Grid(given.title, given.head, rows, given.notes)


def measure_title(measure: str) -> str:
    """Write the name of a measure as words.

    Example:
        >>> measure_title("flip_rate"), measure_title("pmi")
        ('Flip rate', 'PMI')
    """
    words = measure.replace("_", " ")
    return _NAMED.get(measure, f"{words[0].upper()}{words[1:]}")


def measure_grid(measure: str, figures: Sequence[Figure]) -> tuple[str, Grid]:
    """Return a line that sums up the figures of a measure, and all of them."""
    held = [place for place in ("axis", "attribute", "label", "split")
            if any(getattr(figure, place) for figure in figures)]  # fmt: skip
    has_p = any(not math.isnan(figure.p_value) for figure in figures)

    def cells(figure: Figure) -> list[Cell]:
        places = [Cell(getattr(figure, place) or "all", "name") for place in held]
        interval = ""
        if not math.isnan(figure.low):
            interval = f"{_written(measure, figure.low)} to {_written(measure, figure.high)}"
        numbers = [_written(measure, figure.value), interval, f"{figure.rows:,}"]
        numbers += [p_value(figure)] if has_p else []
        return [*(places or [Cell("all")]), *(Cell(number, "number") for number in numbers)]

    unit = _UNITS.get(measure, "rows")
    head = [*(held or ["of"]), "value", "interval", unit, *(["p, adjusted"] if has_p else [])]
    caption = measure_title(measure)
    if len(figures) > _MOST:
        caption += f": the first {_MOST:,} of {len(figures):,}; audit.parquet has all"
    summary = f"{counted(len(figures), 'figure')} with {verb(len(figures), 'its', 'their')} {unit}"
    return summary, Grid(caption, head, list(map(cells, figures[:_MOST])))


def group_grid(figures: Sequence[Figure]) -> Grid:
    """Return what a classifier does with each group, or with the rows as written for it."""
    rates = [figure for figure in figures if figure.measure in RATES and figure.attribute]
    labels: dict[str, list[str]] = {}
    for figure in rates:
        own = labels.setdefault(figure.axis, [])
        if figure.label and figure.label not in own:
            own.append(figure.label)
    rows: dict[tuple[str, str, str], dict[str, Figure]] = {}
    for figure in rates:
        # Of one label, accuracy stands beside its other rates; of several, it is of all of them.
        only = labels[figure.axis][0] if len(labels[figure.axis]) == 1 else ""
        place = figure.attribute, figure.axis, figure.label or only or "all"
        rows.setdefault(place, {})[figure.measure] = figure
    taken = [rate for rate in RATES if any(rate in each for each in rows.values())]
    cells = [
        [Cell(each, "name") for each in place]
        + [Cell(_rate(row.get(rate)), "number") for rate in taken]
        for place, row in rows.items()
    ]
    caption = "All rates of each group, with intervals of 95% and the rows that each is a share of"
    head = ["group", "of", "label", *(measure_title(rate).lower() for rate in taken)]
    return Grid(caption, head, cells[:_MOST])


def control_grid(figures: Sequence[Figure]) -> Grid:
    """Return each figure beside what the same change does to words that stand for nobody."""
    known = {(figure.measure, figure.places): figure for figure in figures}
    rows = []
    for figure in figures:
        stem = figure.measure.removesuffix("_difference")
        beside = [known.get((f"{stem}{end}", figure.places)) for end in _CONTROLS]
        if not any(beside):
            continue
        tested = next((each for each in (*beside, figure)
                       if each is not None and not math.isnan(each.p_value)), figure)  # fmt: skip
        numbers = [*map(_format_figure, (figure, *beside)), p_value(tested), f"{figure.rows:,}"]
        rows.append([
            Cell(measure_title(figure.measure)), Cell(figure.place or "all", "name"),
            *(Cell(number, "number") for number in numbers),
        ])  # fmt: skip
    head = ["figure", "of", "swapped", "control", "beyond the control", "p, adjusted", "rows"]
    return Grid("Figures beside their controls", head, rows)


def p_value(figure: Figure) -> str:
    """Write a p-value as a cell has it; empty where there is none.

    Example:
        >>> p_value(Figure(measure="flip_rate", value=0.5, rows=2, p_value=0.01234))
        '0.0123'
    """
    return "" if math.isnan(figure.p_value) else f"{figure.p_value:.3g}"


def _written(measure: str, value: float) -> str:
    if math.isnan(value):
        return "undefined"
    return f"{value:.3g}" if measure in _NUMBERS else format_percent(value)


def _rate(figure: Figure | None) -> str:
    """Write a rate with its interval and its rows."""
    return "" if figure is None else f"{format_share_ci(figure)} of {figure.rows:,}"


def _format_figure(figure: Figure | None) -> str:
    """Write a figure with its interval."""
    if figure is None:
        return ""
    value, low, high = (
        _written(figure.measure, each) for each in (figure.value, figure.low, figure.high)
    )
    return value if math.isnan(figure.low) else f"{value} [{low}, {high}]"
