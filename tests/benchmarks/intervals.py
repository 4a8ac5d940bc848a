"""How often the intervals of parity measures hold the true difference and the true ratio.

Rates are equal (a gap of 0), or those of the later half of the groups, or of the last one alone,
are higher by the gap. Groups are of one size, or of very different ones. Families of one to nine
rows lie in one group each, or have a row in every group; their rows are like each other. Each line
gives the lowest coverage of all base rates and sizes, and how often the ends missed on either side.

    python tests/benchmarks/intervals.py --replicates 1000 --processes 2
"""

import argparse
import warnings
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from itertools import groupby, product
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.stats import norm

from fair_datasets.measures import intervals
from fair_datasets.measures.confidence import confidence_intervals
from fair_datasets.measures.counterfactual_parity import counterfactual_demographic_parity
from fair_datasets.measures.group_metric import GroupMetric, group_metric
from fair_datasets.measures.group_table import FamilyRows, GroupTable, Method
from fair_datasets.measures.parity import Criterion, Parity, parity_of

KINDS = ("rows", "odds", "families", "shared families", "pairs", "overall", "metric")
GROUPS, GAPS, BASES = (2, 6), (0.0, 0.05, 0.2), (0.05, 0.3, 0.5)
ROWS, FAMILIES = (30, 100, 300, 1000, 5000), (10, 30, 50, 100)
UNEVEN = {2: (0.8, 0.2), 6: (0.5, 0.2, 0.1, 0.1, 0.05, 0.05)}
ALIKE = 0.5
"""How like each other the rows of a family are: the correlation of what lies behind them."""
DRAWS = 2000
"""How many draws a critical value comes from here, so that a table takes minutes."""


