"""Pictures of measures as matplotlib figures, which are returned and not shown."""

import math
import reprlib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, is_dataclass
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fair_datasets.system.checks import invalid, require, with_article

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_RATES = ("selection_rate", "true_positive_rate", "false_positive_rate")
# Okabe and Ito's colours, which people with any colour vision can tell apart.
COLOURS = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#D55E00", "#56B4E9")
_INCH_PER_ROW = 0.45


def group_rate_plot(result: Any, rates: Sequence[str] = _RATES) -> "Figure":
    """Draw the rates of each group side by side.

    Args:
        result: What a measure or its `evaluate` module returned, or the groups of it: the rows of
            a module, or each group to its rates, as `group_rates` gives it. A rate that is missing
            or NaN is marked as undefined; a `count` is written beside the group.
        rates: Which rates to draw, each in a panel of its own. Those that no group has are left
            out.

    Returns:
        The figure; `save_picture(figure, "rates.png")` writes it.

    Raises:
        InputError: There are no groups, or none has any of the rates.
        MissingExtraError: matplotlib is not installed.

    Example:
        >>> from fair_datasets.measures import demographic_parity
        >>> figure = group_rate_plot(demographic_parity([1, 0, 1, 1], ["a", "a", "b", "b"]))
        >>> [axes.get_title() for axes in figure.axes]
        ['selection rate']
    """
    require("plots")
    from matplotlib.figure import Figure

    groups = _rates_by_group(result)
    rows = {group: _by_name(row) for group, row in groups.items()}
    drawn = [rate for rate in rates if any(rate in row for row in rows.values())]
    if not drawn:
        raise invalid(
            f"none of the {len(groups)} groups has any of the rates "
            f"{', '.join(map(repr, rates))}; give the table of groups that a measure returned."
        )
    height = 1.2 + _INCH_PER_ROW * len(groups)
    figure = Figure(figsize=(1.5 + 2.8 * len(drawn), height), layout="constrained")
    panels = figure.subplots(1, len(drawn), sharey=True, squeeze=False)[0]
    for panel, rate, colour in zip(panels, drawn, COLOURS * len(drawn), strict=False):
        _draw_rates(panel, [row.get(rate, math.nan) for row in rows.values()], colour)
        panel.set_title(rate.replace("_", " "))
    panels[0].set_yticks(range(len(groups)), [written_name(*group) for group in rows.items()])
    panels[0].invert_yaxis()
    return figure


def before_after_plot(
    before: Mapping[str, float], after: Mapping[str, float], *, label: str = "value"
) -> "Figure":
    """Draw each measure before and after as two dots on a line.

    Args:
        after: Measure to its value after; the same measures.
        label: What the values are, such as "difference (0 is parity)". Measures of which higher
            is fairer and measures of which lower is fairer do not belong in one picture.

    Returns:
        The figure; `save_picture(figure, "change.png")` writes it.

    Raises:
        InputError: The two have different measures, or none.
        MissingExtraError: matplotlib is not installed.

    Example:
        >>> figure = before_after_plot({"demographic parity": 0.2}, {"demographic parity": 0.1})
        >>> [text.get_text() for text in figure.axes[0].get_legend().get_texts()]
        ['before', 'after']
    """
    require("plots")
    from matplotlib.figure import Figure

    if not before or before.keys() != after.keys():
        other = sorted(map(repr, before.keys() ^ after.keys()))
        problem = f"they differ in {', '.join(other)}" if other else "there are none"
        raise invalid(f"before and after must name the same measures; {problem}.")
    figure = Figure(figsize=(6, 1.4 + _INCH_PER_ROW * len(before)), layout="constrained")
    axes = figure.subplots()
    rows = range(len(before))
    ends = [after[name] for name in before]
    axes.hlines(rows, list(before.values()), ends, color="0.7")
    axes.scatter(list(before.values()), rows, color=COLOURS[1], label="before")
    axes.scatter(ends, rows, color=COLOURS[0], marker="D", label="after")
    for row, pair in zip(rows, zip(before.values(), ends, strict=True), strict=True):
        if any(map(math.isnan, pair)):
            axes.text(0.01, row, "undefined", transform=axes.get_yaxis_transform(), va="center")
    name_rows(axes, [written_name(name) for name in before])
    axes.set_xlabel(label)
    axes.legend(loc="best")
    return figure


