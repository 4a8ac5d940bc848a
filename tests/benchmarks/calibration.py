"""How often an audit tells of an effect of gender that there is none of, and finds one that is.

Activities predict the label; names and pronouns are drawn independently of both (`null`), together
with the activities (`confounded`), or with the label at a planted odds ratio. The coverage is that
of the interval of the excess over rows, at a known classifier.

    python tests/benchmarks/calibration.py --seeds 1000 --processes 2
"""

import argparse
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from itertools import product

import numpy as np
from datasets import disable_progress_bars

from fair_datasets.measures.controls import flip_rate_control
from tests.auditing.planted import Planted, audited, colours_of

SIZES = (500, 1000, 5000)
CASES = {
    "null": Planted(),
    "confounded": Planted(confounding=1.0),
    "odds ratio 2": Planted(odds_ratio=2),
    "odds ratio 4": Planted(odds_ratio=4),
}


def told(job: tuple[str, int, int]) -> tuple[str, int, str, str]:
    """Audit rows, and return the strongest colour of the labels' and of the probe's findings."""
    disable_progress_bars()
    case, size, seed = job
    found = colours_of(audited(size, seed, CASES[case]))
    return case, size, _strongest(found["labels"]), _strongest(found["probe"])


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
    print("| case | rows | seeds | labels red, amber | probe red, amber | either |")
    print("|---|---|---|---|---|---|")
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
            of_labels, of_probe = Counter(each[2] for each in found), Counter(e[3] for e in found)
            either = sum(_strongest(each[2:]) != "low" for each in found)
            yield (
                f"| {case} | {size} | {len(seeds)} | {of_labels['high']}, {of_labels['medium']} | "
                f"{of_probe['high']}, {of_probe['medium']} | {either} |"
            )


if __name__ == "__main__":
    main()
