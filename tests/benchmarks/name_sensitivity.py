"""How often names of one culture are found to shift predictions, where they do and where not.

Of a classifier whose weights are known: each name has one by chance, or every fifth name has, and
the names of one culture have an effect more. Of a probe: an audit trains it on rows with names of
nine cultures, the labels of one of which are drawn at a planted odds ratio. `found` are the runs in
which the planted culture has a p-value of at most .01, or a colour in the audit; `false` those in
which another culture or a gender has.

    python tests/benchmarks/name_sensitivity.py --seeds 50 --processes 2
"""

import argparse
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from functools import partial

from datasets import disable_progress_bars

from tests.auditing.planted_names import ONE, audited, known_classifier, shifting, told_of


def known(size: int, effect: float, share: float, seed: int) -> set[str]:
    """Return whose names are found to shift the scores of a classifier that is known."""
    return shifting(known_classifier(size, seed, effect, share))


def probed(size: int, odds_ratio: float, seed: int) -> set[str]:
    """Return whose names an audit tells of in colour."""
    disable_progress_bars()
    return told_of(audited(size, seed, odds_ratio))


CASES: dict[str, Callable[[int], Callable[[int], set[str]]]] = {
    **{
        f"known classifier, {share:.0%} of names known, effect {effect}": (
            lambda size, effect=effect, share=share: partial(known, size, effect, share)
        )
        for share in (1.0, 0.2)
        for effect in (0.0, -0.2, -0.4)
    },
    **{
        f"probe, odds ratio {ratio:g}": lambda size, ratio=ratio: partial(probed, size, ratio)
        for ratio in (1, 2, 4, 8)
    },
}


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=50, help="how many of each (50)")
    parser.add_argument("--first", type=int, default=1000, help="the first seed (1000)")
    parser.add_argument("--size", type=int, default=1000, help="how many rows (1000)")
    parser.add_argument("--cases", nargs="*", default=list(CASES), choices=CASES)
    parser.add_argument("--processes", type=int, default=1)
    options = parser.parse_args()
    print("| case | rows | runs | found | false |\n|---|---|---|---|---|")
    seeds = range(options.first, options.first + options.seeds)
    with ProcessPoolExecutor(options.processes) as pool:
        for case in options.cases:
            told = list(pool.map(CASES[case](options.size), seeds))
            counts = sum(ONE in each for each in told), sum(bool(each - {ONE}) for each in told)
            print(
                f"| {case} | {options.size} | {len(told)} | {counts[0]} | {counts[1]} |", flush=True
            )


if __name__ == "__main__":
    main()