def name_rows(axes: "Axes", names: Sequence[str], **style: Any) -> None:
    """Write names beside the rows 0, 1, ... of a picture, the first on top.

    Example:
        >>> from matplotlib.figure import Figure
        >>> axes = Figure().subplots()
        >>> name_rows(axes, ["Ada", "Grace"])
        >>> [float(end) for end in axes.get_ylim()]
        [1.5, -0.5]
    """
    axes.set_yticks(range(len(names)), names, **style)
    axes.set_ylim(len(names) - 0.5, -0.5)


def save_picture(figure: "Figure", path: str | PathLike[str]) -> None:
    """Write a figure to a file: the same picture gives the same bytes.

    `figure.savefig` writes the date, and in SVG files names that are new each time.

    Args:
        path: Where to write; the ending is the format: `.png`, `.svg` or `.pdf`.

    Example:
        >>> import tempfile
        >>> figure = before_after_plot({"demographic parity": 0.2}, {"demographic parity": 0.1})
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     save_picture(figure, Path(folder, "change.svg"))
    """
    from matplotlib import rc_context

    date = {".svg": "Date", ".pdf": "CreationDate"}.get(Path(path).suffix.lower())
    with rc_context({"svg.hashsalt": "fair_datasets"}):
        figure.savefig(path, dpi=150, metadata={date: None} if date else None)


def _rates_by_group(result: Any) -> Mapping[Any, Any]:
    """Return each group to its rates, from whatever holds them."""
    groups = getattr(result, "groups", result)
    if isinstance(groups, Mapping) and isinstance(groups.get("groups"), list):
        groups = groups["groups"]
    if isinstance(groups, list) and all(
        isinstance(row, Mapping) and "group" in row for row in groups
    ):
        groups = {row["group"]: row for row in groups}
    if not isinstance(groups, Mapping) or not all(
        is_dataclass(row) or isinstance(row, Mapping) for row in groups.values()
    ):
        raise invalid(
            "result must be what a measure returned, or its groups, but it is "
            f"{reprlib.repr(result)}."
        )
    return groups


def _by_name(row: Any) -> dict[str, Any]:
    """Return the rates of a group by name, without those that were not asked for."""
    rates = row if isinstance(row, Mapping) else asdict(row)
    return {name: rate for name, rate in rates.items() if rate is not None}


def _draw_rates(axes: "Axes", values: Sequence[float], colour: str) -> None:
    """Draw one rate of all groups as bars from 0 to 1, with their values."""
    widths = [0.0 if math.isnan(value) else value for value in values]
    bars = axes.barh(range(len(values)), widths, color=colour)
    written = ["undefined" if math.isnan(value) else f"{value:.3f}" for value in values]
    axes.bar_label(bars, written, padding=3)
    axes.set_xlim(0, 1.25)
    axes.set_xticks([0, 0.5, 1])


def written_name(group: Any, row: Mapping[str, float] | None = None) -> str:
    """Write a name as a picture takes it, and how many rows it has.

    Example:
        >>> written_name("women", {"count": 1200})
        'women (1,200)'
    """
    # A dollar sign would start a formula.
    name = str(group).replace("$", r"\$")
    return f"{name} ({row['count']:,})" if row and "count" in row else name


_COLOURS = ("#0072B2", "#D55E00")


