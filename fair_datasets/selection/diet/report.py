"""The card of a diet: what was chosen, by what, how it compares, in words, tables and a picture."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import isnan
from typing import TYPE_CHECKING, Any

from fair_datasets.cards.dataset import dataset_front_matter
from fair_datasets.cards.markdown import code, code_block, dataset_lines, escaped, json_block
from fair_datasets.cards.report import markdown_table
from fair_datasets.cards.report.pictures import COLOURS, written_name
from fair_datasets.cards.statements import licence_lines
from fair_datasets.selection.diet.config import DietConfig
from fair_datasets.selection.diet.diet import DietResult, Result
from fair_datasets.selection.diet.scoring import classes_of
from fair_datasets.selection.search import OBJECTIVES, fairness, pareto_frontier
from fair_datasets.system.checks import invalid, require
from fair_datasets.system.portable import strip_all_folders, strip_folders

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
    require("plots")
    from matplotlib.figure import Figure

    if not points:
        raise invalid("there are no points; give at least one method.")
    known = [name for name in OBJECTIVES if all(name in point for point in points)]
    drawn = known if measures is None else list(measures)
    missing = [name for name in drawn if name not in known]
    if missing or not drawn:
        raise invalid(
            f"{missing[0] if missing else 'no measure of fairness'!r} is not in "
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
    leftmost, right = axes.get_xlim()
    width = right - leftmost
    axes.axvline(auc_limit, color="0.4", linestyle=":", label=f"AUC limit ({auc_limit:.4f})")
    if not leftmost - width <= auc_limit <= right + width:
        # The line would press the points together.
        axes.set_xlim(leftmost, right)


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
    line = {"arrowstyle": "-", "color": "0.7", "relpos": (0, 0.5), "patchA": None, "shrinkA": 4}
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
    positions = list(heights)
    for place in range(1, len(positions)):
        positions[place] = min(positions[place], positions[place - 1] - gap)
    # What was pushed below the bottom pushes the others up.
    lowest = 0.0
    for place in reversed(range(len(positions))):
        positions[place] = max(positions[place], lowest)
        lowest = positions[place] + gap
    return positions


def _is_named(point: Mapping[str, Any]) -> bool:
    """Whether a method's name is written."""
    return point["kind"] == "baseline" or bool(point.get("chosen"))


def _shortened(name: Any) -> str:
    """Return a name in one line that leaves room for the panel."""
    line = " ".join(str(name).split())
    cut = f"{line[: _LONGEST_NAME - 1]}…"
    return written_name(line if len(line) <= _LONGEST_NAME else cut)


_LIMITS = """\
- Rows were chosen on the validation rows; test rows and templates were only measured.
- On validation and test rows the groups are the texts as they are and the same texts swapped, by
  the swap that made the training rows: this flatters every method that trains on swapped rows.
- None of these figures tells how people of a group are treated.
- A classifier that gives every text the same class is at parity in all of them, and its AUC need
  not show it.
- Figures that are close to parity leave little to choose by. Look at the deviation over the seeds
  before calling one method fairer than another.
- The rows were scored by probes of one kind; for another classifier they are another choice."""

_TEMPLATE_LIMITS = """\
- Templates are far from real text. Their classes are non-toxic (0) and toxic (1): where class 1 of
  the data is something else, their AUC, EqOpp and EqOdd say nothing."""

_GENDER_LIMITS = """\
- A rewrite between man and woman says nothing about people who are neither."""

_PICTURE = ("![AUC and measures of fairness on the validation rows](trade-off.svg)",)

_FILES = ("axis", "pipeline", "reader")

_CITATION = """\
- Zayed, Parthasarathi, Mordido, Palangi, Shabanian and Chandar (2023), *Deep Learning on a Healthy
  Data Diet: Finding Important Examples for Fairness*, AAAI."""


