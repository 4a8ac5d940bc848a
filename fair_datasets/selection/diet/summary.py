"""A diet's results as rows for tables and points for pictures."""

from collections.abc import Mapping, Sequence
from typing import Any

from fair_datasets.selection.diet.diet import DietResult
from fair_datasets.selection.diet.trials import Result
from fair_datasets.selection.objectives import OBJECTIVES

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


def trade_off_points(found: DietResult) -> list[dict[str, Any]]:
    """Return the baselines and every cell as points for `report.trade_off_plot`.

    Returns:
        Points on the validation rows, by which the cells are chosen.
    """
    points: list[dict[str, Any]] = [
        {"name": result.name, "kind": "baseline", **result.mean["validation"]}
        for result in found.results
        if result.kind == "baseline"
    ]
    for ranking, search in found.searches.items():
        for row in search.table:
            name = f"{ranking}, a={row['a']:g}, b={row['b']:g}"
            is_chosen = row is search.chosen or row == search.chosen
            points.append({**row, "name": name, "kind": ranking, "chosen": is_chosen})
    return points


def auc_limit(found: DietResult) -> float:
    """Return the lowest AUC on the validation rows with which a cell qualifies.

    Returns:
        The AUC; the same for all rankings.
    """
    return next(iter(found.searches.values())).auc_limit


def compared_rows(found: DietResult, rows: str) -> str:
    """Say how many rows of an evaluation the measures of pairs are of.

    Args:
        rows: The evaluation rows, `validation` or `test`.
    """
    counts = found.results[0].mean[rows]
    changed, compared = (round(counts[name]) for name in ("changed_rows", "rows_by_attribute"))
    controlled = round(counts.get("rows_with_placebos", 0))
    return (
        f"The swap changes {changed:,} of the {rows} rows; {compared:,} mention one attribute "
        f"alone and are compared by attribute; {controlled:,} have placebos."
    )


def cell_rows(table: Sequence[Mapping[str, Any]], optimise: str) -> list[dict[str, Any]]:
    """Return the cells of a search as rows for a table.

    Args:
        table: The table of a `TradeOff`.

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