def bias_score_plot(result: Any, before: Any = None) -> "Figure":
    """Draw the histogram of bias scores, with their percentiles and the threshold.

    Args:
        result: What `bias_distribution` or the `evaluate` module `bias_score` returned.
        before: The same of the corpus before it was corrected, drawn behind it.

    Returns:
        The figure; `figure.savefig("bias.png")` writes it.

    Raises:
        InputError: It is something else, or has no rows.

    Example:
        >>> from fair_datasets.measures import bias_distribution
        >>> figure = bias_score_plot(bias_distribution([0.1, 0.2, 0.4], percentiles=(50, 95)))
        >>> [text.get_text() for text in figure.axes[0].texts]
        ['50%', '95%']
    """
    require("plots")
    from matplotlib.figure import Figure

    drawn = _distribution_figures(result)
    figure = Figure(figsize=(7, 4), layout="constrained")
    axes = figure.subplots()
    if before is not None:
        first = _distribution_figures(before)
        axes.stairs(
            first["counts"], first["edges"], color="0.6", fill=True, label=_label("before", first)
        )
    axes.stairs(
        drawn["counts"], drawn["edges"], color=_COLOURS[0], fill=before is None,
        label=_label("all rows" if before is None else "after", drawn),
    )  # fmt: skip
    for percentile, score in drawn["percentiles"].items():
        axes.axvline(score, color="0.3", linestyle=":")
        axes.text(
            score, 1.01, f"{float(percentile):g}%", transform=axes.get_xaxis_transform(),
            rotation=60, fontsize="small",
        )  # fmt: skip
    share = f"{drawn['share_above']:.1%} above {drawn['threshold']:.4g}"
    axes.axvline(drawn["threshold"], color=_COLOURS[1], label=share)
    axes.set_yscale("symlog")
    axes.set_xlim(left=0)
    name = (drawn.get("name") or "bias_score").replace("_", " ")
    axes.set_xlabel(f"{name} (lower is less biased)")
    axes.set_ylabel("rows")
    axes.legend(loc="upper right")
    return figure


def _label(name: str, figures: Mapping[str, Any]) -> str:
    """Name a histogram, with its number of rows and its mean."""
    return f"{name}: {figures['rows']:,}, mean {figures['mean']:.4f}"


def _distribution_figures(result: Any) -> dict[str, Any]:
    """Return the figures of a distribution by name, whatever holds them."""
    is_data = is_dataclass(result) and not isinstance(result, type)
    figures = asdict(result) if is_data else result
    if isinstance(figures, Mapping) and isinstance(figures.get("histogram"), Mapping):
        figures = {**figures, **figures["histogram"]}
    needed = ("rows", "mean", "percentiles", "threshold", "share_above", "counts", "edges")
    if not isinstance(figures, Mapping) or any(name not in figures for name in needed):
        raise invalid(
            "result must be what bias_distribution or the module 'bias_score' "
            f"returned, but it is {with_article(type(result).__name__)}."
        )
    if not figures["rows"]:
        raise invalid("there are no rows; give the scores of at least one.")
    return dict(figures)


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
    require("plots")
    from matplotlib.figure import Figure

    rows = _valued(result)
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
            axes.vlines(row["baseline"], line - 0.45, line + 0.45, color="0.5", linewidth=3)
    if rows[0]["kind"] == "association":
        axes.axvline(0, color="0.6", linestyle=":")
    elif any(row["baseline"] is not None for row in rows):
        axes.plot([], [], color="0.5", linewidth=3, label="baseline")
    for line in range(1, len(names)):
        axes.axhline(line - 0.5, color="0.9", zorder=0)
    name_rows(axes, [written_name(name) for name in names])


def _lines(rows: Sequence[Mapping[str, Any]], kind: str) -> list[str]:
    """Return the tests and measures of a kind."""
    return list(dict.fromkeys(_name(row) for row in rows if row["kind"] == kind))


def _name(row: Mapping[str, Any]) -> str:
    """Return what a line is called."""
    test = str(row["test"])
    return test if row["kind"] == "association" else f"{test}, {row['measure']}"


def _valued(result: Any) -> list[Mapping[str, Any]]:
    try:
        rows = list(getattr(result, "means", result))
    except TypeError:
        rows = []
    are_rows = all(isinstance(row, Mapping) and set(_NEEDED) <= row.keys() for row in rows)
    if not rows or not are_rows:
        raise invalid(
            "result must be what evaluate_encoders returned, or its means, but it is "
            f"a {type(result).__name__}."
        )
    valued = [row for row in rows if row["mean"] is not None]
    if not valued:
        raise invalid("no test has a value; look at the reasons in the rows.")
    return valued