def diet_report(
    diet: DietResult,
    config: DietConfig,
    *,
    title: str,
    source: str,
    model: str,
    head: str | None = None,
    command: str,
    rows: Mapping[str, int],
    is_divided: bool,
    metadata: Mapping[str, Any] | None = None,
    has_picture: bool = True,
) -> str:
    """Write the card of a diet.

    Args:
        head: What was trained on its sentence vectors, where it stayed as it is.
    """
    # Where files lie on this machine is nobody's business.
    read = {name: strip_all_folders(getattr(config, name)) for name in _FILES}
    config = replace(config, axis=read["axis"])
    source = strip_folders(source)
    on = f"a {code(head)} head on the sentence vectors of " if head else ""
    classifier = f"{on}{code(strip_folders(model))}"
    tags = ["counterfactual-data-augmentation", "data-selection"]
    sections = [
        dataset_front_matter(title, metadata or {}, len(diet.dataset or ()), tags),
        f"# {escaped(title)}",
        *(["\n".join(dataset_lines(title))] if diet.chosen is not None else []),
        f"Made from {code(source)} by the healthy data diet of the Python package "
        f"`fair-datasets`, with {classifier} as the classifier.",
        *licence_lines(metadata or {}, kind="dataset"),
        _choice(diet, config),
        _splits(rows, is_divided, diet, config),
        *_taken_over(diet),
        "To make it again:",
        "\n".join(code_block([command], "sh")),
        *_results(diet),
        *(_PICTURE if has_picture else ()),
        *_searches(diet),
        "## Settings",
        "\n".join(json_block(config.settings() | read)),
        "## Limits, and what not to conclude",
        "\n".join(_limits(diet, config)),
        "## Citation",
        _CITATION,
    ]
    return "\n\n".join(sections) + "\n"


def _limits(diet: DietResult, config: DietConfig) -> Sequence[str]:
    """Return what the figures do not tell, of the rows and the axis that there are."""
    lines = [_LIMITS]
    if set(diet.results[0].mean) - {"validation", "test"}:
        lines.append(_TEMPLATE_LIMITS)
    if config.axis == "gender":
        lines.append(_GENDER_LIMITS)
    return lines


def _choice(diet: DietResult, config: DietConfig) -> str:
    """Return which rows were chosen."""
    if diet.chosen is None:
        return f"**No rows were chosen.** {verdict(diet)}"
    pairs = len(diet.scored)
    return (
        f"Of {pairs:,} pairs of a row and its counterfactual on the axis {code(config.axis)}, "
        f"{diet.chosen['a']:.0%} of the rows and {diet.chosen['b']:.0%} of the counterfactuals "
        f"are kept, by the ranking `{diet.ranking}`: of the shares whose AUC falls by at most "
        f"{config.max_auc_drop:g} % on the validation rows, those with the best "
        f"{OBJECTIVES[diet.optimise].title}. The column `counterfactual` tells them apart and "
        f"`family_id` joins them: rows of one belong in one split.\n\n**{verdict(diet)}**"
    )


def _splits(rows: Mapping[str, int], is_divided: bool, diet: DietResult, config: DietConfig) -> str:
    """Return the counts of rows of each split, where they are from, and the classes."""
    origin = (
        f"drawn from one split with the seed {config.seed}" if is_divided else "as the source has"
    )
    counts = ", ".join(f"{count:,} {name}" for name, count in rows.items())
    classes = escaped(classes_of(diet.scored.features, config.label))
    return f"The rows before the choice, {origin}: {counts}. {classes}".strip()


def _taken_over(diet: DietResult) -> Sequence[str]:
    """Return which scores were not computed here."""
    if not diet.taken_over:
        return ()
    columns = ", ".join(map(code, diet.taken_over))
    return (f"Scores that the training rows had already, taken over as they are: {columns}.",)


def _results(diet: DietResult) -> Sequence[str]:
    """Write a table of all methods for each kind of rows."""
    names: dict[str, Any] = {
        "validation": "## On the validation rows, texts against their counterfactuals",
        "test": "## On the test rows, texts against their counterfactuals",
    }
    lines = []
    for rows in diet.results[0].mean:
        lines.append(names.get(rows, f"## On the {rows}, by group"))
        lines += [compared_rows(diet, rows)] if rows in names else []
        lines.append(markdown_table(result_rows(diet.results, rows)))
    return [*lines, LEGEND]


def _searches(diet: DietResult) -> Sequence[str]:
    """Write the grid of each ranking."""
    lines = []
    for ranking, search in diet.searches.items():
        cells = markdown_table(cell_rows(search.table, search.optimise))
        lines += [f"## The search of `{ranking}`", cells]
    return lines


