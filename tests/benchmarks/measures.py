"""How fast the group measures are, beside fairlearn.

    python tests/benchmarks/measures.py [--rows 1000000] [--groups 2] [--repeats 8]

The same arrays are timed in the same run: labels and predictions drawn at random, once with strings
and once with whole numbers as groups, by the functions of `fair_datasets.measures` and by those of
fairlearn, with `MetricFrame` for the rates per group that it knows. Each time is the best of the
repeats; what is slow gets a quarter of them.
"""

import argparse
import time
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from fairlearn.metrics import (
    MetricFrame,
    count,
    demographic_parity_difference,
    equalized_odds_difference,
    false_negative_rate,
    false_positive_rate,
    selection_rate,
    true_negative_rate,
    true_positive_rate,
)
from sklearn.metrics import accuracy_score

from fair_datasets.measures.group_table import group_rates
from fair_datasets.measures.parity import demographic_parity, equalized_odds

FRAME = {
    "count": count, "selection_rate": selection_rate, "true_positive_rate": true_positive_rate,
    "false_positive_rate": false_positive_rate, "true_negative_rate": true_negative_rate,
    "false_negative_rate": false_negative_rate, "accuracy": accuracy_score,
}  # fmt: skip


def cases(rows: int, groups: int) -> Iterator[tuple[str, dict[str, Any]]]:
    """Draw references and predictions, with strings and with whole numbers as groups."""
    generator = np.random.default_rng(0)
    names = np.array(["female", "male", *(f"group {number}" for number in range(3, groups + 1))])
    codes = generator.integers(0, groups, rows)
    for dtype in (np.int8, np.int64):
        y_true, y_pred = (generator.integers(0, 2, rows).astype(dtype) for _ in range(2))
        for labels in (names[:groups][codes], codes):
            what = f"{np.dtype(dtype)} predictions, {labels.dtype.str[1:]} groups"
            yield what, {"y_true": y_true, "y_pred": y_pred, "groups": labels}


def passes(
    y_true: np.ndarray, y_pred: np.ndarray, groups: np.ndarray
) -> dict[str, tuple[Callable[[], Any], Callable[[], Any]]]:
    """Return what is timed: by measure, the function and that of fairlearn."""
    own = {"sensitive_features": groups}
    return {
        "demographic parity": (
            lambda: demographic_parity(y_pred, groups),
            lambda: demographic_parity_difference(y_true, y_pred, **own),
        ),
        "equalized odds": (
            lambda: equalized_odds(y_true, y_pred, groups),
            lambda: equalized_odds_difference(y_true, y_pred, **own),
        ),
        "per-group table": (
            lambda: group_rates(y_true, y_pred, groups),
            lambda: MetricFrame(metrics=FRAME, y_true=y_true, y_pred=y_pred, **own).by_group,
        ),
    }


def print_functions(rows: int, groups: int, repeats: int) -> None:
    """Print the times of the functions beside those of fairlearn."""
    print_row("case", "measure", "function, s", "fairlearn, s", "fairlearn / function")
    print_row(*["---"] * 5)
    for case, arrays in cases(rows, groups):
        for measure, (function, fairlearn) in passes(**arrays).items():
            own, other = best(function, repeats), best(fairlearn, max(1, repeats // 4))
            print_row(case, measure, f"{own:.4f}", f"{other:.2f}", f"{other / own:.0f}")


def best(function: Callable[[], Any], repeats: int) -> float:
    """Return the least of several times, in seconds."""
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        function()
        times.append(time.perf_counter() - start)
    return min(times)


def print_row(*cells: str) -> None:
    """Print a row of a table."""
    print(f"| {' | '.join(cells)} |", flush=True)


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description="Time the group measures.")
    parser.add_argument("--rows", type=int, default=1_000_000, help="how many rows (1000000)")
    parser.add_argument("--groups", type=int, default=2, help="how many groups (2)")
    parser.add_argument("--repeats", type=int, default=8, help="how often each is timed (8)")
    options = parser.parse_args()
    warnings.simplefilter("ignore", FutureWarning)
    print(f"{options.rows:,} rows, {options.groups} groups\n")
    print_functions(options.rows, options.groups, options.repeats)


if __name__ == "__main__":
    main()
