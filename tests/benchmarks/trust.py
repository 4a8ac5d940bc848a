"""Whether the confidence of the swap tells which rewritten rows to trust.

    python tests/benchmarks/trust.py [--data DIR] [--half 0|1]

Over rows that nothing was fitted to (`--half 0` shows those that the figures were fitted to): of
those that the swap rewrites, the share that is wrong among the 100, 95, 90, 80, 70 and 50 in a
hundred that it is surest of; and the mean of this share over all coverages (the area under the
curve of risk and coverage, Geifman and El-Yaniv 2017, "Selective Classification for Deep Neural
Networks"), which at random is the share of all rows.

- tweets, EWT dev: a row is wrong if any decision in it is wrong that `judged` can judge: names that
  are none and names that were missed, words in other names, cases of "her" and "his".
- pairs: a row is wrong if it is not the human counterpart, letter by letter; some of these are
  noisy or have other words.
"""

from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from corpora import parser_of
from judged import pairs, tagged
from numpy.typing import NDArray

from fair_datasets import CounterfactualSwap
from fair_datasets.swap.rewriting import Rows

COVERAGES = (1.0, 0.95, 0.9, 0.8, 0.7, 0.5)
_DRAWS = 100

Trusted = tuple[float, bool]


def tagged_rows(data: Path, half: int) -> dict[str, list[Trusted]]:
    """Return the confidence of each tagged row that is rewritten, and whether it is wrong."""
    wrong: dict[str, dict[str, bool]] = defaultdict(dict)
    for each in tagged(data):
        if each.number % 2 == half:
            rows = wrong[each.source]
            rows[each.text] = rows.get(each.text, False) or not each.is_right
    swap = CounterfactualSwap(columns="text", confidence=True, protect=())
    found: dict[str, list[Trusted]] = {}
    for source, rows in wrong.items():
        texts = list(rows)
        read = swap.read(Rows([(text,) for text in texts], [None] * len(texts)))
        found[source] = [
            (row.confidence or 0.0, rows[texts[row.number]]) for row in read if row.counterfactual
        ]
    return found


def paired_rows(data: Path, half: int) -> list[Trusted]:
    """Return the same of the pairs."""
    return [
        (pair.row.confidence, pair.row.counterfactual.texts[0] != pair.gold)
        for pair in pairs(data, confidence=True)
        if pair.number % 2 == half and pair.row is not None and pair.row.counterfactual
    ]


def risks(rows: Sequence[Trusted]) -> NDArray[np.float64]:
    """Return the share of wrong rows at each coverage; ties in an order drawn many times."""
    confidence = np.array([share for share, _ in rows])
    wrong = np.array([is_wrong for _, is_wrong in rows], np.float64)
    draws = np.random.default_rng(0)
    counts = np.arange(1, len(rows) + 1)
    several = [
        np.cumsum(wrong[np.lexsort((draws.random(len(rows)), -confidence))]) / counts
        for _ in range(_DRAWS)
    ]
    mean: NDArray[np.float64] = np.mean(several, axis=0)
    return mean


def print_coverage(name: str, rows: Sequence[Trusted]) -> None:
    """Print a line of the table."""
    curve = risks(rows)
    wrong = sum(is_wrong for _, is_wrong in rows)
    counts = np.arange(1, len(rows) + 1)
    best = np.mean(np.maximum(0, counts - len(rows) + wrong) / counts)
    cells = [f"{100 * curve[max(0, round(share * len(rows)) - 1)]:.1f} %" for share in COVERAGES]
    areas = [100 * curve.mean(), 100 * wrong / len(rows), 100 * best]
    print(f"| {name} | {len(rows)} | {' | '.join([*cells, *(f'{area:.1f}' for area in areas)])} |")


def main() -> None:
    """Print wrong rows against coverage."""
    parser = parser_of("Print wrong rows against coverage.")
    parser.add_argument("--half", type=int, choices=(0, 1), default=1, help="1: held back")
    options = parser.parse_args()
    several = tagged_rows(options.data, options.half)
    several["pairs"] = paired_rows(options.data, options.half)
    several["all"] = [row for rows in several.values() for row in rows]
    shares = " | ".join(f"{100 * share:g} %" for share in COVERAGES)
    print(f"| rows | n | {shares} | area | at random | at best |\n{'|---' * 11}|")
    for name, rows in several.items():
        print_coverage(name, rows)


if __name__ == "__main__":
    main()
