"""The picture of a search for a trade-off: fairness against performance."""

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from fair_datasets.cards.report.pictures import COLOURS, written_name
from fair_datasets.selection.search import OBJECTIVES, pareto_frontier
from fair_datasets.system.checks import InputError
from fair_datasets.system.extras import require

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# What tells kinds of one colour apart.
_MARKERS = ("o", "^", "D", "v", "P", "X")
_INCH_PER_NAME = 0.2
_LONGEST_NAME = 44


def trade_off_plot(
    points: Sequence[Mapping[str, Any]],
    measures: Sequence[str] | None = None,
    *,
    auc_limit: float | None = None,
) -> "Figure":
    """Draw fairness against performance: each method a dot, the best of them joined.

    Each measure of fairness has a panel of its own, with the fairer end on top.

    Args:
        points: Each with `name`, `auc`, `kind` and the measures of fairness; those of one kind
            share a colour. The baselines, of kind `baseline`, and those with `chosen` true are
            named beside the panel, the others are small. `changed_rows` and `rows_by_attribute` of
            the first are written above the measures that are of so many rows.
        measures: Which of `fair_datasets.selection.search.OBJECTIVES` to draw, in this order;
            None for all that the points have.
        auc_limit: The lowest AUC that is allowed, drawn as a line; None for no line.

    Returns:
        The figure; `save_picture(figure, "trade-off.png")` writes it.

    Raises:
        InputError: There are no points, or there is no measure that all of them have.
        MissingExtraError: matplotlib is not installed.

    Example:
        >>> point = {"name": "CDA", "kind": "baseline", "auc": 0.9, "flip_rate": 0.1}
        >>> figure = trade_off_plot([point], auc_limit=0.85)
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
    kinds = len({point["kind"] for point in points})
    height = max(4.5, 1 + _INCH_PER_NAME * (1 + sum(map(_is_named, points))))
    below = 0.3 * math.ceil((kinds + 2) / (3 * columns))
    figure = Figure(figsize=(7.5 * columns, height * rows + below), layout="constrained")
    for place, name in enumerate(drawn, start=1):
        axes = figure.add_subplot(rows, columns, place)
        _draw_trade_off(axes, points, name, auc_limit)
        _write_names(axes, points, name, gap=_INCH_PER_NAME / (height - 1))
    handles, labels = figure.axes[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=3 * columns)
    return figure


def _draw_trade_off(
    axes: "Axes", points: Sequence[Mapping[str, Any]], measure: str, auc_limit: float | None
) -> None:
    """Draw one measure of fairness against the AUC."""
    frontier = pareto_frontier(points, measure)
    axes.plot(
        [point["auc"] for point in frontier], [point[measure] for point in frontier],
        color="0.6", linestyle="--", label="frontier",
    )  # fmt: skip
    kinds = list(dict.fromkeys(point["kind"] for point in points))
    for place, kind in enumerate(kinds):
        of_kind = [point for point in points if point["kind"] == kind]
        turn, colour = divmod(place, len(COLOURS))
        marker = "s" if kind == "baseline" else _MARKERS[turn % len(_MARKERS)]
        style: Any = {"color": COLOURS[colour], "marker": marker}
        for point in of_kind:
            size = 60 if _is_named(point) else 14
            axes.scatter(point["auc"], point[measure], s=size, zorder=2, **style)
        # One entry in the legend for all of them.
        axes.scatter([], [], label=written_name(str(kind).replace("_", " ")), **style)
    axes.margins(0.12)
    if auc_limit is not None:
        _draw_limit(axes, auc_limit)
    axes.set_xlabel("AUC (higher is better)")
    objective = OBJECTIVES[measure]
    axes.set_ylabel(objective.label)
    if objective.rows in points[0]:
        axes.set_title(f"{objective.rows.replace('_', ' ')}: {points[0][objective.rows]:,.0f}")
    if not objective.is_score:
        axes.invert_yaxis()


def _draw_limit(axes: "Axes", auc_limit: float) -> None:
    """Draw the lowest AUC that is allowed; far from all points, the legend alone tells it."""
    left, right = axes.get_xlim()
    width = right - left
    axes.axvline(auc_limit, color="0.4", linestyle=":", label=f"AUC limit ({auc_limit:.4f})")
    if not left - width <= auc_limit <= right + width:
        # The line would press the points together.
        axes.set_xlim(left, right)


def _write_names(
    axes: "Axes", points: Sequence[Mapping[str, Any]], measure: str, *, gap: float
) -> None:
    """Write the names of the large dots right of a panel, so that none covers another.

    Args:
        gap: How far names are apart at least, as a share of the panel's height.
    """
    # What the panel shows is final once it is asked for.
    axes.get_xlim(), axes.get_ylim()
    to_panel = axes.transScale + axes.transLimits
    names: list[tuple[float, str, tuple[float, float] | None]] = []
    for point in filter(_is_named, points):
        place = (point["auc"], point[measure])
        if any(map(math.isnan, place)):
            names.append((0.0, f"{point['name']}: undefined", None))
        else:
            names.append((to_panel.transform(place)[1], point["name"], place))
    names.sort(key=lambda entry: -entry[0])
    line = {"arrowstyle": "-", "color": "0.7", "linewidth": 0.6, "relpos": (0, 0.5), "shrinkA": 0}
    heights = spread([height for height, _, _ in names], gap)
    for height, (_, name, dot) in zip(heights, names, strict=True):
        axes.annotate(
            _shortened(name), dot or (1, height), (1.03, height), fontsize=9, va="center",
            xycoords="data" if dot else "axes fraction", textcoords="axes fraction",
            arrowprops=line if dot else None,
        )  # fmt: skip


def spread(heights: Sequence[float], gap: float) -> list[float]:
    """Move heights between 0 and 1 apart, down where there is room; their order is kept.

    Args:
        gap: How far neighbours must be apart; so many must fit between 0 and 1.

    Example:
        >>> spread([0.5, 0.5, 0.125], 0.25)
        [0.5, 0.25, 0.0]
        >>> spread([0.125, 0.125, 0.125], 0.25)
        [0.5, 0.25, 0.0]
    """
    found = list(heights)
    for place in range(1, len(found)):
        found[place] = min(found[place], found[place - 1] - gap)
    # What was pushed below the bottom pushes the others up.
    lowest = 0.0
    for place in reversed(range(len(found))):
        found[place] = max(found[place], lowest)
        lowest = found[place] + gap
    return found


def _is_named(point: Mapping[str, Any]) -> bool:
    """Tell whether a method's name is written."""
    return point["kind"] == "baseline" or bool(point.get("chosen"))


def _shortened(name: Any) -> str:
    """Return a name in one line that leaves room for the panel."""
    line = " ".join(str(name).split())
    cut = f"{line[: _LONGEST_NAME - 1]}…"
    return written_name(line if len(line) <= _LONGEST_NAME else cut)
