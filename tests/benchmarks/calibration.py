"""How often an audit tells of an effect of gender that there is none of, and finds one that is.

Activities predict the label; names and pronouns are drawn independently of both (`null`), together
with the activities (`confounded`), or with the label at a planted odds ratio; some of the rows may
be about nobody. The first rows of the table are false alarms, those with an odds ratio are power,
beside that of Fisher's exact test of the planted men and women alone. The coverage is that of the
interval of the excess over rows, at a known classifier.

    python tests/benchmarks/calibration.py --seeds 1000 --processes 2
"""

import argparse
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from itertools import product
from typing import NamedTuple

import numpy as np
from datasets import Dataset, disable_progress_bars
from scipy.stats import fisher_exact

from fair_datasets.auditing.findings import LIKELY
from fair_datasets.measures.controls import flip_rate_control
from tests.auditing.planted import Planted, audited, colours_of, rows_of

SIZES = (500, 1000, 5000)
CASES = {
    "null": Planted(), "null, 30% nobody": Planted(nobody=0.3),
    "null, 70% nobody": Planted(nobody=0.7), "confounded": Planted(confounding=1.0),
    "odds ratio 2": Planted(odds_ratio=2),
    "odds ratio 2, 30% nobody": Planted(odds_ratio=2, nobody=0.3),
    "odds ratio 2, 70% nobody": Planted(odds_ratio=2, nobody=0.7),
    "odds ratio 4": Planted(odds_ratio=4),
}  # fmt: skip
HEAD = ("case", "rows", "seeds", "labels red", "labels amber", "labels p ≤ .02", "Fisher p ≤ .02",
        "probe red", "probe amber", "any colour")  # fmt: skip


class Told(NamedTuple):
    """What an audit tells of rows.

    Attributes:
        labels: The strongest colour of the labels' findings.
        probe: That of the probe's findings.
        is_likely: Whether a label's adjusted p-value is at most the level of amber.
        by_fisher: Whether that of Fisher's test of the planted men and women is.
    """

    labels: str
    probe: str
    is_likely: bool
    by_fisher: bool


def told(job: tuple[str, int, int]) -> Told:
    """Audit rows."""
    disable_progress_bars()
    case, size, seed = job
    audit = audited(size, seed, CASES[case])
    colours = colours_of(audit)
    (labels,) = (part for part in audit.parts if part.topic == "association")
    return Told(
        _strongest(colours["labels"]), _strongest(colours["probe"]),
        any(figure.p_value <= LIKELY for figure in labels.figures),
        _fisher(rows_of(size, seed, CASES[case])) <= LIKELY,
    )  # fmt: skip


def _fisher(rows: Dataset) -> float:
    """Return the p-value of Fisher's test that men and women have the same labels."""
    pairs = list(zip(rows["about"], rows["label"], strict=True))
    cells = [[pairs.count((who, label)) for label in (0, 1)] for who in ("man", "woman")]
    return float(fisher_exact(cells).pvalue)


def _strongest(colours: Iterable[str]) -> str:
    """Return the strongest of some severities."""
    return next((name for name in ("high", "medium") if name in colours), "low")


def coverage(rows: int, flips: float, placebo: float, replicates: int, seed: int) -> float:
    """Return how often the interval of the excess holds it, rows and draws being drawn anew.

    Args:
        rows: How many rows there are.
        flips: The probability that the prediction for a row flips.
        placebo: The mean probability that it flips in a draw, which varies over draws.
        replicates: How often it is tried.
        seed: The seed.

    Returns:
        The share of intervals that hold the true excess.
    """
    draw = np.random.default_rng([rows, seed])
    held = 0
    for _ in range(replicates):
        rates = placebo * draw.uniform(0.5, 1.5, 99)
        found = flip_rate_control(draw.random(rows) < flips, draw.random((rows, 99)) < rates)
        held += found.low <= flips - placebo <= found.high
    return held / replicates


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=1000, help="how many of each (1000)")
    parser.add_argument("--first", type=int, default=1000, help="the first seed (1000)")
    parser.add_argument("--sizes", type=int, nargs="*", default=SIZES, help="how many rows")
    parser.add_argument("--cases", nargs="*", default=list(CASES), choices=CASES)
    parser.add_argument("--replicates", type=int, default=2000, help="of the coverage (2000)")
    parser.add_argument("--processes", type=int, default=1)
    options = parser.parse_args()
    seeds = range(options.first, options.first + options.seeds)
    print(f"| {' | '.join(HEAD)} |\n|{'---|' * len(HEAD)}")
    for line in _table(list(product(options.cases, options.sizes)), seeds, options.processes):
        print(line, flush=True)
    print("\n| rows | flips | placebos | coverage |\n|---|---|---|---|")
    for rows, flips in product((100, 300, 1000), (0.02, 0.1, 0.3)):
        if min(rows * flips, rows * (1 - flips)) < 10:
            continue
        held = coverage(rows, flips, flips / 2, options.replicates, 0)
        print(f"| {rows} | {flips:.0%} | {flips / 2:.0%} | {held:.3f} |", flush=True)


def _table(cells: list[tuple[str, int]], seeds: range, processes: int) -> Iterator[str]:
    """Audit the rows of each case and size, and give a line of the table."""
    with ProcessPoolExecutor(processes) as pool:
        for case, size in cells:
            found = list(pool.map(told, ((case, size, seed) for seed in seeds)))
            counts = [
                *(sum(each.labels == colour for each in found) for colour in ("high", "medium")),
                sum(each.is_likely for each in found),
                sum(each.by_fisher for each in found),
                *(sum(each.probe == colour for each in found) for colour in ("high", "medium")),
                sum({each.labels, each.probe} != {"low"} for each in found),
            ]
            yield f"| {' | '.join(map(str, (case, size, len(seeds), *counts)))} |"


if __name__ == "__main__":
    main()