_TITLES = {
    "auc": "AUC",
    "flip_rate": OBJECTIVES["flip_rate"].title,
    "flip_rate_control": "of placebos",
    **{name: objective.title for name, objective in OBJECTIVES.items()},
    "equal_opportunity_1": "EqOpp1",
    "equal_opportunity_0": "EqOpp0",
    "equalized_odds": "EqOdd",
}
LEGEND = """\
Means ± standard deviations over the seeds. The flip rate is the share of the changed rows whose
prediction changes when they are swapped; 0 is fairest. Of placebos is the share whose prediction
changes when other words and names of their kind are written in the same places, and the excess how
much more often the swap does it, on the rows that have placebos. The others are scores, 1 less the
difference between groups; 1 is parity. DP by attribute compares the attributes on rows that mention
one alone, each row written for every attribute; DP changed compares the changed rows as they are
and swapped; DP, EqOpp1, EqOpp0 and EqOdd all rows as they are and swapped, or the groups of
templates. Between rows as they are and swapped, flips in opposite directions cancel."""


def result_rows(results: Sequence[Result], rows: str) -> list[dict[str, Any]]:
    """Return one row per method for a table.

    Returns:
        The method, its training rows and seconds, and each measure of these rows as mean ± standard
        deviation.

    Example:
        >>> values = {"auc": 0.5, "flip_rate": 0.25}
        >>> result = Result("CDA", 20, 1.5, {"test": values}, {"test": values})
        >>> result_rows([result], "test")[0]
        {'method': 'CDA', 'AUC': '0.5000 ± 0.5000', 'flip rate': '0.2500 ± 0.2500',
        'rows used': 20, 'seconds': '1.5'}
    """
    return [
        {
            "method": result.name,
            **{
                title: _mean_and_deviation(result, rows, name)
                for name, title in _TITLES.items()
                if name in result.mean[rows]
            },
            "rows used": round(result.rows),
            "seconds": f"{result.seconds:.1f}",
        }
        for result in results
    ]


def trade_off_points(diet: DietResult) -> list[dict[str, Any]]:
    """Return the baselines and every cell as points for `report.trade_off_plot`."""
    points: list[dict[str, Any]] = [
        {"name": result.name, "kind": "baseline", **result.mean["validation"]}
        for result in diet.results
        if result.kind == "baseline"
    ]
    for ranking, search in diet.searches.items():
        for row in search.table:
            name = f"{ranking}, a={row['a']:g}, b={row['b']:g}"
            is_chosen = row is search.chosen or row == search.chosen
            points.append({**row, "name": name, "kind": ranking, "chosen": is_chosen})
    return points


def auc_limit(diet: DietResult) -> float:
    """Return the lowest AUC on the validation rows with which a cell qualifies."""
    return next(iter(diet.searches.values())).auc_limit


def compared_rows(diet: DietResult, rows: str) -> str:
    """Return how many rows of an evaluation the measures of pairs are of."""
    counts = diet.results[0].mean[rows]
    changed, compared = (round(counts[name]) for name in ("changed_rows", "rows_by_attribute"))
    controlled = round(counts.get("rows_with_placebos", 0))
    return (
        f"The swap changes {changed:,} of the {rows} rows; {compared:,} mention one attribute "
        f"alone and are compared by attribute; {controlled:,} have placebos."
    )


def cell_rows(table: Sequence[Mapping[str, Any]], optimise: str) -> list[dict[str, Any]]:
    """Return the cells of a search as rows for a table.

    Returns:
        The shares, the rows used, the AUC and the measures of fairness, the change of the AUC and
        of what was chosen by in per cent of the baseline, and whether the cell qualifies.
    """
    names = [optimise, *(name for name in OBJECTIVES if name != optimise)]
    return [
        {
            "a": f"{row['a']:g}",
            "b": f"{row['b']:g}",
            "rows used": round(row["rows"]),
            "AUC": float(row["auc"]),
            "AUC change %": _percent(row["auc_change"]),
            **{_TITLES[name]: float(row[name]) for name in names if name in row},
            f"{_TITLES[optimise]} change %": _percent(row[f"{optimise}_change"]),
            "qualifies": "yes" if row["qualifies"] else "no",
        }
        for row in table
    ]


