"""The picture of an evaluation of encoders: associations and probes, with their intervals."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from fair_datasets.cards.report.pictures import COLOURS, written_name
from fair_datasets.system.checks import InputError
from fair_datasets.system.extras import require

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# What tells encoders of one colour apart, and all of them without colours.
_MARKERS = ("o", "s", "D", "^", "v", "P", "X", "<", ">", "*", "h", "p")
_PANELS = {
    "association": "effect size (0: no association)",
    "task": "test rows (higher is better)",
}
_NEEDED = ("encoder", "kind", "test", "measure", "mean", "low", "high", "baseline")
_INCH_PER_DOT = 0.16


def encoder_plot(result: Any) -> "Figure":
    """Draw effect sizes and probes, a line for each test with a dot for each encoder.

    Args:
        result: What `evaluate_encoders` returned, or its `means`. Intervals over seeds are drawn as
            lines; baselines of tasks as a grey bar.

    Returns:
        The figure; `save_picture(figure, "encoders.svg")` writes it.

    Raises:
        InputError: It is something else, or has no value.
        MissingExtraError: matplotlib is not installed.

    Example:
        >>> row = {"encoder": "original", "kind": "task", "test": "STS-B", "measure": "pearson",
        ...        "mean": 0.8, "low": None, "high": None, "baseline": None}
        >>> [axes.get_xlabel() for axes in encoder_plot([row]).axes]
        ['test rows (higher is better)']
    """
    require("plots", owner="encoder_plot")
    from matplotlib.figure import Figure

    rows = _read(result)
    encoders = list(dict.fromkeys(row["encoder"] for row in rows))
    kinds = [kind for kind in _PANELS if any(row["kind"] == kind for row in rows)]
    lines = max(len(_lines(rows, kind)) for kind in kinds)
    height = 1.4 + lines * (0.3 + _INCH_PER_DOT * len(encoders))
    figure = Figure(figsize=(1 + 5.5 * len(kinds), height), layout="constrained")
    for axes, kind in zip(figure.subplots(1, len(kinds), squeeze=False)[0], kinds, strict=True):
        _draw(axes, [row for row in rows if row["kind"] == kind], encoders)
        axes.set_xlabel(_PANELS[kind])
    handles, labels = figure.axes[-1].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=4)
    return figure


def _draw(axes: "Axes", rows: Sequence[Mapping[str, Any]], encoders: Sequence[str]) -> None:
    """Draw the tests of one kind below each other."""
    names = _lines(rows, rows[0]["kind"])
    gap = 0.7 / len(encoders)
    for place, encoder in enumerate(encoders):
        style: Any = {"color": COLOURS[place % len(COLOURS)],
                      "marker": _MARKERS[place % len(_MARKERS)]}  # fmt: skip
        axes.scatter([], [], label=written_name(encoder), **style)
        for row in rows:
            if row["encoder"] != encoder:
                continue
            height = names.index(_name(row)) + gap * (place - (len(encoders) - 1) / 2)
            if row["low"] is not None:
                axes.hlines(height, row["low"], row["high"], color=style["color"])
            axes.scatter(row["mean"], height, zorder=2, **style)
    for row in rows:
        if row["baseline"] is not None:
            line = names.index(_name(row))
            axes.vlines(
                row["baseline"], line - 0.45, line + 0.45, color="0.5", linewidth=3, zorder=1
            )
    if rows[0]["kind"] == "association":
        axes.axvline(0, color="0.6", linestyle=":")
    elif any(row["baseline"] is not None for row in rows):
        axes.plot([], [], color="0.5", linewidth=3, label="baseline")
    for line in range(1, len(names)):
        axes.axhline(line - 0.5, color="0.9", zorder=0)
    axes.set_yticks(range(len(names)), [written_name(name) for name in names])
    axes.set_ylim(len(names) - 0.5, -0.5)


def _lines(rows: Sequence[Mapping[str, Any]], kind: str) -> list[str]:
    """Return the tests and measures of a kind."""
    return list(dict.fromkeys(_name(row) for row in rows if row["kind"] == kind))


def _name(row: Mapping[str, Any]) -> str:
    """Return what a line is called."""
    test = str(row["test"])
    return test if row["kind"] == "association" else f"{test}, {row['measure']}"


def _read(result: Any) -> list[Mapping[str, Any]]:
    """Return the rows that have a value."""
    try:
        rows = list(getattr(result, "means", result))
    except TypeError:
        rows = []
    are_rows = all(isinstance(row, Mapping) and set(_NEEDED) <= row.keys() for row in rows)
    if not rows or not are_rows:
        raise InputError(
            "encoder_plot: result must be what evaluate_encoders returned, or its means, but it is "
            f"a {type(result).__name__}."
        )
    valued = [row for row in rows if row["mean"] is not None]
    if not valued:
        raise InputError("encoder_plot: no test has a value; look at the reasons in the rows.")
    return valued
