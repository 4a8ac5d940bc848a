"""Pictures of measures as matplotlib figures, which are returned and not shown."""

import math
import reprlib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, is_dataclass
from typing import TYPE_CHECKING, Any

from fair_datasets.checks import InputError
from fair_datasets.extras import require
from fair_datasets.selection.objectives import OBJECTIVES
from fair_datasets.selection.search import pareto_frontier

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_RATES = ("selection_rate", "true_positive_rate", "false_positive_rate")
# Okabe and Ito's colours, which people with any colour vision can tell apart.
_COLOURS = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#D55E00", "#56B4E9")
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
        The figure; `figure.savefig("rates.png")` writes it.

    Raises:
        InputError: There are no groups, or none has any of the rates.
        MissingExtraError: matplotlib is not installed.

    Example:
        >>> from fair_datasets.measures import demographic_parity
        >>> figure = group_rate_plot(demographic_parity([1, 0, 1, 1], ["a", "a", "b", "b"]))
        >>> [axes.get_title() for axes in figure.axes]
        ['selection rate']
    """
    require("plots", owner="group_rate_plot")
    from matplotlib.figure import Figure

    groups = _rates_by_group(result)
    rows = {group: _by_name(row) for group, row in groups.items()}
    drawn = [rate for rate in rates if any(rate in row for row in rows.values())]
    if not drawn:
        raise InputError(
            f"group_rate_plot: none of the {len(groups)} groups has any of the rates "
            f"{', '.join(map(repr, rates))}; give the table of groups that a measure returned."
        )
    height = 1.2 + _INCH_PER_ROW * len(groups)
    figure = Figure(figsize=(1.5 + 2.8 * len(drawn), height), layout="constrained")
    panels = figure.subplots(1, len(drawn), sharey=True, squeeze=False)[0]
    for panel, rate, colour in zip(panels, drawn, _COLOURS * len(drawn), strict=False):
        _draw_rates(panel, [row.get(rate, math.nan) for row in rows.values()], colour)
        panel.set_title(rate.replace("_", " "))
    panels[0].set_yticks(range(len(groups)), [_label(*group) for group in rows.items()])
    panels[0].invert_yaxis()
    return figure


def before_after_plot(
    before: Mapping[str, float], after: Mapping[str, float], *, label: str = "value"
) -> "Figure":
    """Draw each measure before and after as two dots on a line.

    Args:
        before: Measure to its value before.
        after: Measure to its value after; the same measures.
        label: What the values are, such as "difference (0 is parity)". Measures of which higher
            is fairer and measures of which lower is fairer do not belong in one picture.

    Returns:
        The figure; `figure.savefig("change.png")` writes it.

    Raises:
        InputError: The two have different measures, or none.
        MissingExtraError: matplotlib is not installed.

    Example:
        >>> figure = before_after_plot({"demographic parity": 0.2}, {"demographic parity": 0.1})
        >>> [text.get_text() for text in figure.axes[0].get_legend().get_texts()]
        ['before', 'after']
    """
    require("plots", owner="before_after_plot")
    from matplotlib.figure import Figure

    if not before or before.keys() != after.keys():
        other = sorted(map(repr, before.keys() ^ after.keys()))
        problem = f"they differ in {', '.join(other)}" if other else "there are none"
        raise InputError(
            f"before_after_plot: before and after must name the same measures; {problem}."
        )
    figure = Figure(figsize=(6, 1.4 + _INCH_PER_ROW * len(before)), layout="constrained")
    axes = figure.subplots()
    rows = range(len(before))
    ends = [after[name] for name in before]
    axes.hlines(rows, list(before.values()), ends, color="0.7", zorder=1)
    axes.scatter(list(before.values()), rows, color=_COLOURS[1], label="before", zorder=2)
    axes.scatter(ends, rows, color=_COLOURS[0], marker="D", label="after", zorder=3)
    for row, pair in zip(rows, zip(before.values(), ends, strict=True), strict=True):
        if any(map(math.isnan, pair)):
            axes.text(0.01, row, "undefined", transform=axes.get_yaxis_transform(), va="center")
    axes.set_yticks(rows, [_label(name, {}) for name in before])
    axes.set_ylim(len(before) - 0.5, -0.5)
    axes.set_xlabel(label)
    axes.legend(loc="best")
    return figure


def trade_off_plot(
    points: Sequence[Mapping[str, Any]], measures: Sequence[str] | None = None
) -> "Figure":
    """Draw fairness against performance: each method a dot, the best of them joined.

    Each measure of fairness has a panel of its own, with the fairer end on top.

    Args:
        points: Each with `name`, `auc`, `kind` and the measures of fairness; those of one kind
            share a colour. The baselines, of kind `baseline`, and those with `chosen` true are
            named in the picture, the others are small. `changed_rows` and `rows_by_attribute` of
            the first are written above the measures that are of so many rows.
        measures: Which of `fair_datasets.selection.objectives.OBJECTIVES` to draw, in this order;
            None for all that the points have.

    Returns:
        The figure; `figure.savefig("trade-off.png")` writes it.

    Raises:
        InputError: There are no points, or there is no measure that all of them have.
        MissingExtraError: matplotlib is not installed.

    Example:
        >>> point = {"name": "CDA", "kind": "baseline", "auc": 0.9, "flip_rate": 0.1}
        >>> figure = trade_off_plot([point])
        >>> [text.get_text() for text in figure.axes[0].texts]
        ['CDA']
    """
    require("plots", owner="trade_off_plot")
    from matplotlib.figure import Figure

    if not points:
        raise InputError("trade_off_plot: there are no points; give at least one method.")
    known = [name for name in OBJECTIVES if all(name in point for point in points)]
    drawn = known if measures is None else list(measures)
    missing = [name for name in drawn if name not in known]
    if missing or not drawn:
        raise InputError(
            f"trade_off_plot: {missing[0] if missing else 'no measure of fairness'!r} is not in "
            f"every point; give points with one of {', '.join(map(repr, OBJECTIVES))}."
        )
    columns = min(2, len(drawn))
    rows = math.ceil(len(drawn) / columns)
    figure = Figure(figsize=(6.5 * columns, 4.5 * rows), layout="constrained")
    for place, name in enumerate(drawn, start=1):
        _draw_trade_off(figure.add_subplot(rows, columns, place), points, name)
    figure.axes[0].legend(loc="best")
    return figure


def _draw_trade_off(axes: "Axes", points: Sequence[Mapping[str, Any]], measure: str) -> None:
    """Draw one measure of fairness against the AUC."""
    frontier = pareto_frontier(points, measure)
    axes.plot(
        [point["auc"] for point in frontier], [point[measure] for point in frontier],
        color="0.6", linestyle="--", label="frontier", zorder=1,
    )  # fmt: skip
    kinds = list(dict.fromkeys(point["kind"] for point in points))
    for place, kind in enumerate(kinds):
        colour = _COLOURS[place % len(_COLOURS)]
        _draw_points(axes, [point for point in points if point["kind"] == kind], measure, colour)
    axes.margins(0.12)
    axes.set_xlabel("AUC (higher is better)")
    objective = OBJECTIVES[measure]
    axes.set_ylabel(objective.label)
    if objective.rows in points[0]:
        axes.set_title(f"{objective.rows.replace('_', ' ')}: {points[0][objective.rows]:,.0f}")
    if not objective.is_score:
        axes.invert_yaxis()


def _draw_points(
    axes: "Axes", points: Sequence[Mapping[str, Any]], measure: str, colour: str
) -> None:
    """Draw the methods of one kind, with the names of those that are named."""
    kind = str(points[0]["kind"])
    marker = "s" if kind == "baseline" else "o"
    for point in points:
        is_named = kind == "baseline" or bool(point.get("chosen"))
        place = (point["auc"], point[measure])
        axes.scatter(*place, s=60 if is_named else 14, color=colour, marker=marker, zorder=2)
        if is_named:
            name = _label(point["name"], {})
            axes.annotate(name, place, xytext=(5, 5), textcoords="offset points")
    # One entry in the legend for all of them.
    axes.scatter([], [], color=colour, marker=marker, label=_label(kind.replace("_", " "), {}))


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
        raise InputError(
            "group_rate_plot: result must be what a measure returned, or its groups, but it is "
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


def _label(group: Any, row: Mapping[str, float]) -> str:
    """Write a group's name, and how many rows it has."""
    # A dollar sign would start a formula.
    name = str(group).replace("$", r"\$")
    return f"{name} ({row['count']:,})" if "count" in row else name