def _percent(change: float) -> str:
    """Write a change with its sign; one that rounds to nothing has a plus."""
    if change != change:
        return "undefined"
    return f"{round(change, 2) + 0.0:+.2f}"


def _mean_and_deviation(result: Result, rows: str, name: str) -> str:
    """Write a mean with its deviation, where there are several seeds."""
    mean, deviation = result.mean[rows][name], result.deviation[rows][name]
    if mean != mean:
        return "undefined"
    return f"{mean:.4f}" + (f" ± {deviation:.4f}" if deviation == deviation else "")


_ROWS = "test"
_DIGITS = 4


def verdict(diet: DietResult) -> str:
    """Compare the chosen rows with plain CDA, and name every baseline that is better in both.

    Both are the AUC and the measure of fairness that was optimised: means over the seeds on the
    test rows, which nothing was chosen by, to four digits as tables show them.
    """
    if diet.chosen is None:
        return " ".join(sorted({search.reason for search in diet.searches.values()}))
    baselines = {result.name: result for result in diet.results if result.kind == "baseline"}
    chosen = next(result for result in diet.results if result.kind == diet.ranking)
    measures = ("auc", diet.optimise)
    lines = [_against_cda(chosen, baselines["CDA"], measures)]
    better = [
        name
        for name, result in baselines.items()
        if name != "CDA" and _signs(result, chosen, measures) == [1, 1]
    ]
    if better:
        lines.append(f"Better in both than the chosen rows: {', '.join(better)}.")
    return " ".join(lines)


def _against_cda(chosen: Result, cda: Result, measures: Sequence[str]) -> str:
    """Return which is better, the chosen rows or all rows with all counterfactuals."""
    figures = [_figures(chosen, cda, name) for name in measures]
    both = " and ".join(figures)
    few = f"{round(chosen.rows):,} training rows in place of {round(cda.rows):,}"
    signs = _signs(chosen, cda, measures)
    if not signs:
        return f"On the test rows, plain CDA and the chosen rows cannot be compared: {both}."
    if signs == [0, 0]:
        return f"On the test rows, the chosen rows are as good as plain CDA, with {few}: {both}."
    if sorted(signs) == [-1, 1]:
        better, worse = (figures[signs.index(sign)] for sign in (1, -1))
        return (
            f"On the test rows, the chosen rows are better than plain CDA in {better}, and worse "
            f"in {worse}, with {few}."
        )
    what = "in one, as good in the other" if 0 in signs else "in both"
    if max(signs) > 0:
        return (
            f"On the test rows, the chosen rows are better than plain CDA {what}: {both}, with "
            f"{few}."
        )
    return (
        f"On the test rows, plain CDA is better than the chosen rows {what}: {both}. Use plain "
        f"CDA, unless {few} are worth that."
    )


def _signs(one: Result, other: Result, measures: Sequence[str]) -> list[int]:
    """Return for each measure whether one is better (1), as good (0) or worse (-1).

    Nothing is told where a measure is undefined.
    """
    signs = []
    for name in measures:
        means = one.mean[_ROWS], other.mean[_ROWS]
        ours, theirs = (
            round(mean[name] if name == "auc" else fairness(mean, name), _DIGITS) for mean in means
        )
        if isnan(ours) or isnan(theirs):
            return []
        signs.append((ours > theirs) - (ours < theirs))
    return signs


def _figures(chosen: Result, cda: Result, name: str) -> str:
    """Write a measure of both, and whether their difference is within what the seeds make."""
    title = "AUC" if name == "auc" else OBJECTIVES[name].title
    ours, theirs = (result.mean[_ROWS][name] for result in (chosen, cda))
    if isnan(ours) or isnan(theirs):
        return f"{title} (undefined)"
    spread = max(result.deviation[_ROWS][name] for result in (chosen, cda))
    within = ", within the deviation over the seeds" if abs(ours - theirs) <= spread else ""
    return f"{title} (chosen {ours:.{_DIGITS}f}, CDA {theirs:.{_DIGITS}f}{within})"
