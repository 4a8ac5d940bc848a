"""How fast the group measures are, beside fairlearn.

    python tests/benchmarks/measures.py [--rows 1000000] [--groups 2] [--repeats 8]

All time the same arrays in the same run: labels and predictions drawn at random, once with strings
and once with whole numbers as groups. Three ways:

- function: the functions of `fair_datasets.measures`;
- fairlearn: its functions of the same name, and `MetricFrame` with the same rates per group;
- module: the `evaluate` modules, which write the rows to an Arrow table and read them back first.

Each time is the best of the repeats; fairlearn and the modules, which are slow, get a quarter of
them.
"""

import argparse
import time
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import datasets
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

from fair_datasets import load_metric
from fair_datasets.measures.group_rates import group_rates
from fair_datasets.measures.parity import demographic_parity, equalized_odds

FRAME = {
    "count": count,
    "selection_rate": selection_rate,
    "true_positive_rate": true_positive_rate,
    "false_positive_rate": false_positive_rate,
    "true_negative_rate": true_negative_rate,
    "false_negative_rate": false_negative_rate,
    "accuracy": accuracy_score,
}


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
) -> dict[str, dict[str, Callable[[], Any] | None]]:
    """Return what is timed: by measure, by way."""
    parity, odds = load_metric("demographic_parity"), load_metric("equalized_odds")
    own = {"sensitive_features": groups}
    return {
        "demographic parity": {
            "function": lambda: demographic_parity(y_pred, groups),
            "fairlearn": lambda: demographic_parity_difference(y_true, y_pred, **own),
            "module": lambda: parity.compute(predictions=y_pred, groups=groups),
        },
        "equalized odds": {
            "function": lambda: equalized_odds(y_true, y_pred, groups),
            "fairlearn": lambda: equalized_odds_difference(y_true, y_pred, **own),
            "module": lambda: odds.compute(predictions=y_pred, references=y_true, groups=groups),
        },
        "per-group table": {
            "function": lambda: group_rates(y_true, y_pred, groups),
            "fairlearn": lambda: (
                MetricFrame(metrics=FRAME, y_true=y_true, y_pred=y_pred, **own).by_group
            ),
            "module": None,
        },
    }


def best(function: Callable[[], Any] | None, repeats: int) -> float:
    """Return the least of several times, in seconds; NaN where there is nothing to time."""
    times = [float("nan")]
    for _ in range(repeats if function else 0):
        start = time.perf_counter()
        function()
        times.append(time.perf_counter() - start)
    return float(np.nanmin(times)) if function else times[0]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description="Time the group measures.")
    parser.add_argument("--rows", type=int, default=1_000_000, help="how many rows (1000000)")
    parser.add_argument("--groups", type=int, default=2, help="how many groups (2)")
    parser.add_argument("--repeats", type=int, default=8, help="how often each is timed (8)")
    options = parser.parse_args()
    datasets.disable_progress_bars()
    warnings.simplefilter("ignore", FutureWarning)
    columns = ["case", "measure", "function, s", "fairlearn, s", "fairlearn / function"]
    columns += ["module, s", "module / function"]
    few = max(1, options.repeats // 4)
    print(f"{options.rows:,} rows, {options.groups} groups\n")
    print(f"| {' | '.join(columns)} |\n{'|---' * len(columns)}|")
    for case, arrays in cases(options.rows, options.groups):
        for measure, ways in passes(**arrays).items():
            own = best(ways["function"], options.repeats)
            other = best(ways["fairlearn"], few)
            module = best(ways["module"], few)
            cells = [f"{own:.4f}", f"{other:.2f}", f"{other / own:.0f}"]
            cells += [f"{module:.2f}", f"{module / own:.0f}"] if ways["module"] else ["", ""]
            print(f"| {case} | {measure} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
