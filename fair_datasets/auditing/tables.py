"""The tables of a page: figures of a measure, rates of groups, and figures beside controls."""

import math
from collections.abc import Sequence

from fair_datasets.auditing.findings import BIAS_SCORES, Figure, Table
from fair_datasets.auditing.markup import listed, name, table, visible
from fair_datasets.auditing.wording import counted, percent, shared, verb

RATES = ("selection_rate", "true_positive_rate", "false_negative_rate", "false_positive_rate",
         "precision", "accuracy")  # fmt: skip
"""What is told of each group, side by side."""
_CONTROLS = ("_control", "_excess")
"""What the names of figures end in that stand beside the one that they control."""
_NUMBERS = ("odds_ratio", "pmi", "impact_ratio", *BIAS_SCORES)
_SHIFTS = ("score_shift",)
_UNITS = {"left_share": "words"}
_NAMED = {
    "pmi": "PMI",
    "bias_score_95": "Bias score, 95th percentile",
    "bias_score_centred_95": "Bias score centred, 95th percentile",
}
_MOST = 300
"""How many figures of a measure a table shows."""


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


def table_element(given: Table) -> str:
    """Write a table that is read as it stands, with its notes."""
    rows = [
        [(name(cell) if isinstance(cell, str) else cell_text(cell), not isinstance(cell, str))
         for cell in row]
        for row in given.rows
    ]  # fmt: skip
    head = list(map(visible, given.head))
    return f"{table(visible(given.title), head, rows)}{listed(given.notes, 'dim')}"


def measure_title(measure: str) -> str:
    """Write the name of a measure as words.

    Example:
        >>> measure_title("flip_rate"), measure_title("pmi")
        ('Flip rate', 'PMI')
    """
    words = measure.replace("_", " ")
    return _NAMED.get(measure, f"{words[0].upper()}{words[1:]}")


def measure_table(measure: str, figures: Sequence[Figure]) -> str:
    """Write all figures of a measure, folded."""
    held = [place for place in ("axis", "attribute", "label", "split")
            if any(getattr(figure, place) for figure in figures)]  # fmt: skip
    has_p = any(not math.isnan(figure.p_value) for figure in figures)

    def cells(figure: Figure) -> list[tuple[str, bool]]:
        places = [(name(getattr(figure, place) or "all"), False) for place in held]
        interval = ""
        if not math.isnan(figure.low):
            interval = f"{_written(measure, figure.low)} to {_written(measure, figure.high)}"
        found = [*(places or [("all", False)]), (_written(measure, figure.value), True),
                 (interval, True), (f"{figure.rows:,}", True)]  # fmt: skip
        return [*found, (_p_value(figure), True)] if has_p else found

    unit = _UNITS.get(measure, "rows")
    head = [*(held or ["of"]), "value", "interval", unit, *(["p, adjusted"] if has_p else [])]
    caption = measure_title(measure)
    if len(figures) > _MOST:
        caption += f": the first {_MOST:,} of {len(figures):,}; audit.parquet has all"
    written = table(visible(caption), head, map(cells, figures[:_MOST]))
    summary = f"{counted(len(figures), 'figure')} with {verb(len(figures), 'its', 'their')} {unit}"
    return f"<details><summary>{summary}</summary>\n{written}</details>\n"


def group_table(figures: Sequence[Figure]) -> str:
    """Write what a classifier does with each group, or with the rows as written for it.

    Args:
        figures: The figures of predictions, of which the rates of groups are taken.

    Returns:
        The element, with a row for each group and label; empty where there are no rates.
    """
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
        place = figure.axis, figure.attribute, figure.label or only
        rows.setdefault(place, {})[figure.measure] = figure
    taken = [rate for rate in RATES if any(rate in each for each in rows.values())]
    head = ["group", "of", "label", *(measure_title(rate).lower() for rate in taken)]
    cells = [
        [(name(group), False), (name(axis), False), (name(label or "all"), False)]
        + [(_rate(found.get(rate)), True) for rate in taken]
        for (axis, group, label), found in rows.items()
    ]
    caption = "All rates of each group, with intervals of 95% and the rows that each is a share of"
    return table(caption, head, cells[:_MOST])


def control_table(figures: Sequence[Figure]) -> str:
    """Write each figure beside what the same change does to words that stand for nobody.

    Returns:
        The element; empty where nothing has a control.
    """
    known = {(figure.measure, figure.places): figure for figure in figures}
    rows = []
    for figure in figures:
        stem = figure.measure.removesuffix("_difference")
        beside = [known.get((f"{stem}{end}", figure.places)) for end in _CONTROLS]
        if not any(beside):
            continue
        tested = next((each for each in (*beside, figure)
                       if each is not None and not math.isnan(each.p_value)), figure)  # fmt: skip
        rows.append([
            (measure_title(figure.measure), False), (name(figure.place or "all"), False),
            *((_beside(each), True) for each in (figure, *beside)),
            (_p_value(tested), True), (f"{figure.rows:,}", True),
        ])  # fmt: skip
    head = ["figure", "of", "swapped", "control", "beyond the control", "p, adjusted", "rows"]
    return table("Figures beside their controls", head, rows)


def _written(measure: str, value: float) -> str:
    """Write a value as its measure is read."""
    if math.isnan(value):
        return "undefined"
    return f"{value:.3g}" if measure in _NUMBERS or measure.startswith(_SHIFTS) else percent(value)


def _rate(figure: Figure | None) -> str:
    """Write a rate with its interval and its rows."""
    return "" if figure is None else f"{shared(figure)} of {figure.rows:,}"


def _beside(figure: Figure | None) -> str:
    """Write a figure with its interval."""
    if figure is None:
        return ""
    value, low, high = (
        _written(figure.measure, each) for each in (figure.value, figure.low, figure.high)
    )
    return value if math.isnan(figure.low) else f"{value} [{low}, {high}]"


def _p_value(figure: Figure) -> str:
    """Write a p-value."""
    return "" if math.isnan(figure.p_value) else f"{figure.p_value:.3g}"
