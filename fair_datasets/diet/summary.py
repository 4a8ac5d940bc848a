"""A diet's results as rows for tables and points for pictures."""

from collections.abc import Mapping, Sequence
from typing import Any

from fair_datasets.diet.diet import DietResult
from fair_datasets.diet.measurement import MEASURES
from fair_datasets.diet.trials import Result

_TITLES = {
    "auc": "AUC",
    "demographic_parity": "DP",
    "equal_opportunity_1": "EqOpp1",
    "equal_opportunity_0": "EqOpp0",
    "equalized_odds": "EqOdd",
}


def result_rows(results: Sequence[Result], rows: str) -> list[dict[str, Any]]:
    """Return one row per method for a table.

    Args:
        results: The methods.
        rows: The evaluation rows of which the measures are shown.

    Returns:
        The method, its training rows and seconds, and each measure as mean ± standard deviation.

    Example:
        >>> values = dict.fromkeys(MEASURES, 0.5)
        >>> result = Result("CDA", 20, 1.5, {"test": values}, {"test": values})
        >>> result_rows([result], "test")[0]["AUC"]
        '0.5000 ± 0.5000'
    """
    return [
        {
            "method": result.name,
            **{_TITLES[name]: _mean_and_deviation(result, rows, name) for name in MEASURES},
            "rows used": round(result.rows),
            "seconds": f"{result.seconds:.1f}",
        }
        for result in results
    ]


def trade_off_points(found: DietResult) -> list[dict[str, Any]]:
    """Return the baselines and every cell as points for `report.trade_off_plot`.

    Args:
        found: The result of a diet.

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


def cell_rows(table: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the cells of a search as rows for a table.

    Args:
        table: The table of a `TradeOff`.

    Returns:
        The shares, the rows used, AUC and DP with their change in per cent of the baseline, and
        whether the cell qualifies.
    """
    return [
        {
            "a": f"{row['a']:g}",
            "b": f"{row['b']:g}",
            "rows used": round(row["rows"]),
            "AUC": float(row["auc"]),
            "change %": _percent(row["auc_change"]),
            "DP": float(row["demographic_parity"]),
            "DP change %": _percent(row["demographic_parity_change"]),
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