class Setting(NamedTuple):
    """What is drawn."""

    kind: str
    groups: int
    size: int
    gap: float
    base: float
    is_even: bool
    half: bool

    def rates(self) -> NDArray[np.float64]:
        """Return the true rate of each group."""
        rates = np.full(self.groups, self.base)
        rates[self.groups // 2 if self.half else -1 :] += self.gap
        return rates

    def sizes(self) -> NDArray[np.int64]:
        """Return the rows of each group."""
        shares = np.full(self.groups, 1 / self.groups)
        if not self.is_even:
            shares = np.array(UNEVEN[self.groups])
        return np.maximum(1, np.round(self.size * shares)).astype(np.int64)


def settings(kinds: list[str], rows: list[int]) -> Iterator[Setting]:
    """Give every setting of some kinds."""
    for kind, groups in product(kinds, GROUPS):
        if kind == "pairs" and groups > 2:
            continue
        sizes = FAMILIES if "families" in kind else rows
        evens = (True, False) if kind in ("rows", "overall", "metric") else (True,)
        for size, gap, base, is_even in product(sizes, GAPS, BASES, evens):
            for half in (False, True) if groups > 2 and gap else (False,):
                yield Setting(kind, groups, size, gap, base, is_even, half)


def drawn(setting: Setting, random: np.random.Generator) -> Parity | GroupMetric:
    """Draw rows, and compare their groups."""
    rates, groups = setting.rates(), setting.groups
    names = tuple(range(groups))
    if setting.kind == "pairs":
        behind = np.sqrt(ALIKE) * random.standard_normal(setting.size)[:, None]
        said = behind + np.sqrt(1 - ALIKE) * random.standard_normal((setting.size, 2))
        return counterfactual_demographic_parity(*(said < norm.ppf(rates)).T).all_rows
    if "families" in setting.kind:
        rows, counts = _families(setting, rates, random)
        criterion = Criterion(("selection_rate",))
        return parity_of(GroupTable(names, counts, False, rows), criterion, "nan")
    sizes = setting.sizes()
    if setting.kind == "metric":
        codes = np.repeat(names, sizes)
        said = random.random(len(codes)) < rates[codes]
        return group_metric(lambda _, said: said.mean(), said, said, codes, worst="lowest")
    counts = np.zeros((groups, 2, 2), np.int64)
    method: Method = "to_overall" if setting.kind == "overall" else "between_groups"
    criterion = Criterion(("selection_rate",), method=method)
    if setting.kind == "odds":
        # A half of each group has reference 0, whose rates do not differ.
        criterion = Criterion(("true_positive_rate", "false_positive_rate"), "worst_case")
        negatives = sizes // 2
        counts[:, 0, 1] = random.binomial(negatives, setting.base)
        counts[:, 0, 0] = negatives - counts[:, 0, 1]
        sizes = sizes - negatives
    place = int(setting.kind == "odds")
    counts[:, place, 1] = random.binomial(sizes, rates)
    counts[:, place, 0] = sizes - counts[:, place, 1]
    return parity_of(GroupTable(names, counts, place > 0), criterion, "nan")


def _families(
    setting: Setting, rates: NDArray[np.float64], random: np.random.Generator
) -> tuple[FamilyRows, NDArray[np.int64]]:
    """Draw families of rows that are like each other."""
    if setting.kind == "families":
        of_family = np.arange(setting.size) % setting.groups
        families = np.repeat(np.arange(setting.size), random.integers(1, 10, setting.size))
        codes = of_family[families]
    else:
        families = np.repeat(np.arange(setting.size), setting.groups)
        codes = np.tile(np.arange(setting.groups), setting.size)
    behind = np.sqrt(ALIKE) * random.standard_normal(setting.size)[families]
    said = behind + np.sqrt(1 - ALIKE) * random.standard_normal(len(families))
    cells = (said < norm.ppf(rates)[codes]).astype(np.intp)
    counts = np.bincount(codes * 4 + cells, minlength=4 * setting.groups).reshape(-1, 2, 2)
    return FamilyRows(cells, codes, families), counts


def held(job: tuple[Setting, int, int]) -> list[tuple[float, float, float, float]]:
    """Return of difference and ratio: coverage, shares below and above, and the mean width."""
    setting, replicates, resamples = job
    intervals.DRAWS = DRAWS
    warnings.simplefilter("ignore")
    rates = setting.rates()
    truth = {"difference": float(np.ptp(rates)), "ratio": float(rates.min() / rates.max())}
    if setting.kind == "overall":
        mean = np.average(rates, weights=setting.sizes())
        truth["difference"] = float(np.abs(rates - mean).max())
        truth["ratio"] = float((np.minimum(rates, mean) / np.maximum(rates, mean)).min())
    random = np.random.default_rng([KINDS.index(setting.kind), setting.groups, setting.size])
    found: dict[str, list[tuple[bool, bool, float]]] = {"difference": [], "ratio": []}
    known: dict[Any, Any] = {}
    for seed in range(replicates):
        parity = drawn(setting, random)
        # Few rows give the same counts again.
        key = str(parity) if parity.rows is None else seed
        if key not in known:
            known[key] = confidence_intervals(
                parity, confidence=0.95, n_resamples=resamples, seed=seed
            )
        for name, true in truth.items():
            low, high = known[key][name].low, known[key][name].high
            if not np.isnan(low):
                found[name].append((true < low - 1e-9, true > high + 1e-9, high - low))
    means = [np.mean(each, axis=0) for each in found.values()]
    return [(1 - below - above, below, above, width) for below, above, width in means]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--replicates", type=int, default=1000, help="of each setting (1000)")
    parser.add_argument("--resamples", type=int, default=199, help="and permutations (199)")
    parser.add_argument("--kinds", nargs="*", default=list(KINDS), choices=KINDS)
    parser.add_argument("--rows", nargs="*", type=int, default=list(ROWS))
    parser.add_argument("--processes", type=int, default=1)
    options = parser.parse_args()
    every = list(settings(options.kinds, options.rows))
    jobs = [(setting, options.replicates, options.resamples) for setting in every]
    print("| kind | groups | rows or families | gap | difference: held, missed below, above, width "
          "| ratio: held, missed below, above, width |")  # fmt: skip
    print("|---|---|---|---|---|---|")
    lowest = [1.0, 1.0]
    with ProcessPoolExecutor(options.processes) as pool:
        found = zip(every, pool.map(held, jobs), strict=True)
        for line, several in groupby(found, lambda each: each[0][:4]):
            # Of all base rates and sizes, the ones at which the fewest hold.
            worst = [min(figures) for figures in zip(*(each for _, each in several), strict=True)]
            told = [" ".join(f"{figure:.3f}" for figure in each) for each in worst]
            print(f"| {' | '.join(map(str, line))} | {' | '.join(told)} |", flush=True)
            lowest = [min(before, now[0]) for before, now in zip(lowest, worst, strict=True)]
    print(f"\nLowest: {lowest[0]:.3f} of differences, {lowest[1]:.3f} of ratios.")


if __name__ == "__main__":
    main()
